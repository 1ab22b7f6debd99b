//! Literal constants.
//!
//! Our front-end keeps the text of a literal as the source has it. XAIF 1.0 documents give values:
//! `1.00000000000000000000e+00` with the machine type beside it, `true`, strings without quotes.

use xaif_schema::model::{Constant, ConstantClass, ConstantKind};
use xaif_schema::texts::is_quoted;

/// The text of a literal, without its kind suffix.
pub(crate) fn literal(constant: &Constant) -> String {
    let text = constant.text.trim();
    match constant.class {
        ConstantClass::Real | ConstantClass::Double => real(constant, text),
        ConstantClass::Integer => text.to_owned(),
        ConstantClass::Bool => truth(text),
        ConstantClass::Char | ConstantClass::String => string(&constant.text),
        ConstantClass::Boz | ConstantClass::Hollerith => constant.text.to_string(),
        ConstantClass::Null => "null()".to_owned(),
    }
}

/// Whether the literal begins with a sign, so that it binds like a unary minus.
pub(crate) fn is_signed(constant: &Constant) -> bool {
    matches!(constant.class, ConstantClass::Real | ConstantClass::Double | ConstantClass::Integer)
        && constant.text.trim_start().starts_with(['-', '+'])
}

fn truth(text: &str) -> String {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "t" => ".true.".to_owned(),
        "false" | "0" | "f" => ".false.".to_owned(),
        _ => text.to_owned(),
    }
}

fn string(text: &str) -> String {
    if is_quoted(text) {
        return text.to_owned();
    }
    let line = |line: &str| format!("'{}'", line.replace('\'', "''"));
    let breaks = text.matches(['\n', '\r']).map(|c| if c == "\n" { 10 } else { 13 });
    let mut lines = text.split(['\n', '\r']).map(line);
    let first = lines.next().unwrap_or_default();
    let rest: String =
        breaks.zip(lines).map(|(code, line)| format!("//achar({code})//{line}")).collect();
    if rest.is_empty() { first } else { format!("({first}{rest})") }
}

/// A real literal. Without a kind suffix its exponent letter must tell the kind, which a genuine
/// document tells by the machine type; what whirl2xaif padded with zeros is shortened.
fn real(constant: &Constant, text: &str) -> String {
    let double = constant.class == ConstantClass::Double
        || constant.fe_type.as_deref().is_some_and(|machine| !matches!(machine, "F4"));
    let lower = text.to_ascii_lowercase();
    let (mantissa, exponent) = match lower.find('e') {
        Some(at) => (&lower[..at], &lower[at + 1..]),
        None => (lower.as_str(), "0"),
    };
    let digits = mantissa.trim_start_matches(['-', '+']);
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let exponent = exponent.parse::<i32>().ok().filter(|_| plain);
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    match exponent {
        Some(exponent) if constant.kind == ConstantKind::None && (double || decimals >= 10) => {
            let mantissa = shortened(mantissa);
            match (double, exponent) {
                (false, 0) => mantissa,
                (false, _) => format!("{mantissa}e{exponent}"),
                (true, _) => format!("{mantissa}d{exponent}"),
            }
        }
        _ => with_point(text),
    }
}

/// Without trailing zeros, but with a point and a digit behind it.
fn shortened(mantissa: &str) -> String {
    let mut kept = match mantissa.contains('.') {
        true => mantissa.trim_end_matches('0').to_owned(),
        false => format!("{mantissa}."),
    };
    if kept.ends_with('.') {
        kept.push('0');
    }
    kept
}

/// A real literal must have a point or an exponent.
fn with_point(text: &str) -> String {
    let digits = text.trim_start_matches(['-', '+']);
    if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
        return format!("{text}.0");
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(class: ConstantClass, fe_type: Option<&str>, text: &str) -> String {
        let fe_type = fe_type.map(Into::into);
        literal(&Constant { class, fe_type, text: text.into(), kind: ConstantKind::None })
    }

    #[test]
    fn the_text_of_the_source_stays() {
        assert_eq!(text(ConstantClass::Double, None, "1.50D-03"), "1.50D-03");
        assert_eq!(text(ConstantClass::Real, None, "1.50E-03"), "1.50E-03");
        assert_eq!(text(ConstantClass::String, None, "'it''s'"), "'it''s'");
    }

    #[test]
    fn values_of_genuine_documents_become_literals_of_their_kind() {
        let class = ConstantClass::Real;
        assert_eq!(text(class, Some("F8"), "1.00000000000000000000e+00"), "1.0d0");
        assert_eq!(text(class, Some("F4"), "2.5000000000e+00"), "2.5");
        assert_eq!(
            text(class, Some("F8"), "-3.14149999618530273438e+00"),
            "-3.14149999618530273438d0"
        );
        assert_eq!(text(ConstantClass::Bool, Some("I4"), "true"), ".true.");
        assert_eq!(text(ConstantClass::String, Some("UNK"), "it's"), "'it''s'");
        assert_eq!(text(ConstantClass::String, Some("UNK"), "'a'; stop"), "'''a''; stop'");
        assert_eq!(text(ConstantClass::String, Some("UNK"), "a\n'"), "('a'//achar(10)//'''')");
        assert_eq!(text(ConstantClass::String, Some("UNK"), "'a'//'b'"), "'''a''//''b'''");
    }

    #[test]
    fn a_whole_number_of_type_real_gets_a_point() {
        assert_eq!(text(ConstantClass::Real, None, "2"), "2.0");
    }
}
