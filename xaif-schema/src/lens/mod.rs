//! The lenses: programs that look at a document and change nothing.
//!
//! [`show`] is the text that people and snapshot tests read.

pub(crate) mod flow;
pub(crate) mod header;
pub mod show;
