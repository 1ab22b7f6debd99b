//! What every program refuses, and how: a coded message on standard error, nothing on standard
//! output, nothing half-written, exit status 1 for the input's fault and 2 for wrong usage.

use std::path::Path;

use oxad_tests::programs::{Finished, tool, workspace};

/// Programs that read a document from a file or from standard input.
const READERS: &[&str] = &[
    "xaif-lint",
    "xaif-canonicalize",
    "xaif-show",
    "xaif-dot",
    "xaif2f",
    "xaif-activity",
    "xaif-expose",
    "xaif-reverse",
    "xaif-sideeffects",
    "xaif-tangent",
    "xaif-liveness",
    "xaif-recover",
    "xaif-tbr",
];

/// Programs that read files only, with a file name that fits.
const FILE_READERS: &[(&str, &str)] = &[("f2xaif", "missing.f90")];

/// `finished` was refused with `status`, and left nothing on standard output.
#[track_caller]
fn assert_refused(finished: &Finished, status: i32, what: &str) {
    assert_eq!(finished.status, Some(status), "{what}: {}", finished.err());
    assert_eq!(finished.out(), "", "{what}");
    assert!(!finished.stderr.is_empty(), "{what} says nothing");
    assert!(!finished.err().contains("panicked"), "{what}: {}", finished.err());
}

/// Runs f2xaif on `text` in a folder of its own.
fn translate(file: &str, text: &str) -> Finished {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(file), text).expect("written");
    tool("f2xaif", &[file], folder.path(), b"")
}

#[test]
fn a_missing_file_is_the_fault_of_the_input() {
    for program in READERS {
        let finished = tool(program, &["missing.xaif"], workspace(), b"");
        assert_refused(&finished, 1, program);
        assert!(finished.err().starts_with("missing.xaif: error[OX0001]: "), "{}", finished.err());
    }
    for (program, file) in FILE_READERS {
        let finished = tool(program, &[file], workspace(), b"");
        assert_refused(&finished, 1, program);
        assert!(finished.err().starts_with("missing.f90: error[OX0001]: "), "{}", finished.err());
    }
    // As with diff, 1 means that the two differ, and 2 that they cannot be compared.
    let finished = tool("xaif-diff", &["missing.xaif", "missing.xaif"], workspace(), b"");
    assert_refused(&finished, 2, "xaif-diff");
}

#[test]
fn wrong_options_are_wrong_usage() {
    for program in READERS.iter().chain(&["f2xaif", "xaif-diff", "oxad"]) {
        let finished = tool(program, &["--no-such-option"], workspace(), b"");
        assert_refused(&finished, 2, program);
        let finished = tool(program, &["--message-format", "morse"], workspace(), b"");
        assert_refused(&finished, 2, program);
    }
    assert_refused(&tool::<&str>("f2xaif", &[], workspace(), b""), 2, "f2xaif without a file");
    assert_refused(&tool("xaif-diff", &["one"], workspace(), b""), 2, "xaif-diff of one file");
}

#[test]
fn what_is_no_document_is_refused_with_a_place() {
    let inputs: &[(&str, &[u8])] = &[
        ("nothing", b""),
        ("text", b"program p\nend\n"),
        ("cut off", b"<?xml version=\"1.0\"?>\n<xaif:CallGraph xmlns:xaif="),
        ("another language", b"<html xmlns=\"http://www.w3.org/1999/xhtml\"/>"),
        ("no UTF-8", b"<?xml version=\"1.0\"?>\n<a b=\"\xff\"/>"),
        (
            "an entity bomb",
            b"<!DOCTYPE a [<!ENTITY b \"bbbb\"><!ENTITY c \"&b;&b;\">]>\n<a>&c;</a>",
        ),
    ];
    for program in READERS {
        for (what, input) in inputs {
            let finished = tool::<&str>(program, &[], workspace(), input);
            assert_refused(&finished, 1, &format!("{program} on {what}"));
            let first = finished.err().lines().next().unwrap_or_default().to_owned();
            assert!(first.starts_with("-:") && first.contains(": error[OX0"), "{what}: {first}");
        }
    }
}

#[test]
fn an_output_file_is_not_touched_by_a_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    std::fs::write(&out, "kept").expect("written");
    std::fs::write(folder.path().join("bad.f90"), "program p\n  x = = 1\nend\n").expect("written");
    let finished = tool("f2xaif", &["bad.f90", "-o", "out"], folder.path(), b"");
    assert_refused(&finished, 1, "f2xaif -o");
    for program in READERS.iter().filter(|program| **program != "xaif-lint") {
        let finished = tool(program, &["-o", "out"], folder.path(), b"<broken");
        assert_refused(&finished, 1, program);
    }
    assert_eq!(std::fs::read_to_string(&out).expect("there"), "kept");
    assert_eq!(names_in(folder.path()), ["bad.f90", "out"]);
}

#[test]
fn an_output_folder_that_is_missing_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("good.f90"), "program p\nend program p\n").expect("written");
    let finished = tool("f2xaif", &["good.f90", "-o", "no/such/out"], folder.path(), b"");
    assert_refused(&finished, 1, "f2xaif");
    assert!(finished.err().contains("error[OX0002]: "), "{}", finished.err());
    assert_eq!(names_in(folder.path()), ["good.f90"]);
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("readable").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn several_syntax_errors_are_reported_in_one_run_with_places() {
    let text = "program p\n  implicit none\n  real :: x\n  x = (1.0 + 2.0\n  x = 1.0\n\
                \x20 call s(x,\n  x = * 2\nend program p\n";
    let finished = translate("bad.f90", text);
    assert_refused(&finished, 1, "f2xaif");
    for line in ["bad.f90:4:", "bad.f90:6:", "bad.f90:7:"] {
        assert!(finished.err().contains(line), "{line}\n{}", finished.err());
    }
    assert!(!finished.err().contains("bad.f90:5:"), "{}", finished.err());
}

#[test]
fn a_syntax_error_points_into_the_file_that_the_user_wrote() {
    let fixed = translate("bad.f", "      PROGRAM P\n      X = 1.0 +\n     &    * 2\n      END\n");
    assert_refused(&fixed, 1, "fixed form");
    assert!(fixed.err().contains("bad.f:3:11: error[OX"), "{}", fixed.err());
    let cpp = translate("bad.F90", "#define LONG_NAME 1\nprogram p\n  x = = LONG_NAME\nend\n");
    assert_refused(&cpp, 1, "after cpp");
    assert!(cpp.err().contains("bad.F90:3:"), "{}", cpp.err());
}

#[test]
fn constructs_that_do_not_close_are_reported() {
    for (what, text) in [
        ("an open do", "program p\n  do i = 1, 2\n    x = i\nend program p\n"),
        ("an open if", "subroutine s\n  if (x > 1) then\nend subroutine s\n"),
        ("a stray end", "program p\n  end if\nend program p\n"),
        ("two names", "module a\nend module b\n"),
        ("no end", "program p\n  x = 1\n"),
        ("an open string", "program p\n  print *, 'abc\nend program p\n"),
    ] {
        let finished = translate("bad.f90", text);
        assert_refused(&finished, 1, what);
        assert!(finished.err().contains("bad.f90:"), "{what}: {}", finished.err());
    }
}

#[test]
fn deep_nesting_is_refused_not_a_crash() {
    let deep = 200_000;
    let parentheses = format!("x = {}1{}\nend\n", "(".repeat(deep), ")".repeat(deep));
    let text = parentheses.replace("((((((((((", "((((((((((&\n&");
    for (what, text) in [
        ("parentheses", text),
        ("ifs", "if (a) then\n".repeat(deep)),
        ("signs", format!("x = {}1\nend\n", "-".repeat(deep))),
    ] {
        let finished = translate("deep.f90", &text);
        assert_refused(&finished, 1, what);
    }
    let document = "<a>".repeat(deep);
    for program in READERS {
        let finished = tool::<&str>(program, &[], workspace(), document.as_bytes());
        assert_refused(&finished, 1, program);
    }
}

#[test]
fn a_missing_module_is_named_where_its_names_matter() {
    let text = "program p\n  use absent_module\n  implicit none\n  print *, value\nend program p\n";
    let finished = translate("uses.f90", text);
    assert!(finished.err().contains("uses.f90:2:"), "{}", finished.err());
    assert!(finished.err().contains("absent_module"), "{}", finished.err());
}

#[test]
fn messages_for_programs_are_one_json_object_a_line() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("bad.f90"), "program p\nx = = 1\ny = * 2\nend\n")
        .expect("written");
    let finished = tool("f2xaif", &["bad.f90", "--message-format", "json"], folder.path(), b"");
    assert_refused(&finished, 1, "f2xaif");
    let mut lines = 0;
    for line in finished.err().lines() {
        let message: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(message["spot"]["file"], "bad.f90");
        assert!(message["code"].as_str().is_some_and(|code| code.starts_with("OX")));
        lines += 1;
    }
    assert_eq!(lines, 2);
}
