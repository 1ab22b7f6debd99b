//! What each step of a body may overwrite, as names that the program could use for it.
//!
//! This is what a forward sweep must record where nobody has told what is needed later (paper 1,
//! section 2: "store all"), what a snapshot is taken of, and what tells whether an expression still
//! has the value that it had. Reads are not looked at.

use std::collections::BTreeSet;

use xaif_schema::intrinsics::inquires;
use xaif_schema::model::{
    Attr, Base, Document, ExprId, ExprKind, Part, ProcId, RefId, Reference, ScopeKind, SymbolId,
};

use super::access::{Accesses, ActualValue, CallSite, Event, Written};
use super::components::{is_firm, narrowed};
use super::side_effects::{
    SideEffects, Summaries, WrittenNames, effects_of_call, names_for_call, names_in,
};
use super::storage::{Locations, Member};
use super::{BodyEvents, EntryOf, Lifetime, LocationId, StepKey, StepMap, Storage};
use crate::arguments_of;
use crate::externals::{Effect, Externals};
use booster_build::{nodes_of, same_parts, subscripts_of};

/// A name for what is overwritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Designator {
    /// A reference of the program.
    Ref(RefId),
    /// The whole variable of which a reference of the program is an element: an element that is
    /// passed for an array stands for all that follow.
    Around(RefId),
    /// A component of a structure that a call is given as a whole.
    Component(RefId, Box<[SymbolId]>),
    /// A variable or component that the step does not name.
    Member(Member),
    /// A whole variable.
    Symbol(SymbolId),
}

/// What a step may overwrite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overwritten {
    /// By names, in the order of execution.
    pub names: Vec<Designator>,
    /// Those of them that a call may also read before it overwrites them: what a snapshot must hold
    /// for the call to be executed again.
    pub snapshot: Vec<Designator>,
    /// Objects of which a call may read a property before it changes that: a snapshot holds the property.
    pub renewed: Vec<Designator>,
    /// Objects of which a property may change, but for what ALLOCATE and the like change, which is always undone.
    pub reshaped: Vec<Designator>,
    /// As locations of storage.
    pub locations: BTreeSet<LocationId>,
    /// The properties that may change, by whatever statement.
    pub properties: BTreeSet<LocationId>,
    /// The positions, from 0, of the dummy arguments that a call may overwrite. What is passed for
    /// others may be the same variable twice.
    pub arguments: BTreeSet<usize>,
    /// Locations of actual arguments that a call also reads or writes by other names: a global variable
    /// that is passed to a procedure that uses it.
    pub direct: BTreeSet<LocationId>,
    /// Locations that no name of the body stands for: saved variables of a callee.
    pub nameless: BTreeSet<LocationId>,
    /// Whether it may also be anything global.
    pub world: bool,
}

/// What the steps of a body may overwrite.
#[derive(Clone, Debug, Default)]
pub struct Overwrites {
    steps: StepMap<Overwritten>,
}

impl Overwrites {
    /// Looks at all steps of `body`.
    pub fn new(
        accesses: &Accesses<'_>,
        body: &BodyEvents<'_>,
        externals: &Externals,
        effects: &SideEffects,
    ) -> Self {
        let mut steps = StepMap::default();
        for step in &body.steps {
            let mut found = Overwritten::default();
            for event in &step.events {
                found.event(accesses, body.proc, event, externals, effects);
            }
            steps.insert(StepKey::of(step.step), found);
        }
        Overwrites { steps }
    }

    /// All steps with what they may overwrite, in no order.
    pub fn steps(&self) -> impl Iterator<Item = (StepKey, &Overwritten)> {
        self.steps.iter().map(|(&step, found)| (step, found))
    }

    /// What a step may overwrite; `None` for a step that is not of the body.
    pub fn of(&self, step: StepKey) -> Option<&Overwritten> {
        self.steps.get(&step)
    }
}

impl Overwritten {
    fn event(
        &mut self,
        accesses: &Accesses<'_>,
        proc: ProcId,
        event: &Event<'_>,
        externals: &Externals,
        effects: &SideEffects,
    ) {
        let (doc, storage) = (accesses.doc(), accesses.storage());
        match event {
            Event::Write(write) => {
                let (locations, _) = accesses.written(write);
                self.locations.extend(locations.iter().copied());
                let name = match write.place {
                    Written::Ref(reference) => {
                        self.steady(doc, storage, reference, &self.locations)
                    }
                    // Indices and dummy arguments of statement functions are nothing outside of the
                    // statement, whatever has their name there.
                    Written::Symbol(symbol) if is_bound(doc, symbol) => return,
                    Written::Symbol(symbol) => Designator::Symbol(symbol),
                };
                self.add(name, locations);
            }
            Event::Allocate(reference)
            | Event::Release { object: reference, .. }
            | Event::Associate(reference) => {
                let locations = storage.locations_of(doc, *reference);
                self.add(Designator::Ref(*reference), locations);
            }
            Event::Call(call) => self.call(accesses, proc, call, externals, effects),
            Event::Anything => self.world = true,
            Event::Reshape(reshape) => {
                self.properties.extend(reshape.locations.iter().copied());
                if reshape.explicit {
                    return;
                }
                let name = match reshape.place {
                    Written::Ref(reference) => Designator::Ref(reference),
                    Written::Symbol(symbol) => Designator::Symbol(symbol),
                };
                self.reshaped.extend(parts(doc, storage, &name, &reshape.locations));
            }
            Event::Read(..) | Event::Ask(..) => {}
        }
    }

    /// A name that is the same variable before and behind the step: where the step may overwrite what
    /// its subscripts read (`k(k(1)) = 2`), the whole variable.
    fn steady(
        &self,
        doc: &Document,
        storage: &Storage,
        reference: RefId,
        written: &BTreeSet<LocationId>,
    ) -> Designator {
        let data = &doc.refs[reference];
        let nodes = nodes_of(doc, subscripts_of(data));
        let shapes = asked_for_shape(doc, data, &nodes);
        let values = nodes.into_iter().filter(|node| !shapes.contains(node));
        let read = values.filter_map(|node| {
            let ExprKind::Ref(inner) = doc.exprs[node].kind else { return None };
            Some(storage.locations_of(doc, inner))
        });
        if !read.flatten().any(|location| written.contains(&location)) {
            return Designator::Ref(reference);
        }
        let path = data.parts.iter().map_while(|part| match part {
            Part::Component { symbol, .. } => *symbol,
            Part::Elements(_) | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => None,
        });
        Designator::Member(Member { symbol: data.base, path: path.collect() })
    }

    fn add(&mut self, name: Designator, locations: impl IntoIterator<Item = LocationId>) {
        self.locations.extend(locations);
        if !self.names.contains(&name) {
            self.names.push(name);
        }
    }

    fn call(
        &mut self,
        accesses: &Accesses<'_>,
        proc: ProcId,
        call: &CallSite<'_>,
        externals: &Externals,
        effects: &SideEffects,
    ) {
        let (doc, storage) = (accesses.doc(), accesses.storage());
        let found = effects_of_call(accesses, call, externals, effects);
        self.world |= found.world;
        self.arguments.extend(overwritten_arguments(accesses, call, externals, effects));
        let mut rest = found.out.clone();
        // What a callee reaches without its dummy arguments is not limited to what is passed.
        let reached = reached_without_arguments(accesses, call, effects);
        // An object that is none of many has the names of its locations: what other actual arguments are
        // of them is not all that may be overwritten.
        let object = call.callee.object;
        let alone = object.filter(|&object| !is_of_array(&doc.refs[object]));
        let alone = alone.map(|object| storage.reach_of_object(doc, object)).unwrap_or_default();
        let properties = &found.properties;
        self.properties.extend(properties.out.iter().copied());
        let mut unseen = properties.out.clone();
        let mut renewed: BTreeSet<LocationId> =
            properties.input.intersection(&properties.out).copied().collect();
        let mut overwrite = |this: &mut Self, name: Designator, locations: Locations| {
            this.direct.extend(locations.iter().filter(|location| reached.0.contains(location)));
            let touched: Vec<LocationId> =
                locations.into_iter().filter(|location| found.out.contains(location)).collect();
            let named =
                |location: &&LocationId| !reached.1.contains(location) && !alone.contains(location);
            touched.iter().filter(named).for_each(|location| {
                rest.remove(location);
            });
            let again: Vec<LocationId> =
                touched.iter().copied().filter(|location| found.input.contains(location)).collect();
            if !again.is_empty() {
                // What names it must be there to take it back.
                let named_by = subscript_variables(doc, storage, &name, &found.out);
                this.snapshot.extend(named_by);
                this.snapshot.extend(parts(doc, storage, &name, &again));
            }
            if !touched.is_empty() {
                for part in parts(doc, storage, &name, &touched) {
                    this.add(part, []);
                }
            }
            this.locations.extend(touched);
        };
        // One object of many.
        if let Some(object) = object.filter(|&object| is_of_array(&doc.refs[object])) {
            let name = match self.steady(doc, storage, object, &found.out) {
                // The name of the procedure stands behind that of the object.
                Designator::Ref(object) => Designator::Around(object),
                whole => whole,
            };
            overwrite(self, name, storage.reach_of_object(doc, object));
        }
        for actual in &call.actuals {
            let (reference, locations) = match actual.value {
                ActualValue::Variable(reference) => (reference, storage.reach(doc, reference)),
                ActualValue::Object(_)
                | ActualValue::Target(..)
                | ActualValue::Value(..)
                | ActualValue::Procedure(_) => continue,
            };
            // What lies behind an argument that overruns is overwritten, too: all names of it stay in the rest.
            let overruns = storage.is_overrun(doc.refs[reference].base);
            let own_properties = storage.properties_reached(doc, reference);
            let reshaped: Vec<LocationId> =
                own_properties.iter().copied().filter(|location| unseen.remove(location)).collect();
            if !reshaped.is_empty() {
                self.reshaped.extend(parts(doc, storage, &Designator::Ref(reference), &reshaped));
            }
            for location in own_properties {
                if renewed.remove(&location) {
                    self.renewed.extend(parts(
                        doc,
                        storage,
                        &Designator::Ref(reference),
                        &[location],
                    ));
                }
            }
            if overruns || is_input(accesses, call, actual) {
                self.direct
                    .extend(locations.iter().filter(|location| reached.0.contains(location)));
                continue;
            }
            let around = is_element(&doc.refs[reference]) && takes_array(accesses, call, actual);
            let name = match around {
                true => Designator::Around(reference),
                false if subscripts_are_passed(accesses, call, reference, &found.out) => {
                    Designator::Ref(reference)
                }
                false => self.steady(doc, storage, reference, &found.out),
            };
            overwrite(self, name, locations);
        }
        for location in renewed {
            if is_visible(accesses, proc, location) {
                let members = names_in(doc, storage, proc, location).into_iter().cloned();
                self.renewed.extend(members.map(Designator::Member));
            }
        }
        for location in unseen {
            if is_visible(accesses, proc, location) {
                let members = names_in(doc, storage, proc, location).into_iter().cloned();
                self.reshaped.extend(members.map(Designator::Member));
            }
        }
        let written = WrittenNames::of_call(accesses, call, &found, effects);
        for location in rest {
            if !is_visible(accesses, proc, location) {
                self.locations.insert(location);
                self.nameless.insert(location);
                continue;
            }
            let (names, are_exact) =
                names_for_call(doc, storage, (proc, location), (&found, &written));
            if !are_exact && leaves_memory_out(accesses, proc, location, &names) {
                self.nameless.insert(location);
            }
            for member in names {
                let name = Designator::Member(member);
                if found.input.contains(&location) {
                    self.snapshot.push(name.clone());
                }
                self.add(name, [location]);
            }
        }
    }
}

/// Those of `nodes` that are arrays of which `reference` is an element and that an inquiry asks for
/// their shape: `a` of `a(size(a))`. Who overwrites an element does not change that.
fn asked_for_shape(doc: &Document, reference: &Reference, nodes: &[ExprId]) -> BTreeSet<ExprId> {
    let is_around = |inner: &Reference| {
        let rest = reference.parts.get(inner.parts.len());
        inner.base == reference.base
            && matches!(rest, Some(Part::Elements(_)))
            && same_parts(doc, &inner.parts, &reference.parts[..inner.parts.len()])
    };
    let asked = nodes.iter().flat_map(|&node| match &doc.exprs[node].kind {
        ExprKind::Intrinsic { name, operands, .. } if inquires(name) => operands.as_slice(),
        _ => &[],
    });
    let arrays = asked.map(|operand| operand.expr).filter(|&operand| {
        matches!(doc.exprs[operand].kind, ExprKind::Ref(inner) if is_around(&doc.refs[inner]))
    });
    arrays.collect()
}

/// Whether a symbol has a value within one statement alone.
fn is_bound(doc: &Document, symbol: SymbolId) -> bool {
    let scope = doc.symbols[symbol].scope;
    matches!(doc.scopes[scope].kind, ScopeKind::Indices | ScopeKind::StatementFunction(_))
}

/// The positions of the dummy arguments that some body that may be executed may overwrite.
fn overwritten_arguments(
    accesses: &Accesses<'_>,
    call: &CallSite<'_>,
    externals: &Externals,
    summaries: &dyn Summaries,
) -> BTreeSet<usize> {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let mut found = BTreeSet::new();
    for &entry in &call.targets.bodies {
        let out = &summaries.of(entry.proc).out;
        let dummies = storage.procedures().dummies(doc, entry);
        for (position, dummy) in dummies.iter().enumerate() {
            // What is passed by value stays what it is.
            let symbol = dummy.symbol.filter(|&symbol| !doc.has(symbol, Attr::Value));
            let locations = symbol.map(|symbol| storage.locations_of_symbol(symbol));
            if locations
                .is_some_and(|locations| locations.iter().any(|location| out.contains(location)))
            {
                found.insert(position);
            }
        }
    }
    let given = call.actuals.iter().filter(|actual| !is_input(accesses, call, actual));
    let outside = given.filter(|actual| {
        let told = |symbol: &SymbolId| {
            let number = u32::try_from(actual.position + 1).ok();
            let external = externals.find(doc, *symbol);
            let effect = external.and_then(|found| found.argument(number?));
            effect.is_none_or(Effect::writes) && !doc.is_intrinsic(*symbol)
        };
        call.targets.unknown || call.targets.outside.iter().any(told)
    });
    found.extend(outside.map(|actual| actual.position));
    found
}

/// What of a name holds `locations`, by names: of a structure the components alone.
fn parts(
    doc: &Document,
    storage: &Storage,
    name: &Designator,
    locations: &[LocationId],
) -> Vec<Designator> {
    let Designator::Ref(reference) = name else { return vec![name.clone()] };
    let paths = narrowed(doc, storage, &doc.refs[*reference], locations);
    // All of what is one piece of memory has a shorter name.
    let all = || {
        storage.locations_of(doc, *reference).iter().all(|location| locations.contains(location))
    };
    let firm = || paths.iter().flatten().all(|&component| is_firm(doc, component));
    if matches!(doc.refs[*reference].ty.base, Base::Derived(_)) && all() && firm() {
        return vec![name.clone()];
    }
    let part = |path: Box<[SymbolId]>| match path.is_empty() {
        true => name.clone(),
        false => Designator::Component(*reference, path),
    };
    paths.into_iter().map(part).collect()
}

/// Whether what the subscripts of an actual argument read, as far as the call overwrites it, are
/// scalar variables that are arguments as well (`call bump(k, a(k))`): they are recorded, too, and
/// taken back first.
fn subscripts_are_passed(
    accesses: &Accesses<'_>,
    call: &CallSite<'_>,
    reference: RefId,
    out: &BTreeSet<LocationId>,
) -> bool {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let is_whole = |other: RefId, symbol: SymbolId| {
        let other = &doc.refs[other];
        other.base == symbol && other.parts.is_empty()
    };
    let is_passed = |symbol: SymbolId| {
        call.actuals.iter().any(|actual| match actual.value {
            ActualValue::Variable(other) => {
                is_whole(other, symbol) && !is_input(accesses, call, actual)
            }
            ActualValue::Object(_)
            | ActualValue::Target(..)
            | ActualValue::Value(..)
            | ActualValue::Procedure(_) => false,
        })
    };
    nodes_of(doc, subscripts_of(&doc.refs[reference])).into_iter().all(|node| {
        let ExprKind::Ref(inner) = doc.exprs[node].kind else { return true };
        let data = &doc.refs[inner];
        let settled =
            !storage.locations_of(doc, inner).iter().any(|location| out.contains(location));
        settled || data.parts.is_empty() && data.ty.rank == 0 && is_passed(data.base)
    })
}

/// The scalar variables in the subscripts of a name that may be overwritten.
fn subscript_variables(
    doc: &Document,
    storage: &Storage,
    name: &Designator,
    out: &BTreeSet<LocationId>,
) -> Vec<Designator> {
    let Designator::Ref(reference) = name else { return Vec::new() };
    let inner = nodes_of(doc, subscripts_of(&doc.refs[*reference])).into_iter();
    let inner = inner.filter_map(|node| match doc.exprs[node].kind {
        ExprKind::Ref(inner) => Some(inner),
        _ => None,
    });
    let changed = |inner: &RefId| storage.locations_of(doc, *inner).iter().any(|u| out.contains(u));
    inner.filter(changed).map(Designator::Ref).collect()
}

/// The locations that the bodies of a call read or write, and those that they write, without being given them. An actual
/// argument that may share memory with such a location does not stand for it.
pub fn reached_without_arguments(
    accesses: &Accesses<'_>,
    call: &CallSite<'_>,
    summaries: &dyn Summaries,
) -> (BTreeSet<LocationId>, BTreeSet<LocationId>) {
    let locations = accesses.storage().locations();
    let (mut used, mut out) = (BTreeSet::new(), BTreeSet::new());
    for entry in &call.targets.bodies {
        let summary = summaries.of(entry.proc);
        let given =
            |location: &&LocationId| locations[**location].lifetime != Lifetime::Dummy(entry.proc);
        used.extend(summary.used.iter().filter(given));
        used.extend(summary.out.iter().filter(given));
        out.extend(summary.out.iter().chain(&summary.properties.out).filter(given));
    }
    (used, out)
}

/// Whether an interface promises that an argument is not changed, and no body that may be executed declares it otherwise.
fn is_input(accesses: &Accesses<'_>, call: &CallSite<'_>, actual: &super::access::Actual) -> bool {
    use xaif_schema::model::Intent;
    let doc = accesses.doc();
    let Some(dummies) = arguments_of(doc, call.callee.symbol) else { return false };
    let position = u32::try_from(actual.position + 1).unwrap_or(u32::MAX);
    let dummy = dummies.iter().find(|arg| arg.position == position);
    let is_input = |symbol: SymbolId| {
        let decl = doc.symbols[symbol].decl.as_deref();
        decl.is_some_and(|decl| decl.intent == Some(Intent::In) && !decl.has(Attr::Pointer))
    };
    let in_body = |&entry: &EntryOf| {
        let dummies = accesses.storage().procedures().dummies(doc, entry);
        dummies.get(actual.position).and_then(|dummy| dummy.symbol).is_none_or(is_input)
    };
    dummy.and_then(|arg| arg.symbol).is_some_and(is_input)
        && call.targets.bodies.iter().all(in_body)
}

/// Whether some name of a location is one that `proc` could use: a variable of a module or COMMON block,
/// or of the procedure itself and those around it.
fn is_visible(accesses: &Accesses<'_>, proc: ProcId, location: LocationId) -> bool {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let location = &storage.locations()[location];
    location.members.iter().any(|member| {
        storage.is_in_sight(doc, proc, member.symbol)
            || matches!(location.lifetime, Lifetime::Global) && is_common(doc, member.symbol)
    })
}

/// Whether a location also stands for memory that none of these names, which `proc` has for it, reaches: a pointer may point
/// to a variable of a module, or to one of a block that `proc` does not declare, or of another procedure.
fn leaves_memory_out(
    accesses: &Accesses<'_>,
    proc: ProcId,
    location: LocationId,
    names: &[Member],
) -> bool {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let block = |member: &Member| doc.block_of(member.symbol);
    let is_named = |member: &Member| {
        let same_block = |name: &Member| block(member).is_some() && block(name) == block(member);
        names.contains(member) || names.iter().any(same_block)
    };
    storage.locations()[location].pointers
        && storage.locations()[location].members.iter().any(|member| {
            !storage.is_in_sight(doc, proc, member.symbol)
                && storage.procedures().is_static(member.symbol)
                && !doc.has(member.symbol, Attr::Pointer)
                && !is_named(member)
        })
}

fn is_common(doc: &Document, symbol: SymbolId) -> bool {
    doc.block_of(symbol).is_some()
}

/// Whether an object is an element of an array, or is within one.
fn is_of_array(object: &Reference) -> bool {
    object.parts.iter().any(|part| matches!(part, Part::Elements(_)))
}

fn is_element(reference: &Reference) -> bool {
    reference.ty.rank == 0 && matches!(reference.parts.last(), Some(Part::Elements(_)))
}

/// Whether the dummy argument of some body that may be executed is an array; an unknown one may be.
fn takes_array(
    accesses: &Accesses<'_>,
    call: &CallSite<'_>,
    actual: &super::access::Actual,
) -> bool {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let scalar = |symbol: SymbolId| doc.symbols[symbol].rank == Some(0);
    let targets = &call.targets;
    if targets.unknown || !targets.outside.is_empty() {
        return true;
    }
    !targets.bodies.iter().all(|&entry| {
        let dummies = storage.procedures().dummies(doc, entry);
        let dummy = dummies.get(actual.position).and_then(|dummy| dummy.symbol);
        dummy.is_none_or(scalar)
    })
}
