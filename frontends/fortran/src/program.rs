//! `f2xaif`: Fortran into XAIF.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::args::{SourceArgs, f2xaif};
use xaif_cli::CommonArgs;

/// Translate Fortran into XAIF: all files of a program in one run, in any order.
#[derive(clap::Parser)]
#[command(
    name = "f2xaif",
    version,
    after_help = xaif_cli::examples(&[
        "f2xaif main.f90 solver.f -o program.xaif",
        "f2xaif -I include -D SIZE=8 a.F90 | xaif-show",
    ])
)]
struct Args {
    /// Fortran source files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    source: SourceArgs,
}

/// The command line.
pub fn command() -> clap::Command {
    xaif_cli::command::<Args>()
}

/// The main function.
pub fn main() -> ExitCode {
    xaif_cli::run(
        |args: &Args| &args.common,
        |args, console| match f2xaif(&args.files, &args.source, console) {
            Some(document) => console.write_document(document),
            None => Ok(None),
        },
    )
}
