//! Activity analysis: which variables have a derivative that must be computed.
//!
//! A variable is *varied* where it may depend on an independent, *useful* where a dependent may
//! depend on it, and *active* where it is both. Paper 1 (Hascoët, Naumann, Pascual, "To Be Recorded"
//! analysis), section 4: the relation Dep bottom-up on the call graph (`dep.rs`), then the two sets
//! top-down, the contexts of all calls of a procedure united.
//!
//! One refinement: a variable counts as useful only for what it is read for where it is varied. The
//! active variables are the same; but where a variable that is not varied is overwritten, *useful*
//! then says whether its derivative is asked for later and must be set to zero.
//!
//! The way: `program.rs` and `collect.rs` (what flows where), `frame.rs` (numbers and effects),
//! `equations.rs` and `structured.rs` (the data-flow equations), `solve.rs` (the sweeps), `cycles.rs` (recursion), `marks.rs`
//! and `signature_classes.rs` (what must have a derivative, beyond one procedure), `state.rs` (what is
//! kept between calls), `files.rs` (what is written and read
//! back), `tape.rs` (what is recorded and taken back), `tests.rs` (what is compared), `facts.rs` (the document); `trace.rs` and `why.rs`
//! explain.

mod collect;
mod cycles;
pub mod dep;
pub mod equations;
mod facts;
mod files;
mod frame;
mod heads;
mod marks;
pub mod names;
mod outside;
mod print;
mod program;
mod rows;
mod signature_classes;
mod solve;
mod state;
pub mod structured;
mod tape;
mod tests;
mod trace;
mod why;

use std::borrow::Cow;
use std::collections::BTreeSet;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{Document, EntityRef, ProcId, ProcKind, Reference, SymbolId};
use xaif_schema::upgrade::upgrade;

pub use facts::Facts;
pub use heads::{Head, Options};
pub use why::explain;

use super::evaluation_order::evaluation_order;
use super::lost_changes::lost_changes;
use super::repeated::refuse_repeated_calls_with_state;
use super::unassigned::read_before_assignment;
use super::{Accesses, LocationId, Storage, no_return};
use crate::externals::Externals;
use frame::Summaries;
use marks::Marks;
use program::{Piece, Program};
use signature_classes::SignatureClasses;
use solve::{Context, Solution};

/// The storage of `doc` while the heads are executed that `options` or directives name.
pub fn storage(doc: &Document, options: &Options) -> Storage {
    let mut storage = Storage::while_executed(doc, &heads::named_heads(doc, options));
    if options.tests {
        storage.make_tests();
    }
    storage
}

/// Finds out what is active and records it in `doc`: `Symbol.active` (a derivative object exists),
/// `Reference.active`, `SubroutineCall.active`, `FunctionCall.active`, `Procedure.active`, and the
/// heads' `Procedure.independent` and `dependent`. The result are warnings.
///
/// XAIF 1.0 cannot say all that: a XAIF 1.0 document is made like one of ours first ([`upgrade`]).
///
/// # Errors
/// The choice of heads, independents and dependents is not clear, or those of [`upgrade`].
pub fn activity(
    doc: &mut Document,
    options: &Options,
    externals: &Externals,
) -> Result<Diagnostics, Diagnostics> {
    behind_preaccumulation(doc)?;
    if let Cow::Owned(adopted) = upgrade(doc)? {
        *doc = adopted;
    }
    no_return::mark(doc, externals);
    let storage = storage(doc, options);
    let accesses = Accesses::new(doc, &storage);
    let activity = Activity::new(&accesses, options, externals)?;
    let (facts, mut warnings) = (activity.facts(), activity.warnings());
    let reached = |proc| activity.is_reached(proc);
    warnings.extend(read_before_assignment(&accesses, reached));
    warnings.extend(lost_changes(&accesses, externals, reached, |dummy| facts.is_active(dummy)));
    warnings.extend(evaluation_order(&accesses, externals, reached));
    if warnings.has_errors() {
        return Err(warnings);
    }
    facts.record(doc);
    Ok(warnings)
}

/// Refuses local Jacobians: which reference is passive is what says where derivatives are computed.
fn behind_preaccumulation(doc: &Document) -> Result<(), Diagnostics> {
    let Some(stmt) = doc.stmts.values().find(|stmt| stmt.local_jacobian.is_some()) else {
        return Ok(());
    };
    let message = "the derivatives of this statement are computed by a local Jacobian";
    let problem = Diagnostic::error(Code::BEHIND_PREACCUMULATION, doc.spot(stmt.place), message);
    let help = "run xaif-activity before xaif-preaccumulate";
    Err(Diagnostics::from_iter([problem.with_help(help)]))
}

/// The result of the analysis, to be asked.
#[derive(Debug)]
pub struct Activity<'d> {
    program: Program<'d>,
    summaries: Summaries,
    solution: Solution,
    heads: Vec<Head>,
    marks: Marks,
}

impl<'d> Activity<'d> {
    /// Analyses a document.
    ///
    /// # Errors
    /// The choice of heads, independents and dependents is not clear (`OX4050` to `OX4054`), or a
    /// statement executes a call several times that keeps something (`OX4105`).
    pub fn new(
        accesses: &Accesses<'d>,
        options: &Options,
        externals: &Externals,
    ) -> Result<Self, Diagnostics> {
        let program = collect::program(accesses, externals);
        let graph = solve::call_graph(&program);
        let summaries = solve::summaries(&program, &graph);
        let usage = Usage { program: &program, summaries: &summaries };
        let heads = heads::select(program.doc, options, &usage)?;

        let mut contexts = vec![Context::default(); program.doc.procs.len()];
        let mut given = BTreeSet::new();
        for head in &heads {
            let locations = |references: &[Reference]| -> BTreeSet<LocationId> {
                references.iter().flat_map(|r| collect::locations_of_choice(accesses, r)).collect()
            };
            let (varied, mut useful) = (locations(&head.independent), locations(&head.dependent));
            given.extend(varied.iter().chain(&useful).copied());
            useful.extend(accesses.storage().tests());
            contexts[head.proc.index()] = Context { varied, useful, reached: true };
        }
        let kin = SignatureClasses::new(&program);
        let solution = loop {
            let solution = solve::solution(&program, &graph, &summaries, contexts.clone());
            // What is called in the same way as a procedure that is reached is reached, too.
            if !add_kin(&program, &kin, &solution, &mut contexts) {
                break solution;
            }
        };
        let reached = |proc: ProcId| solution.solved[proc.index()].is_some();
        let repeated = refuse_repeated_calls_with_state(accesses, externals, reached);
        if repeated.has_errors() {
            return Err(repeated);
        }
        let pointers = tape::refuse_pointers(&program, reached);
        if pointers.has_errors() {
            return Err(pointers);
        }
        let procs: Vec<ProcId> = heads.iter().map(|head| head.proc).collect();
        let marks = marks::marks(&program, &summaries, &solution, &kin, &procs, &given);
        Ok(Activity { program, summaries, solution, heads, marks })
    }

    /// The procedures that are differentiated, with their independents and dependents.
    pub fn heads(&self) -> &[Head] {
        &self.heads
    }

    /// Whether a procedure is executed when the heads are.
    fn is_reached(&self, proc: ProcId) -> bool {
        self.solution.contexts[proc.index()].reached
    }

    /// What is to be recorded in the document.
    pub fn facts(&self) -> Facts {
        Facts::new(&self.program, &self.marks, &self.heads)
    }

    /// What the user should know: independents without influence, dependents without derivative,
    /// procedures of which nothing is known and through which activity passes, values that are
    /// written and read back.
    pub fn warnings(&self) -> Diagnostics {
        let mut warnings = Diagnostics::new();
        for head in &self.heads {
            self.check_sides(head, &mut warnings);
        }
        let mut told: BTreeSet<SymbolId> = BTreeSet::new();
        for &(proc, step, event) in &self.marks.outside {
            let Some(body) = self.program.body(proc) else { continue };
            let Some(outside) = body.outside.get(&(step, event)) else { continue };
            if outside.unknown && told.insert(outside.callee) {
                warnings.push(self.assumed(outside));
            }
        }
        warnings.extend(files::read_back(&self.program, &self.solution));
        warnings
    }

    fn assumed(&self, outside: &program::OutsideCall) -> Diagnostic {
        let doc = self.program.doc;
        let name = doc.name(outside.callee);
        let message = format!(
            "nothing is known of `{name}`: it is taken to read and overwrite everything that it can \
             reach"
        );
        let help = "give its source, too, or say what it does in a file for --externals";
        Diagnostic::warning(Code::EXTERNAL_ASSUMED, doc.spot(outside.place), message)
            .with_help(help)
    }

    fn check_sides(&self, head: &Head, warnings: &mut Diagnostics) {
        let doc = self.program.doc;
        let locations = |reference: &Reference| self.program.storage.locations_at(doc, reference);
        let rows = &self.summaries[head.proc.index()].rows;
        let depends = |dependent: LocationId, independent: LocationId| match rows
            .binary_search_by_key(&dependent, |(location, _)| *location)
        {
            Ok(row) => rows[row].1.contains(&independent),
            Err(_) => dependent == independent,
        };
        let any = |ones: &Reference,
                   others: &[Reference],
                   test: &dyn Fn(LocationId, LocationId) -> bool| {
            let others: Vec<LocationId> = others.iter().flat_map(locations).collect();
            locations(ones).iter().any(|&one| others.iter().any(|&other| test(one, other)))
        };
        for independent in &head.independent {
            if !any(independent, &head.dependent, &|i, d| depends(d, i)) {
                let name = names::of_reference(doc, independent);
                let message = format!("no dependent variable depends on `{name}`");
                let code = Code::INDEPENDENT_WITHOUT_INFLUENCE;
                let help = "leave it out, or look with --why at what it flows into";
                let place = doc.spot(independent.place);
                warnings.push(Diagnostic::warning(code, place, message).with_help(help));
            }
        }
        for dependent in &head.dependent {
            if !any(dependent, &head.independent, &depends) {
                let name = names::of_reference(doc, dependent);
                let message = format!("`{name}` depends on no independent variable");
                let help = "leave it out, or look with --why at what flows into it";
                let place = doc.spot(dependent.place);
                let code = Code::DEPENDENT_CONSTANT;
                warnings.push(Diagnostic::warning(code, place, message).with_help(help));
            }
        }
    }
}

/// Gives procedures that must agree with one that is reached the same context; tells whether that
/// added anything.
fn add_kin(
    program: &Program<'_>,
    kin: &SignatureClasses,
    solution: &Solution,
    contexts: &mut [Context],
) -> bool {
    let mut added = false;
    for signature_classes::Pair { one, other, locations } in kin.pairs() {
        let (from, to) = (&solution.contexts[one.index()], &solution.contexts[other.index()]);
        if !from.reached || to.reached || program.body(other).is_none() {
            continue;
        }
        let translate = |set: &BTreeSet<LocationId>| -> BTreeSet<LocationId> {
            let passed = locations.iter().filter(|(location, _)| set.contains(location));
            set.iter().copied().chain(passed.map(|(_, location)| *location)).collect()
        };
        let (varied, useful) = (translate(&from.varied), translate(&from.useful));
        let context = Context { varied, useful, reached: true };
        added |= contexts[other.index()].add(&context);
    }
    added
}

/// What the choice of heads asks.
struct Usage<'p, 'd> {
    program: &'p Program<'d>,
    summaries: &'p Summaries,
}

impl Usage<'_, '_> {
    fn locations(&self, symbol: SymbolId) -> impl Iterator<Item = LocationId> {
        self.program.storage.locations_of_symbol(symbol).into_iter()
    }
}

impl heads::Usage for Usage<'_, '_> {
    fn is_called(&self, proc: ProcId) -> bool {
        let doc = self.program.doc;
        let others = doc
            .procs
            .iter()
            .filter(|(caller, procedure)| *caller != proc && procedure.kind != ProcKind::Program);
        others.filter_map(|(caller, _)| self.program.body(caller)).any(|body| {
            body.pieces().any(|piece| match piece {
                Piece::Call(call) => call.ways.iter().any(|way| way.entry.proc == proc),
                Piece::Plain(_) => false,
            })
        })
    }

    fn computes(&self, proc: ProcId) -> bool {
        self.program.body(proc).is_some_and(|body| body.pieces().next().is_some())
    }

    fn reads(&self, proc: ProcId, dummy: SymbolId) -> bool {
        let summary = &self.summaries[proc.index()];
        self.locations(dummy).any(|location| {
            summary.read.binary_search(&location).is_ok()
                && summary.rows.iter().any(|(_, row)| row.contains(&location))
        })
    }

    fn writes(&self, proc: ProcId, dummy: SymbolId) -> bool {
        let rows = &self.summaries[proc.index()].rows;
        self.locations(dummy).any(|location| rows.iter().any(|(written, _)| *written == location))
    }
}
