//! Operators on numbers and truths.

use lang_c::ast::{BinaryOperator, BinaryOperatorExpression, Expression, UnaryOperator};
use lang_c::span::{Node, Span};
use xaif_schema::model::{BoolOp, ExprId};

use super::types::{CType, DOUBLE, INT};
use super::{Entity, Lowered, Lowering};

/// The type of arithmetic on two promoted numbers.
pub(crate) fn common(a: &CType, b: &CType) -> CType {
    match (a, b) {
        (CType::Complex(x), CType::Complex(y) | CType::Float(y))
        | (CType::Float(x), CType::Complex(y)) => CType::Complex(*x.max(y)),
        (CType::Complex(x), _) | (_, CType::Complex(x)) => CType::Complex(*x),
        (CType::Float(x), CType::Float(y)) => CType::Float(*x.max(y)),
        (CType::Float(x), _) | (_, CType::Float(x)) => CType::Float(*x),
        (CType::Int { bytes: x, unsigned: u }, CType::Int { bytes: y, unsigned: v }) => {
            let bytes = *x.max(y);
            // The unsigned type wins where it is not the smaller one.
            CType::Int { bytes, unsigned: *u && *x == bytes || *v && *y == bytes }
        }
        _ => a.clone(),
    }
}

impl Lowering<'_> {
    /// `lhs op rhs` of numbers.
    pub(crate) fn arithmetic(
        &mut self,
        binary: &BinaryOperatorExpression,
        span: Span,
    ) -> Lowered<(ExprId, CType)> {
        let both = self.is_pointer(&binary.lhs) && self.is_pointer(&binary.rhs);
        if both && binary.operator.node == BinaryOperator::Minus {
            return self.distance(binary, span);
        }
        let (a, ta) = self.promoted(&binary.lhs)?;
        let (b, tb) = self.promoted(&binary.rhs)?;
        self.operate(&binary.operator.node, (a, ta), (b, tb), span)
    }

    /// The distance of two pointers into one array.
    fn distance(
        &mut self,
        binary: &BinaryOperatorExpression,
        span: Span,
    ) -> Lowered<(ExprId, CType)> {
        use super::place::Pointer;
        let place = self.place(span);
        let (a, b) = (self.pointer(&binary.lhs)?, self.pointer(&binary.rhs)?);
        let (Pointer::Element { array: x, offset: i }, Pointer::Element { array: y, offset: j }) =
            (a, b)
        else {
            return self.refuse(
                span,
                "a difference of pointers that is not known",
                "subtract subscripts",
            );
        };
        let (x, y) = (self.reference(x, span), self.reference(y, span));
        let same = {
            let (x, y) = (&self.doc.refs[x], &self.doc.refs[y]);
            x.base == y.base && x.parts.is_empty() && y.parts.is_empty()
        };
        if !same {
            return self.refuse(
                span,
                "a difference of pointers into arrays that may differ",
                "subtract subscripts",
            );
        }
        let zero =
            |low: &mut Self, one: Option<ExprId>| one.unwrap_or_else(|| low.integer(0, 4, place));
        let (i, j) = (zero(self, i), zero(self, j));
        let ty = CType::Int { bytes: 8, unsigned: false };
        let (i, j) = (self.convert(i, &INT, &ty, place), self.convert(j, &INT, &ty, place));
        Ok((self.operation("sub_scal_scal", &[i, j], ty.ty(), place), ty))
    }

    /// `a op b`.
    pub(crate) fn operate(
        &mut self,
        operator: &BinaryOperator,
        (a, ta): (ExprId, CType),
        (b, tb): (ExprId, CType),
        span: Span,
    ) -> Lowered<(ExprId, CType)> {
        let place = self.place(span);
        let ty = common(&ta, &tb);
        let integers = ta.is_integer() && tb.is_integer();
        let name = match operator {
            BinaryOperator::Plus | BinaryOperator::AssignPlus => "add_scal_scal",
            BinaryOperator::Minus | BinaryOperator::AssignMinus => "sub_scal_scal",
            BinaryOperator::Multiply | BinaryOperator::AssignMultiply => "mul_scal_scal",
            BinaryOperator::Divide | BinaryOperator::AssignDivide => "div_scal_scal",
            BinaryOperator::Modulo | BinaryOperator::AssignModulo => "mod_scal_scal",
            BinaryOperator::ShiftLeft | BinaryOperator::AssignShiftLeft => "shiftl",
            BinaryOperator::ShiftRight | BinaryOperator::AssignShiftRight => {
                if matches!(ta, CType::Int { unsigned: true, .. }) { "shiftr" } else { "shifta" }
            }
            BinaryOperator::BitwiseAnd | BinaryOperator::AssignBitwiseAnd => "iand",
            BinaryOperator::BitwiseOr | BinaryOperator::AssignBitwiseOr => "ior",
            BinaryOperator::BitwiseXor | BinaryOperator::AssignBitwiseXor => "ieor",
            _ => {
                return self.refuse(
                    span,
                    "an operator that is not supported here",
                    "use another one",
                );
            }
        };
        let numeric =
            matches!(name, "add_scal_scal" | "sub_scal_scal" | "mul_scal_scal" | "div_scal_scal");
        if !numeric && !integers {
            return self.refuse(
                span,
                "an operator of integers has an operand of another type",
                "convert it by a cast",
            );
        }
        if matches!(name, "shiftl" | "shiftr" | "shifta") {
            return Ok((self.operation(name, &[a, b], ta.ty(), place), ta));
        }
        // The model converts operands of arithmetic as C does, but for integers of two sorts.
        let explicit = integers
            && (!numeric
                || ty != ta && ty != tb
                || ty.base() != ta.base()
                || ty.base() != tb.base());
        let (a, b) = if explicit {
            (self.convert(a, &ta, &ty, place), self.convert(b, &tb, &ty, place))
        } else {
            (a, b)
        };
        Ok((self.operation(name, &[a, b], ty.ty(), place), ty))
    }

    /// `lhs op rhs` of a comparison.
    pub(crate) fn comparison(
        &mut self,
        op: BoolOp,
        binary: &BinaryOperatorExpression,
        span: Span,
    ) -> Lowered<ExprId> {
        let place = self.place(span);
        let (left, right) = (&*binary.lhs, &*binary.rhs);
        if self.is_pointer(left) || self.is_pointer(right) {
            return self.pointer_comparison(op, left, right, span);
        }
        let (a, ta) = self.promoted(left)?;
        let (b, tb) = self.promoted(right)?;
        let ty = common(&ta, &tb);
        // A literal zero is compared as it is.
        let convert = ty.is_integer() && (ta != ty || tb != ty);
        let (a, b) = if convert {
            (self.convert(a, &ta, &ty, place), self.convert(b, &tb, &ty, place))
        } else {
            (a, b)
        };
        Ok(self.boolean(op, &[a, b], place))
    }

    fn pointer_comparison(
        &mut self,
        op: BoolOp,
        left: &Node<Expression>,
        right: &Node<Expression>,
        span: Span,
    ) -> Lowered<ExprId> {
        let place = self.place(span);
        let asked = match (self.is_null(left), self.is_null(right)) {
            (false, true) => Some(left),
            (true, false) => Some(right),
            _ => None,
        };
        if let Some(asked) = asked
            && let Some(present) = self.presence(asked)
        {
            return match op {
                BoolOp::NotEqual => Ok(present),
                BoolOp::Equal => Ok(self.boolean(BoolOp::Not, &[present], place)),
                _ => {
                    self.refuse(span, "a null pointer is compared by order", "compare by == or !=")
                }
            };
        }
        use super::place::Pointer;
        let (a, b) = (self.pointer(left)?, self.pointer(right)?);
        if let (
            Pointer::Element { array: x, offset: i },
            Pointer::Element { array: y, offset: j },
        ) = (a, b)
        {
            let (x, y) = (self.reference(x, span), self.reference(y, span));
            let (one, other) = (&self.doc.refs[x], &self.doc.refs[y]);
            if one.base == other.base && one.parts.is_empty() && other.parts.is_empty() {
                let i = i.unwrap_or_else(|| self.integer(0, 4, place));
                let j = j.unwrap_or_else(|| self.integer(0, 4, place));
                return Ok(self.boolean(op, &[i, j], place));
            }
        }
        self.refuse(span, "pointers into arrays that may differ are compared", "compare subscripts")
    }

    /// `lhs && rhs` or `lhs || rhs`: the right operand is evaluated only where the left one asks for it.
    pub(crate) fn lazy(
        &mut self,
        binary: &BinaryOperatorExpression,
        and: bool,
        span: Span,
    ) -> Lowered<ExprId> {
        let place = self.place(span);
        let (left, right) = (&*binary.lhs, &*binary.rhs);
        if self.needs_statements(right) {
            let left = self.sequenced(left)?;
            return self.lazy_by_branch(left, right, and, place);
        }
        let a = self.sequenced(left)?;
        let b = self.truth(right)?;
        // Of scalars the right operand of both is evaluated only where it matters.
        let op = if and { BoolOp::And } else { BoolOp::Or };
        Ok(self.boolean(op, &[a, b], place))
    }

    /// Whether an expression can be evaluated wherever its variables have values: no element, no division, no call.
    pub(crate) fn is_total(&self, expr: &Node<Expression>) -> bool {
        match &expr.node {
            Expression::Constant(_) => true,
            Expression::Identifier(name) => !matches!(
                self.entity(&name.node.name),
                Some(Entity::Variable { passing: Some(super::Passing::Reference), .. })
                    | Some(Entity::Walker(_))
                    | Some(Entity::Allocated { .. })
            ),
            Expression::UnaryOperator(unary) => match unary.node.operator.node {
                UnaryOperator::Minus | UnaryOperator::Plus | UnaryOperator::Negate => {
                    self.is_total(&unary.node.operand)
                }
                _ => false,
            },
            Expression::BinaryOperator(binary) => match binary.node.operator.node {
                BinaryOperator::Plus
                | BinaryOperator::Minus
                | BinaryOperator::Multiply
                | BinaryOperator::Less
                | BinaryOperator::Greater
                | BinaryOperator::LessOrEqual
                | BinaryOperator::GreaterOrEqual
                | BinaryOperator::Equals
                | BinaryOperator::NotEquals
                | BinaryOperator::LogicalAnd
                | BinaryOperator::LogicalOr => {
                    self.is_total(&binary.node.lhs) && self.is_total(&binary.node.rhs)
                }
                _ => false,
            },
            Expression::Cast(cast) => self.is_total(&cast.node.expression),
            _ => false,
        }
    }

    /// The type of a value, as far as it can be told without lowering it.
    pub(crate) fn rough_type(&mut self, expr: &Node<Expression>) -> Option<CType> {
        match &expr.node {
            Expression::Constant(constant) => Some(match &constant.node {
                lang_c::ast::Constant::Float(float) => match float.suffix.format {
                    lang_c::ast::FloatFormat::Float => CType::Float(4),
                    _ => DOUBLE,
                },
                lang_c::ast::Constant::Integer(integer)
                    if integer.suffix.size != lang_c::ast::IntegerSize::Int =>
                {
                    CType::Int { bytes: 8, unsigned: integer.suffix.unsigned }
                }
                _ => INT,
            }),
            Expression::Identifier(name)
                if matches!(self.entity(&name.node.name), Some(Entity::Enumerator(_))) =>
            {
                Some(INT)
            }
            Expression::UnaryOperator(unary) => match unary.node.operator.node {
                UnaryOperator::Minus | UnaryOperator::Plus | UnaryOperator::Complement => {
                    self.rough_type(&unary.node.operand).map(|ty| common(&ty, &INT))
                }
                UnaryOperator::Negate => Some(INT),
                _ => self.type_of(expr),
            },
            Expression::BinaryOperator(binary) => match &binary.node.operator.node {
                BinaryOperator::Plus
                | BinaryOperator::Minus
                | BinaryOperator::Multiply
                | BinaryOperator::Divide
                | BinaryOperator::Modulo
                | BinaryOperator::BitwiseAnd
                | BinaryOperator::BitwiseOr
                | BinaryOperator::BitwiseXor => {
                    let (a, b) =
                        (self.rough_type(&binary.node.lhs)?, self.rough_type(&binary.node.rhs)?);
                    Some(common(&common(&a, &INT), &common(&b, &INT)))
                }
                BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => {
                    self.rough_type(&binary.node.lhs)
                }
                BinaryOperator::Index => self.type_of(expr),
                operator if super::effects::is_assignment(operator) => {
                    self.type_of(&binary.node.lhs)
                }
                _ => Some(INT),
            },
            Expression::Conditional(conditional) => {
                let yes = self.rough_type(&conditional.node.then_expression)?;
                let no = self.rough_type(&conditional.node.else_expression)?;
                Some(common(&common(&yes, &INT), &common(&no, &INT)))
            }
            Expression::Cast(cast) => self.type_name(&cast.node.type_name).ok(),
            Expression::Comma(list) => self.rough_type(list.last()?),
            Expression::Call(call) => self.result_type(&call.node),
            _ => self.type_of(expr),
        }
    }
}
