//! Expressions as the graphs that XAIF makes of them: the edges from operands to an operator.

use smallvec::SmallVec;

use crate::model::{ArgValue, ExprId, ExprKind};

/// The edge to one operand of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<'a> {
    /// Its number among the edges of the node, from 0.
    pub(super) number: u32,
    /// The operand.
    pub(super) operand: ExprId,
    /// XAIF's position.
    pub(super) position: u32,
    /// Whether the source names the dummy argument of an intrinsic.
    pub(super) named: bool,
    /// The keyword of an actual argument.
    pub(super) keyword: Option<&'a str>,
    /// For the control of an implied DO: `lower`, `upper` or `step`.
    pub(super) role: Option<&'static str>,
}

/// The edges to the operands of a node, in order. References hide their subscripts: these are
/// expressions of their own.
pub(super) fn operand_edges(kind: &ExprKind) -> SmallVec<[Edge<'_>; 2]> {
    let mut edges = SmallVec::new();
    let mut add = |operand, position, named, keyword, role| {
        let number = edges.len() as u32;
        edges.push(Edge { number, operand, position, named, keyword, role });
    };
    match kind {
        ExprKind::Constant(_) | ExprKind::Ref(_) | ExprKind::Procedure(_) | ExprKind::Opaque(_) => {
        }
        ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
            for operand in operands {
                add(operand.expr, u32::from(operand.position), operand.keyword, None, None);
            }
        }
        ExprKind::Call(call) => {
            for arg in &call.args {
                if let ArgValue::Expr(value) = arg.value {
                    add(value, arg.position, false, arg.keyword.as_deref(), None);
                }
            }
        }
        ExprKind::ArrayConstructor { items, .. } => {
            for (i, &item) in items.iter().enumerate() {
                add(item, i as u32 + 1, false, None, None);
            }
        }
        ExprKind::ImpliedDo(implied) => {
            for (i, &item) in implied.items.iter().enumerate() {
                add(item, i as u32 + 1, false, None, None);
            }
            add(implied.control.lower, 1, false, None, Some("lower"));
            add(implied.control.upper, 2, false, None, Some("upper"));
            if let Some(step) = implied.control.step {
                add(step, 3, false, None, Some("step"));
            }
        }
        ExprKind::StructureConstructor { args, .. } => {
            for arg in args {
                if let ArgValue::Expr(value) = arg.value {
                    add(value, arg.position, false, arg.keyword.as_deref(), None);
                }
            }
        }
    }
    edges
}

/// Which of `Index`, `Bound` and `Stride` the writer writes for a section. An empty element says
/// that the value is given by the context; without a bound or stride it would be an index.
pub(super) fn section_elements(
    lower: Option<ExprId>,
    upper: Option<ExprId>,
    stride: Option<ExprId>,
) -> [bool; 3] {
    [lower.is_some(), upper.is_some() || stride.is_none(), stride.is_some()]
}

/// The names of the other forms.
const SECTION_FORMS: [&str; 8] = ["", "s", "b", "bs", "i", "is", "ib", "ibs"];

/// The form in which just the elements `there` stand.
pub(super) fn section_form(there: [bool; 3]) -> &'static str {
    let number = there.iter().fold(0, |number, &there| number * 2 + usize::from(there));
    SECTION_FORMS[number]
}
