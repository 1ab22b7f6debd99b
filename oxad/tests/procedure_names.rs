//! Procedures that options name: alone, or with their module.

use std::path::Path;
use std::process::{Command, Output};

fn case(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check").join(name).display().to_string()
}

fn oxad(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_oxad")).args(arguments).output().expect("oxad runs")
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The adjoint of `two_of_a_name.f90` with `options`; the directives in it name a variable twice.
fn adjoint(options: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("UTF-8");
    let source = case("two_of_a_name.f90");
    let arguments =
        ["adjoint", &source, "--head", "together%all", "--verify", "-o", out].into_iter();
    let run = oxad(&arguments.chain(options.iter().copied()).collect::<Vec<_>>());
    let text = std::fs::read_to_string(folder.path().join("two_of_a_name_b.f90"));
    assert_eq!(run.status.code(), Some(0), "{}", err(&run));
    (text.expect("written"), err(&run))
}

/// How many modules of the adjoint have a forward half of `part`.
fn halves(text: &str) -> Vec<&str> {
    let mut module = "";
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("module ") {
            module = name;
        }
        if line.starts_with("subroutine part_fwd") {
            found.push(module);
        }
    }
    found
}

#[test]
fn one_of_two_procedures_of_a_name_is_split() {
    let (text, _) = adjoint(&["--split", "left%part"]);
    assert_eq!(halves(&text), ["left_b"]);
    let (text, _) = adjoint(&["--split", "Right%Part"]);
    assert_eq!(halves(&text), ["right_b"]);
    let (text, _) = adjoint(&["--split", "part"]);
    assert_eq!(halves(&text), ["left_b", "right_b"]);
    let (text, _) = adjoint(&["--split-all", "--joint", "left%part"]);
    assert_eq!(halves(&text), ["right_b"]);
}

#[test]
fn a_procedure_of_another_module_is_not_there() {
    let (_, messages) = adjoint(&["--split", "together%part"]);
    assert!(
        messages.contains("warning[OX4485]") && messages.contains("together%part"),
        "{messages}"
    );
}

#[test]
fn a_body_in_a_submodule_belongs_to_the_module() {
    let source = case("body_elsewhere.f90");
    for head in ["work", "face%work", "second%work", "FACE % work"] {
        let run = oxad(&["check", &source, "--head", head]);
        assert_eq!(run.status.code(), Some(0), "{head}: {}", err(&run));
    }
}
