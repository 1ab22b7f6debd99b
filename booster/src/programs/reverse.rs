//! `xaif-reverse`: procedures that compute adjoints, beside those of a document.

use std::process::ExitCode;

use crate::passes::{PassArgs, Verifier};
use crate::stages::{CatalogueArgs, ExternalsArgs, Known, ModesArgs, ReverseArgs, read_rules};
use crate::transform::adjoint;
use xaif_cli::CommonArgs;
use xaif_schema::cli::{Console, Output};
use xaif_schema::diag::Diagnostics;

/// Add adjoints to a document: for each active procedure P a procedure P_b.
///
/// P_b propagates adjoints from the outputs of P to its inputs: each active argument is followed by
/// its adjoint. Where the document has no facts of activity (xaif-activity), every real and complex
/// variable is active; where it has no facts of TBR analysis (xaif-tbr), everything that is
/// overwritten is recorded on the tape. The program units of the user stay in the document; xaif2f
/// prints the new ones only.
#[derive(clap::Parser)]
#[command(
    name = "xaif-reverse",
    version,
    after_help = xaif_cli::examples(&[
        "xaif-reverse tbr.xaif | xaif2f -o p_b.f90",
        "xaif-tbr --split p c.xaif | xaif-reverse --split p -o b.xaif",
    ])
)]
struct Args {
    /// The document; `-` is standard input
    #[arg(value_name = "DOCUMENT", default_value = "-")]
    input: String,
    #[command(flatten)]
    reverse: ReverseArgs,
    #[command(flatten)]
    modes: ModesArgs,
    #[command(flatten)]
    catalogue: CatalogueArgs,
    #[command(flatten)]
    externals: ExternalsArgs,
    #[command(flatten)]
    passes: PassArgs,
    #[command(flatten)]
    common: CommonArgs,
}

/// The command line.
pub fn command() -> clap::Command {
    xaif_cli::command::<Args>()
}

/// The main function.
pub fn main() -> ExitCode {
    xaif_cli::run(|args: &Args| &args.common, run)
}

fn run(args: &Args, console: &mut Console) -> Result<Output, Diagnostics> {
    let rows = adjoint::list();
    if let Some(table) = args.passes.listed(&rows) {
        return Ok(Some(table.into()));
    }
    let selection = args.passes.selection(&rows)?;
    let (externals, rules) = read_rules(&args.externals, &args.catalogue, console)?;
    let mut doc = console.read_document(&args.input)?;
    let known = Known { externals: &externals, rules: &rules, selection: &selection };
    let mut verifier = Verifier { on: console.verifies_passes() };
    let warnings = args.reverse.apply(&mut doc, known, &args.modes, &mut verifier)?;
    console.report(&warnings);
    // Where a pass stops the stage, the document is not finished.
    if console.verifies() && !rows.iter().any(|row| selection.stops_behind(row.about)) {
        args.reverse.verify(&doc, &externals)?;
    }
    console.write_document(doc)
}
