//! Directives of fixed form, which free form continues in another way.
//!
//! In fixed form a compiler directive has its sentinel in columns 1 to 5 and says in column 6
//! whether it goes on; in free form a line that goes on ends in `&`. This knows the columns and
//! the sentinels that compilers act on, but nothing of what directives mean. Other directives
//! (`$openad …`) are comments to a compiler and stay as they are.

use xaif_schema::diag::Code as DiagCode;
use xaif_schema::model::{Comment, Language};

use crate::context::Context;
use crate::lines::Lines;

/// Sentinels whose lines a compiler reads, in columns 2 to 5.
const SENTINELS: [&str; 3] = ["$omp", "$acc", "$omx"];

/// A directive line of fixed form.
#[derive(Debug, PartialEq, Eq)]
struct Fixed<'t> {
    /// Its sentinel: one of [`SENTINELS`], or `$` for conditional compilation.
    sentinel: &'t str,
    /// The character in column 6, where the line goes on with the one before.
    continues: Option<char>,
    /// What follows column 6, or a label and what follows it.
    rest: String,
}

/// Prints a directive.
pub(crate) fn print(cx: &Context<'_>, lines: &mut Lines, comment: &Comment) {
    for text in comment.text.split('\n') {
        line(cx, lines, comment, text);
    }
}

fn line(cx: &Context<'_>, lines: &mut Lines, comment: &Comment, text: &str) {
    let fixed_form = comment
        .place
        .file
        .and_then(|file| cx.doc.files.get(file))
        .is_some_and(|file| file.language == Language::FixedFortran);
    let Some(fixed) = fixed(text).filter(|_| fixed_form) else {
        return lines.comment(text);
    };
    // A sentinel of fixed form begins in column 1: what stands elsewhere is for people.
    if comment.place.column > 1 {
        return lines.comment(&format!(" {text}"));
    }
    let Some(mark) = fixed.continues else {
        return lines.directive(fixed.sentinel, &fixed.rest);
    };
    if lines.quote_of_directive().is_some() {
        cx.error_with_help(
            DiagCode::NO_FORTRAN_FOR_IT,
            comment.place,
            "a string goes on in a further line of a directive",
            "end the string in the line in which it begins",
        );
    } else if lines.continues_directive(fixed.sentinel) {
        lines.continue_directive(fixed.sentinel, &fixed.rest);
    } else if fixed.sentinel == "$" && mark.is_alphabetic() {
        // `c$   some words`
        lines.comment(&format!(" {text}"));
    } else {
        cx.error_with_help(
            DiagCode::NO_FORTRAN_FOR_IT,
            comment.place,
            "a continuation line of a directive continues nothing",
            "let it follow the directive that it continues, or leave column 6 blank",
        );
    }
}

/// The parts of a directive line of fixed form, of which `text` is all behind column 1.
fn fixed(text: &str) -> Option<Fixed<'_>> {
    let start = text.get(..4).unwrap_or(text);
    let known = SENTINELS.iter().any(|sentinel| sentinel.eq_ignore_ascii_case(start));
    if known {
        let (continues, rest) = column_6(&text[4..]);
        return Some(Fixed { sentinel: start, continues, rest: rest.trim().to_owned() });
    }
    let behind = text.strip_prefix('$')?;
    // Columns 3 to 5, or up to a tab, which leads to column 7 (or 6, before a digit).
    let field: String =
        behind.chars().take(3).take_while(|c| *c == ' ' || c.is_ascii_digit()).collect();
    let after = &behind[field.len()..];
    let (continues, rest) = match after.strip_prefix('\t') {
        Some(tabbed) => match tabbed.chars().next().filter(|c| matches!(c, '1'..='9')) {
            Some(mark) => (Some(mark), &tabbed[1..]),
            None => (None, tabbed),
        },
        None if field.len() == 3 => column_6(after),
        None if after.is_empty() => (None, after),
        None => return None,
    };
    let rest = format!("{} {}", field.replace(' ', ""), rest.trim());
    Some(Fixed { sentinel: "$", continues, rest: rest.trim().to_owned() })
}

/// What column 6 says, and what follows it.
fn column_6(text: &str) -> (Option<char>, &str) {
    let mut characters = text.chars();
    match characters.next() {
        Some('\t') | None => (None, text),
        Some(' ' | '0') => (None, characters.as_str()),
        Some(mark) => (Some(mark), characters.as_str()),
    }
}

/// The quote that is open at the end of `text`, and where a comment in it begins.
pub(crate) fn scan(text: &str) -> (Option<char>, Option<usize>) {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (None, '!') => return (None, Some(at)),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    (quote, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Option<(&str, Option<char>, String)> {
        fixed(text).map(|fixed| (fixed.sentinel, fixed.continues, fixed.rest))
    }

    #[test]
    fn column_6_tells_whether_a_directive_goes_on() {
        assert_eq!(parts("$omp parallel do"), Some(("$omp", None, "parallel do".into())));
        assert_eq!(parts("$OMP&private(i)"), Some(("$OMP", Some('&'), "private(i)".into())));
        assert_eq!(parts("$acc0end data"), Some(("$acc", None, "end data".into())));
        assert_eq!(parts("$omp"), Some(("$omp", None, String::new())));
    }

    #[test]
    fn conditional_compilation_has_labels_and_blanks_up_to_column_5() {
        assert_eq!(parts("$    x = 1"), Some(("$", None, "x = 1".into())));
        assert_eq!(parts("$ 10 continue"), Some(("$", None, "10 continue".into())));
        assert_eq!(parts("$   &  + 1"), Some(("$", Some('&'), "+ 1".into())));
        assert_eq!(parts("$\tx = 1"), Some(("$", None, "x = 1".into())));
        assert_eq!(parts("$\t1 + 1"), Some(("$", Some('1'), "+ 1".into())));
    }

    #[test]
    fn other_directives_are_none_of_a_compilers_business() {
        assert_eq!(parts("$openad independent(x)"), None);
        assert_eq!(parts("$ad dependent(x)"), None);
        assert_eq!(parts("dir$ ivdep"), None);
        assert_eq!(parts("$é"), None);
    }

    #[test]
    fn a_comment_in_a_directive_begins_outside_of_strings() {
        assert_eq!(scan("x = 'a!b' ! c"), (None, Some(10)));
        assert_eq!(scan("x = 'a!b"), (Some('\''), None));
    }
}
