//! Values that are given from outside: `x=1.5`, `a=[1, 2, 3]`, `z=(1,2)`, `ok=.true.`, `s='text'`.
//!
//! An array is a list in array element order; nested brackets are dimensions of an array whose
//! shape is not declared, last dimension outermost. A single value fills a whole array.

use xaif_schema::diag::Code;

use crate::fault::{Run, fault};
use crate::num::Num;
use crate::value::{Elem, Scalar};

/// A value from outside, not converted yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Its extents, first dimension first; none for a scalar.
    pub shape: Vec<i64>,
    /// Its words in array element order.
    pub words: Vec<String>,
}

/// Parses `name = value`.
pub fn parse_setting(text: &str) -> Result<(String, Given), String> {
    let Some((name, value)) = text.split_once('=') else {
        return Err(format!("`{text}` is not of the form name=value"));
    };
    let name = name.trim().to_ascii_lowercase();
    if name.is_empty() {
        return Err(format!("`{text}` names no variable"));
    }
    Ok((name, parse_value(value.trim())?))
}

/// The settings of an input file: one a line, `#` begins a comment.
pub fn parse_file(text: &str) -> Result<Vec<(String, Given)>, String> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    lines.filter(|line| !line.is_empty()).map(parse_setting).collect()
}

fn parse_value(text: &str) -> Result<Given, String> {
    let mut shape: Vec<Option<i64>> = Vec::new();
    let mut words = Vec::new();
    let mut word = String::new();
    let mut counts: Vec<i64> = Vec::new();
    let (mut quote, mut parens) = (None, 0);
    for c in text.chars() {
        match c {
            _ if quote.is_some() => {
                word.push(c);
                if Some(c) == quote {
                    quote = None;
                }
            }
            '\'' | '"' => {
                quote = Some(c);
                word.push(c);
            }
            '(' | ')' => {
                parens += if c == '(' { 1 } else { -1 };
                word.push(c);
            }
            '[' => counts.push(0),
            ',' | ']' | ' ' | '\t' if parens == 0 => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                    if let Some(count) = counts.last_mut() {
                        *count += 1;
                    }
                }
                if c == ']' {
                    let Some(count) = counts.pop() else {
                        return Err(format!("`{text}` has a bracket too many"));
                    };
                    let depth = counts.len();
                    // The innermost list is the first dimension.
                    if shape.len() <= depth {
                        shape.resize(depth + 1, None);
                    }
                    if *shape[depth].get_or_insert(count) != count {
                        return Err(format!("`{text}` has lists of different lengths"));
                    }
                    if let Some(outer) = counts.last_mut() {
                        *outer += 1;
                    }
                }
            }
            c => word.push(c),
        }
    }
    if !counts.is_empty() || quote.is_some() || parens != 0 {
        return Err(format!("`{text}` ends too early"));
    }
    if !word.is_empty() {
        words.push(word);
    }
    if words.is_empty() && shape.is_empty() {
        return Err("a value is missing".to_string());
    }
    if shape.is_empty() && words.len() > 1 {
        return Err(format!("`{text}` is several values: an array is written `[{text}]`"));
    }
    let shape = shape.into_iter().rev().map(|count| count.unwrap_or(0)).collect();
    Ok(Given { shape, words })
}

/// A word as a value of type `elem`.
pub(crate) fn parse_word(word: &str, elem: Elem) -> Run<Scalar> {
    let bad =
        || fault(Code::RUN_BAD_INPUT, format!("`{word}` is no value of type {}", elem.name()));
    let real = |text: &str| text.trim().to_ascii_lowercase().replace('d', "e").parse::<f64>().ok();
    match elem {
        Elem::Int(kind) => match word.trim().parse::<i64>() {
            Ok(value) if crate::value::wrap(kind, value) == value => Ok(Scalar::Int(kind, value)),
            Ok(_) | Err(_) => bad(),
        },
        Elem::Real(kind) => match real(word) {
            Some(value) => Ok(Scalar::Real(kind, Num::of(crate::num::round(kind, value)))),
            None => bad(),
        },
        Elem::Complex(kind) => {
            let part = |v: f64| Num::of(crate::num::round(kind, v));
            let inner = word.trim().strip_prefix('(').and_then(|word| word.strip_suffix(')'));
            let pair = inner.and_then(|inner| inner.split_once(','));
            match (pair.and_then(|(re, im)| Some((real(re)?, real(im)?))), real(word)) {
                (Some((re, im)), _) => Ok(Scalar::Complex(kind, [part(re), part(im)])),
                (None, Some(re)) => Ok(Scalar::Complex(kind, [part(re), Num::default()])),
                (None, None) => bad(),
            }
        }
        Elem::Logical(kind) => {
            let text = word.trim().trim_matches('.').to_ascii_lowercase();
            match text.chars().next() {
                Some('t' | '1') => Ok(Scalar::Logical(kind, true)),
                Some('f' | '0') => Ok(Scalar::Logical(kind, false)),
                _ => bad(),
            }
        }
        Elem::Char(_) => {
            let text = word.trim();
            let text = text
                .strip_prefix(['\'', '"'])
                .and_then(|text| text.strip_suffix(['\'', '"']))
                .unwrap_or(text);
            Ok(Scalar::chars(text.as_bytes()))
        }
        Elem::Derived(_) => fault(Code::RUN_BAD_INPUT, "a derived type cannot be given"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_arrays_and_nested_lists_have_more_dimensions() {
        let (name, given) = parse_setting("A = [[1,2,3],[4,5,6]]").expect("two lists");
        assert_eq!(name, "a");
        assert_eq!(given.shape.as_slice(), [3, 2]);
        assert_eq!(given.words, ["1", "2", "3", "4", "5", "6"]);
        assert_eq!(parse_setting("z=(1,2)").expect("one word").1.words, ["(1,2)"]);
        assert_eq!(parse_setting("x=1.5").expect("a scalar").1.shape.len(), 0);
    }

    #[test]
    fn broken_settings_are_errors() {
        for text in ["x", "=1", "x=[1,2", "x=1]", "x=[[1],[2,3]]", "x=", "x=2,5,7", "x=2 5"] {
            assert!(parse_setting(text).is_err(), "{text}");
        }
    }
}
