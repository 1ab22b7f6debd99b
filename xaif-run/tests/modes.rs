//! Tangents, complex step, counts, inputs and outputs: what a caller of the library sees.

use fortran_frontend::source::Options;
use fortran_frontend::translate_texts;
use xaif_run::{Element, Mode, Outcome, Request, parse_setting, run};
use xaif_schema::diag::Diagnostics;

fn execute(source: &str, request: &Request) -> Result<Outcome, Diagnostics> {
    let translation = translate_texts(&[("test.f90", source)], &Options::default());
    assert!(!translation.diagnostics.has_errors(), "{:?}", translation.diagnostics);
    run(&translation.document, request)
}

fn request(mode: Mode, values: &[&str], direction: &[&str]) -> Request {
    let parse = |list: &[&str]| {
        list.iter().map(|text| parse_setting(text).expect("a setting")).collect::<Vec<_>>()
    };
    Request { mode, values: parse(values), direction: parse(direction), ..Request::default() }
}

fn lines(outcome: &Outcome) -> Vec<String> {
    outcome.outputs.iter().map(|output| output.values()).collect()
}

/// The tangent of the first element of the output `name`.
fn tangent(outcome: &Outcome, name: &str) -> f64 {
    let output = outcome.outputs.iter().find(|output| output.name == name).expect("an output");
    match output.elements.first() {
        Some(Element::Real(_, tangent)) => *tangent,
        other => panic!("{name} is {other:?}"),
    }
}

const MODEL: &str = "
module state
  implicit none
  real(8) :: gain = 2
contains
  subroutine model(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: work(n), legacy(2)
    complex(8) :: z
    integer :: i
    common /old/ legacy
    work = exp(-x)*sin(gain*x)
    where (work > 0.1d0) work = sqrt(work)
    legacy(1) = sum(work**2)
    legacy(2) = 1
    z = cmplx(work(1), work(2), 8)
    z = z*exp(z)/sqrt(z)
    call finish(legacy, y)
    do i = 1, n
      y = y + max(x(i), 0.5d0)**3/(1 + i) + atan2(x(i), gain) + abs(z) + x(i)**1.5d0
    end do
  end subroutine
  subroutine finish(a, b)
    real(8), intent(inout) :: a(*)
    real(8), intent(out) :: b
    a(2) = log(a(1))*a(2)
    b = a(2) + dot_product(a(1:2), a(2:1:-1))
  end subroutine
end module
";

#[test]
fn tangent_complex_step_and_central_differences_agree() {
    let values = |s: f64| {
        vec![
            "n=3".to_string(),
            format!("x=[{:?},{:?},{:?}]", 0.3 + s, 0.7 - 0.5 * s, 1.1 + 2.0 * s),
            format!("gain={:?}", 2.0 + 0.25 * s),
        ]
    };
    let at = |mode: Mode, s: f64| {
        let values = values(s);
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let direction: &[&str] =
            if mode == Mode::Value { &[] } else { &["x=[1,-0.5,2]", "gain=0.25"] };
        let mut request = request(mode, &values, direction);
        request.procedure = Some("model".to_string());
        execute(MODEL, &request).expect("the model runs")
    };
    let value = |outcome: &Outcome| match outcome.outputs[2].elements[0] {
        Element::Real(value, _) => value,
        ref other => panic!("{other:?}"),
    };
    let dual = tangent(&at(Mode::Tangent, 0.0), "y");
    let step = tangent(&at(Mode::ComplexStep, 0.0), "y");
    let h = 1e-6;
    let slope = (value(&at(Mode::Value, h)) - value(&at(Mode::Value, -h))) / (2.0 * h);
    assert!((dual - slope).abs() < 1e-7 * slope.abs(), "{dual} {slope}");
    assert!((dual - step).abs() < 1e-13 * dual.abs(), "{dual} {step}");
    // The second number never changes the first.
    let plain = value(&at(Mode::Value, 0.0));
    assert_eq!(plain.to_bits(), value(&at(Mode::Tangent, 0.0)).to_bits());
    assert_eq!(plain.to_bits(), value(&at(Mode::ComplexStep, 0.0)).to_bits());
}

#[test]
fn arguments_are_given_and_printed_with_full_precision() {
    let source = "
real(8) function f(n, a, m, ok, z, s, b)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), m(:, :)
  logical, intent(inout) :: ok
  complex, intent(in) :: z
  character(*), intent(in) :: s
  integer, intent(in), optional :: b
  m = 2*m
  ok = .not. ok .and. .not. present(b) .and. len(s) == 3
  a(2) = a(1)/3
  f = a(2) + real(z)
end function
";
    let values = ["n=2", "a=1", "m=[[1,2],[3,4],[5,6]]", "ok=.false.", "z=(1,2)", "s='abc'"];
    let outcome = execute(source, &request(Mode::Value, &values, &[])).expect("it runs");
    assert_eq!(
        lines(&outcome),
        [
            "n = 2",
            "a = [1.0, 0.3333333333333333]",
            "m = [2.0, 4.0, 6.0, 8.0, 10.0, 12.0]",
            "ok = .true.",
            "z = (1.0,2.0)",
            "s = 'abc'",
            "f = 1.3333333333333333",
        ]
    );
}

#[test]
fn operations_are_counted_once_for_each_element() {
    let source = "
subroutine p(x, y)
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y
  real(8) :: t(4)
  t = x*x + 1
  y = sin(t(1))/t(2)
end subroutine
";
    let counts = execute(source, &request(Mode::Value, &["x=0.5"], &[])).expect("it runs").counts;
    assert_eq!(counts.multiplications, 4);
    assert_eq!(counts.additions, 4);
    assert_eq!(counts.divisions, 1);
    assert_eq!(counts.functions, 1);
    assert_eq!(counts.assignments, 2);
    assert_eq!(counts.calls, 1);
}

#[test]
fn read_takes_words_from_the_given_text() {
    let source = "
program p
  integer :: n, status
  real(8) :: x(2)
  read *, n, x
  print *, n*x
  read (*, *, iostat=status) n
  print *, status
  read (*, *, end=10) n
  print *, 'not here'
10 print *, 'end'
end program
";
    let request = Request { stdin: "3 1.5,\n2d0".to_string(), ..Request::default() };
    let outcome = execute(source, &request).expect("it runs");
    assert_eq!(
        outcome.stdout,
        "   4.5000000000000000        6.0000000000000000     \n          -1\n end\n"
    );
}

#[test]
fn allocatable_and_pointer_arguments_have_directions() {
    let source = "
subroutine p(a, b, y)
  real(8), allocatable, intent(in) :: a(:)
  real(8), pointer, intent(in) :: b
  real(8), intent(out) :: y
  y = a(1)*a(2)*b
end subroutine
";
    for mode in [Mode::Tangent, Mode::ComplexStep] {
        let request = request(mode, &["a=[2,3]", "b=5"], &["a=[1,0]", "b=1"]);
        let outcome = execute(source, &request).expect("it runs");
        let found = tangent(&outcome, "y");
        assert!((found - (15.0 + 6.0)).abs() < 1e-13, "{mode:?}: {found}");
    }
}

/// gfortran 12 does not compile this.
#[test]
fn an_allocatable_of_a_type_takes_the_part_of_that_type_from_an_extension() {
    let source = "
module m
  type base
    integer :: n = 1
  end type
  type, extends(base) :: wide
    integer :: w = 2
  end type
contains
  subroutine s(y)
    integer, intent(out) :: y(2)
    class(base), allocatable :: o, p
    type(base), allocatable :: b
    allocate (wide :: o)
    b = o
    y(1) = kind_of(b)
    p = o
    y(2) = kind_of(p)
  end subroutine
  integer function kind_of(x)
    class(base), intent(in) :: x
    kind_of = 0
    select type (x)
    type is (base)
      kind_of = x%n
    type is (wide)
      kind_of = x%w
    end select
  end function
end module
";
    let mut asked = request(Mode::Value, &["y=[0,0]"], &[]);
    asked.procedure = Some("s".into());
    let outcome = execute(source, &asked).expect("it runs");
    assert_eq!(lines(&outcome), ["y = [1, 2]"]);
}

#[test]
fn what_is_executed_before_leaves_values_and_no_tangents() {
    let source = "
module counts
  implicit none
  integer :: calls = 0
  real(8) :: last = 1
contains
  subroutine p(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    calls = calls + 1
    y = calls*x*last
    last = x
  end subroutine
end module";
    for (before, value, slope) in [(0, 3.0, 1.0), (1, 18.0, 6.0), (2, 27.0, 9.0)] {
        let request = Request { before, ..request(Mode::Tangent, &["x=3"], &["x=1"]) };
        let outcome = execute(source, &request).expect("values");
        let y = outcome.outputs.iter().find(|output| output.name == "y").expect("an output");
        assert!(matches!(y.elements[0], Element::Real(found, _) if found == value), "{y:?}");
        assert_eq!(tangent(&outcome, "y"), slope);
    }
}

#[test]
fn members_of_common_that_other_procedures_declare_are_set_and_shown() {
    let source = "
subroutine head(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: s
  s = 100
  call inner(x, y)
end subroutine head
subroutine less
  real(8) :: t
  common /st/ t
  t = 0
end subroutine less
subroutine inner(x, y)
  integer, parameter :: n = 2
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: s(n), t
  common /st/ s, t
  y = x*s(1) + s(2)*t
  s(2) = y
end subroutine inner
";
    let values = ["x=2", "/st/s=[3,4]", "/st/t=5"];
    let mut request = request(Mode::Tangent, &values, &["/st/s=[1,0]", "/st/t=0.5"]);
    request.procedure = Some("head".into());
    request.show = vec!["/st/s".into()];
    let outcome = execute(source, &request).expect("it runs");
    assert_eq!(tangent(&outcome, "y"), 4.0);
    let shown = outcome.outputs.iter().find(|output| output.name == "/st/s").expect("shown");
    assert_eq!(shown.elements, [Element::Real(3.0, 1.0), Element::Real(26.0, 4.0)]);
}
