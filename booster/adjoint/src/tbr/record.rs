//! The facts as a document records them.

use std::collections::{BTreeSet, HashSet};

use xaif_schema::model::{
    Document, ForForm, Place, ProcId, RefId, Reference, Reversal, StmtId, StmtKind, VertexId,
    VertexKind,
};

use super::frame::{Maker, Overwriting};
use super::solve::{Set, is_recorded};
use super::{Part, Tbr};
use booster_build::{Copier, same_parts};
use booster_facts::{StepKey, UnitId};
use booster_flow::Step;

/// Facts that are found and not yet recorded. What is not here is not known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    stmts: Vec<(StmtId, Vec<Reference>)>,
    branches: Vec<(ProcId, VertexId, bool)>,
    loops: Vec<(ProcId, VertexId, Reversal)>,
    /// Calls that are taken not to be split.
    joint: BTreeSet<StmtId>,
}

impl Facts {
    pub(super) fn new(tbr: &Tbr<'_, '_>) -> Self {
        let mut facts = Facts::default();
        for proc in tbr.accesses.doc().procs.keys() {
            facts.procedure(tbr, proc);
        }
        facts
    }

    /// The statements of which something is known, with what they record.
    pub fn stmts(&self) -> impl Iterator<Item = (StmtId, &[Reference])> {
        self.stmts.iter().map(|(stmt, recorded)| (*stmt, recorded.as_slice()))
    }

    fn procedure(&mut self, tbr: &Tbr<'_, '_>, proc: ProcId) {
        let Some((body, Part { constructs, frame, joint, .. })) = tbr.part(proc) else { return };
        self.joint.extend(joint);
        let Some(settled) = tbr.solved.get(xaif_schema::model::EntityRef::index(proc)) else {
            return;
        };
        let doc = tbr.accesses.doc();
        for at in &body.steps {
            let Step::Stmt(stmt) = at.step else { continue };
            let key = StepKey::of(at.step);
            let Some(acts) = frame.of(key) else { continue };
            let required = tbr.required(settled, key, acts);
            let writes = if acts.recordable { acts.writes.as_slice() } else { &[] };
            let recorded = references(tbr, proc, stmt, writes, &required);
            let maker = Maker {
                accesses: tbr.accesses,
                externals: tbr.externals,
                catalogue: tbr.catalogue,
                effects: &tbr.effects,
                again: &tbr.again,
                constructs,
                body,
            };
            for inner in inner_statements(doc, stmt) {
                let writes = frame.inner(&maker, inner);
                let own = references(tbr, proc, inner, &writes, &required);
                // A name that does not hold for the whole construct is that of the construct.
                let own = own.into_iter().map(|name| match has_same(doc, &recorded, &name) {
                    true => name,
                    false => around(&recorded, name),
                });
                self.stmts.push((inner, own.collect()));
            }
            self.stmts.push((stmt, recorded));
        }
        self.branches.extend(settled.branches.iter().map(|(&vertex, &way)| (proc, vertex, way)));
        self.loops.extend(settled.loops.iter().map(|(&vertex, &how)| (proc, vertex, how)));
    }

    /// Writes the facts into the document that they were found in, in place of older ones.
    pub fn record(self, doc: &mut Document) {
        forget(doc);
        for (stmt, recorded) in self.stmts {
            let copies: Vec<RefId> = recorded
                .into_iter()
                .map(|reference| {
                    let mut copy = reference;
                    for part in &mut copy.parts {
                        Copier::new().part(doc, part);
                    }
                    doc.refs.push(copy)
                })
                .collect();
            doc.stmts[stmt].recorded = Some(copies);
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

/// Takes all facts of this kind out of a document: for stages that change what they tell about.
pub fn forget(doc: &mut Document) {
    for stmt in doc.stmts.values_mut() {
        (stmt.recorded, stmt.joint) = (None, false);
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

/// The references by which what is overwritten and required is recorded, each once.
fn references(
    tbr: &Tbr<'_, '_>,
    proc: ProcId,
    stmt: StmtId,
    writes: &[Overwriting],
    required: &Set,
) -> Vec<Reference> {
    let (doc, storage) = (tbr.accesses.doc(), tbr.accesses.storage());
    let Some((_, Part { frame, .. })) = tbr.part(proc) else { return Vec::new() };
    let place: Place = doc.stmts[stmt].place;
    let mut found: Vec<Reference> = Vec::new();
    for write in writes.iter().filter(|write| is_recorded(write, required)) {
        let units: Vec<UnitId> = write
            .units
            .iter()
            .filter(|&&unit| required.contains(unit as usize))
            .filter_map(|&unit| frame.units.get(unit as usize).copied())
            .collect();
        for reference in write.name.references(doc, storage, proc, place, &units) {
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
