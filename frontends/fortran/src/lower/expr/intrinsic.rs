//! References to intrinsic functions: operands at the positions of the dummies, type and rank of
//! the result.

use xaif_schema::diag::Code;
use xaif_schema::intrinsics::{Intrinsic, ResultRank, ResultType, Specific};
use xaif_schema::model::{
    Base, Constant, ConstantClass, ConstantKind, ExprId, ExprKind, Operand, Operands, Ty,
};

use super::Actual;
use super::operator::promote;
use crate::lower::Lowering;
use crate::syntax::ast;

impl Lowering<'_> {
    /// A node for `name(actuals)`, where `name` means an intrinsic function.
    pub(super) fn intrinsic_call(
        &mut self,
        name: &ast::Name,
        intrinsic: &'static Intrinsic,
        specific: Option<&'static Specific>,
        actuals: &[Actual],
    ) -> ExprId {
        if intrinsic.fortran == "null" && actuals.is_empty() {
            let constant = Constant {
                class: ConstantClass::Null,
                fe_type: None,
                text: "null()".into(),
                kind: ConstantKind::None,
            };
            return self.node(ExprKind::Constant(constant), Ty::default(), name.place);
        }
        let operands = self.place_operands(name, intrinsic, actuals);
        let base = self.intrinsic_type(intrinsic, specific, &operands);
        let rank = self.intrinsic_rank(intrinsic, &operands);
        let kind = ExprKind::Intrinsic {
            name: intrinsic.xaif.into(),
            spelling: specific.map(|specific| specific.name.into()),
            operands,
        };
        self.node(kind, Ty { base, rank }, name.place)
    }

    fn place_operands(
        &mut self,
        name: &ast::Name,
        intrinsic: &Intrinsic,
        actuals: &[Actual],
    ) -> Operands {
        let mut operands = Operands::new();
        let mut given: Vec<usize> = Vec::new();
        for (index, actual) in actuals.iter().enumerate() {
            let Some(expr) = actual.expr() else { continue };
            let index = match &actual.keyword {
                None => Some(self.positional_index(intrinsic, index, expr)),
                // `atan(x)` and `atan(y, x)` call their first arguments differently.
                Some(_) if intrinsic.fortran == "atan" && actuals.len() == 1 => Some(0),
                Some(keyword) => intrinsic.position_of(keyword.key()),
            };
            let fitting =
                index.filter(|&index| intrinsic.dummy(index).is_some() && !given.contains(&index));
            let Some(index) = fitting else {
                self.error(
                    Code::BAD_ARGUMENTS,
                    actual.place,
                    format!("the intrinsic function `{name}` does not take this argument"),
                    "declare the name EXTERNAL if a function of the program is meant",
                );
                continue;
            };
            given.push(index);
            let position = u16::try_from(index + 1).unwrap_or(u16::MAX);
            operands.push(Operand { position, keyword: actual.keyword.is_some(), expr });
        }
        let missing = intrinsic
            .dummies
            .iter()
            .enumerate()
            .find(|(index, dummy)| !dummy.optional && !given.contains(index));
        if let Some((_, dummy)) = missing {
            self.error(
                Code::BAD_ARGUMENTS,
                name.place,
                format!("the intrinsic function `{name}` lacks its argument `{}`", dummy.name),
                "give it, or declare the name EXTERNAL if a function of the program is meant",
            );
        }
        operands
    }

    /// Reductions take MASK in the place of DIM: `sum(a, a > 0)`.
    fn positional_index(&self, intrinsic: &Intrinsic, index: usize, expr: ExprId) -> usize {
        let is_dim = intrinsic.dummies.get(index).is_some_and(|dummy| dummy.name == "dim");
        let is_mask = matches!(self.ty(expr).base, Base::Logical(_));
        match intrinsic.position_of("mask") {
            Some(mask) if is_dim && is_mask => mask,
            Some(_) | None => index,
        }
    }

    fn intrinsic_type(
        &self,
        intrinsic: &Intrinsic,
        specific: Option<&Specific>,
        operands: &Operands,
    ) -> Base {
        match specific {
            Some(specific) if specific.result != Base::Unknown => return specific.result,
            Some(_) | None => {}
        }
        let argument = |position: u8| {
            let found = operands.iter().find(|operand| operand.position == u16::from(position));
            found.map_or(Base::Unknown, |operand| self.ty(operand.expr).base)
        };
        let kind = || {
            let position = intrinsic.position_of("kind")? + 1;
            let operand =
                operands.iter().find(|operand| usize::from(operand.position) == position)?;
            Some(self.fold_integer(operand.expr).and_then(|kind| u8::try_from(kind).ok()))
        };
        // A kind that is written but not known makes the type unknown.
        let with_kind = |default: Base, of: fn(u8) -> Base| match kind() {
            None => default,
            Some(None) => Base::Unknown,
            Some(Some(kind)) => of(kind),
        };
        match intrinsic.result {
            ResultType::None => Base::Void,
            ResultType::Like(_) if gives_several_orders(intrinsic, operands) => argument(3),
            ResultType::Like(position) => argument(position),
            ResultType::RealOf(position) => match argument(position) {
                Base::Complex(kind) => Base::Real(kind),
                base => base,
            },
            ResultType::Promoted => promote(argument(1), argument(2)),
            ResultType::IntegerKind => with_kind(Base::Integer(4), Base::Integer),
            ResultType::RealKind => match argument(1) {
                Base::Complex(kind) => with_kind(Base::Real(kind), Base::Real),
                _ => with_kind(Base::Real(4), Base::Real),
            },
            ResultType::RealKindLike => with_kind(argument(1), Base::Real),
            ResultType::ComplexKind => {
                let default = match argument(1) {
                    Base::Complex(kind) => kind,
                    _ => 4,
                };
                with_kind(Base::Complex(default), Base::Complex)
            }
            ResultType::LogicalKind => with_kind(Base::Logical(4), Base::Logical),
            ResultType::CharacterKind => with_kind(Base::Character(1), Base::Character),
            ResultType::Integer => Base::Integer(4),
            ResultType::IntegerOf(kind) => Base::Integer(kind),
            ResultType::Real => Base::Real(4),
            ResultType::Double => Base::Real(8),
            ResultType::Logical => Base::Logical(4),
            ResultType::Character => Base::Character(1),
            ResultType::Unknown => argument(1),
        }
    }

    fn intrinsic_rank(&self, intrinsic: &Intrinsic, operands: &Operands) -> u8 {
        let rank = |position: u16| {
            let found = operands.iter().find(|operand| operand.position == position);
            found.map(|operand| self.ty(operand.expr).rank)
        };
        let named = |name: &str| {
            let position = intrinsic.position_of(name)? + 1;
            rank(u16::try_from(position).ok()?)
        };
        let first = rank(1).unwrap_or(0);
        let has_dim = named("dim").is_some();
        match intrinsic.rank {
            ResultRank::Elemental if gives_several_orders(intrinsic, operands) => 1,
            ResultRank::Elemental => {
                operands.iter().map(|operand| self.ty(operand.expr).rank).max().unwrap_or(0)
            }
            ResultRank::Scalar => 0,
            ResultRank::Vector => 1,
            ResultRank::Like(position) => rank(u16::from(position)).unwrap_or(0),
            ResultRank::OneMore => first.saturating_add(1),
            ResultRank::Reduced if has_dim => first.saturating_sub(1),
            ResultRank::Reduced => 0,
            ResultRank::ReducedOrVector if has_dim => first.saturating_sub(1),
            ResultRank::ReducedOrVector => 1,
            ResultRank::VectorUnlessDim => u8::from(!has_dim),
            ResultRank::SizeOfSecond => {
                let shape = operands.iter().find(|operand| operand.position == 2);
                let size = shape.and_then(|shape| self.constant_size(shape.expr, 0));
                size.and_then(|size| u8::try_from(size).ok()).unwrap_or(1)
            }
            ResultRank::Matmul => (first + rank(2).unwrap_or(0)).saturating_sub(2),
            ResultRank::Transfer => {
                let vector = rank(3).is_some() || rank(2).unwrap_or(0) > 0;
                u8::from(vector)
            }
            ResultRank::Mold => first,
        }
    }
}

/// Whether it is `bessel_jn(n1, n2, x)`, which is no elemental function: its value is a vector.
fn gives_several_orders(intrinsic: &Intrinsic, operands: &Operands) -> bool {
    intrinsic.position_of("x2") == Some(2) && operands.len() == 3
}
