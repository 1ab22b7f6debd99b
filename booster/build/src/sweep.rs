//! Taking out what nothing names: declarations and procedures that a rewriter has copied or made
//! and that turned out not to be needed, and with them all nodes that belong to nothing any more.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    Document, EntityRef, EntitySet, ExprId, InterfaceItem, PrimaryMap, ProcId, RefId, ScopeId,
    SpecItem, StmtId, SymbolId,
};

use super::ids::{self, Id};

/// What has been reached.
#[derive(Default)]
struct Marks {
    scopes: EntitySet<ScopeId>,
    symbols: EntitySet<SymbolId>,
    procs: EntitySet<ProcId>,
    stmts: EntitySet<StmtId>,
    exprs: EntitySet<ExprId>,
    refs: EntitySet<RefId>,
    work: Vec<Work>,
}

#[derive(Clone, Copy)]
enum Work {
    Scope(ScopeId),
    Symbol(SymbolId),
    Proc(ProcId),
    Stmt(StmtId),
    Expr(ExprId),
    Ref(RefId),
}

impl Marks {
    fn reach(&mut self, id: Id<'_>) {
        let (new, work) = match id {
            Id::Scope(id) => (self.scopes.insert(*id), Work::Scope(*id)),
            Id::Symbol(id) => (self.symbols.insert(*id), Work::Symbol(*id)),
            Id::Proc(id) => (self.procs.insert(*id), Work::Proc(*id)),
            Id::Stmt(id) => (self.stmts.insert(*id), Work::Stmt(*id)),
            Id::Expr(id) => (self.exprs.insert(*id), Work::Expr(*id)),
            Id::Ref(id) => (self.refs.insert(*id), Work::Ref(*id)),
        };
        if new {
            self.work.push(work);
        }
    }
}

/// Removes those of `candidates` (variables, constants, procedures with all inside them) that
/// nothing else names: being listed in a scope, declared or accessible is no naming. Gives all
/// entities new ids and returns those of the symbols and procedures that stay.
pub fn sweep(
    doc: &mut Document,
    candidates: &HashSet<SymbolId>,
) -> (HashMap<SymbolId, SymbolId>, HashMap<ProcId, ProcId>) {
    let marks = mark(doc, candidates);
    forget(doc, &marks);
    renumber(doc, &marks)
}

fn mark(doc: &mut Document, candidates: &HashSet<SymbolId>) -> Marks {
    let mut marks = Marks::default();
    // The scopes of candidates, and all scopes inside them, are reached by their symbols only.
    let own: HashMap<ScopeId, SymbolId> = doc
        .procs
        .values()
        .filter(|proc| candidates.contains(&proc.symbol))
        .map(|proc| (proc.scope, proc.symbol))
        .collect();
    let mut children: HashMap<ScopeId, Vec<ScopeId>> = HashMap::new();
    let mut procs: HashMap<ScopeId, Vec<ProcId>> = HashMap::new();
    for (id, scope) in doc.scopes.iter() {
        match scope.parent {
            Some(parent) => children.entry(parent).or_default().push(id),
            None => marks.reach(Id::Scope(&mut id.clone())),
        }
    }
    for (id, proc) in doc.procs.iter() {
        procs.entry(proc.scope).or_default().push(id);
    }
    while let Some(work) = marks.work.pop() {
        match work {
            Work::Scope(scope) => {
                let data = &mut doc.scopes[scope];
                ids::scope(data, &mut |id| marks.reach(id));
                for item in data.items.iter_mut().chain(&mut data.contains) {
                    strong(item, &own, candidates, &mut marks);
                }
                for &symbol in data.symbols.iter().filter(|symbol| !candidates.contains(symbol)) {
                    marks.reach(Id::Symbol(&mut symbol.clone()));
                }
                for &child in children.get(&scope).into_iter().flatten() {
                    if !own.contains_key(&child) {
                        marks.reach(Id::Scope(&mut child.clone()));
                    }
                }
                for &proc in procs.get(&scope).into_iter().flatten() {
                    marks.reach(Id::Proc(&mut proc.clone()));
                }
            }
            Work::Symbol(symbol) => {
                ids::symbol(&mut doc.symbols[symbol], &mut |id| marks.reach(id))
            }
            Work::Proc(proc) => ids::procedure(&mut doc.procs[proc], &mut |id| marks.reach(id)),
            Work::Stmt(stmt) => ids::stmt(&mut doc.stmts[stmt], &mut |id| marks.reach(id)),
            Work::Expr(expr) => ids::expr(&mut doc.exprs[expr], &mut |id| marks.reach(id)),
            Work::Ref(reference) => {
                ids::reference(&mut doc.refs[reference], &mut |id| marks.reach(id));
            }
        }
    }
    marks
}

/// What an item names, apart from what it only lists.
fn strong(
    item: &mut SpecItem,
    own: &HashMap<ScopeId, SymbolId>,
    candidates: &HashSet<SymbolId>,
    marks: &mut Marks,
) {
    match item {
        SpecItem::Declare(_) | SpecItem::Access { .. } => {}
        SpecItem::Unit(scope) => {
            if !own.contains_key(scope) {
                marks.reach(Id::Scope(scope));
            }
        }
        SpecItem::Use(used) => marks.reach(Id::Symbol(&mut used.module)),
        SpecItem::Interface { generic, items, .. } => {
            match generic {
                Some(generic) if candidates.contains(generic) => return,
                Some(generic) => marks.reach(Id::Symbol(generic)),
                None => {}
            }
            for item in items {
                match item {
                    InterfaceItem::Body(scope) if own.contains_key(scope) && generic.is_none() => {}
                    InterfaceItem::Body(scope) => {
                        marks.reach(Id::Scope(scope));
                        if let Some(symbol) = own.get(scope) {
                            marks.reach(Id::Symbol(&mut symbol.clone()));
                        }
                    }
                    InterfaceItem::Procedures { symbols, .. } => {
                        symbols.iter_mut().for_each(|symbol| marks.reach(Id::Symbol(symbol)));
                    }
                    InterfaceItem::Comment(_) => {}
                }
            }
        }
        SpecItem::Comment(_)
        | SpecItem::Import { .. }
        | SpecItem::ImplicitNone(_)
        | SpecItem::Implicit(_)
        | SpecItem::SaveAll
        | SpecItem::SaveCommon(_)
        | SpecItem::Common { .. }
        | SpecItem::Equivalence(_)
        | SpecItem::Data(_)
        | SpecItem::Namelist { .. }
        | SpecItem::DerivedType(_)
        | SpecItem::Enum(_)
        | SpecItem::StatementFunction { .. }
        | SpecItem::Generic(_)
        | SpecItem::TypeContains
        | SpecItem::Opaque { .. } => ids::item(item, &mut |id| marks.reach(id)),
    }
}

/// Takes what was not reached out of all lists.
fn forget(doc: &mut Document, marks: &Marks) {
    let stays = |symbol: &SymbolId| marks.symbols.contains(*symbol);
    for scope in doc.scopes.values_mut() {
        scope.symbols.retain(stays);
        for items in [&mut scope.items, &mut scope.contains] {
            for item in items.iter_mut() {
                match item {
                    SpecItem::Declare(symbols) | SpecItem::Access { symbols, .. } => {
                        let named = !symbols.is_empty();
                        symbols.retain(stays);
                        // Without names the statement would mean something else.
                        if named && symbols.is_empty() {
                            *item = SpecItem::Declare(Vec::new());
                        }
                    }
                    SpecItem::Use(used) => {
                        used.names.retain(|name| name.symbol.as_ref().is_none_or(stays));
                    }
                    SpecItem::Interface { items, .. } => items.retain(|item| match item {
                        InterfaceItem::Body(scope) => marks.scopes.contains(*scope),
                        InterfaceItem::Procedures { .. } | InterfaceItem::Comment(_) => true,
                    }),
                    _ => {}
                }
            }
            items.retain(|item| match item {
                SpecItem::Declare(symbols) => !symbols.is_empty(),
                SpecItem::Unit(scope) => marks.scopes.contains(*scope),
                SpecItem::Interface { generic, items, .. } => {
                    generic.as_ref().is_some_and(stays)
                        || generic.is_none()
                            && items.iter().any(|item| !matches!(item, InterfaceItem::Comment(_)))
                }
                _ => true,
            });
        }
    }
    doc.calls
        .retain(|(caller, callee)| marks.procs.contains(*caller) && marks.procs.contains(*callee));
    doc.as_read = Default::default();
}

/// The new ids of the entities of an arena, by their old numbers.
struct Renumbered<K>(Vec<Option<K>>);

impl<K: EntityRef> Renumbered<K> {
    /// Keeps the entities of an arena that are reached.
    fn keep<V>(arena: &mut PrimaryMap<K, V>, reached: &EntitySet<K>) -> Self {
        let old = std::mem::take(arena);
        let mut ids = Vec::with_capacity(old.len());
        arena.reserve_exact(old.keys().filter(|&id| reached.contains(id)).count());
        for (id, entity) in old {
            ids.push(reached.contains(id).then(|| arena.push(entity)));
        }
        Renumbered(ids)
    }

    fn renumber(&self, id: &mut K) {
        // All that is reached was marked with all that it names, so nothing is missing here.
        if let Some(&Some(new)) = self.0.get(id.index()) {
            *id = new;
        }
    }

    /// Old ids to new ones.
    fn map(&self) -> HashMap<K, K>
    where
        K: std::hash::Hash,
    {
        let ids = self.0.iter().enumerate();
        ids.filter_map(|(old, new)| Some((K::new(old), (*new)?))).collect()
    }
}

fn renumber(
    doc: &mut Document,
    marks: &Marks,
) -> (HashMap<SymbolId, SymbolId>, HashMap<ProcId, ProcId>) {
    let exprs = Renumbered::keep(&mut doc.exprs, &marks.exprs);
    let refs = Renumbered::keep(&mut doc.refs, &marks.refs);
    let stmts = Renumbered::keep(&mut doc.stmts, &marks.stmts);
    let scopes = Renumbered::keep(&mut doc.scopes, &marks.scopes);
    let symbols = Renumbered::keep(&mut doc.symbols, &marks.symbols);
    let procs = Renumbered::keep(&mut doc.procs, &marks.procs);
    doc.forget_nest();
    let mut map = |id: Id<'_>| match id {
        Id::Scope(id) => scopes.renumber(id),
        Id::Symbol(id) => symbols.renumber(id),
        Id::Proc(id) => procs.renumber(id),
        Id::Stmt(id) => stmts.renumber(id),
        Id::Expr(id) => exprs.renumber(id),
        Id::Ref(id) => refs.renumber(id),
    };
    for scope in doc.scopes.values_mut() {
        ids::scope(scope, &mut map);
        scope.symbols.iter_mut().for_each(|symbol| map(Id::Symbol(symbol)));
        for item in scope.items.iter_mut().chain(&mut scope.contains) {
            ids::item(item, &mut map);
        }
    }
    doc.symbols.values_mut().for_each(|symbol| ids::symbol(symbol, &mut map));
    doc.procs.values_mut().for_each(|proc| ids::procedure(proc, &mut map));
    doc.stmts.values_mut().for_each(|stmt| ids::stmt(stmt, &mut map));
    doc.exprs.values_mut().for_each(|expr| ids::expr(expr, &mut map));
    doc.refs.values_mut().for_each(|reference| ids::reference(reference, &mut map));
    for (caller, callee) in &mut doc.calls {
        map(Id::Proc(caller));
        map(Id::Proc(callee));
    }
    for ty in doc.types.values_mut() {
        ids::ty(ty, &mut map);
    }
    (symbols.map(), procs.map())
}
