//! Extents of arrays as numbers: bounds are expressions over integer arguments, which `--set`
//! gives, and constants.
//!
//! What needs more (a function, a module variable) has no value here; the user gives the shape.

use std::collections::HashMap;

use xaif_schema::model::{
    ConstantClass, Dim, Document, ExprId, ExprKind, Init, Operands, Part, SymbolId,
};

/// Deeper expressions have no value: nobody writes such a bound.
const MAX_DEPTH: u32 = 200;

/// Why a bound has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoValue {
    /// It needs this variable, for which none is set.
    Needs(SymbolId),
    /// It is not an expression over integers and constants.
    TooComplex,
}

/// The values of integer variables, and the shapes of arrays, as far as they are known.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Scalars.
    pub(crate) integers: HashMap<SymbolId, i64>,
    /// Extents.
    pub(crate) shapes: HashMap<SymbolId, Vec<i64>>,
}

impl Known {
    /// The number of elements along one dimension.
    pub(crate) fn extent(&self, doc: &Document, dim: Dim) -> Result<i64, NoValue> {
        let Dim::Explicit { lower, upper } = dim else { return Err(NoValue::TooComplex) };
        let lower = lower.map_or(Ok(1), |lower| self.value(doc, lower, 0))?;
        let upper = self.value(doc, upper, 0)?;
        let last = upper.checked_sub(lower).and_then(|span| span.checked_add(1));
        Ok(last.ok_or(NoValue::TooComplex)?.max(0))
    }

    /// Whether the extent depends on integers that are set, and not on shapes of other arrays.
    pub(crate) fn is_by_integers(&self, doc: &Document, dim: Dim) -> bool {
        let integers = Known { integers: self.integers.clone(), shapes: HashMap::new() };
        Known::default().extent(doc, dim).is_err() && integers.extent(doc, dim).is_ok()
    }

    /// The value of the integer expression `expr`.
    pub(crate) fn integer(&self, doc: &Document, expr: ExprId) -> Result<i64, NoValue> {
        self.value(doc, expr, 0)
    }

    fn value(&self, doc: &Document, expr: ExprId, depth: u32) -> Result<i64, NoValue> {
        if depth > MAX_DEPTH {
            return Err(NoValue::TooComplex);
        }
        match &doc.exprs[expr].kind {
            ExprKind::Constant(constant) if constant.class == ConstantClass::Integer => {
                constant.text.parse().map_err(|_| NoValue::TooComplex)
            }
            ExprKind::Ref(reference) => {
                let reference = &doc.refs[*reference];
                match reference.parts.as_slice() {
                    [] => self.variable(doc, reference.base, depth),
                    [Part::Inquiry(_), ..]
                    | [Part::Elements(_), ..]
                    | [Part::Component { .. }, ..]
                    | [Part::Substring { .. }, ..]
                    | [Part::Deref, ..] => Err(NoValue::TooComplex),
                }
            }
            ExprKind::Intrinsic { name, operands, .. } => {
                self.operation(doc, name, operands, depth)
            }
            ExprKind::Constant(_)
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => Err(NoValue::TooComplex),
        }
    }

    fn variable(&self, doc: &Document, symbol: SymbolId, depth: u32) -> Result<i64, NoValue> {
        if let Some(&value) = self.integers.get(&symbol) {
            return Ok(value);
        }
        let decl = doc.symbols[symbol].decl.as_deref().ok_or(NoValue::Needs(symbol))?;
        match (decl.value, decl.init) {
            (Some(value), _) => Ok(value),
            (None, Some(Init::Value(init))) if is_constant(doc, symbol) => {
                self.value(doc, init, depth + 1)
            }
            (None, _) => Err(NoValue::Needs(symbol)),
        }
    }

    fn operation(
        &self,
        doc: &Document,
        name: &str,
        operands: &Operands,
        depth: u32,
    ) -> Result<i64, NoValue> {
        if name == "size" {
            return self.size(doc, operands, depth);
        }
        let values: Result<Vec<i64>, NoValue> =
            operands.iter().map(|operand| self.value(doc, operand.expr, depth + 1)).collect();
        let result = match (name, values?.as_slice()) {
            ("add_scal_scal", [a, b]) => a.checked_add(*b),
            ("sub_scal_scal", [a, b]) => a.checked_sub(*b),
            ("mul_scal_scal", [a, b]) => a.checked_mul(*b),
            ("div_scal_scal", [a, b]) => a.checked_div(*b),
            ("pow_scal_scal", [a, b]) => u32::try_from(*b).ok().and_then(|b| a.checked_pow(b)),
            ("minus_scal", [a]) => a.checked_neg(),
            ("plus_scal" | "int_scal", [a]) => Some(*a),
            ("abs_scal" | "iabs_scal", [a]) => a.checked_abs(),
            ("mod_scal_scal" | "mod", [a, b]) => a.checked_rem(*b),
            ("nc_max_scal_scal", values) => values.iter().max().copied(),
            ("nc_min_scal_scal", values) => values.iter().min().copied(),
            _ => None,
        };
        result.ok_or(NoValue::TooComplex)
    }

    /// `size(x)`, `size(x, dim)` of an array whose shape is known.
    fn size(&self, doc: &Document, operands: &Operands, depth: u32) -> Result<i64, NoValue> {
        let operand = |position| operands.iter().find(|operand| operand.position == position);
        let array = operand(1).map(|operand| &doc.exprs[operand.expr].kind);
        let Some(ExprKind::Ref(reference)) = array else { return Err(NoValue::TooComplex) };
        let shape = match self.shapes.get(&doc.refs[*reference].base) {
            Some(shape) if doc.refs[*reference].parts.is_empty() => shape,
            Some(_) | None => return Err(NoValue::TooComplex),
        };
        match operand(2) {
            None => Ok(shape.iter().product()),
            Some(dim) => {
                let dim = self.value(doc, dim.expr, depth + 1)?;
                let index = usize::try_from(dim - 1).map_err(|_| NoValue::TooComplex)?;
                shape.get(index).copied().ok_or(NoValue::TooComplex)
            }
        }
    }
}

fn is_constant(doc: &Document, symbol: SymbolId) -> bool {
    matches!(doc.role(symbol), Some(xaif_schema::model::Role::Constant))
}
