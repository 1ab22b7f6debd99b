//! What a state of elimination tells those who choose the next target.

use crate::accumulation::{Accumulation, Entry};
use crate::target::{Step, Target};

/// What a heuristic may ask of a target. Each is a number that is known without executing the
/// elimination; docs/elimination.md tells the heuristics made of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The place of a vertex in the topological order; of an edge, of its source, then its target;
    /// of a face, of its three vertices.
    Position,
    /// The number of products (edge elimination: |S| at the front, |P| at the back); of a face, the
    /// number of faces at its middle vertex.
    Markowitz,
    /// The Markowitz degree without what no order avoids: the inputs that lead to the middle
    /// vertex times the outputs that it leads to (an edge: only one of the two).
    RelativeMarkowitz,
    /// The number of products that are not free: neither by 1 or -1 nor of two constants.
    Multiplications,
    /// The number of new edges.
    FillIn,
    /// How many edges more carry a variable afterwards; of a face, as for `FillIn`.
    Growth,
    /// The number of products that are added to an edge that exists.
    Absorption,
    /// The longest distance in the topological order that a product bridges.
    Distance,
    /// By how much the sum of all Markowitz degrees gets smaller.
    MarkowitzReduction,
    /// By how much the sum of the lengths of all paths from inputs to outputs gets smaller.
    PathReduction,
}

/// A graph under elimination, with the arithmetic that was done on it.
pub trait State {
    /// The targets whose middle vertex is `middle`, in the order of [`Target`].
    fn targets_at(&self, middle: u32, targets: &mut Vec<Target>);

    /// What `measure` says about a target.
    fn measure(&self, target: Target, measure: Measure) -> f64;

    /// Eliminates a target, which must be one now; tells in `changes` what is no longer as it was.
    fn eliminate(&mut self, target: Target, changes: &mut Changes);

    /// The sources and targets of the products of a target: P and S of paper 2, in ascending order.
    fn ends(&self, target: Target) -> (Vec<u32>, Vec<u32>);

    /// The target as it is now, in terms of the vertices.
    fn step(&self, target: Target) -> Step;

    /// The middle vertices whose targets may join one of `sources` with one of `sinks`.
    fn middles_between(&self, sources: &[u32], sinks: &[u32]) -> Vec<u32>;

    /// The middle vertices of the targets for which a measure other than the position may have
    /// changed. `wide` asks also for those measures that look at neighbours (all but the position,
    /// the Markowitz degrees and the distance).
    fn affected(&self, changes: &Changes, wide: bool) -> Vec<u32>;

    /// The edges that are left.
    fn remaining(&self) -> Vec<Entry>;

    /// The arithmetic so far.
    fn accumulation(self) -> Accumulation;
}

/// What an elimination changed.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Vertices at which an edge or face came or went.
    pub vertices: Vec<u32>,
    /// Edges that came or went.
    pub edges: Vec<(u32, u32)>,
}

impl Changes {
    /// Nothing changed.
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.edges.clear();
    }
}

/// The numbers that do not change while edges are eliminated.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    /// How many paths lead from inputs to a vertex. Absorption adds paths up and fill-in makes them
    /// shorter, so the number is that of the original graph throughout.
    pub(crate) to: Vec<f64>,
    /// How many paths lead from a vertex to outputs.
    pub(crate) from: Vec<f64>,
    /// How many inputs lead to a vertex.
    pub(crate) inputs: Vec<u32>,
    /// To how many outputs a vertex leads.
    pub(crate) outputs: Vec<u32>,
}

impl Paths {
    /// The numbers of a graph, as far as they are asked for: `reach` for inputs and outputs,
    /// which takes memory for each pair of a vertex and an input or output.
    pub(crate) fn new(graph: &crate::Graph, edges: &[Entry], reach: bool) -> Paths {
        use crate::Role;
        let n = graph.len();
        let mut succ: Vec<Vec<u32>> = vec![Vec::new(); n];
        let mut pred: Vec<Vec<u32>> = vec![Vec::new(); n];
        for edge in edges {
            succ[edge.source as usize].push(edge.target);
            pred[edge.target as usize].push(edge.source);
        }
        let forward: Vec<u32> = graph.order().to_vec();
        let backward: Vec<u32> = forward.iter().rev().copied().collect();
        let is = |role: Role| move |v: u32| graph.role(v) == role;
        let count = |order: &[u32], from: &[Vec<u32>], own: &dyn Fn(u32) -> bool| {
            let mut counts = vec![0.0; n];
            for &v in order {
                let own = if own(v) { 1.0 } else { 0.0 };
                let sum: f64 = from[v as usize].iter().map(|&w| counts[w as usize]).sum();
                // Beyond that the numbers say no more than "many".
                counts[v as usize] = (own + sum).min(1e100);
            }
            counts
        };
        let reached = |order: &[u32], from: &[Vec<u32>], own: &dyn Fn(u32) -> bool| {
            if reach { reach_counts(order, from, own) } else { vec![0; n] }
        };
        Paths {
            to: count(&forward, &pred, &is(Role::Input)),
            from: count(&backward, &succ, &is(Role::Output)),
            inputs: reached(&forward, &pred, &is(Role::Input)),
            outputs: reached(&backward, &succ, &is(Role::Output)),
        }
    }
}

/// How many of the vertices that are `own` reach each vertex, by sets of 64 of them at a time.
fn reach_counts(order: &[u32], from: &[Vec<u32>], own: &dyn Fn(u32) -> bool) -> Vec<u32> {
    let own: Vec<u32> = order.iter().copied().filter(|&v| own(v)).collect();
    let mut counts = vec![0; order.len()];
    for batch in own.chunks(64) {
        let mut bits = vec![0_u64; order.len()];
        for (bit, &v) in batch.iter().enumerate() {
            bits[v as usize] |= 1 << bit;
        }
        for &v in order {
            let all = from[v as usize].iter().fold(bits[v as usize], |a, &w| a | bits[w as usize]);
            bits[v as usize] = all;
            counts[v as usize] += all.count_ones();
        }
    }
    counts
}
