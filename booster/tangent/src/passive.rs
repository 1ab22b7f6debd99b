//! What stands in the place of the derivative of an actual argument that has none: a zero, in the reverse
//! mode a variable that is zero, and for a structure one of its type, which the callee may ask for.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Attr, Base, Dim, Document, ExprId, Place, Release, Role, StmtKind, SymbolId, Ty,
};

use super::body::Tangent;
use super::zero::zero;
use booster_build::{Copier, Emitter, integer, intrinsic, new_variable, value_of, whole};
use booster_canonical::copies_by_procedure;
use booster_linearize::conform;
use booster_shadow::polymorphic::{has_parameters, spec_of};

impl Tangent<'_> {
    /// A zero in the place of the derivative of an actual argument that has none.
    pub(super) fn zero_actual(
        &mut self,
        e: &mut Emitter<'_>,
        expr: ExprId,
        place: Place,
    ) -> Result<ExprId, Diagnostic> {
        let base = e.doc.exprs[expr].ty.base;
        if let Base::Derived(owner) = base {
            return self.passive_structure(e, expr, owner, place);
        }
        if !base.is_continuous() {
            return Err(self.no_number(e.doc, place));
        }
        let number = zero(e.doc, base, place);
        let array = conform(e.doc, number, expr);
        let Some(count) = self.parts.directions else { return Ok(array) };
        let rank = e.doc.exprs[array].ty.rank;
        let first = integer(e.doc, 1, place);
        let count = integer(e.doc, i64::from(count), place);
        let ty = Ty { base, rank: rank + 1 };
        Ok(intrinsic(e.doc, "spread", &[array, first, count], ty))
    }

    fn no_number(&self, doc: &Document, place: Place) -> Diagnostic {
        self.error(
            doc,
            Code::NO_DERIVATIVE_ARGUMENT,
            place,
            "an argument that is no number is passed where a number is expected that has a derivative",
            "pass a variable of the type of the dummy argument",
        )
    }

    /// A variable of the type of a structure: a copy of which all numbers are zero. What is no number
    /// has its value, as in all derivatives.
    fn passive_structure(
        &mut self,
        e: &mut Emitter<'_>,
        expr: ExprId,
        owner: SymbolId,
        place: Place,
    ) -> Result<ExprId, Diagnostic> {
        let Ty { base, rank } = e.doc.exprs[expr].ty;
        let refused = rank > 0
            || self.parts.directions.is_some()
            || has_parameters(e.doc, owner)
            || copies_by_procedure(e.doc, owner)
            || self.is_shared_or_final(e.doc, owner)
            || !self.import(e.doc, owner);
        if refused {
            return Err(self.no_number(e.doc, place));
        }
        let scope = self.scope(e.doc);
        let wish = format!("unused{}", self.suffix);
        let variable = new_variable(e.doc, scope, &wish, base, place);
        let spec = spec_of(e.doc, owner);
        if let Some(decl) = e.doc.symbols[variable].decl.as_deref_mut() {
            decl.spec = spec;
        }
        let target = whole(e.doc, variable, place);
        let value = Copier::new().expr(e.doc, expr);
        e.assign(target, value, place);
        let object = whole(e.doc, variable, place);
        self.zero_if_there(e, object)?;
        let passed = whole(e.doc, variable, place);
        Ok(value_of(e.doc, passed))
    }

    /// Whether a copy of an object shares numbers with it, or the copy comes to an end of its own.
    fn is_shared_or_final(&self, doc: &Document, owner: SymbolId) -> bool {
        let mut types = vec![owner];
        let mut next = 0;
        while let Some(&one) = types.get(next) {
            next += 1;
            for ty in doc.lineage(one) {
                let Some(Role::DerivedType { scope, .. }) = doc.role(ty) else { return true };
                let mut symbols = doc.scopes[*scope].symbols.iter();
                if symbols.any(|&symbol| matches!(doc.role(symbol), Some(Role::Final { .. }))) {
                    return true;
                }
            }
            for component in doc.data_components(one) {
                let Some(decl) = doc.symbols[component].decl.as_deref() else { return true };
                let base = decl.spec.base();
                if decl.has(Attr::Pointer) && self.parts.types.carries(base) {
                    return true;
                }
                if let Base::Derived(inner) | Base::Class(inner) = base
                    && !decl.has(Attr::Pointer)
                {
                    let inner = self.parts.types.with_extensions(inner).into_iter();
                    let new: Vec<SymbolId> = inner.filter(|one| !types.contains(one)).collect();
                    types.extend(new);
                }
            }
        }
        false
    }

    /// In the place of the adjoint of an actual argument that has none: a variable that is zero, to
    /// which the callee may add. In the place of the derivative of a result that has none.
    pub(super) fn passive_adjoint(
        &mut self,
        e: &mut Emitter<'_>,
        expr: ExprId,
        place: Place,
    ) -> Result<ExprId, Diagnostic> {
        let Ty { base, rank } = e.doc.exprs[expr].ty;
        if let Base::Derived(owner) = base {
            return self.passive_structure(e, expr, owner, place);
        }
        if !base.is_continuous() {
            return Err(self.error(
                e.doc,
                Code::NO_DERIVATIVE_ARGUMENT,
                place,
                "an argument without adjoint is passed where an adjoint is expected",
                "pass a variable of the type of the dummy argument",
            ));
        }
        let scope = self.scope(e.doc);
        let wish = format!("unused{}", self.suffix);
        let variable = new_variable(e.doc, scope, &wish, base, place);
        if rank > 0 {
            self.unused_array(e, expr, variable, rank, place);
        }
        let target = whole(e.doc, variable, place);
        let none = zero(e.doc, base, place);
        e.assign(target, none, place);
        let passed = whole(e.doc, variable, place);
        Ok(value_of(e.doc, passed))
    }

    /// Makes a variable an array like `expr`, released behind the call.
    fn unused_array(
        &mut self,
        e: &mut Emitter<'_>,
        expr: ExprId,
        variable: SymbolId,
        rank: u8,
        place: Place,
    ) {
        e.doc.symbols[variable].rank = Some(rank);
        if let Some(decl) = e.doc.symbols[variable].decl.as_deref_mut() {
            decl.attrs.insert(Attr::Allocatable);
            decl.dims = vec![Dim::Deferred; usize::from(rank)];
        }
        let value = Copier::new().expr(e.doc, expr);
        let object = whole(e.doc, variable, place);
        e.allocate_like(object, value, place);
        let objects = vec![whole(e.doc, variable, place)];
        let release = Release { nullify: false, objects, stat: None, errmsg: None };
        self.behind.push(StmtKind::Release(Box::new(release)));
    }
}
