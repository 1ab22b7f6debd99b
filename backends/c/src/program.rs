//! `xaif2c`: XAIF in, C out.

use std::path::PathBuf;
use std::process::ExitCode;

use xaif_schema::cli;

use crate::unparse;

/// Turns an XAIF document into C99.
#[derive(clap::Parser)]
#[command(
    name = "xaif2c",
    version,
    after_help = xaif_cli::examples(&[
        "xaif2c a.xaif -o a.c",
        "c2xaif a.c | xaif2c --header a.h -o b.c",
    ])
)]
struct Args {
    /// The document; `-` is standard input
    #[arg(default_value = "-")]
    input: String,
    /// Write the prototypes of the functions into FILE, too
    #[arg(long, value_name = "FILE")]
    header: Option<PathBuf>,
    /// Print the user's own functions, too, where a stage has added others beside them
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    common: xaif_cli::CommonArgs,
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
            if args.all {
                doc.scopes.values_mut().for_each(|scope| scope.provided = false);
            }
            let texts = unparse(&doc)?;
            if let Some(header) = &args.header {
                let name = header
                    .file_name()
                    .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
                cli::write_files(&[(header.clone(), texts.header_as(&name).into_bytes())])?;
            }
            Ok(Some(texts.text.into()))
        },
    )
}
