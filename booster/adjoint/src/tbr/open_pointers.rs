//! A note of the pointers for which `--no-alias` may save most.
//!
//! A pointer that nothing in the document associates may point to any target of its type, so an assignment through it may
//! overwrite what an adjoint reads by another name. The note counts the statements that record such a pointer's target.

use std::collections::{BTreeMap, BTreeSet};

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{Attr, Document, Part, Reference, SymbolId};

use booster_facts::Storage;

/// So many pointers are named.
const MOST: usize = 6;

/// The note, if statements of `doc`, which has facts, record what open pointers name.
pub fn open_pointers(doc: &Document) -> Option<Diagnostic> {
    let recorded = || doc.stmts.values().filter_map(|stmt| stmt.recorded.as_ref());
    if !recorded().flatten().any(|&own| pointer_of(doc, &doc.refs[own]).is_some()) {
        return None;
    }
    let storage = Storage::new(doc);
    let mut counts: BTreeMap<SymbolId, usize> = BTreeMap::new();
    for list in recorded() {
        let pointers: BTreeSet<SymbolId> =
            list.iter().filter_map(|&own| open_pointer(doc, &storage, &doc.refs[own])).collect();
        pointers.into_iter().for_each(|pointer| *counts.entry(pointer).or_default() += 1);
    }
    let mut found: Vec<(SymbolId, usize)> = counts.into_iter().collect();
    found.sort_by_key(|&(pointer, count)| (std::cmp::Reverse(count), pointer));
    let (first, _) = *found.first()?;
    let all = found.len();
    let named = found.iter().take(MOST).map(|&(pointer, count)| {
        let times = if count == 1 { "statement" } else { "statements" };
        format!("`{}` ({count} {times})", doc.name(pointer))
    });
    let mut list = named.collect::<Vec<_>>().join(", ");
    if all > MOST {
        list.push_str(&format!(" and {} more", all - MOST));
    }
    let message = format!(
        "values are recorded through pointers that no given source associates, as they may share memory: {list}"
    );
    let names: Vec<&str> = found.iter().take(MOST).map(|&(pointer, _)| doc.name(pointer)).collect();
    let place = doc.symbols[first].decl.as_deref().map(|decl| decl.place).unwrap_or_default();
    let note = Diagnostic::note(Code::OPEN_POINTERS, doc.spot(place), message);
    Some(note.with_help(format!(
        "give the sources that associate them; or promise by --no-alias={} that they share none",
        names.join(",")
    )))
}

/// The last pointer on the way to what a reference names.
fn pointer_of(doc: &Document, reference: &Reference) -> Option<SymbolId> {
    let components = reference.parts.iter().filter_map(|part| match part {
        Part::Component { symbol, .. } => *symbol,
        Part::Elements(_) | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => None,
    });
    std::iter::once(reference.base)
        .chain(components)
        .filter(|&symbol| doc.has(symbol, Attr::Pointer))
        .last()
}

/// The same, if the pointer is open and what it names has other names.
fn open_pointer(doc: &Document, storage: &Storage, reference: &Reference) -> Option<SymbolId> {
    let pointer = pointer_of(doc, reference)?;
    let is_shared = storage.value_at(doc, reference).iter().any(|&location| {
        let members = &storage.locations()[location].members;
        members.iter().any(|member| {
            member.symbol != pointer && member.path.last().is_none_or(|&last| last != pointer)
        })
    });
    (storage.is_open(doc, pointer) && is_shared).then_some(pointer)
}
