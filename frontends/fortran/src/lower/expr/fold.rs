//! Values of constant expressions of type integer and logical (true is 1).
//!
//! Bounds, kinds and case values need no more. What is not constant, overflows, or is nested
//! deeper than any person writes, has no value here.

use xaif_schema::model::{
    Base, BoolOp, CharLen, ConstantClass, Dim, ExprId, ExprKind, Init, Operands, Part, Role,
    Subscript, SymbolId, TypeSpec,
};

use crate::lower::Lowering;

/// Deeper expressions are not folded.
const MAX_DEPTH: u32 = 300;

impl Lowering<'_> {
    /// The value of a constant expression of type integer or logical.
    pub(crate) fn fold_integer(&self, expr: ExprId) -> Option<i64> {
        self.fold(expr, 0)
    }

    /// The value of a named constant.
    pub(crate) fn constant_value(&self, symbol: SymbolId) -> Option<i64> {
        self.doc.symbols[symbol].decl.as_ref()?.value
    }

    fn fold(&self, expr: ExprId, depth: u32) -> Option<i64> {
        if depth > MAX_DEPTH {
            return None;
        }
        let node = &self.doc.exprs[expr];
        match &node.kind {
            ExprKind::Constant(constant) => match constant.class {
                ConstantClass::Integer => constant.text.parse().ok(),
                ConstantClass::Bool => Some(i64::from(&*constant.text == ".true.")),
                ConstantClass::Real
                | ConstantClass::Double
                | ConstantClass::Char
                | ConstantClass::String
                | ConstantClass::Boz
                | ConstantClass::Hollerith
                | ConstantClass::Null => None,
            },
            ExprKind::Ref(reference) => {
                let reference = &self.doc.refs[*reference];
                match reference.parts.as_slice() {
                    [] => self.constant_value(reference.base),
                    [Part::Inquiry(name)] if &**name == "kind" => {
                        kind_of(self.symbol_base(reference.base)?)
                    }
                    [Part::Elements(subscripts)] => {
                        self.fold_element(reference.base, subscripts, depth)
                    }
                    _ => None,
                }
            }
            ExprKind::Intrinsic { name, operands, .. } => {
                self.fold_operation(name, operands, depth)
            }
            ExprKind::Boolean { op, operands } => {
                let value = |position: usize| self.fold(operands.get(position)?.expr, depth + 1);
                fold_boolean(*op, value(0)?, value(1))
            }
            ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => None,
        }
    }

    fn symbol_base(&self, symbol: SymbolId) -> Option<Base> {
        Some(self.doc.symbols[symbol].decl.as_ref()?.spec.base())
    }

    /// An element of a constant array whose values are all written out.
    fn fold_element(&self, base: SymbolId, subscripts: &[Subscript], depth: u32) -> Option<i64> {
        let decl = self.doc.symbols[base].decl.as_ref()?;
        let ([Subscript::Index(index)], Role::Constant, Some(Init::Value(value))) =
            (subscripts, &decl.role, decl.init)
        else {
            return None;
        };
        let ExprKind::ArrayConstructor { items, .. } = &self.doc.exprs[value].kind else {
            return None;
        };
        let index = self.fold(*index, depth + 1)? - self.constant_lower(base, 0, depth)?;
        if items.iter().any(|&item| self.ty(item).rank > 0) {
            return None;
        }
        self.fold(*items.get(usize::try_from(index).ok()?)?, depth + 1)
    }

    fn fold_operation(&self, name: &str, operands: &Operands, depth: u32) -> Option<i64> {
        let operand = |position: u16| {
            operands.iter().find(|operand| operand.position == position).map(|found| found.expr)
        };
        let value = |position: u16| self.fold(operand(position)?, depth + 1);
        let base = |position: u16| operand(position).map(|expr| self.ty(expr).base);
        let integers = matches!(base(1), Some(Base::Integer(_)));
        match name {
            "kind" => kind_of(base(1)?),
            "selected_int_kind" => Some(selected_int_kind(value(1)?)),
            "selected_real_kind" => {
                let given = |position: u16| match operand(position) {
                    Some(_) => value(position),
                    None => Some(0),
                };
                Some(selected_real_kind(given(1)?, given(2)?))
            }
            "selected_char_kind" => Some(1),
            "huge" => match base(1)? {
                Base::Integer(bytes @ 1..=8) => Some(i64::MAX >> (64 - 8 * u32::from(bytes))),
                _ => None,
            },
            "bit_size" => kind_of(base(1)?).map(|kind| 8 * kind),
            "storage_size" => kind_of(base(1)?).map(|kind| 8 * kind),
            "digits" | "precision" | "range" | "maxexponent" | "minexponent" | "radix" => {
                inquire_number(name, base(1)?)
            }
            "rank" => operand(1).map(|expr| i64::from(self.ty(expr).rank)),
            "size" | "lbound" | "ubound" => self.fold_bounds(name, operand(1)?, operand(2), depth),
            "len" => self.constant_length(operand(1)?, depth),
            "ichar" | "iachar" => self.one_character(operand(1)?),
            "merge" => {
                if value(3)? != 0 {
                    value(1)
                } else {
                    value(2)
                }
            }
            "nc_max_scal_scal" | "nc_min_scal_scal" if integers => {
                let values: Option<Vec<i64>> =
                    operands.iter().map(|operand| self.fold(operand.expr, depth + 1)).collect();
                let values = values?.into_iter();
                if name == "nc_max_scal_scal" { values.max() } else { values.min() }
            }
            "int_scal" | "nint_scal" | "plus_scal" | "abs_scal" | "not" | "minus_scal"
                if integers =>
            {
                let value = value(1)?;
                match name {
                    "abs_scal" => value.checked_abs(),
                    "minus_scal" => value.checked_neg(),
                    "not" => Some(!value),
                    _ => Some(value),
                }
            }
            _ if integers => fold_arithmetic(name, value(1)?, value(2)?),
            _ => None,
        }
    }

    fn fold_bounds(
        &self,
        name: &str,
        array: ExprId,
        dim: Option<ExprId>,
        depth: u32,
    ) -> Option<i64> {
        let dim = match dim {
            Some(dim) => Some(usize::try_from(self.fold(dim, depth + 1)? - 1).ok()?),
            None => None,
        };
        let ExprKind::Ref(reference) = &self.doc.exprs[array].kind else {
            let vector = name == "size" && self.ty(array).rank == 1;
            return if vector { self.constant_size(array, depth) } else { None };
        };
        let reference = &self.doc.refs[*reference];
        if !reference.parts.is_empty() {
            let vector = name == "size" && reference.ty.rank == 1;
            return if vector { self.constant_size(array, depth) } else { None };
        }
        let base = reference.base;
        match (name, dim) {
            ("lbound", Some(dim)) => self.constant_lower(base, dim, depth),
            ("ubound", Some(dim)) => self.constant_upper(base, dim, depth),
            ("size", Some(dim)) => self.constant_extent(base, dim, depth),
            ("size", None) => {
                let rank = usize::from(reference.ty.rank);
                let mut size = 1i64;
                for dim in 0..rank {
                    size = size.checked_mul(self.constant_extent(base, dim, depth)?)?;
                }
                (rank > 0).then_some(size)
            }
            _ => None,
        }
    }

    /// The number of elements of a vector, where it is a constant.
    pub(super) fn constant_size(&self, expr: ExprId, depth: u32) -> Option<i64> {
        if depth > MAX_DEPTH {
            return None;
        }
        match &self.doc.exprs[expr].kind {
            ExprKind::ArrayConstructor { items, .. } => self.count_items(items, depth),
            ExprKind::Ref(reference) => {
                let reference = &self.doc.refs[*reference];
                match reference.parts.as_slice() {
                    [] => self.constant_extent(reference.base, 0, depth),
                    [Part::Elements(subscripts)] => match subscripts.as_slice() {
                        [Subscript::Section { lower, upper, stride: None }] => {
                            let lower = match lower {
                                Some(lower) => self.fold(*lower, depth + 1)?,
                                None => self.constant_lower(reference.base, 0, depth)?,
                            };
                            let upper = match upper {
                                Some(upper) => self.fold(*upper, depth + 1)?,
                                None => self.constant_upper(reference.base, 0, depth)?,
                            };
                            Some(upper.checked_sub(lower)?.checked_add(1)?.max(0))
                        }
                        [Subscript::Index(index)] => self.constant_size(*index, depth + 1),
                        _ => None,
                    },
                    _ => None,
                }
            }
            ExprKind::Intrinsic { name, operands, .. } if &**name == "shape_arr" => {
                operands.first().map(|operand| i64::from(self.ty(operand.expr).rank))
            }
            // Elementwise operations have the size of their array operand.
            ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => operands
                .iter()
                .find(|operand| self.ty(operand.expr).rank == 1)
                .and_then(|operand| self.constant_size(operand.expr, depth + 1)),
            ExprKind::Constant(_)
            | ExprKind::Call(_)
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => None,
        }
    }

    /// The lower bound of a dimension (from 0) of `array`, where it is a constant.
    pub(super) fn constant_lower(&self, array: SymbolId, dim: usize, depth: u32) -> Option<i64> {
        let decl = self.doc.symbols[array].decl.as_ref()?;
        match decl.dims.get(dim)? {
            Dim::Explicit { lower, .. }
            | Dim::AssumedShape { lower }
            | Dim::AssumedSize { lower } => match lower {
                Some(lower) => self.fold(*lower, depth + 1),
                None => Some(1),
            },
            Dim::Deferred | Dim::AssumedRank => None,
        }
    }

    /// The upper bound of a dimension (from 0) of `array`, where it is a constant.
    pub(super) fn constant_upper(&self, array: SymbolId, dim: usize, depth: u32) -> Option<i64> {
        let decl = self.doc.symbols[array].decl.as_ref()?;
        match decl.dims.get(dim)? {
            Dim::Explicit { upper, .. } => self.fold(*upper, depth + 1),
            Dim::AssumedSize { .. } | Dim::AssumedShape { .. } | Dim::Deferred => {
                // `integer, parameter :: a(*) = [1, 2, 3]`
                let (Role::Constant, Some(Init::Value(value))) = (&decl.role, decl.init) else {
                    return None;
                };
                self.constant_lower(array, dim, depth)?
                    .checked_add(self.constant_size(value, depth + 1)?)?
                    .checked_sub(1)
            }
            Dim::AssumedRank => None,
        }
    }

    /// The extent of a dimension (from 0) of `array`, where it is a constant.
    pub(super) fn constant_extent(&self, array: SymbolId, dim: usize, depth: u32) -> Option<i64> {
        let (lower, upper) =
            (self.constant_lower(array, dim, depth)?, self.constant_upper(array, dim, depth)?);
        Some(upper.checked_sub(lower)?.checked_add(1)?.max(0))
    }

    /// The number of values in an array constructor.
    pub(super) fn count_items(&self, items: &[ExprId], depth: u32) -> Option<i64> {
        let mut count = 0i64;
        for &item in items {
            let more = match &self.doc.exprs[item].kind {
                ExprKind::ImpliedDo(implied) => {
                    let control = &implied.control;
                    let lower = self.fold(control.lower, depth + 1)?;
                    let upper = self.fold(control.upper, depth + 1)?;
                    let step = control.step.map_or(Some(1), |step| self.fold(step, depth + 1))?;
                    let span = upper.checked_sub(lower)?.checked_add(step)?;
                    let rounds = span.checked_div(step)?.max(0);
                    rounds.checked_mul(self.count_items(&implied.items, depth + 1)?)?
                }
                _ => match self.ty(item).rank {
                    0 => 1,
                    1 => self.constant_size(item, depth + 1)?,
                    _ => return None,
                },
            };
            count = count.checked_add(more)?;
        }
        Some(count)
    }

    fn constant_length(&self, string: ExprId, depth: u32) -> Option<i64> {
        if depth > MAX_DEPTH {
            return None;
        }
        match &self.doc.exprs[string].kind {
            ExprKind::Constant(_) => self.characters(string)?.chars().count().try_into().ok(),
            ExprKind::Ref(reference) => {
                let reference = &self.doc.refs[*reference];
                let decl = self.doc.symbols[reference.base].decl.as_ref()?;
                if !reference.parts.is_empty() {
                    return None;
                }
                let TypeSpec::Character { len, .. } = &decl.spec else { return None };
                match (decl.char_len.as_ref().unwrap_or(len), decl.init) {
                    (CharLen::One, _) => Some(1),
                    (CharLen::Expr(len), _) => self.fold(*len, depth + 1),
                    (CharLen::Assumed, Some(Init::Value(value))) => {
                        self.constant_length(value, depth + 1)
                    }
                    (CharLen::Assumed | CharLen::Deferred, _) => None,
                }
            }
            ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => None,
        }
    }

    fn one_character(&self, string: ExprId) -> Option<i64> {
        let text = self.characters(string)?;
        let mut characters = text.chars();
        let first = characters.next()?;
        (characters.next().is_none() && first.is_ascii()).then_some(i64::from(u32::from(first)))
    }

    /// The characters of a literal, quotes undone.
    fn characters(&self, string: ExprId) -> Option<String> {
        let ExprKind::Constant(constant) = &self.doc.exprs[string].kind else { return None };
        if constant.class != ConstantClass::String {
            return None;
        }
        let quote = constant.text.chars().next()?;
        let inner = constant.text.strip_prefix(quote)?.strip_suffix(quote)?;
        Some(inner.replace(&format!("{quote}{quote}"), &quote.to_string()))
    }
}

fn fold_boolean(op: BoolOp, a: i64, b: Option<i64>) -> Option<i64> {
    let value = match op {
        BoolOp::Not => a == 0,
        BoolOp::LessThan => a < b?,
        BoolOp::LessOrEqual => a <= b?,
        BoolOp::GreaterThan => a > b?,
        BoolOp::GreaterOrEqual => a >= b?,
        BoolOp::Equal => a == b?,
        BoolOp::NotEqual => a != b?,
        BoolOp::And => a != 0 && b? != 0,
        BoolOp::Or => a != 0 || b? != 0,
        BoolOp::Xor => (a != 0) != (b? != 0),
        BoolOp::Equivalent => (a != 0) == (b? != 0),
    };
    Some(i64::from(value))
}

fn fold_arithmetic(name: &str, a: i64, b: i64) -> Option<i64> {
    match name {
        "add_scal_scal" => a.checked_add(b),
        "sub_scal_scal" => a.checked_sub(b),
        "mul_scal_scal" => a.checked_mul(b),
        "div_scal_scal" => a.checked_div(b),
        "pow_scal_scal" => match u32::try_from(b) {
            Ok(exponent) => a.checked_pow(exponent),
            // Integer division: 1/a**n.
            Err(_) if a == 1 => Some(1),
            Err(_) if a == -1 => Some(if b % 2 == 0 { 1 } else { -1 }),
            Err(_) => (b < 0 && a != 0).then_some(0),
        },
        "mod_scal_scal" => a.checked_rem(b),
        "modulo" => {
            let remainder = a.checked_rem(b)?;
            Some(if remainder != 0 && (remainder < 0) != (b < 0) {
                remainder + b
            } else {
                remainder
            })
        }
        "sign_scal_scal" => {
            let magnitude = a.checked_abs()?;
            Some(if b < 0 { -magnitude } else { magnitude })
        }
        "dim" => Some(a.checked_sub(b)?.max(0)),
        "iand" => Some(a & b),
        "ior" => Some(a | b),
        "ieor" => Some(a ^ b),
        _ => None,
    }
}

fn kind_of(base: Base) -> Option<i64> {
    match base {
        Base::Integer(kind)
        | Base::Real(kind)
        | Base::Complex(kind)
        | Base::Logical(kind)
        | Base::Character(kind)
            if kind > 0 =>
        {
            Some(i64::from(kind))
        }
        _ => None,
    }
}

fn selected_int_kind(digits: i64) -> i64 {
    match digits {
        ..=2 => 1,
        3..=4 => 2,
        5..=9 => 4,
        10..=18 => 8,
        19..=38 => 16,
        _ => -1,
    }
}

/// As gfortran on x86-64 has it, with kinds 4, 8, 10 and 16.
fn selected_real_kind(digits: i64, range: i64) -> i64 {
    match (digits, range) {
        (..=6, ..=37) => 4,
        (..=15, ..=307) => 8,
        (..=18, ..=4931) => 10,
        (..=33, ..=4931) => 16,
        (34.., ..=4931) => -1,
        (..=33, _) => -2,
        (_, _) => -3,
    }
}

/// The model of numbers: `digits`, `precision` and the like.
fn inquire_number(name: &str, base: Base) -> Option<i64> {
    // Of each kind: digits, precision, range, maximal exponent, minimal exponent.
    let [digits, precision, range, max, min] = match base {
        Base::Integer(bytes @ (1 | 2 | 4 | 8)) => {
            let digits = 8 * i64::from(bytes) - 1;
            let range = match bytes {
                1 => 2,
                2 => 4,
                4 => 9,
                _ => 18,
            };
            return match name {
                "digits" => Some(digits),
                "range" => Some(range),
                "radix" => Some(2),
                _ => None,
            };
        }
        Base::Real(4) | Base::Complex(4) => [24, 6, 37, 128, -125],
        Base::Real(8) | Base::Complex(8) => [53, 15, 307, 1024, -1021],
        Base::Real(10) | Base::Complex(10) => [64, 18, 4931, 16384, -16381],
        Base::Real(16) | Base::Complex(16) => [113, 33, 4931, 16384, -16381],
        _ => return None,
    };
    match name {
        "digits" => Some(digits),
        "precision" => Some(precision),
        "range" => Some(range),
        "maxexponent" => Some(max),
        "minexponent" => Some(min),
        "radix" => Some(2),
        _ => None,
    }
}
