//! Changes by which two names mean the same storage: pointers to variables.

use xaif_booster::build::{value_of, whole};
use xaif_schema::model::{ArgValue, Attr, Dim, ExprId, ProcId, RefId, StmtKind, SymbolId};

use super::Mutation;
use super::declare::{extents, nowhere, spec, variable};
use super::draft::{Draft, Site};

pub(super) const MUTATIONS: &[Mutation] = &[
    Mutation { name: "a value by a pointer", apply: read },
    Mutation { name: "an assignment by a pointer", apply: written },
    Mutation { name: "an argument by a pointer", apply: passed },
];

/// A new pointer to a local variable whose bounds begin at 1.
fn pointer_to(draft: &mut Draft<'_>, proc: ProcId, symbol: SymbolId) -> Option<SymbolId> {
    if !draft.locals().contains(&(proc, symbol)) {
        return None;
    }
    let bounds = extents(draft.doc, symbol)?;
    if bounds.iter().any(|&(lower, _)| lower != 1) {
        return None;
    }
    let scope = draft.doc.procs[proc].scope;
    let base = draft.doc.symbols[symbol].decl.as_deref()?.spec.base();
    draft.doc.symbols[symbol].decl.as_deref_mut()?.attrs.insert(Attr::Target);
    let spec = spec(draft.doc, base);
    let dims = vec![Dim::Deferred; bounds.len()];
    let pointer = variable(draft.doc, scope, "mut_q", spec, dims);
    draft.doc.symbols[pointer].decl.as_deref_mut()?.attrs.insert(Attr::Pointer);
    Some(pointer)
}

/// `pointer => target` stands before a statement.
fn associated(draft: &mut Draft<'_>, site: Site, pointer: SymbolId, target: SymbolId) {
    let lhs = whole(draft.doc, pointer, nowhere());
    let rhs = whole(draft.doc, target, nowhere());
    let rhs = value_of(draft.doc, rhs);
    draft.before(site, vec![StmtKind::PointerAssign { lhs, rhs }]);
}

/// A reference to a local variable becomes one by a pointer.
fn by_pointer(draft: &mut Draft<'_>, site: Site, reference: RefId) -> Option<()> {
    let symbol = draft.doc.refs[reference].base;
    let pointer = pointer_to(draft, site.proc, symbol)?;
    draft.doc.refs[reference].base = pointer;
    associated(draft, site, pointer, symbol);
    Some(())
}

fn read(draft: &mut Draft<'_>) -> Option<()> {
    let locals = draft.locals();
    let nodes: Vec<(Site, ExprId)> = draft.nodes(|doc, node| {
        let base = doc.exprs[node].reference().map(|one| doc.refs[one].base);
        base.is_some_and(|base| locals.iter().any(|&(_, own)| own == base))
    });
    let (site, node) = draft.one(&nodes)?;
    let reference = draft.doc.exprs[node].reference()?;
    by_pointer(draft, site, reference)
}

fn written(draft: &mut Draft<'_>) -> Option<()> {
    let (site, lhs, _) = draft.assignment()?;
    by_pointer(draft, site, lhs)
}

/// A whole variable that a call is given.
fn passed(draft: &mut Draft<'_>) -> Option<()> {
    let mut found: Vec<(Site, RefId)> = Vec::new();
    for site in draft.sites(|_, kind| matches!(kind, StmtKind::Call(_))) {
        let StmtKind::Call(call) = &draft.doc.stmts[site.stmt].kind else { continue };
        for arg in &call.args {
            if let ArgValue::Expr(expr) = arg.value
                && let Some(reference) = draft.doc.exprs[expr].reference()
            {
                found.push((site, reference));
            }
        }
    }
    let (site, reference) = draft.one(&found)?;
    by_pointer(draft, site, reference)
}
