//! `oxad tangent --validity`: intervals in which no test of the program changes sides.

use std::path::{Path, PathBuf};
use std::process::Command;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/validity").join(name)
}

/// What a command prints; it succeeds.
#[track_caller]
fn output(command: &mut Command) -> String {
    let out = command.output().expect("the program can be started");
    let (said, told) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{command:?}\n{said}{told}");
    said.into_owned() + &told
}

#[test]
fn intervals_are_those_of_the_thesis_and_end_at_kinks() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut oxad = Command::new(env!("CARGO_BIN_EXE_oxad"));
    oxad.args(["tangent", "--validity", "--no-banner"]).arg(file("models.f90"));
    oxad.args([
        "--head",
        "f,sub1,piecewise,kinks",
        "--dependent",
        "f:y,sub1:o1,piecewise:y,kinks:y",
    ]);
    oxad.args(["--independent", "f:x1,f:x2,sub1:x,sub1:y,piecewise:x,kinks:x", "-o"]).arg(folder);
    assert_eq!(output(&mut oxad), "");
    let mut gfortran = Command::new("gfortran");
    gfortran.args(["-std=f2018", "-Wall", "-Wextra", "-fopenmp", "-o", "program"]);
    gfortran.arg("oxad_validity.f90").arg(file("models.f90")).arg("models_dv.f90");
    gfortran.arg(file("check_models.f90")).current_dir(folder);
    output(&mut gfortran);
    assert_eq!(output(&mut Command::new(folder.join("program"))), "good\n");
}

/// How a source is refused.
fn told(body: &str, more: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let source = format!(
        "subroutine p(x, y)\nimplicit none\nreal(8), intent(in) :: x(3)\nreal(8), intent(out) :: y\n\
         integer :: i\nreal(8) :: z(3)\n{body}\ny = sum(z)\nend subroutine p\n{more}"
    );
    std::fs::write(folder.path().join("p.f90"), source).expect("written");
    let mut oxad = Command::new(env!("CARGO_BIN_EXE_oxad"));
    oxad.args(["tangent", "--validity", "p.f90", "--head", "p", "-o", "out"]);
    let out = oxad.current_dir(folder.path()).output().expect("oxad runs");
    String::from_utf8_lossy(&out.stderr).into_owned()
}

#[test]
fn tests_that_no_call_can_precede_are_refused() {
    let refused = |body: &str, place: &str| {
        let told = told(body, "");
        let wanted = format!("p.f90:{place}: error[OX4257]");
        assert!(told.contains(&wanted) && told.contains("--validity"), "{body}: {told}");
    };
    refused("z = [(abs(x(i)), i = 1, 3)]", "7:1");
    refused("forall (i = 1:3) z(i) = max(x(i), 1d0)", "7:1");
    refused("do concurrent (i = 1:3)\nz(i) = abs(x(i))\nend do", "8:1");
}

#[test]
fn several_directions_have_no_interval() {
    let mut oxad = Command::new(env!("CARGO_BIN_EXE_oxad"));
    oxad.args(["tangent", "--validity", "--directions", "2"]).arg(file("models.f90"));
    let out = oxad.output().expect("oxad runs");
    assert!(!out.status.success());
}
