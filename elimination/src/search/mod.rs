//! Searches for cheap elimination sequences, beyond what heuristics find.

pub(crate) mod anneal;
pub(crate) mod bound;
pub(crate) mod dense;
pub(crate) mod exact;

use fastrand::Rng;

use crate::graph::Graph;
use crate::greedy::{Elimination, eliminate};
use crate::heuristics::Chain;
use crate::replay::replay;
use crate::search::anneal::{Effort, anneal};
use crate::search::dense::Frame;
use crate::target::{Step, Technique};

/// A state of elimination in which steps can be executed and counted.
pub(crate) trait Replay: Clone {
    /// Eliminates what is there of what `step` names; returns the multiplications.
    fn apply(&mut self, step: Step) -> u32;

    /// The same for the same graph, and different for different ones but by a rare accident.
    fn fingerprint(&self) -> u64;

    /// A random step that eliminates a part of a vertex.
    fn part(&self, middle: u32, rng: &mut Rng) -> Option<Step>;
}

/// Simulated annealing over the orders of vertices, from the order of `chain` on; `None` for a graph
/// that is too large.
pub fn search_vertices(graph: &Graph, chain: &Chain, effort: Effort) -> Option<Elimination> {
    let frame = Frame::new(graph)?;
    let begin = eliminate(graph, Technique::Vertex, chain);
    let steps = begin.steps.iter().filter_map(|&step| frame.inner(step)).collect();
    let (steps, _) = anneal(frame.dense(graph), steps, effort, false);
    let steps: Vec<Step> = steps.into_iter().filter_map(|step| frame.outer(step)).collect();
    Some(replay(graph, Technique::Vertex, &steps))
}

/// Simulated annealing over sequences of vertices and edges, from the sequence `begin` on.
pub fn search_edges(graph: &Graph, begin: &[Step], effort: Effort) -> Option<Elimination> {
    let frame = Frame::new(graph)?;
    let steps = begin.iter().filter_map(|&step| frame.inner(step)).collect();
    let (steps, _) = anneal(frame.dense(graph), steps, effort, true);
    let steps: Vec<Step> = steps.into_iter().filter_map(|step| frame.outer(step)).collect();
    Some(replay(graph, Technique::Edge, &steps))
}
