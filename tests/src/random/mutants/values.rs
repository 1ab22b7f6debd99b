//! Changes of what is computed: operators, functions, operands, constants, whole statements.

use xaif_booster::build::{Copier, binary, integer, intrinsic, real, value_of};
use xaif_schema::model::{
    Base, BoolOp, ConstantClass, Document, ExprId, ExprKind, Operand, StmtId, StmtKind,
};

use super::Mutation;
use super::draft::{Draft, Run, Site, is_real};

pub(super) const MUTATIONS: &[Mutation] = &[
    Mutation { name: "another operator", apply: operator },
    Mutation { name: "another function", apply: function },
    Mutation { name: "a function of an operand", apply: applied },
    Mutation { name: "another operand", apply: operand },
    Mutation { name: "an operand by a constant", apply: constant_operand },
    Mutation { name: "another constant", apply: constant },
    Mutation { name: "another comparison", apply: comparison },
    Mutation { name: "the old value added", apply: with_old_value },
    Mutation { name: "a further factor", apply: factor },
    Mutation { name: "a square", apply: square },
    Mutation { name: "a power", apply: power },
    Mutation { name: "a statement twice", apply: twice },
    Mutation { name: "a statement less", apply: dropped },
    Mutation { name: "statements exchanged", apply: exchanged },
    Mutation { name: "parentheses", apply: parentheses },
];

const OPERATORS: &[&str] = &["add_scal_scal", "sub_scal_scal", "mul_scal_scal"];
const FUNCTIONS: &[&str] =
    &["sin_scal", "cos_scal", "exp_scal", "tanh_scal", "atan_scal", "abs", "asinh"];

fn is_operation(doc: &Document, expr: ExprId, names: &[&str]) -> bool {
    match &doc.exprs[expr].kind {
        ExprKind::Intrinsic { name, .. } => {
            names.contains(&&**name) && is_real(doc.exprs[expr].ty.base)
        }
        _ => false,
    }
}

fn rename(draft: &mut Draft<'_>, names: &[&str]) -> Option<()> {
    let nodes = draft.nodes(|doc, node| is_operation(doc, node, names));
    let (_, chosen) = draft.one(&nodes)?;
    let new = draft.one(names)?;
    match &mut draft.doc.exprs[chosen].kind {
        ExprKind::Intrinsic { name, spelling, .. } if **name != *new => {
            *name = new.into();
            *spelling = None;
            Some(())
        }
        _ => None,
    }
}

fn operator(draft: &mut Draft<'_>) -> Option<()> {
    rename(draft, OPERATORS)
}

fn function(draft: &mut Draft<'_>) -> Option<()> {
    rename(draft, FUNCTIONS)
}

/// A node whose value is a real number, or real numbers, and its own copy: the node itself becomes what
/// is made of the copy.
fn value(draft: &mut Draft<'_>) -> Option<(ExprId, ExprId)> {
    let nodes = draft.nodes(|doc, node| {
        let is_value = match doc.exprs[node].kind {
            ExprKind::Constant(_) | ExprKind::Ref(_) | ExprKind::Intrinsic { .. } => true,
            ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => false,
        };
        is_value && is_real(doc.exprs[node].ty.base)
    });
    let (_, chosen) = draft.one(&nodes)?;
    let copy = draft.doc.exprs[chosen].clone();
    let copy = draft.doc.exprs.push(copy);
    Some((chosen, copy))
}

fn becomes(draft: &mut Draft<'_>, node: ExprId, new: ExprId) -> Option<()> {
    draft.doc.exprs[node] = draft.doc.exprs[new].clone();
    Some(())
}

fn applied(draft: &mut Draft<'_>) -> Option<()> {
    let (chosen, copy) = value(draft)?;
    let name = draft.one(FUNCTIONS)?;
    let ty = draft.doc.exprs[chosen].ty;
    let new = intrinsic(draft.doc, name, &[copy], ty);
    becomes(draft, chosen, new)
}

fn scalar_operand(draft: &mut Draft<'_>) -> Option<(Site, ExprId, Base)> {
    let nodes = draft.nodes(|doc, node| {
        let Some(reference) = doc.exprs[node].reference() else { return false };
        let ty = doc.refs[reference].ty;
        is_real(ty.base) && ty.rank == 0
    });
    let (site, chosen) = draft.one(&nodes)?;
    Some((site, chosen, draft.doc.exprs[chosen].ty.base))
}

fn operand(draft: &mut Draft<'_>) -> Option<()> {
    let (site, chosen, base) = scalar_operand(draft)?;
    let others = draft.scalars(site, base);
    let other = draft.one(&others)?;
    let copy = Copier::new().reference(draft.doc, other);
    let new = value_of(draft.doc, copy);
    becomes(draft, chosen, new)
}

fn constant_operand(draft: &mut Draft<'_>) -> Option<()> {
    let (_, chosen, base) = scalar_operand(draft)?;
    let place = draft.doc.exprs[chosen].place;
    let new = real(draft.doc, "0.7", base, place);
    becomes(draft, chosen, new)
}

fn constant(draft: &mut Draft<'_>) -> Option<()> {
    let nodes = draft.nodes(|doc, node| {
        matches!(&doc.exprs[node].kind, ExprKind::Constant(constant)
            if matches!(constant.class, ConstantClass::Real | ConstantClass::Double))
    });
    let (_, chosen) = draft.one(&nodes)?;
    let (ty, place) = (draft.doc.exprs[chosen].ty, draft.doc.exprs[chosen].place);
    let text = draft.one(&["0.0", "0.25", "1.0", "1.5", "3.0"])?;
    let new = real(draft.doc, text, ty.base, place);
    becomes(draft, chosen, new)
}

/// In conditions, masks and values alike.
fn comparison(draft: &mut Draft<'_>) -> Option<()> {
    let all = draft.doc.exprs.keys();
    let is_order = |op: BoolOp| {
        matches!(
            op,
            BoolOp::LessThan | BoolOp::LessOrEqual | BoolOp::GreaterThan | BoolOp::GreaterOrEqual
        )
    };
    let of_reals = |draft: &Draft<'_>, operands: &[Operand]| {
        operands.iter().any(|operand| is_real(draft.doc.exprs[operand.expr].ty.base))
    };
    let nodes: Vec<ExprId> = all
        .filter(|&node| match &draft.doc.exprs[node].kind {
            ExprKind::Boolean { op, operands } => is_order(*op) && of_reals(draft, operands),
            _ => false,
        })
        .collect();
    let chosen = draft.one(&nodes)?;
    if let ExprKind::Boolean { op, .. } = &mut draft.doc.exprs[chosen].kind {
        *op = match op {
            BoolOp::LessThan => BoolOp::GreaterThan,
            BoolOp::LessOrEqual => BoolOp::GreaterOrEqual,
            BoolOp::GreaterThan => BoolOp::LessThan,
            _ => BoolOp::LessOrEqual,
        };
    }
    Some(())
}

fn with_old_value(draft: &mut Draft<'_>) -> Option<()> {
    let (site, lhs, rhs) = draft.assignment()?;
    let place = draft.place(site.stmt);
    let old = Copier::new().reference(draft.doc, lhs);
    let old = value_of(draft.doc, old);
    let half = real(draft.doc, "0.5", draft.doc.refs[lhs].ty.base, place);
    let half = binary(draft.doc, "mul_scal_scal", half, old);
    let new = binary(draft.doc, "add_scal_scal", rhs, half);
    assigned(draft, site.stmt, new)
}

fn assigned(draft: &mut Draft<'_>, stmt: StmtId, new: ExprId) -> Option<()> {
    match &mut draft.doc.stmts[stmt].kind {
        StmtKind::Assign { rhs, .. } => *rhs = new,
        _ => return None,
    }
    Some(())
}

fn factor(draft: &mut Draft<'_>) -> Option<()> {
    let (site, _, rhs) = draft.assignment()?;
    let scalars = draft.scalars(site, draft.doc.exprs[rhs].ty.base);
    let other = draft.one(&scalars)?;
    let other = Copier::new().reference(draft.doc, other);
    let other = value_of(draft.doc, other);
    let new = binary(draft.doc, "mul_scal_scal", rhs, other);
    assigned(draft, site.stmt, new)
}

fn square(draft: &mut Draft<'_>) -> Option<()> {
    let (chosen, copy) = value(draft)?;
    let again = Copier::new().expr(draft.doc, copy);
    let new = binary(draft.doc, "mul_scal_scal", copy, again);
    becomes(draft, chosen, new)
}

fn power(draft: &mut Draft<'_>) -> Option<()> {
    let (chosen, copy) = value(draft)?;
    let place = draft.doc.exprs[chosen].place;
    let exponent = draft.rng.i64(2..4);
    let exponent = integer(draft.doc, exponent, place);
    let new = binary(draft.doc, "pow_scal_scal", copy, exponent);
    becomes(draft, chosen, new)
}

fn twice(draft: &mut Draft<'_>) -> Option<()> {
    let run = draft.run()?;
    let copies: Vec<_> =
        run.stmts.iter().map(|&stmt| Copier::new().stmt(draft.doc, stmt)).collect();
    draft.replace(&run, |emitter, stmts| {
        stmts.iter().chain(&copies).for_each(|&stmt| emitter.push(stmt));
    });
    Some(())
}

fn dropped(draft: &mut Draft<'_>) -> Option<()> {
    let run = draft.run()?;
    let run = Run { stmts: vec![*run.stmts.first()?], ..run };
    draft.replace(&run, |_, _| {});
    Some(())
}

fn exchanged(draft: &mut Draft<'_>) -> Option<()> {
    let run = draft.run()?;
    if run.stmts.len() < 2 {
        return None;
    }
    draft.replace(&run, |emitter, stmts| {
        stmts.iter().rev().for_each(|&stmt| emitter.push(stmt));
    });
    Some(())
}

fn parentheses(draft: &mut Draft<'_>) -> Option<()> {
    let (chosen, copy) = value(draft)?;
    draft.doc.exprs[chosen].parens = true;
    (!draft.doc.exprs[copy].parens).then_some(())
}
