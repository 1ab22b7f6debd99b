//! From bytes to logical lines: reading, source form, continuation, `INCLUDE`, `cpp`.
//!
//! This half of the front-end knows lines and columns, and of statements only what is needed to
//! find their ends.

mod assemble;
mod cpp;
mod directives;
mod fixed;
mod form;
mod free;
mod include;
mod place;
mod text;
mod trivia;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Spot};

use crate::syntax::ast::{Comment, Label, Trivia};

pub use form::Form;
pub use place::{Place, PlaceMap};
pub use text::decode;

/// How source text is to be read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The source form, where the user gives it; else it is detected.
    pub form: Option<Form>,
    /// Where lines end: 72 in fixed form and nowhere in free form, unless given.
    pub line_length: Option<usize>,
    /// Whether `cpp` is run; else the file's extension decides.
    pub cpp: Option<bool>,
    /// `-D` of cpp: `NAME` or `NAME=value`.
    pub defines: Vec<String>,
    /// `-U` of cpp.
    pub undefines: Vec<String>,
    /// Where INCLUDE and `#include` look, after the folder of the including file.
    pub include_dirs: Vec<PathBuf>,
}

/// A statement with its continuation lines joined, or a line that is not a statement.
#[derive(Clone, Debug)]
pub enum Line {
    /// A statement.
    Statement(Statement),
    /// A comment, blank line or directive.
    Trivia(Trivia),
}

/// A statement as text.
#[derive(Clone, Debug, Default)]
pub struct Statement {
    /// The text; in fixed form without blanks outside character contexts.
    pub text: String,
    /// Where each of its characters stands.
    pub map: PlaceMap,
    /// The statement label.
    pub label: Option<Label>,
    /// Comments behind it and between its lines.
    pub comments: Vec<Comment>,
}

/// A file as logical lines.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// The lines in order, included ones in place.
    pub lines: Vec<Line>,
    /// The form that was found or given.
    pub form: Form,
    /// The names of the files that places point into.
    pub sources: Vec<Arc<str>>,
    /// The texts of those files, where they were read.
    pub texts: Vec<(Arc<str>, String)>,
    /// What is wrong with the text.
    pub diagnostics: Diagnostics,
}

/// Reads the file at `path`, running cpp where that is asked for.
pub fn read_file(path: &Path, options: &Options) -> Lines {
    let name = path.to_string_lossy().into_owned();
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let mut lines = Lines { sources: vec![name.as_str().into()], ..Lines::default() };
            lines.diagnostics.push(Diagnostic::error(
                Code::CANNOT_READ,
                Some(Spot::new(name, 0, 0)),
                format!("cannot read the file: {error}"),
            ));
            return lines;
        }
    };
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        let mut lines = Lines { sources: vec![name.as_str().into()], ..Lines::default() };
        lines.diagnostics.push(no_text(&name, &bytes[..at]));
        return lines;
    }
    read_text(&name, &decode(&bytes), options)
}

/// The error for a zero byte behind `before`.
fn no_text(name: &str, before: &[u8]) -> Diagnostic {
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
    let spot = Spot::new(name, line as u32, column as u32);
    Diagnostic::error(Code::NOT_TEXT, Some(spot), "this is no text: it has a zero byte")
        .with_help("give the source file; convert UTF-16 by `iconv -f utf-16 -t utf-8`")
}

/// Takes `text` as the contents of the file called `name`.
pub fn read_text(name: &str, text: &str, options: &Options) -> Lines {
    let mut reader = Reader::new(name, text, options);
    let preprocess = options.cpp.unwrap_or_else(|| form::wants_cpp(Path::new(name)));
    if !preprocess {
        reader.read(text, 0, false);
    } else if let Some(expanded) = reader.preprocess(name, text) {
        reader.read(&expanded, 0, true);
    }
    reader.lines
}

/// Collects logical lines from a file and those that it includes.
struct Reader<'o> {
    options: &'o Options,
    lines: Lines,
    /// Where fixed-form lines end.
    limit: usize,
    /// How deep in INCLUDE lines the reader is.
    depth: u32,
    /// Whether an unprocessed `#` line was reported.
    hash_reported: bool,
    preprocessed: bool,
    /// Sentinels and words of directives that were reported.
    directives: HashSet<(Box<str>, String)>,
}

/// A line of a file as it stands there.
#[derive(Clone, Copy, Debug)]
struct Physical<'t> {
    text: &'t str,
    file: u32,
    line: u32,
}

impl Physical<'_> {
    /// The place of the character with index `index`.
    fn place(&self, index: usize) -> Place {
        Place { file: self.file, line: self.line, column: index as u32 + 1 }
    }
}

impl<'o> Reader<'o> {
    fn new(name: &str, text: &str, options: &'o Options) -> Self {
        let name: Arc<str> = name.into();
        let form = options.form.unwrap_or_else(|| form::detect(Path::new(&*name), text));
        let lines = Lines {
            form,
            sources: vec![Arc::clone(&name)],
            texts: vec![(name, text.to_owned())],
            ..Lines::default()
        };
        let limit = match (options.line_length, form) {
            (Some(0), _) | (None, Form::Free) => usize::MAX,
            (Some(length), _) => length,
            (None, Form::Fixed) => 72,
        };
        Reader {
            options,
            lines,
            limit,
            depth: 0,
            hash_reported: false,
            preprocessed: false,
            directives: HashSet::new(),
        }
    }

    fn read(&mut self, text: &str, file: u32, preprocessed: bool) {
        self.preprocessed = preprocessed;
        let physical = self.physical(text, file);
        match self.lines.form {
            Form::Fixed => self.read_fixed(&physical),
            Form::Free => {
                if self.refuse_mixed_form(&physical) {
                    return;
                }
                self.read_free(&physical);
            }
        }
    }

    fn spot(&self, place: Place) -> Spot {
        let file =
            self.lines.sources.get(place.file as usize).cloned().unwrap_or_else(|| "?".into());
        Spot::new(file, place.line, place.column)
    }

    /// The index of the source called `name`.
    fn source(&mut self, name: &str) -> u32 {
        let known = self.lines.sources.iter().rposition(|source| &**source == name);
        known.unwrap_or_else(|| {
            self.lines.sources.push(name.into());
            self.lines.sources.len() - 1
        }) as u32
    }

    /// The lines of `text`, with `# line "file"` markers applied and taken out.
    fn physical<'t>(&mut self, text: &'t str, file: u32) -> Vec<Physical<'t>> {
        let (mut file, mut number) = (file, 0);
        let mut lines = Vec::new();
        let mut last = String::new();
        for line in text.lines() {
            number += 1;
            if !line.starts_with('#') {
                lines.push(Physical { text: line, file, line: number });
            } else if let Some((next, name)) = cpp::marker(line) {
                number = next.saturating_sub(1);
                if name != last {
                    file = self.marked_source(name);
                    name.clone_into(&mut last);
                }
            } else if !self.hash_reported {
                self.hash_reported = true;
                let spot = self.spot(Place { file, line: number, column: 1 });
                self.lines.diagnostics.push(
                    Diagnostic::error(
                        Code::NEEDS_CPP,
                        Some(spot),
                        "a preprocessor line in a file that is not preprocessed",
                    )
                    .with_help("run with --cpp, and with -D and -I as the compiler gets them"),
                );
            }
        }
        lines
    }

    /// The source that a line marker names.
    fn marked_source(&mut self, name: &str) -> u32 {
        if name == "<stdin>" { 0 } else { self.source(name) }
    }
}
