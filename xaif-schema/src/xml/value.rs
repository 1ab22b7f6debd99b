//! The values of attributes: references to characters, numbers, truth values, words.

use std::borrow::Cow;
use std::str::FromStr;

use super::fault::{Read, fault, fault_with_help};
use super::words::Word;
use crate::diag::Code;

/// A number in the text of the attribute `name`.
pub(super) fn parse_number<T: FromStr>(name: &str, text: &str, offset: usize) -> Read<T> {
    text.trim().parse().or_else(|_| {
        let message = format!("`{name}` must be a number that fits, not `{}`", short(text));
        fault(Code::BAD_VALUE, offset, message)
    })
}

/// A truth value in the text of the attribute `name`.
pub(super) fn parse_flag(name: &str, text: &str, offset: usize) -> Read<bool> {
    match text.trim() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => {
            let message = format!("`{name}` must be `true` or `false`, not `{}`", short(text));
            fault(Code::BAD_VALUE, offset, message)
        }
    }
}

/// A word in the text of the attribute `name`.
pub(super) fn parse_word<T: Word>(name: &str, text: &str, offset: usize) -> Read<T> {
    match T::parse(text) {
        Some(value) => Ok(value),
        None => {
            let message = format!("`{name}` cannot be `{}`", short(text));
            fault_with_help(Code::BAD_VALUE, offset, message, format!("it is one of {}", T::all()))
        }
    }
}

/// At most a few words of `text`, for a message.
pub(super) fn short(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(60) {
        Some((end, _)) => Cow::Owned(format!("{}...", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// At most a few words of `text`, for a message of one line.
pub(super) fn shown(text: &str) -> String {
    short(text).escape_debug().to_string()
}

/// The value of an attribute: references resolved, white space normalised, our stand-ins for
/// characters that XML cannot hold turned back.
pub(super) fn unescape(raw: &str, offset: usize) -> Read<Cow<'_, str>> {
    if !raw.bytes().any(|b| matches!(b, b'&' | b'\t' | b'\n' | b'\r' | 0xf3)) {
        return Ok(Cow::Borrowed(raw));
    }
    let mut value = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '&' => {
                let Some((name, after)) = rest.split_once(';') else {
                    return fault(Code::NOT_XML, offset, "`&` without `;`");
                };
                value.push(reference(name, offset)?);
                rest = after;
            }
            '\t' | '\n' | '\r' => value.push(' '),
            _ => match super::out::stand_in_of(c) {
                None => value.push(c),
                Some(super::out::StandIn::Literal) => {
                    let Some(next) = rest.chars().next() else { continue };
                    rest = &rest[next.len_utf8()..];
                    value.push(next);
                }
                Some(super::out::StandIn::For(original)) => value.push(original),
            },
        }
    }
    Ok(Cow::Owned(value))
}

fn reference(name: &str, offset: usize) -> Read<char> {
    let number = match name.strip_prefix('#') {
        Some(number) => match number.strip_prefix('x') {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => number.parse().ok(),
        },
        None => {
            return match name {
                "amp" => Ok('&'),
                "lt" => Ok('<'),
                "gt" => Ok('>'),
                "quot" => Ok('"'),
                "apos" => Ok('\''),
                _ => {
                    let message = format!("the entity `{}` is not known", short(name));
                    fault_with_help(
                        Code::UNKNOWN_ENTITY,
                        offset,
                        message,
                        "XAIF knows `amp`, `lt`, `gt`, `quot`, `apos` and numbers",
                    )
                }
            };
        }
    };
    match number.and_then(char::from_u32) {
        Some(c) if c != '\0' => Ok(c),
        Some(_) | None => {
            let message = format!("`&{};` is not a character", short(name));
            fault(Code::NOT_XML, offset, message)
        }
    }
}
