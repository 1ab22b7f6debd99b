//! Which source form a file has, and whether it wants cpp.

use std::path::Path;

use xaif_schema::diag::{Code, Diagnostic};

use super::{Physical, Reader};

/// The two source forms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// Columns 1 to 5 for labels, 6 for continuation, blanks without meaning.
    Fixed,
    /// Fortran 90's.
    #[default]
    Free,
}

/// Extensions of fixed-form files, in lower case.
const FIXED_EXTENSIONS: &[&str] = &["f", "for", "ftn", "f77", "fpp", "fixed"];

/// Extensions of files that are preprocessed.
const CPP_EXTENSIONS: &[&str] =
    &["F", "FOR", "FTN", "FPP", "fpp", "F77", "F90", "F95", "F03", "F08", "F18"];

/// Whether files called like `path` are preprocessed.
pub(super) fn wants_cpp(path: &Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| CPP_EXTENSIONS.contains(&extension))
}

/// The form of the file called `path` with contents `text`: by its extension, but free where a
/// line that is no comment has a letter in columns 1 to 5.
pub(super) fn detect(path: &Path, text: &str) -> Form {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let extension = extension.to_ascii_lowercase();
    if !FIXED_EXTENSIONS.contains(&extension.as_str()) {
        return Form::Free;
    }
    if text.lines().any(only_free) { Form::Free } else { Form::Fixed }
}

/// Whether `line` cannot be in fixed form.
fn only_free(line: &str) -> bool {
    match line.chars().next() {
        None | Some('c' | 'C' | '*' | '!' | 'd' | 'D' | '#') => false,
        Some(_) => line
            .chars()
            .take(5)
            .take_while(|c| !matches!(c, '!' | '\t' | '&'))
            .any(|c| c.is_ascii_alphabetic()),
    }
}

/// Whether `line` cannot be in free form.
fn only_fixed(line: &str) -> bool {
    let mut characters = line.chars();
    match (characters.next(), characters.next()) {
        (Some('*'), _) => true,
        (Some('c' | 'C'), next) => next.is_none_or(|next| matches!(next, ' ' | '-' | '*')),
        _ => false,
    }
}

impl Reader<'_> {
    /// Whether the lines are of both forms; that is reported then.
    pub(super) fn refuse_mixed_form(&mut self, physical: &[Physical<'_>]) -> bool {
        let named_fixed = self.lines.sources.first().is_some_and(|name| {
            let extension = Path::new(&**name).extension().and_then(|e| e.to_str()).unwrap_or("");
            FIXED_EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str())
        });
        if self.options.form.is_some() || !named_fixed {
            return false;
        }
        let Some(fixed) = physical.iter().find(|line| only_fixed(line.text)) else { return false };
        let continued = physical
            .iter()
            .take_while(|line| (line.file, line.line) != (fixed.file, fixed.line))
            .filter(|line| !line.text.trim_start().starts_with('!'))
            .last()
            .is_some_and(|line| line.text.trim_end().ends_with('&'));
        if continued {
            return false;
        }
        let free = physical.iter().find(|line| only_free(line.text));
        let spot = self.spot(fixed.place(0));
        let mut diagnostic = Diagnostic::error(
            Code::MIXED_FORM,
            Some(spot),
            "this line is a fixed-form comment, but the file is in free form",
        )
        .with_help("say which form it is with --form, or make the file one of both");
        if let Some(free) = free {
            diagnostic =
                diagnostic.with_note(Some(self.spot(free.place(0))), "this line is in free form");
        }
        self.lines.diagnostics.push(diagnostic);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_follows_the_extension() {
        assert_eq!(detect(Path::new("a.f"), "      x = 1\n"), Form::Fixed);
        assert_eq!(detect(Path::new("a.F"), "c text\n"), Form::Fixed);
        assert_eq!(detect(Path::new("a.f90"), "      x = 1\n"), Form::Free);
    }

    #[test]
    fn a_letter_in_columns_1_to_5_makes_it_free() {
        assert_eq!(detect(Path::new("a.f"), "program p\n"), Form::Free);
        assert_eq!(detect(Path::new("a.f"), "C program p\n 10   x\n\tx = 1\n"), Form::Fixed);
    }
}
