//! One statement as text, with the places where its line may be broken.
//!
//! Whoever builds a statement says how good each place is; [`Lines`](crate::lines::Lines) decides
//! where to break. Nothing here knows Fortran's meaning.

/// How good a place is for breaking a line: the smaller the better. Nesting makes it worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Level(pub(crate) u16);

/// A place in the text of a [`Code`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Break {
    /// Byte offset: the line may end before this byte.
    pub(crate) at: usize,
    /// How good the place is.
    pub(crate) level: Level,
}

/// The text of one statement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    /// The text on one line.
    pub(crate) text: String,
    /// Where it may be broken, in ascending order.
    pub(crate) breaks: Vec<Break>,
}

impl Code {
    /// Appends text.
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Allows a break here.
    pub(crate) fn allow_break(&mut self, level: Level) {
        self.breaks.push(Break { at: self.text.len(), level });
    }

    /// Appends another piece of code.
    pub(crate) fn append(&mut self, other: &Code) {
        let offset = self.text.len();
        self.text.push_str(&other.text);
        self.breaks
            .extend(other.breaks.iter().map(|b| Break { at: b.at + offset, level: b.level }));
    }
}

impl From<&str> for Code {
    fn from(text: &str) -> Self {
        Code { text: text.to_owned(), breaks: Vec::new() }
    }
}

impl From<String> for Code {
    fn from(text: String) -> Self {
        Code { text, breaks: Vec::new() }
    }
}
