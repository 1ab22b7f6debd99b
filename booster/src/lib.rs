//! Everything that computes on an XAIF document: analyses look at it, transformations change it.
//!
//! The work stands in crates of its own in the folders beside `src`; this crate re-exports them and
//! adds the command line of the stages:
//!
//! - [`analysis`]: what can be told about a program without executing it.
//! - [`build`]: making pieces of a document.
//! - [`drawing`]: graphs under elimination, for the lenses.
//! - [`externals`]: what the user tells of procedures whose source is not given.
//! - [`flow`]: views on a control flow graph, the one data-flow solver, the call graph.
//! - [`passes`]: the options that choose among passes.
//! - `programs`: the binaries of the stages.
//! - [`rules`]: the catalogue of derivatives.
//! - [`stages`]: the stages with their command line options.
//! - [`transform`]: the rewriters.
//!
//! Only `programs` do input and output.

pub mod drawing;
pub mod passes;
#[cfg(feature = "cli")]
pub mod programs;
pub mod stages;

pub use booster_build as build;
pub use booster_facts::externals;
pub use booster_flow as flow;
pub use booster_rules as rules;

/// The analyses of a document.
pub mod analysis {
    pub use booster_adjoint::{liveness, tbr};
    pub use booster_facts::*;
}

/// The rewriters: a document in, another program out.
pub mod transform {
    pub use booster_adjoint as adjoint;
    pub use booster_canonical as canonicalize;
    pub use booster_checkpoint as checkpoint;
    pub use booster_linearize as linearize;
    pub use booster_preaccumulate as preaccumulate;
    pub use booster_reversal as reversal;
    pub use booster_shadow::{derivative, jacobian, open};
    pub use booster_tangent as tangent;
}
