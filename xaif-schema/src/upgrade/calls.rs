//! Calls that a compiler would not take.
//!
//! whirl2xaif lets a program pass a whole array where a scalar is expected, as Fortran 77 programs
//! do; the first element means the same. And it keeps no interfaces: where a callee needs one
//! (optional arguments, assumed shape), its callers get an interface block.

use std::collections::HashMap;

use crate::model::{
    ArgValue, Attr, Body, Dim, Document, Effects, ExprKind, InterfaceItem, Part, ProcId, Procedure,
    RefId, Role, ScopeId, ScopeKind, SpecItem, StmtId, StmtKind, Subscript, Symbol, SymbolId,
};

use super::symbols::integer_literal;
use crate::uses::{Mention, Uses};

/// Passes the first element where an array is passed for a scalar dummy argument.
pub(super) fn first_elements(doc: &mut Document) {
    for (actual, dummy) in variables_passed(doc) {
        first_element(doc, actual, dummy);
    }
}

/// The references that call statements pass to procedures of the document, each with its dummy
/// argument.
fn variables_passed(doc: &Document) -> Vec<(RefId, SymbolId)> {
    let dummies: HashMap<SymbolId, Vec<Option<SymbolId>>> = doc
        .procs
        .values()
        .map(|proc| (proc.symbol, proc.args.iter().map(|arg| arg.symbol).collect()))
        .collect();
    let mut pairs = Vec::new();
    for stmt in doc.stmts.values() {
        let StmtKind::Call(call) = &stmt.kind else { continue };
        let Some(dummies) = dummies.get(&call.callee.symbol) else { continue };
        pairs.extend(call.args.iter().zip(dummies).filter_map(|(arg, dummy)| match arg.value {
            ArgValue::Expr(expr) => match doc.exprs[expr].kind {
                ExprKind::Ref(reference) => Some((reference, (*dummy)?)),
                _ => None,
            },
            ArgValue::AlternateReturn(_) => None,
        }));
    }
    pairs
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

/// Passes the rest of a vector from an element on, where an element is passed for an array: the
/// language has it so for every array but those of assumed shape and pointers. Whether an array is
/// one of them is not written in a XAIF 1.0 document, so this comes after its declaration.
pub(super) fn rests(doc: &mut Document) {
    for (actual, dummy) in variables_passed(doc) {
        let base = doc.refs[actual].base;
        let Some(decl) = &doc.symbols[base].decl else { continue };
        let pointer = decl.has(Attr::Pointer);
        let scattered = match decl.dims.as_slice() {
            [Dim::AssumedShape { .. }] => true,
            [Dim::Deferred] => pointer,
            _ => false,
        };
        let array = doc.symbols[dummy].rank.unwrap_or(0) > 0;
        if let (true, true, [Part::Elements(subscripts)]) =
            (scattered, array, doc.refs[actual].parts.as_mut_slice())
            && let [subscript] = subscripts.as_mut_slice()
            && let Subscript::Index(first) = *subscript
        {
            *subscript = Subscript::Section { lower: Some(first), upper: None, stride: None };
        }
    }
}

/// Names the dummy arguments of those actual ones that follow a gap: an optional argument is absent.
pub(super) fn keywords(doc: &mut Document) {
    let dummies: HashMap<SymbolId, Vec<(u32, SymbolId)>> = doc
        .procs
        .values()
        .map(|proc| {
            let args = proc.args.iter().filter_map(|arg| Some((arg.position, arg.symbol?)));
            (proc.symbol, args.collect())
        })
        .collect();
    let stmts: Vec<StmtId> = doc.stmts.keys().collect();
    for stmt in stmts {
        let StmtKind::Call(call) = &doc.stmts[stmt].kind else { continue };
        let Some(dummies) = dummies.get(&call.callee.symbol) else { continue };
        let mut call = call.clone();
        let mut gap = false;
        for (index, arg) in call.args.iter_mut().enumerate() {
            let dummy = dummies.iter().position(|&(position, _)| position == arg.position);
            gap |= dummy.is_some_and(|dummy| dummy != index);
            if let (true, Some(dummy), None) = (gap, dummy, &arg.keyword) {
                arg.keyword = Some(doc.name(dummies[dummy].1).into());
            }
        }
        doc.stmts[stmt].kind = StmtKind::Call(call);
    }
}

/// Gives callers of external procedures that need an interface an interface block.
pub(super) fn interfaces(doc: &mut Document) {
    let callees: Vec<ProcId> =
        doc.procs.iter().filter(|(_, proc)| needs_interface(doc, proc)).map(|(id, _)| id).collect();
    if callees.is_empty() {
        return;
    }
    let callers: Vec<(ScopeId, Vec<(Mention, SymbolId)>)> = doc
        .procs
        .values()
        .filter_map(|proc| {
            let Body::Flow(cfg) = &proc.body else { return None };
            let mut uses = Uses::new(doc);
            uses.cfg(cfg);
            Some((proc.scope, uses.procedures))
        })
        .collect();
    for (scope, called) in callers {
        for &callee in &callees {
            let symbol = doc.procs[callee].symbol;
            let places: Vec<Mention> =
                called.iter().filter(|(_, called)| *called == symbol).map(|(at, _)| *at).collect();
            if !places.is_empty() && doc.procs[callee].scope != scope {
                let (local, body) = interface(doc, callee, scope);
                doc.scopes[scope].items.push(SpecItem::Interface {
                    generic: None,
                    is_abstract: false,
                    items: vec![InterfaceItem::Body(body)],
                });
                places.into_iter().for_each(|place| name(doc, place, local));
            }
        }
    }
}

/// Makes a call name the procedure by `symbol`.
fn name(doc: &mut Document, place: Mention, symbol: SymbolId) {
    match place {
        Mention::Stmt(stmt) => {
            if let StmtKind::Call(call) = &mut doc.stmts[stmt].kind {
                call.callee.symbol = symbol;
            }
        }
        Mention::Expr(expr) => match &mut doc.exprs[expr].kind {
            ExprKind::Call(call) => call.callee.symbol = symbol,
            ExprKind::Procedure(procedure) => *procedure = symbol,
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Opaque(_) => {}
        },
    }
}

fn needs_interface(doc: &Document, proc: &Procedure) -> bool {
    let external = doc.scopes[proc.scope].parent == doc.global_scope();
    let telling = |symbol: SymbolId| {
        doc.symbols[symbol].decl.as_ref().is_some_and(|decl| {
            decl.has(Attr::Optional)
                || decl.has(Attr::Pointer)
                || decl.dims.iter().any(|dim| matches!(dim, Dim::AssumedShape { .. }))
        })
    };
    external && proc.args.iter().filter_map(|arg| arg.symbol).any(telling)
}

/// An interface body for `callee` in `scope`, and the name of `scope` that it declares: as our
/// front-ends have it, the name is a symbol of its own beside the global one.
fn interface(doc: &mut Document, callee: ProcId, scope: ScopeId) -> (SymbolId, ScopeId) {
    let mut copy = doc.procs[callee].clone();
    let symbol = Symbol { scope, ..doc.symbols[copy.symbol].clone() };
    copy.symbol = doc.add_symbol(symbol);
    let body = doc.add_scope(scope, ScopeKind::Procedure(copy.symbol), copy.place);
    doc.scopes[body].items.push(SpecItem::ImplicitNone(None));
    for arg in &mut copy.args {
        let symbol = arg.symbol.map(|symbol| Symbol { scope: body, ..doc.symbols[symbol].clone() });
        arg.symbol = symbol.map(|symbol| doc.add_symbol(symbol));
    }
    copy.scope = body;
    copy.body = Body::Interface;
    // The facts belong to the body.
    copy.effects = Effects::default();
    copy.independent.clear();
    copy.dependent.clear();
    let symbol = copy.symbol;
    let proc = doc.procs.push(copy);
    if let Some(Role::Procedure(info)) =
        doc.symbols[symbol].decl.as_mut().map(|decl| &mut decl.role)
    {
        info.proc = Some(proc);
    }
    (symbol, body)
}
