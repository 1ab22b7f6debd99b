//! `c2xaif`: C into XAIF.

use std::path::PathBuf;
use std::process::ExitCode;

use xaif_cli::CommonArgs;

use crate::source::Options;

/// Translate C into XAIF: all files of a program in one run.
#[derive(clap::Parser)]
#[command(
    name = "c2xaif",
    version,
    after_help = xaif_cli::examples(&[
        "c2xaif main.c solver.c -o program.xaif",
        "c2xaif -I include -D SIZE=8 a.c | xaif-show",
    ])
)]
struct Args {
    /// C source files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    common: CommonArgs,
    /// Search for included files in DIR
    #[arg(short = 'I', value_name = "DIR", help_heading = "How sources are read")]
    include: Vec<PathBuf>,
    /// Define a macro of the preprocessor
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "How sources are read")]
    define: Vec<String>,
    /// Undefine a macro of the preprocessor
    #[arg(short = 'U', value_name = "NAME", help_heading = "How sources are read")]
    undefine: Vec<String>,
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
            let options = Options {
                include: args.include.clone(),
                define: args.define.clone(),
                undefine: args.undefine.clone(),
            };
            match crate::c2xaif(&args.files, &options, console) {
                Some(document) => console.write_document(document),
                None => Ok(None),
            }
        },
    )
}
