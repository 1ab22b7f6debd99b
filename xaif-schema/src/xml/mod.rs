//! The document as XML text: reader and writer. No other module of any crate knows XML.
//!
//! [`read`] and [`write`](fn@write) are inverse to each other:
//!
//! - a document of our own dialect that is written and read again is the same model, with entities
//!   numbered in the order of the text, operands before their operators;
//! - a XAIF 1.0 document that is read and written again has the same elements and attributes
//!   (`model/as_read.rs`), white space, comments and the order of attributes aside.
//!
//! The vocabulary. Elements of XAIF 1.0 stand in the namespace `http://www.mcs.anl.gov/XAIF` and mean
//! what they mean there. All else is an element or attribute of the namespace
//! `https://oxad.dev/xaif/2`:
//!
//! - a symbol is named as `scope:symbol`, a list of symbols has blanks between (blanks in names are
//!   `%20`);
//! - a place is `file:line:column`, `ox:at="1:12:7"`; the files are numbered by `ox:File`; 0 is not
//!   known;
//! - a type is `real8`, `integer4[2]` (rank 2), `character1`, `type(3:point)`;
//! - an element that holds an expression holds its nodes and edges, as `xaif:AssignmentRHS` does.
//!
//! [`catalogue`] reads XAIF's catalogues of intrinsics, which are documents of their own.
//!
//! `schema/xaif.xsd` and `schema/oxad.xsd` have every element and attribute.

pub mod catalogue;
mod fault;
mod graph;
mod input;
mod out;
mod read;
mod tag;
mod value;
mod words;
mod write;

use std::io;

pub use self::read::{Positions, read, read_with_positions};
pub use self::write::write;

use crate::model::Document;

/// The namespace of XAIF 1.0.
pub const XAIF: &str = "http://www.mcs.anl.gov/XAIF";

/// The namespace of what XAIF 1.0 cannot say.
pub const OX: &str = "https://oxad.dev/xaif/2";
/// What the namespaces of all versions of the dialect begin with.
const DIALECTS: &str = "https://oxad.dev/xaif/";

/// The namespace of `xsi:schemaLocation`.
const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The namespace of XAIF's catalogues of inlinable intrinsics.
const INLINABLE: &str = "http://www.mcs.anl.gov/XAIFInlinableIntrinsics";

/// The namespace of XAIF's catalogues of other intrinsics.
const NON_INLINABLE: &str = "http://www.mcs.anl.gov/XAIFNonInlinableIntrinsics";

/// How deeply elements may be nested. Subscripts within subscripts take four levels each; operators
/// and function calls take none. Reader and writer have the same limit.
const MAX_DEPTH: usize = 400;

/// The XML text of `doc`.
///
/// ```
/// use xaif_schema::{model::Document, xml};
///
/// let text = xml::to_string(&Document::new())?;
/// assert!(text.contains("<xaif:CallGraph"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// A document that is nested too deep to be written.
pub fn to_string(doc: &Document) -> io::Result<String> {
    let mut bytes = Vec::new();
    write(doc, &mut bytes)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}
