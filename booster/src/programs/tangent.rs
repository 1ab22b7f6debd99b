//! `xaif-tangent`: procedures that compute tangents, beside those of a document.

use std::process::ExitCode;

use crate::passes::{PassArgs, Verifier};
use crate::stages::{CatalogueArgs, ExternalsArgs, Known, TangentArgs, read_rules};
use crate::transform::tangent;
use xaif_cli::CommonArgs;
use xaif_schema::cli::{Console, Output};
use xaif_schema::diag::Diagnostics;

/// Add tangents to a document: for each active procedure P a procedure P_d.
///
/// P_d computes what P computes and the derivative of its active arguments in a direction: each
/// active argument is followed by its derivative. Where the document has no facts of activity
/// (xaif-activity), every real and complex variable is active. The program units of the user stay
/// in the document; xaif2f prints the new ones only.
#[derive(clap::Parser)]
#[command(
    name = "xaif-tangent",
    version,
    after_help = xaif_cli::examples(&[
        "xaif-tangent canonical.xaif | xaif2f -o p_d.f90",
        "xaif-canonicalize a.xaif | xaif-tangent --directions 4 -o d.xaif",
    ])
)]
struct Args {
    /// The document; `-` is standard input
    #[arg(value_name = "DOCUMENT", default_value = "-")]
    input: String,
    #[command(flatten)]
    tangent: TangentArgs,
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
    let rows = tangent::list();
    if let Some(table) = args.passes.listed(&rows) {
        return Ok(Some(table.into()));
    }
    let selection = args.passes.selection(&rows)?;
    let (externals, rules) = read_rules(&args.externals, &args.catalogue, console)?;
    let mut doc = console.read_document(&args.input)?;
    let known = Known { externals: &externals, rules: &rules, selection: &selection };
    let mut verifier = Verifier { on: console.verifies_passes() };
    let warnings = args.tangent.apply(&mut doc, known, &mut verifier)?;
    console.report(&warnings);
    console.write_document(doc)
}
