//! Scopes and symbols.

mod bodies;
mod collect;
mod constructs;
mod derived;
mod facts;
mod heads;
mod interfaces;
mod intrinsic_modules;
mod lookup;
mod mentions;
mod needs;
mod order;
mod settle;
mod signature;
mod specification;
mod storage;
mod symbols;
mod tables;
mod types;
mod units;
mod uses;

pub(crate) use signature::{Actual, Signature};
pub(crate) use tables::{Pending, ScopeNames};
