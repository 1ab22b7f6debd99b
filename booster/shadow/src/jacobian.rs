//! Local Jacobians, as stages behind preaccumulation see them (paper 2, section 3).
//!
//! A propagator of ours has steps `deriv(y) = sum of a*deriv(x)`. The derivative of such a step is
//! that of the assignment `y = sum of a*x` with passive `a`: tangent and adjoint build its right-hand
//! side and treat it by the rules that they have for assignments, but without the assignment of the
//! value. What they read is told here, too: the coefficients and the subscripts, and for coefficients that
//! the backward sweep accumulates again what that reads.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    Base, Body, BoolOp, Cfg, Document, ExprId, ExprKind, LocalJacobian, Propagator, RefId, StmtId,
    StmtKind, SymbolId, Ty, VertexKind,
};

use booster_build::{
    Copier, binary, boolean, intrinsic, negate, nodes_of, real, subscripts_of, value_of,
};
use booster_linearize::{convert, zero};

/// `deriv(y) = sum of a*deriv(x)`
#[derive(Clone, Debug)]
pub struct Sum {
    /// What is overwritten.
    pub y: RefId,
    /// Coefficients with what they belong to.
    pub terms: Vec<(ExprId, RefId)>,
}

/// The steps of a propagator that preaccumulation has made; `None` for all other statements.
pub fn local_jacobian(doc: &Document, stmt: StmtId) -> Option<Vec<Sum>> {
    let (Some(LocalJacobian::Propagator), StmtKind::Propagate(steps)) =
        (doc.stmts[stmt].local_jacobian, &doc.stmts[stmt].kind)
    else {
        return None;
    };
    let sums = steps.iter().map(|step| match step {
        Propagator::Sax { terms, y } => Some(Sum { y: *y, terms: terms.clone() }),
        Propagator::Set { .. }
        | Propagator::SetNegative { .. }
        | Propagator::Increment { .. }
        | Propagator::Decrement { .. }
        | Propagator::Saxpy { .. }
        | Propagator::Zero { .. } => None,
    });
    sums.collect()
}

/// The right-hand side of the assignment whose derivative is the step: new nodes.
pub fn right_hand_side(doc: &mut Document, sum: &Sum) -> ExprId {
    let place = doc.refs[sum.y].place;
    let base = doc.refs[sum.y].ty.base;
    let mut total: Option<ExprId> = None;
    for &(coefficient, x) in &sum.terms {
        let copied = Copier::new().reference(doc, x);
        let variable = value_of(doc, copied);
        let (negative, factor) = factor(doc, coefficient);
        let term = match factor {
            Some(factor) => product(doc, factor, variable),
            None => variable,
        };
        total = Some(match (total, negative) {
            (Some(total), false) => binary(doc, "add_scal_scal", total, term),
            (Some(total), true) => binary(doc, "sub_scal_scal", total, term),
            (None, false) => term,
            (None, true) => negate(doc, term),
        });
    }
    let Some(total) = total else { return real(doc, "0.0", base, place) };
    match (doc.exprs[total].ty.base, base) {
        // Compilers warn of what loses digits unless it says so.
        (Base::Real(from), Base::Real(to)) if from > to => convert(doc, total, base),
        _ => total,
    }
}

/// A coefficient times a variable. Where the coefficient is `merge(0, c, m)`, what it does not choose has no
/// part in the sum, whatever its derivative: `merge(0, c*x, m)`.
fn product(doc: &mut Document, coefficient: ExprId, variable: ExprId) -> ExprId {
    let copied = |doc: &mut Document, expr: ExprId| Copier::new().expr(doc, expr);
    match choice(doc, coefficient) {
        Some([factor, mask]) => {
            let (factor, mask) = (copied(doc, factor), copied(doc, mask));
            let product = binary(doc, "mul_scal_scal", factor, variable);
            zero_where(doc, product, mask)
        }
        None => {
            let factor = copied(doc, coefficient);
            binary(doc, "mul_scal_scal", factor, variable)
        }
    }
}

/// `c` and `m` of `merge(0, c, m)`.
fn choice(doc: &Document, coefficient: ExprId) -> Option<[ExprId; 2]> {
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[coefficient].kind else {
        return None;
    };
    let at = |position| Some(operands.iter().find(|one| one.position == position)?.expr);
    (&**name == "merge" && is_zero(doc, at(1)?)).then_some([at(2)?, at(3)?])
}

/// Whether an expression is the literal 0, of a real or complex type.
fn is_zero(doc: &Document, expr: ExprId) -> bool {
    let literal = |expr: ExprId| {
        let ExprKind::Constant(constant) = &doc.exprs[expr].kind else { return false };
        number(&constant.text) == Some(0.0)
    };
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[expr].kind else {
        return literal(expr);
    };
    &**name == "complex_literal" && operands.iter().all(|one| literal(one.expr))
}

/// `merge(0, value, abs(factor) <= 0)`: a product with a factor that is 0 because something was not chosen, and
/// such a factor itself. What is no number is no 0, and compilers do not warn of this comparison.
pub fn unless_zero(doc: &mut Document, value: ExprId, factor: ExprId) -> ExprId {
    let holds = is_none(doc, factor);
    zero_where(doc, value, holds)
}

/// `abs(value) <= 0`
pub fn is_none(doc: &mut Document, value: ExprId) -> ExprId {
    let Ty { base, rank } = doc.exprs[value].ty;
    let base = match base {
        Base::Complex(bytes) => Base::Real(bytes),
        other => other,
    };
    let size = intrinsic(doc, "abs_scal", &[value], Ty { base, rank });
    let none = zero(doc, base, value);
    boolean(doc, BoolOp::LessOrEqual, &[size, none])
}

fn zero_where(doc: &mut Document, value: ExprId, mask: ExprId) -> ExprId {
    let Ty { base, rank } = doc.exprs[value].ty;
    let none = zero(doc, base, value);
    let rank = rank.max(doc.exprs[mask].ty.rank);
    intrinsic(doc, "merge", &[none, value, mask], Ty { base, rank })
}

/// The sign of a coefficient, and what is left of it; nothing is left of one.
fn factor(doc: &Document, coefficient: ExprId) -> (bool, Option<ExprId>) {
    match &doc.exprs[coefficient].kind {
        ExprKind::Constant(constant) => match one(&constant.text) {
            Some(negative) => (negative, None),
            None => (false, Some(coefficient)),
        },
        ExprKind::Intrinsic { name, operands, .. } if &**name == "minus_scal" => {
            match operands.first() {
                Some(operand) => {
                    let (negative, rest) = factor(doc, operand.expr);
                    (!negative, rest)
                }
                None => (false, Some(coefficient)),
            }
        }
        ExprKind::Ref(_)
        | ExprKind::Intrinsic { .. }
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => (false, Some(coefficient)),
    }
}

/// Whether a literal is minus one, if it is one or minus one.
fn one(text: &str) -> Option<bool> {
    let number = number(text)?;
    (number.abs() == 1.0).then_some(number < 0.0)
}

/// The number that a literal is.
fn number(text: &str) -> Option<f64> {
    text.split('_').next()?.to_ascii_lowercase().replace('d', "e").parse().ok()
}

/// The statements of each basic block.
fn blocks(doc: &Document) -> impl Iterator<Item = &[StmtId]> {
    let bodies = doc.procs.values().filter_map(|proc| match &proc.body {
        Body::Flow(cfg) => Some(cfg),
        Body::Interface | Body::Replacements { .. } => None,
    });
    let vertices = bodies.flat_map(|cfg| cfg.vertices.values());
    vertices.filter_map(|vertex| match &vertex.kind {
        VertexKind::BasicBlock { stmts, .. } => Some(&stmts[..]),
        _ => None,
    })
}

/// For each propagator the assignments that the backward sweep executes again before what mirrors it,
/// in their order.
pub fn executed_again(doc: &Document) -> HashMap<StmtId, Vec<StmtId>> {
    let mut found = HashMap::new();
    for stmts in blocks(doc) {
        let mut chain = Vec::new();
        for &stmt in stmts {
            match doc.stmts[stmt].local_jacobian {
                Some(LocalJacobian::Again) => chain.push(stmt),
                Some(LocalJacobian::Propagator) => {
                    let chain = std::mem::take(&mut chain);
                    if !chain.is_empty() {
                        found.insert(stmt, chain);
                    }
                }
                Some(LocalJacobian::Value | LocalJacobian::Entry | LocalJacobian::Memory)
                | None => {}
            }
        }
    }
    found
}

/// For ALLOCATE and DEALLOCATE of each local Jacobian those objects, with their bounds, that a backward
/// sweep names: coefficients of the propagator, what is accumulated once more, and what has an adjoint.
pub fn named_backwards(doc: &Document) -> HashMap<StmtId, Vec<RefId>> {
    let mut found = HashMap::new();
    for stmts in blocks(doc) {
        let mut allocated = None;
        let mut named: HashSet<SymbolId> = HashSet::new();
        for &stmt in stmts {
            let data = &doc.stmts[stmt];
            match (data.local_jacobian, &data.kind) {
                (Some(LocalJacobian::Memory), StmtKind::Allocate(allocate)) => {
                    allocated = Some((stmt, allocate.objects.clone()));
                    named.clear();
                }
                (Some(LocalJacobian::Memory), _) => {
                    let Some((first, mut objects)) = allocated.take() else { continue };
                    objects.retain(|&object| {
                        let object = &doc.refs[object];
                        named.contains(&object.base) || object.active != Some(false)
                    });
                    found.insert(first, objects.clone());
                    found.insert(stmt, objects);
                }
                (Some(LocalJacobian::Again), &StmtKind::Assign { lhs, rhs, .. }) => {
                    named.insert(doc.refs[lhs].base);
                    named.extend(names(doc, [rhs]));
                }
                (Some(LocalJacobian::Propagator), StmtKind::Propagate(_)) => {
                    let sums = local_jacobian(doc, stmt).unwrap_or_default();
                    let terms = sums.iter().flat_map(|sum| &sum.terms);
                    named.extend(names(doc, terms.map(|&(coefficient, _)| coefficient)));
                }
                (_, _) => {}
            }
        }
    }
    found
}

/// The passive variables that are allocated for local Jacobians.
pub fn entries_that_are_allocated(doc: &Document) -> HashSet<SymbolId> {
    let objects = doc.stmts.values().filter_map(|data| match &data.kind {
        StmtKind::Allocate(allocate) => {
            (data.local_jacobian == Some(LocalJacobian::Memory)).then_some(&allocate.objects)
        }
        _ => None,
    });
    let passive = objects.flatten().filter(|&&object| doc.refs[object].active == Some(false));
    passive.map(|&object| doc.refs[object].base).collect()
}

/// What the references in expressions are based on.
fn names(doc: &Document, roots: impl IntoIterator<Item = ExprId>) -> Vec<SymbolId> {
    let nodes = nodes_of(doc, roots).into_iter();
    nodes.filter_map(|node| Some(doc.refs[doc.exprs[node].reference()?].base)).collect()
}

/// What is read where the steps are executed, in whatever mode, with the values before them: the
/// coefficients, but for those that `again` computes, and what that reads; all subscripts.
pub fn read_by_steps(doc: &Document, steps: &[Sum], again: &[StmtId]) -> Vec<RefId> {
    let mut computed: HashSet<SymbolId> = HashSet::new();
    let mut found = Vec::new();
    let mut note = |roots: Vec<ExprId>, computed: &HashSet<SymbolId>| {
        for node in nodes_of(doc, roots) {
            let Some(reference) = doc.exprs[node].reference() else { continue };
            let read = &doc.refs[reference];
            if !(read.parts.is_empty() && computed.contains(&read.base)) {
                found.push(reference);
            }
        }
    };
    for &stmt in again {
        let StmtKind::Assign { lhs, rhs, .. } = doc.stmts[stmt].kind else { continue };
        let mut roots = subscripts_of(&doc.refs[lhs]);
        roots.push(rhs);
        note(roots, &computed);
        if doc.refs[lhs].parts.is_empty() {
            computed.insert(doc.refs[lhs].base);
        }
    }
    for Sum { y, terms } in steps {
        let mut roots = subscripts_of(&doc.refs[*y]);
        for &(coefficient, x) in terms {
            roots.push(coefficient);
            roots.extend(subscripts_of(&doc.refs[x]));
        }
        note(roots, &computed);
    }
    found
}

/// The recomputations of a body by the first of each group: those of one variable that stand side by side are executed as a
/// whole.
pub fn recomputations(doc: &Document, cfg: &Cfg) -> HashMap<StmtId, Vec<StmtId>> {
    let mut groups = HashMap::new();
    for vertex in cfg.vertices.values() {
        let own = |stmt: &StmtId| doc.recomputed_variable(*stmt);
        let same =
            vertex.kind.stmts().chunk_by(|one, other| own(one).is_some() && own(one) == own(other));
        let groups_here = same.filter(|group| own(&group[0]).is_some());
        groups.extend(groups_here.map(|group| (group[0], group.to_vec())));
    }
    groups
}

/// Removes recomputations (`ox:recompute`) from the bodies of a document. Where the program executes one, it changes
/// nothing.
pub fn remove_recomputations(doc: &mut Document, is_removed: impl Fn(StmtId) -> bool) {
    let Document { procs, stmts: all, .. } = doc;
    for proc in procs.values_mut() {
        let Body::Flow(cfg) = &mut proc.body else { continue };
        for vertex in cfg.vertices.values_mut() {
            if let VertexKind::BasicBlock { stmts, .. } = &mut vertex.kind {
                stmts.retain(|&stmt| !(all[stmt].recompute && is_removed(stmt)));
            }
        }
    }
}

/// Takes local Jacobians out of a document that has its derivatives: where a propagator stands, in
/// the units of the user, with what leads to it; elsewhere, in the derivatives, what is left are
/// plain assignments.
pub fn forget_local_jacobians(doc: &mut Document) {
    let parts: HashMap<StmtId, LocalJacobian> =
        doc.stmts.iter().filter_map(|(stmt, data)| Some((stmt, data.local_jacobian?))).collect();
    if parts.is_empty() {
        return;
    }
    let bodies = doc.procs.values_mut().filter_map(|proc| match &mut proc.body {
        Body::Flow(cfg) => Some(cfg),
        Body::Interface | Body::Replacements { .. } => None,
    });
    for vertex in bodies.flat_map(|cfg| cfg.vertices.values_mut()) {
        let VertexKind::BasicBlock { stmts, .. } = &mut vertex.kind else { continue };
        let whole = |stmt: &StmtId| parts.get(stmt) == Some(&LocalJacobian::Propagator);
        if stmts.iter().any(whole) {
            stmts.retain(|stmt| match parts.get(stmt) {
                Some(LocalJacobian::Value) | None => true,
                Some(
                    LocalJacobian::Entry
                    | LocalJacobian::Again
                    | LocalJacobian::Propagator
                    | LocalJacobian::Memory,
                ) => false,
            });
        }
    }
    for stmt in doc.stmts.values_mut() {
        stmt.local_jacobian = None;
    }
}
