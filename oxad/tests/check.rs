//! `oxad check` as a user meets it: derivatives that are right, derivatives that are not, and what
//! is missing.
//!
//! The tangents of `tests/check` are written by hand, so that what is tested here is the check and
//! not the stages; `tests/tangent.rs` has the two together.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check").join(name)
}

fn oxad(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_oxad")).args(arguments).output().expect("oxad runs")
}

/// Checks `NAME.f90` against the tangent in `derivative`.
fn check(name: &str, derivative: &Path, arguments: &[&str]) -> Output {
    let source = case(&format!("{name}.f90"));
    let mut all = vec!["check", source.to_str().expect("UTF-8")];
    all.extend(["--derivative", derivative.to_str().expect("UTF-8")]);
    all.extend(arguments);
    oxad(&all)
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn assert_good(name: &str, arguments: &[&str]) -> String {
    let output = check(name, &case(&format!("{name}_d.f90")), arguments);
    let text = out(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", err(&output));
    assert!(text.contains("\ngood: "), "{text}");
    assert!(!text.contains("WRONG"), "{text}");
    text
}

/// The tangent of `NAME` with `from` replaced by `to` is found wrong.
#[track_caller]
fn assert_wrong(name: &str, from: &str, to: &str, arguments: &[&str]) -> String {
    let text = std::fs::read_to_string(case(&format!("{name}_d.f90"))).expect("a tangent");
    assert!(text.contains(from), "{from}");
    let folder = tempfile::tempdir().expect("a folder");
    let tampered = folder.path().join(format!("{name}_d.f90"));
    std::fs::write(&tampered, text.replacen(from, to, 1)).expect("written");
    let output = check(name, &tampered, arguments);
    let text = out(&output);
    assert_eq!(output.status.code(), Some(1), "{text}{}", err(&output));
    assert!(text.contains("\nWRONG: "), "{text}");
    text
}

const SCALARS: &[&str] = &["--set", "k=3", "--set", "flag=.true."];
const STATE: &[&str] = &["--set", "n=3", "--set", "table:4", "--set", "order=2"];
const BODIES: &[&str] = &["--set", "b%parts:4", "--set", "speeds:3,4"];
const COMPLEXES: &[&str] =
    &["--head", "complexes", "--set", "n=3", "--set", "w:3", "--set", "f=weight"];

#[test]
fn scalars_of_both_precisions_are_checked() {
    let text = assert_good("scalars", SCALARS);
    assert!(text.contains("complex step"), "{text}");
    assert_good("scalars", &["--set", "k=2", "--seed", "7"]);
}

#[test]
fn module_common_and_saved_state_is_checked_and_restored_between_calls() {
    let text = assert_good("state", STATE);
    for name in ["gain", "table", "offset", "scale", "y"] {
        assert!(text.lines().any(|line| line.starts_with(name)), "{name}\n{text}");
    }
}

#[test]
fn derived_types_and_functions_of_modules_are_checked() {
    assert_good("bodies", BODIES);
    assert_good("bodies", &[BODIES, &["--head", "bodies::energy", "--independent", "b"]].concat());
}

#[test]
fn external_functions_complex_numbers_and_passed_procedures_are_checked() {
    let text = assert_good("complexes", COMPLEXES);
    assert!(text.contains("complex step"), "{text}");
}

#[test]
fn external_procedures_that_need_an_interface_get_one() {
    let arguments = ["--set", "a:3,4", "--set", "b:4"];
    let text = assert_good("shapes", &arguments);
    assert!(
        text.lines().any(|line| line.starts_with("b  ") && line.contains("dependent")),
        "{text}"
    );
    assert_wrong("shapes", "s*cd", "0*cd", &arguments);
}

#[test]
fn a_wrong_tangent_is_found() {
    let text = assert_wrong("scalars", "+ bd", "+ 1.01*bd", SCALARS);
    assert!(text.lines().any(|l| l.contains("complex step") && l.ends_with("WRONG")), "{text}");
    let text = assert_wrong("state", "order*calls", "calls", STATE);
    assert!(text.contains("not 2: WRONG"), "{text}");
    // Only one element of one component of one variable is missing.
    assert_wrong(
        "bodies",
        "bd%parts(i)%mass*sum",
        "merge(bd%parts(i)%mass, 0d0, i < 4)*sum",
        BODIES,
    );
    assert_wrong("complexes", "conjg(zd(i, 2))", "zd(i, 2)", COMPLEXES);
}

#[test]
fn a_tangent_that_computes_other_values_is_found() {
    let text = assert_wrong("scalars", "c = c*sin(a)**k + b", "c = c*sin(a)**k + b + 1", SCALARS);
    assert!(text.contains("computes another value"), "{text}");
}

#[test]
fn a_tangent_that_is_no_number_is_found() {
    assert_wrong("state", "gaind = gaind*offset", "gaind = 0/(gaind - gaind)", STATE);
}

#[test]
fn where_the_program_has_no_value_there_is_no_verdict() {
    let arguments = [STATE, &["--set", "scale=[1,0]"]].concat();
    let output = check("state", &case("state_d.f90"), &arguments);
    let text = out(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("state itself computes no finite number"), "{text}");
    assert!(text.contains("\nno verdict: "), "{text}");
}

#[test]
fn a_small_error_is_found_by_the_remainders_too() {
    let text = assert_wrong(
        "scalars",
        "k*sin(a)**(k - 1)",
        "k*1.0001d0*sin(a)**(k - 1)",
        &[SCALARS, &["--set", "b=0", "--independent", "a"]].concat(),
    );
    assert!(text.contains("differences") && text.contains("WRONG"), "{text}");
}

#[test]
fn a_size_that_is_not_set_is_an_error_at_its_declaration() {
    let output = check("state", &case("state_d.f90"), &["--set", "table:4"]);
    assert_eq!(output.status.code(), Some(1));
    let message = err(&output);
    assert!(message.contains("state.f90:11:26: error[OX5013]"), "{message}");
    assert!(message.contains("--set n=10"), "{message}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_shape_that_is_not_set_is_an_error_at_its_declaration() {
    // The extents of one array do not tell which of them others have.
    for (told, place, help) in [
        ("speeds:3,4", "bodies.f90:13:33", "--set b%parts:10 or =none"),
        ("b%parts=[]", "bodies.f90:19:", "--set speeds:10,10"),
    ] {
        let output = check("bodies", &case("bodies_d.f90"), &["--set", told]);
        let message = err(&output);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains(place), "{message}");
        assert!(message.contains("error[OX5013]") && message.contains(help), "{message}");
    }
}

#[test]
fn a_head_that_does_not_exist_is_an_error_with_the_names_of_those_that_do() {
    let output = check("complexes", &case("complexes_d.f90"), &["--head", "nobody"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("error[OX5010]: there is no procedure `nobody`"));
    assert!(err(&output).contains("name one with --head: complexes, weight"));
    let output = check("complexes", &case("complexes_d.f90"), &[]);
    assert!(err(&output).contains("error[OX5010]"), "{}", err(&output));
}

#[test]
fn a_setting_of_nothing_is_an_error() {
    let output = check("scalars", &case("scalars_d.f90"), &["--set", "kk=3"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("perhaps k is meant"), "{}", err(&output));
    let output = check("scalars", &case("scalars_d.f90"), &["--set", "k=1.5"]);
    assert!(err(&output).contains("error[OX5012]"), "{}", err(&output));
}

#[test]
fn what_the_compiler_says_is_shown_with_what_was_run() {
    let arguments = [SCALARS, &["--flags", "--no-such-option"]].concat();
    let output = check("scalars", &case("scalars_d.f90"), &arguments);
    assert_eq!(output.status.code(), Some(1));
    let message = err(&output);
    assert!(message.contains("error[OX5015]"), "{message}");
    assert!(message.contains(" --no-such-option "), "{message}");
    let arguments = [SCALARS, &["--compiler", "no-such-compiler"]].concat();
    let output = check("scalars", &case("scalars_d.f90"), &arguments);
    assert!(err(&output).contains("cannot run `no-such-compiler`"), "{}", err(&output));
}

#[test]
fn what_is_kept_can_be_built_and_run_by_hand() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().join("kept");
    let keep = ["--keep", kept.to_str().expect("UTF-8")];
    assert_good("scalars", &[SCALARS, &keep].concat());
    std::fs::remove_file(kept.join("check_scalars")).expect("the program is there");
    let built = Command::new("sh").arg(kept.join("build.sh")).status().expect("a shell");
    assert!(built.success());
    let results = kept.join("out.txt");
    let run = Command::new(kept.join("check_scalars"))
        .args(["tangent", "0"])
        .arg(&results)
        .status()
        .expect("the driver");
    assert!(run.success());
    let text = std::fs::read_to_string(results).expect("results");
    assert!(text.contains("# c derivative\n") && text.ends_with("# end\n"), "{text}");
}

/// Checks the adjoint of `NAME` by hand, with `from` replaced by `to`.
fn check_adjoint(name: &str, from: &str, to: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let text = std::fs::read_to_string(case(&format!("{name}_b.f90"))).expect("an adjoint");
    assert!(text.contains(from), "{from}");
    let folder = tempfile::tempdir().expect("a folder");
    let tampered = folder.path().join(format!("{name}_b.f90"));
    std::fs::write(&tampered, text.replacen(from, to, 1)).expect("written");
    let output = check(name, &tampered, &[&["--mode", "adjoint"], arguments].concat());
    (output.status.code(), format!("{}{}", out(&output), err(&output)))
}

#[track_caller]
fn assert_good_adjoint(name: &str, arguments: &[&str]) -> String {
    let (status, text) = check_adjoint(name, "", "", arguments);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("\ngood: ") && !text.contains("WRONG"), "{text}");
    text
}

#[track_caller]
fn assert_wrong_adjoint(name: &str, from: &str, to: &str, arguments: &[&str]) -> String {
    let (status, text) = check_adjoint(name, from, to, arguments);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("\nWRONG: "), "{text}");
    text
}

#[test]
fn adjoints_are_checked_against_tangents_differences_and_complex_step() {
    for (name, arguments) in [("scalars", SCALARS), ("bodies", BODIES), ("complexes", COMPLEXES)] {
        let text = assert_good_adjoint(name, arguments);
        let dot = text.lines().find(|line| line.contains("dot product")).unwrap_or_default();
        assert!(dot.ends_with("good"), "{text}");
        assert!(text.contains("differences"), "{text}");
    }
    assert!(assert_good_adjoint("scalars", SCALARS).contains("complex step"));
    assert_good_adjoint("scalars", &["--set", "k=2", "--seed", "7"]);
}

#[test]
fn adjoints_of_module_and_common_variables_are_checked() {
    let text = assert_good_adjoint("state", STATE);
    for name in ["x", "gain", "table", "offset", "scale"] {
        assert!(text.lines().any(|line| line.starts_with(name)), "{name}\n{text}");
    }
    // The tangent that is generated has the arguments alone as independent variables.
    assert!(text.contains("no dot product with the tangent: it has other"), "{text}");
}

#[test]
fn a_wrong_adjoint_is_found_and_the_variable_named() {
    let text = assert_wrong_adjoint("state", "tableb + x*f", "tableb + 1.001*x*f", STATE);
    let wrong: Vec<&str> = text.lines().filter(|line| line.ends_with("WRONG")).collect();
    assert_eq!(wrong.len(), 2, "{text}");
    assert!(wrong.iter().all(|line| line.starts_with("table")), "{text}");
    assert_wrong_adjoint("bodies", "product(at)/at", "product(at)/at*merge(0, 1, i == 3)", BODIES);
    assert_wrong_adjoint("complexes", "conjg(conjg(z(i, 1))", "conjg((z(i, 1))", COMPLEXES);
    // An error that differences cannot see.
    let single = ["--set", "k=3", "--set", "flag=.false.", "--tolerance", "1e-2"];
    let text =
        assert_wrong_adjoint("scalars", "cb = cb*exp(-a)*b", "cb = cb*1.001*exp(-a)*b", &single);
    assert!(text.lines().any(|l| l.contains("dot product") && l.ends_with("WRONG")), "{text}");
    assert!(text.lines().any(|l| l.contains("differences") && l.ends_with("good")), "{text}");
}

#[test]
fn an_adjoint_that_does_not_accumulate_is_found() {
    let text = assert_wrong_adjoint("scalars", "ab = ab + c*k", "ab = c*k", SCALARS);
    assert!(text.contains("a: scalars_b does not add to an adjoint"), "{text}");
    // Here it adds something else to what is there.
    assert_wrong_adjoint("bodies", "= speedsb(:, i) + 2", "= 2*speedsb(:, i) + 2", BODIES);
}

#[test]
fn each_procedure_is_checked_by_itself() {
    let source = "\
module m
  implicit none
contains
  subroutine inner(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    y = sum(x**2)
  end subroutine inner
end module m
subroutine outer(n, x, y, z)
  use m
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y, z
  call inner(n, x, y)
  z = 2*y
end subroutine outer
subroutine other(a, b)
  implicit none
  real(8), intent(in) :: a(:)
  real(8), intent(out) :: b
  b = a(12)
end subroutine other
program p
end program p
";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.f90");
    std::fs::write(&path, source).expect("written");
    let path = path.to_str().expect("UTF-8");
    let output = oxad(&["check", path, "--each", "--set", "n=4", "--set", "unknown=1"]);
    let text = out(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", err(&output));
    let line = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    assert!(line("m%inner").contains(" good "), "{text}");
    assert!(line("outer").contains(" good "), "{text}");
    assert!(line("other").contains("not checked") && line("other").contains("shape"), "{text}");
    assert!(text.ends_with("\ngood: nothing is wrong in what could be checked\n"), "{text}");
    let output = oxad(&["check", path, "--each"]);
    assert_eq!(output.status.code(), Some(1), "{}", out(&output));
    assert!(out(&output).contains("no verdict"), "{}", out(&output));
}

#[test]
fn generated_tangents_and_adjoints_are_checked_in_one_run() {
    let source = case("scalars.f90");
    let source = source.to_str().expect("UTF-8");
    for flag in ["flag=.true.", "flag=.false."] {
        let arguments = ["check", source, "--mode", "both", "--set", "k=3", "--set", flag];
        let output = oxad(&arguments);
        let text = out(&output);
        assert_eq!(output.status.code(), Some(0), "{text}{}", err(&output));
        assert!(text.contains("good: scalars_d is the tangent of scalars"), "{text}");
        assert!(text.contains("good: scalars_b is the adjoint of scalars"), "{text}");
        assert!(text.lines().any(|l| l.contains("dot product") && l.ends_with("good")), "{text}");
        let output = oxad(&[&arguments[..], &["--without", "xaif-tbr"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let keep = folder.path().to_str().expect("UTF-8");
    let kept = ["--mode", "both", "--set", "k=3", "--keep", keep];
    let output = oxad(&[&["check", source][..], &kept].concat());
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    for file in ["tangent/check_scalars.f90", "adjoint/check_scalars_adjoint.f90"] {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
    assert!(out(&output).contains(&format!("sh {keep}/adjoint/build.sh")), "{}", out(&output));
}

/// The drivers of tangent and adjoint share what does not depend on them; each can be built by hand all the same.
#[test]
fn the_users_sources_are_compiled_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let (script, log) = (folder.path().join("compile.sh"), folder.path().join("log"));
    let text = format!("#!/bin/sh\necho \"$@\" >>{}\nexec gfortran \"$@\"\n", log.display());
    std::fs::write(&script, text).expect("written");
    let done = Command::new("chmod").arg("+x").arg(&script).status().expect("chmod");
    assert!(done.success());
    let source = case("scalars.f90");
    let kept = folder.path().join("kept");
    let words = ["check", source.to_str().expect("UTF-8"), "--mode", "both", "--set", "k=3"];
    let more = ["--keep", kept.to_str().expect("UTF-8"), "--compiler"];
    let compiler = [script.to_str().expect("UTF-8")];
    let output = oxad(&[&words[..], &more, &compiler].concat());
    assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), err(&output));
    let log = std::fs::read_to_string(log).expect("the log");
    for file in ["scalars.f90", "oxad_tools.f90", "scalars_d.f90", "scalars_b.f90"] {
        let lines = log.lines().filter(|line| line.contains(&format!("/{file} -o ")));
        assert_eq!(lines.count(), 1, "{file}: {log}");
    }
    let built = Command::new("sh").arg(kept.join("adjoint/build.sh")).status().expect("a shell");
    assert!(built.success());
}

#[test]
fn steps_are_measured_by_the_size_of_a_variable() {
    let source = case("sizes.f90");
    let source = source.to_str().expect("UTF-8");
    let point = ["--set", "pressure=9.4d4", "--set", "c=[2d-5,1d-5,3d-5]"];
    let arguments = [&["check", source, "--mode", "both"][..], &point].concat();
    let some = [&arguments[..], &["--dependent", "rate,tail"]].concat();
    let output = oxad(&some);
    let text = out(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", err(&output));
    assert!(text.contains("remainders fall with order"), "{text}");
    // What has no value takes nothing from the others.
    let output = oxad(&arguments);
    let text = out(&output);
    assert_eq!(output.status.code(), Some(1), "{text}{}", err(&output));
    let cause =
        "no verdict: sizes itself computes no finite number for nothing; the first one arises at ";
    assert!(text.starts_with(cause) && text.contains("sizes.f90:9:3"), "{text}");
    assert!(text.contains("remainders fall with order") && !text.contains("WRONG"), "{text}");
    for name in ["rate ", "tail "] {
        let good = |line: &str| line.starts_with(name) && line.ends_with("good");
        assert_eq!(text.lines().filter(|line| good(line)).count(), 2, "{text}");
    }
}

#[test]
fn where_complex_step_agrees_and_differences_do_not_complex_step_decides() {
    let arguments =
        ["check", "--mode", "both", "--set", "a=1", "--independent", "a", "--dependent", "r"];
    let source = case("ripples.f90");
    let output = oxad(&[&arguments[..], &[source.to_str().expect("a path")]].concat());
    let text = out(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", err(&output));
    for variable in ["a", "r"] {
        assert!(text.contains(&format!("\n{variable}: complex step decides: ")), "{text}");
    }
    assert_eq!(text.matches("\ngood: ").count(), 2, "{text}");
    assert!(!text.contains("WRONG") && !text.contains("cannot tell"), "{text}");
}

#[test]
fn arguments_may_have_the_names_that_the_driver_uses() {
    let source = case("names_of_the_driver.f90");
    let source = source.to_str().expect("a path");
    let arguments = ["check", source, "--mode", "both", "--set", "mode=2", "--set", "start:3"];
    let output =
        oxad(&[&arguments[..], &["--independent", "start", "--dependent", "value"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), err(&output));
    assert_eq!(out(&output).matches("\ngood: ").count(), 2, "{}", out(&output));
}

#[test]
fn a_wrong_tangent_is_wrong_where_differences_are_rough_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = case("ripples.f90");
    let (source, to) = (source.to_str().expect("a path"), folder.path().to_str().expect("a path"));
    let made = oxad(&["tangent", source, "-o", to, "--independent", "a", "--dependent", "r"]);
    assert_eq!(made.status.code(), Some(0), "{}", err(&made));
    let file = folder.path().join("ripples_d.f90");
    let text = std::fs::read_to_string(&file).expect("a tangent");
    assert!(text.contains("3*a**2"), "{text}");
    std::fs::write(&file, text.replacen("3*a**2", "3.01d0*a**2", 1)).expect("written");
    let output = check("ripples", &file, &["--set", "a=1"]);
    assert!(out(&output).contains("\nWRONG: "), "{}", out(&output));
}

#[test]
fn outputs_that_the_head_allocates_are_weighed_in_the_shape_that_it_gives_them() {
    let source = case("allocates.f90");
    let source = source.to_str().expect("a path");
    let check = |arguments: &str| {
        let arguments = arguments.split_whitespace();
        oxad(
            &["check", source, "--mode", "adjoint"]
                .into_iter()
                .chain(arguments)
                .collect::<Vec<_>>(),
        )
    };
    let text = |output: &Output| format!("{}{}", out(output), err(output));
    for arguments in [
        "--head outer --set x:3",
        "--head grow --set x:2 --set n=4",
        "--head grow --set x:2 --set n=6",
        "--head within --set h%v:2 --set n=3",
    ] {
        let output = check(arguments);
        assert!(out(&output).contains("\ngood: "), "{arguments}: {}", text(&output));
    }
}

#[test]
fn what_shares_storage_with_common_is_no_local_variable() {
    let source = case("equivalence.f90");
    let source = source.to_str().expect("UTF-8");
    for mode in ["--joint-all", "--split-all"] {
        let variables = ["--independent", "x", "--dependent", "y", "--head", "equivalence"];
        let output = oxad(&[&["check", source, "--mode", "both", mode][..], &variables].concat());
        assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), err(&output));
        assert!(out(&output).contains("good: equivalence_b is the adjoint"), "{}", out(&output));
    }
}

#[test]
fn structures_of_modules_need_not_be_there_at_the_point() {
    let source = case("module_structures.f90");
    let source = source.to_str().expect("UTF-8");
    let none = ["--set", "notes=none", "--set", "notes%lines=none"];
    let variables = ["--independent", "x", "--dependent", "y", "--head", "fill"];
    let all = [&["check", source, "--mode", "both"][..], &none, &variables].concat();
    let output = oxad(&all);
    assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), err(&output));
    assert!(out(&output).contains("good: fill_b is the adjoint"), "{}", out(&output));
}

const SINGLE: &str = "\
subroutine head(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(4) :: a(n), s
  integer :: i
  a = real(sin(x), 4)
  s = 0
  do i = 1, n
    s = s + a(i)**2*real(x(n + 1 - i), 4)
  end do
  y = s*x(1)
end subroutine head
";

#[test]
fn what_is_computed_in_single_precision_on_the_way_is_measured_by_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("single.f90");
    let file = path.to_str().expect("UTF-8");
    // Without a variable of single precision, too.
    let conversion = "\
subroutine head(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  y = sum(sngl(x)**2)*x(1)
end subroutine head
";
    for source in [SINGLE, conversion] {
        std::fs::write(&path, source).expect("written");
        let output = oxad(&["check", file, "--mode", "both", "--set", "n=5"]);
        let text = format!("{}{}", out(&output), err(&output));
        assert_eq!(output.status.code(), Some(0), "{text}");
        let dot = text.lines().find(|line| line.contains("dot product")).unwrap_or_default();
        assert!(dot.ends_with("good"), "{text}");
    }
    // An adjoint that is given is measured likewise, and what is beyond rounding is found.
    std::fs::write(&path, SINGLE).expect("written");
    let out_dir = folder.path().join("out");
    let target = out_dir.to_str().expect("UTF-8");
    let made = oxad(&["adjoint", file, "-o", target, "--no-runtime"]);
    assert_eq!(made.status.code(), Some(0), "{}", err(&made));
    let adjoint = out_dir.join("single_b.f90");
    let given = adjoint.to_str().expect("UTF-8");
    let check = || {
        let arguments = ["--mode", "adjoint", "--derivative", given, "--set", "n=5"];
        let output = oxad(&[&["check", file], &arguments[..]].concat());
        (output.status.code(), format!("{}{}", out(&output), err(&output)))
    };
    let (status, text) = check();
    assert_eq!(status, Some(0), "{text}");
    let text = std::fs::read_to_string(&adjoint).expect("an adjoint");
    let wrong = text.replacen("xb(1) = xb(1) + ", "xb(1) = xb(1) + 1.01d0*", 1);
    assert_ne!(text, wrong);
    std::fs::write(&adjoint, wrong).expect("written");
    let (status, text) = check();
    assert_eq!(status, Some(1), "{text}");
    assert!(text.lines().any(|l| l.contains("dot product") && l.ends_with("WRONG")), "{text}");
}

#[test]
fn old_module_files_where_the_user_works_are_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    write("m.mod", "the module of yesterday");
    std::fs::create_dir(folder.path().join("inc")).expect("a folder");
    write("inc/factor.inc", "      real(8), parameter :: factor = 3\n");
    write("here.inc", "      integer, parameter :: power = 2\n");
    let source = "\
module m
  implicit none
  include 'factor.inc'
end module m
subroutine head(x, y)
  use m
  implicit none
  include 'here.inc'
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  y = factor*x**power
end subroutine head
";
    std::fs::create_dir(folder.path().join("src")).expect("a folder");
    write("src/head.f90", source);
    let output = Command::new(env!("CARGO_BIN_EXE_oxad"))
        .args(["check", "src/head.f90", "-I", "inc", "-I", ".", "--mode", "both"])
        .args(["--compiler", "gfortran", "--keep", "kept"])
        .current_dir(folder.path())
        .output()
        .expect("oxad runs");
    let text = format!("{}{}", out(&output), err(&output));
    assert_eq!(output.status.code(), Some(0), "{text}");
    let script = folder.path().join("kept/tangent/build.sh");
    assert!(Command::new("sh").arg(script).status().expect("a shell").success());
}

#[test]
fn procedures_that_a_driver_cannot_call_are_refused_where_they_stand() {
    let source = "\
module m
  implicit none
  private
  public :: head
contains
  subroutine head(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    call inner(x, y)
    call deep(y)
  contains
    subroutine deep(a)
      real(8), intent(inout) :: a
      a = a*a
    end subroutine deep
  end subroutine head
  subroutine inner(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = x**2
  end subroutine inner
end module m
";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.f90");
    std::fs::write(&path, source).expect("written");
    let file = path.to_str().expect("UTF-8");
    let check = |head: &str| {
        let output = oxad(&["check", file, "--head", head]);
        (output.status.code(), err(&output))
    };
    assert_eq!(check("head").0, Some(0));
    let (status, message) = check("inner");
    assert_eq!(status, Some(1));
    assert!(message.contains("m.f90:17:3: error[OX5014]: `inner` is PRIVATE in `m`"), "{message}");
    assert!(message.contains("xaif-expose"), "{message}");
    let (status, message) = check("deep");
    assert_eq!(status, Some(1));
    assert!(message.contains("error[OX5014]: `deep` is internal to `head`"), "{message}");
}

#[test]
fn the_derivative_is_found_where_the_user_has_its_name() {
    let source = case("taken.f90");
    let source = source.to_str().expect("a path");
    let arguments = ["check", source, "--head", "p", "--mode", "both"];
    let output = oxad(&[&arguments[..], &["--independent", "x", "--dependent", "y"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}{}", out(&output), err(&output));
    let text = out(&output);
    assert!(text.contains("good: p_d0 is the tangent of p"), "{text}");
    assert!(text.contains("good: p_b0 is the adjoint of p"), "{text}");
}
