//! `xaif-tbr`: which values an adjoint must record before they are overwritten.

use std::process::ExitCode;

use crate::analysis::tbr::{Tbr, open_pointers};
use crate::analysis::{Accesses, Storage};
use crate::stages::{CatalogueArgs, ExternalsArgs, ModesArgs, TbrArgs, read_rules};
use clap::Parser;
use xaif_cli::CommonArgs;
use xaif_schema::cli::{self, Console};
use xaif_schema::diag::Diagnostics;
use xaif_schema::upgrade::upgrade;

/// Find the values that an adjoint must record.
///
/// Reads an XAIF document and writes it with the facts: what each statement overwrites that an
/// adjoint statement needs, which branches must record the way that was taken, how loops are
/// reversed. The facts hold for the program as it stands in the document, so this comes after
/// `xaif-canonicalize --constructs`, and for the calls that are split, so `xaif-reverse` is told the
/// same of them.
#[derive(Parser)]
#[command(
    name = "xaif-tbr",
    version,
    after_help = xaif_cli::examples(&[
        "xaif-tbr canonical.xaif -o tbr.xaif",
        "xaif-tbr canonical.xaif --why x@12",
    ])
)]
struct Args {
    /// The document; `-` is standard input
    #[arg(value_name = "DOCUMENT", default_value = "-")]
    input: String,
    /// Instead of the document: what is required and needed in each procedure
    #[arg(long, conflicts_with = "why")]
    print: bool,
    /// Instead of the document: which adjoint statement needs the value of a variable that is
    /// overwritten in a line (`x@12`, or `x@file.f90:12`)
    #[arg(long, value_name = "X@LINE")]
    why: Option<String>,
    #[command(flatten)]
    tbr: TbrArgs,
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
    xaif_cli::run(|args: &Args| &args.common, tbr)
}

fn tbr(args: &Args, console: &mut Console) -> Result<cli::Output, Diagnostics> {
    let (externals, rules) = read_rules(&args.externals, &args.catalogue, console)?;
    // A XAIF 1.0 document may list its vertices in any order; constructs are told by it.
    let read = console.read_document(&args.input)?;
    let mut doc = upgrade(&read)?.into_owned();
    let storage = Storage::new(&doc);
    let accesses = Accesses::new(&doc, &storage);
    let tbr = Tbr::new(&accesses, &externals, &rules.catalogue, &args.modes.modes());
    if args.print {
        return Ok(Some(tbr.print().into()));
    }
    if let Some(name) = &args.why {
        return Ok(Some(tbr.why(name)?.into()));
    }
    let facts = tbr.facts();
    facts.record(&mut doc);
    args.tbr.note(&mut doc, &rules, &args.modes);
    console.report(&open_pointers(&doc).into_iter().collect());
    console.write_document(doc)
}
