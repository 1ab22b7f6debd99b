//! XAIF into Fortran: standard free form that a person can read and a compiler accepts as it is.
//!
//! [`unparse`] is all there is: a document in, one text (or one for each source file) out. The
//! work is split by what is printed: `unit`, `specification`, `declaration`, `derived`,
//! `statement`, `expression`, `types`, `literal`; `flow` turns control flow graphs into text,
//! `names` decides what symbols are called, `unused` what derivatives do not need, `lines` where statements are broken. What genuine
//! XAIF 1.0 documents do not have, `xaif_schema::upgrade` gives them first.
//!
//! What cannot be printed is an error with a code and a place; nothing is ever left out silently.
//! This crate knows no derivative rule and reads no source.

mod attribute;
mod code;
mod context;
mod declaration;
mod derived;
mod directive;
mod expression;
mod files;
mod flow;
mod hiding;
mod lines;
mod literal;
mod names;
#[cfg(feature = "cli")]
pub mod program;
mod specification;
mod statement;
mod tape;
mod types;
mod unit;
mod unused;

pub use files::{Layout, unparse};
