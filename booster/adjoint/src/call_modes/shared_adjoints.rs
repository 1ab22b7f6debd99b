//! Calls that are given one array of unknown extent twice, for arguments that are only read.
//!
//! `ddot(n, a(1, j), 1, a(1, j), 1)` of an array of assumed size: an adjoint is never passed twice, and an
//! adjoint of its own that is added behind the call (`actual`) would need an extent that nobody knows.
//! So the call is given a copy of the adjoint procedure in which both arguments have one adjoint
//! (`derivative/share`): both mean the same elements, so what is added to one is added to the other.
//!
//! That holds if the arguments are declared alike, nothing overwrites them, and the procedure passes
//! neither on to another that has a derivative. A copy has saved variables of its own, so the procedure
//! must have none. All else is refused by `actual`.

use std::collections::HashMap;

use xaif_schema::model::{
    ArgValue, Attr, Body, Cfg, Dim, Document, ProcId, RefId, StmtId, SymbolId,
};

use crate::body::{entries, statements};
use crate::call_modes::choice::{call_of, callee_of};
use crate::queries::designators::has_open_end;
use booster_build::{same_expr, same_reference};
use booster_facts::arguments_of;
use booster_facts::externals::Externals;
use booster_facts::side_effects::{SideEffects, Summary};
use booster_facts::{Accesses, Bodies, Storage};
use booster_shadow::derivative::{Counterparts, Slot};
use booster_tangent::reads::names_in_statement;

/// A call, the adjoint procedure that it wants, and the arguments that are equal.
struct Wish {
    stmt: StmtId,
    proc: ProcId,
    pairs: Vec<(u32, u32)>,
}

/// Makes the copies that calls want.
pub(crate) fn share(doc: &mut Document, parts: &mut Counterparts, externals: &Externals) {
    let mut wishes = wishes(doc, parts);
    if wishes.is_empty() {
        return;
    }
    let storage = Storage::new(doc);
    let accesses = Accesses::new(doc, &storage);
    let bodies = Bodies::new(&accesses);
    let effects = SideEffects::new(&accesses, &bodies, externals);
    wishes.retain(|wish| can_share(doc, parts, &storage, effects.of(wish.proc), wish));
    wishes.iter().for_each(|wish| parts.share(doc, wish.proc, &wish.pairs));
}

/// The calls for which such copies have been made, with these.
pub(crate) fn shared_calls(doc: &Document, parts: &Counterparts) -> HashMap<StmtId, SymbolId> {
    let of = |wish: Wish| Some((wish.stmt, parts.shared(wish.proc, &wish.pairs)?));
    match parts.shares() {
        true => wishes(doc, parts).into_iter().filter_map(of).collect(),
        false => HashMap::new(),
    }
}

fn wishes(doc: &Document, parts: &Counterparts) -> Vec<Wish> {
    let bodies = parts.procedures.iter().filter_map(|&(_, proc)| match &doc.procs[proc].body {
        Body::Flow(cfg) => Some(cfg),
        Body::Interface | Body::Replacements { .. } => None,
    });
    bodies.flat_map(statements).filter_map(|stmt| wish(doc, parts, stmt)).collect()
}

fn wish(doc: &Document, parts: &Counterparts, stmt: StmtId) -> Option<Wish> {
    let (callee, args, active) = call_of(doc, stmt).filter(|call| call.0.object.is_none())?;
    let derivative = parts.callee(callee.symbol).filter(|_| active != Some(false))?;
    let slots = parts.signature(derivative)?;
    let variables: Vec<(u32, RefId)> = args
        .iter()
        .filter(|arg| slots.contains(&Slot::ArgumentDerivative(arg.position)))
        .filter_map(|arg| match arg.value {
            ArgValue::Expr(expr) if !doc.exprs[expr].parens => {
                doc.exprs[expr].reference().map(|reference| (arg.position, reference))
            }
            ArgValue::Expr(_) | ArgValue::AlternateReturn(_) => None,
        })
        .collect();
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for (at, &(second, reference)) in variables.iter().enumerate() {
        let same = |(_, other): &&(u32, RefId)| same_reference(doc, *other, reference);
        let first = variables[..at]
            .iter()
            .find(same)
            .filter(|_| has_open_end(doc, doc.refs[reference].base));
        pairs.extend(first.map(|&(first, _)| (first, second)));
    }
    // A dummy procedure, or one that chooses among others, has no body that could be copied.
    let proc = parts.derivative_procedure(doc, callee.symbol).filter(|_| !pairs.is_empty())?;
    let described =
        doc.procedure_of(derivative).is_some_and(|p| doc.procs[p].body == Body::Interface);
    let known = parts.procedures.iter().any(|&(_, own)| own == proc);
    (known && !described).then_some(Wish { stmt, proc, pairs })
}

fn can_share(
    doc: &Document,
    parts: &Counterparts,
    storage: &Storage,
    effects: &Summary,
    wish: &Wish,
) -> bool {
    let proc = wish.proc;
    let Body::Flow(cfg) = &doc.procs[proc].body else { return false };
    let Some(slots) = parts.signature(doc.procs[proc].symbol) else { return false };
    let dummy = |position: u32| {
        let at = slots.iter().position(|slot| *slot == Slot::Argument(position))?;
        doc.procs[proc].args.get(at)?.symbol
    };
    let tree = doc.nest();
    let keeps = tree.inside(doc.procs[proc].scope).into_iter().any(|scope| {
        let symbols = doc.scopes[scope].symbols.iter();
        symbols.copied().any(|symbol| {
            let decl = doc.symbols[symbol].decl.as_deref();
            storage.procedures().is_static(symbol) && decl.is_none_or(|decl| decl.common.is_none())
        })
    });
    let alike = wish.pairs.iter().all(|&(first, second)| {
        let (Some(first), Some(second)) = (dummy(first), dummy(second)) else { return false };
        let untouched = [first, second].into_iter().all(|symbol| {
            let locations = storage.locations_of_symbol(symbol);
            !locations.iter().any(|location| effects.out.contains(location))
                && !is_passed_on(doc, parts, cfg, symbol)
        });
        untouched && declared_alike(doc, first, second)
    });
    !keeps && entries(cfg).next().is_none() && alike
}

/// Whether two arrays have the same elements where they begin at the same one.
fn declared_alike(doc: &Document, first: SymbolId, second: SymbolId) -> bool {
    let (Some(one), Some(other)) =
        (doc.symbols[first].decl.as_deref(), doc.symbols[second].decl.as_deref())
    else {
        return false;
    };
    let plain = |symbol: SymbolId| {
        let others = [Attr::Value, Attr::Optional, Attr::Pointer, Attr::Allocatable, Attr::Target];
        !others.iter().any(|&attr| doc.has(symbol, attr))
    };
    let bound = |a: Option<_>, b: Option<_>| match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => same_expr(doc, a, b),
        (Some(_), None) | (None, Some(_)) => false,
    };
    let dim = |(a, b): (&Dim, &Dim)| match (a, b) {
        (Dim::Explicit { lower: la, upper: ua }, Dim::Explicit { lower: lb, upper: ub }) => {
            bound(*la, *lb) && same_expr(doc, *ua, *ub)
        }
        (Dim::AssumedSize { lower: la }, Dim::AssumedSize { lower: lb }) => bound(*la, *lb),
        _ => false,
    };
    plain(first)
        && plain(second)
        && one.spec.base() == other.spec.base()
        && !one.dims.is_empty()
        && one.dims.len() == other.dims.len()
        && one.dims.iter().zip(&other.dims).all(dim)
}

/// Whether a statement that calls what has a derivative names a variable.
fn is_passed_on(doc: &Document, parts: &Counterparts, cfg: &Cfg, symbol: SymbolId) -> bool {
    statements(cfg).any(|stmt| {
        let callee = callee_of(doc, stmt).map(|(callee, _)| callee.symbol);
        let may_differ = callee.is_some_and(|callee| {
            parts.callee(callee).is_some() || arguments_of(doc, callee).is_none()
        });
        may_differ && names_in_statement(doc, stmt, symbol)
    })
}
