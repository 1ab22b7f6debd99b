//! Complete eliminations by heuristics: one target after the other, each chosen by a chain.
//!
//! Targets stand in groups, those of one kind at a vertex, which share a part of what is measured: an
//! ordered set for each group, under what its targets measure for themselves, and one of all groups
//! under the full measures of their first targets. An elimination changes little, and only what it
//! changed is measured again; what it changed for a whole group is one entry. The sibling degree, which
//! depends on the last target, is looked up around that one.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use smallvec::SmallVec;

use crate::accumulation::Accumulation;
use crate::dual::Dual;
use crate::graph::Graph;
use crate::hash::Table;
use crate::heuristics::{Chain, Kind};
use crate::primal::Primal;
use crate::state::{Affected, Changes, Group, Measure, State};
use crate::target::{Step, Target, Technique};

/// A complete elimination.
#[derive(Clone, Debug)]
pub struct Elimination {
    /// What was eliminated, in this order.
    pub steps: Vec<Step>,
    /// The arithmetic, and the entries it leads to.
    pub accumulation: Accumulation,
}

/// Eliminates everything by `technique`, in the order that `chain` chooses.
pub fn eliminate(graph: &Graph, technique: Technique, chain: &Chain) -> Elimination {
    match technique {
        Technique::Vertex | Technique::Edge => {
            run(graph, technique, Primal::new(graph, technique), chain)
        }
        Technique::Face => run(graph, technique, Dual::new(graph), chain),
    }
}

fn run<S: State>(graph: &Graph, technique: Technique, state: S, chain: &Chain) -> Elimination {
    let mut greedy = Greedy::new(graph, state, chain);
    let mut steps = Vec::new();
    while let Some(target) = greedy.choose() {
        steps.push(greedy.state.step(target));
        greedy.eliminate(target);
    }
    let mut left = Vec::new();
    (0..graph.len() as u32).for_each(|middle| greedy.state.targets_at(middle, &mut left));
    // Edges that are left would be missing in the Jacobian: a fault of the sets must not pass in silence.
    assert!(left.is_empty(), "{technique:?} elimination by {chain} leaves {left:?}");
    Elimination { steps, accumulation: greedy.state.accumulation() }
}

/// A measure that has an order.
#[derive(Clone, Copy, Debug)]
struct Key(f64);

impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Key {}

type Keys = SmallVec<[Key; 3]>;

struct Greedy<S> {
    state: S,
    /// What the filters measure, without the sibling degree; -1 where they keep the largest.
    measures: Vec<Measure>,
    signs: Vec<f64>,
    /// How many measures stand before the sibling degree, if that is asked for.
    siblings: Option<usize>,
    groups: Vec<Members>,
    /// Where each target stands: its group, and its place in that.
    places: Table<Target, (Group, Keys)>,
    /// The first target of each group under its full measures, the smaller the better.
    best: BTreeSet<(Keys, Target)>,
    last: Option<(Vec<u32>, Vec<u32>)>,
    changes: Changes,
}

/// The targets of a group.
#[derive(Default)]
struct Members {
    /// By their own parts of the measures.
    targets: BTreeSet<(Keys, Target)>,
    common: Keys,
    /// What stands in the set of the best.
    best: Option<(Keys, Target)>,
}

impl<S: State> Greedy<S> {
    fn new(graph: &Graph, mut state: S, chain: &Chain) -> Self {
        let (mut measures, mut signs, mut siblings) = (Vec::new(), Vec::new(), None);
        for filter in chain.filters() {
            match filter.kind {
                Kind::Smallest(measure) => {
                    measures.push(measure);
                    signs.push(1.0);
                }
                Kind::Largest(measure) => {
                    measures.push(measure);
                    signs.push(-1.0);
                }
                Kind::Siblings => {
                    siblings = Some(measures.len());
                    state.expect_siblings();
                }
            }
        }
        let groups = graph.len() * Group::KINDS as usize;
        let mut greedy = Greedy {
            state,
            measures,
            signs,
            siblings,
            groups: (0..groups).map(|_| Members::default()).collect(),
            places: Table::default(),
            best: BTreeSet::new(),
            last: None,
            changes: Changes::default(),
        };
        let mut affected = Affected::default();
        for middle in 0..graph.len() as u32 {
            greedy.state.targets_at(middle, &mut affected.targets);
            affected.middles.push(middle);
        }
        greedy.measure(affected);
        greedy
    }

    /// The parts of the measures that `part` says, the smaller the better.
    fn keys(&self, part: impl Fn(Measure) -> f64) -> Keys {
        let measures = self.measures.iter().zip(&self.signs);
        // Zero has one sign only.
        measures.map(|(&measure, sign)| Key(sign * part(measure) + 0.0)).collect()
    }

    /// The full measures of a target.
    fn full(&self, group: Group, own: &Keys) -> Keys {
        let common = &self.groups[group.index()].common;
        common.iter().zip(own).map(|(a, b)| Key(a.0 + b.0 + 0.0)).collect()
    }

    fn measure(&mut self, affected: Affected) {
        let Affected { targets, mut middles } = affected;
        for target in targets {
            let group = self.state.group(target);
            middles.push(group.middle);
            let new = self.state.is_target(target).then(|| {
                let keys = self.keys(|measure| self.state.own(target, measure));
                (group, keys)
            });
            let old = match &new {
                Some(place) => self.places.insert(target, place.clone()),
                None => self.places.remove(&target),
            };
            if old != new {
                if let Some((group, keys)) = old {
                    self.groups[group.index()].targets.remove(&(keys, target));
                }
                if let Some((group, keys)) = new {
                    self.groups[group.index()].targets.insert((keys, target));
                }
            }
        }
        middles.sort_unstable();
        middles.dedup();
        let kinds = |middle| (0..Group::KINDS).map(move |kind| Group { middle, kind });
        for middle in middles {
            // A target that goes from one group to another may measure the same in both: what is out of date
            // goes before anything comes.
            let news =
                kinds(middle).map(|group| self.withdraw(group)).collect::<SmallVec<[_; 6]>>();
            for (group, new) in kinds(middle).zip(news) {
                self.best.extend(new.clone());
                self.groups[group.index()].best = new;
            }
        }
    }

    /// What should stand for a group in the set of the best; if something else does, that is taken out.
    fn withdraw(&mut self, group: Group) -> Option<(Keys, Target)> {
        let at = group.index();
        let first = self.groups[at].targets.first().cloned();
        if first.is_some() {
            self.groups[at].common = self.keys(|measure| self.state.common(group, measure));
        }
        let new = first.map(|(own, target)| (self.full(group, &own), target));
        let old = self.groups[at].best.take();
        if old != new {
            old.map(|old| self.best.remove(&old));
        }
        new
    }

    fn choose(&self) -> Option<Target> {
        let (best, target) = self.best.first()?;
        let Some(ends) = &self.last else { return Some(*target) };
        let Some(before) = self.siblings else { return Some(*target) };
        let mut chosen: Option<(usize, (Keys, Target))> = None;
        self.state.siblings(ends, &mut |target, degree| {
            if chosen.as_ref().is_some_and(|(most, _)| degree < *most) {
                return;
            }
            let Some((group, own)) = self.places.get(&target) else { return };
            let keys = self.full(*group, own);
            if keys[..before] != best[..before] {
                return;
            }
            let entry = (keys, target);
            if chosen.as_ref().is_none_or(|(most, other)| degree > *most || entry < *other) {
                chosen = Some((degree, entry));
            }
        });
        Some(chosen.map_or(*target, |(_, entry)| entry.1))
    }

    fn eliminate(&mut self, target: Target) {
        if self.siblings.is_some() {
            self.last = Some(self.state.ends(target));
        }
        let mut changes = std::mem::take(&mut self.changes);
        changes.clear();
        self.state.eliminate(target, &mut changes);
        let affected = self.state.affected(&changes, &self.measures);
        self.measure(affected);
        self.changes = changes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristics::HEURISTICS;
    use crate::testing::random_graph;

    /// What is measured again after a step is all that changed: a chain has the same before it as one
    /// that measures everything anew, and the same siblings as trying all targets.
    #[test]
    fn no_measure_is_out_of_date() {
        fn common(a: &[u32], b: &[u32]) -> usize {
            a.iter().filter(|v| b.contains(v)).count()
        }
        fn check<S: State + Clone>(graph: &Graph, state: S, chain: &Chain) {
            let mut greedy = Greedy::new(graph, state, chain);
            greedy.state.expect_siblings();
            while let Some(target) = greedy.choose() {
                let ends = greedy.state.ends(target);
                greedy.eliminate(target);
                let anew = Greedy::new(graph, greedy.state.clone(), chain);
                assert_eq!(greedy.best, anew.best, "{chain} after {target:?}");
                assert_eq!(greedy.places, anew.places, "{chain} after {target:?}");
                let mut degrees: Vec<(Target, usize)> = Vec::new();
                greedy.state.siblings(&ends, &mut |t, degree| degrees.push((t, degree)));
                degrees.retain(|(t, _)| greedy.state.is_target(*t));
                degrees.sort_unstable();
                let degree = |&t: &Target| {
                    let (p, s) = greedy.state.ends(t);
                    (t, common(&p, &ends.0) * common(&s, &ends.1))
                };
                let mut all: Vec<_> = anew.places.keys().map(degree).collect();
                all.retain(|(_, degree)| *degree > 0);
                all.sort_unstable();
                assert_eq!(degrees, all, "{chain} after {target:?}");
            }
        }
        for seed in 0..120 {
            let graph = random_graph(seed, 4, 12, 3);
            for heuristic in HEURISTICS {
                let chain: Chain = heuristic.name.parse().expect("a heuristic");
                check(&graph, Primal::new(&graph, Technique::Vertex), &chain);
                check(&graph, Primal::new(&graph, Technique::Edge), &chain);
                check(&graph, Dual::new(&graph), &chain);
            }
        }
    }
}
