//! Puts statements into blocks, blocks into units, units into a file.
//!
//! Blocks are read by recursive descent with one statement of look-ahead; their nesting is
//! capped. A statement that fits nowhere is reported and left out, and reading goes on.

mod exec;
mod spec;
mod unit;

use std::sync::Arc;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Spot};

use super::ast::{Head, Label, MAX_BLOCKS, Place, StmtKind, Trivia};
use super::cursor::{Cursor, Fault, Parse};
use super::stmt::{EndStmt, Flat};
use crate::source::{Form, Line, Statement};

/// Reads the logical lines of a file.
pub(super) struct Parser {
    lines: std::vec::IntoIter<Line>,
    form: Form,
    sources: Vec<Arc<str>>,
    diagnostics: Diagnostics,
    /// A statement that was read but belongs to an outer block.
    pending: Option<(Head, Flat)>,
    /// How deep in blocks the parser is.
    depth: u32,
    /// The label of the DO loops that the statement read last has ended.
    closed: Option<Label>,
    /// Whether a statement of this unit was left out: then blocks may not match through no fault.
    broken: bool,
    /// The place of the line that was read last.
    last: Place,
}

/// What comes next. It is looked at at once and never stored, so its size does not matter.
#[allow(clippy::large_enum_variant)]
enum Next {
    Trivia(Trivia),
    Stmt(Head, Flat),
    End,
}

impl Parser {
    pub(super) fn new(lines: Vec<Line>, form: Form, sources: Vec<Arc<str>>) -> Self {
        Parser {
            lines: lines.into_iter(),
            form,
            sources,
            diagnostics: Diagnostics::new(),
            pending: None,
            depth: 0,
            closed: None,
            broken: false,
            last: Place::default(),
        }
    }

    pub(super) fn into_parts(self) -> (Vec<Arc<str>>, Diagnostics) {
        (self.sources, self.diagnostics)
    }

    fn spot(&self, place: Place) -> Spot {
        let file = self.sources.get(place.file as usize).cloned().unwrap_or_else(|| "?".into());
        Spot::new(file, place.line, place.column)
    }

    /// The next statement or trivia. `header` says whether a program unit may begin here.
    fn next(&mut self, header: bool) -> Next {
        if let Some((head, flat)) = self.pending.take() {
            return Next::Stmt(head, flat);
        }
        self.next_with(|cursor| cursor.statement(header), Next::Stmt)
    }

    /// What `read` makes of the next statement that it can read.
    fn next_with<T>(
        &mut self,
        read: impl Fn(&mut Cursor<'_>) -> Parse<T>,
        found: impl Fn(Head, T) -> Next,
    ) -> Next {
        loop {
            match self.next_line() {
                None => return Next::End,
                Some(Line::Trivia(trivia)) => return Next::Trivia(trivia),
                Some(Line::Statement(statement)) => {
                    if let Some((head, value)) = self.read(statement, &read) {
                        return found(head, value);
                    }
                }
            }
        }
    }

    fn next_line(&mut self) -> Option<Line> {
        let line = self.lines.next();
        match &line {
            Some(Line::Statement(statement)) => self.last = statement.map.place(0),
            Some(Line::Trivia(trivia)) => self.last = trivia.place(),
            None => {}
        }
        line
    }

    /// What `read` makes of `statement`; a fault is reported.
    fn read<T>(
        &mut self,
        statement: Statement,
        read: impl Fn(&mut Cursor<'_>) -> Parse<T>,
    ) -> Option<(Head, T)> {
        let Statement { text, map, label, comments } = statement;
        let place = map.place(0);
        let mut cursor = Cursor::new(&text, &map, self.form == Form::Free);
        match read(&mut cursor) {
            Ok(value) => Some((Head { place, label, comments }, value)),
            Err(fault) => {
                let place = map.place(fault.at.min(text.len().saturating_sub(1)));
                self.fault(*fault, place);
                None
            }
        }
    }

    fn fault(&mut self, fault: Fault, place: Place) {
        self.broken = true;
        let spot = self.spot(place);
        let mut diagnostic = Diagnostic::error(fault.code, Some(spot), fault.message);
        if fault.code == Code::TOO_DEEP {
            diagnostic = diagnostic.with_help("split the expression");
        }
        self.diagnostics.push(diagnostic);
        if self.diagnostics.too_many() {
            let spot = self.spot(place);
            self.diagnostics.push(Diagnostic::too_many(spot));
            self.stop();
        }
    }

    /// Says that blocks do not match, unless that follows from an error before.
    fn mismatch(&mut self, place: Place, message: &str, opened: Option<Place>) {
        if self.broken {
            return;
        }
        self.broken = true;
        let spot = self.spot(place);
        let mut diagnostic = Diagnostic::error(Code::BLOCK_STRUCTURE, Some(spot), message);
        if let Some(opened) = opened {
            diagnostic = diagnostic.with_note(Some(self.spot(opened)), "the block begins here");
        }
        self.diagnostics.push(diagnostic);
    }

    fn opaque_warning(&mut self, place: Place, kind: &StmtKind) {
        if let StmtKind::LogicalIf { action, .. } = kind {
            return self.opaque_warning(action.head.place, &action.kind);
        }
        if let StmtKind::Opaque(_) = kind {
            let spot = self.spot(place);
            self.diagnostics.push(
                Diagnostic::warning(
                    Code::OPAQUE_STATEMENT,
                    Some(spot),
                    "this statement is carried as it stands",
                )
                .with_help("analyses assume that it reads and writes all it can reach"),
            );
        }
    }

    /// Goes one block deeper; whether that is allowed. If not, the rest of the file is given up.
    fn deeper(&mut self, place: Place) -> bool {
        self.depth += 1;
        if self.depth <= MAX_BLOCKS {
            return true;
        }
        self.give_up(place);
        false
    }

    fn give_up(&mut self, place: Place) {
        let spot = self.spot(place);
        let message = format!("blocks are nested more than {MAX_BLOCKS} deep");
        self.diagnostics.push(
            Diagnostic::error(Code::TOO_DEEP, Some(spot), message)
                .with_help("move inner blocks into procedures"),
        );
        self.stop();
    }

    /// Reads nothing more of the file.
    fn stop(&mut self) {
        self.broken = true;
        self.lines = Vec::new().into_iter();
        self.pending = None;
    }

    fn put_back(&mut self, head: Head, flat: Flat) {
        self.pending = Some((head, flat));
    }
}

impl EndStmt {
    /// Whether it says END and nothing else.
    fn is_bare(&self) -> bool {
        self.what.is_none()
    }
}
