//! Tests whether a procedure can name a variable.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use xaif_schema::model::{Attr, Document, ProcId, Role, ScopeId, ScopeKind, SpecItem, SymbolId};

use crate::Storage;

/// Scopes of so many symbols are searched without a table.
const SMALL: usize = 16;

/// The names of scopes, for many questions about one document.
#[derive(Debug)]
pub struct Nameable<'d> {
    doc: &'d Document,
    /// The ids of the symbols of large scopes that have been asked for.
    ids: Mutex<HashMap<ScopeId, HashSet<&'d str>>>,
}

impl<'d> Nameable<'d> {
    /// No scope is looked at before somebody asks.
    pub fn new(doc: &'d Document) -> Self {
        Nameable { doc, ids: Mutex::default() }
    }

    /// Whether `proc` has a name for a variable by which it may give it a value, or can be given one by USE.
    pub fn can_be_named(&self, storage: &Storage, proc: ProcId, symbol: SymbolId) -> bool {
        has_name(self.doc, storage, (proc, symbol), |scope, id| self.declares(scope, id))
    }

    /// Whether a symbol of `scope` itself has this id.
    fn declares(&self, scope: ScopeId, id: &str) -> bool {
        let doc = self.doc;
        let symbols = &doc.scopes[scope].symbols;
        if symbols.len() <= SMALL {
            return doc.symbol_in(scope, id).is_some();
        }
        let mut known = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        let ids = known.entry(scope).or_insert_with(|| {
            symbols.iter().map(|&symbol| doc.symbols[symbol].id.as_str()).collect()
        });
        ids.contains(id)
    }
}

/// The same for one question, for which a table does not pay.
pub fn can_be_named(doc: &Document, storage: &Storage, proc: ProcId, symbol: SymbolId) -> bool {
    has_name(doc, storage, (proc, symbol), |scope, id| doc.symbol_in(scope, id).is_some())
}

/// `declares`: whether a symbol of a scope itself has an id.
fn has_name(
    doc: &Document,
    storage: &Storage,
    (proc, symbol): (ProcId, SymbolId),
    declares: impl Fn(ScopeId, &str) -> bool,
) -> bool {
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
        if declares(scope, id) {
            return false;
        }
    }
    matches!(doc.scopes[home].kind, ScopeKind::Module(_)) && !doc.is_private(symbol)
}
