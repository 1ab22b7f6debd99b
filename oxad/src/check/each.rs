//! `oxad check --each`: every procedure that a driver can call is checked as a head of its own, so
//! that a wrong derivative of a program is found where it comes from.
//!
//! A procedure is differentiated anew, with respect to all its inputs, and needs its own values
//! and shapes: one name in `--set` means the variables of this name in all procedures.

use std::fmt::Write as _;
use std::path::Path;

use xaif_schema::diag::{Diagnostics, Severity};
use xaif_schema::model::{Body, ProcId, ProcKind, ScopeKind};

use super::Session;
use crate::check::point::plan;
use crate::check::verdict::judge::Verdict;

/// The table, and whether nothing is wrong and something is good.
pub(super) fn table(
    session: &mut Session<'_>,
    folder: &Path,
) -> Result<(String, bool), Diagnostics> {
    let mut text = format!("{:<28}{:<14}remark\n", "procedure", "verdict");
    let (mut good, mut wrong) = (0, Vec::new());
    for head in heads(session) {
        let name = plan::qualified_name(&session.original, head);
        let inner = folder.join(plan::folder_name(&session.original, head));
        let (verdict, remark) = match session.check(head, &inner) {
            Ok(Some(reports)) => {
                let verdict = reports.iter().map(|report| report.verdict()).collect::<Vec<_>>();
                let remarks: Vec<String> = reports.iter().map(|report| report.remark()).collect();
                let verdict = if verdict.contains(&Verdict::Wrong) {
                    wrong.push(name.clone());
                    "WRONG"
                } else if verdict.contains(&Verdict::Unsure) {
                    "cannot tell"
                } else {
                    good += 1;
                    "good"
                };
                (verdict, remarks.join("; "))
            }
            Ok(None) => ("not checked", "its files cannot be read".to_string()),
            Err(found) => ("not checked", first(&found)),
        };
        let _ = writeln!(text, "{}", format!("{name:<27} {verdict:<13} {remark}").trim_end());
    }
    let _ = match (wrong.as_slice(), good) {
        ([], 0) => writeln!(text, "\nno verdict: no procedure could be checked"),
        ([], _) => writeln!(text, "\ngood: nothing is wrong in what could be checked"),
        (wrong, _) => writeln!(
            text,
            "\nWRONG: {}; look at one with --head",
            wrong.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        ),
    };
    Ok((text, wrong.is_empty() && good > 0))
}

/// External and module procedures, those first that stand first.
fn heads(session: &Session<'_>) -> Vec<ProcId> {
    let doc = &session.original;
    let can_be_called = |&id: &ProcId| {
        let proc = &doc.procs[id];
        let host = doc.scopes[proc.scope].parent.map(|host| doc.scopes[host].kind);
        let outside = match host {
            Some(ScopeKind::Global | ScopeKind::Plain | ScopeKind::Module(_)) => true,
            Some(
                ScopeKind::Procedure(_)
                | ScopeKind::Submodule { .. }
                | ScopeKind::BlockData(_)
                | ScopeKind::DerivedType(_)
                | ScopeKind::Block
                | ScopeKind::Associate
                | ScopeKind::Indices
                | ScopeKind::StatementFunction(_),
            )
            | None => false,
        };
        matches!(proc.body, Body::Flow(_)) && proc.kind != ProcKind::Program && outside
    };
    doc.procs.keys().filter(can_be_called).collect()
}

/// The first error in short.
fn first(found: &Diagnostics) -> String {
    let errors = found.iter().filter(|found| found.severity == Severity::Error);
    errors.take(1).map(|first| format!("{}: {}", first.code, first.message)).collect()
}
