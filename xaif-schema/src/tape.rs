//! The operations of the tape, on which the forward sweep of an adjoint records what the backward
//! sweep takes back.
//!
//! A document of ours says them as [`InlinableCall`](crate::model::InlinableCall)s with the names of
//! this table (`push`, `pop`: XAIF 1.0's own names). The verifier holds them to the arguments that
//! stand here (OX0228), the back-end calls the procedures of `backends/runtime/oxad_tape.f90` that
//! have the same names, xaif-run executes them. A XAIF 1.0 document means the templates of its own
//! tools by such names, and a name that is not in the table is always such a template:
//! [`crate::upgrade`] makes them calls.
//!
//! No procedure is here that moves numbers: this is no table of derivatives.

use crate::model::{Access, Base, Document, StmtKind, Ty};

/// An operation of the tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its name, which the procedure of the runtime has as well.
    pub name: &'static str,
    /// Its arguments, in order.
    pub args: &'static [Argument],
}

/// An argument of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// What it may be.
    pub sort: Sort,
    /// What happens to it. What is only read may be any expression, else it is a variable.
    pub access: Access,
}

/// What an argument may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A scalar of an intrinsic type, of 1, 2, 4 or 8 bytes (complex: a part); of any length where it
    /// is a character.
    Scalar,
    /// Anything that is copied byte by byte: a scalar, whole array or section of any intrinsic type
    /// and kind, or of a derived type without allocatable components. Not an assumed-size array as
    /// a whole.
    Bytes,
    /// A whole variable of rank 1 with the attributes POINTER and CONTIGUOUS, of integers of 4 or 8
    /// bytes, reals, complex numbers or default logicals: it becomes, or is, the name of contiguous
    /// A block on the tape.
    Block,
    /// A scalar integer of 4 or 8 bytes: the number of elements of a block; less than one is none.
    Count,
    /// A scalar integer of 4 bytes, or the name of an environment variable that holds one.
    Setting,
}

const fn argument(sort: Sort, access: Access) -> Argument {
    Argument { sort, access }
}

/// All operations, in the order in which a USE lists them.
///
/// The operations of blocks are for what a counted loop records. Before the loop, `block_alloc(tape, count)`
/// associates a pointer with a block of `count` elements, bounds from 1; the loop assigns to them,
/// which can be vectorised (calls of `push` cannot); behind the loop `block_push(tape)` notes where the
/// block is. Backward, `block_pop(tape)` finds it again, and behind the reversed loop `block_free(tape)`
/// gives it back. `block_push` and `block_pop` are a push and a pop of the pointer, `block_alloc` and `block_free`
/// of the block itself; so a loop may have several blocks, and may push and call beside them.
///
/// The operations of checkpoints are for a loop that keeps some of its states. `checkpoints_binomial(number, trip_count)` (or
/// `_periodic`, `_disk`) stands before the loop. `checkpoint_due(i, action)` begins each iteration. Where the action is
/// [`TAKE`], the program pushes the state and executes `checkpoint_end`. The backward sweep executes
/// `checkpoint_next(i, action)` and what the action says, until that is [`NO_ACTION`]. What stands between an action and
/// `checkpoint_end` is in a snapshot, not on the tape.
pub const OPERATIONS: [Operation; 14] = [
    Operation { name: "push", args: &[argument(Sort::Scalar, Access::Read)] },
    Operation { name: "pop", args: &[argument(Sort::Scalar, Access::Write)] },
    Operation { name: "push_array", args: &[argument(Sort::Bytes, Access::Read)] },
    Operation { name: "pop_array", args: &[argument(Sort::Bytes, Access::Write)] },
    Operation {
        name: "block_alloc",
        args: &[argument(Sort::Block, Access::Write), argument(Sort::Count, Access::Read)],
    },
    Operation { name: "block_push", args: &[argument(Sort::Block, Access::Inquire)] },
    Operation { name: "block_pop", args: &[argument(Sort::Block, Access::Write)] },
    Operation { name: "block_free", args: &[argument(Sort::Block, Access::Write)] },
    Operation { name: "checkpoints_binomial", args: BEGIN },
    Operation { name: "checkpoints_periodic", args: BEGIN },
    Operation { name: "checkpoints_disk", args: BEGIN },
    Operation {
        name: "checkpoint_due",
        args: &[argument(Sort::Count, Access::Read), argument(Sort::Setting, Access::Write)],
    },
    Operation {
        name: "checkpoint_next",
        args: &[argument(Sort::Count, Access::Write), argument(Sort::Setting, Access::Write)],
    },
    Operation { name: "checkpoint_end", args: &[] },
];

/// The arguments with which checkpoints of a loop begin.
const BEGIN: &[Argument] =
    &[argument(Sort::Setting, Access::Read), argument(Sort::Setting, Access::Read)];

/// The action of a loop that is reversed.
pub const NO_ACTION: i64 = 0;
/// The action that pushes the state of a loop.
pub const TAKE: i64 = 1;
/// The action that pops the state of a loop.
pub const RESTORE: i64 = 2;
/// The action that executes an iteration again.
pub const ADVANCE: i64 = 3;
/// The action that reverses an iteration.
pub const TURN: i64 = 4;

/// The operation that records (`push`) or takes back a variable of the type `ty`: what is no scalar
/// that `push` knows goes as bytes.
pub fn recording(ty: Ty, push: bool) -> &'static str {
    let scalar = ty.base != Base::Unknown && Sort::Scalar.takes(ty);
    match (push, scalar) {
        (true, true) => "push",
        (true, false) => "push_array",
        (false, true) => "pop",
        (false, false) => "pop_array",
    }
}

/// The module of the runtime that has the procedures.
pub const MODULE: &str = "oxad_tape";

/// Operations on arrays, and the procedures of the runtime for arrays that are not contiguous for sure. All other
/// operations are executed by the procedure of their name.
pub const SECTIONS: [(&str, &str); 2] =
    [("push_array", "push_section"), ("pop_array", "pop_section")];

/// The operation that a procedure of the runtime executes.
pub fn executed_by(procedure: &str) -> Option<&'static Operation> {
    let section = SECTIONS.iter().find(|(_, section)| *section == procedure);
    operation(section.map_or(procedure, |(array, _)| array))
}

/// The operation with this name.
pub fn operation(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.name == name)
}

/// Whether a document has operations of the tape.
pub fn has_tape(doc: &Document) -> bool {
    doc.stmts.values().any(|stmt| {
        matches!(&stmt.kind, StmtKind::InlinableCall(call) if operation(&call.name).is_some())
    })
}

impl Operation {
    /// Whether it is an operation of checkpoints, which moves no value itself.
    pub fn is_of_checkpoints(&self) -> bool {
        self.name.starts_with("checkpoint")
    }
}

impl Sort {
    /// Whether something of the type `ty` may be the argument; an unknown type may.
    pub fn takes(self, ty: Ty) -> bool {
        let intrinsic = match ty.base {
            Base::Integer(bytes)
            | Base::Unsigned(bytes)
            | Base::Logical(bytes)
            | Base::Real(bytes) => Some(bytes <= 8),
            Base::Complex(bytes) => Some(bytes <= 8),
            Base::Character(bytes) => Some(bytes == 1),
            Base::Unknown => Some(true),
            Base::Derived(_) | Base::Class(_) => None,
            Base::Void | Base::ClassStar | Base::TypeStar | Base::Procedure | Base::Pointer(_) => {
                return false;
            }
        };
        match self {
            Sort::Scalar => ty.rank == 0 && intrinsic == Some(true),
            Sort::Bytes => true,
            Sort::Block => ty.rank == 1 && is_block(ty.base),
            Sort::Setting => {
                let of_any_length = matches!(ty.base, Base::Character(1));
                ty.rank == 0
                    && (of_any_length || matches!(ty.base, Base::Integer(4) | Base::Unknown))
            }
            Sort::Count => ty.rank == 0 && matches!(ty.base, Base::Integer(4 | 8) | Base::Unknown),
        }
    }

    /// What may be the argument, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Sort::Scalar => "a scalar of an intrinsic type",
            Sort::Bytes => "a variable of an intrinsic or derived type",
            Sort::Block => "a pointer to a vector of numbers or logicals",
            Sort::Count => "an integer",
            Sort::Setting => "an integer of 4 bytes, or a name",
        }
    }
}

/// Whether a block may have such elements.
fn is_block(base: Base) -> bool {
    match base {
        Base::Integer(bytes) | Base::Real(bytes) | Base::Complex(bytes) => matches!(bytes, 4 | 8),
        Base::Logical(bytes) => bytes == 4,
        Base::Unknown => true,
        Base::Void
        | Base::Unsigned(_)
        | Base::Character(_)
        | Base::Derived(_)
        | Base::Class(_)
        | Base::ClassStar
        | Base::TypeStar
        | Base::Procedure
        | Base::Pointer(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_and_whatever_is_bytes_are_told_apart() {
        let real = Ty::scalar(Base::Real(8));
        assert!(Sort::Scalar.takes(real) && Sort::Bytes.takes(real));
        assert!(!Sort::Scalar.takes(real.with_rank(1)) && Sort::Bytes.takes(real.with_rank(1)));
        assert!(!Sort::Scalar.takes(Ty::scalar(Base::Real(16))));
        assert!(!Sort::Bytes.takes(Ty::scalar(Base::Procedure)));
        assert!(Sort::Block.takes(real.with_rank(1)) && !Sort::Block.takes(real));
        assert!(!Sort::Block.takes(Ty::scalar(Base::Character(1)).with_rank(1)));
        assert!(Sort::Count.takes(Ty::scalar(Base::Integer(8))) && !Sort::Count.takes(real));
        assert_eq!(recording(real, true), "push");
        assert_eq!(recording(Ty::scalar(Base::Real(16)), true), "push_array");
        assert_eq!(recording(Ty::default(), false), "pop_array");
        assert_eq!(operation("pop").map(|pop| pop.args[0].access), Some(Access::Write));
        assert_eq!(operation("Saxpy"), None);
    }
}
