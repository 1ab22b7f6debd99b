//! Builds the text of a statement from the characters of its lines: tells character contexts from
//! others, finds comments and `;`, keeps the place of each character.

use xaif_schema::diag::{Code, Diagnostic};

use crate::syntax::ast::{Comment, Label};

use super::{Form, Line, Place, Reader, Statement};

/// A statement in the making.
#[derive(Debug, Default)]
pub(super) struct Assembler {
    pub(super) statement: Statement,
    /// The quote of the character literal that is open.
    quote: Option<char>,
    /// How many characters of a Hollerith constant are to come.
    hollerith: usize,
    /// Statements that `;` ended.
    done: Vec<Statement>,
}

impl Assembler {
    /// Whether blanks count here.
    pub(super) fn in_characters(&self) -> bool {
        self.quote.is_some() || self.hollerith > 0
    }

    /// Whether a character literal is open.
    pub(super) fn in_quotes(&self) -> bool {
        self.quote.is_some()
    }

    /// Adds a character that is part of the statement.
    pub(super) fn push(&mut self, character: char, place: Place) {
        self.statement.map.push(self.statement.text.len(), place);
        self.statement.text.push(character);
        if self.hollerith > 0 {
            self.hollerith -= 1;
        } else if let Some(quote) = self.quote {
            if character == quote {
                self.quote = None;
            }
        } else if matches!(character, '\'' | '"') {
            self.quote = Some(character);
        } else if matches!(character, 'h' | 'H') {
            self.hollerith = hollerith_length(&self.statement.text);
        }
    }

    /// Adds a comment that stands behind the statement or between its lines.
    pub(super) fn comment(&mut self, comment: Comment) {
        self.statement.comments.push(comment);
    }

    /// Ends the statement at a `;`.
    pub(super) fn semicolon(&mut self) {
        self.done.push(std::mem::take(&mut self.statement));
    }
}

/// How many characters follow the `H` that `text` ends in; 0 where it begins no Hollerith
/// constant. `REAL*8 H` must not be taken for one, `DATA X/2*4HABCD/` must.
fn hollerith_length(text: &str) -> usize {
    let before = text.get(..text.len() - 1).unwrap_or("");
    let head = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let Some(digits) = before.get(head.len()..).filter(|digits| !digits.is_empty()) else {
        return 0;
    };
    let head = head.trim_end();
    let in_format = text.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("format"));
    let mut last = head.chars().rev().filter(|c| !c.is_whitespace());
    let begins = match (last.next(), last.next()) {
        (Some('*'), Some(c)) => c.is_ascii_digit(),
        (Some('.'), Some(c)) => c.is_ascii_alphabetic(),
        (Some(c), _) if in_format => c != '.',
        (Some(c), _) => matches!(c, '(' | ',' | '/' | '=' | '+' | '-' | '<' | '>'),
        (None, _) => false,
    };
    if begins { digits.parse().unwrap_or(0) } else { 0 }
}

impl Reader<'_> {
    /// Takes the finished statements over.
    pub(super) fn finish(&mut self, assembler: Assembler) {
        let Assembler { statement, quote, done, .. } = assembler;
        if quote.is_some() {
            let start = statement.text.rfind(quote.unwrap_or('\'')).unwrap_or(0);
            let spot = self.spot(statement.map.place(start));
            self.lines.diagnostics.push(
                Diagnostic::error(
                    Code::UNTERMINATED_STRING,
                    Some(spot),
                    "a character literal is not closed",
                )
                .with_help("close it on this line, or continue the line"),
            );
            return;
        }
        for statement in done.into_iter().chain(std::iter::once(statement)) {
            self.finish_statement(statement);
        }
    }

    fn finish_statement(&mut self, mut statement: Statement) {
        statement.text.truncate(statement.text.trim_end().len());
        if self.lines.form == Form::Free || statement.label.is_none() {
            take_label(&mut statement);
        }
        if statement.text.is_empty() {
            if statement.label.is_some() {
                statement.text.push_str("continue");
                let spot = self.spot(statement.map.place(0));
                self.lines.diagnostics.push(
                    Diagnostic::error(Code::BAD_LABEL, Some(spot), "a label without a statement")
                        .with_help("write CONTINUE behind it"),
                );
            }
            let comments = std::mem::take(&mut statement.comments);
            let trivia = comments.into_iter().map(crate::syntax::ast::Trivia::Comment);
            self.lines.lines.extend(trivia.map(Line::Trivia));
        } else if !self.include(&statement) {
            self.lines.lines.push(Line::Statement(statement));
        }
    }
}

/// Moves leading digits of the text, with blanks before and behind, into the label.
fn take_label(statement: &mut Statement) {
    let text = &statement.text;
    let start = text.len() - text.trim_start().len();
    let rest = text.trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let label = rest.get(..digits).and_then(|digits| digits.parse::<u32>().ok());
    let label = label.filter(|_| digits <= 5);
    let body = if label.is_some() { rest.get(digits..).unwrap_or("").trim_start() } else { rest };
    let taken = start + (rest.len() - body.len());
    if taken > 0 {
        statement.map = statement.map.without_first(taken);
        statement.text = body.to_owned();
        statement.label = label.map(Label).or(statement.label);
    }
}

#[cfg(test)]
mod tests {
    use super::hollerith_length;

    #[test]
    fn hollerith_is_told_from_names_that_begin_with_h() {
        assert_eq!(hollerith_length("X=4H"), 4);
        assert_eq!(hollerith_length("DATAX/2*4H"), 4);
        assert_eq!(hollerith_length("IF(X.EQ.3H"), 3);
        assert_eq!(hollerith_length("FORMAT(1X5H"), 5);
        assert_eq!(hollerith_length("REAL*8H"), 0);
        assert_eq!(hollerith_length("DO10H"), 0);
        assert_eq!(hollerith_length("H"), 0);
    }
}
