//! What a genuine document spelt in a way that the model does not need to know.
//!
//! The model holds meanings; XAIF leaves some spellings open: local vertex and edge ids, listing
//! order of edges, `true` or `1`, annotations, an attribute that is written although it has its
//! default. The reader notes here only what differs from how the writer would spell it, so that a
//! genuine document is written again as it was, and our own documents leave this table empty.
//! A stage that makes new entities need not know of it.

use std::collections::HashMap;

/// The spellings; empty for documents of our own dialect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AsRead {
    /// Reserved for the reader and writer: attributes by element.
    pub(crate) _attributes: HashMap<u32, String>,
}
