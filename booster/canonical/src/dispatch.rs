//! Calls whose procedure is known only as the program runs: each becomes a selection among direct calls.
//!
//! - `binding`: type-bound calls that may be dispatched to several procedures;
//! - `pointer`: calls of procedure components;
//! - `external`: procedure components whose procedures stand in other sources.

pub(crate) mod binding;
pub(crate) mod external;
pub(crate) mod pointer;
