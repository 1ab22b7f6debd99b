//! BLOCK and ASSOCIATE constructs become plain text.
//!
//! Variables of a BLOCK become variables of the procedure, under names that nobody else has. What
//! comes into being as the construct is entered does so there: automatic arrays become allocatable
//! and are allocated; where control may come to the construct once more, allocatable variables are
//! released first, and structures with default values or allocatable components are allocatable, so
//! that each time they begin anew. A BLOCK with other declarations (procedures, USE, NAMELIST) stays.
//!
//! For ASSOCIATE see [`names`](super::names).

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    Allocate, Attr, Base, Body, Cfg, CharLen, Dim, Document, ExprId, Part, Place, ProcId, Role,
    ScopeId, ScopeKind, SpecItem, StmtId, StmtKind, Subscript, SymbolId, TypeSpec, VertexId,
    VertexKind,
};

use super::names::{associate, frozen_in_place};
use crate::queries::loop_variables::counters;
use booster_build::exists;
use booster_build::{Copier, Emitter, Site, constant_integer, rewrite_flow, statement, whole};
use booster_flow::Flow;

/// What is executed as a construct is entered.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Opening {
    /// This statement.
    Stmt(StmtId),
    /// An allocatable variable is released, if it is allocated.
    Release(SymbolId),
}

/// Rewrites the constructs of a procedure, those around others first.
pub(crate) fn flatten(doc: &mut Document, proc: ProcId) {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return };
    let again = executed_again(cfg);
    let mut opened = opened(doc, cfg);
    let mut before: HashMap<StmtId, Vec<Opening>> = HashMap::new();
    let mut gone: HashMap<ScopeId, ScopeId> = HashMap::new();
    opened.reverse();
    while let Some((vertex, stmt, scope)) = opened.pop() {
        let place = doc.stmts[stmt].place;
        let found = match doc.scopes[scope].kind {
            ScopeKind::Block => block(doc, scope, again.contains(&vertex), place),
            ScopeKind::Associate => {
                let inside = statements_inside(doc, proc, scope);
                associate(doc, scope, &inside, place)
            }
            ScopeKind::Plain
            | ScopeKind::Global
            | ScopeKind::Module(_)
            | ScopeKind::Submodule { .. }
            | ScopeKind::Procedure(_)
            | ScopeKind::BlockData(_)
            | ScopeKind::DerivedType(_)
            | ScopeKind::Indices
            | ScopeKind::StatementFunction(_) => None,
        };
        if let (Some(found), Some(around)) = (found, doc.scopes[scope].parent) {
            before.insert(stmt, found);
            gone.insert(scope, around);
            doc.move_scopes(scope, around);
        }
    }
    take_out(doc, proc, &before, &gone);
}

/// The statements that open a scope of their own, in the order of the text.
fn opened(doc: &Document, cfg: &Cfg) -> Vec<(VertexId, StmtId, ScopeId)> {
    let mut found = Vec::new();
    for &vertex in &cfg.layout {
        let VertexKind::BasicBlock { stmts, .. } = &cfg.vertices[vertex].kind else { continue };
        for &stmt in stmts {
            if let StmtKind::OpenScope(open) = &doc.stmts[stmt].kind {
                found.push((vertex, stmt, open.scope));
            }
        }
    }
    found
}

/// The vertices to which control may come more than once.
fn executed_again(cfg: &Cfg) -> HashSet<VertexId> {
    Flow::new(cfg).on_cycles()
}

/// The statements within a construct.
fn statements_inside(doc: &Document, proc: ProcId, scope: ScopeId) -> Vec<StmtId> {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return Vec::new() };
    let inside = |found: ScopeId| {
        std::iter::successors(Some(found), |&at| doc.scopes[at].parent).any(|at| at == scope)
    };
    let mut found = Vec::new();
    for vertex in cfg.vertices.values() {
        match &vertex.kind {
            VertexKind::BasicBlock { scope, stmts } if inside(*scope) => found.extend(stmts),
            _ => {}
        }
    }
    found
}

/// Takes out the statements that open and close scopes; theirs belong to the scope around. Selectors
/// of SELECT TYPE and SELECT RANK get subscripts that keep their values.
fn take_out(
    doc: &mut Document,
    proc: ProcId,
    before: &HashMap<StmtId, Vec<Opening>>,
    gone: &HashMap<ScopeId, ScopeId>,
) {
    let counters = counters(doc, proc);
    let done: Result<(), std::convert::Infallible> = rewrite_flow(doc, proc, |e, site| {
        match site {
            Site::Stmt(stmt) => match (&e.doc.stmts[stmt].kind, before.get(&stmt)) {
                (_, Some(list)) => list.iter().for_each(|&opening| open(e, opening)),
                (StmtKind::CloseScope(scope), None) if gone.contains_key(scope) => {}
                _ => e.push(stmt),
            },
            Site::Head(head) => {
                frozen_in_place(e, head, counters.get(&head).map_or(&[], Vec::as_slice));
            }
        }
        Ok(())
    });
    let Ok(()) = done;
    let Body::Flow(cfg) = &mut doc.procs[proc].body else { return };
    for vertex in cfg.vertices.values_mut() {
        let VertexKind::BasicBlock { scope, .. } = &mut vertex.kind else { continue };
        while let Some(&around) = gone.get(scope) {
            *scope = around;
        }
    }
}

pub(crate) fn open(e: &mut Emitter<'_>, opening: Opening) {
    match opening {
        Opening::Stmt(stmt) => e.push(stmt),
        Opening::Release(symbol) => {
            let place = e.doc.symbols[symbol].decl.as_ref().map(|decl| decl.place);
            let place = place.unwrap_or_default();
            let object = whole(e.doc, symbol, place);
            let there = exists(e.doc, object, "allocated");
            e.open_if(there, place);
            let object = whole(e.doc, symbol, place);
            e.release(object, place);
            e.close_if();
        }
    }
}

/// How a variable of a BLOCK becomes one of the procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    /// As it is.
    Plain,
    /// Released as the construct is entered.
    Released,
    /// Allocatable, with the bounds it has.
    Allocated,
}

/// Moves the variables of a BLOCK to the procedure, if all of them can be moved; the result is what
/// is executed as it is entered.
fn block(doc: &mut Document, scope: ScopeId, again: bool, place: Place) -> Option<Vec<Opening>> {
    let plain = doc.scopes[scope].items.iter().all(|item| {
        matches!(
            item,
            SpecItem::Declare(_)
                | SpecItem::Comment(_)
                | SpecItem::ImplicitNone(_)
                | SpecItem::DerivedType(_)
        )
    });
    let symbols = doc.scopes[scope].symbols.clone();
    let moves: Option<Vec<Move>> =
        symbols.iter().map(|&symbol| movement(doc, symbol, again)).collect();
    let moves = moves.filter(|_| plain)?;
    let home = std::iter::successors(doc.scopes[scope].parent, |&s| doc.scopes[s].parent)
        .find(|&s| matches!(doc.scopes[s].kind, ScopeKind::Procedure(_) | ScopeKind::Plain))?;
    let items = std::mem::take(&mut doc.scopes[scope].items);
    let types = items.into_iter().filter(|item| matches!(item, SpecItem::DerivedType(_)));
    doc.scopes[home].items.extend(types);
    let mut openings = Vec::new();
    for (symbol, movement) in symbols.into_iter().zip(moves) {
        super::upgrade(doc, symbol, home);
        if let Some(Role::DerivedType { scope, .. }) = doc.role(symbol) {
            let inside = *scope;
            doc.set_parent(inside, Some(home));
        }
        if movement != Move::Plain && again {
            openings.push(Opening::Release(symbol));
        }
        if movement == Move::Allocated {
            openings.push(Opening::Stmt(made_allocatable(doc, symbol, place)));
        }
    }
    Some(openings)
}

fn movement(doc: &Document, symbol: SymbolId, again: bool) -> Option<Move> {
    let decl = doc.symbols[symbol].decl.as_deref()?;
    match decl.role {
        Role::DerivedType { ref params, .. } => return params.is_empty().then_some(Move::Plain),
        Role::Constant => return Some(Move::Plain),
        Role::Variable => {}
        _ => return None,
    }
    let is = |attr| decl.has(attr);
    if is(Attr::Volatile) || is(Attr::Asynchronous) || decl.bind_name.is_some() {
        return None;
    }
    let is_constant = |expr: ExprId| constant_integer(doc, expr).is_some();
    let length = match &decl.spec {
        TypeSpec::Character { len, .. } => *len,
        _ => CharLen::One,
    };
    let length = decl.char_len.unwrap_or(length);
    let fixed_length = match length {
        CharLen::One => true,
        CharLen::Expr(length) => is_constant(length),
        CharLen::Assumed => false,
        CharLen::Deferred => is(Attr::Allocatable) || is(Attr::Pointer),
    };
    if !fixed_length {
        return None;
    }
    if is(Attr::Pointer) || is(Attr::Save) || decl.init.is_some() {
        return Some(Move::Plain);
    }
    if is(Attr::Allocatable) {
        return Some(Move::Released);
    }
    let mut fixed = true;
    for dim in &decl.dims {
        let Dim::Explicit { lower, upper } = dim else { return None };
        fixed &= lower.is_none_or(is_constant) && is_constant(*upper);
    }
    let begins = match decl.spec.base() {
        Base::Integer(_)
        | Base::Real(_)
        | Base::Complex(_)
        | Base::Logical(_)
        | Base::Character(_) => false,
        Base::Derived(owner) => again && begins_anew(doc, owner, 0),
        _ => return None,
    };
    Some(if fixed && !begins { Move::Plain } else { Move::Allocated })
}

/// Whether a structure begins with values or with what is not allocated.
pub(crate) fn begins_anew(doc: &Document, owner: SymbolId, depth: u32) -> bool {
    let mut components = doc.data_components(owner).into_iter();
    depth > 40 || components.any(|component| component_begins(doc, component, depth))
}

/// Whether a component begins with a value, or not allocated.
pub(crate) fn component_begins(doc: &Document, component: SymbolId, depth: u32) -> bool {
    let Some(decl) = doc.symbols[component].decl.as_deref() else { return true };
    let inner = match decl.spec.base() {
        Base::Derived(inner) if !decl.has(Attr::Pointer) => begins_anew(doc, inner, depth + 1),
        _ => false,
    };
    decl.init.is_some() || decl.has(Attr::Allocatable) || inner
}

/// Makes a variable allocatable; the result is the statement that allocates it. An assignment to the
/// whole does not give it another shape.
fn made_allocatable(doc: &mut Document, symbol: SymbolId, place: Place) -> StmtId {
    let mut dims = Vec::new();
    let data = &mut doc.symbols[symbol];
    data.bounds.clear();
    if let Some(decl) = data.decl.as_deref_mut() {
        dims = std::mem::take(&mut decl.dims);
        decl.dims = vec![Dim::Deferred; dims.len()];
        decl.attrs.insert(Attr::Allocatable);
    }
    let rank = u8::try_from(dims.len()).unwrap_or(u8::MAX);
    let sections = dims.into_iter().filter_map(|dim| match dim {
        Dim::Explicit { lower: None, upper } => Some(Subscript::Index(upper)),
        Dim::Explicit { lower, upper } => {
            Some(Subscript::Section { lower, upper: Some(upper), stride: None })
        }
        Dim::AssumedShape { .. } | Dim::Deferred | Dim::AssumedSize { .. } | Dim::AssumedRank => {
            None
        }
    });
    let sections: Vec<Subscript> = sections.collect();
    if rank > 0 {
        let targets: Vec<_> = doc
            .stmts
            .values()
            .filter_map(|stmt| match stmt.kind {
                // By the name that it is recorded by, too.
                StmtKind::Assign { lhs, .. } => {
                    Some(stmt.recorded.iter().flatten().copied().chain([lhs]))
                }
                _ => None,
            })
            .flatten()
            .filter(|&lhs| doc.refs[lhs].base == symbol && doc.refs[lhs].parts.is_empty())
            .collect();
        let all = Subscript::Section { lower: None, upper: None, stride: None };
        for lhs in targets {
            doc.refs[lhs].parts.push(Part::Elements(vec![all; usize::from(rank)]));
        }
    }
    let target = whole(doc, symbol, place);
    if rank > 0 {
        let mut part = Part::Elements(sections);
        Copier::new().part(doc, &mut part);
        doc.refs[target].parts.push(part);
    }
    let (spec, stat, errmsg, source, mold) = (None, None, None, None, None);
    let allocate = Allocate { spec, objects: vec![target], stat, errmsg, source, mold };
    let kind = StmtKind::Allocate(Box::new(allocate));
    statement(doc, kind, place)
}
