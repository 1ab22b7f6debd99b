//! Names of exposed entities that would clash where their module is used as a whole.
//!
//! The USE statement there gives the entity another name. A module that is used passes its names on, so
//! modules come before the scopes that use them.

use std::collections::BTreeSet;

use xaif_schema::intrinsics;
use xaif_schema::model::{Document, Role, ScopeId, ScopeKind, SpecItem, SymbolId, UseName};
use xaif_schema::visibility::{By, Sight};

use super::expose::Renaming;
use booster_build::unique_name;

/// A USE statement (its scope, its index there) that brings in an exposed entity by a name that is taken.
type Clash = (ScopeId, usize, SymbolId);

/// Renames those of `exposed` in USE statements whose names are taken there.
pub(super) fn rename_where_taken(
    doc: &mut Document,
    exposed: &BTreeSet<SymbolId>,
) -> Vec<Renaming> {
    let mut done = Vec::new();
    if exposed.is_empty() {
        return done;
    }
    let (modules, others) = users(doc, exposed);
    // A rename in one module changes the names that the next one passes on.
    let mut next = 0;
    while let Some((found, clashes)) = first_clashes(doc, &modules, next, exposed) {
        done.extend(clashes.into_iter().filter_map(|clash| rename(doc, clash)));
        next = found + 1;
    }
    let clashes: Vec<Clash> = {
        let sight = Sight::new(doc);
        others.iter().flat_map(|&scope| clashes_in(doc, &sight, scope, exposed)).collect()
    };
    done.extend(clashes.into_iter().filter_map(|clash| rename(doc, clash)));
    done
}

/// The first of `modules`, from the index `next` on, that has clashes.
fn first_clashes(
    doc: &Document,
    modules: &[ScopeId],
    next: usize,
    exposed: &BTreeSet<SymbolId>,
) -> Option<(usize, Vec<Clash>)> {
    let sight = Sight::new(doc);
    (next..modules.len()).find_map(|index| {
        let clashes = clashes_in(doc, &sight, *modules.get(index)?, exposed);
        (!clashes.is_empty()).then_some((index, clashes))
    })
}

/// The modules and the other scopes in which a USE without ONLY may bring in one of `exposed`. Modules come
/// after those that they use.
fn users(doc: &Document, exposed: &BTreeSet<SymbolId>) -> (Vec<ScopeId>, Vec<ScopeId>) {
    let mut passing: BTreeSet<ScopeId> =
        exposed.iter().map(|&symbol| doc.symbols[symbol].scope).collect();
    let mut waiting: Vec<ScopeId> = Vec::new();
    let mut others: Vec<ScopeId> = Vec::new();
    for (scope, data) in doc.scopes.iter() {
        if data.items.iter().any(|item| used_whole(doc, item).is_some()) {
            let is_module = matches!(data.kind, ScopeKind::Module(_));
            if is_module { waiting.push(scope) } else { others.push(scope) }
        }
    }
    let uses =
        |scope: ScopeId| doc.scopes[scope].items.iter().filter_map(|item| used_whole(doc, item));
    let mut modules = Vec::new();
    // Each iteration takes the modules that use none of those that wait; a circle ends the loop.
    loop {
        let (ready, later): (Vec<ScopeId>, Vec<ScopeId>) =
            waiting.iter().partition(|&&scope| !uses(scope).any(|used| waiting.contains(&used)));
        if ready.is_empty() {
            break;
        }
        for scope in ready {
            if uses(scope).any(|used| passing.contains(&used)) {
                passing.insert(scope);
                modules.push(scope);
            }
        }
        waiting = later;
    }
    others.retain(|&scope| uses(scope).any(|used| passing.contains(&used)));
    (modules, others)
}

/// The scope of the module that an item uses without ONLY.
fn used_whole(doc: &Document, item: &SpecItem) -> Option<ScopeId> {
    let SpecItem::Use(used) = item else { return None };
    match doc.role(used.module) {
        Some(Role::Module { scope }) if !used.only => *scope,
        Some(_) | None => None,
    }
}

/// The USE statements of `scope` that bring in one of `exposed` by a name that means something else there.
fn clashes_in(
    doc: &Document,
    sight: &Sight<'_>,
    scope: ScopeId,
    exposed: &BTreeSet<SymbolId>,
) -> Vec<Clash> {
    let mut found = Vec::new();
    for &symbol in exposed {
        let id = doc.symbols[symbol].id.as_str();
        let used = sight.used(scope, id);
        let brings = |by: &By| by.symbol() == Some(symbol);
        if !used.iter().any(brings) || !is_taken(doc, sight, scope, symbol, &used) {
            continue;
        }
        found.extend(used.iter().filter(|by| brings(by)).filter_map(|by| match by {
            By::Use { item, .. } => Some((scope, *item, symbol)),
            By::Declaration(_) => None,
        }));
    }
    found
}

/// Whether the name of `symbol` means something else in `scope`, for the scope or for those inside it.
fn is_taken(
    doc: &Document,
    sight: &Sight<'_>,
    scope: ScopeId,
    symbol: SymbolId,
    used: &[By],
) -> bool {
    let id = doc.symbols[symbol].id.as_str();
    let is_other = |by: &By| by.symbol() != Some(symbol);
    let meaning_in = |scope: ScopeId| sight.meaning(scope, id);
    let here = meaning_in(scope).is_some_and(|meaning| meaning.by.iter().any(is_other));
    // A host's entity, an external procedure and an intrinsic function have no declaration here.
    let around = doc.scopes[scope].parent.and_then(meaning_in);
    let around = around.is_some_and(|meaning| meaning.by.iter().any(is_other));
    let global = doc.global_scope().and_then(|global| doc.symbol_in(global, id)).is_some();
    used.iter().any(is_other) || here || around || global || intrinsics::by_fortran(id).is_some()
}

/// Gives the entity a free name in a USE statement.
fn rename(doc: &mut Document, (scope, item, symbol): Clash) -> Option<Renaming> {
    let home = doc.symbols[symbol].scope;
    let ScopeKind::Module(owner) = doc.scopes[home].kind else { return None };
    let wish = format!("{}_of_{}", doc.name(symbol), doc.name(owner));
    let local = unique_name(doc, &wish);
    let remote = doc.name(symbol).to_owned();
    let SpecItem::Use(used) = doc.scopes[scope].items.get_mut(item)? else { return None };
    used.names.push(UseName { local: local.clone(), remote: remote.clone(), symbol: Some(symbol) });
    Some(Renaming { place: used.place, module: used.module, local, remote })
}
