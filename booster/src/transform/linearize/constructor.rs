//! Adjoints of constructors: each item gets its part of the adjoint of the whole.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{Document, ExprId};

pub(super) fn refused<T>(doc: &Document, expr: ExprId) -> Result<T, Diagnostic> {
    let spot = doc.spot(doc.exprs[expr].place);
    let message = "the adjoint of a constructor inside an expression";
    Err(Diagnostic::error(Code::MUST_STAND_ALONE, spot, message)
        .with_help("assign it to a variable first"))
}
