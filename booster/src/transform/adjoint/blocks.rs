//! Adjoints of COMMON blocks begin with zero, as those of module variables do: each gets a BLOCK DATA
//! unit. Blank COMMON cannot be initialised in the language, and structures in COMMON have no value
//! that can be written down here: who calls the adjoint sets those to zero.

use std::collections::{BTreeMap, HashSet};

use xaif_schema::model::{
    Attr, Base, Dim, Document, Init, Place, Role, Scope, ScopeId, ScopeKind, SpecItem, SymbolId,
};

use crate::build::{fresh_name, integer, new_variable};
use crate::transform::derivative::{Counterparts, declaration, symbol};
use crate::transform::tangent::zero::zero;

/// Adds a BLOCK DATA unit for each COMMON block of adjoints.
pub(super) fn begin_with_zero(doc: &mut Document, parts: &mut Counterparts) {
    let Some(global) = doc.global_scope() else { return };
    let adjoints = parts.derivatives();
    let mut blocks: BTreeMap<SymbolId, (ScopeId, Vec<SymbolId>)> = BTreeMap::new();
    for (scope, data) in &doc.scopes {
        for item in &data.items {
            let SpecItem::Common { block, members } = item else { continue };
            if members.iter().any(|member| adjoints.contains(member)) {
                let known = blocks.entry(*block).or_insert((scope, Vec::new()));
                if known.0 == scope {
                    known.1.extend(members);
                }
            }
        }
    }
    let shared: HashSet<SymbolId> = equivalenced(doc);
    for (block, (home, members)) in blocks {
        let simple = members.iter().all(|&member| is_simple(doc, member, &shared));
        let blank = doc.symbols[block].id.trim_matches('/').is_empty();
        if !blank && simple {
            unit(doc, parts, global, block, (home, &members));
        }
    }
}

/// Whether a member is a number or an array of numbers with constant bounds.
fn is_simple(doc: &Document, member: SymbolId, shared: &HashSet<SymbolId>) -> bool {
    let data = &doc.symbols[member];
    let Some(decl) = data.decl.as_deref() else { return false };
    let number = matches!(
        decl.spec.base(),
        Base::Integer(_) | Base::Real(_) | Base::Complex(_) | Base::Logical(_)
    );
    let indirect = decl.has(Attr::Pointer) || shared.contains(&member);
    number && !indirect && data.bounds.len() == usize::from(data.rank.unwrap_or(0))
}

fn equivalenced(doc: &Document) -> HashSet<SymbolId> {
    let items = doc.scopes.values().flat_map(|scope| &scope.items);
    let sets = items.filter_map(|item| match item {
        SpecItem::Equivalence(sets) => Some(sets),
        _ => None,
    });
    sets.flatten().flatten().map(|&reference| doc.refs[reference].base).collect()
}

fn unit(
    doc: &mut Document,
    parts: &mut Counterparts,
    global: ScopeId,
    block: SymbolId,
    (home, members): (ScopeId, &[SymbolId]),
) {
    let place = place_of_unit(doc, home);
    let wish = format!("{}_zero", doc.symbols[block].id.trim_matches('/'));
    let name = fresh_name(doc, global, &wish);
    let made = symbol(global, declaration(name, Role::BlockData, place));
    let made = doc.add_symbol(made);
    let scope = doc.scopes.push(Scope::new(Some(global), ScopeKind::BlockData(made), place));
    let mut copies = Vec::new();
    for (&member, position) in members.iter().zip(0..) {
        let (base, id) = {
            let data = &doc.symbols[member];
            let base = data.decl.as_ref().map_or(Base::Unknown, |decl| decl.spec.base());
            (base, data.id.clone())
        };
        let copy = new_variable(doc, scope, &id, base, place);
        let bounds = doc.symbols[member].bounds.clone();
        // XAIF counts the dimensions from the last.
        let dims: Vec<Dim> = bounds
            .iter()
            .rev()
            .map(|&(lower, upper)| Dim::Explicit {
                lower: (lower != 1).then(|| integer(doc, lower, place)),
                upper: integer(doc, upper, place),
            })
            .collect();
        let numbers = matches!(base, Base::Real(_) | Base::Complex(_));
        let init = numbers.then(|| Init::Value(zero(doc, base, place)));
        let data = &mut doc.symbols[copy];
        (data.rank, data.bounds) = (u8::try_from(dims.len()).ok(), bounds);
        if let Some(decl) = data.decl.as_deref_mut() {
            (decl.dims, decl.init, decl.common) = (dims, init, Some((block, position)));
        }
        copies.push(copy);
    }
    let items = vec![
        SpecItem::ImplicitNone(None),
        SpecItem::Declare(copies.clone()),
        SpecItem::Common { block, members: copies },
    ];
    doc.scopes[scope].items = items;
    doc.scopes[scope].end = place;
    doc.scopes[global].items.push(SpecItem::Unit(scope));
    parts.add_unit(scope);
}

/// The place of the program unit that a scope is in.
fn place_of_unit(doc: &Document, scope: ScopeId) -> Place {
    let parents = |&scope: &ScopeId| doc.scopes[scope].parent;
    let around: Vec<ScopeId> = std::iter::successors(Some(scope), parents).collect();
    let unit = around.len().checked_sub(2).and_then(|at| around.get(at));
    unit.map_or_else(Place::default, |&unit| doc.scopes[unit].place)
}
