//! Terms of the catalogue as expressions of a document, with literals of the right kind.
//!
//! What can be worked out is: `b*a**(b - 1)` with `b` the literal 2 is `2*a`; signs are kept apart,
//! so that `y - (-x)` never stands in the generated code.

use smallvec::SmallVec;
use xaif_schema::intrinsics::{Dummy, Intrinsic, ResultRank, ResultType};
use xaif_schema::model::{
    Base, BoolOp, Constant, ConstantClass, ConstantKind, Document, ExprId, ExprKind, Operand,
    Operands, Ty,
};

use super::conform::zero;
use super::extent;
use super::values::{Values, constant_value};
use booster_build::{
    Copier, binary, boolean, constant, integer, intrinsic, is_narrower, negate, promote, real,
};
use booster_rules::language::{Operator, Term};
use booster_rules::operand;

/// A number that a term has become.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A whole number that is not negative.
    Whole(u64),
    /// A decimal literal that has no kind yet.
    Decimal(Box<str>),
    /// The smallest normal number of a kind that is not yet known.
    Tiny,
    /// A truth value.
    Truth(bool),
    /// An expression.
    Node(ExprId),
    /// An optional operand that is absent.
    Absent,
}

/// A value with its sign apart.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Signed {
    pub(super) negative: bool,
    pub(super) value: Value,
}

impl From<Value> for Signed {
    fn from(value: Value) -> Self {
        Signed { negative: false, value }
    }
}

impl Signed {
    pub(super) fn node(expr: ExprId) -> Self {
        Value::Node(expr).into()
    }

    fn flip(self, negative: bool) -> Self {
        Signed { negative: self.negative != negative, value: self.value }
    }
}

/// Functions whose arguments must be of one type and kind.
const OF_ONE_TYPE: &[&str] =
    &["atan2", "dim", "hypot", "max", "merge", "min", "mod", "modulo", "sign"];

/// An operation whose rule is written out.
pub(super) struct Site<'s, 'h> {
    pub(super) doc: &'s mut Document,
    /// The operation.
    node: ExprId,
    operands: Operands,
    /// The type of literals: real of the kind of the result.
    literal: Base,
    /// The derivative of the operand that the term belongs to.
    derivative: Option<ExprId>,
    /// Whether `tiny` is the root of the smallest number.
    root: bool,
    values: &'s mut Values<'h>,
}

impl<'s, 'h> Site<'s, 'h> {
    pub(super) fn new(
        doc: &'s mut Document,
        node: ExprId,
        derivative: Option<ExprId>,
        values: &'s mut Values<'h>,
    ) -> Self {
        let operands = match &doc.exprs[node].kind {
            ExprKind::Intrinsic { name, operands, .. } => placed(doc, name, operands),
            _ => Operands::new(),
        };
        let literal = literal_base(doc.exprs[node].ty.base);
        Site { doc, node, operands, literal, derivative, root: false, values }
    }

    /// From now on `tiny` is the root of the smallest number, or not.
    ///
    /// A tangent divides what is zero by `tiny`. An adjoint divides before it multiplies with zero:
    /// divided by the smallest number it would overflow, and then be no number.
    pub(super) fn root_of_tiny(&mut self, root: bool) {
        self.root = root;
    }

    pub(super) fn eval(&mut self, term: &Term) -> Signed {
        match term {
            Term::Whole(number) => Value::Whole(u64::from(*number)).into(),
            Term::Decimal(text) => Value::Decimal(self.rounded(text)).into(),
            Term::Operand(position) => self.operand(*position),
            Term::Result => Signed::node(self.values.of(self.doc, self.node)),
            Term::Derivative => match self.derivative {
                Some(derivative) => Signed::node(Copier::new().expr(self.doc, derivative)),
                None => Value::Whole(1).into(),
            },
            Term::Tiny => Value::Tiny.into(),
            Term::Zero => {
                let like = self.derivative.unwrap_or(self.node);
                let base = self.doc.exprs[like].ty.base;
                Signed::node(zero(self.doc, base, self.node))
            }
            Term::Absent => Value::Absent.into(),
            Term::Or(pair) => match self.eval(&pair.0) {
                Signed { value: Value::Absent, .. } => self.eval(&pair.1),
                found => found,
            },
            Term::Imaginary(inner) => {
                let inner = self.eval(inner);
                let inner = self.node_of(inner);
                Signed::node(imaginary(self.doc, inner))
            }
            Term::Vector(inner) => {
                let inner = self.eval(inner);
                let item = self.node_of(inner);
                let (ty, place) = (self.doc.exprs[item].ty, self.doc.exprs[item].place);
                let kind = ExprKind::ArrayConstructor { spec: None, items: vec![item] };
                Signed::node(booster_build::node(self.doc, kind, ty.with_rank(1), place))
            }
            Term::AsResult(inner) => {
                let inner = self.eval(inner);
                let inner = self.node_of(inner);
                let base = self.doc.exprs[self.node].ty.base;
                Signed::node(convert(self.doc, inner, base))
            }
            Term::Negative(inner) => self.eval(inner).flip(true),
            Term::Binary(operator, pair) => {
                let (left, right) = (self.eval(&pair.0), self.eval(&pair.1));
                self.operation(*operator, left, right)
            }
            Term::Truth(op, pair) => self.truth(*op, &pair.0, &pair.1),
            Term::Function(row, args) => self.function(row, args),
        }
    }

    /// The value as an expression.
    pub(super) fn node_of(&mut self, signed: Signed) -> ExprId {
        let place = self.doc.exprs[self.node].place;
        let expr = match signed.value {
            Value::Node(expr) => expr,
            Value::Whole(number) => integer(self.doc, number.try_into().unwrap_or(i64::MAX), place),
            Value::Decimal(text) => real(self.doc, &text, self.literal, place),
            Value::Tiny => self.tiny(self.literal),
            Value::Truth(truth) => {
                let text = if truth { ".true." } else { ".false." };
                let ty = Ty::scalar(Base::Logical(4));
                constant(self.doc, ConstantClass::Bool, text, ty, place)
            }
            Value::Absent => real(self.doc, "0", self.literal, place),
        };
        if signed.negative { negate(self.doc, expr) } else { expr }
    }

    /// The value as an expression of the type `base`, where it is a literal.
    fn typed(&mut self, signed: Signed, base: Base) -> ExprId {
        let place = self.doc.exprs[self.node].place;
        let text = match (&signed.value, base) {
            (Value::Whole(number), Base::Integer(bytes)) if bytes != 4 && bytes != 0 => {
                let kind = ConstantKind::Number(u16::from(bytes));
                let (class, fe_type) = (ConstantClass::Integer, None);
                let text = number.to_string().into();
                let literal = ExprKind::Constant(Constant { class, fe_type, text, kind });
                let literal = booster_build::node(self.doc, literal, Ty::scalar(base), place);
                return if signed.negative { negate(self.doc, literal) } else { literal };
            }
            (Value::Tiny, Base::Real(_)) => return self.tiny(base),
            (Value::Tiny, Base::Complex(bytes)) => {
                let tiny = self.tiny(Base::Real(bytes));
                return convert(self.doc, tiny, base);
            }
            (Value::Whole(number), Base::Real(_) | Base::Complex(_)) => number.to_string(),
            (Value::Decimal(text), Base::Real(_) | Base::Complex(_)) => text.to_string(),
            _ => return self.node_of(signed),
        };
        let literal = real(self.doc, &text, base, place);
        let literal = if signed.negative { negate(self.doc, literal) } else { literal };
        convert(self.doc, literal, base)
    }

    fn operand(&mut self, position: u16) -> Signed {
        let Some(mut expr) = operand(&self.operands, position) else { return Value::Absent.into() };
        let mut negative = false;
        if let ExprKind::Intrinsic { name, operands, .. } = &self.doc.exprs[expr].kind
            && &**name == "minus_scal"
            && let Some(inner) = operands.first()
            && matches!(self.doc.exprs[inner.expr].kind, ExprKind::Constant(_))
        {
            (expr, negative) = (inner.expr, true);
        }
        if let ExprKind::Constant(Constant { class: ConstantClass::Integer, text, kind, .. }) =
            &self.doc.exprs[expr].kind
            && *kind == ConstantKind::None
            && let Ok(number) = text.parse()
        {
            return Signed { negative, value: Value::Whole(number) };
        }
        Signed { negative, value: Value::Node(self.values.of(self.doc, expr)) }
    }

    pub(super) fn operation(&mut self, operator: Operator, left: Signed, right: Signed) -> Signed {
        match operator {
            Operator::Add => self.sum(left, right),
            Operator::Subtract => self.sum(left, right.flip(true)),
            Operator::Multiply => self.product(left, right),
            Operator::Divide => self.quotient(left, right),
            Operator::Power => self.power(left, right),
        }
    }

    pub(super) fn sum(&mut self, left: Signed, right: Signed) -> Signed {
        match (&left.value, &right.value) {
            (Value::Whole(0), _) => return right,
            (_, Value::Whole(0)) => return left,
            (&Value::Whole(a), &Value::Whole(b)) => {
                let sign = |negative, number: u64| {
                    let number = i128::from(number);
                    if negative { -number } else { number }
                };
                let total = sign(left.negative, a) + sign(right.negative, b);
                let number = u64::try_from(total.unsigned_abs()).unwrap_or(u64::MAX);
                return Signed { negative: total < 0, value: Value::Whole(number) };
            }
            (&Value::Node(literal), &Value::Whole(number)) => {
                let step = i64::try_from(number).unwrap_or(i64::MAX);
                let step = if left.negative == right.negative { step } else { -step };
                if let Some(found) = shifted_literal(self.doc, literal, step, self.literal) {
                    return found.flip(left.negative);
                }
            }
            _ => {}
        }
        let (a, b) = (
            Signed { negative: false, ..left.clone() },
            Signed { negative: false, ..right.clone() },
        );
        let (a, b) = self.as_wide(a, b);
        let (negative, name, a, b) = match (left.negative, right.negative) {
            (false, false) => (false, "add_scal_scal", a, b),
            (false, true) => (false, "sub_scal_scal", a, b),
            (true, false) => (false, "sub_scal_scal", b, a),
            (true, true) => (true, "add_scal_scal", a, b),
        };
        Signed { negative, value: Value::Node(binary(self.doc, name, a, b)) }
    }

    /// Both values as expressions, of which one is at least of the kind of the result: an operand may be of a
    /// smaller one, and `1/b` or `b - 1` would be rounded to that.
    fn as_wide(&mut self, a: Signed, b: Signed) -> (ExprId, ExprId) {
        let literal = self.literal;
        let is_number = |value: &Value| matches!(value, Value::Whole(_) | Value::Decimal(_));
        let numbers = (is_number(&a.value), is_number(&b.value));
        let (plain, other) = (a.clone(), b.clone());
        let (a, b) = (self.node_of(a), self.node_of(b));
        let base = |expr: ExprId| self.doc.exprs[expr].ty.base;
        match (is_narrower(promote(base(a), base(b)), literal), numbers) {
            (false, _) => (a, b),
            (true, (_, true)) => (a, self.typed(other, literal)),
            (true, (true, false)) => (self.typed(plain, literal), b),
            (true, (false, false)) => {
                let wide = match (base(a), literal) {
                    (Base::Complex(_), Base::Real(bytes)) => Base::Complex(bytes),
                    _ => literal,
                };
                (convert(self.doc, a, wide), b)
            }
        }
    }

    pub(super) fn product(&mut self, left: Signed, right: Signed) -> Signed {
        let negative = left.negative != right.negative;
        let value = match (left.value, right.value) {
            (Value::Whole(0), _) | (_, Value::Whole(0)) => return Value::Whole(0).into(),
            (Value::Whole(1), other) | (other, Value::Whole(1)) => other,
            (Value::Whole(a), Value::Whole(b)) if a.checked_mul(b).is_some() => Value::Whole(a * b),
            (a, b) => {
                let (a, b) = (self.node_of(a.into()), self.node_of(b.into()));
                Value::Node(multiply(self.doc, a, b))
            }
        };
        Signed { negative, value }
    }

    pub(super) fn quotient(&mut self, left: Signed, right: Signed) -> Signed {
        let negative = left.negative != right.negative;
        let value = match (left.value, right.value) {
            (Value::Whole(0), _) => return Value::Whole(0).into(),
            (other, Value::Whole(1)) => other,
            (a, b) => {
                let b = self.node_of(b.into());
                // A quotient of integers would be an integer.
                let a = match (a, self.doc.exprs[b].ty.base) {
                    (Value::Whole(number), Base::Integer(_)) => {
                        Value::Decimal(format!("{number}.0").into())
                    }
                    (a, _) => a,
                };
                let (mut a, b) = self.as_wide(a.into(), Signed::node(b));
                let base = |expr: ExprId| self.doc.exprs[expr].ty.base;
                if matches!((base(a), base(b)), (Base::Integer(_), Base::Integer(_))) {
                    a = convert(self.doc, a, self.literal);
                }
                Value::Node(binary(self.doc, Operator::Divide.xaif(), a, b))
            }
        };
        Signed { negative, value }
    }

    /// The conjugate of a complex number.
    pub(super) fn conjugate(&mut self, signed: Signed) -> Signed {
        match signed.value {
            Value::Node(expr) if matches!(self.doc.exprs[expr].ty.base, Base::Complex(_)) => {
                let ty = self.doc.exprs[expr].ty;
                let value = Value::Node(intrinsic(self.doc, "conjg", &[expr], ty));
                Signed { negative: signed.negative, value }
            }
            value => Signed { negative: signed.negative, value },
        }
    }

    fn power(&mut self, base: Signed, exponent: Signed) -> Signed {
        match exponent.value {
            Value::Whole(0) => return Value::Whole(1).into(),
            Value::Whole(1) if !exponent.negative => return base,
            Value::Node(node) if !exponent.negative && is_one(self.doc, node) => return base,
            _ => {}
        }
        let (base, exponent) = (self.node_of(base), self.node_of(exponent));
        Signed::node(binary(self.doc, Operator::Power.xaif(), base, exponent))
    }

    fn truth(&mut self, op: BoolOp, left: &Term, right: &Term) -> Signed {
        if let (Some(a), Some(b)) = (self.known(left), self.known(right)) {
            let truth = match op {
                BoolOp::LessThan => a < b,
                BoolOp::LessOrEqual => a <= b,
                BoolOp::GreaterThan => a > b,
                BoolOp::GreaterOrEqual => a >= b,
                BoolOp::Equal => a == b,
                BoolOp::NotEqual => a != b,
                BoolOp::And | BoolOp::Or | BoolOp::Not | BoolOp::Xor | BoolOp::Equivalent => false,
            };
            return Value::Truth(truth).into();
        }
        let (left, right) = (self.eval(left), self.eval(right));
        match (op, &left.value, &right.value) {
            (BoolOp::Or, Value::Truth(true), _) | (BoolOp::And, _, Value::Truth(true)) => {
                return left;
            }
            (BoolOp::Or, _, Value::Truth(true)) | (BoolOp::And, Value::Truth(true), _) => {
                return right;
            }
            (BoolOp::Or, Value::Truth(false), _) | (BoolOp::And, _, Value::Truth(false)) => {
                return right;
            }
            (BoolOp::Or, _, Value::Truth(false)) | (BoolOp::And, Value::Truth(false), _) => {
                return left;
            }
            _ => {}
        }
        let (left, right) = (self.node_of(left), self.node_of(right));
        Signed::node(boolean(self.doc, op, &[left, right]))
    }

    /// The value of a term that is known now.
    fn known(&self, term: &Term) -> Option<f64> {
        match term {
            Term::Whole(number) => Some(f64::from(*number)),
            Term::Decimal(text) => text.parse().ok(),
            Term::Operand(position) => {
                constant_value(self.doc, operand(&self.operands, *position)?)
            }
            Term::Function(row, args) => match (row.fortran, args.as_slice()) {
                ("abs", [arg]) => Some(self.known(arg)?.abs()),
                _ => None,
            },
            Term::Result
            | Term::Derivative
            | Term::Tiny
            | Term::Zero
            | Term::Absent
            | Term::AsResult(_)
            | Term::Imaginary(_)
            | Term::Vector(_)
            | Term::Or(_)
            | Term::Negative(_)
            | Term::Binary(..)
            | Term::Truth(..) => None,
        }
    }

    fn function(&mut self, row: &'static Intrinsic, args: &[Term]) -> Signed {
        if row.fortran == "merge"
            && let [one, other, mask] = args
        {
            let mask = self.eval(mask);
            if let Value::Truth(truth) = mask.value {
                return self.eval(if truth { one } else { other });
            }
            let values: Vec<Signed> = [one, other].map(|arg| self.eval(arg)).into();
            return Signed::node(self.call(row, values.into_iter().chain([mask]).collect()));
        }
        if let ("size" | "shape", Some(&Term::Operand(position))) = (row.fortran, args.first()) {
            return self.extent(row, position, args.get(1));
        }
        let mut args: Vec<Signed> = args.iter().map(|arg| self.eval(arg)).collect();
        let lacks = |(arg, dummy): (&Signed, &Dummy)| arg.value == Value::Absent && !dummy.optional;
        if args.iter().zip(&row.dummies).any(lacks) {
            return args.swap_remove(0);
        }
        if let (Some(&Signed { negative, value: Value::Node(expr) }), false) =
            (args.first(), args.len() > 1)
            && !matches!(self.doc.exprs[expr].ty.base, Base::Complex(_))
        {
            match row.fortran {
                "conjg" => return Signed { negative, value: Value::Node(expr) },
                "aimag" => return Value::Whole(0).into(),
                _ => {}
            }
        }
        if let ("abs", [Signed { value: Value::Whole(number), .. }]) =
            (row.fortran, args.as_slice())
        {
            return Value::Whole(*number).into();
        }
        Signed::node(self.call(row, args))
    }

    /// `size` or `shape` of an operand, by arrays whose value is not computed for it.
    fn extent(&mut self, row: &'static Intrinsic, position: u16, of: Option<&Term>) -> Signed {
        let Some(array) = operand(&self.operands, position) else { return Value::Absent.into() };
        if row.fortran == "shape" {
            return Signed::node(extent::shape(self.doc, array));
        }
        let of = of.map(|of| self.eval(of)).filter(|of| of.value != Value::Absent);
        Signed::node(match of {
            Some(of) => {
                let of = self.node_of(of);
                extent::extent_along(self.doc, array, of)
            }
            None => extent::size(self.doc, array),
        })
    }

    /// A reference to an intrinsic function; where its arguments are of one type, literals get it
    /// from the first that has one. Absent arguments are left out.
    fn call(&mut self, row: &'static Intrinsic, args: Vec<Signed>) -> ExprId {
        let like = args.iter().find_map(|arg| match arg.value {
            Value::Node(expr) => Some(self.doc.exprs[expr].ty.base),
            _ => None,
        });
        let like = like
            .filter(|base| !matches!(base, Base::Logical(_) | Base::Unknown))
            .unwrap_or(self.literal);
        let mut operands: SmallVec<[Operand; 2]> = SmallVec::new();
        let mut keyword = false;
        for (arg, position) in args.into_iter().zip(1..) {
            if arg.value == Value::Absent {
                keyword = true;
                continue;
            }
            let expr = if OF_ONE_TYPE.contains(&row.fortran) {
                self.typed(arg, like)
            } else {
                self.node_of(arg)
            };
            operands.push(Operand { position, keyword, expr });
        }
        if row.fortran == "transpose"
            && let [operand] = operands.as_slice()
            && let Some(transposed) = transposed(self.doc, operand.expr)
        {
            return transposed;
        }
        let ty = result_type(self.doc, row, &operands);
        let place = self.doc.exprs[self.node].place;
        let kind = ExprKind::Intrinsic { name: row.xaif.into(), spelling: None, operands };
        booster_build::node(self.doc, kind, ty, place)
    }

    /// `tiny(x)` of the type `base`, with a plain operand where there is one, else a literal.
    fn tiny(&mut self, base: Base) -> ExprId {
        let place = self.doc.exprs[self.node].place;
        let plain = self.operands.iter().map(|operand| operand.expr).find(|&expr| {
            let node = &self.doc.exprs[expr];
            node.ty == Ty::scalar(base)
                && matches!(node.kind, ExprKind::Ref(reference)
                    if self.doc.refs[reference].parts.is_empty())
        });
        let of = match plain {
            Some(expr) => Copier::new().expr(self.doc, expr),
            None => real(self.doc, "1", base, place),
        };
        let tiny = intrinsic(self.doc, "tiny", &[of], Ty::scalar(base));
        if self.root { intrinsic(self.doc, "sqrt_scal", &[tiny], Ty::scalar(base)) } else { tiny }
    }

    /// A decimal text with no more digits than the kind can hold.
    fn rounded(&self, text: &str) -> Box<str> {
        let digits = match self.literal {
            Base::Real(4) => 10,
            Base::Real(8) => 18,
            _ => 38,
        };
        let (mantissa, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
        let end = mantissa.char_indices().filter(|(_, c)| c.is_ascii_digit()).nth(digits);
        match end.and_then(|(end, _)| mantissa.get(..end)) {
            Some(shorter) => format!("{shorter}{exponent}").into(),
            None => text.into(),
        }
    }
}

/// The transpose of a transpose, and of a product with a transposed factor: `a` for `transpose(transpose(a))`,
/// `matmul(transpose(b), a)` for `transpose(matmul(transpose(a), b))`. `None` where TRANSPOSE says it as well.
fn transposed(doc: &mut Document, expr: ExprId) -> Option<ExprId> {
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[expr].kind else { return None };
    match (&**name, operands.as_slice()) {
        ("transpose_arr", [inner]) => Some(inner.expr),
        ("matmul", &[left, right]) => {
            let is_transpose = |of: ExprId| match &doc.exprs[of].kind {
                ExprKind::Intrinsic { name, .. } => &**name == "transpose_arr",
                _ => false,
            };
            let matrices = [left, right].iter().all(|one| doc.exprs[one.expr].ty.rank == 2);
            if !matrices || !(is_transpose(left.expr) || is_transpose(right.expr)) {
                return None;
            }
            let ty = doc.exprs[expr].ty;
            let [left, right] = [right, left].map(|factor| match transposed(doc, factor.expr) {
                Some(transposed) => transposed,
                None => {
                    let ty = doc.exprs[factor.expr].ty;
                    intrinsic(doc, "transpose_arr", &[factor.expr], ty)
                }
            });
            Some(intrinsic(doc, "matmul", &[left, right], ty))
        }
        _ => None,
    }
}

/// `expr`, which is real, times the imaginary unit.
fn imaginary(doc: &mut Document, expr: ExprId) -> ExprId {
    let ty = doc.exprs[expr].ty;
    let Base::Real(bytes) = ty.base else { return expr };
    let place = doc.exprs[expr].place;
    let mut operands: SmallVec<[Operand; 2]> = SmallVec::new();
    let none = real(doc, "0", ty.base, place);
    operands.push(Operand { position: 1, keyword: false, expr: none });
    operands.push(Operand { position: 2, keyword: false, expr });
    if bytes != 4 {
        let kind = integer(doc, i64::from(bytes), place);
        operands.push(Operand { position: 3, keyword: false, expr: kind });
    }
    let kind = ExprKind::Intrinsic { name: "complex_scal".into(), spelling: None, operands };
    booster_build::node(doc, kind, Ty { base: Base::Complex(bytes), rank: ty.rank }, place)
}

/// The operands at the positions of their dummy arguments: `sum(array, mask)` is allowed, too.
pub(super) fn placed(doc: &Document, name: &str, operands: &Operands) -> Operands {
    let mut operands = operands.clone();
    if matches!(name, "sum_arr" | "product" | "nc_maxval" | "nc_minval") {
        for operand in &mut operands {
            let logical = matches!(doc.exprs[operand.expr].ty.base, Base::Logical(_));
            if operand.position == 2 && logical {
                operand.position = 3;
            }
        }
    }
    operands
}

/// The type of real literals beside values of type `base`; double precision where nobody knows.
pub(super) fn literal_base(base: Base) -> Base {
    match base {
        Base::Real(0) | Base::Complex(0) => Base::Real(8),
        Base::Real(bytes) | Base::Complex(bytes) => Base::Real(bytes),
        _ => Base::Real(8),
    }
}

/// `left*right`; a product on the right is taken apart, so that no parentheses are needed. Not where
/// its first factors would be multiplied in a narrower type than before: `n*(3*x**2)`, since `n*3`
/// may overflow.
pub fn multiply(doc: &mut Document, left: ExprId, right: ExprId) -> ExprId {
    // The factors of the right-hand side, from right to left.
    let mut factors = Vec::new();
    let mut spine = right;
    while factors.len() < 16 {
        match &doc.exprs[spine].kind {
            ExprKind::Intrinsic { name, operands, .. }
                if &**name == "mul_scal_scal" && !doc.exprs[spine].parens =>
            {
                let [a, b] = operands.as_slice() else { break };
                factors.push(b.expr);
                spine = a.expr;
            }
            _ => break,
        }
    }
    let base = |expr: ExprId| doc.exprs[expr].ty.base;
    if promote(base(left), base(spine)) != promote(base(left), base(right)) {
        return binary(doc, "mul_scal_scal", left, right);
    }
    let first = binary(doc, "mul_scal_scal", left, spine);
    factors
        .into_iter()
        .rev()
        .fold(first, |product, factor| binary(doc, "mul_scal_scal", product, factor))
}

/// `expr` converted to the numeric type `base`, where it has another one.
pub fn convert(doc: &mut Document, expr: ExprId, base: Base) -> ExprId {
    let ty = doc.exprs[expr].ty;
    let (name, bytes) = match (ty.base, base) {
        (from, to) if from == to => return expr,
        (Base::Unknown, _) => return expr,
        (_, Base::Real(bytes)) => ("real_scal", bytes),
        (_, Base::Complex(bytes)) => ("complex_scal", bytes),
        _ => return expr,
    };
    let place = doc.exprs[expr].place;
    let mut operands: SmallVec<[Operand; 2]> = SmallVec::new();
    operands.push(Operand { position: 1, keyword: false, expr });
    if bytes != 4 || matches!(ty.base, Base::Complex(_)) {
        let kind = integer(doc, i64::from(bytes), place);
        let (position, keyword) = if name == "real_scal" { (2, false) } else { (3, true) };
        operands.push(Operand { position, keyword, expr: kind });
    }
    let kind = ExprKind::Intrinsic { name: name.into(), spelling: None, operands };
    booster_build::node(doc, kind, Ty { base, rank: ty.rank }, place)
}

fn is_one(doc: &Document, expr: ExprId) -> bool {
    matches!(doc.exprs[expr].kind, ExprKind::Constant(_)) && constant_value(doc, expr) == Some(1.0)
}

/// `literal + step` for a real literal without exponent and a small whole number, where that is the
/// same number: in single precision 0.94 is not 1.94 - 1; nor is -0.9 what 0.1 - 1d0 is, where the numbers
/// around are `wide`r than the literal.
fn shifted_literal(doc: &mut Document, literal: ExprId, step: i64, wide: Base) -> Option<Signed> {
    let node = &doc.exprs[literal];
    let ExprKind::Constant(constant) = &node.kind else { return None };
    if !matches!(constant.class, ConstantClass::Real | ConstantClass::Double) {
        return None;
    }
    let letter = constant.text.find(['e', 'E', 'd', 'D', 'q', 'Q']).unwrap_or(constant.text.len());
    let (mantissa, exponent) = constant.text.split_at(letter);
    if !matches!(exponent.get(1..), None | Some("" | "0" | "00" | "+0" | "+00")) {
        return None;
    }
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.len() + fraction.len() > 30 {
        return None;
    }
    let scale = 10_i128.pow(u32::try_from(fraction.len()).ok()?);
    let value: i128 = format!("{whole}{fraction}").parse().ok()?;
    let total = value.checked_add(i128::from(step).checked_mul(scale)?)?;
    let (negative, digits) = (total < 0, total.unsigned_abs());
    let (whole, rest) = (digits / scale.unsigned_abs(), digits % scale.unsigned_abs());
    let places = fraction.len();
    let fraction = if places == 0 { String::new() } else { format!("{rest:0places$}") };
    let text = format!("{whole}.{fraction}{exponent}");
    let sign = if negative { -1.0 } else { 1.0 };
    let is_single = node.ty.base == Base::Real(4);
    let number = |mantissa: &str| match is_single {
        true => mantissa.parse::<f32>().ok().map(f64::from),
        false => mantissa.parse::<f64>().ok(),
    };
    let (before, made) = (number(mantissa)?, number(&format!("{whole}.{fraction}"))? * sign);
    if is_narrower(node.ty.base, wide) {
        let (step, sum) = (step as f64, before + step as f64);
        // What is rounded in the sum would be seen.
        if sum != made || sum - step != before || sum - before != step {
            return None;
        }
    } else if is_single && before as f32 + step as f32 != made as f32 {
        return None;
    }
    let (constant, ty, place) =
        (Constant { text: text.into(), ..constant.clone() }, node.ty, node.place);
    let literal = booster_build::node(doc, ExprKind::Constant(constant), ty, place);
    Some(Signed { negative, value: Value::Node(literal) })
}

/// The type and rank of a reference to an intrinsic function with these arguments.
pub(super) fn result_type(doc: &Document, row: &Intrinsic, operands: &Operands) -> Ty {
    let at = |position: u8| {
        operand(operands, u16::from(position)).map_or(Ty::default(), |expr| doc.exprs[expr].ty)
    };
    let kind = row.position_of("kind").and_then(|index| {
        let expr = operand(operands, u16::try_from(index + 1).ok()?)?;
        constant_value(doc, expr).map(|bytes| bytes as u8)
    });
    let base = match row.result {
        ResultType::Like(position) => at(position).base,
        ResultType::RealOf(position) => match at(position).base {
            Base::Complex(bytes) => Base::Real(bytes),
            other => other,
        },
        ResultType::Promoted => promote(at(1).base, at(2).base),
        ResultType::RealKind => match (kind, at(1).base) {
            (Some(bytes), _) | (None, Base::Complex(bytes)) => Base::Real(bytes),
            _ => Base::Real(4),
        },
        ResultType::RealKindLike => kind.map_or(at(1).base, Base::Real),
        ResultType::ComplexKind => match (kind, at(1).base) {
            (Some(bytes), _) | (None, Base::Complex(bytes)) => Base::Complex(bytes),
            _ => Base::Complex(4),
        },
        ResultType::IntegerKind => Base::Integer(kind.unwrap_or(4)),
        ResultType::LogicalKind => Base::Logical(kind.unwrap_or(4)),
        ResultType::CharacterKind => Base::Character(kind.unwrap_or(1)),
        ResultType::Integer => Base::Integer(4),
        ResultType::IntegerOf(bytes) => Base::Integer(bytes),
        ResultType::Real => Base::Real(4),
        ResultType::Double => Base::Real(8),
        ResultType::Logical => Base::Logical(4),
        ResultType::Character => Base::Character(1),
        ResultType::None | ResultType::Unknown => Base::Unknown,
    };
    let has = |keyword: &str| {
        let position = row.position_of(keyword).and_then(|index| u16::try_from(index + 1).ok());
        position.is_some_and(|position| operand(operands, position).is_some())
    };
    let less = |rank: u8| rank.saturating_sub(1);
    let rank = match row.rank {
        ResultRank::Elemental => {
            let ranks = operands.iter().map(|operand| doc.exprs[operand.expr].ty.rank);
            ranks.max().unwrap_or(0)
        }
        ResultRank::Scalar => 0,
        ResultRank::Vector => 1,
        ResultRank::Like(position) => at(position).rank,
        ResultRank::OneMore => at(1).rank.saturating_add(1),
        ResultRank::Reduced if has("dim") => less(at(1).rank),
        ResultRank::ReducedOrVector if has("dim") => less(at(1).rank),
        ResultRank::VectorUnlessDim if has("dim") => 0,
        ResultRank::Reduced => 0,
        ResultRank::SizeOfSecond => operand(operands, 2).map_or(0, |shape| elements(doc, shape)),
        ResultRank::ReducedOrVector | ResultRank::VectorUnlessDim | ResultRank::Transfer => 1,
        ResultRank::Matmul => less(less(at(1).rank + at(2).rank)),
        ResultRank::Mold => at(1).rank,
    };
    Ty { base, rank }
}

/// The number of elements of an array of rank 1 that says a shape, as far as its form tells it.
fn elements(doc: &Document, shape: ExprId) -> u8 {
    match &doc.exprs[shape].kind {
        ExprKind::Intrinsic { name, operands, .. } if &**name == "shape_arr" => {
            operand(operands, 1).map_or(0, |of| doc.exprs[of].ty.rank)
        }
        ExprKind::ArrayConstructor { items, .. } => {
            let is_scalar = |item: &&ExprId| {
                let node = &doc.exprs[**item];
                node.ty.rank == 0 && !matches!(node.kind, ExprKind::ImpliedDo(_))
            };
            u8::try_from(items.iter().take_while(is_scalar).count()).unwrap_or(0)
        }
        ExprKind::Intrinsic { .. }
        | ExprKind::Constant(_)
        | ExprKind::Ref(_)
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => 0,
    }
}
