//! READ: list-directed, with a format, unformatted; from the terminal, from files in memory, from
//! character variables.
//!
//! Items are found one after the other, since an earlier one may say how many elements a later one
//! has.

use xaif_schema::diag::Code;
use xaif_schema::model::{ExprId, ExprKind};

use super::controls::Statement;
use super::edit::Settings;
use super::format::{Control, Cursor, Edit, Format, Step};
use super::list::ListReader;
use super::record::Reader;
use super::scan::{self, Io, Trouble};
use super::units::Access;
use super::write::{no_data, seek};
use super::{Form, Place};
use crate::arith::convert;
use crate::fault::{fault, refuse};
use crate::machine::Machine;
use crate::num::Num;
use crate::storage::Addr;
use crate::value::{Elem, Scalar};
use crate::view::View;

/// Takes one scalar of a type from wherever it comes; `None` leaves the variable as it is.
type Source<'s> = dyn FnMut(Elem) -> Io<Option<Scalar>> + 's;

impl Machine<'_> {
    /// READ.
    pub(super) fn read(&mut self, statement: &Statement) -> Io<()> {
        let place = self.place_of(statement, 5)?;
        let form = self.form_of(statement)?;
        if let (Place::Unit(unit), Form::None) = (&place, &form) {
            return self.read_unformatted(*unit, statement);
        }
        let record = self.record_number(statement)?;
        let advances = !self.does_not_advance(statement)?;
        let unit = match &place {
            Place::Terminal => 5,
            Place::Unit(unit) => *unit,
            Place::Internal(view) => {
                let mut reader = self.internal_reader(view)?;
                return self.read_text(statement, &form, &mut reader, true);
            }
            Place::Error | Place::Child => {
                return Ok(refuse("user-defined input of a derived type")?);
            }
        };
        let mut reader = std::mem::take(&mut self.connected(unit, false)?.text);
        if let Some(record) = record {
            reader.at = record;
            reader.column = 0;
        }
        let result = self.read_text(statement, &form, &mut reader, advances);
        match &result {
            // The next READ begins behind the record in any case.
            Ok(()) if !advances => {}
            Err(Trouble::End) => reader.at = reader.lines.len() + 1,
            Ok(()) | Err(_) => reader.advance(),
        }
        if let Some(unit) = self.units.open.get_mut(&unit) {
            unit.text = reader;
        }
        result
    }

    fn read_text(
        &mut self,
        statement: &Statement,
        form: &Form,
        reader: &mut Reader,
        advances: bool,
    ) -> Io<()> {
        match form {
            Form::List => {
                if reader.line().is_none() {
                    return Err(Trouble::End);
                }
                let mut list = ListReader::default();
                self.read_items(&statement.items, &mut |elem| list.next(reader, elem))
            }
            Form::Format(format) => self.read_formatted(statement, format, reader, advances),
            Form::Namelist(group) => self.read_namelist(group, &statement.hidden, reader),
            Form::None => Ok(refuse("unformatted input here")?),
        }
    }

    fn internal_reader(&mut self, view: &View) -> Io<Reader> {
        let mut lines = Vec::new();
        for addr in view.elements() {
            lines.push(self.memory.read(addr, view.elem)?.as_chars()?.to_vec());
        }
        Ok(Reader { lines, at: 0, column: 0 })
    }

    /// Gives each scalar of the items its value.
    fn read_items(&mut self, items: &[ExprId], source: &mut Source<'_>) -> Io<()> {
        for &item in items {
            self.read_item(item, source)?;
        }
        Ok(())
    }

    fn read_item(&mut self, item: ExprId, source: &mut Source<'_>) -> Io<()> {
        self.check_stack()?;
        match &self.doc.exprs[item].kind {
            ExprKind::ImpliedDo(implied) => {
                self.io_implied_do(implied, &mut |machine, item| machine.read_item(item, source))
            }
            ExprKind::Ref(r) => {
                let at = self.locate(*r)?;
                for (addr, elem) in at.addresses() {
                    self.read_element(addr, elem, source)?;
                }
                Ok(())
            }
            ExprKind::Constant(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => Ok(fault(Code::RUN_ARGUMENT, "READ needs variables")?),
        }
    }

    pub(super) fn read_element(
        &mut self,
        addr: Addr,
        elem: Elem,
        source: &mut Source<'_>,
    ) -> Io<()> {
        self.check_stack()?;
        let Elem::Derived(layout) = elem else {
            if let Some(value) = source(elem)? {
                self.memory.write(addr, &convert(value, elem)?)?;
            }
            return Ok(());
        };
        let components = self.layouts[layout as usize].components.clone();
        for component in &components {
            let (None, Some(elem)) = (component.slot, component.elem) else {
                return Ok(refuse("input of a pointer or allocatable component")?);
            };
            let start = addr.plus(component.offset);
            let part = View::contiguous(elem, self.size_of(elem), start, &component.bounds);
            for addr in part.elements() {
                self.read_element(addr, elem, source)?;
            }
        }
        Ok(())
    }

    fn read_formatted(
        &mut self,
        statement: &Statement,
        format: &Format,
        reader: &mut Reader,
        advances: bool,
    ) -> Io<()> {
        if reader.line().is_none() {
            return Err(Trouble::End);
        }
        let mut input = Formatted {
            cursor: Cursor::new(format),
            settings: Settings::default(),
            reader,
            advances,
            taken: 0,
            short: false,
        };
        let result = self.read_items(&statement.items, &mut |elem| input.next(elem).map(Some));
        let result = result.and_then(|()| input.finish());
        let (taken, short) = (input.taken, input.short);
        if let Some(size) = statement.expr("size") {
            self.put_scalar(size, Scalar::int(taken as i64))?;
        }
        if result.is_ok() && short {
            reader.advance();
            return Err(Trouble::Record);
        }
        result
    }

    fn read_unformatted(&mut self, number: i64, statement: &Statement) -> Io<()> {
        let record = self.record_number(statement)?;
        let position = match statement.expr("pos") {
            Some(expr) => Some(self.int(expr)?),
            None => None,
        };
        let unit = self.connected(number, true)?;
        let sequential = unit.access == Access::Sequential;
        let (index, start) = match unit.access {
            Access::Sequential => (unit.at, 0),
            Access::Direct => (record.unwrap_or(0), 0),
            Access::Stream => {
                let start = match position {
                    Some(position) => seek(unit, position)?,
                    None => unit.at,
                };
                (0, start)
            }
        };
        let Some(cells) = unit.cells.get(index).cloned() else { return Err(Trouble::End) };
        let mut at = start;
        let result = self.read_items(&statement.items, &mut |elem| {
            let Some(cell) = cells.get(at) else {
                return Err(if sequential {
                    Trouble::bad("the record is too short")
                } else {
                    Trouble::End
                });
            };
            at += 1;
            if cell.elem() != elem {
                return Ok(refuse("reading an unformatted value as another type")?);
            }
            Ok(Some(cell.clone()))
        });
        let unit = self.connected(number, true)?;
        match unit.access {
            Access::Sequential => unit.at += 1,
            Access::Stream => unit.at = at,
            Access::Direct => {}
        }
        result
    }
}

/// Formatted input on its way through a format.
struct Formatted<'a> {
    cursor: Cursor<'a>,
    settings: Settings,
    reader: &'a mut Reader,
    advances: bool,
    /// Characters that were transferred.
    taken: usize,
    /// Whether the record has ended before its items, and the statement does not advance.
    short: bool,
}

impl Formatted<'_> {
    /// The next value.
    fn next(&mut self, elem: Elem) -> Io<Scalar> {
        if let Elem::Complex(kind) = elem {
            let mut parts = [Num::default(); 2];
            for part in &mut parts {
                if let Scalar::Real(_, x) = self.next(Elem::Real(kind))? {
                    *part = x;
                }
            }
            return Ok(Scalar::Complex(kind, parts));
        }
        loop {
            match self.cursor.step() {
                Step::Control(control) => self.control(control)?,
                Step::Data(edit) => {
                    let field = self.field(edit, elem);
                    return scan::field(edit, self.settings, &field, elem);
                }
                Step::End => {
                    if !self.cursor.revert() {
                        return no_data();
                    }
                    self.next_record()?;
                }
            }
        }
    }

    /// What stands behind the last item.
    fn finish(&mut self) -> Io<()> {
        loop {
            match self.cursor.step() {
                Step::Control(Control::Colon) | Step::Data(_) | Step::End => return Ok(()),
                Step::Control(control) => self.control(control)?,
            }
        }
    }

    fn next_record(&mut self) -> Io<()> {
        self.reader.advance();
        if self.reader.line().is_none() {
            return Err(Trouble::End);
        }
        Ok(())
    }

    /// The characters of a field; a record that is too short goes on with blanks.
    fn field(&mut self, edit: &Edit, elem: Elem) -> Vec<u8> {
        let width = match (edit, elem) {
            (Edit::Text { width: None } | Edit::General { width: 0, .. }, Elem::Char(len)) => len,
            (Edit::Text { width }, _) => width.unwrap_or(1),
            (
                Edit::Integer { width, .. }
                | Edit::Bits { width, .. }
                | Edit::Fixed { width, .. }
                | Edit::Exponent { width, .. }
                | Edit::General { width, .. }
                | Edit::Logical { width },
                _,
            ) => *width,
            (Edit::Derived { .. }, _) => 0,
        };
        let line = self.reader.line().unwrap_or(&[]);
        let rest = line.get(self.reader.column..).unwrap_or(&[]);
        let mut field: Vec<u8> = rest.iter().copied().take(width).collect();
        // A comma ends a field of a number early.
        if !matches!(edit, Edit::Text { .. })
            && !matches!(elem, Elem::Char(_))
            && let Some(comma) = field.iter().position(|&c| c == b',')
        {
            field.truncate(comma);
            self.reader.column += comma + 1;
            self.taken += comma;
            return field;
        }
        self.taken += field.len();
        self.reader.column += field.len();
        if field.len() < width {
            self.short |= !self.advances;
            self.reader.column += width - field.len();
            if matches!(edit, Edit::Text { .. }) || matches!(elem, Elem::Char(_)) {
                field.resize(width, b' ');
            }
        }
        field
    }

    fn control(&mut self, control: &Control) -> Io<()> {
        match control {
            Control::Text(text) => self.reader.column += text.len(),
            Control::Skip(columns) => {
                let column = (self.reader.column as i64).saturating_add(*columns).max(0);
                self.reader.column = column as usize;
            }
            Control::Tab(column) => self.reader.column = column.saturating_sub(1),
            Control::Slash => self.next_record()?,
            Control::Colon | Control::Plus(_) | Control::Stay => {}
            Control::Scale(scale) => self.settings.scale = *scale,
            Control::BlankIsZero(zero) => self.settings.blank_is_zero = *zero,
        }
        Ok(())
    }
}
