//! Elements and attributes as indented text.
//!
//! This is the layer below the writer: escapes, indentation, and the spellings of a genuine
//! document ([`AsRead`]). It knows nothing of the vocabulary.

use std::fmt::{self, Write as _};
use std::io;

use super::MAX_DEPTH;
use super::words::Word;
use crate::model::{AsRead, Key, Spelling};

/// What stands for a character that XML cannot hold.
///
/// Fortran comments hold form feeds, strings may hold anything. XML 1.0 has no way to say such
/// characters, not even by number, so they are moved into a private use plane: U+0001 becomes
/// U+F0001 and so on. A character that is there already is marked by U+F0022.
pub(super) enum StandIn {
    /// The character that is meant.
    For(char),
    /// The next character is meant as it stands.
    Literal,
}

const PLANE: u32 = 0xF0000;
const LITERAL: char = '\u{F0022}';

/// What `c`, read from a document, stands for, if it is a stand-in.
pub(super) fn stand_in_of(c: char) -> Option<StandIn> {
    match c {
        LITERAL => Some(StandIn::Literal),
        '\u{F0020}' => Some(StandIn::For('\u{FFFE}')),
        '\u{F0021}' => Some(StandIn::For('\u{FFFF}')),
        '\u{F0000}'..='\u{F001F}' => char::from_u32(c as u32 - PLANE).map(StandIn::For),
        _ => None,
    }
}

/// Writes the value of an attribute with everything escaped that needs it.
fn escape(out: &mut String, text: &str) {
    let special = |b: u8| b < 0x20 || matches!(b, b'&' | b'<' | b'>' | b'"' | 0xef | 0xf3);
    if !text.bytes().any(special) {
        out.push_str(text);
        return;
    }
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' => out.push_str("&#9;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\0'..'\u{20}' => out.extend(char::from_u32(PLANE + c as u32)),
            '\u{FFFE}' => out.push('\u{F0020}'),
            '\u{FFFF}' => out.push('\u{F0021}'),
            '\u{F0000}'..='\u{F0022}' => out.extend([LITERAL, c]),
            _ => out.push(c),
        }
    }
}

/// When so many bytes are pending, they are handed on.
const CHUNK: usize = 1 << 16;

/// XML text in the making. Errors of the sink are kept until [`Out::finish`].
pub(super) struct Out<'a, W> {
    sink: W,
    text: String,
    error: Option<io::Error>,
    as_read: &'a AsRead,
    /// The elements that are open.
    names: Vec<&'static str>,
    /// Whether the start tag of the innermost element is still open.
    tag_open: bool,
    spelling: Option<&'a Spelling>,
    /// Which attributes of `spelling` have been written, a bit each.
    consumed: u64,
    /// Whether anything of our namespace has been written.
    pub(super) own: bool,
}

impl<'a, W: io::Write> Out<'a, W> {
    pub(super) fn new(sink: W, as_read: &'a AsRead) -> Self {
        let text = String::with_capacity(CHUNK + 1024);
        Out {
            sink,
            text,
            error: None,
            as_read,
            names: Vec::new(),
            tag_open: false,
            spelling: None,
            consumed: 0,
            own: false,
        }
    }

    /// The spellings of the document that is written.
    pub(super) fn as_read(&self) -> &'a AsRead {
        self.as_read
    }

    /// Whether an element can no longer be begun here; then that is the error. What descends by
    /// recursion asks before it does.
    pub(super) fn is_full(&mut self) -> bool {
        let full = self.names.len() >= MAX_DEPTH;
        if full {
            self.fail("elements are nested too deeply to be read again");
        }
        full
    }

    /// Whether the innermost element is `name`.
    pub(super) fn is_in(&self, name: &str) -> bool {
        self.names.last().is_some_and(|last| *last == name)
    }

    /// Literal text at the very beginning.
    pub(super) fn prolog(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Keeps the first error.
    pub(super) fn fail(&mut self, message: &str) {
        self.error.get_or_insert_with(|| io::Error::new(io::ErrorKind::InvalidInput, message));
    }

    /// Hands everything to the sink and tells the first error.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.flush();
        match self.error {
            Some(error) => Err(error),
            None => self.sink.flush(),
        }
    }

    fn flush(&mut self) {
        if self.error.is_none()
            && let Err(error) = self.sink.write_all(self.text.as_bytes())
        {
            self.error = Some(error);
        }
        self.text.clear();
    }

    /// Begins an element without an entity of its own.
    pub(super) fn start(&mut self, name: &'static str) {
        self.begin(name, None);
    }

    /// Begins the element of the entity `key`.
    pub(super) fn start_of(&mut self, name: &'static str, key: Key) {
        let spelling = self.as_read.spelling(key);
        self.begin(name, spelling);
    }

    fn begin(&mut self, name: &'static str, spelling: Option<&'a Spelling>) {
        self.close_tag();
        if self.text.len() > CHUNK {
            self.flush();
        }
        self.is_full();
        self.own |= name.starts_with("ox:");
        self.indent();
        self.text.push('<');
        self.text.push_str(name);
        self.names.push(name);
        self.tag_open = true;
        self.spelling = spelling;
        self.consumed = 0;
    }

    /// Ends the innermost element.
    pub(super) fn end(&mut self) {
        let empty = self.tag_open;
        if empty {
            self.extras();
            self.tag_open = false;
        }
        let Some(name) = self.names.pop() else { return };
        if empty {
            self.text.push_str("/>\n");
        } else {
            self.indent();
            self.text.push_str("</");
            self.text.push_str(name);
            self.text.push_str(">\n");
        }
    }

    fn indent(&mut self) {
        for _ in 0..self.names.len() {
            self.text.push_str("  ");
        }
    }

    fn close_tag(&mut self) {
        if self.tag_open {
            self.extras();
            self.tag_open = false;
            self.text.push_str(">\n");
        }
    }

    /// Attributes that the model does not hold.
    fn extras(&mut self) {
        let Some(spelling) = self.spelling.take() else { return };
        for (i, attribute) in spelling.attributes.iter().enumerate() {
            if self.consumed & (1 << (i & 63)) == 0
                && let (None, Some(raw)) = (&attribute.canonical, &attribute.raw)
            {
                self.put(&attribute.name, raw);
            }
        }
    }

    fn put(&mut self, name: &str, value: &str) {
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        escape(&mut self.text, value);
        self.text.push('"');
    }

    /// An attribute of XAIF 1.0 as the writer spells it; `None` is not written.
    pub(super) fn attribute(&mut self, name: &str, canonical: Option<&str>) {
        if let Some(spelling) = self.spelling
            && let Some(i) = spelling.attributes.iter().position(|a| *a.name == *name)
        {
            self.consumed |= 1 << (i & 63);
            let spelt = &spelling.attributes[i];
            if spelt.canonical.as_deref() == canonical {
                if let Some(raw) = &spelt.raw {
                    self.put(name, raw);
                }
                return;
            }
        }
        if let Some(value) = canonical {
            self.put(name, value);
        }
    }

    /// A number of XAIF 1.0.
    pub(super) fn number(&mut self, name: &str, value: Option<i64>) {
        match value {
            Some(value) if self.spelling.is_none() => {
                let _ = write!(self.text, " {name}=\"{value}\"");
            }
            Some(value) => self.attribute(name, Some(&value.to_string())),
            None => self.attribute(name, None),
        }
    }

    /// A truth value of XAIF 1.0 that is written where it is known.
    pub(super) fn flag(&mut self, name: &str, value: Option<bool>) {
        self.attribute(name, value.map(|value| if value { "true" } else { "false" }));
    }

    /// A truth value of XAIF 1.0 that is written where it is true.
    pub(super) fn flag_or_false(&mut self, name: &str, value: bool) {
        self.attribute(name, value.then_some("true"));
    }

    /// A word of XAIF 1.0.
    pub(super) fn word<T: Word>(&mut self, name: &str, value: Option<T>) {
        self.attribute(name, value.map(Word::word));
    }

    /// A word of XAIF 1.0 that is written where it is not `default`.
    pub(super) fn word_or<T: Word>(&mut self, name: &str, value: T, default: T) {
        self.attribute(name, (value != default).then(|| value.word()));
    }

    fn own_name(&mut self, name: &str) {
        let prefix =
            if self.names.last().is_some_and(|n| n.starts_with("ox:")) { "" } else { "ox:" };
        self.own = true;
        self.text.push(' ');
        self.text.push_str(prefix);
        self.text.push_str(name);
        self.text.push_str("=\"");
    }

    /// An attribute of our namespace.
    pub(super) fn own(&mut self, name: &str, value: &str) {
        self.own_name(name);
        escape(&mut self.text, value);
        self.text.push('"');
    }

    /// An attribute of our namespace, where there is a value.
    pub(super) fn own_opt(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.own(name, value);
        }
    }

    /// An attribute of our namespace whose value needs no escapes.
    pub(super) fn own_display(&mut self, name: &str, value: fmt::Arguments<'_>) {
        self.own_name(name);
        let _ = self.text.write_fmt(value);
        self.text.push('"');
    }

    /// An attribute of our namespace that is written where it is true.
    pub(super) fn own_flag(&mut self, name: &str, value: bool) {
        if value {
            self.own(name, "true");
        }
    }

    /// A truth value of our namespace, where there is one.
    pub(super) fn own_opt_flag(&mut self, name: &str, value: Option<bool>) {
        self.own_opt(name, value.map(|value| if value { "true" } else { "false" }));
    }

    /// A word of our namespace, where there is one.
    pub(super) fn own_word<T: Word>(&mut self, name: &str, value: Option<T>) {
        self.own_opt(name, value.map(Word::word));
    }
}
