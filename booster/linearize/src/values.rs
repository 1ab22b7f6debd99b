//! Values of the original expression that a derivative needs: copies, or what the caller hoists.

use std::collections::HashMap;

use xaif_schema::intrinsics;
use xaif_schema::model::{Base, BoolOp, Document, ExprId, ExprKind};

use booster_build::{Copier, Named, named_constant};

/// Asks the caller whether the value of a costly part of the original expression stands in a
/// variable. The answer is a new expression that reads it; `None` is no.
pub type Hoist<'a> = &'a mut dyn FnMut(&mut Document, ExprId) -> Option<ExprId>;

/// Gives the values of parts of the original expression.
#[derive(Default)]
pub(super) struct Values<'a> {
    hoist: Option<Hoist<'a>>,
    /// What the caller has answered, and what stands in variables anyway.
    known: HashMap<ExprId, Option<ExprId>>,
    /// How often each value was asked for, where that is all that is wanted to be known.
    counted: Option<HashMap<ExprId, usize>>,
}

impl<'a> Values<'a> {
    pub(super) fn new(hoist: Option<Hoist<'a>>) -> Self {
        Values { hoist, ..Values::default() }
    }

    /// Values that are only counted: what is made of them is of no use.
    pub(super) fn counting() -> Self {
        Values { counted: Some(HashMap::new()), ..Values::default() }
    }

    /// How often each value was asked for.
    pub(super) fn counts(self) -> HashMap<ExprId, usize> {
        self.counted.unwrap_or_default()
    }

    /// From now on the value of `expr` is that of `variable`.
    pub(super) fn keep(&mut self, expr: ExprId, variable: ExprId) {
        self.known.insert(expr, Some(variable));
    }

    /// A new expression that has the value of `expr`.
    pub(super) fn of(&mut self, doc: &mut Document, expr: ExprId) -> ExprId {
        if let Some(counted) = &mut self.counted {
            *counted.entry(expr).or_default() += 1;
            return expr;
        }
        if let Some(hoist) = &mut self.hoist
            && is_costly(doc, expr)
            && !self.known.contains_key(&expr)
        {
            let answer = hoist(doc, expr);
            self.known.insert(expr, answer);
        }
        if let Some(Some(variable)) = self.known.get(&expr) {
            return Copier::new().expr(doc, *variable);
        }
        if self.hoist.is_some() || self.known.is_empty() {
            return Copier::new().expr(doc, expr);
        }
        self.inner(doc, expr)
    }

    /// A copy of `expr` that reads the variables of what is kept inside it.
    pub(super) fn inner(&mut self, doc: &mut Document, expr: ExprId) -> ExprId {
        let mut node = doc.exprs[expr].clone();
        match &mut node.kind {
            ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
                for operand in operands {
                    operand.expr = self.of(doc, operand.expr);
                }
            }
            ExprKind::Ref(_)
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Constant(_)
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => return Copier::new().expr(doc, expr),
        }
        doc.exprs.push(node)
    }
}

/// Whether it is worth a variable: it has a division, a power or a function that is more than a few
/// instructions.
pub(super) fn is_costly(doc: &Document, expr: ExprId) -> bool {
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        match &doc.exprs[expr].kind {
            ExprKind::Intrinsic { name, operands, .. } => {
                if costs(name) {
                    return true;
                }
                stack.extend(operands.iter().map(|operand| operand.expr));
            }
            ExprKind::Boolean { operands, .. } => {
                stack.extend(operands.iter().map(|operand| operand.expr));
            }
            ExprKind::Call(_) => return true,
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => {}
        }
    }
    false
}

/// Whether the operation with this XAIF name is a division, a power or a function of more than a few
/// instructions.
pub fn costs(name: &str) -> bool {
    if intrinsics::operator(name).is_some() {
        return matches!(name, "div_scal_scal" | "pow_scal_scal");
    }
    let cheap = matches!(
        name,
        "abs_scal"
            | "imag_scal"
            | "complex_scal"
            | "conjg"
            | "dim"
            | "dprod"
            | "nc_max_scal_scal"
            | "nc_min_scal_scal"
            | "merge"
            | "real_scal"
            | "sign_scal_scal"
            | "int_scal"
    );
    !cheap && !intrinsics::inquires(name)
}

/// How deep constants are looked into.
const DEEPEST: u32 = 16;

/// The value of a constant expression of literals and named constants; as a double, so for
/// comparisons only.
pub(super) fn constant_value(doc: &Document, expr: ExprId) -> Option<f64> {
    evaluate(doc, expr, DEEPEST)
}

fn evaluate(doc: &Document, expr: ExprId, depth: u32) -> Option<f64> {
    let depth = depth.checked_sub(1)?;
    let node = &doc.exprs[expr];
    if let ExprKind::Constant(constant) = &node.kind {
        return number(&constant.text);
    }
    if let ExprKind::Ref(reference) = node.kind {
        return match named_constant(doc, reference)? {
            Named::Whole(number) => Some(number as f64),
            Named::Init(init) => evaluate(doc, init, depth),
        };
    }
    let ExprKind::Intrinsic { name, operands, .. } = &node.kind else { return None };
    let real = node.ty.base.is_continuous();
    let at =
        |index: usize| operands.get(index).and_then(|operand| evaluate(doc, operand.expr, depth));
    match &**name {
        "minus_scal" => Some(-at(0)?),
        "plus_scal" => at(0),
        "add_scal_scal" => Some(at(0)? + at(1)?),
        "sub_scal_scal" => Some(at(0)? - at(1)?),
        "mul_scal_scal" => Some(at(0)? * at(1)?),
        "div_scal_scal" if real => Some(at(0)? / at(1)?),
        _ => None,
    }
}

/// The value of a logical constant expression.
pub(super) fn constant_logical(doc: &Document, expr: ExprId) -> Option<bool> {
    decide(doc, expr, DEEPEST)
}

fn decide(doc: &Document, expr: ExprId, depth: u32) -> Option<bool> {
    let depth = depth.checked_sub(1)?;
    match &doc.exprs[expr].kind {
        ExprKind::Constant(constant) => {
            let text = constant.text.to_ascii_lowercase();
            match text.split('_').next()? {
                ".true." => Some(true),
                ".false." => Some(false),
                _ => None,
            }
        }
        ExprKind::Ref(reference) => match named_constant(doc, *reference)? {
            Named::Whole(value) => Some(value != 0),
            Named::Init(init) => decide(doc, init, depth),
        },
        ExprKind::Boolean { op, operands } => {
            let at = |index: usize| operands.get(index).map(|operand| operand.expr);
            let truth = |index: usize| decide(doc, at(index)?, depth);
            // Of real numbers a compiler may think otherwise.
            let whole = |expr: &ExprId| matches!(doc.exprs[*expr].ty.base, Base::Integer(_));
            let number = |index: usize| evaluate(doc, at(index).filter(whole)?, depth);
            match op {
                BoolOp::LessThan => Some(number(0)? < number(1)?),
                BoolOp::LessOrEqual => Some(number(0)? <= number(1)?),
                BoolOp::GreaterThan => Some(number(0)? > number(1)?),
                BoolOp::GreaterOrEqual => Some(number(0)? >= number(1)?),
                BoolOp::Equal => Some(number(0)? == number(1)?),
                BoolOp::NotEqual => Some(number(0)? != number(1)?),
                BoolOp::And => Some(truth(0)? && truth(1)?),
                BoolOp::Or => Some(truth(0)? || truth(1)?),
                BoolOp::Not => Some(!truth(0)?),
                BoolOp::Xor => Some(truth(0)? != truth(1)?),
                BoolOp::Equivalent => Some(truth(0)? == truth(1)?),
            }
        }
        ExprKind::Intrinsic { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => None,
    }
}

/// The value of a literal's text.
fn number(text: &str) -> Option<f64> {
    text.to_lowercase().replace(['d', 'q'], "e").parse().ok()
}
