//! Constructs with names of their own: BLOCK, ASSOCIATE, SELECT TYPE, SELECT RANK.

use xaif_schema::model::{
    BranchForm, ExprId, Guard, OpenScope, ScopeId, ScopeKind, StmtKind, Ty, TypeSpec,
};

use super::construct::spelt;
use super::{Builder, Way};
use crate::syntax::ast;

impl Builder<'_, '_> {
    /// ASSOCIATE
    pub(super) fn associate(
        &mut self,
        name: Option<&ast::Name>,
        associations: &[(ast::Name, ast::Expr)],
        body: &[ast::ExecItem],
        end: &ast::End,
        head: &ast::Head,
    ) {
        let scope = self.low.open_scope(self.scope, ScopeKind::Associate, head.place);
        for (local, selector) in associations {
            let selector = self.low.expr(self.scope, selector);
            let ty = self.low.ty(selector);
            let spec = self.low.spec_from(ty);
            self.low.declare_associate(scope, local, Some(selector), spec, ty.rank);
        }
        self.scoped(scope, name, body, end, head);
    }

    /// BLOCK
    pub(super) fn block_construct(
        &mut self,
        name: Option<&ast::Name>,
        body: &[ast::ExecItem],
        end: &ast::End,
        head: &ast::Head,
    ) {
        let scope = self.low.open_scope(self.scope, ScopeKind::Block, head.place);
        self.low.block_spec(scope, head.place);
        self.scoped(scope, name, body, end, head);
    }

    /// The body of a construct in its scope.
    fn scoped(
        &mut self,
        scope: ScopeId,
        name: Option<&ast::Name>,
        body: &[ast::ExecItem],
        end: &ast::End,
        head: &ast::Head,
    ) {
        self.low.doc.scopes[scope].end = self.low.place(end.head.place);
        let outer = std::mem::replace(&mut self.scope, scope);
        self.block = None;
        self.enter(name, false);
        let open = OpenScope { scope, name: spelt(name) };
        self.push(StmtKind::OpenScope(Box::new(open)), head.place);
        self.comments_inside(head);
        self.items(body);
        self.push(StmtKind::CloseScope(scope), end.head.place);
        self.scope = outer;
        self.block = None;
        let (exits, _) = self.leave_construct();
        self.open.extend(exits);
        self.end_construct(&end.head);
    }

    /// SELECT TYPE
    pub(super) fn select_type(
        &mut self,
        select: &ast::Select<ast::Association, ast::TypeGuard>,
        head: &ast::Head,
    ) {
        self.comments_before(head);
        self.preamble(&select.preamble);
        let selector = self.low.expr(self.scope, &select.subject.selector);
        let ty = self.low.ty(selector);
        let local = local_name(&select.subject);
        let name = select.name.as_ref();
        let branch = self.branch(Some(selector), BranchForm::SelectType, name, head.place);
        self.open.clear();
        self.enter(name, false);
        let mut ends = Vec::new();
        let mut has_default = false;
        let mut number = 0;
        for arm in &select.arms {
            let (guard, spec) = match &arm.guard {
                ast::TypeGuard::TypeIs(spec) => {
                    let spec = self.low.type_spec(self.scope, spec);
                    (Guard::TypeIs(spec.clone()), spec)
                }
                ast::TypeGuard::ClassIs(spec) => {
                    let spec = as_class(self.low.type_spec(self.scope, spec));
                    (Guard::ClassIs(spec.clone()), spec)
                }
                ast::TypeGuard::Default => {
                    self.one_default(&mut has_default, arm.head.place);
                    (Guard::Default, self.low.spec_from(ty))
                }
            };
            let condition = self.number(&guard, &mut number);
            let way = Way { source: branch, condition, guard: Some(Box::new(guard)) };
            let entity = Entity { local, selector, spec, rank: ty.rank };
            self.arm_with_name(way, arm.head.place, entity, |builder| {
                builder.comments_inside(&arm.head);
                builder.items(&arm.body);
            });
            ends.append(&mut self.open);
        }
        self.end_select(branch, has_default, ends, &select.end);
    }

    /// SELECT RANK
    pub(super) fn select_rank(
        &mut self,
        select: &ast::Select<ast::Association, ast::RankGuard>,
        head: &ast::Head,
    ) {
        self.comments_before(head);
        self.preamble(&select.preamble);
        let selector = self.low.expr(self.scope, &select.subject.selector);
        let ty = self.low.ty(selector);
        let local = local_name(&select.subject);
        let name = select.name.as_ref();
        let branch = self.branch(Some(selector), BranchForm::SelectRank, name, head.place);
        self.open.clear();
        self.enter(name, false);
        let mut ends = Vec::new();
        let mut has_default = false;
        let mut number = 0;
        for arm in &select.arms {
            let (guard, rank) = match &arm.guard {
                ast::RankGuard::Rank(rank) => {
                    let rank = self.low.expr(self.scope, rank);
                    let value = self.low.fold_integer(rank).unwrap_or(0);
                    (Guard::Rank(rank), u8::try_from(value).unwrap_or(0))
                }
                ast::RankGuard::Star => (Guard::RankStar, 1),
                ast::RankGuard::Default => {
                    self.one_default(&mut has_default, arm.head.place);
                    (Guard::Default, ty.rank)
                }
            };
            let condition = self.number(&guard, &mut number);
            let way = Way { source: branch, condition, guard: Some(Box::new(guard)) };
            let spec = self.low.spec_from(Ty::scalar(ty.base));
            let entity = Entity { local, selector, spec, rank };
            self.arm_with_name(way, arm.head.place, entity, |builder| {
                builder.comments_inside(&arm.head);
                builder.items(&arm.body);
            });
            ends.append(&mut self.open);
        }
        self.end_select(branch, has_default, ends, &select.end);
    }

    /// The condition value of an arm: all but the default are numbered from 1.
    fn number(&self, guard: &Guard, number: &mut i64) -> Option<i64> {
        match guard {
            Guard::Default => None,
            Guard::Case(_)
            | Guard::TypeIs(_)
            | Guard::ClassIs(_)
            | Guard::Rank(_)
            | Guard::RankStar => {
                *number += 1;
                Some(*number)
            }
        }
    }

    /// An arm in a scope of its own, where the associate name has the type of the guard.
    fn arm_with_name(
        &mut self,
        way: Way,
        place: ast::Place,
        entity: Entity<'_>,
        body: impl FnOnce(&mut Self),
    ) {
        let scope = self.low.open_scope(self.scope, ScopeKind::Associate, place);
        if let Some(local) = entity.local {
            let Entity { selector, spec, rank, .. } = entity;
            self.low.declare_associate(scope, local, Some(selector), spec, rank);
        }
        let outer = std::mem::replace(&mut self.scope, scope);
        self.begin_arm(way, place);
        body(self);
        self.scope = outer;
        self.block = None;
    }
}

/// What an associate name stands for in one arm.
struct Entity<'t> {
    local: Option<&'t ast::Name>,
    selector: ExprId,
    spec: TypeSpec,
    rank: u8,
}

/// The associate name: the one given, else the selector's own.
fn local_name(subject: &ast::Association) -> Option<&ast::Name> {
    subject.name.as_ref().or(match &subject.selector.kind {
        ast::ExprKind::Designator(designator) => designator.simple(),
        _ => None,
    })
}

/// `class is (t)` names the type as `type is (t)` does, but means a polymorphic object.
fn as_class(spec: TypeSpec) -> TypeSpec {
    match spec {
        TypeSpec::Derived { symbol, name, params, .. } => {
            TypeSpec::Derived { symbol, name, class: true, params }
        }
        other => other,
    }
}
