//! Questions about expressions and loop headers.

use xaif_schema::model::{BoolOp, Document, ExprId, ExprKind, RefId};

use booster_build::{Copier, boolean, nodes_of};
use booster_facts::loops::Loop;

/// The references that an expression reads, those in subscripts included.
pub(crate) fn read_by(doc: &Document, root: ExprId) -> Vec<RefId> {
    let nodes = nodes_of(doc, [root]);
    nodes.into_iter().filter_map(|node| doc.exprs[node].reference()).collect()
}

/// The first term of a sum, if it is a reference.
pub(crate) fn first_term(doc: &Document, sum: ExprId) -> Option<RefId> {
    let mut term = sum;
    while let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[term].kind
        && matches!(&**name, "add_scal_scal" | "sub_scal_scal")
        && let Some(first) = operands.iter().find(|operand| operand.position == 1)
    {
        term = first.expr;
    }
    doc.exprs[term].reference()
}

/// Whether a loop has an iteration.
pub(crate) fn has_rounds(doc: &mut Document, of: &Loop) -> ExprId {
    let lower = Copier::new().expr(doc, of.lower);
    let upper = Copier::new().expr(doc, of.upper);
    let op = if of.step > 0 { BoolOp::LessOrEqual } else { BoolOp::GreaterOrEqual };
    boolean(doc, op, &[lower, upper])
}
