//! Searches for cheap elimination sequences, beyond what heuristics find.

pub(crate) mod anneal;
pub(crate) mod bound;
pub(crate) mod dense;
pub(crate) mod exact;
pub(crate) mod faces;

use std::collections::HashSet;

use fastrand::Rng;

use crate::graph::{Graph, Role};
use crate::greedy::Elimination;
use crate::replay::replay;
use crate::search::anneal::{Effort, anneal};
use crate::search::dense::Frame;
use crate::search::faces::Faces;
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

/// Simulated annealing over the orders of vertices, from the order `begin` on; `None` for a graph that
/// is too large.
pub fn search_vertices(graph: &Graph, begin: &[Step], effort: Effort) -> Option<Elimination> {
    search_dense(graph, begin, effort, Technique::Vertex)
}

/// Simulated annealing over sequences of vertices and edges, from the sequence `begin` on.
pub fn search_edges(graph: &Graph, begin: &[Step], effort: Effort) -> Option<Elimination> {
    search_dense(graph, begin, effort, Technique::Edge)
}

fn search_dense(
    graph: &Graph,
    begin: &[Step],
    effort: Effort,
    technique: Technique,
) -> Option<Elimination> {
    let frame = Frame::new(graph)?;
    let begin = with_every_vertex(graph, begin);
    let steps = begin.iter().filter_map(|&step| frame.inner(step)).collect();
    let (steps, _) = anneal(frame.dense(graph), steps, effort, technique == Technique::Edge);
    let steps: Vec<Step> = steps.into_iter().filter_map(|step| frame.outer(step)).collect();
    Some(replay(graph, technique, &steps))
}

/// Simulated annealing over sequences of vertices, edges and faces, from the sequence `begin` on.
pub fn search_faces(graph: &Graph, begin: &[Step], effort: Effort) -> Option<Elimination> {
    let begin = with_every_vertex(graph, begin);
    let (steps, _) = anneal(Faces::new(graph)?, begin, effort, true);
    Some(replay(graph, Technique::Face, &steps))
}

/// A search may take steps away, so what they left nothing of must be named all the same: else it would
/// count an elimination as cheap that is not complete.
fn with_every_vertex(graph: &Graph, steps: &[Step]) -> Vec<Step> {
    let sources: HashSet<u32> = graph.edges().map(|(source, ..)| source).collect();
    let between = |&&v: &&u32| graph.role(v) != Role::Input && sources.contains(&v);
    let missing = graph.order().iter().filter(between).map(|&v| Step::Vertex(v));
    let missing = missing.filter(|step| !steps.contains(step));
    steps.iter().copied().chain(missing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{random_graph, random_plain_graph};

    /// A random sequence that names every vertex and some edges and faces.
    fn sequence(graph: &Graph, seed: u64, faces: bool) -> Vec<Step> {
        let mut rng = Rng::with_seed(seed);
        let mut steps = with_every_vertex(graph, &[]);
        rng.shuffle(&mut steps);
        for _ in 0..steps.len() {
            let n = graph.len() as u32;
            let mut any = || rng.u32(0..n);
            let (i, j, k) = (any(), any(), any());
            let part = match rng.u32(0..3) {
                0 => Step::Front(i, j),
                1 => Step::Back(j, k),
                _ if faces => Step::Face(i, j, k),
                _ => continue,
            };
            steps.insert(rng.usize(0..steps.len()), part);
        }
        steps
    }

    /// A search counts what the arithmetic will take, and a state is known by its fingerprint.
    #[test]
    fn searches_count_what_replay_takes() {
        for seed in 0..60 {
            let graph = random_plain_graph(seed, 4, 14, 3);
            let count = |technique, steps: &[Step]| {
                replay(&graph, technique, steps).accumulation.cost().multiplications as u32
            };
            let frame = Frame::new(&graph).expect("small");
            let steps = sequence(&graph, seed, false);
            let mut dense = frame.dense(&graph);
            let inner = steps.iter().filter_map(|&step| frame.inner(step));
            let sum: u32 = inner.map(|step| dense.apply(step)).sum();
            assert_eq!(sum, count(Technique::Edge, &steps), "seed {seed}");
            let steps = sequence(&graph, seed, true);
            let mut faces = Faces::new(&graph).expect("small");
            let sum: u32 = steps.iter().map(|&step| faces.apply(step)).sum();
            assert_eq!(sum, count(Technique::Face, &steps), "seed {seed}");
        }
    }

    #[test]
    fn the_same_graph_has_the_same_fingerprint_whatever_led_to_it() {
        for seed in 0..60 {
            let graph = random_graph(seed, 4, 14, 3);
            let frame = Frame::new(&graph).expect("small");
            let all = with_every_vertex(&graph, &[]);
            let (some, _) = all.split_at(all.len() / 2);
            let backwards: Vec<Step> = some.iter().rev().copied().collect();
            let dense = |steps: &[Step]| {
                let mut state = frame.dense(&graph);
                for step in steps.iter().filter_map(|&step| frame.inner(step)) {
                    state.apply(step);
                }
                state.fingerprint()
            };
            assert_eq!(dense(some), dense(&backwards), "seed {seed}");
            let graph = random_plain_graph(seed, 4, 14, 3);
            let faces = |steps: &[Step]| {
                let mut state = Faces::new(&graph).expect("small");
                steps.iter().for_each(|&step| {
                    state.apply(step);
                });
                state.fingerprint()
            };
            assert_eq!(faces(some), faces(&backwards), "seed {seed}");
            assert_ne!(faces(some), faces(&[]), "seed {seed}");
        }
    }
}
