//! From where the backward sweep gets each value: the tape, or a computation.
//!
//! - `record`: the record before a statement, taken back behind its adjoint. `properties`: allocation status, bounds,
//!   lengths and associations. `enclosing`: objects around them. `hoist`: records moved before loops. `indexed_tape`: records that loops index.
//! - `plan`: values that are computed again, decided before TBR analysis. `again`: how the backward sweep computes them.
//! - `recompute`: scalars that are computed again. `constant`: values that nothing overwrites.

pub(crate) mod again;
pub(crate) mod constant;
pub(crate) mod enclosing;
pub(crate) mod hoist;
pub(crate) mod indexed_tape;
pub(crate) mod plan;
pub(crate) mod properties;
pub(crate) mod recompute;
pub(crate) mod record;
