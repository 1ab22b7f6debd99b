//! The tape that generated code links with: compiled with warnings as errors, and executed.

use std::path::Path;
use std::process::Command;

use oxad_tests::programs::{Finished, finish, workspace};

/// Compiles the runtime and `tests/cases/tape/NAME.f90` in `folder`, and runs the program.
fn run(name: &str, optimise: &str, folder: &Path) -> Finished {
    let runtime = workspace().join("backends/runtime");
    let case = workspace().join(format!("tests/cases/tape/{name}.f90"));
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", optimise, "-c"]);
    compiled(gcc.arg(runtime.join("oxad_tape.c")).current_dir(folder));
    let mut gfortran = Command::new("gfortran");
    gfortran.args(["-std=f2018", "-Wall", "-Wextra", "-Werror", "-Wno-compare-reals"]);
    gfortran.args([optimise, "-o", "program"]);
    gfortran.arg(runtime.join("oxad_tape.f90")).arg(case).arg("oxad_tape.o");
    compiled(gfortran.current_dir(folder));
    finish(Command::new(folder.join("program")), b"").expect("the program can be started")
}

fn compiled(command: &mut Command) {
    let output = command.output().expect("the compiler can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_was_recorded_last_is_taken_back_first_and_memory_is_kept() {
    for optimise in ["-O0", "-O2"] {
        let folder = tempfile::tempdir().expect("a folder");
        let finished = run("lifo", optimise, folder.path());
        assert_eq!(finished.status, Some(0), "{}", finished.err());
        let peaks: Vec<u64> =
            finished.out().split_whitespace().filter_map(|word| word.parse().ok()).collect();
        assert_eq!(peaks.len(), 3);
        assert_eq!(peaks[0], peaks[1]);
        // Values, sections, a whole array, the room; not more than a chunk's padding beside.
        let values = 8 * 100_000 + 100 * 34 * 49 * 8 + 8 * 10_000 + 8 * 100_000;
        assert!((values..values + 4096).contains(&peaks[0]), "{peaks:?}");
    }
}

#[test]
fn taking_back_more_than_was_recorded_ends_the_program_with_a_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let finished = run("underflow", "-O0", folder.path());
    assert_eq!(finished.status, Some(2));
    assert!(finished.err().contains("more is taken back than was recorded"), "{}", finished.err());
}
