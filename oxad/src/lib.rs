//! The driver as a library: [`differentiate()`] turns the texts of a program into the texts of its derivatives.
//!
//! The binary `oxad` reads its files and its command line and calls the same functions; so library, binary and the
//! pipe of stages write the same bytes. No stage is implemented here.
//!
//! The feature `cli`, which is on by default, adds the driver. Without it no crate parses command lines.

// The driver uses all of the pipeline, the library a part of it.
#![cfg_attr(not(feature = "cli"), allow(dead_code))]

#[cfg(feature = "cli")]
mod banner;
#[cfg(feature = "cli")]
mod batch;
#[cfg(feature = "cli")]
mod check;
#[cfg(feature = "cli")]
mod commands;
#[cfg(feature = "cli")]
mod config;
mod differentiate;
#[cfg(feature = "cli")]
mod explain;
#[cfg(feature = "cli")]
mod files;
mod library;
#[cfg(feature = "cli")]
mod manual;
#[cfg(feature = "cli")]
mod matrix;
mod open;
mod overlap;
mod pipeline;

#[cfg(feature = "cli")]
pub use commands::{main, programs};
pub use library::{Derivatives, Output, Report, Request, Source, differentiate};

/// The version, with the revision of the sources as far as it is known.
pub const VERSION: &str = env!("OXAD_VERSION");
