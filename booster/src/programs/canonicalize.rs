//! `xaif-canonicalize`: what a derivative rule needs a statement for gets a statement of its own.

use std::process::ExitCode;

use crate::stages::CanonicalizeArgs;
use xaif_cli::CommonArgs;

/// Bring an XAIF document into canonical form
///
/// Calls of functions through which activity passes stand alone (`t = f(x)`), their arguments are
/// variables, array intrinsics such as maxval stand alone, statement functions are expanded. With
/// activity facts in the document only what is active is touched; without them all that has a
/// derivative. The program computes the same.
#[derive(clap::Parser)]
#[command(
    name = "xaif-canonicalize",
    version,
    after_help = xaif_cli::examples(&[
        "xaif-canonicalize active.xaif -o canonical.xaif",
        "xaif-activity a.xaif | xaif-canonicalize --constructs | xaif-show",
    ])
)]
struct Args {
    /// The document; `-` is standard input
    #[arg(default_value = "-")]
    input: String,
    #[command(flatten)]
    stage: CanonicalizeArgs,
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
            let warnings = args.stage.apply(&mut doc)?;
            console.report(&warnings);
            console.write_document(doc)
        },
    )
}
