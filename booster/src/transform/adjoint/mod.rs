//! The adjoint: procedures that compute derivatives in reverse.
//!
//! - [`reversal`]: from the flow graph of a procedure those of its forward and backward sweep.

pub mod reversal;
