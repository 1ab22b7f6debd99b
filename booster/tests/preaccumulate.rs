//! Local Jacobians in documents: for each source in `preaccumulate/` the document that is made of it
//! stands beside it.
//!
//! A source says in comments at its top what is executed (`! call p x=1.5`, `! along x=1`), and
//! `! options --technique edge` what the stage is told beside `--always`.
//!
//! `OXAD_BLESS=1` writes the documents anew.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Parser as _;
use elimination::{Chain, TECHNIQUES};
use xaif_booster::externals::Externals;
use xaif_booster::rules::Catalogue;
use xaif_booster::stages::{EliminationArgs, PreaccumulateArgs};
use xaif_booster::transform::preaccumulate::{Choice, Options, preaccumulate};
use xaif_schema::diag::Diagnostics;
use xaif_schema::lens::show;
use xaif_schema::model::{Document, StmtKind};
use xaif_schema::verify;

fn sources(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder").map(|e| e.expect("entry").path());
    let mut sources: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "f90")).collect();
    sources.sort();
    sources
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a source")
}

fn told(messages: &Diagnostics) -> String {
    let mut text = String::new();
    for message in messages.iter() {
        writeln!(text, "{message}").expect("a string");
    }
    text
}

fn document(source: &str) -> Document {
    let options = fortran_frontend::source::Options::default();
    let translation = fortran_frontend::translate_texts(&[("test.f90", source)], &options);
    assert!(!translation.diagnostics.has_errors(), "{:?}", translation.diagnostics);
    translation.document
}

/// What stands behind a word at the top of a source.
fn told_at_top<'s>(source: &'s str, word: &str) -> Vec<&'s str> {
    let top = source.lines().take_while(|line| line.starts_with('!'));
    top.filter_map(|line| line.strip_prefix("! ")?.strip_prefix(word)?.strip_prefix(' ')).collect()
}

#[derive(clap::Parser)]
struct Words {
    #[command(flatten)]
    elimination: EliminationArgs,
    #[command(flatten)]
    stage: PreaccumulateArgs,
}

/// The options that a source asks for.
fn options(source: &str) -> Options {
    let words = told_at_top(source, "options").join(" ");
    let words = ["stage"].into_iter().chain(words.split_whitespace());
    let words = Words::parse_from(words);
    words.stage.options(&words.elimination, &Externals::new(), Catalogue::standard())
}

/// The document behind the stage, which asks nobody whether it pays.
fn made(doc: &Document, options: &Options, what: &str) -> Document {
    let mut doc = doc.clone();
    let options = Options { always: true, ..options.clone() };
    preaccumulate(&mut doc, &options).unwrap_or_else(|found| panic!("{what}: {}", told(&found)));
    let problems = verify::verify(&doc);
    assert!(problems.is_empty(), "{what}: {problems:?}");
    doc
}

#[test]
fn the_documents_are_as_blessed() {
    let mut failures = String::new();
    for path in sources("preaccumulate") {
        let source = read(&path);
        let text = show::show(&made(&document(&source), &options(&source), "blessed"));
        let blessed = path.with_extension("txt");
        if std::env::var_os("OXAD_BLESS").is_some() {
            std::fs::write(&blessed, &text).expect("a file that can be written");
        }
        if text != std::fs::read_to_string(&blessed).unwrap_or_default() {
            writeln!(failures, "{}:\n{text}", path.display()).expect("a string");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn every_technique_with_every_heuristic_makes_a_document() {
    for path in sources("preaccumulate") {
        for technique in TECHNIQUES {
            for chain in Chain::portfolio() {
                let how = format!("{} {} {chain}", path.display(), technique.name());
                let (technique, heuristic) = (Some(technique), Some(chain));
                let choice = Choice { technique, heuristic, ..Choice::default() };
                let options = Options { choice, ..Options::default() };
                let doc = made(&document(&read(&path)), &options, &how);
                let propagators = |doc: &Document| {
                    let stmts = doc.stmts.values();
                    stmts.filter(|stmt| matches!(stmt.kind, StmtKind::Propagate(_))).count()
                };
                assert!(propagators(&doc) > 0, "{how}");
            }
        }
    }
}
