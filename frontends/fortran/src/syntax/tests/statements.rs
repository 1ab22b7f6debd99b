//! Statements of all kinds, above all the old ones.

use super::*;

/// Checks that every line of `lines` is accepted as a declaration of a fixed-form unit.
fn declares(lines: &[&str]) {
    for line in lines {
        let parsed = fixed(&format!("      SUBROUTINE S\n      {line}\n      END\n"));
        assert_eq!(specs(&parsed).len(), 1, "{line}");
    }
}

/// Checks that every line of `lines` is accepted as an executable statement of a free-form unit.
fn executes(lines: &[&str]) {
    for line in lines {
        let parsed = free(&format!("subroutine s\ncontinue\n{line}\nend\n"));
        assert_eq!(statements(&parsed).len(), 2, "{line}");
    }
}

#[test]
fn old_declarations_are_read() {
    declares(&[
        "REAL*8 X, Y(10)",
        "CHARACTER*(*) S",
        "CHARACTER S*(N), T*8(3), U(3)*4",
        "CHARACTER*8, S",
        "INTEGER*4 I/3/, J(2)/1,2/",
        "DOUBLE PRECISION D",
        "DOUBLE COMPLEX Z",
        "BYTE B",
        "COMMON // X, Y /A/ Z(3)",
        "COMMON X, Y /A/ Z",
        "EQUIVALENCE (A, B(1)), (C(2:3), D)",
        "IMPLICIT REAL*8 (A-H, O-Z), INTEGER (I-N)",
        "IMPLICIT CHARACTER*8 (C)",
        "IMPLICIT REAL (KIND=8) (A-H)",
        "DATA ((A(I,J), I=1,2), J=1,2) /4*0.0/, B /-1.5D0/",
        "DATA Z /(1.0,2.0)/ L /.TRUE./",
        "PARAMETER (PI = 3.14, N = 2*3)",
        "NAMELIST /N/ A, B /M/ C",
        "ENTRY E(X, *)",
        "SAVE /C/, X",
        "EXTERNALF",
        "DIMENSION A(0:N, *)",
        "REALFUNCTIONX(10)",
    ]);
}

#[test]
fn new_declarations_are_read() {
    declares(&[
        "REAL(KIND=8), DIMENSION(:), ALLOCATABLE, INTENT(IN OUT) :: X",
        "CHARACTER(LEN=:, KIND=1), POINTER :: P => NULL()",
        "CLASS(*), OPTIONAL :: C",
        "TYPE(T(4, :)) :: X = T(1)(2)",
        "PROCEDURE(F), POINTER, NOPASS :: P => G",
        "USE, INTRINSIC :: ISO_C_BINDING, ONLY: A => B, OPERATOR(+), ASSIGNMENT(=)",
        "IMPORT, ONLY: A",
        "IMPLICIT NONE (TYPE, EXTERNAL)",
        "REAL :: A(..), B(2:)",
        "BIND(C, NAME='c') :: /BLK/",
        "PUBLIC :: OPERATOR(.X.), READ(FORMATTED)",
        "GENERIC :: G => A, B",
        "ALLOCATABLE A(:), B",
    ]);
}

#[test]
fn jumps_and_calls_of_all_sorts_are_read() {
    executes(&[
        "call s(*10, x, %val(y), k=3)",
        "call s",
        "call a%b(1)%c(x)",
        "go to (10, 20), i + 1",
        "goto 10",
        "assign 10 to i",
        "go to i",
        "go to i, (10, 20)",
        "if (x) 10, 20, 30",
        "if (x > 0) p => q",
        "return 1",
        "stop 'text'",
        "error stop 3, quiet=.true.",
        "pause",
        "100 format (1x, 'a;b', i5)",
        "data x /1/",
    ]);
}

#[test]
fn input_and_output_are_read() {
    executes(&[
        "read (5, *, err=10, end=20) a, (b(i), i = 1, n), c",
        "read 10, a",
        "read *, a",
        "print *, ((a(i,j), i = 1, 2), j = 1, 2)",
        "print '(a)', (a + b) * c",
        "write (*, fmt) (1.0, 2.0)",
        "write (unit=6, nml=n)",
        "write (s(1:3), '(i3)') k",
        "open (unit=1, file='x', newunit=u)",
        "inquire (iolength=n) a, b",
        "rewind 5",
        "backspace (n)",
        "endfile (unit=3, err=10)",
        "flush (6)",
        "close (1)",
    ]);
}

#[test]
fn memory_statements_are_read() {
    executes(&[
        "allocate (a(n), b%c(0:n), stat=i)",
        "allocate (real(8) :: a(n), source=x)",
        "allocate (t :: p)",
        "deallocate (a, errmsg=s)",
        "nullify (p, q%r)",
        "p(1:) => q",
        "p%f => null()",
    ]);
}

#[test]
fn the_format_label_is_told_from_a_unit() {
    let parsed = free("write (6, 100) x\nend\n");
    let StmtKind::Io(io) = &statements(&parsed)[0].kind else { panic!() };
    assert!(matches!(io.control[0].value, IoValue::Expr(_)));
    assert!(matches!(io.control[1].value, IoValue::Label(Label(100))));
}

#[test]
fn derived_types_keep_components_and_bindings() {
    let text = "module m
type, abstract, extends(base) :: t(k, n)
  integer, kind :: k = 4
  private
  real(k), allocatable :: a(:)
  procedure(f), pointer, nopass :: p => null()
contains
  private
  procedure, public :: go => go_t
  procedure(i), deferred :: later
  generic :: operator(+) => add
  final :: done
end type t
enum, bind(c)
  enumerator :: red = 1, green
end enum
abstract interface
  subroutine i(x)
    import :: t
    class(t) :: x
  end subroutine
end interface
interface operator(.dot.)
  module procedure dot1, dot2
end interface operator(.dot.)
end module
";
    let parsed = free(text);
    let [SpecKind::TypeDef(t), SpecKind::Enum(e), SpecKind::Interface(a), SpecKind::Interface(o)] =
        specs(&parsed)[..]
    else {
        panic!()
    };
    assert_eq!((t.parameters.len(), t.components.len()), (2, 4));
    assert_eq!(t.bindings.as_ref().unwrap().items.len(), 5);
    assert_eq!(e.items.len(), 1);
    assert!(a.is_abstract && matches!(a.items[..], [InterfaceItem::Unit(_)]));
    assert!(matches!(&o.generic, Some(GenericName::Operator(_, op)) if &**op == ".dot."));
}

#[test]
fn a_known_statement_without_a_model_is_carried_with_a_warning() {
    let parsed = free("x = 1\nsync all (stat=i)\nend\n");
    assert_eq!(
        messages(&parsed),
        ["t.f90:2:1: warning[OX1011]: this statement is carried as it stands"]
    );
    let unit = parsed.file.units().next().unwrap();
    let StmtKind::Opaque(text) = &in_block(&unit.exec)[1].kind else { panic!() };
    assert_eq!(&**text, "sync all (stat=i)");
}
