//! Which rows of the standard table the operations of a document use: by this a test tells that each row
//! is tried.

use xaif_schema::model::{Document, ExprKind};

use crate::{Form, canonical, table};

/// The rows of the standard table that the operations of a document use, by index.
pub fn standard_rows_used(doc: &Document) -> Vec<usize> {
    let mut used = Vec::new();
    for (id, expr) in doc.exprs.iter() {
        if let ExprKind::Intrinsic { name, operands, .. } = &expr.kind {
            let name = canonical(name);
            used.extend(
                table::rows().position(|row| row.name == name && row.when.holds(doc, id, operands)),
            );
        }
    }
    used
}

/// The rows of the standard table through which a derivative flows.
pub fn standard_rows_with_derivative() -> impl Iterator<Item = (usize, String)> {
    table::rows()
        .enumerate()
        .filter(|(_, row)| match row.form {
            Form::Partials(_)
            | Form::Same(_)
            | Form::Bilinear
            | Form::Choice(_)
            | Form::Statements => true,
            Form::Passive | Form::Refused(_) => false,
        })
        .map(|(index, row)| (index, format!("{} ({:?})", row.name, row.when)))
}
