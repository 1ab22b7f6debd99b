//! What a procedure with derivatives calls or names of another derivative module is imported there.

use xaif_schema::model::{Document, ScopeId, ScopeKind, SpecItem, SymbolId, Use, UseName};

/// Brings what stands in a derivative module into sight in `own`, the scope of a procedure; tells
/// whether it can be seen then.
pub fn bring_into_sight(doc: &mut Document, own: ScopeId, derivative: SymbolId) -> bool {
    let parents = |&scope: &ScopeId| doc.scopes[scope].parent;
    let around: Vec<ScopeId> = std::iter::successors(Some(own), parents).collect();
    let home = doc.symbols[derivative].scope;
    if around.contains(&home) {
        return true;
    }
    let ScopeKind::Module(module) = doc.scopes[home].kind else { return false };
    let id = doc.symbols[derivative].id.clone();
    let name = doc.name(derivative).to_owned();
    let as_itself = UseName { local: name.clone(), remote: name, symbol: Some(derivative) };
    let imported = |used: &Use, symbol| used.names.iter().any(|name| name.symbol == symbol);
    for &scope in &around {
        for item in &mut doc.scopes[scope].items {
            let SpecItem::Use(used) = item else { continue };
            if used.module == module && (!used.only || imported(used, Some(derivative))) {
                return true;
            }
        }
    }
    // A module has a name of its own, which nothing else may have that is declared here.
    let own_name = doc.name(module).to_lowercase();
    let is_taken = doc.symbol_in(own, &own_name).is_some_and(|named| named != module);
    if is_taken || around.iter().any(|&scope| doc.symbol_in(scope, &id).is_some()) {
        return false;
    }
    let place = doc.scopes[home].place;
    doc.scopes[own].bring_in(module, as_itself, place);
    true
}
