//! Local Jacobians (paper 2, section 3): assignments that leave the derivative alone, and the
//! propagator that computes it.
//!
//! The derivatives are those that a value carries with it: the tangent of a dual number or the
//! imaginary part of a complex step, for both of which a step is linear. In a genuine document a
//! propagator moves derivatives of the document's own, which live beside them.

use xaif_schema::diag::Code;
use xaif_schema::model::{ExprId, Propagator, RefId};

use crate::arith::convert;
use crate::fault::{Run, fault};
use crate::machine::Machine;
use crate::storage::Addr;
use crate::value::{Elem, Value};

impl Machine<'_> {
    /// `lhs = rhs`, where the tangent of `lhs` stays as it is: a propagator gives it the new one.
    pub(crate) fn assign_value(&mut self, lhs: RefId, rhs: ExprId) -> Run<()> {
        let before: Vec<(Addr, f64)> = self
            .locate(lhs)?
            .view()?
            .elements()
            .map(|addr| Ok((addr, self.memory.tangent(addr)?)))
            .collect::<Run<_>>()?;
        self.assign(lhs, rhs)?;
        before.into_iter().try_for_each(|(addr, tangent)| self.memory.set_tangent(addr, tangent))
    }

    /// The steps of a propagator, one after the other.
    pub(crate) fn propagate_tangents(&mut self, steps: &[Propagator]) -> Run<()> {
        for step in steps {
            let Propagator::Sax { terms, y } = step else {
                return fault(Code::RUN_MALFORMED, "a local Jacobian has sums only");
            };
            let mut sum = 0.0;
            for &(coefficient, x) in terms {
                let tangent = self.tangent_of(x)?;
                sum += self.passive_value(coefficient)? * tangent;
            }
            let addr = self.address(*y)?;
            self.memory.set_tangent(addr, sum)?;
        }
        Ok(())
    }

    fn tangent_of(&mut self, reference: RefId) -> Run<f64> {
        let addr = self.address(reference)?;
        self.memory.tangent(addr)
    }

    fn passive_value(&mut self, expr: ExprId) -> Run<f64> {
        match self.eval(expr)? {
            Value::Scalar(scalar) => Ok(convert(scalar, Elem::Real(8))?.as_real()?.1.v),
            Value::Array(_) | Value::Object(_) => {
                fault(Code::RUN_TYPE, "a coefficient of a local Jacobian is a real number")
            }
        }
    }

    fn address(&mut self, reference: RefId) -> Run<Addr> {
        let view = self.locate(reference)?.view()?;
        if view.dims.is_empty() {
            Ok(view.addr)
        } else {
            fault(Code::RUN_SHAPE, "a local Jacobian has scalars only")
        }
    }
}
