//! The XAIF document: model, reader, writer, verifier, and the lenses that look at it.
//!
//! - [`upgrade`]: a XAIF 1.0 document as one of ours, declarations and all.
//! - [`model`]: the program in memory.
//! - [`intrinsics`]: the vocabulary of operators and intrinsic functions, as a table.
//! - [`xml`]: the document as XML text; the only module of all crates that knows XML.
//! - [`names`], [`visibility`], [`uses`]: names that a language accepts; what a name means in a scope; what a
//!   piece of a document mentions.
//! - [`tape`]: the operations of the tape, as a table.
//! - [`verify`]: the invariants of a document.
//! - [`inspect`]: looks at a document and changes nothing; `inspect::show` is the text that people read.
//! - [`diag`]: diagnostics, for all crates.
//! - [`cli`]: input, output and messages of all binaries.
//! - [`texts`]: which texts of a document may be copied into a program.
pub mod cli;
pub mod diag;
pub mod inspect;
pub mod intrinsics;
pub mod model;
pub mod names;
pub mod tape;
pub mod texts;
pub mod upgrade;
pub mod uses;
pub mod verify;
pub mod visibility;
pub mod xml;
