//! What a call does, in the caller's locations.

use std::collections::BTreeSet;

use xaif_schema::model::{ProcClass, RefId, Role, SymbolId};

use super::{Properties, Summaries, Summary};
use crate::access::{Accesses, ActualValue, CallSite};
use crate::call_map::Passed;
use crate::externals::{Effect, External, Externals, divided, locations_of_global};
use crate::storage::takes_property;
use crate::{CallMap, EntryOf, Lifetime, LocationId, Locations, arguments_of};

/// The effects of a call.
#[derive(Clone, Debug, Default)]
pub struct CallEffects {
    /// Read before they are certainly overwritten.
    pub input: BTreeSet<LocationId>,
    /// What of it is read by names by which it is not overwritten: in `call f(a(i), a(i - 1))` that
    /// overwrites its first argument, `a`. A copy of what is overwritten does not hold it.
    pub only_read: BTreeSet<LocationId>,
    /// Read.
    pub used: BTreeSet<LocationId>,
    /// Perhaps overwritten.
    pub out: BTreeSet<LocationId>,
    /// Certainly overwritten entirely.
    pub kill: BTreeSet<LocationId>,
    /// The same sets for properties.
    pub properties: Properties,
    /// Whether every global location may be read and written.
    pub world: bool,
}

/// The effects of all that `call` may execute: those of any, and killed what all of them kill.
pub fn effects_of_call(
    accesses: &Accesses<'_>,
    call: &CallSite<'_>,
    externals: &Externals,
    summaries: &dyn Summaries,
) -> CallEffects {
    let mut all = Vec::new();
    for &entry in &call.targets.bodies {
        all.push(of_body(accesses, call, entry, summaries.of(entry.proc)));
    }
    for &symbol in &call.targets.outside {
        all.push(of_outside(accesses, call, symbol, externals, summaries));
    }
    if call.targets.unknown {
        all.push(of_stranger(accesses, call, summaries));
    }
    let mut all = all.into_iter();
    let Some(mut sum) = all.next() else { return CallEffects::default() };
    for other in all {
        sum.input.extend(other.input);
        sum.only_read.extend(other.only_read);
        sum.used.extend(other.used);
        sum.out.extend(other.out);
        sum.kill.retain(|location| other.kill.contains(location));
        sum.properties.join(other.properties);
        sum.world |= other.world;
    }
    sum
}

fn of_body(
    accesses: &Accesses<'_>,
    call: &CallSite<'_>,
    entry: EntryOf,
    summary: &Summary,
) -> CallEffects {
    let storage = accesses.storage();
    let map = CallMap::new(accesses, call, entry);
    let mut effects = CallEffects { world: summary.world, ..CallEffects::default() };
    let outer = |location: LocationId| map.of(storage, location);
    for &location in &summary.input {
        let Some(passed) = outer(location) else { continue };
        if !(passed.writable && summary.out.contains(&location)) {
            effects.only_read.extend(passed.locations.iter().copied());
        }
        effects.input.extend(passed.locations);
    }
    for passed in summary.used.iter().filter_map(|&location| outer(location)) {
        effects.used.extend(passed.locations);
    }
    for passed in summary.out.iter().filter_map(|&location| outer(location)) {
        if passed.writable {
            effects.out.extend(passed.locations);
        }
    }
    for passed in summary.kill.iter().filter_map(|&location| outer(location)) {
        if passed.writable && passed.exact {
            effects.kill.extend(passed.locations);
        }
    }
    effects.properties = summary.properties.passed(outer);
    effects
}

/// A procedure without a body, by its specification if there is one.
fn of_outside(
    accesses: &Accesses<'_>,
    call: &CallSite<'_>,
    symbol: SymbolId,
    externals: &Externals,
    summaries: &dyn Summaries,
) -> CallEffects {
    let doc = accesses.doc();
    if let Some(Role::Procedure(info)) = doc.role(symbol)
        && info.class == ProcClass::Intrinsic
    {
        // An intrinsic function that was passed as an argument.
        let mut effects = CallEffects::default();
        for actual in &call.actuals {
            if let ActualValue::Variable(reference) = actual.value {
                effects.input.extend(accesses.storage().locations_of(doc, reference));
            }
        }
        effects.used = effects.input.clone();
        effects.only_read = effects.input.clone();
        return effects;
    }
    let Some(external) = externals.find(doc, symbol) else {
        return of_stranger(accesses, call, summaries);
    };
    let mut effects = CallEffects { world: external.globals.is_none(), ..CallEffects::default() };
    effects.properties = Properties::of_stranger(accesses, call, Some(external));
    for actual in &call.actuals {
        let told = u32::try_from(actual.position + 1).ok().and_then(|n| external.argument(n));
        let locations = reach(accesses, &actual.value);
        let entirely = match actual.value {
            ActualValue::Variable(reference) => accesses.storage().kills(doc, reference),
            ActualValue::Object(_)
            | ActualValue::Target(..)
            | ActualValue::Value(..)
            | ActualValue::Procedure(_) => false,
        };
        match (told, &actual.value) {
            (Some(effect), ActualValue::Variable(reference)) if !effect.components.is_empty() => {
                effects.add_parts(accesses, effect, *reference);
            }
            (Some(effect), _) if effect.components.is_empty() => {
                effects.add(&locations, effect, entirely);
            }
            (Some(_) | None, _) => effects.read_and_write(&locations),
        }
        effects.call_back(accesses, &actual.value, summaries);
    }
    for global in external.globals.iter().flatten() {
        let all = external.globals.as_deref().unwrap_or_default();
        let named = (global.name.as_str(), &global.path[..]);
        let locations = locations_of_global(doc, accesses.storage(), all, named);
        effects.add(&locations, global, false);
    }
    effects
}

/// A procedure of which nothing is known.
fn of_stranger(
    accesses: &Accesses<'_>,
    call: &CallSite<'_>,
    summaries: &dyn Summaries,
) -> CallEffects {
    let mut effects = CallEffects { world: true, ..CallEffects::default() };
    effects.properties = Properties::of_stranger(accesses, call, None);
    for actual in &call.actuals {
        effects.read_and_write(&reach(accesses, &actual.value));
        effects.call_back(accesses, &actual.value, summaries);
    }
    if let Some(object) = call.callee.object {
        effects.read_and_write(&accesses.storage().reach_of_object(accesses.doc(), object));
    }
    effects
}

impl Properties {
    /// The effects of one body or the other: killed is what both kill.
    fn join(&mut self, other: Properties) {
        self.input.extend(other.input);
        self.only_read.extend(other.only_read);
        self.used.extend(other.used);
        self.out.extend(other.out);
        self.kill.retain(|location| other.kill.contains(location));
    }

    /// What they are for the caller.
    fn passed(&self, outer: impl Fn(LocationId) -> Option<Passed>) -> Properties {
        let all = |locations: &BTreeSet<LocationId>, wanted: &dyn Fn(&Passed) -> bool| {
            let passed =
                locations.iter().filter_map(|&location| outer(location)).filter(|one| wanted(one));
            passed.flat_map(|one| one.locations).collect::<BTreeSet<LocationId>>()
        };
        let mut only_read = all(&self.only_read, &|_| true);
        only_read.extend(all(&self.input, &|passed| !passed.writable));
        Properties {
            only_read,
            input: all(&self.input, &|_| true),
            used: all(&self.used, &|_| true),
            out: all(&self.out, &|passed| passed.writable),
            kill: all(&self.kill, &|passed| passed.writable && passed.exact),
        }
    }

    /// What a procedure without a body does to the properties of its arguments. Only a dummy argument that is allocatable or a
    /// pointer has its property changed, which takes an explicit interface; the allocatable components of any may be.
    /// A specification tells which arguments and components are overwritten.
    fn of_stranger(
        accesses: &Accesses<'_>,
        call: &CallSite<'_>,
        external: Option<&External>,
    ) -> Properties {
        let (doc, storage) = (accesses.doc(), accesses.storage());
        let interface = arguments_of(doc, call.callee.symbol);
        let mut found = Properties::default();
        for actual in &call.actuals {
            let ActualValue::Variable(reference) = actual.value else { continue };
            let asked = storage.asked_by(doc, reference);
            found.input.extend(asked.iter().copied());
            found.used.extend(asked);
            let dummy = interface.as_ref().and_then(|dummies| {
                let position = u32::try_from(actual.position + 1).ok()?;
                dummies.iter().find(|arg| arg.position == position)?.symbol
            });
            let takes = dummy.is_some_and(|dummy| takes_property(doc, dummy));
            let own = call.targets.unknown || takes;
            let told = u32::try_from(actual.position + 1).ok();
            let told = told.and_then(|position| external?.argument(position));
            let divided =
                told.and_then(|effect| divided(doc, storage, &doc.refs[reference], effect));
            match (told, divided) {
                (Some(effect), _) if !effect.writes() => {}
                (Some(effect), Some((parts, _))) if !effect.written => {
                    for (_, part, _) in parts.iter().filter(|(told, ..)| told.written) {
                        found.out.extend(storage.reshaped_at(doc, part, true).0);
                    }
                }
                (Some(_) | None, _) => {
                    found.out.extend(storage.reshaped_by(doc, reference, own).0);
                }
            }
        }
        if let Some(object) = call.callee.object {
            let asked = storage.asked_by_object(doc, object);
            found.input.extend(asked.iter().copied());
            found.used.extend(asked.iter().copied());
            found.out.extend(asked);
        }
        found.only_read = found.input.difference(&found.out).copied().collect();
        found
    }
}

impl CallEffects {
    fn read_and_write(&mut self, locations: &[LocationId]) {
        self.input.extend(locations);
        self.used.extend(locations);
        self.out.extend(locations);
    }

    fn add(&mut self, locations: &[LocationId], effect: &Effect, entirely: bool) {
        if effect.read {
            self.input.extend(locations);
            self.used.extend(locations);
            if !effect.written {
                self.only_read.extend(locations);
            }
        }
        if effect.written {
            self.out.extend(locations);
            if !effect.read && entirely {
                self.kill.extend(locations);
            }
        }
    }

    /// What a specification tells of the components of an argument, and of the rest of it.
    fn add_parts(&mut self, accesses: &Accesses<'_>, effect: &Effect, reference: RefId) {
        let (doc, storage) = (accesses.doc(), accesses.storage());
        let Some((parts, rest)) = divided(doc, storage, &doc.refs[reference], effect) else {
            return self.read_and_write(&storage.reach(doc, reference));
        };
        self.add(&rest, effect, false);
        for (told, _, locations) in parts {
            self.add(&locations, told, false);
        }
    }

    /// A procedure that is passed to a stranger may be called with anything that the stranger has.
    fn call_back(
        &mut self,
        accesses: &Accesses<'_>,
        actual: &ActualValue,
        summaries: &dyn Summaries,
    ) {
        let ActualValue::Procedure(symbol) = actual else { return };
        let storage = accesses.storage();
        let targets = storage.meaning(accesses.doc(), *symbol);
        self.world |= targets.unknown;
        for entry in targets.bodies {
            let summary = summaries.of(entry.proc);
            self.world |= summary.world;
            let visible = |location: &&LocationId| match storage.locations()[**location].lifetime {
                Lifetime::Global => true,
                Lifetime::Local(owner) | Lifetime::Dummy(owner) => owner != entry.proc,
            };
            self.input.extend(summary.input.iter().filter(visible));
            self.only_read.extend(summary.input.difference(&summary.out).filter(visible));
            self.used.extend(summary.used.iter().filter(visible));
            self.out.extend(summary.out.iter().filter(visible));
            self.properties.input.extend(summary.properties.input.iter().filter(visible));
            self.properties.only_read.extend(summary.properties.only_read.iter().filter(visible));
            self.properties.used.extend(summary.properties.used.iter().filter(visible));
            self.properties.out.extend(summary.properties.out.iter().filter(visible));
        }
    }
}

fn reach(accesses: &Accesses<'_>, actual: &ActualValue) -> Locations {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    match actual {
        ActualValue::Variable(reference) => storage.reach(doc, *reference),
        ActualValue::Object(object) => storage.reach_of_object(doc, *object),
        ActualValue::Target(results, _) => {
            results.iter().flat_map(|&result| storage.locations_of_symbol(result)).collect()
        }
        ActualValue::Value(..) | ActualValue::Procedure(_) => Locations::new(),
    }
}
