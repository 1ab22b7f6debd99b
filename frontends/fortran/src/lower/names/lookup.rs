//! What a name means in a scope: its own names, USE association, host association, implicit typing.

use std::collections::HashSet;
use std::rc::Rc;

use xaif_schema::diag::Code;
use xaif_schema::intrinsics;
use xaif_schema::model::{
    Attr, Base, ProcClass, ProcSort, ProcedureInfo, Role, ScopeId, ScopeKind, SymbolId, Ty,
    TypeSpec,
};

use super::tables::ImplicitRules;
use crate::lower::Lowering;
use crate::syntax::ast;

impl<'a> Lowering<'a> {
    /// The symbol that `key` (lower case) names in `scope`: the original one, wherever it is
    /// declared. Names of external procedures that the scope does not declare are not found.
    pub(crate) fn lookup(&mut self, scope: ScopeId, key: &str) -> Option<SymbolId> {
        let symbol = self.find(scope, key)?;
        self.settle(symbol);
        Some(symbol)
    }

    /// The symbol that `key` names in `scope` itself, not around it and not by USE.
    pub(crate) fn lookup_own(&mut self, scope: ScopeId, key: &str) -> Option<SymbolId> {
        let symbol = self.names[scope].own.get(key).copied()?;
        self.settle(symbol);
        Some(symbol)
    }

    /// As [`lookup`](Self::lookup), but looks at no declaration.
    pub(super) fn find(&mut self, scope: ScopeId, key: &str) -> Option<SymbolId> {
        let mut current = scope;
        while current != self.global {
            if let Some(symbol) = self.find_here(current, key) {
                return Some(symbol);
            }
            if !self.names[current].host.sees(key) {
                return None;
            }
            current = self.doc.scopes[current].parent?;
        }
        None
    }

    /// As [`find`](Self::find), but not in the scopes around it.
    fn find_here(&mut self, scope: ScopeId, key: &str) -> Option<SymbolId> {
        let names = &self.names[scope];
        if let Some(&symbol) = names.own.get(key)
            && self.is_visible_by_name(scope, symbol)
        {
            return Some(symbol);
        }
        if let Some(interface) = names.interface
            && let Some(&symbol) = self.names[interface].own.get(key)
        {
            return Some(symbol);
        }
        if self.names[scope].intrinsic.is_some() {
            return self.intrinsic_module_name(scope, key);
        }
        if self.names[scope].uses.is_empty() { None } else { self.used(scope, key) }
    }

    /// Components and bindings are reached through an object, not by their names alone.
    fn is_visible_by_name(&self, scope: ScopeId, symbol: SymbolId) -> bool {
        !matches!(self.doc.scopes[scope].kind, ScopeKind::DerivedType(_))
            || matches!(self.doc.role(symbol), Some(Role::TypeParam { .. }))
    }

    /// The symbol that `key` names in `scope` through its USE statements.
    fn used(&mut self, scope: ScopeId, key: &str) -> Option<SymbolId> {
        if let Some(&found) = self.names[scope].found.get(key) {
            return found;
        }
        let found = self.used_all(scope, key).first().copied();
        self.names[scope].found.insert(key.into(), found);
        found
    }

    /// All symbols that `key` names in `scope` through its USE statements: more than one for
    /// generic names, operators and assignment.
    pub(super) fn used_all(&mut self, scope: ScopeId, key: &str) -> Vec<SymbolId> {
        let mut found = Vec::new();
        let mut visited: HashSet<(ScopeId, Box<str>)> = HashSet::new();
        let mut todo: Vec<(ScopeId, Box<str>)> = Vec::new();
        self.follow_uses(scope, key, &mut todo);
        while let Some((module, key)) = todo.pop() {
            if !visited.insert((module, key.clone())) || self.is_private(module, &key) {
                continue;
            }
            let own = self.names[module].own.get(&key).copied();
            let own = own.or_else(|| self.intrinsic_module_name(module, &key));
            match own {
                Some(symbol) => {
                    found.push(symbol);
                    found.extend(self.names[module].hidden.get(&key).copied());
                    // A generic of the module may add to one that it uses.
                    if self.is_generic(symbol) {
                        self.follow_uses(module, &key, &mut todo);
                    }
                }
                None => self.follow_uses(module, &key, &mut todo),
            }
        }
        found.dedup();
        // Of a generic and a procedure or type the latter is what the name alone means.
        found.sort_by_key(|&symbol| {
            self.is_generic(symbol) && self.doc.symbols[symbol].id.contains(' ')
        });
        found
    }

    /// What the name `key` of `module` means for who uses the module.
    pub(super) fn exported_name(&mut self, module: ScopeId, key: &str) -> Option<SymbolId> {
        if self.is_private(module, key) {
            return None;
        }
        match self.names[module].own.get(key).copied() {
            Some(symbol) => Some(symbol),
            None => self
                .intrinsic_module_name(module, key)
                .or_else(|| self.used_all(module, key).first().copied()),
        }
    }

    fn follow_uses(&self, scope: ScopeId, key: &str, todo: &mut Vec<(ScopeId, Box<str>)>) {
        for link in self.names[scope].uses.iter().rev() {
            if let (Some(module), Some(original)) = (link.scope, link.original(key)) {
                todo.push((module, original.into()));
            }
        }
    }

    /// Whether `key` cannot be seen outside of `module`.
    pub(super) fn is_private(&self, module: ScopeId, key: &str) -> bool {
        let names = &self.names[module];
        names.access.get(key).copied().unwrap_or(names.private)
    }

    /// Whether `symbol` is a generic name, operator or assignment.
    pub(crate) fn is_generic(&self, symbol: SymbolId) -> bool {
        matches!(self.doc.role(symbol), Some(Role::Generic { .. }))
    }

    /// The symbol that `name` means in `scope`; declares it by the implicit rules where nothing
    /// else does. A name that may come from a module that was not given becomes unresolved; one
    /// that has no type is an error, once.
    pub(crate) fn lookup_or_declare(&mut self, scope: ScopeId, name: &ast::Name) -> SymbolId {
        if let Some(symbol) = self.lookup(scope, name.key()) {
            return symbol;
        }
        let inner = self.scoping_unit(scope);
        let missing = self.missing_module(scope);
        let host = self.host_that_mentions(inner, name.key());
        let host = host.filter(|&host| self.missing_module(host) == missing);
        let unit = host.unwrap_or(inner);
        let spec = self.implicit_spec(unit, name.key());
        match (missing, spec) {
            (Some(module), _) => self.declare_unresolved(unit, name, Some(module)),
            (None, Some(spec)) => {
                let symbol = self.declare(unit, name, Role::Variable);
                if let Some(decl) = self.doc.symbols[symbol].decl.as_deref_mut() {
                    decl.spec = spec;
                    decl.implicit = true;
                }
                self.classify(symbol);
                if self.names[unit].functions.contains(name.key())
                    && intrinsics::named(name.key()).is_none()
                {
                    self.make_procedure(symbol, ProcSort::Function);
                }
                symbol
            }
            (None, None) => {
                self.error(
                    Code::NO_IMPLICIT_TYPE,
                    name.place,
                    format!("`{name}` is not declared"),
                    "declare it, or remove IMPLICIT NONE",
                );
                self.declare_unresolved(unit, name, None)
            }
        }
    }

    /// The host of the contained procedure `unit` whose body uses the variable `key` without
    /// declaring it: then the variable is the host's, though that body may not be lowered yet.
    fn host_that_mentions(&mut self, unit: ScopeId, key: &str) -> Option<ScopeId> {
        let mut current = unit;
        while self.names[current].host.sees(key) {
            current = self.doc.scopes[current].parent?;
            if self.names[current].mentioned.contains(key) {
                let is_typed = self.missing_module(current).is_some()
                    || self.implicit_spec(current, key).is_some();
                return Some(current).filter(|_| is_typed);
            }
        }
        None
    }

    /// The symbol of the procedure that `name` calls in `scope`. A declared name without interface
    /// (`external f`, `real f`) becomes an external procedure of this sort; an undeclared
    /// subroutine stands in the global scope, an undeclared function in the calling unit, whose
    /// implicit rules give it its type.
    pub(crate) fn procedure_for_call(
        &mut self,
        scope: ScopeId,
        name: &ast::Name,
        sort: ProcSort,
    ) -> SymbolId {
        if let Some(symbol) = self.lookup(scope, name.key()) {
            self.make_procedure(symbol, sort);
            return symbol;
        }
        if self.missing_module(scope).is_some() {
            return self.lookup_or_declare(scope, name);
        }
        match sort {
            ProcSort::Function => {
                let symbol = self.lookup_or_declare(scope, name);
                self.make_procedure(symbol, sort);
                symbol
            }
            ProcSort::Subroutine | ProcSort::Program | ProcSort::Unknown => {
                self.external(name, sort)
            }
        }
    }

    /// The global symbol of an external procedure.
    pub(super) fn external(&mut self, name: &ast::Name, sort: ProcSort) -> SymbolId {
        if let Some(&symbol) = self.names[self.global].own.get(name.key()) {
            self.settle(symbol);
            return symbol;
        }
        let info = ProcedureInfo {
            sort,
            class: ProcClass::External,
            proc: None,
            interface: None,
            pass: None,
        };
        self.declare(self.global, name, Role::Procedure(info))
    }

    /// A symbol that is called is a procedure: a variable without dimensions becomes one.
    pub(crate) fn make_procedure(&mut self, symbol: SymbolId, sort: ProcSort) {
        let key = self.doc.symbols[symbol].id.clone();
        let given = self.given_external(&key);
        let dummy = self.is_dummy(symbol);
        let class = if dummy { ProcClass::Dummy } else { ProcClass::External };
        let Some(decl) = self.doc.symbols[symbol].decl.as_deref_mut() else { return };
        match &mut decl.role {
            Role::Variable if decl.dims.is_empty() && decl.init.is_none() => {
                let proc = if dummy { None } else { given };
                let class = if decl.has(Attr::Pointer) { ProcClass::Pointer } else { class };
                decl.role = Role::Procedure(ProcedureInfo {
                    sort,
                    class,
                    proc,
                    interface: None,
                    pass: None,
                });
                if sort == ProcSort::Subroutine && decl.implicit {
                    decl.spec = TypeSpec::None;
                    decl.implicit = false;
                }
            }
            Role::Procedure(info) if info.sort == ProcSort::Unknown => info.sort = sort,
            _ => return,
        }
        if sort == ProcSort::Function {
            self.type_of_untyped_function(symbol);
        }
        self.classify(symbol);
    }

    /// `external f`, used as a function: its type comes from the implicit rules.
    fn type_of_untyped_function(&mut self, symbol: SymbolId) {
        let scope = self.doc.symbols[symbol].scope;
        let key = self.doc.symbols[symbol].id.clone();
        let untyped =
            self.doc.symbols[symbol].decl.as_ref().is_some_and(|decl| decl.spec == TypeSpec::None);
        if !untyped || scope == self.global {
            return;
        }
        let Some(spec) = self.implicit_spec(scope, &key) else { return };
        if let Some(decl) = self.doc.symbols[symbol].decl.as_deref_mut() {
            decl.spec = spec;
            decl.implicit = true;
        }
    }

    /// The innermost scoping unit around `scope`: where implicit declarations go.
    pub(super) fn scoping_unit(&self, scope: ScopeId) -> ScopeId {
        let mut current = scope;
        loop {
            match self.doc.scopes[current].kind {
                ScopeKind::Block
                | ScopeKind::Associate
                | ScopeKind::Indices
                | ScopeKind::DerivedType(_)
                | ScopeKind::StatementFunction(_) => {}
                ScopeKind::Plain
                | ScopeKind::Global
                | ScopeKind::Module(_)
                | ScopeKind::Submodule { .. }
                | ScopeKind::Procedure(_)
                | ScopeKind::BlockData(_) => return current,
            }
            match self.doc.scopes[current].parent {
                Some(parent) => current = parent,
                None => return current,
            }
        }
    }

    /// A module without source that is used here without ONLY: an unknown name may be its.
    pub(crate) fn missing_module(&self, scope: ScopeId) -> Option<SymbolId> {
        let mut current = Some(scope);
        while let Some(scope) = current {
            let names = &self.names[scope];
            let found = names.uses.iter().find_map(|link| self.missing_behind(link));
            if found.is_some() {
                return found;
            }
            match names.host {
                super::tables::Host::All => current = self.doc.scopes[scope].parent,
                super::tables::Host::None | super::tables::Host::Names(_) => return None,
            }
        }
        None
    }

    /// The module that `link` brings in without ONLY and that (or one that it uses) is missing.
    fn missing_behind(&self, link: &super::tables::UseLink) -> Option<SymbolId> {
        if link.only {
            return None;
        }
        let Some(scope) = link.scope else { return Some(link.module) };
        self.names[scope].missing_behind
    }

    /// The implicit rules that hold in `scope`.
    pub(super) fn implicit_rules(
        &self,
        scope: ScopeId,
    ) -> Option<(Rc<ImplicitRules<'a>>, ScopeId)> {
        let mut current = Some(scope);
        while let Some(scope) = current {
            if let Some(rules) = &self.names[scope].implicit {
                return Some((rules.clone(), scope));
            }
            // An interface body has rules of its own, not those of its host.
            if !matches!(self.names[scope].host, super::tables::Host::All) {
                return None;
            }
            current = self.doc.scopes[scope].parent;
        }
        None
    }

    /// The type that the implicit rules of `scope` give to `key`; `None` under IMPLICIT NONE.
    pub(crate) fn implicit_spec(&mut self, scope: ScopeId, key: &str) -> Option<TypeSpec> {
        let first = key.bytes().next().unwrap_or(b'a').to_ascii_lowercase();
        if let Some((rules, owner)) = self.implicit_rules(scope) {
            let letter = first.checked_sub(b'a').map(usize::from);
            let written = letter.and_then(|letter| rules.letters.get(letter).copied().flatten());
            match written {
                Some(spec) => return Some(self.type_spec(owner, spec)),
                None if rules.none => return None,
                None => {}
            }
        }
        let base = if (b'i'..=b'n').contains(&first) { Base::Integer(4) } else { Base::Real(4) };
        Some(TypeSpec::Intrinsic { base, kind: Default::default() })
    }

    /// The type, kind and rank of `symbol`: of a procedure, those of its result.
    pub(crate) fn type_of(&mut self, symbol: SymbolId) -> Ty {
        self.settle(symbol);
        let symbol = &self.doc.symbols[symbol];
        let Some(decl) = symbol.decl.as_deref() else { return Ty::default() };
        let base = match (&decl.role, &decl.spec) {
            (Role::Unresolved { .. } | Role::Generic { .. }, TypeSpec::None) => Base::Unknown,
            (Role::Procedure(info), TypeSpec::None) if info.sort == ProcSort::Unknown => {
                Base::Unknown
            }
            (_, spec) => spec.base(),
        };
        Ty { base, rank: symbol.rank.unwrap_or(0) }
    }
}
