//! Operations of the tape as statements.

use xaif_schema::model::{
    Arg, ArgValue, Document, ExprId, InlinableCall, Place, RefId, StmtId, StmtKind,
};

use booster_build::Emitter;

/// A push (`true`) or pop of a variable.
pub(crate) fn tape_operation(doc: &Document, stmt: StmtId) -> Option<(bool, RefId)> {
    let StmtKind::InlinableCall(call) = &doc.stmts[stmt].kind else { return None };
    let push = match &*call.name {
        "push" | "push_array" => true,
        "pop" | "pop_array" => false,
        _ => return None,
    };
    let [argument] = &call.args[..] else { return None };
    let ArgValue::Expr(value) = argument.value else { return None };
    doc.exprs[value].reference().map(|reference| (push, reference))
}

/// `call push(value)`
pub(crate) fn operation(e: &mut Emitter<'_>, name: &str, value: ExprId, place: Place) {
    let arg = Arg { position: 1, keyword: None, value: ArgValue::Expr(value) };
    let call = InlinableCall { name: name.into(), args: vec![arg] };
    e.stmt(StmtKind::InlinableCall(Box::new(call)), place);
}
