//! Calls of procedures that are no intrinsics: actual arguments and their places among the dummies.

use xaif_schema::diag::Code;
use xaif_schema::model::{
    Arg, ArgValue, Base, Callee, ExprId, ExprKind, FunctionCall, Role, ScopeId, SymbolId, Ty,
};

use super::operator::is_unknown;
use super::text;
use crate::lower::Lowering;
use crate::lower::Signature;
use crate::syntax::ast;

/// An actual argument before it has a position.
#[derive(Clone, Debug)]
pub(crate) struct Actual {
    /// Its keyword as written.
    pub(crate) keyword: Option<ast::Name>,
    /// The argument.
    pub(crate) value: ArgValue,
    /// Where it stands.
    pub(crate) place: ast::Place,
}

impl Actual {
    /// An argument without keyword.
    pub(crate) fn positional(expr: ExprId, place: ast::Place) -> Self {
        Actual { keyword: None, value: ArgValue::Expr(expr), place }
    }

    /// The expression, where it is one.
    pub(crate) fn expr(&self) -> Option<ExprId> {
        match self.value {
            ArgValue::Expr(expr) => Some(expr),
            ArgValue::AlternateReturn(_) => None,
        }
    }
}

impl Lowering<'_> {
    /// Lowers the actual arguments of a function.
    pub(crate) fn function_arguments(
        &mut self,
        scope: ScopeId,
        list: &[ast::Argument],
    ) -> Vec<Actual> {
        let mut labels = Vec::new();
        let actuals = self.actual_arguments(scope, list, &mut labels);
        if let Some((_, place)) = labels.first() {
            self.error(
                Code::BAD_ARGUMENTS,
                *place,
                "a function cannot return to a label",
                "make it a subroutine, or remove the label",
            );
        }
        actuals
    }

    /// Lowers actual arguments. The labels of alternate returns go to `labels`; the argument with
    /// value `n` is the label at `n - 1`.
    pub(crate) fn actual_arguments(
        &mut self,
        scope: ScopeId,
        list: &[ast::Argument],
        labels: &mut Vec<(ast::Label, ast::Place)>,
    ) -> Vec<Actual> {
        let lower = |argument: &ast::Argument| {
            let value = match &argument.value {
                ast::ArgumentValue::Expr(expr) => ArgValue::Expr(self.expr(scope, expr)),
                ast::ArgumentValue::Alternate(label) => {
                    labels.push((*label, argument.place));
                    ArgValue::AlternateReturn(i64::try_from(labels.len()).unwrap_or(i64::MAX))
                }
                ast::ArgumentValue::Percent(name, expr) => {
                    ArgValue::Expr(self.percent(name, expr, argument.place))
                }
                ast::ArgumentValue::Section { .. } | ast::ArgumentValue::Star => {
                    self.error(
                        Code::BAD_ARGUMENTS,
                        argument.place,
                        "this can be a subscript, but not an argument of a procedure",
                        "declare the array that is meant",
                    );
                    ArgValue::Expr(self.nonsense(":".to_owned(), argument.place))
                }
            };
            Actual { keyword: argument.keyword.clone(), value, place: argument.place }
        };
        list.iter().map(lower).collect()
    }

    /// `%val(e)` and the like: how an argument is passed is carried, not understood.
    fn percent(&mut self, name: &ast::Name, expr: &ast::Expr, place: ast::Place) -> ExprId {
        let text = format!("%{name}({})", text::expr(expr));
        self.warn(
            Code::CARRIED_EXPRESSION,
            place,
            format!("the argument `{text}` is carried without being understood"),
            "declare an interface with VALUE instead",
        );
        self.node(ExprKind::Opaque(text.into()), Ty::default(), place)
    }

    /// A node that calls a function.
    pub(crate) fn function_call(
        &mut self,
        callee: Callee,
        actuals: Vec<Actual>,
        place: ast::Place,
    ) -> ExprId {
        let signature = self.signature(callee.symbol);
        let mut ty = match self.result_type(callee.symbol, signature.as_ref()) {
            Ty { base: Base::Void, .. } => Ty::default(),
            ty => ty,
        };
        if let Some(signature) = signature.as_ref().filter(|signature| signature.elemental) {
            let ranks = actuals.iter().filter_map(Actual::expr).map(|expr| self.ty(expr).rank);
            let object = callee.object.filter(|_| signature.passed.is_some());
            let object = object.map(|object| self.doc.refs[object].ty.rank);
            ty = ty.with_rank(ranks.chain(object).max().unwrap_or(0));
        }
        let given = actuals.iter().filter_map(Actual::expr).map(|expr| self.ty(expr));
        ty = self.module_function_type(callee.symbol, given).unwrap_or(ty);
        let args = self.place_arguments(&callee, signature.as_ref(), actuals);
        self.node(ExprKind::Call(Box::new(FunctionCall { callee, args, active: None })), ty, place)
    }

    /// The type of what a call of `symbol` returns.
    fn result_type(&mut self, symbol: SymbolId, signature: Option<&Signature>) -> Ty {
        match signature.and_then(|signature| signature.result) {
            Some(result) => self.type_of(result),
            None => self.type_of(symbol),
        }
    }

    /// Gives actual arguments their positions among the dummies of the callee.
    pub(crate) fn place_arguments(
        &mut self,
        callee: &Callee,
        signature: Option<&Signature>,
        actuals: Vec<Actual>,
    ) -> Vec<Arg> {
        let passed = match (callee.object, signature) {
            (Some(_), Some(signature)) => signature.passed,
            _ => None,
        };
        let mut next = 0usize;
        let mut args = Vec::with_capacity(actuals.len());
        for actual in actuals {
            let named = actual.keyword.as_ref().and_then(|keyword| {
                let dummies = &signature?.args;
                dummies.iter().position(|dummy| {
                    dummy.symbol.is_some_and(|dummy| self.doc.symbols[dummy].id == keyword.key())
                })
            });
            let index = named.unwrap_or_else(|| {
                if passed == Some(next) {
                    next += 1;
                }
                next += 1;
                next - 1
            });
            if let (Some(keyword), None, Some(_)) = (&actual.keyword, named, signature) {
                self.no_such_dummy(callee, keyword, actual.place);
            }
            args.push(Arg {
                position: u32::try_from(index + 1).unwrap_or(u32::MAX),
                keyword: actual.keyword.map(|keyword| keyword.spelling().into()),
                value: actual.value,
            });
        }
        args
    }

    /// Reports a keyword that names no dummy argument.
    fn no_such_dummy(&mut self, callee: &Callee, keyword: &ast::Name, place: ast::Place) {
        let name = self.doc.name(callee.symbol).to_owned();
        self.error(
            Code::BAD_ARGUMENTS,
            place,
            format!("`{name}` has no dummy argument `{keyword}`"),
            "use the name that the interface of the procedure gives",
        );
    }

    /// The specific procedure of the visible generic `key` that takes `actuals`; the generic itself
    /// where that cannot be told, because a type is not known.
    pub(crate) fn specific_procedure(
        &mut self,
        scope: ScopeId,
        key: &str,
        actuals: &[Actual],
    ) -> Option<Callee> {
        if self.any_unknown(actuals) {
            let candidates = self.specifics(scope, key);
            let (generic, _) = *candidates.first()?;
            if candidates.len() > 1 {
                return Some(Callee { symbol: generic, generic: Some(generic), object: None });
            }
        }
        let shapes = self.shapes(actuals);
        let (generic, symbol) = self.resolve_generic(scope, key, &shapes)?;
        Some(Callee { symbol, generic: Some(generic), object: None })
    }

    /// The procedure that a visible or type-bound operator or assignment (`operator(+)`) means
    /// for these operands.
    pub(crate) fn defined_procedure(
        &mut self,
        scope: ScopeId,
        key: &str,
        actuals: &[Actual],
    ) -> Option<Callee> {
        if let Some(callee) = self.specific_procedure(scope, key, actuals) {
            return Some(callee);
        }
        for (index, actual) in actuals.iter().enumerate() {
            let Some(expr) = actual.expr() else { continue };
            let (Base::Derived(ty) | Base::Class(ty)) = self.ty(expr).base else { continue };
            let mut others = actuals.to_vec();
            others.remove(index);
            let shapes = self.shapes(&others);
            if let Some((generic, symbol)) =
                self.resolve_bound_generic(ty, key, &shapes, Some(index))
            {
                let symbol = self.bound_target(symbol);
                return Some(Callee { symbol, generic: Some(generic), object: None });
            }
        }
        None
    }

    /// The procedure that a binding names, else the symbol itself.
    fn bound_target(&self, symbol: SymbolId) -> SymbolId {
        match self.doc.role(symbol) {
            Some(Role::Binding { target: Some(target), .. }) => *target,
            Some(_) | None => symbol,
        }
    }

    /// Whether the choice among specific procedures must stay open.
    pub(crate) fn any_unknown(&self, actuals: &[Actual]) -> bool {
        actuals.iter().filter_map(Actual::expr).any(|expr| is_unknown(self.ty(expr).base))
    }

    /// What generic resolution wants to know of arguments.
    pub(crate) fn shapes(&self, actuals: &[Actual]) -> Vec<crate::lower::Actual> {
        let shape = |actual: &Actual| crate::lower::Actual {
            keyword: actual.keyword.as_ref().map(|keyword| keyword.key().into()),
            ty: actual.expr().map_or(Ty::default(), |expr| self.ty(expr)),
        };
        actuals.iter().map(shape).collect()
    }
}
