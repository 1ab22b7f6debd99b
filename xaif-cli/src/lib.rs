//! The command line of all programs: options, help texts, parsing. Only this crate and the programs know clap.
//!
//! A binary is a clap struct that flattens [`CommonArgs`], and a function from the parsed
//! arguments to the bytes of its output; [`run`] does the rest:
//!
//! ```no_run
//! use xaif_cli::CommonArgs;
//!
//! /// Copies a document.
//! #[derive(clap::Parser)]
//! struct Args {
//!     /// The document; `-` is standard input.
//!     #[arg(default_value = "-")]
//!     input: String,
//!     #[command(flatten)]
//!     common: CommonArgs,
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     xaif_cli::run(
//!         |args: &Args| &args.common,
//!         |args, console| {
//!             let doc = console.read_document(&args.input)?;
//!             console.write_document(doc)
//!         },
//!     )
//! }
//! ```
//!
//! [`run`] keeps the contract of [`xaif_schema::cli`]: exit status, standard error, output that is whole or not there.

mod program;
pub mod programs;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use xaif_schema::cli::{Console, Output, write_output};
use xaif_schema::diag::{Diagnostics, MessageFormat};

pub use program::{STYLES, command, examples, parse, parse_from};

/// The options that every binary has.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct CommonArgs {
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Write a rule of make into FILE: the output depends on all files that were read
    #[arg(long, value_name = "FILE", requires = "output", help_heading = "Output")]
    pub depfile: Option<PathBuf>,
    /// Format of the diagnostics on standard error
    #[arg(long, value_name = "FORMAT", default_value = "human", value_parser = message_format(), help_heading = "Diagnostics")]
    pub message_format: MessageFormat,
    /// Check all invariants of the document before and after this stage
    #[arg(long, help_heading = "Diagnostics")]
    pub verify: bool,
}

/// The values of `--message-format`.
pub fn message_format() -> impl TypedValueParser<Value = MessageFormat> {
    let value = |name: &'static str, help: &'static str| PossibleValue::new(name).help(help);
    let human =
        "`file:line:col: error[OX0123]: message`, the source line with a caret, and a way out";
    let all = [value("human", human), value("json", "One JSON object a line")];
    PossibleValuesParser::new(all).map(|name| match name.as_str() {
        "json" => MessageFormat::Json,
        _ => MessageFormat::Human,
    })
}

/// Parses the command line, calls `main`, prints what it reports and writes what it returns.
///
/// If `main` fails, or has reported an error on its console, nothing is written and the exit status
/// is 1. Wrong usage ends the process with status 2 before `main` is called.
pub fn run<A: clap::Parser>(
    common: impl FnOnce(&A) -> &CommonArgs,
    main: impl FnOnce(&A, &mut Console) -> Result<Output, Diagnostics>,
) -> ExitCode {
    let args = parse::<A>();
    let common = common(&args).clone();
    let mut console = Console::new(common.message_format, common.verify);
    let outcome = main(&args, &mut console).and_then(|output| match output {
        Some(content) if !console.failed() => {
            console.spare_sources(common.output.as_deref())?;
            write_output(common.output.as_deref(), &content)?;
            match (&common.depfile, &common.output) {
                (Some(depfile), Some(output)) => {
                    console.write_depfile(depfile, std::slice::from_ref(output))
                }
                _ => Ok(()),
            }
        }
        Some(_) | None => Ok(()),
    });
    if let Err(diagnostics) = outcome {
        console.report(&diagnostics);
        return ExitCode::from(1);
    }
    ExitCode::from(u8::from(console.failed()))
}
