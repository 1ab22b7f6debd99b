//! Structures with pointer components where no value is active: the pointers of the derivative follow
//! those of the original all the same, since what they point to may become active later.
//!
//! The derivative of `v = w` is `vd = wd`, whether or not `w` holds active values; the numbers of `vd`
//! are then set to zero where it does not. Never may `vd = v` stand for it: `vd` would point to the
//! targets of the original.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{Document, ExprId, RefId, StmtId};

use super::body::Tangent;
use super::reads::references;
use super::reallocate::{follow, shaped};
use booster_build::{Emitter, has_call, value_of};
use booster_linearize::tangent_of;
use booster_shadow::derivative::Direction;

impl Tangent<'_> {
    /// Whether an assignment associates pointers and has no derivative otherwise.
    pub(super) fn keeps_association(
        &mut self,
        doc: &mut Document,
        lhs: RefId,
        rhs: ExprId,
    ) -> Result<bool, Diagnostic> {
        let base = doc.refs[lhs].ty.base;
        if !self.parts.is_active(doc, lhs) || !self.parts.types.points(base) {
            return Ok(false);
        }
        Ok(!self.is_active(doc, lhs) || self.is_passive(doc, rhs)?)
    }

    /// `lhs = rhs`, of which only the association of pointers matters.
    pub(super) fn associate_as_original(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        lhs: RefId,
        rhs: ExprId,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[lhs].place;
        let looped = self.needs_loop(e.doc, lhs, rhs);
        if looped && self.may_reallocate(e.doc, lhs) {
            return Err(self.error(
                e.doc,
                Code::SEVERAL_DIRECTIONS,
                place,
                "an assignment that changes the shape of structures with pointers has no tangent in \
                 several directions at once",
                "compute one direction at a time",
            ));
        }
        let mut none = false;
        self.each_direction(e, looped, place, |this, e, direction| {
            let value = this.associated(e.doc, rhs, direction)?;
            let Some(target) = this.parts.reference(e.doc, lhs, direction) else { return Ok(()) };
            let Some(value) = value else {
                none = true;
                return Ok(());
            };
            let value = shaped(e.doc, value, rhs);
            e.assign(target, value, place);
            this.zero(e, target)
        })?;
        e.push(stmt);
        if !none {
            return Ok(());
        }
        self.each_direction(e, looped, place, |this, e, direction| {
            let Some(target) = this.parts.reference(e.doc, lhs, direction) else { return Ok(()) };
            follow(e, target, lhs, place);
            this.zero(e, target)
        })
    }

    /// The derivative of a structure whose values are not active, for the sake of its pointers; its
    /// numbers mean nothing. `None` where all its pointers are associated with nothing.
    ///
    /// # Errors
    /// Pointers to what has no derivative, or of which nobody knows.
    pub(super) fn associated(
        &mut self,
        doc: &mut Document,
        expr: ExprId,
        direction: Direction,
    ) -> Result<Option<ExprId>, Diagnostic> {
        let parts = &self.parts;
        let mut shadow = |doc: &mut Document, reference: RefId| {
            parts.reference(doc, reference, direction).map(|found| value_of(doc, found))
        };
        let value = tangent_of(doc, self.catalogue, expr, &mut shadow)?;
        if value.is_some() {
            return Ok(value);
        }
        let place = doc.exprs[expr].place;
        let carries = |reference: RefId| parts.types.carries(doc.refs[reference].ty.base);
        let unknown = has_call(doc, [expr]) || references(doc, expr).into_iter().any(carries);
        if !unknown {
            return Ok(None);
        }
        Err(self.error(
            doc,
            Code::PASSIVE_TARGET,
            place,
            "a structure with derivative gets pointers of one without",
            "associate the pointers one by one, with targets that have derivatives",
        ))
    }
}
