//! Complex numbers over the reals of a mode: both parts carry what the mode carries.
//!
//! Products and quotients are gfortran's (`-fcx-fortran-rules`: no check for NaN; Smith's
//! division). Elementary functions are composed of real ones and agree with the C library's to a
//! few last bits. No derivative rule stands here: the parts bring their own.

use crate::num::{Function, Mode, Num};

/// Arithmetic of complex numbers whose parts have `kind` bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Complex {
    pub(crate) mode: Mode,
    pub(crate) kind: u8,
}

/// Real and imaginary part.
pub(crate) type Pair = [Num; 2];

impl Complex {
    fn plus(self, a: Num, b: Num) -> Num {
        self.mode.add(self.kind, a, b)
    }

    fn minus(self, a: Num, b: Num) -> Num {
        self.mode.sub(self.kind, a, b)
    }

    fn times(self, a: Num, b: Num) -> Num {
        self.mode.mul(self.kind, a, b)
    }

    fn over(self, a: Num, b: Num) -> Num {
        self.mode.div(self.kind, a, b)
    }

    fn real(self, function: Function, a: Num) -> Num {
        // Every function used here has a rule in every mode.
        self.mode.apply(self.kind, function, a).unwrap_or(Num::of(f64::NAN))
    }

    pub(crate) fn add(self, a: Pair, b: Pair) -> Pair {
        [self.plus(a[0], b[0]), self.plus(a[1], b[1])]
    }

    pub(crate) fn sub(self, a: Pair, b: Pair) -> Pair {
        [self.minus(a[0], b[0]), self.minus(a[1], b[1])]
    }

    pub(crate) fn mul(self, a: Pair, b: Pair) -> Pair {
        [
            self.minus(self.times(a[0], b[0]), self.times(a[1], b[1])),
            self.plus(self.times(a[0], b[1]), self.times(a[1], b[0])),
        ]
    }

    pub(crate) fn div(self, a: Pair, b: Pair) -> Pair {
        if b[0].v.abs() < b[1].v.abs() {
            let ratio = self.over(b[0], b[1]);
            let denominator = self.plus(self.times(b[0], ratio), b[1]);
            let re = self.plus(self.times(a[0], ratio), a[1]);
            let im = self.minus(self.times(a[1], ratio), a[0]);
            [self.over(re, denominator), self.over(im, denominator)]
        } else {
            let ratio = self.over(b[1], b[0]);
            let denominator = self.plus(self.times(b[1], ratio), b[0]);
            let re = self.plus(self.times(a[1], ratio), a[0]);
            let im = self.minus(a[1], self.times(a[0], ratio));
            [self.over(re, denominator), self.over(im, denominator)]
        }
    }

    pub(crate) fn abs(self, a: Pair) -> Num {
        self.mode.hypot(self.kind, a[0], a[1])
    }

    pub(crate) fn powi(self, a: Pair, n: i64) -> Pair {
        let one = [Num::of(1.0), Num::default()];
        let mut base = if n < 0 { self.div(one, a) } else { a };
        let (mut result, mut left) = (one, n.unsigned_abs());
        while left != 0 {
            if left & 1 == 1 {
                result = self.mul(result, base);
            }
            left >>= 1;
            if left != 0 {
                base = self.mul(base, base);
            }
        }
        result
    }

    pub(crate) fn pow(self, a: Pair, b: Pair) -> Pair {
        if a[0].v == 0.0 && a[1].v == 0.0 {
            let zero = b[0].v == 0.0 && b[1].v == 0.0;
            return [Num::of(if zero { 1.0 } else { 0.0 }), Num::default()];
        }
        self.exp(self.mul(b, self.log(a)))
    }

    pub(crate) fn exp(self, a: Pair) -> Pair {
        let size = self.real(Function::Exp, a[0]);
        [
            self.times(size, self.real(Function::Cos, a[1])),
            self.times(size, self.real(Function::Sin, a[1])),
        ]
    }

    pub(crate) fn log(self, a: Pair) -> Pair {
        [self.real(Function::Log, self.abs(a)), self.mode.atan2(self.kind, a[1], a[0])]
    }

    pub(crate) fn sqrt(self, a: Pair) -> Pair {
        if a[0].v == 0.0 && a[1].v == 0.0 {
            return a;
        }
        let two = Num::of(2.0);
        let sum = self.plus(self.mode.abs(a[0]), self.abs(a));
        let half = self.real(Function::Sqrt, self.over(sum, two));
        let other = self.over(a[1], self.times(two, half));
        if a[0].v >= 0.0 {
            [half, other]
        } else {
            [self.mode.abs(other), self.mode.sign(half, a[1])]
        }
    }

    pub(crate) fn sin(self, a: Pair) -> Pair {
        let f = |function, x| self.real(function, x);
        [
            self.times(f(Function::Sin, a[0]), f(Function::Cosh, a[1])),
            self.times(f(Function::Cos, a[0]), f(Function::Sinh, a[1])),
        ]
    }

    pub(crate) fn cos(self, a: Pair) -> Pair {
        let f = |function, x| self.real(function, x);
        let im = self.times(f(Function::Sin, a[0]), f(Function::Sinh, a[1]));
        [self.times(f(Function::Cos, a[0]), f(Function::Cosh, a[1])), self.mode.neg(im)]
    }

    fn turn(self, a: Pair) -> Pair {
        [self.mode.neg(a[1]), a[0]]
    }

    fn turn_back(self, a: Pair) -> Pair {
        [a[1], self.mode.neg(a[0])]
    }

    /// `asin(z) = -i log(i z + sqrt(1 - z**2))`
    fn asin(self, a: Pair) -> Pair {
        let one = [Num::of(1.0), Num::default()];
        let root = self.sqrt(self.sub(one, self.mul(a, a)));
        self.turn_back(self.log(self.add(self.turn(a), root)))
    }

    /// `atan(z) = i/2 (log(1 - i z) - log(1 + i z))`
    fn atan(self, a: Pair) -> Pair {
        let one = [Num::of(1.0), Num::default()];
        let turned = self.turn(a);
        let difference = self.sub(self.log(self.sub(one, turned)), self.log(self.add(one, turned)));
        let half = Num::of(0.5);
        let result = self.turn(difference);
        [self.times(half, result[0]), self.times(half, result[1])]
    }

    /// A function of a complex argument; `None` where the language has none.
    pub(crate) fn apply(self, function: Function, a: Pair) -> Option<Pair> {
        let one = [Num::of(1.0), Num::default()];
        Some(match function {
            Function::Sqrt => self.sqrt(a),
            Function::Exp => self.exp(a),
            Function::Log => self.log(a),
            Function::Sin => self.sin(a),
            Function::Cos => self.cos(a),
            Function::Tan => self.div(self.sin(a), self.cos(a)),
            Function::Cotan => self.div(self.cos(a), self.sin(a)),
            Function::Sinh => self.turn_back(self.sin(self.turn(a))),
            Function::Cosh => self.cos(self.turn(a)),
            Function::Tanh => {
                let turned = self.turn(a);
                self.turn_back(self.div(self.sin(turned), self.cos(turned)))
            }
            Function::Asin => self.asin(a),
            Function::Acos => {
                let half_pi = [Num::of(std::f64::consts::FRAC_PI_2), Num::default()];
                self.sub(half_pi, self.asin(a))
            }
            Function::Atan => self.atan(a),
            Function::Asinh => self.turn_back(self.asin(self.turn(a))),
            Function::Acosh => {
                let plus = self.sqrt(self.add(a, one));
                let minus = self.sqrt(self.sub(a, one));
                self.log(self.add(a, self.mul(plus, minus)))
            }
            Function::Atanh => self.turn_back(self.atan(self.turn(a))),
            Function::Log10
            | Function::SinDegrees
            | Function::CosDegrees
            | Function::TanDegrees
            | Function::CotanDegrees
            | Function::AsinDegrees
            | Function::AcosDegrees
            | Function::AtanDegrees
            | Function::Erf
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
}
