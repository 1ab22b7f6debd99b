//! Scopes and symbols.

mod constructs;
mod facts;
mod interim;
mod intrinsic_modules;
mod lookup;
mod settle;
mod signature;
mod symbols;
mod tables;
mod types;
mod units;

pub(crate) use signature::{Actual, Signature};
pub(crate) use tables::{Pending, ScopeNames};
