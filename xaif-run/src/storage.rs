//! Storage: blocks of bytes, as the machine would have them.
//!
//! COMMON of different shapes, EQUIVALENCE and the reading of one type's bytes as another's are
//! exact because storage is bytes. Beside its bytes a block keeps, as far as they are needed:
//! - one bit a byte that tells whether it was ever written;
//! - a shadow, one number for each four bytes: the tangent (or the imaginary part of a complex
//!   step) of the real number that begins there;
//! - a second shadow of the same form for the derivatives that the *document itself* computes
//!   (`deriv` references, derivative propagators);
//! - slots: what a pointer, allocatable or procedure pointer at this offset refers to.
//!
//! This file knows neither declarations nor views.

use std::collections::BTreeMap;
use std::rc::Rc;

use xaif_schema::diag::Code;

use crate::call::Target;
use crate::fault::{Run, fault};
use crate::num::Num;
use crate::value::{Elem, Scalar, wrap};
use crate::view::View;

/// A place in storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Addr {
    /// The block.
    pub(crate) block: BlockId,
    /// Byte offset in it.
    pub(crate) offset: i64,
}

impl Addr {
    /// The address `bytes` further on.
    pub(crate) fn plus(self, bytes: i64) -> Self {
        Addr { block: self.block, offset: self.offset.wrapping_add(bytes) }
    }
}

/// Names a block. A number is used again, but never together with the same generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BlockId {
    index: u32,
    generation: u32,
}

impl BlockId {
    /// A block that never exists, for addresses of which only the offset matters.
    pub(crate) const NONE: BlockId = BlockId { index: u32::MAX, generation: 0 };
}

/// What a pointer, allocatable or procedure pointer refers to.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    /// Nothing: disassociated, unallocated.
    Null,
    /// Data that belongs to somebody else: the target of a pointer.
    Data(View),
    /// Data that belongs to the slot: an allocated allocatable, alone in its block.
    Owned(View),
    /// A procedure.
    Procedure(Target),
}

#[derive(Debug, Default)]
struct Block {
    generation: u32,
    live: bool,
    readonly: bool,
    bytes: Vec<u8>,
    defined: Vec<u64>,
    shadow: Vec<f64>,
    deriv: Vec<f64>,
    slots: BTreeMap<i64, Slot>,
}

/// All storage of one execution.
#[derive(Debug)]
pub(crate) struct Memory {
    blocks: Vec<Block>,
    free: Vec<u32>,
    bytes: usize,
    limit: usize,
    shadowed: bool,
    zero: bool,
}

impl Memory {
    /// Empty storage that may hold `limit` bytes. `shadowed`: reals carry a second number; `zero`:
    /// what was never written reads as zero.
    pub(crate) fn new(limit: usize, shadowed: bool, zero: bool) -> Self {
        Memory { blocks: Vec::new(), free: Vec::new(), bytes: 0, limit, shadowed, zero }
    }

    /// A new block.
    pub(crate) fn allocate(&mut self, size: i64) -> Run<BlockId> {
        let size = self.take(size)?;
        let index = match self.free.pop() {
            Some(index) => index,
            None => {
                self.blocks.push(Block::default());
                (self.blocks.len() - 1) as u32
            }
        };
        let (shadowed, zero) = (self.shadowed, self.zero);
        let block = &mut self.blocks[index as usize];
        block.generation = block.generation.wrapping_add(1);
        block.live = true;
        block.readonly = false;
        block.resize(size, shadowed, zero);
        Ok(BlockId { index, generation: block.generation })
    }

    fn take(&mut self, size: i64) -> Run<usize> {
        let size = usize::try_from(size).unwrap_or(0);
        match self.bytes.checked_add(size).filter(|&bytes| bytes <= self.limit) {
            Some(bytes) => self.bytes = bytes,
            None => {
                return fault(
                    Code::RUN_LIMIT,
                    format!("the program needs more than {} bytes of storage", self.limit),
                );
            }
        }
        Ok(size)
    }

    /// Makes a block at least `size` bytes long.
    pub(crate) fn grow(&mut self, id: BlockId, size: i64) -> Run<()> {
        let old = self.block(id)?.bytes.len() as i64;
        if size > old {
            let more = self.take(size - old)?;
            let (shadowed, zero) = (self.shadowed, self.zero);
            let block = self.block_mut(id)?;
            block.resize(old as usize + more, shadowed, zero);
        }
        Ok(())
    }

    /// Ends the life of a block and of what its slots own; what still points to it dangles.
    pub(crate) fn release(&mut self, id: BlockId) {
        let mut doomed = vec![id];
        while let Some(id) = doomed.pop() {
            if let Some(block) = self.blocks.get_mut(id.index as usize)
                && block.live
                && block.generation == id.generation
            {
                block.live = false;
                self.bytes -= block.bytes.len();
                block.bytes.clear();
                block.defined.clear();
                block.shadow.clear();
                block.deriv.clear();
                for slot in std::mem::take(&mut block.slots).into_values() {
                    if let Slot::Owned(view) = slot {
                        doomed.push(view.addr.block);
                    }
                }
                self.free.push(id.index);
            }
        }
    }

    /// Whether a block still exists.
    pub(crate) fn is_live(&self, id: BlockId) -> bool {
        self.blocks
            .get(id.index as usize)
            .is_some_and(|block| block.live && block.generation == id.generation)
    }

    /// Forbids further writing: named constants.
    pub(crate) fn protect(&mut self, id: BlockId) -> Run<()> {
        self.block_mut(id)?.readonly = true;
        Ok(())
    }

    /// The size of a block in bytes.
    pub(crate) fn size(&self, id: BlockId) -> Run<i64> {
        Ok(self.block(id)?.bytes.len() as i64)
    }

    fn block(&self, id: BlockId) -> Run<&Block> {
        match self.blocks.get(id.index as usize) {
            Some(block) if block.live && block.generation == id.generation => Ok(block),
            Some(_) | None => dangling(),
        }
    }

    fn block_mut(&mut self, id: BlockId) -> Run<&mut Block> {
        match self.blocks.get_mut(id.index as usize) {
            Some(block) if block.live && block.generation == id.generation => Ok(block),
            Some(_) | None => dangling(),
        }
    }

    /// The value at `addr`, which is [`Scalar::Undefined`] if a byte of it was never written.
    pub(crate) fn read(&self, addr: Addr, elem: Elem) -> Run<Scalar> {
        let block = self.block(addr.block)?;
        let at = block.range(addr, scalar_size(elem))?;
        if !block.is_defined(at.start, at.len()) {
            return Ok(Scalar::Undefined(elem));
        }
        let bytes = &block.bytes[at.clone()];
        Ok(match elem {
            Elem::Int(kind) => Scalar::Int(kind, read_int(bytes)),
            Elem::Logical(kind) => Scalar::Logical(kind, read_int(bytes) != 0),
            Elem::Char(_) => Scalar::Char(Rc::from(bytes)),
            Elem::Real(kind) => Scalar::Real(kind, block.read_num(at.start, kind)),
            Elem::Complex(kind) => {
                let second = at.start + usize::from(kind);
                Scalar::Complex(
                    kind,
                    [block.read_num(at.start, kind), block.read_num(second, kind)],
                )
            }
            Elem::Derived(_) => Scalar::Undefined(elem),
        })
    }

    /// Stores `value`, which is already of the type that the place has.
    pub(crate) fn write(&mut self, addr: Addr, value: &Scalar) -> Run<()> {
        let shadowed = self.shadowed;
        let block = self.block_mut(addr.block)?;
        if block.readonly {
            return fault(Code::RUN_CONSTANT, "a named constant would be overwritten");
        }
        let at = block.range(addr, scalar_size(value.elem()))?;
        let (start, len) = (at.start, at.len());
        match value {
            Scalar::Int(kind, value) => {
                block.bytes[at].copy_from_slice(&wrap(*kind, *value).to_le_bytes()[..len.min(8)])
            }
            Scalar::Logical(_, value) => {
                block.bytes[at].copy_from_slice(&i64::from(*value).to_le_bytes()[..len.min(8)]);
            }
            Scalar::Char(bytes) => block.bytes[at].copy_from_slice(bytes),
            Scalar::Real(kind, value) => block.write_num(start, *kind, *value, shadowed),
            Scalar::Complex(kind, [re, im]) => {
                block.write_num(start, *kind, *re, shadowed);
                block.write_num(start + usize::from(*kind), *kind, *im, shadowed);
            }
            Scalar::Undefined(_) => return crate::value::undefined(),
        }
        if shadowed && !matches!(value, Scalar::Real(..) | Scalar::Complex(..)) {
            let last = (start + len).div_ceil(4).min(block.shadow.len());
            block.shadow[(start / 4).min(last)..last].fill(0.0);
        }
        block.define(start, len);
        Ok(())
    }

    /// Forgets that anything was ever written at `addr`.
    pub(crate) fn undefine(&mut self, addr: Addr, elem: Elem) -> Run<()> {
        let block = self.block_mut(addr.block)?;
        let at = block.range(addr, scalar_size(elem))?;
        at.for_each(|byte| block.set_defined(byte, false));
        Ok(())
    }

    /// Copies `size` bytes with all that belongs to them: pointers get the same targets,
    /// allocatables targets of their own.
    pub(crate) fn copy(&mut self, from: Addr, to: Addr, size: i64) -> Run<()> {
        let size = usize::try_from(size).unwrap_or(0);
        let source = self.block(from.block)?;
        let at = source.range(from, size)?;
        let bytes = source.bytes[at.clone()].to_vec();
        let defined: Vec<bool> = at.clone().map(|byte| source.is_defined(byte, 1)).collect();
        let lanes = at.start / 4..at.end.div_ceil(4);
        let shadow = source.shadow.get(lanes.clone()).map(<[f64]>::to_vec);
        let deriv = source.deriv.get(lanes).map(<[f64]>::to_vec);
        let slots: Vec<(i64, Slot)> = source
            .slots
            .range(from.offset..from.offset + size as i64)
            .map(|(&offset, slot)| (offset - from.offset, slot.clone()))
            .collect();
        let slots = slots
            .into_iter()
            .map(|(offset, slot)| Ok((offset, self.own(slot)?)))
            .collect::<Run<Vec<_>>>()?;
        let target = self.block_mut(to.block)?;
        if target.readonly {
            return fault(Code::RUN_CONSTANT, "a named constant would be overwritten");
        }
        let at = target.range(to, size)?;
        let start = at.start;
        target.bytes[at].copy_from_slice(&bytes);
        for (byte, defined) in defined.into_iter().enumerate() {
            target.set_defined(start + byte, defined);
        }
        if let Some(shadow) = shadow {
            put_lanes(&mut target.shadow, start / 4, &shadow);
        }
        if let Some(deriv) = deriv {
            target.need_deriv();
            put_lanes(&mut target.deriv, start / 4, &deriv);
        }
        let mut replaced = Vec::new();
        for (offset, slot) in slots {
            if let Some(Slot::Owned(old)) = target.slots.insert(to.offset + offset, slot) {
                replaced.push(old.addr.block);
            }
        }
        for block in replaced {
            self.release(block);
        }
        Ok(())
    }

    /// A slot that owns a copy of what `slot` owns.
    fn own(&mut self, slot: Slot) -> Run<Slot> {
        match slot {
            Slot::Owned(mut view) => {
                let size = self.size(view.addr.block)?;
                let block = self.allocate(size)?;
                let to = Addr { block, offset: 0 };
                self.copy(Addr { block: view.addr.block, offset: 0 }, to, size)?;
                view.addr.block = block;
                Ok(Slot::Owned(view))
            }
            other => Ok(other),
        }
    }

    /// What the slot at `addr` refers to; `None` if it was never set.
    pub(crate) fn slot(&self, addr: Addr) -> Run<Option<&Slot>> {
        Ok(self.block(addr.block)?.slots.get(&addr.offset))
    }

    /// Sets the slot at `addr`.
    pub(crate) fn set_slot(&mut self, addr: Addr, slot: Slot) -> Run<()> {
        self.block_mut(addr.block)?.slots.insert(addr.offset, slot);
        Ok(())
    }

    /// The tangent (or imaginary part) of the real number at `addr`, whether it has a value or not.
    pub(crate) fn tangent(&self, addr: Addr) -> Run<f64> {
        let block = self.block(addr.block)?;
        let at = block.range(addr, 4)?;
        Ok(block.shadow.get(at.start / 4).copied().unwrap_or(0.0))
    }

    /// Sets the tangent of the real number at `addr`, where numbers have one.
    pub(crate) fn set_tangent(&mut self, addr: Addr, value: f64) -> Run<()> {
        let block = self.block_mut(addr.block)?;
        let at = block.range(addr, 4)?;
        if let Some(lane) = block.shadow.get_mut(at.start / 4) {
            *lane = value;
        }
        Ok(())
    }

    /// The document's own derivative of the real number at `addr`.
    pub(crate) fn deriv(&self, addr: Addr) -> Run<f64> {
        let block = self.block(addr.block)?;
        let at = block.range(addr, 4)?;
        Ok(block.deriv.get(at.start / 4).copied().unwrap_or(0.0))
    }

    /// Sets the document's own derivative of the real number at `addr`.
    pub(crate) fn set_deriv(&mut self, addr: Addr, value: f64) -> Run<()> {
        let block = self.block_mut(addr.block)?;
        let at = block.range(addr, 4)?;
        block.need_deriv();
        if let Some(lane) = block.deriv.get_mut(at.start / 4) {
            *lane = value;
        }
        Ok(())
    }
}

fn put_lanes(lanes: &mut [f64], start: usize, values: &[f64]) {
    let end = (start + values.len()).min(lanes.len());
    let start = start.min(end);
    lanes[start..end].copy_from_slice(&values[..end - start]);
}

fn dangling<T>() -> Run<T> {
    fault(Code::RUN_DANGLING, "a pointer refers to storage that no longer exists")
}

fn read_int(bytes: &[u8]) -> i64 {
    match bytes {
        [a] => i64::from(i8::from_le_bytes([*a])),
        [a, b] => i64::from(i16::from_le_bytes([*a, *b])),
        [a, b, c, d] => i64::from(i32::from_le_bytes([*a, *b, *c, *d])),
        [a, b, c, d, e, f, g, h] => i64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
        _ => 0,
    }
}

/// The bytes that one scalar takes.
pub(crate) fn scalar_size(elem: Elem) -> usize {
    match elem {
        Elem::Int(kind) | Elem::Real(kind) | Elem::Logical(kind) => usize::from(kind),
        Elem::Complex(kind) => 2 * usize::from(kind),
        Elem::Char(len) => len,
        Elem::Derived(_) => 0,
    }
}

impl Block {
    fn resize(&mut self, size: usize, shadowed: bool, zero: bool) {
        self.bytes.resize(size, 0);
        self.defined.resize(size.div_ceil(64), if zero { u64::MAX } else { 0 });
        if shadowed {
            self.shadow.resize(size.div_ceil(4), 0.0);
        }
        if !self.deriv.is_empty() {
            self.deriv.resize(size.div_ceil(4), 0.0);
        }
    }

    fn need_deriv(&mut self) {
        if self.deriv.is_empty() {
            self.deriv = vec![0.0; self.bytes.len().div_ceil(4)];
        }
    }

    fn range(&self, addr: Addr, size: usize) -> Run<std::ops::Range<usize>> {
        let start = usize::try_from(addr.offset).ok();
        let end = start.and_then(|start| start.checked_add(size));
        match (start, end) {
            (Some(start), Some(end)) if end <= self.bytes.len() => Ok(start..end),
            _ => fault(
                Code::RUN_OUT_OF_BOUNDS,
                format!(
                    "byte {} is touched of storage that has {} bytes",
                    addr.offset,
                    self.bytes.len()
                ),
            ),
        }
    }

    fn is_defined(&self, start: usize, len: usize) -> bool {
        let bit = start % 64;
        if len <= 64 - bit {
            let mask = low_bits(len) << bit;
            return self.defined.get(start / 64).is_some_and(|word| word & mask == mask)
                || len == 0;
        }
        (start..start + len).all(|byte| {
            self.defined.get(byte / 64).is_some_and(|word| word >> (byte % 64) & 1 == 1)
        })
    }

    fn define(&mut self, start: usize, len: usize) {
        let bit = start % 64;
        if len <= 64 - bit {
            if let Some(word) = self.defined.get_mut(start / 64) {
                *word |= low_bits(len) << bit;
            }
            return;
        }
        for byte in start..start + len {
            self.set_defined(byte, true);
        }
    }

    fn set_defined(&mut self, byte: usize, defined: bool) {
        if let Some(word) = self.defined.get_mut(byte / 64) {
            let bit = 1 << (byte % 64);
            if defined { *word |= bit } else { *word &= !bit }
        }
    }

    /// The callers have checked that the bytes are there.
    fn read_num(&self, start: usize, kind: u8) -> Num {
        let value = match self.bytes.get(start..start + usize::from(kind)) {
            Some(&[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
            Some(&[a, b, c, d, e, f, g, h]) => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
            Some(_) | None => f64::NAN,
        };
        Num { v: value, t: self.shadow.get(start / 4).copied().unwrap_or(0.0) }
    }

    fn write_num(&mut self, start: usize, kind: u8, value: Num, shadowed: bool) {
        let end = start + usize::from(kind);
        if kind == 4 {
            self.bytes[start..end].copy_from_slice(&(value.v as f32).to_le_bytes());
        } else {
            self.bytes[start..end].copy_from_slice(&value.v.to_le_bytes());
        }
        if shadowed {
            let lanes = end.div_ceil(4).min(self.shadow.len());
            self.shadow[(start / 4).min(lanes)..lanes].fill(0.0);
            if let Some(lane) = self.shadow.get_mut(start / 4) {
                *lane = value.t;
            }
        }
    }
}

fn low_bits(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}
