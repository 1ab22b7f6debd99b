//! What a symbol is called where it is used.
//!
//! A symbol has the name of its declaration, unless that is no name in Fortran (`.preg_I4_2`,
//! `_x`, two C names that differ in case only); then it gets a legal one that is unique in its
//! scope. Where a USE renames it, it has the new name in the scope of the USE and below. Of several
//! names it has the nearest that means it there; where none does, `hiding` sees to it.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use xaif_schema::model::{Document, ExprKind, ProcClass, Role, ScopeId, ScopeKind, SymbolId};
use xaif_schema::names::{is_legal, legal, unique};
use xaif_schema::visibility::Sight;

use crate::hiding::is_generic;

/// The names of all symbols of a document.
#[derive(Debug)]
pub(crate) struct Names<'d> {
    doc: &'d Document,
    sight: Sight<'d>,
    /// Symbols that cannot keep the name of their declaration.
    changed: HashMap<SymbolId, String>,
    /// Names of symbols of other scopes, by the scope where they are used, and whether they are
    /// right there.
    visible: RefCell<HashMap<(ScopeId, SymbolId), (String, bool)>>,
}

impl<'d> Names<'d> {
    /// Chooses the names.
    pub(crate) fn new(doc: &'d Document) -> Self {
        let changed = changed_names(doc);
        Names { doc, sight: Sight::new(doc), changed, visible: RefCell::default() }
    }

    /// What names mean.
    pub(crate) fn sight(&self) -> &Sight<'d> {
        &self.sight
    }

    /// The name of `symbol` where it is declared.
    pub(crate) fn declared(&self, symbol: SymbolId) -> &str {
        self.changed.get(&symbol).map_or_else(|| self.doc.name(symbol), String::as_str)
    }

    /// The name of `symbol` in `scope`, and whether it means `symbol` there.
    pub(crate) fn in_scope(&self, scope: ScopeId, symbol: SymbolId) -> (String, bool) {
        let home = self.doc.symbols[symbol].scope;
        // Indices of an implied DO or FORALL, and the names of an arm of SELECT TYPE, are named from
        // outside: neither has declarations.
        let construct =
            matches!(self.doc.scopes[home].kind, ScopeKind::Indices | ScopeKind::Associate);
        // The name of a block stands between slashes: a variable beside it may have it, too.
        let block = matches!(self.doc.role(symbol), Some(Role::CommonBlock));
        if home == scope || construct || block || self.changed.contains_key(&symbol) {
            return (self.declared(symbol).to_owned(), true);
        }
        if let Some(known) = self.visible.borrow().get(&(scope, symbol)) {
            return known.clone();
        }
        let found = self.look_up(scope, symbol);
        self.visible.borrow_mut().insert((scope, symbol), found.clone());
        found
    }

    fn look_up(&self, scope: ScopeId, symbol: SymbolId) -> (String, bool) {
        let mut names = self.sight.names(scope, symbol);
        if names.is_empty() {
            names.push(self.declared(symbol).to_owned());
        }
        let right = names.iter().position(|name| self.means(scope, name, symbol));
        (names.swap_remove(right.unwrap_or(0)), right.is_some())
    }

    /// Whether `name` in `scope` means `symbol`.
    fn means(&self, scope: ScopeId, name: &str, symbol: SymbolId) -> bool {
        match self.sight.meaning(scope, name) {
            Some(meaning) => {
                let mut meant = meaning.by.iter().map(|by| by.symbol());
                let is_same =
                    |found: Option<_>| found.is_none_or(|found| is_same(self.doc, symbol, found));
                let is_generic = |found: Option<SymbolId>| {
                    found.is_some_and(|found| is_generic(self.doc, found))
                };
                // Generic names that are brought in together are one.
                if meant.clone().all(is_generic) { meant.any(is_same) } else { meant.all(is_same) }
            }
            None => !is_out_of_sight(self.doc, scope, symbol),
        }
    }

    /// Whether the name of a call in `scope`, that of `meant`, which has the procedure `specific`, stands
    /// for that there: another generic name may have its name.
    pub(crate) fn stands_for(
        &self,
        (scope, name): (ScopeId, &str),
        meant: SymbolId,
        specific: SymbolId,
    ) -> bool {
        let has_it = |found| is_same(self.doc, specific, found);
        match self.sight.meaning(scope, name) {
            Some(meaning) if has_it(meant) => {
                meaning.by.iter().any(|by| by.symbol().is_none_or(has_it))
            }
            Some(_) | None => true,
        }
    }
}

/// Whether a symbol without a name in `scope` must be brought into sight there, or cannot be.
fn is_out_of_sight(doc: &Document, scope: ScopeId, symbol: SymbolId) -> bool {
    let home = doc.symbols[symbol].scope;
    let of_a_module = matches!(doc.scopes[home].kind, ScopeKind::Module(_));
    match doc.role(symbol) {
        Some(Role::Procedure(info)) if info.class == ProcClass::Intrinsic => false,
        Some(Role::Unresolved { .. } | Role::Module { .. }) | None => false,
        Some(Role::CommonBlock | Role::Binding { .. } | Role::Final { .. }) => false,
        // A local variable of another procedure has no name at all.
        Some(Role::Variable | Role::Constant) => of_a_module || !doc.is_within(scope, home),
        Some(
            Role::Procedure(_)
            | Role::Generic { .. }
            | Role::DerivedType { .. }
            | Role::TypeParam { .. }
            | Role::BlockData
            | Role::Namelist
            | Role::StatementFunction
            | Role::Associate { .. },
        ) => of_a_module,
    }
}

/// Whether what a name means is what is meant by it: the same, or another symbol for the same procedure.
/// A generic name may stand beside a procedure or type of the same name.
fn is_same(doc: &Document, meant: SymbolId, found: SymbolId) -> bool {
    if meant == found {
        return true;
    }
    match (doc.role(meant), doc.role(found)) {
        (_, None | Some(Role::Unresolved { .. })) | (None, _) => true,
        (Some(Role::Procedure(one)), Some(Role::Procedure(other))) => {
            let external = |class| matches!(class, ProcClass::External | ProcClass::Intrinsic);
            one.proc.is_some() && one.proc == other.proc
                || external(one.class) && external(other.class)
        }
        (Some(Role::Generic { .. }), Some(found)) => {
            matches!(found, Role::Generic { .. } | Role::Procedure(_) | Role::DerivedType { .. })
        }
        (Some(Role::Procedure(_)), Some(Role::Generic { specifics, .. })) => {
            let is_meant = |one| !is_generic(doc, one) && is_same(doc, meant, one);
            specifics.iter().copied().any(is_meant)
        }
        (Some(Role::DerivedType { .. }), Some(Role::Generic { .. })) => true,
        // In an arm of SELECT TYPE a variable is narrowed: it is the same object.
        (Some(_), Some(Role::Associate { selector: Some(selector) })) => {
            matches!(doc.exprs[*selector].kind, ExprKind::Ref(reference)
                if doc.refs[reference].base == meant && doc.refs[reference].parts.is_empty())
        }
        (Some(_), Some(_)) => false,
    }
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
