//! `xaif-sideeffects`: adds to a document what shares storage, what each procedure reads and
//! overwrites, and the chains of definitions and uses.

use std::process::ExitCode;

use crate::analysis::side_effects::{self, SideEffects};
use crate::analysis::storage::why_shared;
use crate::analysis::{Accesses, Bodies, Storage};
use crate::stages::{ExternalsArgs, SideEffectsArgs};
use clap::Parser;
use xaif_cli::CommonArgs;

/// Find side effects: alias sets, what procedures read and overwrite, chains of definitions
///
/// The facts are added to the document in XAIF's own elements, in place of older ones; the program
/// stays as it is, and a XAIF 1.0 document of XAIF 1.0 stays one.
#[derive(Parser)]
#[command(
    name = "xaif-sideeffects",
    version,
    after_help = xaif_cli::examples(&[
        "f2xaif a.f90 | xaif-sideeffects --externals blas.toml -o facts.xaif",
        "xaif-sideeffects a.xaif --why block%p,block%w",
    ])
)]
struct Args {
    /// The document; `-` is standard input
    #[arg(value_name = "DOCUMENT", default_value = "-")]
    input: String,
    /// Print the facts for people instead of the document
    #[arg(short, long)]
    print: bool,
    /// Instead of the document: why two variables or components (`X`, `M%X`, `T%C`) may share memory
    #[arg(long, value_name = "X,Y", value_delimiter = ',')]
    why: Vec<String>,
    #[command(flatten)]
    externals: ExternalsArgs,
    #[command(flatten)]
    stage: SideEffectsArgs,
    #[command(flatten)]
    common: CommonArgs,
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
            let externals = args.externals.read(|path| console.read_text(path))?;
            let mut doc = console.read_document(&args.input)?;
            if !args.why.is_empty() {
                console.report(&args.stage.promise(&mut doc));
                return Ok(Some(why_shared(&doc, &args.why)?.into()));
            }
            if args.print {
                console.report(&args.stage.promise(&mut doc));
                let storage = Storage::new(&doc);
                let accesses = Accesses::new(&doc, &storage);
                let bodies = Bodies::new(&accesses);
                let effects = SideEffects::new(&accesses, &bodies, &externals);
                let page = side_effects::print::print(&doc, &storage, &bodies, &effects);
                return Ok(Some(page.into()));
            }
            let warnings = args.stage.apply(&mut doc, &args.externals, &externals);
            console.report(&warnings);
            console.write_document(doc)
        },
    )
}
