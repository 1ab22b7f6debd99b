//! The counterparts in the caller of the locations of a callee, at one call and for one body.
//!
//! A dummy argument becomes what is passed for it, component by component. A variable of the
//! callee's own activation is nothing to the caller. Everything else (modules, COMMON, variables of
//! procedures around it, what pointers share) is the same location on both sides.

use std::collections::HashMap;

use xaif_schema::model::{Attr, Dim, Document, Part, ProcId, RefId, SymbolId};

use super::EntryOf;
use super::access::{Accesses, ActualValue, CallSite, Source};
use super::storage::{Lifetime, LocationId, Locations, Storage};

/// What a location of the callee is for the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// The caller's locations that it stands for.
    pub locations: Locations,
    /// Whether the callee can write them: not for expressions and VALUE arguments.
    pub writable: bool,
    /// Whether a callee that overwrites all of its location overwrites all of each of `locations`.
    pub exact: bool,
    /// For a value: what flows into it differentiably, among the events of the caller's step.
    pub sources: Vec<Source>,
}

/// The translation.
#[derive(Clone, Debug)]
pub struct CallMap {
    callee: ProcId,
    dummies: HashMap<LocationId, Passed>,
}

impl CallMap {
    /// The translation at `call` if it executes `entry`.
    pub fn new(accesses: &Accesses<'_>, call: &CallSite<'_>, entry: EntryOf) -> Self {
        let (doc, storage) = (accesses.doc(), accesses.storage());
        let mut map = CallMap { callee: entry.proc, dummies: HashMap::new() };
        let elemental = is_elemental(doc, doc.procs[entry.proc].symbol);
        for (dummy, actual) in call.bindings(doc, storage, entry) {
            let by_value = doc.has(dummy, Attr::Value);
            match actual {
                ActualValue::Variable(reference) => {
                    let exact = storage.kills(doc, reference)
                        && same_extent(doc, dummy, reference, elemental);
                    let pairs = storage.passed(doc, dummy, reference);
                    map.add(pairs, !by_value, exact);
                    let actual = &doc.refs[reference];
                    map.properties(doc, storage, dummy, (actual.base, &actual.parts));
                }
                ActualValue::Object(object) => {
                    let pairs = storage.passed_as_object(doc, dummy, object);
                    map.add(pairs, !by_value, false);
                    let actual = &doc.refs[object];
                    let before = actual.parts.split_last().map_or(&[][..], |(_, before)| before);
                    map.properties(doc, storage, dummy, (actual.base, before));
                }
                ActualValue::Target(results, event) => {
                    let targets: Locations =
                        results.iter().flat_map(|&r| storage.locations_of_symbol(r)).collect();
                    let locations = storage.locations_of_symbol(dummy);
                    let pairs =
                        locations.iter().flat_map(|&u| targets.iter().map(move |&t| (u, t)));
                    map.add(pairs.collect(), !by_value, false);
                    map.flow(storage, dummy, &[Source::Result(event)]);
                }
                ActualValue::Value(_, sources) => map.flow(storage, dummy, &sources),
                ActualValue::Procedure(_) => {}
            }
        }
        map
    }

    /// What a location of the callee is for the caller; `None` if it is nothing to it: a variable of
    /// the callee's activation, an argument that is not present.
    pub fn of(&self, storage: &Storage, location: LocationId) -> Option<Passed> {
        match storage.locations()[location].lifetime {
            Lifetime::Dummy(proc) if proc == self.callee => self.dummies.get(&location).cloned(),
            Lifetime::Local(proc) if proc == self.callee => None,
            Lifetime::Global | Lifetime::Dummy(_) | Lifetime::Local(_) => {
                Some(self.beside(location))
            }
        }
    }

    /// A location that is the same on both sides. Where pointers make dummy arguments of several procedures one
    /// (as those that hold an object of a type that holds their own), it stands for what is passed as well.
    fn beside(&self, location: LocationId) -> Passed {
        let mut found = Passed {
            locations: Locations::from_elem(location, 1),
            writable: true,
            exact: true,
            sources: Vec::new(),
        };
        if let Some(passed) = self.dummies.get(&location) {
            found
                .locations
                .extend(passed.locations.iter().copied().filter(|&other| other != location));
            found.exact = found.locations.len() == 1;
            found.sources.clone_from(&passed.sources);
        }
        found
    }

    /// The locations of the callee that stand for something else in the caller, with what that is, in
    /// the order of the locations.
    pub fn dummies(&self) -> Vec<(LocationId, &Passed)> {
        let mut all: Vec<_> =
            self.dummies.iter().map(|(&location, passed)| (location, passed)).collect();
        all.sort_unstable_by_key(|(location, _)| *location);
        all
    }

    fn add(&mut self, pairs: Vec<(LocationId, LocationId)>, writable: bool, exact: bool) {
        for (inner, outer) in pairs {
            let known = self.dummies.entry(inner).or_insert_with(|| Passed {
                locations: Locations::new(),
                writable,
                exact,
                sources: Vec::new(),
            });
            // One location that stands for several overwrites none of them for certain.
            known.exact &= exact && known.locations.iter().all(|&location| location == outer);
            known.writable |= writable;
            if !known.locations.contains(&outer) {
                known.locations.push(outer);
            }
        }
    }

    fn properties(
        &mut self,
        doc: &Document,
        storage: &Storage,
        dummy: SymbolId,
        actual: (SymbolId, &[Part]),
    ) {
        let by_value = doc.has(dummy, Attr::Value);
        let (pairs, exact) = storage.passed_properties(doc, dummy, actual);
        self.add(pairs, !by_value, exact);
    }

    fn flow(&mut self, storage: &Storage, dummy: SymbolId, sources: &[Source]) {
        for location in storage.locations_of_symbol(dummy) {
            let known = self.dummies.entry(location).or_default();
            known.sources.extend(sources);
        }
    }
}

/// Whether a dummy argument and the variable passed for it have the same extent.
fn same_extent(doc: &Document, dummy: SymbolId, actual: RefId, elemental: bool) -> bool {
    let reference = &doc.refs[actual];
    let symbol = &doc.symbols[dummy];
    let Some(decl) = &symbol.decl else {
        // XAIF 1.0 documents give fixed bounds or none.
        let other = &doc.symbols[reference.base];
        return symbol.rank == other.rank
            && symbol.bounds == other.bounds
            && symbol.class == other.class
            && (symbol.rank == Some(0) || !symbol.bounds.is_empty());
    };
    if decl.spec.base() != reference.ty.base {
        return false;
    }
    match (decl.dims.as_slice(), reference.ty.rank) {
        ([], 0) => true,
        ([], _) => elemental,
        (dims, _) => {
            let follows = |dim: &Dim| match dim {
                Dim::AssumedShape { .. } | Dim::Deferred | Dim::AssumedRank => true,
                Dim::Explicit { .. } | Dim::AssumedSize { .. } => false,
            };
            let size = |bounds: &[(i64, i64)]| {
                bounds.iter().try_fold(1_i64, |size, (lower, upper)| {
                    size.checked_mul(upper.checked_sub(*lower)?.checked_add(1)?.max(0))
                })
            };
            let other = &doc.symbols[reference.base];
            let fixed = reference.parts.is_empty()
                && symbol.bounds.len() == dims.len()
                && other.bounds.len() == usize::from(reference.ty.rank)
                && size(&symbol.bounds).is_some()
                && size(&symbol.bounds) == size(&other.bounds);
            dims.iter().all(follows) || fixed
        }
    }
}

fn is_elemental(doc: &Document, procedure: SymbolId) -> bool {
    doc.has(procedure, Attr::Elemental)
}
