//! The specification statements that are no declarations of types.

use super::super::ast::{
    Access, CommonBlock, DataObject, DataSet, DataValue, Designator, Entity, Entry, Expr,
    GenericName, Implicit, Import, Name, NameOrBlock, SpecKind, TypeSpec, Use, UseItem,
};
use super::super::cursor::{Cursor, Parse};
use super::Flat;

fn spec(kind: SpecKind) -> Parse<Flat> {
    Ok(Flat::Spec(kind))
}

impl Cursor<'_> {
    pub(super) fn use_stmt(&mut self) -> Parse<Flat> {
        let mut intrinsic = None;
        if self.eat(",") {
            intrinsic = Some(if self.word("intrinsic") {
                true
            } else if self.word("non_intrinsic") {
                false
            } else {
                return self.expected("INTRINSIC or NON_INTRINSIC");
            });
        }
        self.eat("::");
        let module = self.name()?;
        let (mut only, mut items) = (false, Vec::new());
        if self.eat(",") {
            let start = self.at;
            only = self.word("only") && self.eat(":");
            if !only {
                self.at = start;
            }
            if !self.at_end() {
                items = self.list(Cursor::use_item)?;
            }
        }
        spec(SpecKind::Use(Use { intrinsic, module, only, items }))
    }

    fn use_item(&mut self) -> Parse<UseItem> {
        let local = self.generic_name()?;
        let original = if self.eat("=>") { Some(self.generic_name()?) } else { None };
        Ok(UseItem { local, original })
    }

    /// A name, `OPERATOR(op)`, `ASSIGNMENT(=)`, `READ(FORMATTED)`.
    pub(super) fn generic_name(&mut self) -> Parse<GenericName> {
        let place = self.place();
        let start = self.at;
        for word in ["operator", "assignment", "read", "write"] {
            self.at = start;
            if !(self.word(word) && self.sees("(")) {
                continue;
            }
            let Some(end) = self.behind_parenthesis(self.at) else { continue };
            let inner = self.text.get(self.at + 1..end - 1).unwrap_or("").trim();
            let inner = inner.to_ascii_lowercase();
            self.at = end;
            return Ok(match word {
                "operator" => GenericName::Operator(place, inner.into()),
                "assignment" => GenericName::Assignment(place),
                _ => GenericName::Io(place, format!("{word}({inner})").into()),
            });
        }
        self.at = start;
        Ok(GenericName::Name(self.name()?))
    }

    pub(super) fn import(&mut self) -> Parse<Flat> {
        if self.at_end() {
            return spec(SpecKind::Import(Import::All));
        }
        if self.eat(",") {
            if self.word("all") {
                return spec(SpecKind::Import(Import::All));
            }
            if self.word("none") {
                return spec(SpecKind::Import(Import::None));
            }
            if !(self.word("only") && self.eat(":")) {
                return self.expected("ALL, NONE or ONLY:");
            }
        } else {
            self.eat("::");
        }
        spec(SpecKind::Import(Import::Names(self.list(Cursor::name)?)))
    }

    pub(super) fn implicit(&mut self) -> Parse<Flat> {
        if self.word("none") {
            let mut implicit = (true, false);
            if self.sees("(") {
                implicit.0 = false;
                for word in self.parenthesised(Cursor::name)? {
                    match word.key() {
                        "type" => implicit.0 = true,
                        "external" => implicit.1 = true,
                        _ => return self.expected("TYPE or EXTERNAL"),
                    }
                }
            }
            let (types, external) = implicit;
            return spec(SpecKind::Implicit(Implicit::None { types, external }));
        }
        let rules = self.list(Cursor::implicit_rule)?;
        spec(SpecKind::Implicit(Implicit::Rules(rules)))
    }

    /// `type (a-h, o-z)`; in `REAL (a-h)` the parentheses are no kind.
    fn implicit_rule(&mut self) -> Parse<(TypeSpec, Vec<(char, char)>)> {
        let with_kind = self.attempt(|cursor| {
            let type_spec = cursor.type_spec()?;
            Ok((type_spec, cursor.parenthesised(Cursor::letters)?))
        });
        if let Some(rule) = with_kind {
            return Ok(rule);
        }
        let Some(open) = self.rest().find('(') else { return self.expected("`(`") };
        let head = self.at + open;
        let (text, at) = (self.text, self.at);
        self.text = text.get(..head).unwrap_or("");
        let type_spec = self.type_spec();
        self.text = text;
        let type_spec = type_spec.inspect_err(|_| self.at = at)?;
        Ok((type_spec, self.parenthesised(Cursor::letters)?))
    }

    fn letters(&mut self) -> Parse<(char, char)> {
        let first = self.letter()?;
        let last = if self.eat("-") { self.letter()? } else { first };
        Ok((first, last))
    }

    fn letter(&mut self) -> Parse<char> {
        let name = self.name()?;
        let mut characters = name.key().chars();
        match (characters.next(), characters.next()) {
            (Some(letter), None) => Ok(letter),
            _ => self.expected("a letter"),
        }
    }

    pub(super) fn parameter(&mut self) -> Parse<Flat> {
        let pair = |cursor: &mut Self| -> Parse<(Name, Expr)> {
            let name = cursor.name()?;
            cursor.expect("=")?;
            Ok((name, cursor.expr()?))
        };
        let parentheses = self.sees("(");
        let list = if parentheses { self.parenthesised(pair)? } else { self.list(pair)? };
        spec(SpecKind::Parameter { list, parentheses })
    }

    pub(super) fn data(&mut self) -> Parse<Flat> {
        let mut sets = Vec::new();
        while !self.at_end() {
            let objects = self.list(Cursor::data_object)?;
            sets.push(DataSet { objects, values: self.data_values()? });
            self.eat(",");
        }
        if sets.is_empty() {
            return self.expected("a variable");
        }
        spec(SpecKind::Data(sets))
    }

    fn data_object(&mut self) -> Parse<DataObject> {
        if self.sees("(") {
            let implied = self.implied_do(Cursor::data_object)?;
            return Ok(DataObject::ImpliedDo(Box::new(implied)));
        }
        Ok(DataObject::Designator(self.designator()?))
    }

    /// `/ values /`
    pub(super) fn data_values(&mut self) -> Parse<Vec<DataValue>> {
        self.expect("/")?;
        let values = self.list(Cursor::data_value)?;
        self.expect("/")?;
        Ok(values)
    }

    fn data_value(&mut self) -> Parse<DataValue> {
        let first = self.signed_primary()?;
        if !self.eat("*") {
            return Ok(DataValue { repeat: None, value: first });
        }
        Ok(DataValue { repeat: Some(first), value: self.signed_primary()? })
    }

    pub(super) fn save(&mut self) -> Parse<Flat> {
        if self.at_end() {
            return spec(SpecKind::Save(Vec::new()));
        }
        self.eat("::");
        spec(SpecKind::Save(self.list(Cursor::name_or_block)?))
    }

    fn name_or_block(&mut self) -> Parse<NameOrBlock> {
        if !self.eat("/") {
            return Ok(NameOrBlock::Name(self.name()?));
        }
        let name = self.name()?;
        self.expect("/")?;
        Ok(NameOrBlock::Block(name))
    }

    pub(super) fn dimension(&mut self) -> Parse<Flat> {
        self.eat("::");
        let entities = self.list(|cursor| -> Parse<Entity> {
            let name = cursor.name()?;
            Ok(Entity::shaped(name, cursor.shape()?))
        })?;
        spec(SpecKind::Dimension(entities))
    }

    pub(super) fn common(&mut self) -> Parse<Flat> {
        let mut blocks = Vec::new();
        loop {
            let place = self.place();
            let mut name = None;
            if self.eat("/") {
                if !self.sees("/") {
                    name = Some(self.name()?);
                }
                self.expect("/")?;
            } else if !blocks.is_empty() {
                return self.expected("`/`");
            }
            let mut members = vec![self.entity(false)?];
            let mut comma = self.eat(",");
            while comma && !self.sees("/") {
                members.push(self.entity(false)?);
                comma = self.eat(",");
            }
            blocks.push(CommonBlock { place, name, members });
            if self.at_end() {
                return spec(SpecKind::Common(blocks));
            }
        }
    }

    pub(super) fn equivalence(&mut self) -> Parse<Flat> {
        let group = |cursor: &mut Self| -> Parse<Vec<Designator>> {
            cursor.parenthesised(Cursor::designator)
        };
        spec(SpecKind::Equivalence(self.list(group)?))
    }

    pub(super) fn external(&mut self) -> Parse<Flat> {
        self.eat("::");
        spec(SpecKind::External(self.list(Cursor::name)?))
    }

    pub(super) fn intrinsic(&mut self) -> Parse<Flat> {
        self.eat("::");
        spec(SpecKind::Intrinsic(self.list(Cursor::name)?))
    }

    pub(super) fn namelist(&mut self) -> Parse<Flat> {
        let mut groups = Vec::new();
        while !self.at_end() {
            self.expect("/")?;
            let name = self.name()?;
            self.expect("/")?;
            let mut members = vec![self.name()?];
            while self.eat(",") && !self.sees("/") {
                members.push(self.name()?);
            }
            groups.push((name, members));
        }
        spec(SpecKind::Namelist(groups))
    }

    pub(super) fn bind_stmt(&mut self) -> Parse<Flat> {
        let bind = self.bind()?;
        self.eat("::");
        spec(SpecKind::Bind(bind, self.list(Cursor::name_or_block)?))
    }

    pub(super) fn access(&mut self, access: Access) -> Parse<Flat> {
        if self.at_end() {
            return spec(SpecKind::Access(access, Vec::new()));
        }
        self.eat("::");
        spec(SpecKind::Access(access, self.list(Cursor::generic_name)?))
    }

    pub(super) fn format(&mut self) -> Parse<Flat> {
        if !self.sees("(") || !self.rest().trim_end().ends_with(')') {
            return self.expected("a format in parentheses");
        }
        let text = self.rest().trim_end();
        self.at = self.text.len();
        spec(SpecKind::Format(text.into()))
    }

    pub(super) fn entry(&mut self) -> Parse<Flat> {
        let name = self.name()?;
        let dummies = self.dummies()?;
        let (result, bind) = self.result_and_bind()?;
        spec(SpecKind::Entry(Entry { name, dummies, result, bind }))
    }

    pub(super) fn interface(&mut self, is_abstract: bool) -> Parse<Flat> {
        let generic = if is_abstract || self.at_end() { None } else { Some(self.generic_name()?) };
        Ok(Flat::Interface(is_abstract, generic))
    }

    pub(super) fn enum_stmt(&mut self) -> Parse<Flat> {
        self.expect(",")?;
        if !self.word("bind") {
            return self.expected("BIND(C)");
        }
        self.bind()?;
        Ok(Flat::Enum)
    }

    /// `ENUMERATOR [::] a [= e], …`
    pub(in super::super) fn enumerator(&mut self) -> Parse<Vec<(Name, Option<Expr>)>> {
        if !self.word("enumerator") {
            return self.expected("ENUMERATOR");
        }
        self.eat("::");
        let list = self.list(|cursor| {
            let name = cursor.name()?;
            let value = if cursor.eat("=") { Some(cursor.expr()?) } else { None };
            Ok((name, value))
        })?;
        self.ended(list)
    }

    /// `[MODULE] PROCEDURE [::] names` in an interface block.
    pub(in super::super) fn interface_procedures(&mut self) -> Parse<(bool, Vec<Name>)> {
        let module = self.word("module procedure");
        if !module && !self.word("procedure") {
            return self.expected("PROCEDURE");
        }
        self.eat("::");
        let names = self.list(Cursor::name)?;
        self.ended((module, names))
    }
}
