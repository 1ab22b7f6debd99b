//! Variables that are read before they have a value.
//!
//! A forward analysis. On a way through a procedure a variable has no value, then has one, or is read too
//! early; a read is reported where some way comes to it without a value and none with one. So a sum
//! that nobody sets to zero is reported although later iterations of its loop find a value, and a variable
//! that only some ways set is not. No known paper.
//!
//! Not told: variables that outlive the procedure, that share storage or that internal procedures see,
//! pointers, allocatable and polymorphic objects, and what may be set by a statement that is not
//! understood. An array has a value as soon as an element has.

use std::collections::{BTreeSet, HashMap, HashSet};

use fixedbitset::FixedBitSet;
use rayon::prelude::*;
use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Attr, Base, Document, Intent, Place, ProcId, RefId, Role, SpecItem, StmtKind, SymbolId,
};

use super::access::{ActualValue, ReadRole};
use super::storage::{Lifetime, Location, LocationId, Locations};
use super::{Accesses, Bodies, BodyEvents, CallSite, Event, arguments_of};
use booster_flow::{Analysis, Direction, Step, solve, steps_of_edge, steps_of_vertex};

/// Warns of the variables that procedures for which `wanted` holds read too early, one warning for each.
pub(crate) fn read_before_assignment(
    accesses: &Accesses<'_>,
    wanted: impl Fn(ProcId) -> bool + Sync,
) -> Diagnostics {
    let bodies = Bodies::new(accesses);
    let shared = shared(accesses, &bodies);
    let bodies: Vec<&BodyEvents<'_>> = bodies.iter().filter(|body| wanted(body.proc)).collect();
    let found = bodies.into_par_iter().map(|body| of_body(accesses, &shared, body));
    let found: Vec<Vec<Diagnostic>> = found.collect();
    found.into_iter().flatten().collect()
}

/// The locations of local variables that procedures inside their own use, and those that a NAMELIST names.
fn shared(accesses: &Accesses<'_>, bodies: &Bodies<'_>) -> HashSet<LocationId> {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let mut found = HashSet::new();
    let mut add = |proc: Option<ProcId>, locations: Locations| {
        found.extend(locations.into_iter().filter(|&location| {
            match storage.locations()[location].lifetime {
                Lifetime::Global => false,
                Lifetime::Local(owner) | Lifetime::Dummy(owner) => proc != Some(owner),
            }
        }));
    };
    for body in bodies.iter() {
        let around = doc.scopes[doc.procs[body.proc].scope].parent;
        if around.is_none_or(|scope| storage.procedures().owner(scope).is_none()) {
            continue;
        }
        for event in body.steps.iter().flat_map(|step| &step.events) {
            for reference in references(event) {
                add(Some(body.proc), storage.reach(doc, reference));
            }
        }
    }
    for scope in doc.scopes.values() {
        for item in &scope.items {
            if let SpecItem::Namelist { members, .. } = item {
                members.iter().for_each(|&member| add(None, storage.locations_of_symbol(member)));
            }
        }
    }
    found
}

/// The references of an event.
fn references(event: &Event<'_>) -> Vec<RefId> {
    match event {
        Event::Read(reference, _)
        | Event::Allocate(reference)
        | Event::Associate(reference)
        | Event::Ask(reference, _)
        | Event::Release { object: reference, .. } => vec![*reference],
        Event::Write(write) => match write.place {
            super::access::Written::Ref(reference) => vec![reference],
            super::access::Written::Symbol(_) => Vec::new(),
        },
        Event::Call(call) => {
            let passed = call.actuals.iter().filter_map(|actual| match actual.value {
                ActualValue::Variable(reference) | ActualValue::Object(reference) => {
                    Some(reference)
                }
                ActualValue::Target(..) | ActualValue::Value(..) | ActualValue::Procedure(_) => {
                    None
                }
            });
            passed.chain(call.callee.object).collect()
        }
        Event::Reshape(_) | Event::Anything => Vec::new(),
    }
}

/// The warnings of one procedure, in the order of its text.
fn of_body(
    accesses: &Accesses<'_>,
    shared: &HashSet<LocationId>,
    body: &BodyEvents<'_>,
) -> Vec<Diagnostic> {
    let tracked = tracked(accesses, shared, body);
    if tracked.is_empty() {
        return Vec::new();
    }
    let values = Values { accesses, body, tracked: &tracked };
    let solution = solve(&body.flow, &values);
    let cfg = body.flow.cfg;
    let mut reads: BTreeSet<(Place, LocationId)> = BTreeSet::new();
    for &vertex in body.flow.order() {
        for &edge in body.flow.in_edges(vertex) {
            let Some(step) = steps_of_edge(cfg, edge) else { continue };
            let mut state = solution.after(cfg.edges[edge].source).clone();
            values.follow(step, &mut state, |location, place| _ = reads.insert((place, location)));
        }
        let mut state = solution.before(vertex).clone();
        for step in steps_of_vertex(cfg, vertex) {
            values.follow(step, &mut state, |location, place| _ = reads.insert((place, location)));
        }
    }
    let mut told = HashSet::new();
    let first = reads.into_iter().filter(|&(_, location)| told.insert(location));
    first.map(|(place, location)| too_early(accesses, location, place)).collect()
}

fn too_early(accesses: &Accesses<'_>, location: LocationId, place: Place) -> Diagnostic {
    let doc = accesses.doc();
    let name = accesses.storage().name(doc, location);
    let message = format!("`{name}` is read here before it has a value");
    let help = "assign a value first; the derivative is no better defined than the program";
    Diagnostic::warning(Code::READ_TOO_EARLY, doc.spot(place), message).with_help(help)
}

/// The locations that have no value as the procedure begins, numbered.
fn tracked(
    accesses: &Accesses<'_>,
    shared: &HashSet<LocationId>,
    body: &BodyEvents<'_>,
) -> HashMap<LocationId, usize> {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let mut found = HashMap::new();
    let reads = body.steps.iter().flat_map(|step| &step.events).filter_map(|event| match event {
        Event::Read(reference, _) => Some(storage.locations_of(doc, *reference)),
        Event::Call(call) => {
            let locations =
                read_by_call(doc, call).map(|reference| storage.locations_of(doc, reference));
            Some(locations.flatten().collect())
        }
        _ => None,
    });
    for location in reads.flatten() {
        let data = &storage.locations()[location];
        let begins_without = match data.lifetime {
            Lifetime::Global => false,
            Lifetime::Local(owner) => owner == body.proc,
            Lifetime::Dummy(owner) => owner == body.proc && is_scalar_result(doc, data),
        };
        if begins_without && !shared.contains(&location) && is_plain(accesses, data) {
            let next = found.len();
            found.entry(location).or_insert(next);
        }
    }
    found
}

/// Whether a location is one variable or component of one that is no pointer, not allocatable and not polymorphic.
fn is_plain(accesses: &Accesses<'_>, location: &Location) -> bool {
    let doc = accesses.doc();
    let [member] = location.members.as_slice() else { return false };
    let all = || std::iter::once(member.symbol).chain(member.path.iter().copied());
    !location.property
        && location.strong_update
        && !accesses.storage().is_overrun(member.symbol)
        && !accesses.storage().procedures().is_static(member.symbol)
        && all().all(|symbol| {
            let indirect = [Attr::Allocatable, Attr::Pointer, Attr::Volatile, Attr::Parameter];
            let polymorphic = matches!(doc.declared_base(symbol), Base::Class(_) | Base::ClassStar);
            matches!(doc.role(symbol), Some(Role::Variable))
                && !polymorphic
                && !indirect.iter().any(|&attr| doc.has(symbol, attr))
        })
}

/// Whether a location is a scalar number or the like that is an INTENT(OUT) argument.
fn is_scalar_result(doc: &Document, location: &Location) -> bool {
    let [member] = location.members.as_slice() else { return false };
    let Some(decl) = doc.symbols[member.symbol].decl.as_deref() else { return false };
    member.path.is_empty() && decl.intent == Some(Intent::Out) && decl.dims.is_empty()
}

/// The variables of which a call reads the value, as the interface says: scalars for INTENT(IN).
fn read_by_call<'c>(doc: &'c Document, call: &'c CallSite<'_>) -> impl Iterator<Item = RefId> + 'c {
    let dummies = arguments_of(doc, call.callee.symbol).unwrap_or_default();
    call.actuals.iter().filter_map(move |actual| {
        let ActualValue::Variable(reference) = actual.value else { return None };
        let dummy = dummies.get(actual.position)?.symbol?;
        let is_read = is_only_read(doc, dummy)
            && !doc.has(dummy, Attr::Optional)
            && doc.symbols[dummy].decl.as_ref().is_some_and(|decl| decl.dims.is_empty())
            && doc.refs[reference].ty.rank == 0;
        is_read.then_some(reference)
    })
}

/// Whether a dummy argument of an intrinsic type is INTENT(IN).
fn is_only_read(doc: &Document, dummy: SymbolId) -> bool {
    let Some(decl) = doc.symbols[dummy].decl.as_deref() else { return false };
    let plain = matches!(
        decl.spec.base(),
        Base::Integer(_) | Base::Real(_) | Base::Complex(_) | Base::Logical(_)
    );
    plain && decl.intent == Some(Intent::In) && !decl.has(Attr::Pointer)
}

/// The ways to a point, by what has happened to each variable on them.
#[derive(Clone, PartialEq)]
struct Ways {
    /// There is a way on which the variable has no value yet.
    without: FixedBitSet,
    /// There is a way on which it has got one, and was not read before.
    with: FixedBitSet,
}

struct Values<'a, 'd> {
    accesses: &'a Accesses<'d>,
    body: &'a BodyEvents<'d>,
    tracked: &'a HashMap<LocationId, usize>,
}

impl Values<'_, '_> {
    /// Follows the events of a step; `early` hears of each read without a value.
    fn follow(&self, step: Step<'_>, state: &mut Ways, mut early: impl FnMut(LocationId, Place)) {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        // The forward sweep of an adjoint records what it overwrites, whether that has a value or not.
        let records = matches!(step, Step::Stmt(stmt)
            if matches!(doc.stmts[stmt].kind, StmtKind::InlinableCall(_)));
        for event in self.body.events(step) {
            match event {
                Event::Read(..) if records => {}
                Event::Read(_, ReadRole::Inquiry) | Event::Ask(..) => {}
                Event::Read(reference, _) => self.read(*reference, state, &mut early),
                Event::Write(write) => self.assign(self.accesses.written(write).0, state),
                Event::Call(call) => {
                    for reference in read_by_call(doc, call) {
                        self.read(reference, state, &mut early);
                    }
                    self.assign(self.passed_to(call), state);
                }
                Event::Allocate(object) | Event::Associate(object) => {
                    self.assign(storage.reach(doc, *object), state);
                }
                Event::Release { .. } | Event::Reshape(_) => {}
                Event::Anything => {
                    state.with.union_with(&state.without);
                    state.without.clear();
                }
            }
        }
    }

    /// A read of one location; what is copied as a whole may lack values.
    fn read(&self, reference: RefId, state: &mut Ways, early: &mut impl FnMut(LocationId, Place)) {
        let doc = self.accesses.doc();
        let locations = self.accesses.storage().locations_of(doc, reference);
        let [location] = locations.as_slice() else { return };
        let Some(&place) = self.tracked.get(location) else { return };
        if state.without.contains(place) && !state.with.contains(place) {
            early(*location, doc.refs[reference].place);
        }
        state.without.set(place, false);
    }

    fn assign(&self, locations: Locations, state: &mut Ways) {
        for location in locations {
            if let Some(&place) = self.tracked.get(&location)
                && state.without.contains(place)
            {
                state.without.set(place, false);
                state.with.insert(place);
            }
        }
    }

    /// What a call may set: all variables that it gets, but for INTENT(IN).
    fn passed_to(&self, call: &CallSite<'_>) -> Locations {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        let dummies = arguments_of(doc, call.callee.symbol).unwrap_or_default();
        let mut locations = Locations::new();
        for actual in &call.actuals {
            let dummy = dummies.get(actual.position).and_then(|dummy| dummy.symbol);
            match actual.value {
                ActualValue::Variable(_) if dummy.is_some_and(|d| is_only_read(doc, d)) => {}
                ActualValue::Variable(reference) | ActualValue::Object(reference) => {
                    locations.extend(storage.reach(doc, reference));
                }
                ActualValue::Target(..) | ActualValue::Value(..) | ActualValue::Procedure(_) => {}
            }
        }
        if let Some(object) = call.callee.object {
            locations.extend(storage.reach_of_object(doc, object));
        }
        locations
    }
}

impl Analysis for Values<'_, '_> {
    type Domain = Ways;

    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self) -> Ways {
        let none = FixedBitSet::with_capacity(self.tracked.len());
        Ways { without: none.clone(), with: none }
    }

    fn boundary(&self) -> Ways {
        let mut ways = self.bottom();
        ways.without.insert_range(..);
        ways
    }

    fn join(&self, state: &mut Ways, other: &Ways) -> bool {
        let joined =
            Ways { without: &state.without | &other.without, with: &state.with | &other.with };
        let grows = joined != *state;
        *state = joined;
        grows
    }

    fn transfer(&self, step: Step<'_>, state: &mut Ways) {
        self.follow(step, state, |_, _| {});
    }
}
