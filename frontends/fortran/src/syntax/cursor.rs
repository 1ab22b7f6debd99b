//! A cursor over the text of one statement.
//!
//! There is no separate lexer: what a character begins depends on what is expected, above all in
//! fixed form, where `DO10I=1,5` and `DO10I=1.5` have nothing in common.

use xaif_schema::diag::Code;

use super::ast::{Label, Name, Place};
use crate::source::PlaceMap;

/// Why a statement cannot be read, and where.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) code: Code,
    pub(super) message: String,
}

/// The result of reading a part of a statement.
pub(super) type Parse<T> = Result<T, Box<Fault>>;

/// The text of a statement with a position in it.
#[derive(Debug)]
pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    map: &'t PlaceMap,
    /// In free form a keyword ends where the word ends; in fixed form anything may follow it.
    pub(super) free: bool,
    /// How deep in expressions the parser is.
    pub(super) depth: u32,
    /// The height of the expression that was read last.
    pub(super) height: u32,
}

/// Whether `byte` may be part of a name.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str, map: &'t PlaceMap, free: bool) -> Self {
        Cursor { text, at: 0, map, free, depth: 0, height: 0 }
    }

    /// The byte `ahead` of the position, blanks included.
    pub(super) fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    /// Skips blanks.
    pub(super) fn blanks(&mut self) {
        while self.byte(0) == Some(b' ') {
            self.at += 1;
        }
    }

    /// The next byte that is not a blank; the position is then there.
    pub(super) fn peek(&mut self) -> Option<u8> {
        self.blanks();
        self.byte(0)
    }

    /// Whether nothing follows.
    pub(super) fn at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// The rest of the text.
    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// The place of the next character.
    pub(super) fn place(&mut self) -> Place {
        self.blanks();
        self.map.place(self.at)
    }

    /// The place of the character at `offset`.
    pub(super) fn place_at(&self, offset: usize) -> Place {
        self.map.place(offset)
    }

    /// A fault here: `message` says what is wrong.
    pub(super) fn fault<T>(&self, message: impl Into<String>) -> Parse<T> {
        self.coded(Code::SYNTAX, message)
    }

    /// A fault here with a code of its own.
    pub(super) fn coded<T>(&self, code: Code, message: impl Into<String>) -> Parse<T> {
        Err(Box::new(Fault { at: self.at, code, message: message.into() }))
    }

    /// A fault that says what stands here instead of `wanted`.
    pub(super) fn expected<T>(&mut self, wanted: &str) -> Parse<T> {
        let found = match self.peek() {
            None => "the end of the statement".to_owned(),
            Some(byte) if is_word(byte) => {
                let word: String = self
                    .rest()
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .take(24)
                    .collect();
                format!("`{word}`")
            }
            Some(_) => format!("`{}`", self.rest().chars().next().unwrap_or(' ')),
        };
        self.fault(format!("expected {wanted}, found {found}"))
    }

    /// Skips `mark` where it comes next.
    pub(super) fn eat(&mut self, mark: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(mark);
        if found {
            self.at += mark.len();
        }
        found
    }

    /// Skips `mark`, which must come next.
    pub(super) fn expect(&mut self, mark: &str) -> Parse<()> {
        if self.eat(mark) { Ok(()) } else { self.expected(&format!("`{mark}`")) }
    }

    /// Whether `mark` comes next.
    pub(super) fn sees(&mut self, mark: &str) -> bool {
        self.blanks();
        self.rest().starts_with(mark)
    }

    /// Skips the keyword `keyword` (lower case; a blank in it may be left out) where it comes next.
    pub(super) fn word(&mut self, keyword: &str) -> bool {
        self.blanks();
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        for letter in keyword.bytes() {
            if letter == b' ' {
                while bytes.get(at) == Some(&b' ') {
                    at += 1;
                }
            } else if bytes.get(at).is_some_and(|byte| byte.to_ascii_lowercase() == letter) {
                at += 1;
            } else {
                return false;
            }
        }
        if self.free && bytes.get(at).copied().is_some_and(is_word) {
            return false;
        }
        self.at = at;
        true
    }

    /// Whether a name comes next.
    pub(super) fn sees_name(&mut self) -> bool {
        self.peek().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$')
    }

    /// A name, which must come next.
    pub(super) fn name(&mut self) -> Parse<Name> {
        if !self.sees_name() {
            return self.expected("a name");
        }
        let start = self.at;
        while self.byte(0).is_some_and(is_word) {
            self.at += 1;
        }
        Ok(Name::new(self.text.get(start..self.at).unwrap_or(""), self.map.place(start)))
    }

    /// Where a name and then `mark` come next, the offset behind `mark`. This decides often, so it
    /// looks without reading.
    pub(super) fn name_before(&mut self, mark: &str) -> Option<usize> {
        if !self.sees_name() {
            return None;
        }
        let rest = self.rest();
        let behind = rest.trim_start_matches(|c: char| c.is_ascii() && is_word(c as u8));
        let behind = behind.trim_start_matches(' ').strip_prefix(mark)?;
        Some(self.text.len() - behind.len())
    }

    /// The digits that come next; perhaps none.
    pub(super) fn digits(&mut self) -> &'t str {
        self.blanks();
        let start = self.at;
        while self.byte(0).is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or("")
    }

    /// A label, which must come next.
    pub(super) fn label(&mut self) -> Parse<Label> {
        let digits = self.digits();
        match digits.parse() {
            Ok(label) if digits.len() <= 5 => Ok(Label(label)),
            _ => self.expected("a statement label"),
        }
    }

    /// Items between commas, at least one.
    pub(super) fn list<T>(&mut self, item: impl Fn(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Items between commas in parentheses, perhaps none.
    pub(super) fn parenthesised<T>(
        &mut self,
        item: impl Fn(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        self.expect("(")?;
        if self.eat(")") {
            return Ok(Vec::new());
        }
        let items = self.list(item)?;
        self.expect(")")?;
        Ok(items)
    }

    /// What `read` gives; where it fails, the position is as before.
    pub(super) fn attempt<T>(&mut self, read: impl Fn(&mut Self) -> Parse<T>) -> Option<T> {
        let (start, depth) = (self.at, self.depth);
        match read(self) {
            Ok(value) => Some(value),
            Err(_) => {
                (self.at, self.depth) = (start, depth);
                None
            }
        }
    }

    /// The offset behind the parenthesis that closes the one at `open`; strings are skipped.
    pub(super) fn behind_parenthesis(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        let mut scan = Scan::new(self.text, open);
        while let Some((at, byte)) = scan.next_code() {
            match byte {
                b'(' | b'[' => depth += 1,
                b')' | b']' => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

/// Walks over the bytes of a statement that are not in character literals.
#[derive(Debug)]
pub(super) struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t str, at: usize) -> Self {
        Scan { bytes: text.as_bytes(), at }
    }

    /// The next byte outside character literals, with its offset.
    pub(super) fn next_code(&mut self) -> Option<(usize, u8)> {
        let mut byte = *self.bytes.get(self.at)?;
        while matches!(byte, b'\'' | b'"') {
            let length = self.bytes.get(self.at + 1..)?.iter().position(|other| *other == byte)?;
            self.at += length + 2;
            byte = *self.bytes.get(self.at)?;
        }
        self.at += 1;
        Some((self.at - 1, byte))
    }
}
