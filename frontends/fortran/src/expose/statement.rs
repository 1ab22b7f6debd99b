//! Changes of single statements.

use std::ops::Range;

use super::{CannotEdit, Editor, cannot};
use crate::source::Statement;
use crate::syntax::ast::Place;

impl Editor {
    /// The statement that begins at `place`, in the file itself.
    pub(super) fn statement(&self, place: Place) -> Result<Statement, CannotEdit> {
        match self.statements.get(&place) {
            Some(statement) if place.file == 0 => Ok(statement.clone()),
            Some(_) | None => cannot(if place.file == 0 { place.line } else { 0 }),
        }
    }

    /// Replaces a part of a statement that stands in one line.
    pub(super) fn replace(
        &mut self,
        statement: &Statement,
        range: Range<usize>,
        new: &str,
    ) -> Result<(), CannotEdit> {
        let place = statement.map.place(range.start);
        let old = statement.text.get(range.clone()).unwrap_or_default();
        let apart = range.clone().any(|offset| {
            let here = statement.map.place(offset);
            let column = place.column as usize + (offset - range.start);
            (here.file, here.line, here.column as usize) != (place.file, place.line, column)
        });
        if apart || place.file != 0 || !old.is_ascii() {
            return cannot(place.line);
        }
        self.edits.replace(place.line, place.column, old, new)
    }

    /// Inserts text behind the character at `offset`.
    pub(super) fn insert_behind(
        &mut self,
        statement: &Statement,
        offset: usize,
        new: &str,
    ) -> Result<(), CannotEdit> {
        let old = statement.text.get(offset..offset + 1).unwrap_or_default();
        self.replace(statement, offset..offset + 1, &format!("{old}{new}"))
    }

    /// The lines on which a statement begins and ends.
    pub(super) fn lines_of(statement: &Statement) -> (u32, u32) {
        let last = statement.text.trim_end().len().saturating_sub(1);
        (statement.map.place(0).line, statement.map.place(last).line)
    }

    /// Removes a whole statement with its lines.
    pub(super) fn remove(&mut self, statement: &Statement) -> Result<(), CannotEdit> {
        let (first, last) = Self::lines_of(statement);
        let code = statement.text.trim_end();
        let before = self.edits.characters(first);
        let start = statement.map.place(0).column as usize - 1;
        let behind = self.edits.characters(last);
        let end = statement.map.place(code.len().saturating_sub(1)).column as usize;
        let blank = |characters: &[char]| characters.iter().all(|c| c.is_whitespace());
        let alone = blank(before.get(..start).unwrap_or_default());
        let rest = behind.get(end..).unwrap_or_default();
        if !alone || statement.label.is_some() || statement.map.place(0).file != 0 {
            return cannot(first);
        }
        if first == last && rest.iter().find(|c| !c.is_whitespace()) == Some(&'!') {
            return self.replace(statement, 0..code.len(), "");
        }
        if !blank(rest) || !statement.comments.is_empty() {
            return cannot(first);
        }
        (first..=last).try_for_each(|line| self.edits.remove_line(line))
    }

    /// Removes some of the items of a list at the end of a statement: `items` are all of them, in order.
    pub(super) fn remove_items(
        &mut self,
        statement: &Statement,
        items: &[Range<usize>],
        gone: &[bool],
    ) -> Result<(), CannotEdit> {
        let kept = gone.iter().rposition(|&gone| !gone);
        let Some(kept) = kept else { return self.remove(statement) };
        for (index, item) in items.iter().enumerate().take(kept) {
            if !gone.get(index).copied().unwrap_or_default() {
                continue;
            }
            let text = statement.text.as_str();
            let Some(comma) = text.get(item.end..).and_then(|rest| rest.find(',')) else {
                return cannot(statement.map.place(item.start).line);
            };
            let mut end = item.end + comma + 1;
            let line = |offset: usize| statement.map.place(offset).line;
            while text.as_bytes().get(end) == Some(&b' ') && line(end) == line(item.start) {
                end += 1;
            }
            self.replace(statement, item.start..end, "")?;
        }
        let (Some(from), Some(last)) = (items.get(kept), items.last()) else { return Ok(()) };
        if from.end == last.end {
            return Ok(());
        }
        self.remove_tail(statement, from.end..last.end)
    }

    /// Removes the end of a statement, which may stand in several lines.
    fn remove_tail(
        &mut self,
        statement: &Statement,
        range: Range<usize>,
    ) -> Result<(), CannotEdit> {
        let first = statement.map.place(range.start.saturating_sub(1));
        let last = statement.map.place(range.end.saturating_sub(1));
        if first.line == last.line {
            return self.replace(statement, range, "");
        }
        let behind: String =
            self.edits.characters(last.line).into_iter().skip(last.column as usize).collect();
        if !statement.comments.is_empty() || !behind.trim().is_empty() {
            return cannot(first.line);
        }
        let line = self.edits.characters(first.line);
        let rest: String = line.into_iter().skip(first.column as usize).collect();
        self.edits.replace(first.line, first.column + 1, &rest, "")?;
        (first.line + 1..=last.line).try_for_each(|line| self.edits.remove_line(line))
    }

    /// Adds `, public` to a statement whose first name stands at `name`.
    pub(super) fn add_public(
        &mut self,
        statement: &Statement,
        name: usize,
    ) -> Result<(), CannotEdit> {
        let text = statement.text.as_str();
        let colons = attributes(text).1;
        let before = text.get(..colons.unwrap_or(name)).unwrap_or_default().trim_end();
        let Some(last) = before.len().checked_sub(1) else {
            return cannot(statement.map.place(0).line);
        };
        let behind = text.as_bytes().get(last + 1) == Some(&b' ');
        let new = match colons {
            Some(_) => ", public",
            None if behind => ", public ::",
            None => ", public :: ",
        };
        self.insert_behind(statement, last, new)
    }
}

/// The words between commas before `::`, with the offset of the comma before each, and the offset of `::`.
pub(super) fn attributes(text: &str) -> (Vec<(usize, Range<usize>)>, Option<usize>) {
    let bytes = text.as_bytes();
    let mut commas = Vec::new();
    let (mut depth, mut quote, mut colons) = (0_u32, None, None);
    for (at, &byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'(' | b'[') => depth += 1,
            (None, b')' | b']') => depth = depth.saturating_sub(1),
            (None, b',') if depth == 0 => commas.push(at),
            (None, b':') if depth == 0 && bytes.get(at + 1) == Some(&b':') => {
                colons = Some(at);
                break;
            }
            (None, _) => {}
        }
    }
    let end = colons.unwrap_or(text.len());
    let ends = commas.iter().skip(1).copied().chain([end]);
    let words = commas.iter().zip(ends).map(|(&comma, end)| {
        let word = text.get(comma + 1..end).unwrap_or_default();
        let start = comma + 1 + (word.len() - word.trim_start().len());
        (comma, start..start + word.trim().len())
    });
    (words.collect(), colons)
}

/// The attribute `word` of a statement: the comma before it, and itself.
pub(super) fn attribute(text: &str, word: &str) -> Option<(usize, Range<usize>)> {
    let same = |range: &Range<usize>| {
        text.get(range.clone()).is_some_and(|found| found.eq_ignore_ascii_case(word))
    };
    attributes(text).0.into_iter().find(|(_, range)| same(range))
}

/// The offset of a place in a statement. The blank that joins two lines has the place of the character behind it.
pub(super) fn offset_of(statement: &Statement, place: Place) -> Result<usize, CannotEdit> {
    let offset =
        (0..statement.text.len()).rev().find(|&offset| statement.map.place(offset) == place);
    offset.ok_or(CannotEdit { line: place.line })
}
