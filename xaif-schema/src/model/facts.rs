//! Facts that belong to the document as a whole: alias sets and chains of statements.
//!
//! Key 0 of each map has a fixed meaning (XAIF 1.0): an alias set of unknown content that may
//! overlap anything, a chain that was not computed.

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
    /// The sets by key, in the order of the document. The empty id stands for a statement outside
    /// of the procedure.
    pub sets: Vec<(i64, Vec<Box<str>>)>,
}
