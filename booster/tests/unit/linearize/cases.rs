//! The assignments whose derivatives are tested: each with points. They use every rule.
//!
//! booster/tests/derivatives_compile.rs includes this file, too.

/// Every name has a derivative but `p`, `n`, `i`, `k`, `o`.
pub(crate) const DUMMIES: &str = "x, y, z, w, a, b, s, t, g, p, n, i, k, o, xd, yd, zd, wd, ad, bd, sd, td, \
    gd, r, rd, c, cd, v, vd, u, ud, m, md, l, ld";

pub(crate) fn program(kind: u8, assignment: &str) -> String {
    format!(
        "subroutine test({DUMMIES})
  integer :: n, i(2, 3)
  logical :: k(6), o(2, 3)
  real({kind}) :: x, y, p, a(6), b(6), s(2, 3), t(2, 3), g(3, 2)
  real({kind}) :: xd, yd, ad(6), bd(6), sd(2, 3), td(2, 3), gd(3, 2)
  complex({kind}) :: z, w, zd, wd
  real({kind}) :: r, rd, v(6), vd(6), u(3), ud(3), m(2, 3), md(2, 3)
  complex({kind}) :: c, cd, l(6), ld(6)
  {assignment}
end subroutine
"
    )
}

/// Points for functions that are smooth everywhere.
pub(crate) const ANY: &[&str] = &["", "x=-1.45 y=0.35", "x=2.3 y=-1.7"];
/// Points between -1 and 1.
pub(crate) const UNIT: &[&str] = &["", "x=-0.55", "x=0.05"];
/// Positive points.
pub(crate) const POSITIVE: &[&str] = &["", "x=0.08 y=3.1", "x=4.4 y=0.6"];
/// Points above 1.
pub(crate) const ABOVE: &[&str] = &["x=1.05", "x=2.6"];
/// Complex points in all four quadrants.
pub(crate) const COMPLEX: &[&str] =
    &["", "z=(-0.6,0.9) w=(0.4,-0.2)", "z=(-1.3,-0.5) w=(-0.7,1.1)", "z=(0.2,1.4) w=(-1.2,-0.3)"];
pub(crate) const ONE: &[&str] = &[""];

pub(crate) const REAL: &[(&str, &[&str])] = &[
    ("r = x + y*p", ANY),
    ("r = -(x - y)*(+x)", ANY),
    ("r = x*y*p - p/x", ANY),
    ("r = x/y", ANY),
    ("r = (x + y)/(x*x + y*y + 1)", ANY),
    ("r = x**2 + x**3 - x**(-2) + x**1 + x**0", ANY),
    ("r = x**n", &["", "n=0", "n=1", "n=-2", "n=2 x=-1.5", "n=0 x=0", "n=1 x=0", "n=2 x=0"]),
    ("r = n**x + 2.5**y", POSITIVE),
    ("r = x**y", POSITIVE),
    ("r = x**p + p**x", POSITIVE),
    ("r = x**0.5 + x**1.5 + x**(-0.5) + x**2.0", POSITIVE),
    ("r = (x*y)**(x - y)", POSITIVE),
    ("r = sin(x)*cos(y)", ANY),
    ("r = tan(x)", ANY),
    ("r = asin(x) + acos(x)*y", UNIT),
    ("r = atan(x)", ANY),
    ("r = atan(x, y)", ANY),
    ("r = atan2(x, y) + atan2(x, p) + atan2(p, y)", ANY),
    ("r = sinh(x) - cosh(y) + tanh(x*y)", ANY),
    ("r = asinh(x)", ANY),
    ("r = acosh(x)", ABOVE),
    ("r = atanh(x)", UNIT),
    ("r = exp(x*y)", ANY),
    ("r = log(x) + log10(y)", POSITIVE),
    ("r = sqrt(x*y)", POSITIVE),
    ("r = hypot(x, y)", ANY),
    ("r = erf(x) + erfc(y)", ANY),
    ("r = erfc_scaled(x)", POSITIVE),
    ("r = gamma(x) + log_gamma(y)", POSITIVE),
    ("r = gamma(x)", &["x=-1.45", "x=-0.3", "x=0.49", "x=0.51", "x=8.5"]),
    ("r = lgamma(x)", &["x=-1.45", "x=0.02", "x=1.4616321449683623", "x=55"]),
    ("r = bessel_j0(x) + bessel_j1(y)", POSITIVE),
    ("r = bessel_y0(x) + bessel_y1(y)", POSITIVE),
    ("r = bessel_jn(2, x) + bessel_jn(0, y)", POSITIVE),
    ("r = bessel_jn(n, x)", &["", "n=0", "n=1"]),
    ("r = bessel_yn(2, x) + bessel_yn(0, y)", POSITIVE),
    ("r = bessel_yn(n, x)", &["", "n=0", "n=1"]),
    ("r = sind(40*x) + cosd(40*y)", ANY),
    ("r = tand(30*x)", ANY),
    ("r = cotan(x)", POSITIVE),
    ("r = cotand(25*x)", POSITIVE),
    ("r = asind(x) + acosd(x)", UNIT),
    ("r = atand(x)", ANY),
    ("r = atan2d(x, y)", ANY),
    ("r = abs(x) + sign(y, x) + sign(x, y) + sign(x, -p)", ANY),
    ("r = max(x, y) + max(x, p) - min(p, y)", ANY),
    ("r = max(x, y, 0.5) - min(2*x, p, y, x*y)", ANY),
    ("r = dim(x, y) + dim(y, x)", ANY),
    ("r = mod(x, y) + mod(5*x, p)", ANY),
    ("r = modulo(x, y) + modulo(-5*x, p)", ANY),
    ("r = x*aint(3*x) + y*anint(y)", ANY),
    ("r = fraction(x) + scale(y, 3) + set_exponent(x, 2)", ANY),
    ("r = x*rrspacing(x)*spacing(x)", ANY),
    ("r = nearest(x, y)", ANY),
    ("r = dble(x)*2", ANY),
    ("r = merge(x, y, x > p) + merge(p, x, y < 1)", ANY),
    ("r = transfer(x*y, p)", ANY),
    ("r = x*floor(y) + int(x) + nint(y)*ceiling(x)*y + n*x", ANY),
    ("r = x*epsilon(y) + y*huge(n) * 1e-9", ANY),
    ("r = (x*(y))/(1 + (p*x))", ANY),
    ("r = x - (y - (x - (p - y)))", ANY),
    ("r = -x - (-y) + (-(x*y))", ANY),
    ("r = exp(-(x - y)**2/(2*p**2))/(p*sqrt(2*3.14159))", ANY),
];

pub(crate) const COMPLEX_CASES: &[(&str, &[&str])] = &[
    ("c = z*w + p*z - x*w", COMPLEX),
    ("c = z/w + x/w", COMPLEX),
    ("c = z**2 + z**3 - z**(-1)", COMPLEX),
    ("c = z**n", &["", "n=0", "n=-2"]),
    ("c = z**w", COMPLEX),
    ("c = z**x + x**w + p**w", COMPLEX),
    ("c = exp(z) + log(w)", COMPLEX),
    ("c = sin(z)*cos(w)", COMPLEX),
    ("c = tan(z)", COMPLEX),
    ("c = sinh(z) + cosh(w) - tanh(z)", COMPLEX),
    ("c = asin(z) + acos(w)", COMPLEX),
    ("c = atan(z)", COMPLEX),
    ("c = asinh(z) + atanh(w)", COMPLEX),
    ("c = acosh(z)", COMPLEX),
    ("c = sqrt(z*w)", COMPLEX),
    ("c = conjg(z)*w", COMPLEX),
    ("c = conjg(x + (0.5, 0.25)*p)", COMPLEX),
    ("c = cmplx(x, y, 8) + cmplx(x, kind=8) + cmplx(p, y, 8) + cmplx(n, x, 8)", COMPLEX),
    ("c = cmplx(z, kind=8) + cmplx(x, aimag(w), kind=8)", COMPLEX),
    ("c = complex(x, y)*complex(p, x)", COMPLEX),
    ("c = merge(z, w, x > 0) + merge(x*(1, 0), z, y < 0)", COMPLEX),
    ("c = (x + (0, 1)*y)*z", COMPLEX),
    ("r = abs(z) + abs(x + p*w)", COMPLEX),
    ("r = real(z) + aimag(w)*x - real(z*w) + aimag(conjg(z))", COMPLEX),
    ("r = real(x + (0.5, 0.25)*p)", COMPLEX),
    ("c = z%re*w + z%im", COMPLEX),
];

pub(crate) const ARRAY_CASES: &[(&str, &[&str])] = &[
    ("r = sum(a*b)", ONE),
    ("r = sum(a*x, mask=k)", ONE),
    ("r = sum(a, k) + sum(s) + sum(s, o)", ONE),
    ("u = sum(s*t, 1)", ONE),
    ("u = sum(s*t, dim=1, mask=o)", ONE),
    ("r = sum(sum(s, 2, o))", ONE),
    ("r = sum(x + [p, p])", ONE),
    ("r = sum(x + i*p)", ONE),
    ("r = sum(max(a, b, p)) + sum(merge(a, x, k))", ONE),
    ("r = dot_product(a, b) + dot_product(a, [p, p, p, p, p, p])", ONE),
    ("c = dot_product(z*a, w*b)", COMPLEX),
    ("c = dot_product(a, w*b)", COMPLEX),
    ("r = sum(matmul(s, g))", ONE),
    ("u = matmul(matmul(g, s), [x, y, p])", ONE),
    ("u = matmul([x, p], t)", ONE),
    ("m = transpose(g*x)", ONE),
    ("m = reshape(a, [2, 3])", ONE),
    ("m = reshape([x, y], [2, 3], pad=[x*y, p])", ONE),
    ("m = reshape([x, y], [2, 3], [p])", ONE),
    ("m = reshape([p, p], [2, 3], pad=[x, y])", ONE),
    ("m = reshape(a*b, [2, 3], order=[2, 1])", ONE),
    ("m = spread([x, y*p], 2, 3)", ONE),
    ("u = spread(x*y, 1, 3)", ONE),
    ("v = merge(a, p, k)", ONE),
    ("v = pack(s, .true.)", ONE),
    ("v = pack(s*x, o, a)", ONE),
    ("v = pack(s, o, [p, p, p, p, p, p])", ONE),
    ("v = pack(s*0 + p, o, a)", ONE),
    ("v = unpack([x, y, x*y, p], k, a)", ONE),
    ("v = unpack([x, y, x*y, p], k, p)", ONE),
    ("v = unpack([p, p, p, p], k, b)", ONE),
    ("v = unpack([x, y, y, y], k, x)", ONE),
    ("v = cshift(a, 2)", ONE),
    ("m = cshift(s, [1, -1], dim=2)", ONE),
    ("v = eoshift(a, 2)", ONE),
    ("v = eoshift(a, -2, x)", ONE),
    ("v = eoshift(a, 1, p)", ONE),
    ("m = eoshift(s, 1, boundary=[x, y], dim=2)", ONE),
    ("m = eoshift(s, 1, [p, p], 2)", ONE),
    ("m = eoshift(s*0 + p, 1, [x, y], 2)", ONE),
    ("r = norm2(a) + norm2(s*x)", ONE),
    ("u = norm2(s, 1)", ONE),
    ("v = [x, y*p, p, a(1:2)*x, a(3)]", ONE),
    ("v = [(x*i(1, 1), p, a(6)/y, n = 1, 2)]", ONE),
    ("v = [(a(n)*b(7 - n), n = 1, 6)]", ONE),
    ("v = a*b + x - p", ONE),
    ("v = x*p", ONE),
    ("v(2:5) = a(1:4)*b(3:6) + x", ONE),
    ("v = a([2, 1, 4, 3, 6, 5])*x", ONE),
    ("v(maxloc(a, 1)) = a(minloc(b, 1))*x", ONE),
    ("v = sin(a)*exp(b)/(1 + a**2)", ONE),
    ("v = abs(a)**p + sqrt(abs(b))", ONE),
    ("v = a**2 + b**n + a**(-1)", ONE),
    ("l = z*a + cmplx(b, a, kind=8)*w", COMPLEX),
    ("r = sum(abs(z*a))", COMPLEX),
    ("r = count(a > p)*x + sum(a, a > p)", ONE),
    ("u = matmul(s(:, 1), t)", ONE),
    ("v(1:2) = matmul(s, t(1, :))", ONE),
    ("c = sum(matmul(z*s, w*t(1, :)))", COMPLEX),
    ("c = sum(matmul(w*s(:, 1), z*t))", COMPLEX),
    ("c = sum(matmul(z*s, w*g))", COMPLEX),
    ("c = sum(transpose(z*s)*g)", COMPLEX),
    ("c = sum(cmplx(x, a, 8))", COMPLEX),
    ("r = sum(real(z*a)) + sum(aimag(w*b))", COMPLEX),
    ("r = sum(reshape(a, [1, 2, 3], order=[3, 1, 2])*reshape(b, [1, 2, 3]))", ONE),
    ("r = sum(reshape(a, [4])**2)", ONE),
    ("r = sum(reshape(s, [10], pad=t)**2)", ONE),
    ("r = sum(reshape(s, [4, 2], [x, y, p], [2, 1])**2)", ONE),
    ("m = eoshift(s, 1, x, 2)", ONE),
    ("m = eoshift(s, [1, -1, 1], x*y, 1)", ONE),
    ("r = sum(spread(a, 1, 2)*spread(b, 1, 2), mask=spread(k, 1, 2))", ONE),
    ("r = sum(merge(log(a), b, a > 0))", ONE),
    ("r = sum(sqrt(a)*x, a > 0)", ONE),
    ("r = sum(merge(x, y, k)) + sum(merge(a, x*y, k), b > 0)", ONE),
    ("r = sum(max(x, a)) + sum(dim(a, x))", ONE),
    ("v = merge(x, y, k)", ONE),
    ("r = norm2(matmul(s, g))", ONE),
    ("v(1:4) = pack(s*x, o)", ONE),
    ("m = unpack(a*x, o, s)", ONE),
    ("v = [s*x]", ONE),
    ("v = [s(:, 1), x*s(1, :), y]", ONE),
    ("r = sum([x, a(1:2)*y]) + sum([s*y]*a)", ONE),
    ("v = [(x, y, n = 1, 3)]", ONE),
    ("v = [p, (a(n:n+1)*x, n = 1, 3, 2), y]", ONE),
    ("r = sum(sum(s*x, 2, o)*[x, y])", ONE),
    ("v = a([1, 2, 2, 3, 1, 1])*b", ONE),
    ("m = s(:, [3, 1, 3])*t([2, 2], :)", ONE),
];

/// Reductions whose derivative is a loop.
pub(crate) const LOOPS: &[(&str, &[&str])] = &[
    ("r = maxval(a)", ONE),
    ("r = minval(a)", ONE),
    ("r = maxval(a, k)", ONE),
    ("r = maxval(a, mask=k .and. a < 1)", ONE),
    ("r = minval(a, 1, a > p)", ONE),
    ("r = maxval(s)", ONE),
    ("r = minval(s, o)", ONE),
    ("r = maxval(abs(a - b*x))", ONE),
    ("r = maxval(a(2:6:2)*x - b(1:3))", ONE),
    ("r = maxval(s(2, :)*t(1, :))", ONE),
    ("u = maxval(s, 1)", ONE),
    ("u = minval(s*t + x, dim=1)", ONE),
    ("u = maxval(s, 1, o)", ONE),
    ("u(1:2) = minval(s, 2, mask=o .or. t > 0)", ONE),
    ("r = maxval(a, a > 100)", ONE),
    ("r = product(a)", ONE),
    ("r = product(a*x, k)", ONE),
    ("r = product(a(1:3), mask=b(1:3) > 0)", ONE),
    ("r = product(s)", ONE),
    ("u = product(s, 1)", ONE),
    ("u = product(s - t, dim=1, mask=o)", ONE),
    ("u(3:2:-1) = product(s, 2)", ONE),
    ("c = product(z*a + w)", COMPLEX),
];

/// Conversions to single precision; the derivative is rounded as the value is.
pub(crate) const ROUNDED: &[&str] = &[
    "c = cmplx(x, y) + cmplx(x) + cmplx(p, y) + cmplx(x, p) + cmplx(n, x)",
    "c = cmplx(z, kind=8) + cmplx(x, aimag(w), kind=4)",
    "r = real(x, 4)*y + real(z)",
    "r = sngl(1d0*y)",
    "r = dprod(real(x, 4), real(y, 4))",
    "r = x*real(y*p, 4)**2 + real(x, 4)**real(y, 8)",
];
