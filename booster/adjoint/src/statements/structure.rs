//! Adjoints of assignments of structures: component by component, as the assignment is.
//!
//! An assignment copies allocatable components with what is in them; so the adjoints of these
//! components are added as far as they are allocated. What pointer components point to is not copied,
//! so its adjoint stays.

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{
    Attr, Base, Document, ExprId, ExprKind, Place, RefId, Reference, SymbolId, Ty,
};

use crate::body::Adjoint;
use crate::statements::assign::Overlap;
use booster_build::{Copier, Emitter, binary, has_vector_subscript, intrinsic, value_of};
use booster_build::{component_of, exists};
use booster_linearize::{Contribution, add_by_elements, element_of};
use booster_shadow::derivative::Direction;
use booster_tangent::zero::open_positions;

impl Adjoint<'_> {
    /// `v = w` for structures. The variable has its old shape and value by now, its adjoint the new
    /// shape.
    pub(crate) fn adjoint_structure(
        &mut self,
        e: &mut Emitter<'_>,
        lhs: RefId,
        rhs: ExprId,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[lhs].place;
        let reshapes = self.reshapes(e.doc, lhs, rhs);
        let Some(own) = self.tools.shadow(e.doc, lhs, Direction::All) else { return Ok(()) };
        let overlap = self.overlap(e.doc, lhs, rhs);
        let is_itself = matches!(e.doc.exprs[rhs].kind, ExprKind::Ref(_));
        if overlap == Overlap::Same && is_itself {
            return Ok(());
        }
        if overlap == Overlap::None {
            self.give_structure(e, lhs, rhs, own, place)?;
            if reshapes {
                return self.renew(e, lhs);
            }
            let target = Copier::new().reference(e.doc, own);
            return self.tools.zero(e, target);
        }
        let aside = self.set_aside(e, own, place);
        if reshapes {
            self.renew(e, lhs)?;
        } else {
            let target = Copier::new().reference(e.doc, own);
            self.tools.zero(e, target)?;
        }
        self.give_structure(e, lhs, rhs, aside, place)?;
        self.drop_aside(e, aside);
        Ok(())
    }

    /// What the right-hand side gets of `own`, the adjoint of its value.
    pub(crate) fn give_structure(
        &mut self,
        e: &mut Emitter<'_>,
        lhs: RefId,
        rhs: ExprId,
        own: RefId,
        place: Place,
    ) -> Result<(), Diagnostic> {
        // What has got its type from the right-hand side is of that type.
        if let (Base::Class(_), Base::Derived(ty)) =
            (e.doc.refs[own].ty.base, e.doc.exprs[rhs].ty.base)
        {
            let selection = self.tools.open_types(e, own, &[ty])?;
            let own = selection.arm(e, ty);
            self.give_structure(e, lhs, rhs, own, place)?;
            selection.close(e);
            return Ok(());
        }
        match e.doc.exprs[rhs].kind {
            ExprKind::Ref(source) => {
                let adjoint = self.tools.shadow(e.doc, source, Direction::All);
                adjoint.map_or(Ok(()), |adjoint| self.add_structure(e, adjoint, own))
            }
            ExprKind::StructureConstructor { .. } => self.give_constructor(e, lhs, rhs, own, place),
            ExprKind::Constant(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => Err(self.no_structure(e, place)),
        }
    }

    fn no_structure(&self, e: &Emitter<'_>, place: Place) -> Diagnostic {
        self.refused(
            e.doc,
            place,
            "this structure has no adjoint",
            "assign its components one by one",
        )
    }

    /// `v = t(x, w)`: each component gives its adjoint to what it was made of.
    fn give_constructor(
        &mut self,
        e: &mut Emitter<'_>,
        lhs: RefId,
        rhs: ExprId,
        own: RefId,
        place: Place,
    ) -> Result<(), Diagnostic> {
        let lhs_ty = e.doc.refs[lhs].ty;
        let all = self.contributions(e, rhs, (own, None), lhs_ty, place)?;
        let (numbers, structures): (Vec<Contribution>, Vec<Contribution>) =
            all.into_iter().partition(|one| e.doc.refs[one.target].ty.base.is_continuous());
        self.accumulate(e, numbers, place)?;
        for Contribution { target, value, .. } in structures {
            let from = all_elements(e.doc, value);
            // Arrays in all elements of an array have no name.
            let has_name = |&from: &RefId| {
                let last = e.doc.refs[from].whole_entity();
                let rank = last.and_then(|last| e.doc.symbols[last].rank).unwrap_or(0);
                rank == 0 || e.doc.refs[own].ty.rank == 0
            };
            let Some(from) = from.filter(has_name) else {
                return Err(self.no_structure(e, place));
            };
            if let Some(adjoint) = self.tools.shadow(e.doc, target, Direction::All) {
                self.add_structure(e, adjoint, from)?;
            }
        }
        Ok(())
    }

    /// `to = to + from`, component by component; `to` may be one structure for all elements of `from`,
    /// and an element that vector subscripts name twice gets both.
    pub(crate) fn add_structure(
        &mut self,
        e: &mut Emitter<'_>,
        to: RefId,
        from: RefId,
    ) -> Result<(), Diagnostic> {
        let Reference { ty, place, .. } = e.doc.refs[to];
        // `a = b` for a polymorphic b and an a that is not: what b has beyond its declared type is not copied.
        let base = match (ty.base, e.doc.refs[from].ty.base) {
            (Base::Class(to), Base::Derived(from)) if to == from => Base::Derived(from),
            (base, _) => base,
        };
        match base {
            Base::Real(_) | Base::Complex(_) => {
                let more = Copier::new().reference(e.doc, from);
                let mut more = value_of(e.doc, more);
                if e.doc.refs[from].ty.rank > ty.rank {
                    let total = Ty::scalar(e.doc.exprs[more].ty.base);
                    more = intrinsic(e.doc, "sum_arr", &[more], total);
                }
                if has_vector_subscript(e.doc, to) {
                    return add_by_elements(e, to, more, false, &mut self.tools.scratch);
                }
                let old = Copier::new().reference(e.doc, to);
                let old = value_of(e.doc, old);
                let sum = binary(e.doc, "add_scal_scal", old, more);
                e.assign(to, sum, place);
                Ok(())
            }
            Base::Derived(owner) => {
                self.tools.refuse_endless(e.doc, owner, place)?;
                let parts: Vec<SymbolId> = e
                    .doc
                    .data_components(owner)
                    .into_iter()
                    .filter(|&component| {
                        let decl = e.doc.symbols[component].decl.as_deref();
                        decl.is_some_and(|d| self.tools.parts.types.carries(d.spec.base()))
                            && !e.doc.has(component, Attr::Pointer)
                    })
                    .collect();
                let flat = parts.iter().all(|&component| {
                    let symbol = &e.doc.symbols[component];
                    symbol.rank.unwrap_or(0) == 0
                        && !e.doc.has(component, Attr::Allocatable)
                        && symbol.decl.as_deref().is_some_and(|d| d.spec.base().is_continuous())
                });
                let rank = e.doc.refs[from].ty.rank;
                if rank == 0 || flat && !has_vector_subscript(e.doc, to) {
                    return self.add_components(e, to, from, &parts);
                }
                let (to, from) = self.open_pairs(e, to, from)?;
                self.add_components(e, to, from, &parts)?;
                (0..rank).for_each(|_| e.close_do());
                Ok(())
            }
            Base::Class(owner) => {
                let types = self.tools.types_of_class(e.doc, owner);
                self.add_polymorphic(e, to, from, &types)
            }
            Base::ClassStar | Base::TypeStar => Err(self.no_structure(e, place)),
            _ => Ok(()),
        }
    }

    /// The same for polymorphic structures, which have the same type as the program runs, one of `types`.
    fn add_polymorphic(
        &mut self,
        e: &mut Emitter<'_>,
        to: RefId,
        from: RefId,
        types: &[SymbolId],
    ) -> Result<(), Diagnostic> {
        let selection = self.tools.open_types(e, to, types)?;
        for &ty in types {
            let to = selection.arm(e, ty);
            let same = self.tools.open_types(e, from, &[ty])?;
            let from = same.arm(e, ty);
            self.add_structure(e, to, from)?;
            same.close(e);
        }
        selection.close(e);
        Ok(())
    }

    fn add_components(
        &mut self,
        e: &mut Emitter<'_>,
        to: RefId,
        from: RefId,
        parts: &[SymbolId],
    ) -> Result<(), Diagnostic> {
        for &component in parts {
            let to = component_of(e.doc, to, component);
            let from = component_of(e.doc, from, component);
            let guarded = e.doc.has(component, Attr::Allocatable);
            if guarded {
                let there = exists(e.doc, from, "allocated");
                e.open_if(there, e.doc.refs[to].place);
            }
            let done = self.add_structure(e, to, from);
            if guarded {
                e.close_if();
            }
            done?;
        }
        Ok(())
    }

    /// Opens loops over the elements of `from`; the elements of both, or `to` itself, if it is one
    /// structure for all of them.
    fn open_pairs(
        &mut self,
        e: &mut Emitter<'_>,
        to: RefId,
        from: RefId,
    ) -> Result<(RefId, RefId), Diagnostic> {
        let scope = self.scope(e.doc);
        let positions = open_positions(e, scope, from, false);
        let mut one = |array: RefId| {
            if e.doc.refs[array].ty.rank == 0 {
                return Ok(Copier::new().reference(e.doc, array));
            }
            let like = value_of(e.doc, array);
            element_of(e.doc, array, &positions, like)
        };
        Ok((one(to)?, one(from)?))
    }
}

/// The structures that a contribution consists of: one, or the elements of an array whose sum it is.
fn all_elements(doc: &Document, value: ExprId) -> Option<RefId> {
    if let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[value].kind
        && &**name == "sum_arr"
        && let [operand] = operands.as_slice()
    {
        return doc.exprs[operand.expr].reference();
    }
    doc.exprs[value].reference()
}
