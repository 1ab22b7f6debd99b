//! The lenses as programs: whole documents of `xaif-schema/tests/lenses/` as text, and exit statuses.
//!
//! `NAME.xaif` must show the text `NAME.txt` and, with all that a document says, `NAME.full.txt`.
//! `UPDATE_EXPECT=1 cargo test -p oxad lenses` writes these files anew; read the
//! difference before it is committed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SHOW: &str = env!("CARGO_BIN_EXE_xaif-show");
const DIFF: &str = env!("CARGO_BIN_EXE_xaif-diff");

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../xaif-schema/tests/lenses")
}

fn document(name: &str) -> String {
    folder().join(name).display().to_string()
}

fn run(program: &str, args: &[&str]) -> Output {
    Command::new(program).args(args).output().expect("the program starts")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Holds that `found` is what the file says, or writes the file.
fn expect(file: &Path, found: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return fs::write(file, found).expect("the expectation can be written");
    }
    let expected = fs::read_to_string(file).unwrap_or_default();
    assert!(expected == found, "{} differs; found:\n{found}", file.display());
}

#[test]
fn documents_show_the_text_beside_them() {
    let mut count = 0;
    for entry in fs::read_dir(folder()).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        if path.extension().is_none_or(|extension| extension != "xaif") {
            continue;
        }
        count += 1;
        let name = path.display().to_string();
        for (options, extension) in [(&[][..], "txt"), (&["--full"][..], "full.txt")] {
            let output = run(SHOW, &[options, &[name.as_str()]].concat());
            assert!(output.status.success(), "{output:?}");
            expect(&path.with_extension(extension), &text(&output));
        }
    }
    assert!(count >= 2, "the documents are there");
}

#[test]
fn a_document_does_not_differ_from_itself() {
    let input = document("selection_with_a_jump.xaif");
    let output = run(DIFF, &[&input, &input]);
    assert_eq!((output.status.code(), text(&output).as_str()), (Some(0), ""));
}

#[test]
fn a_difference_is_status_1_and_a_unified_diff() {
    let (a, b) =
        (document("selection_with_a_jump.xaif"), document("linearised_loop_with_facts.xaif"));
    let output = run(DIFF, &[&a, &b]);
    assert_eq!(output.status.code(), Some(1));
    let diff = text(&output);
    assert!(diff.starts_with(&format!("--- {a}\n+++ {b}\n@@ ")), "{diff}");
    assert!(diff.contains("\n+  for (i = 1; i <= 3; i = i + 1)"), "{diff}");
    assert!(!diff.contains('\x1b'), "no colours where standard output is no terminal");
    assert!(text(&run(DIFF, &["--color", "always", &a, &b])).contains("\x1b[31m-"));
    assert_eq!(text(&run(DIFF, &["--quiet", &a, &b])), "");
}

#[test]
fn documents_that_cannot_be_compared_are_status_2() {
    let input = document("selection_with_a_jump.xaif");
    let output = run(DIFF, &[&input, "no/such/file"]);
    assert_eq!((output.status.code(), text(&output).as_str()), (Some(2), ""));
}

#[test]
fn wrong_usage_is_status_2_and_prints_nothing() {
    let input = document("selection_with_a_jump.xaif");
    let wrong: [(&str, &[&str]); 4] = [
        (SHOW, &["--no-such-option", &input]),
        (SHOW, &[&input, &input]),
        (DIFF, &[&input]),
        (DIFF, &["--color", "pink", &input, &input]),
    ];
    for (program, args) in wrong {
        let output = run(program, args);
        assert_eq!(output.status.code(), Some(2), "{program} {args:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{program} {args:?}");
    }
}

#[test]
fn what_is_no_document_is_status_1() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("broken.xaif");
    fs::write(&path, "<xaif:CallGraph").expect("written");
    let path = path.display().to_string();
    let output = run(SHOW, &[&path]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty() && !output.stderr.is_empty());
}
