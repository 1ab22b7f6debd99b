//! How a loop is reversed.
//!
//! A DO over integers runs backwards over the same values: first value, bound and step are
//! evaluated again if they survive the loop, else kept and pushed behind it. Of any other loop the
//! iterations are counted (paper 2, algorithm 4).

use xaif_schema::model::{
    Base, BoolOp, Document, ExprId, ExprKind, ForForm, ProcClass, Reversal, Role, StmtId, StmtKind,
    SymbolId, Ty, Vertex, VertexKind,
};

use super::{Checkpointed, Sweeps};
use booster_build::{Copier, binary, constant_integer, integer, nodes_of, sum};

/// The parts of a DO.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    /// Its variable.
    pub variable: SymbolId,
    /// Type of the variable.
    pub base: Base,
    /// First value.
    pub first: ExprId,
    /// The bound.
    pub bound: ExprId,
    /// The step.
    pub step: ExprId,
    /// The step where the condition has it, too.
    pub step_again: Option<ExprId>,
}

/// A value that the backward sweep needs as it begins with a loop.
#[derive(Clone, Copy, Debug)]
pub(super) enum Known {
    /// A constant.
    Number(i64),
    /// It is evaluated again.
    Again(ExprId),
    /// The forward sweep keeps it in this variable and pushes it, the backward sweep pops it.
    Kept(SymbolId),
}

/// The last value of the variable of a DO for which its body was executed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Last {
    /// The bound: the step is 1 or -1.
    Bound(ExprId),
    /// It is computed from the first value, this bound, and the step.
    From(ExprId),
    /// It is pushed as the loop is left and popped into this variable.
    Popped(SymbolId),
}

/// How the iterations are repeated backwards.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rounds {
    /// Over the values of the variable of the loop.
    Over {
        /// The variable.
        variable: SymbolId,
        /// Its first value.
        first: Known,
        /// Its last value.
        last: Last,
        /// Its step.
        step: Known,
    },
    /// By the actions that the runtime chooses.
    Checkpointed(Checkpointed),
    /// As often as the body was executed.
    Counted {
        /// The variable that counts iterations, popped before the loop.
        count: SymbolId,
        /// The variable of the loop of the backward sweep.
        round: SymbolId,
    },
}

/// The loop as a DO over integers, if it is one.
pub fn counted(doc: &Document, vertex: &Vertex) -> Option<Counted> {
    parts_of_do(doc, vertex).filter(|parts| matches!(parts.base, Base::Integer(_)))
}

/// The loop as a DO over numbers of whatever type, if it is one.
pub fn parts_of_do(doc: &Document, vertex: &Vertex) -> Option<Counted> {
    let VertexKind::ForLoop { init, condition, update, form: ForForm::Counted, .. } = vertex.kind
    else {
        return None;
    };
    let StmtKind::Assign { lhs, rhs: first, .. } = doc.stmts[init].kind else { return None };
    let target = &doc.refs[lhs];
    let (variable, base) = (target.base, target.ty.base);
    if !target.parts.is_empty() {
        return None;
    }
    let is_variable = |expr: ExprId| match doc.exprs[expr].kind {
        ExprKind::Ref(reference) => {
            doc.refs[reference].base == variable && doc.refs[reference].parts.is_empty()
        }
        _ => false,
    };
    let StmtKind::Assign { rhs: next, .. } = doc.stmts[update].kind else { return None };
    let step = match two(doc, next)? {
        ("add_scal_scal", left, step) if is_variable(left) => step,
        _ => return None,
    };
    let ExprKind::Boolean { op, operands } = &doc.exprs[condition].kind else { return None };
    let left = operands.iter().find(|operand| operand.position == 1)?.expr;
    let right = operands.iter().find(|operand| operand.position == 2)?.expr;
    let (bound, step_again) = match op {
        BoolOp::LessOrEqual | BoolOp::GreaterOrEqual if is_variable(left) => (right, None),
        BoolOp::LessOrEqual => {
            let ("mul_scal_scal", distance, again) = two(doc, left)? else { return None };
            let ("sub_scal_scal", minuend, bound) = two(doc, distance)? else { return None };
            if !is_variable(minuend) || constant_integer(doc, right) != Some(0) {
                return None;
            }
            (bound, Some(again))
        }
        BoolOp::LessThan
        | BoolOp::GreaterThan
        | BoolOp::GreaterOrEqual
        | BoolOp::Equal
        | BoolOp::NotEqual
        | BoolOp::And
        | BoolOp::Or
        | BoolOp::Not
        | BoolOp::Xor
        | BoolOp::Equivalent => return None,
    };
    Some(Counted { variable, base, first, bound, step, step_again })
}

fn two(doc: &Document, expr: ExprId) -> Option<(&str, ExprId, ExprId)> {
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[expr].kind else { return None };
    let left = operands.iter().find(|operand| operand.position == 1)?;
    let right = operands.iter().find(|operand| operand.position == 2)?;
    Some((name, left.expr, right.expr))
}

/// Whether an expression is evaluated to the same value behind `stmts`, as far as nothing that is
/// executed later matters. A function is not called again: it may be expensive, and have effects. What a
/// variable points to that points to procedures is no storage, of which one could tell whether it changes.
pub(super) fn survives(
    doc: &Document,
    sweeps: &dyn Sweeps,
    stmts: &[StmtId],
    expr: ExprId,
) -> bool {
    let calls = nodes_of(doc, [expr])
        .into_iter()
        .any(|node| matches!(doc.exprs[node].kind, ExprKind::Call(_) | ExprKind::Opaque(_)));
    !calls && !asks_for_procedure(doc, expr) && !sweeps.overwrites(doc, stmts, expr)
}

/// Whether an expression asks what a variable points to that points to procedures: `associated(f)`.
pub fn asks_for_procedure(doc: &Document, expr: ExprId) -> bool {
    let is_pointer = |symbol: SymbolId| matches!(doc.role(symbol), Some(Role::Procedure(info)) if info.class == ProcClass::Pointer);
    let named = |expr: ExprId| match doc.exprs[expr].kind {
        ExprKind::Procedure(symbol) => is_pointer(symbol),
        ExprKind::Ref(reference) => {
            let reference = &doc.refs[reference];
            reference.parts.is_empty() && is_pointer(reference.base)
        }
        ExprKind::Constant(_)
        | ExprKind::Intrinsic { .. }
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Opaque(_) => false,
    };
    nodes_of(doc, [expr]).into_iter().any(|node| match &doc.exprs[node].kind {
        ExprKind::Intrinsic { operands, .. } => operands.iter().any(|operand| named(operand.expr)),
        ExprKind::Constant(_)
        | ExprKind::Ref(_)
        | ExprKind::Procedure(_)
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Opaque(_) => false,
    })
}

/// Variables that the loops of one depth share.
#[derive(Debug, Default)]
pub(super) struct Pool {
    made: std::collections::HashMap<(&'static str, usize, Base), SymbolId>,
}

impl Pool {
    /// The variable for a purpose at a depth of loops.
    pub(super) fn variable(
        &mut self,
        doc: &mut Document,
        sweeps: &mut dyn Sweeps,
        (purpose, depth): (&'static str, usize),
        base: Base,
    ) -> SymbolId {
        *self
            .made
            .entry((purpose, depth, base))
            .or_insert_with(|| sweeps.variable(doc, purpose, base))
    }
}

/// How to repeat the iterations of a loop backwards. `stmts` are all statements within the loop, its
/// own included; `within` tells whether it is left from within.
pub(super) fn rounds(
    doc: &mut Document,
    sweeps: &mut dyn Sweeps,
    pool: &mut Pool,
    vertex: &Vertex,
    stmts: &[StmtId],
    (within, depth): (bool, usize),
) -> Rounds {
    let Some(parts) = counted(doc, vertex) else {
        let default = Base::Integer(4);
        let count = pool.variable(doc, sweeps, ("trip_count", depth), default);
        let round = pool.variable(doc, sweeps, ("iteration", depth), default);
        return Rounds::Counted { count, round };
    };
    let reversal = match vertex.kind {
        VertexKind::ForLoop { reversal, .. } => reversal,
        _ => None,
    };
    let again = |doc: &Document, sweeps: &dyn Sweeps, expr| match reversal {
        Some(Reversal::Explicit) => true,
        Some(Reversal::Anonymous) => constant_integer(doc, expr).is_some(),
        None => survives(doc, sweeps, stmts, expr),
    };
    let Counted { variable, base, first, bound, step, step_again: _ } = parts;
    let step = match constant_integer(doc, step) {
        Some(number) => Known::Number(number),
        None if again(doc, sweeps, step) => Known::Again(step),
        None => Known::Kept(pool.variable(doc, sweeps, ("step", depth), base)),
    };
    let first = match again(doc, sweeps, first) {
        true => Known::Again(first),
        false => Known::Kept(pool.variable(doc, sweeps, ("first", depth), base)),
    };
    let last = match step {
        _ if within || !again(doc, sweeps, bound) => {
            Last::Popped(pool.variable(doc, sweeps, ("last", depth), base))
        }
        Known::Number(1 | -1) => Last::Bound(bound),
        Known::Number(_) | Known::Again(_) => Last::From(bound),
        Known::Kept(_) => Last::Popped(pool.variable(doc, sweeps, ("last", depth), base)),
    };
    Rounds::Over { variable, first, last, step }
}

/// The number of iterations of a DO over integers of default kind, as an expression that is evaluated before the loop.
pub(super) fn trip_count(doc: &mut Document, vertex: &Vertex) -> Option<ExprId> {
    let parts = counted(doc, vertex).filter(|parts| parts.base == Base::Integer(4))?;
    let [first, step] = [parts.first, parts.step].map(|expr| constant_integer(doc, expr));
    let bound = Copier::new().expr(doc, parts.bound);
    let [from, by] = [parts.first, parts.step].map(|expr| Copier::new().expr(doc, expr));
    let count = match (first, step) {
        (Some(1), Some(1)) => bound,
        (_, Some(1)) => {
            let distance = sum(doc, "sub_scal_scal", bound, from);
            let one = integer(doc, 1, vertex.place);
            sum(doc, "add_scal_scal", distance, one)
        }
        (_, _) => {
            let distance = sum(doc, "sub_scal_scal", bound, from);
            let again = Copier::new().expr(doc, by);
            let whole = sum(doc, "add_scal_scal", distance, again);
            binary(doc, "div_scal_scal", whole, by)
        }
    };
    (doc.exprs[count].ty == Ty::scalar(Base::Integer(4))).then_some(count)
}
