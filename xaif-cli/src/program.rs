//! Command lines as all programs have them: colours, examples, parsing.

use std::ffi::OsString;
use std::fmt::Write as _;

use clap::builder::StyledStr;
use clap::builder::styling::{AnsiColor, Styles};

/// The colours of help texts and of messages about wrong usage. They appear on a terminal only.
pub const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// The end of a help text: command lines that show how a program is called.
pub fn examples(lines: &[&str]) -> StyledStr {
    let mut text = StyledStr::new();
    let header = STYLES.get_header();
    // Writing to a string does not fail.
    let _ = write!(text, "{header}Examples:{header:#}");
    for line in lines {
        let _ = write!(text, "\n  $ {line}");
    }
    text
}

/// The command line that the type `A` describes.
pub fn command<A: clap::CommandFactory>() -> clap::Command {
    A::command().styles(STYLES)
}

/// The parsed command line of the process; wrong usage ends the process with status 2.
pub fn parse<A: clap::Parser>() -> A {
    parse_from(std::env::args_os())
}

/// The same of the words of a command line, the name of the program first.
pub fn parse_from<A: clap::Parser>(words: impl IntoIterator<Item = OsString>) -> A {
    let mut command = command::<A>();
    let matches = command.clone().get_matches_from(words);
    A::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut command).exit())
}
