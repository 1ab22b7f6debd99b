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
//! The canonical form is made first; the declarations are made by
//! [`Counterparts`]; the adjoint of an expression by `booster_linearize`; here:
//!
//! - `reversal`: control flow, and the two graphs. `body`: which statement is handled where.
//! - `record`: what is put on the tape before a statement and taken back behind its adjoint.
//! - `prepare`: what an adjoint can be made of.
//! - `assign`: assignments. `loops`: those that take loops. `masked`: under a mask.
//! - `structure`: of structures. `jacobian`: of propagators.
//! - `memory`: what allocates and releases. `releases`: what need not be. `state`: how that is recorded. `pointer`: pointers.
//! - `marker`: input, output, what is not understood.
//! - `blocks`: adjoints of COMMON blocks. `afterwards`: what variables that outlive the head hold then.
//! - `call`: calls. `actual`: adjoints that are passed. `modes`: which of them are split. `halves`: those calls. `split`: what they call.
//!   `first`: what goes between them. `thrift`: what is split without being asked.
//!   `shared`: those that pass one adjoint for two arguments. `targets`: what their pointers point to. `undone`: passive calls that are. `kept`: adjoints of saved variables.
//! - `hoist`: what loops record is recorded before them; `distribute`: loops that scatter; `sums`: what
//!   a loop adds to one element.
//! - `in_place`: assignments whose adjoint reads what they leave.
//! - `afresh`: scalars of loops that are computed again, not recorded.
//! - `room`: what each round of a loop records goes to room that the loop indexes. `own`: scalars of an activation.
//! - `upwards`: loops that may run upwards. `levels`: time levels that change places.
//! - `dead`: what the backward sweep does not need. `zeros`: adjoints that are surely zero.

mod absent;
mod actual;
mod afresh;
mod afterwards;
mod assign;
mod blocks;
mod body;
mod call;
mod constant;
mod context;
mod counting;
mod covered;
mod dead;
mod distribute;
mod extents;
mod first;
pub mod flatten;
mod halves;
mod hidden;
mod hoist;
mod in_place;
mod jacobian;
mod kept;
mod levels;
mod loops;
mod marker;
mod masked;
mod memory;
mod modes;
mod once;
mod own;
mod passes;
mod passive;
mod pointees;
mod pointer;
pub mod prepare;
mod procedure;
mod reach;
mod record;
mod releases;
mod room;
mod shared;
mod split;
mod state;
mod structure;
mod sums;
mod sweeps;
mod targets;
pub mod tbr;
mod thrift;
mod undone;
mod upwards;
mod zeros;

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;

use body::Adjoint;
use booster_facts::externals::Externals;
use booster_passes::{End, Observer, Selection, run};
use booster_rules::Catalogue;
use booster_tangent as tangent;
pub use modes::Modes;
pub use passes::list;
use passes::{DECLARE, Declaring, REVERSE};

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
    work.shared = shared::shared_calls(doc, &work.tools.parts);
    work.tools.problems.extend(report);
    run(REVERSE, doc, &mut work, (&options.selection, observer))?;
    Ok(work.tools.problems)
}
