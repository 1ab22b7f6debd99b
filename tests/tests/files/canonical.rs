//! Programs in canonical form compile without a warning and compute, bit for bit, what they computed
//! before. The programs are those of the file tests of `xaif-canonicalize`.

use std::path::{Path, PathBuf};

use crate::each;
use libtest_mimic::Trial;
use oxad_tests::case::{Case, cases_in};
use oxad_tests::programs::{tool, workspace};

/// Every program computes the same in canonical form.
pub(crate) fn trials() -> Vec<Trial> {
    let folder = workspace().join("booster/tests/canonicalize");
    let mut cases = cases_in(&folder);
    cases.retain(|case| case.name.ends_with(".f90"));
    assert!(cases.len() > 8, "the programs are there");
    each("canonical", cases, survives)
}

fn survives(case: &Case) -> Result<(), String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let result: PathBuf = scratch.path().join("result.f90");
    let document = stage("f2xaif", &case.files, &case.folder, b"")?;
    let canonical = stage("xaif-canonicalize", &[], scratch.path(), &document)?;
    let text = stage("xaif2f", &[], scratch.path(), &canonical)?;
    std::fs::write(&result, text).map_err(|error| error.to_string())?;
    let before = case.compile_and_run(&case.sources(), "-O0", &scratch.path().join("before"))?;
    let after = case.compile_and_run(&[result], "-O0", &scratch.path().join("after"))?;
    if before.stdout.is_empty() || before != after {
        return Err(format!("it prints\n{}\nand then\n{}", before.out(), after.out()));
    }
    Ok(())
}

fn stage(name: &str, files: &[String], folder: &Path, input: &[u8]) -> Result<Vec<u8>, String> {
    let finished = tool(name, files, folder, input);
    match finished.status {
        Some(0) => Ok(finished.stdout),
        status => Err(format!("{name} ends with {status:?} and says\n{}", finished.err())),
    }
}
