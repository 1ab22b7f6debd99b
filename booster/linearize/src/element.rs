//! Elements of array expressions: `abs(a - b(2:5))` at `i` is `abs(a(i) - b(2 + i - 1))`.
//!
//! Positions count from 1 along each dimension, whatever the bounds are. Only expressions whose
//! operations are elemental have elements that can be written down; others are refused.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Arg, ArgValue, Base, Callee, Constant, ConstantClass, Dim, Document, ExprId, ExprKind, Part,
    RefId, Subscript, SymbolId, Ty,
};

use super::values::constant_value;
use booster_build::before_the_binding;
use booster_build::{
    Copier, binary, integer, intrinsic, is_elemental, node, subscripts_of, sum, value_of, whole,
};

/// Where an element stands along one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// At the position that this scalar integer variable has.
    Variable(SymbolId),
    /// At the position that this element of an integer array has, counted from 1.
    ElementOf(SymbolId, u8),
    /// At the position that this expression has.
    Place(ExprId),
    /// At the positions from this one to that one: the dimension stays.
    Range(ExprId, ExprId),
    /// Everywhere: the dimension stays.
    Free,
}

impl At {
    /// Whether the dimension stays.
    fn stays(&self) -> bool {
        matches!(self, At::Free | At::Range(..))
    }

    pub(super) fn position(self, doc: &mut Document, like: ExprId) -> Option<ExprId> {
        let place = doc.exprs[like].place;
        let reference = match self {
            At::Free | At::Range(..) => return None,
            At::Place(expr) => return Some(Copier::new().expr(doc, expr)),
            At::Variable(symbol) => whole(doc, symbol, place),
            At::ElementOf(symbol, index) => {
                let index = integer(doc, i64::from(index), place);
                booster_build::index(doc, symbol, &[index], place)
            }
        };
        Some(value_of(doc, reference))
    }
}

/// The elements of `expr` at `positions`, one for each of its dimensions; a scalar is copied.
///
/// # Errors
/// A part of `expr` that is an array but neither a variable nor an elemental operation.
pub fn element(doc: &mut Document, expr: ExprId, positions: &[At]) -> Result<ExprId, Diagnostic> {
    let ty = doc.exprs[expr].ty;
    if ty.rank == 0 {
        return Ok(Copier::new().expr(doc, expr));
    }
    let rank = positions.iter().filter(|at| at.stays()).count();
    let rank = u8::try_from(rank).unwrap_or(u8::MAX);
    let mut kind = doc.exprs[expr].kind.clone();
    match &mut kind {
        ExprKind::Ref(reference) => {
            let found = element_of(doc, *reference, positions, expr)?;
            return Ok(value_of(doc, found));
        }
        ExprKind::Intrinsic { name, operands, .. } if is_elemental(name) => {
            for operand in operands {
                operand.expr = element(doc, operand.expr, positions)?;
            }
        }
        ExprKind::Boolean { operands, .. } => {
            for operand in operands {
                operand.expr = element(doc, operand.expr, positions)?;
            }
        }
        ExprKind::Call(call) if doc.is_elemental(call.callee.symbol) => {
            elements_of(doc, &mut call.args, positions)?;
            element_of_object(doc, &mut call.callee, positions)?;
        }
        ExprKind::Intrinsic { .. }
        | ExprKind::Constant(_)
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => return Err(no_element(doc, expr)),
    }
    let (place, parens) = (doc.exprs[expr].place, doc.exprs[expr].parens);
    let copy = node(doc, kind, Ty { base: ty.base, rank }, place);
    doc.exprs[copy].parens = parens;
    Ok(copy)
}

/// Replaces the arguments of an elemental call by their elements.
///
/// # Errors
/// Those of [`element`].
pub fn elements_of(
    doc: &mut Document,
    args: &mut [Arg],
    positions: &[At],
) -> Result<(), Diagnostic> {
    for arg in args {
        if let ArgValue::Expr(expr) = &mut arg.value {
            let parens = doc.exprs[*expr].parens;
            *expr = element(doc, *expr, positions)?;
            doc.exprs[*expr].parens = parens;
        }
    }
    Ok(())
}

/// `a(i)%f` in the place of `a%f`.
///
/// # Errors
/// Those of [`element_of`].
pub fn element_of_object(
    doc: &mut Document,
    callee: &mut Callee,
    positions: &[At],
) -> Result<(), Diagnostic> {
    let Some(named) = callee.object else { return Ok(()) };
    let object = before_the_binding(doc, named);
    if doc.refs[object].ty.rank == 0 {
        return Ok(());
    }
    let like = value_of(doc, object);
    let element = element_of(doc, object, positions, like)?;
    let (binding, ty) = (doc.refs[named].parts.last().cloned(), doc.refs[named].ty);
    doc.refs[element].parts.extend(binding);
    doc.refs[element].ty = ty.with_rank(0);
    callee.object = Some(element);
    Ok(())
}

/// Whether [`element`] can write down the elements of an expression without a call for each of them.
pub fn has_elements(doc: &Document, expr: ExprId) -> bool {
    let mut work = vec![expr];
    while let Some(expr) = work.pop() {
        if doc.exprs[expr].ty.rank == 0 {
            continue;
        }
        match &doc.exprs[expr].kind {
            ExprKind::Ref(reference) => {
                // Vector subscripts.
                work.extend(subscripts_of(&doc.refs[*reference]));
            }
            ExprKind::Intrinsic { name, operands, .. } if is_elemental(name) => {
                work.extend(operands.iter().map(|operand| operand.expr));
            }
            ExprKind::Boolean { operands, .. } => {
                work.extend(operands.iter().map(|operand| operand.expr));
            }
            ExprKind::Intrinsic { .. }
            | ExprKind::Constant(_)
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => return false,
        }
    }
    true
}

fn no_element(doc: &Document, expr: ExprId) -> Diagnostic {
    let spot = doc.spot(doc.exprs[expr].place);
    let message = "this array has no elements that can be written down";
    Diagnostic::error(Code::MUST_STAND_ALONE, spot, message)
        .with_help("assign it to a variable first")
}

/// The elements of an array, section or array of components; `like` gives the place.
///
/// # Errors
/// An array whose dimensions are not found in its declaration.
pub fn element_of(
    doc: &mut Document,
    reference: RefId,
    positions: &[At],
    like: ExprId,
) -> Result<RefId, Diagnostic> {
    let copy = Copier::new().reference(doc, reference);
    let parts = doc.refs[copy].parts.clone();
    let sections = parts.iter().position(|part| match part {
        Part::Elements(subscripts) => subscripts.iter().any(|subscript| match subscript {
            Subscript::Index(index) => doc.exprs[*index].ty.rank > 0,
            Subscript::Section { .. } => true,
        }),
        Part::Component { .. } | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => false,
    });
    match sections {
        Some(index) => {
            let Some(Part::Elements(subscripts)) = parts.get(index) else {
                return Err(no_element(doc, like));
            };
            let mut chosen = Vec::with_capacity(subscripts.len());
            let mut left = positions.iter();
            for (subscript, dimension) in subscripts.iter().zip(1..) {
                chosen.push(match subscript {
                    Subscript::Index(expr) if doc.exprs[*expr].ty.rank == 0 => *subscript,
                    Subscript::Index(expr) => {
                        let at = left.next().copied().unwrap_or(At::Free);
                        Subscript::Index(element(doc, *expr, &[at])?)
                    }
                    Subscript::Section { lower, stride, .. } => {
                        let (lower, stride) = (*lower, *stride);
                        let at = left.next().copied().unwrap_or(At::Free);
                        if at == At::Free {
                            *subscript
                        } else {
                            let lower = match lower {
                                Some(lower) => Some(lower),
                                None => lower_bound(doc, copy, index, dimension, like),
                            };
                            chosen_at(doc, at, (lower, stride), like)
                        }
                    }
                });
            }
            if let Some(part) = doc.refs[copy].parts.get_mut(index) {
                *part = Part::Elements(chosen);
            }
        }
        None => {
            let Some(index) = whole_array(doc, copy) else { return Err(no_element(doc, like)) };
            let mut chosen = Vec::with_capacity(positions.len());
            for (at, dimension) in positions.iter().zip(1..) {
                chosen.push(if *at == At::Free {
                    Subscript::Section { lower: None, upper: None, stride: None }
                } else {
                    let lower = lower_bound(doc, copy, index, dimension, like);
                    chosen_at(doc, *at, (lower, None), like)
                });
            }
            doc.refs[copy].parts.insert(index, Part::Elements(chosen));
        }
    }
    let free = positions.iter().filter(|at| at.stays()).count();
    doc.refs[copy].ty.rank = u8::try_from(free).unwrap_or(u8::MAX);
    Ok(copy)
}

/// The subscript for `at` in a dimension or section that begins at `lower`.
fn chosen_at(
    doc: &mut Document,
    at: At,
    (lower, stride): (Option<ExprId>, Option<ExprId>),
    like: ExprId,
) -> Subscript {
    if let At::Range(from, to) = at {
        let [from, to] = [from, to].map(|bound| {
            let bound = Copier::new().expr(doc, bound);
            placed(doc, lower, stride, bound)
        });
        let stride = stride.map(|stride| Copier::new().expr(doc, stride));
        return Subscript::Section { lower: Some(from), upper: Some(to), stride };
    }
    match at.position(doc, like) {
        Some(position) => Subscript::Index(placed(doc, lower, stride, position)),
        None => Subscript::Section { lower: None, upper: None, stride: None },
    }
}

/// The number of parts before the subscripts that a reference to a whole array lacks.
fn whole_array(doc: &Document, reference: RefId) -> Option<usize> {
    let reference = &doc.refs[reference];
    let has_subscripts =
        |index: usize| matches!(reference.parts.get(index), Some(Part::Elements(_)));
    if doc.symbols[reference.base].rank.unwrap_or(0) > 0 && !has_subscripts(0) {
        return Some(0);
    }
    reference.parts.iter().enumerate().find_map(|(index, part)| match part {
        Part::Component { symbol: Some(symbol), .. } => {
            let array = doc.symbols[*symbol].rank.unwrap_or(0) > 0;
            (array && !has_subscripts(index + 1)).then_some(index + 1)
        }
        Part::Component { symbol: None, .. }
        | Part::Elements(_)
        | Part::Substring { .. }
        | Part::Inquiry(_)
        | Part::Deref => None,
    })
}

/// The lower bound of a dimension of the array that the first `parts` parts of a reference name;
/// `None` is 1.
fn lower_bound(
    doc: &mut Document,
    reference: RefId,
    parts: usize,
    dimension: usize,
    like: ExprId,
) -> Option<ExprId> {
    let mut array = doc.refs[reference].clone();
    array.parts.truncate(parts);
    let symbol = array.entity();
    let dims = symbol.and_then(|symbol| doc.symbols[symbol].decl.as_ref()).map(|decl| &decl.dims);
    match dims.and_then(|dims| dims.get(dimension - 1)) {
        Some(Dim::Explicit { lower: None, .. } | Dim::AssumedShape { lower: None }) => return None,
        Some(
            Dim::Explicit { lower: Some(lower), .. } | Dim::AssumedShape { lower: Some(lower) },
        ) if is_literal(doc, *lower, None) => {
            let lower = *lower;
            return Some(Copier::new().expr(doc, lower));
        }
        Some(
            Dim::Explicit { .. }
            | Dim::AssumedShape { .. }
            | Dim::Deferred
            | Dim::AssumedSize { .. }
            | Dim::AssumedRank,
        )
        | None => {}
    }
    let place = doc.exprs[like].place;
    array.ty.rank = dims_of(doc, symbol).max(1);
    let array = doc.refs.push(array);
    let array = Copier::new().reference(doc, array);
    let array = value_of(doc, array);
    let dimension = integer(doc, i64::try_from(dimension).unwrap_or(1), place);
    Some(intrinsic(doc, "lbound", &[array, dimension], Ty::scalar(Base::Integer(4))))
}

fn dims_of(doc: &Document, symbol: Option<SymbolId>) -> u8 {
    symbol.and_then(|symbol| doc.symbols[symbol].rank).unwrap_or(1)
}

fn is_literal(doc: &Document, expr: ExprId, value: Option<&str>) -> bool {
    if let ExprKind::Constant(Constant { class: ConstantClass::Integer, text, .. }) =
        &doc.exprs[expr].kind
    {
        return value.is_none_or(|value| &**text == value);
    }
    if let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[expr].kind {
        let negative = &**name == "minus_scal" && value.is_none();
        return negative && operands.iter().all(|operand| is_literal(doc, operand.expr, None));
    }
    false
}

/// `lower + (position - 1)*stride`
fn placed(
    doc: &mut Document,
    lower: Option<ExprId>,
    stride: Option<ExprId>,
    position: ExprId,
) -> ExprId {
    let place = doc.exprs[position].place;
    let lower = lower.filter(|&lower| !is_literal(doc, lower, Some("1")));
    if let (Some(from), None) = (lower, stride)
        && is_literal(doc, from, None)
        && is_literal(doc, position, None)
        && let (Some(from), Some(steps)) =
            (constant_value(doc, from), constant_value(doc, position))
    {
        return integer(doc, (from + steps - 1.0) as i64, place);
    }
    let one = |doc: &mut Document| integer(doc, 1, place);
    match (lower, stride) {
        (None, None) => position,
        (Some(lower), None) if is_literal(doc, lower, Some("0")) => {
            let one = one(doc);
            sum(doc, "sub_scal_scal", position, one)
        }
        (Some(lower), None) => {
            let lower = Copier::new().expr(doc, lower);
            let behind = sum(doc, "add_scal_scal", lower, position);
            let one = one(doc);
            sum(doc, "sub_scal_scal", behind, one)
        }
        (lower, Some(stride)) => {
            let (start, first, stride) = (
                lower.map(|lower| Copier::new().expr(doc, lower)),
                one(doc),
                Copier::new().expr(doc, stride),
            );
            let start = match start {
                Some(start) => start,
                None => one(doc),
            };
            let steps = sum(doc, "sub_scal_scal", position, first);
            let offset = binary(doc, "mul_scal_scal", steps, stride);
            binary(doc, "add_scal_scal", start, offset)
        }
    }
}
