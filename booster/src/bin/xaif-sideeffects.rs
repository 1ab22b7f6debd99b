//! `xaif-sideeffects`: adds to a document what shares storage, what each procedure reads and
//! overwrites, and the chains of definitions and uses.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use xaif_booster::analysis::side_effects::{self, SideEffects};
use xaif_booster::analysis::{Accesses, Bodies, Storage};
use xaif_booster::externals::Externals;
use xaif_schema::cli::{self, CommonArgs};
use xaif_schema::model::StageRun;

/// Find side effects: alias sets, what procedures read and overwrite, chains of definitions
///
/// The facts are added to the document in XAIF's own elements, in place of older ones; the program
/// stays as it is.
#[derive(Parser)]
#[command(name = "xaif-sideeffects", version)]
struct Args {
    /// The document; `-` is standard input
    #[arg(value_name = "DOCUMENT", default_value = "-")]
    input: String,
    /// Print the facts for people instead of the document
    #[arg(short, long)]
    print: bool,
    /// What external procedures do (TOML; may be given several times)
    #[arg(long, value_name = "FILE")]
    externals: Vec<PathBuf>,
    #[command(flatten)]
    common: CommonArgs,
}

fn main() -> ExitCode {
    cli::run(
        |args: &Args| &args.common,
        |args, console| {
            let mut externals = Externals::new();
            for path in &args.externals {
                let file = path.display().to_string();
                let text = cli::read_text(&file)?;
                console.remember(&file, text.as_str());
                externals.extend(Externals::parse(&file, &text)?);
            }
            let mut doc = console.read_document(&args.input)?;
            let storage = Storage::new(&doc);
            let accesses = Accesses::new(&doc, &storage);
            let bodies = Bodies::new(&accesses);
            let effects = SideEffects::new(&accesses, &bodies, &externals);
            if args.print {
                let page = side_effects::print::print(&doc, &storage, &bodies, &effects);
                return Ok(Some(page.into_bytes()));
            }
            let facts = side_effects::record::Facts::new(&accesses, &bodies, &externals, &effects);
            facts.record(&mut doc);
            doc.history.push(run_of(args));
            console.write_document(&doc)
        },
    )
}

fn run_of(args: &Args) -> StageRun {
    let options = args.externals.iter().map(|path| format!("--externals {}", path.display()));
    StageRun {
        stage: "xaif-sideeffects".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        options: options.collect::<Vec<_>>().join(" "),
    }
}
