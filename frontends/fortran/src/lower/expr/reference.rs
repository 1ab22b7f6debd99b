//! References: a variable, and from left to right elements, components, substrings of it.

use xaif_schema::diag::Code;
use xaif_schema::model::{
    Base, ExprId, Part, ProcClass, RefId, Reference, Role, ScopeId, Subscript, SymbolId, Ty,
};

use super::text;
use crate::lower::Lowering;
use crate::syntax::ast;

/// Where a walk along a designator that begins with a variable ends.
pub(crate) enum Walk<'t> {
    /// At data.
    Data(Reference),
    /// At a procedure component or type-bound procedure.
    Procedure {
        /// The component or binding.
        symbol: SymbolId,
        /// The derived type that the walk found it in.
        owner: SymbolId,
        /// The way to it, the component included.
        object: Reference,
        /// The lists behind it.
        arguments: &'t [Vec<ast::Argument>],
    },
    /// Nowhere: it makes no sense and was reported.
    Nonsense,
}

impl Lowering<'_> {
    /// Lowers a designator that must be a variable or a part of one.
    pub(crate) fn reference(&mut self, scope: ScopeId, designator: &ast::Designator) -> RefId {
        let Some(name) = designator.base() else { return self.no_reference() };
        let symbol = self.variable_named(scope, name);
        match self.walk(scope, symbol, designator) {
            Walk::Data(reference) => self.doc.refs.push(reference),
            Walk::Procedure { object, arguments: [], .. } => self.doc.refs.push(object),
            Walk::Procedure { object, .. } => {
                self.error(
                    Code::NOT_A_VARIABLE,
                    name.place,
                    format!("`{}` is a function, not a variable", text::designator(designator)),
                    "assign the function's value to a variable first",
                );
                self.doc.refs.push(object)
            }
            Walk::Nonsense => self.whole(symbol, name.place),
        }
    }

    /// A reference to the whole of `symbol`.
    pub(crate) fn whole(&mut self, symbol: SymbolId, place: ast::Place) -> RefId {
        let ty = self.type_of(symbol);
        let place = self.place(place);
        self.doc.refs.push(Reference::whole(symbol, ty, place))
    }

    /// What stands for a designator without parts, which no parser makes.
    fn no_reference(&mut self) -> RefId {
        let name = ast::Name::new("?", ast::Place::default());
        let symbol = self.lookup_or_declare(self.global, &name);
        self.whole(symbol, name.place)
    }

    /// The variable that `name` means: inside a function its own name is the result.
    pub(crate) fn variable_named(&mut self, scope: ScopeId, name: &ast::Name) -> SymbolId {
        let symbol = self.lookup_or_declare(scope, name);
        self.result_of(scope, symbol).unwrap_or(symbol)
    }

    /// The result variable, where `symbol` is the function (or an entry of it) around `scope`
    /// whose result has its name.
    pub(crate) fn result_of(&self, scope: ScopeId, symbol: SymbolId) -> Option<SymbolId> {
        let Some(Role::Procedure(_)) = self.doc.role(symbol) else { return None };
        let proc = &self.doc.procs[self.procedure_around(scope)?];
        if proc.symbol != symbol {
            return None;
        }
        proc.result.filter(|&result| {
            result != symbol && self.doc.symbols[result].id == self.doc.symbols[symbol].id
        })
    }

    /// Follows the parts of `designator`, whose first name is the variable `base`.
    pub(crate) fn walk<'t>(
        &mut self,
        scope: ScopeId,
        base: SymbolId,
        designator: &'t ast::Designator,
    ) -> Walk<'t> {
        let Some(first) = designator.parts.first() else { return Walk::Nonsense };
        let ty = self.type_of(base);
        let place = self.place(first.name.place);
        let mut reference = Reference::whole(base, ty, place);
        let mut rank = match self.lists(scope, &mut reference, ty, first) {
            Some(rank) => rank,
            None => return Walk::Nonsense,
        };
        for part in designator.parts.iter().skip(1) {
            let element = reference.ty.base;
            let component = match element {
                Base::Derived(owner) | Base::Class(owner) => {
                    match self.component(owner, part.name.key()) {
                        Some(symbol) => Some((owner, symbol)),
                        None => {
                            self.no_component(owner, part);
                            return Walk::Nonsense;
                        }
                    }
                }
                Base::Unknown | Base::Void => None,
                _ => match self.inquiry(&mut reference, part, rank) {
                    true => continue,
                    false => return Walk::Nonsense,
                },
            };
            reference.parts.push(Part::Component {
                symbol: component.map(|(_, symbol)| symbol),
                name: part.name.spelling().into(),
            });
            if let Some((owner, symbol)) = component
                && self.is_procedure_component(symbol)
            {
                reference.ty = Ty::scalar(Base::Procedure).with_rank(rank);
                return Walk::Procedure {
                    symbol,
                    owner,
                    object: reference,
                    arguments: &part.arguments,
                };
            }
            let ty = match component {
                Some((_, symbol)) => self.component_type(symbol),
                None => Ty::default(),
            };
            reference.ty = ty;
            match self.lists(scope, &mut reference, ty, part) {
                Some(own) => rank = rank.max(own),
                None => return Walk::Nonsense,
            }
            reference.ty = reference.ty.with_rank(rank);
        }
        Walk::Data(reference)
    }

    /// The type of a component; for the name of the parent type, that type.
    fn component_type(&mut self, symbol: SymbolId) -> Ty {
        match self.doc.role(symbol) {
            Some(Role::DerivedType { .. }) => Ty::scalar(Base::Derived(symbol)),
            Some(_) | None => self.type_of(symbol),
        }
    }

    fn is_procedure_component(&self, symbol: SymbolId) -> bool {
        match self.doc.role(symbol) {
            Some(Role::Binding { .. } | Role::Generic { .. } | Role::Final { .. }) => true,
            Some(Role::Procedure(info)) => info.class == ProcClass::Pointer,
            Some(_) | None => false,
        }
    }

    /// `%re`, `%im`, `%kind`, `%len` of an object of intrinsic type.
    fn inquiry(&mut self, reference: &mut Reference, part: &ast::Part, rank: u8) -> bool {
        let base = match (part.name.key(), reference.ty.base) {
            ("re" | "im", Base::Complex(kind)) => Base::Real(kind),
            ("len", Base::Character(_)) => Base::Integer(4),
            ("kind", _) => Base::Integer(4),
            _ => {
                let ty = self.describe(reference.ty);
                self.error(
                    Code::NO_COMPONENT,
                    part.name.place,
                    format!("an object of type {ty} has no component `{}`", part.name),
                    "only objects of derived type have components",
                );
                return false;
            }
        };
        let is_part = matches!(part.name.key(), "re" | "im");
        reference.parts.push(Part::Inquiry(part.name.key().into()));
        reference.ty = Ty { base, rank: if is_part { rank } else { 0 } };
        true
    }

    fn no_component(&mut self, owner: SymbolId, part: &ast::Part) {
        let name = self.doc.name(owner).to_owned();
        self.error(
            Code::NO_COMPONENT,
            part.name.place,
            format!("the type `{name}` has no component `{}`", part.name),
            "look for a misspelt name, or for the type that was meant",
        );
    }

    /// Lowers the lists behind one name, whose type without them is `ty`: the rank of the part;
    /// `None` if they make no sense.
    fn lists(
        &mut self,
        scope: ScopeId,
        reference: &mut Reference,
        ty: Ty,
        part: &ast::Part,
    ) -> Option<u8> {
        let mut rank = ty.rank;
        let mut subscripted = false;
        for list in &part.arguments {
            let unknown = matches!(ty.base, Base::Unknown | Base::Void);
            if !subscripted && (ty.rank > 0 || unknown) {
                let subscripts = self.subscripts(scope, list)?;
                self.check_rank(ty.rank, subscripts.len(), unknown, part);
                rank = self.section_rank(&subscripts);
                reference.parts.push(Part::Elements(subscripts));
                subscripted = true;
            } else if let (Base::Character(_) | Base::Unknown | Base::Void, [range]) =
                (ty.base, list.as_slice())
                && let ast::ArgumentValue::Section { lower, upper, stride: None } = &range.value
            {
                let lower = lower.as_ref().map(|lower| self.expr(scope, lower));
                let upper = upper.as_ref().map(|upper| self.expr(scope, upper));
                reference.parts.push(Part::Substring { lower, upper });
            } else {
                self.no_subscripts(ty, part);
                return None;
            }
        }
        reference.ty = Ty { base: ty.base, rank };
        Some(rank)
    }

    fn no_subscripts(&mut self, ty: Ty, part: &ast::Part) {
        let description = self.describe(ty);
        self.error(
            Code::WRONG_SUBSCRIPTS,
            part.name.place,
            format!("`{}` is {description} and takes no such list", part.name),
            "declare it as an array, or declare the function that is meant",
        );
    }

    fn check_rank(&mut self, rank: u8, given: usize, unknown: bool, part: &ast::Part) {
        // One subscript for a whole array is how old programs wrote its beginning in EQUIVALENCE.
        if unknown || usize::from(rank) == given {
            return;
        }
        self.error(
            Code::WRONG_SUBSCRIPTS,
            part.name.place,
            format!("`{}` has {rank} dimensions, but {given} subscripts are given", part.name),
            "give one subscript for each dimension",
        );
    }

    /// Lowers a list of subscripts.
    pub(crate) fn subscripts(
        &mut self,
        scope: ScopeId,
        list: &[ast::Argument],
    ) -> Option<Vec<Subscript>> {
        let mut subscripts = Vec::with_capacity(list.len());
        for argument in list {
            subscripts.push(match &argument.value {
                ast::ArgumentValue::Expr(expr) if argument.keyword.is_none() => {
                    Subscript::Index(self.expr(scope, expr))
                }
                ast::ArgumentValue::Section { lower, upper, stride } => {
                    let mut lower_one = |bound: &Option<Box<ast::Expr>>| -> Option<ExprId> {
                        bound.as_ref().map(|bound| self.expr(scope, bound))
                    };
                    let (lower, upper) = (lower_one(lower), lower_one(upper));
                    Subscript::Section { lower, upper, stride: lower_one(stride) }
                }
                ast::ArgumentValue::Expr(_)
                | ast::ArgumentValue::Alternate(_)
                | ast::ArgumentValue::Star
                | ast::ArgumentValue::Percent(..) => {
                    self.error(
                        Code::WRONG_SUBSCRIPTS,
                        argument.place,
                        "this is no subscript",
                        "a subscript is an expression or a range lower:upper:stride",
                    );
                    return None;
                }
            });
        }
        Some(subscripts)
    }

    /// The rank that sections and vector subscripts give.
    fn section_rank(&self, subscripts: &[Subscript]) -> u8 {
        let count = subscripts.iter().filter(|subscript| match subscript {
            Subscript::Index(index) => self.ty(*index).rank > 0,
            Subscript::Section { .. } => true,
        });
        u8::try_from(count.count()).unwrap_or(u8::MAX)
    }
}
