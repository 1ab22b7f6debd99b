//! The list of passes of the adjoint mode, with the state that they share.
//!
//! The first part declares adjoint procedures with the bodies of their originals. The second part writes the
//! sweeps of each procedure, then improves the finished text.

use std::collections::{HashMap, HashSet};

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{Base, Document, ProcId, Role, Stmt, SymbolId};

use crate::body::Adjoint;
use crate::call_modes::passive_copies::PassiveCopies;
use crate::call_modes::{callee_restores, shared_adjoints, targets};
use crate::calls::split_procedures;
use crate::cleanup::{dead_code, deferred_deallocation, merge_increments, share_values};
use crate::context::{ExamineProcedure, ProcedureContext};
use crate::loops::{buffer_swap, loop_direction};
use crate::recovery::hoist::HoistRecords;
use crate::recovery::indexed_tape;
use crate::recovery::recompute::Recompute;
use crate::statements::common_blocks;
use crate::sweeps::{DistributeLoops, JoinSweeps, Reductions, ReverseFlow};
use crate::{Options, prepare, tbr};
use booster_facts::externals::Externals;
use booster_passes::{About, Mode, Need, Pass, Row, Step, rows};
use booster_shadow::derivative::{Counterparts, Naming, Sweep};
use booster_shadow::passes::{
    AllocateFirst, BindC, DerivativeMode, DropDeadArms, DropUnused, ForgetMarks, MarkNoReturn,
};
use booster_tangent::{self as tangent, CheckBits};

/// From the program to adjoint procedures with the bodies of their originals.
pub(crate) const DECLARE: &[Step<Declare>] = &[
    Step::Once(&Canonicalize),
    Step::Once(&MarkNoReturn),
    Step::Once(&CheckBits),
    Step::Once(&ActivateCalls),
    Step::Once(&DeclareAdjoints),
    Step::Once(&ShareAdjoints),
    Step::Once(&SplitProcedures),
    Step::Once(&DeferDeallocation),
    Step::Once(&MoveTargets),
    Step::Once(&InitialiseCommon),
];

/// From there to the adjoints.
pub(crate) const REVERSE: &[Step<Reverse>] = &[
    Step::Once(&DeclareIntents),
    Step::Once(&DropDeadArms { of_program: true }),
    Step::Each(&[
        &ExamineProcedure,
        &Recompute,
        &HoistRecords,
        &ReverseFlow,
        &Reductions,
        &DistributeLoops,
        &JoinSweeps,
    ]),
    Step::Once(&ForgetMarks),
    Step::Once(&DropDeadArms { of_program: false }),
    Step::Once(&DeadCode),
    Step::Once(&IndexedTape),
    Step::Once(&LoopDirection),
    Step::Once(&BufferSwap),
    Step::Once(&MergeIncrements),
    Step::Once(&ShareValues),
    Step::Once(&AllocateFirst),
    Step::Once(&BindC),
    Step::Once(&DropUnused),
];

/// The passes of the adjoint mode, in the order of their execution.
pub fn list() -> Vec<Row> {
    rows(DECLARE).into_iter().chain(rows(REVERSE)).collect()
}

/// The first part of the list.
pub(crate) struct Declare;

/// The state of the first part.
pub(crate) struct Declaring<'a> {
    options: &'a Options,
    choices: &'a tangent::Options,
    pub(crate) report: Diagnostics,
    pub(crate) parts: Counterparts,
    /// Local targets of procedures that execute one sweep: memory behind pointers.
    pub(crate) moved: HashSet<SymbolId>,
}

impl<'a> Declaring<'a> {
    /// The state before the first pass.
    pub(crate) fn new(options: &'a Options, choices: &'a tangent::Options) -> Self {
        Declaring {
            options,
            choices,
            report: Diagnostics::new(),
            parts: Counterparts::default(),
            moved: HashSet::new(),
        }
    }
}

impl Mode for Declare {
    type Work<'a> = Declaring<'a>;

    fn report<'w>(work: &'w mut Declaring<'_>) -> &'w mut Diagnostics {
        &mut work.report
    }
}

impl DerivativeMode for Declare {
    fn parts<'w>(work: &'w mut Declaring<'_>) -> &'w mut Counterparts {
        &mut work.parts
    }

    fn externals<'w>(work: &'w Declaring<'_>) -> &'w Externals {
        &work.options.externals
    }

    fn suffix<'w>(work: &'w Declaring<'_>) -> &'w str {
        &work.options.suffix_procedure
    }
}

/// The second part of the list.
pub(crate) struct Reverse;

impl Mode for Reverse {
    type Work<'a> = Adjoint<'a>;

    fn procedures(work: &Adjoint<'_>) -> Vec<ProcId> {
        work.tools.parts.procedures.iter().map(|&(_, adjoint)| adjoint).collect()
    }

    fn enter(work: &mut Adjoint<'_>, proc: ProcId) {
        work.proc = proc;
        work.tools.proc = proc;
        work.context = ProcedureContext::default();
    }

    fn report<'w>(work: &'w mut Adjoint<'_>) -> &'w mut Diagnostics {
        &mut work.tools.problems
    }
}

impl DerivativeMode for Reverse {
    fn parts<'w>(work: &'w mut Adjoint<'_>) -> &'w mut Counterparts {
        &mut work.tools.parts
    }

    fn externals<'w>(work: &'w Adjoint<'_>) -> &'w Externals {
        &work.options.externals
    }

    fn suffix<'w>(work: &'w Adjoint<'_>) -> &'w str {
        &work.options.suffix_procedure
    }
}

/// Brings the document into the canonical form of adjoints.
struct Canonicalize;

impl Pass<Declare> for Canonicalize {
    fn about(&self) -> &'static About {
        &About {
            name: "canonicalize",
            need: Need::Required,
            summary: "Gives calls and reductions statements of their own; writes constructs as loops and branches.",
            reads: "facts of activity",
            writes: "bodies",
            source: "",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Declaring<'_>) -> Result<(), Diagnostics> {
        work.report.extend(prepare_with_facts(doc)?);
        Ok(())
    }
}

/// Brings `doc` into canonical form. TBR facts describe the statements that the analysis has seen. A
/// canonical form that adds statements makes the facts incomplete, so the facts are dropped.
fn prepare_with_facts(doc: &mut Document) -> Result<Diagnostics, Diagnostics> {
    let has_facts = |stmt: &Stmt| stmt.recorded.is_some() || !stmt.adjoint_live;
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

/// Makes passive calls active that only the callee can undo.
struct ActivateCalls;

impl Pass<Declare> for ActivateCalls {
    fn about(&self) -> &'static About {
        &About {
            name: "activate-calls",
            need: Need::Required,
            summary: "Makes passive calls active whose side effects only the callee can restore.",
            reads: "facts of activity, side effects",
            writes: "facts of activity, procedures",
            source: "",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Declaring<'_>) -> Result<(), Diagnostics> {
        // TBR analysis has done the same before.
        if doc.stmts.values().all(|stmt| stmt.recorded.is_none()) {
            let mut copies = PassiveCopies::default();
            while callee_restores::take_as_active(doc, &work.options.externals, &mut copies) {
                // What is told of a program with fewer adjoints does not hold.
                tbr::forget(doc);
            }
        }
        Ok(())
    }
}

/// Declares adjoint variables, procedures and modules.
struct DeclareAdjoints;

impl Pass<Declare> for DeclareAdjoints {
    fn about(&self) -> &'static About {
        &About {
            name: "declare-derivatives",
            need: Need::Required,
            summary: "Copies active procedures, and declares adjoints of their variables, types and modules.",
            reads: "facts of activity, declarations",
            writes: "procedures, declarations",
            source: "paper 3, 3.1",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Declaring<'_>) -> Result<(), Diagnostics> {
        let naming = Naming {
            variable: work.options.suffix_variable.clone(),
            procedure: work.options.suffix_procedure.clone(),
            title: "Adjoint".into(),
            transposed: true,
        };
        let (parts, warnings) = Counterparts::make(doc, &naming, None)?;
        work.report.extend(warnings);
        without_parameters(doc, &parts)?;
        work.parts = parts;
        Ok(())
    }
}

/// Refuses active variables whose types have parameters: the kinds of adjoints of their components are unknown.
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

/// Gives calls that pass one variable twice procedures with one adjoint for both arguments.
struct ShareAdjoints;

impl Pass<Declare> for ShareAdjoints {
    fn about(&self) -> &'static About {
        &About {
            name: "share-adjoints",
            need: Need::Required,
            summary: "Gives calls that pass one variable for two arguments a procedure with one adjoint for both.",
            reads: "calls, side effects",
            writes: "procedures",
            source: "",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Declaring<'_>) -> Result<(), Diagnostics> {
        shared_adjoints::share(doc, &mut work.parts, &work.options.externals);
        Ok(())
    }
}

/// Makes procedures of one sweep for split calls.
struct SplitProcedures;

impl Pass<Declare> for SplitProcedures {
    fn about(&self) -> &'static About {
        &About {
            name: "split-procedures",
            need: Need::Required,
            summary: "Chooses joint or split mode for each call, and copies procedures for split calls.",
            reads: "calls, side effects, recorded values",
            writes: "procedures",
            source: "Griewank and Walther 2008, 12.2",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Declaring<'_>) -> Result<(), Diagnostics> {
        let parts = std::mem::take(&mut work.parts);
        let (parts, warnings) =
            split_procedures::make(doc, parts, work.choices, &work.options.modes);
        work.parts = parts;
        work.report.extend(warnings);
        Ok(())
    }
}

/// Leaves DEALLOCATE of local variables out where the end of the procedure releases them.
struct DeferDeallocation;

impl Pass<Declare> for DeferDeallocation {
    fn about(&self) -> &'static About {
        &About {
            name: "defer-deallocation",
            need: Need::Required,
            summary: "Removes DEALLOCATE of locals that nothing names later: pointers to them stay valid.",
            reads: "bodies",
            writes: "bodies",
            source: "",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Declaring<'_>) -> Result<(), Diagnostics> {
        let procs = of_both_sweeps(&work.parts);
        deferred_deallocation::keep_until_the_end(doc, &procs);
        Ok(())
    }
}

/// The procedures that execute both sweeps.
fn of_both_sweeps(parts: &Counterparts) -> Vec<ProcId> {
    let adjoints = parts.procedures.iter().map(|&(_, adjoint)| adjoint);
    adjoints.filter(|&adjoint| parts.sweep_of(adjoint) == Sweep::Both).collect()
}

/// Moves local targets of procedures with one sweep behind pointers.
struct MoveTargets;

impl Pass<Declare> for MoveTargets {
    fn about(&self) -> &'static About {
        &About {
            name: "move-targets",
            need: Need::Required,
            summary: "Moves local targets of split procedures to memory that outlives the forward sweep.",
            reads: "declarations, pointer assignments",
            writes: "declarations, bodies",
            source: "",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Declaring<'_>) -> Result<(), Diagnostics> {
        work.moved = targets::move_local_targets(doc, &work.parts);
        Ok(())
    }
}

/// Gives adjoints in COMMON blocks their first value.
struct InitialiseCommon;

impl Pass<Declare> for InitialiseCommon {
    fn about(&self) -> &'static About {
        &About {
            name: "initialise-common",
            need: Need::Required,
            summary: "Writes a BLOCK DATA that initialises adjoints in COMMON blocks to zero.",
            reads: "declarations",
            writes: "declarations",
            source: "",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Declaring<'_>) -> Result<(), Diagnostics> {
        common_blocks::begin_with_zero(doc, &mut work.parts);
        Ok(())
    }
}

/// Declares the intents of adjoint procedures.
struct DeclareIntents;

impl Pass<Reverse> for DeclareIntents {
    fn about(&self) -> &'static About {
        &About {
            name: "declare-intents",
            need: Need::Required,
            summary: "Declares active arguments and outputs INOUT, as adjoint procedures read and write them.",
            reads: "declarations",
            writes: "declarations",
            source: "",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Adjoint<'_>) -> Result<(), Diagnostics> {
        work.signatures(doc);
        Ok(())
    }
}

/// Removes statements whose results nothing reads.
struct DeadCode;

impl Pass<Reverse> for DeadCode {
    fn about(&self) -> &'static About {
        &About {
            name: "dead-code",
            need: Need::Optimisation,
            summary: "Removes statements, loops and records that no adjoint needs, and adjoints that are zero.",
            reads: "side effects, liveness",
            writes: "bodies",
            source: "paper 5, 4.4",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Adjoint<'_>) -> Result<(), Diagnostics> {
        let parts = &work.tools.parts;
        let sweeps: Vec<(ProcId, Sweep)> = parts
            .procedures
            .iter()
            .map(|&(_, adjoint)| (adjoint, parts.sweep_of(adjoint)))
            .filter(|&(_, sweep)| sweep != Sweep::Forward)
            .collect();
        let joint: HashMap<ProcId, ProcId> = parts
            .procedures
            .iter()
            .copied()
            .filter(|&(_, adjoint)| parts.sweep_of(adjoint) == Sweep::Both)
            .collect();
        dead_code::remove_dead(
            doc,
            (&sweeps, &joint),
            &parts.derivatives(),
            &work.options.externals,
        );
        Ok(())
    }
}

/// Lets loops index the tape by their iteration.
struct IndexedTape;

impl Pass<Reverse> for IndexedTape {
    fn about(&self) -> &'static About {
        &About {
            name: "indexed-tape",
            need: Need::Optimisation,
            summary: "Reserves a block of the tape for a counted loop, which indexes it instead of pushing.",
            reads: "mirrored loops, recorded values",
            writes: "bodies",
            source: "",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Adjoint<'_>) -> Result<(), Diagnostics> {
        let known = (&work.mirrors, &work.ways);
        indexed_tape::use_blocks(doc, &work.tools.parts, known, &work.options.externals);
        Ok(())
    }
}

/// Lets loops of the backward sweep count upwards.
struct LoopDirection;

impl Pass<Reverse> for LoopDirection {
    fn about(&self) -> &'static About {
        &About {
            name: "loop-direction",
            need: Need::Optimisation,
            summary: "Lets loops of the backward sweep run upwards where their iterations are independent.",
            reads: "dependences",
            writes: "loops",
            source: "Allen and Kennedy 2001, 2.3",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Adjoint<'_>) -> Result<(), Diagnostics> {
        let parts = &work.tools.parts;
        let procs = with_backward_sweep(parts);
        loop_direction::count_upwards(doc, &procs, &parts.derivatives());
        Ok(())
    }
}

/// Lets the arrays of time levels change places.
struct BufferSwap;

impl Pass<Reverse> for BufferSwap {
    fn about(&self) -> &'static About {
        &About {
            name: "buffer-swap",
            need: Need::Optimisation,
            summary: "Exchanges the arrays of two time levels by MOVE_ALLOC where a loop copies one to the other.",
            reads: "dependences",
            writes: "bodies",
            source: "",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Adjoint<'_>) -> Result<(), Diagnostics> {
        let procs = Reverse::procedures(work);
        buffer_swap::exchange_levels(doc, &procs);
        Ok(())
    }
}

/// Lets a block of the backward sweep add to each adjoint once.
struct MergeIncrements;

impl Pass<Reverse> for MergeIncrements {
    fn about(&self) -> &'static About {
        &About {
            name: "merge-increments",
            need: Need::Optimisation,
            summary: "Merges the increments of one adjoint in a block.",
            reads: "dependences",
            writes: "bodies",
            source: "paper 1",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Adjoint<'_>) -> Result<(), Diagnostics> {
        let procs = with_backward_sweep(&work.tools.parts);
        merge_increments::merge_increments(doc, &procs, &work.tools.parts.derivatives());
        Ok(())
    }
}

/// Lets the backward sweep compute each value once.
struct ShareValues;

impl Pass<Reverse> for ShareValues {
    fn about(&self) -> &'static About {
        &About {
            name: "share-values",
            need: Need::Optimisation,
            summary: "Computes each value of a block once.",
            reads: "available expressions, dependences",
            writes: "bodies",
            source: "Aho et al. 2007, 8.5",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Adjoint<'_>) -> Result<(), Diagnostics> {
        let procs = with_backward_sweep(&work.tools.parts);
        share_values::share_values(doc, &procs, &work.tools.parts.derivatives());
        Ok(())
    }
}

/// The procedures that execute a backward sweep.
fn with_backward_sweep(parts: &Counterparts) -> Vec<ProcId> {
    let adjoints = parts.procedures.iter().map(|&(_, adjoint)| adjoint);
    adjoints.filter(|&adjoint| parts.sweep_of(adjoint) != Sweep::Forward).collect()
}
