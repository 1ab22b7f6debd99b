//! The tape: what a document records and takes back.
//!
//! A document of ours has one stack, as `backends/runtime` has it ([`xaif_schema::tape`]). Each
//! record knows its type and size, so what is popped must be what was pushed last, and the bytes
//! are counted as the runtime would hold them. What was never defined may be recorded, and is not
//! defined when it comes back. The templates of genuine documents have two stacks, one for numbers
//! and one for integers, as OpenAD's have.

use xaif_schema::diag::Code;
use xaif_schema::model::{ExprId, ExprKind, Place};
use xaif_schema::tape::Operation;

use crate::counts::Counts;
use crate::fault::{Run, fault, refuse};
use crate::layout::SlotKind;
use crate::machine::Machine;
use crate::storage::{Addr, BlockId, scalar_size};
use crate::value::{Elem, Scalar, Value};
use crate::view::View;

/// The stacks.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    records: Vec<Record>,
    numbers: Vec<Scalar>,
    integers: Vec<Scalar>,
    bytes: u64,
}

/// What one operation has recorded.
#[derive(Debug)]
struct Record {
    /// The type of an element.
    elem: Elem,
    /// How many elements.
    count: usize,
    bytes: u64,
    data: Data,
    /// The statement that has recorded it.
    place: Place,
}

#[derive(Debug)]
enum Data {
    /// Elements of an intrinsic type.
    Scalars(Vec<Scalar>),
    /// Elements of a derived type, one behind the other.
    Block(BlockId),
}

impl Tape {
    fn stack(&mut self, integers: bool) -> &mut Vec<Scalar> {
        if integers { &mut self.integers } else { &mut self.numbers }
    }

    fn grow(&mut self, values: usize, bytes: u64, counts: &mut Counts) {
        self.bytes += bytes;
        counts.pushes += values as u64;
        counts.peak_tape_bytes = counts.peak_tape_bytes.max(self.bytes);
    }

    /// Records a value by a template of a genuine document.
    pub(crate) fn push(&mut self, integers: bool, value: Scalar, counts: &mut Counts) {
        self.grow(1, scalar_size(value.elem()) as u64, counts);
        self.stack(integers).push(value);
    }

    /// Takes back the value that a template of a genuine document has recorded last.
    pub(crate) fn pop(&mut self, integers: bool, counts: &mut Counts) -> Run<Scalar> {
        counts.pops += 1;
        match self.stack(integers).pop() {
            Some(value) => {
                self.bytes -= scalar_size(value.elem()) as u64;
                Ok(value)
            }
            None => empty(),
        }
    }

    /// How many values are left.
    pub(crate) fn len(&self) -> usize {
        let records: usize = self.records.iter().map(|record| record.count).sum();
        records + self.numbers.len() + self.integers.len()
    }
}

fn empty<T>() -> Run<T> {
    fault(Code::RUN_TAPE, "a value is popped from an empty tape")
}

impl Machine<'_> {
    /// Executes an operation of our tape.
    pub(crate) fn tape_operation(&mut self, operation: &Operation, args: &[ExprId]) -> Run<()> {
        match (operation.name, args) {
            ("push" | "push_array", [value]) => self.tape_push(*value),
            ("pop" | "pop_array", [variable]) => {
                let view = self.argument_view(*variable)?;
                self.tape_pop(&view)
            }
            (name, _) => refuse(format!("`{name}` with {} arguments", args.len())),
        }
    }

    fn tape_push(&mut self, value: ExprId) -> Run<()> {
        if let ExprKind::Ref(_) = self.doc.exprs[value].kind {
            let view = self.argument_view(value)?;
            view.known_shape()?;
            return self.tape_push_view(&view);
        }
        match self.eval(value)? {
            Value::Scalar(scalar) => self.tape_record(scalar.elem(), Data::Scalars(vec![scalar])),
            Value::Array(array) => self.tape_record(array.elem, Data::Scalars(array.data)),
            Value::Object(view) => self.tape_push_view(&view),
        }
    }

    fn tape_push_view(&mut self, view: &View) -> Run<()> {
        let Elem::Derived(layout) = view.elem else {
            let values = view.elements().map(|addr| self.memory.read(addr, view.elem));
            let values = values.collect::<Run<Vec<_>>>()?;
            return self.tape_record(view.elem, Data::Scalars(values));
        };
        if self.owns_storage(layout) {
            return refuse("a derived type with allocatable components on the tape");
        }
        let size = self.size_of(view.elem);
        let block = self.memory.allocate(size.saturating_mul(view.elements().count() as i64))?;
        for (from, index) in view.elements().zip(0..) {
            self.memory.copy(from, Addr { block, offset: size * index }, size)?;
        }
        self.tape_record(view.elem, Data::Block(block))
    }

    /// Whether a component of the type, at any depth, is allocatable: its bytes are not its value.
    fn owns_storage(&self, layout: u32) -> bool {
        let mut stack = vec![layout];
        while let Some(layout) = stack.pop() {
            let Some(layout) = self.layouts.get(layout as usize) else { continue };
            for component in &layout.components {
                match (component.slot, component.elem) {
                    (Some(SlotKind::Allocatable), _) => return true,
                    (None, Some(Elem::Derived(inner))) => stack.push(inner),
                    (Some(SlotKind::Pointer | SlotKind::Procedure) | None, _) => {}
                }
            }
        }
        false
    }

    fn tape_record(&mut self, elem: Elem, data: Data) -> Run<()> {
        let (count, bytes) = match &data {
            Data::Scalars(values) => {
                (values.len(), values.iter().map(|value| scalar_size(value.elem()) as u64).sum())
            }
            Data::Block(block) => {
                let bytes = self.memory.size(*block)?;
                ((bytes / self.size_of(elem).max(1)) as usize, bytes as u64)
            }
        };
        self.tape.grow(count, bytes, &mut self.arith.counts);
        // An empty array leaves nothing behind in the runtime.
        if count > 0 {
            let place = self.place;
            self.tape.records.push(Record { elem, count, bytes, data, place });
        }
        Ok(())
    }

    fn tape_pop(&mut self, view: &View) -> Run<()> {
        view.known_shape()?;
        let addresses: Vec<Addr> = view.elements().collect();
        self.arith.counts.pops += addresses.len() as u64;
        if addresses.is_empty() {
            return Ok(());
        }
        let Some(record) = self.tape.records.pop() else { return empty() };
        if record.elem != view.elem || record.count != addresses.len() {
            return self.not_what_was_recorded(&record, view.elem, addresses.len());
        }
        self.tape.bytes -= record.bytes;
        match record.data {
            Data::Scalars(values) => {
                for (addr, value) in addresses.into_iter().zip(values) {
                    match value {
                        Scalar::Undefined(elem) => self.memory.undefine(addr, elem)?,
                        value => self.memory.write(addr, &value)?,
                    }
                }
            }
            Data::Block(block) => {
                let size = self.size_of(view.elem);
                for (to, index) in addresses.into_iter().zip(0..) {
                    self.memory.copy(Addr { block, offset: size * index }, to, size)?;
                }
                self.memory.release(block);
            }
        }
        Ok(())
    }

    fn not_what_was_recorded(&self, record: &Record, elem: Elem, count: usize) -> Run<()> {
        let several = |elem: Elem, count: usize| match count {
            1 => elem.name(),
            _ => format!("{count} values of {}", elem.name()),
        };
        let place = match self.doc.spot(record.place) {
            Some(spot) => format!(" at {spot}"),
            None => String::new(),
        };
        fault(
            Code::RUN_TAPE,
            format!(
                "what is popped ({}) is not what was pushed last ({}{place})",
                several(elem, count),
                several(record.elem, record.count),
            ),
        )
    }
}
