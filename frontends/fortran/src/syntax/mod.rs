//! The syntax of Fortran: the tree and the parser that builds it.
//!
//! Nothing here knows what a name means: `f(x)` stays one kind of node, whether it will turn out
//! to be an array element, a function reference, a structure constructor or, on the left of an
//! assignment, a statement function.

pub mod ast;
