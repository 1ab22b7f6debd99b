//! Assignments of structures with pointers become those of their components, `a%x = b%x` and
//! `a%p => b%p`. That is what they mean, and what a component is can be recorded: a number as its value,
//! a pointer as what it is associated with.
//!
//! What stays, and is refused where it must be recorded: arrays, allocatable structures, components
//! that are hidden here, allocatable ones that are polymorphic or for which a constructor gives no
//! value, and assignments that may read what they overwrite (`a = a%next`).

use std::convert::Infallible;

use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Document, ExprId, ExprKind, Init, Part, ProcId, RefId, ScopeId,
    StmtId, StmtKind, SymbolId,
};

use crate::queries::designators::is_within;
use booster_build::component_of;
use booster_build::{Copier, Emitter, has_call, nodes_of, rewrite_blocks, subscripts_of, value_of};
use booster_facts::components::is_firm;

/// Takes assignments of structures with pointers apart.
pub(crate) fn flatten(doc: &mut Document, proc: ProcId) {
    let scope = doc.procs[proc].scope;
    let done: Result<(), Infallible> = rewrite_blocks(doc, proc, |e, stmt| {
        match whole_structure(e.doc, stmt, scope) {
            Some((lhs, values)) => take_apart(e, stmt, lhs, values),
            None => e.push(stmt),
        }
        Ok(())
    });
    let Ok(()) = done;
}

/// What each component is given.
enum Values {
    /// The component of this structure.
    Of(RefId),
    /// These values.
    Given(Vec<(SymbolId, ExprId)>),
}

/// The structure that a statement assigns and can be taken apart, with what it is given.
fn whole_structure(doc: &Document, stmt: StmtId, scope: ScopeId) -> Option<(RefId, Values)> {
    let StmtKind::Assign { lhs, rhs, .. } = doc.stmts[stmt].kind else { return None };
    let to = &doc.refs[lhs];
    let Base::Derived(owner) = to.ty.base else { return None };
    let apart = to.ty.rank == 0
        && doc.refs[lhs].whole_entity().is_none_or(|symbol| !doc.has(symbol, Attr::Allocatable))
        && has_pointer(doc, owner)
        && can_be_written(doc, owner, scope)
        && is_steady(doc, lhs, to.base);
    if !apart {
        return None;
    }
    if let ExprKind::Ref(from) = doc.exprs[rhs].kind {
        let other = &doc.refs[from];
        let copied = other.ty == to.ty && other.base != to.base && is_steady(doc, from, to.base);
        return (copied && is_its_own(doc, lhs) && is_its_own(doc, from))
            .then_some((lhs, Values::Of(from)));
    }
    let ExprKind::StructureConstructor { spec, args } = &doc.exprs[rhs].kind else { return None };
    let seen = doc.has(to.base, Attr::Target) || !is_its_own(doc, lhs);
    if spec.base() != to.ty.base || seen || reads(doc, vec![rhs], to.base) {
        return None;
    }
    given(doc, owner, args).map(|values| (lhs, Values::Given(values)))
}

/// Whether the subscripts of a reference are the same while components of `assigned` are given their
/// values one after the other.
fn is_steady(doc: &Document, reference: RefId, assigned: SymbolId) -> bool {
    !reads(doc, subscripts_of(&doc.refs[reference]), assigned)
}

/// Whether expressions may read a variable, by its name or through a pointer.
fn reads(doc: &Document, roots: Vec<ExprId>, variable: SymbolId) -> bool {
    let target = doc.has(variable, Attr::Target) || doc.has(variable, Attr::Pointer);
    let may_be = |&node: &ExprId| match doc.exprs[node].kind {
        ExprKind::Ref(read) => doc.refs[read].base == variable || target && !is_its_own(doc, read),
        _ => false,
    };
    has_call(doc, roots.iter().copied()) || nodes_of(doc, roots).iter().any(may_be)
}

/// Whether a reference is reached through no pointer.
fn is_its_own(doc: &Document, reference: RefId) -> bool {
    let data = &doc.refs[reference];
    !doc.has(data.base, Attr::Pointer)
        && data.parts.iter().all(|part| match part {
            Part::Component { symbol: Some(symbol), .. } => !doc.has(*symbol, Attr::Pointer),
            Part::Elements(_) => true,
            Part::Component { symbol: None, .. }
            | Part::Substring { .. }
            | Part::Inquiry(_)
            | Part::Deref => false,
        })
}

/// Whether a structure holds a pointer.
fn has_pointer(doc: &Document, owner: SymbolId) -> bool {
    doc.components(owner).into_iter().any(|component| {
        doc.has(component, Attr::Pointer)
            || inner(doc, component).is_some_and(|ty| has_pointer(doc, ty))
    })
}

/// The type of a component that is a scalar structure and part of the memory of the whole.
fn inner(doc: &Document, component: SymbolId) -> Option<SymbolId> {
    let Base::Derived(ty) = doc.symbols[component].decl.as_ref()?.spec.base() else { return None };
    (is_firm(doc, component) && doc.symbols[component].rank == Some(0)).then_some(ty)
}

/// Whether all components can be named in `scope` and assigned one by one.
fn can_be_written(doc: &Document, owner: SymbolId, scope: ScopeId) -> bool {
    let home = doc.symbols[owner].scope;
    let around = |&scope: &ScopeId| doc.scopes[scope].parent;
    let within = std::iter::successors(Some(scope), around).any(|scope| scope == home);
    doc.components(owner).into_iter().all(|component| {
        let class = doc.symbols[component].decl.as_ref().is_some_and(|decl| {
            matches!(decl.spec.base(), Base::Class(_) | Base::ClassStar)
                && decl.has(Attr::Allocatable)
        });
        (within || !doc.is_private(component))
            && !class
            && inner(doc, component)
                .is_none_or(|ty| !has_pointer(doc, ty) || can_be_written(doc, ty, scope))
    })
}

/// The value that a constructor gives each component, or the one that its declaration has.
fn given(doc: &Document, owner: SymbolId, args: &[Arg]) -> Option<Vec<(SymbolId, ExprId)>> {
    let all = doc.components(owner);
    let mut values: Vec<Option<ExprId>> = vec![None; all.len()];
    for (index, arg) in args.iter().enumerate() {
        let component = doc.component_given(owner, arg, index)?;
        let at = all.iter().position(|&one| one == component)?;
        let ArgValue::Expr(value) = arg.value else { return None };
        values[at] = Some(value);
    }
    let initial = |component: SymbolId| {
        let decl = doc.symbols[component].decl.as_deref()?;
        match decl.init {
            Some(Init::Value(value) | Init::Target(value)) => Some(value),
            None => None,
        }
    };
    all.into_iter()
        .zip(values)
        .map(|(component, value)| {
            let value = value.or_else(|| initial(component))?;
            let nothing = matches!(doc.exprs[value].kind, ExprKind::Intrinsic { .. })
                && doc.has(component, Attr::Allocatable);
            (!nothing).then_some((component, value))
        })
        .collect()
}

/// What a component of this type is given by a value inside a constructor.
fn made_of(doc: &Document, value: ExprId, ty: SymbolId) -> Option<Values> {
    if let ExprKind::Ref(from) = doc.exprs[value].kind {
        return Some(Values::Of(from));
    }
    let ExprKind::StructureConstructor { args, .. } = &doc.exprs[value].kind else { return None };
    given(doc, ty, args).map(Values::Given)
}

/// Writes the assignments of the components, with what the whole had recorded.
fn take_apart(e: &mut Emitter<'_>, stmt: StmtId, lhs: RefId, values: Values) {
    let place = e.doc.stmts[stmt].place;
    let values = match values {
        Values::Given(values) => values
            .into_iter()
            .map(|(component, value)| (component, Copier::new().expr(e.doc, value)))
            .collect(),
        Values::Of(from) => {
            let Base::Derived(owner) = e.doc.refs[lhs].ty.base else { return };
            let parts = e.doc.components(owner).into_iter();
            let part = |component: SymbolId| {
                let from = component_of(e.doc, from, component);
                e.doc.refs[from].forget_facts();
                (component, value_of(e.doc, from))
            };
            parts.map(part).collect::<Vec<_>>()
        }
    };
    for (component, value) in values {
        let to = component_of(e.doc, lhs, component);
        e.doc.refs[to].forget_facts();
        let nested = inner(e.doc, component).filter(|&ty| has_pointer(e.doc, ty));
        let values = nested.and_then(|ty| made_of(e.doc, value, ty));
        if let Some(values) = values {
            take_apart(e, stmt, to, values);
            continue;
        }
        let made = match e.doc.has(component, Attr::Pointer) {
            true => e.stmt(StmtKind::PointerAssign { lhs: to, rhs: value }, place),
            false => e.assign(to, value, place),
        };
        let told = e.doc.stmts[stmt].recorded.clone();
        e.doc.stmts[made].recorded = told.map(|told| {
            let (doc, part) = (&*e.doc, &e.doc.refs[to]);
            let concerns = |&whole: &RefId| {
                let whole = &doc.refs[whole];
                is_within(doc, part, whole) || is_within(doc, whole, part)
            };
            match told.iter().any(concerns) {
                true => vec![to],
                false => Vec::new(),
            }
        });
    }
}
