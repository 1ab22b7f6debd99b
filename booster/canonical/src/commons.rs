//! COMMON blocks of one length: a procedure that declares less of a block than another one gets variables for
//! the rest, so that it can name all that its callees may overwrite there.
//!
//! ```fortran
//! common a(2)              becomes        common a(2), q(2)
//! ```
//!
//! where another procedure has `common q(4)`. That is legal of blank COMMON, and old programs do it with all
//! blocks.
//!
//! Not done in modules, whose declarations stay the program's: where a variable of another procedure goes
//! beyond the end of a block in a module, it is refused.

use std::collections::BTreeMap;
use std::ops::Range;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{Base, Dim, Document, Place, ScopeId, ScopeKind, SpecItem, SymbolId};

use booster_build::{FreshNames, integer};
use booster_facts::storage::{bytes_in_common, declarations_of_common};
use booster_shadow::persistent_state::{declare_alike, is_simple};

/// One declaration of a block.
struct Declared {
    scope: ScopeId,
    /// What COMMON names, in order, with their bytes in the block.
    members: Vec<(SymbolId, Range<i64>)>,
    /// Where that ends.
    end: i64,
    /// Where the block ends, which EQUIVALENCE may make longer.
    length: i64,
}

/// Lengthens what is shorter. The result are refusals.
pub(super) fn lengthen(doc: &mut Document) -> Diagnostics {
    let mut problems = Diagnostics::default();
    for (block, declared) in declarations(doc) {
        let longest = declared.iter().filter(|own| own.end == own.length);
        let Some(longest) = longest.max_by_key(|own| own.length) else { continue };
        for own in declared.iter().filter(|own| own.length < longest.length) {
            match doc.scopes[own.scope].kind {
                ScopeKind::Procedure(_) => fill(doc, block, own, longest),
                ScopeKind::Module(_) => {
                    if let Some(problem) = beyond(doc, block, own, longest) {
                        problems.push(problem);
                    }
                }
                // Who gives initial values names no more than these.
                _ => {}
            }
        }
    }
    problems
}

/// The declarations of the blocks that are not of the same length everywhere.
fn declarations(doc: &Document) -> BTreeMap<SymbolId, Vec<Declared>> {
    let blocks = declarations_of_common(doc);
    if blocks.is_empty() {
        return BTreeMap::new();
    }
    let bytes = bytes_in_common(doc);
    let mut lengths: BTreeMap<(SymbolId, ScopeId), i64> = BTreeMap::new();
    for (&symbol, (block, bytes)) in &bytes {
        let length = lengths.entry((*block, doc.symbols[symbol].scope)).or_default();
        *length = bytes.end.max(*length);
    }
    let declared = |block: SymbolId, (scope, listed): (ScopeId, Vec<SymbolId>)| {
        let of = |symbol: SymbolId| Some((symbol, bytes.get(&symbol)?.1.clone()));
        let members: Vec<_> = listed.into_iter().filter_map(of).collect();
        let end = members.iter().map(|(_, bytes)| bytes.end).max().unwrap_or(0);
        let length = lengths.get(&(block, scope)).copied().unwrap_or(end);
        Declared { scope, members, end, length }
    };
    let blocks = blocks.into_iter().map(|(block, scopes)| {
        let all: Vec<Declared> = scopes.into_iter().map(|one| declared(block, one)).collect();
        (block, all)
    });
    blocks.filter(|(_, all)| all.iter().any(|own| own.length != all[0].length)).collect()
}

/// Adds variables for what `longest` has behind the end of `own`, if there are such.
fn fill(doc: &mut Document, block: SymbolId, own: &Declared, longest: &Declared) {
    let place = doc.scopes[own.scope].place;
    let mut further = Vec::new();
    for (member, bytes) in longest.members.iter().filter(|(_, bytes)| bytes.end > own.end) {
        if !is_simple(doc, *member) {
            return;
        }
        let part = match bytes.start < own.end {
            false => None,
            true => match elements_behind(doc, *member, bytes, own.end) {
                Some(count) => Some(count),
                None => return,
            },
        };
        further.push((*member, part));
    }
    let alike: Vec<SymbolId> = further.iter().map(|&(member, _)| member).collect();
    let mut fresh = FreshNames::new(doc, own.scope);
    let made = declare_alike(doc, &mut fresh, block, &alike, place);
    for (position, (&new, &(member, part))) in (own.members.len()..).zip(made.iter().zip(&further))
    {
        if let Some(count) = part {
            vector(doc, new, count, place);
        }
        let active = doc.symbols[member].active;
        let data = &mut doc.symbols[new];
        (data.active, data.temp) = (active, None);
        if let Some(decl) = data.decl.as_deref_mut() {
            decl.common = u32::try_from(position).ok().map(|position| (block, position));
        }
    }
    let items = &mut doc.scopes[own.scope].items;
    let last = items
        .iter()
        .rposition(|item| matches!(item, SpecItem::Common { block: other, .. } if *other == block));
    let Some(last) = last else { return };
    if let SpecItem::Common { members, .. } = &mut items[last] {
        members.extend(&made);
    }
    items.insert(last, SpecItem::Declare(made));
}

/// How many elements of an array of numbers lie behind `end`; none where one lies across it.
fn elements_behind(doc: &Document, member: SymbolId, bytes: &Range<i64>, end: i64) -> Option<i64> {
    let size = match doc.symbols[member].decl.as_deref()?.spec.base() {
        Base::Integer(bytes) | Base::Real(bytes) | Base::Logical(bytes) => i64::from(bytes),
        Base::Complex(bytes) => 2 * i64::from(bytes),
        _ => return None,
    };
    let behind = bytes.end - end;
    (behind.checked_rem(size)? == 0).then(|| behind / size)
}

fn vector(doc: &mut Document, symbol: SymbolId, count: i64, place: Place) {
    let upper = integer(doc, count, place);
    let data = &mut doc.symbols[symbol];
    (data.rank, data.bounds) = (Some(1), vec![(1, count)]);
    if let Some(decl) = data.decl.as_deref_mut() {
        decl.dims = vec![Dim::Explicit { lower: None, upper }];
    }
}

/// Refuses a variable that goes beyond the end of the block in a module.
fn beyond(
    doc: &Document,
    block: SymbolId,
    own: &Declared,
    longest: &Declared,
) -> Option<Diagnostic> {
    let across = |bytes: &Range<i64>| bytes.start < own.end && bytes.end > own.end;
    let (member, _) = longest.members.iter().find(|(_, bytes)| across(bytes))?;
    let base = doc.symbols[*member].decl.as_deref()?.spec.base();
    if matches!(base, Base::Integer(_) | Base::Logical(_) | Base::Character(_)) {
        return None;
    }
    let place = own.members.first().and_then(|(first, _)| doc.symbols[*first].decl.as_deref());
    let place = place.map(|decl| decl.place).unwrap_or_default();
    let message = format!(
        "the COMMON block `{}` is shorter here than elsewhere, where `{}` goes beyond its end",
        doc.name(block).trim_matches('/'),
        doc.name(*member),
    );
    Some(
        Diagnostic::error(Code::COMMON_LENGTH, doc.spot(place), message)
            .with_help("declare the block with all of its variables"),
    )
}
