//! A sequence of eliminations, step by step: what each took away, what it made, and by which
//! operations. For those who draw it.

use std::ops::Range;

use crate::accumulation::{Accumulation, Entry, NodeId};
use crate::graph::Graph;
use crate::listing::Statement;
use crate::replay::Player;
use crate::target::{Step, Technique};

/// A complete elimination with all graphs on the way.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The edges at the beginning: those that paths from inputs to outputs use.
    pub begin: Vec<Entry>,
    /// The steps.
    pub stages: Vec<Stage>,
    /// The arithmetic of all of them; its entries are what is left.
    pub accumulation: Accumulation,
}

/// A step of a trace.
#[derive(Clone, Debug)]
pub struct Stage {
    /// What was eliminated.
    pub step: Step,
    /// The edges before and behind it. After face elimination there may be several between the same vertices.
    pub edges: Vec<(Entry, Fate)>,
    /// The numbers of the operations that it made.
    operations: Range<usize>,
}

/// What a step does to an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fate {
    /// Nothing.
    Stays,
    /// It is fill-in.
    New,
    /// It has absorbed a product; the entry has the value that it carries behind the step.
    Absorbs,
    /// It is taken away.
    Gone,
}

impl Stage {
    /// Whether a statement is part of the arithmetic of this step.
    pub fn makes(&self, statement: &Statement) -> bool {
        let NodeId(id) = statement.node;
        self.operations.contains(&(id as usize))
    }
}

/// Eliminates by `steps` as [`crate::replay`] does, and keeps what lies between them.
pub fn trace(graph: &Graph, technique: Technique, steps: &[Step]) -> Trace {
    let mut player = Player::new(graph, technique);
    let begin = player.remaining();
    let mut before = begin.clone();
    let mut stages = Vec::new();
    let rest = graph.order().iter().map(|&v| Step::Vertex(v));
    for step in steps.iter().copied().chain(rest) {
        let made = player.operations();
        if player.play(step) {
            let behind = player.remaining();
            let edges = compare(&before, &behind);
            stages.push(Stage { step, edges, operations: made..player.operations() });
            before = behind;
        }
    }
    Trace { begin, stages, accumulation: player.accumulation() }
}

/// The edges before and behind a step, in the order of their ends.
fn compare(before: &[Entry], behind: &[Entry]) -> Vec<(Entry, Fate)> {
    let key = |e: &Entry| (e.source, e.target, e.value);
    let (mut old, mut new) = (before.to_vec(), behind.to_vec());
    old.sort_by_key(key);
    new.sort_by_key(key);
    let mut edges: Vec<(Entry, Fate)> = Vec::new();
    // What has both its ends and its value stays; of the others, pairs with the same ends absorb.
    new.retain(|edge| match old.binary_search_by_key(&key(edge), key) {
        Ok(at) => {
            edges.push((old.remove(at), Fate::Stays));
            false
        }
        Err(_) => true,
    });
    for edge in new {
        let same = old.iter().position(|o| (o.source, o.target) == (edge.source, edge.target));
        let fate = same.map_or(Fate::New, |at| {
            old.remove(at);
            Fate::Absorbs
        });
        edges.push((edge, fate));
    }
    edges.extend(old.into_iter().map(|edge| (edge, Fate::Gone)));
    edges.sort_by_key(|(edge, fate)| (key(edge), *fate));
    edges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;
    use crate::testing::random_graph;
    use crate::{TECHNIQUES, eliminate};

    /// The graphs fit together, and the arithmetic is that of the replay.
    #[test]
    fn each_step_begins_where_the_one_before_ended() {
        for seed in 0..30 {
            let graph = random_graph(seed, 4, 14, 3);
            for technique in TECHNIQUES {
                let chain = "hs,lm,reverse".parse().expect("a chain");
                let steps = eliminate(&graph, technique, &chain).steps;
                let trace = trace(&graph, technique, &steps);
                let mut now = trace.begin.clone();
                let sorted = |mut edges: Vec<Entry>| {
                    edges.sort_by_key(|e| (e.source, e.target, e.value));
                    edges
                };
                for stage in &trace.stages {
                    let ends = |e: &Entry| (e.source, e.target);
                    let mut old: Vec<_> = now.iter().map(ends).collect();
                    old.sort_unstable();
                    let there = stage.edges.iter().filter(|(_, fate)| *fate != Fate::New);
                    let mut kept: Vec<_> = there.map(|(e, _)| ends(e)).collect();
                    kept.sort_unstable();
                    assert_eq!(old, kept, "seed {seed}");
                    let left = stage.edges.iter().filter(|(_, fate)| *fate != Fate::Gone);
                    now = sorted(left.map(|(e, _)| *e).collect());
                }
                assert_eq!(now, sorted(trace.accumulation.entries().to_vec()), "seed {seed}");
                let replayed = replay(&graph, technique, &steps);
                assert_eq!(replayed.accumulation.nodes(), trace.accumulation.nodes());
                assert_eq!(replayed.steps.len(), trace.stages.len());
            }
        }
    }
}
