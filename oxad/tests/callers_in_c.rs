//! Derivatives of BIND(C) procedures, called from C.

use std::path::{Path, PathBuf};
use std::process::Command;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bound").join(name)
}

#[track_caller]
fn succeeds(command: &mut Command) {
    let out = command.output().expect("the program can be started");
    let (said, told) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{command:?}\n{said}{told}");
}

/// Differentiates the model by `mode`, links what is made with the caller in C, and executes it.
#[track_caller]
fn called(mode: &[&str], heads: &str, derivative: &str, choice: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut oxad = Command::new(env!("CARGO_BIN_EXE_oxad"));
    oxad.args(mode).args(["--head", heads]).arg(file("model.f90")).arg("-o").arg(folder);
    succeeds(&mut oxad);
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", choice, "-c"]).arg(file("caller.c"));
    if derivative == "model_b.f90" {
        gcc.arg("oxad_tape_chunks.c");
    }
    succeeds(gcc.current_dir(folder));
    let mut gfortran = Command::new("gfortran");
    gfortran.args(["-std=f2018", "-Wall", "-Werror", "-o", "program"]).arg(file("model.f90"));
    if derivative == "model_b.f90" {
        gfortran.args(["oxad_tape.f90", "oxad_tape_chunks.o"]);
    }
    gfortran.args([derivative, "caller.o", "-lm"]);
    succeeds(gfortran.current_dir(folder));
    succeeds(Command::new(folder.join("program")).current_dir(folder));
}

#[test]
fn c_calls_tangents() {
    called(&["tangent"], "length,product_of,drive,apply", "model_d.f90", "-DTANGENT");
    called(
        &["tangent", "--directions", "2"],
        "length,product_of,drive",
        "model_d.f90",
        "-DDIRECTIONS",
    );
    called(&["both"], "length,product_of,drive,apply", "model_d.f90", "-DTANGENT");
}

#[test]
fn c_calls_adjoints() {
    let heads = "length,product_of,drive";
    called(&["adjoint"], heads, "model_b.f90", "-DADJOINT");
    called(&["adjoint", "--split-all"], heads, "model_b.f90", "-DADJOINT");
    called(&["both"], heads, "model_b.f90", "-DADJOINT");
    called(&["adjoint"], "apply", "model_b.f90", "-DADJOINT_OF_DUMMY");
}

/// The derivative of a source.
fn derivative(mode: &[&str], source: &str) -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.f90"), source).expect("written");
    let mut oxad = Command::new(env!("CARGO_BIN_EXE_oxad"));
    let out = oxad.args(mode).args(["p.f90", "-o", "out"]).current_dir(folder.path()).output();
    let said = String::from_utf8_lossy(&out.expect("oxad runs").stderr).into_owned();
    let made = std::fs::read_to_string(folder.path().join("out/p_d.f90")).unwrap_or_default();
    (made, said)
}

#[test]
fn what_c_cannot_pass_stays_fortran() {
    let lines = "type point\nreal(8) :: u\nend type\ntype(point), intent(in) :: x\nreal(8), intent(out) :: y\n\
                 y = x%u**2\nend subroutine\nend module\n";
    let source = format!("module m\ncontains\nsubroutine p(x, y) bind(c)\n{lines}");
    let (made, said) = derivative(&["tangent"], &source);
    assert!(made.contains("subroutine p_d(x, xd, y, yd)\n"), "{said}{made}");
    let source = source.replace("type point", "type, bind(c) :: point");
    let (made, said) = derivative(&["tangent"], &source);
    assert!(made.contains("subroutine p_d(x, xd, y, yd) bind(c)\n"), "{said}{made}");
}

#[test]
fn a_label_stands_once() {
    let source = "subroutine p(x, y) bind(c, name='q')\nreal(8), intent(in) :: x\nreal(8), intent(out) :: y\n\
                  y = x**2\nend subroutine\nsubroutine other() bind(c, name='q_d')\nend subroutine\n";
    let (made, said) = derivative(&["tangent", "--head", "p"], source);
    assert!(made.contains("subroutine p_d(x, xd, y, yd)\n"), "{said}{made}");
}

#[test]
fn a_value_that_is_overwritten_has_variables_of_its_own() {
    let source = "subroutine p(w, y)\nreal(8), value :: w\nreal(8), intent(out) :: y\nw = w**2\ny = w*2\n\
                  end subroutine\n";
    let (made, said) = derivative(&["tangent", "--directions", "2"], source);
    assert!(made.contains("real(8) :: wd(2)"), "{said}{made}");
    assert!(made.contains("w_ownd = 2*w_own*w_ownd\n  w_own = w_own**2\n"), "{said}{made}");
    let (made, said) =
        derivative(&["tangent", "--directions", "2"], &source.replace("w = w**2\n", ""));
    assert!(made.contains("real(8) :: wd(2)") && !made.contains("own"), "{said}{made}");
}
