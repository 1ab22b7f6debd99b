//! OPEN, CLOSE, INQUIRE, REWIND, BACKSPACE, ENDFILE: files that exist in memory only.

use xaif_schema::diag::Code;
use xaif_schema::model::{ExprId, Ty};

use super::controls::Statement;
use super::scan::{Io, Trouble};
use super::units::{Access, Unit};
use crate::fault::{fault, refuse};
use crate::machine::Machine;
use crate::value::{Scalar, Value};

/// The record length of sequential files, as gfortran has it.
const LONGEST_RECORD: i64 = 1_073_741_824;

impl Machine<'_> {
    /// The unit with this number; one that was never opened is connected to a file of its own.
    pub(super) fn connected(&mut self, number: i64, unformatted: bool) -> Io<&mut Unit> {
        if !self.units.open.contains_key(&number) {
            if number < 0 {
                return Err(Trouble::Bad(5001, format!("unit {number} is not connected")));
            }
            let name = format!("fort.{number}");
            self.in_memory(&name);
            let mut unit = self.units.closed.remove(&name).unwrap_or_default();
            unit.rewind();
            unit.name = Some(name);
            unit.unformatted = unformatted;
            self.units.open.insert(number, unit);
        }
        match self.units.open.get_mut(&number) {
            Some(unit) if unit.unformatted == unformatted => Ok(unit),
            Some(_) => Err(Trouble::Bad(
                5002,
                "formatted and unformatted transfers do not fit in one file".to_string(),
            )),
            None => Ok(fault(Code::RUN_MALFORMED, "a unit is lost")?),
        }
    }

    fn in_memory(&mut self, name: &str) {
        self.warn(
            Code::RUN_NO_OUTPUT,
            format!("the file `{name}` exists in memory only, while the program runs"),
        );
    }

    fn control_word(&mut self, statement: &Statement, keyword: &str) -> Io<Option<String>> {
        match statement.expr(keyword) {
            Some(expr) => Ok(Some(self.word(expr)?)),
            None => Ok(None),
        }
    }

    /// The name of a file, which keeps its case.
    fn file_name(&mut self, statement: &Statement) -> Io<Option<String>> {
        let Some(expr) = statement.expr("file") else { return Ok(None) };
        let bytes = self.eval_scalar(expr)?.as_chars()?;
        Ok(Some(String::from_utf8_lossy(&bytes).trim_end().to_string()))
    }

    fn unit_number(&mut self, statement: &Statement) -> Io<Option<i64>> {
        match statement.expr("unit") {
            Some(expr) => Ok(Some(self.int(expr)?)),
            None => Ok(None),
        }
    }

    /// OPEN.
    pub(super) fn open(&mut self, statement: &Statement) -> Io<()> {
        let status = self.control_word(statement, "status")?.unwrap_or("unknown".to_string());
        let access = match self.control_word(statement, "access")?.as_deref() {
            Some("direct") => Access::Direct,
            Some("stream") => Access::Stream,
            Some(_) | None => Access::Sequential,
        };
        let form = self.control_word(statement, "form")?;
        let unformatted = match form.as_deref() {
            Some("unformatted") => true,
            Some(_) => false,
            None => access != Access::Sequential,
        };
        if access == Access::Stream && !unformatted {
            return Ok(refuse("a formatted stream")?);
        }
        if self.control_word(statement, "pad")?.is_some_and(|pad| pad == "no") {
            return Ok(refuse("a file with PAD='NO'")?);
        }
        if self.control_word(statement, "decimal")?.is_some_and(|word| word == "comma") {
            return Ok(refuse("a file with decimal commas")?);
        }
        let position = self.control_word(statement, "position")?;
        let quote = match self.control_word(statement, "delim")?.as_deref() {
            Some("quote") => Some(b'"'),
            Some("apostrophe") => Some(b'\''),
            Some(_) | None => None,
        };
        let recl = match statement.expr("recl") {
            Some(expr) => Some(self.int(expr)?),
            None => None,
        };
        let name = self.file_name(statement)?;
        let number = match statement.expr("newunit") {
            Some(_) => self.units.fresh(),
            None => self.unit_number(statement)?.unwrap_or(0),
        };
        self.disconnect(number, true);
        let mut unit = Unit::default();
        if status != "scratch" {
            let name = name.unwrap_or_else(|| format!("fort.{number}"));
            let old = self.units.closed.remove(&name);
            match (&old, status.as_str()) {
                (None, "old") => {
                    return Ok(refuse(format!("OPEN of `{name}`, a file outside of the program"))?);
                }
                (Some(_), "new") => {
                    return Err(Trouble::Bad(17, format!("the file `{name}` exists already")));
                }
                _ => {}
            }
            self.in_memory(&name);
            if status != "replace" {
                unit = old.unwrap_or_default();
            }
            unit.name = Some(name);
        }
        unit.rewind();
        if position.as_deref() == Some("append") {
            unit.at = unit.cells.len();
            unit.text.at = unit.text.lines.len();
        }
        unit.access = access;
        unit.unformatted = unformatted;
        unit.recl = recl;
        unit.quote = quote;
        self.units.open.insert(number, unit);
        if let Some(to) = statement.expr("newunit") {
            self.put_scalar(to, Scalar::int(number))?;
        }
        Ok(())
    }

    /// Ends a connection; a file with a name may be kept.
    fn disconnect(&mut self, number: i64, keep: bool) {
        if let Some(unit) = self.units.open.remove(&number)
            && let (true, Some(name)) = (keep, unit.name.clone())
        {
            self.units.closed.insert(name, unit);
        }
    }

    /// CLOSE.
    pub(super) fn close(&mut self, statement: &Statement) -> Io<()> {
        let status = self.control_word(statement, "status")?;
        if let Some(number) = self.unit_number(statement)? {
            self.disconnect(number, status.as_deref() != Some("delete"));
        }
        Ok(())
    }

    /// REWIND, BACKSPACE, ENDFILE.
    pub(super) fn position(&mut self, statement: &Statement) -> Io<()> {
        let Some(number) = self.unit_number(statement)? else { return Ok(()) };
        let Some(unit) = self.units.open.get_mut(&number) else {
            return Ok(());
        };
        match statement.word.as_str() {
            "rewind" => unit.rewind(),
            "backspace" => unit.backspace(),
            _ => unit.end_file(),
        }
        Ok(())
    }

    /// INQUIRE.
    pub(super) fn inquire(&mut self, statement: &Statement) -> Io<()> {
        if let Some(to) = statement.expr("iolength") {
            let mut bytes = 0;
            for &item in &statement.items {
                bytes += self.bytes_of(item)?;
            }
            return Ok(self.put_scalar(to, Scalar::Int(8, bytes))?);
        }
        let name = self.file_name(statement)?;
        let number = match (&name, self.unit_number(statement)?) {
            (None, number) => number,
            (Some(name), _) => {
                let named = |unit: &Unit| unit.name.as_ref() == Some(name);
                self.units.open.iter().filter(|(_, unit)| named(unit)).map(|(&n, _)| n).min()
            }
        };
        let unit = number.and_then(|number| self.units.open.get(&number)).cloned();
        let terminal = name.is_none() && matches!(number, Some(0 | 5 | 6));
        let exists = unit.is_some()
            || match &name {
                Some(name) => self.units.closed.contains_key(name),
                None => number.is_some_and(|number| number >= 0),
            };
        let unit_data = unit.clone().unwrap_or_default();
        let opened = unit.is_some() || terminal;
        for (keyword, to) in statement.expressions() {
            let text = |text: &str| Scalar::chars(text.as_bytes());
            let value = match keyword {
                "unit" | "file" | "iostat" | "iomsg" => continue,
                "exist" => Scalar::logical(exists),
                "opened" => Scalar::logical(opened),
                "named" => Scalar::logical(unit_data.name.is_some()),
                "number" => Scalar::int(number.filter(|_| opened).unwrap_or(-1)),
                "name" => text(unit_data.name.as_deref().unwrap_or("")),
                "access" if !opened => text("UNDEFINED"),
                "access" => text(match unit_data.access {
                    Access::Sequential => "SEQUENTIAL",
                    Access::Direct => "DIRECT",
                    Access::Stream => "STREAM",
                }),
                "form" if !opened => text("UNDEFINED"),
                "form" => text(if unit_data.unformatted { "UNFORMATTED" } else { "FORMATTED" }),
                "recl" if !opened => Scalar::int(-1),
                "recl" => Scalar::int(unit_data.recl.unwrap_or(LONGEST_RECORD)),
                "nextrec" => Scalar::int(unit_data.at as i64 + 1),
                "pos" => Scalar::int(unit_data.position()),
                "size" if opened => return Ok(refuse("INQUIRE with SIZE")?),
                "size" => Scalar::int(-1),
                other => return Ok(refuse(format!("INQUIRE with {}", other.to_uppercase()))?),
            };
            self.put_scalar(to, value)?;
        }
        Ok(())
    }

    /// The bytes that an item takes in an unformatted record.
    fn bytes_of(&mut self, item: ExprId) -> Io<i64> {
        let Ty { .. } = self.doc.exprs[item].ty;
        let elem = |elem, machine: &Self| machine.size_of(elem);
        Ok(match self.reference_of(item) {
            // The value may not be defined yet.
            Some(r) => {
                let at = self.locate(r)?;
                elem(at.elem(), self).saturating_mul(at.addresses().len() as i64)
            }
            None => match self.eval(item)? {
                Value::Scalar(scalar) => elem(scalar.elem(), self),
                Value::Array(array) => elem(array.elem, self) * array.data.len() as i64,
                Value::Object(view) => elem(view.elem, self) * view.elements().count() as i64,
            },
        })
    }
}
