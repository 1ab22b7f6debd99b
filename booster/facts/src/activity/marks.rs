//! From varied and useful variables to the facts that a document records.
//!
//! A location of storage gets a derivative if a derivative flows through it somewhere. To that come the
//! locations that must have one for generated code to be right:
//! - an active call passes on derivatives for all arguments for which the callee expects them, so a
//!   dummy argument that has a derivative anywhere gives one to what is passed for it at each active
//!   call;
//! - a callee that overwrites something whose derivative is asked for later must set that to zero,
//!   so its dummy argument has a derivative, too;
//! - procedures that can be called through the same name have the same active dummy arguments;
//! - a callee that sets a procedure pointer sets that to the derivative procedure beside it;
//! - blocks and structures on a tape that carries derivatives have one (`tape.rs`);
//! - a callee that changes state which a derivative procedure has a copy of changes that copy: its
//!   derivative procedure is called everywhere (`state.rs`).
//!
//! All of them only ever add, and are applied until nothing changes.

use std::collections::{BTreeMap, BTreeSet};

use xaif_schema::model::{Body, EntityRef, ProcClass, ProcId, RefId, Role, SymbolId};

use super::dep::VarSet;
use super::equations::StepId;
use super::frame::{Frame, Summaries, partly_varied};
use super::program::{Call, Carrier, Piece, Plain, Program, Read, Way, What, Write};
use super::signature_classes::SignatureClasses;
use super::solve::{Around, Solution};
use super::{state, tape};
use crate::{Lifetime, LocationId, may_hold_numbers};

/// The facts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    /// Locations that have a derivative.
    pub(super) locations: BTreeSet<LocationId>,
    /// Dummy arguments and results of procedures and interface bodies that have a derivative because
    /// another procedure of the same interface has one there.
    pub(super) symbols: BTreeSet<SymbolId>,
    /// Procedures that need a derivative procedure.
    pub(super) procs: BTreeSet<ProcId>,
    /// References whose derivative takes part.
    pub(super) references: BTreeSet<RefId>,
    /// Calls through which activity passes: the step and the number of the event.
    pub(super) calls: BTreeSet<(ProcId, StepId, u32)>,
    /// Why locations have a derivative through which nothing flows: the first call that asks for it.
    pub(super) reasons: BTreeMap<LocationId, Reason>,
    /// Calls of procedures without a body through which activity passes.
    pub(super) outside: BTreeSet<(ProcId, StepId, u32)>,
}

/// A call that asks for the derivative of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reason {
    /// Where it stands.
    pub(super) step: StepId,
    /// What is called.
    pub(super) callee: ProcId,
    /// Whether the callee must set it to zero; else it is passed to it.
    pub(super) zero: bool,
}

/// Where a procedure is solved, with what stands at each piece.
struct Place<'p> {
    proc: ProcId,
    step: StepId,
    piece: &'p Piece,
    around: &'p Around,
    frame: &'p Frame,
}

/// All pieces of the procedures that heads reach, in the order of procedures.
fn places<'p>(program: &'p Program<'_>, solution: &'p Solution) -> impl Iterator<Item = Place<'p>> {
    program.doc.procs.keys().flat_map(move |proc| {
        let solved = solution.solved.get(proc.index()).and_then(Option::as_ref);
        let body = program.body(proc).zip(solved);
        body.into_iter().flat_map(move |(body, solved)| {
            body.steps.iter().flat_map(move |(&step, pieces)| {
                let around = solved.around.get(&step).into_iter().flatten();
                pieces.iter().zip(around).map(move |(piece, around)| Place {
                    proc,
                    step,
                    piece,
                    around,
                    frame: &solved.frame,
                })
            })
        })
    })
}

/// The facts, where `heads` are the procedures that are differentiated and `given` the locations of
/// their independents and dependents.
pub(super) fn marks(
    program: &Program<'_>,
    summaries: &Summaries,
    solution: &Solution,
    kin: &SignatureClasses,
    heads: &[ProcId],
    given: &BTreeSet<LocationId>,
) -> Marks {
    let mut marks = Marks { locations: given.clone(), ..Marks::default() };
    marks.procs.extend(heads);
    for place in places(program, solution) {
        if let Piece::Plain(plain) = place.piece {
            marks.flow(plain, &place);
            marks.open_interface(program, plain, &place);
        }
    }
    let copies: Vec<PartialCopy> =
        places(program, solution).flat_map(|place| copies(&place)).collect();
    let carried = tape::carried(program);
    loop {
        let before = marks.size();
        for place in places(program, solution) {
            match place.piece {
                Piece::Call(call) => marks.call(program, summaries, call, &place),
                Piece::Plain(plain) if marks.takes_back(program, plain, &place) => {
                    marks.locations.extend(&carried);
                }
                Piece::Plain(_) => {}
            }
        }
        for copy in &copies {
            if copy.targets.iter().any(|location| marks.locations.contains(location)) {
                marks.locations.extend(&copy.sources);
            }
        }
        kin.agree(&mut marks);
        if before == marks.size() {
            break;
        }
    }
    for place in places(program, solution) {
        match place.piece {
            Piece::Plain(plain) => marks.references_of(plain, &place),
            Piece::Call(call) => marks.references_of_call(program, call, &place),
        }
    }
    marks
}

/// A part of a structure that a statement copies with parts that are varied.
struct PartialCopy {
    /// Its destinations, as far as these are useful.
    targets: Vec<LocationId>,
    /// Its own locations, which are not varied.
    sources: Vec<LocationId>,
}

/// The copies of a statement. The derivative of a structure is copied as a whole: the parts that are not varied must
/// be zero there, so whatever overwrites them sets their derivatives.
fn copies(place: &Place<'_>) -> Vec<PartialCopy> {
    let Piece::Plain(plain) = place.piece else { return Vec::new() };
    let Around { varied, useful } = place.around;
    let is_varied = |read: &Read| place.frame.any_in(&read.carriers, varied);
    let partly = partly_varied(place.frame, plain, varied);
    let of_write = |write: &Write| {
        let with_others = |read: &&Read| read.reference.is_some_and(|own| partly.contains(&own));
        let others = write.reads.iter().filter(with_others).filter(|&read| !is_varied(read));
        let sources: Vec<LocationId> =
            others.flat_map(|read| locations(read.carriers.iter().copied())).collect();
        let targets =
            || locations(members(place.frame, &write.targets, useful)).collect::<Vec<_>>();
        (!sources.is_empty()).then(|| PartialCopy { targets: targets(), sources })
    };
    plain.writes.iter().filter_map(of_write).collect()
}

fn locations(carriers: impl IntoIterator<Item = Carrier>) -> impl Iterator<Item = LocationId> {
    carriers.into_iter().filter_map(|carrier| match carrier {
        Carrier::Location(location) => Some(location),
        Carrier::Value(..) => None,
    })
}

impl Marks {
    /// Grows with every mark that an iteration adds.
    fn size(&self) -> [usize; 4] {
        [self.locations.len(), self.symbols.len(), self.procs.len(), self.calls.len()]
    }

    /// A derivative flows from what is varied to what is useful.
    fn flow(&mut self, plain: &Plain, place: &Place<'_>) {
        let Around { varied, useful } = place.around;
        for write in &plain.writes {
            let is_varied = write.reads.iter().any(|r| place.frame.any_in(&r.carriers, varied));
            if !is_varied {
                continue;
            }
            let targets = members(place.frame, &write.targets, useful);
            if targets.is_empty() {
                continue;
            }
            self.locations.extend(locations(targets));
            for read in &write.reads {
                self.locations.extend(locations(members(place.frame, &read.carriers, varied)));
            }
        }
    }

    /// Whether something active is taken back from the tape.
    fn takes_back(&self, program: &Program<'_>, plain: &Plain, place: &Place<'_>) -> bool {
        let Some(tape) = program.storage.tape() else { return false };
        plain.writes.iter().any(|write| {
            let from_tape = |read: &Read| {
                read.carriers.contains(&Carrier::Location(tape)) && write.reference.is_some()
            };
            let asked = members(place.frame, &write.targets, &place.around.useful);
            plain.what == What::Statement
                && write.reads.iter().any(from_tape)
                && locations(asked).any(|location| self.locations.contains(&location))
        })
    }

    /// A dummy procedure or procedure pointer of which nothing is known is given derivatives for all arguments
    /// that may have one: whoever passes a procedure knows what it depends on.
    fn open_interface(&mut self, program: &Program<'_>, plain: &Plain, place: &Place<'_>) {
        let What::Outside(event) = plain.what else { return };
        let Around { varied, useful } = place.around;
        let is_active = plain.writes.iter().any(|write| {
            !members(place.frame, &write.targets, useful).is_empty()
                && write.reads.iter().any(|read| place.frame.any_in(&read.carriers, varied))
        });
        let outside =
            program.body(place.proc).and_then(|body| body.outside.get(&(place.step, event)));
        let Some(callee) = outside.filter(|call| is_active && call.unknown).map(|call| call.callee)
        else {
            return;
        };
        let doc = program.doc;
        let is_variable = match doc.role(callee) {
            Some(Role::Procedure(info)) => {
                matches!(info.class, ProcClass::Dummy | ProcClass::Pointer)
            }
            Some(Role::Binding { .. }) => true,
            Some(_) | None => false,
        };
        let Some(described) = doc.described_by(callee).filter(|_| is_variable) else { return };
        if !matches!(doc.procs[described].body, Body::Interface) {
            return;
        }
        let data = &doc.procs[described];
        let all = data.args.iter().filter_map(|arg| arg.symbol).chain(data.result);
        self.symbols.extend(all.filter(|&symbol| may_hold_numbers(doc, doc.declared_base(symbol))));
    }

    /// Whether a callee leaves something behind whose derivative is asked for, and the dummy
    /// arguments that must have one therefore.
    fn call(
        &mut self,
        program: &Program<'_>,
        summaries: &Summaries,
        call: &Call,
        place: &Place<'_>,
    ) {
        let mut active = false;
        for way in &call.ways {
            for (location, _) in &summaries[way.callee()].rows {
                let (targets, _) = way.writes(*location);
                let asked = members(place.frame, &targets, &place.around.useful);
                let is_value = asked.iter().any(|carrier| matches!(carrier, Carrier::Value(..)));
                // The value of a function has a derivative if what it flows into has one.
                if locations(asked).any(|location| self.locations.contains(&location))
                    || (is_value && self.value_is_varied(way, summaries, place))
                {
                    active = true;
                    self.ask(
                        *location,
                        Reason { step: place.step, callee: way.entry.proc, zero: true },
                    );
                }
            }
            active |= self.moves_objects(program, way);
            active |= self.changes_copied_state(program, way);
            // It sets the pointers to the derivatives of these, too.
            let pointed = program.pointed.get(way.callee()).into_iter().flatten();
            active |= pointed.into_iter().any(|proc| self.procs.contains(proc));
        }
        if !active {
            return;
        }
        self.calls.insert((place.proc, place.step, call.event));
        for way in &call.ways {
            self.procs.insert(way.entry.proc);
            for (location, outer) in &way.outer {
                if self.locations.contains(location) {
                    let reason = Reason { step: place.step, callee: way.entry.proc, zero: false };
                    for location in locations(outer.reads.iter().chain(&outer.writes).copied()) {
                        self.ask(location, reason);
                    }
                }
            }
        }
    }

    fn ask(&mut self, location: LocationId, reason: Reason) {
        if self.locations.insert(location) {
            self.reasons.insert(location, reason);
        }
    }

    fn value_is_varied(&self, way: &Way, summaries: &Summaries, place: &Place<'_>) -> bool {
        summaries[way.callee()].rows.iter().any(|(location, row)| {
            let (targets, _) = way.writes(*location);
            targets.iter().any(|target| matches!(target, Carrier::Value(..)))
                && row
                    .iter()
                    .any(|&source| place.frame.any_in(&way.reads(source), &place.around.varied))
        })
    }

    /// Whether a callee, or one that it calls, changes a variable that it keeps and of which
    /// derivative procedures have their own.
    fn changes_copied_state(&self, program: &Program<'_>, way: &Way) -> bool {
        let mut keepers = program.keepers.get(way.callee()).into_iter().flatten();
        keepers.any(|&keeper| state::is_copied(program, &self.procs, keeper))
    }

    /// Whether a callee, or one that it calls, allocates, releases or associates an object that
    /// has a derivative: that must go with it, and the callee's name for it has one, too. A component
    /// that is not active has one where the object is no argument and has other components that are. The derivative
    /// of an actual argument is set behind the call; the other components have no other statement that sets theirs.
    fn moves_objects(&mut self, program: &Program<'_>, way: &Way) -> bool {
        let mut moves = false;
        for &location in program.moved.get(way.callee()).into_iter().flatten() {
            let outer = locations(way.writes(location).0);
            if outer.into_iter().any(|outer| self.locations.contains(&outer)) {
                self.locations.insert(location);
                moves = true;
            }
            moves |= self.is_beside_active(program, way, location);
        }
        moves
    }

    /// Whether a location is part of a variable around the callee of which another part is active.
    fn is_beside_active(&self, program: &Program<'_>, way: &Way, location: LocationId) -> bool {
        let data = &program.storage.locations()[location];
        let is_around = match data.lifetime {
            Lifetime::Global => true,
            Lifetime::Local(owner) | Lifetime::Dummy(owner) => owner != way.entry.proc,
        };
        is_around
            && data.members.iter().any(|member| {
                let parts = program.storage.locations_of_symbol(member.symbol);
                !member.path.is_empty() && parts.iter().any(|part| self.locations.contains(part))
            })
    }

    fn references_of(&mut self, plain: &Plain, place: &Place<'_>) {
        let Around { varied, useful } = place.around;
        for write in &plain.writes {
            let asked = members(place.frame, &write.targets, useful);
            let is_value = asked.iter().any(|carrier| matches!(carrier, Carrier::Value(..)));
            let is_active = locations(asked).any(|location| self.locations.contains(&location));
            if !is_active && !is_value {
                continue;
            }
            if is_active {
                self.references.extend(write.reference);
            }
            let reads = write.reads.iter();
            let mut reads = reads.filter(|r| place.frame.any_in(&r.carriers, varied)).peekable();
            if let (What::Outside(event), true) = (plain.what, is_active || reads.peek().is_some())
            {
                self.outside.insert((place.proc, place.step, event));
            }
            self.references.extend(reads.filter_map(|read| read.reference));
        }
    }

    fn references_of_call(&mut self, program: &Program<'_>, call: &Call, place: &Place<'_>) {
        if !self.calls.contains(&(place.proc, place.step, call.event)) {
            return;
        }
        for argument in call.ways.iter().flat_map(|way| &way.arguments) {
            let dummy = program.storage.locations_of_symbol(argument.dummy);
            if !dummy.iter().any(|location| self.locations.contains(location)) {
                continue;
            }
            for read in &argument.references {
                if argument.variable || place.frame.any_in(&read.carriers, &place.around.varied) {
                    self.references.extend(read.reference);
                }
            }
        }
    }
}

/// Those of `carriers` that are in `set`.
fn members(frame: &Frame, carriers: &[Carrier], set: &VarSet) -> Vec<Carrier> {
    let in_set =
        |carrier: &Carrier| frame.number(*carrier).is_some_and(|var| set.contains(var as usize));
    carriers.iter().copied().filter(in_set).collect()
}
