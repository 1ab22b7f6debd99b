//! Calls that are joint, and calls that cannot be, of which a warning tells the reason.

use std::path::Path;
use std::process::Command;

/// The adjoint of `reports.f90` with `options`, and the messages.
fn adjoint(head: &str, options: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("UTF-8");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check/reports.f90");
    let run = Command::new(env!("CARGO_BIN_EXE_oxad"))
        .arg("adjoint")
        .arg(source)
        .args(["--head", head, "--independent", "x", "--dependent", "y", "--verify", "-o", out])
        .args(options)
        .output()
        .expect("oxad runs");
    let messages = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(0), "{messages}");
    let text = std::fs::read_to_string(folder.path().join("reports_b.f90")).expect("written");
    (text, messages)
}

#[test]
fn assignments_to_passive_allocatable_components_leave_calls_joint() {
    for options in [&["--joint", "advance"][..], &["--joint-all"], &[]] {
        let (text, messages) = adjoint("reports%run", options);
        if !options.is_empty() {
            assert!(text.contains("call advance_b("), "{options:?}: {text}");
            assert!(!text.contains("allocated("), "nothing is recorded of `r`: {text}");
        }
        assert!(!messages.contains("OX4489"), "{options:?}: {messages}");
    }
}

#[test]
fn a_warning_tells_why_a_call_in_a_loop_is_split() {
    let (_, messages) = adjoint("reports%drive", &[]);
    for part in [
        "the call of `remember` is split in a loop: it overwrites `calls`, which has no name here",
        "the call of `load` is split in a loop: it cannot be executed twice",
        "this statement reads input",
    ] {
        assert!(messages.contains(part), "{part}: {messages}");
    }
    let (_, messages) = adjoint("reports%drive", &["--joint", "load"]);
    assert!(messages.contains("`load` is split although --joint names it"), "{messages}");
    let (_, messages) = adjoint("reports%drive", &["--split", "load,remember"]);
    assert!(!messages.contains("OX4489"), "{messages}");
}
