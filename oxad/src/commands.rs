//! The command line: runs the whole pipeline in one process, checks derivatives, explains diagnostics.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use xaif_schema::cli::{self, Console};
use xaif_schema::diag::{Diagnostics, MessageFormat};

use crate::VERSION;
use crate::config::{ConfigArgs, Line};
use crate::matrix::{hessian, jacobian};
use crate::{batch, check, explain, files, manual};

/// Differentiate Fortran programs, and check the derivatives.
///
/// `oxad` runs the pipeline of the stages (f2xaif, xaif-*, xaif2f) in one process.
#[derive(Parser)]
#[command(
    name = "oxad",
    version = VERSION,
    after_help = xaif_cli::examples(&[
        "oxad adjoint model.f90 solver.f --head cost --independent x --dependent j -o derivative",
        "oxad check model.f90 solver.f --head cost --mode adjoint --set n=10",
    ])
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write tangents: for each source NAME.* a file NAME_d.f90.
    #[command(after_help = xaif_cli::examples(&[
        "oxad tangent model.f90 solver.f --head cost --independent x --dependent j -o derivative",
        "oxad tangent model.f90 --directions 8 --depfile model.d",
    ]))]
    Tangent(Box<files::Tangent>),
    /// Write adjoints: for each source NAME.* a file NAME_b.f90, and the tape.
    #[command(after_help = xaif_cli::examples(&[
        "oxad adjoint model.f90 solver.f --head cost --independent x --dependent j -o derivative",
        "oxad adjoint model.f90 --split-all --no-runtime --timings",
    ]))]
    Adjoint(Box<files::Adjoint>),
    /// Write tangents and adjoints in one run.
    #[command(after_help = xaif_cli::examples(&[
        "oxad both model.f90 solver.f --head cost -o derivative",
        "oxad both program.xaif --externals blas.toml",
    ]))]
    Both(Box<files::Both>),
    /// Write second derivatives: adjoints, their tangents NAME_b_d.f90, and P_h.f90 for the whole Hessian.
    #[command(after_help = xaif_cli::examples(&[
        "oxad hessian model.f90 --head cost --independent x --dependent j -o derivative",
        "oxad hessian model.f90 solver.f --no-banner",
    ]))]
    Hessian(Box<hessian::Hessian>),
    /// Write tangents, adjoints, and P_j.f90 for whole Jacobians, dense and sparse.
    #[command(after_help = xaif_cli::examples(&[
        "oxad jacobian model.f90 --head residual --independent x --dependent r -o derivative",
        "oxad jacobian model.f90 solver.f --no-banner",
    ]))]
    Jacobian(Box<jacobian::Jacobian>),
    /// Compare derivatives with differences of the program, and print a table with a verdict.
    #[command(after_help = xaif_cli::examples(&[
        "oxad check model.f90 --head cost --mode both --set n=10",
        "oxad check model.f90 --derivative model_d.f90 --set x=[1,2,3]",
    ]))]
    Check(Box<check::Args>),
    /// Print how far a direction may be followed before a condition changes sides, and which one does.
    #[command(after_help = xaif_cli::examples(&[
        "oxad validity model.f90 --head cost --set n=10",
        "oxad validity model.f90 --set x=[1,2,3] --direction x=[1,0,0]",
    ]))]
    Validity(Box<check::Args>),
    /// Write the derivatives of many programs: a process for each, in parallel, and only what is not up to date.
    #[command(after_help = xaif_cli::examples(&[
        "oxad batch project.toml --jobs 8",
        "oxad batch project.toml --ninja build.ninja && ninja -k 0",
    ]))]
    Batch(batch::Args),
    /// Explain a diagnostic code: its meaning and the way out.
    #[command(after_help = xaif_cli::examples(&["oxad explain OX4250", "oxad explain --list"]))]
    Explain(explain::Args),
    /// Write the tape that adjoints link with: oxad_tape_chunks.c, oxad_tape.f90.
    #[command(after_help = xaif_cli::examples(&["oxad runtime -o tape", "oxad runtime"]))]
    Runtime(files::Runtime),
    /// Print a script by which a shell completes the command lines of the driver and all stages.
    #[command(after_help = xaif_cli::examples(&[
        "source <(oxad completions bash)",
        "oxad completions fish > ~/.config/fish/conf.d/oxad.fish",
    ]))]
    Completions(manual::Completions),
    /// Write manual pages of the driver and all stages into a folder.
    #[command(after_help = xaif_cli::examples(&[
        "oxad man ~/.local/share/man/man1",
        "oxad man man && man -l man/oxad-adjoint.1",
    ]))]
    Man(manual::Man),
}

/// Executes the command line of the process.
pub fn main() -> ExitCode {
    let Some(line) = Line::new(&xaif_cli::command::<Cli>(), std::env::args_os().collect()) else {
        return ExitCode::from(1);
    };
    let words = line.words.clone();
    match xaif_cli::parse_from::<Cli>(words).command {
        Command::Tangent(command) => {
            let common = &command.args.common;
            report(common, &line, |console| command.run(console, &line).map(|()| true))
        }
        Command::Adjoint(command) => {
            let common = &command.args.common;
            report(common, &line, |console| command.run(console, &line).map(|()| true))
        }
        Command::Both(command) => {
            let common = &command.args.common;
            report(common, &line, |console| command.run(console, &line).map(|()| true))
        }
        Command::Hessian(command) => {
            let common = &command.args.common;
            report(common, &line, |console| command.run(console, &line).map(|()| true))
        }
        Command::Jacobian(command) => {
            let common = &command.args.common;
            report(common, &line, |console| command.run(console, &line).map(|()| true))
        }
        Command::Check(args) => report(&args.common, &line, |console| check::run(&args, console)),
        Command::Validity(args) => {
            report(&args.common, &line, |console| check::validity(&args, console))
        }
        Command::Batch(args) => {
            let mut console = Console::new(args.message_format, false);
            let done = batch::run(&args, &xaif_cli::command::<Cli>(), &mut console);
            status(&mut console, done)
        }
        Command::Explain(args) => explain(&args),
        Command::Runtime(args) => simple(args.run()),
        Command::Completions(args) => simple(args.run()),
        Command::Man(args) => simple(args.run()),
    }
}

/// The command lines of the driver and of all stages.
pub fn programs() -> Vec<clap::Command> {
    let mut all = vec![xaif_cli::command::<Cli>()];
    all.push(c_frontend::program::command());
    all.push(fortran_frontend::program::command());
    all.extend(xaif_booster::programs::commands());
    all.push(c_backend::program::command());
    all.push(fortran_backend::program::command());
    all.extend(xaif_cli::programs::commands());
    all.push(xaif_run::command::command());
    all
}

/// The exit status of a command that reads no program.
fn simple(outcome: Result<(), Diagnostics>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(diagnostics) => {
            Console::new(MessageFormat::default(), false).report(&diagnostics);
            ExitCode::from(1)
        }
    }
}

/// The options that the commands share which run the pipeline.
#[derive(Clone, clap::Args)]
pub(crate) struct Common {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// Format of the diagnostics on standard error
    #[arg(long, value_name = "FORMAT", default_value = "human", value_parser = xaif_cli::message_format(), help_heading = "Diagnostics")]
    pub(crate) message_format: MessageFormat,
    /// Check all invariants of the document after each stage
    #[arg(long, help_heading = "Diagnostics")]
    pub(crate) verify: bool,
}

/// Runs a command that reads a program.
fn report(
    common: &Common,
    line: &Line,
    command: impl FnOnce(&mut Console) -> Result<bool, Diagnostics>,
) -> ExitCode {
    let mut console = Console::new(common.message_format, common.verify);
    if let Some(config) = &line.config {
        console.depends_on(&config.to_string_lossy());
    }
    let done = command(&mut console);
    status(&mut console, done)
}

/// Exit status 0 where all is well, 1 where a command has failed or found a fault.
fn status(console: &mut Console, done: Result<bool, Diagnostics>) -> ExitCode {
    match done {
        Ok(good) => ExitCode::from(u8::from(!good || console.failed())),
        Err(diagnostics) => {
            console.report(&diagnostics);
            ExitCode::from(1)
        }
    }
}

fn explain(args: &explain::Args) -> ExitCode {
    match explain::run(args) {
        Ok(text) => simple(cli::write_output(None, &text.into())),
        Err(message) => {
            eprint!("oxad: {message}");
            ExitCode::from(2)
        }
    }
}
