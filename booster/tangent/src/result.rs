//! The shape of a function's result where it is assigned to an allocatable variable: the derivative
//! procedure is a subroutine that cannot give it one, so it is allocated before.

use std::collections::HashMap;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Allocate, ArgValue, Attr, Dim, Document, ExprId, ExprKind, FunctionCall, Part, Place, RefId,
    Release, StmtKind, Subscript, SymbolId,
};

use super::body::Tangent;
use super::reads::references;
use booster_build::exists;
use booster_build::{Copier, Emitter, binary, integer, nodes_of, size_along};
use booster_build::{passed_object, with_object};
use booster_shadow::derivative::Direction;

impl Tangent<'_> {
    /// Allocates the allocatable array `lhs` and, if asked for, its derivative with the shape of the result of
    /// `call`, unless the result is allocatable itself.
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
        if rank == 0 || !allocatable || own {
            return Ok(());
        }
        let extents = match result {
            Some(result) if e.doc.symbols[result].rank == Some(rank) => {
                self.extents(e.doc, result, call, place)?
            }
            _ => like_argument(e.doc, call, rank),
        };
        if extents.len() != usize::from(rank) {
            return Err(self.unknown_shape(e.doc, place));
        }
        let found = self.parts.reference(e.doc, lhs, Direction::All).filter(|_| derivative);
        let (together, alone) = match found {
            // `vd(:)%a` names nothing that can be allocated.
            Some(_) if !self.parts.takes_all(e.doc, lhs) => (None, true),
            found => (found, false),
        };
        allocate_anew(e, lhs, together, (&extents, self.parts.directions), place);
        if !alone {
            return Ok(());
        }
        self.each_direction(e, true, place, |this, e, direction| {
            if let Some(object) = this.parts.reference(e.doc, lhs, direction) {
                allocate_anew(e, object, None, (&extents, None), place);
            }
            Ok(())
        })
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

    /// The extents of a function's result in terms of the actual arguments.
    fn extents(
        &self,
        doc: &mut Document,
        result: SymbolId,
        call: &FunctionCall,
        place: Place,
    ) -> Result<Vec<ExprId>, Diagnostic> {
        let dims = doc.symbols[result].decl.as_ref().map(|d| d.dims.clone()).unwrap_or_default();
        let scope = doc.symbols[result].scope;
        let mut actuals: HashMap<SymbolId, ExprId> = HashMap::new();
        if let Some(proc) = doc.described_by(call.callee.symbol) {
            let object = passed_object(doc, &call.callee);
            for (arg, number) in doc.procs[proc].args.iter().zip(1..) {
                let actual = call.args.iter().find(|actual| actual.position == number);
                let value = match (object, actual.map(|actual| actual.value)) {
                    (Some((at, object)), _) if at == number => Some(object),
                    (_, Some(ArgValue::Expr(value))) => Some(value),
                    (_, Some(ArgValue::AlternateReturn(_)) | None) => None,
                };
                if let Some((symbol, value)) = arg.symbol.zip(value) {
                    actuals.insert(symbol, value);
                }
            }
        }
        let mut extents = Vec::new();
        for dim in dims {
            let Dim::Explicit { lower, upper } = dim else {
                return Err(self.unknown_shape(doc, place));
            };
            let known = [Some(upper), lower].into_iter().flatten().all(|bound| {
                references(doc, bound).into_iter().all(|reference| {
                    let reference = &doc.refs[reference];
                    let actual = actuals.get(&reference.base);
                    match actual.map(|&actual| &doc.exprs[actual].kind) {
                        Some(ExprKind::Ref(_)) => true,
                        Some(_) => reference.parts.is_empty(),
                        None => doc.symbols[reference.base].scope != scope,
                    }
                })
            });
            let bounds = [Some(upper), lower].into_iter().flatten();
            if !known || bounds.into_iter().any(|bound| asks_for_bounds(doc, bound, &actuals)) {
                return Err(self.unknown_shape(doc, place));
            }
            let mut extent = substituted(doc, upper, &actuals);
            if let Some(lower) = lower {
                let lower = substituted(doc, lower, &actuals);
                let distance = binary(doc, "sub_scal_scal", extent, lower);
                let one = integer(doc, 1, place);
                extent = binary(doc, "add_scal_scal", distance, one);
            }
            extents.push(extent);
        }
        Ok(extents)
    }
}

/// Allocates `object` with these extents, and a derivative with as many directions before them, whatever they
/// were before.
fn allocate_anew(
    e: &mut Emitter<'_>,
    object: RefId,
    derivative: Option<RefId>,
    (extents, directions): (&[ExprId], Option<u32>),
    place: Place,
) {
    let objects: Vec<RefId> =
        std::iter::once(Copier::new().reference(e.doc, object)).chain(derivative).collect();
    let condition = exists(e.doc, object, "allocated");
    e.open_if(condition, place);
    let old = objects.iter().map(|&object| Copier::new().reference(e.doc, object)).collect();
    let release = Release { nullify: false, objects: old, stat: None, errmsg: None };
    e.stmt(StmtKind::Release(Box::new(release)), place);
    e.close_if();
    for (number, &object) in objects.iter().enumerate() {
        let mut bounds: Vec<Subscript> = Vec::new();
        if let Some(count) = directions.filter(|_| number > 0) {
            bounds.push(Subscript::Index(integer(e.doc, i64::from(count), place)));
        }
        for &extent in extents {
            bounds.push(Subscript::Index(Copier::new().expr(e.doc, extent)));
        }
        e.doc.refs[object].parts.push(Part::Elements(bounds));
    }
    let allocate =
        Allocate { spec: None, objects, stat: None, errmsg: None, source: None, mold: None };
    e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
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

/// Whether an expression asks, wherever in it, for bounds of a dummy argument that may be others than
/// those of the actual argument.
fn asks_for_bounds(doc: &Document, expr: ExprId, actuals: &HashMap<SymbolId, ExprId>) -> bool {
    nodes_of(doc, [expr]).into_iter().any(|node| match &doc.exprs[node].kind {
        ExprKind::Intrinsic { name, operands, .. }
            if name.starts_with("lbound") || name.starts_with("ubound") =>
        {
            operands.iter().any(|operand| has_other_bounds(doc, operand.expr, actuals))
        }
        ExprKind::Intrinsic { .. }
        | ExprKind::Constant(_)
        | ExprKind::Ref(_)
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => false,
    })
}

/// Whether an expression is a dummy argument whose bounds may be others than those of the actual argument.
fn has_other_bounds(doc: &Document, expr: ExprId, actuals: &HashMap<SymbolId, ExprId>) -> bool {
    let ExprKind::Ref(reference) = doc.exprs[expr].kind else { return false };
    let dummy = &doc.refs[reference];
    let Some(&actual) = actuals.get(&dummy.base).filter(|_| dummy.parts.is_empty()) else {
        return false;
    };
    // These keep the bounds of what is passed.
    if doc.has(dummy.base, Attr::Allocatable) || doc.has(dummy.base, Attr::Pointer) {
        return false;
    }
    let actual_begins_at_one = || {
        let ExprKind::Ref(whole) = doc.exprs[actual].kind else { return true };
        let whole = &doc.refs[whole];
        let section = matches!(whole.parts.last(), Some(Part::Elements(_)));
        section || whole.parts.is_empty() && begins_at_one(doc, whole.base)
    };
    !(begins_at_one(doc, dummy.base) && actual_begins_at_one())
}

/// Whether all dimensions of an array are declared to begin at 1.
pub(super) fn begins_at_one(doc: &Document, symbol: SymbolId) -> bool {
    let dims = doc.symbols[symbol].decl.as_ref().map(|decl| &decl.dims);
    let from_one = |dim: &Dim| match dim {
        Dim::Explicit { lower, .. } | Dim::AssumedShape { lower } | Dim::AssumedSize { lower } => {
            lower.is_none()
        }
        Dim::Deferred | Dim::AssumedRank => false,
    };
    dims.is_some_and(|dims| dims.iter().all(from_one))
}

/// A copy of an expression with actual arguments in the place of dummy arguments, wherever it names them:
/// in arguments of functions, subscripts, the object of a binding.
fn substituted(doc: &mut Document, expr: ExprId, actuals: &HashMap<SymbolId, ExprId>) -> ExprId {
    let (last_expr, last_ref) = (doc.exprs.keys().next_back(), doc.refs.keys().next_back());
    let copy = Copier::new().expr(doc, expr);
    let exprs: Vec<ExprId> =
        doc.exprs.keys().rev().take_while(|&id| Some(id) > last_expr).collect();
    let refs: Vec<RefId> = doc.refs.keys().rev().take_while(|&id| Some(id) > last_ref).collect();
    for id in exprs {
        let ExprKind::Ref(reference) = doc.exprs[id].kind else { continue };
        let Some(&actual) = actuals.get(&doc.refs[reference].base) else { continue };
        if doc.refs[reference].parts.is_empty() {
            let value = Copier::new().expr(doc, actual);
            doc.exprs[id] = doc.exprs[value].clone();
        }
    }
    for id in refs {
        let actual = actuals.get(&doc.refs[id].base).map(|&actual| &doc.exprs[actual].kind);
        let Some(&ExprKind::Ref(named)) = actual else { continue };
        let whole = Copier::new().reference(doc, named);
        let reference = doc.refs[whole].clone();
        let own = &mut doc.refs[id];
        own.base = reference.base;
        own.parts.insert_many(0, reference.parts);
    }
    copy
}
