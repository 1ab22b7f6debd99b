//! The scripts do what their usage says.

use std::fs;
use std::path::Path;
use std::process::Command;

use oxad_tests::programs::{Finished, binaries, finish, workspace};

fn corpus(arguments: &[&str], folder: &Path) -> Finished {
    let mut command = Command::new(workspace().join("scripts/corpus"));
    command.args(arguments).arg("--bin").arg(binaries()).current_dir(folder);
    finish(command, b"").expect("scripts/corpus runs")
}

/// A folder with a module, a file that uses it and sorts before it, and a file on its own.
fn sources() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("created");
        fs::write(path, text).expect("written");
    };
    write("src/a_main.f90", "program main\n  use settings\n  print *, n\nend program main\n");
    write(
        "src/z_settings.f90",
        "module settings\n  implicit none\n  integer :: n = 1\nend module settings\n",
    );
    write("old/alone.f", "      SUBROUTINE ALONE(X)\n      X = X + 1.0\n      END\n");
    write("old/notes.txt", "no Fortran\n");
    folder
}

#[test]
fn corpus_takes_files_that_belong_together_through_as_one() {
    let folder = sources();
    let finished = corpus(&["roundtrip", ".", "--compile", "--out", "kept"], folder.path());
    assert_eq!(finished.status, Some(0), "{}{}", finished.out(), finished.err());
    assert!(finished.out().starts_with("3 files, 11 lines, 2 groups\n"), "{}", finished.out());
    assert!(finished.out().ends_with("\n2 passed, 0 failed\n"), "{}", finished.out());
    assert!(folder.path().join("kept/old/alone.f90").exists());
    let kept = fs::read_to_string(folder.path().join("kept/src/a_main.f90")).expect("kept");
    assert!(kept.contains("module settings") && kept.contains("program main"), "{kept}");
}

#[test]
fn corpus_counts_failures_by_stage_and_reports_each() {
    let folder = sources();
    fs::write(folder.path().join("old/bad.f90"), "program bad\n  x = = 1\nend\n").expect("written");
    let finished = corpus(&["roundtrip", ".", "--report", "report"], folder.path());
    assert_eq!(finished.status, Some(1), "{}", finished.err());
    assert!(finished.out().contains("f2xaif failed on 1:\n  old/bad.f90\n"), "{}", finished.out());
    assert!(finished.out().ends_with("\n2 passed, 1 failed\n"), "{}", finished.out());
    let report = fs::read_to_string(folder.path().join("report")).expect("a report");
    assert_eq!(report.lines().count(), 3);
    assert!(report.contains("old/bad.f90\tf2xaif\t"), "{report}");
}

#[test]
fn corpus_does_not_blame_the_pipeline_for_what_gfortran_refuses() {
    let folder = sources();
    let text = "program bad\n  integer :: i\n  i = .true.\n  call i()\nend\n";
    fs::write(folder.path().join("old/bad.f90"), text).expect("written");
    let finished = corpus(&["roundtrip", ".", "--compile"], folder.path());
    assert_eq!(finished.status, Some(0), "{}{}", finished.out(), finished.err());
    assert!(finished.out().ends_with("\n2 passed, 0 failed, 1 not taken by gfortran\n"));
}

#[test]
fn corpus_measures_one_run_over_all_files() {
    let folder = sources();
    let finished = corpus(&["speed", "."], folder.path());
    assert_eq!(finished.status, Some(0), "{}{}", finished.out(), finished.err());
    assert!(finished.out().starts_with("3 files, 11 lines in one run of f2xaif: "));
}

#[test]
fn corpus_says_wrong_usage() {
    let folder = tempfile::tempdir().expect("a folder");
    for arguments in [&["roundtrip", "no-such-folder"][..], &["roundtrip", "."], &["transmogrify"]]
    {
        let finished = corpus(arguments, folder.path());
        assert_eq!(finished.status, Some(2), "{arguments:?}: {}", finished.err());
        assert_eq!(finished.out(), "", "{arguments:?}");
    }
}

#[test]
fn shell_scripts_stop_at_the_first_failure_and_parse() {
    let mut seen = 0;
    for entry in fs::read_dir(workspace().join("scripts")).expect("scripts").flatten() {
        let text = fs::read_to_string(entry.path()).expect("text");
        if !text.starts_with("#!/usr/bin/env bash") {
            continue;
        }
        seen += 1;
        assert!(text.contains("set -euo pipefail"), "{}", entry.path().display());
        let mut bash = Command::new("bash");
        bash.arg("-n").arg(entry.path());
        let parsed = finish(bash, b"").expect("bash runs");
        assert_eq!(parsed.status, Some(0), "{}", parsed.err());
    }
    assert!(seen >= 3);
}

/// The commands of `scripts/test --changed` for a file.
fn affected(file: &str) -> Vec<String> {
    let mut command = Command::new(workspace().join("scripts/test"));
    command.args(["--changed", "--list", file]);
    let finished = finish(command, b"").expect("scripts/test runs");
    assert_eq!(finished.status, Some(0), "{}", finished.err());
    finished.out().lines().map(str::to_owned).collect()
}

#[test]
fn a_change_is_tested_by_what_it_can_affect() {
    let of_a_pass = affected("booster/adjoint/src/hoist.rs");
    let lints = "cargo clippy --quiet -p booster-adjoint -p xaif-booster -p booster-tests -p oxad-tests -p oxad \
                 --all-targets -- -D warnings";
    assert!(of_a_pass.iter().any(|one| one == lints), "{of_a_pass:?}");
    for wanted in [
        "cargo test --quiet -p booster-tests --test files -- adjoint::",
        "cargo test --quiet -p booster-tests --test all",
        "cargo test --quiet -p oxad-tests",
    ] {
        assert!(of_a_pass.iter().any(|one| one == wanted), "{wanted}: {of_a_pass:?}");
    }
    assert!(!of_a_pass.iter().any(|one| one.contains("elimination")), "{of_a_pass:?}");
    let source = affected("booster/tests/adjoint/time_levels.f90");
    assert_eq!(source[0], "cargo test --quiet -p booster-tests --test files -- ::time_levels");
    let case = affected("tests/cases/names/an_extent_by_a_function.f90");
    assert_eq!(
        case,
        ["cargo test --quiet -p oxad-tests --test files -- ::an_extent_by_a_function.f90"]
    );
    assert_eq!(affected("README.md"), ["cargo test --quiet -p oxad-tests -- readme:: pages::"]);
    assert_eq!(affected("docs/codes.md"), ["cargo test --quiet -p oxad -- explain::"]);
    assert_eq!(affected("Cargo.toml"), ["scripts/test"]);
    let of_all = affected("xaif-schema/src/lib.rs");
    for package in ["xaif-schema", "booster-tests", "fortran-backend", "xaif-run", "oxad"] {
        let wanted = format!("cargo test --quiet -p {package}");
        assert!(of_all.contains(&wanted), "{package}: {of_all:?}");
    }
}

#[test]
fn wrong_usage_of_the_tests_is_said() {
    for words in [&["--chnged"][..], &["--changed", "a", "b"]] {
        let mut command = Command::new(workspace().join("scripts/test"));
        command.args(words);
        let finished = finish(command, b"").expect("scripts/test runs");
        assert_eq!(finished.status, Some(2), "{words:?}");
        assert!(finished.err().contains("scripts/test"), "{}", finished.err());
    }
}

#[test]
fn bench_compares_right_gradients_with_those_by_hand() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(workspace().join("scripts/bench"));
    command.arg("--oxad").arg(binaries().join("oxad")).args([
        "--rounds",
        "1",
        "--scale",
        "0.04",
        "--flags=-O1 -w",
    ]);
    command.args(["--only", "bratu", "--only", "swearr"]).current_dir(folder.path());
    let finished = finish(command, b"").expect("scripts/bench runs");
    assert_eq!(finished.status, Some(0), "{}", finished.err());
    let text = finished.out();
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| bratu") || line.starts_with("| swearr"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 2, "{text}");
    for row in rows {
        assert_eq!(row.len(), 8, "{text}");
        // By hand, generated, generated without facts: ratios, not the word for a wrong gradient.
        for ratio in [row[2], row[3], row[5]] {
            assert!(ratio.parse::<f64>().is_ok_and(|ratio| ratio > 0.0), "{text}");
        }
        assert_eq!(row[4], "", "there are no calls: {text}");
        assert!(row[7].contains("MB"), "{text}");
    }
    assert!(text.contains("| bratu, n = 400 |"), "{text}");
}

/// The limits are wide: a stage that looks at everything for each part of the program grows with the square, and
/// processor time hardly depends on other work. Memory does not at all.
#[test]
fn no_stage_grows_with_the_square_of_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(workspace().join("scripts/bench-scale"));
    command.arg("--bins").arg(binaries()).args(["--sizes", "500,4000", "--cpu", "--check"]);
    command.args(["--exponent", "1.6", "--memory-exponent", "1.2"]);
    command.args(["--least", "0.02", "--least-memory", "20"]).current_dir(folder.path());
    let finished = finish(command, b"").expect("scripts/bench-scale runs");
    assert_eq!(finished.status, Some(0), "{}{}", finished.out(), finished.err());
    for shape in ["calls", "straight", "control", "globals"] {
        assert!(finished.out().contains(&format!("| {shape} |")), "{}", finished.out());
    }
}
