//! From the accesses of a document to the program that activity analysis looks at.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use xaif_schema::model::{Attr, Cfg, EntityRef, ProcId, Reference, Role, SymbolId};

use super::equations::StepId;
use super::outside::Outside;
use super::program::{
    Argument, Body, Call, Carrier, Carriers, Outer, OutsideCall, Piece, Plain, Program, Read, Way,
    What, Write, read_by_statement_functions,
};
use super::{state, tape, tests};
use crate::access::{ActualValue, CallSort, Source, Written};
use crate::externals::Externals;
use crate::{Accesses, CallMap, CallSite, EntryOf, Event, Lifetime, LocationId};
use booster_flow::{Flow, Step, steps_of_edge, steps_of_vertex};

/// Looks at all procedures.
pub(super) fn program<'d>(accesses: &Accesses<'d>, externals: &Externals) -> Program<'d> {
    let doc = accesses.doc();
    let count = doc.procs.len();
    let mut program = Program {
        doc,
        storage: accesses.storage(),
        bodies: vec![None; count],
        moved: vec![BTreeSet::new(); count],
        pointed: vec![BTreeSet::new(); count],
        keepers: vec![BTreeSet::new(); count],
        shared: read_by_statement_functions(accesses.doc(), accesses.storage()),
    };
    let outside = Outside::new(accesses, externals);
    let keepers = state::keepers(accesses);
    for proc in doc.procs.keys() {
        if let Some(cfg) = program.cfg(proc) {
            program.bodies[proc.index()] = Some(body(accesses, &outside, &keepers, proc, cfg));
        }
    }
    find_moved(accesses, &mut program);
    state::find(&mut program);
    program
}

/// Which objects procedures allocate, release or associate, by themselves or by calls.
fn find_moved(accesses: &Accesses<'_>, program: &mut Program<'_>) {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let mut work: BTreeSet<ProcId> = doc.procs.keys().collect();
    let mut callers: BTreeMap<ProcId, BTreeSet<ProcId>> = BTreeMap::new();
    for proc in doc.procs.keys() {
        for callee in program.body(proc).map(Body::callees).unwrap_or_default() {
            callers.entry(callee).or_default().insert(proc);
        }
    }
    while let Some(proc) = work.pop_first() {
        let Some(body) = program.body(proc) else { continue };
        let own = body.objects.iter().chain(&body.reshaped);
        let own = own.flat_map(|&object| storage.reach(doc, object));
        let mut moved: BTreeSet<LocationId> =
            own.filter(|&location| storage.locations()[location].continuous).collect();
        for piece in body.pieces() {
            let Piece::Call(call) = piece else { continue };
            for way in &call.ways {
                for &location in &program.moved[way.callee()] {
                    moved.extend(way.writes(location).0.iter().filter_map(
                        |carrier| match carrier {
                            Carrier::Location(location) => Some(*location),
                            Carrier::Value(..) => None,
                        },
                    ));
                }
            }
        }
        moved.retain(|&location| program.is_visible(proc, location));
        let callees = body.callees();
        let below = callees.iter().flat_map(|callee| &program.pointed[callee.index()]).copied();
        let pointed: BTreeSet<ProcId> = pointed_to(accesses, proc, body).chain(below).collect();
        let grows = pointed.len() > program.pointed[proc.index()].len();
        program.pointed[proc.index()] = pointed;
        if grows || moved.len() > program.moved[proc.index()].len() {
            program.moved[proc.index()] = moved;
            work.extend(callers.get(&proc).into_iter().flatten());
        }
    }
}

/// What procedure pointers may mean that a body sets and that live longer than a call of it.
fn pointed_to<'a>(
    accesses: &'a Accesses<'_>,
    proc: ProcId,
    body: &'a Body,
) -> impl Iterator<Item = ProcId> + 'a {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let data = &doc.procs[proc];
    let pointers = body.objects.iter().filter_map(move |&object| {
        let Reference { base, ref parts, .. } = doc.refs[object];
        let is_procedure = matches!(doc.role(base), Some(Role::Procedure(_))) && parts.is_empty();
        let is_dummy = data.args.iter().any(|arg| arg.symbol == Some(base));
        let saved = doc.symbols[base].has(Attr::Save);
        let is_local = doc.symbols[base].scope == data.scope && !is_dummy && !saved;
        (is_procedure && !is_local).then_some(base)
    });
    pointers.flat_map(move |pointer| {
        storage.meaning(doc, pointer).bodies.into_iter().map(|entry| entry.proc)
    })
}

fn body<'d>(
    accesses: &Accesses<'d>,
    outside: &Outside<'_, 'd>,
    keepers: &HashMap<LocationId, ProcId>,
    proc: ProcId,
    cfg: &'d Cfg,
) -> Body {
    let mut collector = Collector { accesses, outside, keepers, proc, body: Body::default() };
    collector.declare(cfg);
    let at_vertices = cfg.vertices.keys().flat_map(|vertex| steps_of_vertex(cfg, vertex));
    let at_edges = cfg.edges.keys().filter_map(|edge| steps_of_edge(cfg, edge));
    for step in at_vertices.chain(at_edges) {
        collector.step(step);
    }
    let reaching = Flow::new(cfg).reaching_exit();
    let ending = cfg.vertices.keys().filter(|&vertex| !reaching[vertex]);
    let steps = ending.flat_map(|vertex| steps_of_vertex(cfg, vertex));
    collector.body.ending = steps.filter_map(StepId::of).collect();
    collector.body
}

/// The continuous ones of `locations`.
pub(super) fn carriers(
    accesses: &Accesses<'_>,
    locations: impl IntoIterator<Item = LocationId>,
) -> Vec<Carrier> {
    let all = accesses.storage().locations();
    locations
        .into_iter()
        .filter(|&location| all[location].continuous)
        .map(Carrier::Location)
        .collect()
}

struct Collector<'a, 'd> {
    accesses: &'a Accesses<'d>,
    outside: &'a Outside<'a, 'd>,
    keepers: &'a HashMap<LocationId, ProcId>,
    proc: ProcId,
    body: Body,
}

impl<'d> Collector<'_, 'd> {
    /// The locations of dummy arguments and results, of all entries.
    fn declare(&mut self, cfg: &Cfg) {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        for entry in entries(self.proc, cfg) {
            let procedures = storage.procedures();
            let dummies = procedures.dummies(doc, entry).iter().filter_map(|dummy| dummy.symbol);
            for symbol in dummies.chain(procedures.result(doc, entry)) {
                self.body.visible.extend(storage.locations_of_symbol(symbol));
            }
        }
    }

    fn step(&mut self, step: Step<'d>) {
        let Some(id) = StepId::of(step) else { return };
        if self.body.steps.contains_key(&id) {
            return;
        }
        let events = self.accesses.of(self.proc, step);
        let mut pieces = Vec::new();
        let tape = tape::piece(self.accesses, step);
        let on_tape = tape.is_some();
        pieces.extend(tape);
        let compared = tests::piece(self.accesses, step, &events);
        for (number, event) in (0..).zip(&events) {
            self.body.keep(self.keepers, &state::changed(self.accesses, event));
            match event {
                Event::Read(..) | Event::Ask(..) => {}
                // A value that a declaration gives a local variable lasts as long as the variable.
                Event::Reshape(reshape) => self.body.reshaped.extend(match reshape.place {
                    Written::Ref(object) => Some(object),
                    Written::Symbol(_) => None,
                }),
                // The operations of the tape have pieces of their own.
                Event::Write(_) if on_tape => {}
                Event::Write(write) => {
                    self.copied_pointers(write);
                    pieces.extend(self.write(id, write));
                }
                Event::Call(call) => self.call(id, number, call, &mut pieces),
                Event::Allocate(object) | Event::Release { object, .. } => {
                    self.body.objects.push(*object);
                }
                Event::Associate(object) => {
                    self.body.objects.push(*object);
                    self.body.moves.push(id);
                }
                Event::Anything => pieces.push(self.anything()),
            }
        }
        // Calls in the condition come first.
        pieces.extend(compared);
        if !pieces.is_empty() {
            self.body.steps.insert(id, pieces);
        }
    }

    fn write(&self, step: StepId, write: &crate::access::Write) -> Option<Piece> {
        let (locations, kills) = self.accesses.written(write);
        let targets = carriers(self.accesses, locations.iter().copied());
        if targets.is_empty() {
            return None;
        }
        let reference = match write.place {
            Written::Ref(reference) => Some(reference),
            Written::Symbol(_) => None,
        };
        let writes = self.copies(write, &targets, kills).unwrap_or_else(|| {
            let reads = self.reads(step, &write.sources);
            vec![Write { reference, targets: targets.into(), kills, reads }]
        });
        Some(Piece::Plain(Plain { writes, what: What::Statement }))
    }

    /// A copy of a structure associates its pointer components.
    fn copied_pointers(&mut self, write: &crate::access::Write) {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        let Written::Ref(to) = write.place else { return };
        if storage.reach(doc, to).len() > storage.locations_of(doc, to).len() {
            self.body.objects.push(to);
            self.body.objects.extend(write.sources.iter().filter_map(|source| match source {
                Source::Ref(from) => Some(*from),
                Source::Result(_) => None,
            }));
        }
    }

    /// A structure is copied: component by component.
    fn copies(
        &self,
        write: &crate::access::Write,
        targets: &[Carrier],
        kills: bool,
    ) -> Option<Vec<Write>> {
        let (Written::Ref(to), [Source::Ref(from)]) = (write.place, write.sources.as_slice())
        else {
            return None;
        };
        if targets.len() < 2 {
            return None;
        }
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        let mut rows: BTreeMap<Carrier, Vec<LocationId>> =
            targets.iter().map(|&target| (target, Vec::new())).collect();
        for (source, target) in storage.copies(doc, *from, to) {
            if let Some(row) = rows.get_mut(&Carrier::Location(target)) {
                row.push(source);
            }
        }
        let write = |(target, row): (Carrier, Vec<LocationId>)| {
            let carriers: Carriers = carriers(self.accesses, row).into();
            let reads = vec![Read { reference: Some(*from), carriers }];
            Write { reference: Some(to), targets: [target].into(), kills, reads }
        };
        Some(rows.into_iter().map(write).collect())
    }

    fn reads(&self, step: StepId, sources: &[Source]) -> Vec<Read> {
        sources.iter().map(|&source| read(self.accesses, step, source)).collect()
    }

    /// Everything that is visible may be read and written.
    fn anything(&self) -> Piece {
        let locations = self.accesses.storage().locations().iter();
        let visible = locations.filter(|(_, location)| match location.lifetime {
            Lifetime::Local(owner) | Lifetime::Dummy(owner) if owner == self.proc => true,
            home => self.accesses.sees(self.proc, home),
        });
        let all: Carriers = carriers(self.accesses, visible.map(|(location, _)| location)).into();
        let reads = vec![Read { reference: None, carriers: all.clone() }];
        let writes = vec![Write { reference: None, targets: all, kills: false, reads }];
        Piece::Plain(Plain { writes, what: What::Opaque })
    }

    fn call(&mut self, step: StepId, event: u32, call: &CallSite<'d>, pieces: &mut Vec<Piece>) {
        let targets = &call.targets;
        let open = targets.unknown || !targets.outside.is_empty() || targets.bodies.is_empty();
        if !targets.bodies.is_empty() {
            let bodies = targets.bodies.iter();
            let ways = bodies.map(|&entry| self.way(step, event, call, entry)).collect();
            let (callee, sort) = (call.callee.symbol, call.sort);
            pieces.push(Piece::Call(Call { event, callee, sort, ways, open }));
        }
        if open {
            let outside = OutsideCall {
                callee: call.callee.symbol,
                sort: call.sort,
                place: call.place,
                unknown: self.outside.is_unknown(call),
            };
            self.body.outside.insert((step, event), outside);
            pieces.extend(self.outside.pieces(step, event, call));
        }
    }

    fn way(&self, step: StepId, event: u32, call: &CallSite<'d>, entry: EntryOf) -> Way {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        let mut outer: BTreeMap<LocationId, Outer> = BTreeMap::new();
        // What is not passed is nothing to the caller.
        if let xaif_schema::model::Body::Flow(cfg) = &doc.procs[entry.proc].body {
            for other in entries(entry.proc, cfg) {
                let dummies = storage.procedures().dummies(doc, other).iter();
                let symbols = dummies.filter_map(|dummy| dummy.symbol);
                for symbol in symbols.chain(storage.procedures().result(doc, other)) {
                    let locations = storage.locations_of_symbol(symbol).into_iter();
                    let own = locations.filter(|&location| {
                        storage.locations()[location].lifetime != Lifetime::Global
                    });
                    outer.extend(own.map(|location| (location, Outer::default())));
                }
            }
        }
        let map = CallMap::new(self.accesses, call, entry);
        for (location, passed) in map.dummies() {
            let global = storage.locations()[location].lifetime == Lifetime::Global;
            let known = outer.entry(location).or_default();
            if global {
                known.reads.push(Carrier::Location(location));
                known.writes.push(Carrier::Location(location));
            }
            let locations = carriers(self.accesses, passed.locations.iter().copied());
            known.exact = passed.exact;
            if passed.writable {
                known.writes.extend(locations.iter().copied());
            }
            known.reads.extend(locations);
            for &source in &passed.sources {
                known.reads.extend(read(self.accesses, step, source).carriers.iter().copied());
            }
        }
        if let (CallSort::Function(_), Some(result)) =
            (call.sort, storage.procedures().result(doc, entry))
        {
            for location in storage.locations_of_symbol(result) {
                let known = outer.entry(location).or_insert_with(|| Outer {
                    reads: smallvec::smallvec![Carrier::Location(location)],
                    writes: smallvec::smallvec![Carrier::Location(location)],
                    exact: true,
                });
                known.exact = known.writes.is_empty();
                known.writes.push(Carrier::Value(step, event));
            }
        }
        for known in outer.values_mut() {
            for carriers in [&mut known.reads, &mut known.writes] {
                carriers.sort_unstable();
                carriers.dedup();
            }
        }
        let bindings = call.bindings(doc, storage, entry).into_iter();
        let arguments = bindings.map(|(dummy, actual)| self.argument(step, dummy, &actual));
        Way { entry, outer, arguments: arguments.collect() }
    }

    fn argument(&self, step: StepId, dummy: SymbolId, actual: &ActualValue) -> Argument {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        let (references, variable) = match actual {
            ActualValue::Variable(reference) => {
                let locations = carriers(self.accesses, storage.reach(doc, *reference));
                (vec![Read { reference: Some(*reference), carriers: locations.into() }], true)
            }
            ActualValue::Object(reference) => {
                let locations = carriers(self.accesses, storage.reach_of_object(doc, *reference));
                (vec![Read { reference: Some(*reference), carriers: locations.into() }], true)
            }
            ActualValue::Target(results, _) => {
                let locations =
                    results.iter().flat_map(|&result| storage.locations_of_symbol(result));
                let locations = carriers(self.accesses, locations);
                (vec![Read { reference: None, carriers: locations.into() }], true)
            }
            ActualValue::Value(_, sources) => (self.reads(step, sources), false),
            ActualValue::Procedure(_) => (Vec::new(), false),
        };
        Argument { dummy, references, variable }
    }
}

/// A value that flows somewhere.
pub(super) fn read(accesses: &Accesses<'_>, step: StepId, source: Source) -> Read {
    match source {
        Source::Ref(reference) => {
            let locations = accesses.storage().locations_of(accesses.doc(), reference);
            Read { reference: Some(reference), carriers: carriers(accesses, locations).into() }
        }
        Source::Result(event) => {
            Read { reference: None, carriers: [Carrier::Value(step, event)].into() }
        }
    }
}

/// All ways into a procedure.
fn entries(proc: ProcId, cfg: &Cfg) -> Vec<EntryOf> {
    use xaif_schema::model::VertexKind;
    let points = cfg
        .vertices
        .iter()
        .filter(|(_, vertex)| matches!(&vertex.kind, VertexKind::Entry(Some(_))));
    let points = points.map(|(vertex, _)| EntryOf { proc, point: Some(vertex) });
    std::iter::once(EntryOf { proc, point: None }).chain(points).collect()
}

/// The continuous locations of a variable or component that a user names.
pub(super) fn locations_of_choice(
    accesses: &Accesses<'_>,
    reference: &Reference,
) -> BTreeSet<LocationId> {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let locations = storage.locations_at(doc, reference);
    locations.into_iter().filter(|&location| storage.locations()[location].continuous).collect()
}
