//! A record that is being written, or read: bytes and a column that edit descriptors move.

/// A record that is being written. Moving to the right writes nothing until something follows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    bytes: Vec<u8>,
    column: usize,
    /// Where T begins to count: behind what earlier transfers have written.
    start: usize,
}

impl Line {
    /// Goes on behind what is there already.
    pub(crate) fn behind(bytes: Vec<u8>) -> Self {
        let column = bytes.len();
        Line { bytes, column, start: 0 }
    }

    /// Writes at the column, over what is there.
    pub(crate) fn put(&mut self, text: &[u8]) {
        self.pad();
        let end = self.column + text.len();
        if end > self.bytes.len() {
            self.bytes.resize(end, b' ');
        }
        self.bytes[self.column..end].copy_from_slice(text);
        self.column = end;
    }

    /// Blanks up to the column.
    pub(crate) fn pad(&mut self) {
        if self.column > self.bytes.len() {
            self.bytes.resize(self.column, b' ');
        }
    }

    /// Moves by some columns, not further left than the first.
    pub(crate) fn skip(&mut self, columns: i64) {
        let column = (self.column as i64).saturating_add(columns).max(self.start as i64);
        self.column = column as usize;
    }

    /// Moves to a column, counted from 1.
    pub(crate) fn tab(&mut self, column: usize) {
        self.column = self.start + column.saturating_sub(1);
    }

    /// What is written.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        self.column = 0;
        self.start = 0;
        std::mem::take(&mut self.bytes)
    }
}

/// Records that are being read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reader {
    /// The records.
    pub(crate) lines: Vec<Vec<u8>>,
    /// The record.
    pub(crate) at: usize,
    /// The column in it, from 0.
    pub(crate) column: usize,
}

impl Reader {
    /// The record; `None` behind the last one.
    pub(crate) fn line(&self) -> Option<&[u8]> {
        self.lines.get(self.at).map(Vec::as_slice)
    }

    /// The character at the column; `None` at the end of the record.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.line().and_then(|line| line.get(self.column)).copied()
    }

    /// The next record.
    pub(crate) fn advance(&mut self) {
        self.at += 1;
        self.column = 0;
    }
}
