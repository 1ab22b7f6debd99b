//! From bytes to logical lines: reading, source form, continuation, `INCLUDE`, `cpp`.
//!
//! This half of the front-end knows lines and columns, and of statements only what is needed to
//! find their ends.

mod place;

pub use place::Place;
