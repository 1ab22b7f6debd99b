//! The questions that `--why` takes: a variable and the line of a statement that overwrites it.

use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Spot};

/// `x@12`, `x@file.f90:12`: name, file, line.
pub(crate) fn parse(question: &str) -> Result<(&str, Option<&str>, u32), Diagnostics> {
    let parts = question.rsplit_once('@').and_then(|(name, place)| {
        let (file, line) = match place.rsplit_once(':') {
            Some((file, line)) => (Some(file), line),
            None => (None, place),
        };
        Some((name.trim(), file, line.trim().parse().ok()?))
    });
    parts.ok_or_else(|| {
        let message = format!("`{question}` is no variable and line");
        let error = Diagnostic::error(Code::NOT_OVERWRITTEN_THERE, None, message);
        [error.with_help("write X@LINE, for example `x@12`")].into_iter().collect()
    })
}

/// Whether a place is in the file and line of a question.
pub(crate) fn is_there(spot: Option<&Spot>, file: Option<&str>, line: u32) -> bool {
    spot.is_some_and(|spot| spot.line == line && file.is_none_or(|file| spot.file.ends_with(file)))
}
