//! Control flow graphs as structured text: what back ends of all languages share.
//!
//! - `graph`: adjacency and where nothing happens;
//! - `order`: an order of the vertices for graphs whose layout is none;
//! - `structure`: which constructs can be written as such;
//! - `plan`: the text as a list of operations with the jumps it needs;
//! - `check`: reads the plan back and compares it with the graph;
//! - `loops`: which loops are counted.
//!
//! A language tells by a [`Dialect`](plan::Dialect) what its jumps mean. Nothing here prints.

pub mod check;
pub mod graph;
pub mod loops;
pub mod order;
pub mod plan;
pub mod structure;
