//! `oxad explain` as a user meets it, and the page that is generated from it.

use std::process::{Command, Output};

fn oxad(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_oxad")).args(arguments).output().expect("oxad runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn a_known_code_is_explained_on_standard_output() {
    let output = oxad(&["explain", "OX0001"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).starts_with("OX0001: cannot read a file\n\n"));
    assert!(output.stderr.is_empty());
}

#[test]
fn an_unknown_code_is_wrong_usage_and_offers_the_nearest() {
    let output = oxad(&["explain", "OX00011"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let message = text(&output.stderr);
    assert!(message.starts_with("oxad: there is no code 'OX00011'\n"), "{message}");
    assert!(message.contains("    OX0001  cannot read a file\n"), "{message}");
}

#[test]
fn the_list_has_a_line_for_every_code() {
    let output = oxad(&["explain", "--list"]);
    let list = text(&output.stdout);
    assert_eq!(list.lines().count(), xaif_schema::diag::CODES.len());
    assert!(list.starts_with("OX0001  cannot read a file\n"));
}

#[test]
fn wrong_options_exit_with_2() {
    for arguments in [&["explain"][..], &["explain", "--nonsense"], &[], &["adjoint"]] {
        let output = oxad(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

/// Bless with `OXAD_BLESS=1 cargo test -p oxad`.
#[test]
fn the_page_of_codes_is_the_table() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/codes.md");
    let output = oxad(&["explain", "--markdown"]);
    let expected = text(&output.stdout);
    if std::env::var_os("OXAD_BLESS").is_some() {
        std::fs::write(page, expected).expect("docs/codes.md is writable");
    }
    let found = std::fs::read_to_string(page).unwrap_or_default();
    assert!(found == expected, "docs/codes.md is stale: run OXAD_BLESS=1 cargo test -p oxad");
}
