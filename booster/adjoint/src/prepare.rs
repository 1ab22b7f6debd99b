//! What an adjoint is made of: the canonical form, without constructs that do several things at once.
//!
//! - BLOCK, ASSOCIATE and DO CONCURRENT become plain text ([`flatten`](fn@flatten)).
//! - What INTENT(OUT) arguments begin with is written down.
//! - Each assignment under a mask has a WHERE of its own, FORALL becomes loops
//!   ([`canonicalize_constructs`]).

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;

use crate::flatten::{flatten, write_out};
use booster_canonical::canonicalize_constructs;

/// Brings `doc` into the form that adjoints are made of. The result are warnings. Whoever finds facts
/// for an adjoint looks at this form; making it twice changes no result.
///
/// # Errors
/// Those of [`canonicalize_constructs`], and INTENT(OUT) arguments that begin with what nobody knows.
pub fn prepare(doc: &mut Document) -> Result<Diagnostics, Diagnostics> {
    write_out(doc)?;
    flatten(doc);
    canonicalize_constructs(doc)
}
