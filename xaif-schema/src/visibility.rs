//! What a name means where it stands: declarations, USE, host association.
//!
//! In a document everything is named by ids, so nothing can be mistaken for something else. A text
//! has names. [`Sight`] tells what a name would mean in a scope, for those who write texts.

use std::collections::{HashMap, HashSet};

use crate::model::{
    Attr, Body, Document, ProcKind, Procedure, Role, ScopeId, ScopeKind, SpecItem, SymbolId, Use,
};

/// How many modules are followed for a name that one module passes on from another.
const MODULES_DEEP: u32 = 32;

/// What gives a name its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A declaration of the scope.
    Declaration(SymbolId),
    /// A USE of the scope.
    Use {
        /// The index of the item among those of the scope.
        item: usize,
        /// What it brings in, as far as that is known.
        symbol: Option<SymbolId>,
    },
}

impl By {
    /// What the name means, as far as that is known.
    pub fn symbol(self) -> Option<SymbolId> {
        match self {
            By::Declaration(symbol) => Some(symbol),
            By::Use { symbol, .. } => symbol,
        }
    }
}

/// The meaning of a name in a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// The scope that gives it: the one asked for, or one around it.
    pub scope: ScopeId,
    /// What gives it; never empty. More than one USE may bring in different things by one name: of
    /// generic names that is their union, of all others it is ambiguous.
    pub by: Vec<By>,
}

/// The names of a document, for many questions.
#[derive(Debug)]
pub struct Sight<'d> {
    doc: &'d Document,
    own: HashMap<(ScopeId, &'d str), SymbolId>,
    /// What modules hide: by symbol, and (`None`) unless said otherwise.
    hidden: HashMap<(ScopeId, Option<SymbolId>), bool>,
    /// The interface bodies that see nothing of what stands around them.
    closed: HashSet<ScopeId>,
    /// Of a MODULE PROCEDURE the interface body that declares its arguments and its result.
    interfaces: HashMap<ScopeId, ScopeId>,
}

impl<'d> Sight<'d> {
    /// Looks over the document.
    pub fn new(doc: &'d Document) -> Self {
        let mut own = HashMap::new();
        for (scope, data) in doc.scopes.iter() {
            for &symbol in &data.symbols {
                if has_a_name_alone(doc, scope, symbol) {
                    own.entry((scope, doc.symbols[symbol].id.as_str())).or_insert(symbol);
                }
            }
        }
        let bodies = doc.procs.values().filter(|proc| matches!(proc.body, Body::Interface));
        let closed = bodies.filter(|proc| {
            let imports = |item: &SpecItem| matches!(item, SpecItem::Import { .. });
            !doc.has(proc.symbol, Attr::Module) && !doc.scopes[proc.scope].items.iter().any(imports)
        });
        let closed = closed.map(|proc| proc.scope).collect();
        Sight { doc, own, hidden: hidden_names(doc), closed, interfaces: interfaces(doc) }
    }

    /// What `name` means in `scope`; `None` where no declaration and no USE gives it a meaning. The
    /// name of an external procedure or of an intrinsic function has none unless it is declared.
    pub fn meaning(&self, scope: ScopeId, name: &str) -> Option<Meaning> {
        let name = name.to_ascii_lowercase();
        let mut current = Some(scope);
        // A scope tree with a cycle is the verifier's business; here it must not hang.
        for _ in 0..=self.doc.scopes.len() {
            let here = current?;
            if self.doc.scopes[here].kind == ScopeKind::Global {
                return None;
            }
            let by = self.given_by(here, &name);
            if !by.is_empty() {
                return Some(Meaning { scope: here, by });
            }
            current = self.doc.scopes[here].parent.filter(|_| !self.closed.contains(&here));
        }
        None
    }

    /// What in `scope` itself gives a meaning to `name` (in lower case).
    fn given_by(&self, scope: ScopeId, name: &str) -> Vec<By> {
        let mut found: Vec<By> = Vec::new();
        let interface = self.interfaces.get(&scope);
        let described = interface.and_then(|&interface| self.own.get(&(interface, name)));
        if let Some(&symbol) = self.own.get(&(scope, name)).or(described) {
            found.push(By::Declaration(symbol));
            if !self.is_generic(symbol) {
                return found;
            }
        }
        for by in self.used(scope, name) {
            if !found.iter().any(|other| other.symbol() == by.symbol()) {
                found.push(by);
            }
        }
        found
    }

    /// What the USE statements of `scope` bring in by `name` (in lower case), whether or not the scope
    /// declares something of that name.
    pub fn used(&self, scope: ScopeId, name: &str) -> Vec<By> {
        let mut found = Vec::new();
        let items = &self.doc.scopes[scope].items;
        for (item, spec) in items.iter().enumerate() {
            let SpecItem::Use(used) = spec else { continue };
            let mut symbols = Vec::new();
            self.brought_in((items, used), name, MODULES_DEEP, &mut symbols);
            found.extend(symbols.into_iter().map(|symbol| By::Use { item, symbol }));
        }
        found
    }

    /// Whether a symbol is a generic name, which adds to others of its name.
    fn is_generic(&self, symbol: SymbolId) -> bool {
        matches!(self.doc.role(symbol), Some(Role::Generic { .. }))
    }

    /// What a USE, one of `items`, brings in by this name; `None` for what is not known.
    fn brought_in(
        &self,
        (items, used): (&[SpecItem], &Use),
        name: &str,
        fuel: u32,
        into: &mut Vec<Option<SymbolId>>,
    ) {
        let Some(fuel) = fuel.checked_sub(1) else { return };
        let mut listed = false;
        for one in used.names.iter().filter(|one| one.local.eq_ignore_ascii_case(name)) {
            listed = true;
            match one.symbol {
                Some(symbol) => into.push(Some(symbol)),
                None => {
                    let before = into.len();
                    self.exported(used, &one.remote.to_ascii_lowercase(), fuel, into);
                    if into.len() == before {
                        into.push(None);
                    }
                }
            }
        }
        if !listed && !used.only && !is_renamed(items, used, name) {
            self.exported(used, name, fuel, into);
        }
    }

    /// What the module of a USE has by this name.
    fn exported(&self, used: &Use, name: &str, fuel: u32, into: &mut Vec<Option<SymbolId>>) {
        let Some(Role::Module { scope: Some(module) }) = self.doc.role(used.module) else { return };
        if let Some(&symbol) = self.own.get(&(*module, name)) {
            if !self.hides(*module, symbol) {
                into.push(Some(symbol));
            }
            if !self.is_generic(symbol) {
                return;
            }
        }
        let mut passed_on = Vec::new();
        let items = &self.doc.scopes[*module].items;
        for item in items {
            if let SpecItem::Use(used) = item {
                self.brought_in((items, used), name, fuel, &mut passed_on);
            }
        }
        passed_on.retain(|symbol| !symbol.is_some_and(|symbol| self.hides(*module, symbol)));
        into.extend(passed_on);
    }

    /// Whether `symbol` cannot be seen through a USE of `module`, whose own it is or which uses it.
    fn hides(&self, module: ScopeId, symbol: SymbolId) -> bool {
        if self.doc.symbols[symbol].scope == module {
            return self.doc.is_private(symbol);
        }
        let said = |what| self.hidden.get(&(module, what)).copied();
        said(Some(symbol)).or_else(|| said(None)).unwrap_or(false)
    }

    /// The names that `symbol` has in `scope`, the nearest first, whether or not something else has
    /// the same name there.
    pub fn names(&self, scope: ScopeId, symbol: SymbolId) -> Vec<String> {
        let mut names = Vec::new();
        let mut current = Some(scope);
        for _ in 0..=self.doc.scopes.len() {
            let Some(here) = current else { break };
            self.named(here, symbol, MODULES_DEEP, &mut names);
            current = self.doc.scopes[here].parent;
        }
        names
    }

    /// Adds the names of `symbol` as `scope` declares it or brings it in.
    fn named(&self, scope: ScopeId, symbol: SymbolId, fuel: u32, into: &mut Vec<String>) {
        let home = self.doc.symbols[symbol].scope;
        if home == scope || self.interfaces.get(&scope) == Some(&home) {
            into.push(self.doc.name(symbol).to_owned());
            return;
        }
        let Some(fuel) = fuel.checked_sub(1) else { return };
        let items = &self.doc.scopes[scope].items;
        for item in items {
            let SpecItem::Use(used) = item else { continue };
            let listed = used.names.iter().filter(|name| name.symbol == Some(symbol));
            let before = into.len();
            into.extend(listed.map(|name| name.local.clone()));
            if into.len() > before {
                continue;
            }
            let Some(Role::Module { scope: Some(module) }) = self.doc.role(used.module) else {
                continue;
            };
            if self.hides(*module, symbol) {
                continue;
            }
            let mut there = Vec::new();
            self.named(*module, symbol, fuel, &mut there);
            for name in there {
                let listed = used.names.iter().find(|one| one.remote.eq_ignore_ascii_case(&name));
                match listed {
                    Some(one) => into.push(one.local.clone()),
                    None if used.only || is_renamed(items, used, &name) => {}
                    None => into.push(name),
                }
            }
        }
    }
}

/// Whether a USE without ONLY brings something in by another name alone: all renames of one module in a
/// scope count together (Fortran 2018, 14.2.2).
fn is_renamed(items: &[SpecItem], used: &Use, name: &str) -> bool {
    items.iter().any(|item| match item {
        SpecItem::Use(other) => {
            other.module == used.module
                && other.names.iter().any(|one| {
                    one.remote.eq_ignore_ascii_case(name) && !one.local.eq_ignore_ascii_case(name)
                })
        }
        _ => false,
    })
}

/// Whether a symbol of `scope` is meant by its name alone: components, bindings and COMMON blocks
/// have name spaces of their own.
fn has_a_name_alone(doc: &Document, scope: ScopeId, symbol: SymbolId) -> bool {
    let is_type = matches!(doc.scopes[scope].kind, ScopeKind::DerivedType(_));
    match doc.role(symbol) {
        Some(Role::TypeParam { .. }) => true,
        Some(Role::CommonBlock | Role::Binding { .. } | Role::Final { .. }) | None => false,
        Some(
            Role::Variable
            | Role::Constant
            | Role::Procedure(_)
            | Role::Generic { .. }
            | Role::DerivedType { .. }
            | Role::Module { .. }
            | Role::BlockData
            | Role::Namelist
            | Role::StatementFunction
            | Role::Unresolved { .. }
            | Role::Associate { .. },
        ) => !is_type,
    }
}

/// The interface bodies of separate module procedures that stand as MODULE PROCEDURE in a submodule.
fn interfaces(doc: &Document) -> HashMap<ScopeId, ScopeId> {
    let mut found = HashMap::new();
    let separate = |proc: &&Procedure| proc.kind == ProcKind::ModuleProcedure;
    for proc in doc.procs.values().filter(separate) {
        let interface = doc.procs.values().find(|other| {
            matches!(other.body, Body::Interface)
                && doc.symbols[other.symbol].id == doc.symbols[proc.symbol].id
                && doc.scopes[other.scope]
                    .parent
                    .is_some_and(|host| doc.is_within(proc.scope, host))
        });
        found.extend(interface.map(|interface| (proc.scope, interface.scope)));
    }
    found
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
    hidden
}
