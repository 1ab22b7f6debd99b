//! Expressions and references: every node gets its type, every name its symbol.
//!
//! - `mod.rs`: the walk over the tree, literals;
//! - `designator.rs`: what a name with lists behind it is: variable, function, constructor;
//! - `reference.rs`: references to variables and their parts;
//! - `operator.rs`: operators, intrinsic and defined;
//! - `intrinsic.rs`: intrinsic functions; `call.rs`: all others;
//! - `array.rs`: array and structure constructors, implied DO;
//! - `fold.rs`: values of constant expressions; `copy.rs`: a second copy of an expression;
//! - `text.rs`: syntax trees as text, for what is carried opaquely.
//!
//! Nothing here fails: what makes no sense is reported and becomes an opaque node. The tree is
//! walked recursively; its height is bounded but for chains of binary operators, whose left
//! operands are therefore walked by a loop.

mod array;
mod call;
mod copy;
mod designator;
mod fold;
mod intrinsic;
mod operator;
mod reference;
mod text;

use xaif_schema::diag::Code;
use xaif_schema::model::{
    Base, Constant, ConstantClass, ConstantKind, Expr, ExprId, ExprKind, Operand, ScopeId, Ty,
};

use super::Lowering;
use crate::syntax::ast;

pub(crate) use array::IndexScope;
pub(crate) use call::Actual;
pub(crate) use operator::is_unknown;
pub(crate) use reference::Walk;
pub(crate) use text::{
    arguments as text_of_arguments, designator as text_of_designator, expr as text_of_expr,
};

impl<'a> Lowering<'a> {
    /// Lowers an expression.
    pub(crate) fn expr(&mut self, scope: ScopeId, expr: &ast::Expr) -> ExprId {
        let mut chain = Vec::new();
        let mut first = expr;
        while let ast::ExprKind::Binary(op, left, right) = &first.kind {
            chain.push((op, right, first.place));
            first = left;
        }
        let mut value = self.term(scope, first);
        while let Some((op, right, place)) = chain.pop() {
            let right = self.expr(scope, right);
            value = self.binary(scope, op, value, right, place);
        }
        value
    }

    /// Lowers an expression that is no binary operation.
    fn term(&mut self, scope: ScopeId, expr: &ast::Expr) -> ExprId {
        match &expr.kind {
            ast::ExprKind::Literal(literal) => self.literal(scope, literal, expr.place),
            ast::ExprKind::Designator(designator) => self.designator(scope, designator),
            ast::ExprKind::Paren(inner) => {
                let value = self.expr(scope, inner);
                self.doc.exprs[value].parens = true;
                value
            }
            ast::ExprKind::Unary(op, operand) => {
                let operand = self.expr(scope, operand);
                self.unary(scope, op, operand, expr.place)
            }
            ast::ExprKind::Binary(..) => self.expr(scope, expr),
            ast::ExprKind::Complex(re, im) => {
                let re = self.expr(scope, re);
                let im = self.expr(scope, im);
                let ty = Ty::scalar(Base::Complex(self.complex_kind(re, im)));
                self.operation("complex_literal", &[re, im], ty, expr.place)
            }
            ast::ExprKind::Array(array) => self.array_constructor(scope, array, expr.place),
            ast::ExprKind::LiteralSubstring(..) => {
                // `'abc'(i:i)`: the model's references begin with a symbol.
                self.carried_expr(expr, Ty::scalar(Base::Character(1)))
            }
        }
    }

    /// Adds a node.
    pub(crate) fn node(&mut self, kind: ExprKind, ty: Ty, place: ast::Place) -> ExprId {
        let place = self.place(place);
        self.doc.exprs.push(Expr { kind, ty, place, parens: false })
    }

    /// Adds an operation on `operands`, whose positions are 1, 2, ….
    pub(crate) fn operation(
        &mut self,
        name: &str,
        operands: &[ExprId],
        ty: Ty,
        place: ast::Place,
    ) -> ExprId {
        let operands = positional(operands);
        self.node(ExprKind::Intrinsic { name: name.into(), spelling: None, operands }, ty, place)
    }

    /// The type of a lowered expression.
    pub(crate) fn ty(&self, expr: ExprId) -> Ty {
        self.doc.exprs[expr].ty
    }

    /// Adds an opaque node for an expression that was reported as nonsense.
    pub(crate) fn nonsense(&mut self, text: String, place: ast::Place) -> ExprId {
        self.node(ExprKind::Opaque(text.into()), Ty::default(), place)
    }

    /// Carries an expression as its text, with a warning.
    fn carried_expr(&mut self, expr: &ast::Expr, ty: Ty) -> ExprId {
        let text = text::expr(expr);
        self.warn(
            Code::CARRIED_EXPRESSION,
            expr.place,
            format!("the expression `{text}` is carried without being understood"),
            "it is taken to read everything that is visible here; assign it to a variable first",
        );
        self.node(ExprKind::Opaque(text.into()), ty, expr.place)
    }

    /// The kind of a complex literal: the larger of its parts that are real.
    fn complex_kind(&self, re: ExprId, im: ExprId) -> u8 {
        let kind = |part| match self.ty(part).base {
            Base::Real(kind) => kind,
            _ => 0,
        };
        match kind(re).max(kind(im)) {
            0 => 4,
            kind => kind,
        }
    }

    fn literal(&mut self, scope: ScopeId, literal: &ast::Literal, place: ast::Place) -> ExprId {
        let (class, base, text, kind): (_, _, Box<str>, _) = match literal {
            ast::Literal::Integer { digits, kind } => {
                let (kind, bytes) = self.literal_kind(scope, kind.as_ref(), 4);
                (ConstantClass::Integer, Base::Integer(bytes), digits.clone(), kind)
            }
            ast::Literal::Real { text, kind } => {
                let (kind, bytes) = self.literal_kind(scope, kind.as_ref(), exponent_kind(text));
                let class = if bytes == 8 { ConstantClass::Double } else { ConstantClass::Real };
                (class, Base::Real(bytes), text.clone(), kind)
            }
            ast::Literal::Logical { value, kind } => {
                let (kind, bytes) = self.literal_kind(scope, kind.as_ref(), 4);
                let text = if *value { ".true." } else { ".false." };
                (ConstantClass::Bool, Base::Logical(bytes), text.into(), kind)
            }
            ast::Literal::Character { kind, quoted } => {
                let (kind, bytes) = self.literal_kind(scope, kind.as_ref(), 1);
                (ConstantClass::String, Base::Character(bytes), quoted.clone(), kind)
            }
            ast::Literal::Boz(text) => {
                (ConstantClass::Boz, Base::Unknown, text.clone(), ConstantKind::None)
            }
            ast::Literal::Hollerith(text) => {
                let text = format!("{}h{text}", text.chars().count()).into();
                (ConstantClass::Hollerith, Base::Unknown, text, ConstantKind::None)
            }
        };
        let constant = Constant { class, fe_type: None, text, kind };
        self.node(ExprKind::Constant(constant), Ty::scalar(base), place)
    }

    /// The kind suffix of a literal, and the kind in bytes.
    fn literal_kind(
        &mut self,
        scope: ScopeId,
        kind: Option<&ast::KindParam>,
        default: u8,
    ) -> (ConstantKind, u8) {
        match kind {
            None => (ConstantKind::None, default),
            Some(ast::KindParam::Digits(digits)) => {
                let number: u16 = digits.parse().unwrap_or(0);
                (ConstantKind::Number(number), u8::try_from(number).unwrap_or(default))
            }
            Some(ast::KindParam::Name(name)) => {
                let symbol = self.lookup_or_declare(scope, name);
                let value = self.constant_value(symbol);
                let bytes = value.and_then(|value| u8::try_from(value).ok());
                (ConstantKind::Named(symbol), bytes.unwrap_or(0))
            }
        }
    }
}

/// Operands with the positions 1, 2, ….
pub(crate) fn positional(operands: &[ExprId]) -> xaif_schema::model::Operands {
    let numbered = (1u16..).zip(operands);
    numbered.map(|(position, &expr)| Operand { position, keyword: false, expr }).collect()
}

/// The kind that the exponent letter of a real literal gives.
fn exponent_kind(text: &str) -> u8 {
    if text.contains(['d', 'D']) {
        8
    } else if text.contains(['q', 'Q']) {
        16
    } else {
        4
    }
}
