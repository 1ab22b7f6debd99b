//! Writes the calls of both sweeps.
//!
//! - `call`: joint calls. `split_calls`: calls of procedures with one sweep. `split_procedures`: those procedures.
//! - `actual_arguments`: the adjoints that are passed. `overlap`, `sequence_association`: arguments that share memory.
//! - `definite_assignment`: variables that go from one sweep to the other. `saved_adjoints`: adjoints of saved variables.

pub(crate) mod actual_arguments;
pub(crate) mod call;
pub(crate) mod checkpoints;
pub(crate) mod definite_assignment;
pub(crate) mod overlap;
pub(crate) mod saved_adjoints;
pub(crate) mod sequence_association;
pub(crate) mod split_calls;
pub(crate) mod split_procedures;
