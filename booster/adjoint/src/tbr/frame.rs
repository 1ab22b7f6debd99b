//! The requirements of each step of a body on the recording of values: the locations of storage that its adjoint
//! reads, which it may overwrite and by which names, and whom it calls.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use foldhash::fast::FixedState;
use smallvec::SmallVec;
use xaif_schema::model::{Attr, Document, ProcId, RefId, ScopeKind, StmtId, StmtKind, SymbolId};

use super::control::{ConstructKind, Constructs};
use super::names::{Name, of_actual};
use crate::queries::needs::{
    calls_active_function, gets_a_statement, is_active, is_active_call, needs,
};
use crate::queries::selectors::{
    asked_by_arms, read_by, read_by_arms, read_by_selectors, subscript_references,
};
use booster_facts::access::{ActualValue, CallSite, Event, ReadRole, Write as Written_, Written};
use booster_facts::dependence::has_elements;
use booster_facts::externals::Externals;
use booster_facts::overwrites::reached_without_arguments;
use booster_facts::side_effects::{
    CallEffects, SideEffects, WrittenNames, effects_of_call, names_for_call,
};
use booster_facts::{
    Accesses, BodyEvents, CallMap, Lifetime, Location, LocationId, Locations, StepAt, StepKey,
    StepMap, Storage,
};
use booster_flow::Step;
use booster_rules::Catalogue;

/// Locations of a body by their numbers in it.
pub type Numbers = SmallVec<[u32; 2]>;

/// The locations of a body, numbered, and its steps.
#[derive(Debug, Default)]
pub struct Frame {
    /// The locations that the body touches; their positions are their numbers.
    pub locations: Vec<LocationId>,
    numbers: HashMap<LocationId, u32, FixedState>,
    pub(super) steps: StepMap<Acts>,
    /// The classes of needs of an array, as further numbers of its location (`elements`).
    pub(super) classes: HashMap<u32, Numbers, FixedState>,
}

/// What a step means.
#[derive(Debug, Default)]
pub struct Acts {
    /// What its adjoint reads, with the values before the step.
    pub needs: Vec<Need>,
    /// What its adjoint reads with the values behind the step.
    pub results: Vec<Need>,
    /// What it may overwrite, in order.
    pub writes: Vec<Overwriting>,
    /// The locations of which nothing is left, or all is recorded if it is needed.
    pub kill: Numbers,
    /// What MOVE_ALLOC takes and what it gives it to: the backward sweep gets the one from the other.
    pub moved: Option<(Numbers, Numbers)>,
    /// A recomputation: what it recomputes, and what that needs.
    pub recompute: Option<Recomputation>,
    /// The numbers that needs have behind it, in the place of those before it, where an iteration begins.
    pub ages: SmallVec<[(u32, u32); 2]>,
    /// The active calls.
    pub calls: Vec<ActiveCall>,
    /// What they reach through one actual argument alone.
    pub through: Vec<ThroughActual>,
    /// Whether its adjoint consists of more than taking back what it recorded.
    pub live: bool,
    /// Whether it is a place where something can be recorded.
    pub recordable: bool,
}

/// A value that the backward sweep computes again where it is required.
#[derive(Clone, Debug, Default)]
pub struct Recomputation {
    /// The locations that hold the value.
    pub value: Numbers,
    /// The reads of the computation.
    pub operands: Vec<Need>,
}

/// A location that an adjoint reads.
#[derive(Clone, Debug)]
pub struct Need {
    /// The location.
    pub location: u32,
    /// The reference by which it is read; `None` where a procedure that is called reads it.
    pub reference: Option<RefId>,
    /// The reference of which nothing else is read, that of an actual argument included.
    pub within: Option<RefId>,
}

impl Need {
    /// A read by a reference.
    fn by(location: u32, reference: RefId) -> Self {
        Need { location, reference: Some(reference), within: Some(reference) }
    }

    /// A read of anything in a location.
    pub fn anywhere(location: u32) -> Self {
        Need { location, reference: None, within: None }
    }
}

/// A location that a call reaches through one actual argument alone.
#[derive(Clone, Debug)]
pub struct ThroughActual {
    /// The location.
    pub location: u32,
    /// The actual argument.
    pub actual: RefId,
    /// What the adjoint of the callee needs of it behind the call.
    pub behind: u32,
    /// The needs that the call may overwrite.
    pub overwritten: Numbers,
}

/// An overwriting.
#[derive(Clone, Debug)]
pub struct Overwriting {
    /// How what is overwritten is recorded.
    pub name: Name,
    /// What is overwritten.
    pub locations: Numbers,
    /// What the subscripts of the name read: needed where it is recorded.
    pub subscripts: Numbers,
}

impl Overwriting {
    fn new(name: Name, locations: Numbers) -> Self {
        Overwriting { name, locations, subscripts: Numbers::new() }
    }
}

/// A call that has an adjoint.
#[derive(Debug)]
pub struct ActiveCall {
    /// The procedures that may be executed, each with the counterparts of its locations in the caller.
    pub ways: Vec<(ProcId, CallMap)>,
    /// Locations of results of functions, and what takes them: what remains of them behind the call.
    pub results: Vec<(LocationId, LocationId)>,
}

/// What frames are made from.
pub(crate) struct Maker<'m, 'd> {
    pub(crate) accesses: &'m Accesses<'d>,
    pub(crate) externals: &'m Externals,
    pub(crate) catalogue: &'m Catalogue,
    pub(crate) effects: &'m SideEffects,
    /// The same, with what the adjoints of procedures read in the place of what the procedures read.
    pub(crate) adjoint: &'m SideEffects,
    /// What the backward sweep executes again before what mirrors a propagator.
    pub(crate) again: &'m HashMap<StmtId, Vec<StmtId>>,
    pub(crate) constructs: &'m Constructs,
    pub(crate) body: &'m BodyEvents<'d>,
    /// The recomputations that each one stands for: itself and those beside it.
    pub(crate) recomputed: &'m HashMap<StmtId, Vec<StmtId>>,
}

impl Frame {
    /// Looks at all steps of a body.
    pub(crate) fn new(maker: &Maker<'_, '_>) -> Self {
        let mut frame = Frame::default();
        if maker.body.steps.iter().any(|step| maker.is_world(step)) {
            frame.number_the_world(maker);
        }
        for step in &maker.body.steps {
            let acts = frame.acts(maker, step);
            frame.steps.insert(StepKey::of(step.step), acts);
        }
        frame.divide_needs(maker.accesses, maker.body);
        frame
    }

    /// A frame of so many locations with these steps.
    pub fn of_steps(size: u32, steps: StepMap<Acts>) -> Self {
        let locations: Vec<LocationId> = (0..size).map(LocationId::from_u32).collect();
        let numbers =
            locations.iter().zip(0..).map(|(&location, number)| (location, number)).collect();
        Frame { locations, numbers, steps, ..Frame::default() }
    }

    /// What a step means.
    pub(crate) fn of(&self, step: StepKey) -> Option<&Acts> {
        self.steps.get(&step)
    }

    /// The number of a location, without its classes; `None` where the body does not touch it.
    pub(crate) fn number(&self, location: LocationId) -> Option<u32> {
        self.numbers.get(&location).copied()
    }

    /// The numbers of those of `locations` that the body touches, with their classes.
    pub(crate) fn known<'u>(&self, locations: impl IntoIterator<Item = &'u LocationId>) -> Numbers {
        self.numbers(locations).flat_map(|number| self.with_classes(number)).collect()
    }

    /// The numbers of those of `locations` that the body touches, without their classes.
    pub(crate) fn numbers<'u>(
        &self,
        locations: impl IntoIterator<Item = &'u LocationId>,
    ) -> impl Iterator<Item = u32> {
        locations.into_iter().filter_map(|&location| self.number(location))
    }

    /// A number of a location and those of its classes.
    pub(crate) fn with_classes(&self, number: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::once(number).chain(self.classes.get(&number).into_iter().flatten().copied())
    }

    /// What a statement that stands in a WHERE or FORALL overwrites.
    pub(crate) fn inner(&self, maker: &Maker<'_, '_>, stmt: StmtId) -> Vec<Overwriting> {
        let (doc, storage) = (maker.accesses.doc(), maker.accesses.storage());
        let events = maker.accesses.of(maker.body.proc, Step::Stmt(stmt));
        let mut found = Vec::new();
        for event in &events {
            if let Event::Write(Written_ { place: Written::Ref(reference), .. }) = event {
                let locations = self.known(&storage.locations_of(doc, *reference));
                found.push(Overwriting::new(Name::Ref(*reference), locations));
            }
        }
        found
    }

    fn add(&mut self, location: LocationId) -> u32 {
        let next = self.locations.len() as u32;
        let number = *self.numbers.entry(location).or_insert(next);
        if number == next {
            self.locations.push(location);
        }
        number
    }

    fn add_all(&mut self, locations: impl IntoIterator<Item = LocationId>) -> Numbers {
        locations.into_iter().map(|location| self.add(location)).collect()
    }

    /// Where everything may be overwritten, it happens to all that the body sees.
    fn number_the_world(&mut self, maker: &Maker<'_, '_>) {
        let proc = maker.body.proc;
        for (location, data) in maker.accesses.storage().locations() {
            let visible = match data.lifetime {
                Lifetime::Global => true,
                Lifetime::Dummy(owner) | Lifetime::Local(owner) => {
                    owner == proc || maker.accesses.sees(proc, data.lifetime)
                }
            };
            if visible {
                self.add(location);
            }
        }
    }

    fn acts(&mut self, maker: &Maker<'_, '_>, at: &StepAt<'_>) -> Acts {
        let doc = maker.accesses.doc();
        let provided = maker.constructs.provided(at.vertex);
        let mut acts = Acts::default();
        let mut references = Vec::new();
        let mut stmt = None;
        match at.step {
            Step::Enter(_) => references = reads(&at.events, |role| role == ReadRole::Bound),
            Step::Concurrent(_) => references = reads(&at.events, |_| true),
            // The canonical form gives such a function a statement of its own, with an adjoint.
            Step::Evaluate(_) if calls_active_function(doc, &at.events) => {
                references = reads(&at.events, |_| true);
                references.extend(read_by_selectors(doc, &at.events));
            }
            Step::Evaluate(_) | Step::Leave => {}
            Step::Stmt(id) if doc.stmts[id].recompute => {
                return self.recomputation(maker, at, id, &provided);
            }
            Step::Stmt(id) => {
                if maker.provides(id) {
                    for reference in reads(&at.events, |_| true) {
                        self.add_all(maker.accesses.storage().locations_of(doc, reference));
                    }
                    return acts;
                }
                let again = maker.again.get(&id).map_or(&[][..], Vec::as_slice);
                let storage = maker.accesses.storage();
                let needs = needs((doc, storage), maker.catalogue, id, &at.events, again);
                if let Some(result) = needs.result {
                    let locations = self.add_all(storage.locations_of(doc, result));
                    acts.results
                        .extend(locations.into_iter().map(|location| Need::by(location, result)));
                }
                (acts.live, references) = (needs.live, needs.references);
                if acts.live {
                    references.extend(read_by_selectors(doc, &at.events));
                    references.extend(read_by_arms(doc, maker.body.proc, at.vertex));
                }
                acts.recordable = true;
                stmt = Some(id);
            }
        }
        self.need(maker, &references, &provided, &mut acts);
        self.need_properties(maker, at, stmt, &references, &mut acts);
        for event in &at.events {
            self.event(maker, stmt, event, &provided, &mut acts);
        }
        if let Some(StmtKind::Call(call)) = stmt.map(|stmt| &doc.stmts[stmt].kind)
            && let Some((from, to)) = doc.moved(call)
        {
            let storage = maker.accesses.storage();
            let [from, to] = [from, to].map(|one| self.add_all(storage.reach(doc, one)));
            acts.moved = Some((from, to));
        }
        if matches!(at.step, Step::Enter(_)) {
            // What is given its default value as the procedure is entered is recorded by nobody.
            acts.writes.clear();
            acts.kill.clear();
        }
        steady_names(maker, &mut acts, self);
        let is_forall = |stmt: StmtId| matches!(doc.stmts[stmt].kind, StmtKind::Forall(_));
        // A FORALL becomes loops, which record element by element.
        if !stmt.is_some_and(is_forall) {
            self.cover(maker, &mut acts);
        }
        if stmt.is_some_and(|stmt| !doc.stmts[stmt].adjoint_live) {
            acts.leave_out(doc, stmt);
        }
        let arms = read_by_arms(doc, maker.body.proc, at.vertex);
        let asked = asked_by_arms(doc, maker.accesses.storage(), maker.body.proc, at.vertex);
        for write in &mut acts.writes {
            let named = write.name.reference();
            let read = named.into_iter().flat_map(|name| subscript_references(doc, name));
            let read = read.chain(arms.iter().copied()).filter(|&read| {
                let read = &doc.refs[read];
                !(read.parts.is_empty() && provided.contains(&read.base))
            });
            let locations: Vec<LocationId> = read
                .flat_map(|r| maker.accesses.storage().locations_of(doc, r))
                .chain(asked.clone())
                .collect();
            write.subscripts = self.add_all(locations);
        }
        acts
    }

    /// A recomputation overwrites nothing, and has no adjoint. The first of those that stand together stands for all.
    fn recomputation(
        &mut self,
        maker: &Maker<'_, '_>,
        at: &StepAt<'_>,
        stmt: StmtId,
        provided: &[SymbolId],
    ) -> Acts {
        let (doc, storage) = (maker.accesses.doc(), maker.accesses.storage());
        let members = maker.recomputed.get(&stmt).map_or(&[][..], Vec::as_slice);
        let mut read = Acts::default();
        let (mut asked, mut value) = (Vec::new(), Numbers::new());
        for &member in members {
            let events = maker.body.events(Step::Stmt(member));
            let references = reads(events, |_| true);
            self.need(maker, &references, provided, &mut read);
            asked.extend(references.iter().flat_map(|&one| storage.asked_by(doc, one)));
            for event in events {
                if let Event::Write(Written_ { place: Written::Ref(reference), .. }) = event {
                    let written = self.add_all(storage.locations_of(doc, *reference));
                    value.extend(
                        written.into_iter().filter(|own| !value.contains(own)).collect::<Numbers>(),
                    );
                }
            }
        }
        if members.is_empty() {
            for reference in reads(&at.events, |_| true) {
                self.add_all(storage.locations_of(doc, reference));
            }
            return Acts::default();
        }
        let mut operands = read.needs;
        operands.extend(self.add_all(asked).into_iter().map(Need::anywhere));
        operands.retain(|need| !value.contains(&need.location));
        Acts { recompute: Some(Recomputation { value, operands }), ..Acts::default() }
    }

    /// What the adjoint reads by `references`, but for the variables of loops around.
    fn need(
        &mut self,
        maker: &Maker<'_, '_>,
        references: &[RefId],
        provided: &[SymbolId],
        acts: &mut Acts,
    ) {
        let (doc, storage) = (maker.accesses.doc(), maker.accesses.storage());
        for &reference in references {
            let data = &doc.refs[reference];
            if data.parts.is_empty() && provided.contains(&data.base) {
                continue;
            }
            for location in storage.locations_of(doc, reference) {
                let location = self.add(location);
                acts.needs.push(Need::by(location, reference));
            }
        }
    }

    /// The properties that the adjoint of a step depends on: those on the way to what it reads, to what has an adjoint, and
    /// what inquiries ask for. The other operands of an assignment are not read again.
    fn need_properties(
        &mut self,
        maker: &Maker<'_, '_>,
        at: &StepAt<'_>,
        stmt: Option<StmtId>,
        references: &[RefId],
        acts: &mut Acts,
    ) {
        let (doc, storage) = (maker.accesses.doc(), maker.accesses.storage());
        let evaluated = match at.step {
            Step::Enter(_) | Step::Concurrent(_) => true,
            Step::Evaluate(_) => calls_active_function(doc, &at.events),
            Step::Stmt(_) => acts.live,
            Step::Leave => false,
        };
        if !evaluated {
            return;
        }
        let plain = stmt.is_some_and(|stmt| {
            matches!(doc.stmts[stmt].kind, StmtKind::Assign { defined: None, .. })
        });
        let mut locations: Vec<LocationId> = match at.step {
            Step::Stmt(_) => asked_by_arms(doc, storage, maker.body.proc, at.vertex),
            Step::Enter(_) | Step::Concurrent(_) | Step::Evaluate(_) | Step::Leave => Vec::new(),
        };
        for &reference in references {
            locations.extend(storage.asked_by(doc, reference));
        }
        for event in &at.events {
            match event {
                Event::Ask(reference, asked) if !plain || is_active(doc, *reference) => {
                    locations.extend(asked);
                }
                Event::Read(reference, ReadRole::Inquiry) => {
                    locations.extend(storage.asked_by(doc, *reference));
                }
                // The adjoint of the call is chosen by the type of the object, which may be passive.
                Event::Call(call) => {
                    let object = call.callee.object.into_iter();
                    locations.extend(object.flat_map(|own| storage.asked_by_object(doc, own)));
                }
                Event::Ask(..)
                | Event::Read(..)
                | Event::Write(_)
                | Event::Allocate(_)
                | Event::Release { .. }
                | Event::Associate(_)
                | Event::Reshape(_)
                | Event::Anything => {}
            }
        }
        for location in locations {
            let location = self.add(location);
            acts.needs.push(Need::anywhere(location));
        }
    }

    fn need_locations(
        &mut self,
        maker: &Maker<'_, '_>,
        locations: impl IntoIterator<Item = LocationId>,
        provided: &[SymbolId],
        acts: &mut Acts,
    ) {
        let storage = maker.accesses.storage();
        for location in locations {
            let members = &storage.locations()[location].members;
            let is_provided = members
                .iter()
                .all(|member| member.path.is_empty() && provided.contains(&member.symbol));
            let location = self.add(location);
            if !is_provided {
                let mut through = acts.through.iter();
                let within = through.find(|through| through.location == location);
                let within = within.map(|through| through.actual);
                acts.needs.push(Need { location, reference: None, within });
            }
        }
    }

    fn event(
        &mut self,
        maker: &Maker<'_, '_>,
        stmt: Option<StmtId>,
        event: &Event<'_>,
        provided: &[SymbolId],
        acts: &mut Acts,
    ) {
        let (doc, storage) = (maker.accesses.doc(), maker.accesses.storage());
        match event {
            Event::Write(write) => {
                let (locations, entirely) = maker.accesses.written(write);
                let locations = self.add_all(locations);
                if entirely {
                    acts.kill.extend(locations.iter().copied());
                }
                let name = name_of(maker, write.place);
                acts.writes.push(Overwriting::new(name, locations));
            }
            Event::Call(call) => self.call(maker, stmt, call, provided, acts),
            Event::Release { object, nullify: false } => {
                let locations = self.add_all(storage.locations_of(doc, *object));
                // What is deallocated has no value any more.
                if storage.kills(doc, *object) {
                    acts.kill.extend(locations.iter().copied());
                }
                acts.writes.push(Overwriting::new(Name::Ref(*object), locations));
            }
            // Values stay where they are; what points to them is the matter of whoever reverses.
            Event::Release { object, nullify: true }
            | Event::Allocate(object)
            | Event::Associate(object) => {
                self.add_all(storage.locations_of(doc, *object));
            }
            Event::Anything => {
                for location in 0..self.locations.len() as u32 {
                    self.overwrite_location(location, acts);
                }
            }
            // Numbered, as a condition or bound may be evaluated again.
            Event::Read(reference, _) => {
                self.add_all(storage.locations_of(doc, *reference));
            }
            Event::Ask(_, locations) => {
                self.add_all(locations.iter().copied());
            }
            Event::Reshape(reshape) => {
                let locations = self.add_all(reshape.locations.iter().copied());
                if reshape.certain {
                    acts.kill.extend(locations.iter().copied());
                }
                acts.writes.push(Overwriting::new(name_of(maker, reshape.place), locations));
            }
        }
    }

    fn overwrite_location(&self, location: u32, acts: &mut Acts) {
        let Some(&id) = self.locations.get(location as usize) else { return };
        let locations = Numbers::from_elem(location, 1);
        acts.writes.push(Overwriting::new(Name::Location(id), locations));
    }

    fn call(
        &mut self,
        maker: &Maker<'_, '_>,
        stmt: Option<StmtId>,
        call: &CallSite<'_>,
        provided: &[SymbolId],
        acts: &mut Acts,
    ) {
        let (doc, storage) = (maker.accesses.doc(), maker.accesses.storage());
        let found = effects_of_call(maker.accesses, call, maker.externals, maker.effects);
        let properties = &found.properties;
        self.add_all(found.used.iter().chain(&properties.used).copied());
        let own = is_active_call(doc, stmt, call);
        if own || gets_a_statement(doc, stmt, call) {
            // Of several calls in one step each may reach what another one does.
            acts.through = match acts.calls.is_empty() {
                true => self.through_actuals(maker, call),
                false => Vec::new(),
            };
            let again = effects_of_call(maker.accesses, call, maker.externals, maker.adjoint);
            // What the callee overwrites itself is in the snapshot that is taken of it, by the name by
            // which it overwrites it. Of a call that the forward sweep leaves out there is no snapshot.
            let dead = stmt.is_some_and(|stmt| !doc.stmts[stmt].adjoint_live);
            let values = if dead { &again.input } else { &again.only_read };
            let only_read = values.iter().chain(&properties.only_read);
            self.need_locations(maker, only_read.copied(), provided, acts);
            // The values that it overwrites are taken back where their objects are allocated, as they were.
            self.need_locations(maker, kept_properties(doc, storage, call, &found), provided, acts);
            let ways = call.targets.bodies.iter();
            let ways = ways.map(|&entry| (entry.proc, CallMap::new(maker.accesses, call, entry)));
            let results = results_of(doc, storage, stmt, call);
            acts.calls.push(ActiveCall { ways: ways.collect(), results });
        }
        if !own && acts.live {
            // A function that is evaluated again for a partial derivative or a subscript.
            let input = found.input.iter().chain(&properties.input);
            self.need_locations(maker, input.copied(), provided, acts);
        }
        let out: BTreeSet<LocationId> = found.out.union(&properties.out).copied().collect();
        let mut rest = out.clone();
        let (_, reached) = reached_without_arguments(maker.accesses, call, maker.effects);
        let objects = call.callee.object.map(|object| {
            let mut locations = storage.reach_of_object(doc, object);
            locations.extend(storage.asked_by_object(doc, object));
            (Name::Around(object), locations)
        });
        let actuals = call.actuals.iter().filter_map(|actual| {
            let locations = match actual.value {
                ActualValue::Variable(reference) => {
                    let mut locations = storage.reach(doc, reference);
                    locations.extend(storage.properties_reached(doc, reference));
                    locations
                }
                ActualValue::Object(_)
                | ActualValue::Target(..)
                | ActualValue::Value(..)
                | ActualValue::Procedure(_) => Locations::new(),
            };
            Some((of_actual(doc, storage, call, actual)?, locations))
        });
        for (name, locations) in objects.into_iter().chain(actuals) {
            let touched: Vec<LocationId> =
                locations.into_iter().filter(|location| out.contains(location)).collect();
            if touched.is_empty() {
                continue;
            }
            rest.retain(|location| !touched.contains(location) || reached.contains(location));
            let locations = self.add_all(touched);
            acts.writes.push(Overwriting::new(name, locations));
        }
        let written = WrittenNames::of_call(maker.accesses, call, &found, maker.effects);
        for id in rest {
            let location = self.add(id);
            let (names, are_exact) =
                names_for_call(doc, storage, (maker.body.proc, id), (&found, &written));
            if are_exact {
                let name = Name::Written(names.into_vec().into());
                acts.writes.push(Overwriting::new(name, Numbers::from_elem(location, 1)));
            } else {
                self.overwrite_location(location, acts);
            }
        }
        if found.world {
            for location in 0..self.locations.len() as u32 {
                let data = &storage.locations()[self.locations[location as usize]];
                if data.lifetime == Lifetime::Global && can_be_reached(doc, data) {
                    self.overwrite_location(location, acts);
                }
            }
        }
        acts.kill.extend(self.known(found.kill.iter().chain(&properties.kill)));
    }

    /// What a call reaches through one actual argument of elements alone.
    fn through_actuals(
        &mut self,
        maker: &Maker<'_, '_>,
        call: &CallSite<'_>,
    ) -> Vec<ThroughActual> {
        let (doc, storage) = (maker.accesses.doc(), maker.accesses.storage());
        let (used, _) = reached_without_arguments(maker.accesses, call, maker.effects);
        let mut reached: BTreeMap<LocationId, Vec<Option<RefId>>> = BTreeMap::new();
        if let Some(object) = call.callee.object {
            for location in storage.reach_of_object(doc, object) {
                reached.entry(location).or_default().push(None);
            }
        }
        for actual in &call.actuals {
            let ActualValue::Variable(reference) = actual.value else { continue };
            let name = of_actual(doc, storage, call, actual);
            let only = matches!(name, Some(Name::Ref(_))) && has_elements(doc, reference);
            for location in storage.reach(doc, reference) {
                reached.entry(location).or_default().push(only.then_some(reference));
            }
        }
        let mut found = Vec::new();
        for (location, by) in reached {
            if let [Some(actual)] = by[..]
                && !used.contains(&location)
            {
                let location = self.add(location);
                let overwritten = Numbers::from_elem(location, 1);
                found.push(ThroughActual { location, actual, behind: location, overwritten });
            }
        }
        found
    }

    /// What is recorded as a whole is needed no more behind the step, whatever happens to it.
    ///
    /// Not so at an active call: in split mode it is the callee that records, which may do so part
    /// by part.
    fn cover(&self, maker: &Maker<'_, '_>, acts: &mut Acts) {
        if !acts.recordable || !acts.calls.is_empty() {
            return;
        }
        let (doc, storage) = (maker.accesses.doc(), maker.accesses.storage());
        for write in &acts.writes {
            let covered = write.locations.iter().filter(|&&location| {
                let location = self.locations[location as usize];
                write.name.covers(doc, storage, location)
            });
            acts.kill.extend(covered.copied());
        }
    }
}

impl Acts {
    fn through(&self, number: u32) -> Option<&ThroughActual> {
        self.through.iter().find(|through| through.location == number)
    }

    /// The class of what a callee needs of a location behind the call.
    pub(crate) fn behind(&self, number: u32) -> u32 {
        self.through(number).map_or(number, |through| through.behind)
    }

    /// The needs of a location that the call may overwrite.
    pub(crate) fn overwritten(&self, frame: &Frame, number: u32) -> Numbers {
        match self.through(number) {
            Some(through) => through.overwritten.clone(),
            None => frame.with_classes(number).collect(),
        }
    }

    /// The forward sweep does not execute the statement: it overwrites nothing. The result of a function stays among what is
    /// recorded, as the adjoint of the function uses its place.
    fn leave_out(&mut self, doc: &Document, stmt: Option<StmtId>) {
        let result = stmt.and_then(|stmt| match doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, defined: None, .. } if !self.calls.is_empty() => Some(lhs),
            _ => None,
        });
        self.writes.retain(|write| result.is_some_and(|lhs| write.name == Name::Ref(lhs)));
        let left: Vec<u32> =
            self.writes.iter().flat_map(|write| write.locations.iter().copied()).collect();
        self.kill.retain(|location| left.contains(location));
    }
}

impl Maker<'_, '_> {
    /// Whether `stmt` assigns the next value of a loop that the backward sweep counts itself.
    fn provides(&self, stmt: StmtId) -> bool {
        self.constructs.counted_by(stmt).is_some_and(|construct| match construct.kind {
            ConstructKind::Counted { update, .. } => !construct.entered && update == stmt,
            ConstructKind::Branch | ConstructKind::Loop => false,
        })
    }

    fn is_world(&self, step: &StepAt<'_>) -> bool {
        step.events.iter().any(|event| match event {
            Event::Anything => true,
            Event::Call(call) => {
                effects_of_call(self.accesses, call, self.externals, self.effects).world
            }
            Event::Read(..)
            | Event::Write(_)
            | Event::Allocate(_)
            | Event::Release { .. }
            | Event::Ask(..)
            | Event::Reshape(_)
            | Event::Associate(_) => false,
        })
    }
}

/// Whether code without a source may name a global location: it cannot where all names of it are saved
/// variables of procedures, to which nothing points.
fn can_be_reached(doc: &Document, location: &Location) -> bool {
    location.members.iter().any(|member| {
        let symbol = &doc.symbols[member.symbol];
        let saved = matches!(doc.scopes[symbol.scope].kind, ScopeKind::Procedure(_));
        let common = symbol.decl.as_ref().is_some_and(|decl| decl.common.is_some());
        !saved || common || symbol.has(Attr::Target) || symbol.has(Attr::Pointer)
    })
}

/// The locations of what functions return, and those of the variable to which `stmt` assigns it.
fn results_of(
    doc: &xaif_schema::model::Document,
    storage: &Storage,
    stmt: Option<StmtId>,
    call: &CallSite<'_>,
) -> Vec<(LocationId, LocationId)> {
    let Some(StmtKind::Assign { lhs, defined: None, .. }) = stmt.map(|id| &doc.stmts[id].kind)
    else {
        return Vec::new();
    };
    let bodies = call.targets.bodies.iter();
    let results = bodies.filter_map(|&entry| storage.procedures().result(doc, entry));
    results.flat_map(|result| storage.passed(doc, result, *lhs)).collect()
}

fn name_of(maker: &Maker<'_, '_>, place: Written) -> Name {
    let doc = maker.accesses.doc();
    match place {
        Written::Ref(reference) => Name::Ref(reference),
        Written::Symbol(symbol) => match doc.scopes[doc.symbols[symbol].scope].kind {
            ScopeKind::Indices | ScopeKind::StatementFunction(_) => Name::Hidden,
            ScopeKind::Plain
            | ScopeKind::Global
            | ScopeKind::Module(_)
            | ScopeKind::Submodule { .. }
            | ScopeKind::Procedure(_)
            | ScopeKind::BlockData(_)
            | ScopeKind::DerivedType(_)
            | ScopeKind::Block
            | ScopeKind::Associate => Name::Symbol(symbol),
        },
    }
}

/// Takes care of names whose subscripts the step may overwrite.
///
/// Those of a call are evaluated before it: the name comes first, what its subscripts read later, so
/// that this is taken back first. A name that depends on itself, or that is between others, becomes
/// the whole variable; so does one in any other statement, where it may be evaluated after the
/// subscript has got its value (`read *, n, x(n)`). What a name of ASSOCIATE or SELECT TYPE stands for
/// is settled before the construct.
fn steady_names(maker: &Maker<'_, '_>, acts: &mut Acts, frame: &mut Frame) {
    let (doc, storage) = (maker.accesses.doc(), maker.accesses.storage());
    let subscripts: Vec<Option<Numbers>> = acts
        .writes
        .iter()
        .map(|write| write.name.reference().map(|r| subscript_locations(doc, storage, frame, r)))
        .collect();
    let only_calls = acts.writes.iter().all(|write| !matches!(write.name, Name::Hidden))
        && !acts.calls.is_empty();
    let reads = |by: usize, write: &Overwriting| {
        let read = subscripts.get(by).and_then(Option::as_ref);
        read.is_some_and(|read| read.iter().any(|location| write.locations.contains(location)))
    };
    let depends: Vec<bool> =
        (0..acts.writes.len()).map(|i| acts.writes.iter().any(|write| reads(i, write))).collect();
    let mut whole = Vec::new();
    for (i, write) in acts.writes.iter().enumerate() {
        let between = (0..acts.writes.len()).any(|other| reads(other, write));
        if depends[i] && (!only_calls || between) {
            whole.push(i);
        }
    }
    for &i in &whole {
        if let Some(reference) = acts.writes[i].name.reference() {
            acts.writes[i].name = Name::Whole(reference);
        }
    }
    let mut order: Vec<(bool, Overwriting)> = acts
        .writes
        .drain(..)
        .enumerate()
        .map(|(i, write)| (!depends[i] || whole.contains(&i), write))
        .collect();
    order.sort_by_key(|(later, _)| *later);
    acts.writes = order.into_iter().map(|(_, write)| write).collect();
}

fn subscript_locations(
    doc: &xaif_schema::model::Document,
    storage: &Storage,
    frame: &mut Frame,
    reference: RefId,
) -> Numbers {
    let locations =
        read_by(doc, reference).into_iter().flat_map(|inner| storage.locations_of(doc, inner));
    frame.add_all(locations.collect::<Vec<_>>())
}

/// The references that events read in certain roles, and whose values are asked for.
pub(crate) fn reads(events: &[Event<'_>], wanted: impl Fn(ReadRole) -> bool) -> Vec<RefId> {
    let read = events.iter().filter_map(|event| match event {
        Event::Read(reference, role) => {
            (*role != ReadRole::Inquiry && wanted(*role)).then_some(*reference)
        }
        Event::Write(_)
        | Event::Call(_)
        | Event::Allocate(_)
        | Event::Release { .. }
        | Event::Associate(_)
        | Event::Ask(..)
        | Event::Reshape(_)
        | Event::Anything => None,
    });
    read.collect()
}

/// The properties, which a call does not change, of objects that are passed to it and whose values it overwrites.
fn kept_properties(
    doc: &Document,
    storage: &Storage,
    call: &CallSite<'_>,
    found: &CallEffects,
) -> BTreeSet<LocationId> {
    let reached = call.actuals.iter().flat_map(|actual| match actual.value {
        ActualValue::Variable(reference) => storage.properties_reached(doc, reference),
        ActualValue::Object(_)
        | ActualValue::Target(..)
        | ActualValue::Value(..)
        | ActualValue::Procedure(_) => Locations::new(),
    });
    let is_kept = |&property: &LocationId| {
        !found.properties.out.contains(&property)
            && storage.values_with(property).iter().any(|location| found.out.contains(location))
    };
    reached.filter(is_kept).collect()
}
