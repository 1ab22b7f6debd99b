//! Start tags: their attributes are taken one by one, each once.
//!
//! Whatever the reader has not taken at the end of a tag is an error. What is spelt otherwise than
//! the writer would spell it is noted on the way.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use smallvec::SmallVec;

use super::fault::{Read, fault, fault_with_help};
use super::value::{parse_flag, parse_number, parse_word, shown, unescape};
use super::words::Word;
use super::{OX, XAIF};
use crate::diag::Code;
use crate::model::SpeltAttribute;
use crate::texts;

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
    /// XAIF's catalogues of inlinable intrinsics.
    Inlinable,
    /// XAIF's catalogues of other intrinsics.
    NonInlinable,
    /// Any other.
    Other,
}

/// An attribute as the text has it.
#[derive(Debug)]
pub(super) struct Attribute<'a> {
    pub(super) ns: Ns,
    pub(super) name: &'a str,
    pub(super) raw: &'a str,
    pub(super) offset: usize,
}

/// A start tag. Each attribute is taken once; what is left over at the end is an error.
#[derive(Debug)]
pub(super) struct Tag<'a> {
    pub(super) ns: Ns,
    pub(super) name: &'a str,
    pub(super) offset: usize,
    pub(super) attributes: SmallVec<[Attribute<'a>; 8]>,
    /// Spellings that differ from the writer's.
    pub(super) notes: Vec<SpeltAttribute>,
    /// Another form of the element than the writer's.
    pub(super) form: Option<&'static str>,
}

impl<'a> Tag<'a> {
    /// The error that this element does not belong into `parent`.
    pub(super) fn unexpected<T>(&self, parent: &str) -> Read<T> {
        let name = self.name;
        if matches!(self.ns, Ns::Other | Ns::None | Ns::Xsi) {
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

    /// The same, with its offset.
    pub(super) fn text_at(&mut self, name: &str) -> Read<(Cow<'a, str>, usize)> {
        match self.take_text(Ns::None, name)? {
            Some(found) => Ok(found),
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

    /// The text of an attribute of our namespace of which `holds` is true; `kind` names such texts.
    pub(super) fn own_text_that(
        &mut self,
        name: &str,
        kind: &str,
        holds: impl FnOnce(&str) -> bool,
    ) -> Read<Option<Cow<'a, str>>> {
        let Some((text, offset)) = self.own(name)? else { return Ok(None) };
        if holds(&text) {
            return Ok(Some(text));
        }
        fault(Code::BAD_VALUE, offset, format!("`{name}` must be {kind}, not `{}`", shown(&text)))
    }

    /// A name of our namespace.
    pub(super) fn own_name(&mut self, name: &str) -> Read<Option<Cow<'a, str>>> {
        self.own_text_that(name, "a name", texts::is_word)
    }

    /// A name of our namespace that must be there.
    pub(super) fn own_name_required(&mut self, name: &str) -> Read<Cow<'a, str>> {
        match self.own_name(name)? {
            Some(text) => Ok(text),
            None => self.missing(name),
        }
    }

    /// A text of our namespace that is one statement or a part of one.
    pub(super) fn own_piece(&mut self, name: &str) -> Read<Cow<'a, str>> {
        let Some((text, offset)) = self.own(name)? else { return self.missing(name) };
        match texts::is_one_piece(&text) {
            Ok(()) => Ok(text),
            Err(wrong) => {
                let message = format!("`{}` has {wrong}", shown(&text));
                fault(Code::BAD_VALUE, offset, message)
            }
        }
    }

    /// A truth value of our namespace; absent is false.
    pub(super) fn own_flag(&mut self, name: &str) -> Read<bool> {
        match self.own(name)? {
            Some((text, offset)) => parse_flag(name, &text, offset),
            None => Ok(false),
        }
    }

    /// A truth value of our namespace, where there is one.
    pub(super) fn own_opt_flag(&mut self, name: &str) -> Read<Option<bool>> {
        match self.own(name)? {
            Some((text, offset)) => parse_flag(name, &text, offset).map(Some),
            None => Ok(None),
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
