//! Statements that stand in a basic block.
//!
//! What a statement looks like is decided here; labels come from the flow, which knows where jumps
//! lead. Genuine propagators and the templates of other tools do not reach this place: `adopt` has
//! expanded them; the operations of our own tape do.

use std::collections::HashMap;

use xaif_schema::diag::Code as DiagCode;
use xaif_schema::model::{
    Allocate, Arg, ArgValue, Comment, CommentKind, Forall, Marker, Piece, Release, Stmt, StmtId,
    StmtKind, Verb, Where,
};

use crate::code::Code;
use crate::context::Context;
use crate::expression::{Printer, Tok, comma, list, owned, text, whole};
use crate::lines::Lines;
use crate::tape::procedure_of;

/// WHERE and FORALL may be nested so deep.
const DEEPEST: u32 = 200;

/// The labels that a statement may name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    /// By the condition value of the edge that leads to the labelled place.
    pub(crate) by_edge: HashMap<i64, u32>,
    /// By the number that the statement with the label has in the source.
    pub(crate) by_number: HashMap<u32, u32>,
}

impl<'d> Printer<'_, 'd> {
    /// The statement where it is a single statement: not a construct, not a comment.
    pub(crate) fn simple(self, stmt: &'d Stmt, labels: &Labels) -> Option<Code> {
        Some(self.code(self.simple_tokens(stmt, labels)?))
    }

    fn simple_tokens(self, stmt: &'d Stmt, labels: &Labels) -> Option<Vec<Tok<'d>>> {
        let tokens = match &stmt.kind {
            StmtKind::Assign { lhs, rhs, .. } => {
                vec![Tok::Ref(*lhs), text(" ="), Tok::Break(6), text(" "), whole(*rhs)]
            }
            StmtKind::PointerAssign { lhs, rhs } => {
                vec![Tok::Ref(*lhs), text(" =>"), Tok::Break(6), text(" "), whole(*rhs)]
            }
            StmtKind::Call(call) => self.call(self.callee(&call.callee), &call.args, labels),
            StmtKind::InlinableCall(call) => {
                let procedure = procedure_of(self.cx.doc, call)?;
                let name = owned(self.cx.tape.name(procedure).to_owned());
                self.call(vec![name], &call.args, labels)
            }
            StmtKind::Where(construct) if construct.inline => {
                self.inline_where(construct, labels)?
            }
            StmtKind::Forall(construct) if construct.inline => {
                self.inline_forall(construct, labels)?
            }
            StmtKind::Allocate(allocate) => self.allocate(allocate),
            StmtKind::Release(release) => self.release(release),
            StmtKind::Marker(marker) => match marker.verb {
                Verb::Genuine => return None,
                Verb::Io
                | Verb::Format
                | Verb::Stop
                | Verb::Pause
                | Verb::Continue
                | Verb::AssignLabel
                | Verb::Return
                | Verb::Opaque => self.marker(marker, stmt, labels),
            },
            StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Comment(_) => return None,
        };
        Some(tokens)
    }

    /// Prints a statement that is not the beginning or end of a scope.
    pub(crate) fn statement(
        self,
        lines: &mut Lines,
        id: StmtId,
        label: Option<u32>,
        labels: &Labels,
        depth: u32,
    ) {
        let stmt = &self.cx.doc.stmts[id];
        if depth > DEEPEST {
            self.cx.error(
                DiagCode::NESTED_TOO_DEEP,
                stmt.place,
                "WHERE or FORALL is nested too deep",
            );
            return;
        }
        if let Some(code) = self.simple(stmt, labels) {
            lines.code(label, &code);
            return;
        }
        match &stmt.kind {
            StmtKind::Comment(text) => comment(self.cx, lines, text),
            StmtKind::Where(construct) => {
                self.where_construct(lines, construct, label, labels, depth)
            }
            StmtKind::Forall(construct) => {
                self.forall_construct(lines, construct, label, labels, depth);
            }
            StmtKind::Marker(marker) => {
                let note = marker.annotation.as_deref().unwrap_or("marker");
                lines.comment(&format!(" {note}"));
            }
            StmtKind::Propagate(_) if stmt.local_jacobian.is_some() => {
                lines.comment(" A local Jacobian: the derivatives of the assignments before it.");
            }
            StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_) => self.cx.error(
                DiagCode::NO_FORTRAN_FOR_IT,
                stmt.place,
                "this statement cannot stand where it does",
            ),
        }
    }

    fn call(self, callee: Vec<Tok<'d>>, args: &'d [Arg], labels: &Labels) -> Vec<Tok<'d>> {
        let mut tokens = vec![text("call ")];
        tokens.extend(callee);
        if args.is_empty() {
            return tokens;
        }
        tokens.extend([text("("), Tok::Down]);
        for (index, arg) in args.iter().enumerate() {
            if index > 0 {
                tokens.extend(comma());
            }
            tokens.extend(self.actual(arg, labels));
        }
        tokens.extend([Tok::Up, text(")")]);
        tokens
    }

    fn actual(self, arg: &'d Arg, labels: &Labels) -> Vec<Tok<'d>> {
        let mut tokens = Vec::new();
        if let Some(keyword) = &arg.keyword {
            tokens.extend([text(keyword), text("=")]);
        }
        tokens.push(match arg.value {
            ArgValue::Expr(expr) => whole(expr),
            ArgValue::AlternateReturn(value) => {
                owned(format!("*{}", labels.by_edge.get(&value).copied().unwrap_or(0)))
            }
        });
        tokens
    }

    fn marker(self, marker: &'d Marker, stmt: &Stmt, labels: &Labels) -> Vec<Tok<'d>> {
        let mut tokens = Vec::new();
        for piece in &marker.text {
            match piece {
                Piece::Text(words) => tokens.extend(breakable(words)),
                Piece::Operand(index) => match marker.operands.get(*index) {
                    Some(operand) => tokens.push(whole(operand.expr)),
                    None => self.cx.error(
                        DiagCode::NO_FORTRAN_FOR_IT,
                        stmt.place,
                        format!("the statement names operand {index}, which it does not have"),
                    ),
                },
                Piece::Label(value) => match labels.by_edge.get(value) {
                    Some(label) => tokens.push(owned(label.to_string())),
                    None => self.cx.error(
                        DiagCode::NO_LABEL,
                        stmt.place,
                        format!("there is no way out of this statement with the value {value}"),
                    ),
                },
                Piece::StatementLabel(number) => {
                    let label = labels.by_number.get(number).unwrap_or(number);
                    tokens.push(owned(label.to_string()));
                }
            }
        }
        tokens
    }

    fn allocate(self, allocate: &'d Allocate) -> Vec<Tok<'d>> {
        let mut tokens = vec![text("allocate("), Tok::Down];
        if let Some(spec) = &allocate.spec {
            tokens.extend(self.bare_type(spec));
            tokens.push(text(" :: "));
        }
        tokens.extend(list(allocate.objects.iter().map(|&object| Tok::Ref(object))));
        let references = [("stat=", allocate.stat), ("errmsg=", allocate.errmsg)];
        for (keyword, reference) in references {
            if let Some(reference) = reference {
                tokens.extend(comma());
                tokens.extend([text(keyword), Tok::Ref(reference)]);
            }
        }
        for (keyword, expr) in [("source=", allocate.source), ("mold=", allocate.mold)] {
            if let Some(expr) = expr {
                tokens.extend(comma());
                tokens.extend([text(keyword), whole(expr)]);
            }
        }
        tokens.extend([Tok::Up, text(")")]);
        tokens
    }

    fn release(self, release: &'d Release) -> Vec<Tok<'d>> {
        let verb = if release.nullify { "nullify(" } else { "deallocate(" };
        let mut tokens = vec![text(verb), Tok::Down];
        tokens.extend(list(release.objects.iter().map(|&object| Tok::Ref(object))));
        for (keyword, reference) in [("stat=", release.stat), ("errmsg=", release.errmsg)] {
            if let Some(reference) = reference {
                tokens.extend(comma());
                tokens.extend([text(keyword), Tok::Ref(reference)]);
            }
        }
        tokens.extend([Tok::Up, text(")")]);
        tokens
    }

    fn inline_where(self, construct: &'d Where, labels: &Labels) -> Option<Vec<Tok<'d>>> {
        let [arm] = &construct.arms[..] else { return None };
        let [stmt] = arm.body[..] else { return None };
        let body = self.innermost(stmt, labels)?;
        let mut tokens = vec![text("where ("), Tok::Down];
        tokens.extend(arm.mask.map(whole));
        tokens.extend([Tok::Up, text(")"), Tok::Break(0), text(" ")]);
        tokens.extend(body);
        Some(tokens)
    }

    fn inline_forall(self, construct: &'d Forall, labels: &Labels) -> Option<Vec<Tok<'d>>> {
        let [stmt] = construct.body[..] else { return None };
        let body = self.innermost(stmt, labels)?;
        let mut tokens = vec![text("forall ")];
        tokens.extend(self.forall_header(&construct.header));
        tokens.extend([Tok::Break(0), text(" ")]);
        tokens.extend(body);
        Some(tokens)
    }

    /// The action of a one-line WHERE or FORALL; another one-line construct in it is taken as a
    /// construct of its own, so that this does not go deep.
    fn innermost(self, stmt: StmtId, labels: &Labels) -> Option<Vec<Tok<'d>>> {
        let stmt = &self.cx.doc.stmts[stmt];
        match &stmt.kind {
            StmtKind::Where(inner) => {
                let [arm] = &inner.arms[..] else { return None };
                let [action] = arm.body[..] else { return None };
                let action = &self.cx.doc.stmts[action];
                if matches!(action.kind, StmtKind::Where(_) | StmtKind::Forall(_)) {
                    return None;
                }
                self.simple_tokens(stmt, labels)
            }
            StmtKind::Forall(_) => None,
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => self.simple_tokens(stmt, labels),
        }
    }

    fn where_construct(
        self,
        lines: &mut Lines,
        construct: &'d Where,
        mut label: Option<u32>,
        labels: &Labels,
        depth: u32,
    ) {
        let tag = construct.name.as_deref().map_or(String::new(), |name| format!(" {name}"));
        for (index, arm) in construct.arms.iter().enumerate() {
            let mut tokens = match &construct.name {
                Some(name) if index == 0 => vec![owned(format!("{name}: "))],
                _ => Vec::new(),
            };
            tokens.push(text(if index == 0 { "where" } else { "elsewhere" }));
            if let Some(mask) = arm.mask {
                tokens.extend([text(" ("), Tok::Down, whole(mask), Tok::Up, text(")")]);
            }
            if index > 0 {
                tokens.push(owned(tag.clone()));
            }
            lines.code(label.take(), &self.code(tokens));
            lines.indent();
            for &stmt in &arm.body {
                self.statement(lines, stmt, None, labels, depth + 1);
            }
            lines.dedent();
        }
        lines.plain(&format!("end where{tag}"));
    }

    fn forall_construct(
        self,
        lines: &mut Lines,
        construct: &'d Forall,
        label: Option<u32>,
        labels: &Labels,
        depth: u32,
    ) {
        let mut tokens = Vec::new();
        if let Some(name) = &construct.name {
            tokens.push(owned(format!("{name}: ")));
        }
        tokens.push(text("forall "));
        tokens.extend(self.forall_header(&construct.header));
        lines.code(label, &self.code(tokens));
        lines.indent();
        let inner = Printer { cx: self.cx, scope: construct.header.scope };
        for &stmt in &construct.body {
            inner.statement(lines, stmt, None, labels, depth + 1);
        }
        lines.dedent();
        let tag = construct.name.as_deref().map_or(String::new(), |name| format!(" {name}"));
        lines.plain(&format!("end forall{tag}"));
    }
}

/// Prints a comment, directive or blank line.
pub(crate) fn comment(cx: &Context<'_>, lines: &mut Lines, comment: &Comment) {
    match comment.kind {
        CommentKind::Blank => lines.blank(),
        CommentKind::Text if comment.trailing => lines.trailing(&comment.text),
        CommentKind::Directive => crate::directive::print(cx, lines, comment),
        CommentKind::Text => {
            for line in comment.text.split('\n') {
                lines.comment(line);
            }
        }
    }
}

/// Literal text of a statement, which may be broken behind its commas.
pub(crate) fn breakable(words: &str) -> Vec<Tok<'_>> {
    let mut tokens = Vec::new();
    let mut quote = None;
    let mut start = 0;
    for (at, c) in words.char_indices() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, ',') => {
                tokens.push(text(&words[start..=at]));
                tokens.push(Tok::Break(2));
                start = at + 1;
            }
            _ => {}
        }
    }
    tokens.push(text(&words[start..]));
    tokens
}
