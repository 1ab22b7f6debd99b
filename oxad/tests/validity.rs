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

/// What `oxad` prints for a program with a condition at `x(1) = 1`.
fn near(arguments: &str) -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "subroutine near(x, y)\nimplicit none\nreal(8), intent(in) :: x(2)\nreal(8), intent(out) :: y\n\
                  y = sin(x(1))*x(2)\nif (x(1) > 1.0d0) then\ny = y + 3*x(1)\nelse\ny = y*x(2)\nend if\n\
                  end subroutine near\n";
    std::fs::write(folder.path().join("near.f90"), source).expect("written");
    let mut oxad = Command::new(env!("CARGO_BIN_EXE_oxad"));
    let (command, more) = arguments.split_once(' ').expect("a command and options");
    oxad.args([command, "near.f90"]).args(more.split(' ')).current_dir(folder.path());
    let out = oxad.output().expect("oxad runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&out.stdout), text(&out.stderr))
}

#[test]
fn the_interval_is_printed_with_the_test_that_ends_it() {
    let (said, told) = near("validity --set x=[1.25,2] --direction x=[2,0]");
    let wanted = "near along the direction\n                   bound  test\n\
                  gmin        -1.250000e-1  near.f90:6\ngmax                 inf\n\
                  1 tests depend on the independents, 1 of them move along the direction\n";
    assert_eq!(said, wanted, "{told}");
    let (said, _) = near("validity --set x=[1.25,2] --direction x=[0,1]");
    assert!(said.contains("0 of them move"), "{said}");
    let (_, told) = near("validity --set x=[1.25,2] --direction z=[2,0]");
    assert!(told.contains("error[OX5012]: --direction z=[2,0] sets nothing"), "{told}");
}

#[test]
fn a_check_names_the_switch_that_is_near_and_stays_on_its_side() {
    let (said, told) = near("check --mode tangent --set x=[1.000000001,2] --direction x=[1,1]");
    assert!(
        said.contains("near.f90:6 switches at β = -1.0e-9 along the direction"),
        "{said}{told}"
    );
    assert!(said.contains("\n5e-10 ") && !said.contains("\n1e-1 "), "{said}");
    assert!(said.ends_with("good: near_d is the tangent of near here (seed 1)\n"), "{said}");
    let (said, _) = near("check --mode tangent --set x=[1,2] --direction x=[1,1]");
    assert!(said.contains("near.f90:6 switches at the point itself"), "{said}");
    // Far from it nothing is said.
    let (said, _) = near("check --mode tangent --set x=[1.5,2]");
    assert!(!said.contains("switches") && said.contains("\n1e-1 "), "{said}");
}

#[test]
fn a_tangent_with_tests_is_a_tangent() {
    let (said, told) = near("check --mode tangent --validity --set x=[1.5,2]");
    assert!(said.ends_with("good: near_dv is the tangent of near here (seed 1)\n"), "{said}{told}");
    let (_, told) = near("both --validity");
    assert!(told.contains("error[OX5019]"), "{told}");
}
