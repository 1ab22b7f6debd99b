//! Elemental functions of numbers.
//!
//! Rules at ties and kinks, which tangents see: `max` and `min` take the first of equal arguments;
//! `abs` takes the branch of the sign bit; `dim` is zero, with zero tangent, where its arguments
//! are equal.

use xaif_schema::diag::Code;

use super::{Builtin, bits, text};
use crate::arith::{convert, real_to_int};
use crate::fault::{Run, fault, refuse};
use crate::machine::Machine;
use crate::num::{Function, Num, round};
use crate::value::{Elem, Scalar, undefined, wrap};

/// The arguments of one call.
pub(super) type Args<'a, 'b> = &'a [Option<&'b Scalar>];

/// The argument at `index`, defined.
pub(super) fn arg<'b>(args: Args<'_, 'b>, index: usize) -> Run<&'b Scalar> {
    match args.get(index).copied().flatten() {
        Some(Scalar::Undefined(_)) => undefined(),
        Some(scalar) => Ok(scalar),
        None => fault(Code::RUN_ARGUMENT, format!("argument {} is missing", index + 1)),
    }
}

/// The argument at `index`, if it is given.
pub(super) fn given<'b>(args: Args<'_, 'b>, index: usize) -> Option<&'b Scalar> {
    args.get(index).copied().flatten()
}

/// The kind that an argument asks for, else `default`.
pub(super) fn kind_arg(args: Args<'_, '_>, index: usize, default: u8) -> Run<u8> {
    match given(args, index) {
        Some(kind) => {
            let kind = kind.as_int()?;
            match u8::try_from(kind) {
                Ok(kind @ (1 | 2 | 4 | 8)) => Ok(kind),
                Ok(_) | Err(_) => refuse(format!("kind {kind}")),
            }
        }
        None => Ok(default),
    }
}

fn unfit<T>(found: &Scalar) -> Run<T> {
    fault(Code::RUN_TYPE, format!("an intrinsic takes no {}", found.elem().name()))
}

impl Machine<'_> {
    /// A function of scalars.
    pub(super) fn scalar_function(&mut self, builtin: Builtin, args: Args<'_, '_>) -> Run<Scalar> {
        if let Some(result) = bits::function(builtin, args)? {
            return Ok(result);
        }
        if let Some(result) = text::function(builtin, args)? {
            return Ok(result);
        }
        self.arith.counts.functions += 1;
        match builtin {
            Builtin::Function(function) => self.one_argument(function, arg(args, 0)?),
            Builtin::Atan if given(args, 1).is_none() => {
                self.one_argument(Function::Atan, arg(args, 0)?)
            }
            Builtin::Atan | Builtin::Atan2 => {
                self.two_reals(args, |mode, kind, y, x| mode.atan2(kind, y, x))
            }
            Builtin::Atan2d => self.two_reals(args, |mode, kind, y, x| {
                let angle = mode.atan2(kind, y, x);
                mode.mul(kind, angle, Num::of(180.0 / std::f64::consts::PI))
            }),
            Builtin::Hypot => self.two_reals(args, |mode, kind, x, y| mode.hypot(kind, x, y)),
            Builtin::Abs => self.absolute(arg(args, 0)?),
            Builtin::Aimag => match arg(args, 0)? {
                Scalar::Complex(kind, [_, im]) => Ok(Scalar::Real(*kind, *im)),
                other => unfit(other),
            },
            Builtin::Conjg => match arg(args, 0)? {
                Scalar::Complex(kind, [re, im]) => {
                    Ok(Scalar::Complex(*kind, [*re, self.arith.mode.neg(*im)]))
                }
                other => unfit(other),
            },
            Builtin::Cmplx => to_complex(args, true),
            Builtin::Complex => to_complex(args, false),
            Builtin::Real => {
                let value = arg(args, 0)?;
                let default = if let Scalar::Complex(kind, _) = value { *kind } else { 4 };
                convert(value.clone(), Elem::Real(kind_arg(args, 1, default)?))
            }
            Builtin::Int => convert(arg(args, 0)?.clone(), Elem::Int(kind_arg(args, 1, 4)?)),
            Builtin::Long => convert(arg(args, 0)?.clone(), Elem::Int(4)),
            Builtin::Short => convert(arg(args, 0)?.clone(), Elem::Int(2)),
            Builtin::Logical => {
                convert(arg(args, 0)?.clone(), Elem::Logical(kind_arg(args, 1, 4)?))
            }
            Builtin::Nint => rounded_to_int(args, f64::round),
            Builtin::Floor => rounded_to_int(args, f64::floor),
            Builtin::Ceiling => rounded_to_int(args, f64::ceil),
            Builtin::Aint => rounded_to_real(args, f64::trunc),
            Builtin::Anint => rounded_to_real(args, f64::round),
            Builtin::Mod => self.remainder(args, false),
            Builtin::Modulo => self.remainder(args, true),
            Builtin::Sign => match (arg(args, 0)?, arg(args, 1)?) {
                (Scalar::Int(kind, a), Scalar::Int(l, b)) => {
                    let a = if *b < 0 { a.wrapping_abs().wrapping_neg() } else { a.wrapping_abs() };
                    Ok(Scalar::Int((*kind).max(*l), a))
                }
                _ => self.two_reals(args, |mode, _, a, b| mode.sign(a, b)),
            },
            Builtin::Dim => match (arg(args, 0)?, arg(args, 1)?) {
                (Scalar::Int(kind, a), Scalar::Int(l, b)) => {
                    let value = if a > b { a.wrapping_sub(*b) } else { 0 };
                    Ok(Scalar::Int((*kind).max(*l), value))
                }
                _ => self.two_reals(args, |mode, kind, a, b| {
                    if a.v <= b.v { Num::default() } else { mode.sub(kind, a, b) }
                }),
            },
            Builtin::Dprod => match (arg(args, 0)?, arg(args, 1)?) {
                (Scalar::Real(_, a), Scalar::Real(_, b)) => {
                    Ok(Scalar::Real(8, self.arith.mode.mul(8, *a, *b)))
                }
                (other, _) => unfit(other),
            },
            Builtin::Max => extreme(args, true),
            Builtin::Min => extreme(args, false),
            Builtin::Merge => {
                let chosen = if arg(args, 2)?.as_logical()? { 0 } else { 1 };
                match given(args, chosen) {
                    Some(value) => Ok(value.clone()),
                    None => fault(Code::RUN_ARGUMENT, "MERGE lacks an argument"),
                }
            }
            Builtin::IeeeIsFinite => Ok(Scalar::logical(arg(args, 0)?.as_real()?.1.v.is_finite())),
            Builtin::Isnan | Builtin::IeeeIsNan => {
                Ok(Scalar::logical(arg(args, 0)?.as_real()?.1.v.is_nan()))
            }
            Builtin::Exponent
            | Builtin::Fraction
            | Builtin::Scale
            | Builtin::SetExponent
            | Builtin::Nearest
            | Builtin::Spacing
            | Builtin::Rrspacing => self.model_function(builtin, args),
            Builtin::BesselJn | Builtin::BesselYn => {
                let order = i32::try_from(arg(args, 0)?.as_int()?).unwrap_or(i32::MAX);
                let (kind, x) = arg(args, 1)?.as_real()?;
                let second = builtin == Builtin::BesselYn;
                match self.arith.mode.bessel(kind, second, order, x) {
                    Some(value) => Ok(Scalar::Real(kind, value)),
                    None => refuse("Bessel functions in complex step"),
                }
            }
            other => refuse(format!("the intrinsic {other:?} here")),
        }
    }

    fn one_argument(&mut self, function: Function, a: &Scalar) -> Run<Scalar> {
        let result = match a {
            Scalar::Real(kind, x) => {
                self.arith.mode.apply(*kind, function, *x).map(|y| Scalar::Real(*kind, y))
            }
            Scalar::Complex(kind, z) => {
                self.arith.complex(*kind).apply(function, *z).map(|w| Scalar::Complex(*kind, w))
            }
            other => return unfit(other),
        };
        match result {
            Some(result) => Ok(result),
            None => refuse(format!("{function:?} of {} in this mode", a.elem().name())),
        }
    }

    fn two_reals(
        &mut self,
        args: Args<'_, '_>,
        f: impl FnOnce(crate::num::Mode, u8, Num, Num) -> Num,
    ) -> Run<Scalar> {
        let (a, b) = (arg(args, 0)?, arg(args, 1)?);
        match (a, b) {
            (Scalar::Real(k, a), Scalar::Real(l, b)) => {
                let kind = (*k).max(*l);
                Ok(Scalar::Real(kind, f(self.arith.mode, kind, *a, *b)))
            }
            (Scalar::Real(kind, _), other @ Scalar::Int(..)) => {
                let b = convert(other.clone(), Elem::Real(*kind))?.as_real()?.1;
                Ok(Scalar::Real(*kind, f(self.arith.mode, *kind, a.as_real()?.1, b)))
            }
            (Scalar::Real(..), other) | (other, _) => unfit(other),
        }
    }

    fn absolute(&mut self, a: &Scalar) -> Run<Scalar> {
        match a {
            Scalar::Int(kind, a) => Ok(Scalar::Int(*kind, wrap(*kind, a.wrapping_abs()))),
            Scalar::Real(kind, a) => Ok(Scalar::Real(*kind, self.arith.mode.abs(*a))),
            Scalar::Complex(kind, a) => Ok(Scalar::Real(*kind, self.arith.complex(*kind).abs(*a))),
            other => unfit(other),
        }
    }

    fn remainder(&mut self, args: Args<'_, '_>, floor: bool) -> Run<Scalar> {
        match (arg(args, 0)?, arg(args, 1)?) {
            (Scalar::Int(k, a), Scalar::Int(l, p)) => {
                if *p == 0 {
                    return fault(Code::RUN_ARITHMETIC, "the remainder of a division by zero");
                }
                let rest = a.wrapping_rem(*p);
                let shifted = floor && rest != 0 && (rest < 0) != (*p < 0);
                let value = if shifted { rest.wrapping_add(*p) } else { rest };
                Ok(Scalar::Int((*k).max(*l), value))
            }
            _ if floor => self.two_reals(args, |mode, kind, a, p| mode.modulo(kind, a, p)),
            _ => self.two_reals(args, |mode, kind, a, p| mode.modulus(kind, a, p)),
        }
    }

    /// Functions of the parts of the floating-point model.
    fn model_function(&mut self, builtin: Builtin, args: Args<'_, '_>) -> Run<Scalar> {
        let (kind, x) = arg(args, 0)?.as_real()?;
        let digits = if kind == 4 { 24 } else { 53 };
        let smallest = if kind == 4 { -125 } else { -1021 };
        let exponent = exponent_of(x.v);
        let power = |n: i32| 2f64.powi(n);
        let mode = self.arith.mode;
        let scaled = |x: Num, n: i64| {
            let half = i32::try_from(n / 2).unwrap_or(0);
            let rest = i32::try_from(n - n / 2).unwrap_or(0);
            let once = mode.mul(8, x, Num::of(power(half)));
            mode.mul(kind, once, Num::of(power(rest)))
        };
        let value = match builtin {
            Builtin::Exponent => return Ok(Scalar::int(i64::from(exponent))),
            Builtin::Fraction => scaled(x, -i64::from(exponent)),
            Builtin::Scale => scaled(x, arg(args, 1)?.as_int()?),
            Builtin::SetExponent => {
                scaled(x, arg(args, 1)?.as_int()?.wrapping_sub(exponent.into()))
            }
            Builtin::Spacing => Num::of(power((exponent - digits).max(smallest - 1))),
            Builtin::Rrspacing => mode.abs(scaled(x, i64::from(digits - exponent))),
            Builtin::Nearest => {
                let up = arg(args, 1)?.as_real()?.1.v > 0.0;
                let v = if kind == 4 {
                    let x = x.v as f32;
                    f64::from(if up { x.next_up() } else { x.next_down() })
                } else if up {
                    x.v.next_up()
                } else {
                    x.v.next_down()
                };
                Num { v, t: x.t }
            }
            other => return refuse(format!("the intrinsic {other:?} here")),
        };
        Ok(Scalar::Real(kind, value))
    }
}

/// The exponent of `x` in the model with a fraction between 0.5 and 1.
fn exponent_of(x: f64) -> i32 {
    if x == 0.0 || !x.is_finite() {
        return 0;
    }
    let bits = (x.to_bits() >> 52 & 0x7ff) as i32;
    if bits == 0 { exponent_of(x * 2f64.powi(64)) - 64 } else { bits - 1022 }
}

fn to_complex(args: Args<'_, '_>, by_kind: bool) -> Run<Scalar> {
    let re = arg(args, 0)?;
    let im = given(args, 1);
    let kind = if by_kind {
        kind_arg(args, 2, 4)?
    } else {
        let kind_of = |s: &Scalar| if let Scalar::Real(kind, _) = s { *kind } else { 4 };
        kind_of(re).max(im.map_or(4, kind_of))
    };
    if let (Scalar::Complex(..), None) = (re, im) {
        return convert(re.clone(), Elem::Complex(kind));
    }
    let part = |s: &Scalar| -> Run<Num> { Ok(convert(s.clone(), Elem::Real(kind))?.as_real()?.1) };
    Ok(Scalar::Complex(kind, [part(re)?, im.map_or(Ok(Num::default()), part)?]))
}

fn rounded_to_int(args: Args<'_, '_>, f: fn(f64) -> f64) -> Run<Scalar> {
    let kind = kind_arg(args, 1, 4)?;
    match arg(args, 0)? {
        Scalar::Real(_, x) => Ok(Scalar::Int(kind, real_to_int(kind, f(x.v))?)),
        other => unfit(other),
    }
}

fn rounded_to_real(args: Args<'_, '_>, f: fn(f64) -> f64) -> Run<Scalar> {
    match arg(args, 0)? {
        Scalar::Real(own, x) => {
            let kind = kind_arg(args, 1, *own)?;
            Ok(Scalar::Real(kind, Num::of(round(kind, f(x.v)))))
        }
        other => unfit(other),
    }
}

/// The largest or smallest of the arguments; NaN loses against a number.
fn extreme(args: Args<'_, '_>, largest: bool) -> Run<Scalar> {
    let mut best = arg(args, 0)?.clone();
    for index in 1..args.len() {
        let Some(next) = given(args, index) else { continue };
        if let Scalar::Undefined(_) = next {
            return undefined();
        }
        let (a, b) = level(&best, next)?;
        let replace = match (&a, &b) {
            (Scalar::Int(_, a), Scalar::Int(_, b)) => {
                if largest {
                    b > a
                } else {
                    b < a
                }
            }
            (Scalar::Real(_, a), Scalar::Real(_, b)) => {
                let wins = if largest { b.v > a.v } else { b.v < a.v };
                wins || (a.v.is_nan() && !b.v.is_nan())
            }
            (Scalar::Char(a), Scalar::Char(b)) => {
                let order = crate::arith::compare_chars(b, a);
                if largest { order.is_gt() } else { order.is_lt() }
            }
            (other, _) => return unfit(other),
        };
        best = if replace { b } else { a };
    }
    Ok(best)
}

/// Two arguments as values of one type.
fn level(a: &Scalar, b: &Scalar) -> Run<(Scalar, Scalar)> {
    let elem = match (a.elem(), b.elem()) {
        (Elem::Int(k), Elem::Int(l)) => Elem::Int(k.max(l)),
        (Elem::Real(k), Elem::Real(l)) => Elem::Real(k.max(l)),
        (Elem::Real(k), Elem::Int(_)) | (Elem::Int(_), Elem::Real(k)) => Elem::Real(k),
        (Elem::Char(k), Elem::Char(l)) => Elem::Char(k.max(l)),
        _ => return unfit(b),
    };
    Ok((convert(a.clone(), elem)?, convert(b.clone(), elem)?))
}
