//! The table of diagnostic codes.
//!
//! A code is never given a second meaning and never removed. Ranges: `OX00xx` command line and
//! files, `OX01xx` the XML text, `OX02xx` the verifier, `OX10xx` Fortran source text, `OX11xx`
//! Fortran names and types, `OX12xx` Fortran that is carried opaquely, `OX20xx` the Fortran
//! back-end.

use std::fmt;

/// The number of a diagnostic, printed as `OX0123`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(pub u16);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OX{:04}", self.0)
    }
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct CodeEntry {
    /// The number.
    pub code: Code,
    /// A short title, lower case.
    pub title: &'static str,
    /// What it means, why it is an error, and what to do: the page of `oxad explain`.
    pub explanation: &'static str,
}

macro_rules! codes {
    ($($number:literal $name:ident $title:literal $explanation:literal)*) => {
        impl Code {
            $(
                #[doc = $title]
                pub const $name: Code = Code($number);
            )*
        }

        /// Every code there is, in ascending order.
        pub const CODES: &[CodeEntry] = &[
            $(CodeEntry { code: Code::$name, title: $title, explanation: $explanation },)*
        ];
    };
}

codes! {
    1 CANNOT_READ "cannot read a file"
        "The file does not exist, is a folder, or may not be read. Nothing was written."
    2 CANNOT_WRITE "cannot write a file"
        "The output could not be written. A file is written whole or not at all, so nothing half-written was left behind."
    3 NOT_UTF8 "the input is not UTF-8"
        "The bytes at this place are not valid UTF-8. Convert the file (for example with iconv) and try again."
}

/// The row of `code`, where there is one.
pub fn find(code: Code) -> Option<&'static CodeEntry> {
    CODES.iter().find(|entry| entry.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_ascend_and_are_unique() {
        assert!(CODES.windows(2).all(|pair| pair[0].code < pair[1].code));
    }

    #[test]
    fn titles_are_lower_case_and_explanations_are_sentences() {
        for entry in CODES {
            assert!(!entry.title.ends_with('.'), "{}", entry.code);
            assert!(entry.explanation.ends_with('.'), "{}", entry.code);
        }
    }
}
