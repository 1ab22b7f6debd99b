//! Assignments: scalars, arrays, sections, components, whole structures.
//!
//! `yd = d(rhs)` stands before `y = rhs`: it reads what `y` was before. An array statement stays an
//! array statement, which computes its right-hand side before it assigns, so overlapping sections
//! need no care.

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Document, ExprId, ExprKind, Operand, RefId, StmtId, SymbolId,
};

use super::body::Tangent;
use booster_build::component_of;
use booster_build::{Copier, Emitter, assign, same_reference, value_of};
use booster_linearize::{statement_tangent, tangent_of};
use booster_shadow::derivative::Direction;

/// Whether an expression is nothing but the value of a reference.
fn is_value_of(doc: &Document, value: ExprId, reference: RefId) -> bool {
    match doc.exprs[value].kind {
        ExprKind::Ref(found) => same_reference(doc, found, reference),
        ExprKind::Constant(_)
        | ExprKind::Intrinsic { .. }
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => false,
    }
}

impl Tangent<'_> {
    /// `lhs = rhs`
    pub(super) fn assign(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        lhs: RefId,
        rhs: ExprId,
    ) -> Result<(), Diagnostic> {
        if let ExprKind::Call(call) = e.doc.exprs[rhs].kind.clone()
            && self.passes_through(e.doc, &call, lhs)
        {
            return self.function_call(e, stmt, (lhs, rhs), &call);
        }
        if self.keeps_association(e.doc, lhs, rhs)? {
            return self.associate_as_original(e, stmt, lhs, rhs);
        }
        if !self.is_active(e.doc, lhs) {
            e.push(stmt);
            return self.follow_shape(e, lhs, rhs);
        }
        if self.may_reallocate(e.doc, lhs) {
            return self.reallocating(e, stmt, lhs, rhs);
        }
        if self.has_allocatable_parts(e.doc, lhs) && self.is_passive(e.doc, rhs)? {
            e.push(stmt);
            return self.follow_components(e, lhs);
        }
        self.derivative_assignment(e, lhs, rhs)?;
        e.push(stmt);
        Ok(())
    }

    /// `lhsd = d(rhs)`
    pub(super) fn derivative_assignment(
        &mut self,
        e: &mut Emitter<'_>,
        lhs: RefId,
        rhs: ExprId,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[lhs].place;
        if self.needs_statements(e.doc, rhs) {
            return self.statements(e, lhs, rhs);
        }
        let looped = self.needs_loop(e.doc, lhs, rhs);
        self.each_direction(e, looped, place, |this, e, direction| {
            this.assign_derivative(e, (lhs, rhs), direction)
        })
    }

    /// The same in one direction, or in all.
    pub(super) fn assign_derivative(
        &mut self,
        e: &mut Emitter<'_>,
        (lhs, rhs): (RefId, ExprId),
        direction: Direction,
    ) -> Result<(), Diagnostic> {
        match self.shadow(e.doc, lhs, direction) {
            Some(target) => self.assign_derivative_to(e, target, rhs, direction),
            None => Ok(()),
        }
    }

    /// `target = d(rhs)`
    pub(super) fn assign_derivative_to(
        &mut self,
        e: &mut Emitter<'_>,
        target: RefId,
        rhs: ExprId,
        direction: Direction,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[target].place;
        let passive = self.passive_components(e.doc, rhs);
        let mut shadow = |doc: &mut Document, reference: RefId| {
            let found = self.shadow(doc, reference, direction);
            let kept = || passive.iter().any(|&(own, _)| own == reference);
            let found = found.or_else(|| kept().then(|| Copier::new().reference(doc, reference)));
            found.map(|found| value_of(doc, found))
        };
        let value = tangent_of(e.doc, self.catalogue, rhs, &mut shadow)?;
        let Some(value) = value else { return self.zero(e, target) };
        if is_value_of(e.doc, value, target) {
            // `x = x + 1`: the derivative stays what it is.
            return Ok(());
        }
        let zeros: Vec<RefId> =
            passive.iter().map(|&(_, component)| component_of(e.doc, target, component)).collect();
        e.assign(target, value, place);
        zeros.into_iter().try_for_each(|zero| self.zero(e, zero))
    }

    /// The structures without derivative that a structure constructor makes components of one with.
    /// No constructor can say that the derivative of such a component is zero: it gets the value, and
    /// then is set to zero. With each goes the component.
    fn passive_components(&self, doc: &Document, rhs: ExprId) -> Vec<(RefId, SymbolId)> {
        let ExprKind::StructureConstructor { spec, args } = &doc.exprs[rhs].kind else {
            return Vec::new();
        };
        let Base::Derived(owner) = spec.base() else { return Vec::new() };
        let components = doc.data_components(owner);
        let named = |arg: &Arg| match &arg.keyword {
            Some(name) => components
                .iter()
                .copied()
                .find(|&component| doc.name(component).eq_ignore_ascii_case(name)),
            None => components.get(usize::try_from(arg.position).ok()?.checked_sub(1)?).copied(),
        };
        let passive = |arg: &Arg| {
            let ArgValue::Expr(value) = arg.value else { return None };
            let ExprKind::Ref(reference) = doc.exprs[value].kind else { return None };
            let structure = matches!(doc.refs[reference].ty.base, Base::Derived(owner)
                if self.parts.types.carries(Base::Derived(owner)));
            let stays = structure && !self.is_active(doc, reference);
            let component = named(arg).filter(|&component| !doc.has(component, Attr::Pointer))?;
            stays.then_some((reference, component))
        };
        args.iter().filter_map(passive).collect()
    }

    /// Whether the derivative of an expression is computed by statements.
    pub(super) fn needs_statements(&self, doc: &Document, rhs: ExprId) -> bool {
        match &doc.exprs[rhs].kind {
            ExprKind::Intrinsic { name, .. } => self.catalogue.needs_statement(name),
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => false,
        }
    }

    /// The derivative of `lhs = maxval(…)` and the like, which is computed by statements.
    fn statements(
        &mut self,
        e: &mut Emitter<'_>,
        lhs: RefId,
        rhs: ExprId,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[lhs].place;
        let assignment = assign(e.doc, lhs, rhs, place);
        self.each_direction(e, true, place, |this, e, direction| {
            let Some(target) = this.shadow(e.doc, lhs, direction) else { return Ok(()) };
            let mut scratch = std::mem::take(&mut this.scratch);
            let mut shadow = |doc: &mut Document, reference: RefId| {
                this.shadow(doc, reference, direction).map(|found| value_of(doc, found))
            };
            let catalogue = this.catalogue;
            let done =
                statement_tangent(e, catalogue, assignment, target, &mut shadow, &mut scratch);
            this.scratch = scratch;
            if done? { Ok(()) } else { this.zero(e, target) }
        })
    }

    /// Whether the directions of a derivative assignment must be computed one after the other: an
    /// array statement has no room for a further dimension.
    pub(super) fn needs_loop(&self, doc: &Document, lhs: RefId, rhs: ExprId) -> bool {
        self.parts.directions.is_some()
            && (doc.refs[lhs].ty.rank > 0
                || !self.parts.takes_all(doc, lhs)
                || self.has_arrays(doc, rhs))
    }

    /// Whether an expression has a part that is an array, or a structure component whose
    /// derivatives in all directions have no name.
    fn has_arrays(&self, doc: &Document, root: ExprId) -> bool {
        let mut stack = vec![root];
        while let Some(expr) = stack.pop() {
            if doc.exprs[expr].ty.rank > 0 {
                return true;
            }
            match &doc.exprs[expr].kind {
                ExprKind::Ref(reference) => {
                    if self.is_active(doc, *reference) && !self.parts.takes_all(doc, *reference) {
                        return true;
                    }
                }
                ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
                    stack.extend(operands.iter().map(|operand: &Operand| operand.expr));
                }
                ExprKind::StructureConstructor { .. }
                | ExprKind::ArrayConstructor { .. }
                | ExprKind::ImpliedDo(_) => return true,
                ExprKind::Call(_)
                | ExprKind::Constant(_)
                | ExprKind::Procedure(_)
                | ExprKind::Opaque(_) => {}
            }
        }
        false
    }
}
