//! What may not be there where it is recorded: pointers without a target, what is not allocated, absent arguments.

use xaif_schema::model::{ArgValue, Attr, Document, Part, RefId, Reference, StmtId, SymbolId};

use crate::call_modes::choice::call_of;
use booster_build::mentions_of_step;
use booster_facts::arguments_of;
use booster_flow::Step;

/// Whether a name is that of a pointer that a statement does not name (who names a structure does not name
/// its components), or passes for what may be absent: it is recorded since its target may be what a callee
/// overwrites, and may as well have none.
pub(crate) fn may_point_nowhere(doc: &Document, stmt: StmtId, name: &Reference) -> bool {
    let Some(pointer) = name.whole_entity().filter(|&symbol| doc.has(symbol, Attr::Pointer)) else {
        return false;
    };
    let named = mentions_of_step(doc, Step::Stmt(stmt)).iter().any(|one| one.symbol == pointer);
    !named || is_for_what_may_be_absent(doc, stmt, pointer)
}

/// Whether a call passes a whole variable for an OPTIONAL dummy argument.
fn is_for_what_may_be_absent(doc: &Document, stmt: StmtId, variable: SymbolId) -> bool {
    let Some((callee, args, _)) = call_of(doc, stmt) else { return false };
    let dummies = arguments_of(doc, callee.symbol).unwrap_or_default();
    args.iter().any(|arg| {
        let ArgValue::Expr(value) = arg.value else { return false };
        let passed = doc.exprs[value].reference().and_then(|one| doc.refs[one].whole_entity());
        let dummy = dummies.iter().find(|dummy| dummy.position == arg.position);
        passed == Some(variable)
            && dummy.and_then(|dummy| dummy.symbol).is_some_and(|own| doc.has(own, Attr::Optional))
    })
}

/// What must hold for a variable to have a value at all.
pub(crate) fn guard(doc: &Document, object: RefId) -> Option<&'static str> {
    let last = doc.refs[object].parts.last();
    if matches!(last, Some(Part::Elements(_) | Part::Substring { .. })) {
        return None;
    }
    let symbol = doc.refs[object].whole_entity()?;
    let whole = [(Attr::Optional, "present"), (Attr::Allocatable, "allocated")];
    whole.into_iter().find(|&(attr, _)| doc.has(symbol, attr)).map(|(_, name)| name)
}
