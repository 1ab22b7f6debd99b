//! Diagnostics: what every binary says when something is wrong, and how.
//!
//! A [`Diagnostic`] has a stable [`Code`] (`OX0123`), a severity, one lower-case sentence that
//! names one problem, a [`Spot`] in a file where there is one, and a way out. Libraries collect
//! them in [`Diagnostics`]; only the binaries print them (with [`render`](fn@render)).
//!
//! The codes and their explanations are a table ([`CODES`]): `oxad explain OX0123` prints the
//! entry, and `docs/codes.md` is generated from it.

mod codes;
mod render;

pub use codes::{CODES, Code, CodeEntry, find};
pub use render::{MessageFormat, Sources, render, render_all, render_colored};

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use indexmap::IndexSet;

/// So many errors are enough.
const MOST_ERRORS: usize = 500;

/// A place in a text file that a diagnostic points to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    /// The file as the user named it (`-` for standard input).
    pub file: Arc<str>,
    /// Line, counted from 1; 0 means the file as a whole.
    pub line: u32,
    /// Column in characters, counted from 1; 0 means the line as a whole.
    pub column: u32,
    /// How many columns the caret covers; 1 where nothing better is known.
    pub width: u32,
}

impl Spot {
    /// A spot of one column.
    pub fn new(file: impl Into<Arc<str>>, line: u32, column: u32) -> Self {
        Spot { file: file.into(), line, column, width: 1 }
    }

    /// The spot of a span of bytes in the text of `file`: at least one column of its first line.
    pub fn within(file: impl Into<Arc<str>>, text: &str, span: &Range<usize>) -> Self {
        let before = text.get(..span.start).unwrap_or(text);
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let line = count(before.matches('\n').count()).saturating_add(1);
        let last = before.rsplit('\n').next().unwrap_or_default();
        let column = count(last.chars().count()).saturating_add(1);
        let covered = text.get(span.clone()).unwrap_or_default();
        let width = covered.lines().next().unwrap_or_default().chars().count();
        Spot { width: count(width.max(1)), ..Spot::new(file, line, column) }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => write!(f, "{}", self.file),
            (line, 0) => write!(f, "{}:{line}", self.file),
            (line, column) => write!(f, "{}:{line}:{column}", self.file),
        }
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The input is at fault and nothing is written; exit status 1.
    Error,
    /// The result is right, but the user should know.
    Warning,
    /// All is well; the result has a part that the user did not ask for.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

/// One problem, said once.
///
/// ```
/// use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Spot};
///
/// let spot = Spot::new("a.f90", 12, 5);
/// let problem = Diagnostic::error(Code::CANNOT_READ, Some(spot), "cannot read")
///     .with_help("give another file");
/// let found: Diagnostics = [problem].into_iter().collect();
/// assert!(found.has_errors());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// The stable code.
    pub code: Code,
    /// Error, warning or note.
    pub severity: Severity,
    /// One lower-case sentence without a full stop.
    pub message: String,
    /// Where, if there is a where.
    pub spot: Option<Spot>,
    /// Further facts, each a line of its own, with places where they have them.
    pub notes: Vec<(Option<Spot>, String)>,
    /// What the user can do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error with `code` at `spot`.
    pub fn error(code: Code, spot: Option<Spot>, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, spot, message.into())
    }

    /// A warning with `code` at `spot`.
    pub fn warning(code: Code, spot: Option<Spot>, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, spot, message.into())
    }

    /// A note with `code` at `spot`.
    pub fn note(code: Code, spot: Option<Spot>, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, spot, message.into())
    }

    /// The error that the rest of a file is not read, as it has [too many](Diagnostics::too_many) errors.
    pub fn too_many(spot: Spot) -> Self {
        let message = format!("more than {MOST_ERRORS} errors: the rest of the file is not read");
        Self::error(Code::TOO_MANY_ERRORS, Some(spot), message)
            .with_help("check that the file is Fortran, and its form (--form)")
    }

    fn new(severity: Severity, code: Code, spot: Option<Spot>, message: String) -> Self {
        Diagnostic { code, severity, message, spot, notes: Vec::new(), help: None }
    }

    /// The same diagnostic with a way out.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same diagnostic with one more fact.
    #[must_use]
    pub fn with_note(mut self, spot: Option<Spot>, note: impl Into<String>) -> Self {
        self.notes.push((spot, note.into()));
        self
    }
}

impl fmt::Display for Diagnostic {
    /// The first line of the rendered form: `file:line:col: error[OX0123]: message`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(spot) = &self.spot {
            write!(f, "{spot}: ")?;
        }
        write!(f, "{}[{}]: {}", self.severity, self.code, self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// The diagnostics of one run, in the order in which they were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    list: IndexSet<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// No diagnostics yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one, unless the same has been said.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let is_error = diagnostic.severity == Severity::Error;
        if self.list.insert(diagnostic) {
            self.errors += usize::from(is_error);
        }
    }

    /// Adds all of `other`, after those that are already here.
    pub fn extend(&mut self, other: Diagnostics) {
        other.list.into_iter().for_each(|one| self.push(one));
    }

    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether there are so many errors that more would help nobody. What reads a file of a wrong kind
    /// finds an error in each line; it stops then, and says so by [`Diagnostic::too_many`].
    pub fn too_many(&self) -> bool {
        self.errors >= MOST_ERRORS
    }

    /// Whether there are none at all.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// All of them, in order.
    pub fn iter(&self) -> indexmap::set::Iter<'_, Diagnostic> {
        self.list.iter()
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = indexmap::set::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Diagnostics::from_iter([diagnostic])
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<T: IntoIterator<Item = Diagnostic>>(iter: T) -> Self {
        let mut diagnostics = Diagnostics::new();
        iter.into_iter().for_each(|one| diagnostics.push(one));
        diagnostics
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_diagnostics_are_kept_in_order_and_once() {
        let one =
            |line: u32| Diagnostic::error(Code::SYNTAX, Some(Spot::new("a.f90", line, 1)), "wrong");
        let mut found = Diagnostics::new();
        // With a comparison of all pairs this would take minutes.
        (1..=100_000).chain(1..=100_000).for_each(|line| found.push(one(line)));
        assert_eq!(found.len(), 100_000);
        assert!(found.has_errors() && found.too_many());
        let lines = found.iter().filter_map(|one| one.spot.as_ref().map(|spot| spot.line));
        assert!(lines.eq(1..=100_000));
    }
}
