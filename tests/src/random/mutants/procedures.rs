//! Changes that move statements and expressions into procedures of their own.

use std::collections::HashMap;

use xaif_booster::build::{Copier, assign, nodes_of, subscripts_of, value_of, whole};
use xaif_schema::model::{
    Attr, Base, ConstantKind, Dim, Document, ExprId, ExprKind, Intent, ProcClass, ProcId, ProcKind,
    RefId, Role, ScopeId, ScopeKind, StmtId, StmtKind, SymbolId, Ty,
};

use super::Mutation;
use super::declare::{
    Made, body, bring_in, call, dims, dummy, extents, function_value, is_listed, module, nowhere,
    procedure, spec, variable,
};
use super::draft::{Draft, Run, is_real};

pub(super) const MUTATIONS: &[Mutation] = &[
    Mutation { name: "an internal procedure", apply: internal },
    Mutation { name: "a module procedure", apply: of_module },
    Mutation { name: "an external procedure", apply: external },
    Mutation { name: "a function of a module", apply: function },
    Mutation { name: "an internal function", apply: internal_function },
];

/// Whether a procedure can have internal procedures, and whether names mean the same in them as in a scope.
fn may_host(draft: &Draft<'_>, proc: ProcId, scope: ScopeId) -> bool {
    let own = draft.doc.procs[proc].scope;
    let outer = draft.doc.scopes[own].parent;
    let is_inner =
        outer.is_some_and(|outer| matches!(draft.doc.scopes[outer].kind, ScopeKind::Procedure(_)));
    scope == own && !is_inner && !draft.is_pure(proc)
}

/// Statements become an internal procedure without arguments.
fn internal(draft: &mut Draft<'_>) -> Option<()> {
    let run = draft.run()?;
    if !may_host(draft, run.proc, run.scope) {
        return None;
    }
    let made = procedure(draft.doc, run.scope, ProcClass::Internal, ProcKind::Subroutine);
    body(draft.doc, &made, run.stmts.clone());
    call_instead(draft, &run, &made, &[]);
    Some(())
}

fn call_instead(draft: &mut Draft<'_>, run: &Run, made: &Made, values: &[ExprId]) {
    let call = call(made, values);
    draft.replace(run, |emitter, _| {
        emitter.stmt(StmtKind::Call(Box::new(call.clone())), nowhere());
    });
}

/// What statements name: the variables, and those that they may change.
struct Named {
    all: Vec<SymbolId>,
    changed: Vec<SymbolId>,
}

/// The variables that assignments name, where they are all that the assignments need: numbers and
/// arrays of numbers that an argument can stand for.
fn named(doc: &Document, stmts: &[StmtId], scope: ScopeId) -> Option<Named> {
    let (mut all, mut changed, mut roots) = (Vec::new(), Vec::new(), Vec::new());
    let mut references: Vec<RefId> = Vec::new();
    for &stmt in stmts {
        match &doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, rhs, defined: None } => {
                changed.push(doc.refs[*lhs].base);
                references.push(*lhs);
                roots.push(*rhs);
                roots.extend(subscripts_of(&doc.refs[*lhs]));
            }
            StmtKind::Comment(_) => {}
            _ => return None,
        }
    }
    for node in nodes_of(doc, roots) {
        match &doc.exprs[node].kind {
            ExprKind::Ref(reference) => references.push(*reference),
            ExprKind::Constant(constant) => {
                if matches!(constant.kind, ConstantKind::Named(_)) {
                    return None;
                }
            }
            ExprKind::Intrinsic { .. } | ExprKind::Boolean { .. } => {}
            ExprKind::ArrayConstructor { spec: None, .. } => {}
            ExprKind::ArrayConstructor { .. }
            | ExprKind::Call(_)
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => return None,
        }
    }
    for reference in references {
        let symbol = doc.refs[reference].base;
        if !all.contains(&symbol) {
            can_be_argument(doc, symbol, scope)?;
            all.push(symbol);
        }
    }
    Some(Named { all, changed })
}

fn can_be_argument(doc: &Document, symbol: SymbolId, scope: ScopeId) -> Option<()> {
    let decl = doc.symbols[symbol].decl.as_deref()?;
    let base = decl.spec.base();
    let is_number = is_real(base) || matches!(base, Base::Integer(4));
    let fits = matches!(decl.role, Role::Variable)
        && is_number
        && doc.symbols[symbol].scope == scope
        && decl.common.is_none()
        && decl.attrs.iter().all(|attr| matches!(attr, Attr::Save | Attr::Target))
        && decl.dims.iter().all(|dim| match dim {
            Dim::Explicit { lower: None, .. } | Dim::AssumedShape { lower: None } => true,
            Dim::Explicit { .. } => extents(doc, symbol).is_some(),
            Dim::AssumedShape { .. }
            | Dim::Deferred
            | Dim::AssumedSize { .. }
            | Dim::AssumedRank => false,
        })
        && !is_listed(doc, scope, symbol);
    fits.then_some(())
}

/// Dummy arguments for variables, and what they become.
fn dummies(doc: &mut Document, made: &Made, named: &Named, shapes: bool) -> Option<Copier> {
    let mut symbols = HashMap::new();
    for &symbol in &named.all {
        let decl = doc.symbols[symbol].decl.as_deref()?;
        let (base, rank) = (decl.spec.base(), decl.dims.len());
        let dims = match extents(doc, symbol) {
            Some(bounds) => dims(doc, &bounds),
            None if shapes => vec![Dim::AssumedShape { lower: None }; rank],
            None => return None,
        };
        let spec = spec(doc, base);
        let name = doc.name(symbol).to_owned();
        let new = variable(doc, made.scope, &name, spec, dims);
        let is_changed = named.changed.contains(&symbol);
        dummy(doc, made, new, if is_changed { Intent::InOut } else { Intent::In });
        symbols.insert(symbol, new);
    }
    Some(Copier { symbols, ..Copier::default() })
}

fn actuals(doc: &mut Document, named: &Named) -> Vec<ExprId> {
    named
        .all
        .iter()
        .map(|&symbol| {
            let own = whole(doc, symbol, nowhere());
            value_of(doc, own)
        })
        .collect()
}

/// Assignments, all of whose variables can be arguments.
fn assignments(draft: &mut Draft<'_>) -> Option<(Run, Named)> {
    let run = draft.run()?;
    let own = draft.doc.procs[run.proc].scope;
    if run.scope != own || draft.is_pure(run.proc) {
        return None;
    }
    let named = named(draft.doc, &run.stmts, own)?;
    Some((run, named))
}

/// Assignments become a procedure of a new module.
fn of_module(draft: &mut Draft<'_>) -> Option<()> {
    let (run, named) = assignments(draft)?;
    let (module, home) = module(draft.doc)?;
    let made = procedure(draft.doc, home, ProcClass::Module, ProcKind::Subroutine);
    moved(draft, &run, &named, &made, true)?;
    bring_in(draft.doc, run.scope, module, made.symbol);
    Some(())
}

/// Assignments become a procedure whose interface nobody knows.
fn external(draft: &mut Draft<'_>) -> Option<()> {
    let (run, named) = assignments(draft)?;
    let global = draft.doc.global_scope()?;
    let made = procedure(draft.doc, global, ProcClass::External, ProcKind::Subroutine);
    moved(draft, &run, &named, &made, false)
}

fn moved(draft: &mut Draft<'_>, run: &Run, named: &Named, made: &Made, shapes: bool) -> Option<()> {
    let copier = dummies(draft.doc, made, named, shapes)?;
    let stmts = run.stmts.iter().map(|&stmt| copier.stmt(draft.doc, stmt)).collect();
    body(draft.doc, made, stmts);
    let values = actuals(draft.doc, named);
    call_instead(draft, run, made, &values);
    Some(())
}

/// An assignment to a scalar, with the statement.
fn scalar_assignment(draft: &mut Draft<'_>) -> Option<(Run, RefId, ExprId)> {
    let (site, lhs, rhs) = draft.assignment()?;
    let is_scalar = draft.doc.refs[lhs].ty.rank == 0 && draft.doc.exprs[rhs].ty.rank == 0;
    let run = Run { proc: site.proc, scope: site.scope, stmts: vec![site.stmt] };
    is_scalar.then_some((run, lhs, rhs))
}

/// A right-hand side becomes a function of a new module.
fn function(draft: &mut Draft<'_>) -> Option<()> {
    let (run, _, rhs) = scalar_assignment(draft)?;
    let own = draft.doc.procs[run.proc].scope;
    if draft.is_pure(run.proc) {
        return None;
    }
    let mut named = named(draft.doc, &run.stmts, own)?;
    // The variable that is assigned need not be passed.
    let nodes = nodes_of(draft.doc, [rhs]);
    let reads = |symbol: &SymbolId| {
        nodes.iter().any(|&node| {
            let reference = draft.doc.exprs[node].reference();
            reference.is_some_and(|one| draft.doc.refs[one].base == *symbol)
        })
    };
    named.all.retain(reads);
    named.changed.clear();
    let (module, home) = module(draft.doc)?;
    let made = procedure(draft.doc, home, ProcClass::Module, ProcKind::Function);
    let copier = dummies(draft.doc, &made, &named, true)?;
    let value = copier.expr(draft.doc, rhs);
    let ty = result_of(draft, &made, value);
    let values = actuals(draft.doc, &named);
    called(draft, &run, &made, &values, ty);
    bring_in(draft.doc, own, module, made.symbol);
    Some(())
}

/// A right-hand side becomes an internal function without arguments.
fn internal_function(draft: &mut Draft<'_>) -> Option<()> {
    let (run, _, rhs) = scalar_assignment(draft)?;
    if !may_host(draft, run.proc, run.scope) {
        return None;
    }
    let made = procedure(draft.doc, run.scope, ProcClass::Internal, ProcKind::Function);
    let ty = result_of(draft, &made, rhs);
    called(draft, &run, &made, &[], ty);
    Some(())
}

/// Gives a function its result.
fn result_of(draft: &mut Draft<'_>, made: &Made, value: ExprId) -> Ty {
    let ty = draft.doc.exprs[value].ty;
    let spec = spec(draft.doc, ty.base);
    let result = variable(draft.doc, made.scope, "mut_r", spec, Vec::new());
    draft.doc.procs[made.proc].result = Some(result);
    let lhs = whole(draft.doc, result, nowhere());
    let only = assign(draft.doc, lhs, value, nowhere());
    body(draft.doc, made, vec![only]);
    ty
}

/// An assignment gets the value of a function.
fn called(draft: &mut Draft<'_>, run: &Run, made: &Made, values: &[ExprId], ty: Ty) {
    let value = function_value(draft.doc, made, values, ty);
    for &stmt in &run.stmts {
        if let StmtKind::Assign { rhs, .. } = &mut draft.doc.stmts[stmt].kind {
            *rhs = value;
        }
    }
}
