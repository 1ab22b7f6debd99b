//! Copies of active procedures for calls through which no derivative passes.
//!
//! Where only the callee of a passive call can record what the call overwrites ([`crate::call_modes::callee_restores`]), it
//! is split. A callee that has a derivative at other calls wants adjoints of all its arguments then,
//! which a caller without derivatives there does not have, and whose extents it may not know. So such a
//! call is given a copy of the callee in which nothing is active: its sweeps have the arguments of the
//! callee itself, put values on the tape and take them back.
//!
//! Only external procedures are copied that are called by their name, are not described by an interface
//! body, have no ENTRY, and keep nothing between calls: a copy would keep something else.

use std::collections::HashMap;

use xaif_schema::model::{
    Body, Document, ExprKind, ProcClass, ProcId, Role, ScopeId, SpecItem, StmtId, StmtKind,
    SymbolId,
};

use crate::call_modes::callee_restores::has_entries;
use crate::call_modes::choice::{callee_mut, callee_of};
use booster_build::{Copied, copy_scope, renamed, unique_name};
use booster_facts::Procedures;
use booster_rules::may_be_continuous;

/// The copies of a document, by their originals.
#[derive(Clone, Debug, Default)]
pub(crate) struct PassiveCopies {
    made: HashMap<ProcId, ProcId>,
}

impl PassiveCopies {
    /// Lets a call of `callee`, which is active elsewhere, execute a copy without derivatives; the
    /// copy, or `None` where there can be none.
    pub(crate) fn give(
        &mut self,
        doc: &mut Document,
        statics: &Procedures,
        caller: ProcId,
        stmt: StmtId,
        callee: ProcId,
    ) -> Option<ProcId> {
        let (called, _) = callee_of(doc, stmt)?;
        let local = called.symbol;
        if called.generic.is_some() || called.object.is_some() || !is_plain(doc, local) {
            return None;
        }
        let copy = match self.made.get(&callee) {
            Some(&copy) => copy,
            None => {
                let copy = copy_of(doc, statics, callee)?;
                self.made.insert(callee, copy);
                // What calls itself calls the copy.
                self.made.insert(copy, copy);
                copy
            }
        };
        let name = doc.name(doc.procs[copy].symbol).to_owned();
        let home = doc.symbols[local].scope;
        let own = match doc.symbol_in(home, &name.to_ascii_lowercase()) {
            Some(known) => known,
            None => renamed(doc, local, home, name),
        };
        if let Some(Role::Procedure(info)) =
            doc.symbols[own].decl.as_deref_mut().map(|decl| &mut decl.role)
        {
            info.proc = info.proc.map(|_| copy);
        }
        if let Some((callee, _)) = callee_mut(doc, stmt) {
            callee.symbol = own;
        }
        doc.calls.push((caller, copy));
        Some(copy)
    }
}

/// Whether something in a procedure has a derivative by the facts of activity.
pub(crate) fn has_derivatives(doc: &Document, proc: ProcId) -> bool {
    let scopes = doc.nest().inside(doc.procs[proc].scope);
    scopes.iter().flat_map(|&scope| &doc.scopes[scope].symbols).any(|&symbol| {
        let data = &doc.symbols[symbol];
        let base = data.decl.as_deref().map(|decl| decl.spec.base());
        let is_variable = matches!(doc.role(symbol), Some(Role::Variable));
        is_variable && base.is_some_and(may_be_continuous) && data.active != Some(false)
    })
}

/// Whether a name means an external procedure that nothing here describes.
fn is_plain(doc: &Document, symbol: SymbolId) -> bool {
    match doc.role(symbol) {
        Some(Role::Procedure(info)) => {
            let described =
                info.proc.is_some_and(|proc| matches!(doc.procs[proc].body, Body::Interface));
            info.class == ProcClass::External && info.interface.is_none() && !described
        }
        Some(Role::Unresolved { .. }) | None => true,
        Some(_) => false,
    }
}

/// The copy of an external procedure; `None` where a copy would not do the same.
fn copy_of(doc: &mut Document, statics: &Procedures, proc: ProcId) -> Option<ProcId> {
    let (symbol, root) = (doc.procs[proc].symbol, doc.procs[proc].scope);
    let parent = doc.scopes[root].parent.filter(|&parent| doc.global_scope() == Some(parent))?;
    let tree = doc.nest();
    let keeps = |&scope: &ScopeId| {
        doc.scopes[scope].symbols.iter().any(|symbol| {
            let decl = doc.symbols[*symbol].decl.as_deref();
            let is_variable = decl
                .is_none_or(|decl| matches!(decl.role, Role::Variable) && decl.common.is_none());
            is_variable && statics.is_static(*symbol)
        })
    };
    if has_entries(doc, proc) || tree.inside(root).iter().any(keeps) {
        return None;
    }
    let name = unique_name(doc, &format!("{}_passive", doc.name(symbol)));
    let own = renamed(doc, symbol, parent, name);
    let mut copied = Copied::default();
    copied.copier.symbols.insert(symbol, own);
    let first = (doc.refs.len(), doc.exprs.len(), doc.stmts.len(), doc.symbols.len());
    let scope = copy_scope(doc, &tree, root, parent, &mut copied);
    let items = &mut doc.scopes[parent].items;
    let at =
        items.iter().position(|item| matches!(item, SpecItem::Unit(location) if *location == root));
    items.insert(at.map_or(items.len(), |at| at + 1), SpecItem::Unit(scope));
    doc.scopes[scope].provided = doc.scopes[root].provided;
    // What was made by copying stands at the end of each arena.
    doc.refs.values_mut().skip(first.0).for_each(|one| one.active = Some(false));
    doc.symbols.values_mut().skip(first.3).for_each(|one| one.active = Some(false));
    for expr in doc.exprs.values_mut().skip(first.1) {
        if let ExprKind::Call(call) = &mut expr.kind {
            call.active = Some(false);
        }
    }
    for stmt in doc.stmts.values_mut().skip(first.2) {
        if let StmtKind::Call(call) = &mut stmt.kind {
            call.active = Some(false);
        }
    }
    for (&old, &new) in &copied.procs {
        let calls: Vec<_> = doc.calls.iter().filter(|call| call.0 == old).copied().collect();
        doc.calls.extend(calls.into_iter().map(|(_, callee)| (new, callee)));
        let own = doc.procs[new].symbol;
        if let Some(Role::Procedure(info)) =
            doc.symbols[own].decl.as_deref_mut().map(|decl| &mut decl.role)
        {
            info.proc = Some(new);
        }
    }
    copied.procs.get(&proc).copied()
}
