//! Arguments that a procedure changes, where the caller passes no variable that it may change: the value of an
//! expression, a constant, or a variable that is INTENT(IN).
//!
//! The language forbids such a change. Compilers see it only where the interface is explicit and tells the intent: some
//! pass a copy, some overwrite the constant. A derivative of such a call is no better defined than the call.

use std::collections::{BTreeSet, HashSet};

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Attr, Body, Document, DummyArg, ExprKind, Intent, Part, Place, ProcId, RefId, Role, SymbolId,
    VertexKind,
};

use super::access::{Actual, ActualValue};
use super::side_effects::SideEffects;
use super::{Accesses, Bodies, CallSite, EntryOf, Event, LocationId};
use crate::externals::Externals;

/// Reports such calls in the procedures for which `wanted` holds: an error where the dummy argument has a derivative and is
/// changed in any case.
pub(crate) fn lost_changes(
    accesses: &Accesses<'_>,
    externals: &Externals,
    wanted: impl Fn(ProcId) -> bool,
    is_active: impl Fn(SymbolId) -> bool,
) -> Diagnostics {
    let doc = accesses.doc();
    let bodies = Bodies::new(accesses);
    let wanted = bodies.iter().filter(|body| wanted(body.proc));
    let events = wanted.flat_map(|body| body.steps.iter().flat_map(|step| &step.events));
    let calls = events.filter_map(|event| match event {
        Event::Call(call) => Some(&**call),
        Event::Read(..)
        | Event::Write(_)
        | Event::Allocate(_)
        | Event::Associate(_)
        | Event::Ask(..)
        | Event::Release { .. }
        | Event::Reshape(_)
        | Event::Anything => None,
    });
    let passed = calls.flat_map(|call| call.actuals.iter().map(move |actual| (call, actual)));
    let fixed: Vec<(&CallSite<'_>, &Actual)> = passed
        .filter(|(_, actual)| sort_of_fixed(doc, actual).is_some())
        .filter(|(call, actual)| dummies(doc, call, actual).next().is_some())
        .collect();
    let mut found = Diagnostics::new();
    // Few programs leave open whether such an argument is changed.
    if fixed.is_empty() {
        return found;
    }
    let effects = SideEffects::new(accesses, &bodies, externals);
    let is_in = |dummy: SymbolId, locations: &BTreeSet<LocationId>| {
        accesses
            .storage()
            .locations_of_symbol(dummy)
            .into_iter()
            .any(|location| locations.contains(&location))
    };
    let changes = |&(proc, dummy): &(ProcId, SymbolId)| is_in(dummy, &effects.of(proc).out);
    let mut told: HashSet<(Place, usize)> = HashSet::new();
    for (call, actual) in fixed {
        let Some((proc, dummy)) = dummies(doc, call, actual).find(changes) else { continue };
        // A change under a condition may never be made where no variable is passed.
        let certain = is_in(dummy, &effects.of(proc).kill);
        if told.insert((call.place, actual.position)) {
            found.push(problem(doc, call, actual, dummy, certain && is_active(dummy)));
        }
    }
    found
}

/// The dummy arguments of the bodies that a call may execute, as far as their declarations leave open whether they are
/// changed.
fn dummies<'d>(
    doc: &'d Document,
    call: &'d CallSite<'_>,
    actual: &'d Actual,
) -> impl Iterator<Item = (ProcId, SymbolId)> + 'd {
    let dummies = call.targets.bodies.iter().filter_map(move |entry| {
        Some((entry.proc, arguments(doc, *entry).get(actual.position)?.symbol?))
    });
    dummies.filter(|&(_, dummy)| {
        let decl = doc.symbols[dummy].decl.as_deref();
        let kept = decl.is_some_and(|decl| {
            decl.intent == Some(Intent::In) || decl.has(Attr::Value) || decl.has(Attr::Pointer)
        });
        matches!(doc.role(dummy), Some(Role::Variable)) && !kept
    })
}

fn arguments(doc: &Document, entry: EntryOf) -> &[DummyArg] {
    let proc = &doc.procs[entry.proc];
    match (&proc.body, entry.point) {
        (Body::Flow(cfg), Some(point)) => match &cfg.vertices[point].kind {
            VertexKind::Entry(Some(point)) => &point.args,
            _ => &proc.args,
        },
        (Body::Flow(_) | Body::Interface | Body::Replacements { .. }, _) => &proc.args,
    }
}

/// The sort of an actual argument that nobody may change.
fn sort_of_fixed(doc: &Document, actual: &Actual) -> Option<&'static str> {
    match &actual.value {
        ActualValue::Value(expr, _) => match &doc.exprs[*expr].kind {
            ExprKind::Constant(_) => Some("a constant"),
            ExprKind::Ref(reference) if is_constant(doc, *reference) => Some("a constant"),
            ExprKind::Opaque(_) => None,
            ExprKind::Ref(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_) => Some("the value of an expression"),
        },
        ActualValue::Variable(reference) if is_constant(doc, *reference) => Some("a constant"),
        ActualValue::Variable(reference) if is_only_read(doc, *reference) => {
            Some("a variable that is INTENT(IN)")
        }
        ActualValue::Variable(_)
        | ActualValue::Object(_)
        | ActualValue::Target(..)
        | ActualValue::Procedure(_) => None,
    }
}

fn is_constant(doc: &Document, reference: RefId) -> bool {
    matches!(doc.role(doc.refs[reference].base), Some(Role::Constant))
}

/// Whether a reference is to memory of an INTENT(IN) argument; the target of a pointer may be changed.
fn is_only_read(doc: &Document, reference: RefId) -> bool {
    let reference = &doc.refs[reference];
    let intent = doc.symbols[reference.base].decl.as_ref().and_then(|decl| decl.intent);
    let through_pointer = reference.parts.iter().any(|part| match part {
        Part::Component { symbol, .. } => {
            symbol.is_none_or(|symbol| doc.has(symbol, Attr::Pointer))
        }
        Part::Deref => true,
        Part::Elements(_) | Part::Substring { .. } | Part::Inquiry(_) => false,
    });
    intent == Some(Intent::In) && !doc.has(reference.base, Attr::Pointer) && !through_pointer
}

fn problem(
    doc: &Document,
    call: &CallSite<'_>,
    actual: &Actual,
    dummy: SymbolId,
    is_error: bool,
) -> Diagnostic {
    let place = match &actual.value {
        ActualValue::Value(expr, _) => doc.exprs[*expr].place,
        ActualValue::Variable(reference) => doc.refs[*reference].place,
        ActualValue::Object(_) | ActualValue::Target(..) | ActualValue::Procedure(_) => call.place,
    };
    let (name, dummy_name) = (doc.name(call.callee.symbol), doc.name(dummy));
    let passed = sort_of_fixed(doc, actual).unwrap_or("a value");
    let message = format!(
        "`{name}` changes its dummy argument `{dummy_name}`, and {passed} is passed for it"
    );
    let spot = doc.spot(place);
    let problem = match is_error {
        true => Diagnostic::error(Code::LOST_CHANGE, spot, message),
        false => Diagnostic::warning(Code::LOST_CHANGE, spot, message),
    };
    let declared = doc.symbols[dummy].decl.as_ref().and_then(|decl| doc.spot(decl.place));
    problem
        .with_note(declared, "the dummy argument is declared here")
        .with_help("assign the value to a variable of its own and pass that variable")
}
