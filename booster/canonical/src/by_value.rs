//! Arguments that are passed by value and overwritten.
//!
//! The caller's variable keeps its value, and the adjoint of the argument is added to. The adjoint of a variable that is
//! overwritten is set to zero, and would lose what the caller has put into it; in several directions the derivative
//! is an array of the caller, which must not change. So a variable of the procedure stands for the argument in
//! the body, and begins with its value:
//!
//! ```fortran
//! a = a*b                  becomes        a_own = a
//!                                         a_own = a_own*b
//! ```
//!
//! Not for optional arguments, nor in procedures with ENTRY.

use std::collections::HashSet;
use std::convert::Infallible;

use xaif_schema::model::{
    Attr, Base, Body, CharLen, Dim, Document, ExprId, ProcId, RefId, Symbol, SymbolId, TypeSpec,
};

use booster_build::{Copied, copy_decl, new_variable, nodes_of, rewrite_entry, value_of, whole};
use booster_facts::externals::Externals;
use booster_facts::side_effects::SideEffects;
use booster_facts::{Accesses, Bodies, Storage};

/// Gives such arguments variables of their own; whether there are any.
pub(super) fn copy_overwritten(doc: &mut Document) -> bool {
    let found = overwritten(doc);
    for &(proc, argument) in &found {
        stand_in(doc, proc, argument);
    }
    !found.is_empty()
}

/// The arguments by value that may have a derivative and that the procedure may change.
fn overwritten(doc: &Document) -> Vec<(ProcId, SymbolId)> {
    let mut found = Vec::new();
    for (proc, data) in doc.procs.iter() {
        if !matches!(data.body, Body::Flow(_)) || super::has_entries(doc, proc) {
            continue;
        }
        let arguments = data.args.iter().filter_map(|arg| arg.symbol);
        found.extend(arguments.filter(|&symbol| is_number(doc, symbol)).map(|own| (proc, own)));
    }
    if found.is_empty() {
        return found;
    }
    let storage = Storage::new(doc);
    let accesses = Accesses::new(doc, &storage);
    let bodies = Bodies::new(&accesses);
    let effects = SideEffects::new(&accesses, &bodies, &Externals::default());
    found.retain(|&(proc, argument)| {
        let out = &effects.of(proc).out;
        storage.locations_of_symbol(argument).iter().any(|unit| out.contains(unit))
    });
    found
}

/// Whether an argument is by value, and a number or a structure.
fn is_number(doc: &Document, symbol: SymbolId) -> bool {
    let Some(decl) = doc.symbols[symbol].decl.as_deref() else { return false };
    decl.has(Attr::Value)
        && !decl.has(Attr::Optional)
        && matches!(decl.spec.base(), Base::Real(_) | Base::Complex(_) | Base::Derived(_))
}

/// A variable of the procedure is named instead of the argument, but where extents, independents and dependents are
/// told.
fn stand_in(doc: &mut Document, proc: ProcId, argument: SymbolId) {
    let scope = doc.procs[proc].scope;
    let Symbol { class, kind, active, rank, mut decl, .. } = doc.symbols[argument].clone();
    let place = decl.as_deref().map(|decl| decl.place).unwrap_or_default();
    let base = decl.as_deref().map(|decl| decl.spec.base()).unwrap_or_default();
    let wish = format!("{}_own", doc.name(argument));
    let own = new_variable(doc, scope, &wish, base, place);
    let name = doc.name(own).to_owned();
    if let Some(decl) = decl.as_deref_mut() {
        copy_decl(doc, decl, &Copied::default());
        decl.attrs.remove(&Attr::Value);
        decl.intent = None;
        decl.name = name;
    }
    let data = &mut doc.symbols[own];
    (data.class, data.kind, data.active, data.rank) = (class, kind, active, rank);
    data.decl = decl;
    let mut told: HashSet<RefId> = named_by_declarations(doc);
    for data in doc.procs.values() {
        told.extend(data.independent.iter().chain(&data.dependent));
    }
    let is_own =
        |&reference: &RefId| doc.refs[reference].base == argument && !told.contains(&reference);
    let refs: Vec<RefId> = doc.refs.keys().filter(is_own).collect();
    // Active where it is active anywhere.
    let marked = refs.iter().filter_map(|&reference| doc.refs[reference].active).max();
    for reference in refs {
        doc.refs[reference].base = own;
    }
    let done: Result<(), Infallible> = rewrite_entry(doc, proc, |e| {
        let [to, from] = [own, argument].map(|symbol| whole(e.doc, symbol, place));
        for reference in [to, from] {
            e.doc.refs[reference].active = marked;
        }
        let value = value_of(e.doc, from);
        e.assign(to, value, place);
        Ok(())
    });
    match done {
        Ok(()) => {}
        Err(never) => match never {},
    }
}

/// The references in extents and lengths of declarations.
fn named_by_declarations(doc: &Document) -> HashSet<RefId> {
    let mut roots: Vec<ExprId> = Vec::new();
    for decl in doc.symbols.values().filter_map(|symbol| symbol.decl.as_deref()) {
        for dim in &decl.dims {
            match *dim {
                Dim::Explicit { lower, upper } => roots.extend(lower.into_iter().chain([upper])),
                Dim::AssumedShape { lower } | Dim::AssumedSize { lower, .. } => roots.extend(lower),
                Dim::Deferred | Dim::AssumedRank => {}
            }
        }
        let mut lengths = vec![decl.char_len.as_ref()];
        if let TypeSpec::Character { len, .. } = &decl.spec {
            lengths.push(Some(len));
        }
        roots.extend(lengths.into_iter().flatten().filter_map(|length| match length {
            CharLen::Expr(length) => Some(*length),
            _ => None,
        }));
    }
    let nodes = nodes_of(doc, roots);
    nodes.into_iter().filter_map(|node| doc.exprs[node].reference()).collect()
}
