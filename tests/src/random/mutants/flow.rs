//! Changes of the flow of control: loops and branches around statements, other bounds of loops.

use xaif_booster::build::{
    Copier, binary, boolean, constant_integer, integer, real, value_of, whole,
};
use xaif_schema::model::{
    Base, Body, BoolOp, ExprId, ExprKind, ForForm, StmtId, StmtKind, VertexKind,
};

use super::Mutation;
use super::declare::{nowhere, spec, variable};
use super::draft::{Draft, Run, Site, is_real};

pub(super) const MUTATIONS: &[Mutation] = &[
    Mutation { name: "a loop of one round", apply: once },
    Mutation { name: "a loop of two rounds", apply: repeated },
    Mutation { name: "a branch", apply: branch },
    Mutation { name: "a branch of two arms", apply: two_arms },
    Mutation { name: "a loop backwards", apply: backwards },
    Mutation { name: "a round less", apply: shorter },
    Mutation { name: "a step of two", apply: by_two },
];

fn once(draft: &mut Draft<'_>) -> Option<()> {
    around(draft, 1)
}

fn repeated(draft: &mut Draft<'_>) -> Option<()> {
    let rounds = draft.rng.i64(2..4);
    around(draft, rounds)
}

/// A loop around statements.
fn around(draft: &mut Draft<'_>, rounds: i64) -> Option<()> {
    let run = draft.run()?;
    let scope = draft.doc.procs[run.proc].scope;
    let spec = spec(draft.doc, Base::Integer(4));
    let counter = variable(draft.doc, scope, "mut_i", spec, Vec::new());
    draft.replace(&run, |emitter, stmts| {
        let lower = integer(emitter.doc, 1, nowhere());
        let upper = integer(emitter.doc, rounds, nowhere());
        emitter.open_do(counter, (lower, upper), false, nowhere());
        stmts.iter().for_each(|&stmt| emitter.push(stmt));
        emitter.close_do();
    });
    Some(())
}

/// Whether a number that is known there exceeds another.
fn condition(draft: &mut Draft<'_>, run: &Run) -> Option<ExprId> {
    let site = Site { proc: run.proc, scope: run.scope, stmt: *run.stmts.first()? };
    let scalars = draft.scalars(site, Base::Real(8));
    let read = draft.one(&scalars)?;
    let read = Copier::new().reference(draft.doc, read);
    let read = value_of(draft.doc, read);
    let text = draft.one(&["0.45", "1.05", "2.1"])?;
    let limit = real(draft.doc, text, Base::Real(8), nowhere());
    let op = draft.one(&[BoolOp::LessThan, BoolOp::GreaterThan])?;
    Some(boolean(draft.doc, op, &[read, limit]))
}

fn branch(draft: &mut Draft<'_>) -> Option<()> {
    let run = draft.run()?;
    let condition = condition(draft, &run)?;
    draft.replace(&run, |emitter, stmts| {
        emitter.open_if(condition, nowhere());
        stmts.iter().for_each(|&stmt| emitter.push(stmt));
        emitter.close_if();
    });
    Some(())
}

/// The second arm has the statements once more, with other values.
fn two_arms(draft: &mut Draft<'_>) -> Option<()> {
    let run = draft.run()?;
    let condition = condition(draft, &run)?;
    let copies: Vec<StmtId> =
        run.stmts.iter().map(|&stmt| Copier::new().stmt(draft.doc, stmt)).collect();
    for &copy in &copies {
        let StmtKind::Assign { rhs, defined: None, .. } = draft.doc.stmts[copy].kind else {
            continue;
        };
        let base = draft.doc.exprs[rhs].ty.base;
        if !is_real(base) {
            continue;
        }
        let factor = real(draft.doc, "0.75", base, nowhere());
        let changed = binary(draft.doc, "mul_scal_scal", factor, rhs);
        if let StmtKind::Assign { rhs, .. } = &mut draft.doc.stmts[copy].kind {
            *rhs = changed;
        }
    }
    draft.replace(&run, |emitter, stmts| {
        emitter.open_if(condition, nowhere());
        stmts.iter().for_each(|&stmt| emitter.push(stmt));
        emitter.open_else();
        copies.iter().for_each(|&stmt| emitter.push(stmt));
        emitter.close_if();
    });
    Some(())
}

/// A counted loop by steps of one.
struct Loop {
    init: StmtId,
    condition: ExprId,
    update: StmtId,
}

fn counted(draft: &mut Draft<'_>) -> Option<Loop> {
    let mut found = Vec::new();
    for data in draft.doc.procs.values() {
        let Body::Flow(cfg) = &data.body else { continue };
        for vertex in cfg.vertices.values() {
            if let VertexKind::ForLoop { init, condition, update, form: ForForm::Counted, .. } =
                vertex.kind
            {
                found.push((init, condition, update));
            }
        }
    }
    let (init, condition, update) = draft.one(&found)?;
    Some(Loop { init, condition, update })
}

impl Loop {
    /// The last value, where the loop counts up.
    fn upper(&self, draft: &Draft<'_>) -> Option<ExprId> {
        match &draft.doc.exprs[self.condition].kind {
            ExprKind::Boolean { op: BoolOp::LessOrEqual, operands } => Some(operands.get(1)?.expr),
            _ => None,
        }
    }

    fn set_upper(&self, draft: &mut Draft<'_>, upper: ExprId, new: BoolOp) {
        if let ExprKind::Boolean { op, operands } = &mut draft.doc.exprs[self.condition].kind {
            *op = new;
            if let Some(operand) = operands.get_mut(1) {
                operand.expr = upper;
            }
        }
    }

    /// The next value is that with `step` added.
    fn set_step(&self, draft: &mut Draft<'_>, step: i64) -> Option<()> {
        let StmtKind::Assign { lhs, .. } = draft.doc.stmts[self.update].kind else { return None };
        let variable = draft.doc.refs[lhs].base;
        let variable = whole(draft.doc, variable, nowhere());
        let variable = value_of(draft.doc, variable);
        let step = integer(draft.doc, step, nowhere());
        let next = binary(draft.doc, "add_scal_scal", variable, step);
        match &mut draft.doc.stmts[self.update].kind {
            StmtKind::Assign { rhs, .. } => *rhs = next,
            _ => return None,
        }
        Some(())
    }
}

fn backwards(draft: &mut Draft<'_>) -> Option<()> {
    let all = counted(draft)?;
    let upper = all.upper(draft)?;
    let StmtKind::Assign { rhs: lower, .. } = draft.doc.stmts[all.init].kind else { return None };
    if !steps_by_one(draft, &all) {
        return None;
    }
    all.set_upper(draft, lower, BoolOp::GreaterOrEqual);
    if let StmtKind::Assign { rhs, .. } = &mut draft.doc.stmts[all.init].kind {
        *rhs = upper;
    }
    all.set_step(draft, -1)
}

fn steps_by_one(draft: &Draft<'_>, all: &Loop) -> bool {
    let StmtKind::Assign { rhs, .. } = draft.doc.stmts[all.update].kind else { return false };
    match &draft.doc.exprs[rhs].kind {
        ExprKind::Intrinsic { operands, .. } => {
            operands.get(1).is_some_and(|step| constant_integer(draft.doc, step.expr) == Some(1))
        }
        _ => false,
    }
}

fn shorter(draft: &mut Draft<'_>) -> Option<()> {
    let all = counted(draft)?;
    let upper = all.upper(draft)?;
    let one = integer(draft.doc, 1, nowhere());
    let upper = binary(draft.doc, "sub_scal_scal", upper, one);
    all.set_upper(draft, upper, BoolOp::LessOrEqual);
    Some(())
}

fn by_two(draft: &mut Draft<'_>) -> Option<()> {
    let all = counted(draft)?;
    all.upper(draft)?;
    if !steps_by_one(draft, &all) {
        return None;
    }
    all.set_step(draft, 2)
}
