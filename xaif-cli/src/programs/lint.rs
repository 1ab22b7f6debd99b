//! `xaif-lint`: checks the invariants of an XAIF document, and writes nothing but what it finds.

use std::process::ExitCode;

use crate::CommonArgs;
use xaif_schema::cli;
use xaif_schema::{verify, xml};

/// Check an XAIF document: XML, vocabulary, all invariants of the verifier, and what a stage refuses
///
/// Exit status 0 if nothing was found, 1 if the document is at fault, 2 for wrong usage.
#[derive(clap::Parser)]
#[command(
    name = "xaif-lint",
    version,
    after_help = crate::examples(&[
        "xaif-lint a.xaif",
        "f2xaif a.f90 | xaif-lint --message-format json",
    ])
)]
struct Args {
    /// The document; `-` is standard input
    #[arg(default_value = "-")]
    input: String,
    /// A catalogue of XAIF 1.0 with intrinsics that the document may use; may be repeated
    #[arg(long, value_name = "FILE")]
    intrinsics: Vec<String>,
    #[command(flatten)]
    common: CommonArgs,
}

/// The command line.
pub fn command() -> clap::Command {
    crate::command::<Args>()
}

/// The main function.
pub fn main() -> ExitCode {
    crate::run(
        |args: &Args| &args.common,
        |args, console| {
            let mut known = Vec::new();
            for file in &args.intrinsics {
                let catalogue = xml::catalogue::read_catalogue(&cli::read_input(file)?, file)?;
                known.extend(catalogue.definitions.into_iter().map(|one| one.name));
                known.extend(catalogue.actions.into_iter().map(|one| one.name));
            }
            let bytes = cli::read_input(&args.input)?;
            let found = xml::read_with_positions(&bytes, &args.input)
                .map(|(doc, positions)| verify::lint(&doc, &positions, &known));
            let (Ok(found) | Err(found)) = found;
            if !found.is_empty() {
                console.remember(&args.input, String::from_utf8_lossy(&bytes));
                console.report(&found);
            }
            Ok(None)
        },
    )
}
