//! `xaif-tangent`: procedures that compute tangents, beside those of a document.

use std::process::ExitCode;

use xaif_booster::transform::tangent::{Options, tangent};
use xaif_schema::cli::{self, CommonArgs, Console, Output};
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::StageRun;

/// Add tangents to a document: for each active procedure P a procedure P_d.
///
/// P_d computes what P computes and the derivative of its active arguments in a direction: each
/// active argument is followed by its derivative. Where the document has no facts of activity
/// (xaif-activity), every real and complex variable is active. The program units of the user stay
/// in the document; xaif2f prints the new ones only.
#[derive(clap::Parser)]
#[command(name = "xaif-tangent", version)]
struct Args {
    /// The document; `-` is standard input
    #[arg(value_name = "DOCUMENT", default_value = "-")]
    input: String,
    /// Compute derivatives in N directions at once: they have a leading dimension of N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    directions: Option<u32>,
    /// What the names of derivative variables end with
    #[arg(long, value_name = "SUFFIX", default_value = "d")]
    suffix_variable: String,
    /// What the names of derivative procedures, modules and COMMON blocks end with
    #[arg(long, value_name = "SUFFIX", default_value = "_d")]
    suffix_procedure: String,
    #[command(flatten)]
    common: CommonArgs,
}

impl Args {
    fn options(&self) -> Options {
        Options {
            directions: self.directions,
            suffix_variable: self.suffix_variable.clone(),
            suffix_procedure: self.suffix_procedure.clone(),
        }
    }

    /// The options that matter for what stands in the document.
    fn shown(&self) -> String {
        let default = Options::default();
        let mut words: Vec<String> = Vec::new();
        words.extend(self.directions.map(|count| format!("--directions={count}")));
        if self.suffix_variable != default.suffix_variable {
            words.push(format!("--suffix-variable={}", self.suffix_variable));
        }
        if self.suffix_procedure != default.suffix_procedure {
            words.push(format!("--suffix-procedure={}", self.suffix_procedure));
        }
        words.join(" ")
    }
}

fn main() -> ExitCode {
    cli::run(|args: &Args| &args.common, run)
}

fn run(args: &Args, console: &mut Console) -> Result<Output, Diagnostics> {
    let mut doc = console.read_document(&args.input)?;
    console.report(&tangent(&mut doc, &args.options())?);
    doc.history.push(StageRun {
        stage: "xaif-tangent".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        options: args.shown(),
    });
    console.write_document(&doc)
}
