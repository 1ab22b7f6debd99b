//! Fixed form: columns, labels, continuation, tabs; blanks are dropped outside character contexts.

use xaif_schema::diag::{Code, Diagnostic};

use crate::syntax::ast::Label;

use super::assemble::Assembler;
use super::{Physical, Place, Reader, trivia};

/// What a line is, before its statement field is looked at.
enum Kind {
    Blank,
    /// A comment whose comment character has this index.
    Comment(usize),
    /// The first line of a statement: its label field ends and its statement field begins here.
    Initial(usize),
    /// A continuation line, whose statement field begins with this character index.
    Continuation(usize),
}

fn classify(line: &Physical<'_>) -> Kind {
    let mut characters = line.text.chars();
    match characters.next() {
        None => return Kind::Blank,
        Some('c' | 'C' | '*' | '!' | 'd' | 'D') => return Kind::Comment(0),
        Some(_) => {}
    }
    let found = line.text.chars().enumerate().find(|(_, c)| !is_blank(*c));
    let Some((first, character)) = found else { return Kind::Blank };
    if character == '!' && first != 5 {
        return Kind::Comment(first);
    }
    let (body, continued) = statement_field(line.text);
    match continued {
        true if first + 1 >= body => Kind::Continuation(body),
        true | false => Kind::Initial(body),
    }
}

fn is_blank(character: char) -> bool {
    character.is_whitespace() || character.is_control()
}

/// The character index of the statement field, and whether column 6 asks for continuation. A tab
/// in columns 1 to 6 ends the label field; a digit other than 0 behind it continues a statement.
fn statement_field(text: &str) -> (usize, bool) {
    let mut characters = text.chars().enumerate().peekable();
    while let Some((index, character)) = characters.next() {
        if character == '\t' {
            let next = characters.peek().map_or(' ', |(_, next)| *next);
            let continued = matches!(next, '1'..='9');
            return (index + 1 + usize::from(continued), continued);
        }
        if index == 5 {
            return (6, !is_blank(character) && character != '0');
        }
    }
    (text.chars().count(), false)
}

impl Reader<'_> {
    pub(super) fn read_fixed(&mut self, physical: &[Physical<'_>]) {
        let mut next = 0;
        for (index, line) in physical.iter().enumerate() {
            if index < next {
                continue;
            }
            match classify(line) {
                Kind::Blank => self.push_blank(line),
                Kind::Comment(at) => self.push_comment(line, at),
                Kind::Continuation(_) => self.orphan(line),
                Kind::Initial(body) => next = index + self.fixed_statement(physical, index, body),
            }
        }
    }

    fn orphan(&mut self, line: &Physical<'_>) {
        let spot = self.spot(line.place(5));
        self.lines.diagnostics.push(
            Diagnostic::error(
                Code::BAD_CONTINUATION,
                Some(spot),
                "a continuation line continues nothing",
            )
            .with_help("column 6 must be blank in the first line of a statement"),
        );
    }

    /// Reads the statement that begins with line `index`; how many lines it has.
    fn fixed_statement(&mut self, physical: &[Physical<'_>], index: usize, body: usize) -> usize {
        let mut assembler = Assembler::default();
        let rest = physical.get(index..).unwrap_or(&[]);
        let Some(first) = rest.first() else { return 1 };
        assembler.statement.label = self.label_field(first, body);
        let mut end = self.fixed_line(&mut assembler, first, body);
        let mut used = 1;
        let mut skipped = Vec::new();
        for (offset, line) in rest.iter().enumerate().skip(1) {
            match classify(line) {
                Kind::Blank => {}
                Kind::Comment(at) => skipped.push(trivia::comment(line, at)),
                Kind::Initial(_) => break,
                Kind::Continuation(body) => {
                    skipped.drain(..).for_each(|comment| assembler.comment(comment));
                    self.pad(&mut assembler, end);
                    end = self.fixed_line(&mut assembler, line, body);
                    used = offset + 1;
                }
            }
        }
        self.finish(assembler);
        used
    }

    fn label_field(&mut self, line: &Physical<'_>, body: usize) -> Option<Label> {
        let field: String = line.text.chars().take(body.min(5)).filter(|c| !is_blank(*c)).collect();
        if field.is_empty() {
            return None;
        }
        if let Ok(label) = field.parse() {
            return Some(Label(label));
        }
        let spot = self.spot(line.place(0));
        self.lines.diagnostics.push(
            Diagnostic::error(
                Code::BAD_LABEL,
                Some(spot),
                format!("`{field}` in columns 1 to 5 is not a label"),
            )
            .with_help("is the file in free form? then say --form free"),
        );
        None
    }

    /// Reads the statement field of a line; the column and place behind its last character.
    fn fixed_line(
        &mut self,
        assembler: &mut Assembler,
        line: &Physical<'_>,
        body: usize,
    ) -> (usize, Place) {
        let mut column = 6;
        let mut place = line.place(body);
        for (index, character) in line.text.chars().enumerate().skip(body) {
            place = line.place(index);
            column += 1;
            if column > self.limit {
                self.warn_cut(line, index);
                break;
            }
            if assembler.in_characters() {
                assembler.push(character, place);
            } else if character == '!' {
                assembler.comment(trivia::comment(line, index));
                column = self.limit;
                break;
            } else if character == ';' {
                assembler.semicolon();
            } else if !is_blank(character) {
                assembler.push(character, place);
            }
        }
        (column, place)
    }

    /// Fills a line that ended at column `end` up, where its blanks count.
    fn pad(&self, assembler: &mut Assembler, (end, place): (usize, Place)) {
        let mut column = end;
        while assembler.in_characters() && column < self.limit.min(72) {
            assembler.push(' ', place);
            column += 1;
        }
    }

    /// In a file that went through cpp, text behind the last column was perhaps pushed there.
    fn warn_cut(&mut self, line: &Physical<'_>, index: usize) {
        let rest: String = line.text.chars().skip(index).collect();
        if !self.preprocessed || rest.trim().is_empty() || rest.trim_start().starts_with('!') {
            return;
        }
        let spot = self.spot(line.place(index));
        self.lines.diagnostics.push(
            Diagnostic::warning(
                Code::LINE_CUT,
                Some(spot),
                format!(
                    "after preprocessing, the line is longer than {} columns and is cut",
                    self.limit
                ),
            )
            .with_help("give the line length that the compiler gets, as in --line-length 132"),
        );
    }
}
