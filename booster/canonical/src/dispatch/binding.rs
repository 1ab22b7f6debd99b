//! Type-bound calls for which no derivative module can hold the choice among the types.
//!
//! Where all extensions of a type stand in one module, or one module uses all others that have them, its
//! derivative asks for the type (`derivative/dispatch`). But a module that calls the binding of its own
//! abstract type, of which an extension in another module calls back, cannot use the derivative of that
//! other module: both would use one another. And of two extensions in two modules, neither may use the
//! other. There an external procedure chooses (`external`), which everybody can call.
//!
//! Not done: bindings without a passed object, types that their modules hide.

use xaif_schema::model::{
    Attr, Base, Callee, Document, Part, ProcId, RefId, Role, ScopeId, ScopeKind, SymbolId,
};

use super::external::{Callable, Plan};
use booster_facts::inherited;
use booster_shadow::derivative::{Types, modules_below};
use booster_shadow::open::is_hidden_part;

/// What is to be made for a call, where it needs it.
pub(crate) fn plan(doc: &Document, callee: &Callee, caller: ProcId) -> Option<Plan> {
    let binding = callee.symbol;
    let Some(Role::Binding { pass, .. }) = doc.role(binding) else { return None };
    let object = callee.object?;
    let owner = class_of_object(doc, object)?;
    if doc.has(binding, Attr::NoPass) {
        return None;
    }
    let id = doc.symbols[binding].id.clone();
    let mut types = Vec::new();
    let mut targets = Vec::new();
    for ty in Types::new(doc).with_extensions(owner) {
        if doc.has(ty, Attr::Abstract) {
            continue;
        }
        let own = inherited(doc, ty, &id)?;
        let Some(Role::Binding { target: Some(target), .. }) = doc.role(own) else { return None };
        let proc = doc.procedure_of(*target)?;
        let home = doc.symbols[*target].scope;
        let hides =
            !matches!(doc.scopes[home].kind, ScopeKind::Module(_)) || doc.is_private(*target);
        if hides && is_hidden_part(doc, ty, own) {
            return None;
        }
        types.push((ty, if hides { Callable::Binding(own) } else { Callable::Name(*target) }));
        targets.push(proc);
    }
    let same = targets.iter().all(|target| Some(target) == targets.first());
    let is_bound = inherited(doc, owner, &id)
        .is_some_and(|own| matches!(doc.role(own), Some(Role::Binding { target: Some(_), .. })));
    if targets.is_empty() || same && is_bound || !is_apart(doc, owner, &types, caller) {
        return None;
    }
    let model = doc.described_by(binding)?;
    let object = match pass {
        Some(name) => doc.procs[model].args.iter().position(|arg| {
            arg.symbol.is_some_and(|symbol| doc.name(symbol).eq_ignore_ascii_case(name))
        })?,
        None => 0,
    };
    targets.sort_unstable();
    targets.dedup();
    Some(Plan { model, member: binding, owner, object: Some(object), targets, types })
}

/// The type of which the object of `object%f` is declared as a CLASS.
fn class_of_object(doc: &Document, object: RefId) -> Option<SymbolId> {
    let mut reference = doc.refs[object].clone();
    let Some(Part::Component { .. }) = reference.parts.pop() else { return None };
    let decl = doc.symbols[reference.entity()?].decl.as_deref()?;
    match decl.spec.base() {
        Base::Class(owner) => Some(owner),
        _ => None,
    }
}

/// Whether no derivative module can have the choice: none of the modules of the types uses all others, or
/// the one that does uses the module of the call, too.
fn is_apart(
    doc: &Document,
    owner: SymbolId,
    types: &[(SymbolId, Callable)],
    caller: ProcId,
) -> bool {
    let home = |ty: SymbolId| doc.symbols[ty].scope;
    let homes: Vec<ScopeId> = types.iter().map(|&(ty, _)| home(ty)).chain([home(owner)]).collect();
    if homes.iter().any(|&home| !matches!(doc.scopes[home].kind, ScopeKind::Module(_))) {
        return false;
    }
    let top = homes.iter().copied().find(|&top| {
        let below = modules_below(doc, top);
        homes.iter().all(|home| below.contains(home))
    });
    let Some(top) = top else { return true };
    let around = std::iter::successors(Some(doc.procs[caller].scope), |&s| doc.scopes[s].parent);
    let module =
        around.into_iter().find(|&scope| matches!(doc.scopes[scope].kind, ScopeKind::Module(_)));
    module.is_some_and(|module| module != top && modules_below(doc, top).contains(&module))
}
