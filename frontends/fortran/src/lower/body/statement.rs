//! Which statement is lowered where; assignments; comments; small nodes that several files need.

use xaif_schema::diag::Code;
use xaif_schema::model::{
    Base, BoolOp, CommentKind, Constant, ConstantClass, ConstantKind, ExprId, ExprKind, Role,
    ScopeId, StmtKind, SymbolId, Ty,
};

use super::Builder;
use crate::lower::expr::{Actual, is_unknown, text_of_designator};
use crate::syntax::ast;

impl Builder<'_, '_> {
    /// Lowers a list of statements.
    pub(super) fn items(&mut self, items: &[ast::ExecItem]) {
        for item in items {
            match item {
                ast::ExecItem::Stmt(stmt) => self.statement(stmt),
                ast::ExecItem::Trivia(trivia) => self.trivia(trivia),
            }
        }
    }

    /// A comment line, directive or blank line.
    pub(super) fn trivia(&mut self, trivia: &ast::Trivia) {
        let comment = self.low.trivia(trivia);
        self.comment(comment, trivia.place());
    }

    /// Lowers one statement or construct.
    pub(super) fn statement(&mut self, stmt: &ast::Stmt) {
        let head = &stmt.head;
        let before = self.low.doc.stmts.len();
        let jumped_to = head.label.is_some();
        let label = self.define_label(head);
        match &stmt.kind {
            ast::StmtKind::Assign { target, value } => self.assign(target, value, head),
            ast::StmtKind::PointerAssign { target, value } => {
                self.pointer_assign(target, value, head);
            }
            ast::StmtKind::AssignLabel { label, variable } => {
                self.assign_label(*label, variable, head);
            }
            ast::StmtKind::Call { procedure, arguments } => {
                self.call(procedure, arguments.as_deref(), head);
            }
            ast::StmtKind::Goto(label) => self.goto(*label, head),
            ast::StmtKind::ComputedGoto { labels, selector } => {
                self.computed_goto(labels, selector, head);
            }
            ast::StmtKind::AssignedGoto { variable, labels } => {
                self.assigned_goto(variable, labels, head);
            }
            ast::StmtKind::ArithmeticIf { value, labels } => {
                self.arithmetic_if(value, labels, head);
            }
            ast::StmtKind::LogicalIf { condition, action } => {
                self.logical_if(condition, action, head);
            }
            ast::StmtKind::Return(value) => self.return_(value.as_ref(), head),
            ast::StmtKind::Stop { error, code, quiet } => {
                self.stop(*error, code.as_ref(), quiet.as_ref(), head);
            }
            ast::StmtKind::Pause(code) => self.pause(code.as_ref(), head),
            ast::StmtKind::Cycle(name) => self.cycle(name.as_ref(), head),
            ast::StmtKind::Exit(name) => self.exit(name.as_ref(), head),
            ast::StmtKind::Continue => self.continue_(jumped_to && label.is_none(), head),
            ast::StmtKind::Io(io) => self.io(io, head),
            ast::StmtKind::Allocate { type_spec, objects, options } => {
                self.allocate(type_spec.as_deref(), objects, options, head);
            }
            ast::StmtKind::Deallocate { objects, options } => {
                self.release(false, objects, options, head);
            }
            ast::StmtKind::Nullify(objects) => self.release(true, objects, &[], head),
            ast::StmtKind::If(conditional) => self.if_construct(conditional, head),
            ast::StmtKind::Where(_)
            | ast::StmtKind::WhereStmt { .. }
            | ast::StmtKind::Forall { .. }
            | ast::StmtKind::ForallStmt { .. } => self.masked(stmt),
            ast::StmtKind::Do(construct) => self.do_construct(construct, head),
            ast::StmtKind::SelectCase(select) => self.select_case(select, head),
            ast::StmtKind::SelectType(select) => self.select_type(select, head),
            ast::StmtKind::SelectRank(select) => self.select_rank(select, head),
            ast::StmtKind::Associate { name, associations, body, end } => {
                self.associate(name.as_ref(), associations, body, end, head);
            }
            ast::StmtKind::Block { name, spec: _, body, end } => {
                self.block_construct(name.as_ref(), body, end, head);
            }
            ast::StmtKind::Critical { name, body, end } => {
                self.critical(name.as_ref(), body, end, head);
            }
            ast::StmtKind::Spec(kind) => self.specification(kind, head),
            ast::StmtKind::Opaque(text) => self.opaque(text, head),
        }
        if is_simple(&stmt.kind) {
            self.keep_label(label, before);
        }
    }

    /// Gives a label that nobody jumps to to the first statement that was made since.
    fn keep_label(&mut self, label: Option<u32>, before: usize) {
        let Some(label) = label.filter(|label| !self.labels.terminals.contains(label)) else {
            return;
        };
        let made = self
            .low
            .doc
            .stmts
            .keys()
            .skip(before)
            .find(|&stmt| !matches!(self.low.doc.stmts[stmt].kind, StmtKind::Comment(_)));
        if let Some(stmt) = made {
            self.low.doc.stmts[stmt].label = Some(label);
        }
    }

    /// Comments behind a statement: one stands at its right, more stand below it.
    pub(super) fn trailing_comments(&mut self, head: &ast::Head) {
        for comment in &head.comments {
            let mut line = self.low.trailing(comment);
            line.trailing = head.comments.len() == 1;
            line.kind = CommentKind::Text;
            self.comment(line, comment.place);
        }
    }

    /// `v = e`, also where an interface for assignment says what that means.
    fn assign(&mut self, target: &ast::Designator, value: &ast::Expr, head: &ast::Head) {
        if self.is_statement_function(target) {
            return;
        }
        let kind = self.assignment(self.scope, target, value, head.place);
        self.push(kind, head.place);
        self.trailing_comments(head);
    }

    /// Whether the assignment was a statement function, which the declarations have.
    fn is_statement_function(&mut self, target: &ast::Designator) -> bool {
        let [part] = target.parts.as_slice() else { return false };
        let symbol = self.low.lookup(self.scope, part.name.key());
        let role = symbol.and_then(|symbol| self.low.doc.role(symbol));
        part.arguments.len() == 1 && matches!(role, Some(Role::StatementFunction))
    }

    /// The statement `target = value`.
    pub(super) fn assignment(
        &mut self,
        scope: ScopeId,
        target: &ast::Designator,
        value: &ast::Expr,
        place: ast::Place,
    ) -> StmtKind {
        let lhs = self.low.reference(scope, target);
        self.check_target(self.low.doc.refs[lhs].base, target, place);
        let rhs = self.low.expr(scope, value);
        let (to, from) = (self.low.doc.refs[lhs].ty, self.low.ty(rhs));
        let derived = |ty: Ty| matches!(ty.base, Base::Derived(_) | Base::Class(_));
        let intrinsic = self.is_intrinsic_assignment(to, from);
        let defined = if intrinsic && !derived(to) {
            None
        } else {
            let node = self.low.node(ExprKind::Ref(lhs), to, place);
            let actuals = [Actual::positional(node, place), Actual::positional(rhs, place)];
            self.low.defined_procedure(scope, "assignment(=)", &actuals).map(Box::new)
        };
        StmtKind::Assign { lhs, rhs, defined }
    }

    /// Whether the language itself converts between the types.
    fn is_intrinsic_assignment(&self, to: Ty, from: Ty) -> bool {
        let numeric =
            |ty: Ty| matches!(ty.base, Base::Integer(_) | Base::Real(_) | Base::Complex(_));
        match (to.base, from.base) {
            (to, from) if is_unknown(to) || is_unknown(from) => true,
            (Base::Logical(_), Base::Logical(_)) | (Base::Character(_), Base::Character(_)) => true,
            _ => numeric(to) && numeric(from),
        }
    }

    /// Reports an assignment to what cannot be assigned to.
    fn check_target(&mut self, base: SymbolId, target: &ast::Designator, place: ast::Place) {
        let is_constant = match self.low.doc.role(base) {
            Some(Role::Constant | Role::Module { .. } | Role::Namelist) => true,
            Some(_) | None => false,
        };
        if is_constant {
            let name = text_of_designator(target);
            self.low.error(
                Code::NOT_A_VARIABLE,
                place,
                format!("`{name}` cannot be assigned to"),
                "assign to a variable",
            );
        }
    }

    /// A node for the variable that `name` means.
    pub(super) fn variable_node(&mut self, name: &ast::Name) -> ExprId {
        let symbol = self.low.variable_named(self.scope, name);
        let reference = self.low.whole(symbol, name.place);
        let ty = self.low.doc.refs[reference].ty;
        self.low.node(ExprKind::Ref(reference), ty, name.place)
    }

    /// A node for the variable that `designator` means.
    pub(super) fn variable_value(
        &mut self,
        designator: &ast::Designator,
        place: ast::Place,
    ) -> ExprId {
        let reference = self.low.reference(self.scope, designator);
        let ty = self.low.doc.refs[reference].ty;
        self.low.node(ExprKind::Ref(reference), ty, place)
    }

    /// An integer literal.
    pub(super) fn integer(&mut self, value: i64, place: ast::Place) -> ExprId {
        let constant = Constant {
            class: ConstantClass::Integer,
            fe_type: None,
            text: value.to_string().into(),
            kind: ConstantKind::None,
        };
        self.low.node(ExprKind::Constant(constant), Ty::scalar(Base::Integer(4)), place)
    }

    /// A comparison of scalars.
    pub(super) fn compare(
        &mut self,
        op: BoolOp,
        left: ExprId,
        right: ExprId,
        place: ast::Place,
    ) -> ExprId {
        let operands = crate::lower::expr::positional(&[left, right]);
        let ty = Ty::scalar(Base::Logical(4));
        self.low.node(ExprKind::Boolean { op, operands }, ty, place)
    }
}

/// Whether the statement becomes one statement of a block, which can carry its label. The label of
/// a construct or jump that nobody jumps to is not kept.
fn is_simple(kind: &ast::StmtKind) -> bool {
    match kind {
        ast::StmtKind::Assign { .. }
        | ast::StmtKind::PointerAssign { .. }
        | ast::StmtKind::AssignLabel { .. }
        | ast::StmtKind::Call { .. }
        | ast::StmtKind::Stop { .. }
        | ast::StmtKind::Pause(_)
        | ast::StmtKind::Continue
        | ast::StmtKind::Io(_)
        | ast::StmtKind::Allocate { .. }
        | ast::StmtKind::Deallocate { .. }
        | ast::StmtKind::Nullify(_)
        | ast::StmtKind::Spec(_)
        | ast::StmtKind::Opaque(_) => true,
        ast::StmtKind::Goto(_)
        | ast::StmtKind::ComputedGoto { .. }
        | ast::StmtKind::AssignedGoto { .. }
        | ast::StmtKind::ArithmeticIf { .. }
        | ast::StmtKind::LogicalIf { .. }
        | ast::StmtKind::Return(_)
        | ast::StmtKind::Cycle(_)
        | ast::StmtKind::Exit(_)
        | ast::StmtKind::If(_)
        | ast::StmtKind::Where(_)
        | ast::StmtKind::WhereStmt { .. }
        | ast::StmtKind::Forall { .. }
        | ast::StmtKind::ForallStmt { .. }
        | ast::StmtKind::Do(_)
        | ast::StmtKind::SelectCase(_)
        | ast::StmtKind::SelectType(_)
        | ast::StmtKind::SelectRank(_)
        | ast::StmtKind::Associate { .. }
        | ast::StmtKind::Block { .. }
        | ast::StmtKind::Critical { .. } => false,
    }
}
