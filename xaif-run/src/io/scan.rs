//! Values from characters: the fields of formatted input, the words of list-directed input.

use std::str::FromStr;

use super::edit::Settings;
use super::format::Edit;
use crate::fault::Halt;
use crate::num::Num;
use crate::value::{Elem, Scalar, wrap};

/// What ends a data transfer early.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The end of the file.
    End,
    /// The end of a record that is read without advancing.
    Record,
    /// An error that the program may catch, with the number that gfortran gives it.
    Bad(i64, String),
    /// A fault that it cannot.
    Halt(Box<Halt>),
}

/// The result of a data transfer.
pub(crate) type Io<T> = Result<T, Trouble>;

/// gfortran's number for a value that cannot be read.
const BAD_VALUE: i64 = 5010;

impl Trouble {
    /// A value that cannot be read.
    pub(crate) fn bad(message: impl Into<String>) -> Self {
        Trouble::Bad(BAD_VALUE, message.into())
    }
}

impl From<Box<Halt>> for Trouble {
    fn from(halt: Box<Halt>) -> Self {
        Trouble::Halt(halt)
    }
}

fn bad<T>(text: &str, elem: Elem) -> Io<T> {
    Err(Trouble::bad(format!("`{}` is no value of type {}", text.trim(), elem.name())))
}

/// The value of a word of list-directed input.
pub(crate) fn listed(word: &[u8], elem: Elem) -> Io<Scalar> {
    let text = String::from_utf8_lossy(word);
    match elem {
        Elem::Char(length) => Ok(characters(word, length)),
        Elem::Complex(kind) => {
            let inner = text.trim().strip_prefix('(').and_then(|text| text.strip_suffix(')'));
            match inner.and_then(|inner| inner.split_once(',')) {
                Some((re, im)) => Ok(Scalar::Complex(
                    kind,
                    [real(re, kind, 0, 0, elem)?, real(im, kind, 0, 0, elem)?],
                )),
                None => bad(&text, elem),
            }
        }
        Elem::Int(_) | Elem::Real(_) | Elem::Logical(_) | Elem::Derived(_) => {
            number(&text, elem, 0, 0)
        }
    }
}

/// The value of a field that `edit` describes.
pub(crate) fn field(edit: &Edit, settings: Settings, field: &[u8], elem: Elem) -> Io<Scalar> {
    let text: String = String::from_utf8_lossy(field).into_owned();
    let filled = if settings.blank_is_zero {
        let trimmed = text.trim_start();
        trimmed.replace(' ', "0")
    } else {
        text.replace(' ', "")
    };
    let fits = match edit {
        Edit::Integer { .. } => matches!(elem, Elem::Int(_)),
        Edit::Fixed { .. } | Edit::Exponent { .. } => matches!(elem, Elem::Real(_)),
        Edit::Logical { .. } => matches!(elem, Elem::Logical(_)),
        Edit::General { .. } | Edit::Text { .. } | Edit::Bits { .. } => true,
        Edit::Derived { .. } => false,
    };
    if !fits {
        return Err(Trouble::Bad(
            5006,
            format!("the edit descriptor for this item does not take {}", elem.name()),
        ));
    }
    match edit {
        Edit::Text { width } => match elem {
            Elem::Char(length) => {
                // Of a wider field the last characters count.
                let extra = width.unwrap_or(length).saturating_sub(length);
                Ok(characters(field.get(extra..).unwrap_or(&[]), length))
            }
            Elem::Int(kind) => {
                let bytes = field.iter().copied().chain(std::iter::repeat(b' '));
                let bytes: Vec<u8> = bytes.take(usize::from(kind)).collect();
                let value = bytes.iter().rev().fold(0i64, |value, &b| value << 8 | i64::from(b));
                Ok(Scalar::Int(kind, wrap(kind, value)))
            }
            _ => bad(&text, elem),
        },
        Edit::Bits { bits, .. } => {
            let value =
                if filled.is_empty() { Ok(0) } else { u64::from_str_radix(&filled, 1 << bits) };
            match (value, elem) {
                (Ok(value), Elem::Int(kind)) => Ok(Scalar::Int(kind, wrap(kind, value as i64))),
                _ => bad(&text, elem),
            }
        }
        Edit::General { .. } if matches!(elem, Elem::Char(_)) => Ok(match elem {
            Elem::Char(length) => characters(field, length),
            _ => return bad(&text, elem),
        }),
        Edit::Fixed { decimals, .. } | Edit::Exponent { decimals, .. } => {
            number(&filled, elem, *decimals, settings.scale)
        }
        Edit::General { decimals, .. } => {
            number(&filled, elem, decimals.unwrap_or(0), settings.scale)
        }
        Edit::Integer { .. } | Edit::Logical { .. } | Edit::Derived { .. } => {
            number(&filled, elem, 0, 0)
        }
    }
}

fn characters(bytes: &[u8], length: usize) -> Scalar {
    let mut text: Vec<u8> = bytes.iter().copied().take(length).collect();
    text.resize(length, b' ');
    Scalar::chars(text)
}

fn number(text: &str, elem: Elem, decimals: usize, scale: i32) -> Io<Scalar> {
    match elem {
        Elem::Int(kind) if text.trim().is_empty() => Ok(Scalar::Int(kind, 0)),
        Elem::Int(kind) => match text.trim().parse::<i64>() {
            Ok(value) if wrap(kind, value) == value => Ok(Scalar::Int(kind, value)),
            Ok(_) | Err(_) => bad(text, elem),
        },
        Elem::Real(kind) => Ok(Scalar::Real(kind, real(text, kind, decimals, scale, elem)?)),
        Elem::Logical(kind) => {
            let word = text.trim().trim_start_matches('.').to_ascii_lowercase();
            match word.chars().next() {
                Some('t') => Ok(Scalar::Logical(kind, true)),
                Some('f') => Ok(Scalar::Logical(kind, false)),
                Some(_) | None => bad(text, elem),
            }
        }
        Elem::Complex(_) | Elem::Char(_) | Elem::Derived(_) => bad(text, elem),
    }
}

/// A real number; without a point the last `decimals` digits stand behind it, without an exponent
/// it is divided by ten to the power `scale`.
fn real(text: &str, kind: u8, decimals: usize, scale: i32, elem: Elem) -> Io<Num> {
    let word: String = text.trim().to_ascii_lowercase();
    if word.is_empty() {
        return Ok(Num::default());
    }
    let unsigned = word.trim_start_matches(['+', '-']);
    let value = if unsigned.starts_with("inf") || unsigned.starts_with("nan") {
        let size = if unsigned.starts_with('i') { f64::INFINITY } else { f64::NAN };
        Some(if word.starts_with('-') { -size } else { size })
    } else {
        plain_real(&word, kind, decimals, scale)
    };
    match value {
        Some(value) => Ok(Num::of(value)),
        None => bad(text, elem),
    }
}

fn plain_real(word: &str, kind: u8, decimals: usize, scale: i32) -> Option<f64> {
    // The exponent may lack its letter: 1.5+3.
    let body = word.trim_start_matches(['+', '-']);
    let split = body.find(['e', 'd', 'q', '+', '-']);
    let (mantissa, exponent) = body.split_at(split.unwrap_or(body.len()));
    if !mantissa.bytes().all(|c| c.is_ascii_digit() || c == b'.')
        || !mantissa.bytes().any(|c| c.is_ascii_digit())
    {
        return None;
    }
    let exponent = exponent.trim_start_matches(['e', 'd', 'q']);
    let mut power = if split.is_some() { i64::from_str(exponent).ok()? } else { -i64::from(scale) };
    if !mantissa.contains('.') {
        power -= decimals as i64;
    }
    let sign = if word.starts_with('-') { "-" } else { "" };
    let text = format!("{sign}{mantissa}e{power}");
    if kind == 4 { text.parse::<f32>().ok().map(f64::from) } else { text.parse().ok() }
}
