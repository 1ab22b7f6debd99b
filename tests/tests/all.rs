//! All tests of this crate, in one program: one for each file would take minutes to link.

mod architecture;
mod bad_input;
mod checkpoints;
mod drawings;
mod driver;
mod elimination;
mod eliminations;
mod gallery;
mod open;
mod opened;
mod pages;
mod passes;
mod random;
mod readme;
mod recipes;
mod scripts;
mod tape;
