//! The command line: runs the whole pipeline in one process, checks derivatives, explains diagnostics.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use xaif_schema::cli::{self, Console};
use xaif_schema::diag::{Diagnostics, MessageFormat};

use crate::{check, differentiate, explain};

/// The version, with the revision of the sources as far as it is known.
pub const VERSION: &str = env!("OXAD_VERSION");

/// Oxidised OpenAD: the driver of the pipeline.
#[derive(Parser)]
#[command(name = "oxad", version = VERSION)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Differentiate: for each source NAME.* write NAME_d.f90 with its tangent.
    Tangent(Box<differentiate::Tangent>),
    /// Differentiate: for each source NAME.* write NAME_b.f90 with its adjoint, and the tape.
    Adjoint(Box<differentiate::Adjoint>),
    /// Write tangents and adjoints in one run.
    Both(Box<differentiate::Both>),
    /// Compare a tangent with differences of the program, and print a table with a verdict.
    Check(Box<check::Args>),
    /// Say what a diagnostic code means and what to do about it.
    Explain(explain::Args),
}

/// Executes the command line of the process.
pub fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Tangent(command) => {
            report(&command.args.common, |console| command.run(console).map(|()| true))
        }
        Command::Adjoint(command) => {
            report(&command.args.common, |console| command.run(console).map(|()| true))
        }
        Command::Both(command) => {
            report(&command.args.common, |console| command.run(console).map(|()| true))
        }
        Command::Check(args) => {
            let common = args.common;
            report(&common, |console| check::run(&args, console))
        }
        Command::Explain(args) => explain(&args),
    }
}

/// The options that the commands share which run the pipeline.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct Common {
    /// How diagnostics are printed on standard error
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(crate) message_format: MessageFormat,
    /// Check all invariants of the document after each stage
    #[arg(long)]
    pub(crate) verify: bool,
}

/// Runs a command: exit status 0 where all is well, 1 where it has failed or found a fault.
fn report(
    common: &Common,
    command: impl FnOnce(&mut Console) -> Result<bool, Diagnostics>,
) -> ExitCode {
    let mut console = Console::new(common.message_format, common.verify);
    match command(&mut console) {
        Ok(good) => ExitCode::from(u8::from(!good || console.failed())),
        Err(diagnostics) => {
            console.report(&diagnostics);
            ExitCode::from(1)
        }
    }
}

fn explain(args: &explain::Args) -> ExitCode {
    match explain::run(args) {
        Ok(text) => match cli::write_output(None, text.as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(diagnostics) => {
                Console::new(MessageFormat::default(), false).report(&diagnostics);
                ExitCode::from(1)
            }
        },
        Err(message) => {
            eprint!("oxad: {message}");
            ExitCode::from(2)
        }
    }
}
