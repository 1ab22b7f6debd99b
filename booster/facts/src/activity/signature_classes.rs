//! Procedures that must have the same active dummy arguments.
//!
//! What can be called through the same dummy procedure, procedure pointer or binding is called in
//! the same way, and so are their derivative procedures; an interface body describes a procedure
//! that is called as it says. Dummy arguments are compared by position, components by name.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use xaif_schema::model::{Body, Document, ProcClass, ProcId, Role, ScopeKind, SymbolId};

use super::marks::Marks;
use super::program::{Piece, Program};
use crate::{EntryOf, LocationId, Storage, Targets};

/// Dummy arguments in order, then the result; `None` is an alternate return or no result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Signature {
    proc: ProcId,
    slots: Vec<Option<SymbolId>>,
}

/// A component of a variable, from the outermost inwards, and its location.
type ComponentLocation = (Box<[SymbolId]>, LocationId);

/// Two procedures that must agree.
pub(super) struct Pair {
    pub(super) one: ProcId,
    pub(super) other: ProcId,
    /// Locations of the one and the corresponding locations of the other.
    pub(super) locations: Vec<(LocationId, LocationId)>,
}

/// Groups of procedures whose arguments correspond.
#[derive(Clone, Debug)]
pub(super) struct SignatureClasses {
    groups: BTreeSet<Vec<Signature>>,
    parts: HashMap<SymbolId, Vec<ComponentLocation>>,
}

impl SignatureClasses {
    pub(super) fn new(program: &Program<'_>) -> Self {
        let mut kin = SignatureClasses { groups: BTreeSet::new(), parts: HashMap::new() };
        for (location, data) in program.storage.locations() {
            for member in data.members.iter().filter(|_| data.continuous) {
                let parts = kin.parts.entry(member.symbol).or_default();
                parts.push((member.path.clone(), location));
            }
        }
        kin.by_calls(program);
        kin.by_names(program);
        kin.by_bindings(program);
        kin
    }

    fn add(&mut self, signatures: impl IntoIterator<Item = Signature>) {
        let group: BTreeSet<Signature> = signatures.into_iter().collect();
        if group.len() > 1 {
            self.groups.insert(group.into_iter().collect());
        }
    }

    /// One call may execute several, and says perhaps by which interface.
    fn by_calls(&mut self, program: &Program<'_>) {
        let doc = program.doc;
        for body in program.bodies.iter().flatten() {
            for piece in body.pieces() {
                let Piece::Call(call) = piece else { continue };
                let ways = call.ways.iter();
                let ways = ways.map(|way| signature(doc, program.storage, way.entry));
                self.add(ways.chain(interface(doc, call.callee)));
            }
        }
    }

    /// Interface bodies, dummy procedures and procedure pointers with what they may mean.
    fn by_names(&mut self, program: &Program<'_>) {
        let (doc, storage) = (program.doc, program.storage);
        for symbol in doc.symbols.keys() {
            let Some(Role::Procedure(info)) = doc.role(symbol) else { continue };
            let Targets { bodies, .. } = match info.class {
                ProcClass::Dummy | ProcClass::Pointer => storage.meaning(doc, symbol),
                ProcClass::External
                | ProcClass::Module
                | ProcClass::Internal
                | ProcClass::Entry
                | ProcClass::Abstract => {
                    let executed = storage.procedures().executed(doc, symbol);
                    Targets { bodies: executed.into_iter().collect(), ..Targets::default() }
                }
                ProcClass::Intrinsic => continue,
            };
            let bodies = bodies.into_iter().map(|entry| signature(doc, storage, entry));
            self.add(bodies.chain(interface(doc, symbol)));
        }
    }

    /// Bindings of one name in a type and in those that extend it.
    fn by_bindings(&mut self, program: &Program<'_>) {
        let (doc, storage) = (program.doc, program.storage);
        let nobody = doc.types_without_objects();
        let mut groups: BTreeMap<(Option<SymbolId>, &str), Vec<Signature>> = BTreeMap::new();
        for (symbol, data) in &doc.symbols {
            let Some(Role::Binding { target, interface: deferred, .. }) = doc.role(symbol) else {
                continue;
            };
            let ScopeKind::DerivedType(ty) = doc.scopes[data.scope].kind else { continue };
            if nobody.contains(&ty) {
                continue;
            }
            let group =
                groups.entry((doc.lineage(ty).last().copied(), data.id.as_str())).or_default();
            let executed = target.and_then(|t| storage.procedures().executed(doc, t));
            group.extend(executed.map(|entry| signature(doc, storage, entry)));
            group.extend(deferred.and_then(|symbol| interface(doc, symbol)));
        }
        for group in groups.into_values() {
            self.add(group);
        }
    }

    /// The locations of `symbol` at `path`; all of them where none is there.
    fn locations_at(&self, symbol: SymbolId, path: &[SymbolId]) -> Vec<LocationId> {
        let Some(parts) = self.parts.get(&symbol) else { return Vec::new() };
        let there: Vec<LocationId> = parts
            .iter()
            .filter(|(p, _)| p.as_ref() == path)
            .map(|(_, location)| *location)
            .collect();
        if there.is_empty() { parts.iter().map(|(_, location)| *location).collect() } else { there }
    }

    /// Marks what the procedures of a group must have in common.
    pub(super) fn agree(&self, marks: &mut Marks) {
        for group in &self.groups {
            if group.iter().any(|signature| marks.procs.contains(&signature.proc)) {
                marks.procs.extend(group.iter().map(|signature| signature.proc));
            }
            let most = group.iter().map(|signature| signature.slots.len()).max().unwrap_or(0);
            for slot in 0..most {
                let symbols = group.iter().filter_map(|s| s.slots.get(slot).copied().flatten());
                let symbols: Vec<SymbolId> = symbols.collect();
                self.agree_on(&symbols, marks);
            }
        }
    }

    fn agree_on(&self, symbols: &[SymbolId], marks: &mut Marks) {
        let mut paths: BTreeSet<&[SymbolId]> = BTreeSet::new();
        for symbol in symbols {
            for (path, location) in self.parts.get(symbol).into_iter().flatten() {
                if marks.locations.contains(location) {
                    paths.insert(path.as_ref());
                }
            }
        }
        // A dummy argument of an interface body has no storage.
        let told = |symbol| !self.parts.contains_key(symbol) && marks.symbols.contains(symbol);
        if paths.is_empty() && symbols.iter().any(told) {
            paths.insert(&[]);
        }
        if paths.is_empty() {
            return;
        }
        for &symbol in symbols {
            marks.symbols.insert(symbol);
            for path in &paths {
                marks.locations.extend(self.locations_at(symbol, path));
            }
        }
    }

    /// All pairs of procedures that must agree.
    pub(super) fn pairs(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for group in &self.groups {
            for (one, other) in group.iter().flat_map(|a| group.iter().map(move |b| (a, b))) {
                if one.proc == other.proc {
                    continue;
                }
                let slots = one.slots.iter().zip(&other.slots);
                let symbols = slots.filter_map(|(a, b)| Some(((*a)?, (*b)?)));
                let locations = symbols.flat_map(|(a, b)| {
                    let parts = self.parts.get(&a).into_iter().flatten();
                    parts.flat_map(move |(path, location)| {
                        self.locations_at(b, path).into_iter().map(|other| (*location, other))
                    })
                });
                pairs.push(Pair {
                    one: one.proc,
                    other: other.proc,
                    locations: locations.collect(),
                });
            }
        }
        pairs
    }
}

fn signature(doc: &Document, storage: &Storage, entry: EntryOf) -> Signature {
    let procedures = storage.procedures();
    let dummies = procedures.dummies(doc, entry).iter().map(|dummy| dummy.symbol);
    let slots = dummies.chain([procedures.result(doc, entry)]).collect();
    Signature { proc: entry.proc, slots }
}

/// The interface body that describes `symbol`.
fn interface(doc: &Document, symbol: SymbolId) -> Option<Signature> {
    let named = match doc.role(symbol)? {
        Role::Procedure(info) => info.proc.or_else(|| doc.procedure_of(info.interface?)),
        Role::Binding { interface, .. } => doc.procedure_of((*interface)?),
        Role::Variable
        | Role::Constant
        | Role::Generic { .. }
        | Role::DerivedType { .. }
        | Role::TypeParam { .. }
        | Role::Final { .. }
        | Role::Module { .. }
        | Role::BlockData
        | Role::CommonBlock
        | Role::Namelist
        | Role::StatementFunction
        | Role::Unresolved { .. }
        | Role::Associate { .. } => None,
    };
    let proc = named.filter(|&proc| matches!(doc.procs[proc].body, Body::Interface))?;
    let procedure = &doc.procs[proc];
    let slots = procedure.args.iter().map(|arg| arg.symbol).chain([procedure.result]).collect();
    Some(Signature { proc, slots })
}
