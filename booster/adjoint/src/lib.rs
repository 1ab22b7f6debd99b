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
mod targets;
pub mod tbr;
mod thrift;
mod undone;
mod upwards;
mod zeros;

use std::collections::HashMap;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{Base, Document, ProcId, Role, Stmt, SymbolId};

use body::Adjoint;
use booster_facts::externals::Externals;
use booster_facts::no_return;
use booster_rules::Catalogue;
use booster_shadow::allocated::allocate_first;
use booster_shadow::derivative::{Counterparts, Naming, Sweep};
use booster_shadow::jacobian::forget_local_jacobians;
use booster_shadow::settled::settle;
use booster_tangent as tangent;
pub use modes::Modes;
use passive::PassiveCopies;

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
    /// Whether time levels that are copied change places.
    pub exchange: bool,
    /// Whether loops record in room that they index by their counters.
    pub rooms: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            suffix_variable: "b".into(),
            suffix_procedure: "_b".into(),
            externals: Externals::new(),
            catalogue: Catalogue::standard(),
            modes: Modes::default(),
            exchange: true,
            rooms: true,
        }
    }
}

/// Refuses variables with derivatives whose types have parameters: what adjoints declare for parts of
/// them would have kinds that nobody knows.
fn without_parameters(doc: &Document, parts: &Counterparts) -> Result<(), Diagnostics> {
    let has_parameters = |symbol: SymbolId| {
        let base = doc.symbols[symbol].decl.as_deref().map(|decl| decl.spec.base());
        let (Some(Base::Derived(ty)) | Some(Base::Class(ty))) = base else { return false };
        matches!(doc.role(ty), Some(Role::DerivedType { params, .. }) if !params.is_empty())
    };
    let mut found: Vec<SymbolId> = parts.primals().filter(|&one| has_parameters(one)).collect();
    found.sort_unstable();
    found.dedup_by_key(|&mut symbol| doc.name(symbol).to_owned());
    let mut problems = Diagnostics::new();
    for symbol in found {
        let place = doc.symbols[symbol].decl.as_deref().map(|decl| decl.place).unwrap_or_default();
        let message = format!("`{}` has a type with parameters", doc.name(symbol));
        problems.push(
            Diagnostic::error(Code::ADJOINT_REFUSED, doc.spot(place), message)
                .with_help("declare a type without parameters for each kind that is used"),
        );
    }
    if problems.has_errors() { Err(problems) } else { Ok(()) }
}

/// Prepares `doc` for the adjoint. TBR facts describe the statements that the analysis has seen. Preparation that adds
/// statements makes the facts incomplete, so the facts are dropped.
fn prepare_with_facts(doc: &mut Document) -> Result<Diagnostics, Diagnostics> {
    let has_facts = |stmt: &Stmt| stmt.recorded.is_some();
    let place = doc.stmts.values().find(|stmt| has_facts(stmt)).map(|stmt| stmt.place);
    let statements = doc.stmts.len();
    let mut warnings = prepare::prepare(doc)?;
    if let Some(place) = place
        && doc.stmts.len() > statements
    {
        tbr::forget(doc);
        let message = "the facts of `xaif-tbr` from before the canonical form are dropped";
        let help = "put `xaif-canonicalize --constructs` before `xaif-tbr`";
        let warning = Diagnostic::warning(Code::EARLY_FACTS, doc.spot(place), message);
        warnings.push(warning.with_help(help));
    }
    Ok(warnings)
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
    let naming = Naming {
        variable: options.suffix_variable.clone(),
        procedure: options.suffix_procedure.clone(),
        title: "Adjoint".into(),
        transposed: true,
    };
    let mut warnings = prepare_with_facts(doc)?;
    no_return::mark(doc, &options.externals);
    warnings.extend(tangent::bits::warn(doc));
    // With facts of TBR analysis this has been done.
    if doc.stmts.values().all(|stmt| stmt.recorded.is_none()) {
        let mut copies = PassiveCopies::default();
        while undone::take_as_active(doc, &options.externals, &mut copies) {}
    }
    let (mut parts, more) = Counterparts::make(doc, &naming, None)?;
    warnings.extend(more);
    without_parameters(doc, &parts)?;
    let choices = tangent::Options {
        directions: None,
        suffix_variable: options.suffix_variable.clone(),
        suffix_procedure: options.suffix_procedure.clone(),
        externals: options.externals.clone(),
        catalogue: options.catalogue.clone(),
    };
    shared::share(doc, &mut parts, &options.externals);
    let (mut parts, more) = split::make(doc, parts, &choices, &options.modes);
    warnings.extend(more);
    let whole = |&(_, adjoint): &(ProcId, ProcId)| parts.sweep_of(adjoint) == Sweep::Both;
    let whole: Vec<ProcId> =
        parts.procedures.iter().filter(|pair| whole(pair)).map(|p| p.1).collect();
    releases::keep_until_the_end(doc, &whole);
    let moved = targets::move_local_targets(doc, &parts);
    blocks::begin_with_zero(doc, &mut parts);
    let procedures = parts.procedures.clone();
    let mut stage = Adjoint::new(doc, parts, &choices, &options.modes);
    stage.moved = moved;
    stage.shared = shared::shared_calls(doc, &stage.tools.parts);
    stage.signatures(doc);
    // Arms that control never takes are not recorded. An INTENT(OUT) argument of the program may be allocated
    // as its adjoint begins: the intents are those of the adjoint by now.
    let copies: Vec<ProcId> = procedures.iter().map(|&(_, adjoint)| adjoint).collect();
    settle(doc, &copies);
    for &(_, adjoint) in &procedures {
        stage.procedure(doc, adjoint);
    }
    if stage.tools.problems.has_errors() {
        return Err(stage.tools.problems);
    }
    let adjoints = stage.tools.parts.derivatives();
    let sweeps: Vec<(ProcId, Sweep)> = procedures
        .iter()
        .map(|&(_, adjoint)| (adjoint, stage.tools.parts.sweep_of(adjoint)))
        .filter(|&(_, sweep)| sweep != Sweep::Forward)
        .collect();
    forget_local_jacobians(doc);
    let made: Vec<ProcId> = procedures.iter().map(|&(_, adjoint)| adjoint).collect();
    settle(doc, &made);
    let joint: HashMap<ProcId, ProcId> =
        procedures.into_iter().filter(|pair| sweeps.contains(&(pair.1, Sweep::Both))).collect();
    dead::remove_dead(doc, (&sweeps, &joint), &adjoints, &options.externals);
    let procs: Vec<ProcId> = sweeps.iter().map(|&(proc, _)| proc).collect();
    if options.rooms {
        let told = (&stage.mirrors, &stage.ways);
        room::use_rooms(doc, &stage.tools.parts, told, &options.externals);
    }
    upwards::count_upwards(doc, &procs, &adjoints);
    if options.exchange {
        levels::exchange_levels(doc, &made);
    }
    let made = stage.tools.parts.made(doc);
    allocate_first(doc, &made);
    stage.tools.parts.bind_in_c(doc, &options.suffix_procedure);
    stage.tools.parts.sweep(doc);
    warnings.extend(stage.tools.problems);
    Ok(warnings)
}
