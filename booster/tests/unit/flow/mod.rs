//! Views on control flow, the data-flow solver and the call graph.

mod call_graph;
mod graph;
pub(crate) mod graphs;
mod solver;
