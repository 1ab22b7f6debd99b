//! Declares temporaries of the adjoint.

use xaif_schema::model::{
    Attr, Base, Dim, Document, Place, RefId, Role, ScopeId, SymbolId, Ty, TypeSpec,
};

use booster_build::new_variable;
use booster_shadow::polymorphic::spec_of;

/// A new variable; an array is allocatable.
pub(crate) fn temporary(
    doc: &mut Document,
    scope: ScopeId,
    wish: &str,
    ty: Ty,
    place: Place,
) -> SymbolId {
    let symbol = new_variable(doc, scope, wish, ty.base, place);
    if ty.rank > 0 {
        doc.symbols[symbol].rank = Some(ty.rank);
        if let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() {
            decl.attrs.insert(Attr::Allocatable);
            decl.dims = vec![Dim::Deferred; usize::from(ty.rank)];
        }
    }
    symbol
}

/// Whether an object gets its type as the program runs.
pub(crate) fn is_polymorphic(base: Base) -> bool {
    matches!(base, Base::Class(_) | Base::ClassStar)
}

/// How the type of a structure is declared.
pub(crate) fn spec_of_structure(doc: &Document, own: RefId) -> Option<TypeSpec> {
    let reference = &doc.refs[own];
    let symbol = reference.entity()?;
    if let Some(Role::DerivedType { .. }) = doc.role(symbol) {
        // The parent component, which is named by its type.
        return Some(spec_of(doc, symbol));
    }
    match (&doc.symbols[symbol].decl.as_deref()?.spec, reference.ty.base) {
        (spec @ TypeSpec::Derived { class: false, .. }, Base::Derived(_))
        | (spec @ TypeSpec::Derived { class: true, .. }, Base::Class(_)) => Some(spec.clone()),
        _ => None,
    }
}
