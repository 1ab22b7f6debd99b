//! Statements that read a variable and call a function that changes it: `y = k*x(next(k))`.
//!
//! The language forbids such statements (Fortran 2018, 10.1.4), and compilers evaluate them in an order of their own.
//! The canonical form calls functions first, so the derivative may use another value than the compiled program.
//!
//! Not told: variables that are passed to two functions of the statement, elements of arrays, and masked statements.

use std::collections::HashSet;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{Document, ExprId, ExprKind, ProcId, RefId, StmtId, StmtKind};

use super::access::{Accesses, CallSite, CallSort, Event, ReadRole};
use super::side_effects::{SideEffects, effects_of_call};
use super::{Bodies, LocationId};
use crate::externals::Externals;
use booster_build::nodes_of;
use booster_flow::Step;

/// A call of a function in a step, and the scalar variables that the step reads elsewhere.
struct Candidate<'b, 'd> {
    call: &'b CallSite<'d>,
    read: Vec<(RefId, LocationId)>,
}

/// Warns of such statements in the procedures for which `wanted` holds.
pub(crate) fn evaluation_order(
    accesses: &Accesses<'_>,
    externals: &Externals,
    wanted: impl Fn(ProcId) -> bool,
) -> Diagnostics {
    let doc = accesses.doc();
    let bodies = Bodies::new(accesses);
    let mut candidates = Vec::new();
    for step in bodies.iter().filter(|body| wanted(body.proc)).flat_map(|body| &body.steps) {
        let is_ordered = match step.step {
            Step::Stmt(stmt) => !is_masked(doc, stmt),
            Step::Evaluate(_) => true,
            Step::Enter(_) | Step::Concurrent(_) | Step::Leave => false,
        };
        if is_ordered {
            candidates.extend(of_events(accesses, &step.events));
        }
    }
    let mut found = Diagnostics::new();
    // Few statements call a function that may change something beside what they read.
    if candidates.is_empty() {
        return found;
    }
    let effects = SideEffects::new(accesses, &bodies, externals);
    for Candidate { call, read } in candidates {
        let out = effects_of_call(accesses, call, externals, &effects).out;
        if let Some(&(reference, _)) = read.iter().find(|(_, location)| out.contains(location)) {
            found.push(problem(doc, call, reference));
        }
    }
    found
}

fn is_masked(doc: &Document, stmt: StmtId) -> bool {
    matches!(doc.stmts[stmt].kind, StmtKind::Where(_) | StmtKind::Forall(_))
}

/// The calls of functions that may change something, with what the step reads outside of their arguments.
fn of_events<'b, 'd>(
    accesses: &Accesses<'_>,
    events: &'b [Event<'d>],
) -> impl Iterator<Item = Candidate<'b, 'd>> {
    let doc = accesses.doc();
    let calls = events.iter().filter_map(|event| match event {
        Event::Call(call) => match call.sort {
            CallSort::Function(node) if !doc.is_promised_pure(call.callee.symbol) => {
                Some((&**call, node))
            }
            CallSort::Function(_) | CallSort::Subroutine | CallSort::Assignment => None,
        },
        Event::Read(..)
        | Event::Write(_)
        | Event::Allocate(_)
        | Event::Release { .. }
        | Event::Associate(_)
        | Event::Ask(..)
        | Event::Reshape(_)
        | Event::Anything => None,
    });
    let candidates = calls.filter_map(|(call, node)| {
        let within = references_below(doc, node);
        let read = events.iter().filter_map(|event| match event {
            Event::Read(reference, role) if *role != ReadRole::Inquiry => {
                let location = scalar(accesses, *reference)?;
                (!within.contains(reference)).then_some((*reference, location))
            }
            _ => None,
        });
        let read: Vec<(RefId, LocationId)> = read.collect();
        (!read.is_empty()).then_some(Candidate { call, read })
    });
    candidates.collect::<Vec<_>>().into_iter()
}

/// The references within an expression.
fn references_below(doc: &Document, root: ExprId) -> HashSet<RefId> {
    let nodes = nodes_of(doc, [root]).into_iter();
    nodes
        .filter_map(|node| match doc.exprs[node].kind {
            ExprKind::Ref(reference) => Some(reference),
            _ => None,
        })
        .collect()
}

/// The location of a whole scalar variable.
fn scalar(accesses: &Accesses<'_>, reference: RefId) -> Option<LocationId> {
    let data = &accesses.doc().refs[reference];
    if !data.parts.is_empty() || data.ty.rank > 0 {
        return None;
    }
    let locations = accesses.storage().locations_of(accesses.doc(), reference);
    let [location] = locations.as_slice() else { return None };
    accesses.storage().locations()[*location].strong_update.then_some(*location)
}

fn problem(doc: &Document, call: &CallSite<'_>, reference: RefId) -> Diagnostic {
    let name = doc.name(doc.refs[reference].base);
    let function = doc.name(call.callee.symbol);
    let message = format!("`{function}` changes `{name}`, which this statement reads as well");
    Diagnostic::warning(Code::EVALUATION_ORDER, doc.spot(doc.refs[reference].place), message)
        .with_help(format!("assign the value of `{function}` to a variable in a statement before"))
}
