//! The state of the procedure whose adjoint is written.
//!
//! [`ProcedureContext`] is made new for each procedure: nothing of it goes from one procedure to the next.

use std::collections::{HashMap, HashSet};

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{Body, Document, ExprId, RefId, Reference, ScopeId, StmtId, SymbolId};

use crate::body::Adjoint;
use crate::passes::Reverse;
use crate::recovery::hoist::ranges_around;
use crate::recovery::recompute::Afresh;
use crate::statements::pointer::Holder;
use booster_facts::dependence::Range;
use booster_facts::loops::loops;
use booster_passes::{About, Need, Pass};
use booster_reversal::{Checkpointed, Narrowed, Reversed};

/// The state of one procedure, from its first pass to its last.
#[derive(Default)]
pub(crate) struct ProcedureContext {
    /// Variables of the activation, before the sweeps add theirs.
    pub(crate) activation: Vec<SymbolId>,
    /// Variables of callers and modules that the procedure may allocate, and that have adjoints.
    pub(crate) reallocated: Vec<SymbolId>,
    /// Integer variables that the procedure does not overwrite.
    pub(crate) invariants: HashSet<SymbolId>,
    /// The counted loops around each statement.
    pub(crate) loops_around: HashMap<StmtId, Vec<Range>>,
    /// The counted loops around the statement whose adjoint is written.
    pub(crate) loops_here: Vec<Range>,
    /// Records before a loop that are made only if the loop has an iteration: loop, record, condition.
    pub(crate) guarded: Vec<(StmtId, Reference, ExprId)>,
    /// Scalars of loops that the backward sweep computes again.
    pub(crate) recomputed: Vec<Afresh>,
    /// Variables of loops that compute arrays again, by the name of the index and how often it is around.
    pub(crate) indices_again: HashMap<(String, usize), SymbolId>,
    /// The variables of loops with checkpoints, by the call that is the body, and whether the loop counts by one of them.
    pub(crate) checkpointed: HashMap<StmtId, (Checkpointed, bool)>,
    /// Variables that are narrower in arms of SELECT TYPE and SELECT RANK.
    pub(crate) narrowed: HashMap<ScopeId, Narrowed>,
    /// Variables whose value is used where it is set, by name.
    pub(crate) scratch: HashMap<String, SymbolId>,
    /// Variables that hold associations of pointers, by pointer.
    pub(crate) holders: HashMap<SymbolId, Holder>,
    /// Pointer components that are undefined as the procedure begins.
    pub(crate) undefined: Vec<RefId>,
    /// The two sweeps, between their reversal and their union in one body.
    pub(crate) sweeps: Option<Reversed>,
    /// Targets that the forward sweep names.
    pub(crate) pointed_to: HashSet<SymbolId>,
}

/// Finds the variables and loops of a procedure before its sweeps are written.
pub(crate) struct ExamineProcedure;

impl Pass<Reverse> for ExamineProcedure {
    fn about(&self) -> &'static About {
        &About {
            name: "examine-procedure",
            need: Need::Required,
            summary: "Finds variables of the activation, loops and invariants before the sweeps are written.",
            reads: "bodies, overwritten variables",
            writes: "nothing",
            source: "",
        }
    }

    fn run(&self, doc: &mut Document, work: &mut Adjoint<'_>) -> Result<(), Diagnostics> {
        work.no_questions(doc).map_err(|problem| Diagnostics::from_iter([problem]))?;
        work.context.activation = work.kept_variables(doc);
        work.context.reallocated = work.may_be_reallocated(doc);
        if let Body::Flow(cfg) = &doc.procs[work.proc].body {
            work.context.invariants = work.settled_variables(doc, cfg);
            work.context.loops_around = ranges_around(cfg, &loops(doc, cfg));
        }
        Ok(())
    }
}
