//! The tangent (forward) mode: procedures that compute directional derivatives beside the values.
//!
//! For an active procedure `p(x, y)` a procedure `p_d(x, xd, y, yd)` is added to the document that
//! computes what `p` computes and, with `xd` the derivative of `x` in a direction, the derivative
//! `yd` of `y` in that direction (Griewank and Walther, "Evaluating Derivatives", section 3.1;
//! Hascoët and Pascual, "The Tapenade automatic differentiation tool", section 4, for the placing
//! of derivative statements before their originals).
//!
//! The canonical form is made first; the declarations are made by [`Counterparts`]; the derivative of an expression by
//! [`tangent_of`](booster_linearize::tangent_of). Here each statement of the copied bodies gets its
//! derivative statements, which stand before it as far as it overwrites what they read:
//!
//! - `body`: which statement is handled where. `assign`: assignments, and `reallocate` those that
//!   give an allocatable variable a new shape; `association`: pointers in structures without active values. `masked`: WHERE and FORALL.
//! - `call`: subroutine and function references, `passive` what they pass for arguments without derivative, `external` those whose source is not given,
//!   `globals` what these do to COMMON and modules, `result` the shape of what functions return. `gather`: array components as arguments.
//!   `intrinsic`: intrinsic subroutines.
//! - `memory`: ALLOCATE, DEALLOCATE, NULLIFY, pointer assignment. `zero`: derivatives set to zero.
//! - `marker`: input and output, statements that are not understood, directives.
//! - `scoped`: ASSOCIATE, SELECT TYPE and SELECT RANK, DO CONCURRENT, real loop variables.
//! - `bits`: values that pass through variables of another type.
//! - `entry`: what must be zero at the beginning. `outer`, `follower`: module variables that the user's
//!   code has allocated.
//!
//! What the new program units declare and nothing names is swept out at the end.

mod agreement;
mod assign;
mod association;
pub mod bits;
pub mod body;
pub mod bound;
pub mod call;
mod entry;
pub mod external;
mod follower;
mod gather;
mod globals;
mod intrinsic;
mod marker;
mod masked;
mod memory;
mod moved;
mod outer;
mod passes;
mod passive;
pub mod polymorphic;
pub mod reads;
pub mod reallocate;
pub mod result;
mod scoped;
mod tape;
mod validity;
pub mod zero;

use std::collections::HashMap;

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{Document, ProcId};

use body::Tangent;
use booster_facts::externals::Externals;
use booster_facts::side_effects::SideEffects;
use booster_facts::{Accesses, Bodies, Storage};
use booster_passes::{End, Observer, Selection, run};
use booster_rules::Catalogue;
use booster_shadow::derivative::Counterparts;
use booster_shadow::persistent_state::{Outliving, kept_by_callees, lives_on, outliving};
pub use passes::{CheckBits, list};
use passes::{DECLARE, DIFFERENTIATE, Declaring, Differentiating};

/// What a user may choose.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of directions that are computed at once; `None` is one, without a dimension of
    /// its own.
    pub directions: Option<u32>,
    /// What the names of derivative variables end with.
    pub suffix_variable: String,
    /// What the names of derivative procedures, modules and COMMON blocks end with.
    pub suffix_procedure: String,
    /// Whether tangents compute the interval in which no condition changes sides.
    pub validity: bool,
    /// What is known of procedures whose source is not given.
    pub externals: Externals,
    /// The rules by which intrinsics are differentiated.
    pub catalogue: Catalogue,
    /// The passes that are executed.
    pub selection: Selection,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            directions: None,
            suffix_variable: "d".into(),
            suffix_procedure: "_d".into(),
            validity: false,
            externals: Externals::new(),
            catalogue: Catalogue::standard(),
            selection: Selection::default(),
        }
    }
}

/// Adds the derivative procedures of all active procedures to `doc`; the user's own program units
/// stay and are marked as provided. The result are warnings.
///
/// The document is brought into canonical form first ([`canonicalize`](booster_canonical::canonicalize)). Where activity facts are
/// absent, every real and complex variable and every procedure with a body
/// is active.
///
/// # Errors
/// What cannot be differentiated, with its place; `doc` is then of no use.
pub fn tangent(doc: &mut Document, options: &Options) -> Result<Diagnostics, Diagnostics> {
    observed(doc, options, &mut ())
}

/// As [`tangent`]; `observer` sees the document behind each pass of [`list`].
///
/// # Errors
/// Those of [`tangent`] and of the observer.
pub fn observed(
    doc: &mut Document,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Diagnostics, Diagnostics> {
    let mut work = Declaring::new(options);
    let end = run(DECLARE, doc, &mut work, (&options.selection, observer))?;
    let Declaring { parts, mut report, .. } = work;
    if end == End::Stopped {
        return Ok(report);
    }
    let (storage, outliving, kept) = outliving_of(doc, &parts, options);
    report.extend(kept);
    let mut stage = Tangent::new(parts, &options.catalogue, options);
    stage.problems = report;
    stage.validity = options.validity;
    if options.validity {
        let made = stage.parts.procedures.iter().map(|&(_, made)| doc.procs[made].symbol);
        let made = made.collect();
        validity::impure(doc, &made);
    }
    stage.tape_is_active = tape::is_active(doc, &stage.parts);
    let mut work = Differentiating { stage, options, storage, outliving };
    run(DIFFERENTIATE, doc, &mut work, (&options.selection, observer))?;
    Ok(work.stage.problems)
}

/// What outlives the heads, of which derivatives are forgotten.
fn outliving_of(
    doc: &Document,
    parts: &Counterparts,
    options: &Options,
) -> (Storage, HashMap<ProcId, Outliving>, Diagnostics) {
    let storage = Storage::new(doc);
    let accesses = Accesses::new(doc, &storage);
    let bodies = Bodies::new(&accesses);
    let effects = SideEffects::new(&accesses, &bodies, &options.externals);
    let found = outliving(doc, &storage, &bodies, &effects, (parts, false));
    let kept = kept_by_callees(doc, &storage, &effects, parts).into_iter();
    let kept = kept.map(|(proc, symbol)| lives_on(doc, proc, symbol)).collect();
    (storage, found, kept)
}
