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

    /// The steps of a propagator, one after the other; those for arrays element by element.
    pub(crate) fn propagate_tangents(&mut self, steps: &[Propagator]) -> Run<()> {
        for step in steps {
            let Propagator::Sax { terms, y } = step else {
                return fault(Code::RUN_MALFORMED, "a local Jacobian has sums only");
            };
            let target = self.locate(*y)?.view()?;
            let is_scalar = target.dims.is_empty();
            let target: Vec<Addr> = target.elements().collect();
            let mut sums = vec![0.0; target.len()];
            for &(coefficient, x) in terms {
                let tangents = self.tangents_of(x)?;
                let coefficients = self.passive_values(coefficient)?;
                if !tangents.fits(is_scalar, sums.len())
                    || !coefficients.fits(is_scalar, sums.len())
                {
                    return fault(Code::RUN_SHAPE, "a local Jacobian of different shapes");
                }
                for (index, sum) in sums.iter_mut().enumerate() {
                    *sum += coefficients.at(index) * tangents.at(index);
                }
            }
            for (addr, sum) in target.into_iter().zip(sums) {
                self.memory.set_tangent(addr, sum)?;
            }
        }
        Ok(())
    }

    fn tangents_of(&mut self, reference: RefId) -> Run<Numbers> {
        let view = self.locate(reference)?.view()?;
        if view.dims.is_empty() {
            return Ok(Numbers::One(self.memory.tangent(view.addr)?));
        }
        let tangents = view.elements().map(|addr| self.memory.tangent(addr));
        tangents.collect::<Run<_>>().map(Numbers::Many)
    }

    fn passive_values(&mut self, expr: ExprId) -> Run<Numbers> {
        let number = |scalar| Ok(convert(scalar, Elem::Real(8))?.as_real()?.1.v);
        match self.eval(expr)? {
            Value::Scalar(scalar) => number(scalar).map(Numbers::One),
            Value::Array(array) => {
                let numbers = array.data.iter().cloned().map(number);
                numbers.collect::<Run<_>>().map(Numbers::Many)
            }
            Value::Object(_) => {
                fault(Code::RUN_TYPE, "a coefficient of a local Jacobian is a real number")
            }
        }
    }
}

/// A number for all elements, or one for each.
enum Numbers {
    One(f64),
    Many(Vec<f64>),
}

impl Numbers {
    /// Whether they may stand beside a scalar, or beside an array of so many elements.
    fn fits(&self, scalar: bool, count: usize) -> bool {
        match self {
            Numbers::One(_) => true,
            Numbers::Many(numbers) => !scalar && numbers.len() == count,
        }
    }

    fn at(&self, index: usize) -> f64 {
        match self {
            Numbers::One(number) => *number,
            Numbers::Many(numbers) => numbers.get(index).copied().unwrap_or_default(),
        }
    }
}
