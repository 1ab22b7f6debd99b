//! Analyses: what can be told about a program without executing it.
//!
//! - [`activity`](mod@activity): which variables have a derivative that must be computed.

pub mod activity;
