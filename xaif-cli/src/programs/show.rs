//! `xaif-show`: a document as annotated pseudo-code.

use std::process::ExitCode;

use crate::CommonArgs;
use clap::Parser;
use xaif_schema::inspect::show::{ShowOptions, show_with};

/// Show a XAIF document as annotated pseudo-code.
///
/// Each scope has its declarations, then the flow graph of its procedure as indented text. What a
/// construct implies is not written; every other edge is (`-> v7`, `-> v7 on 1`, or a label).
/// `x~` is an active reference, `d(x)` the derivative of x, `generic:specific(...)` a call through
/// a generic name. Comments of the source follow a `#`, facts of the document a `!`.
#[derive(Parser)]
#[command(
    name = "xaif-show",
    version,
    after_help = crate::examples(&[
        "xaif-show a.xaif --no-vertices",
        "f2xaif a.f90 | xaif-show --types",
    ])
)]
struct Args {
    /// The document; `-` is standard input
    #[arg(value_name = "DOCUMENT", default_value = "-")]
    input: String,
    /// Types of references, calls and intrinsic functions: `x:real8[1]`
    #[arg(short, long)]
    types: bool,
    /// Places in the source
    #[arg(short, long)]
    places: bool,
    /// Ids of symbols, references and statements; also vertices that say nothing
    #[arg(short, long)]
    ids: bool,
    /// Alias sets, chains of definitions, and the keys into them
    #[arg(short, long)]
    keys: bool,
    /// How kinds are spelt in the source (`real*8`), and its blank lines
    #[arg(short, long)]
    spellings: bool,
    /// All of the above
    #[arg(short, long)]
    full: bool,
    /// No ids of vertices, but for those that a jump names
    #[arg(long)]
    no_vertices: bool,
    /// No comments of the source
    #[arg(long)]
    no_comments: bool,
    /// No side effects of procedures
    #[arg(long)]
    no_effects: bool,
    #[command(flatten)]
    common: CommonArgs,
}

/// The command line.
pub fn command() -> clap::Command {
    crate::command::<Args>()
}

/// The main function.
pub fn main() -> ExitCode {
    crate::run(
        |args: &Args| &args.common,
        |args, console| {
            let doc = console.read_document(&args.input)?;
            let options = ShowOptions {
                vertices: !args.no_vertices,
                types: args.types || args.full,
                places: args.places || args.full,
                ids: args.ids || args.full,
                keys: args.keys || args.full,
                spellings: args.spellings || args.full,
                comments: !args.no_comments,
                effects: !args.no_effects,
            };
            Ok(Some(show_with(&doc, &options).into()))
        },
    )
}
