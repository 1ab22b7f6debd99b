//! What the whole-pipeline tests share: the binaries under test, child processes with their
//! output, and Fortran cases that are compiled and run.
//!
//! It knows the programs only as a user does, by command line and output; `random` alone calls the
//! libraries of the workspace, since it looks at thousands of programs.

pub mod case;
pub mod console;
pub mod pool;
pub mod programs;
pub mod random;
