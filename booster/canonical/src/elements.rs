//! Assignments under a mask that call elemental functions, as loops over the elements.
//!
//! ```fortran
//! where (m) a = f(b) + c     becomes     do i = 1, size(m, 1)
//!                                          if (m(i)) then
//!                                            a(i) = f(b(i)) + c(i)
//!                                          …
//! ```
//!
//! A function is called for the elements of the mask only (Fortran 2018, 10.2.3.2): for others it may divide
//! by zero, or look beyond a table. What is evaluated without the mask, as arguments of functions that are
//! not elemental and array constructors are, is computed before. That holds for functions without derivatives,
//! too: the adjoint of a WHERE evaluates for all elements what it sums, shifts, or holds in a temporary array. Where
//! the assignment may overwrite what it reads at another element, the values are an array between.

use xaif_schema::intrinsics::{self, Class};
use xaif_schema::model::{
    Allocate, Base, Document, ExprId, ExprKind, Part, Place, RefId, StmtKind, Subscript, SymbolId,
    Ty,
};

use super::Canonical;
use super::hoist::{is_variable, values};
use super::temporaries::Storage;
use booster_build::{
    Emitter, assign, index, integer, new_variable, nodes_of, reference, same_reference, size_along,
    subscripts_of, value_of, whole,
};
use booster_facts::may_hold_numbers;
use booster_linearize::{At, element, element_of, is_elemental};

impl Canonical {
    /// Whether `rhs` calls an elemental function for the elements of a mask that cannot stay within the
    /// assignment to `lhs`.
    pub(super) fn calls_for_elements(&self, doc: &Document, lhs: RefId, rhs: ExprId) -> bool {
        let flows = may_hold_numbers(doc, doc.refs[lhs].ty.base);
        let mut stack = vec![rhs];
        while let Some(expr) = stack.pop() {
            if doc.exprs[expr].ty.rank == 0 {
                continue;
            }
            match &doc.exprs[expr].kind {
                ExprKind::Call(call) if doc.is_elemental(call.callee.symbol) => {
                    if flows || self.hoists(doc, expr, false) {
                        return true;
                    }
                }
                ExprKind::Intrinsic { name, operands, .. } if is_elemental(name) => {
                    stack.extend(operands.iter().map(|operand| operand.expr));
                }
                ExprKind::Boolean { operands, .. } => {
                    stack.extend(operands.iter().map(|operand| operand.expr));
                }
                ExprKind::Call(_)
                | ExprKind::Intrinsic { .. }
                | ExprKind::Constant(_)
                | ExprKind::Ref(_)
                | ExprKind::ArrayConstructor { .. }
                | ExprKind::ImpliedDo(_)
                | ExprKind::StructureConstructor { .. }
                | ExprKind::Procedure(_)
                | ExprKind::Opaque(_) => {}
            }
        }
        false
    }

    /// `lhs = rhs` for the elements of `mask`, a variable with lower bounds 1 that nothing here overwrites.
    pub(super) fn by_elements(
        &mut self,
        e: &mut Emitter<'_>,
        mask: (SymbolId, Ty),
        (lhs, rhs): (RefId, ExprId),
        place: Place,
    ) {
        let flows = may_hold_numbers(e.doc, e.doc.refs[lhs].ty.base);
        self.overwritten(e, lhs);
        self.vector_subscripts(e, lhs);
        self.without_mask(e, rhs, flows);
        let rank = mask.1.rank;
        let counters: Vec<SymbolId> = (0..rank)
            .map(|_| new_variable(e.doc, self.scope, "i", Base::Integer(4), place))
            .collect();
        let element_from_one = |doc: &mut Document, array: SymbolId| {
            let indices: Vec<ExprId> = counters
                .iter()
                .map(|&counter| {
                    let counter = whole(doc, counter, place);
                    value_of(doc, counter)
                })
                .collect();
            index(doc, array, &indices, place)
        };
        let analysed = self.facts.analysed;
        let at: Vec<At> = counters.iter().copied().map(At::Variable).collect();
        let between = match self.overwrites_what_it_reads(e.doc, lhs, rhs) {
            true => match self.values_of(e, mask, rhs, place) {
                Some(between) => Some(between),
                None => return,
            },
            false => None,
        };
        let target = match between {
            Some((values, _)) => {
                let target = element_from_one(e.doc, values);
                e.doc.refs[target].active = analysed.then_some(flows);
                Ok(target)
            }
            None => element_of(e.doc, lhs, &at, rhs),
        };
        let (target, value) = match (target, element(e.doc, rhs, &at)) {
            (Ok(target), Ok(value)) => (target, value),
            (Err(problem), _) | (_, Err(problem)) => return self.problems.push(problem),
        };
        let here = element_from_one(e.doc, mask.0);
        let here = value_of(e.doc, here);
        self.under_mask(e, mask.0, (&counters, here), (target, value), place);
        let Some((values, storage)) = between else { return };
        let from = self.of(e.doc, (values, e.doc.exprs[rhs].ty), place);
        let stmt = assign(e.doc, lhs, from, place);
        let mask = self.of(e.doc, mask, place);
        self.one_where(e, mask, stmt, place);
        if storage == Storage::Plain {
            let values = whole(e.doc, values, place);
            e.release(values, place);
        }
    }

    /// `target = value`, which are elements, in loops over the extents of `mask`, of which `here` is the element.
    fn under_mask(
        &mut self,
        e: &mut Emitter<'_>,
        mask: SymbolId,
        (counters, here): (&[SymbolId], ExprId),
        (target, value): (RefId, ExprId),
        place: Place,
    ) {
        let numbered: Vec<(i64, SymbolId)> = (1..).zip(counters.iter().copied()).collect();
        for (dimension, counter) in numbered.into_iter().rev() {
            let upper = extent(e.doc, mask, dimension, place);
            let lower = integer(e.doc, 1, place);
            e.open_do(counter, (lower, upper), false, place);
        }
        e.open_if(here, place);
        self.assignment(e, target, value);
        let stmt = assign(e.doc, target, value, place);
        if !self.by_components(e, stmt) {
            e.push(stmt);
        }
        e.close_if();
        counters.iter().for_each(|_| e.close_do());
    }

    /// Computes what is evaluated without the mask: what is no operation on elements, and scalars that are
    /// more than operations on scalars.
    fn without_mask(&mut self, e: &mut Emitter<'_>, expr: ExprId, flows: bool) {
        let ty = e.doc.exprs[expr].ty;
        if ty.rank == 0 {
            if is_costly(e.doc, expr) && !matches!(ty.base, Base::Character(_)) {
                self.value(e, expr, flows);
                if !is_variable(e.doc, expr) {
                    self.hoist(e, expr, "value");
                }
            }
            return;
        }
        match e.doc.exprs[expr].kind.clone() {
            ExprKind::Ref(reference) => {
                self.reference(e, reference);
                self.vector_subscripts(e, reference);
            }
            ExprKind::Intrinsic { name, operands, .. } if is_elemental(&name) => {
                let flows = flows && may_hold_numbers(e.doc, ty.base);
                operands.iter().for_each(|operand| self.without_mask(e, operand.expr, flows));
            }
            ExprKind::Boolean { operands, .. } => {
                operands.iter().for_each(|operand| self.without_mask(e, operand.expr, false));
            }
            ExprKind::Call(call) if e.doc.is_elemental(call.callee.symbol) => {
                call.callee.object.into_iter().for_each(|object| self.overwritten(e, object));
                for value in values(&call.args) {
                    let flows = flows && may_hold_numbers(e.doc, e.doc.exprs[value].ty.base);
                    self.without_mask(e, value, flows);
                }
            }
            ExprKind::Call(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Constant(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => {
                self.value(e, expr, flows);
                if !is_variable(e.doc, expr) {
                    self.hoist(e, expr, "array");
                }
            }
        }
    }

    fn vector_subscripts(&mut self, e: &mut Emitter<'_>, reference: RefId) {
        for subscript in subscripts_of(&e.doc.refs[reference]) {
            if e.doc.exprs[subscript].ty.rank > 0 {
                self.without_mask(e, subscript, false);
            }
        }
    }

    /// Whether `rhs` may read an element that the assignment of another one to `lhs` overwrites.
    fn overwrites_what_it_reads(&self, doc: &Document, lhs: RefId, rhs: ExprId) -> bool {
        let roots = subscripts_of(&doc.refs[lhs]).into_iter().chain([rhs]);
        let reads = |node: ExprId| match doc.exprs[node].kind {
            ExprKind::Ref(read) => {
                !same_reference(doc, read, lhs) && !self.changed_by(doc, node, &[lhs]).is_empty()
            }
            _ => false,
        };
        !self.facts.is_private(doc, lhs, self.scope) || nodes_of(doc, roots).into_iter().any(reads)
    }

    /// An array for the values of `rhs`, in memory that is to be released if its storage is plain.
    fn values_of(
        &mut self,
        e: &mut Emitter<'_>,
        (mask, _): (SymbolId, Ty),
        rhs: ExprId,
        place: Place,
    ) -> Option<(SymbolId, Storage)> {
        let ty = e.doc.exprs[rhs].ty;
        let storage = self.shaped(e.doc, rhs);
        let values = self.temporary(e, "values", ty, storage, place)?;
        if storage == Storage::Plain {
            let extents = (1..=i64::from(ty.rank)).map(|dimension| {
                let extent = extent(e.doc, mask, dimension, place);
                Subscript::Index(extent)
            });
            let extents = Part::Elements(extents.collect());
            let objects = vec![reference(e.doc, values, [extents], ty, place)];
            let (spec, stat, errmsg, source, mold) = (None, None, None, None, None);
            let allocate = Allocate { spec, objects, stat, errmsg, source, mold };
            e.stmt(StmtKind::Allocate(Box::new(allocate)), place);
        }
        Some((values, storage))
    }
}

/// Whether a scalar is not to be computed for each element again.
fn is_costly(doc: &Document, expr: ExprId) -> bool {
    nodes_of(doc, [expr]).into_iter().any(|node| match &doc.exprs[node].kind {
        ExprKind::Call(_) => true,
        ExprKind::Intrinsic { name, .. } => {
            intrinsics::by_xaif(name).is_some_and(|row| row.class == Class::Transformational)
        }
        ExprKind::Constant(_)
        | ExprKind::Ref(_)
        | ExprKind::Boolean { .. }
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => false,
    })
}

/// The extent of an array in one of its dimensions.
fn extent(doc: &mut Document, array: SymbolId, dimension: i64, place: Place) -> ExprId {
    let array = whole(doc, array, place);
    let array = value_of(doc, array);
    size_along(doc, array, dimension)
}
