//! Optional arguments of transformational intrinsic functions that choose or shape: SIZE, DIM, MASK, BACK,
//! BOUNDARY, PAD, ORDER, VECTOR, ….
//!
//! For each such argument of each function of the table of intrinsics a row has statements with it. Tangent and
//! adjoint of them, compiled by `oxad check`, agree with differences and with each other. An argument without
//! a row fails.

use std::collections::BTreeSet;

use booster_tests::trials::named;
use libtest_mimic::Trial;
use oxad_tests::programs::tool;
use xaif_schema::intrinsics::{Class, all};

/// Functions of no array, and those that gfortran 12 or the catalogue has not.
const NOT_HERE: &[&str] = &["null", "reduce", "selected_real_kind", "this_image"];

/// The names of the procedure: `x(6)`, `y`, the active arrays `a(3, 4)`, `v(6)`, `c(4)` and `z(3)`, the masks
/// `m(3, 4)` and `l(6)`, the integers `n = 2` and `o = [2, 1]`, the allocatable `w(:)` and `t(:, :)`.
const HEAD: &str = "subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(6)
  real(8), intent(out) :: y
  real(8) :: a(3, 4), v(6), c(4), u(8)
  complex(8) :: z(3)
  logical :: m(3, 4), l(6)
  integer :: i, n, o(2)
  real(8), allocatable :: w(:), t(:, :)
  n = 2
  o = [2, 1]
  m = reshape([(mod(i, 4) /= 1, i = 1, 12)], [3, 4])
  l = [.true., .false., .true., .true., .false., .true.]
  do i = 1, 4
    a(:, i) = x(i)*x(1:3) + i
    c(i) = x(i)**2
  end do
  v = x*x(6:1:-1) + [1, 4, 2, 6, 5, 3]
  z = cmplx(x(1:3), x(4:6), 8)
  u = 0
  w = x
  t = a
";

const TAIL: &str = "  y = dot_product(u, [1, 2, 3, 4, 5, 6, 7, 8]) + sum(w**2) + sum(t**2)
end subroutine p
";

/// Functions, the arguments that the statements have, and the statements.
const ROWS: &[(&str, &str, &[&str])] = &[
    (
        "all",
        "dim",
        &["u(1:4) = merge(c, c**2, all(m, 1))", "u(5:7) = merge(v(1:3), 0d0, all(m, n))"],
    ),
    (
        "any",
        "dim",
        &["u(1:4) = merge(c, c**2, any(m, 1))", "u(5:7) = merge(v(1:3), 0d0, any(m, n))"],
    ),
    ("parity", "dim", &["u(1:4) = merge(c, c**2, parity(m, 1))"]),
    ("count", "dim", &["u(1:4) = c**count(m, 1)", "u(5:7) = v(1:3)*count(m, dim=n)"]),
    (
        "iall",
        "dim mask",
        &[
            "u(1:2) = c(1:2)*iall(reshape([7, 6, 5, 3], [2, 2]), 1)",
            "u(3) = c(1)*iall([7, 3, 1], mask=l(1:3))",
        ],
    ),
    (
        "iany",
        "dim mask",
        &[
            "u(1:2) = c(1:2)*iany(reshape([1, 6, 5, 2], [2, 2]), 1)",
            "u(3) = c(1)*iany([7, 3, 1], mask=l(1:3))",
        ],
    ),
    (
        "iparity",
        "dim mask",
        &[
            "u(1:2) = c(1:2)*iparity(reshape([1, 6, 5, 2], [2, 2]), 1)",
            "u(3) = c(1)*iparity([7, 3, 1], mask=l(1:3))",
        ],
    ),
    (
        "cshift",
        "dim",
        &[
            "t = cshift(a, 1, 2)*a",
            "t = t*cshift(a, [1, -1, n], dim=2) + cshift(a, o(2), n)",
            "w = cshift(w*v, n, 1)",
        ],
    ),
    (
        "eoshift",
        "boundary dim",
        &[
            "t = eoshift(a, 1, dim=2)*a",
            "t = t + eoshift(a, -1, x(1), 2)",
            "t = t*eoshift(a, [1, -1, n], v(1:3), n)",
            "w = eoshift(w*v, -n, boundary=w(2)*x(1))",
        ],
    ),
    (
        "findloc",
        "dim mask back",
        &[
            "i = findloc(nint(v*0) + [1, 2, 1, 2, 1, 1], 1, 1, back=.true.)",
            "u(1) = v(i)**2",
            "u(2) = x(findloc([1, 2, 1, 2, 1, 1], 1, dim=1, mask=.not. l))",
            "o = findloc(reshape([1, 2, 2, 1], [2, 2]), 2, back=.true.)",
            "u(3) = a(o(1), o(2))",
        ],
    ),
    (
        "maxloc",
        "dim mask back",
        &[
            "u(1) = x(maxloc(v, 1))*v(maxloc(v, dim=1, mask=.not. l))",
            "u(2) = v(maxloc([1, 3, 3, 2], 1, back=.true.))",
            "u(3:6) = x(maxloc(a, 1, m))",
            "o = maxloc(a, m)",
            "u(7) = a(o(1), o(2))**2",
        ],
    ),
    (
        "minloc",
        "dim mask back",
        &[
            "u(1) = x(minloc(v, 1))*v(minloc(v, dim=1, mask=.not. l))",
            "u(2) = v(minloc([1, 3, 1, 2], 1, back=.true.))",
            "u(3:6) = x(minloc(a, 1, m))",
            "o = minloc(a, mask=m, back=n > 1)",
            "u(7) = a(o(1), o(2))**2",
        ],
    ),
    (
        "maxval",
        "dim mask",
        &[
            "u(1:4) = maxval(a, 1)*c",
            "u(5:7) = maxval(a*a, dim=2, mask=m)",
            "u(8) = maxval(v, l) + maxval(v*x(1), mask=.not. l)",
            "w = maxval(a, 2)",
        ],
    ),
    (
        "minval",
        "dim mask",
        &[
            "u(1:4) = minval(a, 1)*c",
            "u(5:7) = minval(a*a, dim=2, mask=m)",
            "u(8) = minval(v, l) + minval(v*x(1), mask=.not. l)",
            "w = minval(a, 2)",
        ],
    ),
    ("norm2", "dim", &["u(1:4) = norm2(a, 1)*c", "u(5:7) = norm2(a*a, dim=n)", "w = norm2(a, 2)"]),
    (
        "pack",
        "vector",
        &[
            "w = pack(v*x, l, vector=[(x(1)*i, i = 1, 7)])",
            "u = pack(a(:, 2:), m(:, 2:), u + [c, c*c])",
            "u = pack(u*u, .true., 2*u)",
            "u(1:6) = u(1:6) + pack(v, n > 2, vector=x)",
        ],
    ),
    (
        "product",
        "dim mask",
        &[
            "u(1:4) = product(a, 1)*c",
            "u(5:7) = product(a*a, dim=2, mask=m)",
            "u(8) = product(v, l) + product(v*x(1), mask=.not. l)",
            "w = product(a, 2)",
        ],
    ),
    (
        "reshape",
        "pad order",
        &[
            "t = reshape(v*x, [3, 4], pad=[x(1), x(2)**2])",
            "t = t*reshape(a, [3, 4], order=[2, 1])",
            "t = t + reshape(v, [3, 4], [c], [2, 1])*1.5d0 + reshape(v, [3, 4], pad=t(:, n), order=o)",
            "u = reshape(a*a, [8])",
        ],
    ),
    (
        "sum",
        "dim mask",
        &[
            "u(1:4) = sum(a*a, 1)*c",
            "u(5:7) = sum(a, dim=n, mask=m)",
            "u(8) = sum(v*v, l) + sum(a, m) + sum(a, mask=n > 1) + sum(real(z*z), mask=l(1:3))",
            "w = sum(a, 2, m)",
        ],
    ),
    (
        "transfer",
        "size",
        &[
            "u(1:2) = transfer([x(1), x(1)*x(2), x(3), x(1)**2], [0d0], 2)",
            "u(3) = transfer(v*v, x(1))",
            "u(4:5) = transfer(a*a, u, size=n)",
            "u(6) = sum(transfer(x(2)**2, [0d0]))",
            "w = transfer(a, w, size=3*n)*w",
            "t(:, n) = transfer(t(:, n)*x(1), t(:, 1), 3)",
            "u(7:8) = abs(transfer(z*z, z, 2))",
        ],
    ),
];

/// One test for each row, and one for the rows that there must be.
pub(crate) fn trials() -> Vec<Trial> {
    let rows = ROWS.iter().map(|row| (row.0.to_owned(), row));
    let mut trials = named("arguments", rows, |row| check(row.2));
    trials.push(Trial::test("arguments::each_has_a_row", || Ok(each_has_a_row()?)));
    trials
}

fn check(statements: &[&str]) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let body: String = statements.iter().map(|one| format!("  {one}\n")).collect();
    let text = format!("{HEAD}{body}{TAIL}");
    std::fs::write(folder.path().join("p.f90"), &text).map_err(|error| error.to_string())?;
    for options in ["--mode both", "--mode both --without xaif-tbr", "--directions 2"] {
        let mut arguments = vec!["check", "p.f90", "--head", "p", "--flags=-O0 -fcheck=all"];
        arguments.extend(options.split(' '));
        let done = tool("oxad", &arguments, folder.path(), b"");
        if done.status != Some(0) {
            return Err(format!("{options}: {}{}\n{text}", done.out(), done.err()));
        }
    }
    Ok(())
}

/// An optional argument that is neither KIND nor tested is an error.
fn each_has_a_row() -> Result<(), String> {
    let wanted: BTreeSet<(&str, &str)> = all()
        .iter()
        .filter(|row| row.class == Class::Transformational && !NOT_HERE.contains(&row.fortran))
        .flat_map(|row| row.dummies.iter().map(move |dummy| (row.fortran, dummy)))
        .filter(|(_, dummy)| dummy.optional && dummy.name != "kind")
        .map(|(function, dummy)| (function, dummy.name))
        .collect();
    let found: BTreeSet<(&str, &str)> = ROWS
        .iter()
        .flat_map(|row| row.1.split(' ').map(move |argument| (row.0, argument)))
        .collect();
    match wanted.symmetric_difference(&found).next() {
        Some((function, argument)) => {
            Err(format!("{argument} of {function}: one of the table and the rows has it alone"))
        }
        None => Ok(()),
    }
}
