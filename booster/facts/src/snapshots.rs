//! OX0234: the snapshot of a joint call covers all that the call overwrites and that is read again.
//!
//! The forward sweep of an adjoint calls `q`, the backward sweep calls `q_b` at the same place of the source. Between
//! the two the memory that `q` overwrites holds other values (and other properties: allocation, bounds, association).
//! So whatever `q` may overwrite must be on the tape as `q` is called if `q_b` reads it before it overwrites it, or if a
//! statement behind the call of `q_b` reads it before it has another value.
//!
//! The check looks at the finished document alone: at the accesses of its statements and at the side effects of its
//! procedures. It shares nothing with the passes that choose what is recorded. That the pops are the mirror of the
//! pushes is OX0231.
//!
//! A location counts as recorded if it is on some path, so the check misses a record that some paths lack. It also misses
//! elements of an array that a call is given and that are read again. What it reports is a fault.

mod pairs;
mod recorded;

use std::collections::{BTreeSet, HashSet};

use fixedbitset::FixedBitSet;
use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{Attr, Document, Intent, ProcId, SymbolId};

use crate::access::ActualValue;
use crate::dependence::has_elements;
use crate::externals::Externals;
use crate::overwrites::reached_without_arguments;
use crate::side_effects::{Actions, SideEffects, effects_of_call};
use crate::storage::Member;
use crate::{
    Accesses, Bodies, BodyEvents, CallMap, CallSite, Event, Lifetime, Location, LocationId, Storage,
};
use booster_flow::{Solution, solve};
use pairs::{Pair, Site};
use recorded::{Needed, Recorded};

/// What is known of one body.
struct Sweep<'b, 'd> {
    body: &'b BodyEvents<'d>,
    actions: Actions,
    recorded: Solution<FixedBitSet>,
    needed: Solution<FixedBitSet>,
}

impl<'b, 'd> Sweep<'b, 'd> {
    fn new(
        accesses: &Accesses<'d>,
        body: &'b BodyEvents<'d>,
        externals: &Externals,
        effects: &SideEffects,
    ) -> Self {
        let actions = Actions::new(accesses, body, externals, effects);
        let tape = Recorded::new(accesses, &body.flow, &actions);
        let recorded = solve(&body.flow, &tape);
        let needed = solve(&body.flow, &Needed { recorded: &tape });
        Sweep { body, actions, recorded, needed }
    }

    fn locations(&self, set: &FixedBitSet) -> BTreeSet<LocationId> {
        set.ones().map(|number| self.actions.locations[number]).collect()
    }

    /// The locations that are on the tape as control arrives at a call.
    fn recorded_before(&self, accesses: &Accesses<'_>, site: Site) -> BTreeSet<LocationId> {
        let analysis = Recorded::new(accesses, &self.body.flow, &self.actions);
        self.locations(&recorded::before(self.body, &analysis, &self.recorded, site))
    }

    /// The locations that are read behind a call before they have another value.
    fn needed_after(&self, accesses: &Accesses<'_>, site: Site) -> BTreeSet<LocationId> {
        let tape = Recorded::new(accesses, &self.body.flow, &self.actions);
        let analysis = Needed { recorded: &tape };
        self.locations(&recorded::after(self.body, &analysis, &self.needed, site))
    }
}

/// What a call does to the memory of the caller.
#[derive(Default)]
struct Effect {
    /// The locations that it may overwrite.
    out: BTreeSet<LocationId>,
    /// Those of them that the adjoint of the callee may read before it overwrites them, by the name by which the callee
    /// overwrites them.
    again: BTreeSet<LocationId>,
}

impl Effect {
    fn of(
        accesses: &Accesses<'_>,
        call: &CallSite<'_>,
        externals: &Externals,
        effects: &SideEffects,
        adjoints: &[ProcId],
    ) -> Self {
        let all = effects_of_call(accesses, call, externals, effects);
        let mut found = Effect::default();
        found.out.extend(all.out.iter().chain(&all.properties.out));
        let read: HashSet<Key<'_>> = adjoints
            .iter()
            .flat_map(|&adjoint| &effects.of(adjoint).input)
            .flat_map(|&location| keys(accesses, location))
            .collect();
        for &entry in &call.targets.bodies {
            let summary = effects.of(entry.proc);
            let map = CallMap::new(accesses, call, entry);
            // What the adjoint alone reads goes to the tape and comes back from there.
            let is_read = |location: &&LocationId| {
                adjoints.is_empty()
                    || keys(accesses, **location).iter().any(|key| read.contains(key))
            };
            let values = summary.input.intersection(&summary.out).filter(is_read);
            let properties = &summary.properties;
            let properties = properties.input.intersection(&properties.out);
            let passed = values.chain(properties).filter_map(|&u| map.of(accesses.storage(), u));
            found.again.extend(passed.filter(|one| one.writable).flat_map(|one| one.locations));
        }
        if call.targets.unknown || !call.targets.outside.is_empty() {
            let inputs = all.input.difference(&all.only_read);
            let properties = &all.properties;
            let properties = properties.input.difference(&properties.only_read);
            found
                .again
                .extend(inputs.chain(properties).filter(|location| found.out.contains(location)));
        }
        found
    }
}

/// The joint calls of all adjoints of `doc` whose snapshots lack something.
pub fn check(doc: &Document, externals: &Externals) -> Diagnostics {
    let pairs = pairs::joint_calls(doc);
    if pairs.is_empty() {
        return Diagnostics::new();
    }
    let storage = Storage::of_derivative(doc);
    let accesses = Accesses::new(doc, &storage);
    let bodies = Bodies::new(&accesses);
    let mut effects = SideEffects::new(&accesses, &bodies, externals);
    pairs.iter().for_each(|pair| without_records(&accesses, &mut effects, pair));
    let mut sweeps: Vec<(ProcId, Sweep<'_, '_>)> = Vec::new();
    let mut found = Vec::new();
    for pair in &pairs {
        for proc in [pair.forward.proc, pair.backward.proc] {
            if !sweeps.iter().any(|(known, _)| *known == proc)
                && let Some(body) = bodies.get(proc)
            {
                sweeps.push((proc, Sweep::new(&accesses, body, externals, &effects)));
            }
        }
        let of = |proc: ProcId| sweeps.iter().find(|(known, _)| *known == proc).map(|(_, s)| s);
        let (Some(forward), Some(backward)) = (of(pair.forward.proc), of(pair.backward.proc))
        else {
            continue;
        };
        found.extend(uncovered(&accesses, externals, &effects, pair, (forward, backward)));
    }
    found.into_iter().collect()
}

/// Lets the adjoint of a callee read no value that the callee overwrites before it reads it. The adjoint records such a
/// value, and nobody needs it.
fn without_records(accesses: &Accesses<'_>, effects: &mut SideEffects, pair: &Pair) {
    let doc = accesses.doc();
    let procs = [pair.forward.callee, pair.backward.callee].map(|callee| doc.procedure_of(callee));
    let [Some(callee), Some(adjoint)] = procs else { return };
    let summary = effects.of(callee);
    let named = |locations: &BTreeSet<LocationId>| -> HashSet<Key<'_>> {
        locations.iter().flat_map(|&location| keys(accesses, location)).collect()
    };
    let (read, overwritten) = (named(&summary.input), named(&summary.out));
    let is_needed = |location: &LocationId| {
        let keys = keys(accesses, *location);
        keys.iter().any(|key| read.contains(key))
            || !keys.iter().any(|key| overwritten.contains(key))
    };
    let input = effects.of(adjoint).input.iter().copied().filter(|one| is_needed(one)).collect();
    effects.set_input(adjoint, input);
}

/// A message for the first location that the snapshot of a call lacks.
fn uncovered(
    accesses: &Accesses<'_>,
    externals: &Externals,
    effects: &SideEffects,
    pair: &Pair,
    (forward, backward): (&Sweep<'_, '_>, &Sweep<'_, '_>),
) -> Option<Diagnostic> {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let events = forward.body.events(booster_flow::Step::Stmt(pair.forward.stmt));
    let calls = events.iter().filter_map(|event| match event {
        Event::Call(call) if call.callee.symbol == pair.forward.callee => Some(&**call),
        _ => None,
    });
    let recorded = forward.recorded_before(accesses, pair.forward);
    let mut needed = backward.needed_after(accesses, pair.backward);
    if pair.forward.proc != pair.backward.proc {
        needed =
            needed.into_iter().filter_map(|location| alike(accesses, pair, location)).collect();
    }
    let events = backward.body.events(booster_flow::Step::Stmt(pair.backward.stmt));
    let adjoints = events.iter().filter_map(|event| match event {
        Event::Call(call) if call.callee.symbol == pair.backward.callee => Some(&call.targets),
        _ => None,
    });
    let adjoints: Vec<ProcId> =
        adjoints.flat_map(|targets| &targets.bodies).map(|entry| entry.proc).collect();
    for call in calls {
        let effect = Effect::of(accesses, call, externals, effects, &adjoints);
        let in_part = in_part(accesses, call, effects);
        let is_lacking = |location: &&LocationId| {
            let home = storage.locations()[**location].lifetime;
            let is_own = match home {
                Lifetime::Global => true,
                Lifetime::Local(owner) | Lifetime::Dummy(owner) => owner == pair.forward.proc,
            };
            // A procedure that is passed overwrites variables of its host, which are nothing to other callers.
            (is_own || accesses.sees(pair.forward.proc, home))
                && !is_only_read(doc, &storage.locations()[**location])
                && (effect.again.contains(location)
                    || needed.contains(location) && !in_part.contains(location))
                && !recorded.contains(location)
        };
        let Some(&location) = effect.out.iter().find(is_lacking) else { continue };
        let name = storage.name(doc, location);
        let what =
            if storage.locations()[location].property { "a property of" } else { "the value of" };
        let reader =
            if effect.again.contains(&location) { "the call itself" } else { "the backward sweep" };
        let message = format!(
            "in `{}` the call of `{}` may overwrite {what} `{name}`, which {reader} reads again and the forward sweep \
             does not record",
            doc.name(doc.procs[pair.forward.proc].symbol),
            doc.name(pair.forward.callee),
        );
        let spot = doc.spot(doc.stmts[pair.forward.stmt].place);
        return Some(
            Diagnostic::error(Code::UNCOVERED_CALL, spot, message)
                .with_help("report it: a stage has a fault, or the document was changed behind it"),
        );
    }
    None
}

/// The locations of which a call overwrites elements that it is given: the backward sweep may read other elements.
fn in_part(
    accesses: &Accesses<'_>,
    call: &CallSite<'_>,
    effects: &SideEffects,
) -> BTreeSet<LocationId> {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let (mut elements, mut whole) = (BTreeSet::new(), BTreeSet::new());
    for actual in &call.actuals {
        let ActualValue::Variable(reference) = actual.value else { continue };
        let reached = storage.reach(doc, reference);
        match has_elements(doc, reference) {
            true => elements.extend(reached),
            false => whole.extend(reached),
        }
    }
    whole.extend(reached_without_arguments(accesses, call, effects).1);
    elements.difference(&whole).copied().collect()
}

/// A name of a location that a procedure and its adjoint have in common: of a global one the location itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key<'d> {
    Global(LocationId),
    Named(&'d str, Box<[SymbolId]>, bool),
}

fn keys<'d>(accesses: &Accesses<'d>, location: LocationId) -> Vec<Key<'d>> {
    let (doc, data) = (accesses.doc(), &accesses.storage().locations()[location]);
    if data.lifetime == Lifetime::Global {
        return vec![Key::Global(location)];
    }
    let members = data.members.iter();
    let key =
        |member: &Member| Key::Named(doc.name(member.symbol), member.path.clone(), data.property);
    members.map(key).collect()
}

/// Whether a location is memory of an INTENT(IN) argument, which the language lets nobody change.
fn is_only_read(doc: &Document, location: &Location) -> bool {
    location.members.iter().all(|member| {
        let decl = doc.symbols[member.symbol].decl.as_deref();
        decl.is_some_and(|decl| decl.intent == Some(Intent::In) && !decl.has(Attr::Pointer))
            && !member.path.iter().any(|&component| doc.has(component, Attr::Pointer))
    })
}

/// What a location of the backward half of a procedure is in the forward half: the variable of the same name.
fn alike(accesses: &Accesses<'_>, pair: &Pair, location: LocationId) -> Option<LocationId> {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let data = &storage.locations()[location];
    if data.lifetime == Lifetime::Global {
        return Some(location);
    }
    let first = data.members.first()?;
    let scope = doc.procs[pair.forward.proc].scope;
    let mut own = doc.scopes[scope].symbols.iter();
    let symbol = *own.find(|&&symbol| doc.name(symbol) == doc.name(first.symbol))?;
    storage.locations().iter().find_map(|(other, found)| {
        let is_it = found.property == data.property
            && found.members.iter().any(|one| one.symbol == symbol && one.path == first.path);
        is_it.then_some(other)
    })
}
