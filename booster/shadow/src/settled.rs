//! Settles what is known: tests whether a variable is allocated go where the answer is known, and with
//! them the arms that control never takes.
//!
//! Derivative procedures ask, since those who write a piece of them do not know what stands around it:
//! `if (allocated(a)) …` behind `a = 2*x`. A reader, and a compiler that warns of what may not be
//! set, should not have to find out. What is known is told by [`Allocation`].
//!
//! Not done: tests of module variables and of components of elements, SELECT, and tests in loop conditions.

use std::collections::BTreeSet;

use xaif_schema::model::{
    Body, BoolOp, BranchForm, Cfg, Document, ExprId, ExprKind, ProcId, StmtKind, VertexId,
    VertexKind,
};

use booster_build::{construct_at, has_call, keep_vertices, nodes_of};
use booster_facts::{Accesses, Allocation, Bodies, Changes, StepKey, Storage};

/// How often it looks again.
const ROUNDS: usize = 8;

/// Settles the tests in `procs`.
pub fn settle(doc: &mut Document, procs: &[ProcId]) {
    let asks = |node: &ExprKind| matches!(node, ExprKind::Intrinsic { name, .. } if is_test(name));
    if !doc.exprs.values().any(|expr| asks(&expr.kind)) {
        return;
    }
    // Statements go, no symbol comes: what shares storage in the end did so before.
    let storage = Storage::new(doc);
    let mut left = procs.to_vec();
    // What is gone may have been all that kept another answer open.
    for _ in 0..ROUNDS {
        let found = found(doc, &storage, &left);
        left = found.iter().map(|&(proc, _)| proc).collect();
        for (proc, answers) in found {
            if let Body::Flow(cfg) = &mut doc.procs[proc].body {
                apply(cfg, answers);
            }
        }
        if left.is_empty() {
            return;
        }
    }
}

/// The answers in procedures that have any.
fn found(doc: &Document, storage: &Storage, procs: &[ProcId]) -> Vec<(ProcId, Vec<Answer>)> {
    let accesses = Accesses::new(doc, storage);
    let bodies = Bodies::new(&accesses);
    let changes = Changes::new(&accesses, &bodies);
    let answers = |&proc: &ProcId| {
        let body = bodies.get(proc)?;
        let answers = answers(doc, body.flow.cfg, &Allocation::new(&accesses, body, &changes));
        (!answers.is_empty()).then_some((proc, answers))
    };
    procs.iter().filter_map(answers).collect()
}

/// Writes the answers into a body.
fn apply(cfg: &mut Cfg, answers: Vec<Answer>) {
    // From the end on: positions before what is changed stay.
    for answer in answers.into_iter().rev() {
        let head = cfg.layout[answer.position];
        match answer.value {
            Value::Known(value) => take_arm(cfg, head, value),
            Value::Open(left) => {
                if let VertexKind::Branch { condition, .. } = &mut cfg.vertices[head].kind {
                    *condition = Some(left);
                }
            }
        }
    }
}

/// What is known of the condition of a branch.
struct Answer {
    /// The position of the branch in the layout.
    position: usize,
    value: Value,
}

/// What a condition comes to.
#[derive(Clone, Copy, PartialEq)]
enum Value {
    Known(bool),
    /// What is left to be asked.
    Open(ExprId),
}

fn is_test(name: &str) -> bool {
    name == "allocated"
}

fn answers(doc: &Document, cfg: &Cfg, allocation: &Allocation) -> Vec<Answer> {
    let at = |(position, &vertex): (usize, &VertexId)| {
        let VertexKind::Branch { condition: Some(condition), form, .. } = cfg.vertices[vertex].kind
        else {
            return None;
        };
        if !matches!(form, BranchForm::If | BranchForm::InlineIf | BranchForm::ElseIf) {
            return None;
        }
        let value = value_of(doc, condition, allocation, StepKey::Evaluate(condition));
        let kept = asks_of_components(doc, condition) && is_on_tape(doc, cfg, position);
        (value != Value::Open(condition) && !kept).then_some(Answer { position, value })
    };
    cfg.layout.iter().enumerate().filter_map(at).collect()
}

/// Whether a condition asks for the allocation of a component.
fn asks_of_components(doc: &Document, condition: ExprId) -> bool {
    nodes_of(doc, [condition]).into_iter().any(|node| {
        doc.exprs[node].reference().is_some_and(|reference| !doc.refs[reference].parts.is_empty())
    })
}

/// Whether an arm of a branch records or takes back: its mirror has a condition of the same form, which may be a
/// recorded one.
fn is_on_tape(doc: &Document, cfg: &Cfg, position: usize) -> bool {
    let Some((_, inside)) = construct_at(cfg, position) else { return false };
    let stmts = inside.iter().flat_map(|&vertex| match &cfg.vertices[vertex].kind {
        VertexKind::BasicBlock { stmts, .. } => stmts.as_slice(),
        _ => &[],
    });
    stmts.copied().any(|stmt| matches!(doc.stmts[stmt].kind, StmtKind::InlinableCall(_)))
}

/// What a condition comes to at a step.
fn value_of(doc: &Document, expr: ExprId, allocation: &Allocation, step: StepKey) -> Value {
    match &doc.exprs[expr].kind {
        ExprKind::Intrinsic { name, operands, .. } if is_test(name) => {
            let asked = operands.first().and_then(|operand| doc.exprs[operand.expr].reference());
            let asked = asked.map(|asked| &doc.refs[asked]);
            let known = asked.and_then(|asked| allocation.is_reference_allocated(step, asked));
            known.map_or(Value::Open(expr), Value::Known)
        }
        ExprKind::Boolean { op, operands } => {
            let values = operands.iter().map(|o| value_of(doc, o.expr, allocation, step));
            of_operands(doc, expr, *op, &values.collect::<Vec<_>>())
        }
        ExprKind::Constant(_)
        | ExprKind::Ref(_)
        | ExprKind::Intrinsic { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => Value::Open(expr),
    }
}

/// What `.not.`, `.and.` and `.or.` make of their operands. What calls a function is asked in any case.
fn of_operands(doc: &Document, expr: ExprId, op: BoolOp, values: &[Value]) -> Value {
    // The value that decides alone.
    let decides = match (op, values) {
        (BoolOp::Not, [Value::Known(value)]) => return Value::Known(!value),
        (BoolOp::And, _) => false,
        (BoolOp::Or, _) => true,
        _ => return Value::Open(expr),
    };
    let open = |value: &Value| match *value {
        Value::Open(left) => Some(left),
        Value::Known(_) => None,
    };
    let left: Vec<ExprId> = values.iter().filter_map(open).collect();
    if values.contains(&Value::Known(decides)) {
        let asked = has_call(doc, left.iter().copied());
        return if asked { Value::Open(expr) } else { Value::Known(decides) };
    }
    match left[..] {
        [] => Value::Known(!decides),
        [left] if values.len() > 1 => Value::Open(left),
        _ => Value::Open(expr),
    }
}

/// An ELSE IF that was alone in an arm is what the branch around it was.
fn follow_form(cfg: &mut Cfg, head: VertexId, inside: &[VertexId], arm: &BTreeSet<VertexId>) {
    let VertexKind::Branch { form, .. } = cfg.vertices[head].kind else { return };
    let is_empty = |vertex: &VertexId| {
        matches!(&cfg.vertices[*vertex].kind,
            VertexKind::BasicBlock { stmts, .. } if stmts.is_empty())
    };
    let first = inside.iter().copied().find(|vertex| arm.contains(vertex) && !is_empty(vertex));
    if let Some(first) = first
        && let VertexKind::Branch { form: inner @ BranchForm::ElseIf, .. } =
            &mut cfg.vertices[first].kind
    {
        *inner = if form == BranchForm::ElseIf { form } else { BranchForm::If };
    }
}

/// Lets control go through the arm of a branch that is taken if its condition is `value`.
fn take_arm(cfg: &mut Cfg, head: VertexId, value: bool) {
    let Some(at) = cfg.layout.iter().position(|&vertex| vertex == head) else { return };
    let Some((end, inside)) = construct_at(cfg, at) else { return };
    let inside = inside.to_vec();
    let leading = |target: &VertexId| *target != end;
    let way =
        cfg.edges.values().find(|edge| edge.source == head && value == (edge.condition == Some(1)));
    let after = cfg.edges.values().find(|edge| edge.source == end).map(|edge| edge.target);
    let (Some(first), Some(after)) = (way.map(|edge| edge.target), after) else { return };
    let mut arm: BTreeSet<VertexId> = BTreeSet::new();
    let mut work: Vec<VertexId> = Some(first).filter(leading).into_iter().collect();
    while let Some(vertex) = work.pop() {
        if vertex != end && inside.contains(&vertex) && arm.insert(vertex) {
            let next = cfg.edges.values().filter(|edge| edge.source == vertex);
            work.extend(next.map(|edge| edge.target));
        }
    }
    let begins = if first == end { after } else { first };
    for edge in cfg.edges.values_mut() {
        if edge.target == head {
            edge.target = begins;
        }
        if edge.target == end && arm.contains(&edge.source) {
            edge.target = after;
        }
    }
    follow_form(cfg, head, &inside, &arm);
    let gone: BTreeSet<VertexId> =
        inside.iter().copied().filter(|vertex| !arm.contains(vertex)).chain([head]).collect();
    keep_vertices(cfg, |vertex| !gone.contains(&vertex));
}
