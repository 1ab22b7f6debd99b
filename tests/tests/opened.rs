//! A derivative that needs what a module hides: the driver writes the source of the module with that PUBLIC, and
//! nothing else in the source is changed.

use std::path::Path;

use oxad_tests::programs::{finish, tool};

/// A file of a program that hides something: its name, its text, and its changed lines with `-` and `+` before
/// them; without changes it is not written.
type File<'a> = (&'a str, &'a str, &'a [&'a str]);

/// The lines that `before` and `after` do not have in common, by the order of lines that both have.
fn changes(before: &str, after: &str) -> Vec<String> {
    let (before, after): (Vec<&str>, Vec<&str>) =
        (before.lines().collect(), after.lines().collect());
    let (mut old, mut new, mut found) = (0, 0, Vec::new());
    while old < before.len() || new < after.len() {
        let again = |lines: &[&str], from: usize, line: Option<&&str>| {
            line.and_then(|line| lines[from..].iter().position(|other| other == line))
        };
        match (again(&after, new, before.get(old)), again(&before, old, after.get(new))) {
            (Some(0), _) => (old, new) = (old + 1, new + 1),
            (Some(skipped), back) if back.is_none_or(|back| skipped <= back) => {
                found.extend(after[new..new + skipped].iter().map(|line| format!("+{line}")));
                new += skipped;
            }
            (_, Some(skipped)) => {
                found.extend(before[old..old + skipped].iter().map(|line| format!("-{line}")));
                old += skipped;
            }
            (_, None) => {
                found.extend(before.get(old).map(|line| format!("-{line}")));
                found.extend(after.get(new).map(|line| format!("+{line}")));
                (old, new) = (old + 1, new + 1);
            }
        }
    }
    found
}

/// Differentiates `head` in both modes, compares the sources that stand in the place of `files` and lets gfortran
/// compile everything; then the check of both derivatives.
fn opens(files: &[File<'_>], head: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut names: Vec<&str> = Vec::new();
    for (name, text, _) in files {
        std::fs::write(folder.join(name), text).expect("written");
        // An included file is no source of the command.
        if !name.ends_with(".inc") {
            names.push(name);
        }
    }
    let closed = [&["both"], names.as_slice(), &["--head", head, "--closed", "-o", "no"]].concat();
    let refused = tool("oxad", &closed, folder, b"");
    assert_eq!(refused.status, Some(1), "{}", refused.err());
    assert!(refused.err().contains("OX4203") && !folder.join("no").exists(), "{}", refused.err());
    let both = [&["both"], names.as_slice(), &["--head", head, "-o", "d"]].concat();
    let done = tool("oxad", &both, folder, b"");
    assert_eq!(
        (done.status, done.err().matches("note[OX4207]").count()),
        (Some(0), 1),
        "{}",
        done.err()
    );
    for (name, text, expected) in files {
        let opened = std::fs::read_to_string(folder.join("d").join(name)).ok();
        let found = opened.map(|opened| changes(text, &opened)).unwrap_or_default();
        assert_eq!(found, *expected, "{name}");
        let told = format!("compile d/{name} in the place of {name}");
        assert_eq!(done.err().contains(&told), !expected.is_empty(), "{}", done.err());
    }
    compiles(&names, folder);
    let check = [&["check", "--mode", "both"], names.as_slice(), &["--head", head]].concat();
    let checked = tool("oxad", &check, folder, b"");
    assert_eq!(checked.status, Some(0), "{}{}", checked.out(), checked.err());
}

/// The derivatives compile behind the sources, each where its opened text is in its place.
fn compiles(names: &[&str], folder: &Path) {
    let exists = |name: &String| folder.join(name).exists();
    let mut sources = vec!["d/oxad_tape.f90".to_owned()];
    sources.extend(names.iter().map(|name| {
        Some(format!("d/{name}")).filter(exists).unwrap_or_else(|| (*name).to_owned())
    }));
    for name in names {
        let stem = name.split('.').next().unwrap_or_default();
        sources.extend(
            ["d", "b"].map(|mode| format!("d/{stem}_{mode}.f90")).into_iter().filter(exists),
        );
    }
    let mut compiler = std::process::Command::new("gfortran");
    compiler.args(["-c", "-I.", "-fcheck=all"]).args(&sources).current_dir(folder);
    let done = finish(compiler, b"").expect("gfortran");
    assert_eq!(done.status, Some(0), "{}", done.err());
}

#[test]
fn a_variable_and_a_type_that_are_private_by_default() {
    let source = "\
module tank
  implicit none
  private            ! keep this to ourselves
  public :: fill
  real(8), save :: level = 1d0, inflow = 0.5d0
  type basin
    real(8) :: depth, width
  end type
  real(8), parameter :: rate = 0.25d0
contains
  subroutine fill(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(basin) :: b
    level = level*x + inflow*rate
    b%depth = sin(level)
    b%width = level*x
    y = b%depth*b%width
  end subroutine
end module
";
    opens(&[("tank.f90", source, &["+  public :: level, inflow, basin"])], "fill");
}

#[test]
fn attributes_and_statements_that_say_private_or_protected() {
    let source = "\
module plant
  use, intrinsic :: iso_fortran_env, only: dp => real64
  implicit none
#ifdef LARGE
  integer, parameter :: n = 1000
#else
  integer, parameter :: n = 3
#endif
  real(dp), private, save :: store(n), &
                             spare = 2   ! not differentiated
  real(dp), private :: twice
  real(dp), protected :: gain = 1.5_dp
  real(dp) :: limit = 2, other = 3, third = 1
  private :: third, &
             helper, limit
  protected :: other
  type, private :: part
    real(dp) :: a = 2
  end type part
  type(part), private :: held
contains
  subroutine run(x, y)
    real(dp), intent(in) :: x
    real(dp), intent(out) :: y
    gain = gain*x
    call double(other)
    store = x*gain
    twice = 2*x
    limit = limit*twice
    held%a = held%a*limit*other
    y = helper(store(2)) + held%a
  end subroutine run
  subroutine double(a)
    real(dp), intent(inout) :: a
    a = 2*a
  end subroutine
  real(dp) function helper(z)
    real(dp), intent(in) :: z
    helper = cos(z)*third
  end function helper
end module plant
";
    let changes = [
        "-  real(dp), private, save :: store(n), &",
        "+  real(dp), save :: store(n), &",
        "-  real(dp), private :: twice",
        "+  private :: spare",
        "-  real(dp), protected :: gain = 1.5_dp",
        "+  real(dp), public :: twice",
        "+  real(dp) :: gain = 1.5_dp",
        "-  private :: third, &",
        "+  private :: &",
        "-             helper, limit",
        "+             helper",
        "-  protected :: other",
        "+  type, public :: part",
        "-  type, private :: part",
        "-  type(part), private :: held",
        "+  type(part), public :: held",
    ];
    opens(&[("plant.F90", source, &changes)], "run");
}

#[test]
fn components_and_bindings() {
    let source = "\
module springs
  implicit none
  private
  type, public :: spring
    private
    real(8) :: stiffness = 2, length
    integer :: turns = 3      ! not needed
    real(8), public :: mass = 1
    real(8) force
  contains
    private
    procedure :: stretch
    procedure, public :: energy
    procedure :: unused
  end type spring
  type, extends(spring), public :: coil
    real(8), private :: heat = 1
  contains
    procedure, private :: stretch => stretch_coil
  end type coil
  public :: head
contains
  subroutine stretch(me, x)
    class(spring), intent(inout) :: me
    real(8), intent(in) :: x
    me%length = x*me%stiffness
    me%force = me%length**2
  end subroutine
  subroutine stretch_coil(me, x)
    class(coil), intent(inout) :: me
    real(8), intent(in) :: x
    me%length = 2*x
    me%force = me%length**3*me%heat
  end subroutine
  subroutine unused(me)
    class(spring), intent(inout) :: me
    me%turns = me%turns + 1
  end subroutine
  real(8) function energy(me)
    class(spring), intent(in) :: me
    energy = me%force*me%mass
  end function
  subroutine head(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    class(spring), allocatable :: one
    allocate (coil :: one)
    call one%stretch(x)
    y = one%energy()
  end subroutine
end module springs
";
    let changes = [
        "-    real(8) :: stiffness = 2, length",
        "+    real(8), public :: stiffness = 2, length",
        "-    real(8) force",
        "+    real(8), public :: force",
        "-    procedure :: stretch",
        "+    procedure, public :: stretch",
        "-    real(8), private :: heat = 1",
        "+    real(8), public :: heat = 1",
        "-    procedure, private :: stretch => stretch_coil",
        "+    procedure, public :: stretch => stretch_coil",
    ];
    opens(&[("springs.f90", source, &changes)], "head");
}

#[test]
fn several_modules_in_several_files_with_names_that_clash() {
    let states = "\
module first_state
  implicit none
  private
  real(8) :: kept = 1
  public :: advance
contains
  subroutine advance(x)
    real(8), intent(inout) :: x
    kept = kept*x
    x = x + kept
  end subroutine
end module
module second_state
  implicit none
  private
  real(8) :: kept = 2, scale = 3
  public :: retreat
contains
  subroutine retreat(x)
    real(8), intent(inout) :: x
    kept = kept*x*scale
    scale = kept
    x = x - kept
  end subroutine
end module
module both_states
  use first_state
  use second_state
  implicit none
end module
";
    let head = "\
C     The name of an intrinsic function becomes PUBLIC in a module.
      SUBROUTINE HEAD(X, Y)
      USE BOTH_STATES
      IMPLICIT NONE
      REAL*8 X, Y, KEPT
      INTENT(IN) X
      INTENT(OUT) Y
      KEPT = 2*X
      CALL ADVANCE(KEPT)
      CALL RETREAT(KEPT)
      Y = SCALE(KEPT, 2)
      END
";
    let states_changes = [
        "+  public :: kept",
        "+  public :: kept, scale",
        "-  use first_state",
        "+  use first_state, kept_of_first_state => kept",
        "-  use second_state",
        "+  use second_state, kept_of_second_state => kept, scale_of_second_state => scale",
    ];
    opens(&[("states.f90", states, &states_changes), ("head.f", head, &[])], "head");
}

#[test]
fn the_user_of_a_module_has_a_variable_of_the_name() {
    let module = "\
MODULE keeper
  IMPLICIT NONE
  PRIVATE
  REAL(8) :: held = 1
  INCLUDE 'more.inc'
  PUBLIC :: keep
CONTAINS
  SUBROUTINE keep(x)
    REAL(8), INTENT(inout) :: x
    held = held*x
    more = more + held
    x = x*more
  END SUBROUTINE
END MODULE
";
    let head = "\
module heads
  USE Keeper
  implicit none
  real(8), private :: more = 5
contains
  subroutine head(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: held
    held = x
    call keep(held)
    y = held*more
  end subroutine
end module
";
    opens(
        &[
            ("more.inc", "  real(8) :: more = 2\n", &[]),
            ("keeper.f90", module, &["+  public :: held, more"]),
            (
                "heads.f90",
                head,
                &[
                    "-  USE Keeper",
                    "+  USE Keeper, more_of_keeper => more",
                    "-  real(8), private :: more = 5",
                    "+  real(8), public :: more = 5",
                ],
            ),
        ],
        "head",
    );
}

#[test]
fn a_submodule_that_uses_what_its_module_hides() {
    let source = "\
module parent
  implicit none
  private
  real(8) :: sum_so_far = 1
  public :: head
  interface
    module subroutine head(x, y)
      real(8), intent(in) :: x
      real(8), intent(out) :: y
    end subroutine
  end interface
end module
submodule (parent) child
contains
  module procedure head
    sum_so_far = sum_so_far + x*x
    y = sum_so_far*inner(x)
  end procedure
  real(8) function inner(x)
    real(8), intent(in) :: x
    inner = sin(x)*sum_so_far
  end function
end submodule
";
    opens(&[("parent.f90", source, &["+  public :: sum_so_far"])], "head");
}

#[test]
fn bytes_that_are_no_utf_8_and_ends_of_lines_stay() {
    let source = b"      MODULE OLD\r\n      PRIVATE\r\nC     caf\xe9\r\n      PUBLIC HEAD\r\n      REAL*8 HELD\r\n      \
        CONTAINS\r\n      SUBROUTINE HEAD(X,Y)\r\n      REAL*8 X,Y\r\n      HELD=X*X\r\n      Y=HELD*X\r\n      END \
        SUBROUTINE\r\n      END MODULE\r\n";
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("old.f"), source).expect("written");
    // The folder of the source itself: the opened one has another name.
    let done = tool("oxad", &["tangent", "old.f", "--head", "head"], folder, b"");
    assert_eq!(done.status, Some(0), "{}", done.err());
    assert!(done.err().contains("compile old_open.f in the place of old.f"), "{}", done.err());
    let opened = std::fs::read(folder.join("old_open.f")).expect("the opened source");
    let expected = b"      PRIVATE\r\n      public :: HELD\r\nC     caf\xe9\r\n";
    assert!(opened.windows(expected.len()).any(|window| window == expected));
    assert_eq!(opened.len(), source.len() + "      public :: HELD\r\n".len());
    assert_eq!(std::fs::read(folder.join("old.f")).expect("the source"), source);
}

#[test]
fn a_variable_of_a_submodule_stays_there() {
    let source = "\
module parent
  implicit none
  interface
    module subroutine head(x, y)
      real(8), intent(in) :: x
      real(8), intent(out) :: y
    end subroutine
  end interface
end module
submodule (parent) child
  real(8) :: cache = 2
contains
  module procedure head
    cache = cache*x
    y = cache**2
  end procedure
end submodule
";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.f90"), source).expect("written");
    let refused = tool("oxad", &["adjoint", "p.f90", "--head", "head"], folder.path(), b"");
    let said = refused.err();
    assert!(said.contains("p.f90:14:5: error[OX4203]: `cache` belongs to a submodule"), "{said}");
}
