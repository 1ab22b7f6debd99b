//! The adjoint (reverse) mode: procedures that propagate derivatives from outputs to inputs.
//!
//! For an active procedure `p(x, y)` a procedure `p_b(x, xb, y, yb)` is added to the document. On
//! entry `yb` holds the adjoint of the value that `y` has at the exit of `p`; on exit `xb` and `yb`
//! hold the adjoints of the values that `x` and `y` have at its entry. So an input only accumulates,
//! and an output that is overwritten ends with a zero adjoint (design.md, section 6).
//!
//! `p_b` is a forward sweep, which is a copy of `p` that records on the tape what it overwrites as
//! far as the backward sweep needs it, and a backward sweep, which takes that back and executes the
//! adjoint of each statement in reverse order (paper 1, section 2; paper 3, section 3).
//!
//! [`list`] names the passes in the order of their execution. The folders, of which each uses those before it:
//!
//! - `queries`: questions about a document. `call_modes`: joint or split calls. [`tbr`]: the values to be recorded.
//! - `loops`, `recovery`: loops of the sweeps, and from where the backward sweep gets each value.
//! - `calls`, `statements`: the statements of both sweeps. `cleanup`: what no adjoint needs.
//!
//! `body` holds the state of the mode and the statement kinds, `sweeps` the two sweeps of a procedure, `context` the state of
//! one procedure, `flatten` and `prepare` the canonical form of adjoints. The adjoint of an expression is made by
//! `booster_linearize`, the declarations by `booster_shadow`, the control flow by `booster_reversal`.

mod body;
mod call_modes;
mod calls;
mod cleanup;
mod context;
pub mod flatten;
pub mod liveness;
mod loops;
mod passes;
pub mod prepare;
mod queries;
mod recovery;
mod statements;
mod sweeps;
pub mod tbr;

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;

use body::Adjoint;
use booster_facts::externals::Externals;
use booster_passes::{End, Observer, Selection, run};
use booster_rules::Catalogue;
use booster_tangent as tangent;
pub use call_modes::choice::Modes;
pub use passes::list;
use passes::{DECLARE, Declaring, REVERSE};
pub use recovery::plan::plan as plan_recomputation;

/// What a user may choose.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the names of adjoint variables end with.
    pub suffix_variable: String,
    /// What the names of adjoint procedures, modules and COMMON blocks end with.
    pub suffix_procedure: String,
    /// What is known of procedures whose source is not given.
    pub externals: Externals,
    /// The rules by which intrinsics are differentiated.
    pub catalogue: Catalogue,
    /// Which calls are split.
    pub modes: Modes,
    /// The passes that are executed.
    pub selection: Selection,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            suffix_variable: "b".into(),
            suffix_procedure: "_b".into(),
            externals: Externals::new(),
            catalogue: Catalogue::standard(),
            modes: Modes::default(),
            selection: Selection::default(),
        }
    }
}

/// Adds the adjoint procedures of all active procedures to `doc`; the user's own program units stay
/// and are marked as provided. The result are warnings.
///
/// The document is prepared first ([`prepare::prepare`]). Where activity facts are
/// absent, every real and complex variable and every procedure with a body is active; where facts of
/// TBR analysis are absent, everything that is overwritten is recorded.
///
/// # Errors
/// What cannot be differentiated, with its place; `doc` is then of no use.
pub fn adjoint(doc: &mut Document, options: &Options) -> Result<Diagnostics, Diagnostics> {
    observed(doc, options, &mut ())
}

/// As [`adjoint`]; `observer` sees the document behind each pass of [`list`].
///
/// # Errors
/// Those of [`adjoint`] and of the observer.
pub fn observed(
    doc: &mut Document,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Diagnostics, Diagnostics> {
    let choices = tangent::Options {
        directions: None,
        validity: false,
        suffix_variable: options.suffix_variable.clone(),
        suffix_procedure: options.suffix_procedure.clone(),
        externals: options.externals.clone(),
        catalogue: options.catalogue.clone(),
        selection: options.selection.clone(),
    };
    let mut work = Declaring::new(options, &choices);
    let end = run(DECLARE, doc, &mut work, (&options.selection, observer))?;
    let Declaring { parts, report, moved, .. } = work;
    if end == End::Stopped {
        return Ok(report);
    }
    let mut work = Adjoint::new(doc, parts, &choices, options);
    work.moved = moved;
    work.shared = call_modes::shared_adjoints::shared_calls(doc, &work.tools.parts);
    work.tools.problems.extend(report);
    run(REVERSE, doc, &mut work, (&options.selection, observer))?;
    Ok(work.tools.problems)
}
