//! Programs with the tape, as text.
//!
//! The text of an adjoint uses the module of the runtime, whose procedures are written in C. Here
//! their calls become the operations of the tape that they stand for, which `xaif-run` executes.

use std::collections::HashMap;

use xaif_schema::diag::{Code, Diagnostics};
use xaif_schema::model::{Document, InlinableCall, StmtKind};
use xaif_schema::tape::{MODULE, executed_by};
use xaif_schema::verify::verify;

use super::check::{Failure, document as plain, failure, told};

/// The document of a text whose procedures use the tape.
pub(crate) fn document(text: &str) -> Result<Document, Failure> {
    let (text, renamed) = without_uses(text);
    let mut doc = plain(&text)?;
    let calls: Vec<_> = doc
        .stmts
        .iter()
        .filter_map(|(id, stmt)| {
            let StmtKind::Call(call) = &stmt.kind else { return None };
            // The program may have a procedure of that name itself.
            if call.callee.object.is_some() || doc.described_by(call.callee.symbol).is_some() {
                return None;
            }
            let name = doc.name(call.callee.symbol).to_ascii_lowercase();
            let operation = executed_by(renamed.get(&name).unwrap_or(&name))?;
            Some((id, operation.name, call.args.clone()))
        })
        .collect();
    for (id, name, args) in calls {
        let call = InlinableCall { name: name.into(), args };
        doc.stmts[id].kind = StmtKind::InlinableCall(Box::new(call));
    }
    // A text does not tell which procedures are the sweeps of one: they cannot be compared.
    let found: Diagnostics =
        verify(&doc).into_iter().filter(|found| found.code != Code::UNPAIRED_TAPE).collect();
    if found.is_empty() { Ok(doc) } else { failure("verifier, tape", told(&found)) }
}

/// The text without the USE statements of the runtime, so that what they name is unknown, and the operations
/// that have other names there.
fn without_uses(text: &str) -> (String, HashMap<String, String>) {
    let (mut kept, mut used) = (String::new(), String::new());
    let mut inside = false;
    let head = format!("use {MODULE}");
    for line in text.lines() {
        inside |= line.trim_start().starts_with(&head);
        let into = if inside { &mut used } else { &mut kept };
        into.push_str(line);
        into.push('\n');
        inside &= line.trim_end().ends_with('&');
    }
    let names = used.split([',', ':', '\n', '&']).filter_map(|name| name.split_once("=>"));
    let renamed = names.map(|(local, own)| (local.trim().to_owned(), own.trim().to_owned()));
    (kept, renamed.collect())
}
