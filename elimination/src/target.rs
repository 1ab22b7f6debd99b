//! What is eliminated: techniques and their targets.

use std::fmt;

use crate::graph::Graph;

/// An elimination technique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Technique {
    /// A vertex at a time: all products of an edge to it with an edge from it.
    Vertex,
    /// An edge at a time, at its front or its back.
    Edge,
    /// A face at a time: one product.
    Face,
}

/// Every technique.
pub const TECHNIQUES: [Technique; 3] = [Technique::Vertex, Technique::Edge, Technique::Face];

impl Technique {
    /// As the command line says it.
    pub fn name(self) -> &'static str {
        match self {
            Technique::Vertex => "vertex",
            Technique::Edge => "edge",
            Technique::Face => "face",
        }
    }
}

/// Something to eliminate. Its order is the last tie-breaker of all heuristics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// A vertex: the edges from it; those to it, too, unless it is an output.
    Vertex(u32),
    /// The edge (i, j) at its front: i is joined with the successors of j.
    Front(u32, u32),
    /// The edge (j, k) at its back: the predecessors of j are joined with k.
    Back(u32, u32),
    /// A face: an edge of the dual graph, from an element with the first number to one with the
    /// second, which stand for edges or what became of them.
    Face(u32, u32),
}

/// An elimination as a person reads it: the vertices, in the order of the edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// A vertex.
    Vertex(u32),
    /// The edge (i, j) at its front.
    Front(u32, u32),
    /// The edge (j, k) at its back.
    Back(u32, u32),
    /// The face between an edge (i, j) and an edge (j, k).
    Face(u32, u32, u32),
    /// The edge (i, k) is rerouted over a vertex: see `scarcity`.
    Reroute(u32, u32, u32),
}

impl Step {
    /// The step with the names of its vertices: `(3, t)_f` is what paper 2 writes.
    pub fn show(self, graph: &Graph) -> impl fmt::Display {
        let name = |v| graph.name(v);
        match self {
            Step::Vertex(v) => name(v).to_owned(),
            Step::Front(i, j) => format!("({}, {})_f", name(i), name(j)),
            Step::Back(j, k) => format!("({}, {})_b", name(j), name(k)),
            Step::Face(i, j, k) => format!("({}, {}, {})", name(i), name(j), name(k)),
            Step::Reroute(i, k, j) => format!("({}, {}) over {}", name(i), name(k), name(j)),
        }
    }
}
