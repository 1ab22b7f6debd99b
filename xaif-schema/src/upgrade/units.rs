//! Scopes and units for XAIF 1.0 documents.
//!
//! whirl2xaif writes a module as a procedure without a body, and module variables as symbols of
//! the global scope. The variables of the global scope that are used become a module `globals`;
//! a temporary that xaifBooster has put there becomes a local variable of each procedure that
//! uses it. Fragments of a replacement list become internal procedures of one procedure.

use std::collections::{HashMap, HashSet};

use crate::model::{
    Body, Cfg, Comment, CommentKind, Document, Place, PrimaryMap, ProcId, ProcKind, Procedure,
    RefId, Role, ScopeId, ScopeKind, SpecItem, Symbol, SymbolId, SymbolKind, TypeClass, Use,
    UseName,
};

use super::is_plain;
use crate::uses::Uses;

/// Turns each fragment of a replacement list into an internal procedure.
pub(super) fn fragments(doc: &mut Document) {
    let ids: Vec<ProcId> = doc.procs.keys().collect();
    for id in ids {
        let Body::Replacements { template, list } = &doc.procs[id].body else { continue };
        let (template, list) = (template.clone(), list.clone());
        let host = doc.procs[id].scope;
        let mut note =
            format!(" the fragments for the template {template}, one for each placeholder");
        let mut units = Vec::new();
        for replacement in list {
            if replacement.cfg.vertices.is_empty() {
                note.push_str(&format!("; {} is empty", replacement.placeholder));
                continue;
            }
            let name = format!("placeholder_{}", replacement.placeholder);
            units.push(SpecItem::Unit(internal(doc, id, host, name, replacement.cfg)));
        }
        doc.procs[id].body = Body::Flow(Cfg::default());
        doc.scopes[host].kind = ScopeKind::Procedure(doc.procs[id].symbol);
        doc.scopes[host].items.push(SpecItem::ImplicitNone(None));
        doc.scopes[host].items.push(SpecItem::Comment(Comment {
            text: note.into(),
            trailing: false,
            kind: CommentKind::Text,
            place: Place::default(),
        }));
        doc.scopes[host].contains = units;
    }
}

fn internal(doc: &mut Document, of: ProcId, host: ScopeId, name: String, cfg: Cfg) -> ScopeId {
    let symbol = doc.add_symbol(bare(name, host, SymbolKind::Subroutine));
    let scope = doc.add_scope(host, ScopeKind::Procedure(symbol), Place::default());
    let place = doc.procs[of].place;
    doc.procs.push(Procedure {
        symbol,
        scope,
        args: Vec::new(),
        result: None,
        kind: ProcKind::Subroutine,
        body: Body::Flow(cfg),
        place,
        active: None,
        entry_written: false,
        effects: Default::default(),
        independent: Vec::new(),
        dependent: Vec::new(),
    });
    scope
}

fn bare(id: String, scope: ScopeId, kind: SymbolKind) -> Symbol {
    Symbol {
        id,
        scope,
        kind,
        class: TypeClass::Void,
        fe_type: None,
        rank: None,
        bounds: Vec::new(),
        active: None,
        temp: None,
        pointer: None,
        decl: None,
    }
}

/// Whether a procedure of a XAIF 1.0 document stands for a module: it has no body and stands
/// within nothing.
fn is_module(doc: &Document, id: ProcId) -> bool {
    let proc = &doc.procs[id];
    let empty = matches!(&proc.body, Body::Flow(cfg) if cfg.vertices.is_empty());
    let outermost = doc.scopes[proc.scope].parent == doc.global_scope();
    empty && outermost && is_plain(doc, proc.scope) && proc.args.is_empty()
}

/// Gives plain scopes a kind.
pub(super) fn kinds(doc: &mut Document) {
    let ids: Vec<ProcId> = doc.procs.keys().collect();
    for id in ids {
        let (scope, symbol) = (doc.procs[id].scope, doc.procs[id].symbol);
        if !is_plain(doc, scope) || doc.scopes[scope].parent.is_none() {
            continue;
        }
        let kind = if is_module(doc, id) {
            ScopeKind::Module(symbol)
        } else {
            ScopeKind::Procedure(symbol)
        };
        doc.scopes[scope].kind = kind;
        doc.scopes[scope].items.insert(0, SpecItem::ImplicitNone(None));
    }
    if let Some(global) = doc.global_scope() {
        doc.scopes[global].kind = ScopeKind::Global;
    }
}

/// The references of the body of a procedure.
fn references(doc: &Document, id: ProcId) -> Vec<RefId> {
    let Body::Flow(cfg) = &doc.procs[id].body else { return Vec::new() };
    let mut uses = Uses::new(doc);
    uses.cfg(cfg);
    uses.references.sort_unstable();
    uses.references.dedup();
    uses.references
}

/// The outermost procedure around a scope.
fn host_of(doc: &Document, scope: ScopeId) -> ScopeId {
    let mut host = scope;
    let mut current = doc.scopes[scope].parent;
    for _ in 0..doc.scopes.len() {
        let Some(here) = current else { break };
        if matches!(doc.scopes[here].kind, ScopeKind::Procedure(_)) {
            host = here;
        }
        current = doc.scopes[here].parent;
    }
    host
}

/// Makes temporaries of the global scope local to the procedures that use them.
pub(super) fn localise(doc: &mut Document) {
    let Some(global) = doc.global_scope() else { return };
    let ids: Vec<ProcId> = doc.procs.keys().collect();
    let mut local: HashMap<(ScopeId, SymbolId), SymbolId> = HashMap::new();
    for id in ids {
        let host = host_of(doc, doc.procs[id].scope);
        for reference in references(doc, id) {
            let base = doc.refs[reference].base;
            let data = &doc.symbols[base];
            let temporary = data.temp == Some(true) && data.scope == global && data.decl.is_none();
            if !temporary {
                continue;
            }
            let copy = match local.get(&(host, base)) {
                Some(&copy) => copy,
                None => {
                    let copy = doc.add_symbol(Symbol { scope: host, ..data.clone() });
                    local.insert((host, base), copy);
                    copy
                }
            };
            doc.refs[reference].base = copy;
        }
    }
}

/// Moves the variables of the global scope (and of scopes that belong to no procedure) that are
/// used into a module, which their users use.
pub(super) fn globals(doc: &mut Document) {
    let Some(global) = doc.global_scope() else { return };
    let ids: Vec<ProcId> = doc.procs.keys().collect();
    let mut used: Vec<SymbolId> = Vec::new();
    let mut seen: HashSet<SymbolId> = HashSet::new();
    let mut users: Vec<ScopeId> = Vec::new();
    for &id in &ids {
        let host = host_of(doc, doc.procs[id].scope);
        for reference in references(doc, id) {
            let base = doc.refs[reference].base;
            let data = &doc.symbols[base];
            let homeless = data.scope == global || is_plain(doc, data.scope);
            if !homeless || data.decl.is_some() || data.kind == SymbolKind::Subroutine {
                continue;
            }
            if seen.insert(base) {
                used.push(base);
            }
            if !users.contains(&host) {
                users.push(host);
            }
        }
    }
    if used.is_empty() {
        return;
    }
    let module = doc.add_symbol(bare("globals".to_owned(), global, SymbolKind::Subroutine));
    let scope = doc.add_scope(global, ScopeKind::Module(module), Place::default());
    doc.scopes[scope].items.push(SpecItem::ImplicitNone(None));
    for symbol in used {
        let old = doc.symbols[symbol].scope;
        doc.scopes[old].symbols.retain(|&other| other != symbol);
        doc.symbols[symbol].scope = scope;
        doc.scopes[scope].symbols.push(symbol);
    }
    for user in users {
        let used =
            Use { module, nature: None, only: false, names: Vec::new(), place: Place::default() };
        doc.scopes[user].items.insert(0, SpecItem::Use(used));
    }
    doc.scopes[global].items.insert(0, SpecItem::Unit(scope));
}

/// Lists procedures that no scope lists where they belong.
pub(super) fn list(doc: &mut Document, unlisted: &[ProcId]) {
    for &id in unlisted {
        let scope = doc.procs[id].scope;
        let Some(parent) = doc.scopes[scope].parent else { continue };
        let item = SpecItem::Unit(scope);
        if let ScopeKind::Procedure(_) = doc.scopes[parent].kind {
            own_name(doc, id, parent);
        }
        match doc.scopes[parent].kind {
            ScopeKind::Module(_) | ScopeKind::Submodule { .. } | ScopeKind::Procedure(_) => {
                doc.scopes[parent].contains.push(item);
            }
            ScopeKind::Plain
            | ScopeKind::Global
            | ScopeKind::BlockData(_)
            | ScopeKind::DerivedType(_)
            | ScopeKind::Block
            | ScopeKind::Associate
            | ScopeKind::Indices
            | ScopeKind::StatementFunction(_) => {
                if let Some(global) = doc.global_scope() {
                    doc.scopes[global].items.push(item);
                }
            }
        }
    }
}

/// The name of an internal procedure belongs to its host: who copies the host copies the name, too.
fn own_name(doc: &mut Document, proc: ProcId, host: ScopeId) {
    let symbol = doc.procs[proc].symbol;
    let old = std::mem::replace(&mut doc.symbols[symbol].scope, host);
    if old != host {
        doc.scopes[old].symbols.retain(|&other| other != symbol);
        doc.scopes[host].symbols.push(symbol);
    }
}

/// Takes away the procedures that stand for modules: a module is its scope.
pub(super) fn drop_modules(doc: &mut Document) {
    let mut kept: PrimaryMap<ProcId, Procedure> = PrimaryMap::new();
    let mut new: HashMap<ProcId, ProcId> = HashMap::new();
    for (id, proc) in std::mem::take(&mut doc.procs) {
        if !matches!(doc.scopes[proc.scope].kind, ScopeKind::Module(_)) {
            new.insert(id, kept.push(proc));
        }
    }
    doc.procs = kept;
    let symbols: Vec<SymbolId> = doc.symbols.keys().collect();
    for symbol in symbols {
        if let Some(decl) = &mut doc.symbols[symbol].decl
            && let Role::Procedure(info) = &mut decl.role
        {
            info.proc = info.proc.and_then(|proc| new.get(&proc).copied());
        }
    }
    let calls = std::mem::take(&mut doc.calls);
    let call = |(from, to)| Some((*new.get(&from)?, *new.get(&to)?));
    doc.calls = calls.into_iter().filter_map(call).collect();
}

/// A program unit, a module and a procedure of it that the unit calls.
pub(super) type Call = (ScopeId, SymbolId, SymbolId);

/// Moves the names of procedures that stand in a module there: whirl2xaif has all names in the
/// global scope. Tells who calls them from elsewhere.
pub(super) fn module_procedures(doc: &mut Document) -> Vec<Call> {
    let mut home: HashMap<SymbolId, (ScopeId, SymbolId)> = HashMap::new();
    for proc in doc.procs.values() {
        let Some(parent) = doc.scopes[proc.scope].parent else { continue };
        if let ScopeKind::Module(module) = doc.scopes[parent].kind {
            home.insert(proc.symbol, (parent, module));
        }
    }
    let mut calls: Vec<Call> = Vec::new();
    for proc in doc.procs.values() {
        let Body::Flow(cfg) = &proc.body else { continue };
        let host = host_of(doc, proc.scope);
        let mut uses = Uses::new(doc);
        uses.cfg(cfg);
        for symbol in uses.symbols {
            let Some(&(scope, module)) = home.get(&symbol) else { continue };
            let call = (host, module, symbol);
            if doc.scopes[host].parent != Some(scope) && !calls.contains(&call) {
                calls.push(call);
            }
        }
    }
    let mut moved: Vec<(SymbolId, ScopeId)> =
        home.iter().map(|(&symbol, &(scope, _))| (symbol, scope)).collect();
    moved.sort_unstable();
    for (symbol, scope) in moved {
        let old = doc.symbols[symbol].scope;
        doc.scopes[old].symbols.retain(|&other| other != symbol);
        doc.symbols[symbol].scope = scope;
        doc.scopes[scope].symbols.push(symbol);
    }
    calls
}

/// Lets each unit use the procedures of modules that it calls.
pub(super) fn bring_in(doc: &mut Document, calls: Vec<Call>) {
    for (host, module, symbol) in calls {
        let name = doc.name(symbol).to_owned();
        let name = UseName { local: name.clone(), remote: name, symbol: Some(symbol) };
        let (names, place) = (vec![name], Place::default());
        let used = Use { module, nature: None, only: true, names, place };
        doc.scopes[host].items.insert(0, SpecItem::Use(used));
    }
}
