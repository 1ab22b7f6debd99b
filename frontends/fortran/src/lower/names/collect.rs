//! Gathering what all statements of a specification part say about each name.
//!
//! Nothing is looked at here: types, bounds and values stay in the syntax tree until the symbol is
//! settled. What comes out is a [`Plan`]: for each statement the symbols that are declared there.

use std::collections::HashMap;

use indexmap::IndexMap;
use xaif_schema::diag::Code;
use xaif_schema::model::{
    Attr, GenericSpec, Intent, ProcClass, ProcSort, ProcedureInfo, Role, ScopeId, SymbolId,
};

use super::facts::{Facts, InitialFact};
use super::tables::Pending;
use super::uses::{generic_key, generic_place, generic_spelling};
use crate::lower::Lowering;
use crate::syntax::ast;

/// Where the symbols of a specification part are declared.
#[derive(Debug, Default)]
pub(super) struct Plan<'a> {
    /// The statements and what stands between them, in order.
    pub(super) slots: Vec<Slot<'a>>,
    /// For each declared symbol its slot, and how strong the statement is.
    pub(super) places: IndexMap<SymbolId, (usize, Strength)>,
    /// For each typed symbol the slot of its type.
    pub(super) typed: HashMap<SymbolId, usize>,
    /// Interface bodies: their scopes by the place of the opening statement.
    pub(super) bodies: HashMap<ast::Place, ScopeId>,
}

/// A statement of a specification part, or what stands between two of them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot<'a> {
    /// A statement.
    Stmt(&'a ast::Head, &'a ast::SpecKind),
    /// A comment, blank line or directive.
    Trivia(&'a ast::Trivia),
}

/// How much a statement is the one that declares a name. A name is declared by its strongest
/// statement, and by the first of those that are equally strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// DIMENSION, SAVE, COMMON, EXTERNAL and the like.
    Attribute,
    /// A type declaration.
    Type,
    /// What gives a constant its value.
    Value,
}

impl<'a> Lowering<'a> {
    /// Gathers the facts of `slots`.
    pub(super) fn collect(&mut self, scope: ScopeId, slots: Vec<Slot<'a>>) -> Plan<'a> {
        let mut plan = Plan { slots, ..Plan::default() };
        for index in 0..plan.slots.len() {
            if let Slot::Stmt(head, kind) = plan.slots[index] {
                self.collect_stmt(scope, &mut plan, index, head, kind);
            }
        }
        plan
    }

    fn collect_stmt(
        &mut self,
        scope: ScopeId,
        plan: &mut Plan<'a>,
        slot: usize,
        head: &'a ast::Head,
        kind: &'a ast::SpecKind,
    ) {
        match kind {
            ast::SpecKind::Declaration(declaration) => {
                self.collect_declaration(scope, plan, slot, declaration);
            }
            ast::SpecKind::Procedure(declaration) => {
                self.collect_procedures(scope, plan, slot, declaration);
            }
            ast::SpecKind::Parameter { list, .. } => {
                for (name, value) in list {
                    let symbol = self.entity(scope, name);
                    self.respell(symbol, name);
                    self.set_role(symbol, Role::Constant);
                    self.add_attr(symbol, Attr::Parameter);
                    self.facts(symbol, |facts| facts.init = Some(InitialFact::Value(value)));
                    plan.put(symbol, slot, Strength::Value);
                }
            }
            ast::SpecKind::Save(list) => {
                for name in names_only(list) {
                    self.attribute(scope, plan, slot, name, Attr::Save);
                }
            }
            ast::SpecKind::Dimension(entities) => {
                for entity in entities {
                    let symbol = self.shaped(scope, entity);
                    plan.put(symbol, slot, Strength::Attribute);
                }
            }
            ast::SpecKind::Common(blocks) => {
                for member in blocks.iter().flat_map(|block| &block.members) {
                    let symbol = self.shaped(scope, member);
                    plan.put(symbol, slot, Strength::Attribute);
                }
            }
            ast::SpecKind::External(names) => {
                for name in names {
                    let symbol = self.attribute(scope, plan, slot, name, Attr::External);
                    self.make_external(symbol);
                }
            }
            ast::SpecKind::Intrinsic(names) => {
                for name in names {
                    let symbol = self.attribute(scope, plan, slot, name, Attr::Intrinsic);
                    self.set_procedure(symbol, ProcClass::Intrinsic, ProcSort::Unknown);
                }
            }
            ast::SpecKind::Attribute(attribute, entities) => {
                for entity in entities {
                    let symbol = self.shaped(scope, entity);
                    self.apply(symbol, attribute);
                    plan.put(symbol, slot, Strength::Attribute);
                }
            }
            ast::SpecKind::Bind(bind, list) => {
                for name in names_only(list) {
                    let symbol = self.attribute(scope, plan, slot, name, Attr::BindC);
                    self.facts(symbol, |facts| facts.bind = bind.name.as_ref());
                }
            }
            ast::SpecKind::Access(access, names) => {
                let private = *access == ast::Access::Private;
                if names.is_empty() {
                    self.names[scope].private = private;
                }
                for name in names {
                    self.names[scope].access.insert(generic_key(name), private);
                }
            }
            ast::SpecKind::Generic(binding) => {
                let symbol = self.generic(scope, &binding.name);
                self.set_access(symbol, binding.access);
                plan.put(symbol, slot, Strength::Type);
            }
            ast::SpecKind::TypeDef(definition) => {
                let symbol = self.collect_type(scope, head, definition);
                plan.put(symbol, slot, Strength::Type);
            }
            ast::SpecKind::Enum(definition) => {
                for (name, value) in enumerators(definition) {
                    let symbol = self.entity(scope, name);
                    self.set_role(symbol, Role::Constant);
                    self.add_attr(symbol, Attr::Enumerator);
                    let init = value.as_ref().map(InitialFact::Value);
                    self.facts(symbol, |facts| facts.init = init);
                    plan.put(symbol, slot, Strength::Value);
                }
            }
            ast::SpecKind::Interface(interface) => {
                self.collect_interface(scope, plan, slot, interface);
            }
            ast::SpecKind::Namelist(groups) => {
                for (name, _) in groups {
                    if !self.names[scope].own.contains_key(name.key()) {
                        self.declare(scope, name, Role::Namelist);
                    }
                }
            }
            ast::SpecKind::Use(_)
            | ast::SpecKind::Import(_)
            | ast::SpecKind::Implicit(_)
            | ast::SpecKind::Data(_)
            | ast::SpecKind::Equivalence(_)
            | ast::SpecKind::Entry(_)
            | ast::SpecKind::Format(_)
            | ast::SpecKind::Opaque(_) => {}
        }
    }

    pub(super) fn collect_declaration(
        &mut self,
        scope: ScopeId,
        plan: &mut Plan<'a>,
        slot: usize,
        declaration: &'a ast::Declaration,
    ) {
        let is_constant =
            declaration.attributes.iter().any(|a| matches!(a, ast::Attribute::Parameter));
        for entity in &declaration.entities {
            let symbol = self.entity(scope, &entity.name);
            self.respell(symbol, &entity.name);
            self.set_type(symbol, &declaration.type_spec, &entity.name);
            for attribute in &declaration.attributes {
                self.apply(symbol, attribute);
            }
            self.facts(symbol, |facts| {
                facts.dims = entity.shape.as_deref().or(facts.dims);
                facts.length = entity.length.as_ref().or(facts.length);
                facts.init = match &entity.initial {
                    Some(ast::Initial::Value(value)) => Some(InitialFact::Value(value)),
                    Some(ast::Initial::Pointer(target)) => Some(InitialFact::Target(target)),
                    // The old form becomes a DATA statement.
                    Some(ast::Initial::Data(_)) | None => facts.init,
                };
            });
            if is_constant {
                self.set_role(symbol, Role::Constant);
            }
            plan.typed.insert(symbol, slot);
            let strength = if is_constant { Strength::Value } else { Strength::Type };
            plan.put(symbol, slot, strength);
        }
    }

    /// Gives a symbol its type; a second one is an error.
    fn set_type(&mut self, symbol: SymbolId, spec: &'a ast::TypeSpec, name: &ast::Name) {
        let mut is_second = false;
        self.facts(symbol, |facts| {
            is_second = facts.spec.is_some();
            facts.spec = facts.spec.or(Some(spec));
        });
        if is_second {
            self.error(
                Code::DUPLICATE_DECLARATION,
                name.place,
                format!("`{name}` has a type already"),
                "remove one of the declarations",
            );
        }
    }

    fn collect_procedures(
        &mut self,
        scope: ScopeId,
        plan: &mut Plan<'a>,
        slot: usize,
        declaration: &'a ast::ProcedureDecl,
    ) {
        for (name, target) in &declaration.entities {
            let symbol = self.entity(scope, name);
            self.respell(symbol, name);
            self.declared_procedure(symbol, declaration, target.as_ref());
            plan.put(symbol, slot, Strength::Type);
        }
    }

    /// A name that a PROCEDURE statement declares.
    pub(super) fn declared_procedure(
        &mut self,
        symbol: SymbolId,
        declaration: &'a ast::ProcedureDecl,
        target: Option<&'a ast::Expr>,
    ) {
        let mut pass = None;
        for attribute in &declaration.attributes {
            match attribute {
                ast::ComponentAttribute::Attribute(attribute) => self.apply(symbol, attribute),
                ast::ComponentAttribute::Pass(name) => {
                    self.add_attr(symbol, Attr::Pass);
                    pass = name.as_ref().map(|name| name.spelling().to_owned());
                }
                ast::ComponentAttribute::NoPass => self.add_attr(symbol, Attr::NoPass),
                ast::ComponentAttribute::Deferred => self.add_attr(symbol, Attr::Deferred),
                ast::ComponentAttribute::NonOverridable => {
                    self.add_attr(symbol, Attr::NonOverridable);
                }
            }
        }
        let class = if self.has_attr(symbol, Attr::Pointer) {
            ProcClass::Pointer
        } else if self.is_dummy(symbol) {
            ProcClass::Dummy
        } else {
            ProcClass::External
        };
        let sort = match &declaration.interface {
            Some(ast::ProcedureInterface::Type(_)) => ProcSort::Function,
            Some(ast::ProcedureInterface::Name(_)) | None => ProcSort::Unknown,
        };
        self.set_procedure(symbol, class, sort);
        self.decl_mut(symbol, |decl| {
            if let Role::Procedure(info) = &mut decl.role {
                info.pass = pass;
            }
        });
        self.facts(symbol, |facts| {
            match &declaration.interface {
                Some(ast::ProcedureInterface::Name(name)) => facts.interface = Some(name),
                Some(ast::ProcedureInterface::Type(spec)) => facts.spec = Some(spec),
                None => {}
            }
            if let Some(target) = target {
                facts.init = Some(InitialFact::Target(target));
            }
        });
    }

    fn attribute(
        &mut self,
        scope: ScopeId,
        plan: &mut Plan<'a>,
        slot: usize,
        name: &'a ast::Name,
        attr: Attr,
    ) -> SymbolId {
        let symbol = self.entity(scope, name);
        self.add_attr(symbol, attr);
        plan.put(symbol, slot, Strength::Attribute);
        symbol
    }

    /// A name with a shape in DIMENSION, COMMON, ALLOCATABLE and the like.
    fn shaped(&mut self, scope: ScopeId, entity: &'a ast::Entity) -> SymbolId {
        let symbol = self.entity(scope, &entity.name);
        self.facts(symbol, |facts| {
            facts.dims = entity.shape.as_deref().or(facts.dims);
            facts.length = entity.length.as_ref().or(facts.length);
        });
        symbol
    }

    /// The symbol of a declared name, with facts to gather.
    pub(super) fn entity(&mut self, scope: ScopeId, name: &ast::Name) -> SymbolId {
        let symbol = match self.names[scope].own.get(name.key()) {
            Some(&symbol) => symbol,
            None => self.declare(scope, name, Role::Variable),
        };
        let may_tell = matches!(
            self.doc.role(symbol),
            Some(Role::Variable | Role::Constant | Role::TypeParam { .. } | Role::Procedure(_))
        );
        if may_tell
            && self.pending[symbol].is_none()
            && self.doc.symbols[symbol].scope == scope
            && !self.names[scope].declared.contains(&symbol)
        {
            self.pending[symbol] = Some(Box::new(Pending::Facts(Facts::new(scope))));
        }
        symbol
    }

    /// Adds to the facts of `symbol`, if it is one that declarations tell facts about.
    pub(super) fn facts(&mut self, symbol: SymbolId, change: impl FnOnce(&mut Facts<'a>)) {
        if let Some(Pending::Facts(facts)) = self.pending[symbol].as_deref_mut() {
            change(facts);
        }
    }

    /// The declaration's spelling of a name counts, not that of an argument list.
    fn respell(&mut self, symbol: SymbolId, name: &ast::Name) {
        let place = self.place(name.place);
        self.decl_mut(symbol, |decl| {
            decl.name = name.spelling().to_owned();
            decl.place = place;
        });
    }

    fn set_role(&mut self, symbol: SymbolId, role: Role) {
        self.decl_mut(symbol, |decl| {
            if matches!(decl.role, Role::Variable) {
                decl.role = role;
            }
        });
    }

    pub(super) fn add_attr(&mut self, symbol: SymbolId, attr: Attr) {
        self.decl_mut(symbol, |decl| {
            decl.attrs.insert(attr);
        });
    }

    fn set_procedure(&mut self, symbol: SymbolId, class: ProcClass, sort: ProcSort) {
        let key = self.doc.symbols[symbol].id.clone();
        let given = self.given_external(&key).filter(|_| class == ProcClass::External);
        let info = ProcedureInfo { sort, class, proc: given, interface: None, pass: None };
        self.set_role(symbol, Role::Procedure(info));
    }

    fn make_external(&mut self, symbol: SymbolId) {
        let class = if self.is_dummy(symbol) { ProcClass::Dummy } else { ProcClass::External };
        self.set_procedure(symbol, class, ProcSort::Unknown);
    }

    pub(super) fn set_access(&mut self, symbol: SymbolId, access: Option<ast::Access>) {
        match access {
            Some(ast::Access::Public) => self.apply(symbol, &ast::Attribute::Public),
            Some(ast::Access::Private) => self.apply(symbol, &ast::Attribute::Private),
            None => {}
        }
    }

    /// Applies an attribute of a declaration to a symbol.
    pub(super) fn apply(&mut self, symbol: SymbolId, attribute: &'a ast::Attribute) {
        let attr = match attribute {
            ast::Attribute::Allocatable => Attr::Allocatable,
            ast::Attribute::Asynchronous => Attr::Asynchronous,
            ast::Attribute::Contiguous => Attr::Contiguous,
            ast::Attribute::Optional => Attr::Optional,
            ast::Attribute::Parameter => Attr::Parameter,
            ast::Attribute::Pointer => Attr::Pointer,
            ast::Attribute::Protected => Attr::Protected,
            ast::Attribute::Save | ast::Attribute::Static => Attr::Save,
            ast::Attribute::Target => Attr::Target,
            ast::Attribute::Value => Attr::Value,
            ast::Attribute::Volatile => Attr::Volatile,
            ast::Attribute::Automatic | ast::Attribute::Kind | ast::Attribute::Len => return,
            ast::Attribute::Bind(bind) => {
                self.facts(symbol, |facts| facts.bind = bind.name.as_ref());
                Attr::BindC
            }
            ast::Attribute::Dimension(dims) => {
                self.facts(symbol, |facts| facts.dims = Some(dims));
                return;
            }
            ast::Attribute::Intent(intent) => {
                let intent = model_intent(*intent);
                self.decl_mut(symbol, |decl| decl.intent = Some(intent));
                return;
            }
            ast::Attribute::External => {
                self.make_external(symbol);
                Attr::External
            }
            ast::Attribute::Intrinsic => {
                self.set_procedure(symbol, ProcClass::Intrinsic, ProcSort::Unknown);
                Attr::Intrinsic
            }
            ast::Attribute::Private => {
                self.note_access(symbol, true);
                Attr::Private
            }
            ast::Attribute::Public => {
                self.note_access(symbol, false);
                Attr::Public
            }
        };
        self.add_attr(symbol, attr);
    }

    pub(super) fn note_access(&mut self, symbol: SymbolId, private: bool) {
        let scope = self.doc.symbols[symbol].scope;
        let key: Box<str> = self.doc.symbols[symbol].id.as_str().into();
        self.names[scope].access.insert(key, private);
    }

    /// The symbol of a generic name, operator or assignment in `scope`.
    pub(super) fn generic(&mut self, scope: ScopeId, name: &ast::GenericName) -> SymbolId {
        let key = generic_key(name);
        let known = self.names[scope].own.get(&key).copied();
        let hidden = self.names[scope].hidden.get(&key).copied();
        if let Some(symbol) = known.into_iter().chain(hidden).find(|&s| self.is_generic(s)) {
            return symbol;
        }
        let spec = match name {
            ast::GenericName::Name(_) => GenericSpec::Name,
            ast::GenericName::Operator(_, operator) => GenericSpec::Operator(operator.to_string()),
            ast::GenericName::Assignment(_) => GenericSpec::Assignment,
            ast::GenericName::Io(_, words) => GenericSpec::Io(words.to_string()),
        };
        let role = Role::Generic { spec, specifics: Vec::new() };
        let spelling = generic_spelling(name);
        let place = self.place(generic_place(name));
        match known.map(|known| (known, self.doc.role(known))) {
            None => self.declare_key(scope, &key, &spelling, role, place),
            Some((known, known_role)) => {
                let is_type = matches!(known_role, Some(Role::DerivedType { .. }));
                let symbol = self.add(scope, &format!("generic {key}"), &spelling, role, place);
                if is_type {
                    self.names[scope].hidden.insert(key, symbol);
                } else {
                    self.names[scope].own.insert(key.clone(), symbol);
                    self.names[scope].hidden.insert(key, known);
                }
                symbol
            }
        }
    }
}

impl Plan<'_> {
    /// Notes that the statement in `slot` declares `symbol`.
    pub(super) fn put(&mut self, symbol: SymbolId, slot: usize, strength: Strength) {
        let place = self.places.entry(symbol).or_insert((slot, strength));
        if strength > place.1 {
            *place = (slot, strength);
        }
    }
}

/// The names of a list that may also hold COMMON blocks.
fn names_only(list: &[ast::NameOrBlock]) -> impl Iterator<Item = &ast::Name> {
    list.iter().filter_map(|item| match item {
        ast::NameOrBlock::Name(name) => Some(name),
        ast::NameOrBlock::Block(_) => None,
    })
}

/// The enumerators of an enumeration.
pub(super) fn enumerators(
    definition: &ast::EnumDef,
) -> impl Iterator<Item = &(ast::Name, Option<ast::Expr>)> {
    definition.items.iter().flat_map(|item| match item {
        ast::EnumItem::Stmt(_, list) => list.as_slice(),
        ast::EnumItem::Trivia(_) => &[],
    })
}

fn model_intent(intent: ast::Intent) -> Intent {
    match intent {
        ast::Intent::In => Intent::In,
        ast::Intent::Out => Intent::Out,
        ast::Intent::InOut => Intent::InOut,
    }
}
