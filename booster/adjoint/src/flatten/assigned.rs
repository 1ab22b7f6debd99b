//! An assigned GOTO out of a loop becomes a computed one.
//!
//! `goto k, (10, 20)` leads to each of its labels directly, so on the way to one of them nothing can be
//! recorded; where it leaves a loop, the backward sweep would not know. But a variable that has been
//! given a label by ASSIGN is nothing else between that and its GOTO: here ASSIGN gives it the number of
//! the label, and the jump asks for that. A variable that a FORMAT may be found by stays as it is.

use xaif_schema::model::{
    Base, Body, BoolOp, BranchForm, Cfg, Document, EdgeId, ExprId, ExprKind, Jump, Piece, ProcId,
    StmtId, StmtKind, SymbolId, Ty, Verb, Vertex, VertexId, VertexKind,
};

use crate::body::statements;
use booster_build::{Copier, boolean, integer, intrinsic, nodes_of};

/// Rewrites the jumps of a procedure, where one of them leaves a loop.
pub(crate) fn flatten(doc: &mut Document, proc: ProcId) {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return };
    let mut variables: Vec<SymbolId> =
        leaving(cfg).into_iter().filter_map(|jump| variable(doc, selector(cfg, jump)?)).collect();
    variables.sort_unstable();
    variables.dedup();
    variables.retain(|&symbol| is_for_jumps(doc, cfg, symbol));
    if variables.is_empty() {
        return;
    }
    let mut cfg = std::mem::take(match &mut doc.procs[proc].body {
        Body::Flow(cfg) => cfg,
        Body::Interface | Body::Replacements { .. } => return,
    });
    let chosen = |doc: &Document, expr| {
        variable(doc, expr).is_some_and(|symbol| variables.contains(&symbol))
    };
    for stmt in statements(&cfg) {
        if let Some((to, label)) = assigned(doc, stmt).filter(|&(to, _)| chosen(doc, to))
            && let ExprKind::Ref(lhs) = doc.exprs[to].kind
        {
            let rhs = integer(doc, label, doc.stmts[stmt].place);
            doc.stmts[stmt].kind = StmtKind::Assign { lhs, rhs, defined: None };
        }
    }
    for jump in cfg.layout.clone() {
        if let Some(expr) = selector(&cfg, jump).filter(|&expr| chosen(doc, expr)) {
            compute(doc, &mut cfg, jump, expr);
        }
    }
    doc.procs[proc].body = Body::Flow(cfg);
}

/// The assigned GOTOs that lead out of a loop.
fn leaving(cfg: &Cfg) -> Vec<VertexId> {
    if !cfg.layout.iter().any(|&vertex| selector(cfg, vertex).is_some()) {
        return Vec::new();
    }
    let mut open: Vec<VertexId> = Vec::new();
    let mut around: Vec<(VertexId, Vec<VertexId>)> = Vec::new();
    for &vertex in &cfg.layout {
        match &cfg.vertices[vertex].kind {
            VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. } => open.push(vertex),
            VertexKind::EndLoop => {
                open.pop();
            }
            VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::BasicBlock { .. }
            | VertexKind::Branch { .. }
            | VertexKind::EndBranch
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => {}
        }
        around.push((vertex, open.clone()));
    }
    let loops = |vertex: VertexId| {
        around.iter().find(|(one, _)| *one == vertex).map(|(_, loops)| &loops[..]).unwrap_or(&[])
    };
    let leaves = |&jump: &VertexId| {
        selector(cfg, jump).is_some()
            && cfg.successors(jump).any(|edge| {
                let there = loops(edge.target);
                loops(jump).iter().any(|one| !there.contains(one))
            })
    };
    cfg.layout.iter().copied().filter(leaves).collect()
}

/// What an assigned GOTO looks at.
fn selector(cfg: &Cfg, vertex: VertexId) -> Option<ExprId> {
    match cfg.vertices[vertex].kind {
        VertexKind::Branch { form: BranchForm::AssignedGoto, condition, .. } => condition,
        _ => None,
    }
}

/// The variable that an expression is.
fn variable(doc: &Document, expr: ExprId) -> Option<SymbolId> {
    let reference = doc.exprs[expr].reference()?;
    doc.refs[reference].parts.is_empty().then_some(doc.refs[reference].base)
}

/// `assign 10 to k`: the variable and the label.
fn assigned(doc: &Document, stmt: StmtId) -> Option<(ExprId, i64)> {
    let StmtKind::Marker(marker) = &doc.stmts[stmt].kind else { return None };
    let label = marker.text.iter().find_map(|piece| match piece {
        Piece::StatementLabel(label) => Some(i64::from(*label)),
        Piece::Label(_) | Piece::Text(_) | Piece::Operand(_) => None,
    })?;
    let to = marker.operands.first().filter(|_| marker.verb == Verb::AssignLabel)?;
    Some((to.expr, label))
}

/// Whether no input or output may look for a FORMAT by the variable, nor what is not understood.
fn is_for_jumps(doc: &Document, cfg: &Cfg, symbol: SymbolId) -> bool {
    statements(cfg).all(|stmt| match &doc.stmts[stmt].kind {
        StmtKind::Marker(marker) => {
            let names = |expr| {
                nodes_of(doc, [expr]).into_iter().any(|node| variable(doc, node) == Some(symbol))
            };
            assigned(doc, stmt).is_some()
                || !marker.pessimistic && !marker.operands.iter().any(|operand| names(operand.expr))
        }
        StmtKind::Assign { .. }
        | StmtKind::PointerAssign { .. }
        | StmtKind::Call(_)
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Comment(_) => true,
    })
}

/// `goto (10, 20), merge(1, merge(2, 3, k == 20), k == 10)` with `goto 30` behind it, where no text goes
/// on.
fn compute(doc: &mut Document, cfg: &mut Cfg, jump: VertexId, expr: ExprId) {
    let ways: Vec<EdgeId> =
        cfg.edges.iter().filter(|(_, edge)| edge.source == jump).map(|(id, _)| id).collect();
    let Some((&last, first)) = ways.split_last() else { return };
    let place = cfg.vertices[jump].place;
    cfg.edges[last].condition = None;
    if first.is_empty() {
        cfg.vertices[jump].kind = VertexKind::Goto(Jump::Goto);
        return;
    }
    let number = |at: usize| i64::try_from(at + 1).unwrap_or(i64::MAX);
    let mut chosen = integer(doc, number(first.len()), place);
    for (at, &way) in first.iter().enumerate().rev() {
        let label = cfg.edges[way].condition.unwrap_or_default();
        cfg.edges[way].condition = Some(number(at));
        let (own, label) = (Copier::new().expr(doc, expr), integer(doc, label, place));
        let is_own = boolean(doc, BoolOp::Equal, &[own, label]);
        let this = integer(doc, number(at), place);
        let ty = Ty::scalar(Base::Integer(4));
        chosen = intrinsic(doc, "merge", &[this, chosen, is_own], ty);
    }
    cfg.vertices[jump].kind =
        VertexKind::Branch { condition: Some(chosen), form: BranchForm::ComputedGoto, name: None };
    let kind = VertexKind::Goto(Jump::Goto);
    let other = cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
    if let Some(at) = cfg.layout.iter().position(|&vertex| vertex == jump) {
        cfg.layout.insert(at + 1, other);
    }
    cfg.edges[last].source = other;
    cfg.connect(jump, other);
}
