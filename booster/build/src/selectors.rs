//! Names of arms of SELECT TYPE and SELECT RANK follow their selector when a rewriter changes it.
//!
//! The selector stands at the branch, and with each name of an arm that stands for it. In a document that was read these
//! are different expressions.

use xaif_schema::model::{Document, ExprId, Role, ScopeId, ScopeKind, SymbolId};

use crate::{Copier, same_expr};

/// The names within `scope` that stand for the selector `condition` and have an expression of their own for it.
pub fn names_of_selector(doc: &Document, scope: ScopeId, condition: ExprId) -> Vec<SymbolId> {
    let is_inside = |inner: ScopeId| {
        std::iter::successors(Some(inner), |&inner| doc.scopes[inner].parent)
            .any(|around| around == scope)
    };
    let is_name = |symbol: &SymbolId| match doc.role(*symbol) {
        Some(Role::Associate { selector: Some(selector) }) => {
            *selector != condition && same_expr(doc, *selector, condition)
        }
        Some(_) | None => false,
    };
    let arms = doc
        .scopes
        .iter()
        .filter(|(inner, data)| data.kind == ScopeKind::Associate && is_inside(*inner));
    arms.flat_map(|(_, data)| data.symbols.iter().copied()).filter(is_name).collect()
}

/// Gives `names` the selector `condition`.
pub fn follow_selector(doc: &mut Document, names: &[SymbolId], condition: ExprId) {
    for &name in names {
        let copy = Copier::new().expr(doc, condition);
        if let Some(decl) = doc.symbols[name].decl.as_deref_mut() {
            decl.role = Role::Associate { selector: Some(copy) };
        }
    }
}
