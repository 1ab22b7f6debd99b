//! What a symbol is called where it is used.
//!
//! A symbol has the name of its declaration, unless that is no name in Fortran (`.preg_I4_2`,
//! `_x`, two C names that differ in case only); then it gets a legal one that is unique in its
//! scope. Where a USE renames it, it has the new name in the scope of the USE and below.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use xaif_schema::model::{Attr, Document, Role, ScopeId, SpecItem, SymbolId, Use};
use xaif_schema::names::{is_legal, legal, unique};

/// How many modules are followed for a name that one module passes on from another.
const MODULES_DEEP: u32 = 32;

/// The names of all symbols of a document.
#[derive(Debug)]
pub(crate) struct Names<'d> {
    doc: &'d Document,
    /// Symbols that cannot keep the name of their declaration.
    changed: HashMap<SymbolId, String>,
    /// Whether any USE renames anything: if not, there is nothing to look for.
    renames: bool,
    /// What modules hide: by symbol, and (`None`) unless said otherwise.
    hidden: HashMap<(ScopeId, Option<SymbolId>), bool>,
    /// Names of symbols of other scopes, by the scope where they are used.
    visible: RefCell<HashMap<(ScopeId, SymbolId), String>>,
}

impl<'d> Names<'d> {
    /// Chooses the names.
    pub(crate) fn new(doc: &'d Document) -> Self {
        let renames = doc.scopes.values().flat_map(|scope| &scope.items).any(|item| match item {
            SpecItem::Use(used) => {
                used.names.iter().any(|n| !n.local.eq_ignore_ascii_case(&n.remote))
            }
            _ => false,
        });
        let hidden = hidden_names(doc);
        Names { doc, changed: changed_names(doc), renames, hidden, visible: RefCell::default() }
    }

    /// The name of `symbol` where it is declared.
    pub(crate) fn declared(&self, symbol: SymbolId) -> &str {
        self.changed.get(&symbol).map_or_else(|| self.doc.name(symbol), String::as_str)
    }

    /// The name of `symbol` in `scope`.
    pub(crate) fn in_scope(&self, scope: ScopeId, symbol: SymbolId) -> String {
        let home = self.doc.symbols[symbol].scope;
        if !self.renames || home == scope {
            return self.declared(symbol).to_owned();
        }
        if let Some(name) = self.visible.borrow().get(&(scope, symbol)) {
            return name.clone();
        }
        let name = self.look_up(scope, symbol).unwrap_or_else(|| self.declared(symbol).to_owned());
        self.visible.borrow_mut().insert((scope, symbol), name.clone());
        name
    }

    fn look_up(&self, scope: ScopeId, symbol: SymbolId) -> Option<String> {
        let mut current = Some(scope);
        // A scope tree with a cycle is the verifier's business; here it must not hang.
        for _ in 0..=self.doc.scopes.len() {
            let here = current?;
            if let Some(name) = self.exported(here, symbol, MODULES_DEEP) {
                return Some(name);
            }
            current = self.doc.scopes[here].parent;
        }
        None
    }

    /// The name of `symbol` as `scope` declares it or brings it in.
    fn exported(&self, scope: ScopeId, symbol: SymbolId, fuel: u32) -> Option<String> {
        if self.doc.symbols[symbol].scope == scope {
            return Some(self.declared(symbol).to_owned());
        }
        let fuel = fuel.checked_sub(1)?;
        self.doc.scopes[scope].items.iter().find_map(|item| match item {
            SpecItem::Use(used) => self.brought_in(used, symbol, fuel),
            _ => None,
        })
    }

    /// Whether `symbol` cannot be seen through a USE of `module`.
    fn hides(&self, module: ScopeId, symbol: SymbolId) -> bool {
        let said = |what| self.hidden.get(&(module, what)).copied();
        said(Some(symbol)).or_else(|| said(None)).unwrap_or(false)
    }

    fn brought_in(&self, used: &Use, symbol: SymbolId, fuel: u32) -> Option<String> {
        if let Some(name) = used.names.iter().find(|name| name.symbol == Some(symbol)) {
            return Some(name.local.clone());
        }
        let Some(Role::Module { scope: Some(module) }) = self.doc.role(used.module) else {
            return None;
        };
        if self.hides(*module, symbol) {
            return None;
        }
        let there = self.exported(*module, symbol, fuel)?;
        let listed = used.names.iter().find(|name| name.remote.eq_ignore_ascii_case(&there));
        match listed {
            Some(name) => Some(name.local.clone()),
            None if used.only => None,
            None => Some(there),
        }
    }
}

/// What PUBLIC and PRIVATE statements and attributes say.
fn hidden_names(doc: &Document) -> HashMap<(ScopeId, Option<SymbolId>), bool> {
    let mut hidden = HashMap::new();
    for (id, scope) in doc.scopes.iter() {
        for item in &scope.items {
            let SpecItem::Access { private, symbols } = item else { continue };
            if symbols.is_empty() {
                hidden.insert((id, None), *private);
            }
            hidden.extend(symbols.iter().map(|&symbol| ((id, Some(symbol)), *private)));
        }
    }
    for (id, symbol) in doc.symbols.iter() {
        let Some(decl) = symbol.decl.as_deref() else { continue };
        for (attr, private) in [(Attr::Private, true), (Attr::Public, false)] {
            if decl.has(attr) {
                hidden.insert((symbol.scope, Some(id)), private);
            }
        }
    }
    hidden
}

/// The symbols whose declared name cannot stand.
fn changed_names(doc: &Document) -> HashMap<SymbolId, String> {
    let mut changed = HashMap::new();
    for scope in doc.scopes.values() {
        let mut taken: HashSet<String> = HashSet::new();
        let mut clashing = Vec::new();
        for &symbol in &scope.symbols {
            if !is_plain_name(doc, symbol) {
                continue;
            }
            let name = doc.name(symbol);
            if !is_legal(name) || !taken.insert(name.to_ascii_lowercase()) {
                clashing.push(symbol);
            }
        }
        for symbol in clashing {
            changed.insert(symbol, unique(&legal(doc.name(symbol)), &mut taken));
        }
    }
    changed
}

/// Whether what `symbol` is called must be a name of its own in its scope.
fn is_plain_name(doc: &Document, symbol: SymbolId) -> bool {
    match doc.role(symbol) {
        Some(Role::Variable | Role::Constant) | None => true,
        Some(Role::Procedure(_)) => !doc.name(symbol).is_empty() && !is_legal(doc.name(symbol)),
        Some(
            Role::Generic { .. }
            | Role::DerivedType { .. }
            | Role::TypeParam { .. }
            | Role::Binding { .. }
            | Role::Final { .. }
            | Role::Module { .. }
            | Role::BlockData
            | Role::CommonBlock
            | Role::Namelist
            | Role::StatementFunction
            | Role::Unresolved { .. }
            | Role::Associate { .. },
        ) => false,
    }
}
