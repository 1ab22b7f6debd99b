//! The comment at the head of a generated file: the version and the command line that made it.

use crate::VERSION;
use crate::differentiate::{Texts, is_runtime};

/// Columns of a line of the comment.
const WIDTH: usize = 100;

/// The files with the comment, as far as they are generated. `arguments` are those of the command line.
pub(crate) fn added(files: Texts, arguments: impl Iterator<Item = String>) -> Texts {
    let banner = banner(arguments);
    let with_banner = |(name, text): (String, String)| {
        let text = match name.rsplit_once('.') {
            Some((_, "f90")) if !is_runtime(&name) => format!("{banner}{text}"),
            Some((_, "c" | "h")) if !is_runtime(&name) => format!("{}{text}", of_c(&banner)),
            _ => text,
        };
        (name, text)
    };
    files.into_iter().map(with_banner).collect()
}

/// The comment in the words of C.
fn of_c(banner: &str) -> String {
    let lines =
        banner.lines().map(|line| line.strip_prefix('!').unwrap_or(line).replace("*/", "* /"));
    format!("/*{} */\n", lines.collect::<Vec<_>>().join("\n *"))
}

fn banner(arguments: impl Iterator<Item = String>) -> String {
    let mut text = format!("! Made by oxad {VERSION}:\n");
    let mut line = "!   oxad".to_owned();
    for word in of_text(arguments).map(|word| quoted(&word)) {
        if line.len() + 1 + word.len() > WIDTH {
            text.push_str(&line);
            text.push_str(" \\\n");
            line = "!    ".to_owned();
        }
        line.push(' ');
        line.push_str(&word);
    }
    text.push_str(&line);
    text.push('\n');
    text
}

/// The words without those that tell where the dependencies are written: build tools differ in it, the text does not.
fn of_text(words: impl Iterator<Item = String>) -> impl Iterator<Item = String> {
    let mut is_value = false;
    words.filter(move |word| {
        let hidden = is_value || word == "--depfile" || word.starts_with("--depfile=");
        is_value = !is_value && word == "--depfile";
        !hidden
    })
}

/// The word as a shell takes it. No line of the comment ends within it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./,=:%+@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    let word: String = word.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("'{}'", word.replace('\'', "'\\''"))
}
