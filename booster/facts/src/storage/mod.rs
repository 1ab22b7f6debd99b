//! Storage: which references of a document may touch the same storage, and which writes overwrite
//! all of it.
//!
//! All variables of a document are divided, once and without regard to control flow, into locations
//! of storage. A location is a variable, or one component of a variable of derived type, with
//! everything that may share storage with it: EQUIVALENCE and COMMON by byte offsets, pointers with
//! their targets (unification: see `tree.rs`), associate names with their selectors, the results of
//! a function and its entries, a POINTER or TARGET dummy argument with its actual arguments. Other
//! dummy arguments are locations of their own: a procedure is analysed once, and
//! [`CallMap`](super::CallMap) says what its locations mean at a call.
//!
//! By the rules of Fortran a dummy argument that is neither POINTER nor TARGET does not share
//! storage with anything else that the procedure accesses, if either is changed; programs that
//! break that rule are not seen through. A procedure that nobody in the document calls is assumed
//! to be called from outside in the worst way that the rules allow.

mod bind;
mod conform;
mod escape;
mod hosts;
mod lower_bounds;
mod overlay;
mod overrun;
mod property;
mod targets;
mod tree;
mod why;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use cranelift_entity::entity_impl;
use smallvec::SmallVec;
use xaif_schema::model::{
    Attr, Base, Body, Callee, Document, Part, Place, PrimaryMap, ProcClass, ProcId, RefId,
    Reference, Role, ScopeKind, SecondaryMap, Subscript, Symbol, SymbolId, SymbolKind, TypeClass,
};
use xaif_schema::tape;

use super::{EntryOf, Procedures};
pub use overlay::{byte_in_variable, bytes_in_common, declarations_of_common, in_longer_blocks};
pub use overrun::overrun_blocks;
pub use property::takes_property;
use tree::{Forest, NodeId, Shape, Types};
use why::Log;
pub use why::why_shared;

/// A location of storage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocationId(u32);
entity_impl!(LocationId, "u");

/// Locations that a reference touches.
pub type Locations = SmallVec<[LocationId; 2]>;

/// Who sees a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lifetime {
    /// It outlives activations or is seen from several procedures: modules, COMMON, SAVE, what
    /// pointers of several procedures may point to.
    Global,
    /// A variable of each activation of a procedure, which internal procedures of it see, too.
    Local(ProcId),
    /// A dummy argument of the procedure: it stands for storage of the caller.
    Dummy(ProcId),
}

/// One name of a location.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Member {
    /// The variable.
    pub symbol: SymbolId,
    /// The component, from the outermost inwards.
    pub path: Box<[SymbolId]>,
}

/// A location of storage.
#[derive(Clone, Debug)]
pub struct Location {
    /// Who sees it.
    pub lifetime: Lifetime,
    /// Whether there are real or complex numbers in it, or may be.
    pub continuous: bool,
    /// Whether a plain assignment to the whole of any of its members overwrites all of it.
    pub strong_update: bool,
    /// Whether it is the property of its members (allocation, bounds, association, dynamic type, length), not
    /// their value.
    pub property: bool,
    /// Whether pointers share it: one of its names is that of a pointer, or of something that a pointer leads to.
    pub pointers: bool,
    /// Its names, in the order of the document's symbols.
    pub members: Vec<Member>,
}

/// What a callee may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// Bodies of this document.
    pub bodies: Vec<EntryOf>,
    /// Procedures without a body here, by the symbol that names them: external procedures,
    /// procedures of modules that were not given.
    pub outside: Vec<SymbolId>,
    /// Whether it may also be something that the document does not name.
    pub unknown: bool,
}

/// The division of all variables into locations.
#[derive(Clone, Debug)]
pub struct Storage {
    procedures: Procedures,
    types: Types,
    forest: Forest,
    nodes: SecondaryMap<SymbolId, Option<NodeId>>,
    /// The properties of variables.
    properties: SecondaryMap<SymbolId, Option<NodeId>>,
    location_of_node: Vec<Option<LocationId>>,
    locations: PrimaryMap<LocationId, Location>,
    /// Procedures that a procedure-valued node may mean.
    values: BTreeMap<NodeId, Vec<SymbolId>>,
    /// Internal procedures that no pointer means.
    without_host: HashSet<SymbolId>,
    /// Variables that calls overrun.
    overrun: BTreeSet<SymbolId>,
    /// Ranks of allocatable arrays whose lower bounds may be other than 1.
    shifted_ranks: BTreeSet<u8>,
    called: Vec<bool>,
    /// Whether pointers share any location.
    has_shared_pointers: bool,
    /// The values on the tape.
    tape: Option<LocationId>,
    /// What conditions compare.
    tests: Option<LocationId>,
    /// Pointers that the document may associate.
    associated: BTreeSet<SymbolId>,
}

impl Storage {
    /// Divides the variables of `doc`.
    ///
    /// Time is about linear in the size of the document; indirect calls are resolved in iterations,
    /// each of which looks at all calls.
    pub fn new(doc: &Document) -> Self {
        Storage::while_executed(doc, &[])
    }

    /// The same for what happens while one of `heads` is executed: a pointer to an internal procedure
    /// means nothing once the host has returned. Without heads anything may be executed.
    pub fn while_executed(doc: &Document, heads: &[ProcId]) -> Self {
        Storage::logged(doc, heads, None)
    }

    fn logged(doc: &Document, heads: &[ProcId], log: Option<Log>) -> Self {
        let mut storage = Storage {
            procedures: Procedures::new(doc),
            types: Types::new(doc),
            forest: Forest::logged(log),
            nodes: SecondaryMap::new(),
            properties: SecondaryMap::new(),
            location_of_node: Vec::new(),
            locations: PrimaryMap::new(),
            values: BTreeMap::new(),
            without_host: hosts::internal_elsewhere(doc, heads),
            overrun: BTreeSet::new(),
            shifted_ranks: lower_bounds::shifted_ranks(doc),
            called: vec![false; doc.procs.len()],
            has_shared_pointers: false,
            tape: None,
            tests: None,
            associated: BTreeSet::new(),
        };
        storage.make_nodes(doc);
        storage.make_properties(doc);
        storage.keep_named(doc);
        storage
            .forest
            .because(Place::default(), || "COMMON or EQUIVALENCE puts both at one place".into());
        let nodes = &storage.nodes;
        let overruns = overrun::overruns(doc, &storage.procedures);
        overlay::unify_overlays(doc, &overruns, &mut storage.forest, |symbol| nodes[symbol]);
        storage.overrun = overruns.into_keys().collect();
        bind::unify_aliases(doc, &mut storage);
        storage.name_locations(doc);
        storage.make_tape(doc);
        storage
    }

    /// The storage of a document that holds a program and its derivative: the derivative gives no array a lower bound that
    /// the program has not given.
    pub fn of_derivative(doc: &Document) -> Self {
        Storage { shifted_ranks: lower_bounds::shifted_in_program(doc), ..Storage::new(doc) }
    }

    /// The procedures of the document.
    pub fn procedures(&self) -> &Procedures {
        &self.procedures
    }

    /// Whether a variable of COMMON or EQUIVALENCE is passed somewhere for more than it has.
    pub fn is_overrun(&self, symbol: SymbolId) -> bool {
        self.overrun.contains(&symbol)
    }

    /// Whether an allocatable array of this rank may have a lower bound other than 1: assignment of a whole value keeps
    /// it where the shape stays.
    pub fn may_be_shifted(&self, rank: u8) -> bool {
        self.shifted_ranks.contains(&rank)
    }

    /// All locations, in the order of the document's symbols.
    pub fn locations(&self) -> &PrimaryMap<LocationId, Location> {
        &self.locations
    }

    /// The values on the tape, where the document has operations of it. The location has no members: only
    /// these operations reach it.
    pub fn tape(&self) -> Option<LocationId> {
        self.tape
    }

    /// What conditions compare, where activity asks for its derivatives. The location has no members.
    pub fn tests(&self) -> Option<LocationId> {
        self.tests
    }

    /// Whether pointers share any location.
    pub fn has_shared_pointers(&self) -> bool {
        self.has_shared_pointers
    }

    /// Whether nothing in the document associates a pointer, and nothing is promised of it: it may point to any target of
    /// its type.
    pub fn is_open(&self, doc: &Document, pointer: SymbolId) -> bool {
        !doc.has(pointer, Attr::Restrict) && !self.associated.contains(&pointer)
    }

    /// Whether a pointer has one target as long as the document is executed: nothing in it associates the pointer, and the
    /// user promises that the pointer shares no memory.
    pub fn stays_in_place(&self, doc: &Document, pointer: SymbolId) -> bool {
        doc.has(pointer, Attr::Restrict) && !self.associated.contains(&pointer)
    }

    /// The locations of a variable: all its components, those behind pointers included.
    pub fn locations_of_symbol(&self, symbol: SymbolId) -> Locations {
        self.nodes[symbol].map(|node| self.locations_below(node, true)).unwrap_or_default()
    }

    /// The locations in which the value of a variable is: as [`locations_of_symbol`](Self::locations_of_symbol)
    /// without the targets of its pointer components.
    pub fn value_of_symbol(&self, symbol: SymbolId) -> Locations {
        self.nodes[symbol].map(|node| self.locations_below(node, false)).unwrap_or_default()
    }

    /// The locations that a value is read from, or written to, when `reference` stands in an
    /// expression or on the left of an assignment. Targets of pointer components are not among
    /// them: a copy of a structure copies where they point to. Empty for constants, procedures,
    /// and derivatives of variables.
    pub fn locations_of(&self, doc: &Document, reference: RefId) -> Locations {
        self.node_of(doc, reference)
            .map(|node| self.locations_below(node, false))
            .unwrap_or_default()
    }

    /// The locations in which the value of a reference is that is not of the document: as [`locations_of`](Self::locations_of).
    pub fn value_at(&self, doc: &Document, reference: &Reference) -> Locations {
        let node = self.node_at(doc, reference.base, &reference.parts);
        node.map(|node| self.locations_below(node, false)).unwrap_or_default()
    }

    /// The locations of a reference that is not of the document: as [`locations_of`](Self::locations_of), with
    /// the targets of pointer components.
    pub fn locations_at(&self, doc: &Document, reference: &Reference) -> Locations {
        let node = self.node_at(doc, reference.base, &reference.parts);
        node.map(|node| self.locations_below(node, true)).unwrap_or_default()
    }

    /// All locations that somebody who is given `reference` as an argument may touch.
    pub fn reach(&self, doc: &Document, reference: RefId) -> Locations {
        self.node_of(doc, reference)
            .map(|node| self.locations_below(node, true))
            .unwrap_or_default()
    }

    /// Whether a plain assignment to `reference` overwrites each of its locations entirely: a whole
    /// variable or component (no element, section or substring) of locations that are nothing else.
    pub fn kills(&self, doc: &Document, reference: RefId) -> bool {
        let is_whole = doc.refs[reference].parts.iter().all(|part| match part {
            Part::Component { .. } => true,
            Part::Elements(subscripts) => subscripts.iter().all(|subscript| {
                let all = Subscript::Section { lower: None, upper: None, stride: None };
                *subscript == all
            }),
            Part::Substring { lower: None, upper: None } => true,
            Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => false,
        });
        // The parent component, which is named by its type, has the locations of the whole object.
        let is_parent = doc.refs[reference]
            .entity()
            .is_some_and(|last| matches!(doc.role(last), Some(Role::DerivedType { .. })));
        let locations = self.locations_of(doc, reference);
        is_whole
            && !is_parent
            && !locations.is_empty()
            && locations.iter().all(|&location| self.locations[location].strong_update)
    }

    /// For an assignment between two references of the same derived type: which location of `from` is
    /// copied to which of `to`. Where components do not correspond, all are copied to all.
    pub fn copies(&self, doc: &Document, from: RefId, to: RefId) -> Vec<(LocationId, LocationId)> {
        let (Some(from), Some(to)) = (self.node_of(doc, from), self.node_of(doc, to)) else {
            return Vec::new();
        };
        self.pairs(from, to, false)
    }

    /// Which locations of a dummy argument stand for which locations of the variable that is passed.
    pub fn passed(
        &self,
        doc: &Document,
        dummy: SymbolId,
        actual: RefId,
    ) -> Vec<(LocationId, LocationId)> {
        self.passed_node(dummy, self.node_of(doc, actual))
    }

    /// The same for the object of a type-bound call: the reference without its last part.
    pub fn passed_as_object(
        &self,
        doc: &Document,
        dummy: SymbolId,
        object: RefId,
    ) -> Vec<(LocationId, LocationId)> {
        self.passed_node(dummy, targets::object_node(doc, self, object))
    }

    fn passed_node(
        &self,
        dummy: SymbolId,
        actual: Option<NodeId>,
    ) -> Vec<(LocationId, LocationId)> {
        match (self.nodes[dummy], actual) {
            (Some(dummy), Some(actual)) => self.pairs(dummy, actual, true),
            _ => Vec::new(),
        }
    }

    /// What a call of `callee` may execute.
    pub fn targets(&self, doc: &Document, callee: &Callee) -> Targets {
        targets::targets(doc, self, callee)
    }

    /// What a procedure named as an actual argument (or pointer target) may be.
    pub fn meaning(&self, doc: &Document, procedure: SymbolId) -> Targets {
        targets::meaning(doc, self, procedure)
    }

    /// Which dummy argument (from 0) of `entry` gets the object of a type-bound call: the reference
    /// `callee.object` without its last part.
    pub fn passed_object(
        &self,
        doc: &Document,
        callee: &Callee,
        entry: EntryOf,
    ) -> Option<(usize, RefId)> {
        targets::passed_object(doc, self, callee, entry)
    }

    /// All locations that the callee of `object%procedure(…)` may touch through its object.
    pub fn reach_of_object(&self, doc: &Document, object: RefId) -> Locations {
        let node = targets::object_node(doc, self, object);
        node.map(|node| self.locations_below(node, true)).unwrap_or_default()
    }

    /// The variables that hold the results of what `callee` may execute, where these are pointers.
    pub fn pointer_results(&self, doc: &Document, callee: &Callee) -> Vec<SymbolId> {
        let bodies = self.targets(doc, callee).bodies;
        let results = bodies.iter().filter_map(|&entry| self.procedures.result(doc, entry));
        let is_pointer = |symbol: &SymbolId| {
            let decl = doc.symbols[*symbol].decl.as_ref();
            decl.is_some_and(|decl| decl.has(Attr::Pointer))
        };
        results.filter(is_pointer).collect()
    }

    /// The procedure whose activation a variable belongs to, or in which it is declared.
    pub fn owner(&self, doc: &Document, symbol: SymbolId) -> Option<ProcId> {
        self.procedures.owner(doc.symbols[symbol].scope)
    }

    /// Whether `proc` may name a variable: its own, one of a procedure around it, or one of no procedure.
    pub fn is_in_sight(&self, doc: &Document, proc: ProcId, symbol: SymbolId) -> bool {
        self.owner(doc, symbol)
            .is_none_or(|owner| owner == proc || self.procedures.is_inside(doc, proc, owner))
    }

    /// Whether a symbol is a variable with locations.
    pub fn has_storage(&self, symbol: SymbolId) -> bool {
        self.nodes[symbol].is_some()
    }

    /// Whether a call in this document may execute `proc`.
    pub fn is_called(&self, proc: ProcId) -> bool {
        self.called.get(proc.as_u32() as usize).copied().unwrap_or(false)
    }

    /// The name of a location for messages: its first member, `x` or `v%a`.
    pub fn name(&self, doc: &Document, location: LocationId) -> String {
        self.locations[location].members.first().map(|member| member.name(doc)).unwrap_or_default()
    }

    /// The node of a reference, its last part left out if it names a procedure of its type.
    fn node_of(&self, doc: &Document, reference: RefId) -> Option<NodeId> {
        let reference = &doc.refs[reference];
        if reference.deriv {
            return None;
        }
        self.node_at(doc, reference.base, &reference.parts)
    }

    fn node_at(&self, doc: &Document, base: SymbolId, parts: &[Part]) -> Option<NodeId> {
        let mut node = self.nodes[base]?;
        for part in parts {
            if let Part::Component { symbol: Some(symbol), .. } = part
                && !matches!(doc.role(*symbol), Some(Role::DerivedType { .. }))
            {
                node = self.forest.child(node, *symbol);
            }
        }
        Some(node)
    }

    fn locations_below(&self, node: NodeId, behind_pointers: bool) -> Locations {
        let leaves = self.forest.leaves(node, behind_pointers);
        let mut locations: Locations =
            leaves.iter().filter_map(|&leaf| self.location(leaf)).collect();
        locations.sort_unstable();
        locations.dedup();
        locations
    }

    fn location(&self, leaf: NodeId) -> Option<LocationId> {
        *self.location_of_node.get(self.forest.find(leaf).0 as usize)?
    }

    /// Corresponding locations below two nodes; behind pointers only if asked for.
    fn pairs(&self, from: NodeId, to: NodeId, behind: bool) -> Vec<(LocationId, LocationId)> {
        let mut pairs = Vec::new();
        let mut seen = BTreeSet::new();
        let mut work = vec![(from, to)];
        while let Some((from, to)) = work.pop() {
            let (from, to) = (self.forest.find(from), self.forest.find(to));
            if !seen.insert((from, to)) {
                continue;
            }
            match (self.forest.shape(from), self.forest.shape(to)) {
                // Another type: a value is one component of several of a constructor.
                (Shape::Struct(source), Shape::Struct(target))
                    if source.keys().any(|component| target.contains_key(component)) =>
                {
                    for (component, child) in source {
                        match target.get(component) {
                            Some(other) if behind || !child.pointer => {
                                work.push((child.node, other.node));
                            }
                            Some(_) | None => {}
                        }
                    }
                }
                (Shape::Leaf | Shape::Struct(_), Shape::Leaf | Shape::Struct(_)) => {
                    let targets = self.locations_below(to, behind);
                    for source in self.locations_below(from, behind) {
                        pairs.extend(targets.iter().map(|&target| (source, target)));
                    }
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// A node for every variable, dummy procedure and procedure pointer.
    fn make_nodes(&mut self, doc: &Document) {
        for (id, symbol) in &doc.symbols {
            if matches!(doc.scopes[symbol.scope].kind, ScopeKind::DerivedType(_)) {
                continue;
            }
            let of_interface = self
                .procedures
                .owner(symbol.scope)
                .is_some_and(|owner| !matches!(doc.procs[owner].body, Body::Flow(_)));
            if of_interface {
                continue;
            }
            self.nodes[id] = match &symbol.decl {
                None => genuine_node(&mut self.forest, symbol),
                Some(decl) => match &decl.role {
                    Role::Variable | Role::Associate { .. } | Role::Unresolved { .. } => {
                        Some(self.forest.of_type(doc, &self.types, decl.spec.base()))
                    }
                    Role::Procedure(info)
                        if matches!(info.class, ProcClass::Dummy | ProcClass::Pointer) =>
                    {
                        Some(self.forest.of_type(doc, &self.types, Base::Procedure))
                    }
                    Role::Procedure(_)
                    | Role::Constant
                    | Role::Generic { .. }
                    | Role::DerivedType { .. }
                    | Role::TypeParam { .. }
                    | Role::Binding { .. }
                    | Role::Final { .. }
                    | Role::Module { .. }
                    | Role::BlockData
                    | Role::CommonBlock
                    | Role::Namelist
                    | Role::StatementFunction => None,
                },
            };
        }
    }

    /// Numbers the leaves, in the order of the symbols that reach them first.
    fn name_locations(&mut self, doc: &Document) {
        self.forest.flatten();
        self.location_of_node = vec![None; self.forest.len()];
        // A name of ASSOCIATE or SELECT TYPE lives where what it stands for does.
        let (aliases, own): (Vec<_>, Vec<_>) =
            doc.symbols.iter().partition(|(_, symbol)| stands_for(doc, symbol).is_some());
        for (id, symbol) in own.into_iter().chain(aliases) {
            let Some(node) = self.nodes[id] else { continue };
            if !is_data(symbol) {
                continue;
            }
            let home = self.home_of(doc, id);
            let alias = stands_for(doc, symbol).is_some();
            for (leaf, path) in self.forest.paths(node) {
                let known = self.location_of_node[leaf.0 as usize];
                let location = known.unwrap_or_else(|| {
                    let facts = self.forest.leaf_facts(leaf);
                    self.locations.push(Location {
                        lifetime: home,
                        continuous: facts.continuous,
                        strong_update: !facts.shared,
                        property: false,
                        pointers: false,
                        members: Vec::new(),
                    })
                });
                self.location_of_node[leaf.0 as usize] = Some(location);
                let data = &mut self.locations[location];
                if data.lifetime != home && !(alias && known.is_some()) {
                    data.lifetime = Lifetime::Global;
                }
                data.members.push(Member { symbol: id, path: path.into() });
            }
        }
        for id in doc.symbols.keys() {
            self.name_properties(doc, id);
        }
        for location in self.locations.values_mut() {
            location.pointers = is_shared_by_pointers(doc, location);
            self.has_shared_pointers |= location.pointers;
        }
    }

    fn make_tape(&mut self, doc: &Document) {
        if tape::has_tape(doc) {
            self.tape = Some(self.without_members());
        }
    }

    /// Adds the location of what conditions compare.
    pub(crate) fn make_tests(&mut self) {
        self.tests = Some(self.without_members());
    }

    fn without_members(&mut self) -> LocationId {
        self.locations.push(Location {
            lifetime: Lifetime::Global,
            continuous: true,
            strong_update: false,
            property: false,
            pointers: false,
            members: Vec::new(),
        })
    }

    fn name_properties(&mut self, doc: &Document, id: SymbolId) {
        let home = self.home_of(doc, id);
        for (node, path) in self.named_properties(id) {
            let leaf = self.forest.find(node);
            let location = match self.location_of_node[leaf.0 as usize] {
                // The location of a value holds the property.
                Some(location) if !self.locations[location].property => continue,
                Some(location) => location,
                None => self.locations.push(Location {
                    lifetime: home,
                    continuous: false,
                    strong_update: !self.forest.leaf_facts(leaf).shared,
                    property: true,
                    pointers: false,
                    members: Vec::new(),
                }),
            };
            self.location_of_node[leaf.0 as usize] = Some(location);
            let data = &mut self.locations[location];
            if data.lifetime != home {
                data.lifetime = Lifetime::Global;
            }
            data.members.push(Member { symbol: id, path: path.into() });
        }
    }

    fn home_of(&self, doc: &Document, id: SymbolId) -> Lifetime {
        let symbol = &doc.symbols[id];
        if let Some(reference) = stands_for(doc, symbol) {
            return self.home_of(doc, doc.refs[reference].base);
        }
        if let Some(proc) = self.procedures.dummy_of(id) {
            return Lifetime::Dummy(proc);
        }
        match self.procedures.owner(symbol.scope) {
            Some(proc) if !self.procedures.is_static(id) => Lifetime::Local(proc),
            Some(_) | None => Lifetime::Global,
        }
    }
}

impl Member {
    /// `x`, or `v%a` for a component.
    pub fn name(&self, doc: &Document) -> String {
        let mut name = doc.name(self.symbol).to_owned();
        for &component in &self.path {
            name.push('%');
            name.push_str(doc.name(component));
        }
        name
    }
}

/// The variable that an associate name stands for; `None` for the value of an expression.
fn stands_for(doc: &Document, symbol: &Symbol) -> Option<RefId> {
    match symbol.decl.as_deref().map(|decl| &decl.role) {
        Some(Role::Associate { selector: Some(selector) }) => {
            let value = &doc.exprs[*selector];
            value.reference().filter(|_| !value.parens)
        }
        _ => None,
    }
}

/// Whether a symbol with a node has a value that is no procedure.
fn is_data(symbol: &Symbol) -> bool {
    match &symbol.decl {
        Some(decl) => !matches!(decl.role, Role::Procedure(_)),
        None => true,
    }
}

/// Whether a variable may be reached by pointers.
fn is_target(symbol: &Symbol) -> bool {
    symbol.decl.as_ref().is_some_and(|decl| decl.has(Attr::Pointer) || decl.has(Attr::Target))
}

/// Whether pointers make a location one of several names or objects: not a location that one name alone means, if all
/// pointers on the way to it share nothing by the user's promise.
fn is_shared_by_pointers(doc: &Document, location: &Location) -> bool {
    let pointers = |member: &Member| -> Vec<SymbolId> {
        let symbols = std::iter::once(member.symbol).chain(member.path.iter().copied());
        symbols.filter(|&symbol| doc.has(symbol, Attr::Pointer)).collect()
    };
    let is_promised = |symbol: &SymbolId| doc.has(*symbol, Attr::Restrict);
    match &location.members[..] {
        [only] if location.strong_update || location.property => {
            !pointers(only).iter().all(is_promised)
        }
        members => members.iter().any(|member| !pointers(member).is_empty()),
    }
}

/// A variable of a XAIF 1.0 document, which says of a type what class it is of.
fn genuine_node(forest: &mut Forest, symbol: &Symbol) -> Option<NodeId> {
    let continuous = match symbol.class {
        TypeClass::Real | TypeClass::Complex | TypeClass::Opaque => true,
        TypeClass::Void
        | TypeClass::Integer
        | TypeClass::Bool
        | TypeClass::Char
        | TypeClass::String => false,
    };
    match symbol.kind {
        SymbolKind::Variable | SymbolKind::Pointer => Some(forest.leaf(continuous, false)),
        SymbolKind::Subroutine => None,
    }
}
