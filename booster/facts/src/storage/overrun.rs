//! Arguments that overrun: an array in COMMON, or in EQUIVALENCE, that is passed for more elements than it
//! has, so that the callee has what lies behind it, too.
//!
//! ```fortran
//! common /state/ u(10), v(10), p
//! call clear(u, 21)          with  real :: a(n)
//! ```
//!
//! No standard allows it, and old programs rely on it. The argument is taken as one more name of the bytes that
//! the dummy argument has, as if another procedure had declared the block so. Where its extents are not
//! known, a scalar variable is taken to be followed by all that is behind it, an array by nothing.
//!
//! Not looked at: calls by dummy procedures and pointers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use xaif_schema::model::{Arg, ArgValue, Callee, Dim, Document, DummyArg, Part, RefId, SymbolId};

use super::overlay::{FAR, byte_in_variable, bytes_in_common, element_of, storage_of};
use crate::Procedures;
use booster_build::{constant_integer, integer_given};

/// Bytes from the beginning of a variable, some of them behind its end.
pub(super) type Overruns = BTreeMap<SymbolId, Vec<Range<i64>>>;

/// The COMMON blocks whose variables are overrun.
pub fn overrun_blocks(doc: &Document) -> BTreeSet<SymbolId> {
    let blocks = bytes_in_common(doc);
    if blocks.is_empty() {
        return BTreeSet::new();
    }
    let found = overruns(doc, &Procedures::new(doc));
    found.keys().filter_map(|symbol| blocks.get(symbol).map(|&(block, _)| block)).collect()
}

/// What calls of a document take for their arguments beyond the ends of these.
pub(super) fn overruns(doc: &Document, procedures: &Procedures) -> Overruns {
    let mut found = Overruns::new();
    for (callee, args) in doc.calls() {
        look_at(doc, procedures, callee, args, &mut found);
    }
    found
}

fn look_at(
    doc: &Document,
    procedures: &Procedures,
    callee: &Callee,
    args: &[Arg],
    found: &mut Overruns,
) {
    let Some(entry) = procedures.executed(doc, callee.symbol) else { return };
    let dummies = procedures.dummies(doc, entry);
    for arg in args {
        let Some(dummy) = dummy_of(dummies, arg) else { continue };
        let ArgValue::Expr(actual) = arg.value else { continue };
        let Some(reference) = doc.exprs[actual].reference() else { continue };
        if doc.exprs[actual].parens || !is_sequence(doc, dummy) {
            continue;
        }
        let is_scalar = doc.exprs[actual].ty.rank == 0;
        let extent = bytes_of(doc, dummy, dummies, args);
        if let Some(bytes) = overrun(doc, reference, is_scalar, extent) {
            found.entry(doc.refs[reference].base).or_default().push(bytes);
        }
    }
}

fn dummy_of(dummies: &[DummyArg], arg: &Arg) -> Option<SymbolId> {
    dummies.get((arg.position as usize).checked_sub(1)?)?.symbol
}

/// Whether a dummy argument is an array that takes elements in a row.
fn is_sequence(doc: &Document, dummy: SymbolId) -> bool {
    let decl = doc.symbols[dummy].decl.as_deref();
    let last = decl.and_then(|decl| decl.dims.last());
    matches!(last, Some(Dim::Explicit { .. } | Dim::AssumedSize { .. }))
}

/// The size of a dummy array in a call; `None` where the call does not tell.
fn bytes_of(doc: &Document, dummy: SymbolId, dummies: &[DummyArg], args: &[Arg]) -> Option<i64> {
    let decl = doc.symbols[dummy].decl.as_deref()?;
    let given = |symbol: SymbolId| {
        let arg = args.iter().find(|arg| dummy_of(dummies, arg) == Some(symbol))?;
        let ArgValue::Expr(actual) = arg.value else { return None };
        constant_integer(doc, actual)
    };
    let mut size = element_of(doc, decl, true, 0).1;
    for dim in &decl.dims {
        let Dim::Explicit { lower, upper } = *dim else { return None };
        let lower = match lower {
            Some(lower) => integer_given(doc, lower, &given)?,
            None => 1,
        };
        let upper = integer_given(doc, upper, &given)?;
        let extent = upper.checked_sub(lower)?.checked_add(1)?.max(0);
        size = size.checked_mul(extent)?;
    }
    (size < FAR).then_some(size)
}

/// The bytes from the beginning of the variable that is passed, if they are more than it has.
fn overrun(
    doc: &Document,
    reference: RefId,
    is_scalar: bool,
    extent: Option<i64>,
) -> Option<Range<i64>> {
    let is_element = match doc.refs[reference].parts.as_slice() {
        [] => false,
        [Part::Elements(_)] if is_scalar => true,
        _ => return None,
    };
    let (_, size) = storage_of(doc, doc.refs[reference].base, true);
    if size >= FAR {
        return None;
    }
    let bytes = match (extent, byte_in_variable(doc, reference)) {
        (Some(extent), Some(first)) => first..first.saturating_add(extent),
        // It begins somewhere in the variable.
        (Some(extent), None) if extent > size => 0..size.saturating_add(extent),
        (None, _) if is_scalar && !is_element => 0..FAR,
        (Some(_) | None, _) => return None,
    };
    (bytes.end > size).then_some(bytes)
}
