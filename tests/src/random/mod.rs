//! Random Fortran programs: well-defined, deterministic from a seed, made to be differentiated.
//!
//! [`generate`] makes a program as text, [`objects::generate`] one that is object-oriented,
//! [`overlaps::generate`] one in which arguments overlap, [`state::generate`] one in which properties change,
//! [`topics`] one about structures, BIND(C), cycles of calls or entries;
//! [`large`] executes them in a loop over large arrays; [`mutants`] are the project's own programs with changes;
//! [`shrink`] makes one that fails smaller; [`check`] says whether all ways to compute its derivative agree.

pub mod adjoint;
pub mod check;
mod dice;
mod expr;
mod generator;
pub mod large;
mod library;
pub mod mutants;
pub mod objects;
pub mod overlaps;
pub mod preaccumulate;
pub mod program;
mod shrink;
pub mod state;
mod statement;
pub mod survey;
pub mod tangent;
mod tape;
pub mod topics;

pub use generator::generate;
pub use shrink::shrink;

use program::Program;

/// What the programs are about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Statements, storage and control flow of all kinds.
    #[default]
    Procedures,
    /// Types, objects, type-bound procedures.
    Objects,
    /// Arguments of a call that overlap.
    Overlaps,
    /// Properties that change: allocation, bounds, association, dynamic type, length.
    State,
    /// State that the head finds as its last call has left it.
    Calls,
    /// Structures, components and sections of them as arguments.
    Structures,
    /// Procedures that C can call.
    Interoperable,
    /// Cycles of the call graph.
    Cycles,
    /// Procedures with several entries, and statement functions.
    Entries,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 9] = [
        Kind::Procedures,
        Kind::Objects,
        Kind::Overlaps,
        Kind::State,
        Kind::Calls,
        Kind::Structures,
        Kind::Interoperable,
        Kind::Cycles,
        Kind::Entries,
    ];

    /// The word by which a command line chooses it.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Kind::Procedures => None,
            Kind::Objects => Some("objects"),
            Kind::Overlaps => Some("overlaps"),
            Kind::State => Some("state"),
            Kind::Calls => Some("calls"),
            Kind::Structures => Some("structures"),
            Kind::Interoperable => Some("interoperable"),
            Kind::Cycles => Some("cycles"),
            Kind::Entries => Some("entries"),
        }
    }

    /// The program of a seed; `size` is about the number of statements of a procedure.
    pub fn generate(self, seed: u64, size: u32) -> Program {
        match self {
            Kind::Procedures => generate(seed, size),
            Kind::Objects => objects::generate(seed, size),
            Kind::Overlaps => overlaps::generate(seed, size),
            Kind::State => state::generate(seed, size),
            Kind::Calls => state::generate_lasting(seed, size),
            Kind::Structures => topics::structures::generate(seed, size),
            Kind::Interoperable => topics::interoperable::generate(seed, size),
            Kind::Cycles => topics::cycles::generate(seed, size),
            Kind::Entries => topics::entries::generate(seed, size),
        }
    }
}
