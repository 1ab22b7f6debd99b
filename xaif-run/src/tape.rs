//! The tape: what a document records and takes back.
//!
//! A document of ours has one stack, as `backends/runtime` has it ([`xaif_schema::tape`]). Each
//! record knows its type and size, so what is popped must be what was pushed last, and the bytes
//! are counted as the runtime would hold them. What was never defined may be recorded, by assignment to
//! block as well, and is not defined when it comes back. The templates of XAIF 1.0 documents have two stacks, one for numbers
//! and one for integers, as OpenAD's have.

use std::collections::HashSet;

use xaif_schema::diag::Code;
use xaif_schema::model::{ExprId, ExprKind, Place, RefId, Reference};
use xaif_schema::tape::{NO_ACTION, Operation, RESTORE, TAKE};

use crate::arith::convert;
use crate::checkpoints::Checkpointed;
use crate::counts::Counts;
use crate::fault::{Run, fault, refuse};
use crate::layout::SlotKind;
use crate::machine::{Handle, Machine};
use crate::reference::Located;
use crate::storage::{Addr, BlockId, Slot, scalar_size};
use crate::value::{Elem, Scalar, Value};
use crate::view::View;

/// The stacks.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    records: Vec<Record>,
    numbers: Vec<Scalar>,
    integers: Vec<Scalar>,
    bytes: u64,
    /// What is reserved now.
    blocks: HashSet<BlockId>,
    /// The loops with checkpoints.
    pub(crate) loops: Vec<Checkpointed<Record>>,
    /// What was on the tape before a snapshot was opened.
    outside: Vec<Record>,
}

/// What one operation has recorded.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// The type of an element.
    elem: Elem,
    /// How many elements.
    count: usize,
    bytes: u64,
    data: Data,
    /// The statement that has recorded it.
    place: Place,
}

#[derive(Clone, Debug)]
enum Data {
    /// Elements of an intrinsic type.
    Scalars(Vec<Scalar>),
    /// Elements of a derived type, one behind the other.
    Block(BlockId),
    /// A block that was allocated.
    Allocated(BlockId),
    /// Where a block is.
    Kept(View),
}

/// What the runtime puts on the tape beside a block: its size and the padding that aligns it, which
/// is not counted itself; and what it notes where it keeps the place of one.
const NOTE: u64 = 16;

impl Tape {
    fn stack(&mut self, integers: bool) -> &mut Vec<Scalar> {
        if integers { &mut self.integers } else { &mut self.numbers }
    }

    fn grow(&mut self, values: usize, bytes: u64, counts: &mut Counts) {
        self.bytes += bytes;
        counts.pushes += values as u64;
        counts.peak_tape_bytes = counts.peak_tape_bytes.max(self.bytes);
    }

    /// Records a value by a template of a XAIF 1.0 document.
    pub(crate) fn push(&mut self, integers: bool, value: Scalar, counts: &mut Counts) {
        self.grow(1, scalar_size(value.elem()) as u64, counts);
        self.stack(integers).push(value);
    }

    /// Takes back the value that a template of a XAIF 1.0 document has recorded last.
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

fn no_loop<T>() -> Run<T> {
    fault(Code::RUN_TAPE, "no loop with checkpoints has begun")
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
            ("block_alloc", [block, count]) => self.block_alloc(*block, *count),
            ("block_push", [block]) => {
                let view = self.argument_view(*block)?;
                self.tape_record(view.elem, 0, NOTE, Data::Kept(view))
            }
            ("block_pop", [block]) => self.block_pop(*block),
            ("block_free", [block]) => self.block_free(*block),
            ("checkpoint_end", []) => self.checkpoint_end(),
            ("checkpoint_due", [variable, action]) => {
                let variable = self.int(*variable)?;
                let Some(list) = self.tape.loops.last_mut() else { return no_loop() };
                let next = list.due(variable);
                let bytes: u64 = list.released().map(|record| record.bytes).sum();
                self.tape.bytes -= bytes;
                self.open_snapshot(next, Vec::new());
                self.set_integer(*action, next)
            }
            ("checkpoint_next", [variable, action]) => self.checkpoint_next(*variable, *action),
            (name, [number, trip_count]) if operation.is_of_checkpoints() => {
                let number = match self.eval_scalar(*number)?.as_int() {
                    Ok(number) => number,
                    Err(_) => return refuse("a number of snapshots from the environment"),
                };
                let known = self.int(*trip_count)?;
                if number < 1 {
                    return fault(Code::RUN_TAPE, "a loop needs at least one snapshot");
                }
                let periodic = name == "checkpoints_periodic";
                self.tape.loops.push(Checkpointed::new(periodic, number, known));
                Ok(())
            }
            (name, _) => refuse(format!("`{name}` with {} arguments", args.len())),
        }
    }

    fn set_integer(&mut self, variable: ExprId, value: i64) -> Run<()> {
        let view = self.argument_view(variable)?;
        let value = convert(Scalar::Int(8, value), view.elem)?;
        self.memory.write(view.addr, &value)
    }

    /// From here on the tape is that of a snapshot, if the action is one of a snapshot.
    fn open_snapshot(&mut self, action: i64, records: Vec<Record>) {
        if matches!(action, TAKE | RESTORE) {
            self.tape.outside = std::mem::replace(&mut self.tape.records, records);
        }
    }

    fn checkpoint_end(&mut self) -> Run<()> {
        let records = std::mem::take(&mut self.tape.records);
        self.tape.records = std::mem::take(&mut self.tape.outside);
        let Some(list) = self.tape.loops.last_mut() else { return no_loop() };
        if !list.close(records) {
            return fault(Code::RUN_TAPE, "not all of a snapshot is read");
        }
        Ok(())
    }

    fn checkpoint_next(&mut self, variable: ExprId, action: ExprId) -> Run<()> {
        let Some(list) = self.tape.loops.last_mut() else { return no_loop() };
        let (next, value, records) = list.next();
        let bytes: u64 = list.released().map(|record| record.bytes).sum();
        self.tape.bytes -= bytes;
        if next == NO_ACTION {
            self.tape.loops.pop();
        }
        let mut copies = Vec::new();
        for record in records {
            copies.push(self.copy_record(record)?);
        }
        self.open_snapshot(next, copies);
        self.set_integer(variable, value)?;
        self.set_integer(action, next)
    }

    /// A record that is popped while the snapshot keeps its own.
    fn copy_record(&mut self, mut record: Record) -> Run<Record> {
        if let Data::Block(block) = record.data {
            let bytes = self.memory.size(block)?;
            let copy = self.memory.allocate(bytes)?;
            let start = |block| Addr { block, offset: 0 };
            self.memory.copy(start(block), start(copy), bytes)?;
            record.data = Data::Block(copy);
        }
        self.tape.bytes += record.bytes;
        Ok(record)
    }

    fn tape_push(&mut self, value: ExprId) -> Run<()> {
        if let ExprKind::Ref(reference) = self.doc.exprs[value].kind
            && let Located::View(view) = self.locate(reference)?
        {
            view.known_shape()?;
            return self.tape_push_view(&view);
        }
        match self.eval(value)? {
            Value::Scalar(scalar) => self.tape_push_scalars(scalar.elem(), vec![scalar]),
            Value::Array(array) => self.tape_push_scalars(array.elem, array.data),
            Value::Object(view) => self.tape_push_view(&view),
        }
    }

    fn tape_push_view(&mut self, view: &View) -> Run<()> {
        let Elem::Derived(layout) = view.elem else {
            let values = view.elements().map(|addr| self.memory.read(addr, view.elem));
            let values = values.collect::<Run<Vec<_>>>()?;
            return self.tape_push_scalars(view.elem, values);
        };
        if self.owns_storage(layout) {
            return refuse("a derived type with allocatable components on the tape");
        }
        let size = self.size_of(view.elem);
        let count = view.elements().count();
        let bytes = size.saturating_mul(count as i64);
        let block = self.memory.allocate(bytes)?;
        for (from, index) in view.elements().zip(0..) {
            self.memory.copy(from, Addr { block, offset: size * index }, size)?;
        }
        self.tape_push_some(view.elem, count, bytes as u64, Data::Block(block))
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

    fn tape_push_scalars(&mut self, elem: Elem, values: Vec<Scalar>) -> Run<()> {
        let bytes = values.iter().map(|value| scalar_size(value.elem()) as u64).sum();
        self.tape_push_some(elem, values.len(), bytes, Data::Scalars(values))
    }

    /// An empty array leaves nothing behind in the runtime.
    fn tape_push_some(&mut self, elem: Elem, count: usize, bytes: u64, data: Data) -> Run<()> {
        if count == 0 { Ok(()) } else { self.tape_record(elem, count, bytes, data) }
    }

    fn tape_record(&mut self, elem: Elem, count: usize, bytes: u64, data: Data) -> Run<()> {
        self.tape.grow(count, bytes, &mut self.arith.counts);
        let place = self.place;
        self.tape.records.push(Record { elem, count, bytes, data, place });
        Ok(())
    }

    /// The pointer that is to name a block.
    fn block_pointer(&mut self, block: ExprId) -> Run<Handle> {
        let ExprKind::Ref(reference) = self.doc.exprs[block].kind else {
            return fault(Code::RUN_ARGUMENT, "a pointer is needed here");
        };
        let reference = &self.doc.refs[reference];
        match self.handle(reference.base, &reference.parts)? {
            Some(handle) => Ok(handle),
            None => fault(Code::RUN_ARGUMENT, "a pointer is needed here"),
        }
    }

    fn block_alloc(&mut self, block: ExprId, count: ExprId) -> Run<()> {
        let count = self.int(count)?.max(0);
        let handle = self.block_pointer(block)?;
        let Some(elem) = handle.elem else { return refuse("a block of any type") };
        let view = self.allocate_like(elem, &[count])?;
        let bytes = self.memory.size(view.addr.block)? as u64 + NOTE;
        self.tape.blocks.insert(view.addr.block);
        self.tape_record(elem, count as usize, bytes, Data::Allocated(view.addr.block))?;
        self.memory.set_slot(handle.addr, Slot::Data(view))
    }

    fn block_pop(&mut self, block: ExprId) -> Run<()> {
        let handle = self.block_pointer(block)?;
        let Some(record) = self.tape.records.pop() else { return empty() };
        let fits = handle.elem == Some(record.elem);
        let view = match record.data {
            Data::Kept(view) if fits => view,
            Data::Kept(_) | Data::Scalars(_) | Data::Block(_) | Data::Allocated(_) => {
                return fault(Code::RUN_TAPE, "no block of this type is what was pushed last");
            }
        };
        self.tape.bytes -= record.bytes;
        self.memory.set_slot(handle.addr, Slot::Data(view))
    }

    fn block_free(&mut self, block: ExprId) -> Run<()> {
        let view = self.argument_view(block)?;
        let handle = self.block_pointer(block)?;
        let Some(record) = self.tape.records.pop() else { return empty() };
        match record.data {
            Data::Allocated(block) if block == view.addr.block => {
                self.tape.blocks.remove(&block);
                self.memory.release(block);
            }
            Data::Allocated(_) | Data::Kept(_) | Data::Scalars(_) | Data::Block(_) => {
                let message = "the block that is freed is not the one that was allocated last";
                return fault(Code::RUN_TAPE, message);
            }
        }
        self.tape.bytes -= record.bytes;
        self.arith.counts.pops += record.count as u64;
        self.memory.set_slot(handle.addr, Slot::Null)
    }

    /// Assigns what has no value from or to an element of a block; whether it did.
    pub(crate) fn copies_undefined(&mut self, lhs: RefId, rhs: ExprId) -> Run<bool> {
        let ExprKind::Ref(from) = self.doc.exprs[rhs].kind else { return Ok(false) };
        if self.tape.blocks.is_empty() || self.doc.exprs[rhs].ty.rank > 0 {
            return Ok(false);
        }
        // What the assignment allocates is nowhere yet.
        let Reference { base, ref parts, .. } = self.doc.refs[lhs];
        if let Some(handle) = self.handle(base, parts)?
            && handle.allocatable
            && !matches!(self.memory.slot(handle.addr)?, Some(Slot::Owned(_) | Slot::Data(_)))
        {
            return Ok(false);
        }
        let (Located::View(to), Located::View(from)) = (self.locate(lhs)?, self.locate(from)?)
        else {
            return Ok(false);
        };
        let recorded = [to.addr, from.addr].iter().any(|at| self.tape.blocks.contains(&at.block));
        if !recorded || matches!(from.elem, Elem::Derived(_)) {
            return Ok(false);
        }
        match self.memory.read(from.addr, from.elem)? {
            Scalar::Undefined(elem) => self.memory.undefine(to.addr, elem).map(|()| true),
            _ => Ok(false),
        }
    }

    fn tape_pop(&mut self, view: &View) -> Run<()> {
        view.known_shape()?;
        let addresses: Vec<Addr> = view.elements().collect();
        self.arith.counts.pops += addresses.len() as u64;
        if addresses.is_empty() {
            return Ok(());
        }
        let Some(record) = self.tape.records.pop() else { return empty() };
        let same = self.alike(record.elem, view.elem) && record.count == addresses.len();
        if !same || matches!(record.data, Data::Allocated(_) | Data::Kept(_)) {
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
            // Refused above.
            Data::Allocated(_) | Data::Kept(_) => {}
        }
        Ok(())
    }

    /// Whether values of two types have the same bytes: `p_fwd` and `p_bwd` declare types of their own.
    fn alike(&self, a: Elem, b: Elem) -> bool {
        let mut pairs = vec![(a, b)];
        while let Some((a, b)) = pairs.pop() {
            let (Elem::Derived(one), Elem::Derived(other)) = (a, b) else {
                if a != b {
                    return false;
                }
                continue;
            };
            let layouts = [one, other].map(|layout| self.layouts.get(layout as usize));
            let [Some(left), Some(right)] = layouts else { return false };
            if one == other {
                continue;
            }
            if left.size != right.size || left.components.len() != right.components.len() {
                return false;
            }
            for (left, right) in left.components.iter().zip(&right.components) {
                if (left.slot, left.offset) != (right.slot, right.offset) {
                    return false;
                }
                // What a pointer points to may be of the type that is looked at.
                match (left.slot, left.elem, right.elem) {
                    (None, Some(left), Some(right)) => pairs.push((left, right)),
                    (Some(_), Some(_), Some(_)) | (_, None, None) => {}
                    (_, Some(_), None) | (_, None, Some(_)) => return false,
                }
            }
        }
        true
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
        let last = match &record.data {
            Data::Scalars(_) | Data::Block(_) => several(record.elem, record.count),
            Data::Allocated(_) => "block".to_owned(),
            Data::Kept(_) => "the place of a block".to_owned(),
        };
        fault(
            Code::RUN_TAPE,
            format!(
                "what is popped ({}) is not what was pushed last ({last}{place})",
                several(elem, count),
            ),
        )
    }
}
