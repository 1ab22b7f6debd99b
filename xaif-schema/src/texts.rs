//! Texts that a document holds and that a back-end copies: literals, names, operators, comments, and
//! statements that are carried as they stand.
//!
//! A document may come from anybody. A text that is not of its kind could end the statement in which it
//! stands and begin another one. The reader refuses such a text; a back-end may rely on that.

use crate::model::{Constant, ConstantClass};

/// Whether `text` stays on one line.
pub fn is_line(text: &str) -> bool {
    !text.contains(['\n', '\r'])
}

/// Whether `text` is one word: letters, digits, `_` and `$`, no digit first.
pub fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$'))
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$'))
}

/// Whether `text` is an operator: one of the language's, or a word between points.
pub fn is_operator(text: &str) -> bool {
    let signs = ["+", "-", "*", "/", "**", "//", "==", "/=", "<", "<=", ">", ">="];
    let named = |text: &str| {
        let inner = text.strip_prefix('.').and_then(|text| text.strip_suffix('.'));
        inner.is_some_and(is_word)
    };
    signs.contains(&text) || named(text)
}

/// Whether `text` is a name as USE has it: of an entity, or of a generic interface.
pub fn is_entity_name(text: &str) -> bool {
    match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some(("operator", operator)) => is_operator(operator),
        Some(("assignment", sign)) => sign == "=",
        Some(("read" | "write", what)) => is_word(what),
        Some(_) => false,
        None => is_word(text),
    }
}

/// Whether `text` is words with blanks, commas and parentheses between, such as `local(a, b) shared(c)`.
pub fn is_clause(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_$ ,():=*/+-.".contains(c);
    text.chars().all(plain) && is_one_piece(text).is_ok()
}

/// Whether the text of a constant is a literal of its type.
///
/// XAIF 1.0 documents have characters without quotes. A back-end quotes them, so any text will do.
pub fn is_literal(constant: &Constant) -> bool {
    let text = constant.text.trim();
    match constant.class {
        ConstantClass::Integer => is_digits(unsigned(text)),
        ConstantClass::Real | ConstantClass::Double => is_real(unsigned(text)),
        ConstantClass::Bool => matches!(
            text.to_ascii_lowercase().as_str(),
            ".true." | ".false." | "true" | "false" | "1" | "0" | "t" | "f"
        ),
        ConstantClass::Char | ConstantClass::String => true,
        ConstantClass::Boz => is_boz(text),
        ConstantClass::Hollerith => is_hollerith(&constant.text),
        ConstantClass::Null => {
            matches!(text.to_ascii_lowercase().as_str(), "" | "null" | "null()" | "0")
        }
    }
}

/// Whether `text` begins and ends with the same quote.
pub fn looks_quoted(text: &str) -> bool {
    let by = |quote: char| text.len() >= 2 && text.starts_with(quote) && text.ends_with(quote);
    by('\'') || by('"')
}

/// Whether `text` is a character literal on one line: quotes around it, and within it only pairs of them.
pub fn is_quoted(text: &str) -> bool {
    looks_quoted(text)
        && is_line(text)
        && !text[1..text.len() - 1].replace(&text[..1].repeat(2), "").contains(&text[..1])
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['+', '-']).unwrap_or(text)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// `1`, `1.5`, `.5`, `1.`, each with an exponent (`e`, `d` or `q`) or without.
fn is_real(text: &str) -> bool {
    let (mantissa, exponent) = match text.find(['e', 'E', 'd', 'D', 'q', 'Q']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    digits(whole)
        && digits(decimals)
        && !(whole.is_empty() && decimals.is_empty())
        && exponent.is_none_or(|exponent| is_digits(unsigned(exponent)))
}

/// `z'1f'`, with the letter before or behind the quotes.
fn is_boz(text: &str) -> bool {
    let letter = |c: char| "bBoOzZxX".contains(c);
    let quoted = text.strip_prefix(letter).or_else(|| text.strip_suffix(letter)).unwrap_or(text);
    looks_quoted(quoted) && quoted[1..quoted.len() - 1].bytes().all(|b| b.is_ascii_hexdigit())
}

/// `3habc`: as many characters as the number says.
fn is_hollerith(text: &str) -> bool {
    let Some((count, rest)) = text.split_once(['h', 'H']) else { return false };
    is_digits(count) && is_line(rest) && count.parse() == Ok(rest.chars().count())
}

/// Whether `text` is one statement, or a part of one, and not more: it has no comment, no second
/// statement, and closes the quotes and parentheses that it opens. The error says what is wrong.
pub fn is_one_piece(text: &str) -> Result<(), &'static str> {
    if !is_line(text) {
        return Err("a line break");
    }
    if text.trim_start().starts_with('#') {
        return Err("a line for the preprocessor");
    }
    // A Hollerith constant of a FORMAT may have any characters.
    let format = text.trim_start().get(..6).is_some_and(|word| word.eq_ignore_ascii_case("format"));
    let mut depth = 0_u32;
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '\'' | '"' => {
                let end = rest[1..].find(c).ok_or("a character literal that does not end")?;
                end + 2
            }
            ';' => return Err("a second statement"),
            '!' => return Err("a comment"),
            '(' => {
                depth += 1;
                1
            }
            ')' => {
                depth = depth.checked_sub(1).ok_or("a parenthesis that it does not open")?;
                1
            }
            '0'..='9' if !(before.is_ascii_alphanumeric() || before == '_') => {
                match hollerith(rest) {
                    Some(end) if !format && rest[..end].contains([';', '!']) => {
                        return Err("a second statement");
                    }
                    Some(end) => end,
                    None => 1,
                }
            }
            c => c.len_utf8(),
        };
        before = rest[..skipped].chars().next_back().unwrap_or(' ');
        rest = &rest[skipped..];
    }
    if depth > 0 {
        return Err("a parenthesis that it does not close");
    }
    if text.trim_end().ends_with('&') { Err("a line that goes on") } else { Ok(()) }
}

/// Where the Hollerith constant ends with which `text` begins.
fn hollerith(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text[digits..].strip_prefix(['h', 'H'])?;
    let count: usize = text[..digits].parse().ok().filter(|&count| count > 0)?;
    let (last, c) = rest.char_indices().nth(count - 1)?;
    Some(digits + 1 + last + c.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ConstantKind;

    fn literal(class: ConstantClass, text: &str) -> bool {
        is_literal(&Constant { class, fe_type: None, text: text.into(), kind: ConstantKind::None })
    }

    #[test]
    fn literals_of_each_type() {
        use ConstantClass::*;
        let good = [
            (Integer, "-12"),
            (Real, "1.e-3"),
            (Double, "+.5D+07"),
            (Double, "1q0"),
            (Real, "2"),
            (Bool, ".TRUE."),
            (Bool, "1"),
            (String, "'it''s'"),
            (String, "it's"),
            (Boz, "z'1F'"),
            (Boz, "\"17\"o"),
            (Hollerith, "3ha;b"),
            (Null, "null()"),
        ];
        for (class, text) in good {
            assert!(literal(class, text), "{class:?} {text}");
        }
        let bad = [
            (Integer, ""),
            (Integer, "8); call f()"),
            (Integer, "1.5"),
            (Integer, "n"),
            (Real, "."),
            (Real, "1.0e"),
            (Real, "1.0 + f(x)"),
            (Real, "nan"),
            (Double, "1d0;stop"),
            (Bool, "f(x)"),
            (Boz, "z'1' // '2'"),
            (Boz, "z1"),
            (Hollerith, "3hab"),
            (Hollerith, "2hab; stop"),
            (Null, "f(x)"),
        ];
        for (class, text) in bad {
            assert!(!literal(class, text), "{class:?} {text}");
        }
    }

    #[test]
    fn quotes_within_a_character_literal_are_pairs() {
        assert!(is_quoted("'it''s'") && is_quoted("\"it's\"") && is_quoted("''"));
        assert!(
            !is_quoted("'a'; stop; 'b'")
                && !is_quoted("'a\n'")
                && !is_quoted("'")
                && !is_quoted("'a\"")
        );
    }

    #[test]
    fn a_statement_is_one_statement() {
        for text in [
            "format (3h;!', i5, ';!')",
            "write (*, *) 'it''s; ! a', x(1, 2)",
            "open (unit=3, file=\"a;b\")",
            "assign 10 to i",
            "",
        ] {
            assert_eq!(is_one_piece(text), Ok(()), "{text}");
        }
        for text in [
            "x = 1; y = 2",
            "write (*, *) 3h;;;",
            "x = 1 ! more",
            "print *, 'a",
            "f(x)) x = (1",
            "f(x",
            "x = 1 +&",
            "a\nb",
            "#include \"x\"",
        ] {
            assert!(is_one_piece(text).is_err(), "{text}");
        }
    }

    #[test]
    fn operators() {
        assert!(is_entity_name("x") && is_entity_name("operator(<)"));
        assert!(is_entity_name("assignment(=)") && is_entity_name("read(formatted)"));
        assert!(!is_entity_name("operator(<); stop") && !is_entity_name("operator(;)"));
        assert!(is_operator("**") && is_operator(".x.") && is_operator(".not."));
        assert!(!is_operator("+)") && !is_operator(".x; stop.") && !is_operator(""));
    }
}
