//! Names and statement labels.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::Place;

/// A name as it was written. Two names are equal where Fortran takes them as the same: their
/// lower-case keys agree, whatever the spelling and the place.
#[derive(Clone)]
pub struct Name {
    spelling: Box<str>,
    /// The lower-case key, where the spelling is not that already.
    lower: Option<Box<str>>,
    /// Where it stands.
    pub place: Place,
}

impl Name {
    /// The name that `spelling` spells.
    pub fn new(spelling: &str, place: Place) -> Self {
        let lower = spelling
            .bytes()
            .any(|byte| byte.is_ascii_uppercase())
            .then(|| spelling.to_ascii_lowercase().into());
        Name { spelling: spelling.into(), lower, place }
    }

    /// What Fortran compares: the name in lower case.
    pub fn key(&self) -> &str {
        self.lower.as_deref().unwrap_or(&self.spelling)
    }

    /// The name as the source has it.
    pub fn spelling(&self) -> &str {
        &self.spelling
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Name {}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spelling)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.spelling)
    }
}

/// A statement label, 1 to 99999; leading zeros do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u32);

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
