//! All tests of this crate, in one program: one for each file would take minutes to link.

mod nesting;
mod random;
mod refusals;
mod round_trip;
mod schema;
