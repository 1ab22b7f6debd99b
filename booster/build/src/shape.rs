//! Whether an assignment keeps the shape of its left-hand side.

use xaif_schema::intrinsics::{self, Class};
use xaif_schema::model::{Document, ExprId, ExprKind, RefId};

use super::same_reference;

/// Whether an operation or intrinsic function is known to work element by element.
pub fn is_elemental(name: &str) -> bool {
    intrinsics::operator(name).is_some()
        || intrinsics::by_xaif(name).is_some_and(|row| row.class == Class::Elemental)
}

/// Whether an elemental expression has `lhs`, a whole variable or component, as an operand, and so its shape.
pub fn keeps_shape(doc: &Document, root: ExprId, lhs: RefId) -> bool {
    let mut stack = vec![root];
    while let Some(expr) = stack.pop() {
        match &doc.exprs[expr].kind {
            ExprKind::Ref(reference) => {
                if same_reference(doc, *reference, lhs) {
                    return true;
                }
            }
            ExprKind::Intrinsic { name, operands, .. } => {
                if is_elemental(name) {
                    stack.extend(operands.iter().map(|operand| operand.expr));
                }
            }
            ExprKind::Constant(_)
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => {}
        }
    }
    false
}
