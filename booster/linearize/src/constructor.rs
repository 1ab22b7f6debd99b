//! Adjoints of constructors: each item gets its part of the adjoint of the whole.
//!
//! An array constructor with an implied DO before an active item is left to `statement_adjoint`.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Document, ExprId, ExprKind, Part, RefId, SymbolId, Ty,
};

use super::element::{At, element_of};
use super::extent;
use super::graph::Edge;
use booster_build::{Copier, binary, integer, intrinsic, value_of};

/// Where the items of an array constructor stand: for each edge the first and, of an array, the last
/// position.
///
/// # Errors
/// An implied DO before an active item.
pub(super) fn places(
    doc: &mut Document,
    expr: ExprId,
    edges: &[Edge],
) -> Result<Vec<At>, Diagnostic> {
    let ExprKind::ArrayConstructor { items, .. } = doc.exprs[expr].kind.clone() else {
        return Err(refused(doc, expr));
    };
    let place = doc.exprs[expr].place;
    let mut found = Vec::new();
    let (mut count, mut sizes): (i64, Vec<ExprId>) = (0, Vec::new());
    let mut edges = edges.iter().peekable();
    for (item, position) in items.into_iter().zip(1..) {
        if edges.peek().is_none() {
            break;
        }
        if let ExprKind::ImpliedDo(_) = doc.exprs[item].kind {
            return Err(refused(doc, expr));
        }
        let active = edges.next_if(|edge| usize::from(edge.position) == position).is_some();
        let scalar = doc.exprs[item].ty.rank == 0;
        let first = active.then(|| behind(doc, &sizes, count + 1, place));
        if scalar {
            count += 1;
            found.extend(first.map(At::Place));
        } else {
            sizes.push(extent::size(doc, item));
            if let Some(first) = first {
                let last = behind(doc, &sizes, count, place);
                found.push(At::Range(first, last));
            }
        }
    }
    Ok(found)
}

/// Whether one of the active items of an array constructor is an implied DO.
pub(super) fn has_loop_at(doc: &Document, expr: ExprId, edges: &[Edge]) -> bool {
    let ExprKind::ArrayConstructor { items, .. } = &doc.exprs[expr].kind else { return false };
    edges.iter().any(|edge| {
        let item = items.get(usize::from(edge.position).wrapping_sub(1));
        item.is_some_and(|&item| matches!(doc.exprs[item].kind, ExprKind::ImpliedDo(_)))
    })
}

/// The sum of `sizes`, plus `count`.
fn behind(
    doc: &mut Document,
    sizes: &[ExprId],
    count: i64,
    place: xaif_schema::model::Place,
) -> ExprId {
    let sizes: Vec<ExprId> = sizes.iter().map(|&size| Copier::new().expr(doc, size)).collect();
    let sum = sizes.into_iter().reduce(|a, b| binary(doc, "add_scal_scal", a, b));
    match (sum, count) {
        (None, count) => integer(doc, count, place),
        (Some(sum), 0) => sum,
        (Some(sum), count) => {
            let count = integer(doc, count, place);
            binary(doc, "add_scal_scal", sum, count)
        }
    }
}

/// The part of the adjoint of an array constructor that an item gets: in the shape of the item.
///
/// # Errors
/// An adjoint of which no part can be written down.
pub(super) fn part(
    doc: &mut Document,
    whole: RefId,
    at: At,
    item: ExprId,
) -> Result<ExprId, Diagnostic> {
    let found = element_of(doc, whole, &[at], item)?;
    let found = value_of(doc, found);
    let rank = doc.exprs[item].ty.rank;
    if rank < 2 {
        return Ok(found);
    }
    let shape = extent::shape(doc, item);
    let ty = doc.exprs[found].ty.with_rank(rank);
    Ok(intrinsic(doc, "reshape_arr", &[found, shape], ty))
}

/// The component that each argument of a structure constructor sets, in the order of the edges;
/// `None` for a pointer, whose derivative is the target's.
///
/// # Errors
/// An argument for which no component is found.
pub(super) fn components(
    doc: &Document,
    expr: ExprId,
    edges: &[Edge],
) -> Result<Vec<Option<SymbolId>>, Diagnostic> {
    let ExprKind::StructureConstructor { spec, args } = &doc.exprs[expr].kind else {
        return Err(refused(doc, expr));
    };
    let Base::Derived(owner) = spec.base() else { return Err(refused(doc, expr)) };
    let values: Vec<&Arg> =
        args.iter().filter(|arg| matches!(arg.value, ArgValue::Expr(_))).collect();
    edges
        .iter()
        .map(|edge| {
            let arg = values.get(usize::from(edge.position).wrapping_sub(1));
            let index = arg.and_then(|arg| args.iter().position(|other| other == *arg));
            let found = match (arg, index) {
                (Some(arg), Some(index)) => doc.component_given(owner, arg, index),
                _ => None,
            };
            let found = found.ok_or_else(|| refused(doc, expr))?;
            let decl = doc.symbols[found].decl.as_deref();
            let pointer = decl.is_some_and(|decl| decl.has(Attr::Pointer));
            Ok((!pointer).then_some(found))
        })
        .collect()
}

/// `structure%component`
pub(super) fn component_of(doc: &mut Document, structure: RefId, symbol: SymbolId) -> ExprId {
    let copy = Copier::new().reference(doc, structure);
    let base = doc.symbols[symbol].decl.as_ref().map_or(Base::Unknown, |decl| decl.spec.base());
    let rank = doc.symbols[symbol].rank.unwrap_or(0).max(doc.refs[copy].ty.rank);
    let name = doc.name(symbol).into();
    let reference = &mut doc.refs[copy];
    reference.parts.push(Part::Component { symbol: Some(symbol), name });
    reference.ty = Ty { base, rank };
    value_of(doc, copy)
}

pub(super) fn refused(doc: &Document, expr: ExprId) -> Diagnostic {
    let spot = doc.spot(doc.exprs[expr].place);
    let message = "the adjoint of this constructor inside an expression is not an expression";
    Diagnostic::error(Code::MUST_STAND_ALONE, spot, message)
        .with_help("assign it to a variable first")
}
