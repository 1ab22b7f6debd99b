//! To be deleted when `lower/expr` and `lower/body` land.

use xaif_schema::model::*;

use crate::lower::Lowering;
use crate::syntax::ast;

impl Lowering<'_> {
    pub(crate) fn expr(&mut self, _scope: ScopeId, expr: &ast::Expr) -> ExprId {
        let place = self.place(expr.place);
        self.doc.exprs.push(Expr {
            kind: ExprKind::Opaque("?".into()),
            ty: Ty::default(),
            place,
            parens: false,
        })
    }

    pub(crate) fn fold_integer(&self, _expr: ExprId) -> Option<i64> {
        None
    }

    pub(crate) fn reference(&mut self, scope: ScopeId, designator: &ast::Designator) -> RefId {
        let base = match designator.base() {
            Some(name) => self.lookup_or_declare(scope, name),
            None => SymbolId::new(0),
        };
        let ty = self.type_of(base);
        self.doc.refs.push(Reference::whole(base, ty, Place::default()))
    }

    pub(crate) fn body(&mut self, _proc: ProcId, _scope: ScopeId, _exec: &[ast::ExecItem]) -> Cfg {
        Cfg::default()
    }
}
