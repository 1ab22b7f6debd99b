//! File scope and declarations: typedefs, structures, variables, functions.

use lang_c::ast::{Declaration, ExternalDeclaration, FunctionDefinition};
use lang_c::span::{Node, Span};
use xaif_schema::diag::Code;
use xaif_schema::model::{
    Attr, Body, Cfg, Dim, DummyArg, Effects, EntityRef, ExprKind, Intent, Place, ProcClass, ProcId,
    ProcKind, ProcSort, Procedure, ProcedureInfo, Role, ScopeId, ScopeKind, SpecItem, StmtKind,
    SymbolId, TypeSpec, Use,
};

use super::body::{Flow, Way};
use super::pointers::{Usage, name_of};
use super::types::{CType, Extent, INT, Specifiers, spec_of};
use super::{Entity, Function, Lowered, Lowering, Param, Passing, Pending, Walker};

/// The module of a program.
pub(crate) fn module(
    doc: &mut xaif_schema::model::Document,
    global: ScopeId,
    name: &str,
) -> ScopeId {
    use xaif_schema::model::{Decl, Symbol, SymbolKind, TypeClass};
    let scope = doc.add_scope(global, ScopeKind::Plain, Place::default());
    let decl = Decl {
        name: name.to_owned(),
        role: Role::Module { scope: Some(scope) },
        spec: TypeSpec::None,
        dims: Vec::new(),
        attrs: Default::default(),
        intent: None,
        init: None,
        char_len: None,
        common: None,
        bind_name: None,
        implicit: false,
        value: None,
        place: Place::default(),
    };
    let symbol = doc.add_symbol(Symbol {
        id: name.to_owned(),
        scope: global,
        kind: SymbolKind::Subroutine,
        class: TypeClass::Void,
        fe_type: None,
        rank: None,
        bounds: Vec::new(),
        active: None,
        temp: None,
        pointer: None,
        decl: Some(Box::new(decl)),
    });
    doc.scopes[scope].kind = ScopeKind::Module(symbol);
    doc.scopes[scope].items.push(SpecItem::ImplicitNone(None));
    doc.scopes[global].items.push(SpecItem::Unit(scope));
    scope
}

impl<'a> Lowering<'a> {
    /// Lowers the declarations of a file; bodies wait.
    pub(crate) fn file_scope(&mut self, bodies: &mut Vec<Pending<'a>>) {
        let unit = &self.units[self.unit];
        if self.unit == 0 {
            let place = self.place(Span { start: 0, end: 0 });
            self.doc.scopes[self.module].place = place;
        }
        for one in &unit.tree.0 {
            let result = match &one.node {
                ExternalDeclaration::Declaration(declaration) => self.file_declaration(declaration),
                ExternalDeclaration::StaticAssert(_) => Ok(()),
                ExternalDeclaration::FunctionDefinition(function) => {
                    if self.in_system(one.span) {
                        self.system_name(&function.node.declarator.node);
                        Ok(())
                    } else {
                        self.function(function, bodies)
                    }
                }
            };
            let _ = result;
        }
    }

    fn system_name(&mut self, declarator: &lang_c::ast::Declarator) {
        let name = name_of(declarator);
        if self.entity(&name).is_none() {
            self.bind(&name, Entity::System);
        }
    }

    fn file_declaration(&mut self, declaration: &Node<Declaration>) -> Lowered<()> {
        let system = self.in_system(declaration.span);
        let specifiers = match self.specifiers(&declaration.node.specifiers, declaration.span) {
            Ok(specifiers) => specifiers,
            Err(refused) if system => {
                let _ = refused;
                return Ok(());
            }
            Err(refused) => return Err(refused),
        };
        for one in &declaration.node.declarators {
            let declared =
                self.declared(specifiers.ty.clone(), specifiers.constant, &one.node.declarator);
            let Ok((Some(name), ty)) = declared else { continue };
            if specifiers.typedef {
                if let (CType::Struct(symbol), false) = (&ty, system) {
                    self.name_structure(*symbol, &name);
                }
                self.bind(&name, Entity::Typedef(ty));
            } else if system {
                self.bind(&name, Entity::System);
            } else if let CType::Function { .. } = ty {
                let span = one.node.declarator.span;
                self.prototype(&name, &ty, &specifiers, span)?;
            } else {
                self.global_variable(&name, ty, &specifiers, one)?;
            }
        }
        Ok(())
    }

    /// A structure without a tag has the name of its typedef.
    fn name_structure(&mut self, symbol: SymbolId, name: &str) {
        if !self.doc.name(symbol).starts_with("structure") {
            return;
        }
        let free = self.free_name(self.module, name);
        self.doc.symbols[symbol].id.clone_from(&free);
        self.decl_mut(symbol, |decl| decl.name = free);
    }

    fn global_variable(
        &mut self,
        name: &str,
        ty: CType,
        specifiers: &Specifiers,
        one: &Node<lang_c::ast::InitDeclarator>,
    ) -> Lowered<()> {
        let span = one.node.declarator.span;
        self.supported(&ty, span)?;
        if ty.is_pointer() && !matches!(ty, CType::Array { .. }) {
            return self.refuse(
                span,
                &format!("the global variable `{name}` is a pointer"),
                "use an array, or a parameter",
            );
        }
        let (symbol, ty) = match self.scopes[0].get(name) {
            Some(Entity::Variable { symbol, ty: own, .. }) => {
                let ty = if matches!(ty, CType::Array { extent: Extent::Unknown, .. }) {
                    own.clone()
                } else {
                    ty
                };
                (*symbol, ty)
            }
            _ => {
                let place = self.place(span);
                let free = self.free_name(self.module, name);
                let symbol = self.symbol(self.module, &free, Role::Variable, spec_of(&ty), place);
                self.doc.scopes[self.module].items.push(SpecItem::Declare(vec![symbol]));
                self.attribute(symbol, Attr::Save);
                (symbol, ty)
            }
        };
        let ty = self.completed(ty, one.node.initializer.as_ref())?;
        if specifiers.is_static {
            self.attribute(symbol, Attr::Static);
        }
        if specifiers.is_extern && one.node.initializer.is_none() {
            self.attribute(symbol, Attr::Extern);
        } else {
            self.decl_mut(symbol, |decl| {
                decl.attrs.remove(&Attr::Extern);
            });
        }
        if is_constant(&ty, specifiers.constant) {
            self.attribute(symbol, Attr::Const);
        }
        self.dimensions(symbol, &ty, None)?;
        self.scopes[0]
            .insert(name.to_owned(), Entity::Variable { symbol, ty: ty.clone(), passing: None });
        match &one.node.initializer {
            Some(initializer) => {
                let init = self.static_initial(&ty, initializer)?;
                self.decl_mut(symbol, |decl| {
                    decl.init = Some(xaif_schema::model::Init::Value(init))
                });
            }
            // Storage of a program begins with zeros.
            None if !specifiers.is_extern => {
                if let Some(init) = self.zero_initial(&ty, span) {
                    self.decl_mut(symbol, |decl| {
                        decl.init.get_or_insert(xaif_schema::model::Init::Value(init));
                    });
                }
            }
            None => {}
        }
        Ok(())
    }

    /// Gives a symbol the dimensions of its type. `first` is the first dimension of a parameter.
    pub(crate) fn dimensions(
        &mut self,
        symbol: SymbolId,
        ty: &CType,
        first: Option<Dim>,
    ) -> Lowered<()> {
        let place =
            self.doc.symbols[symbol].decl.as_ref().map_or(Place::default(), |decl| decl.place);
        let mut dims = Vec::new();
        let mut first = first;
        let mut ty = ty;
        loop {
            let (element, extent) = match ty {
                CType::Array { element, extent, .. } => (element, Some(extent)),
                CType::Pointer { target, .. } if first.is_some() => (target, None),
                _ => break,
            };
            let dim = match (first.take(), extent) {
                (Some(dim), _) => dim,
                (None, Some(Extent::Fixed(count))) => {
                    let (lower, upper) =
                        (self.integer(0, 4, place), self.integer(count - 1, 4, place));
                    Dim::Explicit { lower: Some(lower), upper }
                }
                (None, Some(Extent::Is(count))) => {
                    let count = count.clone();
                    let lower = self.integer(0, 4, place);
                    let count = self.integer_value(&count)?;
                    let upper = self.less_one(count, place);
                    Dim::Explicit { lower: Some(lower), upper }
                }
                (None, Some(Extent::Unknown) | None) => {
                    let span = Span { start: 0, end: 0 };
                    return self.refuse(
                        span,
                        "an array without extent",
                        "write its number of elements",
                    );
                }
            };
            dims.push(dim);
            ty = element;
        }
        dims.reverse();
        self.set_dims(symbol, dims);
        Ok(())
    }

    fn prototype(
        &mut self,
        name: &str,
        ty: &CType,
        specifiers: &Specifiers,
        span: Span,
    ) -> Lowered<()> {
        if let Some(Entity::Function(_)) = self.scopes[0].get(name) {
            return Ok(());
        }
        // The definition stands further down, and bodies wait for it.
        if self.usage.contains_key(name) {
            if specifiers.is_static {
                self.private.insert(name.to_owned());
            }
            return Ok(());
        }
        let (function, ..) = self.declare_function(name, ty, specifiers, span)?;
        self.scopes[0].insert(name.to_owned(), Entity::Function(Box::new(function)));
        Ok(())
    }

    fn function(
        &mut self,
        definition: &'a Node<FunctionDefinition>,
        bodies: &mut Vec<Pending<'a>>,
    ) -> Lowered<()> {
        let span = definition.node.declarator.span;
        let specifiers = self.specifiers(&definition.node.specifiers, span)?;
        let (name, ty) =
            self.declared(specifiers.ty.clone(), specifiers.constant, &definition.node.declarator)?;
        let name = name.unwrap_or_default();
        if let Some(Entity::Function(_)) = self.scopes[0].get(&name) {
            return self.refuse_by(
                Code::C_TWICE,
                span,
                &format!("`{name}` is defined twice"),
                "give one of the functions another name",
            );
        }
        let (function, proc, scope, names) =
            self.declare_function(&name, &ty, &specifiers, span)?;
        if self.private.contains(&name) {
            self.attribute(function.symbol, Attr::Static);
        }
        let result = function.result.clone();
        let usage = self.usage.get(&name).cloned().unwrap_or_default();
        self.scopes[0].insert(name, Entity::Function(Box::new(function)));
        bodies.push(Pending { unit: self.unit, definition, proc, scope, result, names, usage });
        Ok(())
    }

    /// Makes the symbol, scope and procedure of a function.
    #[allow(clippy::type_complexity)]
    fn declare_function(
        &mut self,
        name: &str,
        ty: &CType,
        specifiers: &Specifiers,
        span: Span,
    ) -> Lowered<(Function, ProcId, ScopeId, std::collections::HashMap<String, Entity>)> {
        let CType::Function { result, params, variadic } = ty else {
            return self.refuse(span, "a function without parameters in parentheses", "write them");
        };
        if *variadic {
            return self.refuse(
                span,
                "a function with a variable number of arguments is not supported",
                "give it a fixed number",
            );
        }
        let main = name == "main";
        if result.is_pointer() {
            return self.refuse(
                span,
                "a function with a pointer as its value is not supported",
                "pass the array as an argument",
            );
        }
        if **result != CType::Void {
            self.supported(result, span)?;
        }
        let place = self.place(span);
        let usage = self.usage.get(name).cloned();
        let defined = usage.is_some();
        let owner = if main { self.global } else { self.module };
        let scope = self.doc.add_scope(owner, ScopeKind::Plain, place);
        let sort = match (main, &**result) {
            (true, _) => ProcSort::Program,
            (false, CType::Void) => ProcSort::Subroutine,
            (false, _) => ProcSort::Function,
        };
        let class = if main { ProcClass::External } else { ProcClass::Module };
        let id = ProcId::new(self.doc.procs.len());
        let info = ProcedureInfo { sort, class, proc: Some(id), interface: None, pass: None };
        let free = if main { name.to_owned() } else { self.free_name(self.module, name) };
        let symbol = self.symbol(owner, &free, Role::Procedure(info), spec_of(result), place);
        self.doc.scopes[scope].kind = ScopeKind::Procedure(symbol);
        for (wanted, attr) in
            [(specifiers.is_static, Attr::Static), (specifiers.inline, Attr::Inline)]
        {
            if wanted {
                self.attribute(symbol, attr);
            }
        }
        if !main {
            self.attribute(symbol, Attr::Recursive);
        }
        if main {
            let module = match self.doc.scopes[self.module].kind {
                ScopeKind::Module(symbol) => symbol,
                _ => symbol,
            };
            let used = Use { module, nature: None, only: false, names: Vec::new(), place };
            self.doc.scopes[scope].items.push(SpecItem::Use(used));
        }
        self.doc.scopes[scope].items.push(SpecItem::ImplicitNone(None));
        let (list, args, names) = if main && defined {
            (Vec::new(), Vec::new(), Default::default())
        } else {
            self.parameters(scope, params, usage.as_ref())?
        };
        let variable = (!main && **result != CType::Void).then(|| {
            let own = self.free_name(scope, &format!("{name}_result"));
            let symbol = self.symbol(scope, &own, Role::Variable, spec_of(result), place);
            self.doc.scopes[scope].items.push(SpecItem::Declare(vec![symbol]));
            symbol
        });
        let kind = match sort {
            ProcSort::Program => ProcKind::Program,
            ProcSort::Function => ProcKind::Function,
            ProcSort::Subroutine | ProcSort::Unknown => ProcKind::Subroutine,
        };
        let procedure = Procedure {
            symbol,
            scope,
            args,
            result: variable,
            kind,
            body: if defined { Body::Flow(Cfg::default()) } else { Body::Interface },
            place,
            active: None,
            entry_written: false,
            effects: Effects::default(),
            independent: Vec::new(),
            dependent: Vec::new(),
        };
        self.doc.procs.push(procedure);
        self.listed(scope, main, defined);
        let function = Function { symbol, result: (**result).clone(), params: list };
        Ok((function, id, scope, names))
    }

    /// Puts a function into the list of its module; one that has no body is external.
    fn listed(&mut self, scope: ScopeId, main: bool, defined: bool) {
        use xaif_schema::model::InterfaceItem;
        if main {
            self.doc.scopes[self.global].items.push(SpecItem::Unit(scope));
        } else if defined {
            self.doc.scopes[self.module].contains.push(SpecItem::Unit(scope));
        } else {
            let items = vec![InterfaceItem::Body(scope)];
            let item = SpecItem::Interface { generic: None, is_abstract: false, items };
            self.doc.scopes[self.module].items.push(item);
            let symbol = match self.doc.scopes[scope].kind {
                ScopeKind::Procedure(symbol) => symbol,
                _ => return,
            };
            self.decl_mut(symbol, |decl| {
                if let Role::Procedure(info) = &mut decl.role {
                    info.class = ProcClass::External;
                }
            });
        }
    }

    #[allow(clippy::type_complexity)]
    fn parameters(
        &mut self,
        scope: ScopeId,
        params: &[(Option<String>, CType, Span)],
        usage: Option<&Usage>,
    ) -> Lowered<(Vec<Param>, Vec<DummyArg>, std::collections::HashMap<String, Entity>)> {
        let (mut list, mut args) = (Vec::new(), Vec::new());
        self.scopes.push(Default::default());
        self.flow.scope = scope;
        let result = self.each_parameter(scope, params, usage, &mut list, &mut args);
        let names = self.scopes.pop().unwrap_or_default();
        result.map(|()| (list, args, names))
    }

    fn each_parameter(
        &mut self,
        scope: ScopeId,
        params: &[(Option<String>, CType, Span)],
        usage: Option<&Usage>,
        list: &mut Vec<Param>,
        args: &mut Vec<DummyArg>,
    ) -> Lowered<()> {
        for (position, (name, ty, span)) in (1_u32..).zip(params) {
            self.supported(ty, *span)?;
            let place = self.place(*span);
            let name = name.clone().unwrap_or_else(|| format!("argument_{position}"));
            let free = self.free_name(scope, &name);
            let (passing, own) = match ty {
                CType::Array { .. } => (Passing::Array, ty.clone()),
                CType::Pointer { target, .. } => {
                    if matches!(
                        **target,
                        CType::Pointer { .. }
                            | CType::Void
                            | CType::Function { .. }
                            | CType::Other(_)
                    ) {
                        return self.refuse(
                            *span,
                            &format!(
                                "the parameter `{name}` points to no number, structure or array"
                            ),
                            "use a pointer to double, int or a structure",
                        );
                    }
                    let array = match usage {
                        Some(usage) => usage.is_array(&name),
                        None => !matches!(**target, CType::Struct(_)),
                    };
                    if array || matches!(**target, CType::Array { .. }) {
                        (Passing::Array, ty.clone())
                    } else {
                        (Passing::Reference, (**target).clone())
                    }
                }
                _ => (Passing::Value, ty.clone()),
            };
            let element = own.target().unwrap_or(&own).clone();
            let symbol = self.symbol(scope, &free, Role::Variable, spec_of(&element), place);
            self.doc.scopes[scope].items.push(SpecItem::Declare(vec![symbol]));
            let constant = ty.has_constant_target();
            match passing {
                Passing::Value => self.attribute(symbol, Attr::Value),
                Passing::Array | Passing::Reference => {
                    if constant {
                        self.attribute(symbol, Attr::Const);
                        self.decl_mut(symbol, |decl| decl.intent = Some(Intent::In));
                    }
                    if matches!(ty, CType::Pointer { restrict: true, .. }) {
                        self.attribute(symbol, Attr::Restrict);
                    }
                }
            }
            let pointer = match own {
                CType::Array { element, constant, .. } if passing == Passing::Array => {
                    CType::Pointer { target: element, constant, restrict: false }
                }
                other => other,
            };
            self.bind(
                &name,
                Entity::Variable { symbol, ty: pointer.clone(), passing: Some(passing) },
            );
            if passing == Passing::Array {
                let lower = self.integer(0, 4, place);
                self.dimensions(symbol, &pointer, Some(Dim::AssumedSize { lower: Some(lower) }))?;
            }
            let intent = constant.then_some(Intent::In);
            args.push(DummyArg { position, symbol: Some(symbol), intent, deriv: false });
            list.push(Param { ty: pointer, passing });
        }
        Ok(())
    }

    /// Lowers the body of a function.
    pub(crate) fn function_body(&mut self, pending: &Pending<'a>) {
        let definition = pending.definition;
        let place = self.place(definition.span);
        let last = Span { start: definition.span.end.saturating_sub(1), end: definition.span.end };
        let end = self.place(last);
        self.doc.scopes[pending.scope].place = place;
        self.doc.scopes[pending.scope].end = end;
        let result =
            self.doc.procs[pending.proc].result.map(|symbol| (symbol, pending.result.clone()));
        let main = self.doc.procs[pending.proc].kind == ProcKind::Program;
        let first_file = self.units[self.unit].trivia.comments.iter();
        let mut comments: Vec<_> = first_file
            .filter(|one| place.line <= one.line && one.line <= end.line)
            .cloned()
            .collect();
        comments.reverse();
        self.flow = Flow {
            scope: pending.scope,
            usage: pending.usage.clone(),
            result,
            main,
            comments,
            ..Flow::new(pending.scope)
        };
        let entry = self.vertex(xaif_schema::model::VertexKind::Entry(None), place);
        self.flow.open = vec![Way::on(entry)];
        self.scopes.push(pending.names.clone());
        self.moving_parameters(pending, place);
        self.statement(&definition.node.statement);
        self.comments_before(end.line.saturating_add(1), end);
        self.scopes.pop();
        if let Ok(cfg) = self.finish(end) {
            self.doc.procs[pending.proc].body = Body::Flow(cfg);
        }
    }

    /// Parameters that get other values are arrays with an offset.
    fn moving_parameters(&mut self, pending: &Pending<'a>, place: Place) {
        let mut names: Vec<(&String, &Entity)> = pending.names.iter().collect();
        names.sort_by_key(|(name, _)| *name);
        for (name, entity) in names {
            let Entity::Variable { symbol, ty, passing: Some(Passing::Array) } = entity else {
                continue;
            };
            if !pending.usage.of(name).moved {
                continue;
            }
            let root = format!("{name} of the caller");
            let Some(target) = ty.target().cloned() else { continue };
            let offset = self.local(pending.scope, &format!("{name}_at"), &INT, place);
            let zero = self.integer(0, 4, place);
            self.assign(offset, zero, place);
            let own =
                Entity::Variable { symbol: *symbol, ty: ty.clone(), passing: Some(Passing::Array) };
            self.bind(&root, own);
            self.bind(name, Entity::Walker(Walker { root, offset, target }));
        }
    }

    /// Declares the variables of a declaration within a function, and initialises them.
    pub(crate) fn local_declaration(&mut self, declaration: &Node<Declaration>) -> Lowered<()> {
        self.locals(declaration, true)
    }

    /// Declares them alone.
    pub(crate) fn declare_only(&mut self, declaration: &Node<Declaration>) -> Lowered<()> {
        self.locals(declaration, false)
    }

    fn locals(&mut self, declaration: &Node<Declaration>, initialise: bool) -> Lowered<()> {
        let specifiers = self.specifiers(&declaration.node.specifiers, declaration.span)?;
        for one in &declaration.node.declarators {
            let span = one.node.declarator.span;
            let (name, ty) =
                self.declared(specifiers.ty.clone(), specifiers.constant, &one.node.declarator)?;
            let Some(name) = name else { continue };
            if specifiers.typedef {
                self.bind(&name, Entity::Typedef(ty));
                continue;
            }
            if let CType::Function { .. } = ty {
                self.prototype(&name, &ty, &specifiers, span)?;
                continue;
            }
            self.supported(&ty, span)?;
            if specifiers.is_extern {
                match self.scopes[0].get(&name).cloned() {
                    Some(entity) => self.bind(&name, entity),
                    None => {
                        self.global_variable(&name, ty, &specifiers, one)?;
                    }
                }
                continue;
            }
            if let CType::Pointer { target, .. } = &ty {
                self.local_pointer(&name, target, one, span)?;
                continue;
            }
            let ty = self.completed(ty, one.node.initializer.as_ref())?;
            let place = self.place(span);
            let scope = self.flow.scope;
            let late = !specifiers.is_static && self.is_late(&ty);
            let symbol = self.local(scope, &name, &ty, place);
            self.bind(&name, Entity::Variable { symbol, ty: ty.clone(), passing: None });
            if specifiers.is_static {
                self.attribute(symbol, Attr::Save);
                self.attribute(symbol, Attr::Static);
                self.dimensions(symbol, &ty, None)?;
                let init = match &one.node.initializer {
                    Some(initializer) => Some(self.static_initial(&ty, initializer)?),
                    None => self.zero_initial(&ty, span),
                };
                self.decl_mut(symbol, |decl| decl.init = init.map(xaif_schema::model::Init::Value));
                if is_constant(&ty, specifiers.constant) {
                    self.attribute(symbol, Attr::Const);
                }
                continue;
            }
            if late {
                self.late_array(symbol, &ty, span)?;
            } else {
                self.dimensions(symbol, &ty, None)?;
            }
            if let Some(initializer) = one.node.initializer.as_ref().filter(|_| initialise) {
                self.initialise(symbol, &ty, initializer, specifiers.constant)?;
                self.flush();
            }
        }
        Ok(())
    }

    /// Whether extents of an array are known only where it is declared.
    fn is_late(&self, ty: &CType) -> bool {
        match ty {
            CType::Array { element, extent, .. } => {
                let late = match extent {
                    Extent::Is(expr) => !self.is_fixed_on_entry(expr),
                    Extent::Unknown | Extent::Fixed(_) => false,
                };
                late || self.is_late(element)
            }
            _ => false,
        }
    }

    /// Whether an expression has the value that it has as the function is entered.
    fn is_fixed_on_entry(&self, expr: &Node<lang_c::ast::Expression>) -> bool {
        use lang_c::ast::{BinaryOperator, Expression};
        match &expr.node {
            Expression::Constant(_) => true,
            Expression::Identifier(name) => match self.entity(&name.node.name) {
                Some(Entity::Enumerator(_)) => true,
                Some(Entity::Variable { passing: Some(Passing::Value), .. }) => {
                    let one = self.flow.usage.of(&name.node.name);
                    !one.moved && !self.flow.usage.addressed.contains(&name.node.name)
                }
                _ => false,
            },
            Expression::BinaryOperator(binary) => {
                matches!(
                    binary.node.operator.node,
                    BinaryOperator::Plus | BinaryOperator::Minus | BinaryOperator::Multiply
                ) && self.is_fixed_on_entry(&binary.node.lhs)
                    && self.is_fixed_on_entry(&binary.node.rhs)
            }
            _ => false,
        }
    }

    /// An array whose extents are known where it is declared: it is allocated there.
    fn late_array(&mut self, symbol: SymbolId, ty: &CType, span: Span) -> Lowered<()> {
        use xaif_schema::model::{Allocate, Part, Release, Subscript};
        let place = self.place(span);
        self.dimensions(symbol, ty, None)?;
        let dims = self.doc.symbols[symbol]
            .decl
            .as_ref()
            .map(|decl| decl.dims.clone())
            .unwrap_or_default();
        let mut bounds = Vec::new();
        for dim in &dims {
            if let Dim::Explicit { lower, upper } = dim {
                bounds.push(Subscript::Section {
                    lower: *lower,
                    upper: Some(*upper),
                    stride: None,
                });
            }
        }
        self.set_dims(symbol, vec![Dim::Deferred; dims.len()]);
        self.attribute(symbol, Attr::Allocatable);
        // In a loop it is a new array each time.
        if !self.flow.frames.is_empty() {
            let value = self.value(symbol, place);
            let ty = xaif_schema::model::Ty::scalar(xaif_schema::model::Base::Logical(4));
            let asked = self.operation("allocated", &[value], ty, place);
            let branch = self.begin_if(asked, place);
            let object = self.whole(symbol, place);
            let release =
                Release { nullify: false, objects: vec![object], stat: None, errmsg: None };
            self.push(StmtKind::Release(Box::new(release)), place);
            self.end_if(branch, place);
        }
        let object = self.whole(symbol, place);
        self.doc.refs[object].parts.push(Part::Elements(bounds));
        let allocate = Allocate {
            spec: None,
            objects: vec![object],
            stat: None,
            errmsg: None,
            source: None,
            mold: None,
        };
        self.push(StmtKind::Allocate(Box::new(allocate)), place);
        Ok(())
    }

    /// A pointer variable: an array that is allocated, or an offset into another array.
    fn local_pointer(
        &mut self,
        name: &str,
        target: &CType,
        one: &Node<lang_c::ast::InitDeclarator>,
        span: Span,
    ) -> Lowered<()> {
        use lang_c::ast::Initializer;
        let place = self.place(span);
        let scope = self.flow.scope;
        let own = self.flow.usage.of(name);
        let value = match one.node.initializer.as_ref().map(|one| &one.node) {
            Some(Initializer::Expression(value)) => Some(&**value),
            Some(Initializer::List(_)) => {
                return self.refuse(span, "a list initialises a pointer", "write the address");
            }
            None => None,
        };
        if own.allocated {
            if !own.roots.is_empty() {
                return self.refuse(
                    span,
                    &format!("the pointer `{name}` owns memory and points elsewhere, too"),
                    "use two variables",
                );
            }
            if matches!(target, CType::Pointer { .. } | CType::Void | CType::Other(_)) {
                return self.refuse(
                    span,
                    &format!("`{name}` is an array of pointers"),
                    "use one array with two subscripts",
                );
            }
            let symbol = self.local(scope, name, target, place);
            let mut dims = Vec::new();
            if target.rank() > 0 {
                return self.refuse(
                    span,
                    "rows are allocated together",
                    "use an array with one subscript",
                );
            }
            dims.push(Dim::Deferred);
            self.set_dims(symbol, dims);
            self.attribute(symbol, Attr::Allocatable);
            self.bind(name, Entity::Allocated { symbol, target: target.clone() });
            if let Some(value) = value.filter(|value| !self.is_null(value)) {
                return self.allocated_assignment(symbol, target, value, span);
            }
            return Ok(());
        }
        let mut roots: Vec<String> =
            own.roots.iter().flatten().filter(|root| *root != name).cloned().collect();
        roots.dedup();
        let [root] = &roots[..] else {
            return self.refuse(
                span,
                &format!("the pointer `{name}` does not point into one array only"),
                "use a variable for each array, or subscripts",
            );
        };
        if own.roots.contains(&None) {
            return self.refuse(
                span,
                &format!("the pointer `{name}` gets a target that is not known here"),
                "use a subscript of the array",
            );
        }
        let root = match self.entity(root) {
            Some(Entity::Walker(other)) => other.root.clone(),
            _ => root.clone(),
        };
        self.root_object(&root, span)?;
        // Another variable of the same name may hide the array further down.
        let Some(meaning) = self.entity(&root).cloned() else {
            return self.refuse(
                span,
                "the array of a pointer is not declared",
                "declare it before",
            );
        };
        let root = format!("{root} behind {name}");
        self.bind(&root, meaning);
        let offset = self.local(scope, &format!("{name}_at"), &INT, place);
        let walker = Walker { root, offset, target: target.clone() };
        self.bind(name, Entity::Walker(walker.clone()));
        if let Some(value) = value.filter(|value| !self.is_null(value)) {
            let rhs = self.offset_into(&walker, value)?;
            self.assign(offset, rhs, place);
            self.flush();
        }
        Ok(())
    }

    /// Fills the call graph.
    pub(crate) fn call_graph(&mut self) {
        use xaif_schema::model::{Callee, VertexKind};
        let mut edges = Vec::new();
        let procs: Vec<ProcId> = self.doc.procs.keys().collect();
        for caller in procs {
            let Body::Flow(cfg) = &self.doc.procs[caller].body else { continue };
            let mut roots = Vec::new();
            let mut callees: Vec<&Callee> = Vec::new();
            for vertex in cfg.vertices.values() {
                match &vertex.kind {
                    VertexKind::Branch { condition, .. } => roots.extend(*condition),
                    VertexKind::PreLoop { condition, .. } | VertexKind::PostLoop { condition } => {
                        roots.extend(*condition)
                    }
                    VertexKind::ForLoop { condition, init, .. } => {
                        roots.push(*condition);
                        if let StmtKind::Assign { rhs, .. } = &self.doc.stmts[*init].kind {
                            roots.push(*rhs);
                        }
                    }
                    _ => {}
                }
                for &stmt in vertex.kind.stmts() {
                    match &self.doc.stmts[stmt].kind {
                        StmtKind::Assign { rhs, .. } => roots.push(*rhs),
                        StmtKind::Call(call) => {
                            callees.push(&call.callee);
                            for arg in &call.args {
                                if let xaif_schema::model::ArgValue::Expr(expr) = arg.value {
                                    roots.push(expr);
                                }
                            }
                        }
                        StmtKind::Marker(marker) => {
                            roots.extend(marker.operands.iter().map(|one| one.expr))
                        }
                        StmtKind::PointerAssign { .. }
                        | StmtKind::InlinableCall(_)
                        | StmtKind::Propagate(_)
                        | StmtKind::Where(_)
                        | StmtKind::Forall(_)
                        | StmtKind::Allocate(_)
                        | StmtKind::Release(_)
                        | StmtKind::OpenScope(_)
                        | StmtKind::CloseScope(_)
                        | StmtKind::Comment(_) => {}
                    }
                }
            }
            while let Some(expr) = roots.pop() {
                match &self.doc.exprs[expr].kind {
                    ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
                        roots.extend(operands.iter().map(|one| one.expr));
                    }
                    ExprKind::Call(call) => {
                        callees.push(&call.callee);
                        for arg in &call.args {
                            if let xaif_schema::model::ArgValue::Expr(expr) = arg.value {
                                roots.push(expr);
                            }
                        }
                    }
                    ExprKind::Constant(_)
                    | ExprKind::Ref(_)
                    | ExprKind::ArrayConstructor { .. }
                    | ExprKind::ImpliedDo(_)
                    | ExprKind::StructureConstructor { .. }
                    | ExprKind::Procedure(_)
                    | ExprKind::Opaque(_) => {}
                }
            }
            for callee in callees {
                if let Some(callee) = self.doc.procedure_of(callee.symbol)
                    && !edges.contains(&(caller, callee))
                {
                    edges.push((caller, callee));
                }
            }
        }
        self.doc.calls = edges;
    }
}

/// Whether an object of a type with these specifiers never changes.
fn is_constant(ty: &CType, constant: bool) -> bool {
    match ty {
        CType::Array { constant, .. } => *constant,
        _ => constant,
    }
}
