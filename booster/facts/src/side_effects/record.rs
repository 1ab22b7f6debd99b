//! The facts as elements of the document: XAIF's own alias sets, lists of side effects and chains.
//!
//! A virtual address is a location of storage; a range is partial where the reference may touch only a
//! part of it. The addresses of dummy arguments are their own, so sets tell about references of one
//! procedure. Key 0 of each map is "not known", key 1 the empty set. A chain names statements by
//! their ids, the condition of a vertex as `vertex:` and the vertex's id, what is outside of the
//! procedure by the empty id. The lists of a procedure that may touch everything global are left
//! out, which means that nothing is known.

use std::collections::{BTreeSet, HashMap};

use indexmap::IndexSet;
use rayon::prelude::*;
use smallvec::SmallVec;
use xaif_schema::model::{
    AliasRange, AliasSets, Attr, Base, Body, Cfg, Document, Effects, EntityRef, Part, Place,
    ProcId, RefId, Reference, Role, StmtId, StmtKind, StmtSet, StmtSets, SymbolId, Ty, VertexKind,
};

use super::chains::{Chains, End, Set};
use super::{CallEffects, SideEffects, WrittenNames};
use crate::access::Accesses;
use crate::components::{is_firm, rank_of};
use crate::externals::Externals;
use crate::storage::Member;
use crate::{Bodies, LocationId, Storage};

/// What there is to record.
#[derive(Debug)]
pub struct Facts {
    lists: Vec<(ProcId, Lists)>,
    chains: Vec<(ProcId, Chains)>,
    aliases: Vec<(RefId, Vec<AliasRange>)>,
}

/// The lists of a procedure, in the order of [`Effects`].
#[derive(Debug)]
struct Lists {
    mod_local: Option<Vec<Reference>>,
    modified: Option<Vec<Reference>>,
    read_local: Option<Vec<Reference>>,
    read: Option<Vec<Reference>>,
    on_entry: Option<Vec<Reference>>,
}

impl Facts {
    /// Collects the facts; the chains of all procedures in parallel.
    pub fn new(
        accesses: &Accesses<'_>,
        bodies: &Bodies<'_>,
        externals: &Externals,
        effects: &SideEffects,
    ) -> Self {
        let (doc, storage) = (accesses.doc(), accesses.storage());
        let procs: Vec<_> = bodies.iter().collect();
        let chains = procs
            .par_iter()
            .map(|body| (body.proc, Chains::new(accesses, body, externals, effects)))
            .collect();
        let lists =
            procs.iter().map(|body| (body.proc, lists(doc, storage, effects, body.proc))).collect();
        let refs: Vec<RefId> = doc.refs.keys().collect();
        let aliases = refs
            .par_iter()
            .filter_map(|&reference| {
                let locations = storage.reach(doc, reference);
                let partial = !storage.kills(doc, reference);
                let addresses = locations.iter().map(|location| location.index() as i64 + 1);
                (!locations.is_empty()).then(|| (reference, ranges(addresses, partial)))
            })
            .collect();
        Facts { lists, chains, aliases }
    }

    /// Writes the facts into the document that they were found in, in place of older ones.
    ///
    /// A XAIF 1.0 document that has facts keeps them, and gets only what it lacks: who made it saw
    /// the statements of which it shows no more than a marker.
    pub fn record(self, doc: &mut Document) {
        if is_xaif_1(doc) && !doc.du_ud.sets.is_empty() {
            record_lists(doc, self.lists);
            return;
        }
        forget(doc);
        number_statements(doc);
        let mut aliases = Keys::new();
        for (reference, set) in self.aliases {
            doc.refs[reference].alias = Some(aliases.key(set));
        }
        doc.aliases = AliasSets { sets: aliases.sets().collect() };
        let (mut du_ud, mut overwrites) = (Keys::<Composed>::new(), Keys::<Composed>::new());
        for (proc, chains) in self.chains {
            let ids = Ids::new(doc, proc);
            for answers in [&chains.definitions, &chains.uses] {
                let mut written = Written::new(&answers.sets);
                for (&reference, &set) in &answers.of {
                    doc.refs[reference].du_ud = Some(written.key(doc, &ids, set, &mut du_ud));
                }
            }
            let mut written = Written::new(&chains.overwrites.sets);
            for (&stmt, &set) in &chains.overwrites.of {
                doc.stmts[stmt].do_chain = Some(written.key(doc, &ids, set, &mut overwrites));
            }
        }
        doc.du_ud = stmt_sets(du_ud);
        doc.overwrites = stmt_sets(overwrites);
        record_lists(doc, self.lists);
    }
}

/// Whether the document declares nothing in our namespace.
fn is_xaif_1(doc: &Document) -> bool {
    doc.symbols.values().all(|symbol| symbol.decl.is_none())
}

/// Writes the lists that are not there yet.
fn record_lists(doc: &mut Document, lists: Vec<(ProcId, Lists)>) {
    for (proc, lists) in lists {
        let given = std::mem::take(&mut doc.procs[proc].effects);
        let mut add = |given: Option<Vec<RefId>>, found: Option<Vec<Reference>>| {
            let new = |list: Vec<Reference>| list.into_iter().map(|r| doc.refs.push(r)).collect();
            given.or_else(|| found.map(new))
        };
        let effects = Effects {
            mod_local: add(given.mod_local, lists.mod_local),
            modified: add(given.modified, lists.modified),
            read_local: add(given.read_local, lists.read_local),
            read: add(given.read, lists.read),
            on_entry: add(given.on_entry, lists.on_entry),
        };
        doc.procs[proc].effects = effects;
    }
}

/// Takes all facts of this kind out of a document: for stages that change what they tell about.
pub fn forget(doc: &mut Document) {
    doc.aliases = AliasSets::default();
    doc.du_ud = StmtSets::default();
    doc.overwrites = StmtSets::default();
    for reference in doc.refs.values_mut() {
        reference.alias = None;
        reference.du_ud = None;
    }
    for stmt in doc.stmts.values_mut() {
        stmt.do_chain = None;
    }
    for proc in doc.procs.values_mut() {
        proc.effects = Effects::default();
    }
}

fn ranges(addresses: impl Iterator<Item = i64>, partial: bool) -> Vec<AliasRange> {
    let mut ranges: Vec<AliasRange> = Vec::new();
    for address in addresses {
        match ranges.last_mut() {
            Some(last) if last.to + 1 == address => last.to = address,
            Some(_) | None => {
                ranges.push(AliasRange { from: address, to: address, partial: Some(partial) });
            }
        }
    }
    ranges
}

/// Sets with keys, in the order in which they are asked for first.
struct Keys<T>(IndexSet<T>);

impl<T: Default + Eq + std::hash::Hash> Keys<T> {
    fn new() -> Self {
        Keys(IndexSet::from_iter([T::default()]))
    }

    fn key(&mut self, set: T) -> i64 {
        self.0.insert_full(set).0 as i64 + 1
    }

    /// The sets, behind that of which nothing is known.
    fn sets(self) -> impl Iterator<Item = (i64, T)> {
        std::iter::once((0, T::default())).chain((1..).zip(self.0))
    }
}

/// The keys of sets that a set includes, and the ids of its other statements.
type Composed = (Vec<i64>, Vec<Box<str>>);

fn stmt_sets(keys: Keys<Composed>) -> StmtSets {
    let set = |(key, (includes, stmts))| StmtSet { key, includes, stmts };
    StmtSets { sets: keys.sets().map(set).collect() }
}

/// The sets of a question with the keys of those that have one.
struct Written<'s> {
    sets: &'s [Set],
    keys: Vec<Option<i64>>,
}

impl<'s> Written<'s> {
    fn new(sets: &'s [Set]) -> Self {
        Written { sets, keys: vec![None; sets.len()] }
    }

    /// The key of a set; those that it includes get theirs before.
    fn key(&mut self, doc: &Document, ids: &Ids, set: u32, keys: &mut Keys<Composed>) -> i64 {
        let mut work = vec![set];
        let mut last = 0;
        while let Some(&set) = work.last() {
            let number = set as usize;
            let waiting = work.len();
            if self.keys[number].is_none() {
                let parts = self.sets[number].parts.iter().copied();
                work.extend(parts.filter(|&part| self.keys[part as usize].is_none()));
                if work.len() > waiting {
                    continue;
                }
            }
            work.pop();
            last = match self.keys[number] {
                Some(key) => key,
                None => {
                    let Set { ends, parts } = &self.sets[number];
                    let mut parts: Vec<i64> =
                        parts.iter().filter_map(|&part| self.keys[part as usize]).collect();
                    parts.sort_unstable();
                    keys.key((parts, ids.of(doc, ends)))
                }
            };
            self.keys[number] = Some(last);
        }
        last
    }
}

/// Gives every statement of a body an id, as chains need one.
fn number_statements(doc: &mut Document) {
    for proc in doc.procs.keys().collect::<Vec<_>>() {
        let Body::Flow(cfg) = &doc.procs[proc].body else { continue };
        let stmts = statements(doc, cfg);
        let mut taken: BTreeSet<Box<str>> =
            stmts.iter().filter_map(|&stmt| doc.stmts[stmt].id.clone()).collect();
        let mut next = 1_u32;
        for stmt in stmts {
            if doc.stmts[stmt].id.is_some() {
                continue;
            }
            let id = loop {
                let id: Box<str> = next.to_string().into();
                next += 1;
                if taken.insert(id.clone()) {
                    break id;
                }
            };
            doc.stmts[stmt].id = Some(id);
        }
    }
}

/// All statements of a graph in the order of the text, those inside WHERE and FORALL included.
fn statements(doc: &Document, cfg: &Cfg) -> Vec<StmtId> {
    let mut found = Vec::new();
    for &vertex in &cfg.layout {
        let mut work = match &cfg.vertices[vertex].kind {
            VertexKind::BasicBlock { stmts, .. } => stmts.iter().rev().copied().collect(),
            VertexKind::ForLoop { init, update, .. } => vec![*update, *init],
            VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::Branch { .. }
            | VertexKind::EndBranch
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. }
            | VertexKind::EndLoop
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => Vec::new(),
        };
        while let Some(stmt) = work.pop() {
            found.push(stmt);
            match &doc.stmts[stmt].kind {
                StmtKind::Where(construct) => {
                    let inner = construct.arms.iter().rev();
                    work.extend(inner.flat_map(|arm| arm.body.iter().rev()));
                }
                StmtKind::Forall(forall) => work.extend(forall.body.iter().rev()),
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
    }
    found
}

/// The ids of a body's vertices, as the document writes them.
struct Ids {
    vertices: Vec<Box<str>>,
    order: HashMap<StmtId, usize>,
}

impl Ids {
    fn new(doc: &Document, proc: ProcId) -> Self {
        let Body::Flow(cfg) = &doc.procs[proc].body else {
            return Ids { vertices: Vec::new(), order: HashMap::new() };
        };
        let mut vertices = vec![Box::<str>::default(); cfg.vertices.len()];
        for (position, &vertex) in cfg.layout.iter().enumerate() {
            let given = cfg.vertices[vertex].id.clone();
            vertices[vertex.index()] = given.unwrap_or_else(|| (position + 1).to_string().into());
        }
        let stmts = statements(doc, cfg);
        let order =
            stmts.into_iter().enumerate().map(|(position, stmt)| (stmt, position)).collect();
        Ids { vertices, order }
    }

    fn of(&self, doc: &Document, chain: &[End]) -> Vec<Box<str>> {
        let mut ends: Vec<End> = chain.to_vec();
        ends.sort_by_key(|end| match end {
            End::Outside => (0, 0),
            End::Stmt(stmt) => (1, self.order.get(stmt).copied().unwrap_or_default()),
            End::Condition(vertex) => (2, vertex.index()),
        });
        let id = |end: &End| match end {
            End::Outside => Box::default(),
            End::Stmt(stmt) => doc.stmts[*stmt].id.clone().unwrap_or_default(),
            End::Condition(vertex) => {
                format!("vertex:{}", self.vertices[vertex.index()]).into_boxed_str()
            }
        };
        ends.iter().map(id).collect()
    }
}

fn lists(doc: &Document, storage: &Storage, effects: &SideEffects, proc: ProcId) -> Lists {
    let summary = effects.of(proc);
    let list = |locations: &BTreeSet<LocationId>, known: bool| {
        known.then(|| {
            let names =
                locations.iter().filter_map(|&location| name_in(doc, storage, proc, location));
            names.map(|member| reference(doc, member)).collect()
        })
    };
    Lists {
        mod_local: list(&summary.out_here, !summary.world_here),
        modified: list(&summary.out, !summary.world),
        read_local: list(&summary.used_here, !summary.world_here),
        read: list(&summary.used, !summary.world),
        on_entry: (!summary.on_entry.is_empty()).then(|| list(&summary.on_entry, true)).flatten(),
    }
}

/// By which name a procedure knows a location: one of its own if there is one, else the first.
pub(super) fn name_in<'s>(
    doc: &Document,
    storage: &'s Storage,
    proc: ProcId,
    location: LocationId,
) -> Option<&'s Member> {
    let members = &storage.locations()[location].members;
    let own = members.iter().find(|member| storage.owner(doc, member.symbol) == Some(proc));
    own.or_else(|| members.first())
}

/// All names that a procedure needs for a location: its own, else those of procedures around it, else
/// those of a module, else the first, which it cannot name. Several variables of a COMMON block
/// are one location where another procedure declares the block in another way. Where pointers share the
/// location, each name may be that of another part of it: see `names_behind_pointers`. A name of
/// SELECT TYPE or ASSOCIATE, which has a meaning within the construct alone, is one where there is no
/// other.
pub fn names_in<'s>(
    doc: &Document,
    storage: &'s Storage,
    proc: ProcId,
    location: LocationId,
) -> SmallVec<[&'s Member; 2]> {
    if is_of_several_objects(doc, storage, location) {
        let found = names_behind_pointers(doc, storage, proc, location);
        if !found.is_empty() {
            return found;
        }
    }
    let all = lasting_names(doc, storage, location);
    let owner = |member: &Member| storage.owner(doc, member.symbol);
    let of = |wanted: &dyn Fn(ProcId) -> bool| -> SmallVec<[&'s Member; 2]> {
        all.iter().copied().filter(|member| owner(member).is_some_and(wanted)).collect()
    };
    let own = of(&|owner| owner == proc);
    if !own.is_empty() {
        return own;
    }
    let around = of(&|owner| storage.procedures().is_inside(doc, proc, owner));
    if !around.is_empty() {
        return around;
    }
    // Those of one module, which may be variables of a block, or equivalent ones.
    let home = |member: &Member| doc.symbols[member.symbol].scope;
    let global = all.iter().copied().find(|member| owner(member).is_none());
    match global {
        Some(first) => {
            let alike = |member: &&Member| owner(member).is_none() && home(member) == home(first);
            all.iter().copied().filter(alike).collect()
        }
        None => all.first().copied().into_iter().collect(),
    }
}

/// The names by which `proc` gives back what a call overwrites of a location without being given it: those by which the
/// callees overwrite it, where they are known and no pointer gets another target, else all ([`names_in`]).
pub fn names_for_call(
    doc: &Document,
    storage: &Storage,
    (proc, location): (ProcId, LocationId),
    (effects, written): (&CallEffects, &WrittenNames),
) -> (SmallVec<[Member; 2]>, bool) {
    let all: SmallVec<[Member; 2]> =
        names_in(doc, storage, proc, location).into_iter().cloned().collect();
    let moves = |property: &LocationId| storage.values_with(*property).contains(&location);
    let Some(known) = written.of(location).filter(|_| !effects.properties.out.iter().any(moves))
    else {
        return (all, false);
    };
    if !known.iter().all(|name| all.contains(name)) {
        return (all, false);
    }
    (all.into_iter().filter(|name| known.contains(name)).collect(), true)
}

/// Whether the names of a location may be those of different objects: pointers share it, or dummy arguments with TARGET, each
/// of which is another object in each call.
fn is_of_several_objects(doc: &Document, storage: &Storage, location: LocationId) -> bool {
    let is_dummy_target = |member: &Member| {
        doc.has(member.symbol, Attr::Target)
            && storage.procedures().dummy_of(member.symbol).is_some()
    };
    storage.locations()[location].pointers
        || storage.locations()[location].members.iter().any(is_dummy_target)
}

/// The names of a location, those of SELECT TYPE and ASSOCIATE, and of derivatives, only where there is no other: a
/// derivative is made for an adjoint, which nobody records.
fn lasting_names<'s>(
    doc: &Document,
    storage: &'s Storage,
    location: LocationId,
) -> SmallVec<[&'s Member; 4]> {
    let mut all: SmallVec<[&Member; 4]> = storage.locations()[location].members.iter().collect();
    let lasts = |member: &Member| !matches!(doc.role(member.symbol), Some(Role::Associate { .. }));
    let given = |member: &Member| doc.symbols[member.symbol].temp != Some(true);
    if all.iter().any(|member| lasts(member)) {
        all.retain(|member| lasts(member));
    }
    if all.iter().any(|member| given(member)) {
        all.retain(|member| given(member));
    }
    all
}

/// What a procedure can name of a location that pointers share: the targets, if it can name all of them,
/// and with them, or else, the pointers.
fn names_behind_pointers<'s>(
    doc: &Document,
    storage: &'s Storage,
    proc: ProcId,
    location: LocationId,
) -> SmallVec<[&'s Member; 2]> {
    let visible = |member: &&Member| storage.is_in_sight(doc, proc, member.symbol);
    let all = lasting_names(doc, storage, location);
    let targets = || all.iter().copied().filter(|member| !is_pointer(doc, member));
    let named = targets().next().is_some() && targets().all(|member| visible(&member));
    if named && !is_allocated_by_a_pointer(doc, storage, location) {
        return targets().collect();
    }
    all.into_iter().filter(visible).collect()
}

/// Whether a member is a pointer, or is reached by one.
fn is_pointer(doc: &Document, member: &Member) -> bool {
    std::iter::once(&member.symbol)
        .chain(&member.path)
        .any(|&symbol| doc.symbols[symbol].has(Attr::Pointer))
}

/// Whether a location may be memory that has no name: what ALLOCATE gave to a pointer.
fn is_allocated_by_a_pointer(doc: &Document, storage: &Storage, location: LocationId) -> bool {
    let allocates = |object: &RefId| {
        let reference = &doc.refs[*object];
        let symbol = reference.entity().unwrap_or(reference.base);
        let member = Member { symbol, path: Box::default() };
        is_pointer(doc, &member) && storage.locations_of(doc, *object).contains(&location)
    };
    doc.stmts.values().any(|stmt| match &stmt.kind {
        StmtKind::Allocate(allocate) => allocate.objects.iter().any(allocates),
        StmtKind::Assign { .. }
        | StmtKind::PointerAssign { .. }
        | StmtKind::Call(_)
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Marker(_)
        | StmtKind::Comment(_) => false,
    })
}

/// The reference to the whole of a variable or component. Of a component of many structures that Fortran gives no
/// name of its own (an array, or what has storage of its own, in an array of structures) to all of the
/// structures; of one that only extensions of the declared type have to the object that may have it.
pub fn reference(doc: &Document, member: &Member) -> Reference {
    let base = |symbol| {
        let decl = doc.symbols[symbol].decl.as_ref();
        decl.map_or(Base::Unknown, |decl| decl.spec.base())
    };
    let ty = Ty { base: base(member.symbol), rank: rank_of(doc, member.symbol) };
    let mut reference = Reference::whole(member.symbol, ty, Place::default());
    for &component in &member.path {
        if !is_declared(doc, reference.ty.base, component) {
            break;
        }
        let rank = rank_of(doc, component);
        if reference.ty.rank > 0 && (rank > 0 || !is_firm(doc, component)) {
            break;
        }
        reference.ty = Ty { base: base(component), rank: reference.ty.rank.max(rank) };
        let name = doc.name(component).into();
        reference.parts.push(Part::Component { symbol: Some(component), name });
    }
    reference
}

/// Whether an object declared with `base` has the component by this declaration.
fn is_declared(doc: &Document, base: Base, component: SymbolId) -> bool {
    match base {
        Base::Derived(ty) | Base::Class(ty) => doc.components(ty).contains(&component),
        Base::ClassStar => false,
        Base::Unknown
        | Base::Void
        | Base::TypeStar
        | Base::Pointer(_)
        | Base::Integer(_)
        | Base::Unsigned(_)
        | Base::Real(_)
        | Base::Complex(_)
        | Base::Logical(_)
        | Base::Character(_)
        | Base::Procedure => true,
    }
}
