//! The interfaces of an external head and its derivative, where the language wants them explicit:
//! a module `check_interfaces`, printed by the back end from the document.

use fortran_backend::{Layout, unparse};
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{
    Attr, Base, Body, Decl, Dim, Document, InterfaceItem, Place, ProcId, Role, ScopeKind, SpecItem,
    Symbol, SymbolId, SymbolKind, TypeClass, TypeSpec,
};

use crate::check::point::plan::Plan;

/// The name of the module.
pub(crate) const MODULE: &str = "check_interfaces";

/// The text of the module; `None` where the procedures can be called without.
pub(crate) fn module(doc: &Document, plan: &Plan) -> Result<Option<String>, Diagnostics> {
    let procs = [plan.head.proc, plan.derivative.proc];
    if plan.head.module.is_some() || !procs.iter().any(|&proc| wants_interface(doc, proc)) {
        return Ok(None);
    }
    text(doc, &procs)
}

/// The text of a module of interface bodies.
pub(crate) fn text(doc: &Document, procs: &[ProcId]) -> Result<Option<String>, Diagnostics> {
    let mut doc = doc.clone();
    procs.iter().for_each(|&proc| strip(&mut doc, proc));
    // What has a body and no place is printed somewhere.
    doc.procs.values_mut().for_each(|proc| proc.body = Body::Interface);
    let Some(global) = doc.global_scope() else { return Ok(None) };
    let symbol = doc.add_symbol(module_symbol(global));
    let scope = doc.add_scope(global, ScopeKind::Module(symbol), Place::default());
    if let Some(decl) = &mut doc.symbols[symbol].decl {
        decl.role = Role::Module { scope: Some(scope) };
    }
    let items = procs.iter().map(|&proc| InterfaceItem::Body(doc.procs[proc].scope)).collect();
    doc.scopes[scope].items = vec![
        SpecItem::ImplicitNone(None),
        SpecItem::Interface { generic: None, is_abstract: false, items },
    ];
    doc.scopes[global].items = vec![SpecItem::Unit(scope)];
    let texts = unparse(&doc, Layout::OneText)?;
    Ok(Some(texts.into_iter().map(|(_, text)| text).collect()))
}

fn module_symbol(scope: xaif_schema::model::ScopeId) -> Symbol {
    Symbol {
        id: MODULE.into(),
        scope,
        kind: SymbolKind::Subroutine,
        class: TypeClass::Void,
        fe_type: None,
        rank: None,
        bounds: Vec::new(),
        active: None,
        temp: None,
        pointer: None,
        decl: Some(Box::new(Decl {
            name: MODULE.into(),
            role: Role::Module { scope: None },
            spec: TypeSpec::None,
            dims: Vec::new(),
            attrs: Default::default(),
            intent: None,
            init: None,
            char_len: None,
            common: None,
            bind_name: None,
            implicit: false,
            value: None,
            place: Place::default(),
        })),
    }
}

/// Whether a call of `proc` needs an explicit interface (Fortran 2018, 15.4.2.2).
fn wants_interface(doc: &Document, proc: ProcId) -> bool {
    let proc = &doc.procs[proc];
    let decl = |symbol: SymbolId| doc.symbols[symbol].decl.as_deref();
    let wants = |decl: &Decl| {
        let dims = decl.dims.iter().any(|dim| match dim {
            Dim::AssumedShape { .. } | Dim::Deferred | Dim::AssumedRank => true,
            Dim::Explicit { .. } | Dim::AssumedSize { .. } => false,
        });
        let attrs = [
            Attr::Allocatable,
            Attr::Pointer,
            Attr::Target,
            Attr::Optional,
            Attr::Value,
            Attr::Asynchronous,
            Attr::Volatile,
        ];
        dims || attrs.iter().any(|&attr| decl.has(attr))
            || matches!(decl.spec.base(), Base::Class(_) | Base::ClassStar)
    };
    let dummies = proc.args.iter().filter_map(|dummy| decl(dummy.symbol?));
    let result = proc.result.and_then(decl);
    let dynamic = result.is_some_and(|decl| wants(decl) || !decl.dims.is_empty());
    let elemental = decl(proc.symbol).is_some_and(|decl| decl.has(Attr::Elemental));
    let bound = decl(proc.symbol).is_some_and(|decl| decl.has(Attr::BindC));
    dynamic || elemental || bound || dummies.into_iter().any(wants)
}

/// Leaves of a procedure what an interface body has: dummy arguments, the result, constants.
fn strip(doc: &mut Document, proc: ProcId) {
    let proc = &doc.procs[proc];
    let scope = proc.scope;
    let mut kept: Vec<SymbolId> = proc.args.iter().filter_map(|dummy| dummy.symbol).collect();
    kept.extend(proc.result);
    let constants = doc.scopes[scope].symbols.iter().copied();
    let constants: Vec<SymbolId> =
        constants.filter(|&s| matches!(doc.role(s), Some(Role::Constant))).collect();
    kept.extend(constants);
    let data = &mut doc.scopes[scope];
    data.symbols.retain(|symbol| kept.contains(symbol));
    data.contains.clear();
    data.provided = false;
    data.items.retain_mut(|item| match item {
        SpecItem::Declare(symbols) => {
            symbols.retain(|symbol| kept.contains(symbol));
            !symbols.is_empty()
        }
        SpecItem::Use(_)
        | SpecItem::Import { .. }
        | SpecItem::ImplicitNone(_)
        | SpecItem::Implicit(_)
        | SpecItem::Interface { .. } => true,
        SpecItem::Comment(_)
        | SpecItem::Unit(_)
        | SpecItem::Access { .. }
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
        | SpecItem::Opaque { .. } => false,
    });
}
