//! Values.

use lang_c::ast::{
    BinaryOperator, Constant, Expression, FloatBase, FloatFormat, IntegerBase, IntegerSize,
    UnaryOperator,
};
use lang_c::span::Node;
use xaif_schema::model::{BoolOp, ExprId, ExprKind, Place};

use super::effects::After;
use super::types::{CType, DOUBLE, INT};
use super::{Entity, Lowered, Lowering, Passing};

impl Lowering<'_> {
    /// The value of `expr`, with its type.
    pub(crate) fn value_of(&mut self, expr: &Node<Expression>) -> Lowered<(ExprId, CType)> {
        let place = self.place(expr.span);
        match &expr.node {
            Expression::Constant(constant) => self.literal_value(&constant.node, expr, place),
            Expression::Identifier(name) => match self.entity(&name.node.name) {
                Some(&Entity::Enumerator(value)) => Ok((self.integer(value, 4, place), INT)),
                _ => self.object_value(expr),
            },
            Expression::Member(_) => self.object_value(expr),
            Expression::UnaryOperator(unary) => match unary.node.operator.node {
                UnaryOperator::Indirection => self.object_value(expr),
                UnaryOperator::Minus => {
                    let (value, ty) = self.promoted(&unary.node.operand)?;
                    Ok((self.operation("minus_scal", &[value], ty.ty(), place), ty))
                }
                UnaryOperator::Plus => self.promoted(&unary.node.operand),
                UnaryOperator::Complement => {
                    let (value, ty) = self.promoted(&unary.node.operand)?;
                    Ok((self.operation("not", &[value], ty.ty(), place), ty))
                }
                UnaryOperator::Negate => self.truth_value(expr),
                UnaryOperator::Address => self.refuse(
                    expr.span,
                    "the value of an address is not supported here",
                    "pass the address to a function, or use the object itself",
                ),
                UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement
                | UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement => self.increment_value(expr, &unary.node),
            },
            Expression::BinaryOperator(binary) => match &binary.node.operator.node {
                BinaryOperator::Index => self.object_value(expr),
                BinaryOperator::Less
                | BinaryOperator::Greater
                | BinaryOperator::LessOrEqual
                | BinaryOperator::GreaterOrEqual
                | BinaryOperator::Equals
                | BinaryOperator::NotEquals
                | BinaryOperator::LogicalAnd
                | BinaryOperator::LogicalOr => self.truth_value(expr),
                operator if super::effects::is_assignment(operator) => {
                    self.assignment_value(expr, &binary.node)
                }
                _ => self.arithmetic(&binary.node, expr.span),
            },
            Expression::Call(call) => self.call_value(call, expr.span),
            Expression::Cast(cast) => {
                let ty = self.type_name(&cast.node.type_name)?;
                let (value, own) = self.value_of(&cast.node.expression)?;
                self.supported(&ty, expr.span)?;
                if !ty.is_arithmetic() {
                    return self.refuse(
                        expr.span,
                        "a cast to what is no number",
                        "use the value itself",
                    );
                }
                Ok((self.convert(value, &own, &ty, place), ty))
            }
            Expression::Conditional(conditional) => {
                self.conditional_value(&conditional.node, expr.span)
            }
            Expression::Comma(list) => {
                let Some((last, first)) = list.split_last() else {
                    return self.refuse(expr.span, "an empty expression", "write a value");
                };
                for one in first {
                    let mark = self.waiting();
                    self.effect(one)?;
                    self.flush_from(mark);
                }
                self.value_of(last)
            }
            Expression::SizeOfTy(_) | Expression::SizeOfVal(_) => match self.constant(expr) {
                Some(value) => {
                    Ok((self.integer(value, 8, place), CType::Int { bytes: 8, unsigned: false }))
                }
                None => self.refuse(
                    expr.span,
                    "the size of this type is not known here",
                    "write the number of bytes",
                ),
            },
            Expression::StringLiteral(_) => self.refuse(
                expr.span,
                "a string is supported as an argument of printf only",
                "print it, or use numbers",
            ),
            Expression::CompoundLiteral(literal) => {
                let ty = self.type_name(&literal.node.type_name)?;
                if !matches!(ty, CType::Struct(_)) {
                    return self.refuse(
                        expr.span,
                        "a literal of this type is not supported",
                        "use a variable",
                    );
                }
                let list = lang_c::ast::Initializer::List(literal.node.initializer_list.clone());
                let list = Node::new(list, expr.span);
                Ok((self.static_initial(&ty, &list)?, ty))
            }
            Expression::GenericSelection(_)
            | Expression::AlignOf(_)
            | Expression::OffsetOf(_)
            | Expression::VaArg(_)
            | Expression::Statement(_) => self.refuse(
                expr.span,
                "this expression is not supported",
                "use variables and operators",
            ),
        }
    }

    fn object_value(&mut self, expr: &Node<Expression>) -> Lowered<(ExprId, CType)> {
        let place = self.place(expr.span);
        let object = self.object(expr)?;
        if object.ty.is_pointer() {
            return self.refuse(
                expr.span,
                "the value of a pointer is not supported here",
                "use an element of the array",
            );
        }
        self.supported(&object.ty, expr.span)?;
        let ty = object.ty.clone();
        let reference = self.reference(object, expr.span);
        Ok((self.node(ExprKind::Ref(reference), ty.ty(), place), ty))
    }

    fn literal_value(
        &mut self,
        constant: &Constant,
        expr: &Node<Expression>,
        place: Place,
    ) -> Lowered<(ExprId, CType)> {
        match constant {
            Constant::Integer(integer) => {
                let Some(value) = self.constant(expr) else {
                    return self.refuse(
                        expr.span,
                        "an integer that is too large",
                        "use a smaller one",
                    );
                };
                let long = integer.suffix.size != IntegerSize::Int || i32::try_from(value).is_err();
                let bytes = if long { 8 } else { 4 };
                let ty = CType::Int { bytes, unsigned: integer.suffix.unsigned };
                let node = self.integer(value, bytes, place);
                if integer.suffix.unsigned {
                    self.doc.exprs[node].ty = ty.ty();
                }
                Ok((node, ty))
            }
            Constant::Float(float) => {
                if float.suffix.imaginary {
                    return self.refuse(
                        expr.span,
                        "an imaginary literal is not supported",
                        "use two real numbers",
                    );
                }
                let bytes = match float.suffix.format {
                    FloatFormat::Float => 4,
                    FloatFormat::Double => 8,
                    FloatFormat::LongDouble | FloatFormat::TS18661Format(_) => {
                        return self.refuse(
                            expr.span,
                            "long double is not supported",
                            "use double",
                        );
                    }
                };
                let text = match float.base {
                    FloatBase::Decimal => float.number.to_string(),
                    FloatBase::Hexadecimal => match hexadecimal(&float.number) {
                        Some(value) => format!("{value:e}"),
                        None => {
                            return self.refuse(
                                expr.span,
                                "a hexadecimal number that is not understood",
                                "write it in decimal",
                            );
                        }
                    },
                };
                Ok((self.real(&text, bytes, place), CType::Float(bytes)))
            }
            Constant::Character(_) => match self.constant(expr) {
                Some(value) => Ok((self.integer(value, 4, place), INT)),
                None => {
                    self.refuse(expr.span, "a character that is not understood", "write its code")
                }
            },
        }
    }

    /// The value of an operand of arithmetic: small integers become `int`.
    pub(crate) fn promoted(&mut self, expr: &Node<Expression>) -> Lowered<(ExprId, CType)> {
        let (value, ty) = self.value_of(expr)?;
        let place = self.place(expr.span);
        match ty {
            CType::Int { bytes: 1 | 2, .. } => Ok((self.convert(value, &ty, &INT, place), INT)),
            ty if ty.is_arithmetic() => Ok((value, ty)),
            _ => self.refuse(expr.span, "a number is needed here", "use a member or an element"),
        }
    }

    /// `value` as `to`.
    pub(crate) fn convert(
        &mut self,
        value: ExprId,
        from: &CType,
        to: &CType,
        place: Place,
    ) -> ExprId {
        if from == to {
            return value;
        }
        let (name, bytes) = match to {
            CType::Int { bytes, .. } => ("int_scal", *bytes),
            CType::Float(bytes) => ("real_scal", *bytes),
            CType::Complex(bytes) => ("complex_scal", *bytes),
            _ => return value,
        };
        // A literal has the type at once.
        if let (CType::Float(bytes), Some(number)) = (to, self.literal(value))
            && number >= 0
        {
            return self.real(&format!("{number}.0"), *bytes, place);
        }
        let kind = self.integer(i64::from(bytes), 4, place);
        let node = self.operation(name, &[value, kind], to.ty(), place);
        if matches!(to, CType::Complex(_))
            && let ExprKind::Intrinsic { operands, .. } = &mut self.doc.exprs[node].kind
            && let Some(kind) = operands.last_mut()
        {
            (kind.position, kind.keyword) = (3, true);
        }
        node
    }

    /// A truth as an integer.
    fn truth_value(&mut self, expr: &Node<Expression>) -> Lowered<(ExprId, CType)> {
        let truth = self.truth(expr)?;
        let place = self.place(expr.span);
        Ok((self.truth_as_integer(truth, place), INT))
    }

    pub(crate) fn truth_as_integer(&mut self, truth: ExprId, place: Place) -> ExprId {
        let (one, zero) = (self.integer(1, 4, place), self.integer(0, 4, place));
        self.operation("merge", &[one, zero, truth], INT.ty(), place)
    }

    /// Whether `expr` is not zero.
    pub(crate) fn truth(&mut self, expr: &Node<Expression>) -> Lowered<ExprId> {
        let place = self.place(expr.span);
        match &expr.node {
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Negate =>
            {
                if let Some(present) = self.presence(&unary.node.operand) {
                    return Ok(self.boolean(BoolOp::Not, &[present], place));
                }
                let inner = self.truth(&unary.node.operand)?;
                return Ok(self.boolean(BoolOp::Not, &[inner], place));
            }
            Expression::BinaryOperator(binary) => {
                let op = match binary.node.operator.node {
                    BinaryOperator::Less => BoolOp::LessThan,
                    BinaryOperator::Greater => BoolOp::GreaterThan,
                    BinaryOperator::LessOrEqual => BoolOp::LessOrEqual,
                    BinaryOperator::GreaterOrEqual => BoolOp::GreaterOrEqual,
                    BinaryOperator::Equals => BoolOp::Equal,
                    BinaryOperator::NotEquals => BoolOp::NotEqual,
                    BinaryOperator::LogicalAnd => return self.lazy(&binary.node, true, expr.span),
                    BinaryOperator::LogicalOr => return self.lazy(&binary.node, false, expr.span),
                    _ => return self.not_zero(expr),
                };
                return self.comparison(op, &binary.node, expr.span);
            }
            _ => {}
        }
        self.not_zero(expr)
    }

    fn not_zero(&mut self, expr: &Node<Expression>) -> Lowered<ExprId> {
        if let Some(present) = self.presence(expr) {
            return Ok(present);
        }
        let place = self.place(expr.span);
        let (value, ty) = self.value_of(expr)?;
        // `merge(1, 0, c)` is `c`.
        if let ExprKind::Intrinsic { name, operands, .. } = &self.doc.exprs[value].kind
            && &**name == "merge"
            && operands.len() == 3
            && self.literal(operands[0].expr) == Some(1)
            && self.literal(operands[1].expr) == Some(0)
        {
            return Ok(operands[2].expr);
        }
        let zero = match &ty {
            CType::Float(bytes) => self.real("0.0", *bytes, place),
            CType::Int { bytes, .. } => self.integer(0, *bytes, place),
            _ => {
                return self.refuse(
                    expr.span,
                    "a condition is no number",
                    "compare it with something",
                );
            }
        };
        Ok(self.boolean(BoolOp::NotEqual, &[value, zero], place))
    }

    /// Whether the pointer `expr` is not null, where it is one that can be asked.
    pub(crate) fn presence(&mut self, expr: &Node<Expression>) -> Option<ExprId> {
        let Expression::Identifier(name) = &expr.node else { return None };
        let place = self.place(expr.span);
        let (symbol, question) = match self.entity(&name.node.name)? {
            Entity::Variable {
                symbol, passing: Some(Passing::Array | Passing::Reference), ..
            } => (*symbol, "present"),
            Entity::Allocated { symbol, .. } => (*symbol, "allocated"),
            _ => return None,
        };
        if question == "present" {
            self.attribute(symbol, xaif_schema::model::Attr::Optional);
        }
        let value = self.value(symbol, place);
        let ty = xaif_schema::model::Ty::scalar(xaif_schema::model::Base::Logical(4));
        Some(self.operation(question, &[value], ty, place))
    }

    /// The value of a literal integer.
    pub(crate) fn literal(&self, expr: ExprId) -> Option<i64> {
        match &self.doc.exprs[expr].kind {
            ExprKind::Constant(constant) if self.doc.exprs[expr].ty.rank == 0 => {
                constant.text.parse().ok()
            }
            ExprKind::Intrinsic { name, operands, .. } if &**name == "minus_scal" => {
                self.literal(operands.first()?.expr).map(|value| -value)
            }
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => None,
        }
    }

    /// Whether `expr` is a null pointer constant.
    pub(crate) fn is_null(&self, expr: &Node<Expression>) -> bool {
        match &expr.node {
            Expression::Cast(cast) => {
                cast.node.type_name.node.declarator.is_some() && self.is_null(&cast.node.expression)
            }
            _ => self.constant(expr) == Some(0) && !matches!(expr.node, Expression::Identifier(_)),
        }
    }

    /// The value of an integer constant expression.
    pub(crate) fn constant(&self, expr: &Node<Expression>) -> Option<i64> {
        match &expr.node {
            Expression::Constant(constant) => match &constant.node {
                Constant::Integer(integer) => {
                    let radix = match integer.base {
                        IntegerBase::Decimal => 10,
                        IntegerBase::Octal => 8,
                        IntegerBase::Hexadecimal => 16,
                        IntegerBase::Binary => 2,
                    };
                    i64::from_str_radix(&integer.number, radix).ok()
                }
                Constant::Character(text) => character(text),
                Constant::Float(_) => None,
            },
            Expression::Identifier(name) => match self.entity(&name.node.name)? {
                Entity::Enumerator(value) => Some(*value),
                _ => None,
            },
            Expression::UnaryOperator(unary) => {
                let value = self.constant(&unary.node.operand)?;
                match unary.node.operator.node {
                    UnaryOperator::Minus => value.checked_neg(),
                    UnaryOperator::Plus => Some(value),
                    UnaryOperator::Complement => Some(!value),
                    UnaryOperator::Negate => Some(i64::from(value == 0)),
                    _ => None,
                }
            }
            Expression::BinaryOperator(binary) => {
                let a = self.constant(&binary.node.lhs)?;
                let b = self.constant(&binary.node.rhs)?;
                match binary.node.operator.node {
                    BinaryOperator::Plus => a.checked_add(b),
                    BinaryOperator::Minus => a.checked_sub(b),
                    BinaryOperator::Multiply => a.checked_mul(b),
                    BinaryOperator::Divide => a.checked_div(b),
                    BinaryOperator::Modulo => a.checked_rem(b),
                    BinaryOperator::ShiftLeft => a.checked_shl(u32::try_from(b).ok()?),
                    BinaryOperator::ShiftRight => a.checked_shr(u32::try_from(b).ok()?),
                    BinaryOperator::BitwiseAnd => Some(a & b),
                    BinaryOperator::BitwiseOr => Some(a | b),
                    BinaryOperator::BitwiseXor => Some(a ^ b),
                    _ => None,
                }
            }
            Expression::SizeOfTy(ty) => {
                let plain = ty.node.0.node.declarator.is_none();
                plain.then(|| self.size_of_specifiers(&ty.node.0.node.specifiers)).flatten()
            }
            Expression::SizeOfVal(value) => self.size_of_value(&value.node.0),
            _ => None,
        }
    }

    fn size_of_specifiers(&self, list: &[Node<lang_c::ast::SpecifierQualifier>]) -> Option<i64> {
        use lang_c::ast::{SpecifierQualifier, TypeSpecifier};
        let mut size = None;
        for one in list {
            let SpecifierQualifier::TypeSpecifier(ty) = &one.node else { continue };
            size = match &ty.node {
                TypeSpecifier::Char => Some(1),
                TypeSpecifier::Short => Some(2),
                TypeSpecifier::Int => size.or(Some(4)),
                TypeSpecifier::Long => Some(8),
                TypeSpecifier::Float => Some(4),
                TypeSpecifier::Double => Some(8),
                TypeSpecifier::Signed | TypeSpecifier::Unsigned => size.or(Some(4)),
                TypeSpecifier::TypedefName(name) => match self.entity(&name.node.name)? {
                    Entity::Typedef(ty) => Some(self.size(ty)?),
                    _ => None,
                },
                TypeSpecifier::Struct(structure) => {
                    let tag = structure.node.identifier.as_ref()?;
                    let ty = self.tags.iter().rev().find_map(|tags| tags.get(&tag.node.name))?;
                    Some(self.size(ty)?)
                }
                _ => None,
            };
        }
        size
    }

    fn size_of_value(&self, expr: &Node<Expression>) -> Option<i64> {
        match &expr.node {
            Expression::Identifier(name) => match self.entity(&name.node.name)? {
                Entity::Variable { ty, passing: None | Some(Passing::Value), .. } => self.size(ty),
                _ => None,
            },
            // `sizeof *p` and `sizeof a[0]`: the element.
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Indirection =>
            {
                self.size_of_target(&unary.node.operand)
            }
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::Index =>
            {
                self.size_of_target(&binary.node.lhs)
            }
            _ => None,
        }
    }

    fn size_of_target(&self, expr: &Node<Expression>) -> Option<i64> {
        let Expression::Identifier(name) = &expr.node else { return None };
        match self.entity(&name.node.name)? {
            Entity::Variable { ty, passing: Some(Passing::Reference), .. } => self.size(ty),
            Entity::Variable { ty, .. } => self.size(ty.target()?),
            Entity::Allocated { target, .. } => self.size(target),
            Entity::Walker(walker) => self.size(&walker.target),
            _ => None,
        }
    }

    /// The number of bytes of an object, where it is known without the layout of a structure.
    pub(crate) fn size(&self, ty: &CType) -> Option<i64> {
        match ty {
            CType::Int { bytes, .. } | CType::Float(bytes) => Some(i64::from(*bytes)),
            CType::Complex(bytes) => Some(2 * i64::from(*bytes)),
            CType::Array { element, extent: super::types::Extent::Fixed(extent), .. } => {
                self.size(element)?.checked_mul(*extent)
            }
            CType::Struct(structure) => self.size_of_structure(*structure),
            _ => None,
        }
    }

    fn size_of_structure(&self, structure: xaif_schema::model::SymbolId) -> Option<i64> {
        let (mut size, mut most) = (0_i64, 1_i64);
        for component in self.doc.own_components(structure) {
            let ty = self.type_of_member(component);
            let align = self.alignment(&ty)?;
            most = most.max(align);
            size = (size + align - 1) / align * align + self.size(&ty)?;
        }
        Some((size + most - 1) / most * most)
    }

    fn alignment(&self, ty: &CType) -> Option<i64> {
        match ty.element() {
            CType::Int { bytes, .. } | CType::Float(bytes) | CType::Complex(bytes) => {
                Some(i64::from(*bytes))
            }
            CType::Struct(structure) => {
                let parts = self.doc.own_components(*structure);
                parts
                    .map(|part| self.alignment(&self.type_of_member(part)))
                    .try_fold(1, |most, one| Some(most.max(one?)))
            }
            _ => None,
        }
    }

    /// Operands and operation of `lhs op rhs` by the usual arithmetic conversions.
    pub(crate) fn conditional_value(
        &mut self,
        conditional: &lang_c::ast::ConditionalExpression,
        span: lang_c::span::Span,
    ) -> Lowered<(ExprId, CType)> {
        let place = self.place(span);
        let (yes, no) = (&*conditional.then_expression, &*conditional.else_expression);
        if self.is_total(yes) && self.is_total(no) {
            let condition = self.sequenced(&conditional.condition)?;
            let (a, ta) = self.promoted(yes)?;
            let (b, tb) = self.promoted(no)?;
            let ty = super::operator::common(&ta, &tb);
            let a = self.convert(a, &ta, &ty, place);
            let b = self.convert(b, &tb, &ty, place);
            return Ok((self.operation("merge", &[a, b, condition], ty.ty(), place), ty));
        }
        // Only one of the operands is evaluated.
        let (ta, tb) = (self.rough_type(yes), self.rough_type(no));
        let ty = super::operator::common(&ta.unwrap_or(DOUBLE), &tb.unwrap_or(DOUBLE));
        let temp = self.temporary("chosen", &ty, place);
        let target = self.whole(temp, place);
        let after = After::Assign(target);
        self.choose(conditional, after, span)?;
        Ok((self.value(temp, place), ty))
    }
}

/// The code of a character literal such as `'a'` or `'\n'`.
fn character(text: &str) -> Option<i64> {
    let inner = text.trim_start_matches(['L', 'u', 'U']).trim_matches('\'');
    let mut characters = inner.chars();
    let first = characters.next()?;
    if first != '\\' {
        return Some(i64::from(u32::from(first)));
    }
    match characters.next()? {
        'n' => Some(10),
        't' => Some(9),
        'r' => Some(13),
        '0' if inner.len() == 2 => Some(0),
        '\\' => Some(92),
        '\'' => Some(39),
        '"' => Some(34),
        'x' => i64::from_str_radix(characters.as_str(), 16).ok(),
        digit if digit.is_digit(8) => i64::from_str_radix(&inner[1..], 8).ok(),
        _ => None,
    }
}

/// The value of a number such as `1.8p3`, written in hexadecimal.
fn hexadecimal(text: &str) -> Option<f64> {
    let text = text.to_ascii_lowercase();
    let (mantissa, exponent) = text.split_once('p')?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value = 0.0_f64;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let exponent: i32 = exponent.parse().ok()?;
    let digits = i32::try_from(fraction.len()).ok()?;
    Some(value * 2.0_f64.powi(exponent - 4 * digits))
}
