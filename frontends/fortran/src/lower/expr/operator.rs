//! Operators: numeric promotion, comparisons, and operators that the program defines.

use xaif_schema::diag::Code;
use xaif_schema::model::{Base, BoolOp, Callee, ExprId, ExprKind, Role, ScopeId, Ty};

use super::text::binary_operator;
use super::{Actual, positional};
use crate::lower::Lowering;
use crate::syntax::ast::{self, BinaryOp, UnaryOp};

impl Lowering<'_> {
    /// `op operand`
    pub(super) fn unary(
        &mut self,
        scope: ScopeId,
        op: &UnaryOp,
        operand: ExprId,
        place: ast::Place,
    ) -> ExprId {
        let ty = self.ty(operand);
        let symbol = match op {
            UnaryOp::Plus => "+".to_owned(),
            UnaryOp::Minus => "-".to_owned(),
            UnaryOp::Not => ".not.".to_owned(),
            UnaryOp::Defined(name) => format!(".{}.", name.key()),
        };
        let intrinsic = match op {
            UnaryOp::Plus | UnaryOp::Minus => is_numeric(ty.base),
            UnaryOp::Not => matches!(ty.base, Base::Logical(_) | Base::Integer(_)),
            UnaryOp::Defined(_) => false,
        };
        if !intrinsic {
            let operands = [(operand, place)];
            if let Some(call) = self.defined_operation(scope, &symbol, &operands, place) {
                return call;
            }
            if !is_unknown(ty.base) || matches!(op, UnaryOp::Defined(_)) {
                return self.misfit(&symbol, &[operand], place);
            }
        }
        match op {
            UnaryOp::Plus => self.operation("plus_scal", &[operand], ty, place),
            UnaryOp::Minus => self.operation("minus_scal", &[operand], ty, place),
            UnaryOp::Not => self.boolean(BoolOp::Not, &[operand], ty, place),
            UnaryOp::Defined(_) => self.misfit(&symbol, &[operand], place),
        }
    }

    /// `left op right`
    pub(super) fn binary(
        &mut self,
        scope: ScopeId,
        op: &BinaryOp,
        left: ExprId,
        right: ExprId,
        place: ast::Place,
    ) -> ExprId {
        let (a, b) = (self.ty(left), self.ty(right));
        if !fits(op, a.base, b.base) || (a.rank != b.rank && a.rank > 0 && b.rank > 0) {
            let symbol = binary_operator(op);
            let operands = [(left, place), (right, place)];
            if let Some(call) = self.defined_operation(scope, &symbol, &operands, place) {
                return call;
            }
            let unknown = is_unknown(a.base) || is_unknown(b.base);
            if !unknown || matches!(op, BinaryOp::Defined(_)) {
                return self.misfit(&symbol, &[left, right], place);
            }
        }
        self.intrinsic_binary(op, left, right, place)
    }

    fn intrinsic_binary(
        &mut self,
        op: &BinaryOp,
        left: ExprId,
        right: ExprId,
        place: ast::Place,
    ) -> ExprId {
        let (a, b) = (self.ty(left), self.ty(right));
        let operands = [left, right];
        let rank = a.rank.max(b.rank);
        let strings = matches!(a.base, Base::Character(_)) || matches!(b.base, Base::Character(_));
        let promoted = Ty { base: promote(a.base, b.base), rank };
        let logical = Ty { base: Base::Logical(4), rank };
        let compare = |low: &mut Self, bool_op, string_op| {
            if strings {
                low.operation(string_op, &operands, logical, place)
            } else {
                low.boolean(bool_op, &operands, logical, place)
            }
        };
        match op {
            BinaryOp::Power => {
                let base = power(a.base, b.base);
                self.operation("pow_scal_scal", &operands, Ty { base, rank }, place)
            }
            BinaryOp::Multiply => self.operation("mul_scal_scal", &operands, promoted, place),
            BinaryOp::Divide => self.operation("div_scal_scal", &operands, promoted, place),
            BinaryOp::Add => self.operation("add_scal_scal", &operands, promoted, place),
            BinaryOp::Subtract => self.operation("sub_scal_scal", &operands, promoted, place),
            BinaryOp::Concat => {
                let ty = if matches!(a.base, Base::Character(_)) { a } else { b };
                self.operation("string_concat", &operands, ty.with_rank(rank), place)
            }
            BinaryOp::Eq => compare(self, BoolOp::Equal, "string_eq_scal_scal"),
            BinaryOp::Ne => compare(self, BoolOp::NotEqual, "string_ne_scal_scal"),
            BinaryOp::Lt => compare(self, BoolOp::LessThan, "string_lt_scal_scal"),
            BinaryOp::Le => compare(self, BoolOp::LessOrEqual, "string_le_scal_scal"),
            BinaryOp::Gt => compare(self, BoolOp::GreaterThan, "string_gt_scal_scal"),
            BinaryOp::Ge => compare(self, BoolOp::GreaterOrEqual, "string_ge_scal_scal"),
            BinaryOp::And => self.boolean(BoolOp::And, &operands, promoted, place),
            BinaryOp::Or => self.boolean(BoolOp::Or, &operands, promoted, place),
            BinaryOp::Eqv => self.boolean(BoolOp::Equivalent, &operands, promoted, place),
            BinaryOp::Neqv => self.boolean(BoolOp::Xor, &operands, promoted, place),
            BinaryOp::Defined(name) => {
                let symbol = format!(".{}.", name.key());
                self.misfit(&symbol, &operands, place)
            }
        }
    }

    fn boolean(&mut self, op: BoolOp, operands: &[ExprId], ty: Ty, place: ast::Place) -> ExprId {
        let operands = positional(operands);
        self.node(ExprKind::Boolean { op, operands }, ty, place)
    }

    /// The call of a function that defines `symbol` for these operands, where there is one.
    fn defined_operation(
        &mut self,
        scope: ScopeId,
        symbol: &str,
        operands: &[(ExprId, ast::Place)],
        place: ast::Place,
    ) -> Option<ExprId> {
        let key = format!("operator({symbol})");
        let actuals: Vec<Actual> =
            operands.iter().map(|&(expr, place)| Actual::positional(expr, place)).collect();
        let callee = match self.defined_procedure(scope, &key, &actuals) {
            Some(callee) => callee,
            None => self.missing_operator(scope, &key, place)?,
        };
        Some(self.function_call(callee, actuals, place))
    }

    /// An operator `.name.` that a module which was not given may define: what it calls, nobody
    /// knows.
    fn missing_operator(&mut self, scope: ScopeId, key: &str, place: ast::Place) -> Option<Callee> {
        let named = key.starts_with("operator(.");
        if self.lookup(scope, key).is_none() && !(named && self.missing_module(scope).is_some()) {
            return None;
        }
        let symbol = self.lookup_or_declare(scope, &ast::Name::new(key, place));
        let unresolved = matches!(self.doc.role(symbol), Some(Role::Unresolved { .. }));
        unresolved.then_some(Callee { symbol, generic: Some(symbol), object: None })
    }

    /// Reports that an operator does not fit its operands.
    fn misfit(&mut self, symbol: &str, operands: &[ExprId], place: ast::Place) -> ExprId {
        let types: Vec<String> =
            operands.iter().map(|&operand| self.describe(self.ty(operand))).collect();
        self.error(
            Code::OPERAND_TYPES,
            place,
            format!("the operator {symbol} is not defined for {}", types.join(" and ")),
            "convert an operand, or make an interface for the operator visible here",
        );
        self.nonsense(symbol.to_owned(), place)
    }

    /// A type for messages.
    pub(crate) fn describe(&self, ty: Ty) -> String {
        let base = match ty.base {
            Base::Unknown => "unknown".to_owned(),
            Base::Void => "no value".to_owned(),
            Base::Integer(kind) => format!("integer({kind})"),
            Base::Unsigned(kind) => format!("unsigned({kind})"),
            Base::Real(kind) => format!("real({kind})"),
            Base::Complex(kind) => format!("complex({kind})"),
            Base::Logical(kind) => format!("logical({kind})"),
            Base::Character(_) => "character".to_owned(),
            Base::Derived(symbol) => format!("type({})", self.doc.name(symbol)),
            Base::Class(symbol) => format!("class({})", self.doc.name(symbol)),
            Base::ClassStar => "class(*)".to_owned(),
            Base::TypeStar => "type(*)".to_owned(),
            Base::Procedure => "a procedure".to_owned(),
            Base::Pointer(_) => "a pointer".to_owned(),
        };
        if ty.rank > 0 { format!("{base} of rank {}", ty.rank) } else { base }
    }
}

fn is_numeric(base: Base) -> bool {
    matches!(base, Base::Integer(_) | Base::Real(_) | Base::Complex(_) | Base::Unsigned(_))
}

/// Whether the type (or, kind 0, its kind) is not known, so that anything may be meant.
pub(crate) fn is_unknown(base: Base) -> bool {
    matches!(
        base,
        Base::Unknown
            | Base::Void
            | Base::Integer(0)
            | Base::Real(0)
            | Base::Complex(0)
            | Base::Logical(0)
            | Base::Character(0)
    )
}

/// Whether the language itself defines the operation for these types.
fn fits(op: &BinaryOp, a: Base, b: Base) -> bool {
    let numeric = is_numeric(a) && is_numeric(b);
    let strings = matches!((a, b), (Base::Character(_), Base::Character(_)));
    let logicals = matches!((a, b), (Base::Logical(_), Base::Logical(_)));
    // gfortran takes integers and logicals for each other, with -std=legacy.
    let legacy = matches!((a, b), (Base::Integer(_), Base::Integer(_)))
        || matches!((a, b), (Base::Integer(_), Base::Logical(_)))
        || matches!((a, b), (Base::Logical(_), Base::Integer(_)));
    match op {
        BinaryOp::Power
        | BinaryOp::Multiply
        | BinaryOp::Divide
        | BinaryOp::Add
        | BinaryOp::Subtract => numeric,
        BinaryOp::Concat => strings,
        BinaryOp::Eq | BinaryOp::Ne => numeric || strings || legacy,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => numeric || strings,
        BinaryOp::And | BinaryOp::Or | BinaryOp::Eqv | BinaryOp::Neqv => logicals || legacy,
        BinaryOp::Defined(_) => false,
    }
}

/// The type of an operation on two numbers (or two truth values).
pub(super) fn promote(a: Base, b: Base) -> Base {
    match (a, b) {
        (Base::Integer(x), Base::Integer(y)) => Base::Integer(larger(x, y)),
        (Base::Real(x), Base::Real(y)) => Base::Real(larger(x, y)),
        (Base::Complex(x), Base::Complex(y) | Base::Real(y))
        | (Base::Real(y), Base::Complex(x)) => Base::Complex(larger(x, y)),
        (Base::Real(x), Base::Integer(_)) | (Base::Integer(_), Base::Real(x)) => Base::Real(x),
        (Base::Complex(x), Base::Integer(_)) | (Base::Integer(_), Base::Complex(x)) => {
            Base::Complex(x)
        }
        (Base::Logical(x), Base::Logical(y)) => Base::Logical(larger(x, y)),
        (Base::Logical(x), Base::Integer(_)) | (Base::Integer(_), Base::Logical(x)) => {
            Base::Logical(x)
        }
        _ => Base::Unknown,
    }
}

/// The larger kind; 0, not known, if one of them is not known.
fn larger(x: u8, y: u8) -> u8 {
    if x == 0 || y == 0 { 0 } else { x.max(y) }
}

/// The type of a power: an integer exponent leaves the type of the base.
fn power(a: Base, b: Base) -> Base {
    match (a, b) {
        (Base::Integer(x), Base::Integer(y)) => Base::Integer(larger(x, y)),
        (_, Base::Integer(_)) => a,
        _ => promote(a, b),
    }
}
