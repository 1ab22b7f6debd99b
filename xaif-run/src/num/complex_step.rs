//! Complex step: the imaginary part of each operation, by complex arithmetic.
//!
//! The formulas are those of complex analysis (Kahan's for the inverse functions), chosen so that
//! a tiny imaginary part is not lost; none of them is a derivative. The real part is taken from
//! the real operation: with a step of 1e-20 the two agree far below rounding. Functions whose
//! complex extension the interpreter does not have answer `None`.

use std::f64::consts::LN_10;

use super::{Function, Num};

fn complex(re: f64, im: f64) -> Num {
    Num { v: re, t: im }
}

fn times(a: Num, b: Num) -> Num {
    complex(a.v * b.v - a.t * b.t, a.v * b.t + a.t * b.v)
}

fn over(a: Num, b: Num) -> Num {
    let norm = b.v * b.v + b.t * b.t;
    complex((a.v * b.v + a.t * b.t) / norm, (a.t * b.v - a.v * b.t) / norm)
}

fn root(a: Num) -> Num {
    if a.v == 0.0 && a.t == 0.0 {
        return complex(0.0, a.t);
    }
    let half = ((a.v.abs() + a.v.hypot(a.t)) / 2.0).sqrt();
    if a.v >= 0.0 {
        complex(half, a.t / (2.0 * half))
    } else {
        complex(a.t.abs() / (2.0 * half), half.copysign(a.t))
    }
}

/// Imaginary part of `a / b`.
pub(super) fn quotient(a: Num, b: Num) -> f64 {
    over(a, b).t
}

/// Imaginary part of `a ** b`, whose real part is `value`.
pub(super) fn power(a: Num, b: Num, value: f64) -> f64 {
    if a.v == 0.0 {
        // Only the first power has a finite non-zero slope at zero.
        return if b.v == 1.0 { a.t } else { 0.0 };
    }
    // a**b = |a|**b exp(i b angle); for negative a the sign is in `value`.
    let angle = (a.t / a.v).atan();
    let log = if b.t == 0.0 { 0.0 } else { a.v.hypot(a.t).ln() };
    value * (b.v * angle + b.t * log).sin()
}

/// Imaginary part of `a ** n`: repeated complex multiplication.
pub(super) fn integer_power(a: Num, n: i64) -> f64 {
    let (mut base, mut result, mut left) = (a, complex(1.0, 0.0), n.unsigned_abs());
    while left != 0 {
        if left & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        left >>= 1;
    }
    if n < 0 { over(complex(1.0, 0.0), result).t } else { result.t }
}

/// Imaginary part of `atan2(y, x)`.
pub(super) fn atan2(y: Num, x: Num) -> f64 {
    if x.v.abs() > y.v.abs() { arctangent(over(y, x)) } else { -arctangent(over(x, y)) }
}

/// Imaginary part of `hypot(x, y)`.
pub(super) fn hypot(x: Num, y: Num) -> f64 {
    let (xx, yy) = (times(x, x), times(y, y));
    root(complex(xx.v + yy.v, xx.t + yy.t)).t
}

fn arctangent(z: Num) -> f64 {
    let below = 1.0 - z.t;
    0.25 * (4.0 * z.t / (z.v * z.v + below * below)).ln_1p()
}

fn arcsine(z: Num) -> f64 {
    let (minus, plus) = (root(complex(1.0 - z.v, -z.t)), root(complex(1.0 + z.v, z.t)));
    times(complex(minus.v, -minus.t), plus).t.asinh()
}

fn tangent(z: Num) -> f64 {
    (2.0 * z.t).sinh() / ((2.0 * z.v).cos() + (2.0 * z.t).cosh())
}

/// Imaginary part of a function at `z`.
pub(super) fn function(function: Function, z: Num) -> Option<f64> {
    let (a, b) = (z.v, z.t);
    let radians = complex(a.to_radians(), b.to_radians());
    Some(match function {
        Function::Sqrt => root(z).t,
        Function::Exp => a.exp() * b.sin(),
        Function::Log => b.atan2(a),
        Function::Log10 => b.atan2(a) / LN_10,
        Function::Sin => a.cos() * b.sinh(),
        Function::Cos => -a.sin() * b.sinh(),
        Function::Tan => tangent(z),
        Function::Cotan => over(complex(1.0, 0.0), complex(a.tan(), tangent(z))).t,
        Function::Asin => arcsine(z),
        Function::Acos => -arcsine(z),
        Function::Atan => arctangent(z),
        Function::Sinh => a.cosh() * b.sin(),
        Function::Cosh => a.sinh() * b.sin(),
        Function::Tanh => (2.0 * b).sin() / ((2.0 * a).cosh() + (2.0 * b).cos()),
        Function::Asinh => {
            // asinh(z) = -i asin(i z), and i z = -b + i a.
            let (minus, plus) = (root(complex(1.0 + b, -a)), root(complex(1.0 - b, a)));
            (b / times(minus, plus).v).atan()
        }
        Function::Acosh => {
            let (minus, plus) = (root(complex(a - 1.0, b)), root(complex(a + 1.0, b)));
            2.0 * (minus.t / plus.v).atan()
        }
        Function::Atanh => 0.5 * (2.0 * b).atan2((1.0 - a) * (1.0 + a) - b * b),
        Function::SinDegrees => radians.v.cos() * radians.t.sinh(),
        Function::CosDegrees => -radians.v.sin() * radians.t.sinh(),
        Function::TanDegrees => tangent(radians),
        Function::CotanDegrees => {
            over(complex(1.0, 0.0), complex(radians.v.tan(), tangent(radians))).t
        }
        Function::AsinDegrees => arcsine(z).to_degrees(),
        Function::AcosDegrees => -arcsine(z).to_degrees(),
        Function::AtanDegrees => arctangent(z).to_degrees(),
        Function::Erf
        | Function::Erfc
        | Function::ErfcScaled
        | Function::Gamma
        | Function::LogGamma
        | Function::BesselJ0
        | Function::BesselJ1
        | Function::BesselY0
        | Function::BesselY1 => return None,
    })
}
