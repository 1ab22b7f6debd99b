//! Rewriters: a document in, another program out.
//!
//! - [`adjoint`]: procedures that compute derivatives in reverse.
//! - `allocated`: where an array of ours comes into being, it is allocated.
//! - [`canonicalize`](mod@canonicalize): what a derivative rule needs a statement for gets one.
//! - [`derivative`]: the program units that hold a derivative, without its statements.
//! - [`jacobian`]: local Jacobians, as the stages behind preaccumulation see them.
//! - [`linearize`]: the local derivatives of right-hand sides.
//! - [`open`](mod@open): modules without secrets, for their derivatives.
//! - `outliving`: variables that outlive what the user calls.
//! - [`preaccumulate`](mod@preaccumulate): local Jacobians of runs of assignments.
//! - `settled`: tests whose answer is known go.
//! - [`tangent`](mod@tangent): procedures that compute derivatives beside the values.

pub mod adjoint;
pub(crate) mod allocated;
pub mod canonicalize;
pub mod derivative;
pub(crate) mod elemental;
pub mod jacobian;
pub mod linearize;
pub mod open;
pub(crate) mod outliving;
pub mod preaccumulate;
pub(crate) mod settled;
pub mod tangent;
