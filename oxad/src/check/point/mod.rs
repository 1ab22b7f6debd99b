//! What a driver must know: head, derivative, and the variables that they are called with.
//!
//! `plan` makes the list of variables, `node` their types and shapes, `types` the types that objects may have; `bounds`
//! evaluates extents, `extents` chooses open ones, `globals` finds variables of modules and COMMON blocks, `initial` what the program gives a value
//! itself; `settings` is what the user tells.

pub(crate) mod bounds;
pub(crate) mod extents;
pub(crate) mod globals;
pub(crate) mod initial;
pub(crate) mod node;
pub(crate) mod plan;
pub(crate) mod settings;
mod types;
