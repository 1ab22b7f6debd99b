//! Makes chosen entities of modules PUBLIC, and drops PROTECTED where a derivative assigns.

use std::collections::{BTreeMap, BTreeSet};

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{Attr, Document, Place, Role, ScopeId, ScopeKind, SpecItem, SymbolId};

use super::needed::Needed;
use super::{attribute_of_all, is_hidden_part, names};

/// A document's changes, for an editor of the source text.
#[derive(Clone, Debug, Default)]
pub struct Exposed {
    /// Variables, types and procedures of modules that became PUBLIC.
    pub names: Vec<SymbolId>,
    /// Components and bindings that became PUBLIC.
    pub parts: Vec<SymbolId>,
    /// Variables that lost PROTECTED.
    pub assigned: Vec<SymbolId>,
    /// The USE statements that give an exposed entity another name.
    pub renamings: Vec<Renaming>,
    /// Parts of types that stay hidden (`OX4206`).
    pub warnings: Diagnostics,
}

/// A rename that a USE statement got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renaming {
    /// The place of the module's name in the USE statement.
    pub place: Place,
    /// The module.
    pub module: SymbolId,
    /// The name in the scope of the USE.
    pub local: String,
    /// The name in the module.
    pub remote: String,
}

impl Exposed {
    /// Whether the document is as it was.
    pub fn is_empty(&self) -> bool {
        let Exposed { names, parts, assigned, renamings, warnings: _ } = self;
        names.is_empty() && parts.is_empty() && assigned.is_empty() && renamings.is_empty()
    }
}

/// Exposes the entities of `needed` that are hidden.
pub fn expose(doc: &mut Document, needed: &Needed) -> Exposed {
    let mut done = Exposed::default();
    expose_names(doc, needed, &mut done);
    expose_parts(doc, needed, &mut done);
    for &symbol in &needed.assigned {
        if let Some(decl) = doc.symbols[symbol].decl.as_deref_mut()
            && decl.attrs.remove(&Attr::Protected)
        {
            done.assigned.push(symbol);
        }
    }
    done.renamings = names::rename_where_taken(doc, &needed.names);
    done
}

/// Hides the entities of `unneeded` again, as far as a derivative document has opened them, with the renames
/// that USE statements have for them.
pub fn hide(doc: &mut Document, unneeded: &Needed) {
    for &symbol in unneeded.names.iter().chain(&unneeded.parts) {
        if let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() {
            decl.attrs.remove(&Attr::Public);
            decl.attrs.insert(Attr::Private);
        }
    }
    for scope in doc.scopes.values_mut() {
        for item in &mut scope.items {
            match item {
                SpecItem::Use(used) => used.names.retain(|name| {
                    !name.symbol.is_some_and(|symbol| unneeded.names.contains(&symbol))
                }),
                SpecItem::Access { private: false, symbols } => {
                    symbols.retain(|symbol| !unneeded.names.contains(symbol));
                }
                _ => {}
            }
        }
        // PUBLIC without names is another statement.
        scope.items.retain(|item| {
            !matches!(item, SpecItem::Access { private: false, symbols } if symbols.is_empty())
        });
    }
}

/// Entities of modules.
fn expose_names(doc: &mut Document, needed: &Needed, done: &mut Exposed) {
    let mut of_module: BTreeMap<ScopeId, Vec<SymbolId>> = BTreeMap::new();
    for &symbol in &needed.names {
        if doc.is_private(symbol) {
            of_module.entry(doc.symbols[symbol].scope).or_default().push(symbol);
        }
    }
    for (module, symbols) in of_module {
        for &symbol in &symbols {
            if let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() {
                decl.attrs.remove(&Attr::Private);
            }
        }
        let items = &mut doc.scopes[module].items;
        items.retain_mut(|item| match item {
            SpecItem::Access { symbols: listed, .. } if !listed.is_empty() => {
                listed.retain(|symbol| !symbols.contains(symbol));
                !listed.is_empty()
            }
            _ => true,
        });
        done.names.extend(&symbols);
        items.push(SpecItem::Access { private: false, symbols });
    }
}

/// Components and bindings, type by type.
fn expose_parts(doc: &mut Document, needed: &Needed, done: &mut Exposed) {
    let mut of_type: BTreeMap<ScopeId, BTreeSet<SymbolId>> = BTreeMap::new();
    for &part in &needed.parts {
        of_type.entry(doc.symbols[part].scope).or_default().insert(part);
    }
    for (parts, mut opened) in of_type {
        let ScopeKind::DerivedType(owner) = doc.scopes[parts].kind else { continue };
        opened.retain(|&part| {
            if !is_hidden_part(doc, owner, part) {
                return false;
            }
            let other = same_name_in_an_extension(doc, owner, part);
            if let Some(other) = other {
                done.warnings.push(stays_hidden(doc, part, other));
            }
            other.is_none()
        });
        for &part in &opened {
            let Some(decl) = doc.symbols[part].decl.as_deref_mut() else { continue };
            decl.attrs.remove(&Attr::Private);
            decl.attrs.insert(Attr::Public);
        }
        for all in [Attr::PrivateComponents, Attr::PrivateBindings] {
            open_all(doc, owner, parts, all);
        }
        done.parts.extend(opened);
    }
}

/// Removes the PRIVATE statement of a type where all its parts are PUBLIC by name.
fn open_all(doc: &mut Document, owner: SymbolId, parts: ScopeId, all: Attr) {
    let members: Vec<SymbolId> = doc.scopes[parts].symbols.clone();
    let members: Vec<SymbolId> =
        members.into_iter().filter(|&part| attribute_of_all(doc, part) == Some(all)).collect();
    if !doc.has(owner, all) || !members.iter().all(|&part| doc.has(part, Attr::Public)) {
        return;
    }
    if let Some(decl) = doc.symbols[owner].decl.as_deref_mut() {
        decl.attrs.remove(&all);
    }
    for part in members {
        if let Some(decl) = doc.symbols[part].decl.as_deref_mut() {
            decl.attrs.remove(&Attr::Public);
        }
    }
}

/// A part with the name of `part` in an extension of `owner` that another module defines. In the module of
/// the type a hidden binding is overridden already.
fn same_name_in_an_extension(doc: &Document, owner: SymbolId, part: SymbolId) -> Option<SymbolId> {
    let (id, home) = (&doc.symbols[part].id, doc.symbols[owner].scope);
    doc.scopes.iter().find_map(|(scope, data)| {
        let ScopeKind::DerivedType(other) = data.kind else { return None };
        let extension = other != owner && data.parent != Some(home);
        let same = doc.symbol_in(scope, id).filter(|_| extension)?;
        doc.lineage(other).contains(&owner).then_some(same)
    })
}

fn stays_hidden(doc: &Document, symbol: SymbolId, other: SymbolId) -> Diagnostic {
    let place = |symbol: SymbolId| {
        doc.symbols[symbol].decl.as_deref().map_or_else(Default::default, |decl| decl.place)
    };
    let message =
        format!("`{}` stays hidden: an extension of its type has the name, too", doc.name(symbol));
    Diagnostic::warning(Code::STAYS_HIDDEN, doc.spot(place(symbol)), message)
        .with_note(doc.spot(place(other)), "this one")
        .with_help("rename one of them")
}

/// Whether a part of a type is what `role` says.
pub(super) fn is_binding(doc: &Document, part: SymbolId) -> bool {
    matches!(doc.role(part), Some(Role::Binding { .. }))
}
