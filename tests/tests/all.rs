//! All tests of this crate, in one program: one for each file would take minutes to link.

mod architecture;
mod bad_input;
mod canonical;
mod documents;
mod drawings;
mod driver;
mod elimination;
mod eliminations;
mod executed;
mod gallery;
mod names;
mod open;
mod pages;
mod random;
mod readme;
mod roundtrip;
mod scripts;
mod tangent;
mod tape;
