//! From syntax trees to a document: names are resolved, expressions typed, control flow made a graph.
//!
//! - `names/`: scopes and symbols: declarations, USE and host association, implicit typing,
//!   COMMON and EQUIVALENCE, generic interfaces. Fills scopes, symbols and specification items.
//! - `expr/`: expressions and references: call or array reference is decided, intrinsics are
//!   recognised, every node gets its type, integer constants are folded.
//! - `body/`: execution parts: statements, basic blocks, edges.
//!
//! All of them are methods of one [`Lowering`], each in its file. The lowering never fails: what it
//! cannot understand is carried opaquely, with a warning.

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;

/// The state of a lowering: the document under construction and what there is to say about it.
#[derive(Debug, Default)]
#[allow(dead_code)] // its first user lands next
pub(crate) struct Lowering {
    /// The document so far.
    pub(crate) doc: Document,
    /// What was found on the way.
    pub(crate) diagnostics: Diagnostics,
}
