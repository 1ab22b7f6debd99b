//! The syntax tree: everything that the source says, and nothing that it does not say.
//!
//! Trees are boxed. Their height is bounded by the parser ([`MAX_HEIGHT`], [`MAX_BLOCKS`]), so a
//! recursive walk cannot overflow the stack. Every node that a message could point to carries a
//! [`Place`].
//!
//! What is kept: the spelling of names, texts of literals, parentheses, labels, construct names,
//! comments, blank lines and directives. What is normalised: blanks (in fixed form they are
//! dropped outside strings), the spelling of operators and keywords, continuation.

mod exec;
mod expr;
mod name;
mod spec;
mod types;
mod unit;

pub use crate::source::Place;
pub use exec::*;
pub use expr::*;
pub use name::{Label, Name};
pub use spec::*;
pub use types::*;
pub use unit::*;

/// No expression is higher than this; a higher one is refused with a coded message.
pub const MAX_HEIGHT: u32 = 1200;

/// Blocks (and parentheses, while parsing) nest no deeper than this.
pub const MAX_BLOCKS: u32 = 200;
