//! The joint calls of the adjoints of a document: the call of `q` in a forward sweep, that of `q_b` in the backward
//! sweep.
//!
//! Both stand at one place of the source. The callee of the second is no procedure of the user, and its name begins with
//! that of the first.

use std::collections::{BTreeMap, HashMap};

use xaif_schema::model::{
    Body, Callee, Document, Place, ProcId, ScopeId, StmtId, StmtKind, SymbolId, VertexId,
    VertexKind,
};

/// A call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) proc: ProcId,
    pub(super) vertex: VertexId,
    pub(super) stmt: StmtId,
    pub(super) callee: SymbolId,
}

/// A joint call: where the forward sweep executes the procedure, and where the backward sweep calls its adjoint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) forward: Site,
    pub(super) backward: Site,
}

/// Calls that stand at one place, in the order of the text.
type Group = Vec<Site>;

/// A place, to be ordered.
type PlaceKey = (Option<u32>, u32, u32);

/// All joint calls.
pub(super) fn joint_calls(doc: &Document) -> Vec<Pair> {
    let mut groups: BTreeMap<(String, PlaceKey), Group> = BTreeMap::new();
    let mut provided = HashMap::new();
    for (proc, data) in &doc.procs {
        let Body::Flow(cfg) = &data.body else { continue };
        if is_provided(doc, data.scope, &mut provided) {
            continue;
        }
        let procedure = stem(doc.name(data.symbol));
        for &vertex in &cfg.layout {
            let VertexKind::BasicBlock { stmts, .. } = &cfg.vertices[vertex].kind else { continue };
            for &stmt in stmts {
                let Some(callee) = callee_of(doc, stmt) else { continue };
                let place = doc.stmts[stmt].place;
                if doc.spot(place).is_none() {
                    continue;
                }
                let site = Site { proc, vertex, stmt, callee: callee.symbol };
                groups.entry((procedure.clone(), key(place))).or_default().push(site);
            }
        }
    }
    groups.into_values().flat_map(|group| pairs_of(doc, &group, &mut provided)).collect()
}

/// The pairs among the calls at one place: the calls of one procedure in the forward sweep, and those of its adjoint in
/// reverse order.
fn pairs_of(doc: &Document, group: &Group, provided: &mut HashMap<ScopeId, bool>) -> Vec<Pair> {
    let mut found = Vec::new();
    let mut seen: Vec<SymbolId> = Vec::new();
    for (at, site) in group.iter().enumerate() {
        if seen.contains(&site.callee) || is_half(doc.name(site.callee)) {
            continue;
        }
        seen.push(site.callee);
        let name = doc.name(site.callee).to_ascii_lowercase();
        let forward: Group =
            group.iter().copied().filter(|one| one.callee == site.callee).collect();
        let mut backward = Group::new();
        for &one in &group[at..] {
            let own = doc.name(one.callee).to_ascii_lowercase();
            let is_made = !is_provided(doc, doc.symbols[one.callee].scope, provided);
            if one.callee != site.callee && is_made && own.starts_with(&name) && !is_half(&own) {
                backward.push(one);
            }
        }
        backward.reverse();
        let alike = forward.len() == backward.len();
        for (number, &forward) in forward.iter().enumerate() {
            let others = backward.iter().enumerate().filter(|&(other, backward)| {
                are_sweeps(doc, forward.proc, backward.proc) && (!alike || other == number)
            });
            found.extend(others.map(|(_, &backward)| Pair { forward, backward }));
        }
    }
    found
}

/// Whether two procedures are the forward and the backward sweep of one: the same one, or its halves.
fn are_sweeps(doc: &Document, forward: ProcId, backward: ProcId) -> bool {
    let is_half = |proc: ProcId| is_half(doc.name(doc.procs[proc].symbol));
    forward == backward || is_half(forward) && is_half(backward)
}

fn key(place: Place) -> PlaceKey {
    (place.file.map(|file| file.as_u32()), place.line, place.column)
}

/// Whether a name is that of one half of a split procedure.
fn is_half(name: &str) -> bool {
    stem(name).len() < name.len()
}

/// The name of a procedure: that of `p` for `p_fwd` and `p_bwd`, with their numbers.
fn stem(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let digits = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let bare = digits.strip_suffix('_').filter(|_| digits.len() < name.len()).unwrap_or(&name);
    let half = bare.strip_suffix("_fwd").or_else(|| bare.strip_suffix("_bwd"));
    half.map_or_else(|| name.clone(), |half| format!("{half}{}", &name[bare.len()..]))
}

/// Whether a scope belongs to a program unit of the user.
fn is_provided(doc: &Document, scope: ScopeId, known: &mut HashMap<ScopeId, bool>) -> bool {
    if let Some(&found) = known.get(&scope) {
        return found;
    }
    let mut found = false;
    let mut next = Some(scope);
    while let Some(at) = next {
        found |= doc.scopes[at].provided;
        next = doc.scopes[at].parent;
    }
    known.insert(scope, found);
    found
}

/// Whose call a statement is: CALL, a function as the right-hand side, a defined assignment.
fn callee_of(doc: &Document, stmt: StmtId) -> Option<&Callee> {
    match &doc.stmts[stmt].kind {
        StmtKind::Call(call) => Some(&call.callee),
        StmtKind::Assign { defined: Some(callee), .. } => Some(callee),
        StmtKind::Assign { rhs, defined: None, .. } => Some(&doc.exprs[*rhs].call()?.callee),
        StmtKind::PointerAssign { .. }
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => None,
    }
}
