//! WRITE and PRINT: list-directed, with a format, unformatted; to the terminal, to files in
//! memory, to character variables.

use xaif_schema::diag::Code;
use xaif_schema::model::{ExprId, ExprKind, GenericSpec, Role, ScopeKind, SymbolId};

use super::controls::{Control, Statement};
use super::edit::{self, Settings};
use super::format::{self, Control as FormatControl, Cursor, Edit, Format, Step};
use super::listing::Listing;
use super::record::Line;
use super::scan::{Io, Trouble};
use super::units::{Access, Unit};
use super::{Form, Place};
use crate::call::{Actual, Target};
use crate::callee::target_of;
use crate::fault::{Located as _, Run, fault, refuse};
use crate::machine::Machine;
use crate::value::{Array, Elem, Scalar, Value};
use crate::view::View;

/// One thing that is written.
enum Leaf {
    Scalar(Scalar),
    /// An object of a type with a `write(formatted)` of its own.
    Own(View, Target),
}

/// Records as a statement makes them: those that are finished, and the last one.
#[derive(Default)]
struct Records {
    done: Vec<Vec<u8>>,
    line: Line,
    /// Whether the last one goes on in the next statement.
    stays: bool,
}

impl Machine<'_> {
    /// WRITE or PRINT.
    pub(super) fn write(&mut self, statement: &Statement) -> Io<()> {
        let place = self.place_of(statement, 6)?;
        let form = self.form_of(statement)?;
        if let (Place::Unit(unit), Form::None) = (&place, &form) {
            let leaves = self.leaves(&statement.items)?;
            return self.write_unformatted(*unit, statement, leaves);
        }
        if let Place::Unit(unit) = place {
            self.connected(unit, false)?;
        }
        let leaves = match form {
            Form::Namelist(_) => Vec::new(),
            Form::List | Form::Format(_) | Form::None => self.leaves(&statement.items)?,
        };
        let mut records = Records { line: self.open_line(&place), ..Records::default() };
        let quote = match place {
            Place::Unit(unit) => self.units.open.get(&unit).and_then(|unit| unit.quote),
            Place::Terminal | Place::Error | Place::Child | Place::Internal(_) => None,
        };
        match form {
            Form::List => {
                let mut listing = Listing::new(records.line, quote);
                for leaf in leaves {
                    match leaf {
                        Leaf::Scalar(scalar) => listing.add(&scalar)?,
                        Leaf::Own(view, target) => {
                            let text = self.own_output(&view, &target, "LISTDIRECTED", &[])?;
                            listing.add_raw(&text);
                        }
                    }
                }
                records.line = listing.line;
            }
            Form::Format(format) => {
                records.stays = self.does_not_advance(statement)?;
                self.write_formatted(&format, leaves, &mut records)?;
            }
            Form::Namelist(group) => {
                records.done = self.namelist_records(&group, &statement.hidden)?;
                records.line = Line::default();
                return self.put_records(place, statement, records, true);
            }
            Form::None => return Ok(refuse("unformatted output here")?),
        }
        self.put_records(place, statement, records, false)
    }

    /// Whether `advance='no'` stands there.
    pub(super) fn does_not_advance(&mut self, statement: &Statement) -> Io<bool> {
        Ok(match statement.expr("advance") {
            Some(expr) => self.word(expr)? == "no",
            None => false,
        })
    }

    /// The record that an earlier statement has left open.
    fn open_line(&mut self, place: &Place) -> Line {
        match place {
            Place::Terminal => Line::behind(std::mem::take(&mut self.partial)),
            Place::Child => {
                Line::behind(self.children.last_mut().map(Line::take).unwrap_or_default())
            }
            Place::Unit(unit) => match self.units.open.get_mut(unit) {
                Some(unit) if unit.open_record => {
                    unit.open_record = false;
                    unit.text.at = unit.text.at.saturating_sub(1);
                    Line::behind(unit.text.lines.get(unit.text.at).cloned().unwrap_or_default())
                }
                Some(_) | None => Line::default(),
            },
            Place::Error | Place::Internal(_) => Line::default(),
        }
    }

    fn put_records(
        &mut self,
        place: Place,
        statement: &Statement,
        mut records: Records,
        complete: bool,
    ) -> Io<()> {
        if records.stays {
            records.line.pad();
        }
        let last = records.line.take();
        match place {
            Place::Error => {}
            Place::Terminal => {
                let mut text: Vec<u8> = records.done.join(&b'\n');
                if !records.done.is_empty() {
                    text.push(b'\n');
                }
                if !complete && records.stays {
                    self.partial = last;
                } else if !complete {
                    text.extend(last);
                    text.push(b'\n');
                }
                self.output.extend(text);
            }
            Place::Child => {
                if !records.done.is_empty() {
                    return Ok(refuse("user-defined output of several records")?);
                }
                if let Some(line) = self.children.last_mut() {
                    *line = Line::behind(last);
                }
            }
            Place::Internal(view) => {
                if !complete {
                    records.done.push(last);
                }
                self.put_internal(&view, &records.done)?;
            }
            Place::Unit(number) => {
                if !complete {
                    records.done.push(last);
                }
                let record = self.record_number(statement)?;
                let unit = self.connected(number, false)?;
                put_text(unit, records.done, record, records.stays)?;
            }
        }
        Ok(())
    }

    fn put_internal(&mut self, view: &View, records: &[Vec<u8>]) -> Io<()> {
        let Elem::Char(length) = view.elem else {
            return Err(Trouble::bad("an internal file is no character variable"));
        };
        let mut places = view.elements();
        for record in records {
            let Some(addr) = places.next() else { return Err(Trouble::End) };
            let mut text = record.clone();
            if text.len() > length {
                return Err(Trouble::Record);
            }
            text.resize(length, b' ');
            self.memory.write(addr, &Scalar::chars(text))?;
        }
        Ok(())
    }

    fn write_formatted(
        &mut self,
        format: &Format,
        leaves: Vec<Leaf>,
        records: &mut Records,
    ) -> Io<()> {
        let mut cursor = Cursor::new(format);
        let mut settings = Settings::default();
        let mut leaves = leaves.into_iter().flat_map(parts).peekable();
        loop {
            match cursor.step() {
                Step::Control(control) => {
                    if *control == FormatControl::Colon && leaves.peek().is_none() {
                        return Ok(());
                    }
                    write_control(control, &mut settings, records);
                }
                Step::Data(edit) => {
                    let Some(leaf) = leaves.next() else { return Ok(()) };
                    let field = self.formatted(edit, settings, leaf)?;
                    records.line.put(&field);
                }
                Step::End => {
                    if leaves.peek().is_none() {
                        return Ok(());
                    }
                    records.done.push(records.line.take());
                    if !cursor.revert() {
                        return no_data();
                    }
                }
            }
        }
    }

    fn formatted(&mut self, edit: &Edit, settings: Settings, leaf: Leaf) -> Io<Vec<u8>> {
        match (leaf, edit) {
            (Leaf::Scalar(scalar), _) => Ok(edit::field(edit, settings, &scalar)?),
            (Leaf::Own(view, target), Edit::Derived { name, list }) => {
                self.own_output(&view, &target, name, list)
            }
            (Leaf::Own(..), _) => Ok(refuse("output of a derived type without DT")?),
        }
    }

    /// The characters that a `write(formatted)` of the program writes.
    fn own_output(
        &mut self,
        view: &View,
        target: &Target,
        kind: &str,
        list: &[i64],
    ) -> Io<Vec<u8>> {
        let list = list.iter().map(|&value| Scalar::int(value)).collect();
        let list = Value::from(Array::vector(Elem::Int(4), list));
        let values = [
            Scalar::int(super::CHILD).into(),
            Scalar::chars(kind.as_bytes()).into(),
            list,
            Scalar::int(0).into(),
            Scalar::chars(vec![b' '; 256]).into(),
        ];
        let mut actuals = smallvec::SmallVec::new();
        actuals.push(Actual::Data { view: view.clone(), copied: false });
        for value in values {
            actuals.push(Actual::Data { view: self.materialise(value)?, copied: true });
        }
        let status = match actuals.get(4) {
            Some(Actual::Data { view, .. }) => view.clone(),
            _ => view.clone(),
        };
        self.children.push(Line::default());
        let result = self.invoke(target, actuals, self.place);
        let text = self.children.pop().map(|mut line| line.take()).unwrap_or_default();
        result?;
        match self.load_view(&status)? {
            Value::Scalar(Scalar::Int(_, 0)) => Ok(text),
            _ => Err(Trouble::Bad(5000, "user-defined output reports an error".to_string())),
        }
    }

    fn write_unformatted(
        &mut self,
        number: i64,
        statement: &Statement,
        leaves: Vec<Leaf>,
    ) -> Io<()> {
        let mut cells = Vec::new();
        for leaf in leaves {
            match leaf {
                Leaf::Scalar(Scalar::Undefined(_)) => return Ok(crate::value::undefined()?),
                Leaf::Scalar(scalar) => cells.push(scalar),
                Leaf::Own(view, _) => {
                    let mut parts = Vec::new();
                    self.components(&view, &mut parts, false)?;
                    cells.extend(parts.into_iter().filter_map(|leaf| match leaf {
                        Leaf::Scalar(scalar) => Some(scalar),
                        Leaf::Own(..) => None,
                    }));
                }
            }
        }
        let record = self.record_number(statement)?;
        let position = match statement.expr("pos") {
            Some(expr) => Some(self.int(expr)?),
            None => None,
        };
        let unit = self.connected(number, true)?;
        match unit.access {
            Access::Sequential => {
                unit.cells.truncate(unit.at);
                unit.cells.push(cells);
                unit.at += 1;
            }
            Access::Direct => {
                let Some(index) = record else {
                    return Err(Trouble::bad("REC= is missing for a direct-access file"));
                };
                if unit.cells.len() <= index {
                    unit.cells.resize(index + 1, Vec::new());
                }
                unit.cells[index] = cells;
            }
            Access::Stream => {
                if let Some(position) = position {
                    unit.at = seek(unit, position)?;
                }
                if unit.cells.is_empty() {
                    unit.cells.push(Vec::new());
                }
                for cell in cells {
                    let Some(stream) = unit.cells.first_mut() else { break };
                    match stream.get_mut(unit.at) {
                        Some(old) if old.elem() == cell.elem() => *old = cell,
                        Some(_) => {
                            return Ok(refuse("writing over a stream with another type")?);
                        }
                        None => stream.push(cell),
                    }
                    unit.at += 1;
                }
            }
        }
        Ok(())
    }

    /// The scalars of a list of items, and the objects that write themselves.
    fn leaves(&mut self, items: &[ExprId]) -> Run<Vec<Leaf>> {
        let mut leaves = Vec::new();
        for &item in items {
            self.add_leaves(item, &mut leaves)?;
        }
        Ok(leaves)
    }

    fn add_leaves(&mut self, item: ExprId, leaves: &mut Vec<Leaf>) -> Run<()> {
        self.check_stack()?;
        if let ExprKind::ImpliedDo(implied) = &self.doc.exprs[item].kind {
            return self
                .io_implied_do(implied, &mut |machine, item| machine.add_leaves(item, leaves));
        }
        match self.eval(item)? {
            Value::Scalar(scalar) => leaves.push(Leaf::Scalar(scalar)),
            Value::Array(array) => leaves.extend(array.data.into_iter().map(Leaf::Scalar)),
            Value::Object(view) => {
                self.components(&view, leaves, true).at(self.doc.exprs[item].place)?;
            }
        }
        Ok(())
    }

    /// The components of objects, in order.
    fn components(&mut self, view: &View, leaves: &mut Vec<Leaf>, own: bool) -> Run<()> {
        self.check_stack()?;
        let Elem::Derived(layout) = view.elem else {
            return fault(Code::RUN_TYPE, "an object is of no derived type");
        };
        let output = if own { self.own_output_of(layout)? } else { None };
        let components = self.layouts[layout as usize].components.clone();
        for object in view.elements() {
            if let Some(target) = &output {
                leaves.push(Leaf::Own(View::scalar(view.elem, object), target.clone()));
                continue;
            }
            for component in &components {
                let (None, Some(elem)) = (component.slot, component.elem) else {
                    return refuse("output of a pointer or allocatable component");
                };
                let addr = object.plus(component.offset);
                let part = View::contiguous(elem, self.size_of(elem), addr, &component.bounds);
                match self.load_view(&part)? {
                    Value::Scalar(scalar) => leaves.push(Leaf::Scalar(scalar)),
                    Value::Array(array) => leaves.extend(array.data.into_iter().map(Leaf::Scalar)),
                    Value::Object(inner) => self.components(&inner, leaves, own)?,
                }
            }
        }
        Ok(())
    }

    /// The procedure that is bound to the type as `write(formatted)`.
    fn own_output_of(&mut self, layout: u32) -> Run<Option<Target>> {
        let doc = self.doc;
        let specifics = |symbol: SymbolId| match doc.role(symbol) {
            Some(Role::Generic { spec: GenericSpec::Io(text), specifics })
                if text.to_ascii_lowercase().contains("write(formatted)") =>
            {
                Some(specifics)
            }
            Some(_) | None => None,
        };
        let mut at = Some(layout);
        while let Some(id) = at {
            let layout = &self.layouts[id as usize];
            if let Some(Role::DerivedType { scope, .. }) = doc.role(layout.symbol) {
                let generic = doc.scopes[*scope].symbols.iter().find_map(|&s| specifics(s));
                if let Some(&binding) = generic.and_then(|specifics| specifics.first()) {
                    let name = doc.name(binding);
                    let found = self.find_binding(id, name).unwrap_or(binding);
                    let Some(Role::Binding { target: Some(target), .. }) = doc.role(found) else {
                        return fault(Code::RUN_EXTERNAL, "user-defined output has no body");
                    };
                    return target_of(self, *target).map(Some);
                }
            }
            at = layout.parent;
        }
        let declared = doc.symbols.keys().any(|symbol| {
            specifics(symbol).is_some()
                && !matches!(doc.scopes[doc.symbols[symbol].scope].kind, ScopeKind::DerivedType(_))
        });
        if declared {
            return refuse("user-defined output that is no part of its type");
        }
        Ok(None)
    }

    /// The format of a statement, if it has one.
    pub(super) fn form_of(&mut self, statement: &Statement) -> Io<Form> {
        if let Some(Control::Name(group)) = statement.control("nml") {
            return Ok(Form::Namelist(group.clone()));
        }
        let text = match statement.control("fmt") {
            None => return Ok(Form::None),
            Some(Control::Star) => return Ok(Form::List),
            Some(Control::Name(group)) => return Ok(Form::Namelist(group.clone())),
            Some(Control::Format(label)) => self.format_text(*label)?,
            Some(Control::Label(_)) => {
                return Ok(fault(Code::RUN_MALFORMED, "a format has a label to jump to")?);
            }
            Some(Control::Expr(expr)) => match self.eval(*expr)? {
                Value::Scalar(Scalar::Char(bytes)) => bytes.to_vec(),
                Value::Array(array) => {
                    let mut text = Vec::new();
                    for scalar in &array.data {
                        text.extend_from_slice(&scalar.as_chars()?);
                    }
                    text
                }
                // ASSIGN has put the label of a FORMAT there.
                Value::Scalar(scalar) => {
                    let label = scalar.as_int()?;
                    self.format_text(u32::try_from(label).unwrap_or(0))?
                }
                Value::Object(_) => {
                    return Ok(fault(Code::RUN_TYPE, "a format is an object")?);
                }
            },
        };
        Ok(Form::Format(format::parse(&text)?))
    }

    /// The text of the FORMAT with this label, from its parenthesis on.
    fn format_text(&mut self, label: u32) -> Run<Vec<u8>> {
        let found = self.frames.last().and_then(|frame| {
            self.program.formats.get(&(frame.proc, label)).map(|text| text.as_bytes().to_vec())
        });
        match found {
            Some(text) => Ok(text),
            None => fault(Code::RUN_FORMAT, format!("there is no FORMAT with the label {label}")),
        }
    }

    /// REC=, from 0.
    pub(super) fn record_number(&mut self, statement: &Statement) -> Io<Option<usize>> {
        let Some(expr) = statement.expr("rec") else { return Ok(None) };
        let record = self.int(expr)?;
        // Nothing in memory has more records.
        match usize::try_from(record - 1) {
            Ok(index) if index < 1 << 24 => Ok(Some(index)),
            Ok(_) | Err(_) => Err(Trouble::bad(format!("there is no record {record}"))),
        }
    }
}

/// The value of a stream at a byte.
pub(super) fn seek(unit: &Unit, position: i64) -> Io<usize> {
    match unit.seek(position) {
        Some(at) => Ok(at),
        None => Ok(refuse("a position in a stream at which no value begins")?),
    }
}

/// A complex number is written as two reals.
fn parts(leaf: Leaf) -> impl Iterator<Item = Leaf> {
    let (first, second) = match leaf {
        Leaf::Scalar(Scalar::Complex(kind, [re, im])) => {
            (Leaf::Scalar(Scalar::Real(kind, re)), Some(Leaf::Scalar(Scalar::Real(kind, im))))
        }
        other => (other, None),
    };
    std::iter::once(first).chain(second)
}

fn put_text(unit: &mut Unit, records: Vec<Vec<u8>>, index: Option<usize>, stays: bool) -> Io<()> {
    let text = &mut unit.text;
    if unit.access == Access::Direct {
        let Some(index) = index else {
            return Err(Trouble::bad("REC= is missing for a direct-access file"));
        };
        let length = usize::try_from(unit.recl.unwrap_or(0)).unwrap_or(0);
        for (record, mut line) in (index..).zip(records) {
            if line.len() > length {
                return Err(Trouble::bad("a record is longer than RECL"));
            }
            line.resize(length, b' ');
            if text.lines.len() <= record {
                text.lines.resize(record + 1, Vec::new());
            }
            text.lines[record] = line;
        }
        return Ok(());
    }
    text.lines.truncate(text.at);
    text.lines.extend(records);
    text.at = text.lines.len();
    text.column = 0;
    unit.open_record = stays;
    Ok(())
}

fn write_control(control: &FormatControl, settings: &mut Settings, records: &mut Records) {
    match control {
        FormatControl::Text(text) => records.line.put(text),
        FormatControl::Skip(columns) => records.line.skip(*columns),
        FormatControl::Tab(column) => records.line.tab(*column),
        FormatControl::Slash => records.done.push(records.line.take()),
        FormatControl::Colon => {}
        FormatControl::Scale(scale) => settings.scale = *scale,
        FormatControl::Plus(plus) => settings.plus = *plus,
        FormatControl::BlankIsZero(zero) => settings.blank_is_zero = *zero,
        FormatControl::Stay => records.stays = true,
    }
}

/// Reversion into a format that takes no item.
pub(super) fn no_data<T>() -> Io<T> {
    Ok(fault(Code::RUN_FORMAT, "the format takes no items, but there are some")?)
}
