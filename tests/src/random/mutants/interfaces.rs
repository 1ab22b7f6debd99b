//! Changes of dummy and actual arguments: INTENT, shapes, sections, copies.

use xaif_booster::build::{Copier, assign, binary, real, value_of, whole};
use xaif_schema::model::{
    ArgValue, Attr, Base, Body, Dim, ExprId, ExprKind, Intent, Part, ProcClass, ProcId, Role,
    StmtKind, Subscript, SymbolId,
};

use super::Mutation;
use super::declare::{nowhere, spec, variable};
use super::draft::{Draft, Run, is_real};

pub(super) const MUTATIONS: &[Mutation] = &[
    Mutation { name: "no INTENT", apply: no_intent },
    Mutation { name: "INTENT(INOUT)", apply: inout },
    Mutation { name: "VALUE", apply: by_value },
    Mutation { name: "an assumed shape", apply: assumed_shape },
    Mutation { name: "CONTIGUOUS", apply: contiguous },
    Mutation { name: "an array as a section", apply: section },
    Mutation { name: "an actual argument in parentheses", apply: copied },
    Mutation { name: "an actual argument that is computed", apply: computed },
    Mutation { name: "one actual argument twice", apply: same_argument },
    Mutation { name: "a temporary", apply: temporary },
    Mutation { name: "RECURSIVE", apply: recursive },
];

/// Dummy arguments of procedures that are called by name, for which `keep` holds.
fn dummies(
    draft: &Draft<'_>,
    keep: impl Fn(&Draft<'_>, ProcId, SymbolId) -> bool,
) -> Vec<SymbolId> {
    let mut found = Vec::new();
    for (proc, data) in &draft.doc.procs {
        let args = data.args.iter().filter_map(|arg| arg.symbol);
        let is_variable =
            |symbol: &SymbolId| matches!(draft.doc.role(*symbol), Some(Role::Variable));
        found.extend(args.filter(is_variable).filter(|&symbol| keep(draft, proc, symbol)));
    }
    found
}

fn has_interface(draft: &Draft<'_>, proc: ProcId) -> bool {
    match draft.doc.role(draft.doc.procs[proc].symbol) {
        Some(Role::Procedure(info)) => {
            matches!(info.class, ProcClass::Module | ProcClass::Internal)
        }
        Some(_) | None => false,
    }
}

fn no_intent(draft: &mut Draft<'_>) -> Option<()> {
    let told = dummies(draft, |draft, proc, symbol| {
        let decl = draft.doc.symbols[symbol].decl.as_deref();
        !draft.is_pure(proc)
            && decl.is_some_and(|decl| decl.intent.is_some() && !decl.has(Attr::Allocatable))
    });
    let symbol = draft.one(&told)?;
    draft.doc.symbols[symbol].decl.as_deref_mut()?.intent = None;
    Some(())
}

fn inout(draft: &mut Draft<'_>) -> Option<()> {
    let written = dummies(draft, |draft, _, symbol| {
        draft.doc.symbols[symbol].decl.as_ref().is_some_and(|d| d.intent == Some(Intent::Out))
    });
    let symbol = draft.one(&written)?;
    draft.doc.symbols[symbol].decl.as_deref_mut()?.intent = Some(Intent::InOut);
    Some(())
}

fn by_value(draft: &mut Draft<'_>) -> Option<()> {
    let read = dummies(draft, |draft, proc, symbol| {
        let decl = draft.doc.symbols[symbol].decl.as_deref();
        has_interface(draft, proc)
            && decl.is_some_and(|decl| {
                decl.intent == Some(Intent::In)
                    && decl.dims.is_empty()
                    && decl.attrs.is_empty()
                    && matches!(decl.spec.base(), Base::Real(_) | Base::Integer(_))
            })
    });
    let symbol = draft.one(&read)?;
    draft.doc.symbols[symbol].decl.as_deref_mut()?.attrs.insert(Attr::Value).then_some(())
}

fn assumed_shape(draft: &mut Draft<'_>) -> Option<()> {
    let explicit = dummies(draft, |draft, proc, symbol| {
        let decl = draft.doc.symbols[symbol].decl.as_deref();
        has_interface(draft, proc)
            && decl.is_some_and(|decl| {
                !decl.dims.is_empty()
                    && decl.dims.iter().all(|dim| matches!(dim, Dim::Explicit { .. }))
            })
    });
    let symbol = draft.one(&explicit)?;
    for dim in &mut draft.doc.symbols[symbol].decl.as_deref_mut()?.dims {
        if let Dim::Explicit { lower, .. } = *dim {
            *dim = Dim::AssumedShape { lower };
        }
    }
    Some(())
}

fn contiguous(draft: &mut Draft<'_>) -> Option<()> {
    let assumed = dummies(draft, |draft, _, symbol| {
        let decl = draft.doc.symbols[symbol].decl.as_deref();
        decl.is_some_and(|decl| decl.dims.iter().any(|dim| matches!(dim, Dim::AssumedShape { .. })))
    });
    let symbol = draft.one(&assumed)?;
    draft.doc.symbols[symbol].decl.as_deref_mut()?.attrs.insert(Attr::Contiguous).then_some(())
}

/// `a` becomes `a(:)`.
fn section(draft: &mut Draft<'_>) -> Option<()> {
    let all: Vec<_> = draft.doc.exprs.values().filter_map(|expr| expr.reference()).collect();
    let arrays: Vec<_> = all
        .into_iter()
        .filter(|&one| {
            let reference = &draft.doc.refs[one];
            let decl = draft.doc.symbols[reference.base].decl.as_deref();
            reference.parts.is_empty()
                && reference.ty.rank > 0
                && is_real(reference.ty.base)
                && decl.is_some_and(|decl| {
                    matches!(decl.role, Role::Variable)
                        && !decl.has(Attr::Allocatable)
                        && !decl.has(Attr::Pointer)
                })
        })
        .collect();
    let chosen = draft.one(&arrays)?;
    let rank = usize::from(draft.doc.refs[chosen].ty.rank);
    let all = Subscript::Section { lower: None, upper: None, stride: None };
    draft.doc.refs[chosen].parts.push(Part::Elements(vec![all; rank]));
    Some(())
}

/// Actual arguments that are variables whose dummy arguments are only read.
fn read_arguments(draft: &Draft<'_>) -> Vec<(ProcId, Vec<ExprId>)> {
    let mut found = Vec::new();
    for (callee, args) in draft.doc.calls() {
        let Some(proc) = draft.doc.described_by(callee.symbol) else { continue };
        let data = &draft.doc.procs[proc];
        let read = args.iter().filter_map(|arg| {
            let dummy = data.args.get(arg.position.checked_sub(1)? as usize)?.symbol?;
            let decl = draft.doc.symbols[dummy].decl.as_deref()?;
            let ArgValue::Expr(expr) = arg.value else { return None };
            let plain = decl.intent == Some(Intent::In)
                && is_real(decl.spec.base())
                && decl.attrs.is_empty()
                && callee.object.is_none()
                && draft.doc.exprs[expr].reference().is_some();
            plain.then_some(expr)
        });
        let read: Vec<ExprId> = read.collect();
        if !read.is_empty() {
            found.push((proc, read));
        }
    }
    found
}

fn read_argument(draft: &mut Draft<'_>) -> Option<ExprId> {
    let all: Vec<ExprId> = read_arguments(draft).into_iter().flat_map(|(_, list)| list).collect();
    draft.one(&all)
}

fn copied(draft: &mut Draft<'_>) -> Option<()> {
    let chosen = read_argument(draft)?;
    let before = std::mem::replace(&mut draft.doc.exprs[chosen].parens, true);
    (!before).then_some(())
}

fn computed(draft: &mut Draft<'_>) -> Option<()> {
    let chosen = read_argument(draft)?;
    let copy = draft.doc.exprs[chosen].clone();
    let base = copy.ty.base;
    let copy = draft.doc.exprs.push(copy);
    let half = real(draft.doc, "0.5", base, nowhere());
    let new = binary(draft.doc, "mul_scal_scal", half, copy);
    draft.doc.exprs[chosen] = draft.doc.exprs[new].clone();
    Some(())
}

/// Two arguments that are only read become one.
fn same_argument(draft: &mut Draft<'_>) -> Option<()> {
    let all: Vec<_> =
        read_arguments(draft).into_iter().filter(|(_, list)| list.len() > 1).collect();
    let (_, list) = draft.one(&all)?;
    let (from, to) = (draft.one(&list)?, draft.one(&list)?);
    if from == to || draft.doc.exprs[from].ty != draft.doc.exprs[to].ty {
        return None;
    }
    let new = Copier::new().expr(draft.doc, from);
    draft.doc.exprs[to] = draft.doc.exprs[new].clone();
    Some(())
}

/// `t = rhs; lhs = t`
fn temporary(draft: &mut Draft<'_>) -> Option<()> {
    let (site, lhs, rhs) = draft.assignment()?;
    if draft.doc.refs[lhs].ty.rank > 0 || draft.doc.exprs[rhs].ty.rank > 0 {
        return None;
    }
    let scope = draft.doc.procs[site.proc].scope;
    let spec = spec(draft.doc, draft.doc.exprs[rhs].ty.base);
    let new = variable(draft.doc, scope, "mut_v", spec, Vec::new());
    let own = whole(draft.doc, new, nowhere());
    let first = assign(draft.doc, own, rhs, nowhere());
    let read = whole(draft.doc, new, nowhere());
    let read = value_of(draft.doc, read);
    if let StmtKind::Assign { rhs, .. } = &mut draft.doc.stmts[site.stmt].kind {
        *rhs = read;
    }
    let run = Run { proc: site.proc, scope: site.scope, stmts: vec![site.stmt] };
    draft.replace(&run, |emitter, stmts| {
        emitter.push(first);
        stmts.iter().for_each(|&stmt| emitter.push(stmt));
    });
    Some(())
}

fn recursive(draft: &mut Draft<'_>) -> Option<()> {
    let bodies: Vec<SymbolId> = draft
        .doc
        .procs
        .values()
        .filter(|data| matches!(data.body, Body::Flow(_)))
        .map(|data| data.symbol)
        .filter(|&symbol| {
            let is_subroutine = !draft.doc.exprs.values().any(|expr| match &expr.kind {
                ExprKind::Call(call) => call.callee.symbol == symbol,
                _ => false,
            });
            is_subroutine && !draft.doc.has(symbol, Attr::Elemental)
        })
        .collect();
    let chosen = draft.one(&bodies)?;
    draft.doc.symbols[chosen].decl.as_deref_mut()?.attrs.insert(Attr::Recursive).then_some(())
}
