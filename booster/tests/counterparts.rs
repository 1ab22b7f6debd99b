//! The program units of a derivative, before they have derivative statements: for each source in
//! `counterparts/` the text that is printed stands beside it, and gfortran takes it.
//!
//! A source may begin with `! directions N`. `OXAD_BLESS=1` writes the texts anew. A text that
//! begins with `refused` holds the messages.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use fortran_backend::{Layout, unparse};
use xaif_booster::transform::derivative::{Counterparts, Naming};
use xaif_schema::diag::Diagnostics;
use xaif_schema::verify;

fn sources() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/counterparts");
    let entries = std::fs::read_dir(folder).expect("the folder").map(|e| e.expect("entry").path());
    let mut sources: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "f90")).collect();
    sources.sort();
    sources
}

fn told(messages: &Diagnostics) -> String {
    let mut text = String::new();
    for message in messages.iter() {
        writeln!(text, "{message}").expect("a string");
        if let Some(help) = &message.help {
            writeln!(text, "  help: {help}").expect("a string");
        }
    }
    text
}

/// The text of the new units, or the messages; whether there are units. `swept`: without what nothing
/// in them names.
fn counterparts(source: &str, swept: bool) -> (String, bool) {
    let options = fortran_frontend::source::Options::default();
    let translation = fortran_frontend::translate_texts(&[("test.f90", source)], &options);
    assert!(!translation.diagnostics.has_errors(), "{:?}", translation.diagnostics);
    let mut doc = translation.document;
    let first = source.lines().next().and_then(|line| line.strip_prefix("! directions "));
    let directions = first.map(|number| number.trim().parse().expect("a number"));
    match Counterparts::make(&mut doc, &Naming::default(), directions) {
        Err(messages) => (format!("refused\n{}", told(&messages)), false),
        Ok((mut made, messages)) => {
            if swept {
                made.sweep(&mut doc);
            }
            let problems = verify::verify(&doc);
            assert!(problems.is_empty(), "{problems:?}");
            let texts = unparse(&doc, Layout::OneText).expect("it can be printed");
            let text: String = texts.into_iter().map(|(_, text)| text).collect();
            (told(&messages) + &text, true)
        }
    }
}

#[test]
fn the_units_of_a_derivative_are_as_blessed() {
    let mut failures = String::new();
    for path in sources() {
        let source = std::fs::read_to_string(&path).expect("a source");
        let (text, _) = counterparts(&source, false);
        let blessed = path.with_extension("txt");
        if std::env::var_os("OXAD_BLESS").is_some() {
            std::fs::write(&blessed, &text).expect("a file that can be written");
        }
        let expected = std::fs::read_to_string(&blessed).unwrap_or_default();
        if text != expected {
            writeln!(failures, "{}:\n{text}", path.display()).expect("a string");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// What gfortran says to the new units of all sources.
fn compiled(swept: bool, options: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let mut failures = String::new();
    for path in sources() {
        let source = std::fs::read_to_string(&path).expect("a source");
        let (text, made) = counterparts(&source, swept);
        if !made {
            continue;
        }
        let gfortran = |name: &str, text: &str, options: &[&str]| {
            let file = folder.path().join(name);
            std::fs::write(&file, text).expect("a file that can be written");
            let output = Command::new("gfortran")
                .args(["-c", "-o"])
                .args([&folder.path().join("x.o"), &file])
                .args(options)
                .arg("-J")
                .arg(folder.path())
                .output()
                .expect("gfortran");
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            if output.status.success() { String::new() } else { message }
        };
        let message = gfortran("source.f90", &source, &[]) + &gfortran("new.f90", &text, options);
        if !message.is_empty() {
            writeln!(failures, "{}:\n{message}", path.display()).expect("a string");
        }
    }
    failures
}

#[test]
fn gfortran_takes_the_plain_copies() {
    let failures = compiled(false, &["-std=f2018"]);
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn what_has_been_swept_leaves_nothing_unused() {
    let options = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-dummy-argument"];
    let failures = compiled(true, &options);
    assert!(failures.is_empty(), "{failures}");
}
