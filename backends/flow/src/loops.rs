//! How a loop vertex is written: as a counted DO, or as an assignment and a DO WHILE.

use std::collections::HashSet;

use xaif_schema::model::{
    Access, Arg, ArgValue, Attr, BoolOp, Document, ExprId, ExprKind, ForForm, InlinableCall, RefId,
    Role, ScopeKind, SpecItem, Stmt, StmtId, StmtKind, SymbolId, VertexId, VertexKind,
};
use xaif_schema::tape::operation;
use xaif_schema::uses::Uses;

use crate::graph::Graph;

/// The bounds of a counted loop.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    /// The variable.
    pub var: RefId,
    /// Its first value.
    pub lower: ExprId,
    /// The bound.
    pub upper: ExprId,
    /// Whether the bound itself is excluded, and on which side.
    pub strict: Option<Direction>,
    /// The step, if it is not 1.
    pub step: Option<Step>,
}

/// A step.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// The expression.
    Plus(ExprId),
    /// The negative of the expression.
    Minus(ExprId),
}

/// The way a loop counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Upwards.
    Up,
    /// Downwards.
    Down,
}

/// The loop as a counted DO, where it is one.
pub fn counted(graph: &Graph<'_>, head: VertexId) -> Option<Counted> {
    let VertexKind::ForLoop { init, condition, update, form, .. } = graph.kind(head) else {
        return None;
    };
    let doc = graph.doc;
    let (var, lower) = assignment(&doc.stmts[*init])?;
    let base = simple(doc, var)?;
    let (_, next) = assignment(&doc.stmts[*update])?;
    let (step, direction) = stride(doc, base, next)?;
    let (upper, strict) = bound(doc, base, *condition, direction)?;
    let counted = Counted { var, lower, upper, strict, step };
    let fixed = match form {
        ForForm::Counted => true,
        ForForm::General => is_fixed(graph, head, base, &counted, false),
    };
    fixed.then_some(counted)
}

/// Whether a test in each iteration of a counted loop that is entered at its beginning gives the same number of
/// iterations as the count before the loop.
pub fn is_steady(graph: &Graph<'_>, head: VertexId) -> bool {
    counted(graph, head).is_some_and(|counted| {
        let base = graph.doc.refs[counted.var].base;
        is_fixed(graph, head, base, &counted, false)
    })
}

/// What is known about the iterations of a counted loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounds {
    /// A test in each iteration gives the same number as Fortran's count before the loop.
    Steady,
    /// Only the count before the loop gives it.
    Fixed {
        /// Whether no iteration is entered but through the beginning of the loop.
        begun: bool,
    },
    /// The loop does not count as a DO does.
    Unknown,
}

/// What is known about the iterations of the counted loop at `head`.
pub fn rounds(graph: &Graph<'_>, head: VertexId) -> Rounds {
    let Some(counted) = counted(graph, head) else { return Rounds::Unknown };
    let base = graph.doc.refs[counted.var].base;
    if is_fixed(graph, head, base, &counted, true) {
        return Rounds::Steady;
    }
    Rounds::Fixed { begun: is_begun(graph, head) }
}

/// Whether control reaches no end of the loop but through its head.
fn is_begun(graph: &Graph<'_>, head: VertexId) -> bool {
    let mut seen = HashSet::from([head]);
    let entries = graph.cfg.vertices.keys();
    let mut stack: Vec<VertexId> =
        entries.filter(|&v| matches!(graph.kind(v), VertexKind::Entry(_))).collect();
    while let Some(vertex) = stack.pop() {
        if seen.insert(vertex) {
            stack.extend(graph.out(vertex).map(|(_, edge)| edge.target));
        }
    }
    graph.loop_ends(head).all(|end| !seen.contains(&end))
}

/// Whether something stands behind the body of the loop, before its end: CYCLE would skip it.
pub fn has_tail(graph: &Graph<'_>, head: VertexId) -> bool {
    match graph.kind(head) {
        VertexKind::ForLoop { .. } => counted(graph, head).is_none(),
        VertexKind::PostLoop { .. } => true,
        _ => false,
    }
}

fn assignment(stmt: &Stmt) -> Option<(RefId, ExprId)> {
    match stmt.kind {
        StmtKind::Assign { lhs, rhs, .. } => Some((lhs, rhs)),
        _ => None,
    }
}

/// The variable of a reference to a whole variable.
fn simple(doc: &Document, reference: RefId) -> Option<SymbolId> {
    let reference = &doc.refs[reference];
    reference.parts.is_empty().then_some(reference.base)
}

fn is_var(doc: &Document, base: SymbolId, expr: ExprId) -> bool {
    match doc.exprs[expr].kind {
        ExprKind::Ref(reference) => simple(doc, reference) == Some(base),
        _ => false,
    }
}

fn binary(doc: &Document, expr: ExprId) -> Option<(&str, ExprId, ExprId)> {
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[expr].kind else { return None };
    let left = operands.iter().find(|operand| operand.position == 1)?;
    let right = operands.iter().find(|operand| operand.position == 2)?;
    Some((name, left.expr, right.expr))
}

/// The value of an integer literal, perhaps behind a sign.
pub fn integer(doc: &Document, expr: ExprId) -> Option<i64> {
    match &doc.exprs[expr].kind {
        ExprKind::Constant(constant) => constant.text.trim().parse().ok(),
        ExprKind::Intrinsic { name, operands, .. } if &**name == "minus_scal" => {
            let ExprKind::Constant(constant) = &doc.exprs[operands.first()?.expr].kind else {
                return None;
            };
            constant.text.trim().parse::<i64>().ok()?.checked_neg()
        }
        ExprKind::Ref(_)
        | ExprKind::Intrinsic { .. }
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => None,
    }
}

/// The step of `next`, the new value of the variable, and the direction as far as it is known.
fn stride(
    doc: &Document,
    base: SymbolId,
    next: ExprId,
) -> Option<(Option<Step>, Option<Direction>)> {
    let (name, left, right) = binary(doc, next)?;
    let (amount, negative) = match name {
        "add_scal_scal" if is_var(doc, base, left) => (right, false),
        "add_scal_scal" if is_var(doc, base, right) => (left, false),
        "sub_scal_scal" if is_var(doc, base, left) => (right, true),
        _ => return None,
    };
    let value = integer(doc, amount).map(|value| if negative { -value } else { value });
    let direction = match value {
        Some(0) => return None,
        Some(value) if value > 0 => Some(Direction::Up),
        Some(_) => Some(Direction::Down),
        None => None,
    };
    let step = match (value, negative) {
        (Some(1), _) => None,
        (_, false) => Some(Step::Plus(amount)),
        (_, true) => Some(Step::Minus(amount)),
    };
    Some((step, direction))
}

/// The bound that a condition compares the variable with.
fn bound(
    doc: &Document,
    base: SymbolId,
    condition: ExprId,
    direction: Option<Direction>,
) -> Option<(ExprId, Option<Direction>)> {
    let ExprKind::Boolean { op, operands } = &doc.exprs[condition].kind else { return None };
    let left = operands.iter().find(|operand| operand.position == 1)?.expr;
    let right = operands.iter().find(|operand| operand.position == 2)?.expr;
    let (op, left, right) = if is_var(doc, base, right) && !is_var(doc, base, left) {
        (mirrored(*op), right, left)
    } else {
        (*op, left, right)
    };
    if is_var(doc, base, left) {
        // A step that is no literal has the sign that the comparison supposes only in the form
        // `(var - upper)*step <= 0`.
        return match (op, direction) {
            (BoolOp::LessOrEqual, Some(Direction::Up)) => Some((right, None)),
            (BoolOp::LessThan, Some(Direction::Up)) => Some((right, Some(Direction::Up))),
            (BoolOp::GreaterOrEqual, Some(Direction::Down)) => Some((right, None)),
            (BoolOp::GreaterThan, Some(Direction::Down)) => Some((right, Some(Direction::Down))),
            // Our front-end knows the sign of named constants and folded expressions, too.
            (BoolOp::LessOrEqual | BoolOp::GreaterOrEqual, None) => Some((right, None)),
            _ => None,
        };
    }
    let ("mul_scal_scal", difference, _) = binary(doc, left)? else { return None };
    let ("sub_scal_scal", minuend, upper) = binary(doc, difference)? else { return None };
    let zero = integer(doc, right) == Some(0);
    (op == BoolOp::LessOrEqual && zero && is_var(doc, base, minuend)).then_some((upper, None))
}

fn mirrored(op: BoolOp) -> BoolOp {
    match op {
        BoolOp::LessThan => BoolOp::GreaterThan,
        BoolOp::LessOrEqual => BoolOp::GreaterOrEqual,
        BoolOp::GreaterThan => BoolOp::LessThan,
        BoolOp::GreaterOrEqual => BoolOp::LessOrEqual,
        BoolOp::Equal
        | BoolOp::NotEqual
        | BoolOp::And
        | BoolOp::Or
        | BoolOp::Not
        | BoolOp::Xor
        | BoolOp::Equivalent => op,
    }
}

/// Whether a loop whose condition is evaluated in each iteration is a counted one: the variable is an
/// integer that only the loop changes, the step a literal, and nothing changes the bound.
///
/// Of a `torn` loop, which is left and entered again, everything that follows belongs to the body,
/// and what others may change does not count as steady.
fn is_fixed(
    graph: &Graph<'_>,
    head: VertexId,
    base: SymbolId,
    counted: &Counted,
    torn: bool,
) -> bool {
    let doc = graph.doc;
    let literal = match counted.step {
        None => true,
        Some(Step::Plus(step) | Step::Minus(step)) => integer(doc, step).is_some(),
    };
    let symbol = &doc.symbols[base];
    let whole_number = symbol.class == xaif_schema::model::TypeClass::Integer;
    if !literal || !whole_number {
        return false;
    }
    let mut uses = Uses::new(doc);
    uses.expr(counted.upper);
    let bound: HashSet<SymbolId> = uses.symbols.into_iter().collect();
    let calls_something = !bound.is_empty() && has_call(doc, counted.upper);
    if bound.contains(&base) || calls_something {
        return false;
    }
    if torn && (!is_private(doc, base) || bound.iter().any(|&symbol| !is_private(doc, symbol))) {
        return false;
    }
    match written(graph, head, torn) {
        Some(written) => !written.contains(&base) && written.is_disjoint(&bound),
        None => bound.is_empty(),
    }
}

/// Whether a variable changes only where its name stands: no other procedure and no other name
/// reaches it.
fn is_private(doc: &Document, symbol: SymbolId) -> bool {
    let Some(decl) = doc.symbols[symbol].decl.as_deref() else { return false };
    if matches!(decl.role, Role::Constant) {
        return true;
    }
    let scope = &doc.scopes[doc.symbols[symbol].scope];
    let shared = scope.items.iter().any(|item| {
        matches!(item, SpecItem::Equivalence(_) | SpecItem::Common { .. } | SpecItem::Opaque { .. })
    });
    matches!(scope.kind, ScopeKind::Procedure(_))
        && scope.contains.is_empty()
        && !shared
        && decl.common.is_none()
        && !decl.has(Attr::Pointer)
        && !decl.has(Attr::Target)
}

/// Whether an expression calls a function that is no intrinsic.
fn has_call(doc: &Document, root: ExprId) -> bool {
    let mut stack = vec![root];
    while let Some(expr) = stack.pop() {
        match &doc.exprs[expr].kind {
            ExprKind::Call(_) | ExprKind::Opaque(_) => return true,
            ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
                stack.extend(operands.iter().map(|operand| operand.expr));
            }
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_) => {}
        }
    }
    false
}

/// Whether a dummy argument without keyword is passed by value.
fn is_by_value(doc: &Document, callee: SymbolId, place: usize, arg: &Arg) -> bool {
    let proc = doc.described_by(callee).filter(|_| arg.keyword.is_none());
    let dummy = proc.and_then(|proc| doc.procs[proc].args.get(place)?.symbol);
    dummy.is_some_and(|dummy| doc.has(dummy, Attr::Value))
}

/// The variables that an operation of the tape may overwrite.
fn written_by_tape(doc: &Document, call: &InlinableCall) -> Vec<SymbolId> {
    let Some(operation) = operation(&call.name) else { return Vec::new() };
    let args = operation.args.iter().zip(&call.args);
    args.filter(|(formal, _)| formal.access != Access::Read)
        .filter_map(|(_, arg)| match arg.value {
            ArgValue::Expr(expr) => match doc.exprs[expr].kind {
                ExprKind::Ref(reference) => Some(doc.refs[reference].base),
                _ => None,
            },
            ArgValue::AlternateReturn(_) => None,
        })
        .collect()
}

/// The variables that the body of a loop may change; `None` if nobody can tell.
fn written(graph: &Graph<'_>, head: VertexId, torn: bool) -> Option<HashSet<SymbolId>> {
    let doc = graph.doc;
    let mut symbols = HashSet::new();
    for stmt in body_statements(graph, head, torn) {
        match &doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, defined: None, .. } | StmtKind::PointerAssign { lhs, .. } => {
                symbols.insert(doc.refs[*lhs].base);
            }
            StmtKind::Call(call) => {
                for (place, arg) in call.args.iter().enumerate() {
                    let ArgValue::Expr(expr) = arg.value else { continue };
                    if is_by_value(doc, call.callee.symbol, place, arg) && !has_call(doc, expr) {
                        continue;
                    }
                    let mut uses = Uses::new(doc);
                    uses.expr(expr);
                    symbols.extend(uses.symbols);
                }
            }
            StmtKind::InlinableCall(call) => symbols.extend(written_by_tape(doc, call)),
            StmtKind::Marker(marker) => {
                if marker.pessimistic {
                    return None;
                }
                for operand in &marker.operands {
                    // Output reads its operands; what they call may write more.
                    if operand.access == Access::Read && !has_call(doc, operand.expr) {
                        continue;
                    }
                    let mut uses = Uses::new(doc);
                    uses.expr(operand.expr);
                    symbols.extend(uses.symbols);
                }
            }
            StmtKind::Propagate(_) | StmtKind::Comment(_) => {}
            StmtKind::Allocate(allocate) => {
                let own =
                    allocate.objects.iter().copied().chain(allocate.stat).chain(allocate.errmsg);
                symbols.extend(own.map(|object| doc.refs[object].base));
            }
            StmtKind::Release(release) => {
                let own = release.objects.iter().copied().chain(release.stat).chain(release.errmsg);
                symbols.extend(own.map(|object| doc.refs[object].base));
            }
            StmtKind::Assign { .. }
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_) => return None,
        }
    }
    Some(symbols)
}

/// The statements of the body of a loop: of all vertices that are reached from its beginning
/// without passing through the loop itself.
fn body_statements(graph: &Graph<'_>, head: VertexId, torn: bool) -> Vec<StmtId> {
    let mut stmts = Vec::new();
    let mut seen = HashSet::from([head]);
    // What only follows the loop is no part of its body; stopping there makes the answer sharper,
    // not righter.
    seen.extend(graph.after_loop(head).filter(|_| !torn));
    let mut stack: Vec<VertexId> = graph.body_of(head).into_iter().collect();
    while let Some(vertex) = stack.pop() {
        if !seen.insert(vertex) {
            continue;
        }
        match graph.kind(vertex) {
            VertexKind::BasicBlock { stmts: block, .. } => stmts.extend(block),
            VertexKind::ForLoop { init, update, .. } => stmts.extend([*init, *update]),
            _ => {}
        }
        stack.extend(graph.out(vertex).map(|(_, edge)| edge.target));
    }
    stmts
}
