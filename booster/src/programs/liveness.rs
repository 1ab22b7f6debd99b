//! `xaif-liveness`: which statements the forward sweep of an adjoint needs.

use std::process::ExitCode;

use crate::analysis::liveness::Liveness;
use crate::analysis::{Accesses, Storage};
use crate::stages::{CatalogueArgs, ExternalsArgs, LivenessArgs, ModesArgs, read_rules};
use clap::Parser;
use xaif_cli::CommonArgs;
use xaif_schema::cli::{self, Console};
use xaif_schema::diag::Diagnostics;
use xaif_schema::upgrade::upgrade;

/// Find the statements that the forward sweep of an adjoint needs.
///
/// Reads an XAIF document and writes it with the facts: a statement with `ox:adjoint-live="false"` is left out of the
/// forward sweep and records nothing, as no adjoint reads its results. The stage comes after `xaif-canonicalize
/// --constructs` and before `xaif-recover` and `xaif-tbr`. The facts hold for the calls that are split, so the later
/// stages are told the same of them.
#[derive(Parser)]
#[command(
    name = "xaif-liveness",
    version,
    after_help = xaif_cli::examples(&[
        "xaif-canonicalize --constructs a.xaif | xaif-liveness | xaif-tbr | xaif-reverse -o b.xaif",
        "xaif-liveness canonical.xaif --why x@12",
    ])
)]
struct Args {
    /// The document; `-` is standard input
    #[arg(value_name = "DOCUMENT", default_value = "-")]
    input: String,
    /// Instead of the document: what lives at the entry and exit of each adjoint, and the lines without need
    #[arg(long, conflicts_with = "why")]
    print: bool,
    /// Instead of the document: which statement or adjoint reads the value that a line gives to a variable (`x@12`, or
    /// `x@file.f90:12`)
    #[arg(long, value_name = "X@LINE")]
    why: Option<String>,
    #[command(flatten)]
    liveness: LivenessArgs,
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
    xaif_cli::run(|args: &Args| &args.common, liveness)
}

fn liveness(args: &Args, console: &mut Console) -> Result<cli::Output, Diagnostics> {
    let (externals, rules) = read_rules(&args.externals, &args.catalogue, console)?;
    let read = console.read_document(&args.input)?;
    let mut doc = upgrade(&read)?.into_owned();
    if args.print || args.why.is_some() {
        let storage = Storage::new(&doc);
        let accesses = Accesses::new(&doc, &storage);
        let modes = args.modes.modes();
        let found = Liveness::new(&accesses, &externals, &rules.catalogue, &modes);
        let text = args.why.as_ref().map_or_else(|| Ok(found.print()), |name| found.why(name))?;
        return Ok(Some(text.into()));
    }
    args.liveness.apply(&mut doc, &externals, &rules, &args.modes);
    console.write_document(doc)
}
