//! `xaif-activity`: which variables have a derivative that must be computed.

use std::process::ExitCode;

use crate::analysis::activity::{self, Activity};
use crate::analysis::{Accesses, no_return};
use crate::stages::{ActivityArgs, ExternalsArgs};
use clap::Parser;
use xaif_cli::CommonArgs;
use xaif_schema::cli::{self, Console};
use xaif_schema::diag::Diagnostics;
use xaif_schema::upgrade::upgrade;

/// Find the active variables of a program.
///
/// Reads an XAIF document and writes it with the facts: which variables have a derivative, at which
/// references it takes part, through which calls activity passes, which procedures need a derivative
/// procedure. Without options, INDEPENDENT and DEPENDENT directives of the source tell what is
/// differentiated; without them it is the one procedure that no other calls, with all its real and
/// complex arguments.
#[derive(Parser)]
#[command(
    name = "xaif-activity",
    version,
    after_help = xaif_cli::examples(&[
        "f2xaif a.f90 b.f90 | xaif-activity --head p --independent x --dependent y -o active.xaif",
        "xaif-activity a.xaif --why p:t",
    ])
)]
struct Args {
    /// The document; `-` is standard input
    #[arg(value_name = "DOCUMENT", default_value = "-")]
    input: String,
    /// Instead of the document: the active variables of each procedure
    #[arg(long, conflicts_with = "why")]
    print: bool,
    /// Instead of the document: why a variable (`x`, or `p:x` in the procedure p) is active or not
    #[arg(long, value_name = "X")]
    why: Option<String>,
    #[command(flatten)]
    activity: ActivityArgs,
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
    xaif_cli::run(|args: &Args| &args.common, activity)
}

fn activity(args: &Args, console: &mut Console) -> Result<cli::Output, Diagnostics> {
    let externals = args.externals.read(|path| console.read_text(path))?;
    // As the stage does it: XAIF 1.0 cannot say the facts.
    let read = console.read_document(&args.input)?;
    let mut doc = upgrade(&read)?.into_owned();
    no_return::mark(&mut doc, &externals);
    let options = args.activity.options();
    let storage = activity::storage(&doc, &options);
    let accesses = Accesses::new(&doc, &storage);
    let activity = Activity::new(&accesses, &options, &externals)?;
    console.report(&activity.warnings());
    if args.print {
        return Ok(Some(activity.print().into()));
    }
    if let Some(name) = &args.why {
        return Ok(Some(activity.why(name)?.into()));
    }
    let facts = activity.facts();
    facts.record(&mut doc);
    args.activity.note(&mut doc);
    console.write_document(doc)
}
