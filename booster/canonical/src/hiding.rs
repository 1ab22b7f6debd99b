//! Names of ASSOCIATE, SELECT TYPE and SELECT RANK that hide others get names of their own.
//!
//! What stages write within a construct may name what the program names outside of it: the selector
//! once more, for its derivative (`select type (q => c(q%k)%o)`), or what a call overwrites. There the
//! name of the construct must not stand for something else. `select type (v)` narrows what it
//! hides, and stays.

use std::collections::BTreeMap;

use xaif_schema::model::{Document, Role, ScopeId, ScopeKind, SymbolId};

use booster_build::{fresh_name, names_seen_from};

/// Renames what hides something else.
pub(super) fn show_hidden(doc: &mut Document) {
    let constructs = doc.scopes.values().filter(|scope| scope.kind == ScopeKind::Associate);
    let mut by_parent: BTreeMap<ScopeId, Vec<SymbolId>> = BTreeMap::new();
    for construct in constructs {
        if let Some(parent) = construct.parent {
            by_parent.entry(parent).or_default().extend(&construct.symbols);
        }
    }
    for (parent, names) in by_parent {
        let seen = names_seen_from(doc, parent);
        let hides = |&name: &SymbolId| seen.contains(&doc.symbols[name].id) && !narrows(doc, name);
        // The arms of one construct keep one name.
        let mut hiding: BTreeMap<String, Vec<SymbolId>> = BTreeMap::new();
        for name in names.into_iter().filter(hides) {
            hiding.entry(doc.symbols[name].id.clone()).or_default().push(name);
        }
        for list in hiding.into_values() {
            let Some(&first) = list.first() else { continue };
            let new = fresh_name(doc, parent, doc.name(first));
            for name in list {
                doc.symbols[name].id = new.to_ascii_lowercase();
                if let Some(decl) = doc.symbols[name].decl.as_deref_mut() {
                    decl.name.clone_from(&new);
                }
            }
        }
    }
}

/// Whether a name stands for the variable that it hides.
fn narrows(doc: &Document, name: SymbolId) -> bool {
    let Some(Role::Associate { selector: Some(selector) }) = doc.role(name) else { return false };
    let Some(reference) = doc.exprs[*selector].reference() else { return false };
    let reference = &doc.refs[reference];
    reference.parts.is_empty() && doc.symbols[reference.base].id == doc.symbols[name].id
}
