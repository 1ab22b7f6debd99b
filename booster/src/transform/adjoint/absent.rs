//! What may not be there where it is recorded: pointers without a target, what is not allocated, absent arguments.

use xaif_schema::model::{
    ArgValue, Attr, Document, Part, RefId, Reference, StmtId, StmtKind, SymbolId,
};

use crate::build::mentions_of_step;
use crate::flow::Step;
use crate::transform::derivative::arguments_of;

/// Whether a name is that of a pointer that a statement does not name (who names a structure does not name
/// its components), or passes for what may be absent: it is recorded since its target may be what a callee
/// overwrites, and may as well have none.
pub(super) fn may_point_nowhere(doc: &Document, stmt: StmtId, name: &Reference) -> bool {
    let Some(pointer) = name.whole_entity().filter(|&symbol| doc.has(symbol, Attr::Pointer)) else {
        return false;
    };
    let named = mentions_of_step(doc, Step::Stmt(stmt)).iter().any(|one| one.symbol == pointer);
    !named || is_for_what_may_be_absent(doc, stmt, pointer)
}

/// Whether a call passes a whole variable for an OPTIONAL dummy argument.
fn is_for_what_may_be_absent(doc: &Document, stmt: StmtId, variable: SymbolId) -> bool {
    let call = match &doc.stmts[stmt].kind {
        StmtKind::Call(call) => Some((&call.callee, &call.args)),
        StmtKind::Assign { rhs, .. } => {
            doc.exprs[*rhs].call().map(|call| (&call.callee, &call.args))
        }
        StmtKind::PointerAssign { .. }
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => None,
    };
    let Some((callee, args)) = call else { return false };
    let dummies = arguments_of(doc, callee.symbol).unwrap_or_default();
    args.iter().any(|arg| {
        let ArgValue::Expr(value) = arg.value else { return false };
        let passed = doc.exprs[value].reference().and_then(|one| doc.refs[one].whole_entity());
        let at = usize::try_from(arg.position).ok().and_then(|position| position.checked_sub(1));
        let dummy = at.and_then(|at| dummies.get(at)).and_then(|dummy| dummy.symbol);
        passed == Some(variable) && dummy.is_some_and(|dummy| doc.has(dummy, Attr::Optional))
    })
}

/// What must hold for a variable to have a value at all.
pub(super) fn guard(doc: &Document, object: RefId) -> Option<&'static str> {
    let last = doc.refs[object].parts.last();
    if matches!(last, Some(Part::Elements(_) | Part::Substring { .. })) {
        return None;
    }
    let symbol = doc.refs[object].whole_entity()?;
    let whole = [(Attr::Optional, "present"), (Attr::Allocatable, "allocated")];
    whole.into_iter().find(|&(attr, _)| doc.has(symbol, attr)).map(|(_, name)| name)
}
