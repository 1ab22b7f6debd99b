//! Objects around recorded components: a component is there with them alone.
//!
//! - A statement that may change the allocation of an object records the object with its parts.
//! - A statement that may not records a part under `if (allocated(object))`, in both sweeps, if the object may be missing.

use xaif_schema::model::{Attr, Document, Part, Reference, StmtId, StmtKind, Ty};

use crate::body::Adjoint;
use crate::call_modes::choice::call_of;
use crate::queries::designators::{
    designated, is_part_of, is_pointer, is_within, passed_variables, same_designator,
};
use crate::recovery::record::may_allocate;
use booster_build::{Copier, Emitter, exists};

impl Adjoint<'_> {
    /// The objects, but for pointers, whose allocation or bounds a statement may change.
    pub(crate) fn reshaped_by(&self, doc: &Document, stmt: StmtId) -> Vec<Reference> {
        let place = doc.stmts[stmt].place;
        let names = self.overwritten(stmt).into_iter().flat_map(|found| &found.reshaped);
        let names = names.map(|name| designated(doc, name, place));
        names.filter(|own| !is_pointer(doc, own)).collect()
    }

    /// The objects around some others whose allocation a statement may change as well: the others are there with them
    /// alone.
    pub(crate) fn reshaped_around(
        &self,
        doc: &Document,
        stmt: StmtId,
        inner: &[Reference],
    ) -> Vec<Reference> {
        let around = |whole: &Reference| inner.iter().any(|name| is_part_of(doc, name, whole));
        let all = self.reshaped_by(doc, stmt).into_iter().chain(self.allocated_by(doc, stmt));
        let mut found: Vec<Reference> = Vec::new();
        for own in all.filter(around) {
            let is_own = |known: &Reference| same_designator(doc, known, &own);
            if !inner.iter().chain(&found).any(is_own) {
                found.push(own);
            }
        }
        found
    }

    /// The pointers through which values are recorded before a call that may associate them with something else: the
    /// values are taken back through the old association.
    pub(crate) fn reassociated(
        &self,
        doc: &Document,
        stmt: StmtId,
        values: &[Reference],
        known: &[Reference],
    ) -> Vec<Reference> {
        if !matches!(doc.stmts[stmt].kind, StmtKind::Call(_)) {
            return Vec::new();
        }
        let Some(found) = self.overwritten(stmt) else { return Vec::new() };
        let moves = |own: &&Reference| {
            let is_pointer = own.whole_entity().is_some_and(|it| doc.has(it, Attr::Pointer));
            is_pointer && !known.iter().any(|other| same_designator(doc, other, own)) && {
                let (properties, _) = self.storage.reshaped_at(doc, own, true);
                properties.iter().any(|location| found.properties.contains(location))
            }
        };
        values.iter().filter(moves).cloned().collect()
    }

    /// Opens an IF for each allocatable object around a component that a callee may reach, and which may not be there;
    /// the number of them. A statement that names such an object with a component finds it allocated.
    pub(crate) fn open_around(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        name: &Reference,
    ) -> usize {
        let Some((_, args, _)) = call_of(e.doc, stmt) else { return 0 };
        let passed = passed_variables(e.doc, args);
        let passed: Vec<Reference> = passed.map(|one| e.doc.refs[one].clone()).collect();
        let mut around: Vec<Reference> = Vec::new();
        for (at, part) in name.parts.iter().enumerate() {
            let before = &name.parts[..at];
            let object = match before.last() {
                None => Some(name.base),
                Some(Part::Component { symbol, .. }) => *symbol,
                Some(_) => None,
            };
            let Some(object) = object.filter(|&object| e.doc.has(object, Attr::Allocatable)) else {
                continue;
            };
            // Subscripts alone make no component.
            let is_inside = matches!(part, Part::Component { .. })
                || name.parts[at..].iter().any(|part| matches!(part, Part::Component { .. }));
            let whole = Reference::whole(name.base, name.ty, name.place);
            let ty = Ty {
                base: e.doc.declared_base(object),
                rank: e.doc.symbols[object].rank.unwrap_or(0),
            };
            let whole = Reference { parts: before.into(), ty, ..whole };
            let is_there = passed.iter().any(|one| {
                is_within(e.doc, one, &whole)
                    && (one.parts.len() > at || !may_allocate(e.doc, stmt, one))
            });
            if is_inside && !is_there && self.allocated_before(stmt, &whole) != Some(true) {
                around.push(whole);
            }
        }
        for whole in &around {
            let object = e.doc.refs.push(whole.clone());
            let object = Copier::new().reference(e.doc, object);
            let there = exists(e.doc, object, "allocated");
            e.open_if(there, name.place);
        }
        around.len()
    }
}

/// Objects whose properties are recorded, without the parts of others among them: what holds the property of an object
/// holds those of its parts, as far as no pointer comes between.
pub(crate) fn without_parts(doc: &Document, list: Vec<Reference>) -> Vec<Reference> {
    let is_held = |own: &Reference| {
        list.iter().any(|other| {
            let inner = own.parts.get(other.parts.len()..).unwrap_or_default();
            let points = |part: &Part| match part {
                Part::Component { symbol: Some(symbol), .. } => doc.has(*symbol, Attr::Pointer),
                _ => false,
            };
            !inner.is_empty()
                && is_within(doc, own, other)
                && !is_pointer(doc, other)
                && !inner.iter().any(points)
        })
    };
    list.iter().filter(|own| !is_held(own)).cloned().collect()
}
