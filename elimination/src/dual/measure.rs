//! What the dual graph says of its faces, and which of that an elimination changes.

use crate::accumulation::{Accumulation, Entry};
use crate::dual::{Dual, Element, costs};
use crate::state::{Affected, Changes, Group, Measure, Paths, State};
use crate::target::{Step, Target};

impl Dual<'_> {
    fn inner(&self, ids: &[u32]) -> usize {
        ids.iter().filter(|&&id| !self.elements[id as usize].border).count()
    }

    fn markowitz_reduction(&self, e: u32, f: u32) -> f64 {
        let (first, second) = (&self.elements[e as usize], &self.elements[f as usize]);
        let (before, after) = (self.inner(&first.pred), self.inner(&second.succ));
        let mut reduction = 1.0;
        if self.alike(e, f, None).is_none() {
            reduction -= (before + after) as f64;
        }
        if first.succ.len() == 1 {
            reduction += before as f64;
        }
        if second.pred.len() == 1 {
            reduction += after as f64;
        }
        reduction
    }

    /// The faces of which an element is the second, and those of which it is the first.
    fn before(&self, f: u32, targets: &mut Vec<Target>) {
        let element = &self.elements[f as usize];
        let inner = element.pred.iter().filter(|&&e| !self.elements[e as usize].border);
        targets.extend(inner.filter(|_| !element.border).map(|&e| Target::Face(e, f)));
    }

    fn behind(&self, e: u32, targets: &mut Vec<Target>) {
        let element = &self.elements[e as usize];
        let inner = element.succ.iter().filter(|&&f| !self.elements[f as usize].border);
        targets.extend(inner.filter(|_| !element.border).map(|&f| Target::Face(e, f)));
    }

    /// The faces that an element with these neighbours absorbs, or would if it were there.
    fn absorbed_by(&self, g: u32, hashes: (u64, u64), targets: &mut Vec<Target>) {
        let Element { source, target, .. } = self.elements[g as usize];
        for &e in &self.beginning[source as usize] {
            let first = &self.elements[e as usize];
            if first.border || first.hash.0 != hashes.0 {
                continue;
            }
            let ends = first.succ.iter().filter(|&&f| {
                let second = &self.elements[f as usize];
                !second.border && second.target == target && second.hash.1 == hashes.1
            });
            targets.extend(ends.map(|&f| Target::Face(e, f)));
        }
    }
}

impl State for Dual<'_> {
    fn targets_at(&self, middle: u32, targets: &mut Vec<Target>) {
        for &e in &self.ending[middle as usize] {
            let first = &self.elements[e as usize];
            if !first.border {
                let inner = first.succ.iter().filter(|&&f| !self.elements[f as usize].border);
                targets.extend(inner.map(|&f| Target::Face(e, f)));
            }
        }
    }

    fn is_target(&self, target: Target) -> bool {
        let Target::Face(e, f) = target else { return false };
        let (first, second) = (&self.elements[e as usize], &self.elements[f as usize]);
        !first.border && !second.border && first.succ.binary_search(&f).is_ok()
    }

    fn group(&self, target: Target) -> Group {
        let Target::Face(e, _) = target else { return Group { middle: 0, kind: 0 } };
        Group { middle: self.elements[e as usize].target, kind: 0 }
    }

    fn common(&self, group: Group, measure: Measure) -> f64 {
        let j = group.middle as usize;
        match measure {
            Measure::Markowitz => self.faces[j] as f64,
            Measure::RelativeMarkowitz => {
                let Paths { inputs, outputs, .. } = &self.paths;
                let unavoidable = u64::from(inputs[j]) * u64::from(outputs[j]);
                self.faces[j] as f64 - unavoidable as f64
            }
            Measure::Position
            | Measure::Multiplications
            | Measure::FillIn
            | Measure::Growth
            | Measure::Absorption
            | Measure::Distance
            | Measure::MarkowitzReduction
            | Measure::PathReduction => 0.0,
        }
    }

    fn own(&self, target: Target, measure: Measure) -> f64 {
        let Target::Face(e, f) = target else { return 0.0 };
        let (first, second) = (&self.elements[e as usize], &self.elements[f as usize]);
        let (i, j, k) = (first.source, first.target, second.target);
        let position = |v: u32| f64::from(self.graph.position(v));
        let Paths { to, from, .. } = &self.paths;
        match measure {
            Measure::Position => {
                let n = self.graph.len() as f64;
                (position(i) * n + position(j)) * n + position(k)
            }
            Measure::Markowitz | Measure::RelativeMarkowitz => 0.0,
            Measure::Multiplications => f64::from(u8::from(costs(first.value, second.value))),
            Measure::FillIn | Measure::Growth => {
                f64::from(u8::from(self.alike(e, f, None).is_none()))
            }
            Measure::Absorption => f64::from(u8::from(self.alike(e, f, None).is_some())),
            Measure::Distance => position(k) - position(i),
            Measure::MarkowitzReduction => self.markowitz_reduction(e, f),
            Measure::PathReduction => {
                to[i as usize] * first.paths * second.paths * from[k as usize]
            }
        }
    }

    fn eliminate(&mut self, target: Target, changes: &mut Changes) {
        if let Target::Face(e, f) = target {
            self.face(e, f, changes);
        }
    }

    fn ends(&self, target: Target) -> (Vec<u32>, Vec<u32>) {
        let Target::Face(e, f) = target else { return (Vec::new(), Vec::new()) };
        (vec![self.elements[e as usize].source], vec![self.elements[f as usize].target])
    }

    fn step(&self, target: Target) -> Step {
        let Target::Face(e, f) = target else { return Step::Vertex(0) };
        let (first, second) = (&self.elements[e as usize], &self.elements[f as usize]);
        Step::Face(first.source, first.target, second.target)
    }

    fn expect_siblings(&mut self) {
        let mut targets = Vec::new();
        (0..self.graph.len() as u32).for_each(|j| self.targets_at(j, &mut targets));
        let place = |target: Target| match target {
            Target::Face(e, f) => Some(self.between_ends(e, f)),
            Target::Vertex(_) | Target::Front(..) | Target::Back(..) => None,
        };
        self.between = Some(targets.into_iter().filter_map(place).collect());
    }

    fn siblings(&self, ends: &(Vec<u32>, Vec<u32>), each: &mut dyn FnMut(Target, usize)) {
        // A face has one vertex at either end.
        let (Some(&i), Some(&k)) = (ends.0.first(), ends.1.first()) else { return };
        if let Some(between) = &self.between {
            let faces = between.range((i, k, 0, 0)..=(i, k, u32::MAX, u32::MAX));
            faces.for_each(|&(_, _, e, f)| each(Target::Face(e, f), 1));
        }
    }

    fn affected(&self, changes: &Changes, measures: &[Measure]) -> Affected {
        let mut affected = Affected::default();
        let Affected { targets, middles } = &mut affected;
        for &(e, f) in &changes.faces {
            targets.push(Target::Face(e, f));
            middles.push(self.elements[e as usize].target);
        }
        let (mut values, mut absorbed, mut degrees) = (false, false, false);
        for measure in measures {
            match measure {
                Measure::Multiplications | Measure::PathReduction => values = true,
                Measure::FillIn | Measure::Growth | Measure::Absorption => absorbed = true,
                Measure::MarkowitzReduction => (absorbed, degrees) = (true, true),
                Measure::Position
                | Measure::Markowitz
                | Measure::RelativeMarkowitz
                | Measure::Distance => {}
            }
        }
        if values {
            for &e in &changes.elements {
                self.before(e, targets);
                self.behind(e, targets);
            }
        }
        if absorbed {
            let mut changed = changes.neighbours.clone();
            changed.sort_unstable();
            changed.dedup();
            for &(e, hashes) in &changed {
                self.absorbed_by(e, hashes, targets);
            }
            for of_one in changed.chunk_by(|a, b| a.0 == b.0) {
                let (e, hash) = of_one[0];
                let element = &self.elements[e as usize];
                // What follows it is absorbed by its predecessors, what is before it by its successors.
                let others = || of_one.iter().map(|(_, hash)| hash).chain([&element.hash]);
                let (pred, succ) =
                    (others().any(|h| h.0 != hash.0), others().any(|h| h.1 != hash.1));
                if pred || (degrees && element.succ.len() <= 2) {
                    self.behind(e, targets);
                }
                if succ || (degrees && element.pred.len() <= 2) {
                    self.before(e, targets);
                }
            }
        }
        targets.sort_unstable();
        targets.dedup();
        middles.sort_unstable();
        middles.dedup();
        affected
    }

    fn remaining(&self) -> Vec<Entry> {
        let ending = self.ending.iter().flatten().map(|&e| &self.elements[e as usize]);
        ending
            .filter(|element| !element.border)
            .map(|&Element { source, target, value, .. }| Entry { source, target, value })
            .collect()
    }

    fn accumulation(mut self) -> Accumulation {
        let entries = self.remaining();
        self.accumulation.finish(entries);
        self.accumulation
    }
}
