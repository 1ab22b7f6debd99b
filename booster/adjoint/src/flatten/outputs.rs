//! What a procedure begins anew: structures that are INTENT(OUT) or the result of a function begin with
//! the values that their types give them, and nothing of what is INTENT(OUT) is allocated.
//!
//! The language does that as a procedure is entered. In an adjoint procedure such a variable is
//! INTENT(INOUT), since its old value is taken back, so it is written down as statements. In the
//! procedure itself they change nothing.

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::{
    Attr, Base, Body, Document, Init, Intent, Part, Place, ProcId, RefId, Reference, Role,
    StmtKind, Subscript, SymbolId, VertexId, VertexKind,
};

use super::scopes::{begins_anew, component_begins};
use booster_build::{
    Copier, Emitter, bound, new_variable, passed_from_above, rewrite_entries, value_of, whole,
};
use booster_build::{component_of, exists};

/// Writes down what begins anew as a procedure is entered, once.
///
/// # Errors
/// Polymorphic arguments whose types may begin with values that nobody knows here; an ENTRY to which
/// control comes from above.
pub(crate) fn write_out(doc: &mut Document, proc: ProcId) -> Result<(), Diagnostics> {
    let main =
        begun(doc, doc.procs[proc].args.iter().map(|arg| arg.symbol), doc.procs[proc].result);
    if doc.procs[proc].entry_written {
        return Ok(());
    }
    let Body::Flow(cfg) = &doc.procs[proc].body else { return Ok(()) };
    let mut all: Vec<(VertexId, Vec<SymbolId>)> = Vec::new();
    for (vertex, data) in &cfg.vertices {
        let VertexKind::Entry(point) = &data.kind else { continue };
        let symbols = match point {
            None => main.clone(),
            Some(point) => begun(doc, point.args.iter().map(|arg| arg.symbol), point.result),
        };
        if symbols.is_empty() {
            continue;
        }
        if point.is_some() && passed_from_above(cfg, vertex) {
            let message = "an ENTRY to which control comes from above, and whose arguments begin \
                           with default values, has no adjoint";
            let spot = doc.spot(data.place);
            let problem = Diagnostic::error(Code::ADJOINT_REFUSED, spot, message);
            let problem = problem.with_help("make a procedure of what stands behind the ENTRY");
            return Err(Diagnostics::from_iter([problem]));
        }
        all.push((vertex, symbols));
    }
    if all.is_empty() {
        return Ok(());
    }
    let mut problems = Diagnostics::new();
    for symbol in all.iter().flat_map(|(_, symbols)| symbols) {
        problems.extend(Diagnostics::from_iter(polymorphic(doc, *symbol)));
    }
    if problems.has_errors() {
        return Err(problems);
    }
    let done: Result<(), std::convert::Infallible> = rewrite_entries(doc, proc, |e, entry| {
        let symbols = all.iter().find(|(vertex, _)| *vertex == entry);
        for &symbol in symbols.into_iter().flat_map(|(_, symbols)| symbols) {
            let place = e.doc.symbols[symbol].decl.as_ref().map(|decl| decl.place);
            let object = whole(e.doc, symbol, place.unwrap_or_default());
            let optional = e.doc.has(symbol, Attr::Optional);
            if optional {
                let there = exists(e.doc, object, "present");
                e.open_if(there, e.place());
            }
            begin(e, object, symbol, 0);
            if optional {
                e.close_if();
            }
        }
        Ok(())
    });
    let Ok(()) = done;
    doc.procs[proc].entry_written = true;
    Ok(())
}

/// The arguments and the result that begin anew.
fn begun(
    doc: &Document,
    args: impl Iterator<Item = Option<SymbolId>>,
    result: Option<SymbolId>,
) -> Vec<SymbolId> {
    let is_out = |symbol: &SymbolId| {
        let decl = doc.symbols[*symbol].decl.as_deref();
        decl.is_some_and(|decl| decl.intent == Some(Intent::Out))
    };
    // An allocatable result is released by who calls for its adjoint.
    let own = result.filter(|&symbol| !doc.has(symbol, Attr::Allocatable));
    let anew = |symbol: &SymbolId| {
        let base = doc.symbols[*symbol].decl.as_deref().map(|decl| decl.spec.base());
        let structure = match base {
            Some(Base::Derived(owner) | Base::Class(owner)) => begins_anew(doc, owner, 0),
            _ => false,
        };
        !doc.has(*symbol, Attr::Pointer)
            && (doc.has(*symbol, Attr::Allocatable)
                || structure
                || matches!(base, Some(Base::Class(_))))
    };
    args.flatten().filter(is_out).chain(own).filter(anew).collect()
}

/// Refuses a polymorphic variable of which an extension begins with more than its declared type.
fn polymorphic(doc: &Document, symbol: SymbolId) -> Option<Diagnostic> {
    let decl = doc.symbols[symbol].decl.as_deref()?;
    let Base::Class(owner) = decl.spec.base() else { return None };
    if doc.has(symbol, Attr::Allocatable) {
        return None;
    }
    let own = doc.data_components(owner);
    let more = doc.symbols.keys().any(|other| {
        other != owner
            && matches!(doc.role(other), Some(Role::DerivedType { .. }))
            && doc.lineage(other).contains(&owner)
            && doc
                .data_components(other)
                .into_iter()
                .filter(|component| !own.contains(component))
                .any(|component| component_begins(doc, component, 0))
    });
    let message = format!(
        "`{}` is polymorphic and INTENT(OUT), and an extension of its type has components that begin \
         with values",
        doc.name(symbol)
    );
    let help = "make it INTENT(INOUT), and set the components";
    let spot = doc.spot(decl.place);
    more.then(|| Diagnostic::error(Code::ADJOINT_REFUSED, spot, message).with_help(help))
}

/// Gives an object what it begins with; `entity` is the variable or component that it is.
fn begin(e: &mut Emitter<'_>, object: RefId, entity: SymbolId, depth: u32) {
    let Reference { ty, place, .. } = e.doc.refs[object];
    let init = e.doc.symbols[entity].decl.as_deref().and_then(|decl| decl.init);
    if e.doc.has(entity, Attr::Allocatable) {
        let there = exists(e.doc, object, "allocated");
        e.open_if(there, place);
        let object = Copier::new().reference(e.doc, object);
        e.release(object, place);
        e.close_if();
        return;
    }
    match init {
        Some(Init::Value(value)) => {
            let target = Copier::new().reference(e.doc, object);
            let value = Copier::new().expr(e.doc, value);
            e.assign(target, value, place);
            return;
        }
        Some(Init::Target(target)) => {
            let lhs = Copier::new().reference(e.doc, object);
            let rhs = Copier::new().expr(e.doc, target);
            e.stmt(StmtKind::PointerAssign { lhs, rhs }, place);
            return;
        }
        None => {}
    }
    let (Base::Derived(owner) | Base::Class(owner)) = ty.base else { return };
    if e.doc.has(entity, Attr::Pointer) || depth > 40 || !begins_anew(e.doc, owner, 0) {
        return;
    }
    let rank = ty.rank;
    let element = if rank == 0 { object } else { elements(e, object, place) };
    for component in e.doc.data_components(owner) {
        if component_begins(e.doc, component, 0) {
            let part = component_of(e.doc, element, component);
            begin(e, part, component, depth + 1);
        }
    }
    (0..rank).for_each(|_| e.close_do());
}

/// Opens loops over the elements of an array.
fn elements(e: &mut Emitter<'_>, array: RefId, place: Place) -> RefId {
    let rank = e.doc.refs[array].ty.rank;
    let scope = e.scope;
    let mut indices = Vec::new();
    for dimension in 1..=rank {
        let bounds = ["lbound", "ubound"].map(|name| bound(e.doc, array, name, dimension));
        let variable = new_variable(e.doc, scope, "at", Base::Integer(4), place);
        e.open_do(variable, (bounds[0], bounds[1]), false, place);
        let value = whole(e.doc, variable, place);
        indices.push(Subscript::Index(value_of(e.doc, value)));
    }
    let element = Copier::new().reference(e.doc, array);
    e.doc.refs[element].parts.push(Part::Elements(indices));
    e.doc.refs[element].ty.rank = 0;
    element
}
