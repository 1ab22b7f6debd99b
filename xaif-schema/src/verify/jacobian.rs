//! OX0229: what belongs to a local Jacobian is complete and stands in its order.

use std::collections::HashSet;

use super::{At, Verifier, graph};
use crate::diag::Code;
use crate::model::{
    Document, ExprId, ExprKind, LocalJacobian, Propagator, Reference, Stmt, StmtId, StmtKind,
    SymbolId, VertexKind,
};
use crate::uses::Uses;

/// Every statement with a part in a local Jacobian, block by block.
pub(super) fn check(verifier: &mut Verifier<'_>) {
    let doc = verifier.doc;
    if doc.stmts.values().all(|stmt| stmt.local_jacobian.is_none()) {
        return;
    }
    let mut found = Vec::new();
    let mut seen: HashSet<StmtId> = HashSet::new();
    for (_, cfg) in graph::all(doc) {
        for data in cfg.vertices.values() {
            let VertexKind::BasicBlock { stmts, .. } = &data.kind else { continue };
            seen.extend(stmts);
            check_block(doc, stmts, &mut found);
        }
    }
    for (id, stmt) in doc.stmts.iter() {
        if stmt.local_jacobian.is_some() && !seen.contains(&id) {
            found.push((id, "a part of a local Jacobian stands in no basic block"));
        }
    }
    for (stmt, message) in found {
        verifier.report(Code::BAD_LOCAL_JACOBIAN, At::Stmt(stmt), message);
    }
}

fn check_block(doc: &Document, stmts: &[StmtId], found: &mut Vec<(StmtId, &'static str)>) {
    // The last statement that waits for its propagator, and whether it is to be executed again.
    let mut open: Option<(StmtId, bool)> = None;
    let mut chain = Chain::default();
    for &id in stmts {
        let stmt = &doc.stmts[id];
        let comment = matches!(stmt.kind, StmtKind::Comment(_));
        let part = stmt.local_jacobian;
        found.extend(fault(doc, stmt).map(|message| (id, message)));
        let last = matches!(part, Some(LocalJacobian::Again | LocalJacobian::Propagator));
        if matches!(open, Some((_, true))) && !last && !comment {
            let message =
                "this stands between an assignment that is executed again and its propagator";
            found.push((id, message));
        }
        if part == Some(LocalJacobian::Again) && !chain.takes(doc, stmt) {
            found.push((id, "executed again, this or one before would read another value"));
        } else if part == Some(LocalJacobian::Propagator) {
            chain = Chain::default();
        }
        open = match part {
            Some(LocalJacobian::Value | LocalJacobian::Entry) => Some((id, false)),
            Some(LocalJacobian::Again) => Some((id, true)),
            Some(LocalJacobian::Propagator) => None,
            Some(LocalJacobian::Memory) | None => open,
        };
    }
    if let Some((id, _)) = open {
        found.push((id, "the propagator of this local Jacobian is missing"));
    }
}

/// Assignments that are executed again: each reads what it has read, or what another of them assigns.
#[derive(Default)]
struct Chain {
    assigned: HashSet<SymbolId>,
    read: HashSet<SymbolId>,
}

impl Chain {
    /// Whether one more may follow.
    fn takes(&mut self, doc: &Document, stmt: &Stmt) -> bool {
        let StmtKind::Assign { lhs, rhs, .. } = stmt.kind else { return true };
        let mut uses = Uses::new(doc);
        uses.expr(rhs);
        let read = uses.references.iter().map(|&reference| doc.refs[reference].base);
        self.read.extend(read.filter(|symbol| !self.assigned.contains(symbol)));
        let Reference { base, parts, .. } = &doc.refs[lhs];
        let fits = parts.is_empty() && (self.assigned.contains(base) || !self.read.contains(base));
        self.assigned.insert(*base);
        fits
    }
}

/// What is wrong with the statement by itself.
fn fault(doc: &Document, stmt: &Stmt) -> Option<&'static str> {
    match (stmt.local_jacobian?, &stmt.kind) {
        (
            LocalJacobian::Value | LocalJacobian::Entry | LocalJacobian::Again,
            StmtKind::Assign { lhs, defined: None, .. },
        ) => (doc.refs[*lhs].active != Some(false))
            .then_some("what a local Jacobian assigns is marked passive"),
        (LocalJacobian::Propagator, StmtKind::Propagate(steps)) => {
            let right = steps.iter().all(|step| match step {
                Propagator::Sax { terms, .. } => {
                    terms.iter().all(|(coefficient, _)| is_passive(doc, *coefficient))
                }
                Propagator::Set { .. }
                | Propagator::SetNegative { .. }
                | Propagator::Increment { .. }
                | Propagator::Decrement { .. }
                | Propagator::Saxpy { .. }
                | Propagator::Zero { .. } => false,
            });
            (!right).then_some("a local Jacobian has sums with passive coefficients")
        }
        (LocalJacobian::Memory, StmtKind::Allocate(_) | StmtKind::Release(_)) => None,
        (_, _) => Some("no statement of this kind has a part in a local Jacobian"),
    }
}

/// Whether all variables in the expression are marked passive, and nothing is called.
fn is_passive(doc: &Document, root: ExprId) -> bool {
    let mut stack = vec![root];
    while let Some(expr) = stack.pop() {
        match &doc.exprs[expr].kind {
            ExprKind::Constant(_) => {}
            ExprKind::Ref(reference) if doc.refs[*reference].active == Some(false) => {}
            ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
                stack.extend(operands.iter().map(|operand| operand.expr));
            }
            ExprKind::Ref(_)
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => return false,
        }
    }
    true
}
