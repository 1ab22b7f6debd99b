//! Whether a procedure pointer can mean a procedure: what it points to has the characteristics of its
//! interface (Fortran 2018, 10.2.2.4).
//!
//! Compared is only what every compiler does: kinds, extents and attributes are not. Of external procedures,
//! of which old programs tell little, only whether they are functions, and of how many arguments.

use xaif_schema::model::{Base, Dim, Document, ProcClass, Procedure, Role, ScopeKind, SymbolId};

use super::Storage;

/// Whether the pointer or component `pointer` may mean `target`; where nothing is known it may.
pub(super) fn may_mean(
    doc: &Document,
    storage: &Storage,
    pointer: SymbolId,
    target: SymbolId,
) -> bool {
    let Some(Role::Procedure(info)) = doc.role(pointer) else { return true };
    let model = info.interface.and_then(|interface| doc.procedure_of(interface));
    let (ProcClass::Pointer, Some(model)) = (info.class, model) else { return true };
    let proc = match storage.procedures.executed(doc, target) {
        Some(entry) if entry.point.is_some() => return true,
        Some(entry) => Some(entry.proc),
        None => doc.procedure_of(target),
    };
    let Some(proc) = proc else { return true };
    let (model, target) = (&doc.procs[model], &doc.procs[proc]);
    if model.result.is_some() != target.result.is_some() || model.args.len() != target.args.len() {
        return false;
    }
    let home = doc.symbols[target.symbol].scope;
    let is_told = matches!(doc.scopes[home].kind, ScopeKind::Module(_) | ScopeKind::Procedure(_));
    !is_told || agree(doc, model, target)
}

/// Whether dummy arguments and result are of the same sort.
fn agree(doc: &Document, model: &Procedure, target: &Procedure) -> bool {
    let dummies = model.args.iter().zip(&target.args).map(|(a, b)| (a.symbol, b.symbol));
    dummies.chain([(model.result, target.result)]).all(|pair| match pair {
        (Some(a), Some(b)) => same_sort(doc, a, b),
        (Some(_), None) | (None, Some(_)) | (None, None) => true,
    })
}

fn same_sort(doc: &Document, a: SymbolId, b: SymbolId) -> bool {
    let (Some(a_decl), Some(b_decl)) =
        (doc.symbols[a].decl.as_deref(), doc.symbols[b].decl.as_deref())
    else {
        return true;
    };
    let is_procedure = |role: &Role| matches!(role, Role::Procedure(_));
    match (is_procedure(&a_decl.role), is_procedure(&b_decl.role)) {
        (true, true) => return true,
        (false, false) => {}
        (true, false) | (false, true) => return false,
    }
    let any_rank = [a_decl, b_decl].iter().any(|decl| decl.dims.contains(&Dim::AssumedRank));
    let same_rank = any_rank || a_decl.dims.len() == b_decl.dims.len();
    same_rank && same_type(doc, a_decl.spec.base(), b_decl.spec.base())
}

fn same_type(doc: &Document, a: Base, b: Base) -> bool {
    match (a, b) {
        (Base::Unknown | Base::Void, _) | (_, Base::Unknown | Base::Void) => true,
        (Base::Derived(a), Base::Derived(b)) | (Base::Class(a), Base::Class(b)) => {
            doc.name(a).eq_ignore_ascii_case(doc.name(b))
        }
        (a, b) => std::mem::discriminant(&a) == std::mem::discriminant(&b),
    }
}
