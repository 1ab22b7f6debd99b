//! ALLOCATE, DEALLOCATE, NULLIFY and pointer assignment.

use xaif_schema::diag::Code;
use xaif_schema::model::{Allocate, ExprId, ExprKind, Part, RefId, Release, StmtKind};

use super::Builder;
use crate::syntax::ast;

impl Builder<'_, '_> {
    /// `p => t`
    pub(super) fn pointer_assign(
        &mut self,
        target: &ast::Designator,
        value: &ast::Expr,
        head: &ast::Head,
    ) {
        let kind = self.pointer_assignment(target, value);
        self.push(kind, head.place);
        self.trailing_comments(head);
    }

    /// The statement `target => value`.
    pub(super) fn pointer_assignment(
        &mut self,
        target: &ast::Designator,
        value: &ast::Expr,
    ) -> StmtKind {
        let lhs = self.shaped(target);
        let rhs = self.low.expr(self.scope, value);
        StmtKind::PointerAssign { lhs, rhs }
    }

    /// A reference whose last list is a shape, not subscripts: `a(n, 0:m)` in ALLOCATE, bounds in a
    /// pointer assignment.
    fn shaped(&mut self, designator: &ast::Designator) -> RefId {
        let mut bare = designator.clone();
        let list = match bare.parts.last_mut() {
            Some(last) if last.arguments.len() == 1 => last.arguments.pop(),
            Some(_) | None => None,
        };
        let reference = self.low.reference(self.scope, &bare);
        let Some(list) = list else { return reference };
        let subscripts = self.low.subscripts(self.scope, &list);
        let reference_ = &mut self.low.doc.refs[reference];
        reference_.parts.push(Part::Elements(subscripts.unwrap_or_default()));
        reference
    }

    /// ALLOCATE
    pub(super) fn allocate(
        &mut self,
        type_spec: Option<&ast::TypeSpec>,
        objects: &[ast::Designator],
        options: &[(ast::Name, ast::Expr)],
        head: &ast::Head,
    ) {
        let spec = type_spec.map(|spec| self.low.type_spec(self.scope, spec));
        let objects: Vec<RefId> = objects.iter().map(|object| self.shaped(object)).collect();
        let Options { stat, errmsg, source, mold } = self.options(options);
        let allocate = Allocate { spec, objects, stat, errmsg, source, mold };
        self.push(StmtKind::Allocate(Box::new(allocate)), head.place);
        self.trailing_comments(head);
    }

    /// DEALLOCATE and NULLIFY
    pub(super) fn release(
        &mut self,
        nullify: bool,
        objects: &[ast::Designator],
        options: &[(ast::Name, ast::Expr)],
        head: &ast::Head,
    ) {
        let objects: Vec<RefId> =
            objects.iter().map(|object| self.low.reference(self.scope, object)).collect();
        let Options { stat, errmsg, .. } = self.options(options);
        let release = Release { nullify, objects, stat, errmsg };
        self.push(StmtKind::Release(Box::new(release)), head.place);
        self.trailing_comments(head);
    }

    fn options(&mut self, options: &[(ast::Name, ast::Expr)]) -> Options {
        let mut found = Options::default();
        for (name, value) in options {
            match name.key() {
                "stat" => found.stat = self.written(value),
                "errmsg" => found.errmsg = self.written(value),
                "source" => found.source = Some(self.low.expr(self.scope, value)),
                "mold" => found.mold = Some(self.low.expr(self.scope, value)),
                // The parser carries statements with any other option as they stand.
                _ => {}
            }
        }
        found
    }

    /// The variable that an option names.
    fn written(&mut self, value: &ast::Expr) -> Option<RefId> {
        let expr = self.low.expr(self.scope, value);
        match self.low.doc.exprs[expr].kind {
            ExprKind::Ref(reference) => Some(reference),
            _ => {
                self.low.error(
                    Code::NOT_A_VARIABLE,
                    value.place,
                    "STAT= and ERRMSG= need a variable".to_owned(),
                    "name a variable that receives the status or the message",
                );
                None
            }
        }
    }
}

/// STAT= and its like.
#[derive(Default)]
struct Options {
    stat: Option<RefId>,
    errmsg: Option<RefId>,
    source: Option<ExprId>,
    mold: Option<ExprId>,
}
