//! Tests whether a procedure can name a variable.

use xaif_schema::model::{Attr, Document, ProcId, Role, ScopeKind, SpecItem, SymbolId};

use crate::Storage;

/// Whether `proc` has a name for a variable by which it may give it a value, or can be given one by USE.
pub fn can_be_named(doc: &Document, storage: &Storage, proc: ProcId, symbol: SymbolId) -> bool {
    let home = doc.symbols[symbol].scope;
    let id = &doc.symbols[symbol].id;
    let parents = |&scope: &_| doc.scopes[scope].parent;
    let mut around = std::iter::successors(Some(doc.procs[proc].scope), parents);
    if doc.has(symbol, Attr::Protected) && !around.any(|scope| scope == home) {
        return false;
    }
    for scope in std::iter::successors(Some(doc.procs[proc].scope), parents) {
        if scope == home || storage.owner(doc, symbol) == Some(proc) {
            return true;
        }
        let used = doc.scopes[scope].items.iter().any(|item| match item {
            SpecItem::Use(used) => {
                used.names.iter().any(|name| name.symbol == Some(symbol))
                    || !used.only
                        && matches!(doc.role(used.module),
                            Some(Role::Module { scope: Some(module) }) if *module == home)
            }
            _ => false,
        });
        if used {
            return !doc.is_private(symbol);
        }
        if doc.symbol_in(scope, id).is_some() {
            return false;
        }
    }
    matches!(doc.scopes[home].kind, ScopeKind::Module(_)) && !doc.is_private(symbol)
}
