//! Functions of one real argument and their values.
//!
//! Values come from the C library through `std`, as gfortran's do, and for what `std` lacks
//! (error function, gamma, Bessel) from the `libm` crate, whose results may differ from glibc's
//! in the last bits.

/// A function of one real argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Function {
    Sqrt,
    Exp,
    Log,
    Log10,
    Sin,
    Cos,
    Tan,
    Cotan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    SinDegrees,
    CosDegrees,
    TanDegrees,
    CotanDegrees,
    AsinDegrees,
    AcosDegrees,
    AtanDegrees,
    Erf,
    Erfc,
    ErfcScaled,
    Gamma,
    LogGamma,
    BesselJ0,
    BesselJ1,
    BesselY0,
    BesselY1,
}

impl Function {
    /// Every function, for tests.
    #[cfg(test)]
    pub(crate) const ALL: &[Function] = &[
        Function::Sqrt,
        Function::Exp,
        Function::Log,
        Function::Log10,
        Function::Sin,
        Function::Cos,
        Function::Tan,
        Function::Cotan,
        Function::Asin,
        Function::Acos,
        Function::Atan,
        Function::Sinh,
        Function::Cosh,
        Function::Tanh,
        Function::Asinh,
        Function::Acosh,
        Function::Atanh,
        Function::SinDegrees,
        Function::CosDegrees,
        Function::TanDegrees,
        Function::CotanDegrees,
        Function::AsinDegrees,
        Function::AcosDegrees,
        Function::AtanDegrees,
        Function::Erf,
        Function::Erfc,
        Function::ErfcScaled,
        Function::Gamma,
        Function::LogGamma,
        Function::BesselJ0,
        Function::BesselJ1,
        Function::BesselY0,
        Function::BesselY1,
    ];

    /// The value at `x`, rounded to `kind`.
    pub(crate) fn value(self, kind: u8, x: f64) -> f64 {
        if kind == 4 { f64::from(self.single(x as f32)) } else { self.double(x) }
    }

    fn single(self, x: f32) -> f32 {
        match self {
            Function::Sqrt => x.sqrt(),
            Function::Exp => x.exp(),
            Function::Log => x.ln(),
            Function::Log10 => x.log10(),
            Function::Sin => x.sin(),
            Function::Cos => x.cos(),
            Function::Tan => x.tan(),
            Function::Asin => x.asin(),
            Function::Acos => x.acos(),
            Function::Atan => x.atan(),
            Function::Sinh => x.sinh(),
            Function::Cosh => x.cosh(),
            Function::Tanh => x.tanh(),
            Function::Asinh => libm::asinhf(x),
            Function::Acosh => libm::acoshf(x),
            Function::Atanh => libm::atanhf(x),
            Function::Erf => libm::erff(x),
            Function::Erfc => libm::erfcf(x),
            Function::LogGamma => libm::lgammaf(x),
            Function::BesselJ0 => libm::j0f(x),
            Function::BesselJ1 => libm::j1f(x),
            Function::BesselY0 => libm::y0f(x),
            Function::BesselY1 => libm::y1f(x),
            Function::Gamma
            | Function::ErfcScaled
            | Function::Cotan
            | Function::SinDegrees
            | Function::CosDegrees
            | Function::TanDegrees
            | Function::CotanDegrees
            | Function::AsinDegrees
            | Function::AcosDegrees
            | Function::AtanDegrees => self.double(f64::from(x)) as f32,
        }
    }

    fn double(self, x: f64) -> f64 {
        match self {
            Function::Sqrt => x.sqrt(),
            Function::Exp => x.exp(),
            Function::Log => x.ln(),
            Function::Log10 => x.log10(),
            Function::Sin => x.sin(),
            Function::Cos => x.cos(),
            Function::Tan => x.tan(),
            Function::Cotan => x.tan().recip(),
            Function::Asin => x.asin(),
            Function::Acos => x.acos(),
            Function::Atan => x.atan(),
            Function::Sinh => x.sinh(),
            Function::Cosh => x.cosh(),
            Function::Tanh => x.tanh(),
            Function::Asinh => libm::asinh(x),
            Function::Acosh => libm::acosh(x),
            Function::Atanh => libm::atanh(x),
            Function::SinDegrees => sin_degrees(x),
            Function::CosDegrees => sin_degrees(90.0 - x.abs() % 360.0),
            Function::TanDegrees => Function::SinDegrees.double(x) / Function::CosDegrees.double(x),
            Function::CotanDegrees => {
                Function::CosDegrees.double(x) / Function::SinDegrees.double(x)
            }
            Function::AsinDegrees => x.asin().to_degrees(),
            Function::AcosDegrees => x.acos().to_degrees(),
            Function::AtanDegrees => x.atan().to_degrees(),
            Function::Erf => libm::erf(x),
            Function::Erfc => libm::erfc(x),
            Function::ErfcScaled => erfc_scaled(x),
            Function::Gamma => libm::tgamma(x),
            Function::LogGamma => libm::lgamma(x),
            Function::BesselJ0 => libm::j0(x),
            Function::BesselJ1 => libm::j1(x),
            Function::BesselY0 => libm::y0(x),
            Function::BesselY1 => libm::y1(x),
        }
    }
}

/// Exact at the multiples of 30 and 90 degrees where the sine is a simple number.
fn sin_degrees(x: f64) -> f64 {
    let turned = x % 360.0;
    let value = match turned.abs() {
        0.0 | 180.0 => 0.0,
        30.0 | 150.0 => 0.5,
        90.0 => 1.0,
        210.0 | 330.0 => -0.5,
        270.0 => -1.0,
        other => other.to_radians().sin(),
    };
    if turned < 0.0 { -value } else { value }
}

/// `exp(x**2) * erfc(x)`, by the continued fraction where `erfc` underflows.
fn erfc_scaled(x: f64) -> f64 {
    if x < 8.0 {
        return (x * x).exp() * libm::erfc(x);
    }
    let mut tail = 0.0;
    for n in (1..=40).rev() {
        tail = f64::from(n) / 2.0 / (x + tail);
    }
    1.0 / (std::f64::consts::PI.sqrt() * (x + tail))
}

/// The Bessel function of the first kind of order `n`.
pub(super) fn jn(kind: u8, n: i32, x: f64) -> f64 {
    if kind == 4 { f64::from(libm::jnf(n, x as f32)) } else { libm::jn(n, x) }
}

/// The Bessel function of the second kind of order `n`.
pub(super) fn yn(kind: u8, n: i32, x: f64) -> f64 {
    if kind == 4 { f64::from(libm::ynf(n, x as f32)) } else { libm::yn(n, x) }
}

/// The logarithmic derivative of the gamma function: reflection, recurrence, asymptotic series.
pub(super) fn digamma(x: f64) -> f64 {
    if x <= 0.0 {
        let pi = std::f64::consts::PI;
        return digamma(1.0 - x) - pi / (pi * x).tan();
    }
    let (mut x, mut sum) = (x, 0.0);
    while x < 10.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    let r = 1.0 / (x * x);
    let series = 1.0 / 12.0
        - r * (1.0 / 120.0
            - r * (1.0 / 252.0 - r * (1.0 / 240.0 - r * (1.0 / 132.0 - r * 691.0 / 32760.0))));
    sum + x.ln() - 0.5 / x - r * series
}
