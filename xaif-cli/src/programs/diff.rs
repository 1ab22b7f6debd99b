//! `xaif-diff`: what a stage changed.

use std::cell::Cell;
use std::process::ExitCode;

use crate::CommonArgs;
use clap::{Parser, ValueEnum};
use xaif_schema::cli;
use xaif_schema::inspect::diff::{DiffOptions, diff};
use xaif_schema::inspect::show::ShowOptions;

/// Compare two XAIF documents by the text that xaif-show prints.
///
/// Prints a unified diff. As with diff, the exit status is 0 if the documents are the same, 1 if
/// they differ, and 2 if they could not be compared.
#[derive(Parser)]
#[command(
    name = "xaif-diff",
    version,
    after_help = crate::examples(&[
        "xaif-diff before.xaif after.xaif",
        "xaif-canonicalize a.xaif | xaif-diff a.xaif - --types",
    ])
)]
struct Args {
    /// The document before
    #[arg(value_name = "A")]
    old: String,
    /// The document after; `-`, for one of the two, is standard input
    #[arg(value_name = "B")]
    new: String,
    /// How many equal lines stand around each change
    #[arg(short = 'U', long, value_name = "LINES", default_value_t = 3)]
    context: usize,
    /// Compare also types of references, calls and intrinsic functions
    #[arg(short, long)]
    types: bool,
    /// Compare everything that a document says: also types, places, ids, keys and spellings
    #[arg(short, long)]
    full: bool,
    /// Do not compare comments
    #[arg(long)]
    no_comments: bool,
    /// Print nothing; only the exit status tells
    #[arg(short, long)]
    quiet: bool,
    /// Colour the output
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    color: When,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum When {
    /// If standard output is a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

impl Args {
    fn options(&self) -> DiffOptions {
        let base = if self.full { ShowOptions::full() } else { ShowOptions::comparable() };
        let show =
            ShowOptions { types: self.types || self.full, comments: !self.no_comments, ..base };
        let terminal = || self.common.output.is_none() && cli::is_colored(&std::io::stdout());
        let color = match self.color {
            When::Auto => terminal(),
            When::Always => true,
            When::Never => false,
        };
        DiffOptions { show, context: self.context, color }
    }
}

/// The command line.
pub fn command() -> clap::Command {
    crate::command::<Args>()
}

/// The main function.
pub fn main() -> ExitCode {
    let differs = Cell::new(None);
    let status = crate::run(
        |args: &Args| &args.common,
        |args, console| {
            let old = console.read_document(&args.old)?;
            let new = console.read_document(&args.new)?;
            let text = diff((&args.old, &old), (&args.new, &new), &args.options());
            differs.set(Some(text.is_some()));
            let text = text.unwrap_or_default();
            Ok(Some(if args.quiet { Vec::new().into() } else { text.into() }))
        },
    );
    match differs.get() {
        None => ExitCode::from(2),
        // Only writing can have failed then.
        Some(_) if status != ExitCode::SUCCESS => ExitCode::from(2),
        Some(true) => ExitCode::from(1),
        Some(false) => ExitCode::SUCCESS,
    }
}
