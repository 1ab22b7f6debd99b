//! The operations of the tape, on which the forward sweep of an adjoint records what the backward
//! sweep takes back.
//!
//! A document of ours says them as [`InlinableCall`](crate::model::InlinableCall)s with the names of
//! this table (`push`, `pop`: XAIF 1.0's own names). The verifier holds them to the arguments that
//! stand here (OX0228), the back-end calls the procedures of `backends/runtime/oxad_tape.f90` that
//! have the same names, xaif-run executes them. A genuine document means the templates of its own
//! tools by such names, and a name that is not in the table is always such a template:
//! [`crate::adopt`] makes them calls.
//!
//! No procedure is here that moves numbers: this is no table of derivatives.

use crate::model::{Access, Base, Ty};

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
}

const fn argument(sort: Sort, access: Access) -> Argument {
    Argument { sort, access }
}

/// All operations, in the order in which a USE lists them.
pub const OPERATIONS: [Operation; 4] = [
    Operation { name: "push", args: &[argument(Sort::Scalar, Access::Read)] },
    Operation { name: "pop", args: &[argument(Sort::Scalar, Access::Write)] },
    Operation { name: "push_array", args: &[argument(Sort::Bytes, Access::Read)] },
    Operation { name: "pop_array", args: &[argument(Sort::Bytes, Access::Write)] },
];

/// The module of the runtime that has the procedures.
pub const MODULE: &str = "oxad_tape";

/// The operation with this name.
pub fn operation(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.name == name)
}

impl Sort {
    /// Whether something of the type `ty` may be the argument; an unknown type may.
    pub fn takes(self, ty: Ty) -> bool {
        let intrinsic = match ty.base {
            Base::Integer(bytes) | Base::Logical(bytes) | Base::Real(bytes) => Some(bytes <= 8),
            Base::Complex(bytes) => Some(bytes <= 8),
            Base::Character(bytes) => Some(bytes == 1),
            Base::Unknown => Some(true),
            Base::Derived(_) | Base::Class(_) => None,
            Base::Unsigned(_)
            | Base::Void
            | Base::ClassStar
            | Base::TypeStar
            | Base::Procedure
            | Base::Pointer(_) => return false,
        };
        match self {
            Sort::Scalar => ty.rank == 0 && intrinsic == Some(true),
            Sort::Bytes => true,
        }
    }

    /// What may be the argument, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Sort::Scalar => "a scalar of an intrinsic type",
            Sort::Bytes => "a variable of an intrinsic or derived type",
        }
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
        assert_eq!(operation("pop").map(|pop| pop.args[0].access), Some(Access::Write));
        assert_eq!(operation("Saxpy"), None);
    }
}
