//! The names by which procedures overwrite memory that pointers share.
//!
//! Pointers and their targets are one location, so a procedure that writes through one pointer of a module may overwrite what
//! any other of them points to. But a caller that gives back what lies behind the name through which the callee wrote
//! gives back all of it, as long as no pointer gets another target meanwhile. So each procedure has, for each location of that
//! kind that it overwrites, the names by which it and its callees do so. Dummy arguments are translated at each call.
//! What a local pointer names, or the result of a function, no caller knows.

use std::collections::{BTreeMap, BTreeSet};

use xaif_schema::model::{Attr, Document, Part, ProcId, Reference, Role, SymbolId};

use super::calls::CallEffects;
use super::{Summaries, Summary};
use crate::access::{Accesses, ActualValue, CallSite, Event, Written};
use crate::storage::Member;
use crate::{BodyEvents, CallMap, EntryOf, Lifetime, LocationId, Storage};

/// The names by which locations with pointers are overwritten.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenNames {
    /// `None`: by others as well, which are not known.
    names: BTreeMap<LocationId, Option<BTreeSet<Member>>>,
}

impl WrittenNames {
    /// The names by which a location is overwritten; `None` where not all are known.
    pub fn of(&self, location: LocationId) -> Option<&BTreeSet<Member>> {
        self.names.get(&location)?.as_ref()
    }

    fn add(&mut self, location: LocationId, name: Option<Member>) {
        let known = self.names.entry(location).or_insert_with(|| Some(BTreeSet::new()));
        match (known.as_mut(), name) {
            (Some(known), Some(name)) => {
                known.insert(name);
            }
            (Some(_) | None, None) => *known = None,
            (None, Some(_)) => {}
        }
    }

    /// Adds the names of another procedure.
    pub fn extend(&mut self, other: &WrittenNames) {
        for (&location, names) in &other.names {
            match names {
                Some(names) => names.iter().for_each(|name| self.add(location, Some(name.clone()))),
                None => self.add(location, None),
            }
        }
    }

    /// The names by which a body overwrites locations with pointers, for its callers.
    pub(super) fn of_body(
        accesses: &Accesses<'_>,
        body: &BodyEvents<'_>,
        summaries: &dyn Summaries,
        effects_of: &dyn Fn(&CallSite<'_>) -> CallEffects,
    ) -> Self {
        let (doc, storage) = (accesses.doc(), accesses.storage());
        let mut found = WrittenNames::default();
        if !storage.has_shared_pointers() {
            return found;
        }
        let write = |found: &mut WrittenNames, reference: &Reference| {
            let locations = storage.value_at(doc, reference);
            for location in
                locations.into_iter().filter(|&location| storage.locations()[location].pointers)
            {
                found.add(location, Some(named(doc, reference.base, &reference.parts)));
            }
        };
        for event in body.steps.iter().filter(|step| !step.ends).flat_map(|step| &step.events) {
            match event {
                Event::Write(one) => match one.place {
                    Written::Ref(reference) => write(&mut found, &doc.refs[reference]),
                    Written::Symbol(symbol) => {
                        for location in storage.value_of_symbol(symbol) {
                            if storage.locations()[location].pointers {
                                let name = Member { symbol, path: Box::default() };
                                found.add(location, Some(name));
                            }
                        }
                    }
                },
                Event::Allocate(reference)
                | Event::Release { object: reference, .. }
                | Event::Associate(reference) => write(&mut found, &doc.refs[*reference]),
                Event::Call(call) => {
                    let effects = effects_of(call);
                    found.extend(&WrittenNames::of_call(accesses, call, &effects, summaries));
                }
                Event::Anything => {
                    for (location, data) in storage.locations() {
                        if data.pointers {
                            found.add(location, None);
                        }
                    }
                }
                Event::Read(..) | Event::Ask(..) | Event::Reshape(_) => {}
            }
        }
        found.seen_by_callers(doc, storage, body.proc);
        found
    }

    /// The names by which a call overwrites locations with pointers, in the caller's terms.
    pub fn of_call(
        accesses: &Accesses<'_>,
        call: &CallSite<'_>,
        effects: &CallEffects,
        summaries: &dyn Summaries,
    ) -> Self {
        let storage = accesses.storage();
        let mut found = WrittenNames::default();
        let shared = effects.out.iter().filter(|&&location| storage.locations()[location].pointers);
        let shared: BTreeSet<LocationId> = shared.copied().collect();
        if shared.is_empty() {
            return found;
        }
        if call.targets.unknown || !call.targets.outside.is_empty() || effects.world {
            shared.iter().for_each(|&location| found.add(location, None));
            return found;
        }
        for &entry in &call.targets.bodies {
            found.add_callee(accesses, call, entry, summaries.of(entry.proc));
        }
        // By whatever else it may be.
        for &location in &shared {
            if !found.names.contains_key(&location) {
                found.add(location, None);
            }
        }
        found
    }

    fn add_callee(
        &mut self,
        accesses: &Accesses<'_>,
        call: &CallSite<'_>,
        entry: EntryOf,
        summary: &Summary,
    ) {
        let (doc, storage) = (accesses.doc(), accesses.storage());
        let map = CallMap::new(accesses, call, entry);
        let bindings = call.bindings(doc, storage, entry);
        let outer = |inner: &Member| -> Option<Member> {
            let is_dummy = storage.procedures().dummy_of(inner.symbol).is_some()
                && storage.owner(doc, inner.symbol) == Some(entry.proc);
            if !is_dummy {
                return Some(inner.clone());
            }
            let bound = bindings.iter().find(|(dummy, _)| *dummy == inner.symbol);
            let (base, parts) = match bound.map(|(_, value)| value)? {
                ActualValue::Variable(actual) => {
                    (doc.refs[*actual].base, &doc.refs[*actual].parts[..])
                }
                ActualValue::Object(object) => {
                    let parts = &doc.refs[*object].parts;
                    (doc.refs[*object].base, parts.split_last().map_or(&[][..], |(_, all)| all))
                }
                ActualValue::Target(..) | ActualValue::Value(..) | ActualValue::Procedure(_) => {
                    return None;
                }
            };
            let mut name = named(doc, base, parts);
            name.path = name.path.iter().chain(&inner.path).copied().collect();
            Some(name)
        };
        for &location in &summary.out {
            let Some(passed) = map.of(storage, location).filter(|passed| passed.writable) else {
                continue;
            };
            for shared in
                passed.locations.into_iter().filter(|&one| storage.locations()[one].pointers)
            {
                match summary.written_names.names.get(&location) {
                    Some(Some(names)) => {
                        names.iter().for_each(|name| self.add(shared, outer(name)))
                    }
                    Some(None) => self.add(shared, None),
                    None => {
                        let members = &storage.locations()[location].members;
                        members.iter().for_each(|name| self.add(shared, outer(name)));
                    }
                }
            }
        }
    }

    /// Replaces the names that no caller can translate.
    fn seen_by_callers(&mut self, doc: &Document, storage: &Storage, proc: ProcId) {
        let is_local = |name: &Member| {
            storage.owner(doc, name.symbol) == Some(proc)
                && storage.procedures().dummy_of(name.symbol).is_none()
                && !storage.procedures().is_static(name.symbol)
        };
        for names in self.names.values_mut() {
            let Some(known) = names else { continue };
            // A local variable ends with the activation, what its pointers point to does not.
            if known.iter().any(|name| is_local(name) && leads_elsewhere(doc, name)) {
                *names = None;
                continue;
            }
            known.retain(|name| !is_local(name));
        }
        self.names.retain(|&location, _| match storage.locations()[location].lifetime {
            Lifetime::Local(owner) => owner != proc,
            Lifetime::Global | Lifetime::Dummy(_) => true,
        });
    }
}

/// Whether a name is that of a pointer, or of something that a pointer leads to.
fn leads_elsewhere(doc: &Document, name: &Member) -> bool {
    std::iter::once(&name.symbol).chain(&name.path).any(|&symbol| doc.has(symbol, Attr::Pointer))
}

/// The variable of a reference with the components that lead to what it names. A name of ASSOCIATE or SELECT TYPE stands
/// for its selector.
fn named(doc: &Document, base: SymbolId, parts: &[Part]) -> Member {
    let (mut symbol, mut path) = (base, components(parts));
    while let Some(Role::Associate { selector: Some(selector) }) = doc.role(symbol)
        && let Some(selector) = doc.exprs[*selector].reference()
    {
        symbol = doc.refs[selector].base;
        path.splice(0..0, components(&doc.refs[selector].parts));
    }
    Member { symbol, path: path.into() }
}

fn components(parts: &[Part]) -> Vec<SymbolId> {
    let component = |part: &Part| match part {
        Part::Component { symbol, .. } => *symbol,
        Part::Elements(_) | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => None,
    };
    parts.iter().filter_map(component).collect()
}
