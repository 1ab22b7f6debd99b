//! Where a value changes by a jump, or has a kink: the comparisons of an expression, and intrinsics such as ABS and MAX.
//!
//! A derivative holds as long as no switch changes sides. A switch is told by operands whose difference, or whose
//! distance to a break, is zero there.

use xaif_schema::model::{Base, BoolOp, Document, ExprId, ExprKind, Operand, StmtId, StmtKind};

use booster_build::children_of;

/// A switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// Where two values are equal.
    Equal(ExprId, ExprId),
    /// Where a value is zero.
    Zero(ExprId),
    /// Where a value, or its quotient by another, is rounded to another integer.
    Break(ExprId, Option<ExprId>, Rounding),
    /// Where another element of an array is the largest, or the smallest.
    Extreme(ExprId, bool),
}

/// How a value is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Towards zero.
    Truncated,
    /// To the nearest integer.
    Nearest,
    /// Downwards or upwards: at each integer.
    Integers,
}

impl Switch {
    /// The values that it compares.
    pub fn operands(self) -> Vec<ExprId> {
        match self {
            Switch::Equal(left, right) => vec![left, right],
            Switch::Zero(value) | Switch::Extreme(value, _) => vec![value],
            Switch::Break(value, divisor, _) => {
                [Some(value), divisor].into_iter().flatten().collect()
            }
        }
    }

    /// Whether the result has the derivative of an operand: activity follows that by itself. Else it is a truth value or
    /// an integer.
    fn is_kink(doc: &Document, expr: ExprId) -> bool {
        matches!(doc.exprs[expr].ty.base, Base::Real(_) | Base::Complex(_))
    }
}

/// The switches of expressions. Those inside implied DO loops are not among them: they cannot be evaluated outside.
pub fn switches(doc: &Document, roots: &[ExprId]) -> Vec<Switch> {
    let mut found = Vec::new();
    walk(doc, roots, |expr| found.extend(switches_of(doc, expr)));
    found
}

/// The operands of switches whose results are no real numbers: derivatives do not flow through these.
pub fn compared(doc: &Document, roots: &[ExprId]) -> Vec<ExprId> {
    let mut found = Vec::new();
    walk(doc, roots, |expr| {
        // The sign of the second argument flows on, but no derivative of it.
        let of_sign = matches!(&doc.exprs[expr].kind,
            ExprKind::Intrinsic { name, .. } if **name == *"sign_scal_scal");
        if of_sign || !Switch::is_kink(doc, expr) {
            found.extend(switches_of(doc, expr).into_iter().flat_map(Switch::operands));
        }
    });
    found
}

/// Whether any switch stands in an implied DO loop of the expressions.
pub fn has_switch_in_implied_do(doc: &Document, roots: &[ExprId]) -> bool {
    let (mut stack, mut parts, mut inside) = (roots.to_vec(), Vec::new(), Vec::new());
    while let Some(expr) = stack.pop() {
        match &doc.exprs[expr].kind {
            ExprKind::ImpliedDo(implied) => inside.extend(&implied.items),
            _ => {
                children_of(doc, expr, &mut parts);
                stack.append(&mut parts);
            }
        }
    }
    booster_build::nodes_of(doc, inside).into_iter().any(|expr| !switches_of(doc, expr).is_empty())
}

/// The expressions of a statement, those of masks and of statements under them left out.
pub fn roots_of(doc: &Document, stmt: StmtId) -> Vec<ExprId> {
    match &doc.stmts[stmt].kind {
        StmtKind::Assign { lhs, rhs, .. } => {
            let mut roots = booster_build::subscripts_of(&doc.refs[*lhs]);
            roots.push(*rhs);
            roots
        }
        StmtKind::Call(call) => call
            .args
            .iter()
            .filter_map(|arg| match arg.value {
                xaif_schema::model::ArgValue::Expr(value) => Some(value),
                xaif_schema::model::ArgValue::AlternateReturn(_) => None,
            })
            .collect(),
        StmtKind::Where(construct) => construct.arms.iter().filter_map(|arm| arm.mask).collect(),
        StmtKind::PointerAssign { .. }
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => Vec::new(),
    }
}

fn walk(doc: &Document, roots: &[ExprId], mut visit: impl FnMut(ExprId)) {
    let (mut stack, mut parts) = (roots.to_vec(), Vec::new());
    stack.reverse();
    while let Some(expr) = stack.pop() {
        if matches!(doc.exprs[expr].kind, ExprKind::ImpliedDo(_)) {
            continue;
        }
        visit(expr);
        children_of(doc, expr, &mut parts);
        stack.extend(parts.drain(..).rev());
    }
}

fn is_real(doc: &Document, expr: ExprId) -> bool {
    matches!(doc.exprs[expr].ty.base, Base::Real(_))
}

/// The switches of one node.
fn switches_of(doc: &Document, expr: ExprId) -> Vec<Switch> {
    match &doc.exprs[expr].kind {
        ExprKind::Boolean { op, operands } => match (op, operands.as_slice()) {
            (
                BoolOp::LessThan
                | BoolOp::LessOrEqual
                | BoolOp::GreaterThan
                | BoolOp::GreaterOrEqual
                | BoolOp::Equal
                | BoolOp::NotEqual,
                [left, right],
            ) if is_real(doc, left.expr) || is_real(doc, right.expr) => {
                vec![Switch::Equal(left.expr, right.expr)]
            }
            (_, _) => Vec::new(),
        },
        ExprKind::Intrinsic { name, operands, .. } => of_intrinsic(doc, name, operands),
        ExprKind::Constant(_)
        | ExprKind::Ref(_)
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => Vec::new(),
    }
}

fn of_intrinsic(doc: &Document, name: &str, operands: &[Operand]) -> Vec<Switch> {
    let at =
        |position: u16| operands.iter().find(|one| one.position == position).map(|one| one.expr);
    let Some(first) = at(1).filter(|&first| is_real(doc, first)) else { return Vec::new() };
    let rounded = |rounding| vec![Switch::Break(first, None, rounding)];
    match name {
        "abs_scal" | "sqrt_scal" | "ln_scal" | "log10" => vec![Switch::Zero(first)],
        // The magnitude of the first argument has a kink of its own.
        "sign_scal_scal" => [Some(first), at(2)].into_iter().flatten().map(Switch::Zero).collect(),
        "dim" => at(2).map(|second| Switch::Equal(first, second)).into_iter().collect(),
        "nc_max_scal_scal" | "nc_min_scal_scal" => {
            let all: Vec<ExprId> = operands.iter().map(|operand| operand.expr).collect();
            let pairs = (0..all.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
            pairs.map(|(j, i)| Switch::Equal(all[j], all[i])).collect()
        }
        "int_scal" | "aint" => rounded(Rounding::Truncated),
        "nint_scal" | "anint" => rounded(Rounding::Nearest),
        "floor" | "ceiling" => rounded(Rounding::Integers),
        "mod_scal_scal" => vec![Switch::Break(first, at(2), Rounding::Truncated)],
        "modulo" => vec![Switch::Break(first, at(2), Rounding::Integers)],
        "nc_maxval" | "nc_minval" | "maxloc" | "minloc" if operands.len() == 1 => {
            vec![Switch::Extreme(first, matches!(name, "nc_maxval" | "maxloc"))]
        }
        _ => Vec::new(),
    }
}
