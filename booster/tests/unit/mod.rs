//! Unit tests of the booster's crates. A crate with unit tests of its own would be compiled twice.

mod access;
mod activity_cycles;
mod activity_equations;
mod allocation;
mod canonical;
mod chains;
mod constants;
mod emit;
mod externals;
mod flow;
mod linearize;
mod pairs;
mod steps;
mod storage;
mod tbr_equations;
mod tbr_units;

pub(crate) use linearize::cases;
