//! Adjoints of COMMON blocks begin with zero, as those of module variables do: each gets a BLOCK DATA
//! location. Blank COMMON cannot be initialised in the language, and structures in COMMON have no value
//! that can be written down here: who calls the adjoint sets those to zero.

use std::collections::BTreeMap;

use xaif_schema::model::{
    Base, Document, Init, Place, Role, Scope, ScopeId, ScopeKind, SpecItem, SymbolId,
};

use booster_build::FreshNames;
use booster_facts::storage::in_longer_blocks;
use booster_shadow::derivative::{Counterparts, declaration, symbol};
use booster_shadow::persistent_state::{declare_alike, is_simple};
use booster_tangent::zero::zero;

/// Adds a BLOCK DATA location for each COMMON block of adjoints.
pub(crate) fn begin_with_zero(doc: &mut Document, parts: &mut Counterparts) {
    let Some(global) = doc.global_scope() else { return };
    let adjoints = parts.derivatives();
    let mut blocks: BTreeMap<SymbolId, BTreeMap<ScopeId, Vec<SymbolId>>> = BTreeMap::new();
    for (scope, data) in &doc.scopes {
        for item in &data.items {
            let SpecItem::Common { block, members } = item else { continue };
            if members.iter().any(|member| adjoints.contains(member)) {
                let known = blocks.entry(*block).or_default();
                known.entry(scope).or_default().extend(members);
            }
        }
    }
    let mut names = FreshNames::new(doc, global);
    for (block, declared) in blocks {
        // One declaration of the block is enough that no EQUIVALENCE makes longer than its members.
        let simple = declared.into_iter().find(|(scope, members)| {
            let longer = in_longer_blocks(doc, *scope);
            members.iter().all(|member| is_simple(doc, *member) && !longer.contains(member))
        });
        let blank = doc.symbols[block].id.trim_matches('/').is_empty();
        if let Some((home, members)) = simple.filter(|_| !blank) {
            location(doc, parts, (global, &mut names), block, (home, members.as_slice()));
        }
    }
}

fn location(
    doc: &mut Document,
    parts: &mut Counterparts,
    (global, names): (ScopeId, &mut FreshNames),
    block: SymbolId,
    (home, members): (ScopeId, &[SymbolId]),
) {
    let place = place_of_unit(doc, home);
    let wish = format!("{}_zero", doc.symbols[block].id.trim_matches('/'));
    let name = names.name(&wish);
    let made = symbol(global, declaration(name, Role::BlockData, place));
    let made = doc.add_symbol(made);
    let scope = doc.scopes.push(Scope::new(Some(global), ScopeKind::BlockData(made), place));
    let mut own = FreshNames::of_new_unit(scope, doc.name(made));
    let copies = declare_alike(doc, &mut own, block, members, place);
    for &copy in &copies {
        let base = doc.symbols[copy].decl.as_ref().map_or(Base::Unknown, |d| d.spec.base());
        if matches!(base, Base::Real(_) | Base::Complex(_)) {
            let none = zero(doc, base, place);
            if let Some(decl) = doc.symbols[copy].decl.as_deref_mut() {
                decl.init = Some(Init::Value(none));
            }
        }
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
    let location = around.len().checked_sub(2).and_then(|at| around.get(at));
    location.map_or_else(Place::default, |&location| doc.scopes[location].place)
}
