//! Makes entities of modules PUBLIC in the text of a source. All else in the text stays: comments, preprocessor
//! lines, the layout.
//!
//! The parser tells which statement hides an entity; the words of that statement are changed where they stand. What
//! cannot be changed so is refused ([`CannotEdit`]): an entity that an included file or a macro declares, a statement
//! that shares its line with others.

mod edits;
mod module;
mod statement;

use std::path::Path;

use crate::source::{self, Form, Line, Options, Statement};
use crate::syntax::{self, ast};
use edits::Edits;

/// The entities of a module that become PUBLIC, by their names in any case.
#[derive(Clone, Debug, Default)]
pub struct ModuleRequest {
    /// The module.
    pub module: String,
    /// Variables, types, procedures.
    pub names: Vec<String>,
    /// Types with components or bindings.
    pub parts: Vec<(String, Vec<String>)>,
    /// Variables that are not to be PROTECTED.
    pub assigned: Vec<String>,
}

/// The renames that a USE statement gets.
#[derive(Clone, Debug)]
pub struct UseRequest {
    /// Line of the module's name in the statement.
    pub line: u32,
    /// Column of the module's name.
    pub column: u32,
    /// The module.
    pub module: String,
    /// The names in the scope of the USE and in the module.
    pub names: Vec<(String, String)>,
}

/// The text cannot be changed in this line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CannotEdit {
    /// The line; 0 where no single line is at fault.
    pub line: u32,
}

fn cannot<T>(line: u32) -> Result<T, CannotEdit> {
    Err(CannotEdit { line })
}

/// The bytes of the file at `path` with the changes.
///
/// # Errors
/// The place of a change that the text does not allow.
pub fn exposed(
    path: &Path,
    options: &Options,
    modules: &[ModuleRequest],
    uses: &[UseRequest],
) -> Result<Vec<u8>, CannotEdit> {
    let Ok(bytes) = std::fs::read(path) else { return cannot(0) };
    let lines = source::read_file(path, options);
    let form = lines.form;
    let statements = lines.lines.iter().filter_map(|line| match line {
        Line::Statement(statement) => Some((statement.map.place(0), statement.clone())),
        Line::Trivia(_) => None,
    });
    let limit = match (options.line_length, form) {
        (Some(0), _) => usize::MAX,
        (Some(length), _) => length,
        (None, Form::Free) => 132,
        (None, Form::Fixed) => 72,
    };
    let mut editor =
        Editor { statements: statements.collect(), edits: Edits::new(&bytes, limit), form };
    let parsed = syntax::parse_lines(lines);
    if parsed.diagnostics.has_errors() {
        return cannot(0);
    }
    for request in modules {
        let unit = parsed.file.units().find(|unit| match &unit.kind {
            ast::UnitKind::Module(name) => name.key().eq_ignore_ascii_case(&request.module),
            _ => false,
        });
        let Some(unit) = unit else { return cannot(0) };
        editor.module(unit, request)?;
    }
    for request in uses {
        editor.rename(request)?;
    }
    editor.edits.finish()
}

/// A source that is changed.
struct Editor {
    /// The statements, by the places where they begin.
    statements: std::collections::HashMap<ast::Place, Statement>,
    edits: Edits,
    form: Form,
}

impl Editor {
    /// Adds renames to a USE statement, behind the name of the module.
    fn rename(&mut self, request: &UseRequest) -> Result<(), CannotEdit> {
        let UseRequest { line, column, module, names } = request;
        let renamed: Vec<String> =
            names.iter().map(|(local, remote)| format!("{local} => {remote}")).collect();
        let together: usize = renamed.iter().map(|one| one.len() + 2).sum();
        let characters = self.edits.characters(*line);
        let indent: String = characters.iter().take_while(|c| c.is_whitespace()).collect();
        let separator = match self.form {
            _ if self.edits.fits(*line, together) => ", ".to_owned(),
            Form::Free => format!(", &\n{indent}  "),
            Form::Fixed => ",\n     &  ".to_owned(),
        };
        // The spelling of the module's name stays.
        let start = (*column as usize).saturating_sub(1);
        let spelling = characters.iter().skip(start).take(module.chars().count());
        let text =
            renamed.iter().fold(spelling.collect(), |text: String, one| text + &separator + one);
        self.edits.replace(*line, *column, module, &text)
    }
}
