//! WHERE and FORALL: statements whose bodies are assignments under a mask or for all indices.

use xaif_schema::diag::Code;
use xaif_schema::model::{Forall, Marker, Piece, ScopeId, StmtId, StmtKind, Verb, Where, WhereArm};

use super::Builder;
use super::construct::spelt;
use crate::syntax::ast;

impl Builder<'_, '_> {
    /// A WHERE or FORALL among executable statements.
    pub(super) fn masked(&mut self, stmt: &ast::Stmt) {
        let made = self.masked_stmt(stmt);
        for made in made {
            self.put(made, stmt.head.place);
        }
    }

    /// The statements that one statement of such a body becomes: itself and its comments.
    fn masked_stmt(&mut self, stmt: &ast::Stmt) -> Vec<StmtId> {
        let place = stmt.head.place;
        let mut end_comments = Vec::new();
        let kind = match &stmt.kind {
            ast::StmtKind::Assign { target, value } => {
                self.assignment(self.scope, target, value, place)
            }
            ast::StmtKind::PointerAssign { target, value } => {
                self.pointer_assignment(target, value)
            }
            ast::StmtKind::Where(conditional) => {
                end_comments = self.comment_stmts(&conditional.end.head);
                self.where_construct(conditional)
            }
            ast::StmtKind::WhereStmt { mask, action } => {
                let mask = Some(self.low.expr(self.scope, mask));
                let body = self.masked_stmt(action);
                let arms = vec![WhereArm { mask, body }];
                StmtKind::Where(Box::new(Where { arms, name: None, inline: true }))
            }
            ast::StmtKind::Forall { name, header, body, end } => {
                end_comments = self.comment_stmts(&end.head);
                self.forall(name.as_ref(), header, Body::Block(body), place)
            }
            ast::StmtKind::ForallStmt { header, action } => {
                self.forall(None, header, Body::Action(action), place)
            }
            _ => self.not_allowed(stmt),
        };
        let mut made = vec![self.loose(kind, place)];
        made.extend(self.comment_stmts(&stmt.head));
        made.extend(end_comments);
        made
    }

    /// Comments behind a statement, as statements.
    fn comment_stmts(&mut self, head: &ast::Head) -> Vec<StmtId> {
        let mut made = Vec::new();
        for comment in &head.comments {
            let mut line = self.low.trailing(comment);
            line.trailing = head.comments.len() == 1;
            made.push(self.loose(StmtKind::Comment(line), comment.place));
        }
        made
    }

    fn masked_body(&mut self, body: &[ast::ExecItem]) -> Vec<StmtId> {
        let mut made = Vec::new();
        for item in body {
            match item {
                ast::ExecItem::Stmt(stmt) => made.extend(self.masked_stmt(stmt)),
                ast::ExecItem::Trivia(trivia) => {
                    let comment = self.low.trivia(trivia);
                    made.push(self.loose(StmtKind::Comment(comment), trivia.place()));
                }
            }
        }
        made
    }

    fn where_construct(&mut self, conditional: &ast::Conditional) -> StmtKind {
        let mut arms = Vec::new();
        for (index, arm) in conditional.arms.iter().enumerate() {
            let mask = arm.condition.as_ref().map(|mask| self.low.expr(self.scope, mask));
            let mut body = if index == 0 { Vec::new() } else { self.comment_stmts(&arm.head) };
            body.extend(self.masked_body(&arm.body));
            arms.push(WhereArm { mask, body });
        }
        let name = spelt(conditional.name.as_ref());
        StmtKind::Where(Box::new(Where { arms, name, inline: false }))
    }

    fn forall(
        &mut self,
        name: Option<&ast::Name>,
        header: &ast::Concurrent,
        body: Body<'_>,
        place: ast::Place,
    ) -> StmtKind {
        let header = self.forall_header(header, place);
        let outer: ScopeId = std::mem::replace(&mut self.scope, header.scope);
        let (body, inline) = match body {
            Body::Block(block) => (self.masked_body(block), false),
            Body::Action(action) => (self.masked_stmt(action), true),
        };
        self.scope = outer;
        StmtKind::Forall(Box::new(Forall { header, body, name: spelt(name), inline }))
    }

    fn not_allowed(&mut self, stmt: &ast::Stmt) -> StmtKind {
        self.low.error(
            Code::BAD_MASKED_STATEMENT,
            stmt.head.place,
            "this statement cannot stand in a WHERE or FORALL",
            "move it before or behind the construct",
        );
        StmtKind::Marker(Box::new(Marker {
            verb: Verb::Opaque,
            text: vec![Piece::Text("continue".into())],
            operands: Vec::new(),
            pessimistic: true,
            annotation: None,
        }))
    }
}

/// What a FORALL governs.
enum Body<'t> {
    Block(&'t [ast::ExecItem]),
    Action(&'t ast::Stmt),
}
