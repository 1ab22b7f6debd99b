//! Adding to adjoints through vector subscripts.
//!
//! `y = x([1, 1, 2])` reads an element twice, so it gets two contributions; but in
//! `xb([1, 1, 2]) = xb([1, 1, 2]) + yb` one would be lost, and Fortran forbids it (Fortran 2018,
//! 9.5.3.3.3). The elements are added one after the other.

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{Base, ExprId, ExprKind, Part, Place, RefId, Subscript, SymbolId, Ty};

use super::element::{At, element, element_of};
use super::statement::Scratch;
use booster_build::{Copier, Emitter, binary, integer, intrinsic, value_of, whole};

/// Emits `adjoint = adjoint + value` (`- value` where `negative`) element by element. `value` is used
/// up; it is a scalar or has the shape of `adjoint`.
///
/// # Errors
/// An array of which no elements can be written down.
pub fn add_by_elements(
    emitter: &mut Emitter<'_>,
    adjoint: RefId,
    value: ExprId,
    negative: bool,
    scratch: &mut Scratch,
) -> Result<(), Diagnostic> {
    let place = emitter.doc.exprs[value].place;
    let at = (emitter.scope, place);
    let rank = emitter.doc.refs[adjoint].ty.rank;
    let mut named = name_subscripts(emitter, adjoint, scratch);
    let like = value_of(emitter.doc, adjoint);
    let mut value = value;
    let ty = emitter.doc.exprs[value].ty;
    if ty.rank > 0 && !matches!(emitter.doc.exprs[value].kind, ExprKind::Ref(_)) {
        let all = scratch.array(emitter.doc, at, "added", ty);
        value = set_aside(emitter, all, value, place);
        named.push(all);
    }
    let indices: Vec<_> = (1..=rank)
        .map(|dimension| {
            let wish = format!("i{dimension}");
            scratch.variable(emitter.doc, at, &wish, Base::Integer(4), 0)
        })
        .collect();
    for (dimension, &index) in (1_i64..).zip(&indices).collect::<Vec<_>>().into_iter().rev() {
        let doc = &mut *emitter.doc;
        let mut args = vec![Copier::new().expr(doc, like)];
        if rank > 1 {
            args.push(integer(doc, dimension, place));
        }
        let upper = intrinsic(doc, "size", &args, Ty::scalar(Base::Integer(4)));
        let lower = integer(doc, 1, place);
        emitter.open_do(index, (lower, upper), false, place);
    }
    let positions: Vec<At> = indices.iter().map(|&index| At::Variable(index)).collect();
    let doc = &mut *emitter.doc;
    let target = element_of(doc, adjoint, &positions, like)?;
    let old = element_of(doc, adjoint, &positions, like)?;
    let old = value_of(doc, old);
    let one = element(doc, value, &positions)?;
    let name = if negative { "sub_scal_scal" } else { "add_scal_scal" };
    let sum = binary(doc, name, old, one);
    emitter.assign(target, sum, place);
    for _ in indices {
        emitter.close_do();
    }
    for array in named {
        let object = whole(emitter.doc, array, place);
        emitter.release(object, place);
    }
    Ok(())
}

/// Puts a value into an array that is allocated for it; gives what reads it.
fn set_aside(emitter: &mut Emitter<'_>, array: SymbolId, value: ExprId, place: Place) -> ExprId {
    let object = whole(emitter.doc, array, place);
    emitter.allocate_like(object, value, place);
    let read = whole(emitter.doc, array, place);
    value_of(emitter.doc, read)
}

/// Puts vector subscripts that are no variables, such as `[1, 1, 2]`, into arrays, which are given.
fn name_subscripts(
    emitter: &mut Emitter<'_>,
    adjoint: RefId,
    scratch: &mut Scratch,
) -> Vec<SymbolId> {
    let mut all = Vec::new();
    let place = emitter.doc.refs[adjoint].place;
    let at = (emitter.scope, place);
    let mut parts = emitter.doc.refs[adjoint].parts.clone();
    for part in &mut parts {
        let Part::Elements(subscripts) = part else { continue };
        for (subscript, dimension) in subscripts.iter_mut().zip(1..) {
            let Subscript::Index(index) = subscript else { continue };
            let ty = emitter.doc.exprs[*index].ty;
            if ty.rank == 0 || matches!(emitter.doc.exprs[*index].kind, ExprKind::Ref(_)) {
                continue;
            }
            let named = scratch.array(emitter.doc, at, &format!("at{dimension}"), ty);
            *index = set_aside(emitter, named, *index, place);
            all.push(named);
        }
    }
    emitter.doc.refs[adjoint].parts = parts;
    all
}
