//! `--no-alias`: module pointers that no given source associates are differentiated as allocatable arrays are.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check/block.f90")
}

fn oxad(command: &str, source: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_oxad"))
        .arg(command)
        .arg(source)
        .args(["--independent", "block%w", "--dependent", "block%dw"])
        .args(arguments)
        .output()
        .expect("oxad runs")
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The derivatives of the kernels, and the messages.
fn adjoint(head: &str, text: &str, options: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("block.f90");
    std::fs::write(&source, text).expect("a source");
    let out = folder.path().join("made");
    let fixed = ["--head", head, "--verify", "-o", out.to_str().expect("UTF-8")];
    let run = oxad("adjoint", &source, &[&fixed, options].concat());
    assert_eq!(run.status.code(), Some(0), "{}", err(&run));
    let made = std::fs::read_to_string(out.join("block_b.f90")).expect("written");
    let kernels = made.find("module kernels_b").expect("the module");
    (made[kernels..].to_owned(), err(&run))
}

/// How often a text puts something onto the tape, or reserves room there.
fn records(text: &str) -> usize {
    let calls = |name: &str| text.matches(&format!("call {name}(")).count();
    ["push", "push_array", "push_section", "block_alloc"].into_iter().map(calls).sum()
}

#[test]
fn promised_pointers_record_what_allocatable_arrays_record() {
    let text = std::fs::read_to_string(source()).expect("a source");
    let arrays = text.replace("pointer, dim", "allocatable, dim");
    for head in ["kernels%pressure", "kernels%flux"] {
        let (allocatable, _) = adjoint(head, &arrays, &[]);
        let (promised, messages) = adjoint(head, &text, &["--no-alias"]);
        let (open, _) = adjoint(head, &text, &[]);
        assert_eq!(records(&promised), records(&allocatable), "{head}: {promised}");
        assert!(records(&open) > records(&promised), "{head}: {open}");
        assert!(!messages.contains("OX4494"), "{messages}");
    }
}

#[test]
fn a_passive_pointer_that_is_promised_has_no_derivative() {
    let text = std::fs::read_to_string(source()).expect("a source");
    let (open, messages) = adjoint("kernels%residual", &text, &[]);
    assert!(open.contains("gasb(i) = gasb(i) +"), "{open}");
    assert!(
        messages.contains("no given source associates") && messages.contains("`p`"),
        "{messages}"
    );
    for promise in ["--no-alias", "--no-alias=gas", "--no-alias=block%gas"] {
        let (text, messages) = adjoint("kernels%residual", &text, &[promise]);
        assert!(!text.contains("gasb"), "{promise}: {text}");
        assert!(!messages.contains("warning"), "{messages}");
    }
    let (_, messages) = adjoint("kernels%residual", &text, &["--no-alias=gaz"]);
    assert!(messages.contains("warning[OX4063]") && messages.contains("`gaz`"), "{messages}");
}

#[test]
fn derivatives_of_promised_pointers_are_right() {
    let extents = ["n=6", "w:7,2", "dw:7,2", "p:7", "gas:7"];
    let shapes: Vec<&str> = extents.iter().flat_map(|one| ["--set", one]).collect();
    for (head, mode) in [("kernels%residual", "both"), ("kernels%scaled", "both")] {
        let run = oxad(
            "check",
            &source(),
            &[&["--head", head, "--mode", mode, "--no-alias"], &shapes[..]].concat(),
        );
        let out = String::from_utf8_lossy(&run.stdout);
        assert_eq!(run.status.code(), Some(0), "{head}: {out}{}", err(&run));
        assert_eq!(out.matches("good: ").count(), 2, "{out}");
    }
}

/// What `xaif-sideeffects` tells of two names.
fn why(names: &str, options: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let document = folder.path().join("block.xaif");
    let made = Command::new(env!("CARGO_BIN_EXE_f2xaif"))
        .arg(source())
        .arg("-o")
        .arg(&document)
        .status()
        .expect("f2xaif runs");
    assert!(made.success());
    let run = Command::new(env!("CARGO_BIN_EXE_xaif-sideeffects"))
        .arg(document)
        .args(["--why", names])
        .args(options)
        .output()
        .expect("xaif-sideeffects runs");
    String::from_utf8_lossy(&run.stdout).into_owned() + &err(&run)
}

#[test]
fn the_reason_why_two_names_share_memory_is_told() {
    let open = why("p,block%w", &[]);
    assert!(open.starts_with("`p` and `block%w` may share memory\n"), "{open}");
    assert!(open.contains("no given source associates `"), "{open}");
    assert_eq!(why("p,block%w", &["--no-alias"]), "`p` and `block%w` share no memory\n");
    let told = why("mirror,w", &["--no-alias"]);
    assert!(
        told.contains("block.f90:50:5: this statement copies or associates pointers"),
        "{told}"
    );
    assert_eq!(why("mirror,n", &[]), "`mirror` and `n` share no memory\n");
    assert!(why("mirror,nobody", &[]).contains("error[OX4057]"), "a name that is not there");
}
