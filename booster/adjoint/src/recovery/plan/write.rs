//! Writes recomputations into bodies.

use std::collections::HashMap;

use xaif_schema::model::{
    Body, Cfg, Document, Edge, EdgeId, LocalJacobian, ProcId, ScopeId, StmtId, StmtKind, Vertex,
    VertexId, VertexKind,
};

use super::Made;
use super::equations::Equation;
use booster_build::{Copier, statement};

/// A place in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum At {
    /// Before a statement of a block.
    Before(VertexId, StmtId),
    /// On the way along an edge.
    Edge(EdgeId),
}

/// Recomputations that stand at one place, in the order of the text.
#[derive(Clone, Debug)]
pub(super) struct Insertion {
    pub(super) at: At,
    pub(super) equations: Vec<Equation>,
}

/// Writes all recomputations. A place that has no block and can have none is left out.
pub(super) fn write(
    doc: &mut Document,
    insertions: HashMap<ProcId, Vec<Insertion>>,
) -> HashMap<StmtId, Made> {
    let mut made = HashMap::new();
    let mut insertions: Vec<(ProcId, Vec<Insertion>)> = insertions.into_iter().collect();
    insertions.sort_by_key(|(proc, _)| *proc);
    for (proc, list) in insertions {
        let Body::Flow(cfg) = std::mem::replace(&mut doc.procs[proc].body, Body::Interface) else {
            continue;
        };
        let mut writer = Writer { scope: doc.procs[proc].scope, proc, doc, cfg, made: &mut made };
        let mut before: HashMap<VertexId, HashMap<StmtId, Vec<StmtId>>> = HashMap::new();
        for Insertion { at, equations } in list {
            match at {
                At::Before(vertex, stmt) => {
                    if !writer.is_within_jacobian(stmt) {
                        let stmts = writer.statements(&equations);
                        before.entry(vertex).or_default().insert(stmt, stmts);
                    }
                }
                At::Edge(edge) => writer.on_edge(edge, &equations),
            }
        }
        for (vertex, mut before) in before {
            if let VertexKind::BasicBlock { stmts, .. } = &mut writer.cfg.vertices[vertex].kind {
                let old = std::mem::take(stmts);
                for stmt in old {
                    stmts.extend(before.remove(&stmt).unwrap_or_default());
                    stmts.push(stmt);
                }
            }
        }
        let cfg = writer.cfg;
        doc.procs[proc].body = Body::Flow(cfg);
    }
    made
}

struct Writer<'w> {
    doc: &'w mut Document,
    proc: ProcId,
    scope: ScopeId,
    cfg: Cfg,
    made: &'w mut HashMap<StmtId, Made>,
}

impl Writer<'_> {
    fn statements(&mut self, equations: &[Equation]) -> Vec<StmtId> {
        let mut stmts = Vec::new();
        for one in equations {
            let StmtKind::Assign { lhs, rhs, .. } = self.doc.stmts[one.stmt].kind else { continue };
            let copier = Copier::new();
            let (lhs, rhs) = (copier.reference(self.doc, lhs), copier.expr(self.doc, rhs));
            let place = self.doc.stmts[one.stmt].place;
            let kind = StmtKind::Assign { lhs, rhs, defined: None };
            let stmt = statement(self.doc, kind, place);
            self.doc.stmts[stmt].recompute = true;
            let (value, operands) = (one.value, one.operands.clone());
            self.made.insert(stmt, Made { proc: self.proc, value, operands });
            stmts.push(stmt);
        }
        stmts
    }

    /// Whether nothing may stand before a statement, as it goes with the one before it.
    fn is_within_jacobian(&self, stmt: StmtId) -> bool {
        matches!(
            self.doc.stmts[stmt].local_jacobian,
            Some(LocalJacobian::Again | LocalJacobian::Propagator)
        )
    }

    fn on_edge(&mut self, edge: EdgeId, equations: &[Equation]) {
        let Edge { source, target, .. } = self.cfg.edges[edge];
        let leaving = self.cfg.edges.values().filter(|other| other.source == source).count();
        match &self.cfg.vertices[source].kind {
            VertexKind::BasicBlock { .. } if leaving == 1 => {
                let new = self.statements(equations);
                if let VertexKind::BasicBlock { stmts, .. } = &mut self.cfg.vertices[source].kind {
                    stmts.extend(new);
                }
            }
            VertexKind::EndBranch | VertexKind::ForLoop { .. } => {
                self.on_new_block(edge, (source, target), equations);
            }
            VertexKind::BasicBlock { .. }
            | VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::Branch { .. }
            | VertexKind::EndLoop
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. }
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => {}
        }
    }

    /// Behind a construct that ends the arm or loop around it a block is made.
    fn on_new_block(
        &mut self,
        edge: EdgeId,
        (source, target): (VertexId, VertexId),
        equations: &[Equation],
    ) {
        let closes =
            matches!(self.cfg.vertices[target].kind, VertexKind::EndLoop | VertexKind::EndBranch);
        let last = match self.cfg.vertices[source].kind {
            VertexKind::ForLoop { .. } => self.end_of_loop(source),
            _ => Some(source),
        };
        let position = last.and_then(|last| self.cfg.layout.iter().position(|&one| one == last));
        // Only where control falls through from the construct to the end of what is around it.
        let falls = |position: usize| {
            let next = self.cfg.layout.get(position + 1);
            closes && next.is_some_and(|&next| is_end_of_arm(&self.cfg, next, target))
        };
        let Some(position) = position.filter(|&position| falls(position)) else { return };
        let stmts = self.statements(equations);
        let scope = self.scope_beside(position);
        let place = self.cfg.vertices[source].place;
        let kind = VertexKind::BasicBlock { scope, stmts };
        let block = self.cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
        self.cfg.layout.insert(position + 1, block);
        self.cfg.edges[edge].target = block;
        self.cfg.connect(block, target);
    }

    /// The end of a loop, by the edge back to its head.
    fn end_of_loop(&self, head: VertexId) -> Option<VertexId> {
        let mut back = self.cfg.edges.values().filter(|edge| {
            edge.target == head
                && matches!(self.cfg.vertices[edge.source].kind, VertexKind::EndLoop)
        });
        back.next().map(|edge| edge.source)
    }

    /// The scope of the nearest block before the construct that ends at a position, and beside it; else that of the
    /// procedure, as recomputations name nothing that a construct declares.
    fn scope_beside(&self, end: usize) -> ScopeId {
        let mut inside = 0;
        for &vertex in self.cfg.layout[..=end].iter().rev() {
            match self.cfg.vertices[vertex].kind {
                VertexKind::EndBranch | VertexKind::EndLoop => inside += 1,
                VertexKind::Branch { .. }
                | VertexKind::ForLoop { .. }
                | VertexKind::PreLoop { .. }
                | VertexKind::PostLoop { .. }
                | VertexKind::ConcurrentLoop { .. } => {
                    if inside == 0 {
                        break;
                    }
                    inside -= 1;
                }
                VertexKind::BasicBlock { scope, .. } if inside == 0 => return scope,
                VertexKind::BasicBlock { .. }
                | VertexKind::Entry(_)
                | VertexKind::Exit
                | VertexKind::Goto(_)
                | VertexKind::Label { .. } => {}
            }
        }
        self.scope
    }
}

/// Whether the text behind a construct is the end of the arm or loop that `target` closes: `target` itself, or the
/// beginning of another arm, to which control does not fall through.
fn is_end_of_arm(cfg: &Cfg, next: VertexId, target: VertexId) -> bool {
    next == target
        || matches!(cfg.vertices[target].kind, VertexKind::EndBranch)
            && !cfg.edges.values().any(|edge| edge.target == next && edge.source == target)
}
