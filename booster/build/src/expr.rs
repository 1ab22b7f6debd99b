//! Nodes of expressions, with their types worked out as Fortran does.

use smallvec::SmallVec;
use xaif_schema::model::{
    Allocate, Base, BoolOp, Constant, ConstantClass, ConstantKind, Document, Expr, ExprId,
    ExprKind, Marker, Operand, Part, Piece, Place, RefId, Reference, Stmt, StmtId, StmtKind,
    Subscript, SymbolId, Ty, Verb,
};

use super::Copier;

/// The type of a sum, product or quotient of two numbers (Fortran 2018, 10.1.9.3).
///
/// The kind of a mixture of known and unknown is unknown.
pub fn promote(a: Base, b: Base) -> Base {
    let larger = |x: u8, y: u8| if x == 0 || y == 0 { 0 } else { x.max(y) };
    match (a, b) {
        (Base::Integer(x), Base::Integer(y)) => Base::Integer(larger(x, y)),
        (Base::Real(x), Base::Real(y)) => Base::Real(larger(x, y)),
        (Base::Complex(x), Base::Complex(y) | Base::Real(y))
        | (Base::Real(x), Base::Complex(y)) => Base::Complex(larger(x, y)),
        (Base::Real(_) | Base::Complex(_), Base::Integer(_)) => a,
        (Base::Integer(_), Base::Real(_) | Base::Complex(_)) => b,
        _ => Base::Unknown,
    }
}

/// Whether numbers of one type, real or complex, are known to have fewer digits than those of another.
pub fn is_narrower(own: Base, other: Base) -> bool {
    match (own, other) {
        (Base::Real(own) | Base::Complex(own), Base::Real(other) | Base::Complex(other)) => {
            own != 0 && own < other
        }
        _ => false,
    }
}

/// A node of any kind.
pub fn node(doc: &mut Document, kind: ExprKind, ty: Ty, place: Place) -> ExprId {
    doc.exprs.push(Expr { kind, ty, place, parens: false })
}

/// A literal integer of default kind; of kind 8, if that is too small for it.
pub fn integer(doc: &mut Document, value: i64, place: Place) -> ExprId {
    if value.unsigned_abs() > u64::from(i32::MAX.unsigned_abs()) {
        return integer_of_kind(doc, value, 8, place);
    }
    let literal = constant_node(ConstantClass::Integer, &value.unsigned_abs().to_string());
    let ty = Ty::scalar(Base::Integer(4));
    let literal = node(doc, literal, ty, place);
    if value < 0 { negate(doc, literal) } else { literal }
}

/// A literal integer of a kind that is not the default one.
pub fn integer_of_kind(doc: &mut Document, value: i64, bytes: u8, place: Place) -> ExprId {
    let literal = Constant {
        class: ConstantClass::Integer,
        fe_type: None,
        text: value.unsigned_abs().to_string().into(),
        kind: ConstantKind::Number(u16::from(bytes)),
    };
    let ty = Ty::scalar(Base::Integer(bytes));
    let literal = node(doc, ExprKind::Constant(literal), ty, place);
    if value < 0 { negate(doc, literal) } else { literal }
}

/// A literal real that has the value of `text` (`0.5`, `2`) in the kind of `base`: a single
/// precision literal where that is exact or `base` is of single precision, so that it reads well;
/// a double precision one with an exponent letter otherwise; kind 16 by its number.
///
/// For a complex `base` it is a real of the kind of its parts.
pub fn real(doc: &mut Document, text: &str, base: Base, place: Place) -> ExprId {
    let bytes = match base {
        Base::Real(bytes) | Base::Complex(bytes) => bytes,
        _ => 4,
    };
    let point = if text.contains(['.', 'e', 'E']) { text.to_owned() } else { format!("{text}.0") };
    let (class, text, kind) = match bytes {
        8 => {
            let text = if point.contains(['e', 'E']) {
                point.replace(['e', 'E'], "d")
            } else {
                format!("{point}d0")
            };
            (ConstantClass::Double, text, ConstantKind::None)
        }
        0 | 4 => (ConstantClass::Real, point, ConstantKind::None),
        other => (ConstantClass::Real, point, ConstantKind::Number(u16::from(other))),
    };
    let literal = Constant { class, fe_type: None, text: text.into(), kind };
    node(doc, ExprKind::Constant(literal), Ty::scalar(Base::Real(bytes)), place)
}

fn constant_node(class: ConstantClass, text: &str) -> ExprKind {
    let (fe_type, kind) = (None, ConstantKind::None);
    ExprKind::Constant(Constant { class, fe_type, text: text.into(), kind })
}

/// A literal of any class without a kind.
pub fn constant(
    doc: &mut Document,
    class: ConstantClass,
    text: &str,
    ty: Ty,
    place: Place,
) -> ExprId {
    node(doc, constant_node(class, text), ty, place)
}

/// An operation on two numbers by its XAIF name (`add_scal_scal`); parentheses come from the
/// back-end. A power by an integer has the type of its base.
pub fn binary(doc: &mut Document, name: &str, left: ExprId, right: ExprId) -> ExprId {
    let (a, b) = (doc.exprs[left].ty, doc.exprs[right].ty);
    let power_by_integer = name == "pow_scal_scal" && matches!(b.base, Base::Integer(_));
    let base = if power_by_integer { a.base } else { promote(a.base, b.base) };
    intrinsic(doc, name, &[left, right], Ty { base, rank: a.rank.max(b.rank) })
}

/// `-operand`
pub fn negate(doc: &mut Document, operand: ExprId) -> ExprId {
    let ty = doc.exprs[operand].ty;
    intrinsic(doc, "minus_scal", &[operand], ty)
}

/// An intrinsic function or operator with its operands in positions 1, 2, …; its place is that of
/// the first operand.
pub fn intrinsic(doc: &mut Document, name: &str, operands: &[ExprId], ty: Ty) -> ExprId {
    let place = operands.first().map(|&first| doc.exprs[first].place).unwrap_or_default();
    let operands = positional(operands);
    node(doc, ExprKind::Intrinsic { name: name.into(), spelling: None, operands }, ty, place)
}

/// `size(array, dimension)`; dimensions count from 1.
pub fn size_along(doc: &mut Document, array: ExprId, dimension: impl Into<i64>) -> ExprId {
    inquire(doc, "size", array, dimension)
}

/// `lbound(array, dimension)` or `ubound(array, dimension)`, as `name` says, of a copy of the reference.
pub fn bound(doc: &mut Document, array: RefId, name: &str, dimension: impl Into<i64>) -> ExprId {
    let array = Copier::new().reference(doc, array);
    let array = value_of(doc, array);
    inquire(doc, name, array, dimension)
}

/// `name(array, dimension)` for `size`, `lbound` or `ubound`.
pub fn inquire(doc: &mut Document, name: &str, array: ExprId, dimension: impl Into<i64>) -> ExprId {
    let place = doc.exprs[array].place;
    let dimension = integer(doc, dimension.into(), place);
    intrinsic(doc, name, &[array, dimension], Ty::scalar(Base::Integer(4)))
}

/// A comparison or logical operation; the result is a default logical.
pub fn boolean(doc: &mut Document, op: BoolOp, operands: &[ExprId]) -> ExprId {
    let place = operands.first().map(|&first| doc.exprs[first].place).unwrap_or_default();
    let rank = operands.iter().map(|&operand| doc.exprs[operand].ty.rank).max().unwrap_or(0);
    let ty = Ty { base: Base::Logical(4), rank };
    node(doc, ExprKind::Boolean { op, operands: positional(operands) }, ty, place)
}

fn positional(operands: &[ExprId]) -> SmallVec<[Operand; 2]> {
    let numbered = operands.iter().zip(1..);
    numbered.map(|(&expr, position)| Operand { position, keyword: false, expr }).collect()
}

/// A reference to the whole of a variable, with the type that its declaration says.
pub fn whole(doc: &mut Document, symbol: SymbolId, place: Place) -> RefId {
    let rank = doc.symbols[symbol].rank.unwrap_or(0);
    let base = doc.symbols[symbol].decl.as_ref().map_or(Base::Unknown, |decl| decl.spec.base());
    doc.refs.push(Reference::whole(symbol, Ty { base, rank }, place))
}

/// A reference with parts.
pub fn reference(
    doc: &mut Document,
    base: SymbolId,
    parts: impl IntoIterator<Item = Part>,
    ty: Ty,
    place: Place,
) -> RefId {
    let parts = parts.into_iter().collect();
    doc.refs.push(Reference { parts, ..Reference::whole(base, ty, place) })
}

/// An element: `symbol(indices)`.
pub fn index(doc: &mut Document, symbol: SymbolId, indices: &[ExprId], place: Place) -> RefId {
    let base = doc.symbols[symbol].decl.as_ref().map_or(Base::Unknown, |decl| decl.spec.base());
    let subscripts = indices.iter().map(|&index| Subscript::Index(index)).collect();
    reference(doc, symbol, [Part::Elements(subscripts)], Ty::scalar(base), place)
}

/// The value of a reference as an expression.
pub fn value_of(doc: &mut Document, reference: RefId) -> ExprId {
    let Reference { ty, place, .. } = doc.refs[reference];
    node(doc, ExprKind::Ref(reference), ty, place)
}

/// A statement without facts.
pub fn statement(doc: &mut Document, kind: StmtKind, place: Place) -> StmtId {
    doc.stmts.push(Stmt {
        kind,
        place,
        id: None,
        do_chain: None,
        label: None,
        recorded: None,
        properties: Vec::new(),
        joint: false,
        recompute: false,
        adjoint_live: true,
        checkpoints: None,
        local_jacobian: None,
    })
}

/// Whether a reference has a vector subscript, so that it may name an element twice.
pub fn has_vector_subscript(doc: &Document, reference: RefId) -> bool {
    doc.refs[reference].parts.iter().any(|part| match part {
        Part::Elements(subscripts) => subscripts.iter().any(|subscript| match subscript {
            Subscript::Index(index) => doc.exprs[*index].ty.rank > 0,
            Subscript::Section { .. } => false,
        }),
        Part::Component { .. } | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref => false,
    })
}

/// `allocate(object, source=value)`. gfortran 12 breaks off at `source=z%re`, `source=b(:)%x` and
/// `source=b%x(i)`, references whose array is not what they end with, not at `source=(z%re)`.
pub fn with_source(doc: &mut Document, object: RefId, value: ExprId) -> StmtKind {
    enclose_source(doc, value);
    StmtKind::Allocate(Box::new(Allocate {
        spec: None,
        objects: vec![object],
        stat: None,
        errmsg: None,
        source: Some(value),
        mold: None,
    }))
}

/// Gives a value the parentheses that gfortran 12 needs behind `source=`.
pub fn enclose_source(doc: &mut Document, value: ExprId) {
    if let ExprKind::Ref(reference) = doc.exprs[value].kind {
        let of_elements =
            doc.refs[reference].parts.len() > 1 && has_vector_subscript(doc, reference);
        doc.exprs[value].parens |= of_elements || !ends_with_array(doc, reference);
    }
}

/// Whether a reference is a scalar, or what its last part selects of is the array.
fn ends_with_array(doc: &Document, reference: RefId) -> bool {
    let Reference { ty, ref parts, .. } = doc.refs[reference];
    let is_array = |one: &Subscript| match *one {
        Subscript::Section { .. } => true,
        Subscript::Index(index) => doc.exprs[index].ty.rank > 0,
    };
    ty.rank == 0
        || match parts.last() {
            None => true,
            Some(Part::Elements(list)) => list.iter().any(is_array),
            Some(Part::Component { symbol, .. }) => {
                symbol.is_none_or(|last| doc.symbols[last].rank.unwrap_or(0) > 0)
            }
            Some(Part::Inquiry(_)) => false,
            Some(Part::Substring { .. } | Part::Deref) => true,
        }
}

/// The statement `lhs = rhs`.
pub fn assign(doc: &mut Document, lhs: RefId, rhs: ExprId, place: Place) -> StmtId {
    statement(doc, StmtKind::Assign { lhs, rhs, defined: None }, place)
}

/// The array that an element is of, as an object of ALLOCATE without its bounds; else the object itself, with
/// the rank that it is declared with.
pub fn unbounded(doc: &mut Document, object: RefId) -> RefId {
    let copy = Copier::new().reference(doc, object);
    if matches!(doc.refs[copy].parts.last(), Some(Part::Elements(_))) {
        doc.refs[copy].parts.pop();
    }
    let rank = doc.refs[copy].whole_entity().and_then(|symbol| doc.symbols[symbol].rank);
    doc.refs[copy].ty.rank = rank.unwrap_or(0);
    copy
}

/// `allocated(object)` and the like.
pub fn exists(doc: &mut Document, object: RefId, name: &str) -> ExprId {
    let object = Copier::new().reference(doc, object);
    let object = value_of(doc, object);
    intrinsic(doc, name, &[object], Ty::scalar(Base::Logical(4)))
}

/// `object%component`
pub fn component_of(doc: &mut Document, object: RefId, component: SymbolId) -> RefId {
    let part = Copier::new().reference(doc, object);
    let name = doc.name(component).into();
    let symbol = &doc.symbols[component];
    let base = symbol.decl.as_ref().map_or(Base::Unknown, |decl| decl.spec.base());
    let rank = symbol.rank.unwrap_or(0);
    let reference = &mut doc.refs[part];
    reference.parts.push(Part::Component { symbol: Some(component), name });
    reference.ty = Ty { base, rank: reference.ty.rank.max(rank) };
    part
}

/// A statement that stops the program.
pub fn stop_marker(text: &str) -> StmtKind {
    StmtKind::Marker(Box::new(Marker {
        verb: Verb::Stop,
        text: vec![Piece::Text(text.into())],
        operands: Vec::new(),
        pessimistic: false,
        annotation: None,
    }))
}
