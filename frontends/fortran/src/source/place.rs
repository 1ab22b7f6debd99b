//! Where something stands in the source.

use std::fmt;

/// A place in the original source, also where it came through `cpp` or `INCLUDE`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Index into [`crate::syntax::ast::File::sources`] of the parsed file.
    pub file: u32,
    /// Line, counted from 1.
    pub line: u32,
    /// Column in characters, counted from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    /// `line:column`, with `#file` in front where it is not the file itself.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.file != 0 {
            write!(f, "#{} ", self.file)?;
        }
        write!(f, "{}:{}", self.line, self.column)
    }
}
