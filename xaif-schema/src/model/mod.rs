//! The model: a program as data, made for analyses and transformations.
//!
//! A [`Document`] holds arenas of scopes, symbols, procedures, statements, expression nodes and
//! references; everything else names them by typed ids. A procedure's body is a control flow graph
//! ([`Cfg`]) whose vertices stand in the order of the source text. What XAIF 1.0 can say is said
//! in its terms; what it cannot say (declarations, components, I/O, places) is a field beside it
//! and becomes an element or attribute of our second namespace in the XML.
//!
//! Start with `document.rs`, then `cfg.rs`, `stmt.rs`, `expr.rs`; `symbol.rs` and `scope.rs` are the
//! declarations. The model knows nothing of XML.

mod as_read;
mod cfg;
mod document;
mod expr;
mod facts;
mod ids;
mod nest;
mod scope;
mod stmt;
mod symbol;
mod types;

pub use as_read::AsRead;
pub(crate) use as_read::{Key, Listed, Spelling, SpeltAttribute};
pub use cfg::*;
pub use document::*;
pub use expr::*;
pub use facts::*;
pub use ids::*;
pub use nest::{KeptNest, Nest};
pub use scope::*;
pub use stmt::*;
pub use symbol::*;
pub use types::*;

pub use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
