//! `oxad hessian` and `oxad jacobian`: what they write is compiled, executed and compared with differences.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/second").join(name)
}

/// What a command prints; it succeeds.
#[track_caller]
fn output(command: &mut Command) -> String {
    let out = command.output().expect("the program can be started");
    let (said, told) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{command:?}\n{said}{told}");
    said.into_owned() + &told
}

fn oxad(folder: &Path, source: &Path, arguments: &str) -> Command {
    let mut oxad = Command::new(env!("CARGO_BIN_EXE_oxad"));
    oxad.arg("hessian").arg(source).args(arguments.split_whitespace()).arg("-o").arg(folder);
    oxad
}

/// Compiles sources, generated ones among them, and executes the program.
#[track_caller]
fn executed(folder: &Path, own: &[PathBuf], made: &[&str], main: &Path) -> String {
    output(Command::new("gcc").args(["-c", "oxad_tape_chunks.c"]).current_dir(folder));
    let mut gfortran = Command::new("gfortran");
    gfortran.args(["-O1", "-std=f2018", "-Wall", "-o", "program", "oxad_tape.f90"]);
    gfortran.args(own).args(made).arg(main).arg("oxad_tape_chunks.o").current_dir(folder);
    output(&mut gfortran);
    output(Command::new(folder.join("program")).current_dir(folder))
}

#[test]
fn whole_hessians_are_symmetric_and_agree_with_differences() {
    let folder = tempfile::tempdir().expect("a folder");
    for modes in ["", "--split-all", "--without indexed-tape"] {
        let options =
            format!("--head cost --independent f,c --dependent total --no-banner {modes}");
        let told = output(&mut oxad(folder.path(), &file("field.f90"), &options));
        assert_eq!(told, "");
        let made = ["field_b.f90", "field_b_d.f90", "cost_h.f90"];
        let own = [file("field.f90")];
        let said = executed(folder.path(), &own, &made, &file("check_field.f90"));
        assert_eq!(said.trim(), "good", "{modes}");
    }
}

#[test]
fn newton_finds_the_chain_of_least_energy() {
    let folder = tempfile::tempdir().expect("a folder");
    let example = root().join("examples/newton");
    let options = "--head energy --independent x --dependent e";
    output(&mut oxad(folder.path(), &example.join("chain.f90"), options));
    let made = ["chain_d.f90", "chain_b.f90", "chain_b_d.f90"];
    let own = [example.join("chain.f90")];
    let said = executed(folder.path(), &own, &made, &example.join("newton.f90"));
    let steps = said.lines().filter(|line| line.starts_with("step")).count();
    assert!(steps < 15 && said.contains("lowest point"), "{said}");
}

/// What a source is told, or how it is refused.
fn told(source: &str, options: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.f90");
    std::fs::write(&path, source).expect("written");
    let out = oxad(&folder.path().join("out"), &path, options).output().expect("oxad runs");
    String::from_utf8_lossy(&out.stderr).into_owned()
}

#[test]
fn arguments_without_a_size_leave_the_product_alone() {
    let source = "subroutine p(n, x, y)\ninteger, intent(in) :: n\nreal(8), intent(in) :: x(*)\n\
                  real(8), intent(out) :: y\ny = sum(x(1:n)**3)\nend subroutine\n";
    let told = told(source, "");
    assert!(told.contains("warning[OX5018]") && told.contains("`x`"), "{told}");
}

#[test]
fn variables_of_modules_are_no_arguments() {
    let source = "module m\nreal(8) :: k = 2\ncontains\nsubroutine p(x, y)\nreal(8), intent(in) :: x\n\
                  real(8), intent(out) :: y\ny = k*x**3\nend subroutine\nend module\n";
    let told = told(source, "--head p --independent m%k --dependent y");
    assert!(told.contains("error[OX5018]: `k` is no argument of `p`"), "{told}");
    assert!(told.contains("p.f90:4:"), "{told}");
}

#[test]
fn jacobians_agree_with_differences_and_patterns_are_tested() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut oxad = Command::new(env!("CARGO_BIN_EXE_oxad"));
    oxad.arg("jacobian")
        .arg(file("rods.f90"))
        .args(["--head", "residual,summary", "-o"])
        .arg(folder);
    oxad.args(["--independent", "residual:x,residual:k,summary:grid,summary:total"]);
    oxad.args(["--dependent", "residual:r,summary:grid,summary:total"]);
    assert_eq!(output(&mut oxad), "");
    output(Command::new("gcc").args(["-c", "oxad_tape_chunks.c"]).current_dir(folder));
    let mut gfortran = Command::new("gfortran");
    gfortran.args(["-O1", "-std=f2018", "-Wall", "-fcheck=all", "-o", "program"]);
    gfortran.args(["oxad_tape.f90", "oxad_jacobian.f90"]).arg(file("rods.f90"));
    gfortran.args(["rods_d.f90", "rods_b.f90", "residual_j.f90", "summary_j.f90"]);
    gfortran.arg(file("check_rods.f90")).arg("oxad_tape_chunks.o").current_dir(folder);
    output(&mut gfortran);
    // The last call has a pattern that lacks elements.
    let out = Command::new(folder.join("program")).output().expect("the program runs");
    let told = String::from_utf8_lossy(&out.stderr);
    assert!(!out.status.success(), "the pattern that lacks elements is taken");
    assert!(told.starts_with("ERROR STOP residual_sparse: the pattern lacks an element"), "{told}");
}

#[test]
fn the_source_of_the_tape_may_be_given_or_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let run = |arguments: &[&str], sources: &[PathBuf], to: &str| {
        let mut oxad = Command::new(env!("CARGO_BIN_EXE_oxad"));
        oxad.args(arguments).args(sources).arg("--no-banner").arg("-o").arg(at(to));
        output(&mut oxad)
    };
    let own = file("field.f90");
    run(&["adjoint", "--head", "cost"], std::slice::from_ref(&own), "b");
    let again = ["tangent", "--head", "cost_b"];
    run(&again, &[own.clone(), at("b/field_b.f90")], "without");
    let said = run(&again, &[own, at("b/field_b.f90"), at("b/oxad_tape.f90")], "with");
    assert!(!said.contains("error"), "{said}");
    let text = |name: &str| std::fs::read_to_string(at(name)).expect("written");
    assert_eq!(text("with/field_b_d.f90"), text("without/field_b_d.f90"));
    assert!(!at("with/oxad_tape_d.f90").exists(), "the tape is no program to differentiate");
}
