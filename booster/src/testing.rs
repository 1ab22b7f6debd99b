//! Documents for tests: made by the Fortran front-end, which only the tests depend on.

use fortran_frontend::{source, translate_texts};
use xaif_schema::model::Document;

/// The document of a free-form source text.
pub(crate) fn document(text: &str) -> Document {
    let translation = translate_texts(&[("test.f90", text)], &source::Options::default());
    assert!(!translation.diagnostics.has_errors(), "{:?}", translation.diagnostics);
    translation.document
}
