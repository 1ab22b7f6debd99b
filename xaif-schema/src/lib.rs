//! The XAIF document: model, reader, writer, verifier, and the lenses that look at it.
pub mod diag;
