//! Extents of arrays of which a XAIF 1.0 document does not tell them.
//!
//! whirl2xaif writes no bounds for an array that the source allocates, or whose bounds are no
//! constants, and no ALLOCATE. Where such an array is only ever assigned and read by sections that
//! all go from 1 to the same constant, that is its extent. What the extent depends on at run time
//! is not looked at; such an array stays allocatable.

use std::collections::{HashMap, HashSet};

use crate::model::{
    Document, ExprId, ExprKind, Part, RefId, Reference, StmtKind, Subscript, SymbolId, SymbolKind,
};

/// The extents of arrays that only their sections tell, in Fortran's order of dimensions.
pub(super) fn told_by_sections(doc: &Document) -> HashMap<SymbolId, Vec<i64>> {
    let assigned: HashSet<RefId> = doc
        .stmts
        .values()
        .filter_map(|stmt| match stmt.kind {
            StmtKind::Assign { lhs, .. } => Some(lhs),
            StmtKind::Propagate(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => None,
        })
        .collect();
    let mut told: HashMap<SymbolId, Vec<i64>> = HashMap::new();
    let mut unclear: HashSet<SymbolId> = HashSet::new();
    for (id, reference) in &doc.refs {
        let symbol = &doc.symbols[reference.base];
        let open = symbol.decl.is_none()
            && symbol.kind == SymbolKind::Variable
            && symbol.pointer != Some(true)
            && symbol.bounds.is_empty();
        // An assignment to the whole gives an allocatable the shape of what is assigned.
        let whole = reference.parts.is_empty();
        if !open || whole && !assigned.contains(&id) {
            continue;
        }
        match sections(doc, reference) {
            Some(extents) if *told.entry(reference.base).or_insert(extents.clone()) == extents => {}
            _ => {
                unclear.insert(reference.base);
            }
        }
    }
    told.retain(|symbol, _| !unclear.contains(symbol));
    told
}

/// The upper bounds of the sections that start at 1, where all subscripts are such sections.
fn sections(doc: &Document, reference: &Reference) -> Option<Vec<i64>> {
    let [Part::Elements(subscripts)] = reference.parts.as_slice() else { return None };
    let one = |bound: Option<ExprId>| bound.is_none_or(|bound| constant(doc, bound) == Some(1));
    let extents = subscripts.iter().map(|subscript| match *subscript {
        Subscript::Section { lower, upper, stride } if one(lower) && one(stride) => {
            constant(doc, upper?)
        }
        Subscript::Section { .. } | Subscript::Index(_) => None,
    });
    extents.collect()
}

/// The value of a literal, or of SIZE of an array whose bounds are known.
fn constant(doc: &Document, expr: ExprId) -> Option<i64> {
    match &doc.exprs[expr].kind {
        ExprKind::Constant(constant) => constant.text.parse().ok(),
        ExprKind::Intrinsic { name, operands, .. } if &**name == "size" => {
            let [operand] = operands.as_slice() else { return None };
            let ExprKind::Ref(array) = doc.exprs[operand.expr].kind else { return None };
            let array = &doc.refs[array];
            let symbol = &doc.symbols[array.base];
            let known = symbol.rank.map(usize::from) == Some(symbol.bounds.len());
            let size = |&(lower, upper): &(i64, i64)| {
                Some(upper.checked_sub(lower)?.checked_add(1)?.max(0))
            };
            let mut sizes = symbol.bounds.iter().map(size);
            (known && array.parts.is_empty())
                .then(|| sizes.try_fold(1i64, |total, size| total.checked_mul(size?)))?
        }
        ExprKind::Intrinsic { .. }
        | ExprKind::Ref(_)
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => None,
    }
}
