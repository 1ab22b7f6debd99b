//! XML events as the reader wants them: elements with resolved namespaces.
//!
//! This is the layer over quick-xml. It knows namespaces, places and limits, and nothing of the
//! vocabulary. It is zero-copy: names and values borrow from the text.

use std::borrow::Cow;

use quick_xml::events::Event;
use quick_xml::events::attributes::{AttrError, Attributes};
use smallvec::SmallVec;

use super::fault::{Read, fault, fault_with_help};
use super::tag::{Attribute, Ns, Tag};
use super::value::short;
use super::{DIALECTS, INLINABLE, MAX_DEPTH, NON_INLINABLE, OX, XAIF, XSI};
use crate::diag::Code;

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
                self.declare(name.strip_prefix("xmlns:").unwrap_or(""), raw, offset)?;
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

    fn declare(&mut self, prefix: &'a str, uri: &str, offset: usize) -> Read<()> {
        let ns = match uri {
            XAIF => Ns::Xaif,
            OX => Ns::Ox,
            XSI => Ns::Xsi,
            INLINABLE => Ns::Inlinable,
            NON_INLINABLE => Ns::NonInlinable,
            "" => Ns::None,
            _ => match uri.strip_prefix(DIALECTS) {
                Some(version) => return other_dialect(version, offset),
                None => Ns::Other,
            },
        };
        self.own |= ns == Ns::Ox;
        self.namespaces.push((self.depth, prefix, ns));
        Ok(())
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

/// Refuses a document of another version of the dialect.
fn other_dialect<T>(version: &str, offset: usize) -> Read<T> {
    let ours = OX.strip_prefix(DIALECTS).unwrap_or(OX);
    let message =
        format!("the document has version {version} of the dialect; this program reads {ours}");
    fault(Code::WRONG_DIALECT, offset, message)
}
