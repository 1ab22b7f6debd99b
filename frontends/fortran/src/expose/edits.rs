//! Edits of a text at places of the reader: characters and lines go or are added, all other bytes stay.

use std::collections::BTreeMap;

use super::{CannotEdit, cannot};

/// The bytes of a file, line by line, with edits.
#[derive(Debug)]
pub(super) struct Edits {
    lines: Vec<Line>,
    /// Whether a column is a character of UTF-8; else it is a byte.
    utf8: bool,
    /// Maximum length of a line of code.
    limit: usize,
}

/// A line with its end, and its edits.
#[derive(Debug, Default)]
struct Line {
    text: Vec<u8>,
    end: Vec<u8>,
    /// From the column: the number of characters that go, and the text that comes in their place.
    changes: BTreeMap<usize, (usize, String)>,
    gone: bool,
    /// Whole lines behind this one.
    added: Vec<String>,
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Edits {
    pub(super) fn new(bytes: &[u8], limit: usize) -> Self {
        let lines = bytes.split_inclusive(|&byte| byte == b'\n').map(|line| {
            let text = line.strip_suffix(b"\n").unwrap_or(line);
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            let end = line.get(text.len()..).unwrap_or_default();
            Line { text: text.to_vec(), end: end.to_vec(), ..Line::default() }
        });
        let lines = lines.collect();
        Edits { lines, utf8: std::str::from_utf8(bytes).is_ok(), limit }
    }

    fn line(&mut self, number: u32) -> Result<&mut Line, CannotEdit> {
        let index = (number as usize).checked_sub(1);
        let line = index.and_then(|index| self.lines.get_mut(index));
        line.ok_or(CannotEdit { line: number })
    }

    /// The characters of a line, without a byte order mark.
    pub(super) fn characters(&self, number: u32) -> Vec<char> {
        let index = (number as usize).wrapping_sub(1);
        let Some(line) = self.lines.get(index) else { return Vec::new() };
        let bytes = line.text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line.text);
        match std::str::from_utf8(bytes) {
            Ok(text) if self.utf8 => text.chars().collect(),
            Ok(_) | Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
        }
    }

    /// Replaces `old`, which must stand at the column (from 1), by `new`.
    pub(super) fn replace(
        &mut self,
        number: u32,
        column: u32,
        old: &str,
        new: &str,
    ) -> Result<(), CannotEdit> {
        let start = (column as usize).checked_sub(1).ok_or(CannotEdit { line: number })?;
        let characters = self.characters(number);
        let old: Vec<char> = old.chars().collect();
        let stands_at = |start: usize| {
            let found = characters.get(start..start + old.len()).unwrap_or_default();
            let same = |(one, other): (&char, &char)| one.eq_ignore_ascii_case(other);
            found.len() == old.len() && found.iter().zip(&old).all(same)
        };
        // Behind an expanded macro columns are others.
        let start = if stands_at(start) {
            start
        } else {
            let mut places = (0..characters.len()).filter(|&start| stands_at(start));
            let (first, second) = (places.next(), places.next());
            let only = first.filter(|_| second.is_none() && old.len() > 1);
            only.ok_or(CannotEdit { line: number })?
        };
        let change = (old.len(), new.to_owned());
        let line = self.line(number)?;
        match line.changes.insert(start, change) {
            None => Ok(()),
            Some(_) => cannot(number),
        }
    }

    /// Whether `addition` more characters fit into a line.
    pub(super) fn fits(&self, number: u32, addition: usize) -> bool {
        self.characters(number).len() + addition <= self.limit
    }

    pub(super) fn remove_line(&mut self, number: u32) -> Result<(), CannotEdit> {
        self.line(number)?.gone = true;
        Ok(())
    }

    pub(super) fn add_behind(&mut self, number: u32, text: String) -> Result<(), CannotEdit> {
        self.line(number)?.added.push(text);
        Ok(())
    }

    /// The edited bytes.
    pub(super) fn finish(self) -> Result<Vec<u8>, CannotEdit> {
        let mut bytes = Vec::new();
        let usual: Vec<u8> =
            self.lines.first().map_or_else(|| b"\n".to_vec(), |line| line.end.clone());
        for (number, line) in (1..).zip(self.lines) {
            if !line.gone {
                let text = line.edited(self.utf8);
                let longer = text.len() > line.text.len();
                if longer && text.split(|&byte| byte == b'\n').any(|one| one.len() > self.limit) {
                    return cannot(number);
                }
                bytes.extend(text);
                bytes.extend(&line.end);
            }
            for added in &line.added {
                if added.len() > self.limit {
                    return cannot(number);
                }
                bytes.extend(added.as_bytes());
                bytes.extend(&usual);
            }
        }
        Ok(bytes)
    }
}

impl Line {
    fn edited(&self, utf8: bool) -> Vec<u8> {
        let mark = if self.text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let text = self.text.get(mark..).unwrap_or_default();
        // The offset of each character, and the end.
        let starts: Vec<usize> = match std::str::from_utf8(text) {
            Ok(text) if utf8 => text.char_indices().map(|(at, _)| at).collect(),
            Ok(_) | Err(_) => (0..text.len()).collect(),
        };
        let offset = |column: usize| starts.get(column).copied().unwrap_or(text.len());
        let mut out = self.text.get(..mark).unwrap_or_default().to_vec();
        let mut done = 0;
        for (&column, (count, new)) in &self.changes {
            let (start, end) = (offset(column), offset(column + count));
            out.extend(text.get(done..start.max(done)).unwrap_or_default());
            out.extend(new.as_bytes());
            done = end.max(done);
        }
        out.extend(text.get(done..).unwrap_or_default());
        out
    }
}
