//! Control-flow reversal: from the flow graph of a procedure the graphs of its two sweeps.
//!
//! The forward sweep is the procedure itself, in the same text, with what the backward sweep needs
//! to know pushed on the tape: which way control came where ways meet, how often a loop went round.
//! The backward sweep pops it and visits the statements in reverse, structured as far as the
//! original is (U. Naumann, J. Utke, A. Lyons, M. Fagan, Control flow reversal for adjoint code
//! generation, algorithms 2 to 5; L. Hascoët, V. Pascual, Tapenade, section 3.4).
//!
//! What stands in the place of a statement in either sweep is the caller's matter ([`Sweeps`]).
//! Nothing here knows what a derivative is.

mod append;
mod arms;
mod backward;
mod chains;
mod code;
mod forward;
mod graph;
pub mod loops;
mod plan;
mod tree;

pub use append::{append, append_to_call, enter_alike};
pub use arms::{Narrowed, take_out_narrowing};

use std::collections::HashMap;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Arg, ArgValue, Base, Body, Cfg, Document, ExprId, InlinableCall, Place, ProcId, ScopeId,
    StmtId, StmtKind, SymbolId, VertexId, VertexKind,
};

use self::tree::{EnteredLoop, Tree};
use booster_build::Emitter;
use booster_flow::Flow;

/// What the sweeps do at the places of a procedure.
pub trait Sweeps {
    /// Forward sweep: writes what stands in the place of `stmt`: pushes and the statement itself, or
    /// what replaces it. A statement that may jump (I/O with `err=`, a call with alternate returns)
    /// must stay the last of what is written.
    fn forward(&mut self, e: &mut Emitter<'_>, stmt: StmtId) -> Result<(), Diagnostic>;

    /// Forward sweep: writes the pushes alone, for the first value and the next value of a loop,
    /// which the loop itself assigns.
    fn record(&mut self, e: &mut Emitter<'_>, stmt: StmtId) -> Result<(), Diagnostic>;

    /// Backward sweep: writes pops and adjoint statements of `stmt`.
    fn backward(&mut self, e: &mut Emitter<'_>, stmt: StmtId) -> Result<(), Diagnostic>;

    /// Backward sweep: writes what must stand before the arms of a construct that selects by
    /// `selector`.
    fn selected(&mut self, _e: &mut Emitter<'_>, _selector: ExprId) -> Result<(), Diagnostic> {
        Ok(())
    }

    /// Whether [`backward`](Self::backward) writes anything: loops and branches without anything
    /// vanish from the backward sweep and need no record. Where it says no, `forward` and `record`
    /// must push nothing.
    fn has_backward(&mut self, doc: &Document, stmt: StmtId) -> bool;

    /// Whether anything in `stmts` may overwrite an operand of `expr`, side effects of calls
    /// included.
    fn overwrites(&self, doc: &Document, stmts: &[StmtId], expr: ExprId) -> bool;

    /// What is narrower within an arm of SELECT TYPE or SELECT RANK, the arms told by their scopes,
    /// besides the selector.
    fn narrowed(&self) -> HashMap<ScopeId, Narrowed> {
        HashMap::new()
    }

    /// The loop that a statement is the body of keeps some of its states, and executes iterations again: the variables that
    /// the two sweeps use for that. `variable` is the one that the loop counts by.
    fn checkpoints(
        &mut self,
        _doc: &mut Document,
        _stmt: StmtId,
        _variable: Option<SymbolId>,
    ) -> Option<Checkpointed> {
        None
    }

    /// Forward sweep: writes what stands before a loop with checkpoints whose body is `stmt`. `trip_count` is the number of
    /// iterations, where it is known.
    fn begin_checkpoints(
        &mut self,
        _e: &mut Emitter<'_>,
        _stmt: StmtId,
        _trip_count: Option<ExprId>,
    ) -> Result<(), Diagnostic> {
        Ok(())
    }

    /// A fresh local variable of the procedure.
    fn variable(&mut self, doc: &mut Document, hint: &str, base: Base) -> SymbolId;
}

/// The variables of a loop with checkpoints.
#[derive(Clone, Copy, Debug)]
pub struct Checkpointed {
    /// What is done next.
    pub action: SymbolId,
    /// The variable of the loop, or one in its place.
    pub variable: SymbolId,
}

/// The two sweeps of a procedure, each a complete body with entry and exit.
#[derive(Clone, Debug)]
pub struct Reversed {
    /// The forward sweep.
    pub forward: Cfg,
    /// The backward sweep.
    pub backward: Cfg,
    /// The loops over values that both sweeps have.
    pub loops: Vec<MirroredLoop>,
}

/// A counted loop and the one that repeats its iterations backwards, over the same values: each time that
/// the first is executed the second is, last ones first.
#[derive(Clone, Copy, Debug)]
pub struct MirroredLoop {
    /// How many counted loops stand before it in the procedure.
    pub number: usize,
    /// What assigns the first value of its variable in the forward sweep.
    pub forward: StmtId,
    /// What does in the backward sweep: the last value.
    pub backward: StmtId,
}

/// Makes the two sweeps of the body of `proc`, which stays as it is; the sweeps share its
/// statements, so only one of the three may stay in the document.
///
/// # Errors
/// What `sweeps` refuses, and control flow that cannot be reversed (OX4470 to OX4473).
pub fn reverse_flow(
    doc: &mut Document,
    proc: ProcId,
    sweeps: &mut dyn Sweeps,
) -> Result<Reversed, Diagnostics> {
    let original = match &doc.procs[proc].body {
        Body::Flow(cfg) => cfg.clone(),
        Body::Interface | Body::Replacements { .. } => Cfg::default(),
    };
    reversed(doc, proc, &original, sweeps).map_err(|diagnostic| {
        let mut list = Diagnostics::new();
        list.push(diagnostic);
        list
    })
}

fn reversed(
    doc: &mut Document,
    proc: ProcId,
    original: &Cfg,
    sweeps: &mut dyn Sweeps,
) -> Result<Reversed, Diagnostic> {
    let flow = Flow::new(original);
    let tree = Tree::new(&flow).map_err(|EnteredLoop(head)| {
        let spot = doc.spot(original.vertices[head].place);
        Diagnostic::error(Code::REVERSED_JUMP, spot, "control jumps into this loop")
            .with_help("enter the loop at its beginning")
    })?;
    let plan = plan::plan(doc, &flow, &tree, sweeps)?;
    let scope = doc.procs[proc].scope;
    let forward = forward::forward(doc, original, &tree, &plan.inserts, scope, sweeps)?;
    let (mut backward, opened) = backward::backward(doc, proc, original, &tree, &plan, sweeps)?;
    chains::chain(&mut backward);
    let loops = mirrored(original, &tree, &forward, &opened);
    Ok(Reversed { forward, backward, loops })
}

/// The loops of both sweeps; `opened` are those of the backward sweep, by construct.
fn mirrored(
    original: &Cfg,
    tree: &Tree,
    forward: &Cfg,
    opened: &[(usize, StmtId)],
) -> Vec<MirroredLoop> {
    let is_counted =
        |vertex: &&VertexId| matches!(original.vertices[**vertex].kind, VertexKind::ForLoop { .. });
    let counted: Vec<VertexId> = original.layout.iter().filter(is_counted).copied().collect();
    let pair = |&(construct, backward): &(usize, StmtId)| {
        let head = tree.constructs[construct].head;
        let number = counted.iter().position(|&other| other == head)?;
        match forward.vertices[head].kind {
            VertexKind::ForLoop { init, .. } => {
                Some(MirroredLoop { number, forward: init, backward })
            }
            _ => None,
        }
    };
    opened.iter().filter_map(pair).collect()
}

/// A tape operation of one scalar.
fn tape(e: &mut Emitter<'_>, name: &str, value: ExprId, place: Place) {
    let arg = Arg { position: 1, keyword: None, value: ArgValue::Expr(value) };
    let call = InlinableCall { name: name.into(), args: vec![arg] };
    e.stmt(StmtKind::InlinableCall(Box::new(call)), place);
}
