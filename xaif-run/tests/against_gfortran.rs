//! Programs run by gfortran and by xaif-run must print the same, byte for byte.
//!
//! The programs are in `tests/programs`; each prints list-directed, so that every bit of a number
//! shows.

use std::path::{Path, PathBuf};
use std::process::Command;

use fortran_frontend::source::Options;
use fortran_frontend::translate;
use xaif_run::{Request, run};

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let entries = std::fs::read_dir(&folder).expect("a folder of programs");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn compiled(path: &Path, folder: &Path) -> String {
    let program = folder.join("program");
    let status = Command::new("gfortran")
        .args(["-w", "-std=legacy", "-ffree-line-length-none", "-J"])
        .arg(folder)
        .arg(path)
        .arg("-o")
        .arg(&program)
        .status()
        .expect("gfortran is installed");
    assert!(status.success(), "{} does not compile", path.display());
    let output = Command::new(&program).output().expect("the program runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn executed(path: &Path) -> String {
    let translation = translate(&[path.to_path_buf()], &Options::default());
    assert!(!translation.diagnostics.has_errors(), "{:?}", translation.diagnostics);
    match run(&translation.document, &Request::default()) {
        Ok(outcome) => outcome.stdout,
        Err(found) => panic!("{}: {:?}", path.display(), found.iter().collect::<Vec<_>>()),
    }
}

#[test]
fn programs_print_what_gfortran_makes_them_print() {
    let paths = programs();
    assert!(!paths.is_empty());
    for path in paths {
        let folder = tempfile::tempdir().expect("a folder");
        let expected = compiled(&path, folder.path());
        let found = executed(&path);
        for (number, (expected, found)) in expected.lines().zip(found.lines()).enumerate() {
            assert_eq!(expected, found, "{}, line {}", path.display(), number + 1);
        }
        assert_eq!(expected.lines().count(), found.lines().count(), "{}", path.display());
    }
}
