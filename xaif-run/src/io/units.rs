//! Units: files that exist in memory while a program runs.
//!
//! A formatted file is a list of records of characters. An unformatted one is a list of records of
//! values, which keep their tangents; they can be read back only as what they were written.

use std::collections::HashMap;

use super::record::Reader;
use crate::storage::scalar_size;
use crate::value::Scalar;

/// How the records of a file are reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Access {
    #[default]
    Sequential,
    Direct,
    Stream,
}

/// A file that is open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unit {
    pub(crate) name: Option<String>,
    pub(crate) access: Access,
    pub(crate) unformatted: bool,
    pub(crate) recl: Option<i64>,
    /// The quote around characters in list-directed output.
    pub(crate) quote: Option<u8>,
    /// The records of a formatted file.
    pub(crate) text: Reader,
    /// Whether the last record that was written goes on.
    pub(crate) open_record: bool,
    /// The records of an unformatted file; a stream has one.
    pub(crate) cells: Vec<Vec<Scalar>>,
    /// The record, or in a stream the value, that comes next.
    pub(crate) at: usize,
}

impl Unit {
    /// The terminal's input.
    pub(crate) fn of_text(text: &str) -> Self {
        let lines = text.lines().map(|line| line.as_bytes().to_vec()).collect();
        Unit { text: Reader { lines, at: 0, column: 0 }, ..Unit::default() }
    }

    /// Goes to the first record.
    pub(crate) fn rewind(&mut self) {
        self.at = 0;
        self.text.at = 0;
        self.text.column = 0;
        self.open_record = false;
    }

    /// Goes back by one record.
    pub(crate) fn backspace(&mut self) {
        if self.open_record || self.text.column > 0 {
            self.open_record = false;
            self.text.column = 0;
            return;
        }
        self.at = self.at.saturating_sub(1);
        self.text.at = self.text.at.saturating_sub(1);
    }

    /// Ends the file where it stands.
    pub(crate) fn end_file(&mut self) {
        self.text.lines.truncate(self.text.at);
        if self.access == Access::Sequential {
            self.cells.truncate(self.at);
        }
        // What is read or left now is the record that ends the file.
        self.at += 1;
        self.text.at += 1;
    }

    /// The value of a stream that begins at byte `position`, counted from 1; `None` where none
    /// begins there.
    pub(crate) fn seek(&self, position: i64) -> Option<usize> {
        let mut byte = 1;
        for (index, cell) in self.cells.first().into_iter().flatten().enumerate() {
            if byte == position {
                return Some(index);
            }
            byte += scalar_size(cell.elem()) as i64;
        }
        (byte == position).then(|| self.cells.first().map_or(0, Vec::len))
    }

    /// The byte of a stream at which it stands, counted from 1.
    pub(crate) fn position(&self) -> i64 {
        let cells = self.cells.first().into_iter().flatten().take(self.at);
        1 + cells.map(|cell| scalar_size(cell.elem()) as i64).sum::<i64>()
    }
}

/// All files of one execution.
#[derive(Debug, Default)]
pub(crate) struct Units {
    /// Those that are connected.
    pub(crate) open: HashMap<i64, Unit>,
    /// Those that were closed and kept, by name.
    pub(crate) closed: HashMap<String, Unit>,
    /// How many units NEWUNIT has made.
    made: i64,
}

impl Units {
    /// A number for NEWUNIT, as gfortran counts them.
    pub(crate) fn fresh(&mut self) -> i64 {
        self.made += 1;
        -9 - self.made
    }
}
