//! Questions about a document that several folders of the adjoint ask, and small pieces that they build.
//!
//! Nothing here depends on the state of the adjoint.

pub(crate) mod designators;
pub(crate) mod expressions;
pub(crate) mod liveness;
pub(crate) mod loop_variables;
pub(crate) mod needs;
pub(crate) mod private_scalars;
pub(crate) mod procedure_pointers;
pub(crate) mod questions;
pub(crate) mod removable;
pub(crate) mod result_partials;
pub(crate) mod selectors;
pub(crate) mod tape_operations;
pub(crate) mod temporaries;
