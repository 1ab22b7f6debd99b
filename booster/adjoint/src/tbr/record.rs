//! The facts as a document records them.

use std::collections::{BTreeSet, HashSet};

use xaif_schema::model::{
    Document, ForForm, Place, ProcId, RefId, Reference, Reversal, StmtId, StmtKind, VertexId,
    VertexKind,
};

use super::frame::{Maker, Overwriting};
use super::solve::{Set, is_recorded};
use super::{Part, Tbr};
use crate::liveness;
use crate::queries::designators::is_pointer;
use booster_build::{Copier, same_parts};
use booster_facts::{LocationId, StepKey};
use booster_flow::Step;
use booster_shadow::jacobian::remove_recomputations;

/// The record of a statement: values, and properties without values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    /// By value, with the properties that belong to it.
    pub values: Vec<Reference>,
    /// Objects of which the property alone is recorded.
    pub properties: Vec<Reference>,
}

/// Facts that are found and not yet recorded. What is not here is not known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    stmts: Vec<(StmtId, Recorded)>,
    branches: Vec<(ProcId, VertexId, bool)>,
    loops: Vec<(ProcId, VertexId, Reversal)>,
    /// Calls that are taken not to be split.
    joint: BTreeSet<StmtId>,
    /// Recomputations of values that nothing requires.
    idle: BTreeSet<StmtId>,
}

impl Facts {
    pub(crate) fn new(tbr: &Tbr<'_, '_>) -> Self {
        let mut facts = Facts::default();
        for proc in tbr.accesses.doc().procs.keys() {
            facts.procedure(tbr, proc);
        }
        facts
    }

    /// Recomputations of values that nothing requires.
    pub(crate) fn idle(&self) -> &BTreeSet<StmtId> {
        &self.idle
    }

    /// The statements of which something is known, with what they record.
    pub fn stmts(&self) -> impl Iterator<Item = (StmtId, &Recorded)> {
        self.stmts.iter().map(|(stmt, recorded)| (*stmt, recorded))
    }

    fn procedure(&mut self, tbr: &Tbr<'_, '_>, proc: ProcId) {
        let Some((body, Part { constructs, frame, joint, recomputed, .. })) = tbr.part(proc) else {
            return;
        };
        self.joint.extend(joint);
        let Some(settled) = tbr.solved.get(xaif_schema::model::EntityRef::index(proc)) else {
            return;
        };
        let doc = tbr.accesses.doc();
        for at in &body.steps {
            let Step::Stmt(stmt) = at.step else { continue };
            let key = StepKey::of(at.step);
            let Some(acts) = frame.of(key) else { continue };
            if let Some(recompute) = &acts.recompute
                && settled.before.get(&key).is_none_or(|state| !recompute.is_needed(state))
            {
                self.idle.extend(recomputed.get(&stmt).into_iter().flatten());
            }
            let required = tbr.required(settled, key, acts);
            let writes = if acts.recordable { acts.writes.as_slice() } else { &[] };
            let recorded = recorded_of(tbr, proc, stmt, writes, &required);
            let maker = Maker {
                accesses: tbr.accesses,
                externals: tbr.externals,
                catalogue: tbr.catalogue,
                effects: &tbr.effects,
                adjoint: &tbr.adjoint,
                again: &tbr.again,
                constructs,
                body,
                recomputed,
            };
            for inner in inner_statements(doc, stmt) {
                let writes = match doc.stmts[stmt].adjoint_live {
                    true => frame.inner(&maker, inner),
                    false => Vec::new(),
                };
                let mut own = recorded_of(tbr, proc, inner, &writes, &required);
                // A name that does not hold for the whole construct is that of the construct.
                let names = own.values.into_iter().map(|name| {
                    match has_same(doc, &recorded.values, &name) {
                        true => name,
                        false => around(&recorded.values, name),
                    }
                });
                own.values = names.collect();
                own.properties.clear();
                self.stmts.push((inner, own));
            }
            self.stmts.push((stmt, recorded));
        }
        self.branches.extend(settled.branches.iter().map(|(&vertex, &way)| (proc, vertex, way)));
        self.loops.extend(settled.loops.iter().map(|(&vertex, &how)| (proc, vertex, how)));
    }

    /// Writes the facts into the document that they were found in, in place of older ones. Recomputations of
    /// values that nothing requires are removed: their operands may not be there either.
    pub fn record(self, doc: &mut Document) {
        forget_records(doc);
        remove_recomputations(doc, |stmt| self.idle.contains(&stmt));
        for (stmt, recorded) in self.stmts {
            let mut copies = |list: Vec<Reference>| -> Vec<RefId> {
                let copy = |mut copy: Reference| {
                    for part in &mut copy.parts {
                        Copier::new().part(doc, part);
                    }
                    doc.refs.push(copy)
                };
                list.into_iter().map(copy).collect()
            };
            let (values, properties) = (copies(recorded.values), copies(recorded.properties));
            doc.stmts[stmt].recorded = Some(values);
            doc.stmts[stmt].properties = properties;
        }
        for stmt in self.joint {
            doc.stmts[stmt].joint = true;
        }
        for (proc, vertex, way) in self.branches {
            if let Some(vertex) = vertex_of(doc, proc, vertex) {
                vertex.recorded = Some(way);
            }
        }
        for (proc, vertex, how) in self.loops {
            if let Some(vertex) = vertex_of(doc, proc, vertex)
                && let VertexKind::ForLoop { reversal, .. } = &mut vertex.kind
            {
                *reversal = Some(how);
            }
        }
    }
}

/// Takes all facts of this kind, and those of liveness, out of a document: for stages that change what they tell about.
pub fn forget(doc: &mut Document) {
    liveness::forget(doc);
    forget_records(doc);
}

/// The calls on which facts of liveness rely stay joint.
fn forget_records(doc: &mut Document) {
    let is_told = liveness::is_told(doc);
    for stmt in doc.stmts.values_mut() {
        stmt.recorded = None;
        stmt.joint &= is_told;
        stmt.properties.clear();
    }
    for proc in doc.procs.values_mut() {
        let xaif_schema::model::Body::Flow(cfg) = &mut proc.body else { continue };
        for vertex in cfg.vertices.values_mut() {
            vertex.recorded = None;
            if let VertexKind::ForLoop { reversal, form: ForForm::Counted, .. } = &mut vertex.kind {
                *reversal = None;
            }
        }
    }
}

fn vertex_of(
    doc: &mut Document,
    proc: ProcId,
    vertex: VertexId,
) -> Option<&mut xaif_schema::model::Vertex> {
    match &mut doc.procs[proc].body {
        xaif_schema::model::Body::Flow(cfg) => cfg.vertices.get_mut(vertex),
        xaif_schema::model::Body::Interface | xaif_schema::model::Body::Replacements { .. } => None,
    }
}

/// What a statement records of what it overwrites. ALLOCATE, DEALLOCATE, NULLIFY, MOVE_ALLOC and pointer assignments are
/// undone whatever is required, so they record no property.
fn recorded_of(
    tbr: &Tbr<'_, '_>,
    proc: ProcId,
    stmt: StmtId,
    writes: &[Overwriting],
    required: &Set,
) -> Recorded {
    let doc = tbr.accesses.doc();
    let values = references(tbr, proc, stmt, writes, required, false);
    let is_undone = match &doc.stmts[stmt].kind {
        StmtKind::Allocate(_) | StmtKind::Release(_) | StmtKind::PointerAssign { .. } => true,
        StmtKind::Call(call) => doc.moved(call).is_some(),
        StmtKind::Assign { .. }
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => false,
    };
    let mut properties = match is_undone {
        true => Vec::new(),
        false => references(tbr, proc, stmt, writes, required, true),
    };
    // The record of a value holds the property of its object, but no association.
    properties.retain(|own| is_pointer(doc, own) || !has_same(doc, &values, own));
    Recorded { values, properties }
}

/// The references by which what is overwritten and required is recorded, each once: values or properties.
fn references(
    tbr: &Tbr<'_, '_>,
    proc: ProcId,
    stmt: StmtId,
    writes: &[Overwriting],
    required: &Set,
    property: bool,
) -> Vec<Reference> {
    let (doc, storage) = (tbr.accesses.doc(), tbr.accesses.storage());
    let Some((_, Part { frame, .. })) = tbr.part(proc) else { return Vec::new() };
    let place: Place = doc.stmts[stmt].place;
    let mut found: Vec<Reference> = Vec::new();
    for write in writes.iter().filter(|write| is_recorded(write, required)) {
        // Several classes of needs are one location.
        let mut seen = HashSet::new();
        let locations: Vec<LocationId> = write
            .locations
            .iter()
            .filter(|&&location| required.contains(location as usize))
            .filter_map(|&location| frame.locations.get(location as usize).copied())
            .filter(|&location| storage.locations()[location].property == property)
            .filter(|&location| seen.insert(location))
            .collect();
        if locations.is_empty() {
            continue;
        }
        for reference in write.name.references(doc, storage, proc, place, &locations) {
            if !has_same(doc, &found, &reference) {
                found.push(reference);
            }
        }
    }
    found
}

fn has_same(doc: &Document, list: &[Reference], reference: &Reference) -> bool {
    list.iter().any(|known| {
        known.base == reference.base && same_parts(doc, &known.parts, &reference.parts)
    })
}

/// The name of the same variable in `list`, if there is one.
fn around(list: &[Reference], name: Reference) -> Reference {
    list.iter().find(|known| known.base == name.base).cloned().unwrap_or(name)
}

/// The assignments that stand in a WHERE or FORALL.
fn inner_statements(doc: &Document, stmt: StmtId) -> Vec<StmtId> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut work = vec![stmt];
    while let Some(at) = work.pop() {
        if !seen.insert(at) {
            continue;
        }
        if at != stmt {
            found.push(at);
        }
        match &doc.stmts[at].kind {
            StmtKind::Where(construct) => {
                work.extend(construct.arms.iter().flat_map(|arm| &arm.body));
            }
            StmtKind::Forall(construct) => work.extend(&construct.body),
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => {}
        }
    }
    found
}
