//! Values as edit descriptors write them, byte for byte as gfortran 12 does.
//!
//! Decimal digits are those of the exact value, ties to even. A field that is too narrow is filled
//! with asterisks; a leading zero is left out where there is no room for it or where the width is
//! zero.

use xaif_schema::diag::Code;

use super::format::{Edit, Style};
use crate::fault::{Run, fault};
use crate::value::{Scalar, undefined};

/// What control descriptors have set.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Settings {
    /// `kP`
    pub(crate) scale: i32,
    /// `SP`
    pub(crate) plus: bool,
    /// `BZ`
    pub(crate) blank_is_zero: bool,
}

/// The field that `edit` makes of `value`. Complex numbers come as two reals.
pub(crate) fn field(edit: &Edit, settings: Settings, value: &Scalar) -> Run<Vec<u8>> {
    if let Scalar::Undefined(_) = value {
        return undefined();
    }
    let found = match edit {
        Edit::Integer { width, least } => match value {
            Scalar::Int(_, value) => Some(integer(*value, *width, *least, settings.plus)),
            _ => None,
        },
        Edit::Bits { bits, width, least } => {
            storage(value).map(|bytes| digits(&bytes, *bits, *width, *least))
        }
        Edit::Logical { width } => match value {
            Scalar::Logical(_, value) => Some(logical(*value, *width)),
            _ => None,
        },
        Edit::Text { width } => match value {
            Scalar::Char(bytes) => Some(text(bytes, *width)),
            // Hollerith: characters in the storage of numbers.
            other => storage(other).map(|bytes| text(&bytes, *width)),
        },
        Edit::Fixed { width, decimals } => match value {
            Scalar::Real(_, x) => Some(fixed(x.v, *width, *decimals, settings)),
            _ => None,
        },
        Edit::Exponent { style, width, decimals, exponent } => match value {
            Scalar::Real(_, x) => {
                Some(with_exponent(x.v, *style, *width, *decimals, *exponent, settings))
            }
            _ => None,
        },
        Edit::General { width, decimals, exponent } => match value {
            Scalar::Int(_, value) => Some(integer(*value, *width, None, settings.plus)),
            Scalar::Logical(_, value) => Some(logical(*value, *width)),
            Scalar::Char(bytes) => Some(text(bytes, (*width > 0).then_some(*width))),
            Scalar::Real(kind, x) => {
                let decimals = decimals.unwrap_or(if *kind == 4 { 9 } else { 17 });
                Some(general(x.v, *width, decimals, *exponent, settings))
            }
            Scalar::Complex(..) | Scalar::Undefined(_) => None,
        },
        Edit::Derived { .. } => None,
    };
    match found {
        Some(found) => Ok(found),
        None => fault(
            Code::RUN_FORMAT,
            format!("the edit descriptor for this item does not take {}", value.elem().name()),
        ),
    }
}

/// The bytes that a number takes in storage.
fn storage(value: &Scalar) -> Option<Vec<u8>> {
    let of_integer =
        |kind: u8, value: i64| value.to_le_bytes().get(..usize::from(kind)).map(<[u8]>::to_vec);
    match value {
        Scalar::Int(kind, value) => of_integer(*kind, *value),
        Scalar::Logical(kind, value) => of_integer(*kind, i64::from(*value)),
        Scalar::Real(4, x) => Some((x.v as f32).to_le_bytes().to_vec()),
        Scalar::Real(_, x) => Some(x.v.to_le_bytes().to_vec()),
        Scalar::Complex(..) | Scalar::Char(_) | Scalar::Undefined(_) => None,
    }
}

fn stars(width: usize) -> Vec<u8> {
    vec![b'*'; width]
}

/// `text` right-justified, or asterisks.
fn justified(text: &str, width: usize) -> Vec<u8> {
    if width > 0 && text.len() > width {
        return stars(width);
    }
    format!("{text:>width$}").into_bytes()
}

fn integer(value: i64, width: usize, least: Option<usize>, plus: bool) -> Vec<u8> {
    let mut text = value.unsigned_abs().to_string();
    if least == Some(0) && value == 0 {
        text.clear();
    }
    let least = least.unwrap_or(1);
    text = format!("{text:0>least$}");
    if least == 0 && value == 0 {
        return vec![b' '; width.max(1)];
    }
    if value < 0 {
        text.insert(0, '-');
    } else if plus {
        text.insert(0, '+');
    }
    justified(&text, width)
}

/// The bits of a number, most significant first.
fn digits(bytes: &[u8], bits: u32, width: usize, least: Option<usize>) -> Vec<u8> {
    let value = bytes.iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte));
    let text = match bits {
        1 => format!("{value:b}"),
        3 => format!("{value:o}"),
        _ => format!("{value:X}"),
    };
    let text = if least == Some(0) && value == 0 { String::new() } else { text };
    justified(&format!("{text:0>0$}", least.unwrap_or(1)), width)
}

fn logical(value: bool, width: usize) -> Vec<u8> {
    format!("{:>1$}", if value { "T" } else { "F" }, width.max(1)).into_bytes()
}

fn text(bytes: &[u8], width: Option<usize>) -> Vec<u8> {
    let width = width.unwrap_or(bytes.len());
    let mut field = vec![b' '; width.saturating_sub(bytes.len())];
    field.extend(bytes.iter().take(width));
    field
}

/// What is no number, or has no end; `None` for ordinary numbers.
fn special(value: f64, width: usize, plus: bool) -> Option<Vec<u8>> {
    if value.is_nan() {
        return Some(justified("NaN", width));
    }
    if value.is_finite() {
        return None;
    }
    let sign = sign(value < 0.0, plus);
    let long = format!("{sign}Infinity");
    // The long name needs a column for a sign, whether there is one or not.
    Some(if width == 0 || width >= long.len() {
        justified(&long, width)
    } else {
        justified(&format!("{sign}Inf"), width)
    })
}

fn sign(negative: bool, plus: bool) -> &'static str {
    match (negative, plus) {
        (true, _) => "-",
        (false, true) => "+",
        (false, false) => "",
    }
}

/// Sign and digits, with the leading zero that may be left out.
fn number(negative: bool, plus: bool, digits: &str, width: usize) -> Vec<u8> {
    let sign = sign(negative, plus);
    let long = sign.len() + digits.len() > width;
    // Something must stand before or behind the point.
    let short = digits.strip_prefix('0').filter(|rest| rest.starts_with('.') && rest.len() > 1);
    let digits = if long { short.unwrap_or(digits) } else { digits };
    justified(&format!("{sign}{digits}"), width)
}

/// Moves the point of a decimal number to the right.
fn shifted(text: &str, places: usize) -> String {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut fraction = fraction.to_string();
    while fraction.len() < places {
        fraction.push('0');
    }
    let (moved, fraction) = fraction.split_at(places);
    let whole = format!("{whole}{moved}");
    let whole = whole.trim_start_matches('0');
    format!("{}.{fraction}", if whole.is_empty() { "0" } else { whole })
}

fn fixed(value: f64, width: usize, decimals: usize, settings: Settings) -> Vec<u8> {
    if let Some(field) = special(value, width, settings.plus) {
        return field;
    }
    let size = value.abs();
    let scale = settings.scale;
    let text = if scale >= 0 {
        let scale = scale.unsigned_abs() as usize;
        shifted(&format!("{size:.0$}", decimals + scale), scale)
    } else {
        // The digits that remain, then the point to the left of them.
        let keep = decimals as i64 - i64::from(scale.unsigned_abs());
        scaled_down(size, keep, decimals)
    };
    number(value.is_sign_negative(), settings.plus, &text, width)
}

/// `size`, rounded at the decimal place `keep`, written with `decimals` digits behind the point
/// after it was divided by ten to the power `decimals - keep`.
fn scaled_down(size: f64, keep: i64, decimals: usize) -> String {
    let digits = if keep >= 0 {
        format!("{size:.0$}", keep as usize).replace('.', "")
    } else {
        let places = keep.unsigned_abs() as usize;
        let scientific = format!("{size:e}");
        let power: i64 =
            scientific.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0);
        let left = power - places as i64;
        if left < 0 {
            // Half a unit or more of the last place iterations up.
            let up = left == -1 && size > 0.5 * 10f64.powi(places as i32);
            if up { "1".to_string() } else { "0".to_string() }
        } else {
            format!("{size:.0$e}", left as usize).split_once('e').map_or(
                String::new(),
                |(mantissa, power)| {
                    let mut digits = mantissa.replace('.', "");
                    let power: i64 = power.parse().unwrap_or(0);
                    digits.extend(std::iter::repeat_n('0', (power - left).max(0) as usize));
                    digits
                },
            )
        }
    };
    let digits = format!("{digits:0>0$}", decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let whole = whole.trim_start_matches('0');
    format!("{}.{fraction}", if whole.is_empty() { "0" } else { whole })
}

/// `count` digits of a number that is not zero, rounded, and the power of ten of the first one.
fn significant(size: f64, count: usize) -> (String, i32) {
    let text = format!("{size:.0$e}", count.max(1) - 1);
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.replace('.', ""), power.parse().unwrap_or(0))
}

fn with_exponent(
    value: f64,
    style: Style,
    width: usize,
    decimals: usize,
    exponent: Option<usize>,
    settings: Settings,
) -> Vec<u8> {
    if let Some(field) = special(value, width, settings.plus) {
        return field;
    }
    let size = value.abs();
    let zero = size == 0.0;
    // How many digits stand before the point.
    let mut before = match style {
        Style::E | Style::D => settings.scale,
        Style::Scientific | Style::Engineering => 1,
    };
    let count = match before {
        ..=0 => decimals as i32 + before,
        _ => decimals as i32 + 1,
    };
    let count = match style {
        Style::E | Style::D if before > decimals as i32 + 1 => before,
        _ => count.max(1),
    } as usize;
    let (mut digits, mut power) =
        if zero { ("0".repeat(count), 0) } else { significant(size, count) };
    if style == Style::Engineering {
        before = power.rem_euclid(3) + 1;
        if !zero {
            (digits, power) = significant(size, decimals + before as usize);
            // Rounding may have made one digit more.
            before = power.rem_euclid(3) + 1;
            while digits.len() < decimals + before as usize {
                digits.push('0');
            }
        } else {
            digits = "0".repeat(decimals + 1);
        }
    }
    let power = if zero { 0 } else { power + 1 - before };
    let mantissa = if before > 0 {
        let (whole, fraction) = digits.split_at((before as usize).min(digits.len()));
        let fraction = fraction.get(..decimals).unwrap_or(fraction);
        format!("{whole}.{fraction}")
    } else {
        format!("0.{}{digits}", "0".repeat(before.unsigned_abs() as usize))
    };
    let letter = if style == Style::D { 'D' } else { 'E' };
    let power_sign = if power < 0 { '-' } else { '+' };
    let size = power.unsigned_abs();
    let tail = match exponent {
        Some(places) if places > 0 => {
            let text = format!("{size:0>places$}");
            if text.len() > places {
                return stars(width);
            }
            format!("{letter}{power_sign}{text}")
        }
        // As few digits as there are.
        Some(_) => format!("{letter}{power_sign}{size}"),
        None if width == 0 && size == 0 => String::new(),
        None if width == 0 => format!("{letter}{power_sign}{size}"),
        None if size < 100 => format!("{letter}{power_sign}{size:02}"),
        None => format!("{power_sign}{size:03}"),
    };
    let text = format!("{mantissa}{tail}");
    if width == 0 {
        // This form keeps its leading zero.
        return format!("{}{text}", sign(value.is_sign_negative(), settings.plus)).into_bytes();
    }
    number(value.is_sign_negative(), settings.plus, &text, width)
}

fn general(
    value: f64,
    width: usize,
    decimals: usize,
    exponent: Option<usize>,
    settings: Settings,
) -> Vec<u8> {
    if let Some(field) = special(value, width, settings.plus) {
        return field;
    }
    let size = value.abs();
    let blanks = match (width, exponent) {
        (0, _) => 0,
        (_, Some(places)) => places + 2,
        (_, None) => 4,
    };
    let power = if size == 0.0 { 0 } else { significant(size, decimals).1 };
    let fits = size == 0.0 || (-1..decimals as i32).contains(&power);
    if !fits {
        return with_exponent(value, Style::E, width, decimals, exponent, settings);
    }
    let behind = (decimals as i32 - 1 - power).max(0) as usize;
    let plain = Settings { scale: 0, ..settings };
    let inner = width.saturating_sub(blanks);
    let mut field = fixed(value, inner, behind, plain);
    if width == 0 && field.first() == Some(&b'.') {
        field.insert(0, b'0');
    } else if width == 0 && field.starts_with(b"-.") {
        field.insert(1, b'0');
    }
    field.extend(vec![b' '; blanks]);
    field
}
