//! Actual arguments whose rank is not that of the dummy argument.
//!
//! whirl2xaif lets a program pass a whole array where a scalar is expected, as Fortran 77 programs
//! do. The first element means the same and is what compilers accept.

use std::collections::HashMap;

use xaif_schema::model::{
    ArgValue, Document, ExprKind, Part, RefId, StmtId, StmtKind, Subscript, SymbolId,
};

use super::symbols::integer_literal;

/// Passes the first element where an array is passed for a scalar dummy argument.
pub(super) fn first_elements(doc: &mut Document) {
    let dummies: HashMap<SymbolId, Vec<Option<SymbolId>>> = doc
        .procs
        .values()
        .map(|proc| (proc.symbol, proc.args.iter().map(|arg| arg.symbol).collect()))
        .collect();
    let stmts: Vec<StmtId> = doc.stmts.keys().collect();
    for stmt in stmts {
        let StmtKind::Call(call) = &doc.stmts[stmt].kind else { continue };
        let Some(dummies) = dummies.get(&call.callee.symbol) else { continue };
        let pairs: Vec<(RefId, SymbolId)> = call
            .args
            .iter()
            .zip(dummies)
            .filter_map(|(arg, dummy)| match arg.value {
                ArgValue::Expr(expr) => match doc.exprs[expr].kind {
                    ExprKind::Ref(reference) => Some((reference, (*dummy)?)),
                    _ => None,
                },
                ArgValue::AlternateReturn(_) => None,
            })
            .collect();
        for (actual, dummy) in pairs {
            first_element(doc, actual, dummy);
        }
    }
}

fn first_element(doc: &mut Document, actual: RefId, dummy: SymbolId) {
    let base = &doc.symbols[doc.refs[actual].base];
    let rank = usize::from(base.rank.unwrap_or(0));
    let genuine = base.decl.is_none() && doc.symbols[dummy].decl.is_none();
    let scalar = doc.symbols[dummy].rank.unwrap_or(0) == 0;
    if !genuine || !scalar || rank == 0 || !doc.refs[actual].parts.is_empty() {
        return;
    }
    let lower: Vec<i64> = match base.bounds.len() == rank {
        true => base.bounds.iter().rev().map(|bounds| bounds.0).collect(),
        false => vec![1; rank],
    };
    let subscripts = lower.into_iter().map(|lower| Subscript::Index(integer_literal(doc, lower)));
    let subscripts = subscripts.collect();
    doc.refs[actual].parts.push(Part::Elements(subscripts));
}
