//! Views on control flow: what every analysis needs and none should write again.
//!
//! - [`Ways`]: the edges of each vertex. [`Flow`]: a control flow graph with its orders and dominators, too.
//! - [`Step`]: what is executed at a vertex and along an edge, in order.
//! - [`solve`]: the one worklist solver; an [`Analysis`] gives direction, boundary, transfer and
//!   join, and nothing else.
//! - `structure`: a graph as nested constructs, where it is structured.
//! - [`union`], [`intersection`]: joins of sets.
//! - [`CallGraph`]: procedures by strongly connected components, in levels that may be worked on
//!   in parallel.
//!
//! Nothing here knows what a derivative is.

mod call_graph;
mod graph;
mod sets;
mod solver;
mod steps;
pub mod structure;
mod ways;
pub use call_graph::CallGraph;
pub use call_graph::Callees;
pub use graph::Flow;
pub use sets::{intersection, union};
pub use solver::{Analysis, Direction, Solution, solve};
pub use steps::{Step, steps_of_edge, steps_of_vertex};
pub use ways::Ways;
