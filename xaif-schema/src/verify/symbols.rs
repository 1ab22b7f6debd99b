//! Scopes, symbols and declarations.

use std::collections::HashSet;

use super::{At, Verifier};
use crate::diag::Code;
use crate::model::{
    Attr, Base, Document, EntityRef, ProcKind, ProcSort, Role, ScopeId, SymbolId, TypeSpec,
};

/// OX0201: the scopes are one tree.
pub(super) fn check_scope_tree(verifier: &mut Verifier<'_>) {
    let doc = verifier.doc;
    let roots: Vec<ScopeId> =
        doc.scopes.iter().filter(|(_, scope)| scope.parent.is_none()).map(|(id, _)| id).collect();
    if roots.is_empty() {
        verifier.report(Code::NO_SCOPE_TREE, At::Document, "no scope is the global one");
    }
    for &second in roots.iter().skip(1) {
        verifier.report(Code::NO_SCOPE_TREE, At::Scope(second), format!("{second} has no parent"));
    }
    // A stage that moves scopes must say so.
    if doc.keeps_a_stale_nest() {
        let message = "the kept nest of scopes is not that of their parents";
        verifier.report(Code::NO_SCOPE_TREE, At::Document, message);
    }
    // 0 not seen, 1 on the way, 2 leads to a scope without a parent or has been reported.
    let mut state = vec![0u8; doc.scopes.len()];
    for start in doc.scopes.keys() {
        let mut path = Vec::new();
        let mut at = Some(start);
        while let Some(scope) = at.filter(|scope| state[scope.index()] == 0) {
            state[scope.index()] = 1;
            path.push(scope);
            at = doc.scopes[scope].parent;
        }
        if let Some(scope) = at.filter(|scope| state[scope.index()] == 1) {
            verifier.report(
                Code::NO_SCOPE_TREE,
                At::Scope(scope),
                format!("{scope} is inside itself"),
            );
        }
        path.into_iter().for_each(|scope| state[scope.index()] = 2);
    }
}

/// OX0202: each symbol is listed once, where it says, and its id is unique there. Entities are not
/// removed from a document: a variable that a stage has made and dropped again is listed nowhere.
pub(super) fn check_membership(verifier: &mut Verifier<'_>) {
    let doc = verifier.doc;
    let mut listed = vec![false; doc.symbols.len()];
    for (scope, data) in doc.scopes.iter() {
        let mut ids = HashSet::new();
        for &symbol in &data.symbols {
            let at = At::Symbol(symbol);
            let id = &doc.symbols[symbol].id;
            if doc.symbols[symbol].scope != scope {
                verifier.report(
                    Code::MISPLACED_SYMBOL,
                    at,
                    format!("{symbol} names another scope"),
                );
            }
            if std::mem::replace(&mut listed[symbol.index()], true) {
                verifier.report(Code::MISPLACED_SYMBOL, at, format!("{symbol} is listed twice"));
            } else if !ids.insert(id) {
                let message = format!("another symbol of the scope has the id `{id}`");
                verifier.report(Code::MISPLACED_SYMBOL, at, message);
            }
        }
    }
    let dropped = |symbol: &SymbolId| doc.symbols[*symbol].temp == Some(true);
    for symbol in doc.symbols.keys().filter(|symbol| !listed[symbol.index()] && !dropped(symbol)) {
        let message = format!("{symbol} is not listed in its scope");
        verifier.report(Code::MISPLACED_SYMBOL, At::Symbol(symbol), message);
    }
}

/// OX0226: a character type is told by the spec for characters.
pub(super) fn check_declarations(verifier: &mut Verifier<'_>) {
    for (id, symbol) in verifier.doc.symbols.iter() {
        let Some(decl) = &symbol.decl else { continue };
        match &decl.spec {
            TypeSpec::Intrinsic {
                base:
                    Base::Character(_)
                    | Base::Derived(_)
                    | Base::Class(_)
                    | Base::ClassStar
                    | Base::TypeStar
                    | Base::Pointer(_),
                ..
            } => {
                let message = "this type has a spec of its own, other than that for numbers";
                verifier.report(Code::WRONG_SPEC, At::Symbol(id), message);
            }
            TypeSpec::Intrinsic { .. }
            | TypeSpec::Character { .. }
            | TypeSpec::Derived { .. }
            | TypeSpec::ClassStar
            | TypeSpec::TypeStar
            | TypeSpec::Pointer(_)
            | TypeSpec::None => (),
        }
    }
}

/// OX0230: no derived type is part of itself.
pub(super) fn check_types(verifier: &mut Verifier<'_>) {
    let doc = verifier.doc;
    let types =
        doc.symbols.keys().filter(|&s| matches!(doc.role(s), Some(Role::DerivedType { .. })));
    for ty in types {
        if reaches_itself(ty, |ty| parts_of_memory(doc, ty)) {
            let message = format!("`{}` is part of itself", doc.name(ty));
            verifier.report(Code::ENDLESS_TYPE, At::Symbol(ty), message);
        }
    }
}

/// The derived types that objects of `ty` hold within their own memory: what it extends, and components
/// that are neither pointers nor allocatable.
fn parts_of_memory(doc: &Document, ty: SymbolId) -> Vec<SymbolId> {
    let extended = match doc.role(ty) {
        Some(Role::DerivedType { extends, .. }) => *extends,
        Some(_) | None => None,
    };
    let held = doc.own_components(ty).filter_map(|component| {
        let decl = doc.symbols[component].decl.as_deref()?;
        let Base::Derived(part) = decl.spec.base() else { return None };
        let within = matches!(decl.role, Role::Variable)
            && !decl.has(Attr::Pointer)
            && !decl.has(Attr::Allocatable);
        within.then_some(part)
    });
    extended.into_iter().chain(held).collect()
}

/// Whether one comes back to `start` by steps of `next`.
fn reaches_itself(start: SymbolId, next: impl Fn(SymbolId) -> Vec<SymbolId>) -> bool {
    let (mut seen, mut left) = (HashSet::new(), next(start));
    while let Some(one) = left.pop() {
        if one == start {
            return true;
        }
        if seen.insert(one) {
            left.extend(next(one));
        }
    }
    false
}

/// OX0227: a procedure and its symbol agree.
pub(super) fn check_procedures(verifier: &mut Verifier<'_>) {
    let doc = verifier.doc;
    for (id, proc) in doc.procs.iter() {
        let info = match doc.role(proc.symbol) {
            Some(Role::Procedure(info)) => info,
            Some(_) => {
                verifier.report(
                    Code::WRONG_PROCEDURE,
                    At::Proc(id),
                    format!("`{}` is declared as something else", doc.name(proc.symbol)),
                );
                continue;
            }
            None => continue,
        };
        let agrees = match proc.kind {
            ProcKind::Program => info.sort == ProcSort::Program,
            ProcKind::Subroutine => info.sort == ProcSort::Subroutine,
            ProcKind::Function => info.sort == ProcSort::Function,
            ProcKind::ModuleProcedure => {
                matches!(info.sort, ProcSort::Subroutine | ProcSort::Function | ProcSort::Unknown)
            }
        };
        if !agrees {
            let message = format!("`{}` is declared to be of another sort", doc.name(proc.symbol));
            verifier.report(Code::WRONG_PROCEDURE, At::Proc(id), message);
        }
    }
}
