//! Types for references and expressions that have none, as Fortran works them out.
//!
//! A XAIF 1.0 document gives types to symbols and to nothing else. KIND arguments do not occur in
//! them (whirl2xaif has resolved them), so a result is of the kind that the table of intrinsics has
//! for it. What follows a component whose type is not given stays unknown.

use crate::intrinsics::{self, Intrinsic, ResultRank, ResultType};
use crate::model::{
    Base, Constant, ConstantClass, Document, ExprId, ExprKind, Operands, Part, RefId, Subscript, Ty,
};

/// Gives a type to every reference and expression whose type is not known.
pub(super) fn resolve(doc: &mut Document) {
    // Subscripts decide the rank of references, references the type of expressions: operands first.
    let mut done = vec![false; doc.exprs.len()];
    let roots: Vec<ExprId> = doc.exprs.keys().collect();
    let mut stack: Vec<(ExprId, bool)> = Vec::new();
    let mut children = Vec::new();
    for root in roots {
        stack.push((root, false));
        while let Some((expr, ready)) = stack.pop() {
            let seen = &mut done[expr.as_u32() as usize];
            if ready {
                let ty = type_of(doc, expr);
                if doc.exprs[expr].ty.base == Base::Unknown {
                    doc.exprs[expr].ty = ty;
                }
            } else if !*seen {
                *seen = true;
                stack.push((expr, true));
                operands(doc, expr, &mut children);
                stack.extend(children.drain(..).map(|child| (child, false)));
            }
        }
    }
    let references: Vec<RefId> = doc.refs.keys().collect();
    for reference in references {
        resolve_reference(doc, reference);
    }
}

fn operands(doc: &Document, expr: ExprId, found: &mut Vec<ExprId>) {
    match &doc.exprs[expr].kind {
        ExprKind::Ref(reference) => {
            for part in &doc.refs[*reference].parts {
                let Part::Elements(subscripts) = part else { continue };
                found.extend(subscripts.iter().filter_map(|subscript| match *subscript {
                    Subscript::Index(index) => Some(index),
                    Subscript::Section { .. } => None,
                }));
            }
        }
        ExprKind::Intrinsic { operands, .. } | ExprKind::Boolean { operands, .. } => {
            found.extend(operands.iter().map(|operand| operand.expr));
        }
        ExprKind::ArrayConstructor { items, .. } => found.extend(items),
        ExprKind::Constant(_)
        | ExprKind::Call(_)
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => {}
    }
}

fn resolve_reference(doc: &mut Document, id: RefId) {
    let reference = &doc.refs[id];
    let component = |part: &Part| !matches!(part, Part::Elements(_) | Part::Substring { .. });
    if reference.ty.base != Base::Unknown || reference.parts.iter().any(component) {
        return;
    }
    let symbol = &doc.symbols[reference.base];
    let base = symbol.decl.as_ref().map_or(Base::Unknown, |decl| decl.spec.base());
    let elements = reference.parts.iter().find_map(|part| match part {
        Part::Elements(subscripts) => Some(subscripts),
        _ => None,
    });
    let rank = match elements {
        None => symbol.rank.unwrap_or(0),
        Some(subscripts) => {
            let array = |subscript: &&Subscript| match **subscript {
                Subscript::Index(index) => doc.exprs[index].ty.rank > 0,
                Subscript::Section { .. } => true,
            };
            u8::try_from(subscripts.iter().filter(array).count()).unwrap_or(u8::MAX)
        }
    };
    doc.refs[id].ty = Ty { base, rank };
}

/// The type of an expression whose operands have types.
fn type_of(doc: &mut Document, expr: ExprId) -> Ty {
    if let ExprKind::Ref(reference) = doc.exprs[expr].kind {
        resolve_reference(doc, reference);
        return doc.refs[reference].ty;
    }
    match &doc.exprs[expr].kind {
        ExprKind::Constant(constant) => Ty::scalar(literal(constant)),
        ExprKind::Intrinsic { name, operands, .. } => match intrinsics::by_xaif(name) {
            Some(row) if intrinsics::operator(name).is_none() => {
                Ty { base: base_of(doc, row, operands), rank: rank_of(doc, row, operands) }
            }
            _ => operation(doc, name, operands),
        },
        ExprKind::Boolean { operands, .. } => {
            Ty { base: Base::Logical(4), rank: highest(doc, operands) }
        }
        ExprKind::Call(call) => {
            let symbol = &doc.symbols[call.callee.symbol];
            let base = symbol.decl.as_ref().map_or(Base::Unknown, |decl| decl.spec.base());
            Ty { base, rank: symbol.rank.unwrap_or(0) }
        }
        ExprKind::ArrayConstructor { items, .. } => {
            let base = items.first().map_or(Base::Unknown, |&item| doc.exprs[item].ty.base);
            Ty { base, rank: 1 }
        }
        ExprKind::Procedure(_) => Ty::scalar(Base::Procedure),
        ExprKind::Ref(_)
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Opaque(_) => doc.exprs[expr].ty,
    }
}

/// The type of a literal: its exponent letter or the machine type that the document names.
fn literal(constant: &Constant) -> Base {
    let machine = constant.fe_type.as_deref().unwrap_or("");
    let digits = machine.trim_start_matches(|c: char| !c.is_ascii_digit());
    let bytes: Option<u8> = digits.parse().ok();
    match constant.class {
        ConstantClass::Real | ConstantClass::Double => {
            let double =
                constant.class == ConstantClass::Double || constant.text.contains(['d', 'D']);
            Base::Real(if double { 8 } else { bytes.unwrap_or(4) })
        }
        ConstantClass::Integer => Base::Integer(4),
        ConstantClass::Bool => Base::Logical(4),
        ConstantClass::Char | ConstantClass::String => Base::Character(1),
        ConstantClass::Boz | ConstantClass::Hollerith | ConstantClass::Null => Base::Unknown,
    }
}

/// An arithmetic operator, or a name that the table does not have.
fn operation(doc: &Document, name: &str, operands: &Operands) -> Ty {
    let base = |index: usize| operands.get(index).map(|o| doc.exprs[o.expr].ty.base);
    let rank = highest(doc, operands);
    let base = match (base(0), base(1)) {
        (Some(a), Some(b)) if name == "pow_scal_scal" && matches!(b, Base::Integer(_)) => a,
        (Some(a), Some(b)) => promote(a, b),
        (Some(a), None) => a,
        (None, _) => Base::Unknown,
    };
    Ty { base, rank }
}

fn highest(doc: &Document, operands: &Operands) -> u8 {
    operands.iter().map(|operand| doc.exprs[operand.expr].ty.rank).max().unwrap_or(0)
}

/// Fortran 2018, 10.1.9.3.
fn promote(a: Base, b: Base) -> Base {
    match (a, b) {
        (Base::Integer(x), Base::Integer(y)) => Base::Integer(x.max(y)),
        (Base::Real(x), Base::Real(y)) => Base::Real(x.max(y)),
        (Base::Complex(x), Base::Complex(y) | Base::Real(y))
        | (Base::Real(x), Base::Complex(y)) => Base::Complex(x.max(y)),
        (Base::Logical(x), Base::Logical(y)) => Base::Logical(x.max(y)),
        (Base::Real(_) | Base::Complex(_), Base::Integer(_)) => a,
        (Base::Integer(_), Base::Real(_) | Base::Complex(_)) => b,
        _ => Base::Unknown,
    }
}

fn base_of(doc: &Document, row: &Intrinsic, operands: &Operands) -> Base {
    let argument = |position: u8| {
        let found = operands.iter().find(|operand| operand.position == u16::from(position));
        found.map_or(Base::Unknown, |operand| doc.exprs[operand.expr].ty.base)
    };
    match row.result {
        ResultType::None => Base::Void,
        ResultType::Like(position) => match (position, argument(position)) {
            // `sign(2, x)`, `max(0, x)`: WHIRL converts, the document does not say so.
            (1, Base::Integer(_)) if argument(2) != Base::Unknown => {
                promote(argument(1), argument(2))
            }
            (_, base) => base,
        },
        ResultType::RealOf(position) => match argument(position) {
            Base::Complex(bytes) => Base::Real(bytes),
            base => base,
        },
        ResultType::Promoted => promote(argument(1), argument(2)),
        ResultType::RealKind => match argument(1) {
            Base::Complex(bytes) => Base::Real(bytes),
            _ => Base::Real(4),
        },
        ResultType::RealKindLike | ResultType::Unknown => argument(1),
        ResultType::ComplexKind => match argument(1) {
            Base::Complex(bytes) => Base::Complex(bytes),
            _ => Base::Complex(4),
        },
        ResultType::LogicalKind | ResultType::Logical => Base::Logical(4),
        ResultType::CharacterKind | ResultType::Character => Base::Character(1),
        ResultType::IntegerKind | ResultType::Integer => Base::Integer(4),
        ResultType::IntegerOf(bytes) => Base::Integer(bytes),
        ResultType::Real => Base::Real(4),
        ResultType::Double => Base::Real(8),
    }
}

fn rank_of(doc: &Document, row: &Intrinsic, operands: &Operands) -> u8 {
    let rank = |position: u16| {
        let found = operands.iter().find(|operand| operand.position == position);
        found.map(|operand| doc.exprs[operand.expr].ty.rank)
    };
    let dim = row.position_of("dim").and_then(|index| u16::try_from(index + 1).ok());
    let has_dim = dim.is_some_and(|dim| rank(dim) == Some(0));
    let first = rank(1).unwrap_or(0);
    match row.rank {
        ResultRank::Elemental => highest(doc, operands),
        ResultRank::Scalar => 0,
        ResultRank::Vector => 1,
        ResultRank::Like(position) => rank(u16::from(position)).unwrap_or(0),
        ResultRank::OneMore => first.saturating_add(1),
        ResultRank::Reduced | ResultRank::ReducedOrVector if has_dim => first.saturating_sub(1),
        ResultRank::Reduced => 0,
        ResultRank::ReducedOrVector => 1,
        ResultRank::VectorUnlessDim => u8::from(!has_dim),
        ResultRank::SizeOfSecond => 1,
        ResultRank::Matmul => first.saturating_add(rank(2).unwrap_or(0)).saturating_sub(2),
        ResultRank::Transfer => u8::from(rank(3).is_some() || rank(2).unwrap_or(0) > 0),
        ResultRank::Mold => first,
    }
}
