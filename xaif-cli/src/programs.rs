//! The programs of this crate: each has a command line and a main function.

pub mod diff;
pub mod lint;
pub mod show;

/// The command lines of all programs of this crate.
pub fn commands() -> Vec<clap::Command> {
    vec![diff::command(), lint::command(), show::command()]
}
