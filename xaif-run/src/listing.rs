//! List-directed output, as gfortran 12 formats it: one record, however long.

use crate::fault::Run;
use crate::num::Num;
use crate::value::{Scalar, undefined};

/// One record of output.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    text: String,
    after_text: bool,
}

impl Listing {
    /// An empty record.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a value.
    pub(crate) fn add(&mut self, value: &Scalar) -> Run<()> {
        let is_text = matches!(value, Scalar::Char(_));
        // Strings that follow each other are not separated.
        if self.text.is_empty() || !(is_text && self.after_text) {
            self.text.push(' ');
        }
        self.after_text = is_text;
        match value {
            Scalar::Int(kind, value) => {
                let width = match kind {
                    1 => 4,
                    2 => 6,
                    4 => 11,
                    _ => 20,
                };
                self.text.push_str(&format!("{value:>width$}"));
            }
            Scalar::Logical(_, value) => self.text.push(if *value { 'T' } else { 'F' }),
            Scalar::Char(bytes) => self.text.push_str(&String::from_utf8_lossy(bytes)),
            Scalar::Real(kind, value) => self.text.push_str(&real(*kind, *value, 0)),
            Scalar::Complex(kind, [re, im]) => {
                let pair =
                    format!("({},{})", real(*kind, *re, 1).trim(), real(*kind, *im, 1).trim());
                let width = if *kind == 4 { 35 } else { 53 };
                self.text.push_str(&format!("{pair:>width$}"));
            }
            Scalar::Undefined(_) => return undefined(),
        }
        Ok(())
    }

    /// The record with its end.
    pub(crate) fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }
}

/// A real as `1PGw.dEe` writes it. With an exponent, the parts of a complex number get one digit
/// `more` than reals do.
fn real(kind: u8, value: Num, more: usize) -> String {
    let (width, digits, exponent) = if kind == 4 { (16, 9, 2) } else { (25, 17, 3) };
    let value = value.v;
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

    fn line(values: &[Scalar]) -> String {
        let mut listing = Listing::new();
        for value in values {
            assert!(listing.add(value).is_ok());
        }
        listing.finish()
    }

    #[test]
    fn records_are_those_of_gfortran() {
        let double = |v| Scalar::Real(8, Num::of(v));
        assert_eq!(
            line(&[Scalar::int(1), Scalar::Int(8, 2)]),
            "           1                    2\n"
        );
        assert_eq!(line(&[double(1.0)]), "   1.0000000000000000     \n");
        assert_eq!(line(&[double(-1e-5)]), "  -1.0000000000000001E-005\n");
        assert_eq!(line(&[double(0.1)]), "  0.10000000000000001     \n");
        assert_eq!(line(&[double(1e16)]), "   10000000000000000.     \n");
        assert_eq!(line(&[Scalar::Real(4, Num::of(f64::from(-2.5e-7f32)))]), "  -2.49999999E-07\n");
        let text = |s: &str| Scalar::chars(s.as_bytes());
        assert_eq!(line(&[text("abc"), text("def"), Scalar::int(1)]), " abcdef           1\n");
    }
}
