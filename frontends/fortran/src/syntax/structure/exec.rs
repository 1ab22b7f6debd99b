//! Executable statements and constructs.

use super::super::ast::{
    Arm, Block, Conditional, Do, DoControl, DoEnd, End, ExecItem, Head, Label, Name, Select,
    SelectArm, SpecItem, SpecStmt, Stmt, StmtKind, Trivia,
};
use super::super::stmt::{Branch, Ends, Flat, Opener};
use super::{Next, Parser};

impl Parser {
    /// Reads statements into `block` up to one that belongs to an outer block. Where the block is
    /// the body of `DO label`, it ends with that label.
    pub(super) fn block(&mut self, block: &mut Block, label: Option<Label>) {
        self.closed = None;
        loop {
            match self.next(false) {
                Next::End => return,
                Next::Trivia(trivia) => block.push(ExecItem::Trivia(trivia)),
                Next::Stmt(head, flat) => {
                    let own = head.label;
                    let Some(stmt) = self.exec_stmt(head, flat) else { return };
                    let opens = !is_simple(&stmt.kind);
                    block.push(ExecItem::Stmt(Box::new(stmt)));
                    if !opens {
                        self.closed = own;
                    }
                    if label.is_some() && self.closed == label {
                        return;
                    }
                    self.closed = None;
                }
            }
        }
    }

    /// The whole statement or construct; one that belongs to an outer block is put back.
    fn exec_stmt(&mut self, head: Head, flat: Flat) -> Option<Stmt> {
        match flat {
            Flat::Exec(kind) => {
                self.opaque_warning(head.place, &kind);
                Some(Stmt { head, kind })
            }
            Flat::Spec(kind) => Some(Stmt { head, kind: StmtKind::Spec(Box::new(kind)) }),
            Flat::TypeDef(..) | Flat::Enum | Flat::Interface(..) => {
                let SpecStmt { head, kind } = self.spec_stmt(head, flat)?;
                Some(Stmt { head, kind: StmtKind::Spec(Box::new(kind)) })
            }
            Flat::Open(name, opener) => {
                if !self.deeper(head.place) {
                    return None;
                }
                self.closed = None;
                let kind = self.construct(&head, name, opener);
                self.depth -= 1;
                Some(Stmt { head, kind })
            }
            Flat::Branch(..) | Flat::Unit(_) | Flat::Contains | Flat::End(_) => {
                self.put_back(head, flat);
                None
            }
        }
    }

    fn construct(&mut self, head: &Head, name: Option<Name>, opener: Opener) -> StmtKind {
        let mut body = Block::new();
        match opener {
            Opener::If(condition) => {
                StmtKind::If(self.conditional(head, name, condition, Ends::If))
            }
            Opener::Where(mask) => StmtKind::Where(self.conditional(head, name, mask, Ends::Where)),
            Opener::Forall(header) => {
                self.block(&mut body, None);
                StmtKind::Forall { name, header, body, end: self.end(head, Ends::Forall) }
            }
            Opener::Do(label, control) => StmtKind::Do(self.do_loop(head, name, label, control)),
            Opener::SelectCase(subject) => {
                StmtKind::SelectCase(self.select(head, name, subject, |branch| match branch {
                    Branch::Case(selector) => Ok(selector),
                    other => Err(other),
                }))
            }
            Opener::SelectType(subject) => {
                StmtKind::SelectType(self.select(head, name, subject, |branch| match branch {
                    Branch::Type(guard) => Ok(guard),
                    other => Err(other),
                }))
            }
            Opener::SelectRank(subject) => {
                StmtKind::SelectRank(self.select(head, name, subject, |branch| match branch {
                    Branch::Rank(guard) => Ok(guard),
                    other => Err(other),
                }))
            }
            Opener::Associate(associations) => {
                self.block(&mut body, None);
                let end = self.end(head, Ends::Associate);
                StmtKind::Associate { name, associations, body, end }
            }
            Opener::Block => {
                let mut spec = Vec::new();
                self.spec_part(&mut spec, &mut body);
                self.block(&mut body, None);
                StmtKind::Block { name, spec, body, end: self.end(head, Ends::Block) }
            }
            Opener::Critical => {
                self.block(&mut body, None);
                StmtKind::Critical { name, body, end: self.end(head, Ends::Critical) }
            }
        }
    }

    /// The END statement of the construct that `opened`.
    fn end(&mut self, opened: &Head, what: Ends) -> End {
        self.closed = None;
        loop {
            match self.next(false) {
                Next::Stmt(head, Flat::End(end)) if end.what == Some(what) => {
                    self.closed = head.label;
                    return End { head, name: end.plain_name() };
                }
                Next::Stmt(head, Flat::End(end)) => {
                    let outer = end.what.is_none_or(Ends::is_unit);
                    self.mismatch(
                        head.place,
                        &format!("expected {}", spelled(what)),
                        Some(opened.place),
                    );
                    if outer {
                        self.put_back(head, Flat::End(end));
                    }
                    return End::default();
                }
                Next::Stmt(head, flat @ (Flat::Unit(_) | Flat::Contains)) => {
                    self.mismatch(
                        head.place,
                        &format!("expected {}", spelled(what)),
                        Some(opened.place),
                    );
                    self.put_back(head, flat);
                    return End::default();
                }
                Next::Stmt(head, _) => {
                    self.mismatch(
                        head.place,
                        &format!("expected {}", spelled(what)),
                        Some(opened.place),
                    );
                    let mut rest = Block::new();
                    self.block(&mut rest, None);
                }
                Next::Trivia(_) => {}
                Next::End => {
                    self.mismatch(
                        self.last,
                        &format!("the file ends where {} is expected", spelled(what)),
                        Some(opened.place),
                    );
                    return End::default();
                }
            }
        }
    }

    fn conditional(
        &mut self,
        head: &Head,
        name: Option<Name>,
        condition: super::super::ast::Expr,
        what: Ends,
    ) -> Conditional {
        let first = Head { place: head.place, ..Head::default() };
        let mut arms =
            vec![Arm { head: first, condition: Some(condition), name: None, body: Block::new() }];
        loop {
            if let Some(arm) = arms.last_mut() {
                self.block(&mut arm.body, None);
            }
            let (head, condition, name) = match self.next(false) {
                Next::Stmt(head, Flat::Branch(Branch::ElseIf(condition), name))
                    if what == Ends::If =>
                {
                    (head, Some(condition), name)
                }
                Next::Stmt(head, Flat::Branch(Branch::Else, name)) if what == Ends::If => {
                    (head, None, name)
                }
                // `ELSE where` is ELSE with a construct name to the statement parser.
                Next::Stmt(head, Flat::Branch(Branch::ElseWhere(mask), name))
                    if what == Ends::Where =>
                {
                    (head, mask, name)
                }
                Next::Stmt(head, flat) => {
                    self.put_back(head, flat);
                    break;
                }
                Next::Trivia(_) => continue,
                Next::End => break,
            };
            arms.push(Arm { head, condition, name, body: Block::new() });
        }
        Conditional { name, arms, end: self.end(head, what) }
    }

    fn do_loop(
        &mut self,
        head: &Head,
        name: Option<Name>,
        label: Option<Label>,
        control: DoControl,
    ) -> Do {
        let mut body = Block::new();
        self.block(&mut body, label);
        let ended = label.is_some() && self.closed == label;
        let end = if ended {
            let last = body.iter().rev().find_map(|item| match item {
                ExecItem::Stmt(stmt) => Some(stmt),
                ExecItem::Trivia(_) => None,
            });
            let shared = last.is_some_and(|stmt| match &stmt.kind {
                StmtKind::Do(inner) => inner.label == label,
                _ => false,
            });
            if shared { DoEnd::Shared } else { DoEnd::Terminal }
        } else {
            DoEnd::EndDo(self.end(head, Ends::Do))
        };
        // `10 END DO` ends this loop and no other.
        if matches!(end, DoEnd::EndDo(_)) {
            self.closed = None;
        }
        Do { name, label, control, body, end }
    }

    fn select<S, G>(
        &mut self,
        head: &Head,
        name: Option<Name>,
        subject: S,
        guard: impl Fn(Branch) -> Result<G, Branch>,
    ) -> Select<S, G> {
        let mut preamble = Vec::<Trivia>::new();
        let mut arms = Vec::<SelectArm<G>>::new();
        loop {
            match self.next(false) {
                Next::Stmt(head, Flat::Branch(branch, name)) => match guard(branch) {
                    Ok(guard) => {
                        let mut body = Block::new();
                        self.block(&mut body, None);
                        arms.push(SelectArm { head, guard, name, body });
                    }
                    Err(branch) => {
                        self.put_back(head, Flat::Branch(branch, name));
                        break;
                    }
                },
                Next::Stmt(head, flat) => {
                    self.put_back(head, flat);
                    break;
                }
                Next::Trivia(trivia) => preamble.push(trivia),
                Next::End => break,
            }
        }
        let end = self.end(head, Ends::Select);
        Select { name, subject, preamble, arms, end }
    }

    /// Moves `trivia` into an executable part.
    pub(super) fn into_block(trivia: Vec<Trivia>, block: &mut Block) {
        block.extend(trivia.into_iter().map(ExecItem::Trivia));
    }

    /// Moves `trivia` into a specification part.
    pub(super) fn into_spec(trivia: Vec<Trivia>, spec: &mut Vec<SpecItem>) {
        spec.extend(trivia.into_iter().map(SpecItem::Trivia));
    }
}

/// Whether the statement is one line, which may end labelled loops.
fn is_simple(kind: &StmtKind) -> bool {
    match kind {
        StmtKind::If(_)
        | StmtKind::Where(_)
        | StmtKind::Forall { .. }
        | StmtKind::Do(_)
        | StmtKind::SelectCase(_)
        | StmtKind::SelectType(_)
        | StmtKind::SelectRank(_)
        | StmtKind::Associate { .. }
        | StmtKind::Block { .. }
        | StmtKind::Critical { .. } => false,
        StmtKind::Assign { .. }
        | StmtKind::PointerAssign { .. }
        | StmtKind::AssignLabel { .. }
        | StmtKind::Call { .. }
        | StmtKind::Goto(_)
        | StmtKind::ComputedGoto { .. }
        | StmtKind::AssignedGoto { .. }
        | StmtKind::ArithmeticIf { .. }
        | StmtKind::LogicalIf { .. }
        | StmtKind::Return(_)
        | StmtKind::Stop { .. }
        | StmtKind::Pause(_)
        | StmtKind::Cycle(_)
        | StmtKind::Exit(_)
        | StmtKind::Continue
        | StmtKind::Io(_)
        | StmtKind::Allocate { .. }
        | StmtKind::Deallocate { .. }
        | StmtKind::Nullify(_)
        | StmtKind::WhereStmt { .. }
        | StmtKind::ForallStmt { .. }
        | StmtKind::Spec(_)
        | StmtKind::Opaque(_) => true,
    }
}

/// The END statement that ends `what`.
pub(super) fn spelled(what: Ends) -> &'static str {
    match what {
        Ends::Program => "END PROGRAM",
        Ends::Module => "END MODULE",
        Ends::Submodule => "END SUBMODULE",
        Ends::Subroutine => "END SUBROUTINE",
        Ends::Function => "END FUNCTION",
        Ends::Procedure => "END PROCEDURE",
        Ends::BlockData => "END BLOCK DATA",
        Ends::Interface => "END INTERFACE",
        Ends::Type => "END TYPE",
        Ends::Enum => "END ENUM",
        Ends::If => "END IF",
        Ends::Do => "END DO",
        Ends::Select => "END SELECT",
        Ends::Where => "END WHERE",
        Ends::Forall => "END FORALL",
        Ends::Associate => "END ASSOCIATE",
        Ends::Block => "END BLOCK",
        Ends::Critical => "END CRITICAL",
    }
}
