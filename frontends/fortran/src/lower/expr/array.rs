//! Array and structure constructors, implied DO.

use xaif_schema::model::{
    Arg, Base, ExprId, ExprKind, ImpliedDo, IndexRange, Role, ScopeId, ScopeKind, SymbolId, Ty,
    TypeParam, TypeSpec,
};

use super::Actual;
use crate::lower::Lowering;
use crate::syntax::ast;

/// Where the variable of an implied DO belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexScope {
    /// To the implied DO alone: array constructors, DATA.
    Own,
    /// To the procedure: it is a variable like any other, as in I/O lists.
    Around,
}

impl Lowering<'_> {
    /// `[…]`
    pub(super) fn array_constructor(
        &mut self,
        scope: ScopeId,
        array: &ast::ArrayConstructor,
        place: ast::Place,
    ) -> ExprId {
        let spec = array.type_spec.as_ref().map(|spec| Box::new(self.type_spec(scope, spec)));
        let items: Vec<ExprId> = array
            .items
            .iter()
            .map(|item| self.array_item(scope, item, IndexScope::Own, place))
            .collect();
        let first = items.first().map_or(Base::Unknown, |&item| self.ty(item).base);
        let base = spec.as_ref().map_or(first, |spec| spec.base());
        self.node(ExprKind::ArrayConstructor { spec, items }, Ty { base, rank: 1 }, place)
    }

    /// An item of an array constructor or of an I/O list.
    pub(crate) fn array_item(
        &mut self,
        scope: ScopeId,
        item: &ast::ArrayItem,
        indices: IndexScope,
        place: ast::Place,
    ) -> ExprId {
        match item {
            ast::ArrayItem::Expr(expr) => self.expr(scope, expr),
            ast::ArrayItem::ImpliedDo(implied) => self.implied_do(scope, implied, indices, place),
        }
    }

    fn implied_do(
        &mut self,
        scope: ScopeId,
        implied: &ast::ImpliedDo<ast::ArrayItem>,
        indices: IndexScope,
        place: ast::Place,
    ) -> ExprId {
        // The bounds are evaluated outside: they do not see the index.
        let lower = self.expr(scope, &implied.first);
        let upper = self.expr(scope, &implied.last);
        let step = implied.step.as_ref().map(|step| self.expr(scope, step));
        let (scope, var) = match indices {
            IndexScope::Own => {
                let inner = self.open_scope(scope, ScopeKind::Indices, implied.place);
                let spec = implied.type_spec.as_deref();
                (inner, self.declare_index(inner, &implied.variable, spec))
            }
            IndexScope::Around => (scope, self.lookup_or_declare(scope, &implied.variable)),
        };
        let items: Vec<ExprId> =
            implied.items.iter().map(|item| self.array_item(scope, item, indices, place)).collect();
        let base = items.first().map_or(Base::Unknown, |&item| self.ty(item).base);
        let control = IndexRange { var, lower, upper, step };
        let kind = ExprKind::ImpliedDo(Box::new(ImpliedDo { items, control }));
        self.node(kind, Ty { base, rank: 1 }, implied.place)
    }

    /// `t(…)`, or `t(params)(…)` for a parameterized type.
    pub(super) fn structure_constructor(
        &mut self,
        scope: ScopeId,
        symbol: SymbolId,
        part: &ast::Part,
    ) -> ExprId {
        let (params, values) = match part.arguments.as_slice() {
            [] => (&[][..], &[][..]),
            [values] => (&[][..], values.as_slice()),
            [params, values, ..] => (params.as_slice(), values.as_slice()),
        };
        let params = self.function_arguments(scope, params);
        let params = params
            .into_iter()
            .filter_map(|param| {
                let keyword = param.keyword.as_ref().map(|name| name.spelling().to_owned());
                Some((keyword, TypeParam::Expr(param.expr()?)))
            })
            .collect();
        let spec = Box::new(TypeSpec::Derived {
            symbol: Some(symbol),
            name: part.name.spelling().to_owned(),
            class: false,
            params,
        });
        let values = self.function_arguments(scope, values);
        let args = self.component_values(symbol, values);
        let ty = Ty::scalar(Base::Derived(symbol));
        self.node(ExprKind::StructureConstructor { spec, args }, ty, part.name.place)
    }

    /// The values of a structure constructor with their positions among the components.
    fn component_values(&mut self, symbol: SymbolId, values: Vec<Actual>) -> Vec<Arg> {
        let components = self.own_components(symbol);
        let place = |(index, actual): (usize, Actual)| {
            let named = actual.keyword.as_ref().and_then(|keyword| {
                components.iter().position(|&name| self.doc.symbols[name].id == keyword.key())
            });
            Arg {
                position: u32::try_from(named.unwrap_or(index) + 1).unwrap_or(u32::MAX),
                keyword: actual.keyword.map(|keyword| keyword.spelling().into()),
                value: actual.value,
            }
        };
        values.into_iter().enumerate().map(place).collect()
    }

    /// Components in order, those of parent types first.
    fn own_components(&self, symbol: SymbolId) -> Vec<SymbolId> {
        let mut scopes = Vec::new();
        let mut current = Some(symbol);
        // More than so many levels of extension are not looked at.
        while let Some(Role::DerivedType { scope, extends, .. }) =
            current.and_then(|symbol| self.doc.role(symbol))
            && scopes.len() < 64
        {
            scopes.push(*scope);
            current = *extends;
        }
        let data = |symbol: &SymbolId| {
            matches!(self.doc.role(*symbol), Some(Role::Variable | Role::Procedure(_)))
        };
        let components = scopes.iter().rev().flat_map(|&scope| &self.doc.scopes[scope].symbols);
        components.copied().filter(data).collect()
    }
}
