//! `xaif-recover`: which values the backward sweep of an adjoint computes again.

use std::process::ExitCode;

use crate::stages::{CatalogueArgs, ExternalsArgs, ModesArgs, RecoverArgs, read_rules};
use clap::Parser;
use xaif_cli::CommonArgs;
use xaif_schema::cli::{self, Console};
use xaif_schema::diag::Diagnostics;
use xaif_schema::upgrade::upgrade;

/// Plan which values the backward sweep of an adjoint computes again instead of taking them from the tape.
///
/// Reads an XAIF document and writes it with recomputations: assignments that change nothing where the program executes
/// them, and that the backward sweep executes in the place of a record. The stage comes after `xaif-canonicalize
/// --constructs` and before `xaif-tbr`, which removes recomputations that nothing needs.
#[derive(Parser)]
#[command(
    name = "xaif-recover",
    version,
    after_help = xaif_cli::examples(&[
        "xaif-canonicalize --constructs a.xaif | xaif-recover | xaif-tbr | xaif-reverse -o b.xaif",
        "xaif-recover canonical.xaif -o recovered.xaif",
    ])
)]
struct Args {
    /// The document; `-` is standard input
    #[arg(value_name = "DOCUMENT", default_value = "-")]
    input: String,
    #[command(flatten)]
    recover: RecoverArgs,
    #[command(flatten)]
    modes: ModesArgs,
    #[command(flatten)]
    catalogue: CatalogueArgs,
    #[command(flatten)]
    externals: ExternalsArgs,
    #[command(flatten)]
    common: CommonArgs,
}

/// The command line.
pub fn command() -> clap::Command {
    xaif_cli::command::<Args>()
}

/// The main function.
pub fn main() -> ExitCode {
    xaif_cli::run(|args: &Args| &args.common, recover)
}

fn recover(args: &Args, console: &mut Console) -> Result<cli::Output, Diagnostics> {
    let (externals, rules) = read_rules(&args.externals, &args.catalogue, console)?;
    let read = console.read_document(&args.input)?;
    let mut doc = upgrade(&read)?.into_owned();
    args.recover.apply(&mut doc, &externals, &rules, &args.modes);
    console.write_document(doc)
}
