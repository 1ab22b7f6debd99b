//! Removes from the sweeps what no adjoint needs.
//!
//! - `dead_code`: statements whose results nothing reads. `zero_adjoints`: adjoints that are zero. `deferred_deallocation`:
//!   DEALLOCATE of locals that end with the procedure.
//! - `merge_increments`: increments of one adjoint in one block.
//! - `share_values`: values that are computed twice. `aliasing`: which references a statement may overwrite.

pub(crate) mod aliasing;
pub(crate) mod dead_code;
pub(crate) mod deferred_deallocation;
pub(crate) mod merge_increments;
pub(crate) mod share_values;
pub(crate) mod zero_adjoints;
