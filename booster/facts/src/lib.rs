//! Analyses: what can be told about a program without executing it.
//!
//! - [`Procedures`]: which body a name means, whose variable a symbol is.
//! - [`storage`]: which references may touch the same storage.
//! - [`access`]: what each step of a flow graph reads, writes and calls, in order; the one place
//!   that tells kinds of statements and expressions apart for analyses.
//! - [`Bodies`]: the events of all bodies, and the call graph that they make.
//! - [`CallMap`]: what the locations of a callee are for its caller.
//! - [`no_return`]: calls from which control does not come back.
//! - [`Allocation`]: which allocatable variables are allocated at a step.
//! - [`overwrites`]: what each step may overwrite, by names.
//! - `repeated`: calls that one statement executes several times, which are refused where something
//!   is kept from one execution to the next.
//! - [`activity`](mod@activity): which variables have a derivative that must be computed.
//! - [`sizing`](mod@sizing): which integers decide iterations of loops and sizes of arrays.
//! - [`snapshots`]: whether the snapshots of joint calls in a finished adjoint hold what they must.
//! - `lost_changes`: arguments that are changed and are no variables.
//! - `evaluation_order`: functions that change what their statements read.
//! - `unassigned`: variables that are read before they have a value.
//! - `loops`: counted loops. `dependence`: subscripts that surely differ, and which access comes first.
//! - `callee`: the procedure that a name declares. `nameable`: variables that a procedure can name.
//! - [`externals`]: what the user tells of procedures whose source is not given.
//!
//! An analysis never looks at statements itself: it goes through the steps of a graph, asks for
//! their accesses, and asks the storage for the locations of each reference.

pub mod access;
pub mod activity;
mod allocation;
mod bodies;
pub mod bounds;
mod call_map;
mod callee;
pub mod components;
pub mod dependence;
mod evaluation_order;
pub mod externals;
pub mod loops;
mod lost_changes;
pub mod nameable;
pub mod no_alias;
pub mod no_return;
mod numbers;
pub mod overwrites;
mod procedures;
pub mod repeated;
pub mod side_effects;
pub mod sizing;
pub mod snapshots;
pub mod storage;
pub mod switches;
mod unassigned;

pub use access::{Accesses, CallSite, Event};
pub use allocation::{Allocation, Changes};
pub use bodies::{Bodies, BodyEvents, StepAt, StepKey, StepMap, call_graph};
pub use call_map::{CallMap, Passed};
pub use callee::{CalleeNode, arguments_of, arguments_of_callee, callee_node, inherited};
pub use numbers::may_hold_numbers;
pub use procedures::{EntryOf, Procedures, data_variables};
pub use procedures::{has_constant_bounds, lasting};
pub use storage::{Lifetime, Location, LocationId, Locations, Storage, Targets};
