//! What a name with lists behind it is, in an expression: a variable, a function reference, a
//! structure constructor, a procedure. The symbol decides, not the spelling.

use xaif_schema::diag::Code;
use xaif_schema::intrinsics::{self, Intrinsic, Specific};
use xaif_schema::model::{
    Attr, Base, Callee, ExprId, ExprKind, ProcClass, ProcSort, ProcedureInfo, Reference, Role,
    ScopeId, SymbolId, Ty,
};

use super::reference::Walk;
use super::text;
use crate::lower::Lowering;
use crate::syntax::ast;

/// What a name in an expression means.
enum Meaning {
    Variable(SymbolId),
    Function(SymbolId),
    Generic(SymbolId),
    Intrinsic(&'static Intrinsic, Option<&'static Specific>),
    Type(SymbolId),
    Unresolved(SymbolId),
    NoValue(SymbolId),
}

impl Lowering<'_> {
    /// Lowers a designator that stands in an expression.
    pub(super) fn designator(&mut self, scope: ScopeId, designator: &ast::Designator) -> ExprId {
        let Some(first) = designator.parts.first() else {
            return self.nonsense(String::new(), ast::Place::default());
        };
        let called = !first.arguments.is_empty();
        match self.meaning(scope, first, called) {
            Meaning::Variable(symbol) => self.variable(scope, symbol, designator),
            Meaning::Unresolved(symbol) => self.unresolved(scope, symbol, designator),
            Meaning::Intrinsic(intrinsic, specific) => {
                let Some(list) = self.only_list(designator) else {
                    return self.misplaced(designator);
                };
                let actuals = self.function_arguments(scope, list);
                self.intrinsic_call(&first.name, intrinsic, specific, &actuals)
            }
            Meaning::Function(symbol) if !called => {
                let ty = Ty::scalar(Base::Procedure);
                self.node(ExprKind::Procedure(symbol), ty, first.name.place)
            }
            Meaning::Function(symbol) => {
                let Some(list) = self.only_list(designator) else {
                    return self.misplaced(designator);
                };
                let actuals = self.function_arguments(scope, list);
                let callee = Callee { symbol, generic: None, object: None };
                self.function_call(callee, actuals, first.name.place)
            }
            Meaning::Generic(symbol) => self.generic_reference(scope, symbol, designator),
            Meaning::Type(symbol) => self.type_reference(scope, symbol, designator),
            Meaning::NoValue(symbol) => {
                let name = self.doc.name(symbol).to_owned();
                self.error(
                    Code::NO_VALUE,
                    first.name.place,
                    format!("`{name}` has no value"),
                    "only variables, constants and functions can stand in an expression",
                );
                self.nonsense(text::designator(designator), first.name.place)
            }
        }
    }

    /// What the first name of a designator means. Names that nothing declares are declared.
    fn meaning(&mut self, scope: ScopeId, part: &ast::Part, called: bool) -> Meaning {
        let name = &part.name;
        let Some(symbol) = self.lookup(scope, name.key()) else {
            return self.meaning_of_undeclared(scope, part, called);
        };
        if let Some(result) = self.result_of(scope, symbol) {
            let is_array = self.type_of(result).rank > 0;
            let is_section = has_section(part);
            if !called || is_array || is_section {
                return Meaning::Variable(result);
            }
        }
        if called && self.is_called_scalar(symbol, part) {
            return self.meaning_of_called(scope, symbol, part);
        }
        match self.doc.role(symbol) {
            None => Meaning::Variable(symbol),
            Some(
                Role::Variable | Role::Constant | Role::TypeParam { .. } | Role::Associate { .. },
            ) => Meaning::Variable(symbol),
            Some(Role::Procedure(ProcedureInfo { class: ProcClass::Intrinsic, .. })) if called => {
                match intrinsics::named(name.key()) {
                    Some((intrinsic, specific)) => Meaning::Intrinsic(intrinsic, specific),
                    None => Meaning::Function(symbol),
                }
            }
            Some(Role::Procedure(info)) => {
                let is_pointer = info.class == ProcClass::Pointer;
                if called {
                    self.make_procedure(symbol, ProcSort::Function);
                    Meaning::Function(symbol)
                } else if is_pointer {
                    Meaning::Variable(symbol)
                } else {
                    Meaning::Function(symbol)
                }
            }
            Some(Role::StatementFunction) => Meaning::Function(symbol),
            Some(Role::Generic { .. }) => Meaning::Generic(symbol),
            Some(Role::DerivedType { .. }) => Meaning::Type(symbol),
            Some(Role::Unresolved { .. }) => Meaning::Unresolved(symbol),
            Some(
                Role::Binding { .. }
                | Role::Final { .. }
                | Role::Module { .. }
                | Role::BlockData
                | Role::CommonBlock
                | Role::Namelist,
            ) => Meaning::NoValue(symbol),
        }
    }

    fn meaning_of_undeclared(&mut self, scope: ScopeId, part: &ast::Part, called: bool) -> Meaning {
        if !called {
            let symbol = self.lookup_or_declare(scope, &part.name);
            return match self.doc.role(symbol) {
                Some(Role::Unresolved { .. }) => Meaning::Unresolved(symbol),
                _ => Meaning::Variable(symbol),
            };
        }
        if let Some((intrinsic, specific)) = self.intrinsic_named(part.name.key()) {
            return Meaning::Intrinsic(intrinsic, specific);
        }
        let symbol = self.procedure_for_call(scope, &part.name, ProcSort::Function);
        match self.doc.role(symbol) {
            Some(Role::Unresolved { .. }) => Meaning::Unresolved(symbol),
            _ => Meaning::Function(symbol),
        }
    }

    /// The intrinsic function that `key` means where nothing declares it. An extension gives way
    /// to a procedure of the program.
    fn intrinsic_named(
        &self,
        key: &str,
    ) -> Option<(&'static Intrinsic, Option<&'static Specific>)> {
        let (intrinsic, specific) = intrinsics::named(key)?;
        let extension = specific.map_or(intrinsic.extension, |specific| specific.extension);
        if !intrinsic.is_function() || (extension && self.given_external(key).is_some()) {
            return None;
        }
        Some((intrinsic, specific))
    }

    /// Whether a scalar variable with a list behind it must be a function.
    fn is_called_scalar(&mut self, symbol: SymbolId, part: &ast::Part) -> bool {
        let ty = self.type_of(symbol);
        let may_be = self.doc.symbols[symbol].decl.as_ref().is_some_and(|decl| {
            matches!(decl.role, Role::Variable) && decl.dims.is_empty() && decl.init.is_none()
        });
        let substring = matches!(ty.base, Base::Character(_)) && has_section(part);
        ty.rank == 0 && may_be && !substring && part.arguments.len() == 1
    }

    /// A scalar that is called: an intrinsic whose type is declared, else an external or dummy
    /// function.
    fn meaning_of_called(&mut self, scope: ScopeId, symbol: SymbolId, part: &ast::Part) -> Meaning {
        let dummy = self.is_dummy(symbol) || self.has_attr(symbol, Attr::External);
        if !dummy && let Some((intrinsic, specific)) = self.intrinsic_named(part.name.key()) {
            if let Some(decl) = self.doc.symbols[symbol].decl.as_deref_mut() {
                decl.role = Role::Procedure(ProcedureInfo {
                    sort: ProcSort::Function,
                    class: ProcClass::Intrinsic,
                    proc: None,
                    interface: None,
                    pass: None,
                });
            }
            self.classify(symbol);
            return Meaning::Intrinsic(intrinsic, specific);
        }
        let symbol = self.procedure_for_call(scope, &part.name, ProcSort::Function);
        match self.doc.role(symbol) {
            Some(Role::Procedure(_)) => Meaning::Function(symbol),
            _ => Meaning::Variable(symbol),
        }
    }

    /// The list of `f(…)`, where the designator is nothing more.
    fn only_list<'t>(&self, designator: &'t ast::Designator) -> Option<&'t [ast::Argument]> {
        match designator.parts.as_slice() {
            [part] => match part.arguments.as_slice() {
                [list] => Some(list),
                _ => None,
            },
            _ => None,
        }
    }

    /// Reports a part of a function's value, which the language does not have.
    fn misplaced(&mut self, designator: &ast::Designator) -> ExprId {
        let place = designator.base().map_or(ast::Place::default(), |name| name.place);
        let text = text::designator(designator);
        self.error(
            Code::NOT_A_VARIABLE,
            place,
            format!("`{text}` takes a part of what is no variable"),
            "assign the function's value to a variable first",
        );
        self.nonsense(text, place)
    }

    /// A designator whose first name is a variable: data, or a type-bound function.
    fn variable(
        &mut self,
        scope: ScopeId,
        symbol: SymbolId,
        designator: &ast::Designator,
    ) -> ExprId {
        let place = designator.base().map_or(ast::Place::default(), |name| name.place);
        match self.walk(scope, symbol, designator) {
            Walk::Data(reference) => self.reference_node(reference, place),
            Walk::Procedure { object, arguments: [], .. } => self.reference_node(object, place),
            Walk::Procedure { symbol, owner, object, arguments: [list] } => {
                let actuals = self.function_arguments(scope, list);
                let callee = self.bound_callee(symbol, owner, object, &actuals);
                self.function_call(callee, actuals, place)
            }
            Walk::Procedure { .. } => self.misplaced(designator),
            Walk::Nonsense => self.nonsense(text::designator(designator), place),
        }
    }

    /// What `object%symbol(actuals)` calls: for a generic binding the specific one.
    pub(crate) fn bound_callee(
        &mut self,
        symbol: SymbolId,
        owner: SymbolId,
        object: Reference,
        actuals: &[super::Actual],
    ) -> Callee {
        let object = Some(self.doc.refs.push(object));
        if !self.is_generic(symbol) {
            return Callee { symbol, generic: None, object };
        }
        let key = self.doc.symbols[symbol].id.clone();
        let single = matches!(
            self.doc.role(symbol),
            Some(Role::Generic { specifics, .. }) if specifics.len() == 1
        );
        if self.any_unknown(actuals) && !single {
            return Callee { symbol, generic: Some(symbol), object };
        }
        let shapes = self.shapes(actuals);
        match self.resolve_bound_generic(owner, &key, &shapes, None) {
            Some((generic, specific)) => {
                Callee { symbol: specific, generic: Some(generic), object }
            }
            None => Callee { symbol, generic: Some(symbol), object },
        }
    }

    fn reference_node(&mut self, reference: Reference, place: ast::Place) -> ExprId {
        let ty = reference.ty;
        let reference = self.doc.refs.push(reference);
        self.node(ExprKind::Ref(reference), ty, place)
    }

    /// A name of a module that was not given: with a list of expressions behind it, it is taken as
    /// a function, which may do anything; else as a variable.
    fn unresolved(
        &mut self,
        scope: ScopeId,
        symbol: SymbolId,
        designator: &ast::Designator,
    ) -> ExprId {
        let place = designator.base().map_or(ast::Place::default(), |name| name.place);
        let only_list = self.only_list(designator);
        match (only_list, designator.parts.first()) {
            (Some(list), Some(part)) if !has_section(part) => {
                let actuals = self.function_arguments(scope, list);
                let callee = Callee { symbol, generic: None, object: None };
                self.function_call(callee, actuals, place)
            }
            _ => self.variable(scope, symbol, designator),
        }
    }

    fn generic_reference(
        &mut self,
        scope: ScopeId,
        symbol: SymbolId,
        designator: &ast::Designator,
    ) -> ExprId {
        let Some(name) = designator.base() else { return self.misplaced(designator) };
        let Some(list) = self.only_list(designator) else {
            // As an actual argument or pointer target: the specific procedure of that name.
            if designator.simple().is_some() {
                let ty = Ty::scalar(Base::Procedure);
                return self.node(ExprKind::Procedure(symbol), ty, name.place);
            }
            return self.misplaced(designator);
        };
        let intrinsic = self.intrinsic_named(name.key());
        let ty = self.derived_type(scope, name.key());
        let actuals = self.function_arguments(scope, list);
        let open = intrinsic.is_some() || ty.is_some();
        if let Some(callee) = self.specific_procedure(scope, name.key(), &actuals)
            && !(open && callee.generic == Some(callee.symbol))
        {
            return self.function_call(callee, actuals, name.place);
        }
        if let Some((intrinsic, specific)) = intrinsic {
            return self.intrinsic_call(name, intrinsic, specific, &actuals);
        }
        if let (Some(ty), Some(part)) = (ty, designator.parts.first()) {
            return self.structure_constructor(scope, ty, part);
        }
        self.no_specific(name, &actuals);
        let callee = Callee { symbol, generic: Some(symbol), object: None };
        self.function_call(callee, actuals, name.place)
    }

    /// Reports that no specific procedure fits.
    pub(crate) fn no_specific(&mut self, name: &ast::Name, actuals: &[super::Actual]) {
        let types: Vec<String> = actuals
            .iter()
            .filter_map(super::Actual::expr)
            .map(|expr| self.describe(self.ty(expr)))
            .collect();
        self.error(
            Code::NO_SPECIFIC,
            name.place,
            format!("no specific procedure of `{name}` takes ({})", types.join(", ")),
            "look at the types, kinds and ranks of the arguments",
        );
    }

    /// The name of a derived type: a constructor, or a function that has the type's name.
    fn type_reference(
        &mut self,
        scope: ScopeId,
        symbol: SymbolId,
        designator: &ast::Designator,
    ) -> ExprId {
        let [part] = designator.parts.as_slice() else { return self.misplaced(designator) };
        let candidates = self.specifics(scope, part.name.key());
        if let ([list], false) = (part.arguments.as_slice(), candidates.is_empty()) {
            let actuals = self.function_arguments(scope, list);
            let shapes = self.shapes(&actuals);
            if !self.any_unknown(&actuals)
                && let Some((generic, specific)) =
                    self.resolve_generic(scope, part.name.key(), &shapes)
            {
                let callee = Callee { symbol: specific, generic: Some(generic), object: None };
                return self.function_call(callee, actuals, part.name.place);
            }
        }
        if part.arguments.is_empty() {
            return self.misplaced(designator);
        }
        self.structure_constructor(scope, symbol, part)
    }
}

/// Whether a list behind the name has a range in it, so that it cannot hold arguments.
fn has_section(part: &ast::Part) -> bool {
    let mut arguments = part.arguments.iter().flatten();
    arguments.any(|argument| matches!(argument.value, ast::ArgumentValue::Section { .. }))
}
