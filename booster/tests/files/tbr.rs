//! TBR analysis: for each program in `tbr/` the facts that are found stand beside it.
//!
//! Comments at the beginning of a program: `! activity head=… independent=… dependent=…` finds the
//! facts of activity first, `! why x@12` asks for an explanation. `OXAD_BLESS=1` writes the texts
//! anew.

use std::path::Path;

use booster_tests::trials::each;
use booster_tests::{
    activity_options, as_blessed, document, read, sources, told, told_at_top, verified,
};
use libtest_mimic::Trial;
use xaif_booster::analysis::activity::activity;
use xaif_booster::analysis::tbr::{Tbr, tbr};
use xaif_booster::analysis::{Accesses, Storage};
use xaif_booster::externals::Externals;
use xaif_booster::rules::Catalogue;
use xaif_booster::transform::adjoint::Modes;
use xaif_booster::transform::canonicalize::canonicalize;
use xaif_schema::inspect::show::{ShowOptions, show_with};
use xaif_schema::model::Document;

pub(crate) fn trials() -> Vec<Trial> {
    each("tbr::facts", sources("tbr"), checked)
}

/// The canonical form of a source, with facts of activity if it asks for them.
fn canonical(source: &str) -> Document {
    let mut doc = document(source);
    let asked = source.lines().map_while(|line| line.strip_prefix("! "));
    for words in asked.filter_map(|line| line.strip_prefix("activity")) {
        activity(&mut doc, &activity_options(words), &Externals::new()).expect("heads");
    }
    canonicalize(&mut doc).expect("a canonical form");
    doc
}

/// The printed facts, the explanations, and the document with the facts.
fn facts(source: &str) -> String {
    let mut doc = canonical(source);
    let (externals, catalogue) = (Externals::new(), Catalogue::standard());
    let storage = Storage::new(&doc);
    let accesses = Accesses::new(&doc, &storage);
    let found = Tbr::new(&accesses, &externals, &catalogue, &Modes::default());
    let mut text = found.print();
    for question in told_at_top(source, "why").into_iter().flat_map(str::split_whitespace) {
        text += "\n";
        text += &found.why(question).unwrap_or_else(|messages| told(&messages));
    }
    found.facts().record(&mut doc);
    verified(&doc);
    let show = ShowOptions { vertices: false, comments: false, ..ShowOptions::default() };
    text + "\n" + &show_with(&doc, &show)
}

/// The facts are as blessed, and the same when they are found again.
fn checked(path: &Path) {
    let source = read(path);
    as_blessed(path, &facts(&source));
    let mut doc = canonical(&source);
    let (externals, catalogue) = (Externals::new(), Catalogue::standard());
    tbr(&mut doc, &externals, &catalogue, &Modes::default());
    let once = show_with(&doc, &ShowOptions::default());
    tbr(&mut doc, &externals, &catalogue, &Modes::default());
    assert_eq!(once, show_with(&doc, &ShowOptions::default()));
}
