//! Adjoints that are no expressions: PRODUCT, MAXVAL, MINVAL, and constructors with implied DOs.
//!
//! `y = maxval(a)` gives its adjoint to the element that MAXLOC gives. Of `y = product(a)` each factor
//! gets the product of all others, which is the product of those before it, kept in an array, and of
//! those behind it, gathered while the loop runs backwards; nothing is divided, so factors may be
//! zero. An implied DO becomes a loop that counts the elements of the adjoint.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Base, Document, ExprId, ExprKind, ImpliedDo, Place, RefId, ScopeId, SymbolId, Ty,
};

use super::adjoint::{Contribution, adjoint_of};
use super::conform::zero;
use super::element::{At, element};
use super::extent;
use super::graph::Linearised;
use super::instantiate::literal_base;
use super::statement::{Scratch, Task, reduced};
use booster_build::{Copier, Emitter, binary, index, integer, intrinsic, real, value_of, whole};
use booster_rules::Catalogue;

/// Adds a contribution: emits the statement `xb = xb + value`, or what it takes instead.
pub type Accumulate<'a> =
    &'a mut dyn FnMut(&mut Emitter<'_>, Contribution) -> Result<(), Diagnostic>;

/// Whether the adjoint of the right-hand side `rhs` is computed by statements
/// ([`statement_adjoint`]).
pub fn has_statement_adjoint(doc: &Document, catalogue: &Catalogue, rhs: ExprId) -> bool {
    if let ExprKind::Intrinsic { name, .. } = &doc.exprs[rhs].kind {
        return catalogue.needs_statement(name);
    }
    let ExprKind::ArrayConstructor { items, .. } = &doc.exprs[rhs].kind else { return false };
    items.iter().any(|&item| matches!(doc.exprs[item].kind, ExprKind::ImpliedDo(_)))
}

/// Emits the statements that compute the adjoint of `lhs = rhs`, where
/// [`has_statement_adjoint`] says that there are some. `seed` is the adjoint of the left-hand side, a
/// variable or an elemental expression, which no contribution changes. `active` and `temporary` are
/// those of [`adjoint_of`]; `accumulate` is given the contributions, whose references may be copies
/// with other subscripts of those in `rhs`. The result is whether there is an adjoint.
///
/// # Errors
/// DIM that is not constant; an array or mask that is no elemental expression; those of
/// [`adjoint_of`].
#[allow(clippy::too_many_arguments)]
pub fn statement_adjoint(
    emitter: &mut Emitter<'_>,
    catalogue: &Catalogue,
    rhs: ExprId,
    seed: ExprId,
    active: &mut dyn FnMut(&mut Document, RefId) -> bool,
    temporary: &mut dyn FnMut(&mut Document, Ty) -> SymbolId,
    accumulate: Accumulate<'_>,
    scratch: &mut Scratch,
) -> Result<bool, Diagnostic> {
    let place = emitter.doc.exprs[rhs].place;
    let mut work = Work { catalogue, place, active, temporary, accumulate, scratch };
    if let ExprKind::ArrayConstructor { items, .. } = emitter.doc.exprs[rhs].kind.clone() {
        return work.constructor(emitter, rhs, &items, seed);
    }
    let Some(array) = reduced(emitter.doc, rhs) else { return Ok(false) };
    let graph = Linearised::new(emitter.doc, catalogue, array, work.active)?;
    if graph.nodes.is_empty() {
        return Ok(false);
    }
    let Some(task) = Task::of(emitter.doc, catalogue, rhs, place)? else { return Ok(false) };
    work.reduction(emitter, &task, seed)?;
    Ok(true)
}

struct Work<'a> {
    catalogue: &'a Catalogue,
    place: Place,
    active: &'a mut dyn FnMut(&mut Document, RefId) -> bool,
    temporary: &'a mut dyn FnMut(&mut Document, Ty) -> SymbolId,
    accumulate: Accumulate<'a>,
    scratch: &'a mut Scratch,
}

impl Work<'_> {
    /// The adjoint of a part of the right-hand side.
    fn part(
        &mut self,
        emitter: &mut Emitter<'_>,
        expr: ExprId,
        seed: ExprId,
    ) -> Result<(), Diagnostic> {
        let ty = emitter.doc.exprs[seed].ty;
        let found = adjoint_of(
            emitter.doc,
            self.catalogue,
            expr,
            (seed, None),
            ty,
            self.active,
            self.temporary,
        )?;
        for (symbol, value) in found.temporaries {
            let target = whole(emitter.doc, symbol, self.place);
            emitter.assign(target, value, self.place);
        }
        found.contributions.into_iter().try_for_each(|one| (self.accumulate)(emitter, one))
    }

    fn reduction(
        &mut self,
        emitter: &mut Emitter<'_>,
        task: &Task<'_>,
        seed: ExprId,
    ) -> Result<(), Diagnostic> {
        if let (Some(location), None) = (task.location, task.along) {
            let (symbol, positions) = task.positions(emitter, self.scratch);
            let array = Copier::new().expr(emitter.doc, task.array);
            let mask = task.mask.map(|mask| Copier::new().expr(emitter.doc, mask));
            task.locate(emitter, location, symbol, array, mask);
            return self.chosen(emitter, task, &positions, &positions, seed);
        }
        let indices = task.indices(emitter, self.scratch);
        let all: Vec<(usize, SymbolId)> = (1..).zip(indices).collect();
        let Some(along) = task.along else {
            return self.product(emitter, task, &all, &all, seed);
        };
        let (inner, outer): (Vec<_>, Vec<_>) =
            all.iter().partition(|(dimension, _)| *dimension == along);
        for &(dimension, index) in outer.iter().rev() {
            task.open(emitter, dimension, index, false);
        }
        let result: Vec<At> = outer.iter().map(|&(_, index)| At::Variable(index)).collect();
        let seed = element(emitter.doc, seed, &result)?;
        match (task.location, inner.first()) {
            (Some(location), Some(&(_, index))) => {
                let line: Vec<At> = all
                    .iter()
                    .map(
                        |&(dimension, index)| {
                            if dimension == along { At::Free } else { At::Variable(index) }
                        },
                    )
                    .collect();
                let array = element(emitter.doc, task.array, &line)?;
                let mask = match task.mask {
                    Some(mask) => Some(element(emitter.doc, mask, &line)?),
                    None => None,
                };
                task.locate(emitter, location, index, array, mask);
                let positions: Vec<At> =
                    all.iter().map(|&(_, index)| At::Variable(index)).collect();
                self.chosen(emitter, task, &positions, &[At::Variable(index)], seed)?;
            }
            _ => self.product(emitter, task, &all, &inner, seed)?,
        }
        for _ in &outer {
            emitter.close_do();
        }
        Ok(())
    }

    /// The element that was chosen gets the adjoint; an array of no elements has none.
    fn chosen(
        &mut self,
        emitter: &mut Emitter<'_>,
        task: &Task<'_>,
        positions: &[At],
        found: &[At],
        seed: ExprId,
    ) -> Result<(), Diagnostic> {
        if !task.open_found(emitter, found.first().copied()) {
            return Ok(());
        }
        let chosen = element(emitter.doc, task.array, positions)?;
        self.part(emitter, chosen, seed)?;
        emitter.close_if();
        Ok(())
    }

    /// Forwards the products of the factors before each, backwards that of those behind.
    fn product(
        &mut self,
        emitter: &mut Emitter<'_>,
        task: &Task<'_>,
        all: &[(usize, SymbolId)],
        loops: &[(usize, SymbolId)],
        seed: ExprId,
    ) -> Result<(), Diagnostic> {
        let (at, place) = ((emitter.scope, self.place), self.place);
        let base = match emitter.doc.exprs[task.call].ty.base {
            Base::Unknown => Base::Real(8),
            base => base,
        };
        let line = Ty { base, rank: 1 };
        let before = self.scratch.array(emitter.doc, at, "before", line);
        let running = self.scratch.variable(emitter.doc, at, "prod", base, 0);
        let count = self.scratch.variable(emitter.doc, at, "item", Base::Integer(4), 0);
        let positions: Vec<At> = all.iter().map(|&(_, index)| At::Variable(index)).collect();

        let ones = self.ones(emitter.doc, task, loops, line);
        set(emitter, before, ones, place);
        let one = real(emitter.doc, "1", literal_base(base), place);
        set(emitter, running, one, place);
        let none = integer(emitter.doc, 0, place);
        set(emitter, count, none, place);
        self.open_all(emitter, task, loops, &positions, false)?;
        step(emitter, count, "add_scal_scal", place);
        let kept = self.kept(emitter.doc, before, count);
        let value = read(emitter.doc, running, place);
        emitter.assign(kept, value, place);
        let factor = element(emitter.doc, task.array, &positions)?;
        let value = read(emitter.doc, running, place);
        let next = binary(emitter.doc, "mul_scal_scal", value, factor);
        set(emitter, running, next, place);
        close_all(emitter, task, loops);

        // Now `running` is the adjoint times all factors behind.
        let start = Copier::new().expr(emitter.doc, seed);
        set(emitter, running, start, place);
        self.open_all(emitter, task, loops, &positions, true)?;
        let kept = self.kept(emitter.doc, before, count);
        let kept = value_of(emitter.doc, kept);
        let kept = conjugate(emitter.doc, kept);
        let value = read(emitter.doc, running, place);
        let own = binary(emitter.doc, "mul_scal_scal", kept, value);
        let chosen = element(emitter.doc, task.array, &positions)?;
        self.part(emitter, chosen, own)?;
        let factor = element(emitter.doc, task.array, &positions)?;
        let factor = conjugate(emitter.doc, factor);
        let value = read(emitter.doc, running, place);
        let next = binary(emitter.doc, "mul_scal_scal", value, factor);
        set(emitter, running, next, place);
        step(emitter, count, "sub_scal_scal", place);
        close_all(emitter, task, loops);
        Ok(())
    }

    /// An array of ones, as long as there are factors.
    fn ones(
        &self,
        doc: &mut Document,
        task: &Task<'_>,
        loops: &[(usize, SymbolId)],
        line: Ty,
    ) -> ExprId {
        let length = match (loops.first(), task.along) {
            (Some(&(dimension, _)), Some(_)) => extent::extent(doc, task.array, dimension),
            _ => extent::size(doc, task.array),
        };
        let one = match line.base {
            Base::Complex(_) => {
                let zero = zero(doc, literal_base(line.base), task.array);
                let one = real(doc, "1", literal_base(line.base), self.place);
                intrinsic(doc, "complex_literal", &[one, zero], Ty::scalar(line.base))
            }
            base => real(doc, "1", base, self.place),
        };
        let along = integer(doc, 1, self.place);
        intrinsic(doc, "spread", &[one, along, length], line)
    }

    fn kept(&self, doc: &mut Document, before: SymbolId, count: SymbolId) -> RefId {
        let at = read(doc, count, self.place);
        index(doc, before, &[at], self.place)
    }

    fn open_all(
        &self,
        emitter: &mut Emitter<'_>,
        task: &Task<'_>,
        loops: &[(usize, SymbolId)],
        positions: &[At],
        backwards: bool,
    ) -> Result<(), Diagnostic> {
        for &(dimension, index) in loops.iter().rev() {
            task.open(emitter, dimension, index, backwards);
        }
        if let Some(mask) = task.mask {
            let mask = element(emitter.doc, mask, positions)?;
            emitter.open_if(mask, self.place);
        }
        Ok(())
    }

    /// An array constructor with implied DOs.
    fn constructor(
        &mut self,
        emitter: &mut Emitter<'_>,
        rhs: ExprId,
        items: &[ExprId],
        seed: ExprId,
    ) -> Result<bool, Diagnostic> {
        let graph = Linearised::new(emitter.doc, self.catalogue, rhs, self.active)?;
        if graph.nodes.is_empty() {
            return Ok(false);
        }
        let at = (emitter.scope, self.place);
        let count = self.scratch.variable(emitter.doc, at, "item", Base::Integer(4), 0);
        let none = integer(emitter.doc, 0, self.place);
        set(emitter, count, none, self.place);
        self.items(emitter, items, &Copier::new(), count, seed)?;
        Ok(true)
    }

    fn items(
        &mut self,
        emitter: &mut Emitter<'_>,
        items: &[ExprId],
        copier: &Copier,
        count: SymbolId,
        seed: ExprId,
    ) -> Result<(), Diagnostic> {
        for &item in items {
            if let ExprKind::ImpliedDo(implied) = emitter.doc.exprs[item].kind.clone() {
                self.implied(emitter, &implied, copier, count, seed)?;
                continue;
            }
            let own = copier.expr(emitter.doc, item);
            if emitter.doc.exprs[own].ty.rank == 0 {
                step(emitter, count, "add_scal_scal", self.place);
                let seed = element(emitter.doc, seed, &[At::Variable(count)])?;
                self.part(emitter, own, seed)?;
                continue;
            }
            let place = self.place;
            let size = |doc: &mut Document| extent::size(doc, own);
            let (from, one) = (read(emitter.doc, count, place), integer(emitter.doc, 1, place));
            let from = binary(emitter.doc, "add_scal_scal", from, one);
            let (to, length) = (read(emitter.doc, count, place), size(emitter.doc));
            let to = binary(emitter.doc, "add_scal_scal", to, length);
            let mut slice = element(emitter.doc, seed, &[At::Range(from, to)])?;
            let rank = emitter.doc.exprs[own].ty.rank;
            if rank > 1 {
                let shape = extent::shape(emitter.doc, own);
                let ty = emitter.doc.exprs[slice].ty.with_rank(rank);
                slice = intrinsic(emitter.doc, "reshape_arr", &[slice, shape], ty);
            }
            self.part(emitter, own, slice)?;
            let (old, length) = (read(emitter.doc, count, place), size(emitter.doc));
            let next = binary(emitter.doc, "add_scal_scal", old, length);
            set(emitter, count, next, place);
        }
        Ok(())
    }

    /// An implied DO as a loop over a variable of its own.
    fn implied(
        &mut self,
        emitter: &mut Emitter<'_>,
        implied: &ImpliedDo,
        copier: &Copier,
        count: SymbolId,
        seed: ExprId,
    ) -> Result<(), Diagnostic> {
        let control = &implied.control;
        let data = &emitter.doc.symbols[control.var];
        let base = data.decl.as_ref().map_or(Base::Integer(4), |decl| decl.spec.base());
        let Base::Integer(_) = base else {
            let spot = emitter.doc.spot(self.place);
            let message = "the index of this implied DO has no known type";
            return Err(Diagnostic::error(Code::RULE_REFUSED, spot, message)
                .with_help("declare it as an integer"));
        };
        let wish = emitter.doc.name(control.var).to_string();
        let scope: ScopeId = emitter.scope;
        let own = self.scratch.variable(emitter.doc, (scope, self.place), &wish, base, 0);
        let lower = copier.expr(emitter.doc, control.lower);
        let upper = copier.expr(emitter.doc, control.upper);
        match control.step {
            Some(step) => {
                let step = copier.expr(emitter.doc, step);
                emitter.open_do_by(own, (lower, upper), step, self.place);
            }
            None => emitter.open_do(own, (lower, upper), false, self.place),
        }
        let mut inner = copier.clone();
        inner.symbols.insert(control.var, own);
        self.items(emitter, &implied.items, &inner, count, seed)?;
        emitter.close_do();
        Ok(())
    }
}

fn close_all(emitter: &mut Emitter<'_>, task: &Task<'_>, loops: &[(usize, SymbolId)]) {
    if task.mask.is_some() {
        emitter.close_if();
    }
    for _ in loops {
        emitter.close_do();
    }
}

fn read(doc: &mut Document, symbol: SymbolId, place: Place) -> ExprId {
    let variable = whole(doc, symbol, place);
    value_of(doc, variable)
}

fn set(emitter: &mut Emitter<'_>, symbol: SymbolId, value: ExprId, place: Place) {
    let target = whole(emitter.doc, symbol, place);
    emitter.assign(target, value, place);
}

/// `symbol = symbol ± 1`
fn step(emitter: &mut Emitter<'_>, symbol: SymbolId, operation: &str, place: Place) {
    let (old, one) = (read(emitter.doc, symbol, place), integer(emitter.doc, 1, place));
    let next = binary(emitter.doc, operation, old, one);
    set(emitter, symbol, next, place);
}

fn conjugate(doc: &mut Document, expr: ExprId) -> ExprId {
    let ty = doc.exprs[expr].ty;
    match ty.base {
        Base::Complex(_) => intrinsic(doc, "conjg", &[expr], ty),
        _ => expr,
    }
}
