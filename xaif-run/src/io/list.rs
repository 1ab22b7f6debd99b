//! List-directed input (Fortran 2018, 13.10.3): values between blanks, commas and ends of records;
//! `r*c` repeats, nothing between commas leaves a variable as it is, `/` ends the statement.

use super::record::Reader;
use super::scan::{self, Io, Trouble};
use crate::value::{Elem, Scalar};

/// A statement that reads values.
#[derive(Debug, Default)]
pub(crate) struct ListReader {
    /// The value that is repeated, and how often it still is; `None` is a null value.
    again: Option<(Option<Vec<u8>>, u64)>,
    /// Whether `/` was read.
    pub(crate) ended: bool,
}

impl ListReader {
    /// The next value; `None` leaves the variable as it is.
    pub(crate) fn next(&mut self, reader: &mut Reader, elem: Elem) -> Io<Option<Scalar>> {
        if self.ended {
            return Ok(None);
        }
        if self.again.is_none() {
            self.fetch(reader, elem)?;
        }
        let Some((word, left)) = self.again.take() else { return Ok(None) };
        if left > 1 {
            self.again = Some((word.clone(), left - 1));
        }
        word.map(|word| scan::listed(&word, elem)).transpose()
    }

    /// Whether the last value is still to be repeated.
    pub(crate) fn repeats(&self) -> bool {
        self.again.is_some()
    }

    /// Reads `c`, `r*c` or `r*`.
    fn fetch(&mut self, reader: &mut Reader, elem: Elem) -> Io<()> {
        skip_space(reader)?;
        match reader.peek() {
            Some(b'/') => {
                self.ended = true;
                return Ok(());
            }
            Some(b',') => {
                reader.column += 1;
                self.again = Some((None, 1));
                return Ok(());
            }
            Some(_) | None => {}
        }
        let start = reader.column;
        let mut count: u64 = 0;
        while let Some(digit @ b'0'..=b'9') = reader.peek() {
            count = count.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
            reader.column += 1;
        }
        if reader.column > start && reader.peek() == Some(b'*') {
            reader.column += 1;
            if count == 0 {
                return Err(Trouble::bad("a repeat count is zero"));
            }
        } else {
            reader.column = start;
            count = 1;
        }
        let word = match reader.peek() {
            None | Some(b' ' | b'\t' | b',' | b'/') => None,
            Some(_) => Some(word(reader, elem)?),
        };
        self.again = Some((word, count));
        // The comma behind a value belongs to it.
        while matches!(reader.peek(), Some(b' ' | b'\t')) {
            reader.column += 1;
        }
        if reader.peek() == Some(b',') {
            reader.column += 1;
        }
        Ok(())
    }
}

/// Moves over blanks and ends of records.
pub(crate) fn skip_space(reader: &mut Reader) -> Io<()> {
    loop {
        match reader.peek() {
            Some(b' ' | b'\t' | b'\r') => reader.column += 1,
            Some(_) => return Ok(()),
            None => {
                reader.advance();
                if reader.line().is_none() {
                    return Err(Trouble::End);
                }
            }
        }
    }
}

/// One value as it stands: with its quotes taken off, a complex number with its parentheses.
fn word(reader: &mut Reader, elem: Elem) -> Io<Vec<u8>> {
    let mut word = Vec::new();
    let is_text = matches!(elem, Elem::Char(_));
    if let (true, Some(quote @ (b'\'' | b'"'))) = (is_text, reader.peek()) {
        reader.column += 1;
        return quoted(reader, quote);
    }
    let complex = matches!(elem, Elem::Complex(_)) && reader.peek() == Some(b'(');
    loop {
        match reader.peek() {
            None if complex => skip_space(reader)?,
            Some(b')') if complex => {
                word.push(b')');
                reader.column += 1;
                return Ok(word);
            }
            Some(c) if complex => {
                word.push(c);
                reader.column += 1;
            }
            None | Some(b' ' | b'\t' | b',' | b'/' | b'\r') => return Ok(word),
            Some(c) => {
                word.push(c);
                reader.column += 1;
            }
        }
    }
}

fn quoted(reader: &mut Reader, quote: u8) -> Io<Vec<u8>> {
    let mut word = Vec::new();
    loop {
        match reader.peek() {
            Some(c) if c == quote => {
                reader.column += 1;
                if reader.peek() != Some(quote) {
                    return Ok(word);
                }
                word.push(quote);
                reader.column += 1;
            }
            Some(c) => {
                word.push(c);
                reader.column += 1;
            }
            None => {
                // A string may go on in the next record.
                reader.advance();
                if reader.line().is_none() {
                    return Err(Trouble::End);
                }
            }
        }
    }
}
