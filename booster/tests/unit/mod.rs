//! Unit tests of the booster's crates. A crate with unit tests of its own would be compiled twice.

mod access;
mod activity_equations;
mod allocation;
mod call_graph;
mod canonical;
mod constants;
mod emit;
mod externals;
mod flow_graph;
mod graphs;
mod linearize;
mod pairs;
mod solver;
mod steps;
mod storage;
mod tbr_equations;
mod tbr_units;

pub(crate) use linearize::cases;
