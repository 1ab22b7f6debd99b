//! What is wrong with the text of a document, and where.

use crate::diag::{Code, Diagnostic, Spot};

/// What is wrong, and at which byte of the text.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) code: Code,
    pub(super) offset: usize,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

pub(super) type Read<T> = Result<T, Box<Fault>>;

/// The error `code` at `offset`.
pub(super) fn fault<T>(code: Code, offset: usize, message: impl Into<String>) -> Read<T> {
    Err(Box::new(Fault { code, offset, message: message.into(), help: None }))
}

/// The error `code` at `offset`, with a way out.
pub(super) fn fault_with_help<T>(
    code: Code,
    offset: usize,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Read<T> {
    let (message, help) = (message.into(), Some(help.into()));
    Err(Box::new(Fault { code, offset, message, help }))
}

impl Fault {
    /// The diagnostic for this fault in `text`.
    pub(super) fn diagnostic(self, text: &str, file: &str) -> Diagnostic {
        let (line, column) = line_and_column(text, self.offset);
        let mut diagnostic =
            Diagnostic::error(self.code, Some(Spot::new(file, line, column)), self.message);
        diagnostic.help = self.help;
        diagnostic
    }
}

/// Line and column, from 1, of the byte `offset` of `text`.
pub(super) fn line_and_column(text: &str, offset: usize) -> (u32, u32) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (line as u32, column as u32)
}
