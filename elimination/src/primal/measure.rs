//! What a graph under vertex and edge elimination says of its targets, and which of that an
//! elimination changes.
//!
//! The edges to a vertex form a group with front elimination as their target, those from it one with back
//! elimination, each divided by what the edges carry ([`Sort`]): so most measures are the same for a
//! whole group, or differ by how many of the products are absorbed.

use crate::accumulation::{Accumulation, Entry};
use crate::primal::{Arc, Primal, Sort};
use crate::state::{Affected, Changed, Changes, Group, Measure, Paths, State};
use crate::target::{Step, Target, Technique};

impl Primal<'_> {
    /// P, the middle vertex and S of a target.
    fn shape(&self, target: Target) -> (Sources<'_>, u32, Sinks<'_>) {
        match target {
            Target::Vertex(j) => {
                (Side::All(&self.pred[j as usize]), j, Side::All(&self.succ[j as usize]))
            }
            Target::Front(i, j) => (Side::One(i), j, Side::All(&self.succ[j as usize])),
            Target::Back(j, k) => (Side::All(&self.pred[j as usize]), j, Side::One(k)),
            // No target of this state.
            Target::Face(i, j) => (Side::One(i), i, Side::One(j)),
        }
    }

    /// How many products of a target are new edges, and how many are absorbed.
    fn fill_in(&self, target: Target) -> (usize, usize) {
        let (sources, j, sinks) = self.shape(target);
        let old = match target {
            Target::Vertex(_) => {
                let row = |i| common(&self.succ[i as usize], &self.succ[j as usize]);
                sources.vertices().map(row).sum()
            }
            Target::Front(i, _) => common(&self.succ[i as usize], &self.succ[j as usize]),
            Target::Back(_, k) => common(&self.pred[j as usize], &self.pred[k as usize]),
            Target::Face(..) => 0,
        };
        (sources.count() * sinks.count() - old, old)
    }

    fn is_variable(&self, source: u32, target: u32) -> bool {
        self.edge(source, target).is_some_and(|value| Sort::of(value) == Sort::Variable)
    }

    /// How many edges more carry a variable after the elimination of the vertex `j`.
    fn growth(&self, j: u32) -> f64 {
        let (mut more, mut fewer) = (0, 0);
        for &i in &self.pred[j as usize] {
            let first = self.is_variable(i, j);
            fewer += usize::from(first && !self.keeps_entries(j));
            for (k, value) in self.successors(j) {
                let product = first || Sort::of(value) == Sort::Variable;
                more += usize::from(product && !self.is_variable(i, k));
            }
        }
        fewer += self.successors(j).filter(|(_, v)| Sort::of(*v) == Sort::Variable).count();
        more as f64 - fewer as f64
    }

    /// How many products of an edge target carry a variable and are added to an edge that does.
    fn kept(&self, target: Target) -> usize {
        let (sources, j, sinks) = self.shape(target);
        let (i, k) = match target {
            Target::Front(i, _) => (Some(i), None),
            Target::Back(_, k) => (None, Some(k)),
            Target::Vertex(_) | Target::Face(..) => (None, None),
        };
        let kept = |i: u32, k: u32| {
            self.is_variable(i, k) && (self.is_variable(i, j) || self.is_variable(j, k))
        };
        match (i, k) {
            (Some(i), _) => sinks.vertices().filter(|&k| kept(i, k)).count(),
            (None, Some(k)) => sources.vertices().filter(|&i| kept(i, k)).count(),
            (None, None) => 0,
        }
    }

    /// What the edges to a vertex carry, or those from it.
    fn sorts(&self, j: u32, side: Half) -> Vec<Sort> {
        match side {
            Half::To => {
                let values = self.pred[j as usize].iter().filter_map(|&i| self.edge(i, j));
                values.map(Sort::of).collect()
            }
            Half::From => self.successors(j).map(|(_, value)| Sort::of(value)).collect(),
        }
    }

    /// Edges at `v` that count for its Markowitz degree, after the elimination of `target`.
    fn degrees_after(&self, v: u32, target: Target) -> (usize, usize) {
        let (sources, j, sinks) = self.shape(target);
        let (mut to, mut from) = (self.pred[v as usize].len(), self.succ[v as usize].len());
        let is_source = sources.vertices().any(|i| i == v);
        let is_sink = sinks.vertices().any(|k| k == v);
        if is_source {
            from += sinks.vertices().filter(|&k| !self.has_edge(v, k)).count();
            let taken = match target {
                Target::Vertex(j) => !self.keeps_entries(j),
                Target::Front(..) => true,
                // The last edge from a vertex takes the edges to it along.
                Target::Back(j, _) => self.succ[j as usize].len() == 1 && !self.keeps_entries(j),
                Target::Face(..) => false,
            };
            from -= usize::from(taken);
        }
        if is_sink {
            to += sources.vertices().filter(|&i| !self.has_edge(i, v)).count();
            let taken = match target {
                Target::Vertex(_) | Target::Back(..) => true,
                Target::Front(_, j) => self.pred[j as usize].len() == 1,
                Target::Face(..) => false,
            };
            to -= usize::from(taken);
        }
        if v == j {
            match target {
                Target::Vertex(_) => return (0, 0),
                Target::Front(..) => to -= 1,
                Target::Back(..) => from -= 1,
                Target::Face(..) => {}
            }
        }
        (to, from)
    }

    fn markowitz_reduction(&self, target: Target) -> f64 {
        let (sources, j, sinks) = self.shape(target);
        let mut touched: Vec<u32> = sources.vertices().chain(sinks.vertices()).collect();
        // Edges at the other side of the middle vertex go with its last edge; they make no degree
        // larger, and their other ends are among the ends of the target.
        touched.push(j);
        touched
            .into_iter()
            .filter(|&v| !self.is_input(v))
            .map(|v| {
                let before = self.pred[v as usize].len() * self.succ[v as usize].len();
                let (to, from) = self.degrees_after(v, target);
                before as f64 - (to * from) as f64
            })
            .sum()
    }

    fn path_reduction(&self, target: Target) -> f64 {
        let (sources, j, sinks) = self.shape(target);
        let Paths { to, from, .. } = &self.paths;
        let weight = |i: u32, k: u32| self.arc(i, k).map_or(0.0, |arc| arc.paths);
        let before: f64 = sources.vertices().map(|i| to[i as usize] * weight(i, j)).sum();
        let after: f64 = sinks.vertices().map(|k| weight(j, k) * from[k as usize]).sum();
        before * after
    }

    /// What `measure` says about a vertex.
    fn whole(&self, j: u32, measure: Measure) -> f64 {
        let target = Target::Vertex(j);
        let (pred, succ) = (&self.pred[j as usize], &self.succ[j as usize]);
        let degree = (pred.len() * succ.len()) as f64;
        let position = |v: u32| f64::from(self.graph.position(v));
        match measure {
            Measure::Position => position(j),
            Measure::Markowitz => degree,
            Measure::RelativeMarkowitz => {
                let Paths { inputs, outputs, .. } = &self.paths;
                degree - f64::from(inputs[j as usize]) * f64::from(outputs[j as usize])
            }
            Measure::Multiplications => {
                let count = |sorts: Vec<Sort>, sort| sorts.iter().filter(|&&s| s == sort).count();
                let [to, from] = [Half::To, Half::From].map(|half| {
                    let sorts = self.sorts(j, half);
                    (count(sorts.clone(), Sort::Known), count(sorts, Sort::Variable))
                });
                (to.1 * (from.0 + from.1) + to.0 * from.1) as f64
            }
            Measure::FillIn => self.fill_in(target).0 as f64,
            Measure::Growth => self.growth(j),
            Measure::Absorption => self.fill_in(target).1 as f64,
            Measure::Distance => {
                let first = pred.iter().map(|&i| position(i)).fold(f64::INFINITY, f64::min);
                let last = succ.iter().map(|arc| position(arc.target)).fold(0.0, f64::max);
                last - first
            }
            Measure::MarkowitzReduction => self.markowitz_reduction(target),
            Measure::PathReduction => self.path_reduction(target),
        }
    }

    /// The targets that are an edge, or the vertices at its ends.
    fn at_edge(&self, a: u32, b: u32) -> [Target; 2] {
        match self.technique {
            Technique::Vertex => [Target::Vertex(a), Target::Vertex(b)],
            Technique::Edge | Technique::Face => [Target::Front(a, b), Target::Back(a, b)],
        }
    }

    /// The targets that absorb by the edge (a, b), or of which it is the product that is absorbed.
    fn around(&self, (a, b): (u32, u32), changed: &Changed, targets: &mut Vec<Target>) {
        let (after, before) = (&self.succ[a as usize], &self.pred[b as usize]);
        if self.technique == Technique::Vertex {
            targets.extend(shared(after, before).map(Target::Vertex));
            return;
        }
        for j in shared(after, before) {
            targets.extend([Target::Front(a, j), Target::Back(j, b)]);
        }
        if self.has_edge(a, b) {
            let both = shared(&self.pred[a as usize], &self.pred[b as usize]);
            targets.extend(both.map(|i| Target::Front(i, a)));
            let both = shared(&self.succ[a as usize], &self.succ[b as usize]);
            targets.extend(both.map(|k| Target::Back(b, k)));
        } else {
            self.around_gone((a, b), changed, targets);
        }
    }

    /// The targets that have the edge (a, b), which is gone, in a triangle with another edge that there is or that
    /// changed with it. The other edges at a vertex may be thousands, so the shorter list is gone through.
    fn around_gone(&self, (a, b): (u32, u32), changed: &Changed, targets: &mut Vec<Target>) {
        let (known, from) = (&self.succ[a as usize], changed.from(a));
        let sinks = &self.succ[b as usize];
        if known.len() + from.len() < sinks.len() {
            let ends = known.iter().map(|arc| arc.target).chain(from.iter().map(|edge| edge.1));
            let ends = ends.filter(|&k| self.has_edge(b, k));
            targets.extend(ends.map(|k| Target::Back(b, k)));
        } else {
            let ends = sinks.iter().map(|arc| arc.target);
            let ends = ends.filter(|&k| self.has_edge(a, k) || from.binary_search(&(a, k)).is_ok());
            targets.extend(ends.map(|k| Target::Back(b, k)));
        }
        let (known, to) = (&self.pred[b as usize], changed.to(b));
        let sources = &self.pred[a as usize];
        if known.len() + to.len() < sources.len() {
            let ends = known.iter().copied().chain(to.iter().map(|edge| edge.1));
            let ends = ends.filter(|&i| self.has_edge(i, a));
            targets.extend(ends.map(|i| Target::Front(i, a)));
        } else {
            let ends = sources.iter().copied();
            let ends = ends.filter(|&i| self.has_edge(i, b) || to.binary_search(&(b, i)).is_ok());
            targets.extend(ends.map(|i| Target::Front(i, a)));
        }
    }

    /// The targets of which (a, b) is a factor beside their own edge.
    fn beside(&self, a: u32, b: u32, targets: &mut Vec<Target>) {
        match self.technique {
            Technique::Vertex => {}
            Technique::Edge | Technique::Face => {
                targets.extend(self.pred[a as usize].iter().map(|&i| Target::Front(i, a)));
                targets.extend(self.successors(b).map(|(k, _)| Target::Back(b, k)));
            }
        }
    }

    /// The targets for which the degree of a vertex counts at which an edge came or went.
    fn far(&self, changes: &Changes, targets: &mut Vec<Target>) {
        let mut vertices: Vec<u32> = changes.edges.iter().flat_map(|&(a, b)| [a, b]).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let mut middles = vertices.clone();
        // The degrees of inputs count for nobody.
        for v in vertices.into_iter().filter(|&v| !self.is_input(v)) {
            middles.extend(&self.pred[v as usize]);
            middles.extend(self.successors(v).map(|(k, _)| k));
        }
        for &(a, b) in &changes.edges {
            middles.extend(shared(&self.succ[a as usize], &self.pred[b as usize]));
        }
        middles.sort_unstable();
        middles.dedup();
        middles.into_iter().for_each(|j| self.targets_at(j, targets));
    }
}

/// The edges to a vertex, or those from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    To,
    From,
}

/// One or all of the vertices at a side of the middle vertex.
enum Side<'s, T> {
    One(u32),
    All(&'s [T]),
}

type Sources<'s> = Side<'s, u32>;
type Sinks<'s> = Side<'s, Arc>;

/// Whatever names a vertex.
trait Names {
    fn vertex(&self) -> u32;
}

impl Names for u32 {
    fn vertex(&self) -> u32 {
        *self
    }
}

impl Names for Arc {
    fn vertex(&self) -> u32 {
        self.target
    }
}

impl<T: Names> Side<'_, T> {
    fn vertices(&self) -> impl Iterator<Item = u32> + '_ {
        let (one, all) = match self {
            Side::One(v) => (Some(*v), &[][..]),
            Side::All(vertices) => (None, *vertices),
        };
        one.into_iter().chain(all.iter().map(Names::vertex))
    }

    fn count(&self) -> usize {
        match self {
            Side::One(_) => 1,
            Side::All(vertices) => vertices.len(),
        }
    }
}

/// How many vertices two sorted lists share.
fn common<T: Names>(a: &[T], b: &[T]) -> usize {
    shared(a, b).count()
}

/// The vertices that two sorted lists share.
fn shared<'l, T: Names, U: Names>(
    a: &'l [T],
    b: &'l [U],
) -> impl Iterator<Item = u32> + use<'l, T, U> {
    let (mut a, mut b) = (a.iter(), b.iter());
    let mut heads = (a.next().map(Names::vertex), b.next().map(Names::vertex));
    std::iter::from_fn(move || {
        while let (Some(x), Some(y)) = heads {
            if x <= y {
                heads.0 = a.next().map(Names::vertex);
            }
            if y <= x {
                heads.1 = b.next().map(Names::vertex);
            }
            if x == y {
                return Some(x);
            }
        }
        None
    })
}

impl State for Primal<'_> {
    fn targets_at(&self, middle: u32, targets: &mut Vec<Target>) {
        let (pred, succ) = (&self.pred[middle as usize], &self.succ[middle as usize]);
        if self.is_input(middle) || pred.is_empty() || succ.is_empty() {
            return;
        }
        match self.technique {
            Technique::Vertex => targets.push(Target::Vertex(middle)),
            Technique::Edge => {
                if !self.keeps_entries(middle) {
                    targets.extend(pred.iter().map(|&i| Target::Front(i, middle)));
                }
                targets.extend(succ.iter().map(|arc| Target::Back(middle, arc.target)));
            }
            Technique::Face => {}
        }
    }

    fn is_target(&self, target: Target) -> bool {
        let between = |j: u32| {
            !self.is_input(j)
                && !self.pred[j as usize].is_empty()
                && !self.succ[j as usize].is_empty()
        };
        match target {
            Target::Vertex(j) => self.technique == Technique::Vertex && between(j),
            Target::Front(i, j) => between(j) && !self.keeps_entries(j) && self.has_edge(i, j),
            Target::Back(j, k) => between(j) && self.has_edge(j, k),
            Target::Face(..) => false,
        }
    }

    fn group(&self, target: Target) -> Group {
        let kind = |half: Half, (i, j): (u32, u32)| {
            3 * half as u32 + self.edge(i, j).map_or(0, |value| Sort::of(value) as u32)
        };
        match target {
            Target::Vertex(middle) => Group { middle, kind: 0 },
            Target::Front(i, j) => Group { middle: j, kind: kind(Half::To, (i, j)) },
            Target::Back(j, k) => Group { middle: j, kind: kind(Half::From, (j, k)) },
            Target::Face(middle, _) => Group { middle, kind: 0 },
        }
    }

    fn common(&self, group: Group, measure: Measure) -> f64 {
        if self.technique == Technique::Vertex {
            return 0.0;
        }
        let j = group.middle;
        let own = [Sort::Unit, Sort::Known, Sort::Variable][group.kind as usize % 3];
        // At the front the products are with the edges from the vertex.
        let (other, half) = match group.kind / 3 {
            0 => (Half::From, Half::To),
            _ => (Half::To, Half::From),
        };
        let count = |half: Half| match half {
            Half::To => self.pred[j as usize].len(),
            Half::From => self.succ[j as usize].len(),
        };
        let number = |half: Half, sort: fn(Sort) -> bool| {
            self.sorts(j, half).into_iter().filter(|&s| sort(s)).count()
        };
        let is_variable = |sort: Sort| sort == Sort::Variable;
        let position = |v: u32| f64::from(self.graph.position(v));
        match measure {
            Measure::Markowitz | Measure::FillIn => count(other) as f64,
            Measure::RelativeMarkowitz => {
                let unavoidable = match other {
                    Half::To => self.paths.inputs[j as usize],
                    Half::From => self.paths.outputs[j as usize],
                };
                count(other) as f64 - f64::from(unavoidable)
            }
            Measure::Multiplications => match own {
                Sort::Unit => 0.0,
                Sort::Known => number(other, is_variable) as f64,
                Sort::Variable => number(other, |sort| sort != Sort::Unit) as f64,
            },
            Measure::Growth => {
                let more = match own {
                    Sort::Unit | Sort::Known => number(other, is_variable),
                    Sort::Variable => count(other),
                };
                // The last edge on a side takes those on the other along.
                let last = count(half) == 1 && !(half == Half::From && self.keeps_entries(j));
                let fewer = if last { number(other, is_variable) } else { 0 };
                more as f64 - (fewer + usize::from(own == Sort::Variable)) as f64
            }
            Measure::Distance => match other {
                Half::From => self.successors(j).map(|(k, _)| position(k)).fold(0.0, f64::max),
                Half::To => {
                    let first = self.pred[j as usize].iter().map(|&i| position(i));
                    -first.fold(f64::INFINITY, f64::min)
                }
            },
            Measure::Position
            | Measure::Absorption
            | Measure::MarkowitzReduction
            | Measure::PathReduction => 0.0,
        }
    }

    fn own(&self, target: Target, measure: Measure) -> f64 {
        let position = |v: u32| f64::from(self.graph.position(v));
        let (i, j, back) = match target {
            Target::Vertex(j) => return self.whole(j, measure),
            Target::Front(i, j) => (i, j, false),
            Target::Back(i, j) => (i, j, true),
            // No target of this state.
            Target::Face(..) => return 0.0,
        };
        match measure {
            Measure::Position => {
                let edge = position(i) * self.graph.len() as f64 + position(j);
                2.0 * edge + f64::from(u8::from(back))
            }
            Measure::Markowitz | Measure::RelativeMarkowitz | Measure::Multiplications => 0.0,
            Measure::FillIn => -(self.fill_in(target).1 as f64),
            Measure::Absorption => self.fill_in(target).1 as f64,
            Measure::Growth => -(self.kept(target) as f64),
            Measure::Distance if back => position(j),
            Measure::Distance => -position(i),
            Measure::MarkowitzReduction => self.markowitz_reduction(target),
            Measure::PathReduction => self.path_reduction(target),
        }
    }

    fn eliminate(&mut self, target: Target, changes: &mut Changes) {
        match target {
            Target::Vertex(j) => self.vertex(j, changes),
            Target::Front(i, j) => self.front(i, j, changes),
            Target::Back(j, k) => self.back(j, k, changes),
            Target::Face(..) => {}
        }
    }

    fn ends(&self, target: Target) -> (Vec<u32>, Vec<u32>) {
        let (sources, _, sinks) = self.shape(target);
        (sources.vertices().collect(), sinks.vertices().collect())
    }

    fn step(&self, target: Target) -> Step {
        match target {
            Target::Vertex(j) => Step::Vertex(j),
            Target::Front(i, j) => Step::Front(i, j),
            Target::Back(j, k) => Step::Back(j, k),
            Target::Face(i, j) => Step::Face(i, j, j),
        }
    }

    fn siblings(&self, ends: &(Vec<u32>, Vec<u32>), each: &mut dyn FnMut(Target, usize)) {
        let (sources, sinks) = ends;
        let mut behind: Vec<u32> =
            sources.iter().flat_map(|&i| self.successors(i)).map(|(j, _)| j).collect();
        behind.sort_unstable();
        let known = |j: &u32| behind.binary_search(j).is_ok();
        let mut before: Vec<u32> =
            sinks.iter().flat_map(|&k| &self.pred[k as usize]).copied().filter(known).collect();
        before.sort_unstable();
        let mut rest = &behind[..];
        for middles in before.chunk_by(|a, b| a == b) {
            let j = middles[0];
            rest = &rest[rest.partition_point(|&v| v < j)..];
            let (p, s) = (rest.partition_point(|&v| v == j), middles.len());
            if self.technique == Technique::Vertex {
                each(Target::Vertex(j), p * s);
                continue;
            }
            if !self.keeps_entries(j) {
                let shared = shared(&self.pred[j as usize], sources);
                shared.for_each(|i| each(Target::Front(i, j), s));
            }
            let shared = shared(&self.succ[j as usize], sinks);
            shared.for_each(|k| each(Target::Back(j, k), p));
        }
    }

    fn affected(&self, changes: &Changes, measures: &[Measure]) -> Affected {
        let mut affected = Affected::default();
        let Affected { targets, middles } = &mut affected;
        let near = |measure: &Measure| match measure {
            Measure::FillIn | Measure::Growth | Measure::Absorption => true,
            Measure::Position
            | Measure::Markowitz
            | Measure::RelativeMarkowitz
            | Measure::Multiplications
            | Measure::Distance
            | Measure::MarkowitzReduction
            | Measure::PathReduction => false,
        };
        let near = measures.iter().any(near).then(|| Changed::new(changes));
        for &(a, b) in changes.edges.iter().chain(&changes.kinds) {
            middles.extend([a, b]);
            targets.extend(self.at_edge(a, b));
            if let Some(changed) = &near {
                self.around((a, b), changed, targets);
            }
        }
        if measures.contains(&Measure::PathReduction) {
            for &(a, b) in changes.edges.iter().chain(&changes.values) {
                targets.extend(self.at_edge(a, b));
                self.beside(a, b, targets);
            }
        }
        if measures.contains(&Measure::MarkowitzReduction) {
            self.far(changes, targets);
        }
        targets.sort_unstable();
        targets.dedup();
        affected
    }

    fn remaining(&self) -> Vec<Entry> {
        let edges = self.succ.iter().zip(0..).flat_map(|(arcs, source)| {
            arcs.iter().map(move |arc| Entry { source, target: arc.target, value: arc.value })
        });
        edges.collect()
    }

    fn accumulation(mut self) -> Accumulation {
        let entries = self.remaining();
        self.accumulation.finish(entries);
        self.accumulation
    }
}
