//! Real numbers of an execution: a value and, by mode, a tangent or the imaginary part of a
//! complex step.
//!
//! The value is the same in all modes, to the last bit: the second number never flows into it.
//! Both kinds of reals are held as `f64`; results of kind 4 are rounded after each operation,
//! which for `+ - * /` and the square root is exactly what single precision gives, and library
//! functions of kind 4 are those of single precision.
//!
//! The rules of duals (`dual.rs`) and of complex step (`complex_step.rs`) are written
//! independently of each other and of the booster's catalogue.

mod complex_step;
mod dual;
mod functions;
mod power;

pub(crate) use functions::Function;
pub(crate) use power::integer_power;

/// A real number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Num {
    /// The value.
    pub(crate) v: f64,
    /// The tangent, or the imaginary part.
    pub(crate) t: f64,
}

impl Num {
    /// A number that does not depend on any input.
    pub(crate) const fn of(v: f64) -> Self {
        Num { v, t: 0.0 }
    }
}

/// How values are carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Values alone.
    #[default]
    Value,
    /// Values with one tangent: dual numbers.
    Tangent,
    /// Values with an imaginary part, 1e-20 times the direction at the beginning.
    ComplexStep,
}

/// `value` as a real of `kind` bytes holds it.
pub(crate) fn round(kind: u8, value: f64) -> f64 {
    if kind == 4 { f64::from(value as f32) } else { value }
}

impl Mode {
    fn with(self, kind: u8, v: f64, t: impl FnOnce() -> f64) -> Num {
        Num { v: round(kind, v), t: if self == Mode::Value { 0.0 } else { t() } }
    }

    /// `a + b`
    pub(crate) fn add(self, kind: u8, a: Num, b: Num) -> Num {
        self.with(kind, a.v + b.v, || a.t + b.t)
    }

    /// `a - b`
    pub(crate) fn sub(self, kind: u8, a: Num, b: Num) -> Num {
        self.with(kind, a.v - b.v, || a.t - b.t)
    }

    /// `-a`
    pub(crate) fn neg(self, a: Num) -> Num {
        Num { v: -a.v, t: -a.t }
    }

    /// `a * b`
    pub(crate) fn mul(self, kind: u8, a: Num, b: Num) -> Num {
        // Product rule and imaginary part of a complex product are the same sum.
        self.with(kind, a.v * b.v, || a.v * b.t + a.t * b.v)
    }

    /// `a / b`
    pub(crate) fn div(self, kind: u8, a: Num, b: Num) -> Num {
        self.with(kind, a.v / b.v, || match self {
            Mode::Value => 0.0,
            Mode::Tangent => dual::quotient(a, b),
            Mode::ComplexStep => complex_step::quotient(a, b),
        })
    }

    /// `a ** b` with a real exponent.
    pub(crate) fn pow(self, kind: u8, a: Num, b: Num) -> Num {
        let v = if kind == 4 { f64::from((a.v as f32).powf(b.v as f32)) } else { a.v.powf(b.v) };
        self.with(kind, v, || match self {
            Mode::Value => 0.0,
            Mode::Tangent => dual::power(a, b, v),
            Mode::ComplexStep => complex_step::power(a, b, v),
        })
    }

    /// `a ** n`, by repeated multiplication as gfortran's run-time library has it.
    pub(crate) fn powi(self, kind: u8, a: Num, n: i64, wide: bool) -> Num {
        let v = integer_power(kind, a.v, n, wide);
        self.with(kind, v, || match self {
            Mode::Value => 0.0,
            Mode::Tangent => dual::integer_power(a, n),
            Mode::ComplexStep => complex_step::integer_power(a, n),
        })
    }

    /// A function of one argument; `None` where this mode has no rule for it.
    pub(crate) fn apply(self, kind: u8, function: Function, a: Num) -> Option<Num> {
        let v = function.value(kind, a.v);
        let t = match self {
            Mode::Value => 0.0,
            Mode::Tangent => dual::function(function, a, v),
            Mode::ComplexStep => complex_step::function(function, a)?,
        };
        Some(Num { v, t })
    }

    /// `atan2(y, x)`
    pub(crate) fn atan2(self, kind: u8, y: Num, x: Num) -> Num {
        let v = if kind == 4 { f64::from((y.v as f32).atan2(x.v as f32)) } else { y.v.atan2(x.v) };
        self.with(kind, v, || match self {
            Mode::Value => 0.0,
            Mode::Tangent => dual::atan2(y, x),
            Mode::ComplexStep => complex_step::atan2(y, x),
        })
    }

    /// `hypot(x, y)`
    pub(crate) fn hypot(self, kind: u8, x: Num, y: Num) -> Num {
        let v = if kind == 4 { f64::from((x.v as f32).hypot(y.v as f32)) } else { x.v.hypot(y.v) };
        self.with(kind, v, || match self {
            Mode::Value => 0.0,
            Mode::Tangent => dual::hypot(x, y, v),
            Mode::ComplexStep => complex_step::hypot(x, y),
        })
    }

    /// `abs(a)`
    pub(crate) fn abs(self, a: Num) -> Num {
        if a.v.is_sign_negative() { self.neg(a) } else { a }
    }

    /// `sign(a, b)`: the magnitude of `a` with the sign of `b`.
    pub(crate) fn sign(self, a: Num, b: Num) -> Num {
        if a.v.is_sign_negative() == b.v.is_sign_negative() { a } else { self.neg(a) }
    }

    /// `mod(a, p)`: the remainder of a division that truncates.
    pub(crate) fn modulus(self, kind: u8, a: Num, p: Num) -> Num {
        self.with(kind, a.v % p.v, || a.t - p.t * (a.v / p.v).trunc())
    }

    /// `modulo(a, p)`: the remainder of a division that iterations down.
    pub(crate) fn modulo(self, kind: u8, a: Num, p: Num) -> Num {
        let mut v = a.v % p.v;
        if v == 0.0 {
            v = v.copysign(p.v);
        } else if (v < 0.0) != (p.v < 0.0) {
            v += p.v;
        }
        self.with(kind, v, || a.t - p.t * (a.v / p.v).floor())
    }

    /// A bessel function of integer order.
    pub(crate) fn bessel(self, kind: u8, second: bool, n: i32, x: Num) -> Option<Num> {
        let f =
            |n: i32| if second { functions::yn(kind, n, x.v) } else { functions::jn(kind, n, x.v) };
        let t = match self {
            Mode::Value => 0.0,
            Mode::Tangent => x.t * (f(n.wrapping_sub(1)) - f(n.wrapping_add(1))) / 2.0,
            Mode::ComplexStep => return None,
        };
        Some(Num { v: round(kind, f(n)), t })
    }
}

#[cfg(test)]
mod tests;
