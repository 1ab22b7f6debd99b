//! `xaif-sideeffects`: adds to a document what shares storage, what each procedure reads and
//! overwrites, and the chains of definitions and uses.

use std::process::ExitCode;

use clap::Parser;
use xaif_booster::analysis::side_effects::{self, SideEffects};
use xaif_booster::analysis::{Accesses, Bodies, Storage};
use xaif_booster::stages::{ExternalsArgs, SideEffectsArgs};
use xaif_schema::cli::{self, CommonArgs};

/// Find side effects: alias sets, what procedures read and overwrite, chains of definitions
///
/// The facts are added to the document in XAIF's own elements, in place of older ones; the program
/// stays as it is, and a genuine document of XAIF 1.0 stays one.
#[derive(Parser)]
#[command(name = "xaif-sideeffects", version)]
struct Args {
    /// The document; `-` is standard input
    #[arg(value_name = "DOCUMENT", default_value = "-")]
    input: String,
    /// Print the facts for people instead of the document
    #[arg(short, long)]
    print: bool,
    #[command(flatten)]
    externals: ExternalsArgs,
    #[command(flatten)]
    stage: SideEffectsArgs,
    #[command(flatten)]
    common: CommonArgs,
}

fn main() -> ExitCode {
    cli::run(
        |args: &Args| &args.common,
        |args, console| {
            let externals = args.externals.read(|path| {
                let text = cli::read_text(path)?;
                console.remember(path, text.as_str());
                Ok(text)
            })?;
            let mut doc = console.read_document(&args.input)?;
            if args.print {
                let storage = Storage::new(&doc);
                let accesses = Accesses::new(&doc, &storage);
                let bodies = Bodies::new(&accesses);
                let effects = SideEffects::new(&accesses, &bodies, &externals);
                let page = side_effects::print::print(&doc, &storage, &bodies, &effects);
                return Ok(Some(page.into_bytes()));
            }
            args.stage.apply(&mut doc, &args.externals, &externals);
            console.write_document(&doc)
        },
    )
}
