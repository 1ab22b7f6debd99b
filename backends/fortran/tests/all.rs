//! All tests of this crate, in one program: one for each file would take minutes to link.

mod common;
mod declarations;
mod directives;
mod errors;
mod expression;
mod flow;
mod genuine;
