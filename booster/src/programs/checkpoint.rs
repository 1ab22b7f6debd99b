//! `xaif-checkpoint`: loops that keep some of their states.

use std::process::ExitCode;

use crate::stages::CheckpointArgs;
use xaif_cli::CommonArgs;

/// Make procedures of the bodies of loops with directives of checkpoints
///
/// The adjoint of such a loop records no iteration but the one that it reverses. It keeps some states, and executes
/// iterations again from there. The directive `!$oxad binomial(20)` stands before the loop.
#[derive(clap::Parser)]
#[command(
    name = "xaif-checkpoint",
    version,
    after_help = xaif_cli::examples(&[
        "f2xaif a.f90 | xaif-checkpoint | xaif-show",
        "xaif-checkpoint a.xaif -o b.xaif",
    ])
)]
struct Args {
    /// The document; `-` is standard input
    #[arg(default_value = "-")]
    input: String,
    #[command(flatten)]
    stage: CheckpointArgs,
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
