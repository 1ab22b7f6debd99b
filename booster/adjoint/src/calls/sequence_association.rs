//! Which elements an element stands for that is passed to an array: as many as the dummy argument has.
//!
//! ```fortran
//! call dot(a(1, j), a(1, k), n)      with  real :: u(n), v(n)
//! ```
//!
//! An adjoint of its own for `v` (`actual`) then needs `n` elements, not as many as `a` has. They are the section
//! `a(k:k+n-1)` of a vector, and lie in whole columns of what has more dimensions.
//!
//! Not done, so that all of the array is taken: dummy arguments whose extents are assumed, computed by
//! functions or from what is no argument, and arrays that do not begin at 1.

use std::collections::{BTreeSet, HashMap};

use xaif_schema::model::{
    ArgValue, Dim, Document, ExprId, ExprKind, Part, RefId, Reference, Subscript, SymbolId,
};

use crate::calls::call::Call;
use crate::loops::distribute::substituted;
use crate::queries::designators::has_open_end;
use booster_build::{
    Copier, binary, constant_integer, integer, nodes_of, same_expr, size_along, sum, value_of,
};
use booster_facts::arguments_of;

/// What bounds are made by, to be computed of actual arguments.
const SUMS: [&str; 3] = ["add_scal_scal", "sub_scal_scal", "mul_scal_scal"];

/// What these may be made by.
const ARITHMETIC: [&str; 4] = [SUMS[0], SUMS[1], SUMS[2], "div_scal_scal"];

/// A section, and where in a copy of it that begins at 1 the first element is; nowhere: at its beginning.
pub(crate) struct Reached {
    pub(crate) section: RefId,
    pub(crate) first: Vec<ExprId>,
}

/// The elements that `object` stands for where it is passed to the dummy argument at `index` (from 0), if that is
/// known. `overwritten` are the arguments that the call may overwrite.
pub(crate) fn reached(
    doc: &mut Document,
    call: &Call,
    object: RefId,
    index: usize,
    overwritten: &BTreeSet<usize>,
) -> Option<Reached> {
    let Some(Part::Elements(list)) = doc.refs[object].parts.last().cloned() else { return None };
    let subscripts: Option<Vec<ExprId>> = list
        .iter()
        .map(|subscript| match *subscript {
            Subscript::Index(index) => Some(index),
            Subscript::Section { .. } => None,
        })
        .collect();
    let (mut subscripts, place) = (subscripts?, call.place);
    if doc.refs[object].ty.rank > 0 {
        return None;
    }
    let size = size_of_dummy(doc, call, index, overwritten)?;
    let last = subscripts.pop()?;
    if subscripts.is_empty() {
        let behind = sum(doc, "add_scal_scal", last, size);
        let upper = less_one(doc, behind);
        let section = section(doc, object, last, upper, 0);
        return Some(Reached { section, first: Vec::new() });
    }
    let dims = dims_before(doc, object, subscripts.len())?;
    let begins = subscripts.iter().all(|&subscript| is_one(doc, subscript));
    if let ([dim], true) = (dims.as_slice(), begins)
        && same_expr(doc, *dim, size)
    {
        // All of a column.
        let column = Copier::new().reference(doc, object);
        if let Some(Part::Elements(list)) = doc.refs[column].parts.last_mut() {
            list[0] = Subscript::Section { lower: None, upper: None, stride: None };
        }
        doc.refs[column].ty.rank = 1;
        return Some(Reached { section: column, first: Vec::new() });
    }
    let array = whole_array(doc, object);
    let (mut offset, mut slab): (Option<ExprId>, Option<ExprId>) = (None, None);
    for ((&subscript, &dim), number) in subscripts.iter().zip(&dims).zip(1..) {
        if !is_one(doc, subscript) {
            let copy = Copier::new().expr(doc, subscript);
            let before = less_one(doc, copy);
            let before = times(doc, before, slab);
            offset = Some(match offset {
                Some(offset) => sum(doc, "add_scal_scal", offset, before),
                None => before,
            });
        }
        let extent = if matches!(doc.exprs[dim].kind, ExprKind::Constant(_)) {
            Copier::new().expr(doc, dim)
        } else {
            let array = Copier::new().expr(doc, array);
            size_along(doc, array, number)
        };
        slab = Some(times(doc, extent, slab));
    }
    // So many columns: `(offset + size + slab - 1)/slab`.
    let slab = slab?;
    let behind = match offset {
        Some(offset) => sum(doc, "add_scal_scal", offset, size),
        None => size,
    };
    let again = Copier::new().expr(doc, slab);
    let behind = sum(doc, "add_scal_scal", behind, again);
    let behind = less_one(doc, behind);
    let columns = binary(doc, "div_scal_scal", behind, slab);
    // Compilers warn of a division of constants that truncates.
    let columns = match constant_integer(doc, columns) {
        Some(number) => integer(doc, number, place),
        None => columns,
    };
    let copy = Copier::new().expr(doc, last);
    let before = less_one(doc, copy);
    let upper = sum(doc, "add_scal_scal", before, columns);
    let section = section(doc, object, last, upper, subscripts.len());
    let mut first: Vec<ExprId> =
        subscripts.iter().map(|&subscript| Copier::new().expr(doc, subscript)).collect();
    first.push(integer(doc, 1, place));
    Some(Reached { section, first })
}

/// `a(:, …, first:upper)` in the place of an element, with `before` whole dimensions.
fn section(
    doc: &mut Document,
    object: RefId,
    first: ExprId,
    upper: ExprId,
    before: usize,
) -> RefId {
    let copy = Copier::new().reference(doc, object);
    let lower = Some(Copier::new().expr(doc, first));
    let all = Subscript::Section { lower: None, upper: None, stride: None };
    let mut list: Vec<Subscript> = vec![all; before];
    list.push(Subscript::Section { lower, upper: Some(upper), stride: None });
    if let Some(last) = doc.refs[copy].parts.last_mut() {
        *last = Part::Elements(list);
    }
    doc.refs[copy].ty.rank = u8::try_from(before + 1).unwrap_or(u8::MAX);
    copy
}

/// The number of elements of a dummy argument, of what the caller passes.
fn size_of_dummy(
    doc: &mut Document,
    call: &Call,
    index: usize,
    overwritten: &BTreeSet<usize>,
) -> Option<ExprId> {
    let dummies: Vec<Option<SymbolId>> =
        arguments_of(doc, call.callee.symbol)?.iter().map(|arg| arg.symbol).collect();
    let mut values: HashMap<SymbolId, ExprId> = HashMap::new();
    for (at, dummy) in dummies.iter().enumerate().filter(|(at, _)| !overwritten.contains(at)) {
        let actual = call.args.iter().find(|arg| usize::try_from(arg.position) == Ok(at + 1));
        if let (Some(dummy), Some(ArgValue::Expr(value))) = (dummy, actual.map(|arg| arg.value))
            && is_made_of(doc, value, &ARITHMETIC, |reference| reference.ty.rank == 0)
        {
            values.insert(*dummy, value);
        }
    }
    let dummy = dummies.get(index).copied().flatten().filter(|&dummy| !has_open_end(doc, dummy))?;
    let dims = doc.symbols[dummy].decl.as_deref()?.dims.clone();
    // Of old, `v(1)` is an array of unknown extent.
    if matches!(dims.last(), Some(Dim::Explicit { upper, .. }) if is_one(doc, *upper)) {
        return None;
    }
    let mut size: Option<ExprId> = None;
    for dim in dims {
        let Dim::Explicit { lower, upper } = dim else { return None };
        let known =
            |bound| is_made_of(doc, bound, &SUMS, |reference| values.contains_key(&reference.base));
        if ![Some(upper), lower].into_iter().flatten().all(known) {
            return None;
        }
        let mut extent = substituted(doc, upper, &values);
        if let Some(lower) = lower {
            let (lower, place) = (substituted(doc, lower, &values), call.place);
            let distance = sum(doc, "sub_scal_scal", extent, lower);
            let one = integer(doc, 1, place);
            extent = sum(doc, "add_scal_scal", distance, one);
        }
        size = Some(times(doc, extent, size));
    }
    size
}

/// Whether an expression is made by these operations of numbers and of whole variables for which `wanted` holds.
fn is_made_of(
    doc: &Document,
    root: ExprId,
    operations: &[&str],
    wanted: impl Fn(&Reference) -> bool,
) -> bool {
    nodes_of(doc, [root]).into_iter().all(|node| match &doc.exprs[node].kind {
        ExprKind::Constant(_) => true,
        ExprKind::Ref(reference) => {
            let reference = &doc.refs[*reference];
            reference.parts.is_empty() && wanted(reference)
        }
        ExprKind::Intrinsic { name, .. } => operations.contains(&&**name),
        ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => false,
    })
}

/// The declared extents of the dimensions but the last, if all of them begin at 1.
fn dims_before(doc: &Document, object: RefId, count: usize) -> Option<Vec<ExprId>> {
    let mut whole = doc.refs[object].clone();
    whole.parts.pop();
    let dims = &doc.symbols[whole.entity()?].decl.as_deref()?.dims;
    let upper = |dim: &Dim| match dim {
        Dim::Explicit { lower: None, upper } => Some(*upper),
        Dim::Explicit { lower: Some(_), .. }
        | Dim::AssumedShape { .. }
        | Dim::AssumedSize { .. }
        | Dim::Deferred
        | Dim::AssumedRank => None,
    };
    dims.get(..count)?.iter().map(upper).collect()
}

fn whole_array(doc: &mut Document, object: RefId) -> ExprId {
    let whole = booster_build::unbounded(doc, object);
    value_of(doc, whole)
}

fn times(doc: &mut Document, value: ExprId, factor: Option<ExprId>) -> ExprId {
    match factor {
        None => value,
        Some(factor) if is_one(doc, value) => factor,
        Some(factor) => {
            let factor = Copier::new().expr(doc, factor);
            binary(doc, "mul_scal_scal", value, factor)
        }
    }
}

fn less_one(doc: &mut Document, value: ExprId) -> ExprId {
    let place = doc.exprs[value].place;
    let one = integer(doc, 1, place);
    sum(doc, "sub_scal_scal", value, one)
}

fn is_one(doc: &Document, expr: ExprId) -> bool {
    matches!(&doc.exprs[expr].kind, ExprKind::Constant(constant) if &*constant.text == "1")
}
