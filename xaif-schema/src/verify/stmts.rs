//! Expressions, references and statements, each by itself.

use std::collections::HashSet;

use super::{At, Verifier, graph};
use crate::diag::Code;
use crate::intrinsics::spelling;
use crate::model::{
    Access, Arg, ArgValue, Attr, BoolOp, Cfg, Document, ExprKind, Marker, Operands, Piece, StmtId,
    StmtKind, VertexId, VertexKind,
};
use crate::tape;

/// OX0205: operators have the operands that they need.
pub(super) fn check_operands(verifier: &mut Verifier<'_>) {
    for (id, expr) in verifier.doc.exprs.iter() {
        let fault = match &expr.kind {
            ExprKind::Boolean { op, operands } => {
                let wanted = if *op == BoolOp::Not { 1 } else { 2 };
                let right = operands.len() == wanted && distinct(operands, wanted);
                (!right).then(|| format!("this operation has operands at positions 1 to {wanted}"))
            }
            ExprKind::Intrinsic { name, operands, .. } => (!distinct(operands, usize::MAX))
                .then(|| format!("two operands of `{name}` have the same position")),
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => None,
        };
        if let Some(message) = fault {
            verifier.report(Code::BAD_OPERANDS, At::Expr(id), message);
        }
    }
}

/// OX0232: intrinsics are known.
pub(super) fn check_intrinsics(verifier: &mut Verifier<'_>, also_known: &[String]) {
    for (id, expr) in verifier.doc.exprs.iter() {
        let ExprKind::Intrinsic { name, .. } = &expr.kind else { continue };
        if spelling(name).is_none() && !also_known.iter().any(|known| **known == **name) {
            let message = format!("there is no intrinsic `{name}`");
            verifier.report(Code::UNKNOWN_INTRINSIC, At::Expr(id), message);
        }
    }
}

/// Whether all positions are distinct and between 1 and `last`.
fn distinct(operands: &Operands, last: usize) -> bool {
    let mut seen = HashSet::new();
    operands.iter().all(|operand| {
        let position = usize::from(operand.position);
        position >= 1 && position <= last && (operands.len() == 1 || seen.insert(position))
    })
}

/// OX0210: keys into the sets of the document.
pub(super) fn check_keys(verifier: &mut Verifier<'_>) {
    let doc = verifier.doc;
    let mut keys = |name: &str, list: Vec<i64>| -> HashSet<i64> {
        let mut keys = HashSet::from([0]);
        let mut seen = HashSet::new();
        for key in list {
            if !seen.insert(key) {
                let message = format!("the {name} set {key} is listed twice");
                verifier.report(Code::SET_KEY, At::Document, message);
            }
            keys.insert(key);
        }
        keys
    };
    let alias = keys("alias", doc.aliases.sets.iter().map(|set| set.0).collect());
    let du_ud = keys("DU/UD", doc.du_ud.sets.iter().map(|set| set.key).collect());
    let chains = keys("DO", doc.overwrites.sets.iter().map(|set| set.key).collect());
    let unknown = |name: &str, key: i64| format!("there is no {name} set {key}");
    for (id, reference) in doc.refs.iter() {
        if let Some(key) = reference.alias.filter(|key| !alias.contains(key)) {
            verifier.report(Code::SET_KEY, At::Ref(id), unknown("alias", key));
        }
        if let Some(key) = reference.du_ud.filter(|key| !du_ud.contains(key)) {
            verifier.report(Code::SET_KEY, At::Ref(id), unknown("DU/UD", key));
        }
    }
    for (name, sets) in [("DU/UD", &doc.du_ud), ("DO", &doc.overwrites)] {
        let mut before = HashSet::new();
        for set in &sets.sets {
            for key in set.includes.iter().filter(|key| !before.contains(*key)) {
                let message = format!(
                    "the {name} set {} includes set {key}, which does not stand before it",
                    set.key
                );
                verifier.report(Code::SET_KEY, At::Document, message);
            }
            before.insert(set.key);
        }
    }
    for (id, stmt) in doc.stmts.iter() {
        if let Some(key) = stmt.do_chain.filter(|key| !chains.contains(key)) {
            verifier.report(Code::SET_KEY, At::Stmt(id), unknown("DO", key));
        }
    }
}

/// OX0224: the pieces of a marker name operands that it has and edges of its block.
pub(super) fn check_markers(verifier: &mut Verifier<'_>) {
    let doc = verifier.doc;
    for (id, stmt) in doc.stmts.iter() {
        let StmtKind::Marker(marker) = &stmt.kind else { continue };
        for piece in &marker.text {
            if let Piece::Operand(index) = piece
                && *index >= marker.operands.len()
            {
                let message = format!("the statement has no operand {index}");
                verifier.report(Code::BAD_PIECE, At::Stmt(id), message);
            }
        }
    }
    for (_, cfg) in graph::all(doc) {
        for (vertex, data) in cfg.vertices.iter() {
            let VertexKind::BasicBlock { stmts, .. } = &data.kind else { continue };
            for (i, &stmt) in stmts.iter().enumerate() {
                let StmtKind::Marker(marker) = &doc.stmts[stmt].kind else { continue };
                let last = i + 1 == stmts.len();
                check_ways_out(verifier, cfg, vertex, stmt, marker, last);
            }
        }
    }
}

fn check_ways_out(
    verifier: &mut Verifier<'_>,
    cfg: &Cfg,
    vertex: VertexId,
    stmt: StmtId,
    marker: &Marker,
    last: bool,
) {
    for piece in &marker.text {
        let Piece::Label(condition) = piece else { continue };
        if !last {
            let message = "a statement that may jump is the last of its block";
            verifier.report(Code::BAD_PIECE, At::Stmt(stmt), message);
        } else if !cfg.successors(vertex).any(|edge| edge.condition == Some(*condition)) {
            let message = format!("the block has no edge for the condition {condition}");
            verifier.report(Code::BAD_PIECE, At::Stmt(stmt), message);
        }
    }
}

/// OX0228: operations of the tape have the arguments that their table tells.
pub(super) fn check_tape(verifier: &mut Verifier<'_>) {
    for (id, stmt) in verifier.doc.stmts.iter() {
        let StmtKind::InlinableCall(call) = &stmt.kind else { continue };
        if let Some(message) = tape::operation(&call.name)
            .and_then(|operation| wrong_argument(verifier.doc, operation, &call.args))
        {
            verifier.report(Code::BAD_TAPE, At::Stmt(id), message);
        }
    }
}

fn wrong_argument(doc: &Document, operation: &tape::Operation, args: &[Arg]) -> Option<String> {
    let name = operation.name;
    if args.len() != operation.args.len() {
        return Some(format!(
            "`{name}` has {} arguments, not {}",
            operation.args.len(),
            args.len()
        ));
    }
    operation.args.iter().zip(args).zip(1..).find_map(|((wanted, arg), position)| {
        let ArgValue::Expr(expr) = arg.value else {
            return Some(format!("a label is no argument of `{name}`"));
        };
        let expr = &doc.exprs[expr];
        let variable = matches!(expr.kind, ExprKind::Ref(_));
        if arg.position != position || arg.keyword.is_some() {
            Some(format!("the arguments of `{name}` stand in their order, without keywords"))
        } else if !wanted.sort.takes(expr.ty) {
            Some(format!("argument {position} of `{name}` is {}", wanted.sort.name()))
        } else if wanted.access != Access::Read && !variable {
            Some(format!("argument {position} of `{name}` is a variable"))
        } else if wanted.sort == tape::Sort::Block && !is_contiguous_pointer(doc, &expr.kind) {
            Some(format!("argument {position} of `{name}` is a contiguous pointer"))
        } else {
            None
        }
    })
}

/// Whether it is a whole variable with the attributes POINTER and CONTIGUOUS.
fn is_contiguous_pointer(doc: &Document, kind: &ExprKind) -> bool {
    let ExprKind::Ref(reference) = *kind else { return false };
    let reference = &doc.refs[reference];
    let decl = doc.symbols[reference.base].decl.as_ref();
    let has = |attr| decl.is_some_and(|decl| decl.has(attr));
    reference.parts.is_empty() && has(Attr::Pointer) && has(Attr::Contiguous)
}

/// OX0233: recomputations are intrinsic assignments to one variable, in loops (FORALL) or not.
pub(super) fn check_recomputations(verifier: &mut Verifier<'_>) {
    let doc = verifier.doc;
    for (id, stmt) in doc.stmts.iter().filter(|(_, stmt)| stmt.recompute) {
        if !is_assignment(doc, id) || stmt.local_jacobian.is_some() {
            let message = "only an intrinsic assignment recomputes a value";
            verifier.report(Code::BAD_RECOMPUTATION, At::Stmt(id), message);
        }
    }
}

/// Whether a statement is an intrinsic assignment, or a FORALL without a mask of such assignments to one variable.
fn is_assignment(doc: &Document, stmt: StmtId) -> bool {
    let mut body = vec![stmt];
    while let [only] = body[..]
        && let StmtKind::Forall(forall) = &doc.stmts[only].kind
    {
        if forall.header.mask.is_some() {
            return false;
        }
        body.clone_from(&forall.body);
    }
    let variable = doc.recomputed_variable(stmt);
    let is_own = |&inner: &StmtId| match doc.stmts[inner].kind {
        StmtKind::Assign { lhs, defined: None, .. } => Some(doc.refs[lhs].base) == variable,
        _ => false,
    };
    body.iter().all(is_own)
}

/// OX0225: masked assignments and FORALL.
pub(super) fn check_masked(verifier: &mut Verifier<'_>) {
    let doc = verifier.doc;
    for (id, stmt) in doc.stmts.iter() {
        let bodies: Vec<&[StmtId]> = match &stmt.kind {
            StmtKind::Where(masked) => {
                let before_last = masked.arms.len().saturating_sub(1);
                if masked.arms.iter().take(before_last).any(|arm| arm.mask.is_none()) {
                    let message = "only the last arm of a WHERE lacks a mask";
                    verifier.report(Code::BAD_MASKED, At::Stmt(id), message);
                }
                masked.arms.iter().map(|arm| arm.body.as_slice()).collect()
            }
            StmtKind::Forall(forall) => vec![forall.body.as_slice()],
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => continue,
        };
        for &inner in bodies.into_iter().flatten() {
            match &doc.stmts[inner].kind {
                StmtKind::Assign { .. }
                | StmtKind::PointerAssign { .. }
                | StmtKind::Where(_)
                | StmtKind::Forall(_)
                | StmtKind::Comment(_) => (),
                StmtKind::Call(_)
                | StmtKind::InlinableCall(_)
                | StmtKind::Propagate(_)
                | StmtKind::Allocate(_)
                | StmtKind::Release(_)
                | StmtKind::OpenScope(_)
                | StmtKind::CloseScope(_)
                | StmtKind::Marker(_) => {
                    let message = "WHERE and FORALL hold assignments only";
                    verifier.report(Code::BAD_MASKED, At::Stmt(inner), message);
                }
            }
        }
    }
}
