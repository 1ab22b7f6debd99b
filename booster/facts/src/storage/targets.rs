//! What a call may execute, and which dummy argument gets the object of a type-bound call.
//!
//! A dummy procedure, a procedure pointer or a procedure component may mean every procedure whose name
//! has reached its node by the unification in `bind`; while that works its iterations, the answers grow.
//! Where components of one structure share a node, their interfaces tell them apart (`conform`).

use xaif_schema::model::{
    Attr, Base, Callee, Document, Part, ProcClass, ProcId, RefId, Role, ScopeKind, SymbolId,
};

use super::conform::may_mean;
use super::tree::NodeId;
use super::{EntryOf, Storage, Targets, is_data};

/// What a call may execute.
pub(super) fn targets(doc: &Document, storage: &Storage, callee: &Callee) -> Targets {
    match doc.role(callee.symbol) {
        Some(Role::Binding { .. }) => dispatched(doc, storage, callee),
        Some(Role::StatementFunction) => Targets::default(),
        Some(Role::Procedure(info)) if info.class == ProcClass::Intrinsic => Targets::default(),
        Some(_) | None => match callee.object {
            Some(object) => {
                let node = storage.node_of(doc, object);
                indirect(doc, storage, node, (callee.symbol, None))
            }
            None => meaning(doc, storage, callee.symbol),
        },
    }
}

/// What a procedure's name may mean.
pub(super) fn meaning(doc: &Document, storage: &Storage, symbol: SymbolId) -> Targets {
    match storage.nodes[symbol] {
        Some(node) if !is_data(&doc.symbols[symbol]) => {
            let dummy_of = storage.procedures.dummy_of(symbol);
            indirect(doc, storage, Some(node), (symbol, dummy_of))
        }
        Some(_) | None => {
            let mut targets = Targets::default();
            add(doc, storage, symbol, &mut targets);
            targets
        }
    }
}

fn add(doc: &Document, storage: &Storage, symbol: SymbolId, targets: &mut Targets) {
    match storage.procedures.executed(doc, symbol) {
        Some(entry) if !targets.bodies.contains(&entry) => targets.bodies.push(entry),
        Some(_) => {}
        None => targets.outside.push(symbol),
    }
}

/// The procedures whose names have reached a node. A dummy procedure of a procedure that nobody
/// here calls may be anything.
fn indirect(
    doc: &Document,
    storage: &Storage,
    node: Option<NodeId>,
    (pointer, dummy_of): (SymbolId, Option<ProcId>),
) -> Targets {
    let mut targets = Targets::default();
    let node = node.map(|node| storage.forest.find(node));
    let values = node.and_then(|node| storage.values.get(&node));
    let values_here = values.into_iter().flatten().copied();
    for symbol in values_here.filter(|&symbol| may_mean(doc, storage, pointer, symbol)) {
        add(doc, storage, symbol, &mut targets);
    }
    targets.bodies.sort_unstable();
    let is_nothing = targets.bodies.is_empty() && targets.outside.is_empty();
    targets.unknown = is_nothing || dummy_of.is_some_and(|proc| !storage.is_called(proc));
    targets
}

/// `object%binding`: the binding of the declared type and, for a polymorphic object, those of all
/// types that extend it. No object is of an abstract type, but where no other type is known, one that is
/// not shown extends it.
fn dispatched(doc: &Document, storage: &Storage, callee: &Callee) -> Targets {
    let name = doc.name(callee.symbol).to_ascii_lowercase();
    let declared = callee.object.map_or(Base::Unknown, |object| type_of_object(doc, object));
    let mut targets = Targets::default();
    let of_class = |ty: SymbolId| {
        let mut types = vec![ty];
        types.extend(storage.types.descendants(ty));
        let is_abstract = |ty: &SymbolId| doc.has(*ty, Attr::Abstract);
        if !types.iter().all(is_abstract) {
            types.retain(|ty| !is_abstract(ty));
        }
        types
    };
    let types = match declared {
        Base::Derived(ty) => vec![ty],
        Base::Class(ty) => of_class(ty),
        _ => match doc.scopes[doc.symbols[callee.symbol].scope].kind {
            ScopeKind::DerivedType(ty) => of_class(ty),
            _ => Vec::new(),
        },
    };
    for ty in types {
        let own = doc.lineage(ty).into_iter().find_map(|ty| binding_of(doc, ty, &name));
        if let Some(Role::Binding { target: Some(target), .. }) = own.and_then(|b| doc.role(b)) {
            add(doc, storage, *target, &mut targets);
        }
    }
    targets.bodies.sort_unstable();
    targets.outside.sort_unstable();
    targets.outside.dedup();
    targets.unknown = targets.bodies.is_empty() && targets.outside.is_empty();
    targets
}

fn binding_of(doc: &Document, ty: SymbolId, name: &str) -> Option<SymbolId> {
    let Some(Role::DerivedType { scope, .. }) = doc.role(ty) else { return None };
    doc.scopes[*scope].symbols.iter().copied().find(|&symbol| {
        matches!(doc.role(symbol), Some(Role::Binding { .. }))
            && doc.name(symbol).eq_ignore_ascii_case(name)
    })
}

/// The declared type of what stands before the last part of a callee's object.
fn type_of_object(doc: &Document, object: RefId) -> Base {
    let reference = &doc.refs[object];
    let before = reference.parts.split_last().map_or(&[][..], |(_, before)| before);
    let last = before.iter().rev().find_map(|part| match part {
        Part::Component { symbol, .. } => Some(*symbol),
        _ => None,
    });
    let spec = |symbol: SymbolId| doc.symbols[symbol].decl.as_ref().map(|decl| decl.spec.base());
    match last {
        Some(Some(symbol)) if matches!(doc.role(symbol), Some(Role::DerivedType { .. })) => {
            Base::Derived(symbol)
        }
        Some(symbol) => symbol.and_then(spec).unwrap_or_default(),
        None => spec(reference.base).unwrap_or_default(),
    }
}

/// The node of what stands before the last part of a callee's object.
pub(super) fn object_node(doc: &Document, storage: &Storage, object: RefId) -> Option<NodeId> {
    let reference = &doc.refs[object];
    let before = reference.parts.split_last().map_or(&[][..], |(_, before)| before);
    storage.node_at(doc, reference.base, before)
}

/// Which dummy argument (from 0) of `entry` gets the object of `callee`, if any does.
pub(super) fn passed_object(
    doc: &Document,
    storage: &Storage,
    callee: &Callee,
    entry: EntryOf,
) -> Option<(usize, RefId)> {
    let object = callee.object?;
    let last = match doc.refs[object].parts.last() {
        Some(Part::Component { symbol: Some(symbol), .. }) => *symbol,
        Some(_) | None => callee.symbol,
    };
    let decl = doc.symbols[last].decl.as_ref()?;
    if decl.has(Attr::NoPass) {
        return None;
    }
    let pass = match &decl.role {
        Role::Binding { pass, .. } => pass.as_deref(),
        Role::Procedure(info) => info.pass.as_deref(),
        _ => None,
    };
    let dummies = storage.procedures.dummies(doc, entry);
    let position = pass.and_then(|name| {
        dummies.iter().position(|dummy| {
            dummy.symbol.is_some_and(|symbol| doc.name(symbol).eq_ignore_ascii_case(name))
        })
    });
    Some((position.unwrap_or(0), object))
}
