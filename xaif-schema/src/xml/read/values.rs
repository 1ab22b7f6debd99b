//! Values of our attributes: places, types, and names of symbols, scopes and files.

use std::borrow::Cow;

use super::{Read, Reader, Tag, fault};
use crate::diag::Code;
use crate::model::{Base, EntityRef, FileId, Place, ScopeId, SymbolId, Ty, TypeId};
use crate::xml::value::{parse_number, short};

impl<'a> Reader<'a> {
    /// The scope with the id `id`.
    pub(super) fn scope_named(&self, id: &str, offset: usize) -> Read<ScopeId> {
        match self.scopes.get(id) {
            Some(scope) => Ok(*scope),
            None => {
                fault(Code::UNKNOWN_REFERENCE, offset, format!("there is no scope `{}`", short(id)))
            }
        }
    }

    /// The symbol `id` of `scope`.
    pub(super) fn symbol_of(
        &self,
        scope: ScopeId,
        id: Cow<'a, str>,
        offset: usize,
    ) -> Read<SymbolId> {
        let key = (scope, id);
        match self.symbols.get(&key) {
            Some(symbol) => Ok(*symbol),
            None => {
                let message = format!("there is no symbol `{}` in its scope", short(&key.1));
                fault(Code::UNKNOWN_REFERENCE, offset, message)
            }
        }
    }

    /// `scope_id` and `symbol_id` of XAIF 1.0.
    pub(super) fn symbol_attributes(&self, tag: &mut Tag<'a>) -> Read<SymbolId> {
        let scope = tag.text("scope_id")?;
        let scope = self.scope_named(&scope, tag.offset)?;
        let symbol = tag.text("symbol_id")?;
        self.symbol_of(scope, symbol, tag.offset)
    }

    /// A symbol as `scope:symbol`.
    pub(super) fn symbol_text(&self, text: Cow<'a, str>, offset: usize) -> Read<SymbolId> {
        let split = |text: &str| text.find(':');
        let Some(colon) = split(&text) else {
            let message = format!("`{}` is no `scope:symbol`", short(&text));
            return fault(Code::BAD_VALUE, offset, message);
        };
        let scope = self.scope_named(&text[..colon], offset)?;
        let id = match text {
            Cow::Borrowed(text) => Cow::Borrowed(&text[colon + 1..]),
            Cow::Owned(text) => Cow::Owned(text[colon + 1..].to_owned()),
        };
        self.symbol_of(scope, id, offset)
    }

    pub(super) fn own_symbol_opt(&self, tag: &mut Tag<'a>, name: &str) -> Read<Option<SymbolId>> {
        match tag.own(name)? {
            Some((text, offset)) => self.symbol_text(text, offset).map(Some),
            None => Ok(None),
        }
    }

    pub(super) fn own_symbol(&self, tag: &mut Tag<'a>, name: &str) -> Read<SymbolId> {
        match self.own_symbol_opt(tag, name)? {
            Some(symbol) => Ok(symbol),
            None => tag.missing(name),
        }
    }

    /// A list of symbols with blanks between; absent is empty.
    pub(super) fn own_symbols(&self, tag: &mut Tag<'a>, name: &str) -> Read<Vec<SymbolId>> {
        let Some((text, offset)) = tag.own(name)? else { return Ok(Vec::new()) };
        let mut symbols = Vec::new();
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            let word: Cow<'a, str> = word.replace("%20", " ").replace("%25", "%").into();
            symbols.push(self.symbol_text(word, offset)?);
        }
        Ok(symbols)
    }

    /// A scope by its id.
    pub(super) fn own_scope_opt(&self, tag: &mut Tag<'a>, name: &str) -> Read<Option<ScopeId>> {
        match tag.own(name)? {
            Some((text, offset)) => self.scope_named(&text, offset).map(Some),
            None => Ok(None),
        }
    }

    pub(super) fn own_scope(&self, tag: &mut Tag<'a>, name: &str) -> Read<ScopeId> {
        match self.own_scope_opt(tag, name)? {
            Some(scope) => Ok(scope),
            None => tag.missing(name),
        }
    }

    /// A place `file:line:column`.
    pub(super) fn place(&self, tag: &mut Tag<'a>, name: &str) -> Read<Option<Place>> {
        let Some((text, offset)) = tag.own(name)? else { return Ok(None) };
        let mut parts = text.split(':').map(|part| parse_number::<u32>(name, part, offset));
        let (Some(file), Some(line), Some(column), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            let message = format!("`{name}` must be `file:line:column`, not `{}`", short(&text));
            return fault(Code::BAD_VALUE, offset, message);
        };
        let file = match file? {
            0 => None,
            file if file as usize <= self.doc.files.len() => Some(FileId::from_u32(file - 1)),
            file => {
                let message = format!("there is no file {file}");
                return fault(Code::UNKNOWN_REFERENCE, offset, message);
            }
        };
        Ok(Some(Place { file, line: line?, column: column? }))
    }

    /// The place of an element of XAIF 1.0 that may have a line number.
    pub(super) fn line_number(&self, tag: &mut Tag<'a>) -> Read<Place> {
        let line = match tag.number::<u32>("lineNumber")? {
            Some(0) => {
                tag.note("lineNumber", None, Some("0"));
                0
            }
            Some(line) => line,
            None => 0,
        };
        match self.place(tag, "at")? {
            Some(place) if line != 0 && place.line != line => {
                tag.bad("`lineNumber` and `at` are different lines")
            }
            Some(place) => Ok(place),
            None => Ok(Place { file: None, line, column: 0 }),
        }
    }

    /// The place of an element without a line number.
    pub(super) fn at(&self, tag: &mut Tag<'a>) -> Read<Place> {
        Ok(self.place(tag, "at")?.unwrap_or_default())
    }

    /// A type; absent is not known.
    pub(super) fn ty(&mut self, tag: &mut Tag<'a>, name: &str) -> Read<Ty> {
        Ok(self.ty_opt(tag, name)?.unwrap_or_default())
    }

    pub(super) fn ty_opt(&mut self, tag: &mut Tag<'a>, name: &str) -> Read<Option<Ty>> {
        let Some((text, offset)) = tag.own(name)? else { return Ok(None) };
        let ranked = text.strip_suffix(']').and_then(|text| text.rsplit_once('['));
        let (base, rank) = match ranked {
            Some((base, rank)) => (base, parse_number(name, rank, offset)?),
            None => (&*text, 0),
        };
        Ok(Some(Ty { base: self.base(base, offset)?, rank }))
    }

    /// The type of one element.
    pub(super) fn base(&mut self, text: &str, offset: usize) -> Read<Base> {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_digit());
        let bytes = || parse_number::<u8>("type", &text[digits.len()..], offset);
        Ok(match digits {
            "integer" => Base::Integer(bytes()?),
            "unsigned" => Base::Unsigned(bytes()?),
            "real" => Base::Real(bytes()?),
            "complex" => Base::Complex(bytes()?),
            "logical" => Base::Logical(bytes()?),
            "character" => Base::Character(bytes()?),
            _ => return self.other_base(text, offset),
        })
    }

    fn other_base(&mut self, text: &str, offset: usize) -> Read<Base> {
        match text {
            "unknown" => return Ok(Base::Unknown),
            "void" => return Ok(Base::Void),
            "class(*)" => return Ok(Base::ClassStar),
            "type(*)" => return Ok(Base::TypeStar),
            "procedure" => return Ok(Base::Procedure),
            _ => (),
        }
        let inner = text.strip_suffix(')').and_then(|text| text.split_once('('));
        match inner {
            Some(("type", symbol)) => {
                Ok(Base::Derived(self.symbol_text(symbol.to_owned().into(), offset)?))
            }
            Some(("class", symbol)) => {
                Ok(Base::Class(self.symbol_text(symbol.to_owned().into(), offset)?))
            }
            Some(("pointer", number)) => {
                let number: u32 = parse_number("pointer", number, offset)?;
                if number == 0 {
                    return fault(Code::UNKNOWN_REFERENCE, offset, "there is no type 0");
                }
                if number > self.types.0 {
                    self.types = (number, offset);
                }
                Ok(Base::Pointer(TypeId::new(number as usize - 1)))
            }
            _ => fault(Code::BAD_VALUE, offset, format!("`{}` is no type", short(text))),
        }
    }
}
