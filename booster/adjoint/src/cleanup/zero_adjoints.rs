//! An adjoint that is surely zero is assigned to, not added to.
//!
//! The adjoint of a local variable begins with zero and is zero again behind the mirror of each
//! assignment to it. What is added to it next may as well be assigned: `eb = 10*fb(i)`, not `eb = 0`
//! and later `eb = eb + 10*fb(i)`. Which variables are surely zero is a forward data-flow problem
//! over the body of the adjoint procedure: a variable may be different from zero behind whatever
//! defines it but the assignment of zero to all of it, and at the entry.
//!
//! Only variables of an activation that nothing else shares storage with, as wholes: elements of
//! arrays are not told apart. The zero itself then goes where nobody reads it (`dead`).

use std::collections::{HashMap, HashSet};

use fixedbitset::FixedBitSet;
use xaif_schema::model::{
    Attr, Document, ExprId, ExprKind, RefId, StmtId, StmtKind, SymbolId, VertexKind,
};

use crate::queries::expressions::first_term;
use booster_build::{negate, nodes_of};
use booster_facts::side_effects::{Action, Actions};
use booster_facts::{Accesses, BodyEvents, Lifetime, LocationId, StepKey};
use booster_flow::{Analysis, Direction, Step, solve, union};

/// What is done with statements.
#[derive(Debug, Default)]
pub(crate) struct Zeros {
    /// `x = x + …` where `x` is zero.
    pub(crate) first: Vec<StmtId>,
    /// `x = 0` where `x` is zero.
    pub(crate) again: Vec<StmtId>,
}

/// What the adjoints among `adjoints` that are surely zero make of the statements of a body.
pub(crate) fn zeros(
    accesses: &Accesses<'_>,
    body: &BodyEvents<'_>,
    actions: &Actions,
    adjoints: &HashSet<SymbolId>,
) -> Zeros {
    let doc = accesses.doc();
    let numbers = numbers(accesses, body, actions, adjoints);
    let (mut cleared, mut added) = (HashMap::new(), HashMap::new());
    for vertex in body.flow.cfg.vertices.values() {
        let VertexKind::BasicBlock { stmts, .. } = &vertex.kind else { continue };
        for &stmt in stmts {
            let StmtKind::Assign { lhs, rhs, defined: None } = doc.stmts[stmt].kind else {
                continue;
            };
            let whole = doc.refs[lhs].parts.is_empty() && doc.stmts[stmt].label.is_none();
            let Some(&number) = numbers.get(&doc.refs[lhs].base).filter(|_| whole) else {
                continue;
            };
            if is_zero(doc, rhs) {
                cleared.insert(stmt, number);
            } else if adds(doc, lhs, rhs) {
                added.insert(stmt, number);
            }
        }
    }
    let mut zeros = Zeros::default();
    if cleared.is_empty() {
        return zeros;
    }
    let analysis = Perhaps { actions, cleared };
    let solution = solve(&body.flow, &analysis);
    for (vertex, data) in body.flow.cfg.vertices.iter() {
        let VertexKind::BasicBlock { stmts, .. } = &data.kind else { continue };
        let mut state = solution.before(vertex).clone();
        for &stmt in stmts {
            let holds = |&number: &usize| !state.contains(number);
            zeros.first.extend(added.get(&stmt).is_some_and(holds).then_some(stmt));
            zeros.again.extend(analysis.cleared.get(&stmt).is_some_and(holds).then_some(stmt));
            analysis.transfer(Step::Stmt(stmt), &mut state);
        }
    }
    zeros
}

/// The numbers of the variables of this activation that nothing shares storage with.
fn numbers(
    accesses: &Accesses<'_>,
    body: &BodyEvents<'_>,
    actions: &Actions,
    adjoints: &HashSet<SymbolId>,
) -> HashMap<SymbolId, usize> {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let indirect = [Attr::Allocatable, Attr::Pointer, Attr::Target, Attr::Volatile, Attr::Save];
    let own = |(number, &location): (usize, &LocationId)| {
        let data = &storage.locations()[location];
        let [member] = &data.members[..] else { return None };
        let symbol = member.symbol;
        let fits = adjoints.contains(&symbol)
            && member.path.is_empty()
            && matches!(data.lifetime, Lifetime::Local(owner) if owner == body.proc)
            && storage.locations_of_symbol(symbol).len() == 1
            && !indirect.into_iter().any(|attr| doc.has(symbol, attr));
        fits.then_some((symbol, number))
    };
    actions.locations.iter().enumerate().filter_map(own).collect()
}

/// Whether an expression is a literal zero, real or complex.
pub(crate) fn is_zero(doc: &Document, value: ExprId) -> bool {
    if let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[value].kind
        && &**name == "complex_literal"
    {
        return operands.iter().all(|part| is_zero(doc, part.expr));
    }
    let ExprKind::Constant(constant) = &doc.exprs[value].kind else { return false };
    let digits: String =
        constant.text.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    !digits.is_empty() && digits.chars().all(|c| c == '0' || c == '.')
}

/// Whether an assignment adds to its left-hand side what does not depend on it.
fn adds(doc: &Document, lhs: RefId, rhs: ExprId) -> bool {
    let base = doc.refs[lhs].base;
    let own = |reference: RefId| doc.refs[reference].base == base;
    let nodes = nodes_of(doc, [rhs]);
    let reads = nodes.iter().filter_map(|&node| doc.exprs[node].reference()).filter(|&r| own(r));
    let Some((sum, _, other)) = innermost(doc, rhs) else { return false };
    // Without the variable the other terms might be summed in a lower precision.
    let precise = sum == rhs || doc.exprs[other].ty.base == doc.refs[lhs].ty.base;
    let first = first_term(doc, rhs);
    precise
        && first.is_some_and(|first| own(first) && doc.refs[first].parts.is_empty())
        && reads.count() == 1
}

/// In `x + a - b` the sum `x + a`, whether `a` is subtracted, and `a`.
fn innermost(doc: &Document, rhs: ExprId) -> Option<(ExprId, bool, ExprId)> {
    let mut at = rhs;
    loop {
        let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[at].kind else { return None };
        let negative = match &**name {
            "add_scal_scal" => false,
            "sub_scal_scal" => true,
            _ => return None,
        };
        let operand = |position: u16| operands.iter().find(|one| one.position == position);
        let (first, second) = (operand(1)?.expr, operand(2)?.expr);
        if doc.exprs[first].reference().is_some() {
            return Some((at, negative, second));
        }
        at = first;
    }
}

/// Makes `x = a - b` of `x = x + a - b`, and `x = -a` of `x = x - a`.
pub(crate) fn assign_first(doc: &mut Document, stmts: &[StmtId]) {
    for &stmt in stmts {
        let StmtKind::Assign { rhs, .. } = doc.stmts[stmt].kind else { continue };
        let Some((node, negative, other)) = innermost(doc, rhs) else { continue };
        let value = if negative { negate(doc, other) } else { other };
        doc.exprs[node] = doc.exprs[value].clone();
    }
}

/// Which variables may be different from zero.
struct Perhaps<'a> {
    actions: &'a Actions,
    /// Statements that set all of a variable to zero.
    cleared: HashMap<StmtId, usize>,
}

impl Analysis for Perhaps<'_> {
    type Domain = FixedBitSet;
    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.actions.locations.len())
    }

    fn boundary(&self) -> FixedBitSet {
        let mut all = self.bottom();
        all.insert_range(..);
        all
    }

    fn join(&self, state: &mut FixedBitSet, other: &FixedBitSet) -> bool {
        union(state, other)
    }

    fn transfer(&self, step: Step<'_>, state: &mut FixedBitSet) {
        if let Step::Stmt(stmt) = step
            && let Some(&number) = self.cleared.get(&stmt)
        {
            state.set(number, false);
            return;
        }
        for action in self.actions.of(StepKey::of(step)) {
            match action {
                Action::Use { .. } => {}
                Action::Define { locations, .. } => {
                    locations.iter().for_each(|&location| state.insert(location as usize));
                }
            }
        }
    }
}
