//! XAIF into C: C99 that a person can read and a compiler accepts as it is.
//!
//! [`unparse`] is all there is: a document in, a text and a header out. The work is split by what is printed:
//! `unit` (files, functions), `declaration`, `statement`, `array` (assignments of arrays, as loops), `flow`,
//! `expression`, `reference`; `names` decides what symbols are called.
//!
//! Subscripts of a document begin with the dimension that is contiguous, and may begin at any number: `x(i, j)` with
//! lower bounds of 0 is `x[j][i]`. A dummy argument that is passed by value is a parameter, any other one a pointer.
//! What C cannot say is an error with a code and a place; nothing is left out silently.

mod array;
mod context;
mod declaration;
mod expression;
mod flow;
mod names;
#[cfg(feature = "cli")]
pub mod program;
mod reference;
mod statement;
mod unit;

pub use unit::{Texts, unparse};
