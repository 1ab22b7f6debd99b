//! Fortran into XAIF and back: the program that comes out computes what the program that went in
//! computes, bit for bit, and a second iteration trip changes nothing more.
//!
//! Each case in `cases/roundtrip` is a program of its own whose name says what it shows; how it
//! states its options is told in `oxad_tests::case`. Both programs are compiled without a
//! warning, at -O0 and at -O2.

use std::path::{Path, PathBuf};

use crate::each;
use libtest_mimic::Trial;
use oxad_tests::case::{Case, cases_in, first_lines};
use oxad_tests::programs::{Finished, tool};

fn folder() -> PathBuf {
    // Cases that are still looked at can be kept elsewhere and run by hand.
    std::env::var_os("OXAD_CASES")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/roundtrip"), Into::into)
}

/// Every program computes the same after the iteration trip.
pub(crate) fn trials() -> Vec<Trial> {
    each("roundtrip", cases_in(&folder()), survives)
}

fn survives(case: &Case) -> Result<(), String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    // The front end takes the files in any order: it gets them in the one that no compiler takes.
    let files: Vec<String> = case.files.iter().rev().cloned().collect();
    let text = round_trip(&files, &case.options, &case.folder)?;
    let result = scratch.path().join("result.f90");
    std::fs::write(&result, &text).map_err(|error| error.to_string())?;
    let original = |level: &str| {
        case.compile_and_run(&case.sources(), level, &scratch.path().join(format!("before{level}")))
            .map_err(|message| format!("the original {message}"))
    };
    let mut before = original("-O0")?;
    for level in ["-O0", "-O2"] {
        let after = case
            .compile_and_run(
                std::slice::from_ref(&result),
                level,
                &scratch.path().join(format!("after{level}")),
            )
            .map_err(|message| format!("the result {message}"))?;
        // Most programs print the same at both levels. Only the others need a second original.
        if before != after && level != "-O0" {
            before = original(level)?;
        }
        same_run(&before, &after, level)?;
    }
    let again = round_trip(&["result.f90".into()], &[], scratch.path())
        .map_err(|message| format!("second round trip: {message}"))?;
    if again != text {
        return Err(format!(
            "the second round trip changes the text:\n{}",
            first_difference(&text, &again)
        ));
    }
    Ok(())
}

/// `f2xaif OPTIONS FILES | xaif2f`, both without a message.
fn round_trip(files: &[String], options: &[String], folder: &Path) -> Result<String, String> {
    let arguments: Vec<&String> = options.iter().chain(files).collect();
    let document = quiet("f2xaif", tool("f2xaif", &arguments, folder, b""))?;
    let text = quiet("xaif2f", tool::<&str>("xaif2f", &[], folder, &document.stdout))?;
    Ok(text.out())
}

fn quiet(name: &str, finished: Finished) -> Result<Finished, String> {
    if finished.status == Some(0) && finished.stderr.is_empty() {
        Ok(finished)
    } else {
        Err(format!(
            "{name} ends with {:?} and says\n{}",
            finished.status,
            first_lines(&finished.err())
        ))
    }
}

fn same_run(before: &Finished, after: &Finished, level: &str) -> Result<(), String> {
    if before.stdout.is_empty() {
        return Err(format!("the original prints nothing at {level}"));
    }
    if before != after {
        return Err(format!(
            "the programs differ at {level}: {:?} {:?} {}",
            before.status,
            after.status,
            first_difference(&before.out(), &after.out()),
        ));
    }
    Ok(())
}

fn first_difference(a: &str, b: &str) -> String {
    let mut lines = a.lines().zip(b.lines()).enumerate();
    match lines.find(|(_, (a, b))| a != b) {
        Some((index, (a, b))) => format!("line {}\n  - {a}\n  + {b}", index + 1),
        None => format!("{} and {} lines", a.lines().count(), b.lines().count()),
    }
}
