//! Opens modules: entities that a module hides and its derivative needs become PUBLIC.
//!
//! The derivative of a module is a module of its own, which uses the first. PRIVATE variables, types,
//! components and bindings cannot be copied there, and PROTECTED variables cannot be written there
//! (`OX4203`). [`expose`] makes chosen entities PUBLIC and drops PROTECTED, in the document.
//!
//! - [`open`] is the stage `xaif-expose`: it exposes everything that a derivative could need, before any
//!   derivative exists (`f2xaif a.f90 b.f90 | xaif-expose | xaif2f --split open`).
//! - [`needed`] lists the entities that the units of a finished derivative name and that the user's modules
//!   hide. The driver exposes these alone.
//!
//! Constants, procedures, generic names and abstract interfaces need not be opened before: the derivative
//! module gets copies of those. Targets of procedure pointers are the exception: a copy is another target.
//!
//! A name that becomes PUBLIC may clash where its module is used as a whole. The USE statement there gives
//! it another name (`use m, state_of_m => state`), so the program does the same as before. Only a component or
//! binding whose name an extension in another module has stays hidden, with a warning.

mod expose;
mod names;
mod needed;

use std::collections::BTreeSet;

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{
    Attr, Document, ExprId, ExprKind, Init, Role, ScopeKind, StmtKind, SymbolId,
};

pub use expose::{Exposed, Renaming, expose, hide};
pub use needed::{Needed, needed};

/// Exposes all entities of the modules of `doc` that a derivative could need. The result are warnings,
/// `OX4206`, about parts of types that stay hidden.
pub fn open(doc: &mut Document) -> Diagnostics {
    let needed = everything(doc);
    expose(doc, &needed).warnings
}

/// All hidden entities that a derivative could need and that cannot be copied.
pub fn everything(doc: &Document) -> Needed {
    let targets = procedure_targets(doc);
    let mut all = Needed::default();
    for (symbol, data) in doc.symbols.iter() {
        match doc.scopes[data.scope].kind {
            ScopeKind::Module(_) => {
                let opened =
                    matches!(doc.role(symbol), Some(Role::Variable | Role::DerivedType { .. }))
                        || targets.contains(&symbol);
                if opened && doc.is_private(symbol) {
                    all.names.insert(symbol);
                }
                if doc.has(symbol, Attr::Protected) {
                    all.assigned.insert(symbol);
                }
            }
            ScopeKind::DerivedType(owner) if is_hidden_part(doc, owner, symbol) => {
                all.parts.insert(symbol);
            }
            _ => {}
        }
    }
    all
}

/// The procedures that procedure pointers are associated with.
fn procedure_targets(doc: &Document) -> BTreeSet<SymbolId> {
    let procedure = |expr: ExprId| {
        if let ExprKind::Procedure(symbol) = doc.exprs[expr].kind { Some(symbol) } else { None }
    };
    let associated = doc.stmts.values().filter_map(|stmt| {
        let StmtKind::PointerAssign { rhs, .. } = stmt.kind else { return None };
        procedure(rhs)
    });
    let begun = doc.symbols.values().filter_map(|symbol| {
        let Some(Init::Target(target)) = symbol.decl.as_deref()?.init else { return None };
        procedure(target)
    });
    associated.chain(begun).collect()
}

/// Whether a component or binding is PRIVATE in its type.
pub fn is_hidden_part(doc: &Document, owner: SymbolId, part: SymbolId) -> bool {
    let Some(all) = attribute_of_all(doc, part) else { return false };
    doc.has(part, Attr::Private) || doc.has(owner, all) && !doc.has(part, Attr::Public)
}

/// The attribute of a type that hides all its parts of the sort of `part`.
fn attribute_of_all(doc: &Document, part: SymbolId) -> Option<Attr> {
    match doc.role(part) {
        Some(Role::Binding { .. } | Role::Generic { .. }) => Some(Attr::PrivateBindings),
        Some(Role::Final { .. } | Role::TypeParam { .. }) => None,
        Some(_) | None => Some(Attr::PrivateComponents),
    }
}
