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

/// Targets that share a part of what they measure: those of one kind at a middle vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Group {
    /// The middle vertex.
    pub middle: u32,
    /// The kind, below [`Group::KINDS`]; what it means is the state's business.
    pub kind: u32,
}

impl Group {
    /// How many kinds there are at most.
    pub const KINDS: u32 = 6;

    /// Its place in a table of all groups.
    pub fn index(self) -> usize {
        (self.middle * Group::KINDS + self.kind) as usize
    }
}

/// A graph under elimination, with the arithmetic that was done on it.
///
/// A measure of a target is the sum of two parts, of which one is the same for its whole group. So an
/// elimination that changes something for all edges to a vertex changes a single number.
pub trait State {
    /// The targets whose middle vertex is `middle`.
    fn targets_at(&self, middle: u32, targets: &mut Vec<Target>);

    /// Whether a target can be eliminated now.
    fn is_target(&self, target: Target) -> bool;

    /// The group of a target.
    fn group(&self, target: Target) -> Group;

    /// The part of a measure that all targets of a group share.
    fn common(&self, group: Group, measure: Measure) -> f64;

    /// What `measure` says about a target beyond what its group shares.
    fn own(&self, target: Target, measure: Measure) -> f64;

    /// What `measure` says about a target.
    fn measure(&self, target: Target, measure: Measure) -> f64 {
        self.common(self.group(target), measure) + self.own(target, measure)
    }

    /// Eliminates a target, which must be one now; tells in `changes` what is no longer as it was.
    fn eliminate(&mut self, target: Target, changes: &mut Changes);

    /// The sources and targets of the products of a target: P and S of paper 2, in ascending order.
    fn ends(&self, target: Target) -> (Vec<u32>, Vec<u32>);

    /// The target as it is now, in terms of the vertices.
    fn step(&self, target: Target) -> Step;

    /// Makes ready for being asked for siblings.
    fn expect_siblings(&mut self) {}

    /// The targets with a positive sibling degree |S ∩ S'|·|P ∩ P'| to one with these ends, and that degree.
    fn siblings(&self, ends: &(Vec<u32>, Vec<u32>), each: &mut dyn FnMut(Target, usize));

    /// Where one of `measures` may be another after `changes`, and where targets came or went.
    fn affected(&self, changes: &Changes, measures: &[Measure]) -> Affected;

    /// The edges that are left.
    fn remaining(&self) -> Vec<Entry>;

    /// The arithmetic so far.
    fn accumulation(self) -> Accumulation;
}

/// What is to be measured again.
#[derive(Clone, Debug, Default)]
pub struct Affected {
    /// Targets that came, went, are in another group or may have another measure of their own.
    pub targets: Vec<Target>,
    /// Vertices whose groups may share something else.
    pub middles: Vec<u32>,
}

/// What an elimination changed.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Edges that came or went.
    pub edges: Vec<(u32, u32)>,
    /// Edges that carry another value.
    pub values: Vec<(u32, u32)>,
    /// Of those, the ones that are constant now and were not, or the other way, or 1 or -1.
    pub kinds: Vec<(u32, u32)>,
    /// Faces that came or went, by the numbers of their elements.
    pub faces: Vec<(u32, u32)>,
    /// Elements that carry another value.
    pub elements: Vec<u32>,
    /// Elements with the hashes of the neighbours that they had or have.
    pub neighbours: Vec<(u32, (u64, u64))>,
}

impl Changes {
    /// Nothing changed.
    pub fn clear(&mut self) {
        let Changes { edges, values, kinds, faces, elements, neighbours } = self;
        edges.clear();
        values.clear();
        kinds.clear();
        faces.clear();
        elements.clear();
        neighbours.clear();
    }
}

/// The edges that came or went, sorted by their sources, and by their targets with these first.
#[derive(Debug)]
pub(crate) struct Changed {
    by_source: Vec<(u32, u32)>,
    by_target: Vec<(u32, u32)>,
}

impl Changed {
    pub(crate) fn new(changes: &Changes) -> Changed {
        let mut by_source = changes.edges.clone();
        let mut by_target: Vec<(u32, u32)> = by_source.iter().map(|&(a, b)| (b, a)).collect();
        by_source.sort_unstable();
        by_target.sort_unstable();
        Changed { by_source, by_target }
    }

    /// Those with this source.
    pub(crate) fn from(&self, vertex: u32) -> &[(u32, u32)] {
        at(&self.by_source, vertex)
    }

    /// Those with this target.
    pub(crate) fn to(&self, vertex: u32) -> &[(u32, u32)] {
        at(&self.by_target, vertex)
    }
}

/// The pairs of a sorted list that begin with `vertex`.
fn at(sorted: &[(u32, u32)], vertex: u32) -> &[(u32, u32)] {
    let begin = sorted.partition_point(|pair| pair.0 < vertex);
    let end = sorted.partition_point(|pair| pair.0 <= vertex);
    &sorted[begin..end]
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
