//! The procedure around a random program, and the main program that executes derivatives of it.

use std::fmt::Write as _;

use xaif_schema::model::{Body, Document};

use super::super::check::{Failure, Inputs, failure};
use super::super::program::{HEAD, MODULE, Program, Ty};
use super::LARGE;

/// Names that no random program has.
const COUNT: &str = "rounds_l";

/// How an argument is declared with one dimension more: `x(3, rounds_l)`.
fn declared(name: &str, shape: &[i64]) -> String {
    let mut extents: Vec<String> = shape.iter().map(i64::to_string).collect();
    extents.push(COUNT.into());
    format!("{name}({})", extents.join(", "))
}

/// A column: `x(:, k_l)`.
fn column(name: &str, shape: &[i64]) -> String {
    format!("{name}({}k_l)", ":, ".repeat(shape.len()))
}

/// A number of a column, of all its elements.
fn sum(name: &str, ty: Ty, shape: &[i64]) -> String {
    let column = column(name, shape);
    let total = if shape.is_empty() { column } else { format!("sum({column})") };
    if ty == Ty::Complex { format!("real({total}, 8)") } else { total }
}

fn kind(ty: Ty) -> u8 {
    if ty == Ty::Single { 4 } else { 8 }
}

/// `p_large` and what it calls besides.
pub(super) fn around(program: &Program) -> String {
    let mut text = String::new();
    let names: Vec<&str> = program.args.iter().map(|(name, ..)| name.as_str()).collect();
    let _ = writeln!(text, "subroutine {LARGE}({COUNT}, {})", names.join(", "));
    if program.modular {
        let _ = writeln!(text, "  use {MODULE}, only: {HEAD}");
    }
    let _ = writeln!(text, "  implicit none\n  integer, intent(in) :: {COUNT}");
    for (name, ty, shape) in &program.args {
        let _ = writeln!(text, "  {}, intent(inout) :: {}", ty.spec(), declared(name, shape));
    }
    let _ =
        writeln!(text, "  integer :: k_l\n  real(8) :: s_l\n  s_l = 0.0d0\n  do k_l = 1, {COUNT}");
    let continuous = || program.args.iter().filter(|(_, ty, _)| *ty != Ty::Int);
    for (name, ty, shape) in continuous() {
        let column = column(name, shape);
        let added = if *ty == Ty::Single { "real(0.01d0*s_l, 4)" } else { "0.01d0*s_l" };
        let _ = writeln!(text, "    {column} = {column} + {added}");
    }
    let columns: Vec<String> =
        program.args.iter().map(|(name, _, shape)| column(name, shape)).collect();
    let _ = writeln!(text, "    call {HEAD}({})", columns.join(", "));
    let sums: Vec<String> = continuous().map(|(name, ty, shape)| sum(name, *ty, shape)).collect();
    let _ = writeln!(text, "    s_l = tanh(0.5d0*s_l + 0.01d0*({}))", sums.join(" + "));
    let reals = || continuous().filter(|(_, ty, _)| *ty == Ty::Real);
    let every = 400;
    let _ = writeln!(text, "    if (mod(k_l, {every}) == 0) then");
    for (name, _, shape) in reals() {
        let elements = shape.iter().product::<i64>();
        let _ = writeln!(text, "      call damp_l({elements}*{COUNT}, {name}, s_l)");
    }
    let _ = writeln!(text, "    end if\n  end do");
    for (name, ..) in reals() {
        let _ = writeln!(text, "  {name} = sin({name})*(1.0d0 + s_l)");
    }
    let _ = writeln!(text, "end subroutine {LARGE}\n");
    text.push_str(DAMP);
    text
}

/// Overwrites a whole array by what it reads of it.
const DAMP: &str = "\
subroutine damp_l(n, a, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), s
  a = a*(0.5d0 + 0.25d0*cos(a))
  s = s + 0.001d0*a(n/2 + 1)*a(1)
end subroutine damp_l

";

/// The arguments of the derivative of `p_large`.
fn arguments(doc: &Document, suffix: char) -> Result<Vec<String>, Failure> {
    let name = format!("{LARGE}_{suffix}");
    let found = doc
        .procs
        .values()
        .find(|proc| doc.name(proc.symbol) == name && matches!(proc.body, Body::Flow(_)));
    let Some(proc) = found else { return failure("large", format!("there is no {name}")) };
    let symbols = proc.args.iter().filter_map(|arg| arg.symbol);
    Ok(symbols.map(|symbol| doc.name(symbol).to_owned()).collect())
}

/// A main program that prints, by its argument, the product of tangents and weights (`t`), that of adjoints
/// and directions (`a`), or a difference (`d`, for its step a further argument).
pub(super) fn driver(
    program: &Program,
    rounds: u64,
    (tangent, adjoint): (&Document, &Document),
) -> Result<String, Failure> {
    let inputs = Inputs::of(program, 0);
    let mut text = String::from(
        "program driver\n  use oxad_tape, only: tape_bytes, tape_peak\n  implicit none\n",
    );
    let _ = writeln!(text, "  integer, parameter :: {COUNT} = {rounds}");
    let _ = writeln!(text, "  character(len=40) :: mode, word\n  real(8) :: total, most, step");
    let continuous = || program.args.iter().filter(|(_, ty, _)| *ty != Ty::Int);
    for (name, ty, shape) in &program.args {
        let dims = vec![":"; shape.len() + 1].join(", ");
        let _ = writeln!(text, "  {}, allocatable :: {name}({dims})", ty.spec());
    }
    for (name, ty, shape) in continuous() {
        let dims = vec![":"; shape.len() + 1].join(", ");
        let _ = writeln!(
            text,
            "  {}, allocatable, dimension({dims}) :: {name}d, {name}b, {name}_v, {name}_w",
            ty.spec()
        );
    }
    let _ =
        writeln!(text, "  total = 0\n  most = 0\n  step = 0\n  call get_command_argument(1, mode)");
    for ((name, ty, shape), (_, given)) in program.args.iter().zip(&inputs.values) {
        let _ = writeln!(text, "  allocate({})", declared(name, shape));
        if *ty == Ty::Int {
            // Integers choose ways: they stay as the program was tried with.
            let whole = given.words.join(", ");
            let one = if shape.is_empty() {
                whole
            } else {
                format!("reshape([{whole}], shape({}))", column(name, shape).replace("k_l", "1"))
            };
            let _ = writeln!(
                text,
                "  block\n    integer :: k_l\n    do k_l = 1, {COUNT}\n      {} = {one}\n    end do\n  end block",
                column(name, shape)
            );
        } else {
            let _ = writeln!(
                text,
                "  call fill_{0}(size({name}), {name}, 4.0d0, {1})",
                kind(*ty),
                given.words.len()
            );
            for more in ["_v", "_w", "d", "b"] {
                let _ = writeln!(text, "  allocate({})", declared(&format!("{name}{more}"), shape));
            }
            let _ = writeln!(
                text,
                "  call fill_{0}(size({name}), {name}_v, 2.0d0, 17)\n  call fill_{0}(size({name}), {name}_w, 2.0d0, 5)",
                kind(*ty)
            );
            let _ = writeln!(text, "  {name}d = {name}_v\n  {name}b = {name}_w");
        }
    }
    let own: Vec<String> = std::iter::once(COUNT.to_owned())
        .chain(program.args.iter().map(|(name, ..)| name.clone()))
        .collect();
    let _ = writeln!(text, "  select case (mode)\n  case ('t')");
    let _ = writeln!(text, "    call {LARGE}_d({})", arguments(tangent, 'd')?.join(", "));
    for (name, ty, _) in continuous() {
        let _ = writeln!(text, "    call add_{}(size({name}), {name}d, {name}_w)", kind(*ty));
    }
    let _ =
        writeln!(text, "  case ('a')\n    call {LARGE}_b({})", arguments(adjoint, 'b')?.join(", "));
    for (name, ty, _) in continuous() {
        let _ = writeln!(text, "    call add_{}(size({name}), {name}b, {name}_v)", kind(*ty));
    }
    let _ = writeln!(
        text,
        "  case default\n    call get_command_argument(2, word)\n    read (word, *) step"
    );
    for (name, ty, _) in continuous() {
        let factor = if *ty == Ty::Single { "real(step, 4)" } else { "step" };
        let _ = writeln!(text, "    {name} = {name} + {factor}*{name}_v");
    }
    let _ = writeln!(text, "    call {LARGE}({})", own.join(", "));
    for (name, ty, _) in continuous() {
        let _ = writeln!(text, "    call add_{}(size({name}), {name}, {name}_w)", kind(*ty));
    }
    text.push_str("  end select\n  print *, total, most, tape_bytes(), tape_peak()\ncontains\n");
    text.push_str(&helpers());
    text.push_str("end program driver\n");
    Ok(text)
}

/// `fill_8` and `add_8`, `fill_4` and `add_4`.
fn helpers() -> String {
    let of = |kind: i32| {
        HELPERS.replace("real(K)", &format!("real({kind})")).replace("_K", &format!("_{kind}"))
    };
    of(8) + &of(4)
}

const HELPERS: &str = "\
  subroutine fill_K(n, a, width, first)
    integer, intent(in) :: n, first
    real(K), intent(out) :: a(n)
    real(8), intent(in) :: width
    integer :: i
    do i = 1, n
      a(i) = real(width*(mod(7.0d0*first + 0.6180339887498949d0*i, 1.0d0) - 0.5d0), kind(a))
    end do
  end subroutine
  subroutine add_K(n, a, b)
    integer, intent(in) :: n
    real(K), intent(in) :: a(n), b(n)
    integer :: i
    do i = 1, n
      total = total + real(a(i), 8)*real(b(i), 8)
      most = most + abs(real(a(i), 8)*real(b(i), 8))
    end do
  end subroutine
";
