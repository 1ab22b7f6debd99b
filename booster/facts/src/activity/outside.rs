//! Procedures without a body: what a specification or an interface says of them, else the worst.
//!
//! The worst: each argument that is a variable is read and overwritten, and so is everything that
//! is global; whatever is written depends on whatever is read. INTENT and PURE of an interface body
//! are believed.

use std::collections::HashMap;

use xaif_schema::model::{Body, Intent, ProcId, SymbolId};

use super::collect::{carriers, read};
use super::equations::StepId;
use super::program::{Carrier, Carriers, Piece, Plain, Read, What, Write};
use crate::access::{Actual, ActualValue, CallSort};
use crate::externals::{
    Effect, External, Externals, Input, Slot, component_named, divided, locations_of_global,
};
use crate::{Accesses, CallSite, Lifetime};

/// What is known of procedures without a body.
pub(super) struct Outside<'a, 'd> {
    accesses: &'a Accesses<'d>,
    externals: &'a Externals,
    /// Everything that any procedure may see.
    globals: Carriers,
}

impl<'a, 'd> Outside<'a, 'd> {
    pub(super) fn new(accesses: &'a Accesses<'d>, externals: &'a Externals) -> Self {
        let locations = accesses.storage().locations().iter();
        let globals = locations
            .filter(|(_, location)| location.lifetime == Lifetime::Global)
            .map(|(location, _)| location);
        Outside { accesses, externals, globals: carriers(accesses, globals).into() }
    }

    /// Whether a call may execute something of which neither a specification nor the language says
    /// what it does.
    pub(super) fn is_unknown(&self, call: &CallSite<'d>) -> bool {
        let known = |&symbol: &SymbolId| {
            self.externals.find(self.accesses.doc(), symbol).is_some()
                || self.accesses.doc().is_intrinsic(symbol)
        };
        let targets = &call.targets;
        targets.unknown || targets.outside.is_empty() || !targets.outside.iter().all(known)
    }

    /// What the procedures without a body do that a call may execute: one of them, or none.
    pub(super) fn pieces(&self, step: StepId, event: u32, call: &CallSite<'d>) -> Vec<Piece> {
        let symbols = call.targets.outside.iter().copied();
        let mut plains: Vec<Plain> =
            symbols.map(|symbol| self.plain(step, event, call, Some(symbol))).collect();
        if call.targets.unknown || (plains.is_empty() && call.targets.bodies.is_empty()) {
            plains.push(self.plain(step, event, call, None));
        }
        let alone = plains.len() == 1 && call.targets.bodies.is_empty();
        for write in plains.iter_mut().flat_map(|plain| &mut plain.writes) {
            write.kills &= alone;
        }
        plains.into_iter().map(Piece::Plain).collect()
    }

    fn plain(
        &self,
        step: StepId,
        event: u32,
        call: &CallSite<'d>,
        symbol: Option<SymbolId>,
    ) -> Plain {
        let doc = self.accesses.doc();
        let result = match call.sort {
            CallSort::Function(_) => Some(Carrier::Value(step, event)),
            CallSort::Subroutine | CallSort::Assignment => None,
        };
        let specified = symbol.and_then(|symbol| self.externals.find(doc, symbol));
        let writes = match (specified, symbol) {
            (Some(external), _) => self.specified(step, call, external, result),
            (None, Some(symbol)) if self.accesses.doc().is_intrinsic(symbol) => {
                let reads = call.actuals.iter().flat_map(|actual| self.reads(step, actual));
                self.result_from(result, reads.collect())
            }
            (None, symbol) => self.worst(step, call, symbol, result),
        };
        Plain { writes, what: What::Outside(event) }
    }

    fn result_from(&self, result: Option<Carrier>, reads: Vec<Read>) -> Vec<Write> {
        let result = result.map(|result| Write {
            reference: None,
            targets: [result].into(),
            kills: true,
            reads,
        });
        result.into_iter().collect()
    }

    /// What may flow out of an actual argument.
    fn reads(&self, step: StepId, actual: &Actual) -> Vec<Read> {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        let of = |reference, locations| {
            vec![Read { reference, carriers: carriers(self.accesses, locations).into() }]
        };
        match &actual.value {
            ActualValue::Variable(r) => of(Some(*r), storage.reach(doc, *r).into_vec()),
            ActualValue::Object(r) => of(Some(*r), storage.reach_of_object(doc, *r).into_vec()),
            ActualValue::Target(results, _) => {
                let locations =
                    results.iter().flat_map(|&result| storage.locations_of_symbol(result));
                of(None, locations.collect())
            }
            ActualValue::Value(_, sources) => {
                sources.iter().map(|&source| read(self.accesses, step, source)).collect()
            }
            ActualValue::Procedure(_) => Vec::new(),
        }
    }

    /// The places that an actual argument offers for writing.
    fn targets(&self, actual: &Actual) -> Option<Read> {
        match &actual.value {
            ActualValue::Variable(_) | ActualValue::Object(_) | ActualValue::Target(..) => {
                // A variable does not depend on the step.
                self.reads(StepId::Enter(None), actual).pop()
            }
            ActualValue::Value(..) | ActualValue::Procedure(_) => None,
        }
    }

    fn specified(
        &self,
        step: StepId,
        call: &CallSite<'d>,
        external: &External,
        result: Option<Carrier>,
    ) -> Vec<Write> {
        let doc = self.accesses.doc();
        let actual = |index: usize| call.actuals.iter().find(|actual| actual.position == index);
        let input = |input: &Input| match input.slot {
            Slot::Argument(index) => actual(index)
                .map(|actual| self.reads_of_part(step, actual, &input.path))
                .unwrap_or_default(),
            Slot::Global(index) => {
                let globals = external.globals.as_deref().unwrap_or_default();
                let told = globals.get(index);
                let name = told.map_or("", |effect| effect.name.as_str());
                let path = told.map(|effect| effect.path.as_slice()).unwrap_or_default();
                let path: Vec<String> = path.iter().chain(&input.path).cloned().collect();
                vec![Read { reference: None, carriers: self.global(&[], name, &path) }]
            }
        };
        let reads = |effect: &Effect| effect.depends.iter().flat_map(input).collect::<Vec<_>>();
        let mut writes = Vec::new();
        for (index, effect) in external.arguments.iter().enumerate() {
            let Some(actual) = actual(index).filter(|_| effect.writes()) else { continue };
            let Some(place) = self.targets(actual) else { continue };
            if effect.components.is_empty() {
                let kills = !effect.read
                    && place.reference.is_some_and(|r| self.accesses.storage().kills(doc, r));
                let (reference, targets) = (place.reference, place.carriers);
                writes.push(Write { reference, targets, kills, reads: reads(effect) });
            } else {
                writes.extend(self.parts_written(effect, &place, &reads));
            }
        }
        match &external.globals {
            Some(globals) => {
                for effect in globals.iter().filter(|effect| effect.written) {
                    let targets = self.global(globals, &effect.name, &effect.path);
                    writes.push(Write {
                        reference: None,
                        targets,
                        kills: false,
                        reads: reads(effect),
                    });
                }
            }
            None if external.pure => {}
            None => {
                let reads = call.actuals.iter().flat_map(|actual| self.reads(step, actual));
                writes.push(self.any_global(reads.collect()));
            }
        }
        if let Some(effect) = &external.result {
            writes.extend(self.result_from(result, reads(effect)));
        }
        writes
    }

    /// The dependences that a specification states for the components of an argument, and for the rest. Where the type of
    /// the argument has no such component, all of it depends on all of these.
    fn parts_written(
        &self,
        effect: &Effect,
        place: &Read,
        reads: &dyn Fn(&Effect) -> Vec<Read>,
    ) -> Vec<Write> {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        let Read { reference, carriers: all } = place;
        let write = |targets: Carriers, reads: Vec<Read>| Write {
            reference: *reference,
            targets,
            kills: false,
            reads,
        };
        let found = reference.and_then(|r| divided(doc, storage, &doc.refs[r], effect));
        let Some((parts, rest)) = found else {
            let told = std::iter::once(effect).chain(&effect.components);
            return vec![write(all.clone(), told.flat_map(reads).collect())];
        };
        let parts = parts.into_iter().map(|(told, _, locations)| (told, locations.into_vec()));
        std::iter::once((effect, rest))
            .chain(parts)
            .filter(|(told, _)| told.written)
            .map(|(told, locations)| write(carriers(self.accesses, locations).into(), reads(told)))
            .collect()
    }

    /// The reads of a component of an actual argument, or of all of it where its type has no such component.
    fn reads_of_part(&self, step: StepId, actual: &Actual, path: &[String]) -> Vec<Read> {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        if let (ActualValue::Variable(reference), false) = (&actual.value, path.is_empty())
            && let Some(part) = component_named(doc, &doc.refs[*reference], path)
        {
            let locations = storage.locations_at(doc, &part).into_vec();
            let carriers = carriers(self.accesses, locations).into();
            return vec![Read { reference: Some(*reference), carriers }];
        }
        self.reads(step, actual)
    }

    /// The locations of `/block/`, `module::variable` or a component of a variable.
    fn global(&self, others: &[Effect], name: &str, path: &[String]) -> Carriers {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        let locations = locations_of_global(doc, storage, others, (name, path));
        carriers(self.accesses, locations).into()
    }

    fn any_global(&self, mut reads: Vec<Read>) -> Write {
        reads.push(Read { reference: None, carriers: self.globals.clone() });
        Write { reference: None, targets: self.globals.clone(), kills: false, reads }
    }

    fn worst(
        &self,
        step: StepId,
        call: &CallSite<'d>,
        symbol: Option<SymbolId>,
        result: Option<Carrier>,
    ) -> Vec<Write> {
        let interface = symbol.and_then(|symbol| Interface::of(self.accesses, symbol));
        let intents = interface.as_ref().map(|interface| &interface.intents);
        let intent = |actual: &Actual| intents.and_then(|i| i.get(&actual.position).copied());
        let pure = interface.as_ref().is_some_and(|interface| interface.pure);
        let mut reads: Vec<Read> = Vec::new();
        for actual in call.actuals.iter().filter(|actual| intent(actual) != Some(Intent::Out)) {
            reads.extend(self.reads(step, actual));
        }
        // A pure procedure changes nothing global, but it may look at it.
        reads.push(Read { reference: None, carriers: self.globals.clone() });
        let mut writes = Vec::new();
        for actual in call.actuals.iter().filter(|actual| intent(actual) != Some(Intent::In)) {
            if let Some(place) = self.targets(actual).filter(|place| !place.carriers.is_empty()) {
                writes.push(Write {
                    reference: place.reference,
                    targets: place.carriers,
                    kills: false,
                    reads: reads.clone(),
                });
            }
        }
        if !pure {
            let (reference, targets) = (None, self.globals.clone());
            writes.push(Write { reference, targets, kills: false, reads: reads.clone() });
        }
        writes.extend(self.result_from(result, reads));
        writes
    }
}

/// What an interface body says.
struct Interface {
    intents: HashMap<usize, Intent>,
    pure: bool,
}

impl Interface {
    fn of(accesses: &Accesses<'_>, symbol: SymbolId) -> Option<Self> {
        let doc = accesses.doc();
        let proc: ProcId = doc.procedure_of(symbol)?;
        let procedure = &doc.procs[proc];
        if !matches!(procedure.body, Body::Interface) {
            return None;
        }
        let intents = procedure.args.iter().enumerate().filter_map(|(position, arg)| {
            let decl = doc.symbols[arg.symbol?].decl.as_ref()?;
            Some((position, decl.intent?))
        });
        Some(Interface { intents: intents.collect(), pure: doc.is_promised_pure(symbol) })
    }
}
