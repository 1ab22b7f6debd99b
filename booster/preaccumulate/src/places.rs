//! Which references of a run of assignments mean the same place: numbers, arrays or sections.
//!
//! Within a run, two references are certainly the same place, certainly different ones, or the run
//! ends before the statement that would leave it open: so the linearised computational graph is right
//! without further facts. The same: written alike, with nothing in their subscripts overwritten, which
//! `runs` sees to. Different: other locations of [`Storage`], or elements and sections of one
//! array whose subscripts differ by a constant. Sections that overlap are neither. Two places that are
//! only read need not be told apart.
//!
//! A run may have thousands of places, so only those of the same locations are looked at, and elements with
//! literal subscripts are found by these.

use std::collections::{BTreeSet, HashMap, HashSet};

use xaif_schema::model::{Document, ExprKind, Part, RefId, Reference, Subscript, SymbolId};

use super::shape::is_whole;
use booster_build::{nodes_of, same_parts, subscripts_of};
use booster_facts::dependence::{Seen, apart};
use booster_facts::{LocationId, Locations, Storage};

/// A place, by its number in the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlaceId(pub usize);

/// What is known of a place.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The reference that named it first.
    pub(super) reference: RefId,
    /// Its locations.
    pub(super) locations: Locations,
    /// What was told of its activity.
    pub(super) active: Option<bool>,
    /// What its subscripts read.
    indices: BTreeSet<LocationId>,
    /// Its array and subscripts, where these are literals.
    literal: Option<Element>,
    /// Whether an active assignment of the run has written it.
    written: bool,
}

/// An element of an array by the values of its subscripts.
type Element = (SymbolId, Vec<i64>);

/// The places of a run, in the order in which they were named first.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    pub(super) list: Vec<Place>,
    /// Elements with literal subscripts.
    elements: HashMap<Element, PlaceId>,
    /// For each location the arrays of which there are such elements, with these.
    elements_of: HashMap<LocationId, HashMap<SymbolId, Vec<PlaceId>>>,
    /// For each location all other places in it.
    others_of: HashMap<LocationId, Vec<PlaceId>>,
    /// For each location how many places have it in their subscripts.
    named_by: HashMap<LocationId, usize>,
}

impl Places {
    /// The places that an assignment reads and writes; none where one of them may be, and need not be,
    /// one that the run has written, where the last may be one that it has read, or where what is
    /// written is in the subscripts of a place.
    pub(super) fn assignment(
        &mut self,
        doc: &Document,
        storage: &Storage,
        read: &[Option<RefId>],
        written: RefId,
    ) -> Option<(Vec<Option<PlaceId>>, PlaceId)> {
        let known = self.list.len();
        let found = self.find_all(doc, storage, read, written);
        match found {
            Some((_, target)) => self.list[target.0].written = true,
            None => self.forget_from(known),
        }
        found
    }

    /// Makes a reference that is only read a place, whatever else there is.
    pub(super) fn note(&mut self, doc: &Document, storage: &Storage, reference: RefId) {
        self.find(doc, storage, reference, false);
    }

    fn find_all(
        &mut self,
        doc: &Document,
        storage: &Storage,
        read: &[Option<RefId>],
        written: RefId,
    ) -> Option<(Vec<Option<PlaceId>>, PlaceId)> {
        let mut sources = Vec::with_capacity(read.len());
        for &reference in read {
            sources.push(match reference {
                Some(reference) => Some(self.find(doc, storage, reference, false)?),
                None => None,
            });
        }
        let target = self.find(doc, storage, written, true)?;
        let keeps = self.keep_their_names(&self.list[target.0].locations);
        keeps.then_some((sources, target))
    }

    fn find(
        &mut self,
        doc: &Document,
        storage: &Storage,
        reference: RefId,
        write: bool,
    ) -> Option<PlaceId> {
        let locations = storage.locations_of(doc, reference);
        let literal = literal(doc, reference);
        let mut same = literal.as_ref().and_then(|element| self.elements.get(element).copied());
        for place in self.near(&locations, literal.as_ref()) {
            let other = &self.list[place.0];
            if same_place(doc, other.reference, reference) {
                same = Some(place);
            } else if (write || other.written) && !differ(doc, other.reference, reference) {
                return None;
            }
        }
        Some(same.unwrap_or_else(|| {
            let indices = indices(doc, storage, reference);
            let active = doc.refs[reference].active;
            self.add(Place { reference, locations, active, indices, literal, written: false })
        }))
    }

    /// The places that have a location of `locations`, but for elements that literal subscripts tell from
    /// `element`.
    fn near(&self, locations: &[LocationId], element: Option<&Element>) -> Vec<PlaceId> {
        let mut found = Vec::new();
        for location in locations {
            found.extend(self.others_of.get(location).into_iter().flatten());
            for (array, places) in self.elements_of.get(location).into_iter().flatten() {
                if element.is_none_or(|(own, _)| own != array) {
                    found.extend(places);
                }
            }
        }
        found
    }

    fn add(&mut self, place: Place) -> PlaceId {
        let id = PlaceId(self.list.len());
        for &location in &place.locations {
            let list = match &place.literal {
                Some((array, _)) => {
                    self.elements_of.entry(location).or_default().entry(*array).or_default()
                }
                None => self.others_of.entry(location).or_default(),
            };
            list.push(id);
        }
        if let Some(element) = &place.literal {
            self.elements.insert(element.clone(), id);
        }
        for &location in &place.indices {
            *self.named_by.entry(location).or_default() += 1;
        }
        self.list.push(place);
        id
    }

    /// Takes back the places that were added last.
    fn forget_from(&mut self, first: usize) {
        for place in self.list.drain(first..).rev() {
            for location in &place.locations {
                let list = match &place.literal {
                    Some((array, _)) => {
                        self.elements_of.get_mut(location).and_then(|arrays| arrays.get_mut(array))
                    }
                    None => self.others_of.get_mut(location),
                };
                list.and_then(Vec::pop);
            }
            if let Some(element) = &place.literal {
                self.elements.remove(element);
            }
            for location in &place.indices {
                if let Some(count) = self.named_by.get_mut(location) {
                    *count -= 1;
                }
            }
        }
    }

    /// Whether a write to `locations` leaves all places what they are and none of them touched.
    pub(super) fn are_left_alone(&self, locations: &[LocationId]) -> bool {
        let elements = |location| {
            let arrays = self.elements_of.get(location).into_iter().flat_map(HashMap::values);
            arrays.into_iter().any(|places| !places.is_empty())
        };
        let others =
            |location| self.others_of.get(location).is_some_and(|places| !places.is_empty());
        self.keep_their_names(locations)
            && !locations.iter().any(|location| elements(location) || others(location))
    }

    /// Whether a write to `locations` leaves the subscripts of all places what they are.
    fn keep_their_names(&self, locations: &[LocationId]) -> bool {
        !locations
            .iter()
            .any(|location| self.named_by.get(location).is_some_and(|&count| count > 0))
    }
}

/// The array and the subscripts of an element, where these are literals.
fn literal(doc: &Document, reference: RefId) -> Option<Element> {
    let data = &doc.refs[reference];
    let [Part::Elements(list)] = &data.parts[..] else { return None };
    let value = |subscript: &Subscript| {
        let Subscript::Index(index) = subscript else { return None };
        let ExprKind::Constant(constant) = &doc.exprs[*index].kind else { return None };
        constant.text.parse::<i64>().ok()
    };
    let subscripts = list.iter().map(value).collect::<Option<Vec<i64>>>()?;
    Some((data.base, subscripts))
}

/// The locations that the subscripts of a reference read.
pub(super) fn indices(doc: &Document, storage: &Storage, reference: RefId) -> BTreeSet<LocationId> {
    let subscripts = subscripts_of(&doc.refs[reference]);
    let nodes = nodes_of(doc, subscripts).into_iter();
    nodes
        .filter_map(|node| doc.exprs[node].reference())
        .flat_map(|read| storage.locations_of(doc, read))
        .collect()
}

/// Whether two references are written alike, but for `a` and `a(:)`, which are the same.
pub(super) fn same_place(doc: &Document, a: RefId, b: RefId) -> bool {
    let (a, b) = (&doc.refs[a], &doc.refs[b]);
    let selects = |part: &Part| match part {
        Part::Elements(list) => !is_whole(list),
        Part::Component { .. } | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => true,
    };
    if a.parts.iter().chain(&b.parts).all(selects) {
        return a.base == b.base && same_parts(doc, &a.parts, &b.parts);
    }
    let parts = |one: &Reference| one.parts.iter().filter(|part| selects(part)).cloned().collect();
    let (parts, others): (Vec<Part>, Vec<Part>) = (parts(a), parts(b));
    a.base == b.base && same_parts(doc, &parts, &others)
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
