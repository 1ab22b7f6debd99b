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

/// From byte offsets in a joined statement to places: runs in which both count up together.
#[derive(Clone, Debug, Default)]
pub struct PlaceMap {
    runs: Vec<(u32, Place)>,
}

impl PlaceMap {
    /// Says that the character at byte `offset` stands at `place`; offsets ascend.
    pub(super) fn push(&mut self, offset: usize, place: Place) {
        let offset = offset as u32;
        if let Some((start, first)) = self.runs.last() {
            let column = first.column + (offset - start);
            if (first.file, first.line, column) == (place.file, place.line, place.column) {
                return;
            }
        }
        self.runs.push((offset, place));
    }

    /// The place of the character at byte `offset`.
    pub fn place(&self, offset: usize) -> Place {
        let offset = offset as u32;
        let after = self.runs.partition_point(|(start, _)| *start <= offset);
        match after.checked_sub(1).and_then(|index| self.runs.get(index)) {
            Some((start, place)) => Place { column: place.column + (offset - start), ..*place },
            None => Place::default(),
        }
    }

    /// The map of what remains when the first `count` bytes are taken off.
    pub(super) fn without_first(&self, count: usize) -> PlaceMap {
        let first = self.place(count);
        let mut runs = vec![(0, first)];
        let rest = self.runs.iter().filter(|(start, _)| *start as usize > count);
        runs.extend(rest.map(|(start, place)| (start - count as u32, *place)));
        PlaceMap { runs }
    }
}
