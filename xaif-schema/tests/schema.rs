//! `schema/xaif.xsd` accepts what the writer writes, judged by xmllint.

use std::io::Write as _;
use std::process::{Command, Stdio};

use xaif_schema::xml;

const GENUINE: &str = include_str!("data/genuine.xaif");
const OWN: &str = include_str!("data/own.xaif");

/// Whether xmllint accepts `text`, and what it says.
fn validate(text: &str) -> (bool, String) {
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/../schema/xaif.xsd");
    let mut child = Command::new("xmllint")
        .args(["--noout", "--schema", schema, "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("xmllint must be installed for this test: apt-get install libxml2-utils");
    child.stdin.take().expect("piped").write_all(text.as_bytes()).expect("xmllint reads");
    let output = child.wait_with_output().expect("xmllint ends");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn written(text: &str) -> String {
    let doc = xml::read(text.as_bytes(), "test").unwrap_or_else(|found| panic!("{found:?}"));
    xml::to_string(&doc).expect("writes")
}

#[test]
fn what_the_writer_writes_is_valid() {
    for text in [GENUINE, OWN] {
        let (valid, message) = validate(&written(text));
        assert!(valid, "{message}");
    }
}

#[test]
fn a_misspelt_attribute_or_element_is_not_valid() {
    let own = written(OWN);
    for (from, to) in [
        ("ox:parens=", "ox:brackets="),
        ("<ox:Comment ", "<ox:Remark "),
        (" symbol_id=", " symbol="),
        ("type=\"integer\"", "type=\"int\""),
    ] {
        assert!(own.contains(from), "{from}");
        assert!(!validate(&own.replacen(from, to, 1)).0, "{to}");
    }
}
