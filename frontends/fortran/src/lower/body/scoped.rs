//! Constructs with names of their own: BLOCK, ASSOCIATE, SELECT TYPE, SELECT RANK; and what all
//! kinds of SELECT have in common.

use std::collections::HashSet;

use xaif_schema::model::{
    Base, BranchForm, CaseRange, ExprId, Guard, OpenScope, ScopeId, ScopeKind, StmtKind, Ty,
    TypeSpec,
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
        let subject = &select.subject;
        let form = BranchForm::SelectType;
        self.select(select, head, form, &subject.selector, |builder, selector, guard| {
            let ty = builder.low.ty(selector);
            let (guard, spec) = match guard {
                ast::TypeGuard::TypeIs(spec) => {
                    // A kind or length is an expression, and each has its own.
                    let own = builder.low.type_spec(builder.scope, spec);
                    (Guard::TypeIs(own), builder.low.type_spec(builder.scope, spec))
                }
                ast::TypeGuard::ClassIs(spec) => {
                    let own = as_class(builder.low.type_spec(builder.scope, spec));
                    (Guard::ClassIs(own), as_class(builder.low.type_spec(builder.scope, spec)))
                }
                ast::TypeGuard::Default => (Guard::Default, builder.low.spec_from(ty)),
            };
            let local = local_name(subject);
            (guard, Some(Entity { local, selector, spec, rank: ty.rank }))
        });
    }

    /// SELECT RANK
    pub(super) fn select_rank(
        &mut self,
        select: &ast::Select<ast::Association, ast::RankGuard>,
        head: &ast::Head,
    ) {
        let subject = &select.subject;
        let form = BranchForm::SelectRank;
        self.select(select, head, form, &subject.selector, |builder, selector, guard| {
            let ty = builder.low.ty(selector);
            let (guard, rank) = match guard {
                ast::RankGuard::Rank(rank) => {
                    let rank = builder.low.expr(builder.scope, rank);
                    let value = builder.low.fold_integer(rank).unwrap_or(0);
                    (Guard::Rank(rank), u8::try_from(value).unwrap_or(0))
                }
                ast::RankGuard::Star => (Guard::RankStar, 1),
                ast::RankGuard::Default => (Guard::Default, ty.rank),
            };
            let spec = builder.low.spec_from(Ty::scalar(ty.base));
            (guard, Some(Entity { local: local_name(subject), selector, spec, rank }))
        });
    }

    /// SELECT of any kind: `subject` is looked at, `guard` tells of its value what an arm is and,
    /// where the arm has a scope of its own, the associate name in it.
    pub(super) fn select<'t, S, G>(
        &mut self,
        select: &'t ast::Select<S, G>,
        head: &ast::Head,
        form: BranchForm,
        subject: &ast::Expr,
        mut guard: impl FnMut(&mut Self, ExprId, &'t G) -> (Guard, Option<Entity<'t>>),
    ) {
        self.comments_before(head);
        self.preamble(&select.preamble);
        let selector = self.low.expr(self.scope, subject);
        let name = select.name.as_ref();
        let branch = self.branch(Some(selector), form, name, head.place);
        self.open.clear();
        self.enter(name, false);
        let mut ends = Vec::new();
        let mut has_default = false;
        let mut truths = HashSet::new();
        let mut number = 0;
        for arm in &select.arms {
            let (guard, entity) = guard(self, selector, &arm.guard);
            if matches!(guard, Guard::Default) {
                self.one_default(&mut has_default, arm.head.place);
            }
            truths.extend(self.truth_values(&guard));
            let condition = numbered(&guard, &mut number);
            let way = Way { source: branch, condition, guard: Some(Box::new(guard)) };
            self.arm_with_name(way, arm.head.place, entity, |builder| {
                builder.comments_inside(&arm.head);
                builder.items(&arm.body);
            });
            ends.append(&mut self.open);
        }
        // No way leads past the cases of both logical values.
        let is_complete = has_default || truths.len() == 2;
        self.end_select(branch, is_complete, ends, &select.end);
    }

    /// The values of a case that are logical, 0 or 1.
    fn truth_values(&self, guard: &Guard) -> Vec<i64> {
        let Guard::Case(ranges) = guard else { return Vec::new() };
        let truth = |range: &CaseRange| {
            let CaseRange::Value(value) = *range else { return None };
            let Base::Logical(_) = self.low.ty(value).base else { return None };
            self.low.fold_integer(value)
        };
        ranges.iter().filter_map(truth).collect()
    }

    /// An arm; where there is an associate name, in a scope of its own, where the name has the type
    /// of the guard.
    fn arm_with_name(
        &mut self,
        way: Way,
        place: ast::Place,
        entity: Option<Entity<'_>>,
        body: impl FnOnce(&mut Self),
    ) {
        let Some(entity) = entity else {
            self.begin_arm(way, place);
            return body(self);
        };
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

/// The condition value of an arm: all but the default are numbered from 1.
fn numbered(guard: &Guard, number: &mut i64) -> Option<i64> {
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

/// What an associate name stands for in one arm.
pub(super) struct Entity<'t> {
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
