//! Improves loops of the finished sweeps; the derivative is the same without them.
//!
//! - `reductions`, `distribute`: loops of the backward sweep for compilers that vectorise. `loop_direction`: loops that may
//!   run upwards. `buffer_swap`: time levels that change places.

pub(crate) mod buffer_swap;
pub(crate) mod distribute;
pub(crate) mod loop_direction;
pub(crate) mod reductions;
