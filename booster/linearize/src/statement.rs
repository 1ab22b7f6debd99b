//! Derivatives that are no expressions: MAXVAL, MINVAL and PRODUCT.
//!
//! `y = maxval(a)` has the derivative of the element that MAXLOC gives; `y = product(a)` is
//! differentiated along its loop. What these statements overwrite is a scalar of their own until the
//! value is there, so the left-hand side may be an element of the array.

use std::collections::HashMap;

use smallvec::SmallVec;
use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Attr, Base, BoolOp, Dim, Document, ExprId, ExprKind, Operand, Place, RefId, ScopeId, StmtId,
    StmtKind, SymbolId, Ty,
};

use super::element::{At, element, element_of};
use super::graph::spelling;
use super::instantiate::{literal_base, placed};
use super::tangent::tangent_of;
use super::values::constant_value;
use booster_build::{
    Copier, Emitter, binary, boolean, integer, new_variable, node, real, value_of, whole,
};
use booster_rules::{Catalogue, operand};

/// The variables that [`statement_tangent`] has made, to be used again.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    variables: HashMap<(ScopeId, String, Base, u8), SymbolId>,
}

impl Scratch {
    /// An allocatable array of `scope` for intermediate values.
    pub(super) fn array(
        &mut self,
        doc: &mut Document,
        (scope, place): (ScopeId, Place),
        wish: &str,
        ty: Ty,
    ) -> SymbolId {
        let key = (scope, format!("{wish}(:)"), ty.base, ty.rank);
        if let Some(&symbol) = self.variables.get(&key) {
            return symbol;
        }
        let symbol = new_variable(doc, scope, wish, ty.base, place);
        doc.symbols[symbol].rank = Some(ty.rank);
        if let Some(decl) = &mut doc.symbols[symbol].decl {
            decl.dims = vec![Dim::Deferred; usize::from(ty.rank)];
            decl.attrs.insert(Attr::Allocatable);
        }
        self.variables.insert(key, symbol);
        symbol
    }

    /// A variable of `scope` for intermediate values; with `length`, a vector of so many elements.
    pub(super) fn variable(
        &mut self,
        doc: &mut Document,
        (scope, place): (ScopeId, Place),
        wish: &str,
        base: Base,
        length: u8,
    ) -> SymbolId {
        let key = (scope, wish.to_string(), base, length);
        if let Some(&symbol) = self.variables.get(&key) {
            return symbol;
        }
        let symbol = new_variable(doc, scope, wish, base, place);
        if length > 0 {
            let upper = integer(doc, i64::from(length), place);
            doc.symbols[symbol].rank = Some(1);
            if let Some(decl) = &mut doc.symbols[symbol].decl {
                decl.dims.push(Dim::Explicit { lower: None, upper });
            }
        }
        self.variables.insert(key, symbol);
        symbol
    }
}

/// A reduction that is differentiated.
pub(super) struct Task<'a> {
    pub(super) catalogue: &'a Catalogue,
    pub(super) place: Place,
    /// The reference to the intrinsic.
    pub(super) call: ExprId,
    /// `maxloc_arr`, `minloc_arr`, or none for PRODUCT.
    pub(super) location: Option<&'static str>,
    pub(super) array: ExprId,
    pub(super) mask: Option<ExprId>,
    pub(super) rank: u8,
    /// The dimension along which it goes, counted from 1, where the result has a shape.
    pub(super) along: Option<usize>,
}

/// What [`statement_tangent`] asks for the derivative of a reference.
pub type Shadow<'a> = &'a mut dyn FnMut(&mut Document, RefId) -> Option<ExprId>;

/// Emits the statements that compute the derivative of `assignment`, `lhs = f(array, dim, mask)`
/// where the derivative of `f` needs statements ([`Catalogue::needs_statement`]), into `target`, a
/// new reference to the derivative of `lhs`. They stand before the assignment. The result is whether
/// there is a derivative: if not, nothing is emitted, and the derivative is zero.
///
/// `array` and `mask` are variables, sections or elemental expressions of them; an `array` whose
/// derivative is zero may be anything. `shadow` is asked for
/// the derivatives of elements of the array's references and gives derivatives of the same rank (for
/// several directions: inside a loop over them).
///
/// # Errors
/// DIM that is not constant; with DIM, a left-hand side that is part of the array; an array or mask
/// that is no elemental expression; those of [`tangent_of`].
pub fn statement_tangent(
    emitter: &mut Emitter<'_>,
    catalogue: &Catalogue,
    assignment: StmtId,
    target: RefId,
    shadow: Shadow<'_>,
    scratch: &mut Scratch,
) -> Result<bool, Diagnostic> {
    let place = emitter.doc.stmts[assignment].place;
    let StmtKind::Assign { lhs, rhs, .. } = emitter.doc.stmts[assignment].kind else {
        return Ok(false);
    };
    let Some(array) = reduced(emitter.doc, rhs) else { return Ok(false) };
    // An array without derivative may be any expression: nobody asks for its elements.
    if matches!(tangent_of(emitter.doc, catalogue, array, shadow), Ok(None)) {
        return Ok(false);
    }
    let Some(task) = Task::of(emitter.doc, catalogue, rhs, place)? else { return Ok(false) };
    let Some(along) = task.along else { return task.whole(emitter, target, shadow, scratch) };
    if mentions(emitter.doc, task.array, emitter.doc.refs[lhs].base) {
        let message = format!(
            "the result of `{}` along a dimension overwrites its own argument",
            spelling(emitter.doc, rhs)
        );
        return Err(Diagnostic::error(Code::MUST_STAND_ALONE, emitter.doc.spot(place), message)
            .with_help("assign it to another variable first"));
    }
    task.along(emitter, target, shadow, scratch, along)
}

/// The array that MAXVAL, MINVAL or PRODUCT reduces.
pub(super) fn reduced(doc: &Document, rhs: ExprId) -> Option<ExprId> {
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[rhs].kind else { return None };
    let known = matches!(&**name, "nc_maxval" | "nc_minval" | "product");
    operand(operands, 1).filter(|_| known)
}

impl<'a> Task<'a> {
    /// What `rhs` reduces, and how; `None` if it is no such reduction.
    ///
    /// # Errors
    /// DIM that is not constant.
    pub(super) fn of(
        doc: &Document,
        catalogue: &'a Catalogue,
        rhs: ExprId,
        place: Place,
    ) -> Result<Option<Self>, Diagnostic> {
        let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[rhs].kind else {
            return Ok(None);
        };
        let location = match &**name {
            "nc_maxval" => Some("maxloc_arr"),
            "nc_minval" => Some("minloc_arr"),
            "product" => None,
            _ => return Ok(None),
        };
        let operands = placed(doc, name, operands);
        let Some(array) = operand(&operands, 1) else { return Ok(None) };
        let (dim, mask) = (operand(&operands, 2), operand(&operands, 3));
        let rank = doc.exprs[array].ty.rank;
        let mut task =
            Task { catalogue, place, call: rhs, location, array, mask, rank, along: None };
        let Some(dim) = dim.filter(|_| rank > 1) else { return Ok(Some(task)) };
        let along = constant_value(doc, dim)
            .filter(|along| along.fract() == 0.0 && *along >= 1.0 && *along <= f64::from(rank));
        let Some(along) = along else {
            let name = spelling(doc, rhs);
            let message = format!("the derivative of `{name}` needs a constant DIM");
            return Err(Diagnostic::error(Code::RULE_REFUSED, doc.spot(place), message)
                .with_help("write a case for each value of DIM"));
        };
        task.along = Some(along as usize);
        Ok(Some(task))
    }
}

impl Task<'_> {
    /// The reduction of all elements to a scalar.
    fn whole(
        &self,
        emitter: &mut Emitter<'_>,
        target: RefId,
        shadow: Shadow<'_>,
        scratch: &mut Scratch,
    ) -> Result<bool, Diagnostic> {
        match self.location {
            Some(location) => {
                let (symbol, positions) = self.positions(emitter, scratch);
                let chosen = element(emitter.doc, self.array, &positions)?;
                let Some(derivative) = self.derivative(emitter, chosen, shadow)? else {
                    return Ok(false);
                };
                let array = Copier::new().expr(emitter.doc, self.array);
                let mask = self.mask.map(|mask| Copier::new().expr(emitter.doc, mask));
                self.locate(emitter, location, symbol, array, mask);
                self.choose(emitter, positions.first().copied(), target, derivative);
            }
            None => {
                let indices = self.indices(emitter, scratch);
                let positions: Vec<At> = indices.iter().map(|&index| At::Variable(index)).collect();
                let loops: Vec<(usize, SymbolId)> = (1..).zip(indices).collect();
                let Some(body) = self.factor(emitter, &positions, shadow)? else {
                    return Ok(false);
                };
                self.product(emitter, scratch, &loops, &body, target)?;
            }
        }
        Ok(true)
    }

    /// The reduction along dimension `along`, counted from 1.
    fn along(
        &self,
        emitter: &mut Emitter<'_>,
        target: RefId,
        shadow: Shadow<'_>,
        scratch: &mut Scratch,
        along: usize,
    ) -> Result<bool, Diagnostic> {
        let indices = self.indices(emitter, scratch);
        let all: Vec<(usize, SymbolId)> = (1..).zip(indices).collect();
        let (inner, outer): (Vec<_>, Vec<_>) =
            all.iter().partition(|(dimension, _)| *dimension == along);
        let positions: Vec<At> = all.iter().map(|&(_, index)| At::Variable(index)).collect();
        let result: Vec<At> = outer.iter().map(|&(_, index)| At::Variable(index)).collect();
        let target = element_of(emitter.doc, target, &result, self.array)?;
        let Some(body) = self.factor(emitter, &positions, shadow)? else { return Ok(false) };
        for &(dimension, index) in outer.iter().rev() {
            self.open_loop(emitter, dimension, index);
        }
        match (self.location, inner.first()) {
            (Some(location), Some(&(_, index))) => {
                let line: Vec<At> = all
                    .iter()
                    .map(
                        |&(dimension, index)| {
                            if dimension == along { At::Free } else { At::Variable(index) }
                        },
                    )
                    .collect();
                let array = element(emitter.doc, self.array, &line)?;
                let mask = match self.mask {
                    Some(mask) => Some(element(emitter.doc, mask, &line)?),
                    None => None,
                };
                self.locate(emitter, location, index, array, mask);
                self.choose(emitter, Some(At::Variable(index)), target, body.derivative);
            }
            _ => self.product(emitter, scratch, &inner, &body, target)?,
        }
        for _ in &outer {
            emitter.close_do();
        }
        Ok(true)
    }

    /// The variable that has the place of the largest element, and that place.
    pub(super) fn positions(
        &self,
        emitter: &mut Emitter<'_>,
        scratch: &mut Scratch,
    ) -> (SymbolId, Vec<At>) {
        let at = (emitter.scope, self.place);
        let base = Base::Integer(4);
        match self.rank {
            0 | 1 => {
                let symbol = scratch.variable(emitter.doc, at, "at", base, 0);
                (symbol, vec![At::Variable(symbol)])
            }
            rank => {
                let symbol = scratch.variable(emitter.doc, at, "at", base, rank);
                (symbol, (1..=rank).map(|index| At::ElementOf(symbol, index)).collect())
            }
        }
    }

    /// One index variable for each dimension.
    pub(super) fn indices(
        &self,
        emitter: &mut Emitter<'_>,
        scratch: &mut Scratch,
    ) -> Vec<SymbolId> {
        let at = (emitter.scope, self.place);
        (1..=self.rank)
            .map(|dimension| {
                scratch.variable(emitter.doc, at, &format!("i{dimension}"), Base::Integer(4), 0)
            })
            .collect()
    }

    fn open_loop(&self, emitter: &mut Emitter<'_>, dimension: usize, index: SymbolId) {
        self.open(emitter, dimension, index, false);
    }

    /// A loop over a dimension of the array.
    pub(super) fn open(
        &self,
        emitter: &mut Emitter<'_>,
        dimension: usize,
        index: SymbolId,
        backwards: bool,
    ) {
        let doc = &mut *emitter.doc;
        let upper = super::extent::extent(doc, self.array, dimension);
        let lower = integer(doc, 1, self.place);
        let bounds = if backwards { (upper, lower) } else { (lower, upper) };
        emitter.open_do(index, bounds, backwards, self.place);
    }

    fn derivative(
        &self,
        emitter: &mut Emitter<'_>,
        value: ExprId,
        shadow: Shadow<'_>,
    ) -> Result<Option<ExprId>, Diagnostic> {
        tangent_of(emitter.doc, self.catalogue, value, shadow)
    }

    /// An element, its derivative and its mask.
    fn factor(
        &self,
        emitter: &mut Emitter<'_>,
        positions: &[At],
        shadow: Shadow<'_>,
    ) -> Result<Option<Factor>, Diagnostic> {
        let value = element(emitter.doc, self.array, positions)?;
        let mask = match self.mask {
            Some(mask) => Some(element(emitter.doc, mask, positions)?),
            None => None,
        };
        let derivative = self.derivative(emitter, value, shadow)?;
        Ok(derivative.map(|derivative| Factor { value, derivative, mask }))
    }

    /// `at = maxloc(array, dim, mask)`
    pub(super) fn locate(
        &self,
        emitter: &mut Emitter<'_>,
        location: &str,
        at: SymbolId,
        array: ExprId,
        mask: Option<ExprId>,
    ) {
        let doc = &mut *emitter.doc;
        let vector = doc.exprs[array].ty.rank == 1;
        let mut operands: SmallVec<[Operand; 2]> = SmallVec::new();
        operands.push(Operand { position: 1, keyword: false, expr: array });
        if vector {
            let one = integer(doc, 1, self.place);
            operands.push(Operand { position: 2, keyword: false, expr: one });
        }
        if let Some(mask) = mask {
            operands.push(Operand { position: 3, keyword: !vector, expr: mask });
        }
        let kind = ExprKind::Intrinsic { name: location.into(), spelling: None, operands };
        let ty = Ty { base: Base::Integer(4), rank: u8::from(!vector) };
        let found = node(doc, kind, ty, self.place);
        let target = whole(doc, at, self.place);
        emitter.assign(target, found, self.place);
    }

    /// `if (at > 0) then; target = derivative; else; target = 0; end if`: an array of no elements has
    /// no location.
    fn choose(&self, emitter: &mut Emitter<'_>, at: Option<At>, target: RefId, derivative: ExprId) {
        if !self.open_found(emitter, at) {
            return;
        }
        emitter.assign(target, derivative, self.place);
        emitter.open_else();
        let base = emitter.doc.refs[target].ty.base;
        let zero = real(emitter.doc, "0", literal_base(base), self.place);
        let again = Copier::new().reference(emitter.doc, target);
        emitter.assign(again, zero, self.place);
        emitter.close_if();
    }

    /// `if (at > 0) then`
    pub(super) fn open_found(&self, emitter: &mut Emitter<'_>, at: Option<At>) -> bool {
        let doc = &mut *emitter.doc;
        let Some(position) = at.and_then(|at| at.position(doc, self.call)) else { return false };
        let zero = integer(doc, 0, self.place);
        let found = boolean(doc, BoolOp::GreaterThan, &[position, zero]);
        emitter.open_if(found, self.place);
        true
    }

    /// The product and its derivative, in a loop over `loops`; then `target = derivative`.
    fn product(
        &self,
        emitter: &mut Emitter<'_>,
        scratch: &mut Scratch,
        loops: &[(usize, SymbolId)],
        factor: &Factor,
        target: RefId,
    ) -> Result<(), Diagnostic> {
        let at = (emitter.scope, self.place);
        let base = match emitter.doc.exprs[self.call].ty.base {
            Base::Unknown => Base::Real(8),
            base => base,
        };
        let value = scratch.variable(emitter.doc, at, "prod", base, 0);
        let derivative = scratch.variable(emitter.doc, at, "prodd", base, 0);
        let place = self.place;
        for (symbol, start) in [(derivative, "0"), (value, "1")] {
            let start = real(emitter.doc, start, literal_base(base), place);
            let variable = whole(emitter.doc, symbol, place);
            emitter.assign(variable, start, place);
        }
        for &(dimension, index) in loops.iter().rev() {
            self.open_loop(emitter, dimension, index);
        }
        if let Some(mask) = factor.mask {
            emitter.open_if(mask, place);
        }
        let doc = &mut *emitter.doc;
        let read = |doc: &mut Document, symbol| {
            let variable = whole(doc, symbol, place);
            value_of(doc, variable)
        };
        let (old_derivative, old, again) =
            (read(doc, derivative), read(doc, value), read(doc, value));
        let copy = Copier::new().expr(doc, factor.value);
        let first = binary(doc, "mul_scal_scal", old_derivative, factor.value);
        let second = binary(doc, "mul_scal_scal", old, factor.derivative);
        let sum = binary(doc, "add_scal_scal", first, second);
        let next = binary(doc, "mul_scal_scal", again, copy);
        for (symbol, expr) in [(derivative, sum), (value, next)] {
            let variable = whole(emitter.doc, symbol, place);
            emitter.assign(variable, expr, place);
        }
        if factor.mask.is_some() {
            emitter.close_if();
        }
        for _ in loops {
            emitter.close_do();
        }
        let result = whole(emitter.doc, derivative, place);
        let result = value_of(emitter.doc, result);
        emitter.assign(target, result, place);
        Ok(())
    }
}

/// What a product is made of.
struct Factor {
    value: ExprId,
    derivative: ExprId,
    mask: Option<ExprId>,
}

/// Whether an expression reads a variable.
fn mentions(doc: &Document, expr: ExprId, symbol: SymbolId) -> bool {
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        match &doc.exprs[expr].kind {
            ExprKind::Ref(reference) => {
                if doc.refs[*reference].base == symbol {
                    return true;
                }
            }
            ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
                stack.extend(operands.iter().map(|operand| operand.expr));
            }
            // They are refused as parts of an array that has elements.
            ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Constant(_)
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => {}
        }
    }
    false
}
