//! Internal procedures that no pointer means while a head is executed.
//!
//! A pointer to an internal procedure is of use as long as the host is active. A host that no head can call,
//! and that can call no head, is not active then: what it associates with its internal procedures is of
//! no concern. Whoever is called by a pointer or a binding counts as called by everybody.

use std::collections::HashSet;

use xaif_schema::model::{
    Document, ExprKind, GenericSpec, Init, ProcId, Role, ScopeKind, SymbolId,
};

use booster_flow::Callees;

/// The internal procedures of such hosts; none where there are no heads.
pub(super) fn internal_elsewhere(doc: &Document, heads: &[ProcId]) -> HashSet<SymbolId> {
    let mut found = HashSet::new();
    if heads.is_empty() {
        return found;
    }
    let named = named_procedures(doc);
    let internal: Vec<(SymbolId, ProcId)> = named
        .iter()
        .filter_map(|&proc| {
            let symbol = doc.procs[proc].symbol;
            match doc.scopes[doc.symbols[symbol].scope].kind {
                ScopeKind::Procedure(host) => Some((symbol, doc.procedure_of(host)?)),
                _ => None,
            }
        })
        .collect();
    if internal.is_empty() {
        return found;
    }
    let callees = Callees::new(doc);
    let indirectly = callees.reached(named);
    let by_heads = callees.reached(heads.iter().copied());
    for (symbol, host) in internal {
        let from_host = callees.reached([host]);
        let is_called = by_heads.contains(&host) || indirectly.contains(&host);
        let calls_head =
            heads.iter().any(|head| from_host.contains(head) || indirectly.contains(head));
        if !is_called && !calls_head {
            found.insert(symbol);
        }
    }
    found
}

/// What is called by other means than by its name.
fn named_procedures(doc: &Document) -> Vec<ProcId> {
    let mut symbols: Vec<SymbolId> = Vec::new();
    for expr in doc.exprs.values() {
        if let ExprKind::Procedure(symbol) = expr.kind {
            symbols.push(symbol);
        }
    }
    for symbol in doc.symbols.values() {
        let Some(decl) = symbol.decl.as_deref() else { continue };
        match &decl.role {
            Role::Binding { target: Some(target), .. } | Role::Final { target } => {
                symbols.push(*target);
            }
            // Operators, assignments, input and output are no calls by name.
            Role::Generic { spec, specifics } if !matches!(spec, GenericSpec::Name) => {
                symbols.extend(specifics);
            }
            _ => {}
        }
        if let Some(Init::Target(target)) = decl.init
            && let ExprKind::Procedure(target) = doc.exprs[target].kind
        {
            symbols.push(target);
        }
    }
    symbols.sort_unstable();
    symbols.dedup();
    symbols.into_iter().filter_map(|symbol| doc.procedure_of(symbol)).collect()
}
