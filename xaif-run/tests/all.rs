//! All tests of this crate, in one program: one for each file would take minutes to link.

mod against_gfortran;
mod faults;
mod modes;
mod tape;
