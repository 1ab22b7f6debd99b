//! Rewriters: a document in, another program out.
//!
//! - [`linearize`]: the local derivatives of right-hand sides.
//! - [`tangent`](mod@tangent): procedures that compute derivatives beside the values.

pub mod linearize;
pub mod tangent;
