//! Changes of where local variables live, of their kinds and of their bounds.

use std::convert::Infallible;

use xaif_booster::build::{binary, integer, intrinsic, rewrite_entry, value_of, whole};
use xaif_booster::transform::derivative::{declaration, symbol as plain_symbol};
use xaif_schema::model::{
    Allocate, ArgValue, Attr, Base, Body, Dim, Document, ExprId, Part, ProcId, RefId, Role,
    ScopeId, ScopeKind, SpecItem, StmtKind, Subscript, Symbol, SymbolId, Ty, TypeSpec, VertexKind,
};

use super::Mutation;
use super::declare::{
    Bounds, bring_in, dims, extents, module, name, nowhere, spec, take_out, variable,
};
use super::draft::Draft;

pub(super) const MUTATIONS: &[Mutation] = &[
    Mutation { name: "SAVE", apply: saved },
    Mutation { name: "a variable of a module", apply: of_module },
    Mutation { name: "COMMON", apply: in_common },
    Mutation { name: "EQUIVALENCE", apply: equivalent },
    Mutation { name: "an allocatable variable", apply: allocatable },
    Mutation { name: "a pointer to a target", apply: pointer },
    Mutation { name: "a component", apply: component },
    Mutation { name: "an automatic array", apply: automatic },
    Mutation { name: "other bounds", apply: bounds },
    Mutation { name: "more elements", apply: more_elements },
    Mutation { name: "TARGET", apply: target },
    Mutation { name: "kind 4", apply: single },
];

fn local(draft: &mut Draft<'_>) -> Option<(ProcId, SymbolId)> {
    let locals = draft.locals();
    draft.one(&locals)
}

/// A local array with its bounds.
fn array(draft: &mut Draft<'_>) -> Option<(ProcId, SymbolId, Bounds)> {
    let arrays: Vec<_> = draft
        .locals()
        .into_iter()
        .filter_map(|(proc, symbol)| Some((proc, symbol, extents(draft.doc, symbol)?)))
        .filter(|(.., bounds)| !bounds.is_empty())
        .collect();
    draft.one(&arrays)
}

fn attribute(doc: &mut Document, symbol: SymbolId, attr: Attr) -> Option<()> {
    let added = doc.symbols[symbol].decl.as_deref_mut()?.attrs.insert(attr);
    added.then_some(())
}

fn base_of(doc: &Document, symbol: SymbolId) -> Base {
    doc.symbols[symbol].decl.as_ref().map_or(Base::Unknown, |decl| decl.spec.base())
}

/// Declares a variable by itself, by constants alone.
fn declared_plainly(doc: &mut Document, symbol: SymbolId) -> Option<()> {
    let bounds = extents(doc, symbol)?;
    let (dims, spec) = (dims(doc, &bounds), spec(doc, base_of(doc, symbol)));
    let decl = doc.symbols[symbol].decl.as_deref_mut()?;
    (decl.dims, decl.spec, decl.implicit) = (dims, spec, false);
    Some(())
}

fn saved(draft: &mut Draft<'_>) -> Option<()> {
    let (proc, symbol) = local(draft)?;
    if draft.is_pure(proc) || draft.doc.has(draft.doc.procs[proc].symbol, Attr::Recursive) {
        return None;
    }
    attribute(draft.doc, symbol, Attr::Save)
}

fn target(draft: &mut Draft<'_>) -> Option<()> {
    let (_, symbol) = local(draft)?;
    attribute(draft.doc, symbol, Attr::Target)
}

fn of_module(draft: &mut Draft<'_>) -> Option<()> {
    let (proc, symbol) = local(draft)?;
    if draft.is_pure(proc) || draft.doc.has(draft.doc.procs[proc].symbol, Attr::Recursive) {
        return None;
    }
    let scope = draft.doc.procs[proc].scope;
    declared_plainly(draft.doc, symbol)?;
    let (module, home) = module(draft.doc)?;
    take_out(draft.doc, symbol);
    draft.doc.symbols[symbol].scope = home;
    draft.doc.scopes[home].symbols.push(symbol);
    draft.doc.scopes[home].items.push(SpecItem::Declare(vec![symbol]));
    bring_in(draft.doc, scope, module, symbol);
    Some(())
}

fn in_common(draft: &mut Draft<'_>) -> Option<()> {
    let (proc, symbol) = local(draft)?;
    if draft.is_pure(proc) || draft.doc.has(draft.doc.procs[proc].symbol, Attr::Recursive) {
        return None;
    }
    let scope = draft.doc.procs[proc].scope;
    let doc = &mut *draft.doc;
    let global = doc.global_scope()?;
    let name = name(doc, "mut_c");
    let decl = declaration(name.clone(), Role::CommonBlock, nowhere());
    let plain = plain_symbol(global, decl);
    let block = doc.add_symbol(Symbol { id: format!("/{name}/"), ..plain });
    doc.symbols[symbol].decl.as_deref_mut()?.common = Some((block, 0));
    doc.scopes[scope].items.push(SpecItem::Common { block, members: vec![symbol] });
    Some(())
}

/// Another variable has the same storage, and some references name it instead.
fn equivalent(draft: &mut Draft<'_>) -> Option<()> {
    let (proc, symbol) = local(draft)?;
    if draft.doc.has(symbol, Attr::Target) {
        return None;
    }
    let scope = draft.doc.procs[proc].scope;
    let other = twin(draft.doc, symbol, scope)?;
    let set = [symbol, other].map(|one| whole(draft.doc, one, nowhere()));
    draft.doc.scopes[scope].items.push(SpecItem::Declare(vec![other]));
    draft.doc.scopes[scope].items.push(SpecItem::Equivalence(vec![set.to_vec()]));
    some_references(draft, symbol, other, &set)
}

/// A variable like another.
pub(super) fn twin(doc: &mut Document, symbol: SymbolId, scope: ScopeId) -> Option<SymbolId> {
    let bounds = extents(doc, symbol)?;
    let (spec, dims) = (spec(doc, base_of(doc, symbol)), dims(doc, &bounds));
    Some(variable(doc, scope, "mut_v", spec, dims))
}

/// Some references to a variable become references to another.
fn some_references(
    draft: &mut Draft<'_>,
    from: SymbolId,
    to: SymbolId,
    but: &[RefId],
) -> Option<()> {
    let all: Vec<RefId> = draft.doc.refs.keys().collect();
    let mut changed = false;
    for one in all {
        if draft.doc.refs[one].base == from && !but.contains(&one) && draft.rng.bool() {
            draft.doc.refs[one].base = to;
            changed = true;
        }
    }
    changed.then_some(())
}

/// Executes statements first in a procedure.
fn first(doc: &mut Document, proc: ProcId, kind: &StmtKind) {
    let done = rewrite_entry(doc, proc, |emitter| {
        emitter.stmt(kind.clone(), nowhere());
        Ok::<(), Infallible>(())
    });
    match done {
        Ok(()) => {}
        Err(never) => match never {},
    }
}

/// `lower:upper` for each dimension, the lower bounds alone if the upper ones are not wanted.
fn sections(doc: &mut Document, bounds: &[(i64, i64)], with_upper: bool) -> Part {
    let section = |&(lower, upper): &(i64, i64)| Subscript::Section {
        lower: Some(integer(doc, lower, nowhere())),
        upper: with_upper.then(|| integer(doc, upper, nowhere())),
        stride: None,
    };
    Part::Elements(bounds.iter().map(section).collect())
}

fn is_entered_once(doc: &Document, proc: ProcId) -> bool {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return false };
    let entries = cfg.vertices.values().filter(|v| matches!(v.kind, VertexKind::Entry(_)));
    entries.count() == 1
}

fn allocatable(draft: &mut Draft<'_>) -> Option<()> {
    let (proc, symbol, bounds) = array(draft)?;
    if !is_entered_once(draft.doc, proc) {
        return None;
    }
    attribute(draft.doc, symbol, Attr::Allocatable)?;
    let object = whole(draft.doc, symbol, nowhere());
    let part = sections(draft.doc, &bounds, true);
    draft.doc.refs[object].parts.push(part);
    draft.doc.symbols[symbol].decl.as_deref_mut()?.dims = vec![Dim::Deferred; bounds.len()];
    let (spec, source, mold) = (None, None, None);
    let objects = vec![object];
    let allocate = Allocate { spec, objects, stat: None, errmsg: None, source, mold };
    first(draft.doc, proc, &StmtKind::Allocate(Box::new(allocate)));
    Some(())
}

fn pointer(draft: &mut Draft<'_>) -> Option<()> {
    let (proc, symbol) = local(draft)?;
    let bounds = extents(draft.doc, symbol)?;
    if !is_entered_once(draft.doc, proc) || draft.doc.has(symbol, Attr::Target) {
        return None;
    }
    let scope = draft.doc.procs[proc].scope;
    let pointed = twin(draft.doc, symbol, scope)?;
    attribute(draft.doc, pointed, Attr::Target)?;
    attribute(draft.doc, symbol, Attr::Pointer)?;
    draft.doc.symbols[symbol].decl.as_deref_mut()?.dims = vec![Dim::Deferred; bounds.len()];
    let lhs = whole(draft.doc, symbol, nowhere());
    if bounds.iter().any(|&(lower, _)| lower != 1) {
        let part = sections(draft.doc, &bounds, false);
        draft.doc.refs[lhs].parts.push(part);
    }
    let rhs = whole(draft.doc, pointed, nowhere());
    let rhs = value_of(draft.doc, rhs);
    first(draft.doc, proc, &StmtKind::PointerAssign { lhs, rhs });
    Some(())
}

fn component(draft: &mut Draft<'_>) -> Option<()> {
    let (proc, symbol) = local(draft)?;
    if draft.doc.has(symbol, Attr::Target) {
        return None;
    }
    let doc = &mut *draft.doc;
    let scope = doc.procs[proc].scope;
    declared_plainly(doc, symbol)?;
    let type_name = name(doc, "mut_t");
    let home = doc.scopes.next_key();
    let role = Role::DerivedType { scope: home, extends: None, params: Vec::new() };
    let ty = doc.add_symbol(plain_symbol(scope, declaration(type_name.clone(), role, nowhere())));
    let home = doc.add_scope(scope, ScopeKind::DerivedType(ty), nowhere());
    take_out(doc, symbol);
    doc.symbols[symbol].scope = home;
    doc.scopes[home].symbols.push(symbol);
    doc.scopes[home].items.push(SpecItem::Declare(vec![symbol]));
    let at = behind_implicit(doc, scope);
    doc.scopes[scope].items.insert(at, SpecItem::DerivedType(ty));
    let (class, params) = (false, Vec::new());
    let spec = TypeSpec::Derived { symbol: Some(ty), name: type_name, class, params };
    let object = variable(doc, scope, "mut_o", spec, Vec::new());
    let part: Box<str> = doc.name(symbol).into();
    for reference in doc.refs.values_mut().filter(|reference| reference.base == symbol) {
        reference.base = object;
        reference.parts.insert(0, Part::Component { symbol: Some(symbol), name: part.clone() });
    }
    Some(())
}

/// Behind USE, IMPORT and IMPLICIT.
fn behind_implicit(doc: &Document, scope: ScopeId) -> usize {
    let is_before = |item: &SpecItem| {
        matches!(
            item,
            SpecItem::Use(_)
                | SpecItem::Import { .. }
                | SpecItem::ImplicitNone(_)
                | SpecItem::Implicit(_)
        )
    };
    doc.scopes[scope].items.iter().rposition(is_before).map_or(0, |at| at + 1)
}

/// An integer argument decides the extent, though not really.
fn automatic(draft: &mut Draft<'_>) -> Option<()> {
    let (proc, symbol, bounds) = array(draft)?;
    let args: Vec<SymbolId> = draft.doc.procs[proc].args.iter().filter_map(|a| a.symbol).collect();
    let integers: Vec<SymbolId> = args
        .into_iter()
        .filter(|&arg| {
            let decl = draft.doc.symbols[arg].decl.as_deref();
            decl.is_some_and(|decl| {
                decl.dims.is_empty()
                    && matches!(decl.spec.base(), Base::Integer(4))
                    && !decl.has(Attr::Optional)
            })
        })
        .collect();
    let count = draft.one(&integers)?;
    let doc = &mut *draft.doc;
    let (lower, upper) = *bounds.last()?;
    let ty = Ty::scalar(Base::Integer(4));
    let count = whole(doc, count, nowhere());
    let count = value_of(doc, count);
    let limit = integer(doc, upper, nowhere());
    let smaller = intrinsic(doc, "nc_min_scal_scal", &[count, limit], ty);
    let limit = integer(doc, upper, nowhere());
    let upper = intrinsic(doc, "nc_max_scal_scal", &[limit, smaller], ty);
    let lower = (lower != 1).then(|| integer(doc, lower, nowhere()));
    let last = doc.symbols[symbol].decl.as_deref_mut()?.dims.last_mut()?;
    *last = Dim::Explicit { lower, upper };
    // The argument may be declared behind it.
    let scope = doc.procs[proc].scope;
    take_out(doc, symbol);
    doc.scopes[scope].symbols.push(symbol);
    Some(())
}

/// All bounds and subscripts of a dimension are shifted.
fn bounds(draft: &mut Draft<'_>) -> Option<()> {
    let (_, symbol, mut bounds) = array(draft)?;
    let at = draft.rng.usize(..bounds.len());
    let shift = draft.one(&[-1, 2, -4])?;
    let doc = &mut *draft.doc;
    bounds[at].0 += shift;
    bounds[at].1 += shift;
    let dims = dims(doc, &bounds);
    doc.symbols[symbol].decl.as_deref_mut()?.dims = dims;
    let all: Vec<RefId> = doc.refs.keys().filter(|&one| doc.refs[one].base == symbol).collect();
    for one in all {
        let Some(Part::Elements(list)) = doc.refs[one].parts.first().cloned() else { continue };
        let mut list = list;
        match list.get_mut(at) {
            Some(Subscript::Index(index)) => *index = shifted(doc, *index, shift),
            Some(Subscript::Section { lower, upper, .. }) => {
                for bound in [lower, upper].into_iter().flatten() {
                    *bound = shifted(doc, *bound, shift);
                }
            }
            None => continue,
        }
        doc.refs[one].parts[0] = Part::Elements(list);
    }
    Some(())
}

fn shifted(doc: &mut Document, index: ExprId, shift: i64) -> ExprId {
    let shift = integer(doc, shift, nowhere());
    binary(doc, "add_scal_scal", index, shift)
}

fn more_elements(draft: &mut Draft<'_>) -> Option<()> {
    let (_, symbol, mut bounds) = array(draft)?;
    let at = draft.rng.usize(..bounds.len());
    bounds[at].1 += 2;
    let dims = dims(draft.doc, &bounds);
    draft.doc.symbols[symbol].decl.as_deref_mut()?.dims = dims;
    Some(())
}

/// A variable that is no actual argument gets single precision. (Kind 16 is none that could be executed.)
fn single(draft: &mut Draft<'_>) -> Option<()> {
    let locals = draft.locals();
    let kept: Vec<_> =
        locals.into_iter().filter(|&(_, symbol)| !is_passed(draft.doc, symbol)).collect();
    let (_, symbol) = draft.one(&kept)?;
    let base = Base::Real(4);
    if base_of(draft.doc, symbol) == base {
        return None;
    }
    let spec = spec(draft.doc, base);
    draft.doc.symbols[symbol].decl.as_deref_mut()?.spec = spec;
    Some(())
}

/// Whether a variable, or a part of it, is an actual argument by itself.
fn is_passed(doc: &Document, symbol: SymbolId) -> bool {
    doc.calls().any(|(_, args)| {
        args.iter().any(|arg| match arg.value {
            ArgValue::Expr(expr) => {
                doc.exprs[expr].reference().is_some_and(|one| doc.refs[one].base == symbol)
            }
            ArgValue::AlternateReturn(_) => false,
        })
    })
}
