//! Calls that one statement executes several times, of procedures that keep something from one
//! execution to the next: an IMPURE elemental procedure for arrays, a function in an implied DO.
//!
//! Analyses take such a call as one: what an execution leaves in a variable of a module never reaches
//! the next one there. So it is refused where that is told apart from a loop (activity), and, for
//! elemental procedures, whose backward sweep would take the elements in their order, wherever a
//! derivative is made.
//!
//! Not refused: procedures that write nothing but their arguments and variables of one activation.

use std::collections::HashSet;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{Document, ExprId, ExprKind, ProcId};

use super::access::{ActualValue, CallSort};
use super::side_effects::SideEffects;
use super::{Accesses, Bodies, CallSite, Event, Lifetime, LocationId, Storage};
use crate::externals::Externals;
use booster_build::nodes_of;

/// In what a statement executes a call several times.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repetition {
    Elemental,
    ImpliedDo,
}

/// Refuses such calls of elemental procedures in the procedures for which `concerns` holds.
pub fn refuse_elementals_with_state(
    doc: &Document,
    concerns: impl Fn(ProcId) -> bool,
) -> Diagnostics {
    // Few programs have one: the effects of all procedures are not looked for without need.
    if !has_impure_elementals(doc) {
        return Diagnostics::new();
    }
    let storage = Storage::new(doc);
    let accesses = Accesses::new(doc, &storage);
    refused(&accesses, &Externals::new(), concerns, |call| {
        is_impure_for_arrays(doc, call).then_some(Repetition::Elemental)
    })
}

/// The same, and for functions in implied DOs.
pub(super) fn refuse_repeated_calls_with_state(
    accesses: &Accesses<'_>,
    externals: &Externals,
    concerns: impl Fn(ProcId) -> bool,
) -> Diagnostics {
    let doc = accesses.doc();
    let within = calls_in_implied_dos(doc);
    if within.is_empty() && !has_impure_elementals(doc) {
        return Diagnostics::new();
    }
    refused(accesses, externals, concerns, |call| {
        if is_impure_for_arrays(doc, call) {
            return Some(Repetition::Elemental);
        }
        let inside = matches!(call.sort, CallSort::Function(expr) if within.contains(&expr));
        inside.then_some(Repetition::ImpliedDo)
    })
}

fn has_impure_elementals(doc: &Document) -> bool {
    doc.procs.values().any(|proc| doc.is_impure_elemental(proc.symbol))
}

fn is_impure_for_arrays(doc: &Document, call: &CallSite<'_>) -> bool {
    doc.is_impure_elemental(call.callee.symbol) && has_arrays(doc, call)
}

fn refused(
    accesses: &Accesses<'_>,
    externals: &Externals,
    concerns: impl Fn(ProcId) -> bool,
    repeated: impl Fn(&CallSite<'_>) -> Option<Repetition>,
) -> Diagnostics {
    let bodies = Bodies::new(accesses);
    let mut found: Vec<(Repetition, &CallSite<'_>)> = Vec::new();
    for body in bodies.iter().filter(|body| concerns(body.proc)) {
        for event in body.steps.iter().flat_map(|step| &step.events) {
            let Event::Call(call) = event else { continue };
            found.extend(repeated(call).map(|why| (why, &**call)));
        }
    }
    let mut problems = Diagnostics::new();
    if found.is_empty() {
        return problems;
    }
    let effects = SideEffects::new(accesses, &bodies, externals);
    for (why, call) in found {
        if let Some(kept) = kept(accesses, &effects, why, call) {
            problems.push(problem(accesses, why, call, &kept));
        }
    }
    problems
}

/// What the procedure may keep for its next execution.
fn kept(
    accesses: &Accesses<'_>,
    effects: &SideEffects,
    why: Repetition,
    call: &CallSite<'_>,
) -> Option<String> {
    let storage = accesses.storage();
    let outlives = |location: LocationId| {
        let location = &storage.locations()[location];
        match why {
            // Each execution of an elemental procedure has elements of its own.
            Repetition::Elemental => !matches!(location.lifetime, Lifetime::Dummy(_)),
            // What activity passes through becomes a loop later, so numbers alone are at stake.
            Repetition::ImpliedDo => location.continuous,
        }
    };
    call.targets.bodies.iter().find_map(|entry| {
        let summary = effects.of(entry.proc);
        let location = summary.out.iter().copied().find(|&location| outlives(location))?;
        Some(storage.name(accesses.doc(), location))
    })
}

fn problem(
    accesses: &Accesses<'_>,
    why: Repetition,
    call: &CallSite<'_>,
    kept: &str,
) -> Diagnostic {
    let doc = accesses.doc();
    let name = doc.name(call.callee.symbol);
    let each = match why {
        Repetition::Elemental => "for each element",
        Repetition::ImpliedDo => "in each round of an implied DO",
    };
    let message = format!("`{name}` is called {each} here, and changes `{kept}`");
    Diagnostic::error(Code::REPEATED_WITH_STATE, doc.spot(call.place), message)
        .with_help("write a loop that calls it for one element after the other")
}

fn has_arrays(doc: &Document, call: &CallSite<'_>) -> bool {
    call.actuals.iter().any(|actual| match actual.value {
        ActualValue::Variable(reference) | ActualValue::Object(reference) => {
            doc.refs[reference].ty.rank > 0
        }
        ActualValue::Value(expr, _) => doc.exprs[expr].ty.rank > 0,
        ActualValue::Target(..) | ActualValue::Procedure(_) => false,
    }) || matches!(call.sort, CallSort::Function(expr) if doc.exprs[expr].ty.rank > 0)
        || call.callee.object.is_some_and(|object| doc.refs[object].ty.rank > 0)
}

/// The calls that stand in implied DOs, of what may change something.
fn calls_in_implied_dos(doc: &Document) -> HashSet<ExprId> {
    let items = doc.exprs.values().filter_map(|expr| match &expr.kind {
        ExprKind::ImpliedDo(implied) => Some(implied.items.iter().copied()),
        _ => None,
    });
    let nodes = nodes_of(doc, items.flatten());
    let may_change = |&node: &ExprId| {
        matches!(&doc.exprs[node].kind, ExprKind::Call(call)
            if !doc.is_promised_pure(call.callee.symbol))
    };
    nodes.into_iter().filter(may_change).collect()
}
