//! Everything that computes on an XAIF document: analyses look at it, transformations change it.
//!
//! - [`analysis`]: what can be told about a program without executing it.
//! - [`build`]: making pieces of a document.
//! - [`drawing`]: graphs under elimination, for the lenses.
//! - [`externals`]: what the user tells of procedures whose source is not given.
//! - [`flow`]: views on a control flow graph, the one data-flow solver, the call graph.
//! - [`rules`]: the catalogue of derivatives.
//! - [`stages`]: the stages with their command line options.
//! - [`transform`]: the rewriters.
//!
//! The crate does no input or output.

pub mod analysis;
pub mod build;
pub mod drawing;
pub mod externals;
pub mod flow;
pub mod rules;
pub mod stages;
#[cfg(test)]
mod testing;
pub mod transform;
