//! `f2xaif`: Fortran into XAIF.

use std::path::PathBuf;
use std::process::ExitCode;

use fortran_frontend::args::{SourceArgs, f2xaif};
use xaif_schema::cli::{self, CommonArgs};

/// Translate Fortran into XAIF: all files of a program in one run, in any order.
#[derive(clap::Parser)]
#[command(name = "f2xaif", version)]
struct Args {
    /// Fortran source files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    source: SourceArgs,
}

fn main() -> ExitCode {
    cli::run(
        |args: &Args| &args.common,
        |args, console| match f2xaif(&args.files, &args.source, console) {
            Some(document) => console.write_document(&document),
            None => Ok(None),
        },
    )
}
