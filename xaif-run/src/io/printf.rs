//! Output of C: `printf`, `puts`, `putchar`, and `assert`.
//!
//! The text of a marker is the call as C has it; operands stand in it by number. What goes to standard error is
//! left out, as that of Fortran is.

use xaif_schema::diag::Code;
use xaif_schema::model::{ExprId, Marker, Piece};

use crate::fault::{Run, fault, refuse};
use crate::machine::Machine;
use crate::value::Scalar;

/// An argument of a call.
enum Argument {
    Text(Vec<u8>),
    Word(String),
    Value(ExprId),
}

/// The function that a marker calls, where it is one of C's.
pub(super) fn function(marker: &Marker) -> Option<&str> {
    let Some(Piece::Text(text)) = marker.text.first() else { return None };
    let (word, _) = text.split_once('(')?;
    ["printf", "fprintf", "puts", "putchar", "fflush", "assert"].contains(&word).then_some(word)
}

impl Machine<'_> {
    /// Executes a call of C's output.
    pub(super) fn c_output(&mut self, marker: &Marker, function: &str) -> Run<Option<i64>> {
        let arguments = arguments(marker);
        match (function, &arguments[..]) {
            ("printf", [Argument::Text(format), rest @ ..]) => {
                let text = self.c_formatted(format, rest)?;
                self.output.extend(text);
            }
            ("fprintf", [Argument::Word(stream), Argument::Text(format), rest @ ..]) => {
                let text = self.c_formatted(format, rest)?;
                if stream == "stdout" {
                    self.output.extend(text);
                }
            }
            ("puts", [Argument::Text(text)]) => {
                self.output.extend(text);
                self.output.push(b'\n');
            }
            ("putchar", [Argument::Value(value)]) => {
                let code = self.int(*value)?;
                self.output.push(u8::try_from(code & 0xff).unwrap_or(0));
            }
            ("fflush", _) => {}
            ("assert", [Argument::Value(value)]) => {
                if !self.logical(*value)? {
                    return fault(Code::RUN_ASSERTION, "an assertion does not hold");
                }
            }
            _ => return refuse(format!("a call of `{function}` with such arguments")),
        }
        Ok(None)
    }

    /// The text of a format with its values.
    fn c_formatted(&mut self, format: &[u8], arguments: &[Argument]) -> Run<Vec<u8>> {
        let mut text = Vec::new();
        let mut arguments = arguments.iter();
        let mut at = 0;
        while let Some(&byte) = format.get(at) {
            at += 1;
            if byte != b'%' {
                text.push(byte);
                continue;
            }
            if format.get(at) == Some(&b'%') {
                text.push(b'%');
                at += 1;
                continue;
            }
            let (mut spec, next) = Conversion::read(format, at);
            at = next;
            for (star, slot) in [(spec.star_width, 0), (spec.star_precision, 1)] {
                if star {
                    let Some(Argument::Value(value)) = arguments.next() else {
                        return fault(Code::RUN_FORMAT, "a format lacks a value");
                    };
                    let value = self.int(*value)?;
                    if slot == 0 {
                        spec.left |= value < 0;
                        spec.width = usize::try_from(value.unsigned_abs()).unwrap_or(0);
                    } else {
                        spec.precision = usize::try_from(value).ok();
                    }
                }
            }
            let field = match arguments.next() {
                Some(Argument::Value(value)) => {
                    let value = self.eval_scalar(*value)?;
                    spec.value(&value)?
                }
                Some(Argument::Text(string)) if spec.letter == b's' => {
                    let length = spec.precision.unwrap_or(string.len()).min(string.len());
                    string[..length].to_vec()
                }
                Some(Argument::Text(_) | Argument::Word(_)) | None => {
                    return fault(Code::RUN_FORMAT, "a format lacks a value, or has another one");
                }
            };
            spec.padded(&field, &mut text);
        }
        Ok(text)
    }
}

/// `%-08.3f`
#[derive(Default)]
struct Conversion {
    left: bool,
    plus: bool,
    blank: bool,
    zero: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    star_width: bool,
    star_precision: bool,
    letter: u8,
}

impl Conversion {
    /// Reads one behind its `%`; the position behind it.
    fn read(format: &[u8], from: usize) -> (Self, usize) {
        let mut spec = Conversion::default();
        let mut at = from;
        while let Some(&byte) = format.get(at) {
            match byte {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.blank = true,
                b'0' => spec.zero = true,
                b'#' => spec.alternate = true,
                _ => break,
            }
            at += 1;
        }
        if format.get(at) == Some(&b'*') {
            spec.star_width = true;
            at += 1;
        }
        let number = |at: &mut usize| {
            let mut value = 0_usize;
            while let Some(digit) = format.get(*at).filter(|byte| byte.is_ascii_digit()) {
                value =
                    value.saturating_mul(10).saturating_add(usize::from(digit - b'0')).min(10_000);
                *at += 1;
            }
            value
        };
        if !spec.star_width {
            spec.width = number(&mut at);
        }
        if format.get(at) == Some(&b'.') {
            at += 1;
            if format.get(at) == Some(&b'*') {
                spec.star_precision = true;
                at += 1;
            } else {
                spec.precision = Some(number(&mut at));
            }
        }
        while matches!(format.get(at), Some(b'l' | b'h' | b'z' | b'j' | b't' | b'L')) {
            at += 1;
        }
        spec.letter = format.get(at).copied().unwrap_or(b'%');
        (spec, at + 1)
    }

    fn value(&self, value: &Scalar) -> Run<Vec<u8>> {
        match (self.letter, value) {
            (b'c', _) => Ok(vec![u8::try_from(value.as_int()? & 0xff).unwrap_or(0)]),
            (b'd' | b'i', Scalar::Int(..) | Scalar::Logical(..)) => {
                let number = integer(value)?;
                Ok(self.signed(number < 0, self.digits(number.unsigned_abs().to_string())))
            }
            (b'u' | b'x' | b'X' | b'o', Scalar::Int(kind, number)) => {
                let mask = if *kind == 8 { u64::MAX } else { (1 << (8 * u32::from(*kind))) - 1 };
                #[allow(clippy::cast_sign_loss)]
                let number = (*number as u64) & mask;
                let digits = match self.letter {
                    b'u' => number.to_string(),
                    b'x' => format!("{number:x}"),
                    b'X' => format!("{number:X}"),
                    _ => format!("{number:o}"),
                };
                Ok(self.digits(digits).into_bytes())
            }
            (b'e' | b'E' | b'f' | b'F' | b'g' | b'G', Scalar::Real(_, number)) => {
                Ok(self.real(number.v))
            }
            _ => fault(Code::RUN_FORMAT, "a value has another type than the format says"),
        }
    }

    fn digits(&self, digits: String) -> String {
        let wanted = self.precision.unwrap_or(1);
        let digits = if wanted == 0 && digits == "0" { String::new() } else { digits };
        let missing = wanted.saturating_sub(digits.len());
        format!("{}{digits}", "0".repeat(missing))
    }

    fn signed(&self, negative: bool, digits: String) -> Vec<u8> {
        let sign = match (negative, self.plus, self.blank) {
            (true, ..) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        };
        format!("{sign}{digits}").into_bytes()
    }

    fn real(&self, value: f64) -> Vec<u8> {
        let upper = self.letter.is_ascii_uppercase();
        let magnitude = value.abs();
        let text = if value.is_nan() {
            "nan".to_owned()
        } else if value.is_infinite() {
            "inf".to_owned()
        } else {
            let precision = self.precision.unwrap_or(6);
            match self.letter.to_ascii_lowercase() {
                b'f' => format!("{magnitude:.precision$}"),
                b'e' => exponential(magnitude, precision),
                _ => self.general(magnitude, precision.max(1)),
            }
        };
        let text = if upper { text.to_ascii_uppercase() } else { text };
        let negative = value.is_sign_negative() && !value.is_nan()
            || value.is_nan() && value.is_sign_negative();
        self.signed(negative, text)
    }

    /// `%g`: the shorter of both forms, without zeros at the end.
    fn general(&self, magnitude: f64, precision: usize) -> String {
        let scientific = exponential(magnitude, precision - 1);
        let exponent: i64 =
            scientific.split_once('e').and_then(|(_, text)| text.parse().ok()).unwrap_or(0);
        let wanted = i64::try_from(precision).unwrap_or(i64::MAX);
        let trimmed = |text: &str| {
            if self.alternate || !text.contains('.') {
                return text.to_owned();
            }
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        };
        if exponent < -4 || exponent >= wanted {
            let (mantissa, power) = scientific.split_once('e').unwrap_or((&scientific, "+00"));
            return format!("{}e{power}", trimmed(mantissa));
        }
        let decimals = usize::try_from(wanted - 1 - exponent).unwrap_or(0);
        trimmed(&format!("{magnitude:.decimals$}"))
    }

    fn padded(&self, field: &[u8], text: &mut Vec<u8>) {
        let missing = self.width.saturating_sub(field.len());
        let number = !matches!(self.letter, b'c' | b's');
        let finite = field.iter().any(u8::is_ascii_digit);
        let whole = matches!(self.letter, b'd' | b'i' | b'u' | b'x' | b'X' | b'o')
            && self.precision.is_some();
        if self.left {
            text.extend(field);
            text.extend(std::iter::repeat_n(b' ', missing));
        } else if self.zero && number && finite && !whole {
            let signs = field.iter().take_while(|byte| matches!(byte, b'-' | b'+' | b' ')).count();
            text.extend(&field[..signs]);
            text.extend(std::iter::repeat_n(b'0', missing));
            text.extend(&field[signs..]);
        } else {
            text.extend(std::iter::repeat_n(b' ', missing));
            text.extend(field);
        }
    }
}

fn integer(value: &Scalar) -> Run<i64> {
    match value {
        Scalar::Logical(_, value) => Ok(i64::from(*value)),
        _ => value.as_int(),
    }
}

/// `1.500000e+01`
fn exponential(magnitude: f64, precision: usize) -> String {
    let text = format!("{magnitude:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', exponent),
    };
    format!("{mantissa}e{sign}{digits:0>2}")
}

/// The arguments of a call as the pieces have them.
fn arguments(marker: &Marker) -> Vec<Argument> {
    let mut found: Vec<Argument> = Vec::new();
    for (index, piece) in marker.text.iter().enumerate() {
        match piece {
            Piece::Operand(number) => {
                if let Some(operand) = marker.operands.get(*number) {
                    found.push(Argument::Value(operand.expr));
                }
            }
            Piece::Text(text) => {
                let text = if index == 0 {
                    text.split_once('(').map_or("", |(_, rest)| rest)
                } else {
                    text
                };
                literals(text, &mut found);
            }
            Piece::Label(_) | Piece::StatementLabel(_) => {}
        }
    }
    found
}

/// Strings and words of a stretch of text; strings behind each other are one.
fn literals(text: &str, found: &mut Vec<Argument>) {
    let bytes = text.as_bytes();
    let (mut at, mut joined) = (0, false);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                let (string, next) = string(bytes, at + 1);
                at = next;
                match found.last_mut() {
                    Some(Argument::Text(before)) if joined => before.extend(string),
                    _ => found.push(Argument::Text(string)),
                }
                joined = true;
            }
            b',' | b')' => {
                joined = false;
                at += 1;
            }
            byte if byte.is_ascii_alphabetic() => {
                let end = bytes[at..]
                    .iter()
                    .position(|byte| !byte.is_ascii_alphanumeric())
                    .map_or(bytes.len(), |end| at + end);
                found.push(Argument::Word(text[at..end].to_owned()));
                at = end;
            }
            _ => at += 1,
        }
    }
}

/// The bytes of a string literal from behind its quote, and the position behind it.
fn string(bytes: &[u8], from: usize) -> (Vec<u8>, usize) {
    let mut result = Vec::new();
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => break,
            b'\\' => {
                let code = bytes.get(at).copied().unwrap_or(b'\\');
                at += 1;
                match code {
                    b'n' => result.push(b'\n'),
                    b't' => result.push(b'\t'),
                    b'r' => result.push(b'\r'),
                    b'a' => result.push(7),
                    b'0'..=b'7' => {
                        let mut value = u32::from(code - b'0');
                        while let Some(digit) =
                            bytes.get(at).filter(|digit| matches!(digit, b'0'..=b'7'))
                        {
                            value = (value * 8 + u32::from(digit - b'0')) & 0xff;
                            at += 1;
                        }
                        result.push(u8::try_from(value).unwrap_or(0));
                    }
                    other => result.push(other),
                }
            }
            other => result.push(other),
        }
    }
    (result, at)
}
