//! Complete eliminations by heuristics: one target after the other, each chosen by a chain.
//!
//! The targets stand in an ordered set under what the filters of the chain measure. An elimination
//! changes little, and only what it changed is measured again, so a step costs what it touches and the
//! logarithm of the number of targets. The sibling degree, which depends on the last target, is looked up
//! around that one.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use smallvec::SmallVec;

use crate::accumulation::Accumulation;
use crate::dual::Dual;
use crate::graph::Graph;
use crate::heuristics::{Chain, Kind};
use crate::primal::Primal;
use crate::state::{Changes, Measure, State};
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
        Technique::Vertex | Technique::Edge => run(graph, Primal::new(graph, technique), chain),
        Technique::Face => run(graph, Dual::new(graph), chain),
    }
}

fn run<S: State>(graph: &Graph, state: S, chain: &Chain) -> Elimination {
    let mut greedy = Greedy::new(graph, state, chain);
    let mut steps = Vec::new();
    while let Some(target) = greedy.choose() {
        steps.push(greedy.state.step(target));
        greedy.eliminate(target);
    }
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
    /// What the filters measure, the smaller the better; without the sibling degree.
    measures: Vec<(Measure, f64)>,
    /// How many measures stand before the sibling degree, if that is asked for.
    siblings: Option<usize>,
    wide: bool,
    targets: BTreeSet<(Keys, Target)>,
    /// The same by their middle vertex.
    at: Vec<Vec<(Keys, Target)>>,
    last: Option<(Vec<u32>, Vec<u32>)>,
    changes: Changes,
}

impl<S: State> Greedy<S> {
    fn new(graph: &Graph, state: S, chain: &Chain) -> Self {
        let mut measures = Vec::new();
        let mut siblings = None;
        for filter in chain.filters() {
            match filter.kind {
                Kind::Smallest(measure) => measures.push((measure, 1.0)),
                Kind::Largest(measure) => measures.push((measure, -1.0)),
                Kind::Siblings => siblings = Some(measures.len()),
            }
        }
        let wide = measures.iter().any(|(measure, _)| looks_at_neighbours(*measure));
        let mut greedy = Greedy {
            state,
            measures,
            siblings,
            wide,
            targets: BTreeSet::new(),
            at: vec![Vec::new(); graph.len()],
            last: None,
            changes: Changes::default(),
        };
        for middle in 0..graph.len() as u32 {
            greedy.measure(middle);
        }
        greedy
    }

    /// Measures all targets at a vertex.
    fn measure(&mut self, middle: u32) {
        let mut targets = Vec::new();
        self.state.targets_at(middle, &mut targets);
        let measured = |target: Target| -> (Keys, Target) {
            let key = |&(measure, sign): &(Measure, f64)| {
                // Zero has one sign only.
                Key(sign * self.state.measure(target, measure) + 0.0)
            };
            (self.measures.iter().map(key).collect(), target)
        };
        let new: Vec<(Keys, Target)> = targets.into_iter().map(measured).collect();
        let old = std::mem::take(&mut self.at[middle as usize]);
        if old != new {
            for entry in &old {
                self.targets.remove(entry);
            }
            self.targets.extend(new.iter().cloned());
        }
        self.at[middle as usize] = new;
    }

    fn choose(&self) -> Option<Target> {
        let (best, target) = self.targets.first()?;
        let Some((sources, sinks)) = &self.last else { return Some(*target) };
        let Some(before) = self.siblings else { return Some(*target) };
        let mut chosen: Option<(usize, &(Keys, Target))> = None;
        for middle in self.state.middles_between(sources, sinks) {
            for entry in &self.at[middle as usize] {
                if entry.0[..before] != best[..before] {
                    continue;
                }
                let (p, s) = self.state.ends(entry.1);
                let degree = common(&s, sinks) * common(&p, sources);
                let better = match chosen {
                    None => degree > 0,
                    Some((most, other)) => degree > most || (degree == most && entry < other),
                };
                if better {
                    chosen = Some((degree, entry));
                }
            }
        }
        Some(chosen.map_or(*target, |(_, entry)| entry.1))
    }

    fn eliminate(&mut self, target: Target) {
        if self.siblings.is_some() {
            self.last = Some(self.state.ends(target));
        }
        let mut changes = std::mem::take(&mut self.changes);
        changes.clear();
        self.state.eliminate(target, &mut changes);
        for middle in self.state.affected(&changes, self.wide) {
            self.measure(middle);
        }
        self.changes = changes;
    }
}

fn looks_at_neighbours(measure: Measure) -> bool {
    match measure {
        Measure::Position | Measure::Markowitz | Measure::RelativeMarkowitz | Measure::Distance => {
            false
        }
        Measure::Multiplications
        | Measure::FillIn
        | Measure::Growth
        | Measure::Absorption
        | Measure::MarkowitzReduction
        | Measure::PathReduction => true,
    }
}

/// How many members two sorted lists share.
fn common(a: &[u32], b: &[u32]) -> usize {
    let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    few.iter().filter(|v| many.binary_search(v).is_ok()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristics::HEURISTICS;
    use crate::testing::random_graph;

    /// What is measured again after a step is all that changed: a chain chooses the same targets as
    /// one that measures everything anew.
    #[test]
    fn no_measure_is_out_of_date() {
        fn check<S: State>(graph: &Graph, state: S, chain: &Chain) {
            let mut greedy = Greedy::new(graph, state, chain);
            while let Some(target) = greedy.choose() {
                greedy.eliminate(target);
                let kept = greedy.targets.clone();
                for middle in 0..graph.len() as u32 {
                    greedy.measure(middle);
                }
                assert_eq!(kept, greedy.targets, "{chain} after {target:?}");
            }
        }
        for seed in 0..12 {
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
