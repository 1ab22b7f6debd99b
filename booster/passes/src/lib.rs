//! Passes: the transformations of a document as values in a list, and the runner that executes them.
//!
//! A mode of differentiation (tangent, adjoint, preaccumulation) is a list of [`Step`]s. Each pass has a
//! name and says whether a derivative is wrong without it ([`Need`]). The runner, not the passes, measures
//! time, hands the document to an [`Observer`] behind each pass, leaves optimisations out and stops behind
//! a pass ([`Selection`]). The structure follows the pass managers of compilers (rustc `pass_manager`,
//! Cranelift `Context::optimize`).
//!
//! The crate knows no pass and no analysis.

mod listing;
mod runner;
mod selection;

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{Document, ProcId};

pub use listing::{Row, rows, table};
pub use runner::{End, Observer, run};
pub use selection::Selection;

/// Whether a derivative is wrong without a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The derivative is wrong, or is not written, without the pass.
    Required,
    /// The derivative is the same without the pass; its code is slower, longer, or uses more memory.
    Optimisation,
}

impl Need {
    /// The word in lists.
    pub fn name(self) -> &'static str {
        match self {
            Need::Required => "required",
            Need::Optimisation => "optimisation",
        }
    }
}

/// The description of a pass: the row of `--list-passes`.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The name that `--until` and `--without` take.
    pub name: &'static str,
    /// Whether it can be left out.
    pub need: Need,
    /// What it does: a sentence that begins with a verb.
    pub summary: &'static str,
    /// The parts of the document, and the facts, that it reads.
    pub reads: &'static str,
    /// The parts of the document that it changes.
    pub writes: &'static str,
    /// The publication and section that it follows; empty where there is none.
    pub source: &'static str,
}

/// A mode of differentiation: the state that its passes share.
pub trait Mode: 'static {
    /// The state.
    type Work<'a>;

    /// The procedures on which the passes of [`Step::Each`] work, in this order.
    fn procedures(work: &Self::Work<'_>) -> Vec<ProcId> {
        let _ = work;
        Vec::new()
    }

    /// Makes `proc` the procedure on which the next passes work.
    fn enter(work: &mut Self::Work<'_>, proc: ProcId) {
        let _ = (work, proc);
    }

    /// The diagnostics of all passes so far.
    fn report<'w>(work: &'w mut Self::Work<'_>) -> &'w mut Diagnostics;
}

/// One transformation of the document.
pub trait Pass<M: Mode>: Sync {
    /// Its row of the list.
    fn about(&self) -> &'static About;

    /// Transforms `doc`, or the procedure that the work is about. Warnings go to the report.
    ///
    /// # Errors
    /// What cannot be differentiated, with its place. `doc` is of no use then.
    fn run(&self, doc: &mut Document, work: &mut M::Work<'_>) -> Result<(), Diagnostics>;
}

/// An element of a list of passes.
pub enum Step<M: Mode> {
    /// A pass that works on the document, once.
    Once(&'static dyn Pass<M>),
    /// Passes that work on one procedure: all of them on the first procedure, then on the next one.
    Each(&'static [&'static dyn Pass<M>]),
}
