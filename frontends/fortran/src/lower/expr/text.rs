//! Syntax trees of expressions as text, in free form on one line.
//!
//! For what is carried opaquely and for messages. The parser keeps parentheses, so operators need
//! none of their own.

use std::fmt::Write as _;

use crate::syntax::ast::{
    Argument, ArgumentValue, ArrayItem, BinaryOp, Designator, Expr, ExprKind, KindParam, Literal,
    UnaryOp,
};

/// An expression as text.
pub(crate) fn expr(expr: &Expr) -> String {
    let mut out = String::new();
    write_expr(&mut out, expr);
    out
}

/// A designator as text.
pub(crate) fn designator(designator: &Designator) -> String {
    let mut out = String::new();
    write_designator(&mut out, designator);
    out
}

/// A parenthesised list as text.
pub(crate) fn arguments(list: &[Argument]) -> String {
    let mut out = String::new();
    write_arguments(&mut out, list);
    out
}

fn write_expr(out: &mut String, expr: &Expr) {
    // The left operands of a chain of operators by a loop: a chain may be long.
    let mut chain = Vec::new();
    let mut first = expr;
    while let ExprKind::Binary(op, left, right) = &first.kind {
        chain.push((op, right));
        first = left;
    }
    write_term(out, first);
    while let Some((op, right)) = chain.pop() {
        let _ = write!(out, " {} ", binary_operator(op));
        write_expr(out, right);
    }
}

fn write_term(out: &mut String, expr: &Expr) {
    match &expr.kind {
        ExprKind::Literal(literal) => write_literal(out, literal),
        ExprKind::Designator(designator) => write_designator(out, designator),
        ExprKind::Paren(inner) => {
            out.push('(');
            write_expr(out, inner);
            out.push(')');
        }
        ExprKind::Unary(op, operand) => {
            out.push_str(&unary_operator(op));
            write_expr(out, operand);
        }
        ExprKind::Binary(..) => write_expr(out, expr),
        ExprKind::Complex(re, im) => {
            out.push('(');
            write_expr(out, re);
            out.push_str(", ");
            write_expr(out, im);
            out.push(')');
        }
        ExprKind::Array(array) => {
            out.push('[');
            write_items(out, &array.items);
            out.push(']');
        }
        ExprKind::LiteralSubstring(literal, range) => {
            write_literal(out, literal);
            out.push('(');
            write_argument(out, range);
            out.push(')');
        }
    }
}

fn write_items(out: &mut String, items: &[ArrayItem]) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        match item {
            ArrayItem::Expr(value) => write_expr(out, value),
            ArrayItem::ImpliedDo(implied) => {
                out.push('(');
                write_items(out, &implied.items);
                let _ = write!(out, ", {} = ", implied.variable);
                write_expr(out, &implied.first);
                out.push_str(", ");
                write_expr(out, &implied.last);
                if let Some(step) = &implied.step {
                    out.push_str(", ");
                    write_expr(out, step);
                }
                out.push(')');
            }
        }
    }
}

fn write_designator(out: &mut String, designator: &Designator) {
    for (index, part) in designator.parts.iter().enumerate() {
        if index > 0 {
            out.push('%');
        }
        out.push_str(part.name.spelling());
        for list in &part.arguments {
            write_arguments(out, list);
        }
    }
}

fn write_arguments(out: &mut String, list: &[Argument]) {
    out.push('(');
    for (index, argument) in list.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write_argument(out, argument);
    }
    out.push(')');
}

fn write_argument(out: &mut String, argument: &Argument) {
    if let Some(keyword) = &argument.keyword {
        let _ = write!(out, "{keyword}=");
    }
    match &argument.value {
        ArgumentValue::Expr(value) => write_expr(out, value),
        ArgumentValue::Section { lower, upper, stride } => {
            if let Some(lower) = lower {
                write_expr(out, lower);
            }
            out.push(':');
            if let Some(upper) = upper {
                write_expr(out, upper);
            }
            if let Some(stride) = stride {
                out.push(':');
                write_expr(out, stride);
            }
        }
        ArgumentValue::Alternate(label) => {
            let _ = write!(out, "*{label}");
        }
        ArgumentValue::Star => out.push('*'),
        ArgumentValue::Percent(name, value) => {
            let _ = write!(out, "%{name}(");
            write_expr(out, value);
            out.push(')');
        }
    }
}

fn write_literal(out: &mut String, literal: &Literal) {
    let suffix = |kind: &Option<KindParam>| match kind {
        None => String::new(),
        Some(KindParam::Digits(digits)) => format!("_{digits}"),
        Some(KindParam::Name(name)) => format!("_{name}"),
    };
    let _ = match literal {
        Literal::Integer { digits, kind } => write!(out, "{digits}{}", suffix(kind)),
        Literal::Real { text, kind } => write!(out, "{text}{}", suffix(kind)),
        Literal::Logical { value, kind } => write!(out, ".{value}.{}", suffix(kind)),
        Literal::Character { kind, quoted } => match kind {
            None => write!(out, "{quoted}"),
            Some(KindParam::Digits(digits)) => write!(out, "{digits}_{quoted}"),
            Some(KindParam::Name(name)) => write!(out, "{name}_{quoted}"),
        },
        Literal::Boz(text) => write!(out, "{text}"),
        Literal::Hollerith(text) => write!(out, "{}h{text}", text.chars().count()),
    };
}

fn unary_operator(op: &UnaryOp) -> String {
    match op {
        UnaryOp::Plus => "+".to_owned(),
        UnaryOp::Minus => "-".to_owned(),
        UnaryOp::Not => ".not. ".to_owned(),
        UnaryOp::Defined(name) => format!(".{name}. "),
    }
}

/// A binary operator as the source could have it, lower case.
pub(super) fn binary_operator(op: &BinaryOp) -> String {
    let symbol = match op {
        BinaryOp::Power => "**",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Concat => "//",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "/=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::And => ".and.",
        BinaryOp::Or => ".or.",
        BinaryOp::Eqv => ".eqv.",
        BinaryOp::Neqv => ".neqv.",
        BinaryOp::Defined(name) => return format!(".{}.", name.key()),
    };
    symbol.to_owned()
}
