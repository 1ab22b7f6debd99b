//! Facts that belong to the document as a whole: alias sets and chains of statements.
//!
//! Key 0 of each map has a fixed meaning (XAIF 1.0): an alias set of unknown content that may
//! overlap anything, a chain that was not computed.

use std::collections::HashSet;

/// `AliasSetMap`: sets of virtual addresses. Two references may touch the same storage if their
/// sets intersect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AliasSets {
    /// The sets by key, in the order of the document.
    pub sets: Vec<(i64, Vec<AliasRange>)>,
}

/// A range of virtual addresses, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AliasRange {
    /// First address.
    pub from: i64,
    /// Last address.
    pub to: i64,
    /// Whether a reference may touch only a part of it; XAIF's default is that it may.
    pub partial: Option<bool>,
}

/// `DUUDSetMap` and `DOSetMap`: sets of statements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StmtSets {
    /// The sets, in the order of the document.
    pub sets: Vec<StmtSet>,
}

/// A set of statements.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct StmtSet {
    /// By which references and statements name it.
    pub key: i64,
    /// The keys of other sets, which stand before this one: all their statements belong to it. XAIF 1.0 has no such
    /// sets. Chains of elements grow with the square of the program when they are written in full.
    pub includes: Vec<i64>,
    /// The ids of its other statements. The empty id stands for a statement outside of the procedure.
    pub stmts: Vec<Box<str>>,
}

impl StmtSets {
    /// The keys of the sets that XAIF 1.0 cannot say.
    pub fn composed(&self) -> HashSet<i64> {
        self.sets.iter().filter(|set| !set.includes.is_empty()).map(|set| set.key).collect()
    }
}
