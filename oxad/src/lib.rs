//! The driver as a library: [`differentiate()`] turns the texts of a program into the texts of its derivatives.
//!
//! The binary `oxad` reads its files and its command line and calls the same functions; so library, binary and the
//! pipe of stages write the same bytes. No stage is implemented here.

mod banner;
mod batch;
mod check;
mod commands;
mod config;
mod differentiate;
mod explain;
mod library;
mod manual;
mod open;
mod pipeline;

pub use commands::{VERSION, main, programs};
pub use library::{Derivatives, Output, Report, Request, Source, differentiate};
