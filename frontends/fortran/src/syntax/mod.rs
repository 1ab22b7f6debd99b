//! The syntax of Fortran: the tree and the parser that builds it.
//!
//! Nothing here knows what a name means: `f(x)` stays one kind of node, whether it will turn out
//! to be an array element, a function reference, a structure constructor or, on the left of an
//! assignment, a statement function.
//!
//! Three layers: `cursor` moves over the text of a statement; `expr` and `stmt` read one
//! statement; `structure` puts statements into blocks and blocks into units; `rules` checks the order of statements. Parsing never fails:
//! it gives a tree and a list of diagnostics, and a statement with a syntax error is missing from
//! the tree.

pub mod ast;
mod cursor;
mod expr;
mod rules;
mod stmt;
mod structure;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use xaif_schema::diag::{Diagnostic, Diagnostics, Spot};

use crate::source::{self, Lines, Options};

/// What parsing a file gives.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The tree.
    pub file: ast::File,
    /// What is wrong; where there is an error, the tree is not complete.
    pub diagnostics: Diagnostics,
    /// The texts of the file and of those it includes, for messages.
    pub texts: Vec<(Arc<str>, String)>,
}

/// Parses the file at `path`.
pub fn parse_file(path: &Path, options: &Options) -> Parsed {
    parse_lines(source::read_file(path, options))
}

/// Parses `text` as the contents of the file called `name`.
pub fn parse_text(name: &str, text: &str, options: &Options) -> Parsed {
    parse_lines(source::read_text(name, text, options))
}

pub(crate) fn parse_lines(lines: Lines) -> Parsed {
    let Lines { lines, form, sources, texts, mut diagnostics } = lines;
    let mut parser = structure::Parser::new(lines, form, sources);
    let items = parser.items();
    let (sources, found) = parser.into_parts();
    diagnostics.extend(found);
    let fixed = form == source::Form::Fixed;
    Parsed { file: ast::File { sources, fixed, items }, diagnostics, texts }
}

/// The rules of the standard on order and uniqueness that a file breaks. The file was parsed without errors: a
/// statement that is left out breaks the order of the others.
pub fn broken_rules(file: &ast::File) -> Diagnostics {
    let diagnostic = |breach: rules::Breach| {
        let rules::Breach { code, place, message, help } = breach;
        let source = file.sources.get(place.file as usize).cloned();
        let spot = Spot::new(source.unwrap_or_else(|| "?".into()), place.line, place.column);
        Diagnostic::error(code, Some(spot), message).with_help(help)
    };
    rules::breaches(&file.items).into_iter().map(diagnostic).collect()
}
