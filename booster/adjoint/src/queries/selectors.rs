//! What the names of a body read by themselves: the subscripts of what is named, and of what a name of
//! SELECT TYPE, SELECT RANK or ASSOCIATE stands for.
//!
//! The backward sweep of a statement within an arm opens the arm again, whether the statement names
//! what the arm narrows or not.

use xaif_schema::model::{
    Body, Document, ProcId, RefId, Role, ScopeKind, SymbolId, VertexId, VertexKind,
};

use booster_build::{nodes_of, subscripts_of};
use booster_facts::access::{Event, Written};
use booster_facts::{LocationId, Storage};

/// What the selectors read that stand behind the names by which a step reads and writes: in the
/// backward sweep such a name is opened again (`select type (p => h(k)%e)`).
pub(crate) fn read_by_selectors(doc: &Document, events: &[Event<'_>]) -> Vec<RefId> {
    let named = events.iter().filter_map(|event| match event {
        Event::Read(reference, _)
        | Event::Allocate(reference)
        | Event::Associate(reference)
        | Event::Release { object: reference, .. } => Some(*reference),
        Event::Write(write) => match write.place {
            Written::Ref(reference) => Some(reference),
            Written::Symbol(_) => None,
        },
        Event::Call(_) | Event::Ask(..) | Event::Reshape(_) | Event::Anything => None,
    });
    named.flat_map(|reference| selectors(doc, reference)).flat_map(|r| read_by(doc, r)).collect()
}

/// What the selectors of the arms around a vertex read.
pub(crate) fn read_by_arms(doc: &Document, proc: ProcId, vertex: VertexId) -> Vec<RefId> {
    let selected = selectors_of_arms(doc, proc, vertex).into_iter();
    selected.flat_map(|selector| read_by(doc, selector)).collect()
}

/// The properties that opening the arms around a vertex again depends on.
pub(crate) fn asked_by_arms(
    doc: &Document,
    storage: &Storage,
    proc: ProcId,
    vertex: VertexId,
) -> Vec<LocationId> {
    let selected = selectors_of_arms(doc, proc, vertex).into_iter();
    selected.flat_map(|selector| storage.asked_by(doc, selector)).collect()
}

fn selectors_of_arms(doc: &Document, proc: ProcId, vertex: VertexId) -> Vec<RefId> {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return Vec::new() };
    let VertexKind::BasicBlock { scope, .. } = cfg.vertices[vertex].kind else {
        return Vec::new();
    };
    let around = std::iter::successors(Some(scope), |&at| doc.scopes[at].parent);
    let arms = around.filter(|&scope| doc.scopes[scope].kind == ScopeKind::Associate);
    let names = arms.flat_map(|scope| &doc.scopes[scope].symbols);
    names.filter_map(|&name| selector_of(doc, name)).collect()
}

/// The variables that the name stands for with which a reference begins, the nearest first.
fn selectors(doc: &Document, reference: RefId) -> impl Iterator<Item = RefId> {
    let selector = |reference: &RefId| selector_of(doc, doc.refs[*reference].base);
    std::iter::successors(selector(&reference), move |reference| selector(reference))
}

/// The variable that a name of SELECT TYPE, SELECT RANK or ASSOCIATE stands for.
fn selector_of(doc: &Document, name: SymbolId) -> Option<RefId> {
    match doc.role(name) {
        Some(Role::Associate { selector: Some(selector) }) => doc.exprs[*selector].reference(),
        Some(_) | None => None,
    }
}

/// What the subscripts of a reference read, those of what its name stands for included.
pub(crate) fn subscript_references(doc: &Document, reference: RefId) -> Vec<RefId> {
    let all = std::iter::once(reference).chain(selectors(doc, reference));
    all.flat_map(|reference| read_by(doc, reference)).collect()
}

/// What the subscripts of a reference read.
pub(crate) fn read_by(doc: &Document, reference: RefId) -> Vec<RefId> {
    let nodes = nodes_of(doc, subscripts_of(&doc.refs[reference]));
    nodes.into_iter().filter_map(|node| doc.exprs[node].reference()).collect()
}
