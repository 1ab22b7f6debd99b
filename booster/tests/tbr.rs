//! TBR analysis: for each program in `tbr/` the facts that are found stand beside it.
//!
//! Comments at the beginning of a program: `! activity head=… independent=… dependent=…` finds the
//! facts of activity first, `! why x@12` asks for an explanation. `OXAD_BLESS=1` writes the texts
//! anew.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use xaif_booster::analysis::activity::{Options, activity};
use xaif_booster::analysis::tbr::{Tbr, tbr};
use xaif_booster::analysis::{Accesses, Storage};
use xaif_booster::externals::Externals;
use xaif_booster::rules::Catalogue;
use xaif_booster::transform::adjoint::Modes;
use xaif_booster::transform::canonicalize::canonicalize;
use xaif_schema::diag::Diagnostics;
use xaif_schema::lens::show::{ShowOptions, show_with};
use xaif_schema::model::Document;
use xaif_schema::verify;

fn sources() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tbr");
    let entries = std::fs::read_dir(folder).expect("the folder").map(|e| e.expect("entry").path());
    let mut sources: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "f90")).collect();
    sources.sort();
    sources
}

fn document(source: &str) -> Document {
    let options = fortran_frontend::source::Options::default();
    let translation = fortran_frontend::translate_texts(&[("test.f90", source)], &options);
    assert!(!translation.diagnostics.has_errors(), "{:?}", translation.diagnostics);
    translation.document
}

/// The words behind `! key` at the beginning of a source.
fn words<'s>(source: &'s str, key: &str) -> Vec<Vec<&'s str>> {
    let comments = source.lines().map_while(|line| line.strip_prefix("! "));
    let wanted = comments.filter_map(|line| line.strip_prefix(key));
    wanted.map(|line| line.split_whitespace().collect()).collect()
}

fn options(words: &[&str]) -> Options {
    let mut options = Options::default();
    for word in words {
        let (key, list) = word.split_once('=').expect("key=list");
        let list: Vec<String> = list.split(',').map(str::to_owned).collect();
        match key {
            "head" => options.heads = list,
            "independent" => options.independent = list,
            "dependent" => options.dependent = list,
            _ => panic!("no option {key}"),
        }
    }
    options
}

fn told(messages: &Diagnostics) -> String {
    messages.iter().fold(String::new(), |text, message| text + &format!("{message}\n"))
}

/// The canonical form of a source, with facts of activity if it asks for them.
fn canonical(source: &str) -> Document {
    let mut doc = document(source);
    for words in words(source, "activity") {
        activity(&mut doc, &options(&words), &Externals::new()).expect("heads");
    }
    canonicalize(&mut doc).expect("a canonical form");
    doc
}

/// What is printed, what is explained, and the document with the facts.
fn facts(source: &str) -> String {
    let mut doc = canonical(source);
    let (externals, catalogue) = (Externals::new(), Catalogue::standard());
    let storage = Storage::new(&doc);
    let accesses = Accesses::new(&doc, &storage);
    let found = Tbr::new(&accesses, &externals, &catalogue, &Modes::default());
    let mut text = found.print();
    for question in words(source, "why ").into_iter().flatten() {
        text += "\n";
        text += &found.why(question).unwrap_or_else(|messages| told(&messages));
    }
    found.facts().record(&mut doc);
    let problems = verify::verify(&doc);
    assert!(problems.is_empty(), "{problems:?}");
    let show = ShowOptions { vertices: false, comments: false, ..ShowOptions::default() };
    text + "\n" + &show_with(&doc, &show)
}

#[test]
fn the_facts_are_as_blessed() {
    let bless = std::env::var_os("OXAD_BLESS").is_some();
    let mut failures = String::new();
    for path in sources() {
        let source = std::fs::read_to_string(&path).expect("a source");
        let text = facts(&source);
        let blessed = path.with_extension("txt");
        if bless {
            std::fs::write(&blessed, &text).expect("written");
        } else if std::fs::read_to_string(&blessed).unwrap_or_default() != text {
            writeln!(failures, "{}:\n{text}", path.display()).expect("a string");
        }
    }
    assert!(failures.is_empty(), "not as blessed:\n{failures}");
}

#[test]
fn facts_that_are_found_again_are_the_same() {
    for path in sources() {
        let source = std::fs::read_to_string(&path).expect("a source");
        let mut doc = canonical(&source);
        let (externals, catalogue) = (Externals::new(), Catalogue::standard());
        tbr(&mut doc, &externals, &catalogue, &Modes::default());
        let once = show_with(&doc, &ShowOptions::default());
        tbr(&mut doc, &externals, &catalogue, &Modes::default());
        assert_eq!(once, show_with(&doc, &ShowOptions::default()), "{}", path.display());
    }
}
