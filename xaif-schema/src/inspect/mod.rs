//! The lenses: programs that look at a document and change nothing.
//!
//! - [`show`]: the document as annotated pseudo-code, which people and snapshot tests read;
//! - [`diff`]: what a stage changed, over the same text;
//! - [`graphs`]: call graph, control flow and expression graphs, which [`dot`] writes for
//!   graphviz and [`svg`] draws.

pub mod diff;
pub mod dot;
pub(crate) mod flow;
pub mod graph;
pub mod graphs;
pub(crate) mod header;
pub mod show;
pub mod svg;
