//! From evaluations to a verdict.
//!
//! `judge` judges tangents, `adjoint` adjoints, by the `numerics` of differences and by the complex step that
//! `complex_step` gets; `precision` tells what numbers can be worth; `report` prints all of it.

pub(crate) mod adjoint;
pub(crate) mod complex_step;
pub(crate) mod judge;
pub(crate) mod numerics;
pub(crate) mod precision;
pub(crate) mod report;
