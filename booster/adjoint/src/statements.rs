//! Writes the adjoint of each statement kind.
//!
//! - `assign`: assignments, `element_loops` those that take loops, `masked` those under a mask, `structure` those of structures.
//! - `memory`: ALLOCATE and DEALLOCATE. `pointer`, `pointees`, `procedure_pointer`: pointers. `marker`: input, output and directives.
//! - `jacobian`: propagators of local Jacobians. `common_blocks`: adjoints in COMMON. `persistent_state`: variables that outlive the head.

pub(crate) mod assign;
pub(crate) mod common_blocks;
pub(crate) mod element_loops;
pub(crate) mod jacobian;
pub(crate) mod marker;
pub(crate) mod masked;
pub(crate) mod memory;
pub(crate) mod persistent_state;
pub(crate) mod pointees;
pub(crate) mod pointer;
pub(crate) mod procedure_pointer;
pub(crate) mod structure;
