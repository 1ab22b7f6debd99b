//! Random Fortran programs: well-defined, deterministic from a seed, made to be differentiated.
//!
//! [`generate`] makes a program as text; [`shrink`] makes one that fails smaller; [`check`] says
//! whether all ways to compute its derivative agree.

pub mod adjoint;
pub mod check;
mod expr;
mod generator;
mod library;
pub mod preaccumulate;
pub mod program;
mod shrink;
mod statement;
pub mod survey;
pub mod tangent;
mod tape;
pub mod text;

pub use generator::generate;
pub use shrink::shrink;
