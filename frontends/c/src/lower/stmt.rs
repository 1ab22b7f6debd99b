//! Statements.

use lang_c::ast::{
    BlockItem, Expression, ForInitializer, IfStatement, Label, LabeledStatement, Statement,
    SwitchStatement,
};
use lang_c::span::{Node, Span};
use xaif_schema::model::{BranchForm, CaseRange, Guard, Jump, StmtKind, VertexId, VertexKind};

use super::body::{Frame, Way};
use super::effects::After;
use super::{Lowered, Lowering};

/// Arms of a switch.
#[derive(Default)]
struct Arms {
    branch: Option<VertexId>,
    count: i64,
    /// What falls through.
    has_default: bool,
}

impl Lowering<'_> {
    /// Lowers a statement; what is refused in it does not keep the others from being looked at.
    pub(crate) fn statement(&mut self, stmt: &Node<Statement>) {
        let place = self.place(stmt.span);
        if !matches!(stmt.node, Statement::Compound(_)) {
            self.comments_before(place.line, place);
        }
        let _ = self.lower_statement(stmt);
        self.flow.later.clear();
        if matches!(stmt.node, Statement::Expression(_) | Statement::Return(_)) {
            let end = Span { start: stmt.span.end.saturating_sub(1), end: stmt.span.end };
            let line = self.place(end).line;
            if self.flow.block.is_some() {
                self.comments_behind(line, place);
            }
        }
    }

    fn lower_statement(&mut self, stmt: &Node<Statement>) -> Lowered<()> {
        let place = self.place(stmt.span);
        match &stmt.node {
            Statement::Compound(items) => {
                self.compound(items);
                Ok(())
            }
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(expr)) => {
                self.effect(expr)?;
                self.flush();
                Ok(())
            }
            Statement::If(branch) => self.if_statement(&branch.node, stmt.span),
            Statement::Switch(switch) => self.switch(&switch.node, stmt.span),
            Statement::While(one) => {
                self.while_loop(&one.node.expression, &one.node.statement, stmt.span)
            }
            Statement::DoWhile(one) => {
                self.do_while(&one.node.expression, &one.node.statement, stmt.span)
            }
            Statement::For(one) => self.for_loop(&one.node, stmt.span),
            Statement::Labeled(one) => self.labelled(&one.node),
            Statement::Goto(name) => {
                let vertex = self.jump(Jump::Goto, place);
                self.flow.unstructured = true;
                self.flow.jumps.push((vertex, name.node.name.clone(), name.span));
                Ok(())
            }
            Statement::Continue => {
                let vertex = self.jump(Jump::Continue, place);
                match self.flow.frames.iter_mut().rev().find(|frame| frame.is_loop) {
                    Some(frame) => {
                        frame.continues.push(Way::on(vertex));
                        Ok(())
                    }
                    None => self.refuse(
                        stmt.span,
                        "no loop is around this continue",
                        "look at the braces",
                    ),
                }
            }
            Statement::Break => {
                let vertex = self.jump(Jump::Break, place);
                match self.flow.frames.last_mut() {
                    Some(frame) => {
                        frame.breaks.push(Way::on(vertex));
                        Ok(())
                    }
                    None => self.refuse(
                        stmt.span,
                        "no loop or switch is around this break",
                        "look at the braces",
                    ),
                }
            }
            Statement::Return(None) => {
                self.leave(Jump::Return, place);
                Ok(())
            }
            Statement::Return(Some(value)) => self.return_value(value),
            Statement::Asm(_) => {
                self.refuse(stmt.span, "assembly is not supported", "write it in C")
            }
        }
    }

    /// `{ … }`
    pub(crate) fn compound(&mut self, items: &[Node<BlockItem>]) {
        self.scopes.push(Default::default());
        self.tags.push(Default::default());
        for item in items {
            match &item.node {
                BlockItem::Declaration(declaration) => {
                    let place = self.place(item.span);
                    self.comments_before(place.line, place);
                    let _ = self.local_declaration(declaration);
                    self.flow.later.clear();
                    if self.flow.block.is_some() {
                        self.comments_behind(place.line, place);
                    }
                }
                BlockItem::StaticAssert(_) => {}
                BlockItem::Statement(stmt) => self.statement(stmt),
            }
        }
        self.scopes.pop();
        self.tags.pop();
    }

    /// `return value;`
    pub(crate) fn return_value(&mut self, value: &Node<Expression>) -> Lowered<()> {
        let place = self.place(value.span);
        if self.flow.main {
            // The status of the process is 0 unless the program says otherwise.
            if self.constant(value) == Some(0) {
                self.leave(Jump::Return, place);
                return Ok(());
            }
            use xaif_schema::model::{Access, Marker, MarkerOperand, Piece, Verb};
            let (expr, _) = self.value_of(value)?;
            let text =
                vec![Piece::Text("exit(".into()), Piece::Operand(0), Piece::Text(")".into())];
            let operands = vec![MarkerOperand { expr, access: Access::Read }];
            let marker =
                Marker { verb: Verb::Stop, text, operands, pessimistic: false, annotation: None };
            self.push(StmtKind::Marker(Box::new(marker)), place);
            self.leave(Jump::Stop, place);
            return Ok(());
        }
        let Some((result, ty)) = self.flow.result.clone() else {
            return self.refuse(
                value.span,
                "a value is returned from a function that has none",
                "remove the value",
            );
        };
        if let Expression::Conditional(conditional) = &value.node
            && !(self.is_total(&conditional.node.then_expression)
                && self.is_total(&conditional.node.else_expression))
        {
            return self.choose(&conditional.node, After::Return, value.span);
        }
        let (value, own) = self.value_of(value)?;
        let _ = (own, ty);
        self.assign(result, value, place);
        self.flush();
        self.leave(Jump::Return, place);
        Ok(())
    }

    fn if_statement(&mut self, stmt: &IfStatement, span: Span) -> Lowered<()> {
        let place = self.place(span);
        let condition = self.sequenced(&stmt.condition)?;
        let mut branch = self.begin_if(condition, place);
        self.statement(&stmt.then_statement);
        if let Some(other) = &stmt.else_statement {
            let place = self.place(other.span);
            branch = self.begin_else(branch, place);
            self.statement(other);
        }
        let end = self.place(Span { start: span.end.saturating_sub(1), end: span.end });
        self.end_if(branch, end);
        Ok(())
    }

    fn labelled(&mut self, stmt: &LabeledStatement) -> Lowered<()> {
        let place = self.place(stmt.label.span);
        match &stmt.label.node {
            Label::Identifier(name) => {
                let vertex = self.vertex(VertexKind::Label { label: None }, place);
                self.flow.labels.insert(name.node.name.clone(), vertex);
                self.statement(&stmt.statement);
                Ok(())
            }
            Label::Case(_) | Label::CaseRange(_) | Label::Default => self.refuse(
                stmt.label.span,
                "a case within another statement of a switch",
                "let each case stand directly within the switch",
            ),
        }
    }

    /// `switch (e) { case 1: … }`
    fn switch(&mut self, stmt: &SwitchStatement, span: Span) -> Lowered<()> {
        let place = self.place(span);
        let (value, ty) = self.promoted(&stmt.expression)?;
        if !ty.is_integer() {
            return self.refuse(
                stmt.expression.span,
                "a switch needs an integer",
                "convert it by a cast",
            );
        }
        let value = if self.flow.later.is_empty() {
            value
        } else {
            let temp = self.temporary("selector", &ty, place);
            self.assign(temp, value, place);
            self.flush();
            self.value(temp, place)
        };
        let Statement::Compound(items) = &stmt.statement.node else {
            return self.refuse(
                stmt.statement.span,
                "a switch without braces",
                "write braces around its cases",
            );
        };
        let kind =
            VertexKind::Branch { condition: Some(value), form: BranchForm::SelectCase, name: None };
        let branch = self.vertex(kind, place);
        self.flow.frames.push(Frame::default());
        self.flow.open.clear();
        self.scopes.push(Default::default());
        let mut arms = Arms { branch: Some(branch), ..Arms::default() };
        for item in items {
            match &item.node {
                BlockItem::Declaration(declaration) => {
                    let _ = self.local_declaration(declaration);
                }
                BlockItem::StaticAssert(_) => {}
                BlockItem::Statement(one) => {
                    let rest = self.case_labels(one, &mut arms)?;
                    self.statement(rest);
                }
            }
        }
        self.scopes.pop();
        let frame = self.flow.frames.pop().unwrap_or_default();
        self.flow.open.extend(frame.breaks);
        if !arms.has_default {
            self.flow.open.push(Way::on(branch));
        }
        let end = self.place(Span { start: span.end.saturating_sub(1), end: span.end });
        self.vertex(VertexKind::EndBranch, end);
        Ok(())
    }

    /// Begins the arm whose labels stand before `stmt`; the statement behind them.
    fn case_labels<'s>(
        &mut self,
        stmt: &'s Node<Statement>,
        arms: &mut Arms,
    ) -> Lowered<&'s Node<Statement>> {
        let Some(branch) = arms.branch else { return Ok(stmt) };
        let mut ranges = Vec::new();
        let mut default = false;
        let mut rest = stmt;
        while let Statement::Labeled(labelled) = &rest.node {
            let place = self.place(labelled.node.label.span);
            match &labelled.node.label.node {
                Label::Identifier(_) => break,
                Label::Case(value) => {
                    let Some(value) = self.constant(value) else {
                        return self.refuse(
                            value.span,
                            "the value of a case is no constant that is known here",
                            "write a literal",
                        );
                    };
                    ranges.push(CaseRange::Value(self.integer(value, 4, place)));
                }
                Label::CaseRange(range) => {
                    let (low, high) =
                        (self.constant(&range.node.low), self.constant(&range.node.high));
                    let (Some(low), Some(high)) = (low, high) else {
                        return self.refuse(
                            range.span,
                            "a value of this case is no constant",
                            "write literals",
                        );
                    };
                    let (low, high) = (self.integer(low, 4, place), self.integer(high, 4, place));
                    ranges.push(CaseRange::Range(Some(low), Some(high)));
                }
                Label::Default => default = true,
            }
            rest = &labelled.node.statement;
        }
        if ranges.is_empty() && !default {
            return Ok(rest);
        }
        let place = self.place(stmt.span);
        let falls = std::mem::take(&mut self.flow.open);
        let mut ways = Vec::new();
        if default {
            // Values beside the default lead to the same arm anyway.
            arms.has_default = true;
            ways.push(Way {
                source: branch,
                condition: None,
                guard: Some(Box::new(Guard::Default)),
            });
        } else {
            arms.count += 1;
            let guard = Some(Box::new(Guard::Case(ranges)));
            ways.push(Way { source: branch, condition: Some(arms.count), guard });
        }
        if !falls.is_empty() {
            self.flow.unstructured = true;
        }
        ways.extend(falls);
        self.begin_arm(ways, place);
        Ok(rest)
    }

    /// The initialiser of a `for`.
    pub(crate) fn for_start(&mut self, start: &Node<ForInitializer>) -> Lowered<()> {
        match &start.node {
            ForInitializer::Empty | ForInitializer::StaticAssert(_) => Ok(()),
            ForInitializer::Expression(expr) => {
                self.effect(expr)?;
                self.flush();
                Ok(())
            }
            ForInitializer::Declaration(declaration) => self.local_declaration(declaration),
        }
    }
}
