//! Input and output statements.

use super::super::ast::{ArrayItem, Io, IoControl, IoKind, IoValue, StmtKind};
use super::super::cursor::{Cursor, Parse};
use super::Flat;

fn flat(kind: IoKind, parentheses: bool, control: Vec<IoControl>, items: Vec<ArrayItem>) -> Flat {
    Flat::Exec(StmtKind::Io(Box::new(Io { kind, parentheses, control, items })))
}

impl Cursor<'_> {
    pub(super) fn read(&mut self) -> Parse<Flat> {
        if self.sees("(") {
            let start = self.at;
            match self.transfer(IoKind::Read) {
                Ok(flat) if self.at_end() => return Ok(flat),
                // `READ (f) , x` may be meant, where `(f)` is a format.
                Ok(_) | Err(_) => self.at = start,
            }
            if !self.rest_has_format_in_parentheses() {
                return self.transfer(IoKind::Read);
            }
        }
        self.short_transfer(IoKind::Read)
    }

    fn rest_has_format_in_parentheses(&self) -> bool {
        let behind = self.behind_parenthesis(self.at).and_then(|at| self.text.get(at..));
        behind.is_some_and(|rest| rest.trim_start().starts_with(','))
    }

    pub(super) fn write(&mut self) -> Parse<Flat> {
        self.transfer(IoKind::Write)
    }

    pub(super) fn print(&mut self) -> Parse<Flat> {
        self.short_transfer(IoKind::Print)
    }

    /// `(control) items`
    fn transfer(&mut self, kind: IoKind) -> Parse<Flat> {
        let control = self.control_list(true)?;
        self.eat(",");
        let items = if self.at_end() { Vec::new() } else { self.list(Cursor::array_item)? };
        Ok(flat(kind, true, control, items))
    }

    /// `format [, items]`
    fn short_transfer(&mut self, kind: IoKind) -> Parse<Flat> {
        let place = self.place();
        let value = self.control_value(true)?;
        let items = if self.eat(",") { self.list(Cursor::array_item)? } else { Vec::new() };
        Ok(flat(kind, false, vec![IoControl { place, keyword: None, value }], items))
    }

    pub(super) fn io_control(&mut self, kind: IoKind) -> Parse<Flat> {
        Ok(flat(kind, true, self.control_list(false)?, Vec::new()))
    }

    pub(super) fn inquire(&mut self) -> Parse<Flat> {
        let control = self.control_list(false)?;
        let items = if self.at_end() { Vec::new() } else { self.list(Cursor::array_item)? };
        Ok(flat(IoKind::Inquire, true, control, items))
    }

    /// `REWIND 5` or `REWIND (UNIT=5, …)`
    pub(super) fn io_position(&mut self, kind: IoKind) -> Parse<Flat> {
        if self.at_end() && kind == IoKind::Flush {
            return Ok(flat(kind, false, Vec::new(), Vec::new()));
        }
        let place = self.place();
        let listed = self.sees("(")
            && self.behind_parenthesis(self.at).is_some_and(|end| end == self.text.len());
        if listed {
            return self.io_control(kind);
        }
        let control = IoControl { place, keyword: None, value: IoValue::Expr(self.expr()?) };
        Ok(flat(kind, false, vec![control], Vec::new()))
    }

    /// The control list; `format` says whether its second item is a format.
    fn control_list(&mut self, format: bool) -> Parse<Vec<IoControl>> {
        self.expect("(")?;
        let mut list = Vec::new();
        loop {
            let place = self.place();
            let keyword = self.keyword();
            let label = match &keyword {
                Some(name) => matches!(name.key(), "fmt" | "err" | "end" | "eor"),
                None => format && list.len() == 1,
            };
            let value = self.control_value(label)?;
            list.push(IoControl { place, keyword, value });
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(list)
    }

    fn control_value(&mut self, label: bool) -> Parse<IoValue> {
        if self.eat("*") {
            return Ok(IoValue::Star);
        }
        if label {
            let found = self.attempt(|cursor| {
                let label = cursor.label()?;
                match cursor.peek() {
                    None | Some(b',' | b')') => Ok(label),
                    Some(_) => cursor.expected("the end of a label"),
                }
            });
            if let Some(label) = found {
                return Ok(IoValue::Label(label));
            }
        }
        Ok(IoValue::Expr(self.expr()?))
    }
}
