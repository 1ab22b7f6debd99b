//! Elemental functions of characters.

use super::Builtin;
use super::elemental::{Args, arg, given, kind_arg};
use crate::arith::{compare_chars, padded};
use crate::fault::Run;
use crate::value::Scalar;

/// The length without trailing blanks.
pub(super) fn trimmed(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|&b| b != b' ').map_or(0, |last| last + 1)
}

/// A function of characters; `None` if `builtin` is none.
pub(super) fn function(builtin: Builtin, args: Args<'_, '_>) -> Run<Option<Scalar>> {
    let compare = |f: fn(std::cmp::Ordering) -> bool| -> Run<Option<Scalar>> {
        let (a, b) = (arg(args, 0)?.as_chars()?, arg(args, 1)?.as_chars()?);
        Ok(Some(Scalar::logical(f(compare_chars(&a, &b)))))
    };
    let number = |value: usize, kind_at: usize| -> Run<Option<Scalar>> {
        Ok(Some(Scalar::Int(kind_arg(args, kind_at, 4)?, value as i64)))
    };
    let search = |wanted: bool| -> Run<Option<Scalar>> {
        let (text, set) = (arg(args, 0)?.as_chars()?, arg(args, 1)?.as_chars()?);
        let back = given(args, 2).map_or(Ok(false), Scalar::as_logical)?;
        let hit = |byte: &u8| set.contains(byte) == wanted;
        let found = if back { text.iter().rposition(hit) } else { text.iter().position(hit) };
        number(found.map_or(0, |index| index + 1), 3)
    };
    match builtin {
        Builtin::StringCompare(op) => {
            use xaif_schema::model::BoolOp;
            compare(match op {
                BoolOp::LessThan => |o| o.is_lt(),
                BoolOp::LessOrEqual => |o| o.is_le(),
                BoolOp::GreaterThan => |o| o.is_gt(),
                BoolOp::GreaterOrEqual => |o| o.is_ge(),
                BoolOp::NotEqual => |o| o.is_ne(),
                BoolOp::Equal
                | BoolOp::And
                | BoolOp::Or
                | BoolOp::Not
                | BoolOp::Xor
                | BoolOp::Equivalent => |o| o.is_eq(),
            })
        }
        Builtin::Lge => compare(|o| o.is_ge()),
        Builtin::Lgt => compare(|o| o.is_gt()),
        Builtin::Lle => compare(|o| o.is_le()),
        Builtin::Llt => compare(|o| o.is_lt()),
        Builtin::Char | Builtin::Achar => {
            Ok(Some(Scalar::chars([arg(args, 0)?.as_int()? as u8].as_slice())))
        }
        Builtin::Ichar | Builtin::Iachar => {
            let text = arg(args, 0)?.as_chars()?;
            number(text.first().map_or(0, |&byte| byte.into()), 1)
        }
        Builtin::LenTrim => number(trimmed(&arg(args, 0)?.as_chars()?), 1),
        Builtin::Lnblnk => number(trimmed(&arg(args, 0)?.as_chars()?), 9),
        Builtin::Adjustl => {
            let text = arg(args, 0)?.as_chars()?;
            let start = text.iter().position(|&b| b != b' ').unwrap_or(text.len());
            Ok(Some(Scalar::chars(padded(&text[start..], text.len()))))
        }
        Builtin::Adjustr => {
            let text = arg(args, 0)?.as_chars()?;
            let end = trimmed(&text);
            let mut shifted = vec![b' '; text.len() - end];
            shifted.extend(&text[..end]);
            Ok(Some(Scalar::chars(shifted)))
        }
        Builtin::Index => {
            let (text, part) = (arg(args, 0)?.as_chars()?, arg(args, 1)?.as_chars()?);
            let back = given(args, 2).map_or(Ok(false), Scalar::as_logical)?;
            let last = (text.len() + 1).saturating_sub(part.len());
            let hit = |&at: &usize| text[at..].starts_with(&part);
            let found = if back { (0..last).rev().find(hit) } else { (0..last).find(hit) };
            number(found.map_or(0, |at| at + 1), 3)
        }
        Builtin::Scan => search(true),
        Builtin::Verify => search(false),
        _ => Ok(None),
    }
}
