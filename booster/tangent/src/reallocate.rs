//! Assignments that may give an allocatable variable a new shape (Fortran 2018, 10.2.1.3).
//!
//! The derivative must get the same shape and bounds. Where the derivative of the right-hand side
//! has the shape of the right-hand side, its assignment does that of itself; where it is a scalar
//! it is spread; where it is zero, the derivative takes its shape from the variable, after the
//! original statement.

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{
    Allocate, Attr, Base, Document, ExprId, ExprKind, Part, Place, RefId, StmtId, StmtKind,
    Subscript, SymbolId, Ty,
};

use super::body::Tangent;
use super::gather::slice;
use super::reads::reads;
use booster_build::{Copier, Emitter, bound, exists, integer, intrinsic, value_of, whole};
use booster_linearize::{conform, extent, keeps_shape};

impl Tangent<'_> {
    /// Whether an assignment to `lhs` may allocate it or change its shape.
    pub fn may_reallocate(&self, doc: &Document, lhs: RefId) -> bool {
        doc.refs[lhs].whole_entity().is_some_and(|symbol| doc.has(symbol, Attr::Allocatable))
    }

    /// `lhs = rhs` where that may reallocate `lhs`.
    pub fn reallocating(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        lhs: RefId,
        rhs: ExprId,
    ) -> Result<(), Diagnostic> {
        let leading = self.parts.directions.is_some() && doc_parts(e.doc, lhs) == 0;
        if leading {
            return self.reallocating_all(e, stmt, lhs, rhs);
        }
        if self.needs_statements(e.doc, rhs) {
            return self.reallocating_by_statements(e, stmt, lhs, rhs);
        }
        let place = e.doc.refs[lhs].place;
        let looped = self.parts.directions.is_some();
        let mut zero = false;
        self.each_direction(e, looped, place, |this, e, direction| {
            let value = this.derivative(e.doc, rhs, direction)?;
            let Some(target) = this.shadow(e.doc, lhs, direction) else { return Ok(()) };
            match value {
                Some(value) => {
                    let value = shaped(e.doc, value, rhs);
                    e.assign(target, value, place);
                }
                None => zero = true,
            }
            Ok(())
        })?;
        e.push(stmt);
        if !zero {
            return Ok(());
        }
        self.each_direction(e, looped, place, |this, e, direction| {
            let Some(target) = this.shadow(e.doc, lhs, direction) else { return Ok(()) };
            if e.doc.exprs[rhs].ty.rank > 0 || !e.doc.refs[lhs].ty.base.is_continuous() {
                return this.take_shape(e, target, lhs, place);
            }
            this.zero(e, target)
        })
    }

    /// Behind an assignment whose derivative is not asked for: the derivative object follows the
    /// shape all the same, since a later assignment may rely on it.
    pub fn follow_shape(
        &mut self,
        e: &mut Emitter<'_>,
        lhs: RefId,
        rhs: ExprId,
    ) -> Result<(), Diagnostic> {
        let scalar = e.doc.refs[lhs].ty.rank == 0;
        let kept = !scalar && (e.doc.exprs[rhs].ty.rank == 0 || keeps_shape(e.doc, rhs, lhs));
        if !self.parts.is_active(e.doc, lhs) {
            return Ok(());
        }
        if !self.may_reallocate(e.doc, lhs) {
            return self.follow_components(e, lhs);
        }
        if kept {
            return Ok(());
        }
        let place = e.doc.refs[lhs].place;
        if self.parts.directions.is_some() && doc_parts(e.doc, lhs) == 0 {
            if let Some(derivative) = self.parts.variable(e.doc.refs[lhs].base) {
                self.renew(e, derivative, lhs, place);
            }
            return self.zero_variable(e, lhs);
        }
        self.each_direction(e, true, place, |this, e, direction| {
            match this.parts.reference(e.doc, lhs, direction) {
                Some(target) => this.take_shape(e, target, lhs, place),
                None => Ok(()),
            }
        })
    }

    /// Behind an assignment of a structure whose derivative is zero: the allocatable components of
    /// the derivative are allocated as those of the structure are.
    pub fn follow_components(&mut self, e: &mut Emitter<'_>, lhs: RefId) -> Result<(), Diagnostic> {
        if !self.has_allocatable_parts(e.doc, lhs) {
            return Ok(());
        }
        let place = e.doc.refs[lhs].place;
        self.each_direction(e, true, place, |this, e, direction| {
            match this.parts.reference(e.doc, lhs, direction) {
                Some(target) => this.take_shape(e, target, lhs, place),
                None => Ok(()),
            }
        })
    }

    /// Whether a structure has allocatable components, and no pointers: a copy of it would have
    /// those of the original.
    pub fn has_allocatable_parts(&self, doc: &Document, lhs: RefId) -> bool {
        let mut types = match doc.refs[lhs].ty.base {
            Base::Derived(owner) => vec![owner],
            _ => Vec::new(),
        };
        let (mut at, mut found) = (0, false);
        while let Some(&owner) = types.get(at) {
            at += 1;
            for component in doc.data_components(owner) {
                if doc.has(component, Attr::Pointer) {
                    return false;
                }
                found |= doc.has(component, Attr::Allocatable);
                let base = doc.symbols[component].decl.as_ref().map(|decl| decl.spec.base());
                if let Some(Base::Derived(inner)) = base
                    && !types.contains(&inner)
                {
                    types.push(inner);
                }
            }
        }
        found
    }

    /// Gives the derivative object `target` the shape of `original`, and the value zero.
    fn take_shape(
        &mut self,
        e: &mut Emitter<'_>,
        target: RefId,
        original: RefId,
        place: Place,
    ) -> Result<(), Diagnostic> {
        let base = e.doc.refs[original].ty.base;
        let is_number = matches!(base, Base::Integer(_) | Base::Real(_) | Base::Complex(_));
        if is_number && self.may_reallocate(e.doc, target) {
            allocate_like(e, target, original, place);
        } else {
            follow(e, target, original, place);
        }
        self.zero(e, target)
    }

    /// `lhs = maxval(array, dim)` and the like: the elements of the derivative are assigned one by
    /// one, so it needs its shape before, which it takes from the variable. The canonical form sees
    /// to it that the right-hand side does not read the variable.
    fn reallocating_by_statements(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        lhs: RefId,
        rhs: ExprId,
    ) -> Result<(), Diagnostic> {
        if e.doc.exprs[rhs].ty.rank == 0 {
            self.derivative_assignment(e, lhs, rhs)?;
            e.push(stmt);
            return Ok(());
        }
        e.push(stmt);
        let place = e.doc.refs[lhs].place;
        let looped = self.parts.directions.is_some();
        self.each_direction(e, looped, place, |this, e, direction| {
            if let Some(target) = this.shadow(e.doc, lhs, direction) {
                follow(e, target, lhs, place);
            }
            Ok(())
        })?;
        self.derivative_assignment(e, lhs, rhs)
    }

    /// The same for a variable whose derivative has a leading dimension for directions, which an
    /// assignment to its parts does not allocate.
    fn reallocating_all(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        lhs: RefId,
        rhs: ExprId,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[lhs].place;
        let base = e.doc.refs[lhs].base;
        let read = reads(e.doc, rhs, base);
        let rank = e.doc.refs[lhs].ty.rank;
        let same_shape = match rank {
            // What is read has been allocated.
            0 => read,
            _ => e.doc.exprs[rhs].ty.rank == 0 || keeps_shape(e.doc, rhs, lhs),
        };
        if same_shape {
            self.derivative_assignment(e, lhs, rhs)?;
            e.push(stmt);
            return Ok(());
        }
        if read {
            return self.reallocating_through_copy(e, stmt, lhs, rhs);
        }
        e.push(stmt);
        let Some(derivative) = self.parts.variable(base) else { return Ok(()) };
        self.renew(e, derivative, lhs, place);
        self.derivative_assignment(e, lhs, rhs)
    }

    /// `a = [a, x]`: the derivative in all directions is computed in another array before `a`
    /// changes its shape.
    fn reallocating_through_copy(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        lhs: RefId,
        rhs: ExprId,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.refs[lhs].place;
        let base = e.doc.refs[lhs].base;
        let Some(derivative) = self.parts.variable(base) else {
            e.push(stmt);
            return Ok(());
        };
        let own = e.doc.refs[lhs].ty.base;
        let copy = self.array_of_directions(e.doc, base, own, place);
        let object = whole(e.doc, copy, place);
        let count = self.parts.directions.unwrap_or(1);
        let mut bounds = vec![Subscript::Index(integer(e.doc, i64::from(count), place))];
        for dimension in 1..=e.doc.refs[lhs].ty.rank {
            let extent = extent(e.doc, rhs, usize::from(dimension));
            bounds.push(Subscript::Index(extent));
        }
        e.doc.refs[object].parts.push(Part::Elements(bounds));
        let objects = vec![object];
        let allocate =
            Allocate { spec: None, objects, stat: None, errmsg: None, source: None, mold: None };
        e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
        self.each_direction(e, true, place, |this, e, direction| {
            let target = slice(e.doc, copy, direction, place);
            match this.derivative(e.doc, rhs, direction)? {
                Some(value) => {
                    e.assign(target, value, place);
                    Ok(())
                }
                None => this.zero(e, target),
            }
        })?;
        e.push(stmt);
        self.renew(e, derivative, lhs, place);
        let target = whole(e.doc, derivative, place);
        let value = whole(e.doc, copy, place);
        let value = value_of(e.doc, value);
        e.assign(target, value, place);
        let object = whole(e.doc, copy, place);
        e.release(object, place);
        Ok(())
    }

    /// Gives the allocatable `derivative`, which has a leading dimension for directions, the bounds
    /// of `original`.
    fn renew(&mut self, e: &mut Emitter<'_>, derivative: SymbolId, original: RefId, place: Place) {
        let asked = whole(e.doc, derivative, place);
        let asked = value_of(e.doc, asked);
        let ty = Ty::scalar(Base::Logical(4));
        let condition = intrinsic(e.doc, "allocated", &[asked], ty);
        e.open_if(condition, place);
        let object = whole(e.doc, derivative, place);
        e.release(object, place);
        e.close_if();
        let object = self.like(e.doc, derivative, original, place);
        let allocate = Allocate {
            spec: None,
            objects: vec![object],
            stat: None,
            errmsg: None,
            source: None,
            mold: None,
        };
        e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
    }

    /// `derivative(directions, lbound(original, 1):ubound(original, 1), …)`, an object of ALLOCATE.
    pub fn like(
        &self,
        doc: &mut Document,
        derivative: SymbolId,
        original: RefId,
        place: Place,
    ) -> RefId {
        let count = self.parts.directions;
        let count = count.map(|count| integer(doc, i64::from(count), place));
        let object = whole(doc, derivative, place);
        self.add_bounds(doc, object, original, count);
        object
    }

    /// Adds the bounds of `original` to an object of ALLOCATE, behind the number of directions.
    pub(super) fn add_bounds(
        &self,
        doc: &mut Document,
        object: RefId,
        original: RefId,
        count: Option<ExprId>,
    ) {
        let mut bounds: Vec<Subscript> = count.into_iter().map(Subscript::Index).collect();
        for dimension in 1..=doc.refs[original].ty.rank {
            let [lower, upper] =
                ["lbound", "ubound"].map(|name| Some(bound(doc, original, name, dimension)));
            bounds.push(Subscript::Section { lower, upper, stride: None });
        }
        if !bounds.is_empty() {
            doc.refs[object].parts.push(Part::Elements(bounds));
        }
    }
}

/// Allocates `derivative` with the bounds of `original`.
fn allocate_like(e: &mut Emitter<'_>, derivative: RefId, original: RefId, place: Place) {
    let object = Copier::new().reference(e.doc, derivative);
    let there = exists(e.doc, object, "allocated");
    e.open_if(there, place);
    e.release(object, place);
    e.close_if();
    let object = Copier::new().reference(e.doc, derivative);
    let mold = Copier::new().reference(e.doc, original);
    let mold = Some(value_of(e.doc, mold));
    let (objects, spec, stat, errmsg, source) = (vec![object], None, None, None, None);
    let allocate = Allocate { spec, objects, stat, errmsg, source, mold };
    e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
}

/// `derivative = original`, which gives the derivative the shape of the original.
pub(super) fn follow(e: &mut Emitter<'_>, derivative: RefId, original: RefId, place: Place) {
    let mold = Copier::new().reference(e.doc, derivative);
    let original = Copier::new().reference(e.doc, original);
    let original = value_of(e.doc, original);
    e.assign(mold, original, place);
}

/// The derivative of an array expression with its shape; a whole array (whose bounds the variable
/// would take) in parentheses where the original is more than a whole array.
pub(super) fn shaped(doc: &mut Document, derivative: ExprId, original: ExprId) -> ExprId {
    if doc.exprs[original].ty.rank == 0 {
        return derivative;
    }
    let shaped = conform(doc, derivative, original);
    if is_whole_array(doc, shaped) && !is_whole_array(doc, original) {
        doc.exprs[shaped].parens = true;
    }
    shaped
}

fn is_whole_array(doc: &Document, expr: ExprId) -> bool {
    match doc.exprs[expr].kind {
        ExprKind::Ref(reference) => {
            doc.exprs[expr].ty.rank > 0
                && !doc.exprs[expr].parens
                && !matches!(doc.refs[reference].parts.last(), Some(Part::Elements(_)))
        }
        _ => false,
    }
}

fn doc_parts(doc: &Document, reference: RefId) -> usize {
    doc.refs[reference].parts.len()
}
