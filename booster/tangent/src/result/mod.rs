//! The shape of a function's result where it is assigned to an allocatable variable: the derivative
//! procedure is a subroutine that cannot give it one, so it is allocated before.

mod specification;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Allocate, ArgValue, Attr, Base, BoolOp, Dim, Document, ExprId, ExprKind, FunctionCall, Part,
    Place, RefId, Release, StmtKind, Subscript, SymbolId,
};

use super::body::Tangent;
use booster_build::{
    Copier, Emitter, boolean, exists, integer, node, size_along, value_of, with_object, with_source,
};
use booster_facts::bounds::Bounds;
use booster_shadow::derivative::Direction;
use specification::AtCall;

impl Tangent<'_> {
    /// Allocates the allocatable variable `lhs` and, if asked for, its derivative with the shape of the result of
    /// `call`, unless the result is allocatable itself. A scalar keeps its allocation, and an array of that shape that
    /// may have other lower bounds than 1 keeps them.
    pub fn shape_result(
        &mut self,
        e: &mut Emitter<'_>,
        lhs: RefId,
        call: &FunctionCall,
        (place, derivative): (Place, bool),
    ) -> Result<(), Diagnostic> {
        let rank = e.doc.refs[lhs].ty.rank;
        let allocatable =
            e.doc.refs[lhs].whole_entity().is_some_and(|s| e.doc.has(s, Attr::Allocatable));
        let result = e.doc.described_by(call.callee.symbol).and_then(|p| e.doc.procs[p].result);
        let own = result.is_some_and(|result| e.doc.has(result, Attr::Allocatable));
        if !allocatable || own {
            return Ok(());
        }
        if rank == 0 {
            return self.allocate_scalar(e, lhs, (place, derivative));
        }
        let extents = match result {
            Some(result) if e.doc.symbols[result].rank == Some(rank) => {
                AtCall::new(e.doc, &call.callee, &call.args, place).extents(e.doc, result)
            }
            _ => Some(like_argument(e.doc, call, rank)),
        };
        let told = extents.filter(|extents| extents.len() == usize::from(rank));
        let (extents, mut objects) = match told {
            Some(extents) => (extents, vec![(lhs, None)]),
            None if is_repeatable(e.doc, call, result) => {
                (by_executing(e, lhs, call, place), Vec::new())
            }
            None => return Err(self.unknown_shape(e.doc, place)),
        };
        let found = self.parts.reference(e.doc, lhs, Direction::All).filter(|_| derivative);
        // `vd(:)%a` names nothing that can be allocated.
        let alone = found.is_some() && !self.parts.takes_all(e.doc, lhs);
        let together = found.filter(|_| !alone);
        objects.extend(together.map(|derivative| (derivative, self.parts.directions)));
        let bounds = self.bounds.get_or_init(|| Bounds::gather(e.doc));
        let whole = e.doc.refs[lhs].whole_entity();
        let from_one = whole.is_some_and(|symbol| bounds.begins_with_one(e.doc, symbol));
        allocate_anew(e, &objects, &extents, (from_one, place));
        if !alone {
            return Ok(());
        }
        self.each_direction(e, true, place, |this, e, direction| {
            if let Some(object) = this.parts.reference(e.doc, lhs, direction) {
                allocate_anew(e, &[(object, None)], &extents, (from_one, place));
            }
            Ok(())
        })
    }

    /// Allocates a scalar and its derivative where they are not allocated.
    fn allocate_scalar(
        &mut self,
        e: &mut Emitter<'_>,
        lhs: RefId,
        (place, derivative): (Place, bool),
    ) -> Result<(), Diagnostic> {
        let base = e.doc.refs[lhs].ty.base;
        if matches!(base, Base::Class(_) | Base::ClassStar | Base::Character(_)) {
            return Ok(());
        }
        let there = exists(e.doc, lhs, "allocated");
        let absent = boolean(e.doc, BoolOp::Not, &[there]);
        e.open_if(absent, place);
        let found = self.parts.reference(e.doc, lhs, Direction::All).filter(|_| derivative);
        let alone = found.is_some() && !self.parts.takes_all(e.doc, lhs);
        let mut objects = vec![(lhs, None)];
        let together = found.filter(|_| !alone);
        objects.extend(together.map(|derivative| (derivative, self.parts.directions)));
        let objects = objects.into_iter().map(|(one, count)| sized(e, one, count, &[], place));
        let objects = objects.collect();
        allocate(e, objects, place);
        if alone {
            self.each_direction(e, true, place, |this, e, direction| {
                if let Some(object) = this.parts.reference(e.doc, lhs, direction) {
                    allocate(e, vec![object], place);
                }
                Ok(())
            })?;
        }
        e.close_if();
        Ok(())
    }

    fn unknown_shape(&self, doc: &Document, place: Place) -> Diagnostic {
        self.error(
            doc,
            Code::DERIVATIVE_REFUSED,
            place,
            "the shape of this function's result cannot be told where it is called",
            "assign the result to an array that has its shape",
        )
    }
}

/// Whether a function may be executed once more for the shape of its result.
fn is_repeatable(doc: &Document, call: &FunctionCall, result: Option<SymbolId>) -> bool {
    doc.is_promised_pure(call.callee.symbol)
        && result.is_none_or(|result| !doc.has(result, Attr::Pointer))
}

/// Allocates `lhs` with the value of the function, where nothing else tells the shape, and tells its extents.
fn by_executing(e: &mut Emitter<'_>, lhs: RefId, call: &FunctionCall, place: Place) -> Vec<ExprId> {
    release_old(e, &[lhs], place);
    let (object, ty) = (Copier::new().reference(e.doc, lhs), e.doc.refs[lhs].ty);
    let value = node(e.doc, ExprKind::Call(Box::new(call.clone())), ty, place);
    let value = Copier::new().expr(e.doc, value);
    let allocate = with_source(e.doc, object, value);
    e.stmt(allocate, place);
    (1..=ty.rank)
        .map(|along| {
            let object = Copier::new().reference(e.doc, lhs);
            let object = value_of(e.doc, object);
            size_along(e.doc, object, along)
        })
        .collect()
}

/// Allocates objects with these extents, those of several directions with as many before them, whatever they were
/// before; unless they begin `from_one`, they stay as they are where the first of them has these extents already. All
/// of them are allocated or none is.
fn allocate_anew(
    e: &mut Emitter<'_>,
    objects: &[(RefId, Option<u32>)],
    extents: &[ExprId],
    (from_one, place): (bool, Place),
) {
    let Some(&(first, _)) = objects.first() else { return };
    let wholes: Vec<RefId> =
        objects.iter().map(|&(object, _)| Copier::new().reference(e.doc, object)).collect();
    if from_one {
        release_old(e, &wholes, place);
    } else {
        let there = exists(e.doc, first, "allocated");
        e.open_if(there, place);
        if let Some(other) = has_other_extents(e.doc, first, extents) {
            e.open_if(other, place);
            release(e, &wholes, place);
            e.close_if();
        }
        e.close_if();
        let there = exists(e.doc, first, "allocated");
        let absent = boolean(e.doc, BoolOp::Not, &[there]);
        e.open_if(absent, place);
    }
    let objects = objects.iter().map(|&(one, count)| sized(e, one, count, extents, place));
    let objects = objects.collect();
    allocate(e, objects, place);
    if !from_one {
        e.close_if();
    }
}

/// `size(object, 1) /= m .or. size(object, 2) /= n`
fn has_other_extents(doc: &mut Document, object: RefId, extents: &[ExprId]) -> Option<ExprId> {
    let differs = (1_i64..).zip(extents).map(|(along, &extent)| {
        let own = Copier::new().reference(doc, object);
        let own = value_of(doc, own);
        let own = size_along(doc, own, along);
        let extent = Copier::new().expr(doc, extent);
        boolean(doc, BoolOp::NotEqual, &[own, extent])
    });
    let differs: Vec<ExprId> = differs.collect();
    differs.into_iter().reduce(|one, other| boolean(doc, BoolOp::Or, &[one, other]))
}

/// An object of ALLOCATE: one of several directions has as many elements before the extents.
fn sized(
    e: &mut Emitter<'_>,
    object: RefId,
    directions: Option<u32>,
    extents: &[ExprId],
    place: Place,
) -> RefId {
    let object = Copier::new().reference(e.doc, object);
    let mut bounds: Vec<Subscript> = Vec::new();
    if let Some(count) = directions {
        bounds.push(Subscript::Index(integer(e.doc, i64::from(count), place)));
    }
    for &extent in extents {
        bounds.push(Subscript::Index(Copier::new().expr(e.doc, extent)));
    }
    if !bounds.is_empty() {
        e.doc.refs[object].parts.push(Part::Elements(bounds));
    }
    object
}

fn allocate(e: &mut Emitter<'_>, objects: Vec<RefId>, place: Place) {
    let (spec, stat, errmsg, source, mold) = (None, None, None, None, None);
    let allocate = Allocate { spec, objects, stat, errmsg, source, mold };
    e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
}

/// Deallocates objects if the first of them is allocated.
fn release_old(e: &mut Emitter<'_>, objects: &[RefId], place: Place) {
    let Some(&first) = objects.first() else { return };
    let condition = exists(e.doc, first, "allocated");
    e.open_if(condition, place);
    release(e, objects, place);
    e.close_if();
}

fn release(e: &mut Emitter<'_>, objects: &[RefId], place: Place) {
    let old = objects.iter().map(|&object| Copier::new().reference(e.doc, object)).collect();
    let release = Release { nullify: false, objects: old, stat: None, errmsg: None };
    e.stmt(StmtKind::Release(Box::new(release)), place);
}

/// The extents of the first array argument of an elemental function.
fn like_argument(doc: &mut Document, call: &FunctionCall, rank: u8) -> Vec<ExprId> {
    let args = with_object(doc, &call.callee, &call.args);
    let array = args.iter().find_map(|arg| match arg.value {
        ArgValue::Expr(value) if doc.exprs[value].ty.rank == rank => Some(value),
        ArgValue::Expr(_) | ArgValue::AlternateReturn(_) => None,
    });
    let Some(array) = array else { return Vec::new() };
    let size = |number| {
        let array = Copier::new().expr(doc, array);
        size_along(doc, array, number)
    };
    (1..=rank).map(size).collect()
}

/// Whether all dimensions of an array are declared to begin at 1.
pub(crate) fn begins_at_one(doc: &Document, symbol: SymbolId) -> bool {
    let dims = doc.symbols[symbol].decl.as_ref().map(|decl| &decl.dims);
    let from_one = |dim: &Dim| match dim {
        Dim::Explicit { lower, .. } | Dim::AssumedShape { lower } | Dim::AssumedSize { lower } => {
            lower.is_none()
        }
        Dim::Deferred | Dim::AssumedRank => false,
    };
    dims.is_some_and(|dims| dims.iter().all(from_one))
}
