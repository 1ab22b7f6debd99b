//! `oxad`: the driver. Today it explains diagnostics; it runs no stage of the pipeline.

mod explain;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Oxidised OpenAD: the driver of the pipeline.
#[derive(Parser)]
#[command(name = "oxad", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Say what a diagnostic code means and what to do about it.
    Explain(explain::Args),
}

fn main() -> ExitCode {
    let Command::Explain(args) = Cli::parse().command;
    match explain::run(&args) {
        // A reader that has seen enough (`oxad explain --list | head`) is no failure.
        Ok(text) => match std::io::stdout().write_all(text.as_bytes()) {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                eprintln!("oxad: cannot write to standard output: {error}");
                ExitCode::from(1)
            }
            Ok(()) | Err(_) => ExitCode::SUCCESS,
        },
        Err(message) => {
            eprint!("oxad: {message}");
            ExitCode::from(2)
        }
    }
}
