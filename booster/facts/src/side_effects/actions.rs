//! The events of a body as uses and definitions of locations, numbered densely.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use fixedbitset::FixedBitSet;
use foldhash::fast::FixedState;
use smallvec::{SmallVec, smallvec};
use xaif_schema::model::{ProcId, RefId, Role};

use super::Summaries;
use super::calls::{CallEffects, effects_of_call};
use crate::access::{Accesses, ActualValue, CallSite, Event, ReadRole, Written};
use crate::externals::Externals;
use crate::storage::Member;
use crate::{BodyEvents, Lifetime, LocationId, StepKey, StepMap};

/// Locations of a body by their numbers in it.
pub(super) type Numbers = SmallVec<[u32; 2]>;

/// References of the program with the locations that each of them touches. Most actions have one.
type Refs = SmallVec<[(RefId, Numbers); 1]>;

/// One thing that a step does to locations.
#[derive(Clone, Debug)]
pub enum Action {
    /// Their values are read.
    Use {
        /// All that is read.
        locations: Numbers,
        /// The references of the program by which it is.
        refs: Refs,
    },
    /// They are overwritten.
    Define {
        /// All that is overwritten.
        locations: Numbers,
        /// The references of the program by which it is, and by which nothing is read.
        refs: Refs,
        /// Certainly, and all of each of them.
        entirely: bool,
    },
}

/// What all steps of a body do.
#[derive(Clone, Debug)]
pub struct Actions {
    proc: ProcId,
    /// The locations that the body touches; their positions are their numbers.
    pub locations: Vec<LocationId>,
    numbers: HashMap<LocationId, u32, FixedState>,
    /// The actions of all steps, one step after the other.
    actions: Vec<Action>,
    /// Where in them those of a step are.
    steps: StepMap<Range<usize>>,
    /// Locations that the body or its callees may read.
    pub used: FixedBitSet,
    /// Locations that the body or its callees may overwrite.
    pub out: FixedBitSet,
    /// Locations that statements of the body itself may read.
    pub used_here: FixedBitSet,
    /// Locations that statements of the body itself may overwrite.
    pub out_here: FixedBitSet,
    /// Locations that are read where an ENTRY is entered.
    pub on_entry: FixedBitSet,
    /// Whether everything global may be read and written.
    pub world: bool,
    /// Whether it may be by a statement of the body itself.
    pub world_here: bool,
    /// Whether the program ends behind the step that is looked at: nobody sees what it overwrites.
    ends: bool,
}

/// Where everything that is visible may be read and written.
struct World {
    /// The position of the step in the body.
    step: usize,
    /// The position among all actions.
    at: usize,
    /// Whether it is by a statement of the body, which sees its variables and dummy arguments; another does not.
    own: bool,
    /// Whether the program ends behind it.
    ends: bool,
}

impl Actions {
    /// The actions of all steps of a body.
    pub fn new(
        accesses: &Accesses<'_>,
        body: &BodyEvents<'_>,
        externals: &Externals,
        summaries: &dyn Summaries,
    ) -> Self {
        let mut actions = Actions {
            proc: body.proc,
            locations: Vec::new(),
            numbers: HashMap::default(),
            actions: Vec::new(),
            steps: StepMap::default(),
            used: FixedBitSet::new(),
            out: FixedBitSet::new(),
            used_here: FixedBitSet::new(),
            out_here: FixedBitSet::new(),
            on_entry: FixedBitSet::new(),
            world: false,
            world_here: false,
            ends: false,
        };
        // Where everything may happen, it happens to all locations of the body: number them first.
        let mut worlds: Vec<World> = Vec::new();
        let mut list = Vec::new();
        let mut ranges: Vec<Range<usize>> = Vec::with_capacity(body.steps.len());
        for (number, step) in body.steps.iter().enumerate() {
            actions.ends = step.ends;
            let ends = step.ends;
            let key = StepKey::of(step.step);
            let begin = list.len();
            for event in &step.events {
                match event {
                    Event::Call(call) => {
                        let effects = effects_of_call(accesses, call, externals, summaries);
                        actions.call(accesses, call, &effects, &mut list);
                        if effects.world {
                            // Before what the call overwrites entirely.
                            let at = list.len() - 1;
                            worlds.push(World { step: number, at, own: false, ends });
                        }
                    }
                    Event::Anything => {
                        actions.world_here |= !ends;
                        worlds.push(World { step: number, at: list.len(), own: true, ends });
                    }
                    other => actions.simple(accesses, key, other, &mut list),
                }
            }
            ranges.push(begin..list.len());
        }
        actions.actions = list;
        actions.add_worlds(accesses, &worlds, &mut ranges);
        let keys = body.steps.iter().map(|step| StepKey::of(step.step));
        actions.steps = keys.zip(ranges).collect();
        actions.fit();
        actions
    }

    /// The actions of a step, in execution order.
    pub fn of(&self, step: StepKey) -> &[Action] {
        self.steps.get(&step).map_or(&[], |range| &self.actions[range.clone()])
    }

    /// Goes backwards over a step: locations that it overwrites entirely leave `state`, locations that it reads join.
    pub fn expose(&self, step: StepKey, state: &mut FixedBitSet) {
        for action in self.of(step).iter().rev() {
            match action {
                Action::Use { locations, .. } => {
                    locations.iter().for_each(|&location| state.insert(location as usize));
                }
                Action::Define { locations, entirely: true, .. } => {
                    locations.iter().for_each(|&location| state.set(location as usize, false));
                }
                Action::Define { entirely: false, .. } => {}
            }
        }
    }

    /// Whether a location is there before and after the activation. What an arm of SELECT TYPE or SELECT
    /// RANK names may be a part of the selector that has no other name, so it may be.
    pub fn outlives(&self, accesses: &Accesses<'_>, location: LocationId) -> bool {
        let data = &accesses.storage().locations()[location];
        let is_associate = |member: &Member| {
            matches!(accesses.doc().role(member.symbol), Some(Role::Associate { .. }))
        };
        match data.lifetime {
            Lifetime::Local(owner) => owner != self.proc || data.members.iter().any(is_associate),
            Lifetime::Global | Lifetime::Dummy(_) => true,
        }
    }

    fn call(
        &mut self,
        accesses: &Accesses<'_>,
        call: &CallSite<'_>,
        effects: &CallEffects,
        list: &mut Vec<Action>,
    ) {
        let (mut read, mut written) = (Refs::new(), Refs::new());
        for actual in &call.actuals {
            let ActualValue::Variable(reference) = actual.value else { continue };
            let locations = accesses.storage().reach(accesses.doc(), reference);
            let among = |set: &BTreeSet<LocationId>| -> BTreeSet<LocationId> {
                locations.iter().copied().filter(|location| set.contains(location)).collect()
            };
            let (input, out) = (among(&effects.input), among(&effects.out));
            if !input.is_empty() {
                read.push((reference, self.numbers(&input)));
            } else if !out.is_empty() {
                written.push((reference, self.numbers(&out)));
            }
        }
        let properties = &effects.properties;
        let both = |one: &BTreeSet<LocationId>, other: &BTreeSet<LocationId>| {
            one.union(other).copied().collect()
        };
        self.note_use(&both(&effects.used, &properties.used), false);
        self.note_define(&both(&effects.out, &properties.out), false);
        let input = self.numbers(&both(&effects.input, &properties.input));
        list.push(Action::Use { locations: input, refs: read });
        let out = self.numbers(&both(&effects.out, &properties.out));
        let kill = self.numbers(&both(&effects.kill, &properties.kill));
        list.push(Action::Define { locations: out, refs: written.clone(), entirely: false });
        list.push(Action::Define { locations: kill, refs: written, entirely: true });
    }

    fn simple(
        &mut self,
        accesses: &Accesses<'_>,
        key: StepKey,
        event: &Event<'_>,
        list: &mut Vec<Action>,
    ) {
        let (doc, storage) = (accesses.doc(), accesses.storage());
        match event {
            Event::Read(reference, role) => {
                // What an inquiry reads is a property.
                if *role == ReadRole::Inquiry {
                    return;
                }
                let locations: BTreeSet<LocationId> =
                    storage.locations_of(doc, *reference).into_iter().collect();
                self.note_use(&locations, true);
                if matches!(key, StepKey::Enter(_)) {
                    let numbers = self.numbers(&locations);
                    insert(&mut self.on_entry, &numbers);
                }
                let numbers = self.numbers(&locations);
                list.push(Action::Use {
                    refs: smallvec![(*reference, numbers.clone())],
                    locations: numbers,
                });
            }
            Event::Write(write) => {
                let (locations, entirely) = accesses.written(write);
                let locations = locations.into_iter().collect();
                self.note_define(&locations, true);
                let numbers = self.numbers(&locations);
                let refs = match write.place {
                    Written::Ref(reference) => smallvec![(reference, numbers.clone())],
                    Written::Symbol(_) => Refs::new(),
                };
                list.push(Action::Define { locations: numbers, refs, entirely });
            }
            Event::Allocate(reference)
            | Event::Release { object: reference, .. }
            | Event::Associate(reference) => {
                let locations = storage.locations_of(doc, *reference).into_iter().collect();
                self.note_define(&locations, true);
                let (locations, refs) = (self.numbers(&locations), Refs::new());
                list.push(Action::Define { locations, refs, entirely: false });
            }
            Event::Ask(_, locations) => {
                let locations = locations.iter().copied().collect();
                self.note_use(&locations, true);
                let (locations, refs) = (self.numbers(&locations), Refs::new());
                list.push(Action::Use { locations, refs });
            }
            Event::Reshape(reshape) => {
                let locations = reshape.locations.iter().copied().collect();
                if reshape.keeps {
                    self.note_use(&locations, true);
                    let (locations, refs) = (self.numbers(&locations), Refs::new());
                    list.push(Action::Use { locations, refs });
                }
                self.note_define(&locations, true);
                let (locations, refs) = (self.numbers(&locations), Refs::new());
                list.push(Action::Define { locations, refs, entirely: reshape.certain });
            }
            Event::Call(_) | Event::Anything => {}
        }
    }

    /// Adds what happens where everything visible may be read and written. `ranges`: where the actions of each
    /// step are.
    fn add_worlds(
        &mut self,
        accesses: &Accesses<'_>,
        worlds: &[World],
        ranges: &mut [Range<usize>],
    ) {
        if worlds.is_empty() {
            return;
        }
        self.world = worlds.iter().any(|world| !world.ends);
        let storage = accesses.storage();
        if worlds.iter().any(|world| world.own) {
            // Also what the body does not mention elsewhere.
            for (location, data) in storage.locations() {
                let visible = match data.lifetime {
                    Lifetime::Dummy(owner) | Lifetime::Local(owner) => {
                        owner == self.proc || accesses.sees(self.proc, data.lifetime)
                    }
                    Lifetime::Global => false,
                };
                if visible {
                    self.number(location);
                }
            }
        }
        let all = 0..self.locations.len() as u32;
        let global: Numbers = all
            .clone()
            .filter(|&n| {
                storage.locations()[self.locations[n as usize]].lifetime == Lifetime::Global
            })
            .collect();
        let all: Numbers = all.collect();
        let mut old = std::mem::take(&mut self.actions).into_iter().enumerate().peekable();
        let mut worlds = worlds.iter().peekable();
        for (number, range) in ranges.iter_mut().enumerate() {
            let begin = self.actions.len();
            loop {
                let next = old.peek().map(|(at, _)| *at).filter(|at| *at < range.end);
                let here = |world: &&World| {
                    world.step == number && next.is_none_or(|next| world.at <= next)
                };
                if let Some(world) = worlds.next_if(here) {
                    let locations = if world.own { &all } else { &global };
                    self.add_world(world, locations);
                } else if let Some((_, action)) = next.and_then(|_| old.next()) {
                    self.actions.push(action);
                } else {
                    break;
                }
            }
            *range = begin..self.actions.len();
        }
    }

    fn add_world(&mut self, world: &World, locations: &Numbers) {
        insert(&mut self.used, locations);
        if world.own {
            insert(&mut self.used_here, locations);
        }
        if !world.ends {
            insert(&mut self.out, locations);
        }
        if world.own && !world.ends {
            insert(&mut self.out_here, locations);
        }
        self.actions.push(Action::Use { locations: locations.clone(), refs: Refs::new() });
        let locations = locations.clone();
        self.actions.push(Action::Define { locations, refs: Refs::new(), entirely: false });
    }

    fn note_use(&mut self, locations: &BTreeSet<LocationId>, here: bool) {
        let numbers = self.numbers(locations);
        insert(&mut self.used, &numbers);
        if here {
            insert(&mut self.used_here, &numbers);
        }
    }

    fn note_define(&mut self, locations: &BTreeSet<LocationId>, here: bool) {
        let numbers = self.numbers(locations);
        if self.ends {
            return;
        }
        insert(&mut self.out, &numbers);
        if here {
            insert(&mut self.out_here, &numbers);
        }
    }

    fn number(&mut self, location: LocationId) -> u32 {
        let next = self.locations.len() as u32;
        let number = *self.numbers.entry(location).or_insert(next);
        if number == next {
            self.locations.push(location);
        }
        number
    }

    fn numbers(&mut self, locations: &BTreeSet<LocationId>) -> Numbers {
        locations.iter().map(|&location| self.number(location)).collect()
    }

    /// Makes all sets as long as there are locations.
    fn fit(&mut self) {
        let len = self.locations.len();
        for set in [
            &mut self.used,
            &mut self.out,
            &mut self.used_here,
            &mut self.out_here,
            &mut self.on_entry,
        ] {
            set.grow(len);
        }
    }
}

fn insert(set: &mut FixedBitSet, numbers: &[u32]) {
    for &number in numbers {
        set.grow_and_insert(number as usize);
    }
}
