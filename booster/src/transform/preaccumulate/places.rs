//! Which references of a run of assignments mean the same place.
//!
//! Within a run, two references are certainly the same place, certainly different ones, or the run
//! ends before the statement that would leave it open: so the linearised computational graph is right
//! without further facts. The same: written alike, with nothing in their subscripts overwritten, which
//! [`runs`](super::runs) sees to. Different: other units of [`Storage`], or elements of one array whose
//! subscripts differ by a constant. Two places that are only read need not be told apart.

use std::collections::{BTreeSet, HashSet};

use xaif_schema::model::{Document, ExprKind, RefId, SymbolId};

use crate::analysis::{Storage, UnitId, Units};
use crate::build::{nodes_of, same_reference, subscripts_of};
use crate::transform::adjoint::apart::{Seen, apart};

/// A place, by its number in the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct PlaceId(pub(super) usize);

/// What is known of a place.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The reference that named it first.
    pub(super) reference: RefId,
    /// Its units.
    pub(super) units: Units,
    /// What was told of its activity.
    pub(super) active: Option<bool>,
    /// What its subscripts read.
    indices: BTreeSet<UnitId>,
    /// Whether an active assignment of the run has written it.
    written: bool,
}

/// The places of a run, in the order in which they were named first.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    pub(super) list: Vec<Place>,
}

impl Places {
    /// The place that `reference` reads; `None` where it may be one that the run has written, and
    /// need not.
    pub(super) fn read(
        &mut self,
        doc: &Document,
        storage: &Storage,
        reference: RefId,
    ) -> Option<PlaceId> {
        self.find(doc, storage, reference, false)
    }

    /// The place that `reference` writes; `None` where it may be one that the run has read or written,
    /// and need not.
    pub(super) fn write(
        &mut self,
        doc: &Document,
        storage: &Storage,
        reference: RefId,
    ) -> Option<PlaceId> {
        let place = self.find(doc, storage, reference, true)?;
        self.list[place.0].written = true;
        Some(place)
    }

    fn find(
        &mut self,
        doc: &Document,
        storage: &Storage,
        reference: RefId,
        write: bool,
    ) -> Option<PlaceId> {
        let units = storage.units_of(doc, reference);
        let mut same = None;
        for (number, place) in self.list.iter().enumerate() {
            if same_reference(doc, place.reference, reference) {
                same = Some(PlaceId(number));
            } else if (write || place.written)
                && place.units.iter().any(|unit| units.contains(unit))
                && !differ(doc, place.reference, reference)
            {
                return None;
            }
        }
        Some(same.unwrap_or_else(|| {
            let indices = indices(doc, storage, reference);
            let active = doc.refs[reference].active;
            self.list.push(Place { reference, units, active, indices, written: false });
            PlaceId(self.list.len() - 1)
        }))
    }

    /// Whether a write to `units` leaves all places what they are and none of them touched.
    pub(super) fn are_left_alone(&self, units: &[UnitId]) -> bool {
        self.keep_their_names(units)
            && self.list.iter().all(|place| !units.iter().any(|unit| place.units.contains(unit)))
    }

    /// Whether a write to `units` leaves the subscripts of all places what they are.
    pub(super) fn keep_their_names(&self, units: &[UnitId]) -> bool {
        self.list.iter().all(|place| !units.iter().any(|unit| place.indices.contains(unit)))
    }
}

/// The units that the subscripts of a reference read.
fn indices(doc: &Document, storage: &Storage, reference: RefId) -> BTreeSet<UnitId> {
    let subscripts = subscripts_of(&doc.refs[reference]);
    let nodes = nodes_of(doc, subscripts).into_iter();
    nodes
        .filter_map(|node| doc.exprs[node].reference())
        .flat_map(|read| storage.units_of(doc, read))
        .collect()
}

/// Whether two references are surely elements of one array with different subscripts. Nothing in
/// these is overwritten within the run.
fn differ(doc: &Document, a: RefId, b: RefId) -> bool {
    let settled: HashSet<SymbolId> = [a, b]
        .into_iter()
        .flat_map(|reference| nodes_of(doc, subscripts_of(&doc.refs[reference])))
        .filter_map(|node| match doc.exprs[node].kind {
            ExprKind::Ref(reference) => Some(doc.refs[reference].base),
            _ => None,
        })
        .collect();
    let seen = |reference| Seen { reference, around: &[] };
    apart(doc, seen(a), seen(b), 0, &settled)
}
