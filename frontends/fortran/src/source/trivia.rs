//! Comments, blank lines and directives.

use crate::syntax::ast::{Comment, Directive, Trivia};

use super::{Line, Physical, Reader};

/// Sentinels without a leading `$`.
const SENTINELS: &[&str] = &["dir$", "dec$", "gcc$", "pgi$", "ibm*", "adj"];

/// The comment whose comment character has index `index` in `line`.
pub(super) fn comment(line: &Physical<'_>, index: usize) -> Comment {
    let text: String = line.text.chars().skip(index + 1).collect();
    Comment { place: line.place(index), text: text.trim_end().into() }
}

/// The comment line as a directive, where it is one.
pub(super) fn directive(line: &Physical<'_>, index: usize) -> Option<Directive> {
    let whole: String = line.text.chars().skip(index).collect();
    let whole = whole.trim_end();
    let text = whole.get(1..)?;
    let length = sentinel_length(text)?;
    let (sentinel, rest) = (text.get(..length)?, text.get(length..)?);
    Some(Directive {
        place: line.place(index),
        sentinel: sentinel.to_ascii_lowercase().into(),
        text: rest.trim().into(),
        line: whole.into(),
    })
}

/// How long the sentinel is that `text` begins with.
fn sentinel_length(text: &str) -> Option<usize> {
    if let Some(rest) = text.strip_prefix('$') {
        let word = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let keyword_of_a_version_control = rest.get(word..)?.starts_with([':', '$']);
        return (!keyword_of_a_version_control).then_some(1 + word);
    }
    let known = SENTINELS.iter().find(|sentinel| {
        text.get(..sentinel.len()).is_some_and(|start| start.eq_ignore_ascii_case(sentinel))
    })?;
    let delimited = text.get(known.len()..)?.starts_with(|c: char| c.is_whitespace());
    delimited.then_some(known.len())
}

impl Reader<'_> {
    /// Adds a comment line; its comment character has index `index`.
    pub(super) fn push_comment(&mut self, line: &Physical<'_>, index: usize) {
        let trivia = match directive(line, index) {
            Some(directive) => {
                self.check_directive(&directive);
                Trivia::Directive(directive)
            }
            None => Trivia::Comment(comment(line, index)),
        };
        self.lines.lines.push(Line::Trivia(trivia));
    }

    /// Adds a blank line.
    pub(super) fn push_blank(&mut self, line: &Physical<'_>) {
        if let Some(Line::Trivia(Trivia::Blank { lines, .. })) = self.lines.lines.last_mut() {
            *lines += 1;
        } else {
            let blank = Trivia::Blank { place: line.place(0), lines: 1 };
            self.lines.lines.push(Line::Trivia(blank));
        }
    }
}
