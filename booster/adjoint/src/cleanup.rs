//! Removes from the sweeps what no adjoint needs.
//!
//! - `dead_code`: statements whose results nothing reads. `zero_adjoints`: adjoints that are zero. `deferred_deallocation`:
//!   DEALLOCATE of locals that end with the procedure.

pub(crate) mod dead_code;
pub(crate) mod deferred_deallocation;
pub(crate) mod zero_adjoints;
