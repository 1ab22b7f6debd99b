//! Adjoints of functions of arrays that depend on values of their arguments: RESHAPE.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{Document, ExprId};

use super::graph::spelling;

/// The adjoint of an operand for which the catalogue has no text.
pub(super) fn special<T>(doc: &Document, expr: ExprId, position: u16) -> Result<T, Diagnostic> {
    let spot = doc.spot(doc.exprs[expr].place);
    let message = format!("argument {position} of `{}` has no adjoint", spelling(doc, expr));
    Err(Diagnostic::error(Code::MUST_STAND_ALONE, spot, message)
        .with_help("assign it to a variable first"))
}
