//! `xaif-lint`: exit status, and what stands on standard output and standard error.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

const GENUINE: &str = include_str!("../../../xaif-schema/tests/data/genuine.xaif");

fn lint(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_xaif-lint"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    // A child that does not read its input closes the pipe.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("ends")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

#[test]
fn a_document_without_faults_gives_status_0_and_silence() {
    let output = lint(&[], GENUINE);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
}

#[test]
fn a_document_at_fault_gives_status_1_and_a_message_with_the_line() {
    let output = lint(
        &["-"],
        &GENUINE.replacen("source=\"24\" target=\"25\"", "source=\"24\" target=\"x\"", 1),
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let message = stderr(&output);
    assert!(message.contains("error[OX0114]: there is no vertex `x`"), "{message}");
    assert!(message.contains("| ") && message.contains('^'), "{message}");
}

#[test]
fn an_invariant_that_is_broken_is_reported_with_line_and_column() {
    let text = GENUINE.replacen("name=\"not\"", "name=\"and\"", 1);
    let line = text.lines().position(|line| line.contains("name=\"and\"")).expect("there") + 1;
    let output = lint(&[], &text);
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    assert!(message.starts_with(&format!("-:{line}:9: error[OX0205]")), "{message}");
}

#[test]
fn messages_may_be_json() {
    let output = lint(&["--message-format", "json"], "<a/>");
    assert_eq!(output.status.code(), Some(1));
    let value: serde_json::Value = serde_json::from_str(&stderr(&output)).expect("JSON");
    assert_eq!(value["code"], "OX0107");
}

#[test]
fn a_file_that_is_not_there_is_the_input_at_fault() {
    let output = lint(&["/no/such/file.xaif"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("error[OX0001]"));
}

#[test]
fn wrong_usage_gives_status_2() {
    assert_eq!(lint(&["--no-such-option"], "").status.code(), Some(2));
}

const ROUNDS: &str = include_str!("../../../booster/tests/genuine/rounds_that_go_on.xaif");

/// A XAIF 1.0 document with `from` replaced is at fault by `code`, with a line of the document.
fn at_fault(from: &str, to: &str, code: &str) {
    assert!(ROUNDS.contains(from), "{from}");
    let output = lint(&[], &ROUNDS.replacen(from, to, 1));
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    let place = message.strip_prefix("-:").and_then(|rest| rest.split(':').next());
    assert!(place.is_some_and(|line| line.parse::<u32>().is_ok_and(|line| line > 0)), "{message}");
    assert!(message.contains(&format!("error[{code}]")), "{message}");
}

#[test]
fn an_intrinsic_that_does_not_exist_is_reported() {
    at_fault("name=\"mul_scal_scal\"", "name=\"mul_scal\"", "OX0232");
}

#[test]
fn a_genuine_document_is_refused_as_the_stages_refuse_it() {
    assert_eq!(lint(&[], ROUNDS).status.code(), Some(0));
    let behind = "edge_id=\"10\" source=\"2\" target=\"9\"";
    at_fault(behind, &format!("{behind} has_condition_value=\"true\""), "OX0208");
    let into = "edge_id=\"2\" source=\"2\" target=\"3\"";
    at_fault(&format!("{into} has_condition_value=\"true\""), into, "OX0222");
    let symbol = "<xaif:Symbol symbol_id=\"rounds\"";
    at_fault(&format!("{symbol} kind=\"subroutine\" type=\"void\""), symbol, "OX0227");
}
