//! The promise that pointers share no memory: `--no-alias`.
//!
//! A pointer that no source of the program associates may point to any target of its type (`storage/escape`). The user
//! may know better. What is promised of a pointer or target is the attribute that C calls `restrict`: memory that it names
//! has no other name but those that the given sources give it.

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{Attr, Document, Role, SymbolId};

use crate::activity::names::is_of;

/// Marks the pointers and targets that `names` mean, all of them where there are no names: `X`, `M%X` for a variable of a
/// module or procedure, `T%C` for a component of a type. The result are warnings of names that mean nothing.
pub fn promise(doc: &mut Document, names: &[String]) -> Diagnostics {
    let candidates: Vec<SymbolId> =
        doc.symbols.keys().filter(|&symbol| can_share(doc, symbol)).collect();
    let is_unknown = |name: &&String| !candidates.iter().any(|&one| is_of(doc, one, name));
    let warnings = names.iter().filter(is_unknown).map(|name| {
        let message = format!("no pointer or target is called `{name}`, which --no-alias names");
        Diagnostic::warning(Code::NO_SUCH_POINTER, None, message)
            .with_help("name a pointer as the source does: X, MODULE%X, or TYPE%C for a component")
    });
    let warnings: Diagnostics = warnings.collect();
    let is_promised =
        |symbol: SymbolId| names.is_empty() || names.iter().any(|name| is_of(doc, symbol, name));
    let promised: Vec<SymbolId> =
        candidates.iter().copied().filter(|&symbol| is_promised(symbol)).collect();
    for symbol in promised {
        if let Some(decl) = doc.symbols[symbol].decl.as_deref_mut() {
            decl.attrs.insert(Attr::Restrict);
        }
    }
    warnings
}

fn can_share(doc: &Document, symbol: SymbolId) -> bool {
    matches!(doc.role(symbol), Some(Role::Variable))
        && (doc.has(symbol, Attr::Pointer) || doc.has(symbol, Attr::Target))
}
