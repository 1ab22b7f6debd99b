//! The program that is compiled and executed.
//!
//! `driver` writes it, `allocated` its part for objects that the head allocates, `interfaces` what it needs to call an external head, `compiler` knows how compilers spell options,
//! `build` compiles, links and runs.

mod allocated;
pub(crate) mod build;
pub(crate) mod compiler;
pub(crate) mod driver;
pub(crate) mod interfaces;
