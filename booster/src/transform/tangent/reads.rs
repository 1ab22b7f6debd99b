//! The references of an expression.

use xaif_schema::model::{ArgValue, Document, ExprId, ExprKind, Part, RefId, Subscript, SymbolId};

/// All references of an expression, those in subscripts and arguments included.
pub(in crate::transform) fn references(doc: &Document, root: ExprId) -> Vec<RefId> {
    let mut found = Vec::new();
    let mut stack = vec![root];
    while let Some(expr) = stack.pop() {
        match &doc.exprs[expr].kind {
            ExprKind::Ref(reference) => {
                found.push(*reference);
                stack.extend(subscripts(doc, *reference));
            }
            ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
                stack.extend(operands.iter().map(|operand| operand.expr));
            }
            ExprKind::Call(call) => {
                found.extend(call.callee.object);
                let args = call.args.iter().filter_map(|arg| value(arg.value));
                stack.extend(args);
            }
            ExprKind::ArrayConstructor { items, .. } => stack.extend(items),
            ExprKind::ImpliedDo(implied) => {
                stack.extend(&implied.items);
                stack.extend([implied.control.lower, implied.control.upper]);
                stack.extend(implied.control.step);
            }
            ExprKind::StructureConstructor { args, .. } => {
                stack.extend(args.iter().filter_map(|arg| value(arg.value)));
            }
            ExprKind::Constant(_) | ExprKind::Procedure(_) | ExprKind::Opaque(_) => {}
        }
    }
    found
}

/// The expressions in the subscripts of a reference.
pub(in crate::transform) fn subscripts(doc: &Document, reference: RefId) -> Vec<ExprId> {
    let mut found = Vec::new();
    for part in &doc.refs[reference].parts {
        match part {
            Part::Elements(list) => {
                for subscript in list {
                    match *subscript {
                        Subscript::Index(index) => found.push(index),
                        Subscript::Section { lower, upper, stride } => {
                            found.extend([lower, upper, stride].into_iter().flatten());
                        }
                    }
                }
            }
            Part::Substring { lower, upper } => {
                found.extend([*lower, *upper].into_iter().flatten());
            }
            Part::Component { .. } | Part::Inquiry(_) | Part::Deref => {}
        }
    }
    found
}

/// Whether an expression names `symbol`.
pub(in crate::transform) fn reads(doc: &Document, expr: ExprId, symbol: SymbolId) -> bool {
    references(doc, expr).into_iter().any(|reference| doc.refs[reference].base == symbol)
}

fn value(arg: ArgValue) -> Option<ExprId> {
    match arg {
        ArgValue::Expr(expr) => Some(expr),
        ArgValue::AlternateReturn(_) => None,
    }
}
