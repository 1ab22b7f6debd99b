//! Operators on scalars, with Fortran's promotion of mixed operands.
//!
//! Integers wrap around as two's complement does; a real operand meets an integer one as a real of
//! its own kind; of two kinds the larger wins.

use std::cmp::Ordering;

use xaif_schema::diag::Code;
use xaif_schema::model::BoolOp;

use crate::counts::Counts;
use crate::fault::{Run, fault};
use crate::num::{Mode, Num, round};
use crate::value::{Elem, Scalar, undefined, wrap};

/// An operator on numbers or strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    Minus,
    Plus,
    Concat,
    /// `(re, im)`
    ComplexLiteral,
}

/// Two operands of one type.
enum Pair {
    Int(u8, i64, i64),
    Real(u8, Num, Num),
    Complex(u8, [Num; 2], [Num; 2]),
}

/// Arithmetic of one mode, counting what it does.
#[derive(Debug, Default)]
pub(crate) struct Arith {
    pub(crate) mode: Mode,
    pub(crate) counts: Counts,
}

/// An integer as a real of `kind` bytes.
pub(crate) fn int_to_real(kind: u8, value: i64) -> f64 {
    if kind == 4 { f64::from(value as f32) } else { value as f64 }
}

fn promote(a: &Scalar, b: &Scalar) -> Run<Pair> {
    use Scalar::{Complex, Int, Real};
    let real = |kind: u8, i: i64| Num::of(int_to_real(kind, i));
    Ok(match (a, b) {
        (&Int(k, a), &Int(l, b)) => Pair::Int(k.max(l), a, b),
        (&Int(_, a), &Real(k, b)) => Pair::Real(k, real(k, a), b),
        (&Real(k, a), &Int(_, b)) => Pair::Real(k, a, real(k, b)),
        (&Real(k, a), &Real(l, b)) => Pair::Real(k.max(l), a, b),
        (&Int(_, a), &Complex(k, b)) => Pair::Complex(k, [real(k, a), Num::default()], b),
        (&Complex(k, a), &Int(_, b)) => Pair::Complex(k, a, [real(k, b), Num::default()]),
        (&Real(k, a), &Complex(l, b)) => Pair::Complex(k.max(l), [a, Num::default()], b),
        (&Complex(k, a), &Real(l, b)) => Pair::Complex(k.max(l), a, [b, Num::default()]),
        (&Complex(k, a), &Complex(l, b)) => Pair::Complex(k.max(l), a, b),
        // gfortran's extension: a logical in arithmetic is 0 or 1.
        (&Scalar::Logical(k, a), _) if matches!(b, Int(..)) => {
            return promote(&Int(k, a.into()), b);
        }
        (_, &Scalar::Logical(k, b)) if matches!(a, Int(..)) => {
            return promote(a, &Int(k, b.into()));
        }
        (Scalar::Undefined(_), _) | (_, Scalar::Undefined(_)) => return undefined(),
        (a, b) => return unfit(a, b),
    })
}

fn unfit<T>(a: &Scalar, b: &Scalar) -> Run<T> {
    fault(Code::RUN_TYPE, format!("no operation takes {} and {}", a.elem().name(), b.elem().name()))
}

impl Arith {
    /// `a op b`
    pub(crate) fn binary(&mut self, op: Operator, a: &Scalar, b: &Scalar) -> Run<Scalar> {
        match op {
            Operator::Concat => {
                let (a, b) = (a.as_chars()?, b.as_chars()?);
                return Ok(Scalar::chars([&a[..], &b[..]].concat()));
            }
            Operator::ComplexLiteral => return complex_literal(a, b),
            Operator::Pow => return self.power(a, b),
            Operator::Add
            | Operator::Sub
            | Operator::Mul
            | Operator::Div
            | Operator::Minus
            | Operator::Plus => {}
        }
        match promote(a, b)? {
            Pair::Int(kind, a, b) => self.integer(op, kind, a, b),
            Pair::Real(kind, a, b) => {
                self.count(op);
                let mode = self.mode;
                Ok(Scalar::Real(
                    kind,
                    match op {
                        Operator::Add | Operator::Plus => mode.add(kind, a, b),
                        Operator::Sub | Operator::Minus => mode.sub(kind, a, b),
                        Operator::Mul => mode.mul(kind, a, b),
                        Operator::Div => mode.div(kind, a, b),
                        Operator::Pow => mode.pow(kind, a, b),
                        Operator::Concat | Operator::ComplexLiteral => a,
                    },
                ))
            }
            Pair::Complex(kind, a, b) => {
                self.count(op);
                let c = self.complex(kind);
                Ok(Scalar::Complex(
                    kind,
                    match op {
                        Operator::Add | Operator::Plus => c.add(a, b),
                        Operator::Sub | Operator::Minus => c.sub(a, b),
                        Operator::Mul => c.mul(a, b),
                        Operator::Div => c.div(a, b),
                        Operator::Pow => c.pow(a, b),
                        Operator::Concat | Operator::ComplexLiteral => a,
                    },
                ))
            }
        }
    }

    /// Complex arithmetic of a kind.
    pub(crate) fn complex(&self, kind: u8) -> crate::complex::Complex {
        crate::complex::Complex { mode: self.mode, kind }
    }

    /// `-a` or `+a`
    pub(crate) fn unary(&mut self, op: Operator, a: &Scalar) -> Run<Scalar> {
        if op != Operator::Minus {
            return match a {
                Scalar::Undefined(_) => undefined(),
                other => Ok(other.clone()),
            };
        }
        match a {
            Scalar::Int(kind, value) => {
                self.counts.integer_operations += 1;
                Ok(Scalar::Int(*kind, wrap(*kind, value.wrapping_neg())))
            }
            Scalar::Real(kind, value) => {
                self.counts.additions += 1;
                Ok(Scalar::Real(*kind, self.mode.neg(*value)))
            }
            Scalar::Complex(kind, [re, im]) => {
                self.counts.additions += 1;
                Ok(Scalar::Complex(*kind, [self.mode.neg(*re), self.mode.neg(*im)]))
            }
            Scalar::Undefined(_) => undefined(),
            other => unfit(other, other),
        }
    }

    fn count(&mut self, op: Operator) {
        match op {
            Operator::Add | Operator::Sub | Operator::Minus | Operator::Plus => {
                self.counts.additions += 1;
            }
            Operator::Mul => self.counts.multiplications += 1,
            Operator::Div => self.counts.divisions += 1,
            Operator::Pow => self.counts.powers += 1,
            Operator::Concat | Operator::ComplexLiteral => {}
        }
    }

    fn integer(&mut self, op: Operator, kind: u8, a: i64, b: i64) -> Run<Scalar> {
        self.counts.integer_operations += 1;
        let value = match op {
            Operator::Add | Operator::Plus => a.wrapping_add(b),
            Operator::Sub | Operator::Minus => a.wrapping_sub(b),
            Operator::Mul => a.wrapping_mul(b),
            Operator::Div if b == 0 => {
                return fault(Code::RUN_ARITHMETIC, "an integer is divided by zero");
            }
            Operator::Div => a.wrapping_div(b),
            Operator::Pow => return integer_to_integer(kind, a, b),
            Operator::Concat | Operator::ComplexLiteral => a,
        };
        Ok(Scalar::Int(kind, wrap(kind, value)))
    }

    fn power(&mut self, a: &Scalar, b: &Scalar) -> Run<Scalar> {
        match (a, b) {
            (&Scalar::Int(k, a), &Scalar::Int(l, b)) => {
                self.counts.integer_operations += 1;
                integer_to_integer(k.max(l), a, b)
            }
            (&Scalar::Real(kind, a), &Scalar::Int(width, n)) => {
                self.counts.powers += 1;
                Ok(Scalar::Real(kind, self.mode.powi(kind, a, n, width == 8)))
            }
            (&Scalar::Complex(kind, a), &Scalar::Int(_, n)) => {
                self.counts.powers += 1;
                Ok(Scalar::Complex(kind, self.complex(kind).powi(a, n)))
            }
            _ => match promote(a, b)? {
                Pair::Int(kind, a, b) => integer_to_integer(kind, a, b),
                Pair::Real(kind, a, b) => {
                    self.counts.powers += 1;
                    Ok(Scalar::Real(kind, self.mode.pow(kind, a, b)))
                }
                Pair::Complex(kind, a, b) => {
                    self.counts.powers += 1;
                    Ok(Scalar::Complex(kind, self.complex(kind).pow(a, b)))
                }
            },
        }
    }

    /// A comparison; both operands are given, so the logical operators are not short-circuited.
    pub(crate) fn compare(&mut self, op: BoolOp, a: &Scalar, b: &Scalar) -> Run<Scalar> {
        let (equal_only, order) = match (a, b) {
            (Scalar::Logical(kind, a), Scalar::Logical(l, b)) => {
                let value = match op {
                    BoolOp::And => *a && *b,
                    BoolOp::Or => *a || *b,
                    BoolOp::Xor | BoolOp::NotEqual => a != b,
                    BoolOp::Equivalent | BoolOp::Equal => a == b,
                    BoolOp::LessThan
                    | BoolOp::LessOrEqual
                    | BoolOp::GreaterThan
                    | BoolOp::GreaterOrEqual
                    | BoolOp::Not => return fault(Code::RUN_TYPE, "logicals have no order"),
                };
                return Ok(Scalar::Logical((*kind).max(*l), value));
            }
            (Scalar::Char(a), Scalar::Char(b)) => (false, Some(compare_chars(a, b))),
            _ => match promote(a, b)? {
                Pair::Int(_, a, b) => (false, Some(a.cmp(&b))),
                Pair::Real(_, a, b) => (false, a.v.partial_cmp(&b.v)),
                Pair::Complex(_, a, b) => {
                    let same = a[0].v == b[0].v && a[1].v == b[1].v;
                    (true, same.then_some(Ordering::Equal))
                }
            },
        };
        self.counts.comparisons += 1;
        let value = match op {
            BoolOp::Equal => order == Some(Ordering::Equal),
            BoolOp::NotEqual => order != Some(Ordering::Equal),
            BoolOp::LessThan if !equal_only => order == Some(Ordering::Less),
            BoolOp::LessOrEqual if !equal_only => order.is_some_and(Ordering::is_le),
            BoolOp::GreaterThan if !equal_only => order == Some(Ordering::Greater),
            BoolOp::GreaterOrEqual if !equal_only => order.is_some_and(Ordering::is_ge),
            // C's `&&` and `||` on integers.
            BoolOp::And => a.as_logical()? && b.as_logical()?,
            BoolOp::Or => a.as_logical()? || b.as_logical()?,
            BoolOp::LessThan
            | BoolOp::LessOrEqual
            | BoolOp::GreaterThan
            | BoolOp::GreaterOrEqual
            | BoolOp::Xor
            | BoolOp::Equivalent
            | BoolOp::Not => return unfit(a, b),
        };
        Ok(Scalar::logical(value))
    }
}

fn complex_literal(re: &Scalar, im: &Scalar) -> Run<Scalar> {
    match promote(re, im)? {
        Pair::Int(_, re, im) => {
            let part = |i| Num::of(int_to_real(4, i));
            Ok(Scalar::Complex(4, [part(re), part(im)]))
        }
        Pair::Real(kind, re, im) => Ok(Scalar::Complex(kind, [re, im])),
        Pair::Complex(..) => unfit(re, im),
    }
}

/// Compares as if the shorter string were padded with blanks.
pub(crate) fn compare_chars(a: &[u8], b: &[u8]) -> Ordering {
    let at = |bytes: &[u8], index: usize| bytes.get(index).copied().unwrap_or(b' ');
    (0..a.len().max(b.len()))
        .map(|i| at(a, i).cmp(&at(b, i)))
        .find(|o| o.is_ne())
        .unwrap_or(Ordering::Equal)
}

fn integer_to_integer(kind: u8, base: i64, exponent: i64) -> Run<Scalar> {
    let value = match (base, exponent) {
        (0, ..0) => return fault(Code::RUN_ARITHMETIC, "zero is raised to a negative power"),
        (1, _) => 1,
        (-1, n) => {
            if n & 1 == 0 {
                1
            } else {
                -1
            }
        }
        (_, ..0) => 0,
        (_, n) => {
            let (mut result, mut base, mut left) = (1i64, base, n as u64);
            while left != 0 {
                if left & 1 == 1 {
                    result = result.wrapping_mul(base);
                }
                base = base.wrapping_mul(base);
                left >>= 1;
            }
            result
        }
    };
    Ok(Scalar::Int(kind, wrap(kind, value)))
}

/// `value` as an assignment to a variable of type `to` converts it.
pub(crate) fn convert(value: Scalar, to: Elem) -> Run<Scalar> {
    Ok(match (value, to) {
        (Scalar::Int(_, v), Elem::Int(kind)) => Scalar::Int(kind, wrap(kind, v)),
        (Scalar::Int(_, v), Elem::Real(kind)) => Scalar::Real(kind, Num::of(int_to_real(kind, v))),
        (Scalar::Int(_, v), Elem::Complex(kind)) => {
            Scalar::Complex(kind, [Num::of(int_to_real(kind, v)), Num::default()])
        }
        (Scalar::Real(_, v), Elem::Int(kind)) | (Scalar::Complex(_, [v, _]), Elem::Int(kind)) => {
            Scalar::Int(kind, real_to_int(kind, v.v)?)
        }
        (Scalar::Real(_, v), Elem::Real(kind)) | (Scalar::Complex(_, [v, _]), Elem::Real(kind)) => {
            Scalar::Real(kind, fit(kind, v))
        }
        (Scalar::Real(_, v), Elem::Complex(kind)) => {
            Scalar::Complex(kind, [fit(kind, v), Num::default()])
        }
        (Scalar::Complex(_, [re, im]), Elem::Complex(kind)) => {
            Scalar::Complex(kind, [fit(kind, re), fit(kind, im)])
        }
        (Scalar::Logical(_, v), Elem::Logical(kind)) => Scalar::Logical(kind, v),
        // gfortran's extensions.
        (Scalar::Logical(_, v), Elem::Int(kind)) => Scalar::Int(kind, v.into()),
        (Scalar::Int(_, v), Elem::Logical(kind)) => Scalar::Logical(kind, v != 0),
        (Scalar::Char(bytes), Elem::Char(len)) if bytes.len() == len => Scalar::Char(bytes),
        (Scalar::Char(bytes), Elem::Char(len)) => Scalar::chars(padded(&bytes, len)),
        // A Hollerith constant (or a string) fills a number's bytes.
        (Scalar::Char(bytes), Elem::Int(kind)) => {
            let mut buffer = [b' '; 8];
            let count = bytes.len().min(usize::from(kind)).min(8);
            buffer[..count].copy_from_slice(&bytes[..count]);
            Scalar::Int(kind, wrap(kind, i64::from_le_bytes(buffer)))
        }
        (Scalar::Char(bytes), Elem::Real(kind)) => {
            let bytes = padded(&bytes, usize::from(kind));
            let value = match *bytes.as_slice() {
                [a, b, c, d] => f64::from(f32::from_le_bytes([a, b, c, d])),
                [a, b, c, d, e, f, g, h] => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
                _ => f64::NAN,
            };
            Scalar::Real(kind, Num::of(value))
        }
        (Scalar::Undefined(_), _) => return undefined(),
        (value, to) => {
            return fault(
                Code::RUN_TYPE,
                format!("a value of type {} cannot become {}", value.elem().name(), to.name()),
            );
        }
    })
}

fn fit(kind: u8, value: Num) -> Num {
    Num { v: round(kind, value.v), t: value.t }
}

/// Truncates; a value that no integer holds is a fault, since the language does not define it.
pub(crate) fn real_to_int(kind: u8, value: f64) -> Run<i64> {
    let limit = 2f64.powi(8 * i32::from(kind) - 1);
    let truncated = value.trunc();
    if truncated >= -limit && truncated < limit {
        return Ok(truncated as i64);
    }
    fault(Code::RUN_ARITHMETIC, format!("{value} does not fit into an integer({kind})"))
}

/// `bytes` cut or padded with blanks to `len`.
pub(crate) fn padded(bytes: &[u8], len: usize) -> Vec<u8> {
    let mut padded = bytes[..bytes.len().min(len)].to_vec();
    padded.resize(len, b' ');
    padded
}
