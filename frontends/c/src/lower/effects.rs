//! Assignments, increments and choices within expressions: statements at sequence points.
//!
//! An assignment within an expression is executed before the statement around it, an increment behind an operand
//! after the statement, as C leaves the order between two sequence points open. `&&`, `||`, `?:` and the comma are
//! sequence points themselves.

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, ConditionalExpression, Expression, UnaryOperator,
    UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};
use xaif_schema::model::{BoolOp, ExprId, ExprKind, Place, RefId, StmtKind, SymbolId};

use super::place::Pointer;
use super::types::{CType, INT};
use super::{Entity, Lowered, Lowering, Passing, Walker};

/// What happens to a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum After {
    Assign(RefId),
    Return,
}

pub(crate) fn is_assignment(operator: &BinaryOperator) -> bool {
    match operator {
        BinaryOperator::Assign
        | BinaryOperator::AssignMultiply
        | BinaryOperator::AssignDivide
        | BinaryOperator::AssignModulo
        | BinaryOperator::AssignPlus
        | BinaryOperator::AssignMinus
        | BinaryOperator::AssignShiftLeft
        | BinaryOperator::AssignShiftRight
        | BinaryOperator::AssignBitwiseAnd
        | BinaryOperator::AssignBitwiseXor
        | BinaryOperator::AssignBitwiseOr => true,
        BinaryOperator::Index
        | BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::Modulo
        | BinaryOperator::Plus
        | BinaryOperator::Minus
        | BinaryOperator::ShiftLeft
        | BinaryOperator::ShiftRight
        | BinaryOperator::Less
        | BinaryOperator::Greater
        | BinaryOperator::LessOrEqual
        | BinaryOperator::GreaterOrEqual
        | BinaryOperator::Equals
        | BinaryOperator::NotEquals
        | BinaryOperator::BitwiseAnd
        | BinaryOperator::BitwiseXor
        | BinaryOperator::BitwiseOr
        | BinaryOperator::LogicalAnd
        | BinaryOperator::LogicalOr => false,
    }
}

impl Lowering<'_> {
    /// Executes an expression whose value is not used.
    pub(crate) fn effect(&mut self, expr: &Node<Expression>) -> Lowered<()> {
        let place = self.place(expr.span);
        match &expr.node {
            Expression::BinaryOperator(binary) if is_assignment(&binary.node.operator.node) => {
                self.assignment(&binary.node, expr.span)?;
            }
            Expression::UnaryOperator(unary) if step(&unary.node.operator.node).is_some() => {
                self.increment(&unary.node, expr.span)?;
            }
            Expression::Comma(list) => {
                for one in list.iter() {
                    let mark = self.waiting();
                    self.effect(one)?;
                    self.flush_from(mark);
                }
            }
            Expression::Call(call) => self.call_statement(call, expr.span)?,
            Expression::Conditional(conditional) => {
                let condition = self.sequenced(&conditional.node.condition)?;
                let branch = self.begin_if(condition, place);
                let mark = self.waiting();
                self.effect(&conditional.node.then_expression)?;
                self.flush_from(mark);
                let branch = self.begin_else(branch, place);
                self.effect(&conditional.node.else_expression)?;
                self.flush_from(mark);
                self.end_if(branch, place);
            }
            // `(void)x` and the like: the operands may have effects.
            Expression::Cast(cast) => self.effect(&cast.node.expression)?,
            Expression::BinaryOperator(binary)
                if matches!(
                    binary.node.operator.node,
                    BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr
                ) =>
            {
                self.truth(expr)?;
            }
            _ => {
                if self.needs_statements(expr) {
                    self.value_of(expr)?;
                }
            }
        }
        Ok(())
    }

    /// Executes the assignment or increment of a pointer; whether it was an assignment.
    pub(crate) fn effect_value(&mut self, expr: &Node<Expression>) -> Lowered<bool> {
        match &expr.node {
            Expression::BinaryOperator(binary) if is_assignment(&binary.node.operator.node) => {
                self.effect(expr)?;
                Ok(true)
            }
            Expression::UnaryOperator(unary) => {
                let post = matches!(
                    unary.node.operator.node,
                    UnaryOperator::PostIncrement | UnaryOperator::PostDecrement
                );
                if post {
                    self.increment_later(&unary.node, expr.span)?
                } else {
                    self.effect(expr)?
                }
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    /// Whether evaluating an expression executes statements.
    pub(crate) fn needs_statements(&self, expr: &Node<Expression>) -> bool {
        match &expr.node {
            Expression::BinaryOperator(binary) => {
                is_assignment(&binary.node.operator.node)
                    || self.needs_statements(&binary.node.lhs)
                    || self.needs_statements(&binary.node.rhs)
            }
            Expression::UnaryOperator(unary) => {
                step(&unary.node.operator.node).is_some()
                    || self.needs_statements(&unary.node.operand)
            }
            Expression::Comma(_) | Expression::Statement(_) => true,
            Expression::Conditional(conditional) => {
                let ConditionalExpression { condition, then_expression, else_expression } =
                    &conditional.node;
                self.needs_statements(condition)
                    || !self.is_total(then_expression)
                    || !self.is_total(else_expression)
            }
            Expression::Call(call) => {
                let user = match &call.node.callee.node {
                    Expression::Identifier(name) => {
                        !matches!(self.entity(&name.node.name), Some(Entity::System))
                    }
                    _ => true,
                };
                user || call.node.arguments.iter().any(|one| self.needs_statements(one))
            }
            Expression::Cast(cast) => self.needs_statements(&cast.node.expression),
            Expression::Member(member) => self.needs_statements(&member.node.expression),
            _ => false,
        }
    }

    /// The truth of an expression at a sequence point.
    pub(crate) fn sequenced(&mut self, expr: &Node<Expression>) -> Lowered<ExprId> {
        let mark = self.waiting();
        let truth = self.truth(expr)?;
        if self.waiting() == mark {
            return Ok(truth);
        }
        let place = self.place(expr.span);
        let temp = self.temporary("holds", &INT, place);
        let value = self.truth_as_integer(truth, place);
        self.assign(temp, value, place);
        self.flush_from(mark);
        Ok(self.is_set(temp, place))
    }

    fn is_set(&mut self, temp: SymbolId, place: Place) -> ExprId {
        let (value, zero) = (self.value(temp, place), self.integer(0, 4, place));
        self.boolean(BoolOp::NotEqual, &[value, zero], place)
    }

    /// `left && right` or `left || right` where the right operand has effects.
    pub(crate) fn lazy_by_branch(
        &mut self,
        left: ExprId,
        right: &Node<Expression>,
        and: bool,
        place: Place,
    ) -> Lowered<ExprId> {
        let temp = self.temporary("holds", &INT, place);
        let known = self.integer(i64::from(!and), 4, place);
        self.assign(temp, known, place);
        let condition = if and { left } else { self.boolean(BoolOp::Not, &[left], place) };
        let branch = self.begin_if(condition, place);
        let mark = self.waiting();
        let right = self.truth(right)?;
        let value = self.truth_as_integer(right, place);
        self.assign(temp, value, place);
        self.flush_from(mark);
        self.end_if(branch, place);
        Ok(self.is_set(temp, place))
    }

    /// A variable of the lowering.
    pub(crate) fn temporary(&mut self, name: &str, ty: &CType, place: Place) -> SymbolId {
        let scope = self.flow.scope;
        let symbol = self.local(scope, name, ty, place);
        self.doc.symbols[symbol].temp = Some(true);
        symbol
    }

    /// `symbol = value`
    pub(crate) fn assign(&mut self, symbol: SymbolId, value: ExprId, place: Place) {
        let lhs = self.whole(symbol, place);
        self.push(StmtKind::Assign { lhs, rhs: value, defined: None }, place);
    }

    /// Executes what waits for the end of a full expression.
    pub(crate) fn flush(&mut self) {
        self.flush_from(0);
    }

    /// Executes what an operand has left for the sequence point behind it, but not what waits from before.
    pub(crate) fn flush_from(&mut self, mark: usize) {
        let mark = mark.min(self.flow.later.len());
        for (kind, place) in self.flow.later.split_off(mark) {
            self.push(kind, place);
        }
    }

    /// How much waits for the end of the full expression.
    pub(crate) fn waiting(&self) -> usize {
        self.flow.later.len()
    }

    /// `lhs op= rhs` as statements; the object that was assigned to, unless it is a pointer.
    fn assignment(
        &mut self,
        binary: &BinaryOperatorExpression,
        span: Span,
    ) -> Lowered<Option<(RefId, CType)>> {
        let place = self.place(span);
        if self.is_pointer(&binary.lhs) {
            self.pointer_assignment(binary, span)?;
            return Ok(None);
        }
        let object = self.object(&binary.lhs)?;
        let ty = object.ty.clone();
        self.supported(&ty, span)?;
        let lhs = self.reference(object, span);
        if binary.operator.node == BinaryOperator::Assign {
            self.store(lhs, &binary.rhs, After::Assign(lhs), place)?;
        } else {
            let copy = self.copy_ref(lhs);
            let old = self.node(ExprKind::Ref(copy), ty.ty(), place);
            let (old, from) = match &ty {
                CType::Int { bytes: 1 | 2, .. } => (self.convert(old, &ty, &INT, place), INT),
                _ => (old, ty.clone()),
            };
            let right = self.promoted(&binary.rhs)?;
            let (rhs, _) = self.operate(&binary.operator.node, (old, from), right, span)?;
            self.push(StmtKind::Assign { lhs, rhs, defined: None }, place);
        }
        Ok(Some((lhs, ty)))
    }

    /// Assigns or returns a value; a choice becomes branches.
    pub(crate) fn store(
        &mut self,
        lhs: RefId,
        value: &Node<Expression>,
        after: After,
        place: Place,
    ) -> Lowered<()> {
        if let Expression::Conditional(conditional) = &value.node
            && !(self.is_total(&conditional.node.then_expression)
                && self.is_total(&conditional.node.else_expression))
        {
            return self.choose(&conditional.node, after, value.span);
        }
        let (rhs, _) = self.stored_value(value)?;
        self.push(StmtKind::Assign { lhs, rhs, defined: None }, place);
        Ok(())
    }

    /// A value or a whole structure.
    fn stored_value(&mut self, value: &Node<Expression>) -> Lowered<(ExprId, CType)> {
        self.value_of(value)
    }

    /// `condition ? a : b` as branches.
    pub(crate) fn choose(
        &mut self,
        conditional: &ConditionalExpression,
        after: After,
        span: Span,
    ) -> Lowered<()> {
        let place = self.place(span);
        let condition = self.sequenced(&conditional.condition)?;
        let branch = self.begin_if(condition, place);
        self.chosen(&conditional.then_expression, after)?;
        let branch = self.begin_else(branch, place);
        self.chosen(&conditional.else_expression, after)?;
        self.end_if(branch, place);
        Ok(())
    }

    fn chosen(&mut self, value: &Node<Expression>, after: After) -> Lowered<()> {
        let place = self.place(value.span);
        match after {
            After::Assign(lhs) => {
                let lhs = self.copy_ref(lhs);
                let mark = self.waiting();
                self.store(lhs, value, After::Assign(lhs), place)?;
                self.flush_from(mark);
                Ok(())
            }
            After::Return => self.return_value(value),
        }
    }

    /// The value of an assignment.
    pub(crate) fn assignment_value(
        &mut self,
        expr: &Node<Expression>,
        binary: &BinaryOperatorExpression,
    ) -> Lowered<(ExprId, CType)> {
        let place = self.place(expr.span);
        match self.assignment(binary, expr.span)? {
            Some((lhs, ty)) => {
                let copy = self.copy_ref(lhs);
                Ok((self.node(ExprKind::Ref(copy), ty.ty(), place), ty))
            }
            None => self.refuse(
                expr.span,
                "the value of a pointer is not supported here",
                "use an element of the array",
            ),
        }
    }

    /// `x++` and the like as a statement.
    fn increment(&mut self, unary: &UnaryOperatorExpression, span: Span) -> Lowered<()> {
        let place = self.place(span);
        let kind = self.incremented(unary, span)?;
        self.push(kind, place);
        Ok(())
    }

    fn increment_later(&mut self, unary: &UnaryOperatorExpression, span: Span) -> Lowered<()> {
        let place = self.place(span);
        let kind = self.incremented(unary, span)?;
        self.flow.later.push((kind, place));
        Ok(())
    }

    fn incremented(&mut self, unary: &UnaryOperatorExpression, span: Span) -> Lowered<StmtKind> {
        let place = self.place(span);
        let distance = step(&unary.operator.node).unwrap_or(1);
        let (lhs, ty) = if self.is_pointer(&unary.operand) {
            let walker = self.walker(&unary.operand)?;
            (self.whole(walker.offset, place), INT)
        } else {
            let object = self.object(&unary.operand)?;
            let ty = object.ty.clone();
            (self.reference(object, span), ty)
        };
        if !ty.is_arithmetic() {
            return self.refuse(
                span,
                "only numbers and pointers are counted up and down",
                "use an assignment",
            );
        }
        let copy = self.copy_ref(lhs);
        let old = self.node(ExprKind::Ref(copy), ty.ty(), place);
        let one = self.integer(1, 4, place);
        let name = if distance < 0 { "sub_scal_scal" } else { "add_scal_scal" };
        let rhs = self.operation(name, &[old, one], ty.ty(), place);
        Ok(StmtKind::Assign { lhs, rhs, defined: None })
    }

    /// The value of `x++` and the like.
    pub(crate) fn increment_value(
        &mut self,
        expr: &Node<Expression>,
        unary: &UnaryOperatorExpression,
    ) -> Lowered<(ExprId, CType)> {
        let place = self.place(expr.span);
        let post = matches!(
            unary.operator.node,
            UnaryOperator::PostIncrement | UnaryOperator::PostDecrement
        );
        if self.is_pointer(&unary.operand) {
            return self.refuse(
                expr.span,
                "the value of a pointer is not supported here",
                "use an element of the array",
            );
        }
        if !post {
            self.increment(unary, expr.span)?;
            return self.value_of(&unary.operand);
        }
        let local = match &unary.operand.node {
            Expression::Identifier(name) => {
                !self.flow.usage.addressed.contains(&name.node.name)
                    && match self.entity(&name.node.name) {
                        Some(Entity::Variable { symbol, .. }) => {
                            self.doc.symbols[*symbol].scope == self.flow.scope
                        }
                        _ => false,
                    }
            }
            _ => false,
        };
        let (value, ty) = self.value_of(&unary.operand)?;
        if local {
            self.increment_later(unary, expr.span)?;
            return Ok((value, ty));
        }
        // Others may look at it before the next sequence point.
        let temp = self.temporary("before", &ty, place);
        self.assign(temp, value, place);
        self.increment(unary, expr.span)?;
        Ok((self.value(temp, place), ty))
    }

    /// The pointer variable that an expression names.
    fn walker(&mut self, expr: &Node<Expression>) -> Lowered<Walker> {
        if let Expression::Identifier(name) = &expr.node
            && let Some(Entity::Walker(walker)) = self.entity(&name.node.name).cloned()
        {
            return Ok(walker);
        }
        self.refuse(
            expr.span,
            "a pointer that is no local variable or parameter gets another value",
            "use a subscript",
        )
    }

    /// `p = q`, `p += n`.
    fn pointer_assignment(&mut self, binary: &BinaryOperatorExpression, span: Span) -> Lowered<()> {
        let place = self.place(span);
        if let Expression::Identifier(name) = &binary.lhs.node
            && let Some(Entity::Allocated { symbol, target }) =
                self.entity(&name.node.name).cloned()
        {
            return self.allocated_assignment(symbol, &target, &binary.rhs, span);
        }
        let walker = self.walker(&binary.lhs)?;
        let lhs = self.whole(walker.offset, place);
        let rhs = match binary.operator.node {
            BinaryOperator::Assign => self.offset_into(&walker, &binary.rhs)?,
            BinaryOperator::AssignPlus | BinaryOperator::AssignMinus => {
                let old = self.value(walker.offset, place);
                let (distance, ty) = self.value_of(&binary.rhs)?;
                if !ty.is_integer() {
                    return self.refuse(
                        span,
                        "a pointer is moved by what is no integer",
                        "use an integer",
                    );
                }
                let add = binary.operator.node == BinaryOperator::AssignPlus;
                let name = if add { "add_scal_scal" } else { "sub_scal_scal" };
                let ty = self.wider(old, distance);
                self.operation(name, &[old, distance], ty, place)
            }
            _ => return self.refuse(span, "an operator that pointers do not have", "use = or +="),
        };
        self.push(StmtKind::Assign { lhs, rhs, defined: None }, place);
        Ok(())
    }

    /// The offset of a pointer value into the array of a pointer variable.
    pub(crate) fn offset_into(
        &mut self,
        walker: &Walker,
        value: &Node<Expression>,
    ) -> Lowered<ExprId> {
        let place = self.place(value.span);
        let pointer = self.pointer(value)?;
        let root = self.root_object(&walker.root, value.span)?;
        let Pointer::Element { array, offset } = pointer else {
            return self.refuse(
                value.span,
                "a pointer variable gets a target that is no array",
                "use the object itself",
            );
        };
        let (own, other) = (self.reference(root, value.span), self.reference(array, value.span));
        let (a, b) = (&self.doc.refs[own], &self.doc.refs[other]);
        if a.base != b.base || !b.parts.is_empty() {
            return self.refuse(
                value.span,
                "a pointer variable points into several arrays",
                "use a variable for each array, or subscripts",
            );
        }
        Ok(offset.unwrap_or_else(|| self.integer(0, 4, place)))
    }

    /// Whether a name is a variable of the procedure itself that nothing else can change.
    pub(crate) fn is_private(&self, name: &str) -> Option<SymbolId> {
        if self.flow.usage.addressed.contains(name) {
            return None;
        }
        match self.entity(name)? {
            Entity::Variable { symbol, passing: None | Some(Passing::Value), .. }
                if self.doc.symbols[*symbol].scope == self.flow.scope =>
            {
                Some(*symbol)
            }
            _ => None,
        }
    }
}

/// The distance of `++` and `--`.
pub(crate) fn step(operator: &UnaryOperator) -> Option<i64> {
    match operator {
        UnaryOperator::PreIncrement | UnaryOperator::PostIncrement => Some(1),
        UnaryOperator::PreDecrement | UnaryOperator::PostDecrement => Some(-1),
        UnaryOperator::Address
        | UnaryOperator::Indirection
        | UnaryOperator::Plus
        | UnaryOperator::Minus
        | UnaryOperator::Complement
        | UnaryOperator::Negate => None,
    }
}
