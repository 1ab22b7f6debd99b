//! `xaif-expose`: a program whose modules hide their state does the same with opened modules, and has
//! derivatives then.

use std::path::Path;
use std::process::Command;

use oxad_tests::programs::{Finished, finish, tool};

const HIDING: &str = include_str!("open/counter.f90");

fn done(finished: Finished, what: &str) -> String {
    assert_eq!(finished.status, Some(0), "{what}: {}", finished.err());
    finished.out()
}

fn compiled_and_run(source: &str, folder: &Path) -> String {
    let name = if source.contains('/') { "opened" } else { "hiding" };
    let options = ["-Wall", "-Wextra", "-Werror", "-fcheck=all", source, "-o", name];
    let mut compiler = Command::new("gfortran");
    compiler.args(options).current_dir(folder);
    done(finish(compiler, b"").expect("gfortran"), source);
    done(finish(Command::new(folder.join(name)), b"").expect("the program"), name)
}

#[test]
fn an_opened_program_does_the_same_and_has_derivatives() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("counter.f90"), HIDING).expect("a file");
    let closed = ["tangent", "counter.f90", "--head", "head", "--closed"];
    let refused = tool("oxad", &closed, folder, b"");
    assert!(refused.err().contains("OX4203"), "{}", refused.err());

    let document = tool("f2xaif", &["counter.f90"], folder, b"");
    let opened = tool("xaif-expose", &[] as &[&str], folder, &document.stdout);
    assert_eq!(opened.err(), "");
    done(tool("xaif2f", &["--split", "open"], folder, &opened.stdout), "xaif2f");
    let text = std::fs::read_to_string(folder.join("open/counter.f90")).expect("the opened source");
    let renamed = ["kept_of_counter => kept", "settings_of_counter => settings"]
        .map(|one| text.contains(one));
    assert!(renamed == [true; 2] && !text.contains("protected"), "{text}");

    let before = compiled_and_run("counter.f90", folder);
    assert_eq!(before.trim(), "84.000000");
    assert_eq!(compiled_and_run("open/counter.f90", folder), before);
    for mode in ["tangent", "adjoint"] {
        let options = ["check", "--mode", mode, "open/counter.f90", "--head", "head"];
        let said = done(tool("oxad", &options, folder, b""), mode);
        assert!(said.contains("good: head_"), "{said}");
    }
}

#[test]
fn what_a_procedure_pointer_points_to_is_opened() {
    let source = "\
module solvers
  implicit none
  private
  public :: head
  type :: solver
    procedure(norm_of), pointer, nopass :: norm => null()
  end type solver
  abstract interface
    real(8) function norm_of(v)
      real(8), intent(in) :: v(:)
    end function norm_of
  end interface
contains
  subroutine head(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(solver) :: me
    me%norm => default_norm
    y = me%norm(x)*other(x)
  end subroutine head
  real(8) function default_norm(v)
    real(8), intent(in) :: v(:)
    default_norm = sqrt(sum(v**2))
  end function default_norm
  real(8) function other(v)
    real(8), intent(in) :: v(:)
    other = product(v)
  end function other
end module solvers
";
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("solvers.f90"), source).expect("a file");
    let closed = ["adjoint", "solvers.f90", "--head", "head", "--closed"];
    let refused = tool("oxad", &closed, folder, b"");
    assert!(refused.err().contains("OX4203"), "{}", refused.err());
    assert!(refused.err().contains("solvers.f90:19:9"), "{}", refused.err());
    let document = tool("f2xaif", &["solvers.f90"], folder, b"");
    let opened = tool("xaif-expose", &[] as &[&str], folder, &document.stdout);
    done(tool("xaif2f", &["--split", "open"], folder, &opened.stdout), "xaif2f");
    let text = std::fs::read_to_string(folder.join("open/solvers.f90")).expect("the opened source");
    assert!(text.contains("public :: ") && text.contains("default_norm"), "{text}");
    let check = ["check", "open/solvers.f90", "--head", "head", "--mode", "both"];
    done(tool("oxad", &check, folder, b""), "oxad check");
}

#[test]
fn hidden_bindings_are_opened_with_those_that_override_them() {
    let source = "\
module steppers
  implicit none
  private
  type, abstract, public :: base
  contains
    private
    procedure(step_i), deferred :: step
    procedure, public :: run
  end type base
  abstract interface
    subroutine step_i(me, x)
      import :: base
      class(base), intent(inout) :: me
      real(8), intent(inout) :: x
    end subroutine step_i
  end interface
  type, extends(base), public :: sines
  contains
    private
    procedure :: step => sines_step
  end type sines
  type, extends(base), public :: squares
  contains
    private
    procedure :: step => squares_step
  end type squares
contains
  subroutine run(me, x)
    class(base), intent(inout) :: me
    real(8), intent(inout) :: x
    call me%step(x)
    call me%step(x)
  end subroutine run
  subroutine sines_step(me, x)
    class(sines), intent(inout) :: me
    real(8), intent(inout) :: x
    x = x + 0.1d0*sin(x)
  end subroutine sines_step
  subroutine squares_step(me, x)
    class(squares), intent(inout) :: me
    real(8), intent(inout) :: x
    x = x*x
  end subroutine squares_step
end module steppers

subroutine head(x, y)
  use steppers
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  type(sines) :: e
  type(squares) :: f
  y = x
  call e%run(y)
  call f%run(y)
end subroutine head
";
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("steppers.f90"), source).expect("a file");
    let document = tool("f2xaif", &["steppers.f90"], folder, b"");
    let opened = tool("xaif-expose", &[] as &[&str], folder, &document.stdout);
    assert!(!opened.err().contains("OX4206"), "{}", opened.err());
    done(tool("xaif2f", &["--split", "open"], folder, &opened.stdout), "xaif2f");
    let check = ["check", "open/steppers.f90", "--head", "head", "--mode", "both"];
    let said = done(tool("oxad", &check, folder, b""), "oxad check");
    assert!(said.contains("good: head_b"), "{said}");
}
