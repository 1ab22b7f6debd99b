//! Pointer parameters of C that may point to the same objects.
//!
//! The analyses and the derivatives take dummy arguments as objects of their own, as Fortran promises. C promises
//! that for `restrict` alone. So a procedure that a program of C offers to others is differentiated only where its
//! active parameters cannot overlap. Of calls within the program the arguments are compared: parts of one
//! variable are refused where one of them may be overwritten, and so is a global variable that the function names
//! itself.

use std::collections::HashSet;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Body, Document, ExprKind, Intent, Part, Place, Procedure, RefId,
    ScopeKind, Subscript, SymbolId,
};

/// Refuses active procedures, called by no other, with parameters that may overlap.
pub(crate) fn refuse(doc: &Document) -> Result<(), Diagnostics> {
    let called: HashSet<_> = doc.calls.iter().map(|&(_, callee)| callee).collect();
    let heads = doc.procs.iter().filter(|(id, proc)| {
        !called.contains(id) && matches!(proc.body, Body::Flow(_)) && proc.active != Some(false)
    });
    let mut found: Diagnostics = heads.filter_map(|(_, proc)| overlap(doc, proc)).collect();
    for (callee, args) in doc.calls() {
        let proc = doc.described_by(callee.symbol).map(|proc| &doc.procs[proc]);
        let active = proc.filter(|proc| proc.active != Some(false));
        if let Some(problem) = active.and_then(|proc| overlap_of_call(doc, proc, args)) {
            found.push(problem);
        }
    }
    if found.has_errors() { Err(found) } else { Ok(()) }
}

/// A message for the first two parameters of a procedure that may overlap.
fn overlap(doc: &Document, proc: &Procedure) -> Option<Diagnostic> {
    let pointers: Vec<SymbolId> = proc
        .args
        .iter()
        .filter_map(|arg| arg.symbol)
        .filter(|&symbol| is_real(doc, symbol) && !doc.has(symbol, Attr::Value))
        .collect();
    for (index, &one) in pointers.iter().enumerate() {
        for &other in &pointers[index + 1..] {
            let same = doc.declared_base(one) == doc.declared_base(other)
                || is_structure(doc, one)
                || is_structure(doc, other);
            let written = !is_read_only(doc, one) || !is_read_only(doc, other);
            let apart = doc.has(one, Attr::Restrict) || doc.has(other, Attr::Restrict);
            if same && written && !apart {
                let place = doc.symbols[other].decl.as_ref().map(|decl| decl.place)?;
                let (a, b) = (doc.name(one), doc.name(other));
                let message = format!("`{a}` and `{b}` may point to the same objects");
                let help = "declare one of them restrict, or say by --no-alias that no call passes overlapping objects";
                return Some(
                    Diagnostic::error(Code::C_OVERLAP, doc.spot(place), message).with_help(help),
                );
            }
        }
    }
    None
}

/// A message for the first two arguments of a call that share memory, or for a global variable as an argument.
fn overlap_of_call(doc: &Document, proc: &Procedure, args: &[Arg]) -> Option<Diagnostic> {
    let passed: Vec<(SymbolId, RefId)> = args
        .iter()
        .filter_map(|arg| {
            let place = usize::try_from(arg.position).ok()?.checked_sub(1)?;
            let dummy = proc.args.get(place)?.symbol?;
            let ArgValue::Expr(value) = arg.value else { return None };
            let reference = doc.exprs[value].reference()?;
            let pointer = is_real(doc, dummy) && !doc.has(dummy, Attr::Value);
            pointer.then_some((dummy, reference))
        })
        .collect();
    for (index, &(one, a)) in passed.iter().enumerate() {
        for &(other, b) in &passed[index + 1..] {
            let (x, y) = (&doc.refs[a], &doc.refs[b]);
            let written = !is_read_only(doc, one) || !is_read_only(doc, other);
            if written && x.base == y.base && !are_apart(doc, (one, a), (other, b)) {
                let name = doc.name(x.base);
                let message =
                    format!("parts of `{name}` that may overlap are passed for two parameters");
                return Some(refusal(doc, y.place, message));
            }
        }
    }
    for &(dummy, reference) in &passed {
        let data = &doc.refs[reference];
        let home = doc.symbols[data.base].scope;
        if !matches!(doc.scopes[home].kind, ScopeKind::Module(_)) {
            continue;
        }
        let names = |list: &Option<Vec<RefId>>| match list {
            Some(list) => list.iter().any(|&one| doc.refs[one].base == data.base),
            None => true,
        };
        let modified = names(&proc.effects.modified);
        if modified || !is_read_only(doc, dummy) && names(&proc.effects.read) {
            let name = doc.name(data.base);
            let message = format!("the function names the variable `{name}` that is passed to it");
            return Some(refusal(doc, data.place, message));
        }
    }
    None
}

/// Whether two references to one variable have nothing in common.
fn are_apart(doc: &Document, (one, a): (SymbolId, RefId), (other, b): (SymbolId, RefId)) -> bool {
    let (x, y) = (&doc.refs[a].parts, &doc.refs[b].parts);
    let single =
        |dummy: SymbolId| doc.symbols[dummy].decl.as_ref().is_some_and(|decl| decl.dims.is_empty());
    let literal = |index: &Subscript| match index {
        Subscript::Index(index) => match &doc.exprs[*index].kind {
            ExprKind::Constant(constant) => Some(constant.text.clone()),
            _ => None,
        },
        Subscript::Section { .. } => None,
    };
    for (p, q) in x.iter().zip(y) {
        match (p, q) {
            (Part::Component { symbol: p, .. }, Part::Component { symbol: q, .. }) => {
                if p != q {
                    return true;
                }
            }
            (Part::Elements(p), Part::Elements(q)) if single(one) && single(other) => {
                let differ = p.iter().zip(q).any(|(p, q)| match (literal(p), literal(q)) {
                    (Some(p), Some(q)) => p != q,
                    _ => false,
                });
                if differ {
                    return true;
                }
            }
            _ => return false,
        }
    }
    false
}

fn refusal(doc: &Document, place: Place, message: String) -> Diagnostic {
    let help = "pass objects of their own, or say by --no-alias that they do not overlap";
    Diagnostic::error(Code::C_OVERLAP, doc.spot(place), message).with_help(help)
}

fn is_read_only(doc: &Document, symbol: SymbolId) -> bool {
    doc.symbols[symbol].decl.as_ref().is_some_and(|decl| decl.intent == Some(Intent::In))
}

fn is_structure(doc: &Document, symbol: SymbolId) -> bool {
    matches!(doc.declared_base(symbol), Base::Derived(_))
}

fn is_real(doc: &Document, symbol: SymbolId) -> bool {
    doc.declared_base(symbol).is_continuous() || is_structure(doc, symbol)
}
