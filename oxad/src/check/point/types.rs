//! Derived types: which ones an object may have, and what a driver can reach of them.

use xaif_schema::model::{Attr, Document, Role, ScopeKind, SymbolId};

/// Types extend types, and stand within types, no deeper in any program that a person wrote.
pub(super) const MAX_DEPTH: usize = 16;

/// The types that a driver may name and make of which an object is of CLASS(`of`).
pub(super) fn concrete_types(doc: &Document, of: SymbolId) -> Vec<SymbolId> {
    let extends = |symbol: SymbolId| {
        let mut at = Some(symbol);
        for _ in 0..MAX_DEPTH {
            match at {
                Some(ty) if ty == of => return true,
                Some(ty) => {
                    at = match doc.role(ty) {
                        Some(Role::DerivedType { extends, .. }) => *extends,
                        _ => None,
                    }
                }
                None => return false,
            }
        }
        false
    };
    let in_module = |symbol: SymbolId| {
        matches!(doc.scopes[doc.symbols[symbol].scope].kind, ScopeKind::Module(_))
    };
    let types = doc.symbols.keys();
    let types = types.filter(|&symbol| matches!(doc.role(symbol), Some(Role::DerivedType { .. })));
    types
        .filter(|&ty| extends(ty) && !doc.has(ty, Attr::Abstract))
        .filter(|&ty| in_module(ty) && !doc.is_private(ty))
        .collect()
}

/// A way out that names the types that an object may have.
pub(super) fn offer(doc: &Document, key: &str, known: &[SymbolId]) -> String {
    let names: Vec<&str> = known.iter().map(|&ty| doc.name(ty)).collect();
    match names.as_slice() {
        [] => String::new(),
        [first, ..] => format!("name one of {}: --set {key}={first}", names.join(", ")),
    }
}

/// The components of a type that are not private, inherited ones first.
pub(super) fn components(doc: &Document, of: SymbolId) -> Vec<SymbolId> {
    let mut types = vec![of];
    while let Some(&last) = types.last()
        && let Some(Role::DerivedType { extends: Some(parent), .. }) = doc.role(last)
        && types.len() < MAX_DEPTH
    {
        types.push(*parent);
    }
    let mut found = Vec::new();
    for of in types.into_iter().rev() {
        let Some(Role::DerivedType { scope, .. }) = doc.role(of) else { continue };
        let attrs = |symbol: SymbolId| doc.symbols[symbol].decl.as_ref().map(|decl| &decl.attrs);
        let private = attrs(of).is_some_and(|attrs| attrs.contains(&Attr::PrivateComponents));
        for &symbol in &doc.scopes[*scope].symbols {
            let Some(attrs) = attrs(symbol) else { continue };
            let hidden =
                attrs.contains(&Attr::Private) || private && !attrs.contains(&Attr::Public);
            if matches!(doc.role(symbol), Some(Role::Variable)) && !hidden {
                found.push(symbol);
            }
        }
    }
    found
}
