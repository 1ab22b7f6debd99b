//! Summaries of procedures that call each other in a circle.
//!
//! First the sets that need no data flow are closed over the circle: the locations that are read, touched and overwritten.
//! Then the relations grow from the empty one. A procedure is looked at again when the summary of a callee has grown.
//!
//! The second loop ends because summaries only grow, in a finite order. A new summary is joined with the last one: it
//! adds a pair to the relation, a row of a location that is overwritten, or that control comes back. Each of these is added
//! once. A row says two things, what a location depends on and that it may be overwritten. While a callee does not come
//! back, all locations of its callers have empty rows, also locations that no statement overwrites. Such a row becomes the identity
//! as soon as a path comes back, and the identity of a location that no statement overwrites is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Index;
use std::sync::Arc;

use xaif_schema::model::{EntityRef, ProcId};

use super::frame::{self, Frame, Summaries, Summary};
use super::program::{Body, Carrier, Piece, Program};
use super::solve::summary_in;
use crate::LocationId;

/// The summaries of all procedures, those of a circle in place of what stands for them in `all`.
struct Known<'a> {
    all: &'a Summaries,
    own: BTreeMap<usize, Summary>,
}

impl Index<usize> for Known<'_> {
    type Output = Summary;

    fn index(&self, number: usize) -> &Summary {
        self.own.get(&number).unwrap_or_else(|| &self.all[number])
    }
}

/// The summaries of `component`: the least ones that agree.
pub(super) fn summaries(
    program: &Program<'_>,
    component: &[ProcId],
    all: &Summaries,
) -> Vec<(ProcId, Summary)> {
    let own = component.iter().map(|proc| (proc.index(), Summary::default())).collect();
    let mut cycle = Cycle {
        program,
        callers: callers(program, component),
        known: Known { all, own },
        overwritten: BTreeMap::new(),
    };
    cycle.until_settled(component, Cycle::close_sets);
    let frames: BTreeMap<ProcId, Frame> = component
        .iter()
        .filter_map(|&proc| Some((proc, frame::frame(program.body(proc)?, &cycle.known))))
        .collect();
    cycle.until_settled(component, |cycle, proc| match frames.get(&proc) {
        Some(frame) => cycle.grow(proc, frame),
        None => false,
    });
    let mut own = cycle.known.own;
    component.iter().map(|&proc| (proc, own.remove(&proc.index()).unwrap_or_default())).collect()
}

/// For each procedure of a component, those of it that call it.
fn callers(program: &Program<'_>, component: &[ProcId]) -> BTreeMap<ProcId, Vec<ProcId>> {
    let mut callers: BTreeMap<ProcId, Vec<ProcId>> =
        component.iter().map(|&proc| (proc, Vec::new())).collect();
    for &caller in component {
        for callee in program.body(caller).map(Body::callees).into_iter().flatten() {
            if let Some(callers) = callers.get_mut(&callee) {
                callers.push(caller);
            }
        }
    }
    callers
}

struct Cycle<'p, 'd> {
    program: &'p Program<'d>,
    callers: BTreeMap<ProcId, Vec<ProcId>>,
    known: Known<'p>,
    /// The locations that each procedure of the circle may overwrite, as far as this is known.
    overwritten: BTreeMap<usize, BTreeSet<LocationId>>,
}

impl Cycle<'_, '_> {
    /// Asks `step` about each procedure, and again about the callers of one for which it tells that something is new.
    fn until_settled(&mut self, component: &[ProcId], step: impl Fn(&mut Self, ProcId) -> bool) {
        let mut waiting: BTreeSet<ProcId> = component.iter().copied().collect();
        while !waiting.is_empty() {
            for proc in std::mem::take(&mut waiting) {
                if step(self, proc) {
                    waiting.extend(self.callers.get(&proc).into_iter().flatten());
                }
            }
        }
    }

    /// Brings the sets of a procedure up to date with those of its callees; tells whether one has grown.
    fn close_sets(&mut self, proc: ProcId) -> bool {
        let Some(body) = self.program.body(proc) else { return false };
        let visible = |location: &LocationId| self.program.is_visible(proc, *location);
        let frame = frame::frame(body, &self.known);
        let mut touched: Vec<LocationId> = frame.all_locations().filter(visible).collect();
        touched.sort_unstable();
        touched.dedup();
        let read: Vec<LocationId> =
            frame::reads(body, &self.known).into_iter().filter(visible).collect();
        let overwritten: BTreeSet<LocationId> =
            self.overwritten_by(body).into_iter().filter(visible).collect();
        let mut grown = false;
        if let Some(summary) = self.known.own.get_mut(&proc.index()) {
            grown = summary.touched.len() < touched.len() || summary.read.len() < read.len();
            (summary.touched, summary.read) = (touched, read);
        }
        let known = self.overwritten.entry(proc.index()).or_default();
        grown |= known.len() < overwritten.len();
        *known = overwritten;
        grown
    }

    fn overwritten_by(&self, body: &Body) -> BTreeSet<LocationId> {
        let mut carriers: BTreeSet<Carrier> = BTreeSet::new();
        let returning = body.steps.iter().filter(|(step, _)| !body.ending.contains(step));
        for piece in returning.flat_map(|(_, pieces)| pieces) {
            match piece {
                Piece::Plain(plain) => {
                    carriers.extend(plain.writes.iter().flat_map(|write| write.targets.iter()));
                }
                Piece::Call(call) => {
                    for way in &call.ways {
                        match self.overwritten.get(&way.callee()) {
                            Some(locations) => {
                                carriers.extend(
                                    locations.iter().flat_map(|&location| way.writes(location).0),
                                );
                            }
                            None => {
                                let rows = self.known[way.callee()].rows.iter();
                                carriers
                                    .extend(rows.flat_map(|(location, _)| way.writes(*location).0));
                            }
                        }
                    }
                }
            }
        }
        let location = |carrier| match carrier {
            Carrier::Location(location) => Some(location),
            Carrier::Value(..) => None,
        };
        carriers.into_iter().filter_map(location).collect()
    }

    /// Joins what follows from the callees with the summary of a procedure; tells whether it has grown.
    fn grow(&mut self, proc: ProcId, frame: &Frame) -> bool {
        let Some(body) = self.program.body(proc) else { return false };
        let new = summary_in(self.program, proc, body, frame, &self.known);
        let Some(overwritten) = self.overwritten.get(&proc.index()) else { return false };
        let Some(old) = self.known.own.get_mut(&proc.index()) else { return false };
        if !new.returns {
            return false;
        }
        let rows = if old.returns { joined(&old.rows, &new.rows) } else { new.rows };
        let is_kept = |location: LocationId, row: &[LocationId]| {
            row != [location] || overwritten.contains(&location)
        };
        let rows: Rows =
            rows.into_iter().filter(|(location, row)| is_kept(*location, row)).collect();
        let grown = !old.returns || rows != old.rows;
        (old.rows, old.returns) = (rows, true);
        grown
    }
}

type Rows = Vec<(LocationId, Arc<[LocationId]>)>;

/// The union of two relations by rows; an absent row is the identity.
fn joined(one: &Rows, other: &Rows) -> Rows {
    let identity = |location: LocationId| -> Arc<[LocationId]> { [location].into() };
    let mut rows: BTreeMap<LocationId, Arc<[LocationId]>> = one.iter().cloned().collect();
    let in_other: BTreeMap<LocationId, Arc<[LocationId]>> = other.iter().cloned().collect();
    for (&location, row) in &mut rows {
        let other = in_other.get(&location).cloned().unwrap_or_else(|| identity(location));
        *row = union(row, &other);
    }
    for (location, row) in in_other {
        rows.entry(location).or_insert_with(|| union(&row, &identity(location)));
    }
    rows.into_iter().collect()
}

fn union(one: &Arc<[LocationId]>, other: &Arc<[LocationId]>) -> Arc<[LocationId]> {
    if one == other {
        return Arc::clone(one);
    }
    let all: BTreeSet<LocationId> = one.iter().chain(other.iter()).copied().collect();
    all.into_iter().collect()
}
