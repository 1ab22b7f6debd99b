//! Programs with the tape, as text.
//!
//! The text of an adjoint uses the module of the runtime, whose procedures are written in C. Here
//! their calls become the operations of the tape that they stand for, which `xaif-run` executes.

use xaif_schema::model::{Document, InlinableCall, StmtKind};
use xaif_schema::tape::{MODULE, operation};
use xaif_schema::verify::verify;

use super::check::{Failure, document as plain, failure, told};

/// The document of a text whose procedures use the tape.
pub(crate) fn document(text: &str) -> Result<Document, Failure> {
    let mut doc = plain(&without_uses(text))?;
    let calls: Vec<_> = doc
        .stmts
        .iter()
        .filter_map(|(id, stmt)| {
            let StmtKind::Call(call) = &stmt.kind else { return None };
            let operation = operation(&doc.name(call.callee.symbol).to_ascii_lowercase())?;
            Some((id, operation.name, call.args.clone()))
        })
        .collect();
    for (id, name, args) in calls {
        let call = InlinableCall { name: name.into(), args };
        doc.stmts[id].kind = StmtKind::InlinableCall(Box::new(call));
    }
    let found = verify(&doc);
    if found.is_empty() { Ok(doc) } else { failure("verifier, tape", told(&found)) }
}

/// The text without the USE statements of the runtime: what they name is unknown then.
fn without_uses(text: &str) -> String {
    let mut inside = false;
    let head = format!("use {MODULE}");
    let kept = text.lines().filter(|line| {
        let starts = line.trim_start().starts_with(&head);
        let out = inside || starts;
        inside = out && line.trim_end().ends_with('&');
        !out
    });
    kept.flat_map(|line| [line, "\n"]).collect()
}
