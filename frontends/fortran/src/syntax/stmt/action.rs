//! CALL, GO TO, STOP, ALLOCATE and the like.

use super::super::ast::{Argument, Designator, Expr, Name, StmtKind};
use super::super::cursor::{Cursor, Parse};
use super::Flat;

/// `STAT=`, `SOURCE=` and the like.
type Options = Vec<(Name, Expr)>;

impl Cursor<'_> {
    pub(super) fn call(&mut self) -> Parse<Flat> {
        let mut procedure = self.designator()?;
        let arguments: Option<Vec<Argument>> =
            procedure.parts.last_mut().and_then(|part| part.arguments.pop());
        Ok(Flat::Exec(StmtKind::Call { procedure, arguments }))
    }

    pub(super) fn goto_stmt(&mut self) -> Parse<Flat> {
        let kind = match self.peek() {
            Some(b'(') => {
                let labels = self.parenthesised(Cursor::label)?;
                self.eat(",");
                StmtKind::ComputedGoto { labels, selector: self.expr()? }
            }
            Some(b'0'..=b'9') => StmtKind::Goto(self.label()?),
            _ => {
                let variable = self.name()?;
                let listed = self.eat(",") || self.sees("(");
                let labels = if listed { self.parenthesised(Cursor::label)? } else { Vec::new() };
                StmtKind::AssignedGoto { variable, labels }
            }
        };
        Ok(Flat::Exec(kind))
    }

    pub(super) fn assign_label(&mut self) -> Parse<Flat> {
        let label = self.label()?;
        if !self.word("to") {
            return self.expected("TO");
        }
        Ok(Flat::Exec(StmtKind::AssignLabel { label, variable: self.name()? }))
    }

    pub(super) fn stop(&mut self, error: bool) -> Parse<Flat> {
        let code = if self.at_end() || self.sees(",") { None } else { Some(self.expr()?) };
        let mut quiet = None;
        if self.eat(",") {
            match self.keyword() {
                Some(name) if name.key() == "quiet" => quiet = Some(self.expr()?),
                _ => return self.expected("QUIET="),
            }
        }
        Ok(Flat::Exec(StmtKind::Stop { error, code, quiet }))
    }

    pub(super) fn allocate(&mut self) -> Parse<Flat> {
        let start = self.at_word("allocate");
        self.expect("(")?;
        let type_spec = self.type_before_colons()?;
        let (objects, options) = self.objects_and_options()?;
        if !are_among(&options, &["stat", "errmsg", "source", "mold"]) {
            return self.carried(start);
        }
        Ok(Flat::Exec(StmtKind::Allocate { type_spec, objects, options }))
    }

    pub(super) fn deallocate(&mut self) -> Parse<Flat> {
        let start = self.at_word("deallocate");
        self.expect("(")?;
        let (objects, options) = self.objects_and_options()?;
        if !are_among(&options, &["stat", "errmsg"]) {
            return self.carried(start);
        }
        Ok(Flat::Exec(StmtKind::Deallocate { objects, options }))
    }

    fn objects_and_options(&mut self) -> Parse<(Vec<Designator>, Options)> {
        let (mut objects, mut options) = (Vec::new(), Vec::new());
        loop {
            match self.keyword() {
                Some(name) if options.iter().any(|(other, _): &(Name, Expr)| *other == name) => {
                    return self.fault(format!("`{name}=` stands twice"));
                }
                Some(name) => options.push((name, self.expr()?)),
                None => objects.push(self.designator()?),
            }
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok((objects, options))
    }

    pub(super) fn nullify(&mut self) -> Parse<Flat> {
        Ok(Flat::Exec(StmtKind::Nullify(self.parenthesised(Cursor::designator)?)))
    }
}

/// Whether the keywords of all `options` are among `known`.
fn are_among(options: &Options, known: &[&str]) -> bool {
    options.iter().all(|(name, _)| known.contains(&name.key()))
}
