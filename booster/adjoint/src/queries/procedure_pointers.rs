//! Questions about pointers to procedures.

use xaif_schema::model::{Document, ExprId, ProcClass, RefId, Role, SymbolId};

use booster_tangent::call::named_procedure;

/// Whether a variable that points to procedures comes to point to a dummy procedure, of which a forward
/// half is given no more than the forward half.
pub(crate) fn points_to_dummy(doc: &Document, pointer: RefId, rhs: Option<ExprId>) -> bool {
    let named = rhs.and_then(|rhs| named_procedure(doc, rhs));
    doc.refs[pointer].parts.is_empty()
        && class_of(doc, doc.refs[pointer].base) == Some(ProcClass::Pointer)
        && named.is_some_and(|named| class_of(doc, named) == Some(ProcClass::Dummy))
}

pub(crate) fn class_of(doc: &Document, symbol: SymbolId) -> Option<ProcClass> {
    match doc.role(symbol) {
        Some(Role::Procedure(info)) => Some(info.class),
        Some(_) | None => None,
    }
}
