//! What is refused without facts is refused with facts: a default run adds facts of activity and of what is to be recorded, and
//! these must not hide an error.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use xaif_schema::diag::{Diagnostics, Severity};
use xaif_schema::model::Body;

use crate::{document, read};

/// Those of `sources` whose blessed text of `mode` is a refusal.
pub fn refused(sources: Vec<PathBuf>, mode: &str) -> Vec<PathBuf> {
    let is_refused = |path: &PathBuf| {
        let is_of_both = path.parent().is_some_and(|folder| folder.ends_with("both"));
        let text =
            path.with_extension(if is_of_both { format!("{mode}.txt") } else { "txt".into() });
        // A new source has no text yet.
        std::fs::read_to_string(text).is_ok_and(|text| text.starts_with("refused"))
    };
    sources.into_iter().filter(is_refused).collect()
}

/// Differentiates each procedure of a source with facts, by `derive(source, head)`: the codes of `plain` are among those of
/// the errors. A source with a line `! taken with facts` shows an error that is needless where the facts are known.
pub fn refused_with_facts(
    path: &Path,
    plain: &Diagnostics,
    derive: impl Fn(&str, &str) -> Vec<Diagnostics>,
) {
    let source = read(path);
    let doc = document(&source);
    let heads = doc.procs.values().filter(|proc| matches!(proc.body, Body::Flow(_)));
    let told = heads.flat_map(|proc| derive(&source, doc.name(proc.symbol)));
    let found: BTreeSet<String> = told.flat_map(|messages| codes(&messages)).collect();
    let hidden: Vec<String> = codes(plain).difference(&found).cloned().collect();
    let taken = source.lines().any(|line| line == "! taken with facts");
    assert_eq!(hidden.is_empty(), !taken, "not refused with facts: {hidden:?}; refused: {found:?}");
}

fn codes(messages: &Diagnostics) -> BTreeSet<String> {
    let errors = messages.iter().filter(|one| one.severity == Severity::Error);
    errors.map(|one| one.code.to_string()).collect()
}
