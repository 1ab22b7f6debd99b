//! `xaif-run`: executes a procedure of a XAIF document.

use std::fmt::Write as _;
use std::process::ExitCode;

use crate::{Limits, Mode, Request, parse_file, parse_setting, run};
use xaif_cli::CommonArgs;
use xaif_schema::cli::{self, Console, Output};
use xaif_schema::diag::{Code, Diagnostic, Diagnostics};
use xaif_schema::model::Language;

/// Execute a procedure of a XAIF document and print its arguments after the call.
#[derive(clap::Parser)]
#[command(
    name = "xaif-run",
    version,
    after_help = xaif_cli::examples(&[
        "xaif-run a.xaif --proc p --set n=3 --set x=[1,2,3]",
        "f2xaif a.f90 | xaif-run --proc p --set x=2 --mode tangent --direction x=1",
    ])
)]
struct Args {
    /// The document; `-` is standard input
    #[arg(default_value = "-")]
    file: String,
    /// The procedure; else the main program, or the only procedure
    #[arg(long, value_name = "NAME")]
    proc: Option<String>,
    /// The value of an argument, module variable or member of COMMON: x=1.5, a=[1,2,3]
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// A file of such values, one a line
    #[arg(long, value_name = "FILE")]
    input: Option<String>,
    /// Text for READ
    #[arg(long, value_name = "FILE")]
    stdin: Option<String>,
    /// How values are carried
    #[arg(long, value_enum, default_value_t)]
    mode: ModeArg,
    /// The direction of tangents: x=[1,0]; what is not named has none
    #[arg(long, value_name = "NAME=VALUE")]
    direction: Vec<String>,
    /// Execute it N times before, without a direction: variables of modules keep what that leaves
    #[arg(long, value_name = "N", default_value_t = 0)]
    before: u32,
    /// Print this variable, too
    #[arg(long, value_name = "NAME")]
    show: Vec<String>,
    /// Print what was counted
    #[arg(long)]
    counts: bool,
    /// Stop after so many steps
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
    /// Let variables that were never given a value read as zero
    #[arg(long)]
    zero_undefined: bool,
    /// Let the copy of a variable that was never given a value have none either: derivatives copy what callers keep
    #[arg(long)]
    copies_undefined: bool,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Clone, Copy, Default, clap::ValueEnum)]
enum ModeArg {
    /// Values alone
    #[default]
    Value,
    /// Values with a tangent
    Tangent,
    /// Complex step
    ComplexStep,
}

/// The command line.
pub fn command() -> clap::Command {
    xaif_cli::command::<Args>()
}

/// The main function.
pub fn main() -> ExitCode {
    xaif_cli::run(|args: &Args| &args.common, execute)
}

fn execute(args: &Args, console: &mut Console) -> Result<Output, Diagnostics> {
    let doc = console.read_document(&args.file)?;
    let mut values = Vec::new();
    if let Some(path) = &args.input {
        values.extend(parse_file(&cli::read_text(path)?).map_err(bad_input)?);
    }
    for text in &args.set {
        values.push(parse_setting(text).map_err(bad_input)?);
    }
    let direction = args.direction.iter().map(|text| parse_setting(text).map_err(bad_input));
    let limits = Limits::default();
    let request = Request {
        procedure: args.proc.clone(),
        values,
        direction: direction.collect::<Result<_, _>>()?,
        parts: false,
        before: args.before,
        show: args.show.clone(),
        stdin: args.stdin.as_deref().map_or(Ok(String::new()), cli::read_text)?,
        mode: match args.mode {
            ModeArg::Value => Mode::Value,
            ModeArg::Tangent => Mode::Tangent,
            ModeArg::ComplexStep => Mode::ComplexStep,
        },
        limits: Limits {
            steps: args.max_steps.unwrap_or(limits.steps),
            zero_undefined: args.zero_undefined,
            copies_undefined: args.copies_undefined,
            ..limits
        },
    };
    // The sources that the document names may be there to quote from.
    for file in doc.files.values() {
        if let Ok(text) = std::fs::read_to_string(&file.path) {
            console.remember(&file.path, text);
        }
    }
    let outcome = run(&doc, &request)?;
    console.report(&outcome.warnings);
    let mut text = outcome.stdout.clone();
    // STOP of Fortran says so, `exit` of C does not.
    let silent = doc.files.values().all(|file| file.language == Language::C);
    if let Some(stop) = outcome.stopped.as_ref().filter(|_| !silent || doc.files.is_empty()) {
        let _ = writeln!(text, "{}", format!("STOP {stop}").trim_end());
    }
    for output in &outcome.outputs {
        let _ = writeln!(text, "{}", output.values());
        if request.mode != Mode::Value
            && let Some(tangents) = output.tangents()
        {
            let _ = writeln!(text, "{tangents}");
        }
    }
    if args.counts {
        for (name, count) in outcome.counts.rows() {
            let _ = writeln!(text, "{name}: {count}");
        }
    }
    Ok(Some(text.into()))
}

fn bad_input(message: String) -> Diagnostics {
    [Diagnostic::error(Code::RUN_BAD_INPUT, None, message)].into_iter().collect()
}
