//! Adjoints of local Jacobians (paper 2, section 3, equation 6).
//!
//! A step `deriv(y) = sum of a*deriv(x)` has the adjoint of the assignment `y = sum of a*x`, in which the
//! coefficients are passive; what is assigned is nobody's business, as no value is. Steps come in reverse
//! order. Where the coefficients are not recorded, they are accumulated once more before them.
//!
//! Variables that are allocated for a local Jacobian are allocated in the backward sweep as far as it names
//! them, by the same extents: what tells these is read by the steps, too, or has its shape there. So no bounds are
//! recorded.

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{Allocate, Document, Part, RefId, StmtId, StmtKind};

use crate::body::Adjoint;
use crate::queries::designators::same_designator;
use crate::recovery::properties::release;
use booster_build::{Copier, Emitter};
use booster_shadow::derivative::Direction;
use booster_shadow::jacobian::{Sum, right_hand_side};

impl Adjoint<'_> {
    /// The mirror of a propagator.
    pub(crate) fn adjoint_jacobian(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        steps: &[Sum],
    ) -> Result<(), Diagnostic> {
        for again in self.again.get(&stmt).cloned().unwrap_or_default() {
            let data = e.doc.stmts[again].clone();
            let StmtKind::Assign { lhs, rhs, .. } = data.kind else { continue };
            let copier = Copier::new();
            let (lhs, rhs) = (copier.reference(e.doc, lhs), copier.expr(e.doc, rhs));
            e.assign(lhs, rhs, data.place);
        }
        for step in steps.iter().rev() {
            let value = right_hand_side(e.doc, step);
            self.adjoint_assign(e, stmt, (step.y, value), None)?;
        }
        Ok(())
    }

    /// DEALLOCATE behind a local Jacobian, in the forward sweep: the entries that are needed are recorded.
    pub(crate) fn forward_release_entries(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
    ) -> Result<(), Diagnostic> {
        for object in self.recorded_entries(e.doc, stmt) {
            self.tape_entry(e, object, true)?;
        }
        e.push(stmt);
        Ok(())
    }

    /// Its mirror, which allocates.
    pub(crate) fn backward_release_entries(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        let named = self.memory.get(&stmt).cloned().unwrap_or_default();
        if named.is_empty() {
            return Ok(());
        }
        let objects = named.iter().map(|&one| Copier::new().reference(e.doc, one)).collect();
        let (spec, stat, errmsg, source, mold) = (None, None, None, None, None);
        let allocate = Allocate { spec, objects, stat, errmsg, source, mold };
        e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
        for object in self.recorded_entries(e.doc, stmt).into_iter().rev() {
            self.tape_entry(e, object, false)?;
        }
        for object in named {
            let object = without_bounds(e.doc, object);
            self.begin(e, object, true)?;
        }
        Ok(())
    }

    /// The mirror of ALLOCATE before a local Jacobian.
    pub(crate) fn backward_allocate_entries(&mut self, e: &mut Emitter<'_>, stmt: StmtId) {
        for object in self.memory.get(&stmt).cloned().unwrap_or_default().into_iter().rev() {
            let object = without_bounds(e.doc, object);
            release(e, object);
            let adjoint = self.tools.parts.reference(e.doc, object, Direction::All);
            adjoint.into_iter().for_each(|adjoint| release(e, adjoint));
        }
    }

    /// The variables that a DEALLOCATE behind a local Jacobian releases and whose values are needed.
    fn recorded_entries(&self, doc: &mut Document, stmt: StmtId) -> Vec<RefId> {
        let named = self.memory.get(&stmt).cloned().unwrap_or_default().into_iter();
        let named: Vec<RefId> = named.map(|object| without_bounds(doc, object)).collect();
        let told = doc.stmts[stmt].recorded.as_ref();
        let is_told = |object: &RefId| {
            told.is_none_or(|told| {
                told.iter().any(|&one| same_designator(doc, &doc.refs[one], &doc.refs[*object]))
            })
        };
        named.into_iter().filter(is_told).collect()
    }

    fn tape_entry(
        &mut self,
        e: &mut Emitter<'_>,
        object: RefId,
        push: bool,
    ) -> Result<(), Diagnostic> {
        let object = e.doc.refs[object].clone();
        self.tape_value(e, &object, push, true)
    }
}

/// An object of ALLOCATE as a whole.
fn without_bounds(doc: &mut Document, object: RefId) -> RefId {
    let mut whole = doc.refs[object].clone();
    if let Some(Part::Elements(_)) = whole.parts.last() {
        whole.parts.pop();
    }
    doc.refs.push(whole)
}
