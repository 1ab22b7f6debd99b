//! Elemental functions of bits.

use super::Builtin;
use super::elemental::{Args, arg, given, kind_arg};
use crate::fault::Run;
use crate::value::{Scalar, wrap};

/// An integer argument: kind, value, and its bits as an unsigned number.
fn integer(args: Args<'_, '_>, index: usize) -> Run<(u8, i64, u64)> {
    let scalar = arg(args, index)?;
    let kind = match scalar {
        Scalar::Int(kind, _) | Scalar::Logical(kind, _) => *kind,
        _ => 4,
    };
    let value = match scalar {
        Scalar::Logical(_, value) => i64::from(*value),
        other => other.as_int()?,
    };
    Ok((kind, value, value as u64 & ones(width(kind))))
}

fn width(kind: u8) -> u32 {
    8 * u32::from(kind)
}

/// The lowest `count` bits set.
fn ones(count: u32) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

fn left(bits: u64, by: i64) -> u64 {
    u32::try_from(by).ok().and_then(|by| bits.checked_shl(by)).unwrap_or(0)
}

fn right(bits: u64, by: i64) -> u64 {
    u32::try_from(by).ok().and_then(|by| bits.checked_shr(by)).unwrap_or(0)
}

/// A function of bits; `None` if `builtin` is none.
pub(super) fn function(builtin: Builtin, args: Args<'_, '_>) -> Run<Option<Scalar>> {
    let both = |f: fn(u64, u64) -> u64| -> Run<Option<Scalar>> {
        let (kind, _, a) = integer(args, 0)?;
        let (other, _, b) = integer(args, 1)?;
        if let (Scalar::Logical(..), Scalar::Logical(..)) = (arg(args, 0)?, arg(args, 1)?) {
            return Ok(Some(Scalar::Logical(kind, f(a, b) & 1 == 1)));
        }
        let kind = kind.max(other);
        Ok(Some(Scalar::Int(kind, wrap(kind, f(a, b) as i64))))
    };
    let compare = |f: fn(&u64, &u64) -> bool| -> Run<Option<Scalar>> {
        Ok(Some(Scalar::logical(f(&integer(args, 0)?.2, &integer(args, 1)?.2))))
    };
    let shifted = |f: fn(u8, i64, u64, i64) -> u64| -> Run<Option<Scalar>> {
        let (kind, value, bits) = integer(args, 0)?;
        let by = arg(args, 1)?.as_int()?;
        Ok(Some(Scalar::Int(kind, wrap(kind, f(kind, value, bits, by) as i64))))
    };
    let counted = |f: fn(u8, u64) -> u32| -> Run<Option<Scalar>> {
        let (kind, _, bits) = integer(args, 0)?;
        Ok(Some(Scalar::int(f(kind, bits).into())))
    };
    match builtin {
        Builtin::Iand | Builtin::And => both(|a, b| a & b),
        Builtin::Ior | Builtin::Or => both(|a, b| a | b),
        Builtin::Ieor | Builtin::Xor => both(|a, b| a ^ b),
        Builtin::Bge => compare(u64::ge),
        Builtin::Bgt => compare(u64::gt),
        Builtin::Ble => compare(u64::le),
        Builtin::Blt => compare(u64::lt),
        Builtin::Not => {
            let (kind, value, _) = integer(args, 0)?;
            Ok(Some(Scalar::Int(kind, !value)))
        }
        Builtin::Btest => {
            let bits = integer(args, 0)?.2;
            Ok(Some(Scalar::logical(right(bits, arg(args, 1)?.as_int()?) & 1 == 1)))
        }
        Builtin::Ibset => shifted(|_, _, bits, by| bits | left(1, by)),
        Builtin::Ibclr => shifted(|_, _, bits, by| bits & !left(1, by)),
        Builtin::Ishft => {
            shifted(
                |_, _, bits, by| {
                    if by < 0 { right(bits, by.wrapping_neg()) } else { left(bits, by) }
                },
            )
        }
        Builtin::Shiftl | Builtin::Lshift => shifted(|_, _, bits, by| left(bits, by)),
        Builtin::Shiftr => shifted(|_, _, bits, by| right(bits, by)),
        Builtin::Shifta | Builtin::Rshift => {
            shifted(|_, value, _, by| (value >> by.clamp(0, 63)) as u64)
        }
        Builtin::Ishftc => {
            let (kind, _, bits) = integer(args, 0)?;
            let shift = arg(args, 1)?.as_int()?;
            let size = given(args, 2).map_or(Ok(i64::from(width(kind))), Scalar::as_int)?;
            let size = size.clamp(1, i64::from(width(kind)));
            let by = shift.rem_euclid(size);
            let window = ones(size as u32);
            let part = bits & window;
            let turned = (left(part, by) | right(part, size - by)) & window;
            Ok(Some(Scalar::Int(kind, wrap(kind, (bits & !window | turned) as i64))))
        }
        Builtin::Ibits => {
            let (kind, _, bits) = integer(args, 0)?;
            let position = arg(args, 1)?.as_int()?;
            let len = u32::try_from(arg(args, 2)?.as_int()?).unwrap_or(0);
            Ok(Some(Scalar::Int(kind, wrap(kind, (right(bits, position) & ones(len)) as i64))))
        }
        Builtin::MergeBits => {
            let (kind, _, a) = integer(args, 0)?;
            let (b, mask) = (integer(args, 1)?.2, integer(args, 2)?.2);
            Ok(Some(Scalar::Int(kind, wrap(kind, (a & mask | b & !mask) as i64))))
        }
        Builtin::Dshiftl | Builtin::Dshiftr => {
            let (kind, _, a) = integer(args, 0)?;
            let b = integer(args, 1)?.2;
            let (by, width) = (arg(args, 2)?.as_int()?, i64::from(width(kind)));
            let bits = if builtin == Builtin::Dshiftl {
                left(a, by) | right(b, width - by)
            } else {
                left(a, width - by) | right(b, by)
            };
            Ok(Some(Scalar::Int(kind, wrap(kind, bits as i64))))
        }
        Builtin::Popcnt => counted(|_, bits| bits.count_ones()),
        Builtin::Poppar => counted(|_, bits| bits.count_ones() & 1),
        Builtin::Leadz => counted(|kind, bits| bits.leading_zeros() + width(kind) - 64),
        Builtin::Trailz => counted(|kind, bits| bits.trailing_zeros().min(width(kind))),
        Builtin::Maskl | Builtin::Maskr => {
            let count = u32::try_from(arg(args, 0)?.as_int()?).unwrap_or(0);
            let kind = kind_arg(args, 1, 4)?;
            let count = count.min(width(kind));
            let low = if builtin == Builtin::Maskr {
                ones(count)
            } else {
                ones(width(kind)) & !ones(width(kind) - count)
            };
            Ok(Some(Scalar::Int(kind, wrap(kind, low as i64))))
        }
        _ => Ok(None),
    }
}
