//! The shape of a function's result where it is assigned to an allocatable variable: the derivative
//! procedure is a subroutine that cannot give it one, so it is allocated before.

use std::collections::HashMap;

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Allocate, ArgValue, Attr, Base, Dim, Document, ExprId, ExprKind, FunctionCall, Operand, Part,
    Place, RefId, Release, StmtKind, Subscript, SymbolId, Ty,
};

use super::body::Tangent;
use super::bound::{passed_object, with_object};
use super::reads::references;
use super::zero::exists;
use crate::build::{Copier, Emitter, binary, integer, intrinsic, value_of};
use crate::transform::derivative::Direction;

impl Tangent<'_> {
    /// Allocates the allocatable array `lhs` and, if asked for, its derivative with the shape of the result of
    /// `call`, unless the result is allocatable itself.
    pub(in crate::transform) fn shape_result(
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
            _ => like_argument(e.doc, call, rank, place),
        };
        if extents.len() != usize::from(rank) {
            return Err(self.unknown_shape(e.doc, place));
        }
        let several = self.parts.directions.is_some();
        if several && !e.doc.refs[lhs].parts.is_empty() {
            return Err(self.error(
                e.doc,
                Code::SEVERAL_DIRECTIONS,
                place,
                "an array component that takes the result of a function has no tangent in several \
                 directions at once",
                "assign the result to a variable of its own",
            ));
        }
        let whole = Copier::new().reference(e.doc, lhs);
        let mut objects = vec![whole];
        if derivative {
            objects.extend(self.parts.reference(e.doc, lhs, Direction::All));
        }
        let condition = exists(e.doc, lhs, "allocated");
        e.open_if(condition, place);
        let old = objects.iter().map(|&object| Copier::new().reference(e.doc, object)).collect();
        let release = Release { nullify: false, objects: old, stat: None, errmsg: None };
        e.stmt(StmtKind::Release(Box::new(release)), place);
        e.close_if();
        for (number, &object) in objects.iter().enumerate() {
            let mut bounds: Vec<Subscript> = Vec::new();
            if let Some(count) = self.parts.directions.filter(|_| number > 0) {
                bounds.push(Subscript::Index(integer(e.doc, i64::from(count), place)));
            }
            for &extent in &extents {
                bounds.push(Subscript::Index(Copier::new().expr(e.doc, extent)));
            }
            e.doc.refs[object].parts.push(Part::Elements(bounds));
        }
        let allocate =
            Allocate { spec: None, objects, stat: None, errmsg: None, source: None, mold: None };
        e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
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
            if !known {
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

/// The extents of the first array argument of an elemental function.
fn like_argument(doc: &mut Document, call: &FunctionCall, rank: u8, place: Place) -> Vec<ExprId> {
    let args = with_object(doc, &call.callee, &call.args);
    let array = args.iter().find_map(|arg| match arg.value {
        ArgValue::Expr(value) if doc.exprs[value].ty.rank == rank => Some(value),
        ArgValue::Expr(_) | ArgValue::AlternateReturn(_) => None,
    });
    let Some(array) = array else { return Vec::new() };
    let size = |number| {
        let array = Copier::new().expr(doc, array);
        let number = integer(doc, i64::from(number), place);
        intrinsic(doc, "size", &[array, number], Ty::scalar(Base::Integer(4)))
    };
    (1..=rank).map(size).collect()
}

/// A copy of an expression with actual arguments in the place of dummy arguments.
fn substituted(doc: &mut Document, expr: ExprId, actuals: &HashMap<SymbolId, ExprId>) -> ExprId {
    if let ExprKind::Ref(reference) = doc.exprs[expr].kind
        && let Some(&actual) = actuals.get(&doc.refs[reference].base)
    {
        if doc.refs[reference].parts.is_empty() {
            return Copier::new().expr(doc, actual);
        }
        if let ExprKind::Ref(named) = doc.exprs[actual].kind {
            let copy = Copier::new().reference(doc, reference);
            let whole = Copier::new().reference(doc, named);
            let mut parts = doc.refs[whole].parts.clone();
            parts.extend(doc.refs[copy].parts.drain(..));
            doc.refs[whole].parts = parts;
            doc.refs[whole].ty = doc.refs[copy].ty;
            return value_of(doc, whole);
        }
    }
    let copy = match doc.exprs[expr].kind.clone() {
        ExprKind::Intrinsic { name, spelling, operands } => {
            let operands = operands
                .into_iter()
                .map(|operand| Operand { expr: substituted(doc, operand.expr, actuals), ..operand })
                .collect();
            ExprKind::Intrinsic { name, spelling, operands }
        }
        _ => return Copier::new().expr(doc, expr),
    };
    let (ty, place) = (doc.exprs[expr].ty, doc.exprs[expr].place);
    crate::build::node(doc, copy, ty, place)
}
