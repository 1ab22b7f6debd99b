//! List-directed output, as gfortran 12 formats it: one record, however long.

use super::record::Line;
use crate::fault::Run;
use crate::value::{Scalar, undefined};

/// One record of output.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) line: Line,
    /// The quote around characters.
    quote: Option<u8>,
    empty: bool,
    after_text: bool,
}

impl Listing {
    /// A record that goes on with `line`.
    pub(crate) fn new(line: Line, quote: Option<u8>) -> Self {
        Listing { line, quote, empty: true, after_text: false }
    }

    /// Adds a value.
    pub(crate) fn add(&mut self, value: &Scalar) -> Run<()> {
        let field = item(value, self.quote)?;
        self.add_field(&field, matches!(value, Scalar::Char(_)) && self.quote.is_none());
        Ok(())
    }

    /// Adds what a value looks like.
    pub(crate) fn add_field(&mut self, field: &[u8], is_text: bool) {
        // Strings that follow each other are not separated.
        if self.empty || !(is_text && self.after_text) {
            self.line.put(b" ");
        }
        self.line.put(field);
        self.after_text = is_text;
        self.empty = false;
    }

    /// Adds characters as they are.
    pub(crate) fn add_raw(&mut self, text: &[u8]) {
        if self.empty {
            self.line.put(b" ");
        }
        self.line.put(text);
        self.after_text = false;
        self.empty = false;
    }
}

/// A value without the blank before it.
pub(crate) fn item(value: &Scalar, quote: Option<u8>) -> Run<Vec<u8>> {
    Ok(match value {
        Scalar::Int(kind, value) => {
            let width = match kind {
                1 => 4,
                2 => 6,
                4 => 11,
                _ => 20,
            };
            format!("{value:>width$}").into_bytes()
        }
        Scalar::Logical(_, value) => vec![if *value { b'T' } else { b'F' }],
        Scalar::Char(bytes) => match quote {
            Some(quote) => quoted(bytes, quote),
            None => bytes.to_vec(),
        },
        Scalar::Real(kind, x) => real(*kind, x.v, 0).into_bytes(),
        Scalar::Complex(kind, [re, im]) => {
            let pair = format!("({},{})", real(*kind, re.v, 1).trim(), real(*kind, im.v, 1).trim());
            let width = if *kind == 4 { 35 } else { 53 };
            format!("{pair:>width$}").into_bytes()
        }
        Scalar::Undefined(_) => return undefined(),
    })
}

/// Characters between quotes, those among them doubled.
pub(crate) fn quoted(bytes: &[u8], quote: u8) -> Vec<u8> {
    let mut text = vec![quote];
    for &byte in bytes {
        text.push(byte);
        if byte == quote {
            text.push(quote);
        }
    }
    text.push(quote);
    text
}
/// A real as `1PGw.dEe` writes it. With an exponent, the parts of a complex number get one digit
/// `more` than reals do.
fn real(kind: u8, value: f64, more: usize) -> String {
    let (width, digits, exponent) = if kind == 4 { (16, 9, 2) } else { (25, 17, 3) };
    if value.is_nan() {
        return format!("{:>width$}", "NaN");
    }
    if value.is_infinite() {
        return format!("{:>width$}", if value > 0.0 { "Infinity" } else { "-Infinity" });
    }
    let field = width - exponent - 2;
    let blanks = " ".repeat(exponent + 2);
    if value == 0.0 {
        let zero = format!("{value:.*}", digits - 1);
        return format!("{zero:>field$}{blanks}");
    }
    // The decimal exponent after rounding to the digits that are printed.
    let scientific = format!("{:.*e}", digits - 1, value);
    let (mantissa, power) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    if (-1..digits as i32).contains(&power) {
        let decimals = (digits as i32 - 1 - power) as usize;
        let mut fixed = format!("{value:.decimals$}");
        if decimals == 0 {
            fixed.push('.');
        }
        return format!("{fixed:>field$}{blanks}");
    }
    let scientific = format!("{:.*e}", digits - 1 + more, value);
    let mantissa = scientific.split_once('e').map_or(mantissa, |(mantissa, _)| mantissa);
    let sign = if power < 0 { '-' } else { '+' };
    let text = format!("{mantissa}E{sign}{:0exponent$}", power.abs());
    format!("{text:>width$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Num;

    fn line(values: &[Scalar]) -> String {
        let mut listing = Listing::new(Line::default(), None);
        for value in values {
            assert!(listing.add(value).is_ok());
        }
        String::from_utf8(listing.line.take()).expect("plain text")
    }

    #[test]
    fn records_are_those_of_gfortran() {
        let double = |v| Scalar::Real(8, Num::of(v));
        assert_eq!(line(&[Scalar::int(1), Scalar::Int(8, 2)]), "           1                    2");
        assert_eq!(line(&[double(1.0)]), "   1.0000000000000000     ");
        assert_eq!(line(&[double(-1e-5)]), "  -1.0000000000000001E-005");
        assert_eq!(line(&[double(0.1)]), "  0.10000000000000001     ");
        assert_eq!(line(&[double(1e16)]), "   10000000000000000.     ");
        assert_eq!(line(&[Scalar::Real(4, Num::of(f64::from(-2.5e-7f32)))]), "  -2.49999999E-07");
        let text = |s: &str| Scalar::chars(s.as_bytes());
        assert_eq!(line(&[text("abc"), text("def"), Scalar::int(1)]), " abcdef           1");
    }
}
