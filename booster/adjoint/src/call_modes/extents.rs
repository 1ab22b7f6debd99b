//! Whether the extents of a procedure's arrays stay as they are: `work(n)` has the extent that `n` had as the
//! procedure began, and the backward half of a split one, which begins with what `n` is at the end, would
//! declare another array. Of `work(size(a))` only the shape of `a` must stay.
//!
//! Not looked at: what functions of the program read in declarations.

use std::collections::BTreeSet;

use xaif_schema::model::{Attr, Base, Document, Part, ProcId, RefId, Reference, StmtKind};

use booster_facts::access::{Accesses, Event, ReadRole, Written};
use booster_facts::externals::Externals;
use booster_facts::side_effects::{SideEffects, effects_of_call};
use booster_facts::storage::Member;
use booster_facts::{Bodies, BodyEvents, Lifetime, LocationId, StepAt};
use booster_flow::Step;
use booster_linearize::keeps_shape;

/// Whether `proc` may change what the extents in its declarations depend on.
pub(crate) fn changes_extents(
    accesses: &Accesses<'_>,
    bodies: &Bodies<'_>,
    externals: &Externals,
    effects: &SideEffects,
    proc: ProcId,
) -> bool {
    let locations = accesses.storage().locations();
    let Some(body) = bodies.get(proc) else { return false };
    let mut calls = entering(body).filter(|event| matches!(event, Event::Call(_)));
    if calls.next().is_some() {
        return true;
    }
    let found = effects.of(proc);
    let asks = |event: &Event<'_>| match event {
        Event::Ask(_, locations) => {
            locations.iter().any(|location| found.properties.out.contains(location))
        }
        Event::Read(..)
        | Event::Write(_)
        | Event::Call(_)
        | Event::Allocate(_)
        | Event::Release { .. }
        | Event::Associate(_)
        | Event::Reshape(_)
        | Event::Anything => false,
    };
    if entering(body).any(asks) {
        return true;
    }
    let by_value = read_by_value(accesses, body);
    found.on_entry.iter().any(|location| {
        let changes = || {
            by_value.contains(location)
                || may_reshape(accesses, externals, effects, body, *location)
        };
        found.out.contains(location) && changes()
            || found.world && locations[*location].lifetime == Lifetime::Global
    })
}

/// What declarations do as the procedure is entered.
fn entering<'b, 'd>(body: &'b BodyEvents<'d>) -> impl Iterator<Item = &'b Event<'d>> {
    let enters = body.steps.iter().filter(|at| matches!(at.step, Step::Enter(_)));
    enters.flat_map(|at| at.events.iter())
}

/// The locations of which declarations read the values, not only the shapes.
fn read_by_value(accesses: &Accesses<'_>, body: &BodyEvents<'_>) -> BTreeSet<LocationId> {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let read = entering(body).filter_map(|event| match event {
        Event::Read(reference, role) if *role != ReadRole::Inquiry => Some(*reference),
        Event::Read(..)
        | Event::Write(_)
        | Event::Call(_)
        | Event::Allocate(_)
        | Event::Release { .. }
        | Event::Associate(_)
        | Event::Ask(..)
        | Event::Reshape(_)
        | Event::Anything => None,
    });
    read.flat_map(|reference| storage.locations_of(doc, reference)).collect()
}

/// Whether a body may give a location another shape. A call that overwrites what is allocatable may.
fn may_reshape(
    accesses: &Accesses<'_>,
    externals: &Externals,
    effects: &SideEffects,
    body: &BodyEvents<'_>,
    location: LocationId,
) -> bool {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let members = &storage.locations()[location].members;
    let fixed = |member: &Member| {
        let last = member.path.last().copied().unwrap_or(member.symbol);
        ![Attr::Allocatable, Attr::Pointer].iter().any(|&attr| doc.has(last, attr))
    };
    if members.iter().all(fixed) {
        return false;
    }
    let concerns = |reference: RefId| storage.locations_of(doc, reference).contains(&location);
    let reshapes = |at: &StepAt<'_>, event: &Event<'_>| match event {
        Event::Write(write) => match write.place {
            Written::Ref(reference) => {
                concerns(reference) && !leaves_shape(doc, at.step, reference)
            }
            Written::Symbol(symbol) => members.iter().any(|member| member.symbol == symbol),
        },
        Event::Allocate(reference)
        | Event::Release { object: reference, .. }
        | Event::Associate(reference) => concerns(*reference),
        Event::Call(call) => {
            let found = effects_of_call(accesses, call, externals, effects);
            found.world || found.out.contains(&location)
        }
        Event::Anything => true,
        Event::Read(..) | Event::Ask(..) | Event::Reshape(_) => false,
    };
    let mut returning = body.steps.iter().filter(|at| !at.ends);
    returning.any(|at| at.events.iter().any(|event| reshapes(at, event)))
}

/// Whether what a step writes to `written` leaves that its shape: elements that are no structures, or an
/// assignment of its own shape.
fn leaves_shape(doc: &Document, step: Step<'_>, written: RefId) -> bool {
    let Reference { parts, ty, .. } = &doc.refs[written];
    let structures = matches!(ty.base, Base::Derived(_) | Base::Class(_) | Base::ClassStar);
    if matches!(parts.last(), Some(Part::Elements(_))) && !structures {
        return true;
    }
    let Step::Stmt(stmt) = step else { return false };
    let StmtKind::Assign { lhs, rhs, defined: None } = doc.stmts[stmt].kind else { return false };
    let spread = doc.exprs[rhs].ty.rank == 0;
    lhs == written && doc.refs[lhs].ty.rank > 0 && (spread || keeps_shape(doc, rhs, lhs))
}
