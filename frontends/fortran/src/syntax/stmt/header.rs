//! The opening statements of program units.

use xaif_schema::diag::Code;

use super::super::ast::{Bind, Dummy, Name, Prefix, Procedure, Submodule, UnitKind};
use super::super::cursor::{Cursor, Parse};
use super::Flat;

impl Cursor<'_> {
    /// SUBROUTINE or FUNCTION behind PURE, a type and the like.
    pub(super) fn prefixed_header(&mut self) -> Parse<Flat> {
        let mut prefixes = Vec::new();
        loop {
            let start = self.at;
            if !prefixes.is_empty() {
                if self.word("function") {
                    match self.function_ahead(&prefixes) {
                        Err(fault) if fault.code == Code::SYNTAX => {}
                        done => return done,
                    }
                }
                self.at = start;
                if self.word("subroutine") {
                    return self.subroutine(prefixes);
                }
            }
            prefixes.push(self.prefix()?);
        }
    }

    fn function_ahead(&mut self, prefixes: &[Prefix]) -> Parse<Flat> {
        let flat = self.function(prefixes.to_vec())?;
        self.ended(flat)
    }

    fn prefix(&mut self) -> Parse<Prefix> {
        Ok(if self.word("pure") {
            Prefix::Pure
        } else if self.word("impure") {
            Prefix::Impure
        } else if self.word("elemental") {
            Prefix::Elemental
        } else if self.word("recursive") {
            Prefix::Recursive
        } else if self.word("non_recursive") {
            Prefix::NonRecursive
        } else if self.word("module") {
            Prefix::Module
        } else {
            Prefix::Type(self.type_spec()?)
        })
    }

    pub(super) fn subroutine(&mut self, prefixes: Vec<Prefix>) -> Parse<Flat> {
        let name = self.name()?;
        let dummies = self.dummies()?;
        let (result, bind) = self.result_and_bind()?;
        let procedure = Procedure { prefixes, name, dummies, result, bind };
        Ok(Flat::Unit(UnitKind::Subroutine(procedure)))
    }

    pub(super) fn function(&mut self, prefixes: Vec<Prefix>) -> Parse<Flat> {
        let name = self.name()?;
        if self.sees("*") {
            let message = "a length behind the name of a function is not supported";
            return self.coded(Code::UNSUPPORTED, message);
        }
        if !self.sees("(") {
            return self.expected("`(`");
        }
        let dummies = self.dummies()?;
        let (result, bind) = self.result_and_bind()?;
        let procedure = Procedure { prefixes, name, dummies, result, bind };
        Ok(Flat::Unit(UnitKind::Function(procedure)))
    }

    pub(super) fn dummies(&mut self) -> Parse<Option<Vec<Dummy>>> {
        if !self.sees("(") {
            return Ok(None);
        }
        let dummies = self.parenthesised(|cursor| {
            let place = cursor.place();
            if cursor.eat("*") { Ok(Dummy::Star(place)) } else { Ok(Dummy::Name(cursor.name()?)) }
        })?;
        Ok(Some(dummies))
    }

    /// `RESULT(r)` and `BIND(C)`, in any order.
    pub(super) fn result_and_bind(&mut self) -> Parse<(Option<Name>, Option<Bind>)> {
        let (mut result, mut bind) = (None, None);
        loop {
            if result.is_none() && self.word("result") {
                self.expect("(")?;
                result = Some(self.name()?);
                self.expect(")")?;
            } else if bind.is_none() && self.word("bind") {
                bind = Some(self.bind()?);
            } else {
                return Ok((result, bind));
            }
        }
    }

    pub(super) fn program(&mut self) -> Parse<Flat> {
        let name = self.name()?;
        Ok(Flat::Unit(UnitKind::Program(Some(name))))
    }

    pub(super) fn module(&mut self) -> Parse<Flat> {
        Ok(Flat::Unit(UnitKind::Module(self.name()?)))
    }

    pub(super) fn module_procedure(&mut self) -> Parse<Flat> {
        Ok(Flat::Unit(UnitKind::ModuleProcedure(self.name()?)))
    }

    pub(super) fn submodule(&mut self) -> Parse<Flat> {
        self.expect("(")?;
        let ancestor = self.name()?;
        let parent = if self.eat(":") { Some(self.name()?) } else { None };
        self.expect(")")?;
        let name = self.name()?;
        Ok(Flat::Unit(UnitKind::Submodule(Submodule { ancestor, parent, name })))
    }

    pub(super) fn block_data(&mut self) -> Parse<Flat> {
        let name = if self.at_end() { None } else { Some(self.name()?) };
        Ok(Flat::Unit(UnitKind::BlockData(name)))
    }
}
