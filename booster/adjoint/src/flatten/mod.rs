//! Constructs with scopes or without an order, which cannot be reversed as they are, become plain
//! text where that is possible: variables of BLOCK belong to the procedure, names of ASSOCIATE are
//! replaced by what they stand for, DO CONCURRENT becomes DO, an assigned
//! GOTO out of a loop a computed one, an assignment of a structure with pointers those of its
//! components. What cannot be rewritten stays, and is refused where it matters.

mod assigned;
mod concurrent;
mod names;
mod outputs;
mod scopes;
mod structures;

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{Body, Document, ProcId, ScopeId, ScopeKind, SymbolId};

use booster_build::fresh_name;

/// Flattens the constructs of all procedures. Doing it twice changes nothing more.
pub fn flatten(doc: &mut Document) {
    for proc in concerned(doc) {
        scopes::flatten(doc, proc);
        concurrent::flatten(doc, proc);
        assigned::flatten(doc, proc);
        structures::flatten(doc, proc);
    }
}

/// Writes down what the language does to arguments as a procedure is entered.
///
/// # Errors
/// What cannot be written down.
pub(crate) fn write_out(doc: &mut Document) -> Result<(), Diagnostics> {
    let mut problems = Diagnostics::new();
    for proc in concerned(doc) {
        if let Err(more) = outputs::write_out(doc, proc) {
            problems.extend(more);
        }
    }
    if problems.has_errors() { Err(problems) } else { Ok(()) }
}

/// The procedures that may get an adjoint.
fn concerned(doc: &Document) -> Vec<ProcId> {
    let concerns = |proc: &ProcId| {
        matches!(doc.procs[*proc].body, Body::Flow(_)) && doc.procs[*proc].active != Some(false)
    };
    doc.procs.keys().filter(concerns).collect()
}

/// Moves a symbol to another scope (that of the procedure, if `home` has no declarations), under a
/// name that nobody else has there.
fn upgrade(doc: &mut Document, symbol: SymbolId, home: ScopeId) {
    let mut home = home;
    while let (ScopeKind::Associate | ScopeKind::Indices, Some(parent)) =
        (doc.scopes[home].kind, doc.scopes[home].parent)
    {
        home = parent;
    }
    let old = doc.symbols[symbol].scope;
    doc.scopes[old].symbols.retain(|&other| other != symbol);
    let name = fresh_name(doc, home, doc.name(symbol));
    let moved = &mut doc.symbols[symbol];
    moved.scope = home;
    moved.id = name.to_lowercase();
    if let Some(decl) = &mut moved.decl {
        decl.name = name;
    }
    doc.scopes[home].symbols.push(symbol);
}
