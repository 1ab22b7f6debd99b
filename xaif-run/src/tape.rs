//! The tape of a document that records and restores: two stacks, one for numbers and one for
//! integers, as OpenAD's templates have them.

use xaif_schema::diag::Code;

use crate::counts::Counts;
use crate::fault::{Run, fault};
use crate::storage::scalar_size;
use crate::value::Scalar;

/// The stacks.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    numbers: Vec<Scalar>,
    integers: Vec<Scalar>,
    bytes: u64,
}

impl Tape {
    fn stack(&mut self, integers: bool) -> &mut Vec<Scalar> {
        if integers { &mut self.integers } else { &mut self.numbers }
    }

    /// Records a value.
    pub(crate) fn push(&mut self, integers: bool, value: Scalar, counts: &mut Counts) {
        self.bytes += scalar_size(value.elem()) as u64;
        counts.pushes += 1;
        counts.peak_tape_bytes = counts.peak_tape_bytes.max(self.bytes);
        self.stack(integers).push(value);
    }

    /// Takes back the value that was recorded last.
    pub(crate) fn pop(&mut self, integers: bool, counts: &mut Counts) -> Run<Scalar> {
        counts.pops += 1;
        match self.stack(integers).pop() {
            Some(value) => {
                self.bytes -= scalar_size(value.elem()) as u64;
                Ok(value)
            }
            None => fault(Code::RUN_TAPE, "a value is popped from an empty tape"),
        }
    }

    /// How many values are left.
    pub(crate) fn len(&self) -> usize {
        self.numbers.len() + self.integers.len()
    }
}
