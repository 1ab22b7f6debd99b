//! Tests of the parser: each shows one property on the smallest source.

mod blocks;
mod expressions;
mod forms;
mod messages;
mod statements;

use super::ast::*;
use super::{Parsed, parse_text};
use crate::source::Options;

/// Parses `text` as free form.
fn free(text: &str) -> Parsed {
    parse_text("t.f90", text, &Options::default())
}

/// Parses `text` as fixed form.
fn fixed(text: &str) -> Parsed {
    parse_text("t.f", text, &Options::default())
}

/// The first lines of all messages.
fn messages(parsed: &Parsed) -> Vec<String> {
    parsed.diagnostics.iter().map(ToString::to_string).collect()
}

/// The executable statements of the first unit; nothing may be wrong.
fn statements(parsed: &Parsed) -> Vec<&Stmt> {
    assert!(parsed.diagnostics.is_empty(), "{:?}", messages(parsed));
    let unit = parsed.file.units().next().expect("a unit");
    in_block(&unit.exec)
}

fn in_block(block: &Block) -> Vec<&Stmt> {
    let stmts = block.iter().filter_map(|item| match item {
        ExecItem::Stmt(stmt) => Some(stmt.as_ref()),
        ExecItem::Trivia(_) => None,
    });
    stmts.collect()
}

/// The specification statements of the first unit; nothing may be wrong.
fn specs(parsed: &Parsed) -> Vec<&SpecKind> {
    assert!(parsed.diagnostics.is_empty(), "{:?}", messages(parsed));
    let unit = parsed.file.units().next().expect("a unit");
    let stmts = unit.spec.iter().filter_map(|item| match item {
        SpecItem::Stmt(stmt) => Some(&stmt.kind),
        SpecItem::Trivia(_) => None,
    });
    stmts.collect()
}

/// An expression with all its groups in brackets.
fn shown(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Literal(literal) => literal_text(literal),
        ExprKind::Designator(designator) => designator_text(designator),
        ExprKind::Paren(inner) => format!("({})", shown(inner)),
        ExprKind::Unary(op, operand) => format!("{{{op:?} {}}}", shown(operand)),
        ExprKind::Binary(op, left, right) => {
            format!("{{{} {op:?} {}}}", shown(left), shown(right))
        }
        ExprKind::Complex(re, im) => format!("({},{})", shown(re), shown(im)),
        ExprKind::Array(array) => format!("[{} items]", array.items.len()),
        ExprKind::LiteralSubstring(literal, _) => format!("{}(:)", literal_text(literal)),
    }
}

fn literal_text(literal: &Literal) -> String {
    match literal {
        Literal::Integer { digits: text, .. } | Literal::Real { text, .. } => text.to_string(),
        Literal::Logical { value, .. } => value.to_string(),
        Literal::Character { quoted, .. } => quoted.to_string(),
        Literal::Boz(text) => text.to_string(),
        Literal::Hollerith(text) => format!("{}H{text}", text.chars().count()),
    }
}

fn designator_text(designator: &Designator) -> String {
    let parts = designator.parts.iter().map(|part| {
        let lists = part.arguments.iter().map(|list| {
            let list: Vec<_> = list.iter().map(argument_text).collect();
            format!("({})", list.join(","))
        });
        format!("{}{}", part.name, lists.collect::<String>())
    });
    parts.collect::<Vec<_>>().join("%")
}

fn argument_text(argument: &Argument) -> String {
    let keyword = argument.keyword.as_ref().map(|name| format!("{name}=")).unwrap_or_default();
    let bound = |bound: &Option<Box<Expr>>| bound.as_deref().map(shown).unwrap_or_default();
    keyword
        + &match &argument.value {
            ArgumentValue::Expr(expr) => shown(expr),
            ArgumentValue::Section { lower, upper, stride: None } => {
                format!("{}:{}", bound(lower), bound(upper))
            }
            ArgumentValue::Section { lower, upper, stride } => {
                format!("{}:{}:{}", bound(lower), bound(upper), bound(stride))
            }
            ArgumentValue::Alternate(label) => format!("*{label}"),
            ArgumentValue::Star => "*".to_owned(),
            ArgumentValue::Percent(name, inner) => format!("%{name}({})", shown(inner)),
        }
}

/// The value of the only assignment of `text`, written as a statement of a free-form program.
fn value(text: &str) -> String {
    let parsed = free(&format!("x = {text}\nend\n"));
    match statements(&parsed).as_slice() {
        [Stmt { kind: StmtKind::Assign { value, .. }, .. }] => shown(value),
        other => panic!("{other:?}"),
    }
}
