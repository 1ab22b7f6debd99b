//! Adjoints of local Jacobians (paper 2, section 3, equation 6).
//!
//! A step `deriv(y) = sum of a*deriv(x)` has the adjoint of the assignment `y = sum of a*x`, in which the
//! coefficients are passive; what is assigned is nobody's business, as no value is. Steps come in reverse
//! order. Where the coefficients are not recorded, they are accumulated once more before them.

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{StmtId, StmtKind};

use super::body::Adjoint;
use crate::build::{Copier, Emitter};
use crate::transform::jacobian::{Sum, right_hand_side};

impl Adjoint<'_> {
    /// The mirror of a propagator.
    pub(super) fn adjoint_jacobian(
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
}
