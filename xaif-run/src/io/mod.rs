//! Markers: input and output, STOP, RETURN with a number, ASSIGN.
//!
//! Output to the terminal and to character variables is that of gfortran 12, byte for byte. Files
//! exist in memory while the program runs; those that are there before it are refused. What is
//! written to standard error is left out.
//!
//! Map: `controls.rs` takes a statement apart; `format.rs`, `edit.rs`, `scan.rs` are formats and
//! fields; `record.rs`, `units.rs` the records and files; `write.rs`, `listing.rs` write, `read.rs`,
//! `list.rs` read, `namelist.rs` does both; `printf.rs` is the output of C; `files.rs` opens, closes, inquires and moves.

mod controls;
mod edit;
mod files;
mod format;
mod list;
mod listing;
mod namelist;
mod printf;
mod read;
mod record;
mod scan;
mod units;
mod write;

use xaif_schema::diag::Code;
use xaif_schema::model::{ExprId, ExprKind, ImpliedDo, Marker, Piece, RefId, Verb};

pub(crate) use self::record::Line;
pub(crate) use self::units::{Unit, Units};

use self::controls::{Control, Statement};
use self::format::Format;
use self::scan::{Io, Trouble};
use crate::arith::convert;
use crate::fault::{Halt, Run, fault, refuse};
use crate::machine::Machine;
use crate::value::{Elem, Scalar, Value};
use crate::view::View;

/// The unit that user-defined output is given.
const CHILD: i64 = -1_000_000;

/// What a statement transfers data by.
enum Form {
    List,
    Format(Format),
    /// The name of the group.
    Namelist(String),
    /// Unformatted.
    None,
}

/// Where data goes to or comes from.
enum Place {
    Terminal,
    /// Standard error.
    Error,
    Unit(i64),
    /// A character variable.
    Internal(View),
    /// The record of the statement that calls user-defined output.
    Child,
}

impl Machine<'_> {
    /// Executes a marker; the result is the condition value of the edge that it chooses.
    pub(crate) fn marker(&mut self, marker: &Marker) -> Run<Option<i64>> {
        match marker.verb {
            Verb::Genuine | Verb::Format | Verb::Continue | Verb::Pause => Ok(None),
            Verb::Io => match printf::function(marker) {
                Some(function) => self.c_output(marker, function),
                None => self.io(marker),
            },
            Verb::Stop => {
                let code = match marker.operands.first() {
                    Some(operand) => text_of(&self.eval_scalar(operand.expr)?),
                    None => String::new(),
                };
                Err(Box::new(Halt::Stop(code)))
            }
            Verb::Return => {
                let number = match marker.operands.first() {
                    Some(operand) => self.int(operand.expr)?,
                    None => 0,
                };
                if let Some(frame) = self.frames.last_mut() {
                    frame.alternate = number;
                }
                Ok(None)
            }
            Verb::AssignLabel => self.assign_label(marker),
            Verb::Opaque => {
                let text = marker.text.iter().filter_map(|piece| match piece {
                    Piece::Text(text) => Some(&**text),
                    Piece::Operand(_) | Piece::Label(_) | Piece::StatementLabel(_) => None,
                });
                refuse(format!("`{}`, which was carried as text", text.collect::<String>()))
            }
        }
    }

    fn assign_label(&mut self, marker: &Marker) -> Run<Option<i64>> {
        let label = marker.text.iter().find_map(|piece| match piece {
            Piece::StatementLabel(label) => Some(i64::from(*label)),
            Piece::Label(label) => Some(*label),
            Piece::Text(_) | Piece::Operand(_) => None,
        });
        let (Some(label), Some(to)) = (label, marker.operands.first()) else {
            return fault(Code::RUN_MALFORMED, "an ASSIGN lacks its label or variable");
        };
        self.put_scalar(to.expr, Scalar::int(label))?;
        Ok(None)
    }

    fn put_scalar(&mut self, expr: ExprId, value: Scalar) -> Run<()> {
        let Some(r) = self.reference_of(expr) else {
            return fault(Code::RUN_ARGUMENT, "a variable is needed here");
        };
        let to = self.locate(r)?;
        let value = convert(value, to.elem())?;
        self.store_at(&to, Value::Scalar(value))
    }

    fn reference_of(&self, expr: ExprId) -> Option<RefId> {
        match self.doc.exprs[expr].kind {
            ExprKind::Ref(r) => Some(r),
            _ => None,
        }
    }

    /// The value of a character control, without trailing blanks, in lower case.
    fn word(&mut self, expr: ExprId) -> Run<String> {
        let bytes = self.eval_scalar(expr)?.as_chars()?;
        Ok(String::from_utf8_lossy(&bytes).trim().to_ascii_lowercase())
    }

    fn io(&mut self, marker: &Marker) -> Run<Option<i64>> {
        let statement = Statement::of(marker);
        let result = match statement.word.as_str() {
            "print" | "write" => self.write(&statement),
            "read" => self.read(&statement),
            "open" => self.open(&statement),
            "close" => self.close(&statement),
            "inquire" => self.inquire(&statement),
            "rewind" | "backspace" | "endfile" | "end" => self.position(&statement),
            "flush" | "wait" => Ok(()),
            other => refuse(format!("the I/O statement `{other}`"))?,
        };
        self.conclude(&statement, result)
    }

    /// Tells the program how a statement has ended: IOSTAT, IOMSG, END, EOR, ERR. The result is the
    /// edge that it takes.
    fn conclude(&mut self, statement: &Statement, result: Io<()>) -> Run<Option<i64>> {
        let (status, message, label) = match result {
            Ok(()) => {
                if let Some(status) = statement.expr("iostat") {
                    self.put_scalar(status, Scalar::int(0))?;
                }
                return Ok(None);
            }
            Err(Trouble::Halt(halt)) => return Err(halt),
            Err(Trouble::End) => (-1, "the end of the file is reached".to_string(), "end"),
            Err(Trouble::Record) => (-2, "the end of the record is reached".to_string(), "eor"),
            Err(Trouble::Bad(status, message)) => (status, message, "err"),
        };
        if let Some(to) = statement.expr("iomsg") {
            let text = Scalar::chars(message.as_bytes());
            if let Some(r) = self.reference_of(to) {
                let to = self.locate(r)?;
                self.store_at(&to, Value::Scalar(convert(text, to.elem())?))?;
            }
        }
        let edge = statement.label(label);
        match statement.expr("iostat") {
            Some(to) => self.put_scalar(to, Scalar::int(status))?,
            None if edge.is_none() => {
                let message = format!("{} fails: {message}", statement.word.to_ascii_uppercase());
                let code = match status {
                    5006 => Code::RUN_FORMAT,
                    _ => Code::RUN_BAD_INPUT,
                };
                return fault(code, message);
            }
            None => {}
        }
        Ok(edge)
    }

    /// What was written to the terminal, as text.
    pub(crate) fn terminal(&mut self) -> String {
        let mut bytes = std::mem::take(&mut self.output);
        bytes.append(&mut self.partial);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// What the UNIT of a data transfer names; `terminal` is the number that the terminal has.
    fn place_of(&mut self, statement: &Statement, terminal: i64) -> Io<Place> {
        let expr = match statement.control("unit") {
            None | Some(Control::Star) => return Ok(Place::Terminal),
            Some(Control::Expr(expr)) => *expr,
            Some(Control::Label(_) | Control::Format(_) | Control::Name(_)) => {
                return Ok(fault(Code::RUN_MALFORMED, "a unit is neither number nor variable")?);
            }
        };
        if let Some(r) = self.reference_of(expr) {
            let at = self.locate(r)?;
            if matches!(at.elem(), Elem::Char(_)) {
                return Ok(Place::Internal(at.view()?));
            }
        }
        let unit = self.int(expr)?;
        if unit == CHILD {
            return Ok(Place::Child);
        }
        // A program may connect the numbers of the terminal to a file.
        if self.units.open.contains_key(&unit) {
            return Ok(Place::Unit(unit));
        }
        if unit == 0 && terminal == 6 {
            self.warn(Code::RUN_NO_OUTPUT, "output to standard error is left out");
            return Ok(Place::Error);
        }
        Ok(if unit == terminal { Place::Terminal } else { Place::Unit(unit) })
    }

    /// Calls `f` for each item in each iteration of an implied DO, whose variable is the program's.
    fn io_implied_do<E: From<Box<Halt>>>(
        &mut self,
        implied: &ImpliedDo,
        f: &mut dyn FnMut(&mut Self, ExprId) -> Result<(), E>,
    ) -> Result<(), E> {
        let rounds: Vec<i64> = self.index_values(&implied.control)?.collect();
        let var = implied.control.var;
        let step = implied.control.step.map_or(Ok(1), |step| self.int(step))?;
        let mut next = self.int(implied.control.lower)?;
        for value in rounds {
            self.step()?;
            self.set_indices(&[(var, value)])?;
            for &item in &implied.items {
                f(self, item)?;
            }
            next = value.wrapping_add(step);
        }
        self.set_indices(&[(var, next)])?;
        Ok(())
    }
}

/// What STOP prints.
fn text_of(code: &Scalar) -> String {
    match code {
        Scalar::Char(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Scalar::Int(_, value) => value.to_string(),
        Scalar::Real(..) | Scalar::Complex(..) | Scalar::Logical(..) | Scalar::Undefined(_) => {
            String::new()
        }
    }
}
