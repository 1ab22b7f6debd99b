//! Calls: of functions of the program, of the mathematical library, and of others.

use lang_c::ast::{CallExpression, Expression};
use lang_c::span::{Node, Span};
use xaif_schema::diag::Code;
use xaif_schema::model::{
    Arg, ArgValue, Base, Callee, ExprId, ExprKind, FunctionCall, Place, RefId, StmtKind,
    SubroutineCall, Ty,
};

use super::math::{self, Meaning};
use super::place::Pointer;
use super::types::{CType, INT};
use super::{Entity, Function, Lowered, Lowering, Param, Passing};

impl Lowering<'_> {
    fn callee_name<'e>(&mut self, call: &'e CallExpression, span: Span) -> Lowered<&'e str> {
        match &call.callee.node {
            Expression::Identifier(name) => Ok(&name.node.name),
            _ => self.refuse(
                span,
                "a call by a pointer to a function is not supported",
                "call the function by its name",
            ),
        }
    }

    /// The value of a call.
    pub(crate) fn call_value(
        &mut self,
        call: &Node<CallExpression>,
        span: Span,
    ) -> Lowered<(ExprId, CType)> {
        let name = self.callee_name(&call.node, span)?;
        let place = self.place(span);
        match self.entity(name).cloned() {
            Some(Entity::Function(function)) => {
                if function.result == CType::Void {
                    return self.refuse(
                        span,
                        &format!("`{name}` has no value"),
                        "call it as a statement",
                    );
                }
                let args = self.arguments(&function, &call.node, span)?;
                let callee = Callee { symbol: function.symbol, generic: None, object: None };
                let kind = ExprKind::Call(Box::new(FunctionCall { callee, args, active: None }));
                let ty = function.result.clone();
                Ok((self.node(kind, ty.ty(), place), ty))
            }
            _ => match math::function(name) {
                Some((meaning, bytes)) => self.math(name, meaning, bytes, &call.node, span),
                None => self.library_value(name, &call.node, span),
            },
        }
    }

    /// The type of the value of a call.
    pub(crate) fn result_type(&mut self, call: &CallExpression) -> Option<CType> {
        let Expression::Identifier(name) = &call.callee.node else { return None };
        match self.entity(&name.node.name) {
            Some(Entity::Function(function)) => Some(function.result.clone()),
            _ => match math::function(&name.node.name)? {
                (Meaning::IntegerAbs, bytes) => Some(CType::Int { bytes, unsigned: false }),
                (_, bytes) => Some(CType::Float(bytes)),
            },
        }
    }

    /// A call as a statement.
    pub(crate) fn call_statement(
        &mut self,
        call: &Node<CallExpression>,
        span: Span,
    ) -> Lowered<()> {
        let name = self.callee_name(&call.node, span)?;
        let place = self.place(span);
        match self.entity(name).cloned() {
            Some(Entity::Function(function)) if function.result == CType::Void => {
                let args = self.arguments(&function, &call.node, span)?;
                let formal_count = u32::try_from(function.params.len()).ok();
                let callee = Callee { symbol: function.symbol, generic: None, object: None };
                let call = SubroutineCall { callee, args, formal_count, active: None };
                self.push(StmtKind::Call(Box::new(call)), place);
                Ok(())
            }
            Some(Entity::Function(_)) => {
                let (value, ty) = self.call_value(call, span)?;
                let ignored = self.temporary("ignored", &ty, place);
                self.assign(ignored, value, place);
                Ok(())
            }
            _ if math::function(name).is_some() => {
                for argument in &call.node.arguments {
                    self.effect(argument)?;
                }
                Ok(())
            }
            _ => self.library_statement(name, &call.node, span),
        }
    }

    /// The actual arguments of a call.
    fn arguments(
        &mut self,
        function: &Function,
        call: &CallExpression,
        span: Span,
    ) -> Lowered<Vec<Arg>> {
        if call.arguments.len() != function.params.len() {
            let message = format!(
                "{} arguments for {} parameters",
                call.arguments.len(),
                function.params.len()
            );
            return self.refuse_by(Code::C_ARGUMENTS, span, &message, "look at the prototype");
        }
        let mut args = Vec::new();
        for (position, (argument, param)) in
            (1_u32..).zip(call.arguments.iter().zip(&function.params))
        {
            let value = match param.passing {
                Passing::Value => {
                    let (value, ty) = self.value_of(argument)?;
                    let place = self.place(argument.span);
                    match (&ty, &param.ty) {
                        (CType::Struct(a), CType::Struct(b)) if a == b => value,
                        (from, to) if from.is_arithmetic() && to.is_arithmetic() => {
                            self.convert(value, from, to, place)
                        }
                        _ => {
                            return self.refuse_by(
                                Code::C_ARGUMENTS,
                                argument.span,
                                "an argument of another type than the parameter",
                                "look at the prototype",
                            );
                        }
                    }
                }
                Passing::Array | Passing::Reference => {
                    match self.pointer_argument(argument, param)? {
                        Some(reference) => {
                            let place = self.place(argument.span);
                            let ty = self.doc.refs[reference].ty;
                            self.node(ExprKind::Ref(reference), ty, place)
                        }
                        None => continue,
                    }
                }
            };
            args.push(Arg { position, keyword: None, value: ArgValue::Expr(value) });
        }
        // Behind an argument that is absent the others are named by keywords.
        let gap = args.iter().zip(1_u32..).any(|(arg, position)| arg.position != position);
        if gap {
            return self.refuse(
                span,
                "a null pointer stands before other arguments",
                "pass it last",
            );
        }
        Ok(args)
    }

    /// The object whose address is an argument; `None` for a null pointer.
    fn pointer_argument(
        &mut self,
        argument: &Node<Expression>,
        param: &Param,
    ) -> Lowered<Option<RefId>> {
        let span = argument.span;
        let pointer = self.pointer(argument)?;
        let target = match (&param.passing, &param.ty) {
            (Passing::Array, ty) => ty.target().cloned().unwrap_or(CType::Void),
            (_, ty) => ty.clone(),
        };
        let own = match &pointer {
            Pointer::Element { array, .. } => array.ty.element().clone(),
            Pointer::Single(object) => object.ty.element().clone(),
            Pointer::Null => return Ok(None),
        };
        if own != *target.element() {
            return self.refuse_by(
                Code::C_ARGUMENTS,
                span,
                "an argument that points to another type than the parameter",
                "look at the prototype",
            );
        }
        match (param.passing, pointer) {
            (Passing::Array, Pointer::Element { array, offset: None }) => {
                Ok(Some(self.reference(array, span)))
            }
            (Passing::Array, Pointer::Element { mut array, offset: Some(offset) }) => {
                let zero = self.literal(offset) == Some(0);
                if !zero {
                    let pointer = Pointer::Element { array, offset: Some(offset) };
                    array = self.element(pointer, None, span)?;
                    // The rows behind it belong to the argument, too.
                }
                Ok(Some(self.reference(array, span)))
            }
            (Passing::Reference, Pointer::Element { array, offset }) => {
                let object = self.element(Pointer::Element { array, offset }, None, span)?;
                Ok(Some(self.reference(object, span)))
            }
            (Passing::Reference, Pointer::Single(object)) => Ok(Some(self.reference(object, span))),
            (Passing::Array, Pointer::Single(_)) => self.refuse(
                span,
                "the address of one object is passed for an array",
                "pass an array of one element",
            ),
            (Passing::Value, _) | (_, Pointer::Null) => Ok(None),
        }
    }

    /// A function of the mathematical library.
    fn math(
        &mut self,
        name: &str,
        meaning: Meaning,
        bytes: u8,
        call: &CallExpression,
        span: Span,
    ) -> Lowered<(ExprId, CType)> {
        let place = self.place(span);
        let wanted = match meaning {
            Meaning::Same(_, count) => count,
            Meaning::Power => 2,
            _ => 1,
        };
        if call.arguments.len() != wanted {
            return self.refuse_by(
                Code::C_ARGUMENTS,
                span,
                &format!("`{name}` has {wanted} arguments"),
                "look at its manual page",
            );
        }
        let ty = match meaning {
            Meaning::IntegerAbs => CType::Int { bytes, unsigned: false },
            _ => CType::Float(bytes),
        };
        let mut operands = Vec::new();
        for (index, argument) in call.arguments.iter().enumerate() {
            // A whole exponent stays an integer.
            if meaning == Meaning::Power
                && index == 1
                && let Some(exponent) = whole_number(argument)
            {
                operands.push(self.integer(exponent, 4, place));
                continue;
            }
            let (value, own) = self.promoted(argument)?;
            operands.push(self.convert(value, &own, &ty, place));
        }
        let value = self.math_node(meaning, &operands, &ty, place);
        if let (ExprKind::Intrinsic { spelling, .. }, Meaning::Same(..) | Meaning::Power) =
            (&mut self.doc.exprs[value].kind, meaning)
        {
            *spelling = None;
        }
        Ok((value, ty))
    }

    fn math_node(
        &mut self,
        meaning: Meaning,
        operands: &[ExprId],
        ty: &CType,
        place: Place,
    ) -> ExprId {
        match meaning {
            Meaning::Same(name, _) => self.operation(name, operands, ty.ty(), place),
            Meaning::IntegerAbs => self.operation("abs_scal", operands, ty.ty(), place),
            Meaning::Power => self.operation("pow_scal_scal", operands, ty.ty(), place),
            Meaning::Rounded(name) => {
                let kind = self.integer(8, 4, place);
                let mut all = operands.to_vec();
                all.push(kind);
                let whole = self.operation(name, &all, Ty::scalar(Base::Integer(8)), place);
                self.convert(whole, &CType::Int { bytes: 8, unsigned: false }, ty, place)
            }
            Meaning::Exp2 => {
                let CType::Float(bytes) = ty else { return operands[0] };
                let two = self.real("2.0", *bytes, place);
                self.operation("pow_scal_scal", &[two, operands[0]], ty.ty(), place)
            }
            Meaning::Log2 => {
                let CType::Float(bytes) = ty else { return operands[0] };
                let two = self.real("2.0", *bytes, place);
                let a = self.operation("ln_scal", operands, ty.ty(), place);
                let b = self.operation("ln_scal", &[two], ty.ty(), place);
                self.operation("div_scal_scal", &[a, b], ty.ty(), place)
            }
        }
    }

    /// An integer value for subscripts and extents.
    pub(crate) fn integer_value(&mut self, expr: &Node<Expression>) -> Lowered<ExprId> {
        let (value, ty) = self.value_of(expr)?;
        match ty {
            CType::Int { bytes: 1 | 2, .. } => {
                let place = self.place(expr.span);
                Ok(self.convert(value, &ty, &INT, place))
            }
            CType::Int { .. } => Ok(value),
            _ => self.refuse(expr.span, "an integer is needed here", "convert it by a cast"),
        }
    }
}

/// The value of a literal with a whole value, such as `2` or `3.0`.
fn whole_number(expr: &Node<Expression>) -> Option<i64> {
    use lang_c::ast::{Constant, UnaryOperator};
    match &expr.node {
        Expression::Constant(constant) => match &constant.node {
            Constant::Integer(integer) => integer.number.parse().ok(),
            Constant::Float(float) => {
                let value: f64 = float.number.parse().ok()?;
                let whole = value.fract() == 0.0 && value.abs() < 100.0;
                #[allow(clippy::cast_possible_truncation)]
                whole.then_some(value as i64)
            }
            Constant::Character(_) => None,
        },
        Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Minus => {
            whole_number(&unary.node.operand).map(|value| -value)
        }
        _ => None,
    }
}
