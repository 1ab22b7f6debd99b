//! The nodes of an expression.

use std::collections::HashSet;

use foldhash::fast::FixedState;
use xaif_schema::model::{
    Arg, ArgValue, Document, ExprId, ExprKind, Part, RefId, Reference, Subscript,
};

/// All nodes of the expressions `roots`, those in subscripts included; each once, a node before
/// what it consists of. Works for expressions of any depth.
pub fn nodes_of(doc: &Document, roots: impl IntoIterator<Item = ExprId>) -> Vec<ExprId> {
    let mut stack: Vec<ExprId> = roots.into_iter().collect();
    let mut seen: HashSet<ExprId, FixedState> = HashSet::default();
    let mut found = Vec::new();
    let mut parts = Vec::new();
    while let Some(expr) = stack.pop() {
        if !seen.insert(expr) {
            continue;
        }
        found.push(expr);
        children_of(doc, expr, &mut parts);
        stack.append(&mut parts);
    }
    found
}

/// Whether one of the expressions `roots` calls a function of the program.
pub fn has_call(doc: &Document, roots: impl IntoIterator<Item = ExprId>) -> bool {
    nodes_of(doc, roots).into_iter().any(|node| matches!(doc.exprs[node].kind, ExprKind::Call(_)))
}

/// The expressions in the subscripts of a reference, in order.
pub fn subscripts_of(reference: &Reference) -> Vec<ExprId> {
    let mut found = Vec::new();
    in_parts(reference, &mut found);
    found
}

/// Adds the operands of an expression, those in subscripts included, to `found`.
pub fn children_of(doc: &Document, expr: ExprId, found: &mut Vec<ExprId>) {
    let mut reference = |reference: RefId| in_parts(&doc.refs[reference], found);
    match &doc.exprs[expr].kind {
        ExprKind::Constant(_) | ExprKind::Procedure(_) | ExprKind::Opaque(_) => {}
        ExprKind::Ref(inner) => reference(*inner),
        ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
            found.extend(operands.iter().map(|operand| operand.expr));
        }
        ExprKind::Call(call) => {
            call.callee.object.into_iter().for_each(&mut reference);
            found.extend(values(&call.args));
        }
        ExprKind::ArrayConstructor { spec: _, items } => found.extend(items),
        ExprKind::ImpliedDo(implied) => {
            found.extend([implied.control.lower, implied.control.upper]);
            found.extend(implied.control.step);
            found.extend(&implied.items);
        }
        ExprKind::StructureConstructor { spec: _, args } => found.extend(values(args)),
    }
}

fn values(args: &[Arg]) -> impl Iterator<Item = ExprId> {
    args.iter().filter_map(|arg| match arg.value {
        ArgValue::Expr(expr) => Some(expr),
        ArgValue::AlternateReturn(_) => None,
    })
}

fn in_parts(reference: &Reference, found: &mut Vec<ExprId>) {
    for part in &reference.parts {
        match part {
            Part::Elements(subscripts) => {
                for subscript in subscripts {
                    match *subscript {
                        Subscript::Index(index) => found.push(index),
                        Subscript::Section { lower, upper, stride } => {
                            found.extend([lower, upper, stride].into_iter().flatten());
                        }
                    }
                }
            }
            Part::Substring { lower, upper } => found.extend([lower, upper].into_iter().flatten()),
            Part::Component { .. } | Part::Inquiry(_) | Part::Deref => {}
        }
    }
}
