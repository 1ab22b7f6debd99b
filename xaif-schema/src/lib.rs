//! The XAIF document: model, reader, writer, verifier, and the lenses that look at it.
//!
//! - [`model`]: the program in memory.
//! - [`intrinsics`]: the vocabulary of operators and intrinsic functions, as a table.
//! - [`diag`]: diagnostics, for all crates.
pub mod diag;
pub mod intrinsics;
pub mod model;
