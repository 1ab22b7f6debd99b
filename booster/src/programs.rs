//! The programs of this crate: each has a command line and a main function.
//!
//! They read and write documents; nothing else of the crate does.

pub mod activity;
pub mod canonicalize;
pub mod checkpoint;
pub mod dot;
pub mod liveness;
pub mod open;
pub mod preaccumulate;
pub mod recover;
pub mod reverse;
pub mod sideeffects;
pub mod tangent;
pub mod tbr;

/// The command lines of all programs of this crate.
pub fn commands() -> Vec<clap::Command> {
    vec![
        activity::command(),
        canonicalize::command(),
        checkpoint::command(),
        dot::command(),
        liveness::command(),
        open::command(),
        preaccumulate::command(),
        recover::command(),
        reverse::command(),
        sideeffects::command(),
        tangent::command(),
        tbr::command(),
    ]
}
