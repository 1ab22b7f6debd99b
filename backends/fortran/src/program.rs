//! `xaif2f`: XAIF in, Fortran out.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::{Layout, unparse};
use xaif_schema::cli;

/// Turns an XAIF document into standard free-form Fortran.
#[derive(clap::Parser)]
#[command(
    name = "xaif2f",
    version,
    after_help = xaif_cli::examples(&[
        "xaif2f a.xaif -o a.f90",
        "xaif-reverse tbr.xaif | xaif2f --split derivative",
    ])
)]
struct Args {
    /// The document; `-` is standard input
    #[arg(default_value = "-")]
    input: String,
    /// Write one file NAME.f90 into DIR for each source file NAME
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    split: Option<PathBuf>,
    /// Print the user's own program units, too, where a stage has added others beside them
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
            let Some(folder) = &args.split else {
                let texts = unparse(&doc, Layout::OneText)?;
                let text: String = texts.into_iter().map(|(_, text)| text).collect();
                return Ok(Some(text.into()));
            };
            let texts = unparse(&doc, Layout::PerFile)?;
            let files: Vec<(PathBuf, Vec<u8>)> = texts
                .into_iter()
                .map(|(name, text)| (folder.join(name), text.into_bytes()))
                .collect();
            let sources = doc.files.values().map(|file| Path::new(&file.path));
            cli::spare_sources(sources, &files, "give another folder with --split")?;
            cli::write_files(&files)?;
            Ok(None)
        },
    )
}
