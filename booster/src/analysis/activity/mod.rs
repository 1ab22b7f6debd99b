//! Activity analysis: which variables have a derivative that must be computed.
//!
//! A variable is *varied* where it may depend on an independent, *useful* where a dependent may
//! depend on it, and *active* where it is both. Paper 1 (Hascoët, Naumann, Pascual, "To Be Recorded"
//! analysis), section 4: a relation [`Dep`](dep) bottom-up on the call graph, the two sets top-down.

#![allow(dead_code)] // until all stages of it are here

mod dep;
mod equations;
#[cfg(test)]
mod equations_tests;
mod heads;
mod names;
mod structured;

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;

pub use heads::{Head, Options};

/// Finds out what is active and records it in `doc`: `Symbol.active` (a derivative object exists),
/// `Reference.active`, `SubroutineCall.active`, `FunctionCall.active`, `Procedure.active`, and the
/// heads' `Procedure.independent` and `dependent`. The result are warnings.
///
/// # Errors
/// The choice of heads, independents and dependents is not clear; `doc` is unchanged then.
pub fn activity(doc: &mut Document, options: &Options) -> Result<Diagnostics, Diagnostics> {
    let _ = (doc, options);
    Ok(Diagnostics::new())
}
