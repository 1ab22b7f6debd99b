//! All tests of this crate, in one program: one for each file would take minutes to link.

mod page;
mod paper;
mod scarcity;
mod search;
mod techniques;
