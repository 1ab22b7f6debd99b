//! Loops; a `for` that counts becomes a loop whose number of iterations is known as it begins.

use lang_c::ast::{
    BinaryOperator, Expression, ForInitializer, ForStatement, Initializer, Statement, UnaryOperator,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use xaif_schema::model::{
    BoolOp, ExprId, ForForm, Jump, Place, StmtKind, SymbolId, VertexId, VertexKind,
};

use super::body::{Frame, Way};
use super::effects::{is_assignment, step};
use super::pointers::name_of;
use super::{Entity, Lowered, Lowering};

/// A `for` that counts.
struct Counted<'a> {
    name: &'a str,
    start: &'a Node<Expression>,
    bound: &'a Node<Expression>,
    /// Whether the bound itself is not reached.
    strict: bool,
    step: i64,
}

impl Lowering<'_> {
    /// `while (condition) statement`
    pub(crate) fn while_loop(
        &mut self,
        condition: &Node<Expression>,
        body: &Node<Statement>,
        span: Span,
    ) -> Lowered<()> {
        let place = self.place(span);
        let head = self.loop_head(Some(condition), place)?;
        self.statement(body);
        self.loop_end(head, span, |_| Ok(()))
    }

    /// The head of a loop; a condition with effects is evaluated at the beginning of the body.
    fn loop_head(
        &mut self,
        condition: Option<&Node<Expression>>,
        place: Place,
    ) -> Lowered<VertexId> {
        let kind = VertexKind::PreLoop { condition: None, name: None, forever: true };
        let head = self.vertex(kind, place);
        self.flow.frames.push(Frame { is_loop: true, ..Frame::default() });
        let block = self.begin_arm(vec![Way::when(head, 1)], place);
        let Some(condition) =
            condition.filter(|one| self.constant(one).is_none_or(|value| value == 0))
        else {
            return Ok(head);
        };
        let truth = self.sequenced(condition)?;
        let plain =
            self.flow.block == Some(block) && self.flow.cfg.vertices[block].kind.stmts().is_empty();
        if plain {
            if let VertexKind::PreLoop { condition, forever, .. } =
                &mut self.flow.cfg.vertices[head].kind
            {
                (*condition, *forever) = (Some(truth), false);
            }
        } else {
            let not = self.boolean(BoolOp::Not, &[truth], place);
            self.break_if(not, place);
        }
        Ok(head)
    }

    /// `if (condition) break;`
    fn break_if(&mut self, condition: ExprId, place: Place) {
        let branch = self.begin_if(condition, place);
        let vertex = self.jump(Jump::Break, place);
        if let Some(frame) = self.flow.frames.last_mut() {
            frame.breaks.push(Way::on(vertex));
        }
        self.end_if(branch, place);
    }

    /// The end of a loop: `update` is executed behind the body and where `continue` leads.
    fn loop_end(
        &mut self,
        head: VertexId,
        span: Span,
        update: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let place = self.place(Span { start: span.end.saturating_sub(1), end: span.end });
        let continues =
            self.flow.frames.last_mut().map(|frame| std::mem::take(&mut frame.continues));
        let continues = continues.unwrap_or_default();
        if !continues.is_empty() {
            self.flow.open.extend(continues);
            self.flow.block = None;
        }
        update(self)?;
        let frame = self.flow.frames.pop().unwrap_or_default();
        let end = self.vertex(VertexKind::EndLoop, place);
        self.flow.cfg.connect(end, head);
        self.flow.open.clear();
        let forever =
            matches!(&self.flow.cfg.vertices[head].kind, VertexKind::PreLoop { forever: true, .. });
        if !forever {
            self.flow.open.push(Way::on(head));
        }
        self.flow.open.extend(frame.breaks);
        self.flow.block = None;
        Ok(())
    }

    /// `do statement while (condition);`
    pub(crate) fn do_while(
        &mut self,
        condition: &Node<Expression>,
        body: &Node<Statement>,
        span: Span,
    ) -> Lowered<()> {
        let place = self.place(span);
        let head = self.vertex(VertexKind::PostLoop { condition: None }, place);
        self.flow.frames.push(Frame { is_loop: true, ..Frame::default() });
        self.begin_arm(vec![Way::when(head, 1)], place);
        self.statement(body);
        self.loop_end(head, span, |low| {
            let truth = low.sequenced(condition)?;
            if let VertexKind::PostLoop { condition } = &mut low.flow.cfg.vertices[head].kind {
                *condition = Some(truth);
            }
            Ok(())
        })
    }

    /// `for (start; condition; step) statement`
    pub(crate) fn for_loop(&mut self, stmt: &ForStatement, span: Span) -> Lowered<()> {
        self.scopes.push(Default::default());
        let done = self.for_in_scope(stmt, span);
        self.scopes.pop();
        done
    }

    fn for_in_scope(&mut self, stmt: &ForStatement, span: Span) -> Lowered<()> {
        let place = self.place(span);
        let declared = match &stmt.initializer.node {
            ForInitializer::Declaration(declaration) if counted(stmt).is_some() => {
                let pointer = declaration
                    .node
                    .declarators
                    .iter()
                    .any(|one| !one.node.declarator.node.derived.is_empty());
                if !pointer {
                    self.declare_only(declaration)?;
                }
                !pointer
            }
            _ => false,
        };
        if let Some(counted) = counted(stmt)
            && let Some(variable) = self.is_private(counted.name)
            && self.is_counted(&counted, variable, stmt)
        {
            return self.counted_loop(&counted, variable, stmt, span);
        }
        if let (true, Some(counted)) = (declared, counted(stmt))
            && let Some(&Entity::Variable { symbol, .. }) = self.entity(counted.name)
        {
            let (value, _) = self.value_of(counted.start)?;
            self.assign(symbol, value, place);
            self.flush();
        } else {
            self.for_start(&stmt.initializer)?;
        }
        let head = self.loop_head(stmt.condition.as_deref(), place)?;
        self.statement(&stmt.statement);
        self.loop_end(head, span, |low| {
            if let Some(step) = &stmt.step {
                low.effect(step)?;
                low.flush();
            }
            Ok(())
        })
    }

    /// Whether the number of iterations is known as the loop begins.
    fn is_counted(
        &mut self,
        counted: &Counted<'_>,
        variable: SymbolId,
        stmt: &ForStatement,
    ) -> bool {
        let signed = matches!(
            self.doc.symbols[variable].decl.as_ref().map(|decl| decl.spec.base()),
            Some(xaif_schema::model::Base::Integer(4 | 8))
        );
        let mut changes = Changes::default();
        visit::visit_statement(&mut changes, &stmt.statement.node, &stmt.statement.span);
        for place in std::mem::take(&mut changes.places) {
            let real = matches!(
                self.type_of(place),
                Some(super::types::CType::Float(_) | super::types::CType::Complex(_))
            );
            changes.integers |= !real;
        }
        if !signed || changes.assigned(counted.name) {
            return false;
        }
        if self.needs_statements(counted.bound) || self.needs_statements(counted.start) {
            return false;
        }
        // A bound of another type than the variable is converted in each comparison.
        let ty = self.rough_type(counted.bound);
        if !matches!(ty, Some(super::types::CType::Int { unsigned: false, .. })) {
            return false;
        }
        self.is_invariant(counted.bound, counted.name, &changes)
    }

    fn is_invariant(&self, expr: &Node<Expression>, variable: &str, changes: &Changes<'_>) -> bool {
        match &expr.node {
            Expression::Constant(_) => true,
            Expression::Identifier(name) => {
                let name = &name.node.name;
                match self.entity(name) {
                    Some(Entity::Enumerator(_)) => true,
                    _ if name == variable => false,
                    _ => {
                        let quiet = !changes.assigned(name);
                        quiet
                            && (self.is_private(name).is_some()
                                || self.is_constant_global(name)
                                || !changes.calls && !changes.through_pointer)
                    }
                }
            }
            Expression::UnaryOperator(unary) => match unary.node.operator.node {
                UnaryOperator::Minus | UnaryOperator::Plus => {
                    self.is_invariant(&unary.node.operand, variable, changes)
                }
                UnaryOperator::Indirection => {
                    !changes.calls
                        && !changes.integers
                        && self.is_invariant(&unary.node.operand, variable, changes)
                }
                _ => false,
            },
            Expression::BinaryOperator(binary) => match binary.node.operator.node {
                BinaryOperator::Plus
                | BinaryOperator::Minus
                | BinaryOperator::Multiply
                | BinaryOperator::Divide
                | BinaryOperator::Modulo
                | BinaryOperator::ShiftLeft
                | BinaryOperator::ShiftRight => {
                    self.is_invariant(&binary.node.lhs, variable, changes)
                        && self.is_invariant(&binary.node.rhs, variable, changes)
                }
                BinaryOperator::Index => {
                    !changes.calls
                        && !changes.integers
                        && self.is_invariant(&binary.node.lhs, variable, changes)
                        && self.is_invariant(&binary.node.rhs, variable, changes)
                }
                _ => false,
            },
            Expression::Member(member) => {
                !changes.calls
                    && !changes.members.contains(&member.node.identifier.node.name)
                    && !changes.integers
            }
            Expression::Cast(cast) => self.is_invariant(&cast.node.expression, variable, changes),
            _ => false,
        }
    }

    fn is_constant_global(&self, name: &str) -> bool {
        match self.entity(name) {
            Some(Entity::Variable { symbol, .. }) => {
                self.doc.has(*symbol, xaif_schema::model::Attr::Const)
            }
            _ => false,
        }
    }

    fn counted_loop(
        &mut self,
        counted: &Counted<'_>,
        variable: SymbolId,
        stmt: &ForStatement,
        span: Span,
    ) -> Lowered<()> {
        let place = self.place(span);
        let (first, _) = self.value_of(counted.start)?;
        let (bound, _) = self.value_of(counted.bound)?;
        let upper = match (counted.strict, counted.step > 0) {
            (false, _) => bound,
            (true, true) => self.less_one(bound, place),
            (true, false) => match self.literal(bound) {
                Some(value) => self.integer(value + 1, 4, place),
                None => {
                    let one = self.integer(1, 4, place);
                    let ty = self.doc.exprs[bound].ty;
                    self.operation("add_scal_scal", &[bound, one], ty, place)
                }
            },
        };
        let lhs = self.whole(variable, place);
        let ty = self.doc.refs[lhs].ty;
        let init = self.loose(StmtKind::Assign { lhs, rhs: first, defined: None }, place);
        let value = self.value(variable, place);
        let op = if counted.step > 0 { BoolOp::LessOrEqual } else { BoolOp::GreaterOrEqual };
        let condition = self.boolean(op, &[value, upper], place);
        let (old, step) = (self.value(variable, place), self.integer(counted.step, 4, place));
        let rhs = self.operation("add_scal_scal", &[old, step], ty, place);
        let lhs = self.whole(variable, place);
        let update = self.loose(StmtKind::Assign { lhs, rhs, defined: None }, place);
        let kind = VertexKind::ForLoop {
            init,
            condition,
            update,
            reversal: None,
            form: ForForm::Counted,
            name: None,
        };
        let head = self.vertex(kind, place);
        self.flow.frames.push(Frame { is_loop: true, ..Frame::default() });
        self.begin_arm(vec![Way::when(head, 1)], place);
        self.statement(&stmt.statement);
        self.loop_end(head, span, |_| Ok(()))
    }
}

/// The parts of a `for` that counts.
fn counted(stmt: &ForStatement) -> Option<Counted<'_>> {
    let (name, start) = match &stmt.initializer.node {
        ForInitializer::Expression(expr) => match &expr.node {
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::Assign =>
            {
                (identifier(&binary.node.lhs)?, &*binary.node.rhs)
            }
            _ => return None,
        },
        ForInitializer::Declaration(declaration) => {
            let [one] = &declaration.node.declarators[..] else { return None };
            match &one.node.initializer.as_ref()?.node {
                Initializer::Expression(value) => (declared(&one.node.declarator)?, &**value),
                Initializer::List(_) => return None,
            }
        }
        ForInitializer::Empty | ForInitializer::StaticAssert(_) => return None,
    };
    let step = stmt.step.as_deref()?;
    let step = match &step.node {
        Expression::UnaryOperator(unary) if identifier(&unary.node.operand) == Some(name) => {
            self::step(&unary.node.operator.node)?
        }
        Expression::BinaryOperator(binary) if identifier(&binary.node.lhs) == Some(name) => {
            let distance = match &binary.node.rhs.node {
                Expression::Constant(constant) => match &constant.node {
                    lang_c::ast::Constant::Integer(integer) => {
                        integer.number.parse::<i64>().ok()?
                    }
                    _ => return None,
                },
                _ => return None,
            };
            match binary.node.operator.node {
                BinaryOperator::AssignPlus if distance > 0 => distance,
                BinaryOperator::AssignMinus if distance > 0 => -distance,
                _ => return None,
            }
        }
        _ => return None,
    };
    let Expression::BinaryOperator(condition) = &stmt.condition.as_deref()?.node else {
        return None;
    };
    let (left, right) = (&*condition.node.lhs, &*condition.node.rhs);
    let turned = identifier(right) == Some(name);
    let (bound, own) = if turned { (left, right) } else { (right, left) };
    if identifier(own) != Some(name) {
        return None;
    }
    let (up, strict) = match condition.node.operator.node {
        BinaryOperator::Less => (!turned, true),
        BinaryOperator::LessOrEqual => (!turned, false),
        BinaryOperator::Greater => (turned, true),
        BinaryOperator::GreaterOrEqual => (turned, false),
        _ => return None,
    };
    (up == (step > 0)).then_some(Counted { name, start, bound, strict, step })
}

fn identifier(expr: &Node<Expression>) -> Option<&str> {
    match &expr.node {
        Expression::Identifier(name) => Some(&name.node.name),
        _ => None,
    }
}

fn declared(declarator: &Node<lang_c::ast::Declarator>) -> Option<&str> {
    match &declarator.node.kind.node {
        lang_c::ast::DeclaratorKind::Identifier(name) => Some(&name.node.name),
        _ => None,
    }
}

/// What a statement may change.
#[derive(Debug, Default)]
struct Changes<'ast> {
    names: Vec<String>,
    members: Vec<String>,
    /// Elements and objects behind pointers that it assigns to.
    places: Vec<&'ast Node<Expression>>,
    /// It calls functions.
    calls: bool,
    /// It assigns through a pointer or to an element.
    through_pointer: bool,
    /// It may assign to integers through a pointer.
    integers: bool,
}

impl<'ast> Changes<'ast> {
    fn assigned(&self, name: &str) -> bool {
        self.names.iter().any(|one| one == name)
    }

    fn target(&mut self, target: &'ast Node<Expression>) {
        match &target.node {
            Expression::Identifier(name) => self.names.push(name.node.name.clone()),
            Expression::Member(member) => {
                self.members.push(member.node.identifier.node.name.clone())
            }
            Expression::Cast(cast) => self.target(&cast.node.expression),
            _ => {
                self.through_pointer = true;
                self.places.push(target);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Changes<'ast> {
    fn visit_init_declarator(
        &mut self,
        declarator: &'ast lang_c::ast::InitDeclarator,
        span: &'ast Span,
    ) {
        self.names.push(name_of(&declarator.declarator.node));
        visit::visit_init_declarator(self, declarator, span);
    }

    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        match expression {
            Expression::BinaryOperator(binary) if is_assignment(&binary.node.operator.node) => {
                self.target(&binary.node.lhs);
            }
            Expression::UnaryOperator(unary) => {
                let steps = step(&unary.node.operator.node).is_some();
                if steps || unary.node.operator.node == UnaryOperator::Address {
                    self.target(&unary.node.operand);
                }
            }
            Expression::Call(call) => {
                let math = match &call.node.callee.node {
                    Expression::Identifier(name) => {
                        super::math::function(&name.node.name).is_some()
                            || matches!(
                                name.node.name.as_str(),
                                "printf" | "fprintf" | "puts" | "putchar"
                            )
                    }
                    _ => false,
                };
                self.calls |= !math;
            }
            _ => {}
        }
        visit::visit_expression(self, expression, span);
    }
}
