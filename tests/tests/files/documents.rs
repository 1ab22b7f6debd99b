//! The XML holds all that the front-end has found: a document that was written and read again
//! shows the same in every detail, gives the same program and is written as the same bytes.
//!
//! The documents are those of the iteration-trip cases, which among them use every part of the model.
//! Cases of several files or with options go through the binaries in `roundtrip.rs` alone.

use std::path::Path;

use crate::each;
use fortran_backend::{Layout, unparse};
use libtest_mimic::Trial;
use oxad_tests::case::{Case, cases_in};
use xaif_schema::inspect::show::{ShowOptions, show_with};
use xaif_schema::model::Document;
use xaif_schema::verify::verify;
use xaif_schema::xml;

/// The document that is read is the document that was written.
pub(crate) fn trials() -> Vec<Trial> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/roundtrip");
    let cases: Vec<Case> = cases_in(&folder).into_iter().filter(is_plain).collect();
    assert!(cases.len() > 50, "only {} cases", cases.len());
    each("documents", cases, survives)
}

fn is_plain(case: &Case) -> bool {
    case.files.len() == 1 && case.options.is_empty()
}

fn survives(case: &Case) -> Result<(), String> {
    let options = fortran_frontend::source::Options::default();
    let before = fortran_frontend::translate(&case.sources(), &options).document;
    let written = xml::to_string(&before).map_err(|error| error.to_string())?;
    let after = xml::read(written.as_bytes(), &case.name).map_err(|found| format!("{found:?}"))?;
    let found = verify(&after);
    if !found.is_empty() {
        return Err(format!("the verifier says {found:?}"));
    }
    same("show", &shown(&before), &shown(&after))?;
    same("program", &program(&before)?, &program(&after)?)?;
    let again = xml::to_string(&after).map_err(|error| error.to_string())?;
    same("XML", &written, &again)
}

fn shown(doc: &Document) -> String {
    // Ids are given anew by the reader.
    show_with(doc, &ShowOptions { ids: false, ..ShowOptions::full() })
}

fn program(doc: &Document) -> Result<String, String> {
    let files = unparse(doc, Layout::OneText).map_err(|found| format!("{found:?}"))?;
    Ok(files.into_iter().map(|(_, text)| text).collect())
}

fn same(what: &str, before: &str, after: &str) -> Result<(), String> {
    let lines = before.lines().zip(after.lines()).enumerate();
    match lines.filter(|(_, (one, other))| one != other).map(|(n, pair)| (n + 1, pair)).next() {
        Some((line, (one, other))) => {
            Err(format!("{what} differs in line {line}:\n  {one}\n  {other}"))
        }
        None if before.len() == after.len() => Ok(()),
        None => Err(format!("{what} has another length")),
    }
}
