//! Dual numbers: the derivative of each operation at its value.
//!
//! A zero tangent stays zero wherever the derivative is infinite or undefined (`sqrt` and `**` at
//! zero): what does not depend on the input has no derivative with respect to it.

use std::f64::consts::{LN_10, PI};

use super::functions::digamma;
use super::{Function, Num};

/// Tangent of `a / b`.
pub(super) fn quotient(a: Num, b: Num) -> f64 {
    (a.t - a.v / b.v * b.t) / b.v
}

/// Tangent of `a ** b`, whose value is `value`.
pub(super) fn power(a: Num, b: Num, value: f64) -> f64 {
    let by_base = if a.t == 0.0 || b.v == 0.0 { 0.0 } else { a.t * b.v * a.v.powf(b.v - 1.0) };
    let by_exponent = if b.t == 0.0 || a.v <= 0.0 { 0.0 } else { b.t * a.v.ln() * value };
    by_base + by_exponent
}

/// Tangent of `a ** n`.
pub(super) fn integer_power(a: Num, n: i64) -> f64 {
    if a.t == 0.0 || n == 0 {
        return 0.0;
    }
    a.t * n as f64 * super::integer_power(8, a.v, n.wrapping_sub(1), false)
}

/// Tangent of `atan2(y, x)`.
pub(super) fn atan2(y: Num, x: Num) -> f64 {
    (x.v * y.t - y.v * x.t) / (x.v * x.v + y.v * y.v)
}

/// Tangent of `hypot(x, y)`, whose value is `value`.
pub(super) fn hypot(x: Num, y: Num, value: f64) -> f64 {
    if x.t == 0.0 && y.t == 0.0 { 0.0 } else { (x.v * x.t + y.v * y.t) / value }
}

/// Tangent of a function at `a`, where it has the value `value`.
pub(super) fn function(function: Function, a: Num, value: f64) -> f64 {
    if a.t == 0.0 { 0.0 } else { a.t * derivative(function, a.v, value) }
}

fn derivative(function: Function, x: f64, value: f64) -> f64 {
    let degree = PI / 180.0;
    match function {
        Function::Sqrt => 0.5 / value,
        Function::Exp => value,
        Function::Log => 1.0 / x,
        Function::Log10 => 1.0 / (x * LN_10),
        Function::Sin => x.cos(),
        Function::Cos => -x.sin(),
        Function::Tan => 1.0 + value * value,
        Function::Cotan => -(1.0 + value * value),
        Function::Asin => 1.0 / (1.0 - x * x).sqrt(),
        Function::Acos => -1.0 / (1.0 - x * x).sqrt(),
        Function::Atan => 1.0 / (1.0 + x * x),
        Function::Sinh => x.cosh(),
        Function::Cosh => x.sinh(),
        Function::Tanh => x.cosh().powi(-2),
        Function::Asinh => 1.0 / (x * x + 1.0).sqrt(),
        Function::Acosh => 1.0 / ((x - 1.0).sqrt() * (x + 1.0).sqrt()),
        Function::Atanh => 1.0 / (1.0 - x * x),
        Function::SinDegrees => degree * (x * degree).cos(),
        Function::CosDegrees => -degree * (x * degree).sin(),
        Function::TanDegrees => degree * (1.0 + value * value),
        Function::CotanDegrees => -degree * (1.0 + value * value),
        Function::AsinDegrees => 1.0 / (degree * (1.0 - x * x).sqrt()),
        Function::AcosDegrees => -1.0 / (degree * (1.0 - x * x).sqrt()),
        Function::AtanDegrees => 1.0 / (degree * (1.0 + x * x)),
        Function::Erf => 2.0 / PI.sqrt() * (-x * x).exp(),
        Function::Erfc => -2.0 / PI.sqrt() * (-x * x).exp(),
        Function::ErfcScaled => 2.0 * x * value - 2.0 / PI.sqrt(),
        Function::Gamma => value * digamma(x),
        Function::LogGamma => digamma(x),
        Function::BesselJ0 => -libm::j1(x),
        Function::BesselJ1 => libm::j0(x) - value / x,
        Function::BesselY0 => -libm::y1(x),
        Function::BesselY1 => libm::y0(x) - value / x,
    }
}
