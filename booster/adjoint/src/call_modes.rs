//! Decides how each call is differentiated: joint or split, and with which copies of the callee.
//!
//! - `choice`: the calls that are split, with the reasons. `split_heuristic`: those that are split without being asked.
//! - `not_repeatable`, `not_storable_here`, `callee_restores`, `extents`: properties of a call that force split mode.
//! - `passive_copies`: callees that have derivatives at other calls. `shared_adjoints`: one adjoint for two arguments.
//! - `targets`: pointers that a callee associates. `presence`: arguments that may be absent.

pub(crate) mod callee_restores;
pub(crate) mod choice;
pub(crate) mod extents;
pub(crate) mod not_repeatable;
pub(crate) mod not_storable_here;
pub(crate) mod passive_copies;
pub(crate) mod presence;
pub(crate) mod shared_adjoints;
pub(crate) mod split_heuristic;
pub(crate) mod targets;
