//! The program that is compiled and executed.
//!
//! `driver` writes it, `interfaces` what it needs to call an external head, `compiler` knows how compilers spell options,
//! `build` compiles, links and runs.

pub(crate) mod build;
pub(crate) mod compiler;
pub(crate) mod driver;
pub(crate) mod interfaces;
