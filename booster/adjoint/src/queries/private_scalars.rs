//! Scalars of an activation: nobody else reads or writes them.

use xaif_schema::model::{Attr, Base, Document, ProcId, SymbolId};

use booster_facts::Storage;

/// Whether a symbol is a scalar of the activation of `proc` that shares its storage with nothing and
/// that no other name reaches. An internal procedure may name it: see [`has_internal_procedures`].
pub(crate) fn is_own_scalar(
    doc: &Document,
    proc: ProcId,
    storage: &Storage,
    symbol: SymbolId,
) -> bool {
    let far = [Attr::Pointer, Attr::Target, Attr::Allocatable, Attr::Save, Attr::Volatile];
    let Some(decl) = doc.symbols[symbol].decl.as_deref() else { return false };
    let locations = storage.locations_of_symbol(symbol);
    doc.symbols[symbol].scope == doc.procs[proc].scope
        && doc.symbols[symbol].rank == Some(0)
        && decl.common.is_none()
        && decl.init.is_none()
        && !far.iter().any(|&attr| doc.has(symbol, attr))
        && storage.procedures().dummy_of(symbol).is_none()
        && !storage.procedures().is_static(symbol)
        && matches!(&locations[..], [location] if storage.locations()[*location].members.len() == 1)
}

/// Whether two names of a backward sweep may mean the same storage. `storage` is that of the program,
/// whose statements associate no adjoint pointers: what a pointer may point to must be asked of the
/// declarations.
pub(crate) fn may_be_same(
    doc: &Document,
    storage: &Storage,
    one: SymbolId,
    other: SymbolId,
) -> bool {
    // A structure may have pointers.
    let points = |symbol: SymbolId| {
        let base = doc.declared_base(symbol);
        doc.has(symbol, Attr::Pointer)
            || matches!(base, Base::Derived(_) | Base::Class(_) | Base::ClassStar)
    };
    let meant = |symbol: SymbolId| points(symbol) || doc.has(symbol, Attr::Target);
    let locations = storage.locations_of_symbol(one);
    one == other
        || points(one) && meant(other)
        || meant(one) && points(other)
        || storage.locations_of_symbol(other).iter().any(|location| locations.contains(location))
}

/// Whether there are procedures behind CONTAINS of `proc`, which may name its variables.
pub(crate) fn has_internal_procedures(doc: &Document, proc: ProcId) -> bool {
    !doc.nest().procedures_in(doc.procs[proc].scope).is_empty()
}
