//! `oxad check` and what a program keeps beside the arguments of the head: initial values, variables
//! that a driver cannot name, COMMON blocks that the head does not know; several heads; old Fortran.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder with `text` in a file of this name.
fn source(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("written");
    (folder, path)
}

fn oxad(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_oxad")).args(arguments).output().expect("oxad runs")
}

/// The exit status and all that `oxad check` says of a program, with `p` as head, `x` and `y`.
fn check(name: &str, text: &str, more: &[&str]) -> (Option<i32>, String) {
    let variables = ["--head", "p", "--independent", "x", "--dependent", "y"];
    run(name, text, &[&["--mode", "both"], &variables[..], more].concat())
}

pub(crate) fn run(name: &str, text: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let (_folder, path) = source(name, text);
    let output = oxad(&[&["check", path.to_str().expect("UTF-8")], arguments].concat());
    let text = [&output.stdout[..], &output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

fn line<'t>(text: &'t str, name: &str) -> &'t str {
    text.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap_or_default()
}

#[track_caller]
fn assert_good(found: &(Option<i32>, String)) {
    let (status, text) = found;
    assert_eq!(*status, Some(0), "{text}");
    assert_eq!(text.matches("\ngood: ").count(), 2, "{text}");
    assert!(!text.contains("no complex step"), "{text}");
}

const BLOCK_DATA: &str = "\
block data bd
  implicit none
  real(8) :: a1(2), a2(2), rest
  common /par/ a1, a2, rest
  data a1 /2d0, 3d0/, a2 /4d0, 5d0/
end block data
subroutine q(x, y)
  implicit none
  real(8) :: x, y, c(4), rest, other
  common /par/ c, rest
  common /late/ other
  data other /7d0/
  if (c(1) /= 2d0 .or. other /= 7d0) stop 1
  y = c(1)*x + c(4)*x**2 + rest*sin(x)
end subroutine
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  call q(x, y)
end subroutine
";

#[test]
fn common_variables_keep_what_data_gives_them_whatever_their_names_are() {
    let found = check("bd.f90", BLOCK_DATA, &[]);
    assert_good(&found);
    for name in ["a1", "a2", "other"] {
        assert!(line(&found.1, name).contains("as the program has it"), "{}", found.1);
    }
    assert!(line(&found.1, "rest").contains("random"), "{}", found.1);
    // The head may have names of its own.
    let own = "  real(8) :: b(3), c, d\n  common /par/ b, c, d\n  call q(x, y)\n";
    let text = BLOCK_DATA.replacen("  call q(x, y)\n", own, 1);
    let found = check("bd.f90", &text, &["--set", "d=2"]);
    assert_good(&found);
    for name in ["b", "c"] {
        assert!(line(&found.1, name).contains("as the program has it"), "{}", found.1);
    }
    assert!(line(&found.1, "d").contains("set: 2"), "{}", found.1);
    // What is set is another matter.
    let (status, text) = check("bd.f90", BLOCK_DATA, &["--set", "a1=[1,2]"]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("has stopped"), "{text}");
}

#[test]
fn elements_that_data_leaves_out_are_drawn() {
    let text = "\
block data
  real(8) :: w(6)
  common /blk/ w
  data w(2), w(5) /5d0, 0d0/
end block data
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, b(4), c
  common /blk/ a, b, c
  if (b(1) /= 5 .or. b(4) /= 0) stop 1
  if (a*b(2)*b(3)*c == 0) stop 2
  y = x**2*a*b(1)*(b(2) + b(4))*b(3)*c
end subroutine p
";
    let found = check("part.f90", text, &[]);
    assert_good(&found);
    assert!(line(&found.1, "b").contains("random where not given"), "{}", found.1);
    for name in ["a", "c"] {
        assert!(line(&found.1, name).contains("random in"), "{}", found.1);
    }
}

#[test]
fn module_variables_keep_what_data_gives_them() {
    let text = "\
module m
  implicit none
  real(8) :: a, b(2), c
  equivalence (b(2), c)
  data a /2d0/, b(1) /3d0/
end module m
subroutine p(x, y)
  use m
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  if (a /= 2 .or. b(1) /= 3) stop 1
  y = a*b(1)*x**2
end subroutine p
";
    assert_good(&check("m.f90", text, &[]));
}

const PRIVATE: &str = "\
module e
  implicit none
  integer, private :: k = 3
  real(8), private :: level = 2, unused = 1
  real(8), protected :: shown = 4
contains
  integer function power()
    power = k
    if (level /= 2d0) stop 1
  end function power
end module e
subroutine p(x, y)
  use e
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  y = shown*x**power()
end subroutine p
";

#[test]
fn private_and_protected_variables_are_as_the_program_has_them() {
    let found = check("e.f90", PRIVATE, &[]);
    assert_good(&found);
    for name in ["k", "level"] {
        let told = format!("\ne%{name} is PRIVATE: it is as the program has it\n");
        assert!(found.1.contains(&told), "{}", found.1);
    }
    assert!(!found.1.contains("unused"), "{}", found.1);
    assert!(line(&found.1, "shown").contains("as the program has it"), "{}", found.1);
    let (status, text) = check("e.f90", PRIVATE, &["--set", "k=2"]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("error[OX5014]: `k` is PRIVATE in `e`"), "{text}");
}

const CALLEE: &str = "\
subroutine r(y)
  implicit none
  real(8) :: y, tlb
  common /g/ tlb
  y = y*tlb
end subroutine r
subroutine q(x, y)
  implicit none
  real(8) :: x, y, tlb, s(2)
  integer :: n
  common /g/ tlb, s, n
  s(1) = x*tlb*s(2)
  call r(s(1))
  y = s(1)
  tlb = tlb*y
end subroutine q
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: s, tlb
  s = 10
  tlb = 20
  call q(x, y)
  y = y*s + tlb
end subroutine p
";

#[test]
fn blocks_that_only_callees_declare_are_set_for_all_evaluations() {
    let found = check("g.f90", CALLEE, &[]);
    assert_good(&found);
    assert!(line(&found.1, "s").contains("real(8) (2)"), "{}", found.1);
    // The derivative that is given has the same point as the one that is evidence.
    let (folder, path) = source("g.f90", CALLEE);
    let (file, to) = (path.to_str().expect("UTF-8"), folder.path().to_str().expect("UTF-8"));
    let variables = ["--head", "p", "--independent", "x", "--dependent", "y"];
    let made = oxad(&[&["both", file, "-o", to][..], &variables].concat());
    assert_eq!(made.status.code(), Some(0));
    for mode in ["tangent", "adjoint"] {
        let derivative =
            folder.path().join(format!("g_{}.f90", if mode == "tangent" { "d" } else { "b" }));
        let given = ["--mode", mode, "--derivative", derivative.to_str().expect("UTF-8")];
        let output = oxad(&[&["check", file][..], &given, &variables].concat());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{text}");
        assert!(line(&text, "tlb").contains("random"), "{text}");
        assert!(text.contains("complex step") && !text.contains("no complex step"), "{text}");
    }
}

#[test]
fn members_of_common_may_have_names_of_arguments_and_of_the_driver() {
    let text = "\
subroutine q(a, b)
  implicit none
  real(8) :: a, b, x, mode, y(2)
  common /c/ x, y, mode
  b = a*x*y(2)*mode
  x = 2*x
end subroutine q
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  call q(x, y)
end subroutine p
";
    let found = check("c.f90", text, &["--set", "mode=3", "--set", "x_c=2"]);
    assert_good(&found);
    assert!(line(&found.1, "x_c").contains("set: 2"), "{}", found.1);
    assert!(line(&found.1, "x").contains("random"), "{}", found.1);
}

#[test]
fn what_stands_behind_text_in_common_is_set_where_it_stands() {
    let text = "
      subroutine q(x, y)
      double precision x, y, f
      character*8 unit, name*3
      common /t/ unit, name(2), l, f
      if (unit .eq. 'metre' .and. l .eq. 7) y = f*x**2
      end
      subroutine p(x, y)
      double precision x, y
      call q(x, y)
      end
      block data
      double precision f
      character unit*8, name(2)*3
      common /t/ unit, name, l, f
      data unit /'metre'/, l /7/
      end
";
    let found = check("t.f", text, &[]);
    let (status, text) = &found;
    assert_eq!(*status, Some(0), "{text}");
    assert!(line(text, "f").contains("random"), "{text}");
}

const HEADS: &str = "\
subroutine p(x, y)
  implicit none
  real(8) :: x(3), y(2)
  y(1) = x(1)*x(2)
  call q(y(1), x(3), y(2))
end subroutine p
subroutine q(a, b, c)
  implicit none
  real(8) :: a, b, c, s
  common /st/ s
  c = a*b*s + sin(a)
  s = s*c
end subroutine q
";

#[test]
fn several_heads_are_checked_one_after_the_other() {
    let variables = ["--independent", "p:x,q:a", "--dependent", "p:y,q:c"];
    let folder = tempfile::tempdir().expect("a folder");
    let keep = folder.path().join("kept");
    let keep = keep.to_str().expect("UTF-8");
    let both = ["--mode", "both", "--head", "p,q"];
    let (status, text) = run("h.f90", HEADS, &[&both[..], &variables, &["--keep", keep]].concat());
    assert_eq!(status, Some(0), "{text}");
    for name in ["p_d", "p_b", "q_d", "q_b"] {
        assert!(text.contains(&format!("\ngood: {name} is the ")), "{text}");
    }
    assert!(text.contains(&format!("sh {keep}/q/adjoint/build.sh")), "{text}");
    assert!(folder.path().join("kept/p/tangent/check_p.f90").is_file());
    let of_q = &text[text.find("check of q_d").expect("a table")..];
    assert!(line(of_q, "a").ends_with(" independent"), "{text}");
    assert!(!line(of_q, "b").contains("independent"), "{text}");
    // Settings are for all of them, and one that none uses is told.
    let set = |one: &str| run("h.f90", HEADS, &[&both[..], &variables, &["--set", one]].concat());
    let (status, text) = set("x=[1,2,3]");
    assert_eq!(status, Some(0), "{text}");
    let (status, text) = set("z=1");
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("--set z=1 sets nothing"), "{text}");
    let (status, text) =
        run("h.f90", HEADS, &[&both[..], &["--independent", "r:x", "--dependent", "p:y"]].concat());
    assert_eq!(status, Some(1), "{text}");
    assert!(
        text.contains("`r` is no head") && text.contains("`p`") && text.contains("`q`"),
        "{text}"
    );
}

#[test]
fn derivatives_of_old_fortran_are_compiled_as_their_sources_are() {
    let text = "
      subroutine p(x, y)
      double precision x, y
      call note(1)
      y = x**2
      call note(2d0)
      end
      subroutine note(n)
      integer n
      end
";
    assert_good(&check("old.f", text, &[]));
    // Who asks for a standard gets it for what is generated.
    let (status, text) = check("old.f", text, &["--flags=-O1 -std=f2018"]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("_d.f90") && text.contains("error[OX5015]"), "{text}");
}

/// FINAL procedures that only change what their object holds, or release what is allocatable in it. They are
/// beyond what executes documents, so that the compiled program alone tells.
const TIDY: &str = "\
module tidy
  implicit none
  type :: tab
    real(8), allocatable :: f(:)
    integer :: last = 0
  contains
    procedure :: destroy
    final :: fin
  end type
  type, extends(tab) :: scaled
    real(8) :: s = 1d0
  end type
contains
  elemental subroutine destroy(me)
    class(tab), intent(inout) :: me
    if (allocated(me%f)) deallocate (me%f)
    me%last = 0
  end subroutine
  elemental subroutine fin(me)
    type(tab), intent(inout) :: me
    call me%destroy()
  end subroutine
  subroutine fill(me, x)
    class(tab), intent(inout) :: me
    real(8), intent(in) :: x(:)
    call me%destroy()
    me%f = x**2
    me%last = size(x)
  end subroutine
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(tab) :: t
    type(scaled) :: u
    integer :: i
    y = x(3)
    call fill(t, x)
    u%s = x(2)
    do i = 1, 2
      call fill(u, t%f*x(i))
      y = y*sum(u%f)*u%s + t%f(t%last)
      t%f(i) = y
    end do
    call t%destroy()
    y = y*u%f(u%last)
  end subroutine
end module
";

#[test]
fn final_procedures_that_tidy_up_may_run_for_derivatives_too() {
    let variables = ["--head", "tidy%p", "--independent", "x", "--dependent", "y"];
    let flags = ["--mode", "both", "--flags=-O1 -fcheck=all"];
    let (status, text) = run("tidy.f90", TIDY, &[&flags[..], &variables].concat());
    assert_eq!(status, Some(0), "{text}");
    assert_eq!(text.matches("\ngood: ").count(), 2, "{text}");
}

#[test]
fn a_structure_with_an_array_that_is_transferred_has_a_derivative() {
    let text = "\
subroutine p(x, y)
  implicit none
  type ot
    real(8) :: b(2)
  end type
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y
  type(ot) :: w, z
  z = ot(x(1:2))
  w = ot([3d0, 4d0])
  w = transfer(z, w)
  y = w%b(1)*w%b(2)**2
end subroutine
";
    let (status, text) = check("transfer.f90", text, &[]);
    assert_eq!(status, Some(0), "{text}");
    assert_eq!(text.matches("\ngood: ").count(), 2, "{text}");
}

#[test]
fn what_the_head_allocates_itself_has_no_value_before() {
    let text = "\
module l
  real(8), allocatable :: d(:)
  real(8) :: z
end module
subroutine p(x, y)
  use l
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  if (.not. allocated(d)) allocate(d(2))
  d = [0.1d0, x]
  z = x*d(2)
  y = z**2
end subroutine
";
    assert_good(&check("l.f90", text, &[]));
}

/// A head that multiplies by a random number.
const DRAWN: &str = "\
subroutine head(x, y)
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y
  real(8) :: r
  integer :: n
  integer, allocatable :: seed(:)
  call random_seed(size=n)
  allocate(seed(n))
  seed = 4711
  call random_seed(put=seed)
  call random_number(r)
  y = x(1)*x(2)*(1d0 + r)
end subroutine head
";

#[test]
fn random_numbers_with_a_seed_are_the_same_in_all_evaluations_but_not_in_xaif_run() {
    let (status, text) = run("drawn.f90", DRAWN, &["--mode", "both", "--head", "head"]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("no complex step: xaif-run draws other random numbers"), "{text}");
    assert!(!text.contains("WRONG"), "{text}");
}

#[test]
fn a_program_that_computes_something_else_each_time_is_refused() {
    let unseeded = DRAWN.replace("  call random_seed(put=seed)\n", "");
    for mode in ["tangent", "adjoint"] {
        let (status, text) = run("drawn.f90", &unseeded, &["--mode", mode, "--head", "head"]);
        assert_eq!(status, Some(1), "{text}");
        assert!(text.contains("error[OX5017]"), "{text}");
    }
}

#[test]
fn variables_of_modules_may_have_names_of_the_driver() {
    let source = "\
module m
  implicit none
  character(8) :: mode = 'start'
  real(8) :: value(2) = 1d0
contains
  subroutine head(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    y = x(1)*x(2)*value(1)
    if (mode == 'start') y = y*2*value(2)
  end subroutine head
end module m
";
    for independent in ["x", "x,value"] {
        let variables = ["--head", "head", "--independent", independent, "--dependent", "y"];
        let arguments = [&["--mode", "both"], &variables[..]].concat();
        let (status, text) = run("names.f90", source, &arguments);
        assert_eq!(status, Some(0), "{text}");
        assert!(!text.contains("value_"), "{text}");
    }
}

#[test]
fn a_head_of_a_submodule_is_called_by_its_module() {
    let source = "\
module m
  implicit none
  interface
    module subroutine head(x, y)
      real(8), intent(in) :: x(2)
      real(8), intent(out) :: y
    end subroutine head
  end interface
end module m
submodule (m) s
contains
  module subroutine head(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    y = x(1)*x(2)
  end subroutine head
end submodule s
";
    let (status, text) = run("parts.f90", source, &["--mode", "both", "--head", "head"]);
    assert_eq!(status, Some(0), "{text}");
}

#[test]
fn bindings_of_abstract_types_that_nobody_extends_are_not_called() {
    let source = "\
module m
  implicit none
  type, abstract :: model
  contains
    procedure(change), deferred :: apply
  end type model
  type, extends(model) :: cube
    real(8) :: a
  contains
    procedure :: apply => apply_cube
  end type cube
  type, abstract, extends(model) :: table
  contains
    procedure(value), deferred :: look_up
    procedure :: apply => apply_table
  end type table
  abstract interface
    subroutine change(self, x, y)
      import :: model
      class(model), intent(in) :: self
      real(8), intent(in) :: x
      real(8), intent(out) :: y
    end subroutine change
    function value(self, x) result(y)
      import :: table
      class(table), intent(in) :: self
      real(8), intent(in) :: x
      real(8) :: y
    end function value
  end interface
contains
  subroutine apply_cube(self, x, y)
    class(cube), intent(in) :: self
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = self%a*x**3
  end subroutine apply_cube
  subroutine apply_table(self, x, y)
    class(table), intent(in) :: self
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = self%look_up(x)
  end subroutine apply_table
  subroutine head(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    class(model), allocatable :: one
    allocate(one, source=cube(2d0))
    call one%apply(x, y)
  end subroutine head
end module m
";
    let head = ["--mode", "both", "--head", "head", "--independent", "x", "--dependent", "y"];
    let (status, text) = run("models.f90", source, &head);
    assert_eq!(status, Some(0), "{text}");
    assert!(!text.contains("OX4250"), "{text}");
}

#[test]
fn sums_in_which_much_cancels_are_no_fault_of_an_adjoint() {
    let source = "\
subroutine reflect(a, b, y)
  implicit none
  real(8), intent(in) :: a, b
  real(8), intent(out) :: y
  real(8) :: k, e
  k = sqrt(max((a - b)*(a + b), 1d-12))
  e = exp(-2*k)
  y = b*(1 - e)/(k + a + (k - a)*e)
end subroutine reflect
";
    for seed in ["1", "4", "6", "9"] {
        let head = ["--mode", "adjoint", "--head", "reflect", "--seed", seed];
        let (_, text) = run("reflect.f90", source, &head);
        assert!(text.contains("dot product") && !text.contains("WRONG"), "{text}");
    }
}

const POINTERS: &str = "\
module fields
  implicit none
  real(8), pointer :: a(:), b(:), other(:), hidden(:)
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: y
    integer :: i
    do i = 1, 2
      a(i) = a(i)*a(i)*x(i) + b(i)
    end do
    y = a(1)*b(2) + x(1)*a(2)
  end subroutine p
  subroutine elsewhere
    other => hidden
  end subroutine elsewhere
end module fields
";

#[test]
fn nothing_is_asked_of_module_pointers_that_the_head_cannot_reach_by_name() {
    let (folder, path) = source("a.f90", POINTERS);
    let out = folder.path().join("out");
    let path = path.to_str().expect("UTF-8");
    let output = oxad(&["adjoint", path, "--head", "p", "-o", out.to_str().expect("UTF-8")]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(out.join("a_b.f90")).expect("the adjoint");
    // What `p` goes on from is left as `p` leaves it, by the name that `p` changes it by.
    assert!(text.contains("a = a_left"), "{text}");
    for name in ["b_left", "other", "hidden"] {
        // Between the two lines that name it.
        let body = text.split("subroutine p_b").nth(1).unwrap_or_default();
        assert!(body.contains("a_left"), "{text}");
        assert!(!body.contains(name), "{name}: {text}");
    }
    let found = check("a.f90", POINTERS, &["--set", "a:2", "--set", "b:2", "--set", "x:2"]);
    assert_good(&found);
}
