//! Passive calls that only the callee can undo.
//!
//! A call through which no derivative passes is undone by its caller, which records what the call
//! overwrites. It cannot where it has no name for that (a COMMON block that it does not declare) or
//! does not know its extent (an array of assumed size). Then the callee must record: the call is
//! taken as active, so that it is split ([`crate::call_modes::choice`]), and the callee has two sweeps which do
//! nothing but put values on the tape and take them back. Where the callee has derivatives at other
//! calls, this one gets a copy of it ([`crate::call_modes::passive_copies`]).
//!
//! This changes facts of activity, so it comes before those of TBR analysis, or with them: what is
//! required decides which calls matter, and a callee that has an adjoint requires more. Each iteration
//! adds active procedures, so the iterations end.

use xaif_schema::model::{Body, Document, ProcId, StmtId, VertexKind};

use crate::call_modes::choice::{callee_mut, callee_of};
use crate::call_modes::not_storable_here::hidden;
use crate::call_modes::passive_copies::{PassiveCopies, has_derivatives};
use crate::queries::designators::designated;
use booster_facts::access::Event;
use booster_facts::externals::Externals;
use booster_facts::nameable::Nameable;
use booster_facts::overwrites::{Overwrites, Overwritten};
use booster_facts::side_effects::SideEffects;
use booster_facts::{Accesses, Bodies, Lifetime, LocationId, Procedures, StepKey, Storage};
use booster_flow::Step;

/// Takes passive calls that only the callee can undo as active, with the procedures that they may
/// execute or copies of them; tells whether there were any. Facts of what is recorded are used where
/// there are some. `copies` are those of earlier iterations.
pub(crate) fn take_as_active(
    doc: &mut Document,
    externals: &Externals,
    copies: &mut PassiveCopies,
) -> bool {
    let analysed = doc.procs.values().any(|proc| proc.active.is_some());
    let found = if analysed { found(doc, externals) } else { Vec::new() };
    if found.is_empty() {
        return false;
    }
    let procedures = Procedures::new(doc);
    for Undone { caller, stmt, callees } in &found {
        match callees[..] {
            [callee] if has_derivatives(doc, callee) => {
                let copy = copies.give(doc, &procedures, *caller, *stmt, callee);
                doc.procs[copy.unwrap_or(callee)].active = Some(true);
            }
            _ => callees.iter().for_each(|&callee| doc.procs[callee].active = Some(true)),
        }
        if let Some((_, active)) = callee_mut(doc, *stmt) {
            *active = Some(true);
        }
    }
    true
}

/// A call that its caller cannot undo.
struct Undone {
    caller: ProcId,
    stmt: StmtId,
    /// What it may execute.
    callees: Vec<ProcId>,
}

fn found(doc: &Document, externals: &Externals) -> Vec<Undone> {
    let storage = Storage::new(doc);
    let accesses = Accesses::new(doc, &storage);
    let bodies = Bodies::new(&accesses);
    let effects = SideEffects::new(&accesses, &bodies, externals);
    let nameable = Nameable::new(doc);
    let mut found = Vec::new();
    for body in bodies.iter().filter(|body| doc.procs[body.proc].active == Some(true)) {
        let mut overwrites = None;
        for at in body.steps.iter().filter(|at| !at.ends) {
            let Step::Stmt(stmt) = at.step else { continue };
            if !matches!(callee_of(doc, stmt), Some((_, Some(false)))) {
                continue;
            }
            let calls = at.events.iter().filter_map(|event| match event {
                Event::Call(call) => Some(&call.targets),
                _ => None,
            });
            let mut callees = Vec::new();
            let mut all = true;
            for targets in calls {
                all &= !targets.unknown && targets.outside.is_empty();
                callees.extend(targets.bodies.iter().map(|entry| entry.proc));
            }
            let is_body = |&proc: &ProcId| matches!(doc.procs[proc].body, Body::Flow(_));
            if !all || callees.is_empty() || !callees.iter().all(is_body) {
                continue;
            }
            let overwrites = overwrites
                .get_or_insert_with(|| Overwrites::new(&accesses, body, externals, &effects));
            let none = Overwritten::default();
            let written = overwrites.of(StepKey::Stmt(stmt)).unwrap_or(&none);
            // Of what is recorded facts tell, if there are any.
            let names = match doc.stmts[stmt].recorded {
                Some(_) => &[][..],
                None => &written.names[..],
            };
            if hidden(doc, (&storage, &nameable), body.proc, stmt, names).is_some()
                || leaves_memory_out(doc, &storage, stmt, written)
            {
                found.push(Undone { caller: body.proc, stmt, callees });
            }
        }
    }
    found
}

/// Whether a name that is recorded stands for a location of which the caller cannot name all: a pointer may point to a
/// variable of a block that the caller does not declare.
fn leaves_memory_out(
    doc: &Document,
    storage: &Storage,
    stmt: StmtId,
    written: &Overwritten,
) -> bool {
    let place = doc.stmts[stmt].place;
    let is_left = |location: &LocationId| {
        written.nameless.contains(location)
            && storage.locations()[*location].lifetime == Lifetime::Global
    };
    if written.nameless.is_empty() {
        return false;
    }
    match &doc.stmts[stmt].recorded {
        Some(told) => told.iter().any(|&one| storage.locations_of(doc, one).iter().any(is_left)),
        None => written.names.iter().any(|name| {
            storage.locations_at(doc, &designated(doc, name, place)).iter().any(is_left)
        }),
    }
}

pub(crate) fn has_entries(doc: &Document, proc: ProcId) -> bool {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return true };
    cfg.vertices.values().any(|vertex| matches!(vertex.kind, VertexKind::Entry(Some(_))))
}
