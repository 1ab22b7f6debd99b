//! The derivative units of a document, without their statements, and what all modes share of it.
//!
//! - [`derivative`]: the program units that hold a derivative, without its statements.
//! - [`jacobian`]: local Jacobians, as the stages behind preaccumulation see them.
//! - [`polymorphic`]: objects of one of several types, type by type.
//! - [`elemental`]: statements with elemental calls, element by element.
//! - [`open`](mod@open): modules without secrets, for their derivatives.
//! - [`persistent_state`]: variables that outlive what the user calls.
//! - [`allocated`]: where an array of ours comes into being, it is allocated.
//! - [`settled`]: tests whose answer is known go.
//! - [`passes`]: the passes that both modes share.

pub mod allocated;
pub mod derivative;
pub mod elemental;
pub mod jacobian;
pub mod open;
pub mod passes;
pub mod persistent_state;
pub mod polymorphic;
pub mod settled;
