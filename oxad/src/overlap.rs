//! Pointer parameters of C that may point to the same objects.
//!
//! The analyses and the derivatives take dummy arguments as objects of their own, as Fortran promises. C promises
//! that for `restrict` alone. So a procedure that a program of C offers to others is differentiated only where its
//! active parameters cannot overlap. Calls within the program are looked at where they stand.

use std::collections::HashSet;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{Attr, Base, Body, Document, Intent, Procedure, SymbolId};

/// Refuses active procedures, called by no other, with parameters that may overlap.
pub(crate) fn refuse(doc: &Document) -> Result<(), Diagnostics> {
    let called: HashSet<_> = doc.calls.iter().map(|&(_, callee)| callee).collect();
    let heads = doc.procs.iter().filter(|(id, proc)| {
        !called.contains(id) && matches!(proc.body, Body::Flow(_)) && proc.active != Some(false)
    });
    let found: Diagnostics = heads.filter_map(|(_, proc)| overlap(doc, proc)).collect();
    if found.has_errors() { Err(found) } else { Ok(()) }
}

/// A message for the first two parameters of a procedure that may overlap.
fn overlap(doc: &Document, proc: &Procedure) -> Option<Diagnostic> {
    let pointers: Vec<SymbolId> = proc
        .args
        .iter()
        .filter_map(|arg| arg.symbol)
        .filter(|&symbol| is_real(doc, symbol) && !doc.has(symbol, Attr::Value))
        .collect();
    for (index, &one) in pointers.iter().enumerate() {
        for &other in &pointers[index + 1..] {
            let same = doc.declared_base(one) == doc.declared_base(other)
                || is_structure(doc, one)
                || is_structure(doc, other);
            let written = !is_read_only(doc, one) || !is_read_only(doc, other);
            let apart = doc.has(one, Attr::Restrict) || doc.has(other, Attr::Restrict);
            if same && written && !apart {
                let place = doc.symbols[other].decl.as_ref().map(|decl| decl.place)?;
                let (a, b) = (doc.name(one), doc.name(other));
                let message = format!("`{a}` and `{b}` may point to the same objects");
                let help = "declare one of them restrict, or say by --no-alias that no call passes overlapping objects";
                return Some(
                    Diagnostic::error(Code::C_OVERLAP, doc.spot(place), message).with_help(help),
                );
            }
        }
    }
    None
}

fn is_read_only(doc: &Document, symbol: SymbolId) -> bool {
    doc.symbols[symbol].decl.as_ref().is_some_and(|decl| decl.intent == Some(Intent::In))
}

fn is_structure(doc: &Document, symbol: SymbolId) -> bool {
    matches!(doc.declared_base(symbol), Base::Derived(_))
}

fn is_real(doc: &Document, symbol: SymbolId) -> bool {
    doc.declared_base(symbol).is_continuous() || is_structure(doc, symbol)
}
