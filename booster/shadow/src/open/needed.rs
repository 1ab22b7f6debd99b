//! The entities that the units of a derivative name and that the user's modules hide.

use std::collections::BTreeSet;

use xaif_schema::model::{Attr, Base, Document, Role, ScopeId, ScopeKind, SpecItem, SymbolId};

use super::expose::is_binding;
use super::is_hidden_part;
use booster_build::mentions;

/// Hidden entities of modules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needed {
    /// PRIVATE entities of modules.
    pub names: BTreeSet<SymbolId>,
    /// PRIVATE components and bindings.
    pub parts: BTreeSet<SymbolId>,
    /// PROTECTED variables that a derivative changes.
    pub assigned: BTreeSet<SymbolId>,
}

impl Needed {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.parts.is_empty() && self.assigned.is_empty()
    }

    /// Adds those of `other`.
    pub fn extend(&mut self, other: &Needed) {
        self.names.extend(&other.names);
        self.parts.extend(&other.parts);
        self.assigned.extend(&other.assigned);
    }

    /// Those that `other` has not.
    pub fn without(&self, other: &Needed) -> Needed {
        let rest = |all: &BTreeSet<SymbolId>, some: &BTreeSet<SymbolId>| {
            all.difference(some).copied().collect()
        };
        Needed {
            names: rest(&self.names, &other.names),
            parts: rest(&self.parts, &other.parts),
            assigned: rest(&self.assigned, &other.assigned),
        }
    }
}

/// The entities that the derivative units of `finished` name. `closed` is the program before any module of it was
/// opened; the symbols of the program have the same ids in both.
pub fn needed(finished: &Document, closed: &Document) -> Needed {
    let mut needed = Needed::default();
    let Some(global) = finished.global_scope() else { return needed };
    let nest = finished.nest();
    let units: Vec<ScopeId> = finished.scopes[global]
        .items
        .iter()
        .filter_map(|item| match item {
            SpecItem::Unit(unit) => Some(*unit).filter(|&unit| !finished.scopes[unit].provided),
            _ => None,
        })
        .collect();
    for unit in units {
        let named = mentions(finished, &nest, unit, |_| false);
        for mention in named.into_iter().filter(|mention| !mention.generic) {
            needed.add(closed, mention.symbol, mention.written);
        }
    }
    needed.add_overriding(closed);
    needed
}

impl Needed {
    fn add(&mut self, closed: &Document, symbol: SymbolId, written: bool) {
        let Some(data) = closed.symbols.get(symbol) else { return };
        match closed.scopes[data.scope].kind {
            ScopeKind::Module(_) => {
                if is_hidden(closed, symbol) {
                    self.names.insert(symbol);
                }
                if written && data.has(Attr::Protected) {
                    self.assigned.insert(symbol);
                }
            }
            ScopeKind::DerivedType(owner) if is_hidden_part(closed, owner, symbol) => {
                self.parts.insert(symbol);
            }
            _ => {}
        }
    }

    /// A binding that overrides a PUBLIC one must be PUBLIC.
    fn add_overriding(&mut self, closed: &Document) {
        let bindings: Vec<SymbolId> =
            self.parts.iter().copied().filter(|&part| is_binding(closed, part)).collect();
        for binding in bindings {
            let id = &closed.symbols[binding].id;
            let ScopeKind::DerivedType(owner) = closed.scopes[closed.symbols[binding].scope].kind
            else {
                continue;
            };
            for (scope, data) in closed.scopes.iter() {
                let ScopeKind::DerivedType(other) = data.kind else { continue };
                if let Some(overriding) = closed.symbol_in(scope, id)
                    && closed.lineage(other).contains(&owner)
                    && is_hidden_part(closed, other, overriding)
                {
                    self.parts.insert(overriding);
                }
            }
        }
    }
}

/// Whether a unit outside of the module has no name for an entity of the module. The back end prints the value of
/// an integer constant in the place of a hidden name.
fn is_hidden(closed: &Document, symbol: SymbolId) -> bool {
    let Some(decl) = closed.symbols[symbol].decl.as_deref() else { return false };
    let is_number = matches!(decl.role, Role::Constant)
        && decl.value.is_some()
        && decl.dims.is_empty()
        && decl.spec.base() == Base::Integer(4);
    !is_number && !matches!(decl.role, Role::Unresolved { .. }) && closed.is_private(symbol)
}
