//! How many elements an expression has along a dimension, without its value.
//!
//! `size(matmul(a, b), 2)` is `size(b, 2)`, `size(spread(x, 1, n), 1)` is `n`. Derivatives ask for
//! the shape of operands whose values nobody needs: a backward sweep has not taken them back, and a
//! compiler may compute them. What cannot be told otherwise (a function that the program defines, an
//! order that varies) is asked of the expression itself; [`reads_of_shape`] names what that reads.

use xaif_schema::model::{
    Base, BoolOp, Document, ExprId, ExprKind, IndexRange, Operand, Operands, Part, Place, RefId, Ty,
};

use super::instantiate::placed;
use super::values::constant_value;
use booster_build::{
    Copier, binary, boolean, constant_integer, integer, intrinsic, is_elemental, node,
    subscripts_of, sum,
};
use booster_rules::operand;

const INTEGER: Base = Base::Integer(4);

/// Where the extent of a dimension stands.
#[derive(Clone, Debug)]
enum Extent {
    /// It is that of a dimension of an array, which is asked.
    Array(ExprId, u8),
    /// The value of an integer, or zero if that is negative.
    Value(ExprId),
    /// So many elements of a mask are true.
    Count(ExprId),
    /// A number and the extents of vectors.
    Sum(i64, Vec<Extent>),
    /// So many scalars in each iteration of an implied DO.
    Rounds(i64, IndexRange),
    /// The length of a vector with this item of an array constructor alone: iterations of different lengths.
    Item(ExprId),
    /// All elements of an array.
    Elements(ExprId),
}

/// The extent of a dimension, counted from 1, of an array.
pub fn extent(doc: &mut Document, array: ExprId, dimension: usize) -> ExprId {
    let dimension = u8::try_from(dimension).unwrap_or(1);
    let found = extent_of(doc, array, dimension);
    built(doc, found, array)
}

/// The extent of a dimension that is known as the program runs.
pub(super) fn extent_along(doc: &mut Document, array: ExprId, dimension: ExprId) -> ExprId {
    let giver = same_shape(doc, array);
    if let Some(known) = constant_value(doc, dimension)
        && !matches!(doc.exprs[giver].kind, ExprKind::Ref(_))
    {
        return extent(doc, array, known as usize);
    }
    let rank = doc.exprs[giver].ty.rank;
    if let ExprKind::Ref(_) = doc.exprs[giver].kind {
        let array = asked(doc, giver);
        return intrinsic(doc, "size", &[array, dimension], Ty::scalar(INTEGER));
    }
    let mut found = extent(doc, array, 1);
    for other in 2..=rank {
        let own = extent(doc, array, usize::from(other));
        let dimension = Copier::new().expr(doc, dimension);
        let number = integer(doc, i64::from(other), doc.exprs[array].place);
        let is_own = boolean(doc, BoolOp::Equal, &[dimension, number]);
        found = intrinsic(doc, "merge", &[own, found, is_own], Ty::scalar(INTEGER));
    }
    found
}

/// The number of elements of an array.
pub(super) fn size(doc: &mut Document, array: ExprId) -> ExprId {
    let mut giver = same_shape(doc, array);
    while let Some((name, operands)) = operation(doc, giver)
        && name == "transpose_arr"
        && let Some(matrix) = operand(&operands, 1)
    {
        giver = same_shape(doc, matrix);
    }
    if let ExprKind::Ref(_) = doc.exprs[giver].kind {
        let array = asked(doc, giver);
        return intrinsic(doc, "size", &[array], Ty::scalar(INTEGER));
    }
    let mut total = extent(doc, giver, 1);
    for dimension in 2..=doc.exprs[giver].ty.rank {
        let next = extent(doc, giver, usize::from(dimension));
        total = binary(doc, "mul_scal_scal", total, next);
    }
    total
}

/// The shape of an array, a vector of default integers.
pub(super) fn shape(doc: &mut Document, array: ExprId) -> ExprId {
    let giver = same_shape(doc, array);
    let (rank, place) = (doc.exprs[giver].ty.rank, doc.exprs[array].place);
    let ty = Ty { base: INTEGER, rank: 1 };
    if let ExprKind::Ref(_) = doc.exprs[giver].kind {
        let array = asked(doc, giver);
        return intrinsic(doc, "shape_arr", &[array], ty);
    }
    let items = (1..=rank).map(|dimension| extent(doc, giver, usize::from(dimension))).collect();
    node(doc, ExprKind::ArrayConstructor { spec: None, items }, ty, place)
}

/// What the functions above read: the expressions whose values are read, and references whose
/// subscripts are.
pub(super) fn reads_of_shape(doc: &Document, array: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    let dimensions = 1..=doc.exprs[array].ty.rank;
    let mut work: Vec<Extent> =
        dimensions.map(|dimension| extent_of(doc, array, dimension)).collect();
    while let Some(extent) = work.pop() {
        match extent {
            Extent::Array(array, _) => match doc.exprs[array].reference() {
                Some(reference) => found.extend(subscripts(doc, reference)),
                None => found.push(array),
            },
            Extent::Value(expr) | Extent::Count(expr) => found.push(expr),
            Extent::Sum(_, parts) => work.extend(parts),
            Extent::Rounds(_, IndexRange { lower, upper, step, .. }) => {
                found.extend([Some(lower), Some(upper), step].into_iter().flatten());
            }
            Extent::Item(item) => found.push(item),
            Extent::Elements(array) => found.extend(reads_of_shape(doc, array)),
        }
    }
    found
}

fn subscripts(doc: &Document, reference: RefId) -> Vec<ExprId> {
    subscripts_of(&doc.refs[reference])
}

/// The simplest array of the same shape that stands in an expression.
fn same_shape(doc: &Document, expr: ExprId) -> ExprId {
    let mut simplest = expr;
    loop {
        let Some((name, operands)) = operation(doc, simplest) else { return simplest };
        let next = match name {
            "cshift" | "eoshift" => operand(&operands, 1),
            "unpack" => operand(&operands, 2),
            _ => conforming(doc, simplest, name, &operands),
        };
        match next {
            Some(next) => simplest = next,
            None => return simplest,
        }
    }
}

/// An operand of an elemental operation that has its shape, a reference where there is one.
fn conforming(doc: &Document, expr: ExprId, name: &str, operands: &Operands) -> Option<ExprId> {
    let elemental = is_elemental(name);
    let rank = doc.exprs[expr].ty.rank;
    let arrays = |operand: &&Operand| elemental && doc.exprs[operand.expr].ty.rank == rank;
    let is_reference =
        |operand: &&Operand| matches!(doc.exprs[operand.expr].kind, ExprKind::Ref(_));
    let found = operands.iter().filter(arrays).find(is_reference);
    found.or_else(|| operands.iter().find(arrays)).map(|operand| operand.expr)
}

/// An operation with its operands at the positions of its dummy arguments.
fn operation(doc: &Document, expr: ExprId) -> Option<(&str, Operands)> {
    match &doc.exprs[expr].kind {
        ExprKind::Intrinsic { name, operands, .. } => Some((name, placed(doc, name, operands))),
        // A comparison is an array operation, too.
        ExprKind::Boolean { operands, .. } => Some(("add_scal_scal", operands.clone())),
        ExprKind::Constant(_)
        | ExprKind::Ref(_)
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => None,
    }
}

fn extent_of(doc: &Document, array: ExprId, dimension: u8) -> Extent {
    let (mut array, mut dimension) = (array, dimension);
    loop {
        let giver = same_shape(doc, array);
        if let ExprKind::ArrayConstructor { items, .. } = &doc.exprs[giver].kind {
            return length(doc, items);
        }
        match step(doc, giver, dimension) {
            Some(Extent::Array(next, along)) => (array, dimension) = (next, along),
            Some(found) => return found,
            None => return Extent::Array(giver, dimension),
        }
    }
}

/// The extent of an operation by that of its operands.
fn step(doc: &Document, expr: ExprId, dimension: u8) -> Option<Extent> {
    let (name, operands) = operation(doc, expr)?;
    let at = |position: u16| operand(&operands, position);
    let rank = |expr: ExprId| doc.exprs[expr].ty.rank;
    let constant = |position: u16| {
        let known = at(position).and_then(|expr| constant_value(doc, expr));
        known.map(|known| known as u8)
    };
    match name {
        "matmul" => {
            let (a, b) = (at(1)?, at(2)?);
            let first = rank(a) == 2 && dimension == 1;
            Some(if first { Extent::Array(a, 1) } else { Extent::Array(b, rank(b)) })
        }
        "transpose_arr" => Some(Extent::Array(at(1)?, 3_u8.checked_sub(dimension)?)),
        "spread" => {
            let (source, along) = (at(1)?, constant(2)?);
            match dimension.cmp(&along) {
                std::cmp::Ordering::Equal => Some(Extent::Value(at(3)?)),
                std::cmp::Ordering::Less => Some(Extent::Array(source, dimension)),
                std::cmp::Ordering::Greater => Some(Extent::Array(source, dimension - 1)),
            }
        }
        "reshape_arr" => match &doc.exprs[at(2)?].kind {
            ExprKind::ArrayConstructor { items, .. } => {
                let scalars = items.iter().all(|&item| is_scalar(doc, item));
                let item = items.get(usize::from(dimension).checked_sub(1)?)?;
                scalars.then_some(Extent::Value(*item))
            }
            ExprKind::Intrinsic { name, operands, .. } if &**name == "shape_arr" => {
                Some(Extent::Array(operand(operands, 1)?, dimension))
            }
            ExprKind::Intrinsic { .. }
            | ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => None,
        },
        "transfer" => match (at(1)?, at(3)) {
            (_, Some(size)) => Some(Extent::Value(size)),
            (source, None) => (rank(source) == 1 && of_one_type(doc, source, expr))
                .then_some(Extent::Array(source, 1)),
        },
        "pack" => match (at(2)?, at(3)) {
            (_, Some(vector)) => Some(Extent::Array(vector, 1)),
            (mask, None) => (rank(mask) > 0).then_some(Extent::Count(mask)),
        },
        "sum_arr" | "product" | "nc_maxval" | "nc_minval" | "norm2" | "count" | "all" | "any" => {
            let along = constant(2)?;
            let dimension = if dimension < along { dimension } else { dimension + 1 };
            Some(Extent::Array(at(1)?, dimension))
        }
        _ => None,
    }
}

/// A copy of an array that is asked for its shape. A part of complex numbers has that of the numbers: gfortran 12
/// takes `size(z%re)` in an ALLOCATE for a reference to what is allocated.
fn asked(doc: &mut Document, array: ExprId) -> ExprId {
    let copy = Copier::new().expr(doc, array);
    if let Some(reference) = doc.exprs[copy].reference()
        && let Some(Part::Inquiry(part)) = doc.refs[reference].parts.last()
        && matches!(&**part, "re" | "im")
        && let Base::Real(bytes) = doc.refs[reference].ty.base
    {
        doc.refs[reference].parts.pop();
        doc.refs[reference].ty.base = Base::Complex(bytes);
        doc.exprs[copy].ty.base = Base::Complex(bytes);
    }
    copy
}

/// Whether two expressions are numbers of one type.
fn of_one_type(doc: &Document, one: ExprId, other: ExprId) -> bool {
    let base = doc.exprs[one].ty.base;
    base.is_continuous() && base == doc.exprs[other].ty.base
}

fn is_scalar(doc: &Document, item: ExprId) -> bool {
    doc.exprs[item].ty.rank == 0 && !matches!(doc.exprs[item].kind, ExprKind::ImpliedDo(_))
}

/// The number of elements of an array constructor.
fn length(doc: &Document, items: &[ExprId]) -> Extent {
    let (mut count, mut parts) = (0, Vec::new());
    for &item in items {
        match &doc.exprs[item].kind {
            ExprKind::ImpliedDo(rounds) => {
                let scalars = rounds.items.iter().all(|&inner| is_scalar(doc, inner));
                let number = i64::try_from(rounds.items.len()).ok().filter(|_| scalars);
                parts.push(match number {
                    Some(number) => Extent::Rounds(number, rounds.control.clone()),
                    None => Extent::Item(item),
                });
            }
            _ if doc.exprs[item].ty.rank == 0 => count += 1,
            _ if doc.exprs[item].ty.rank == 1 => parts.push(extent_of(doc, item, 1)),
            _ => parts.push(Extent::Elements(item)),
        }
    }
    Extent::Sum(count, parts)
}

/// How many elements the iterations of an implied DO make.
fn rounds(doc: &mut Document, count: i64, range: IndexRange, place: Place) -> ExprId {
    let of = |doc: &mut Document, bound: ExprId| {
        let copy = Copier::new().expr(doc, bound);
        match doc.exprs[copy].ty.base {
            INTEGER => copy,
            _ => intrinsic(doc, "int_scal", &[copy], Ty::scalar(INTEGER)),
        }
    };
    let (lower, upper) = (of(doc, range.lower), of(doc, range.upper));
    let step = range.step.map(|step| of(doc, step));
    let distance = sum(doc, "sub_scal_scal", upper, lower);
    let one = step.unwrap_or_else(|| integer(doc, 1, place));
    let mut number = sum(doc, "add_scal_scal", distance, one);
    if let Some(step) = step {
        let step = Copier::new().expr(doc, step);
        number = binary(doc, "div_scal_scal", number, step);
    }
    if let Some(known) = constant_integer(doc, number) {
        return integer(doc, known.max(0).saturating_mul(count), place);
    }
    let none = integer(doc, 0, place);
    let number = intrinsic(doc, "nc_max_scal_scal", &[number, none], Ty::scalar(INTEGER));
    if count == 1 {
        return number;
    }
    let count = integer(doc, count, place);
    binary(doc, "mul_scal_scal", count, number)
}

fn built(doc: &mut Document, extent: Extent, of: ExprId) -> ExprId {
    let place = doc.exprs[of].place;
    match extent {
        Extent::Array(array, dimension) => {
            let array = asked(doc, array);
            let mut args = vec![array];
            if doc.exprs[array].ty.rank > 1 {
                args.push(integer(doc, i64::from(dimension), place));
            }
            intrinsic(doc, "size", &args, Ty::scalar(INTEGER))
        }
        Extent::Value(value) => {
            let known = constant_value(doc, value);
            let value = Copier::new().expr(doc, value);
            let base = doc.exprs[value].ty.base;
            let ty = Ty::scalar(INTEGER);
            let value =
                if base == INTEGER { value } else { intrinsic(doc, "int_scal", &[value], ty) };
            match known {
                Some(known) if known >= 0.0 => value,
                Some(_) => integer(doc, 0, place),
                None => {
                    let none = integer(doc, 0, place);
                    intrinsic(doc, "nc_max_scal_scal", &[value, none], ty)
                }
            }
        }
        Extent::Count(mask) => {
            let mask = Copier::new().expr(doc, mask);
            intrinsic(doc, "count", &[mask], Ty::scalar(INTEGER))
        }
        Extent::Rounds(count, range) => rounds(doc, count, range, place),
        Extent::Elements(array) => size(doc, array),
        Extent::Item(item) => {
            let item = Copier::new().expr(doc, item);
            let ty = Ty { base: doc.exprs[of].ty.base, rank: 1 };
            let kind = ExprKind::ArrayConstructor { spec: None, items: vec![item] };
            let vector = node(doc, kind, ty, place);
            intrinsic(doc, "size", &[vector], Ty::scalar(INTEGER))
        }
        Extent::Sum(count, parts) => {
            let (mut known, mut others) = (count, Vec::new());
            for part in parts {
                let part = built(doc, part, of);
                match constant_integer(doc, part) {
                    Some(number) => known = known.saturating_add(number),
                    None => others.push(part),
                }
            }
            let number = (known != 0 || others.is_empty()).then(|| integer(doc, known, place));
            let terms = number.into_iter().chain(others);
            let total = terms.reduce(|total, part| binary(doc, "add_scal_scal", total, part));
            total.unwrap_or_else(|| integer(doc, 0, place))
        }
    }
}
