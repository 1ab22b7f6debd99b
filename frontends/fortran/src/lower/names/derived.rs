//! Derived types: parameters, components, bindings, extension.

use xaif_schema::model::{Attr, Comment, Role, ScopeId, ScopeKind, SpecItem, SymbolId};

use super::collect::Plan;
use crate::lower::Lowering;
use crate::syntax::ast;

impl<'a> Lowering<'a> {
    /// Makes the symbol and the scope of a derived type.
    pub(super) fn collect_type(
        &mut self,
        scope: ScopeId,
        head: &ast::Head,
        definition: &'a ast::TypeDef,
    ) -> SymbolId {
        let name = &definition.name;
        let components = self.open_scope(scope, ScopeKind::Plain, head.place);
        let role = Role::DerivedType { scope: components, extends: None, params: Vec::new() };
        let symbol = match self.names[scope].own.get(name.key()).copied() {
            Some(generic) if self.is_generic(generic) => {
                self.doc.symbols[generic].id = format!("generic {}", name.key());
                self.names[scope].hidden.insert(name.key().into(), generic);
                self.declare(scope, name, role)
            }
            Some(_) | None => self.declare(scope, name, role),
        };
        self.doc.scopes[components].kind = ScopeKind::DerivedType(symbol);
        self.doc.scopes[components].end = self.place(definition.end.place);
        for attribute in &definition.attributes {
            match attribute {
                ast::TypeAttribute::Abstract => self.add_attr(symbol, Attr::Abstract),
                ast::TypeAttribute::Bind(_) => self.add_attr(symbol, Attr::BindC),
                ast::TypeAttribute::Access(ast::Access::Private) => {
                    self.add_attr(symbol, Attr::Private);
                    self.note_access(symbol, true);
                }
                ast::TypeAttribute::Access(ast::Access::Public) => {
                    self.add_attr(symbol, Attr::Public);
                    self.note_access(symbol, false);
                }
                ast::TypeAttribute::Extends(_) => {}
            }
        }
        symbol
    }

    /// Lowers what stands in a derived type.
    pub(super) fn type_body(
        &mut self,
        host: ScopeId,
        symbol: SymbolId,
        head: &'a ast::Head,
        definition: &'a ast::TypeDef,
    ) {
        let Some(Role::DerivedType { scope, .. }) = self.doc.role(symbol) else { return };
        let scope = *scope;
        self.type_header(host, scope, symbol, definition);
        let mut items = self.comments_of(head);
        for component in &definition.components {
            match component {
                ast::ComponentItem::Trivia(trivia) => {
                    items.push(SpecItem::Comment(self.trivia(trivia)));
                }
                ast::ComponentItem::Stmt(head, stmt) => {
                    let count = items.len();
                    self.component_stmt(scope, symbol, stmt, &mut items);
                    self.trail(&mut items, head, count);
                }
            }
        }
        if let Some(bindings) = &definition.bindings {
            items.push(SpecItem::TypeContains);
            let count = items.len() - 1;
            self.trail(&mut items, &bindings.head, count);
            self.bindings(host, scope, symbol, bindings, &mut items);
        }
        self.doc.scopes[scope].items = items;
    }

    fn type_header(
        &mut self,
        host: ScopeId,
        scope: ScopeId,
        symbol: SymbolId,
        definition: &'a ast::TypeDef,
    ) {
        for attribute in &definition.attributes {
            let ast::TypeAttribute::Extends(parent) = attribute else { continue };
            let found = self.derived_type(host, parent.key());
            let extends = match found {
                Some(found) => Some(found),
                None => {
                    self.unknown_type(host, parent);
                    // A parent that is not known still is a parent.
                    let known = self.find(host, parent.key());
                    known.or_else(|| {
                        let module = self.missing_module(host);
                        let unit = self.scoping_unit(host);
                        Some(self.declare_unresolved(unit, parent, module))
                    })
                }
            };
            self.decl_mut(symbol, |decl| {
                if let Role::DerivedType { extends: slot, .. } = &mut decl.role {
                    *slot = extends.filter(|&parent| parent != symbol);
                }
            });
        }
        for name in &definition.parameters {
            let param = self.declare(scope, name, Role::TypeParam { len: false });
            self.decl_mut(symbol, |decl| {
                if let Role::DerivedType { params, .. } = &mut decl.role {
                    params.push(param);
                }
            });
        }
    }

    fn component_stmt(
        &mut self,
        scope: ScopeId,
        ty: SymbolId,
        stmt: &'a ast::ComponentStmt,
        items: &mut Vec<SpecItem>,
    ) {
        match stmt {
            ast::ComponentStmt::Data(declaration) => {
                let mut plan = Plan::default();
                self.collect_declaration(scope, &mut plan, 0, declaration);
                let is_len =
                    declaration.attributes.iter().any(|a| matches!(a, ast::Attribute::Len));
                let symbols: Vec<SymbolId> = plan.places.keys().copied().collect();
                for &symbol in &symbols {
                    self.decl_mut(symbol, |decl| {
                        if let Role::TypeParam { len } = &mut decl.role {
                            *len = is_len;
                        }
                    });
                    self.settle(symbol);
                }
                items.push(SpecItem::Declare(symbols));
            }
            ast::ComponentStmt::Procedure(declaration) => {
                let mut symbols = Vec::new();
                for (name, target) in &declaration.entities {
                    let symbol = self.entity(scope, name);
                    self.declared_procedure(symbol, declaration, target.as_ref());
                    self.settle(symbol);
                    symbols.push(symbol);
                }
                items.push(SpecItem::Declare(symbols));
            }
            ast::ComponentStmt::Private => {
                self.add_attr(ty, Attr::PrivateComponents);
            }
            ast::ComponentStmt::Sequence => self.add_attr(ty, Attr::Sequence),
        }
    }

    fn bindings(
        &mut self,
        host: ScopeId,
        scope: ScopeId,
        ty: SymbolId,
        bindings: &'a ast::Bindings,
        items: &mut Vec<SpecItem>,
    ) {
        let mut generics = Vec::new();
        for item in &bindings.items {
            let (head, binding) = match item {
                ast::BindingItem::Trivia(trivia) => {
                    items.push(SpecItem::Comment(self.trivia(trivia)));
                    continue;
                }
                ast::BindingItem::Stmt(head, binding) => (head, binding),
            };
            let count = items.len();
            match binding {
                ast::Binding::Private => self.add_attr(ty, Attr::PrivateBindings),
                ast::Binding::Procedure { interface, attributes, entities } => {
                    let symbols = entities
                        .iter()
                        .map(|(name, target)| {
                            let target = target.as_ref().unwrap_or(name);
                            self.binding(host, scope, name, target, interface.as_ref(), attributes)
                        })
                        .collect();
                    items.push(SpecItem::Declare(symbols));
                }
                ast::Binding::Generic(binding) => {
                    let symbol = self.generic(scope, &binding.name);
                    self.set_access(symbol, binding.access);
                    generics.push((symbol, &binding.specifics));
                    // A second statement adds to the first, which is printed with all of them.
                    if !items.contains(&SpecItem::Generic(symbol)) {
                        items.push(SpecItem::Generic(symbol));
                    }
                }
                ast::Binding::Final(names) => {
                    let symbols = names
                        .iter()
                        .map(|name| {
                            let target = self.procedure_named(host, name);
                            let id = format!("final {}", name.key());
                            let place = self.place(name.place);
                            let role = Role::Final { target };
                            self.add(scope, &id, name.spelling(), role, place)
                        })
                        .collect();
                    items.push(SpecItem::Declare(symbols));
                }
            }
            self.trail(items, head, count);
        }
        for (generic, names) in generics {
            let found: Vec<SymbolId> =
                names.iter().filter_map(|name| self.component(ty, name.key())).collect();
            self.add_specifics(generic, found);
        }
    }

    fn binding(
        &mut self,
        host: ScopeId,
        scope: ScopeId,
        name: &'a ast::Name,
        target: &'a ast::Name,
        interface: Option<&'a ast::Name>,
        attributes: &'a [ast::ComponentAttribute],
    ) -> SymbolId {
        let is_deferred = attributes.iter().any(|a| matches!(a, ast::ComponentAttribute::Deferred));
        let target = if is_deferred { None } else { Some(self.procedure_named(host, target)) };
        let interface = interface.map(|interface| self.procedure_named(host, interface));
        let pass = attributes.iter().find_map(|attribute| match attribute {
            ast::ComponentAttribute::Pass(Some(name)) => Some(name.spelling().to_owned()),
            _ => None,
        });
        let symbol = self.declare(scope, name, Role::Binding { target, interface, pass });
        for attribute in attributes {
            match attribute {
                ast::ComponentAttribute::Attribute(attribute) => self.apply(symbol, attribute),
                ast::ComponentAttribute::Pass(_) => self.add_attr(symbol, Attr::Pass),
                ast::ComponentAttribute::NoPass => self.add_attr(symbol, Attr::NoPass),
                ast::ComponentAttribute::Deferred => self.add_attr(symbol, Attr::Deferred),
                ast::ComponentAttribute::NonOverridable => {
                    self.add_attr(symbol, Attr::NonOverridable);
                }
            }
        }
        symbol
    }

    /// Adds the comments of a statement's head: on its line if it has become an item.
    pub(super) fn trail(&self, items: &mut Vec<SpecItem>, head: &ast::Head, before: usize) {
        let has_item = items.len() > before;
        for comment in &head.comments {
            let comment = self.trailing(comment);
            items.push(SpecItem::Comment(Comment { trailing: has_item, ..comment }));
        }
    }

    /// The procedure that `name` means in `scope`, also beside a generic name; an unknown one is
    /// external.
    pub(super) fn procedure_named(&mut self, scope: ScopeId, name: &ast::Name) -> SymbolId {
        if let Some(symbol) = self.find(scope, name.key()) {
            if !self.is_generic(symbol) {
                return symbol;
            }
            let owner = self.doc.symbols[symbol].scope;
            let hidden = self.names[owner].hidden.get(name.key()).copied();
            return hidden.unwrap_or(symbol);
        }
        match self.missing_module(scope) {
            Some(module) => {
                let unit = self.scoping_unit(scope);
                self.declare_unresolved(unit, name, Some(module))
            }
            None => self.external(name, xaif_schema::model::ProcSort::Unknown),
        }
    }

    /// Adds specific procedures to a generic symbol.
    pub(super) fn add_specifics(&mut self, generic: SymbolId, found: Vec<SymbolId>) {
        self.decl_mut(generic, |decl| {
            if let Role::Generic { specifics, .. } = &mut decl.role {
                for symbol in found {
                    if !specifics.contains(&symbol) {
                        specifics.push(symbol);
                    }
                }
            }
        });
    }
}
