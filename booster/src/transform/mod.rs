//! Rewriters: a document in, another program out.
//!
//! - [`tangent`](mod@tangent): procedures that compute derivatives beside the values.

pub mod tangent;
