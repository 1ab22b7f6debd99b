//! Every program of the iteration trip, executed: what `xaif-run` prints is what the program prints
//! that gfortran makes of the same source, byte for byte.
//!
//! Real numbers are printed with all their digits or by the format that the program gives, so that
//! equal text is equal bits for nearly all of it. What xaif-run refuses is listed with what it says.

use std::path::Path;

use crate::each;
use libtest_mimic::Trial;
use oxad_tests::case::{Case, cases_in};
use oxad_tests::programs::tool;
use xaif_run::{Request, run};
use xaif_schema::xml;

/// What cannot be executed: the case, the code and a word of the message.
const REFUSED: &[(&str, &str, &str)] =
    &[("bind_c_procedures_and_types.f90", "OX3002", "c_f_pointer")];

/// Every program prints the same when its document is executed.
pub(crate) fn trials() -> Vec<Trial> {
    let cases = cases_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/roundtrip"));
    for (name, ..) in REFUSED {
        assert!(cases.iter().any(|case| case.name == *name), "{name} is no case");
    }
    each("executed", cases, agrees)
}

fn agrees(case: &Case) -> Result<(), String> {
    let executed = execute(case);
    if let Some((_, code, word)) = REFUSED.iter().find(|(name, ..)| *name == case.name) {
        return match executed {
            Err(message) if message.contains(code) && message.contains(word) => Ok(()),
            other => Err(format!("is no longer refused with {code}: {other:?}")),
        };
    }
    let found = executed?;
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let compiled = case.compile_and_run(&case.sources(), "-O0", scratch.path())?;
    let expected = compiled.out();
    if expected == found {
        return Ok(());
    }
    let mut lines = expected.lines().zip(found.lines()).enumerate();
    Err(match lines.find(|(_, (a, b))| a != b) {
        Some((index, (a, b))) => format!("line {}\n  - {a}\n  + {b}", index + 1),
        None => format!("{} and {} lines", expected.lines().count(), found.lines().count()),
    })
}

fn execute(case: &Case) -> Result<String, String> {
    let arguments: Vec<&String> = case.options.iter().chain(&case.files).collect();
    let written = tool("f2xaif", &arguments, &case.folder, b"");
    let document = xml::read(&written.stdout, &case.name)
        .map_err(|found| format!("{found:?}\n{}", written.err()))?;
    match run(&document, &Request::default()) {
        Ok(outcome) => Ok(outcome.stdout),
        Err(found) => {
            let lines = found.iter().map(|found| format!("{} {}", found.code, found.message));
            Err(lines.collect())
        }
    }
}
