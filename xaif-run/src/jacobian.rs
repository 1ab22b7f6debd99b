//! Local Jacobians (paper 2, section 3): assignments that leave the derivative alone, and the
//! propagator that computes it.
//!
//! The derivatives are those that a value carries with it: the tangent of a dual number or the
//! imaginary part of a complex step, for both of which a step is linear; a complex number has two of
//! them, and coefficients may be complex. In a XAIF 1.0 document a
//! propagator moves derivatives of the document's own, which live beside them.

use xaif_schema::diag::Code;
use xaif_schema::model::{
    Document, ExprId, ExprKind, Place, Propagator, RefId, StmtId, StmtKind, SymbolId,
};

use crate::arith::convert;
use crate::fault::{Run, fault};
use crate::machine::Machine;
use crate::storage::Addr;
use crate::value::{Elem, Scalar, Value};

impl<'d> Machine<'d> {
    /// `lhs = rhs`, where the tangent of `lhs` stays as it is: a propagator gives it the new one.
    pub(crate) fn assign_value(&mut self, lhs: RefId, rhs: ExprId) -> Run<()> {
        // What is allocated by the assignment had no tangent.
        let found = self.locate(lhs).and_then(|found| found.view());
        let Ok(view) = found else { return self.assign(lhs, rhs) };
        let before: Vec<(Addr, Pair)> = view
            .elements()
            .map(|addr| Ok((addr, self.tangent_at(view.elem, addr)?)))
            .collect::<Run<_>>()?;
        let elem = view.elem;
        self.assign(lhs, rhs)?;
        let behind = self.locate(lhs)?.view()?;
        if !behind.elements().eq(before.iter().map(|&(addr, _)| addr)) {
            // It has another shape now, and the propagator sets its tangents.
            return Ok(());
        }
        before.into_iter().try_for_each(|(addr, tangent)| self.set_tangent_at(elem, addr, tangent))
    }

    /// `lhs = rhs`, where `lhs` holds the value of `rhs` already, with its tangent.
    ///
    /// # Errors
    /// `OX3015` where it holds another value: the statement may stand for a record of `lhs` nowhere.
    pub(crate) fn recompute(&mut self, lhs: RefId, rhs: ExprId) -> Run<()> {
        let before = self.scalars(lhs)?;
        match self.doc.refs[lhs].ty.base.is_continuous() {
            true => self.assign_value(lhs, rhs)?,
            false => self.assign(lhs, rhs)?,
        }
        let behind = self.scalars(lhs)?;
        self.is_unchanged(self.doc.refs[lhs].base, &before, &behind)
    }

    /// The same for loops (FORALL) around one assignment.
    ///
    /// # Errors
    /// As for [`recompute`](Self::recompute).
    pub(crate) fn recompute_elements(
        &mut self,
        stmt: StmtId,
        kind: &'d StmtKind,
        place: Place,
    ) -> Run<()> {
        let Some(variable) = self.doc.recomputed_variable(stmt) else { return Ok(()) };
        let before = self.elements(variable)?;
        self.stmt_kind(kind, place)?;
        let behind = self.elements(variable)?;
        self.is_unchanged(variable, &before, &behind)
    }

    fn is_unchanged<T: PartialEq + std::fmt::Debug>(
        &self,
        variable: SymbolId,
        before: &[T],
        behind: &[T],
    ) -> Run<()> {
        // NaN is what NaN was.
        let same =
            |(one, other): (&T, &T)| one == other || format!("{one:?}") == format!("{other:?}");
        if before.len() == behind.len() && before.iter().zip(behind).all(same) {
            return Ok(());
        }
        let name = self.doc.name(variable);
        fault(Code::RUN_MALFORMED, format!("the recomputation of `{name}` changes its value"))
    }

    /// The elements of a variable, as far as they have values.
    fn elements(&mut self, variable: SymbolId) -> Run<Vec<Option<Scalar>>> {
        let view = self.base_view(variable)?;
        Ok(view.elements().map(|addr| self.memory.read(addr, view.elem).ok()).collect())
    }

    fn scalars(&mut self, reference: RefId) -> Run<Vec<Scalar>> {
        let view = self.locate(reference)?.view()?;
        view.elements().map(|addr| self.memory.read(addr, view.elem)).collect()
    }

    /// The steps of a propagator, one after the other; those for arrays element by element.
    pub(crate) fn propagate_tangents(&mut self, steps: &[Propagator]) -> Run<()> {
        for step in steps {
            let Propagator::Sax { terms, y } = step else {
                return fault(Code::RUN_MALFORMED, "a local Jacobian has sums only");
            };
            let target = self.locate(*y)?.view()?;
            let (is_scalar, elem) = (target.dims.is_empty(), target.elem);
            let target: Vec<Addr> = target.elements().collect();
            let mut sums: Vec<Pair> = vec![[0.0; 2]; target.len()];
            for &(coefficient, x) in terms {
                let tangents = self.tangents_of(x)?;
                let coefficients = self.passive_values(coefficient)?;
                let chooses = is_choice(self.doc, coefficient);
                if !tangents.fits(is_scalar, sums.len())
                    || !coefficients.fits(is_scalar, sums.len())
                {
                    return fault(Code::RUN_SHAPE, "a local Jacobian of different shapes");
                }
                for (index, sum) in sums.iter_mut().enumerate() {
                    let ([a, b], [x, y]) = (coefficients.at(index), tangents.at(index));
                    // What is not chosen has no part in the sum, whatever its tangent.
                    if chooses && [a, b] == [0.0; 2] {
                        continue;
                    }
                    *sum = [sum[0] + (a * x - b * y), sum[1] + (a * y + b * x)];
                }
            }
            for (addr, sum) in target.into_iter().zip(sums) {
                self.set_tangent_at(elem, addr, sum)?;
            }
        }
        Ok(())
    }

    fn tangents_of(&mut self, reference: RefId) -> Run<Numbers> {
        let view = self.locate(reference)?.view()?;
        if view.dims.is_empty() {
            return Ok(Numbers::One(self.tangent_at(view.elem, view.addr)?));
        }
        let tangents = view.elements().map(|addr| self.tangent_at(view.elem, addr));
        tangents.collect::<Run<_>>().map(Numbers::Many)
    }

    /// The tangent of a number, of both parts of a complex one.
    fn tangent_at(&self, elem: Elem, addr: Addr) -> Run<Pair> {
        let imaginary = match elem {
            Elem::Complex(kind) => self.memory.tangent(addr.plus(i64::from(kind)))?,
            _ => 0.0,
        };
        Ok([self.memory.tangent(addr)?, imaginary])
    }

    fn set_tangent_at(&mut self, elem: Elem, addr: Addr, tangent: Pair) -> Run<()> {
        self.memory.set_tangent(addr, tangent[0])?;
        match elem {
            Elem::Complex(kind) => self.memory.set_tangent(addr.plus(i64::from(kind)), tangent[1]),
            _ => Ok(()),
        }
    }

    fn passive_values(&mut self, expr: ExprId) -> Run<Numbers> {
        let number = |scalar| match scalar {
            Scalar::Complex(_, [re, im]) => Ok([re.v, im.v]),
            other => Ok([convert(other, Elem::Real(8))?.as_real()?.1.v, 0.0]),
        };
        match self.eval(expr)? {
            Value::Scalar(scalar) => number(scalar).map(Numbers::One),
            Value::Array(array) => {
                let numbers = array.data.iter().cloned().map(number);
                numbers.collect::<Run<_>>().map(Numbers::Many)
            }
            Value::Object(_) => {
                fault(Code::RUN_TYPE, "a coefficient of a local Jacobian is a number")
            }
        }
    }
}

/// Whether a coefficient chooses between a number and 0.
fn is_choice(doc: &Document, coefficient: ExprId) -> bool {
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[coefficient].kind else {
        return false;
    };
    match (&**name, &operands[..]) {
        ("merge", _) => true,
        ("minus_scal", [one]) => is_choice(doc, one.expr),
        _ => false,
    }
}

/// The real and the imaginary part of a number.
type Pair = [f64; 2];

/// A number for all elements, or one for each.
enum Numbers {
    One(Pair),
    Many(Vec<Pair>),
}

impl Numbers {
    /// Whether they may stand beside a scalar, or beside an array of so many elements.
    fn fits(&self, scalar: bool, count: usize) -> bool {
        match self {
            Numbers::One(_) => true,
            Numbers::Many(numbers) => !scalar && numbers.len() == count,
        }
    }

    fn at(&self, index: usize) -> Pair {
        match self {
            Numbers::One(number) => *number,
            Numbers::Many(numbers) => numbers.get(index).copied().unwrap_or_default(),
        }
    }
}
