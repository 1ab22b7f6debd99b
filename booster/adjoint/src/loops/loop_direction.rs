//! Loops of the backward sweep that may run upwards do.
//!
//! The mirror of `do i = 2, n` runs from `n` down to 2. Where its iterations do not depend on one another, or
//! only by sums that they add to, the order is free, and upwards compilers make better vector code:
//! nothing need be reversed in registers, and memory is read ahead (measured: README of the kernels'
//! benchmark). The condition for it is that of any permutation of iterations (Allen and Kennedy, "Optimizing
//! Compilers for Modern Architectures", section 2.3: no dependence is carried by the loop, reductions
//! left out), as `distribute` asks it.
//!
//! Only loops that write adjoints and temporaries of this stage, in assignments of numbers, and hold
//! nothing but such loops: what the user's own loops do stays as it is. What a loop leaves in its variable
//! is not asked for behind it: what is required there is taken back there.

use std::cell::OnceCell;
use std::collections::HashSet;

use xaif_schema::model::{
    Body, BoolOp, Cfg, Document, ExprId, ExprKind, ForForm, ProcId, RefId, StmtId, StmtKind,
    SymbolId, VertexKind,
};

use crate::body::statements;
use crate::loops::distribute::{Known, Round, independent, separate, step};
use crate::queries::private_scalars::{has_internal_procedures, is_own_scalar};
use booster_build::{binary, boolean, integer, value_of, whole};
use booster_facts::Storage;
use booster_facts::loops::{Loop, loops};
use booster_tangent::reads::{names_in_statement, reads};

/// Lets loops of `procs` that write nothing but `adjoints` and temporaries count upwards.
pub(crate) fn count_upwards(doc: &mut Document, procs: &[ProcId], adjoints: &HashSet<SymbolId>) {
    let storage = OnceCell::new();
    for &proc in procs {
        let Body::Flow(cfg) = &doc.procs[proc].body else { continue };
        let all = loops(doc, cfg);
        if all.iter().all(|one| one.step != -1) {
            continue;
        }
        // A loop that is turned later shares storage as before.
        let storage = storage.get_or_init(|| Storage::new(doc));
        let private = private_scalars(doc, cfg, proc, storage);
        let known = Known { storage, adjoints, private: &private };
        let found: Vec<Head> = all
            .iter()
            .filter(|one| one.step == -1)
            .filter(|one| rounds_may_be_permuted(doc, cfg, one, &known))
            .filter_map(|one| head(doc, cfg, one))
            .collect();
        found.iter().for_each(|one| turn(doc, one));
    }
}

/// Whether the iterations of a loop may be executed in any order.
fn rounds_may_be_permuted(doc: &Document, cfg: &Cfg, of: &Loop, known: &Known<'_>) -> bool {
    let mut statements = Vec::new();
    for &vertex in &cfg.layout[of.head + 1..of.end] {
        match &cfg.vertices[vertex].kind {
            VertexKind::BasicBlock { stmts, .. } => {
                let Some(steps) = stmts.iter().map(|&stmt| step(doc, stmt)).collect() else {
                    return false;
                };
                let steps: Vec<_> = steps;
                statements.extend(steps);
            }
            VertexKind::ForLoop { form: ForForm::Counted, .. } | VertexKind::EndLoop => {}
            VertexKind::ForLoop { .. }
            | VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::Branch { .. }
            | VertexKind::EndBranch
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. }
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => return false,
        }
    }
    let own = |lhs: RefId| {
        let symbol = doc.refs[lhs].base;
        known.adjoints.contains(&symbol) || known.is_temporary(doc, symbol)
    };
    let round = Round { variable: of.variable, statements };
    !round.statements.is_empty()
        && round.statements.iter().all(|step| own(step.lhs))
        && separate(doc, known, &round)
        && independent(doc, known, &round)
}

/// The loop's head: `do i = first, bound, -1`.
struct Head {
    init: StmtId,
    condition: ExprId,
    update: StmtId,
    first: ExprId,
    bound: ExprId,
    variable: SymbolId,
}

fn head(doc: &Document, cfg: &Cfg, of: &Loop) -> Option<Head> {
    let VertexKind::ForLoop { init, condition, update, .. } =
        cfg.vertices[cfg.layout[of.head]].kind
    else {
        return None;
    };
    let ExprKind::Boolean { op: BoolOp::GreaterOrEqual, operands } = &doc.exprs[condition].kind
    else {
        return None;
    };
    let left = operands.iter().find(|operand| operand.position == 1)?.expr;
    let own = doc.refs[doc.exprs[left].reference()?].base == of.variable;
    let (first, bound, variable) = (of.lower, of.upper, of.variable);
    own.then_some(Head { init, condition, update, first, bound, variable })
}

/// Makes `do i = bound, first` of it.
fn turn(doc: &mut Document, of: &Head) {
    let place = doc.stmts[of.init].place;
    let variable = |doc: &mut Document| {
        let reference = whole(doc, of.variable, place);
        value_of(doc, reference)
    };
    let left = variable(doc);
    let until = boolean(doc, BoolOp::LessOrEqual, &[left, of.first]);
    doc.exprs[of.condition] = doc.exprs[until].clone();
    let (left, one) = (variable(doc), integer(doc, 1, place));
    let next = binary(doc, "add_scal_scal", left, one);
    if let StmtKind::Assign { rhs, .. } = &mut doc.stmts[of.init].kind {
        *rhs = of.bound;
    }
    if let StmtKind::Assign { rhs, .. } = &mut doc.stmts[of.update].kind {
        *rhs = next;
    }
}

/// The scalars of a procedure that carry no value from one block to another, of those that are assigned
/// to in blocks.
fn private_scalars(
    doc: &Document,
    cfg: &Cfg,
    proc: ProcId,
    storage: &Storage,
) -> HashSet<SymbolId> {
    if has_internal_procedures(doc, proc) {
        return HashSet::new();
    }
    let own = |symbol: &SymbolId| is_own_scalar(doc, proc, storage, *symbol);
    let assigned: HashSet<SymbolId> = statements(cfg)
        .filter_map(|stmt| step(doc, stmt).map(|step| doc.refs[step.lhs].base))
        .filter(own)
        .collect();
    assigned.into_iter().filter(|&symbol| begins_anew(doc, cfg, symbol)).collect()
}

/// Whether each block that names a variable assigns to it first, and nothing else names it.
fn begins_anew(doc: &Document, cfg: &Cfg, symbol: SymbolId) -> bool {
    let sets = |stmt: StmtId| {
        step(doc, stmt).is_some_and(|step| {
            doc.refs[step.lhs].base == symbol
                && doc.refs[step.lhs].parts.is_empty()
                && !reads(doc, step.rhs, symbol)
        })
    };
    cfg.layout.iter().all(|&vertex| match &cfg.vertices[vertex].kind {
        VertexKind::BasicBlock { stmts, .. } => {
            let mut naming = stmts.iter().filter(|&&stmt| names_in_statement(doc, stmt, symbol));
            naming.next().is_none_or(|&first| sets(first))
        }
        VertexKind::Branch { condition, .. } => {
            condition.iter().all(|&condition| !reads(doc, condition, symbol))
        }
        VertexKind::ForLoop { init, condition, update, form: ForForm::Counted, .. } => {
            !reads(doc, *condition, symbol)
                && [*init, *update].iter().all(|&stmt| !names_in_statement(doc, stmt, symbol))
        }
        VertexKind::Entry(_)
        | VertexKind::Exit
        | VertexKind::EndBranch
        | VertexKind::EndLoop
        | VertexKind::Label { .. } => true,
        VertexKind::ForLoop { .. }
        | VertexKind::PreLoop { .. }
        | VertexKind::PostLoop { .. }
        | VertexKind::ConcurrentLoop { .. }
        | VertexKind::Goto(_) => false,
    })
}
