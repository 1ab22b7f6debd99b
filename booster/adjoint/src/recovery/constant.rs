//! Constants that are passed to adjoint procedures.
//!
//! An adjoint procedure takes back values of its dummy arguments: of all that the procedure may
//! overwrite, also where it does not in this call, as it must not where a constant is passed. A
//! compiler may keep constants in memory that nobody can write to. So a variable with the value is
//! passed in the place of a constant, to a dummy argument that may be overwritten. What computes
//! something else has memory of its own, and nobody looks at it behind the call.

use std::collections::BTreeSet;

use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Body, Document, ExprId, ExprKind, Intent, Part, Place, ProcId,
    RefId, Role, SymbolId,
};

use crate::body::Adjoint;
use crate::queries::temporaries::temporary;
use booster_build::{Copier, Emitter, nodes_of, value_of, whole};
use booster_facts::arguments_of;
use booster_facts::side_effects::SideEffects;
use booster_facts::{Lifetime, Storage};
use booster_shadow::derivative::Slot;

/// The dummy arguments of `procedures` that these may overwrite.
pub(crate) fn overwritten_dummies(
    storage: &Storage,
    effects: &SideEffects,
    procedures: impl Iterator<Item = ProcId>,
) -> BTreeSet<SymbolId> {
    let locations = procedures.flat_map(|proc| {
        let out = effects.of(proc).out.iter().copied();
        out.filter(move |&location| storage.locations()[location].lifetime == Lifetime::Dummy(proc))
    });
    locations
        .flat_map(|location| {
            storage.locations()[location].members.iter().map(|member| member.symbol)
        })
        .collect()
}

impl Adjoint<'_> {
    /// Puts variables in the place of constants that `adjoint` may take back; gives the arrays among
    /// them, which are to be released behind the call.
    pub(crate) fn make_definable(
        &self,
        e: &mut Emitter<'_>,
        adjoint: SymbolId,
        args: &mut [Arg],
        place: Place,
    ) -> Vec<RefId> {
        let slots = self.tools.parts.signature(adjoint).map(<[Slot]>::to_vec).unwrap_or_default();
        let dummies = arguments_of(e.doc, adjoint).unwrap_or_default();
        let dummies: Vec<Option<SymbolId>> = dummies.iter().map(|arg| arg.symbol).collect();
        let has_body = e
            .doc
            .procedure_of(adjoint)
            .is_some_and(|proc| matches!(e.doc.procs[proc].body, Body::Flow(_)));
        let mut arrays = Vec::new();
        for arg in args {
            let index = usize::try_from(arg.position).unwrap_or(0).wrapping_sub(1);
            let (Some(Slot::Argument(_)), ArgValue::Expr(value)) = (slots.get(index), arg.value)
            else {
                continue;
            };
            let may_be_taken_back = match dummies.get(index).copied().flatten() {
                // A VALUE dummy is a copy.
                Some(dummy) if e.doc.has(dummy, Attr::Value) => false,
                Some(dummy) if has_body => self.overwritten_dummies.contains(&dummy),
                Some(dummy) => may_be_defined(e.doc, dummy),
                None => true,
            };
            if !may_be_taken_back || !is_constant(e.doc, value) {
                continue;
            }
            let Some((variable, array)) = self.variable_for(e, value, place) else { continue };
            arg.value = ArgValue::Expr(variable);
            arrays.extend(array);
        }
        arrays
    }

    /// A variable with the value of a constant in its place; what is to be released, if it is an
    /// array. An element stands for those that follow, so its whole array is copied.
    fn variable_for(
        &self,
        e: &mut Emitter<'_>,
        value: ExprId,
        place: Place,
    ) -> Option<(ExprId, Option<RefId>)> {
        let (mut source, mut parts) = (value, Default::default());
        if let ExprKind::Ref(reference) = e.doc.exprs[value].kind {
            parts = e.doc.refs[reference].parts.clone();
            if parts.iter().any(|part| !matches!(part, Part::Elements(_))) {
                return None;
            }
            let base = e.doc.refs[reference].base;
            let all = whole(e.doc, base, place);
            source = value_of(e.doc, all);
        }
        let ty = e.doc.exprs[source].ty;
        if !matches!(
            ty.base,
            Base::Integer(_) | Base::Real(_) | Base::Complex(_) | Base::Logical(_)
        ) {
            return None;
        }
        let scope = self.scope(e.doc);
        let symbol = temporary(e.doc, scope, "constant", ty, place);
        let target = whole(e.doc, symbol, place);
        let mut array = None;
        if ty.rank == 0 {
            e.assign(target, source, place);
        } else {
            e.allocate_like(target, source, place);
            array = Some(whole(e.doc, symbol, place));
        }
        let passed = whole(e.doc, symbol, place);
        e.doc.refs[passed].parts = parts;
        e.doc.refs[passed].ty = e.doc.exprs[value].ty;
        let passed = Copier::new().reference(e.doc, passed);
        Some((value_of(e.doc, passed), array))
    }
}

fn may_be_defined(doc: &Document, dummy: SymbolId) -> bool {
    let intent = doc.symbols[dummy].decl.as_deref().and_then(|decl| decl.intent);
    intent != Some(Intent::In) && !doc.has(dummy, Attr::Value)
}

/// Whether an expression is a constant, or a part of one.
fn is_constant(doc: &Document, value: ExprId) -> bool {
    let is_named =
        |reference: RefId| matches!(doc.role(doc.refs[reference].base), Some(Role::Constant));
    if let ExprKind::Ref(reference) = doc.exprs[value].kind {
        return is_named(reference);
    }
    nodes_of(doc, [value]).into_iter().all(|node| match &doc.exprs[node].kind {
        ExprKind::Constant(_)
        | ExprKind::Intrinsic { .. }
        | ExprKind::Boolean { .. }
        | ExprKind::ArrayConstructor { .. } => true,
        ExprKind::Ref(reference) => is_named(*reference),
        ExprKind::Call(_)
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => false,
    })
}
