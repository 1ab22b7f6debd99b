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

use xaif_schema::diag::{Diagnostic, Diagnostics};
use xaif_schema::model::{Base, Body, Cfg, Document, ExprId, ProcId, StmtId, SymbolId, VertexKind};

use crate::build::{Emitter, rewrite_block};

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

    /// Whether [`backward`](Self::backward) writes anything: loops and branches without anything
    /// vanish from the backward sweep and need no record. Where it says no, `forward` and `record`
    /// must push nothing.
    fn has_backward(&mut self, doc: &Document, stmt: StmtId) -> bool;

    /// Whether anything in `stmts` may overwrite an operand of `expr`, side effects of calls
    /// included.
    fn overwrites(&self, doc: &Document, stmts: &[StmtId], expr: ExprId) -> bool;

    /// A fresh local variable of the procedure.
    fn variable(&mut self, doc: &mut Document, hint: &str, base: Base) -> SymbolId;
}

/// The two sweeps of a procedure, each a complete body with entry and exit.
#[derive(Clone, Debug)]
pub struct Reversed {
    /// The forward sweep.
    pub forward: Cfg,
    /// The backward sweep.
    pub backward: Cfg,
}

/// Makes the two sweeps of the body of `proc`, which stays as it is; the sweeps share its
/// statements, so only one of the three may stay in the document.
pub fn reverse_flow(
    doc: &mut Document,
    proc: ProcId,
    sweeps: &mut dyn Sweeps,
) -> Result<Reversed, Diagnostics> {
    let mut forward = match &doc.procs[proc].body {
        Body::Flow(cfg) => cfg.clone(),
        Body::Interface | Body::Replacements { .. } => Cfg::default(),
    };
    straight(doc, proc, &mut forward, sweeps).map_err(|diagnostic| {
        let mut list = Diagnostics::new();
        list.push(diagnostic);
        list
    })
}

/// Straight-line code.
fn straight(
    doc: &mut Document,
    proc: ProcId,
    forward: &mut Cfg,
    sweeps: &mut dyn Sweeps,
) -> Result<Reversed, Diagnostic> {
    let (scope, place) = (doc.procs[proc].scope, doc.procs[proc].place);
    let mut all = Vec::new();
    let layout = std::mem::take(&mut forward.layout);
    for vertex in layout {
        forward.layout.push(vertex);
        if let VertexKind::BasicBlock { stmts, .. } = &forward.vertices[vertex].kind {
            all.extend(stmts.iter().copied());
            rewrite_block(doc, forward, vertex, &mut |e, site| match site {
                crate::build::Site::Stmt(stmt) => sweeps.forward(e, stmt),
                crate::build::Site::Head(_) => Ok(()),
            })?;
        }
    }
    let mut backward = Cfg::default();
    let mut e = Emitter::fresh(doc, scope, &mut backward, place);
    for &stmt in all.iter().rev() {
        if sweeps.has_backward(e.doc, stmt) {
            sweeps.backward(&mut e, stmt)?;
        }
    }
    e.finish();
    Ok(Reversed { forward: std::mem::take(forward), backward })
}

/// The forward sweep and then the backward sweep as one body: whatever leads to the end of the
/// forward sweep (but STOP) goes on to the beginning of the backward sweep.
pub fn append(forward: Cfg, backward: Cfg) -> Cfg {
    use xaif_schema::model::{Edge, Jump, SecondaryMap, VertexId};

    let mut cfg = forward;
    let find = |cfg: &Cfg, exit: bool| {
        cfg.layout.iter().copied().find(|&vertex| match cfg.vertices[vertex].kind {
            VertexKind::Exit => exit,
            VertexKind::Entry(None) => !exit,
            _ => false,
        })
    };
    let Some(old_exit) = find(&cfg, true) else { return backward };
    // The two sweeps meet in a label, to which RETURN jumps.
    cfg.vertices[old_exit].kind = VertexKind::Label { label: None };
    let mut map: SecondaryMap<VertexId, VertexId> = SecondaryMap::with_default(old_exit);
    cfg.layout.retain(|&vertex| vertex != old_exit);
    cfg.layout.push(old_exit);
    let (entry, mut exit) = (find(&backward, false), None);
    for &vertex in &backward.layout {
        if Some(vertex) == entry {
            continue;
        }
        map[vertex] = cfg.push(backward.vertices[vertex].clone());
        if matches!(backward.vertices[vertex].kind, VertexKind::Exit) {
            exit = Some(map[vertex]);
        }
    }
    for edge in cfg.edges.values_mut().filter(|edge| edge.target == old_exit) {
        match &mut cfg.vertices[edge.source].kind {
            VertexKind::Goto(Jump::Stop) => edge.target = exit.unwrap_or(old_exit),
            VertexKind::Goto(jump) => *jump = Jump::Goto,
            _ => {}
        }
    }
    for edge in backward.edges.values() {
        cfg.edges.push(Edge {
            source: map[edge.source],
            target: map[edge.target],
            condition: edge.condition,
            guard: edge.guard.clone(),
        });
    }
    cfg.structured = None;
    cfg
}
