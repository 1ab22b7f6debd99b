//! `xaif-expose`: modules without secrets, for the derivatives of them.

use std::process::ExitCode;

use crate::stages::OpenArgs;
use xaif_cli::CommonArgs;

/// Make PUBLIC what derivative modules must reach
///
/// PRIVATE variables, types, components and bindings become PUBLIC, and PROTECTED is dropped. What
/// would clash with another name stays as it is, with a warning. The sources that `xaif2f --split DIR`
/// prints then are compiled and differentiated instead of the user's own.
#[derive(clap::Parser)]
#[command(
    name = "xaif-expose",
    version,
    after_help = xaif_cli::examples(&[
        "f2xaif a.f90 | xaif-expose | xaif2f --split opened",
        "xaif-expose a.xaif -o open.xaif",
    ])
)]
struct Args {
    /// The document; `-` is standard input
    #[arg(default_value = "-")]
    input: String,
    #[command(flatten)]
    stage: OpenArgs,
    #[command(flatten)]
    common: CommonArgs,
}

/// The command line.
pub fn command() -> clap::Command {
    xaif_cli::command::<Args>()
}

/// The main function.
pub fn main() -> ExitCode {
    xaif_cli::run(
        |args: &Args| &args.common,
        |args, console| {
            let mut doc = console.read_document(&args.input)?;
            let warnings = args.stage.apply(&mut doc);
            console.report(&warnings);
            console.write_document(doc)
        },
    )
}
