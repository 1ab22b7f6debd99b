//! Fortran 77 to 2018 into XAIF.
//!
//! - [`source`]: files, forms, logical lines, `INCLUDE` and `cpp`.
//! - [`syntax`]: the syntax tree and the parser; it knows no names and no types.
//! - `lower`: names, types, and the document.

mod lower;
pub mod source;
pub mod syntax;
