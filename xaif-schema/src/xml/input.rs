//! XML events as the reader wants them: elements with resolved namespaces and taken attributes.
//!
//! This is the layer over quick-xml. It knows namespaces, escapes, places and limits, and nothing
//! of the vocabulary. It is zero-copy: names and values borrow from the text.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use quick_xml::events::Event;
use quick_xml::events::attributes::{AttrError, Attributes};
use smallvec::SmallVec;

use super::words::Word;
use super::{MAX_DEPTH, OX, XAIF, XSI};
use crate::diag::{Code, Diagnostic, Spot};
use crate::model::SpeltAttribute;

/// What is wrong, and at which byte of the text.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) code: Code,
    pub(super) offset: usize,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

pub(super) type Read<T> = Result<T, Box<Fault>>;

/// The error `code` at `offset`.
pub(super) fn fault<T>(code: Code, offset: usize, message: impl Into<String>) -> Read<T> {
    Err(Box::new(Fault { code, offset, message: message.into(), help: None }))
}

/// The error `code` at `offset`, with a way out.
pub(super) fn fault_with_help<T>(
    code: Code,
    offset: usize,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Read<T> {
    let (message, help) = (message.into(), Some(help.into()));
    Err(Box::new(Fault { code, offset, message, help }))
}

impl Fault {
    /// The diagnostic for this fault in `text`.
    pub(super) fn diagnostic(self, text: &str, file: &str) -> Diagnostic {
        let (line, column) = line_and_column(text, self.offset);
        let mut diagnostic =
            Diagnostic::error(self.code, Some(Spot::new(file, line, column)), self.message);
        diagnostic.help = self.help;
        diagnostic
    }
}

/// Line and column, from 1, of the byte `offset` of `text`.
pub(super) fn line_and_column(text: &str, offset: usize) -> (u32, u32) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (line as u32, column as u32)
}

/// The namespaces that the reader tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ns {
    /// No namespace: an attribute without prefix.
    None,
    /// XAIF 1.0.
    Xaif,
    /// Ours.
    Ox,
    /// XML Schema instance: `xsi:schemaLocation`.
    Xsi,
    /// Any other.
    Other,
}

#[derive(Debug)]
struct Attribute<'a> {
    ns: Ns,
    name: &'a str,
    raw: &'a str,
    offset: usize,
}

/// A start tag. Each attribute is taken once; what is left over at the end is an error.
#[derive(Debug)]
pub(super) struct Tag<'a> {
    pub(super) ns: Ns,
    pub(super) name: &'a str,
    pub(super) offset: usize,
    attributes: SmallVec<[Attribute<'a>; 8]>,
    /// Spellings that differ from the writer's.
    pub(super) notes: Vec<SpeltAttribute>,
    /// Another form of the element than the writer's.
    pub(super) form: Option<&'static str>,
}

/// The events of one document.
#[derive(Clone)]
pub(super) struct Input<'a> {
    text: &'a str,
    reader: quick_xml::Reader<&'a [u8]>,
    depth: usize,
    namespaces: Vec<(usize, &'a str, Ns)>,
    /// Whether the document declares our namespace.
    pub(super) own: bool,
}

impl<'a> Input<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut reader = quick_xml::Reader::from_str(text);
        let config = reader.config_mut();
        config.expand_empty_elements = true;
        config.check_end_names = true;
        Input { text, reader, depth: 0, namespaces: Vec::new(), own: false }
    }

    /// The byte up to which the text has been read.
    pub(super) fn offset(&self) -> usize {
        self.reader.buffer_position() as usize
    }

    /// The next child of the current element; `None` at the element's end.
    pub(super) fn child(&mut self) -> Read<Option<Tag<'a>>> {
        loop {
            let start = self.offset();
            match self.reader.read_event() {
                Ok(Event::Start(_)) => return self.start(start).map(Some),
                Ok(Event::Empty(_)) => return fault(Code::NOT_XML, start, "unexpected tag"),
                Ok(Event::End(_)) => {
                    while self.namespaces.last().is_some_and(|(depth, ..)| *depth == self.depth) {
                        self.namespaces.pop();
                    }
                    self.depth = self.depth.saturating_sub(1);
                    return Ok(None);
                }
                Ok(Event::Eof) if self.depth == 0 => return Ok(None),
                Ok(Event::Eof) => {
                    return fault_with_help(
                        Code::TRUNCATED,
                        self.text.len(),
                        "the document ends in the middle of an element",
                        "it has been cut off: the stage before this one may have failed",
                    );
                }
                Ok(Event::Text(_) | Event::CData(_)) => self.only_blanks(start)?,
                Ok(Event::GeneralRef(_)) => {
                    return fault(Code::TEXT_CONTENT, start, "text between elements");
                }
                Ok(Event::DocType(_)) => {
                    return fault_with_help(
                        Code::DOCTYPE,
                        start,
                        "a document type declaration",
                        "XAIF has none: remove the <!DOCTYPE ...>",
                    );
                }
                Ok(Event::Decl(decl)) => self.declaration(start, &decl)?,
                Ok(Event::Comment(_) | Event::PI(_)) => (),
                Err(error) => return self.syntax(start, &error),
            }
        }
    }

    /// Reads to the end of the current element, which must have no children.
    pub(super) fn leaf(&mut self, parent: &str) -> Read<()> {
        match self.child()? {
            Some(tag) => tag.unexpected(parent),
            None => Ok(()),
        }
    }

    /// Skips the rest of the current element.
    pub(super) fn skip(&mut self) -> Read<()> {
        let depth = self.depth;
        while self.depth >= depth {
            self.child()?;
        }
        Ok(())
    }

    /// Checks that nothing but comments follows the root.
    pub(super) fn end(&mut self) -> Read<()> {
        match self.child()? {
            Some(tag) => fault(Code::NOT_XML, tag.offset, "a second root element"),
            None => Ok(()),
        }
    }

    fn only_blanks(&self, start: usize) -> Read<()> {
        let text = self.text.get(start..self.offset()).unwrap_or("");
        match text.find(|c: char| !matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{feff}')) {
            Some(at) => fault_with_help(
                Code::TEXT_CONTENT,
                start + at,
                "text between elements",
                "all that XAIF says stands in elements and attributes",
            ),
            None => Ok(()),
        }
    }

    fn declaration(&self, start: usize, decl: &quick_xml::events::BytesDecl) -> Read<()> {
        match decl.encoding() {
            // As long as all is ASCII it does not matter which extension of it is declared.
            Some(Ok(name)) if !name.eq_ignore_ascii_case("utf-8") && !self.text.is_ascii() => {
                fault_with_help(
                    Code::NOT_UTF8,
                    start,
                    format!("the document declares the encoding `{}`", short(&name)),
                    "convert it to UTF-8, for example with `xmllint --encode UTF-8`",
                )
            }
            Some(Err(_)) => fault(Code::NOT_XML, start, "malformed XML declaration"),
            Some(Ok(_)) | None => Ok(()),
        }
    }

    fn syntax<T>(&self, start: usize, error: &quick_xml::Error) -> Read<T> {
        let offset = (self.reader.error_position() as usize).max(start);
        let code = match error {
            quick_xml::Error::Syntax(quick_xml::errors::SyntaxError::UnclosedDoctype) => {
                Code::DOCTYPE
            }
            quick_xml::Error::Syntax(quick_xml::errors::SyntaxError::InvalidBangMarkup) => {
                Code::NOT_XML
            }
            quick_xml::Error::Syntax(_) => Code::TRUNCATED,
            _ => Code::NOT_XML,
        };
        fault(code, offset, error.to_string())
    }

    fn start(&mut self, start: usize) -> Read<Tag<'a>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = format!("elements are nested more than {MAX_DEPTH} deep");
            return fault(Code::XML_TOO_DEEP, start, message);
        }
        let text: &'a str = self.text;
        let tag = text.get(start..self.offset()).unwrap_or("");
        let tag = tag.trim_start_matches('<').trim_end_matches('>').trim_end_matches('/');
        let name_end = tag.find([' ', '\t', '\r', '\n']).unwrap_or(tag.len());
        let name = &tag[..name_end];
        let mut attributes: SmallVec<[Attribute<'a>; 8]> = SmallVec::new();
        for attribute in Attributes::new(tag, name_end) {
            let attribute = attribute.or_else(|error| attribute_fault(start + 1, &error))?;
            let Cow::Borrowed(raw) = attribute.value else {
                return fault(Code::NOT_XML, start, "unexpected attribute");
            };
            let name: &'a str = attribute.key.0;
            let offset = start + 1 + (name.as_ptr() as usize).saturating_sub(tag.as_ptr() as usize);
            if raw.contains('<') {
                return fault(Code::NOT_XML, offset, "`<` in the value of an attribute");
            }
            if name == "xmlns" || name.starts_with("xmlns:") {
                self.declare(name.strip_prefix("xmlns:").unwrap_or(""), raw);
            }
            attributes.push(Attribute { ns: Ns::None, name, raw, offset });
        }
        for attribute in &mut attributes {
            if let Some((prefix, local)) = attribute.name.split_once(':')
                && prefix != "xmlns"
            {
                attribute.ns = self.resolve(prefix, attribute.offset)?;
                if matches!(attribute.ns, Ns::Xaif | Ns::Ox) {
                    attribute.name = local;
                }
            }
        }
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let ns = if prefix.is_empty() && self.namespaces.iter().all(|(_, p, _)| !p.is_empty()) {
            Ns::None
        } else {
            self.resolve(prefix, start)?
        };
        let name = local;
        Ok(Tag { ns, name, offset: start, attributes, notes: Vec::new(), form: None })
    }

    fn declare(&mut self, prefix: &'a str, uri: &str) {
        let ns = match uri {
            XAIF => Ns::Xaif,
            OX => Ns::Ox,
            XSI => Ns::Xsi,
            "" => Ns::None,
            _ => Ns::Other,
        };
        self.own |= ns == Ns::Ox;
        self.namespaces.push((self.depth, prefix, ns));
    }

    fn resolve(&self, prefix: &str, offset: usize) -> Read<Ns> {
        match self.namespaces.iter().rev().find(|(_, known, _)| *known == prefix) {
            Some((.., ns)) => Ok(*ns),
            None if prefix == "xml" => Ok(Ns::Other),
            None => {
                let message = format!("the prefix `{prefix}` is not declared");
                fault(Code::WRONG_NAMESPACE, offset, message)
            }
        }
    }
}

fn attribute_fault<T>(base: usize, error: &AttrError) -> Read<T> {
    let (at, message) = match error {
        AttrError::ExpectedEq(at) => (at, "an attribute without a value"),
        AttrError::ExpectedValue(at) => (at, "an attribute without a value"),
        AttrError::UnquotedValue(at) => (at, "the value of an attribute is not quoted"),
        AttrError::ExpectedQuote(at, _) => (at, "the value of an attribute does not end"),
        AttrError::Duplicated(at, _) => (at, "the same attribute twice"),
    };
    fault(Code::NOT_XML, base + at, message)
}

impl<'a> Tag<'a> {
    /// The error that this element does not belong into `parent`.
    pub(super) fn unexpected<T>(&self, parent: &str) -> Read<T> {
        let name = self.name;
        if self.ns == Ns::Other || self.ns == Ns::None || self.ns == Ns::Xsi {
            return fault_with_help(
                Code::WRONG_NAMESPACE,
                self.offset,
                format!("`{name}` is in a namespace that XAIF does not know"),
                format!("the namespaces are `{XAIF}` and `{OX}`"),
            );
        }
        let message = format!("`{name}` is not an element of `{parent}`");
        fault(Code::UNKNOWN_ELEMENT, self.offset, message)
    }

    fn take(&mut self, ns: Ns, name: &str) -> Option<Attribute<'a>> {
        let at = self.attributes.iter().position(|a| a.ns == ns && a.name == name)?;
        Some(self.attributes.swap_remove(at))
    }

    fn take_text(&mut self, ns: Ns, name: &str) -> Read<Option<(Cow<'a, str>, usize)>> {
        match self.take(ns, name) {
            Some(attribute) => {
                let offset = attribute.offset;
                Ok(Some((unescape(attribute.raw, offset)?, offset)))
            }
            None => Ok(None),
        }
    }

    /// Notes that `name` is spelt `raw` where the writer would write `canonical`.
    pub(super) fn note(&mut self, name: &str, canonical: Option<&str>, raw: Option<&str>) {
        if canonical != raw {
            self.notes.push(SpeltAttribute {
                name: name.into(),
                canonical: canonical.map(Into::into),
                raw: raw.map(Into::into),
            });
        }
    }

    /// An attribute of XAIF 1.0 whose text is its value.
    pub(super) fn text_opt(&mut self, name: &str) -> Read<Option<Cow<'a, str>>> {
        Ok(self.take_text(Ns::None, name)?.map(|(text, _)| text))
    }

    /// The same, where it must be there.
    pub(super) fn text(&mut self, name: &str) -> Read<Cow<'a, str>> {
        match self.text_opt(name)? {
            Some(text) => Ok(text),
            None => self.missing(name),
        }
    }

    /// The error that the attribute `name` is missing.
    pub(super) fn missing<T>(&self, name: &str) -> Read<T> {
        let message = format!("`{}` has no attribute `{name}`", self.name);
        fault(Code::MISSING_ATTRIBUTE, self.offset, message)
    }

    /// A number.
    pub(super) fn number<T: FromStr + Display>(&mut self, name: &str) -> Read<Option<T>> {
        let Some((text, offset)) = self.take_text(Ns::None, name)? else { return Ok(None) };
        let value = parse_number::<T>(name, &text, offset)?;
        if text.len() > 1 && !text.starts_with(['1', '2', '3', '4', '5', '6', '7', '8', '9']) {
            self.note(name, Some(&value.to_string()), Some(&text));
        }
        Ok(Some(value))
    }

    /// A number that must be there.
    pub(super) fn number_required<T: FromStr + Display>(&mut self, name: &str) -> Read<T> {
        match self.number(name)? {
            Some(value) => Ok(value),
            None => self.missing(name),
        }
    }

    /// A truth value that the writer writes where it is known.
    pub(super) fn flag(&mut self, name: &str) -> Read<Option<bool>> {
        let Some((text, offset)) = self.take_text(Ns::None, name)? else { return Ok(None) };
        let value = parse_flag(name, &text, offset)?;
        self.note(name, Some(if value { "true" } else { "false" }), Some(&text));
        Ok(Some(value))
    }

    /// A truth value that the writer writes where it is not `false`.
    pub(super) fn flag_or_false(&mut self, name: &str) -> Read<bool> {
        let Some((text, offset)) = self.take_text(Ns::None, name)? else { return Ok(false) };
        let value = parse_flag(name, &text, offset)?;
        self.note(name, value.then_some("true"), Some(&text));
        Ok(value)
    }

    /// `true`, `false` or `undefined`.
    pub(super) fn active_use(&mut self, name: &str) -> Read<Option<bool>> {
        if let Some(at) = self.attributes.iter().position(|a| a.ns == Ns::None && a.name == name)
            && self.attributes[at].raw == "undefined"
        {
            self.attributes.swap_remove(at);
            self.note(name, None, Some("undefined"));
            return Ok(None);
        }
        self.flag(name)
    }

    /// One of a list of words that the writer writes where it is known.
    pub(super) fn word<T: Word>(&mut self, name: &str) -> Read<Option<T>> {
        match self.take_text(Ns::None, name)? {
            Some((text, offset)) => parse_word(name, &text, offset).map(Some),
            None => Ok(None),
        }
    }

    /// One of a list of words that the writer writes where it is not `default`.
    pub(super) fn word_or<T: Word>(&mut self, name: &str, default: T) -> Read<T> {
        let Some((text, offset)) = self.take_text(Ns::None, name)? else { return Ok(default) };
        let value = parse_word(name, &text, offset)?;
        if value == default {
            self.note(name, None, Some(&text));
        }
        Ok(value)
    }

    /// An attribute that the model does not hold: it is kept word for word.
    pub(super) fn keep(&mut self, name: &str) -> Read<()> {
        if let Some((text, _)) = self.take_text(Ns::None, name)? {
            self.note(name, None, Some(&text));
        }
        Ok(())
    }

    /// All `xmlns:` and `xsi:` attributes of the root: kept word for word, except those that the
    /// writer writes anyway.
    pub(super) fn keep_namespaces(&mut self) -> Read<()> {
        let mut kept = Vec::new();
        self.attributes.retain(|a| {
            let prefix = a.name.strip_prefix("xmlns:").or((a.name == "xmlns").then_some(""));
            let ours = prefix.is_some() && (a.raw == XAIF || a.raw == OX);
            let keep = a.ns == Ns::Xsi || prefix.is_some();
            if keep && !ours {
                kept.push((a.name, a.raw, a.offset));
            }
            !keep
        });
        for (name, raw, offset) in kept {
            let text = unescape(raw, offset)?;
            self.note(name, None, Some(&text));
        }
        Ok(())
    }

    fn own_ns(&self) -> Ns {
        if self.ns == Ns::Ox { Ns::None } else { Ns::Ox }
    }

    /// An attribute of our namespace, with its offset.
    pub(super) fn own(&mut self, name: &str) -> Read<Option<(Cow<'a, str>, usize)>> {
        self.take_text(self.own_ns(), name)
    }

    /// The text of an attribute of our namespace.
    pub(super) fn own_text(&mut self, name: &str) -> Read<Option<Cow<'a, str>>> {
        Ok(self.own(name)?.map(|(text, _)| text))
    }

    /// The text of an attribute of our namespace that must be there.
    pub(super) fn own_required(&mut self, name: &str) -> Read<(Cow<'a, str>, usize)> {
        match self.own(name)? {
            Some(found) => Ok(found),
            None => self.missing(name),
        }
    }

    /// A truth value of our namespace; absent is false.
    pub(super) fn own_flag(&mut self, name: &str) -> Read<bool> {
        match self.own(name)? {
            Some((text, offset)) => parse_flag(name, &text, offset),
            None => Ok(false),
        }
    }

    /// A number of our namespace.
    pub(super) fn own_number<T: FromStr>(&mut self, name: &str) -> Read<Option<T>> {
        match self.own(name)? {
            Some((text, offset)) => parse_number(name, &text, offset).map(Some),
            None => Ok(None),
        }
    }

    /// A word of our namespace.
    pub(super) fn own_word<T: Word>(&mut self, name: &str) -> Read<Option<T>> {
        match self.own(name)? {
            Some((text, offset)) => parse_word(name, &text, offset).map(Some),
            None => Ok(None),
        }
    }

    /// The error that the value of an attribute makes no sense.
    pub(super) fn bad<T>(&self, message: impl Into<String>) -> Read<T> {
        fault(Code::BAD_VALUE, self.offset, message)
    }

    /// Checks that all attributes have been taken.
    pub(super) fn finish(&self) -> Read<()> {
        self.finish_where(|_| true)
    }

    /// Checks that all attributes that are not of our namespace have been taken.
    pub(super) fn finish_plain(&self) -> Read<()> {
        self.finish_where(|ns| ns != Ns::Ox)
    }

    /// Checks that all attributes of our namespace have been taken.
    pub(super) fn finish_own(&self) -> Read<()> {
        self.finish_where(|ns| ns == Ns::Ox)
    }

    fn finish_where(&self, wanted: impl Fn(Ns) -> bool) -> Read<()> {
        match self.attributes.iter().find(|a| wanted(a.ns)) {
            None => Ok(()),
            Some(unknown) => {
                let message = format!("`{}` has no attribute `{}`", self.name, unknown.name);
                fault(Code::UNKNOWN_ATTRIBUTE, unknown.offset, message)
            }
        }
    }
}

/// A number in the text of the attribute `name`.
pub(super) fn parse_number<T: FromStr>(name: &str, text: &str, offset: usize) -> Read<T> {
    text.trim().parse().or_else(|_| {
        let message = format!("`{name}` must be a number that fits, not `{}`", short(text));
        fault(Code::BAD_VALUE, offset, message)
    })
}

/// A truth value in the text of the attribute `name`.
pub(super) fn parse_flag(name: &str, text: &str, offset: usize) -> Read<bool> {
    match text.trim() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => {
            let message = format!("`{name}` must be `true` or `false`, not `{}`", short(text));
            fault(Code::BAD_VALUE, offset, message)
        }
    }
}

/// A word in the text of the attribute `name`.
pub(super) fn parse_word<T: Word>(name: &str, text: &str, offset: usize) -> Read<T> {
    match T::parse(text) {
        Some(value) => Ok(value),
        None => {
            let message = format!("`{name}` cannot be `{}`", short(text));
            fault_with_help(Code::BAD_VALUE, offset, message, format!("it is one of {}", T::all()))
        }
    }
}

/// At most a few words of `text`, for a message.
pub(super) fn short(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(60) {
        Some((end, _)) => Cow::Owned(format!("{}...", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// The value of an attribute: references resolved, white space normalised, our stand-ins for
/// characters that XML cannot hold turned back.
fn unescape(raw: &str, offset: usize) -> Read<Cow<'_, str>> {
    if !raw.bytes().any(|b| matches!(b, b'&' | b'\t' | b'\n' | b'\r' | 0xf3)) {
        return Ok(Cow::Borrowed(raw));
    }
    let mut value = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '&' => {
                let Some((name, after)) = rest.split_once(';') else {
                    return fault(Code::NOT_XML, offset, "`&` without `;`");
                };
                value.push(reference(name, offset)?);
                rest = after;
            }
            '\t' | '\n' | '\r' => value.push(' '),
            _ => match super::out::stand_in_of(c) {
                None => value.push(c),
                Some(super::out::StandIn::Literal) => {
                    let Some(next) = rest.chars().next() else { continue };
                    rest = &rest[next.len_utf8()..];
                    value.push(next);
                }
                Some(super::out::StandIn::For(original)) => value.push(original),
            },
        }
    }
    Ok(Cow::Owned(value))
}

fn reference(name: &str, offset: usize) -> Read<char> {
    let number = match name.strip_prefix('#') {
        Some(number) => match number.strip_prefix('x') {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => number.parse().ok(),
        },
        None => {
            return match name {
                "amp" => Ok('&'),
                "lt" => Ok('<'),
                "gt" => Ok('>'),
                "quot" => Ok('"'),
                "apos" => Ok('\''),
                _ => {
                    let message = format!("the entity `{}` is not known", short(name));
                    fault_with_help(
                        Code::UNKNOWN_ENTITY,
                        offset,
                        message,
                        "XAIF knows `amp`, `lt`, `gt`, `quot`, `apos` and numbers",
                    )
                }
            };
        }
    };
    match number.and_then(char::from_u32) {
        Some(c) if c != '\0' => Ok(c),
        Some(_) | None => {
            let message = format!("`&{};` is not a character", short(name));
            fault(Code::NOT_XML, offset, message)
        }
    }
}
