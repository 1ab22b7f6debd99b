//! What the whole-pipeline tests share: the binaries under test, child processes with their
//! output, and Fortran cases that are compiled and run.
//!
//! It knows the programs only as a user does, by command line and output; `random` and
//! `eliminations` alone call the libraries of the workspace, since they look at thousands of programs.

pub mod case;
pub mod console;
pub mod eliminations;
pub mod pages;
pub mod programs;
pub mod random;
