//! The vocabulary of operators and intrinsic procedures: XAIF's names and the languages' names.
//!
//! This is a table of names, not of meanings: derivative rules stand in the booster's catalogue.
