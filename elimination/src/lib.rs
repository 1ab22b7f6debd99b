//! Elimination techniques on linearised computational graphs.
//!
//! A local function (a basic block, a statement) is given by its linearised computational graph
//! ([`Graph`]); vertex, edge and face elimination reduce it to its Jacobian, and each says by what
//! arithmetic ([`Accumulation`]). Which order is cheap is a hard problem, so there are heuristics
//! ([`Chain`]), searches and a portfolio of them all. It follows paper 2 (Naumann, Utke, Lyons, Fagan:
//! Control flow reversal for adjoint code generation, section 3) and the literature named
//! there; docs/elimination.md is the page for users.
//!
//! Nothing here knows a program or a document: the crate depends on no other of the workspace.

mod accumulation;
mod choice;
mod dual;
mod graph;
mod greedy;
mod hash;
mod heuristics;
pub mod listing;
pub mod portfolio;
mod primal;
mod read;
mod replay;
pub mod scarcity;
mod search;
mod state;
mod target;
pub mod testing;
pub mod trace;
mod turns;

pub use accumulation::{Accumulation, Atom, Cost, Entry, Node, NodeId, Number, Op, Value};
pub use choice::{Choice, Eliminations, Scale};
pub use dual::Dual;
pub use graph::{Draft, Graph, GraphError, Partial, Role, Variable};
pub use greedy::{Elimination, eliminate};
pub use heuristics::{Chain, ChainError, HEURISTICS, Heuristic, Kind};
pub use primal::Primal;
pub use read::ReadError;
pub use replay::replay;
pub use search::anneal::Effort;
pub use search::bound::lower_bound;
pub use search::exact::{Exact, exact};
pub use search::{search_edges, search_faces, search_vertices};
pub use state::{Affected, Changes, Group, Measure, State};
pub use target::{Step, TECHNIQUES, Target, Technique};
pub use turns::Begun;
