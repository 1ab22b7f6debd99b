//! `oxad explain`: the table of diagnostic codes as text.
//!
//! It prints what `xaif_schema::diag` knows and knows no code of its own. Which codes exist, and
//! their explanations, is decided there.

use std::fmt::Write as _;

use xaif_schema::diag::{CODES, Code, CodeEntry, find};

/// How many codes are offered in place of an unknown one.
const NEAREST: usize = 3;

/// Columns of text that a terminal shows without wrapping.
const WIDTH: usize = 80;

/// The arguments of `oxad explain`.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Args {
    /// The code, as a message prints it: OX0001 (or 1).
    #[arg(conflicts_with_all = ["list", "markdown"])]
    code: Option<String>,
    /// List all codes with their titles.
    #[arg(long, conflicts_with = "markdown")]
    list: bool,
    /// Print the page docs/codes.md.
    #[arg(long)]
    markdown: bool,
}

/// The text that `args` ask for, or the message that says why there is none.
pub(crate) fn run(args: &Args) -> Result<String, String> {
    match &args.code {
        Some(text) => entry(text).map(page).ok_or_else(|| unknown(text)),
        None if args.markdown => Ok(markdown()),
        None => Ok(list()),
    }
}

fn entry(text: &str) -> Option<&'static CodeEntry> {
    find(Code(digits(text).parse().ok()?))
}

/// The part of a code that tells it from others: `0123` of `OX0123`.
fn digits(text: &str) -> &str {
    let text = text.trim();
    match text.get(..2) {
        Some(prefix) if prefix.eq_ignore_ascii_case("ox") => &text[2..],
        Some(_) | None => text,
    }
}

fn page(entry: &CodeEntry) -> String {
    let mut text = format!("{}: {}\n", entry.code, entry.title);
    for paragraph in entry.explanation.split("\n\n") {
        text.push('\n');
        text.push_str(&filled(paragraph));
    }
    text
}

/// `paragraph` broken into lines of at most [`WIDTH`] columns; indented lines stay as they are.
fn filled(paragraph: &str) -> String {
    if paragraph.starts_with("    ") {
        return format!("{}\n", paragraph.trim_end());
    }
    let mut text = String::new();
    let mut column = 0;
    for word in paragraph.split_whitespace() {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += width;
    }
    text.push('\n');
    text
}

fn list() -> String {
    let mut text = String::new();
    for entry in CODES {
        let _ = writeln!(text, "{}  {}", entry.code, entry.title);
    }
    text
}

fn markdown() -> String {
    let mut text = String::from(
        "# Diagnostic codes\n\n\
         Every message of every program carries one of these codes. This page is printed by\n\
         `oxad explain --markdown`; a test holds the two equal. A code never changes its meaning.\n",
    );
    for entry in CODES {
        let _ = write!(text, "\n## {}: {}\n", entry.code, entry.title);
        for paragraph in entry.explanation.split("\n\n") {
            text.push('\n');
            text.push_str(&filled(paragraph));
        }
    }
    text
}

fn unknown(text: &str) -> String {
    let mut message = format!("there is no code '{text}'\n  nearest:\n");
    for entry in nearest(text) {
        let _ = writeln!(message, "    {}  {}", entry.code, entry.title);
    }
    message.push_str("  help: 'oxad explain --list' lists all codes\n");
    message
}

/// The codes that a person who typed `text` may have meant, likeliest first: fewest keystrokes
/// away, then the smallest difference of the numbers.
fn nearest(text: &str) -> Vec<&'static CodeEntry> {
    let typed = digits(text);
    let number = typed.parse::<u16>().unwrap_or(0);
    let mut entries: Vec<&CodeEntry> = CODES.iter().collect();
    entries.sort_by_key(|entry| {
        let strokes = strsim::damerau_levenshtein(typed, &format!("{:04}", entry.code.0));
        (strokes, entry.code.0.abs_diff(number), entry.code)
    });
    entries.truncate(NEAREST);
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_found_however_it_is_written() {
        for text in ["OX0001", "ox0001", "0001", "1", " OX1 "] {
            assert_eq!(entry(text).map(|entry| entry.code), Some(Code::CANNOT_READ), "{text}");
        }
        for text in ["", "OX", "OX99999", "-1", "E0001", "é"] {
            assert!(entry(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_digit_typed_twice_is_forgiven() {
        for entry in CODES {
            let code = entry.code.to_string();
            let typed = format!("{code}{}", &code[code.len() - 1..]);
            let offered: Vec<Code> = nearest(&typed).iter().map(|entry| entry.code).collect();
            assert!(offered.contains(&entry.code), "{typed}: {offered:?}");
        }
    }

    #[test]
    fn pages_fit_a_terminal() {
        for entry in CODES {
            for line in page(entry).lines().filter(|line| !line.starts_with("    ")) {
                assert!(line.chars().count() <= WIDTH, "{line}");
            }
        }
    }
}
