//! `oxad tangent`, `oxad adjoint`, `oxad both`: sources in, their derivatives out, ready to be
//! compiled beside them.
//!
//! For each source `NAME.*` whose units have derivatives they write `NAME_d.f90` with the tangents,
//! `NAME_b.f90` with the adjoints: all files or none. With adjoints goes the tape that they link
//! with, `oxad_tape_chunks.c` and `oxad_tape.f90`, which a compiler takes before the others.

use std::path::{Path, PathBuf};

use fortran_frontend::args::SourceArgs;
use xaif_booster::passes::{PassArgs, Row};
use xaif_booster::stages::TangentArgs;
use xaif_schema::cli::{self, Console};
use xaif_schema::diag::{Code, Diagnostic, Diagnostics};

use crate::banner;
use crate::commands::Common;
use crate::config::Line;
use crate::differentiate::{
    Derivative, Made, OF_ADJOINT, OF_TANGENT, Origin, Texts, VALIDITY, is_runtime, made, runtime,
};
use crate::pipeline::{AdjointArgs, KeepArgs, Options, PREPARE, Run, StageArgs, rows};

/// Heading of the options about generated files.
const OUTPUT: &str = "Output";

/// What all three commands have.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Fortran sources of a program, in any order, or one XAIF document
    #[arg(required_unless_present = "list_passes", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Write into DIR, which is made where it does not exist
    #[arg(short, long, value_name = "DIR", default_value = ".", help_heading = OUTPUT)]
    output: PathBuf,
    /// Leave out the comment that tells by which version and command line a file was made
    #[arg(long, help_heading = OUTPUT)]
    no_banner: bool,
    /// Write a rule of make into FILE: the generated files depend on all files that were read
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    depfile: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(flatten)]
    pub(crate) stages: StageArgs,
    #[command(flatten)]
    pub(crate) passes: PassArgs,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

/// The arguments of `oxad tangent`.
#[derive(clap::Args)]
pub(crate) struct Tangent {
    #[command(flatten)]
    pub(crate) args: Args,
    #[command(flatten)]
    tangent: TangentArgs,
}

/// The arguments of `oxad adjoint`.
#[derive(clap::Args)]
pub(crate) struct Adjoint {
    #[command(flatten)]
    pub(crate) args: Args,
    #[command(flatten)]
    adjoint: AdjointArgs,
    #[command(flatten)]
    runtime: RuntimeArgs,
}

/// The arguments of `oxad both`.
#[derive(clap::Args)]
pub(crate) struct Both {
    #[command(flatten)]
    pub(crate) args: Args,
    #[command(flatten)]
    tangent: TangentArgs,
    #[command(flatten)]
    adjoint: AdjointArgs,
    #[command(flatten)]
    runtime: RuntimeArgs,
}

/// Whether the runtime is written.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct RuntimeArgs {
    /// Do not write the tape that adjoints link with: oxad_tape_chunks.c, oxad_tape.f90
    #[arg(long, help_heading = OUTPUT)]
    no_runtime: bool,
}

/// The arguments of `oxad runtime`.
#[derive(clap::Args)]
pub(crate) struct Runtime {
    /// Write into DIR, which is made where it does not exist
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
}

impl Runtime {
    /// Writes the files.
    pub(crate) fn run(&self) -> Result<(), Diagnostics> {
        cli::write_files(&in_folder(&self.output, runtime()))
    }
}

impl RuntimeArgs {
    pub(crate) fn texts(self) -> Texts {
        if self.no_runtime { Vec::new() } else { runtime() }
    }
}

impl Tangent {
    /// Reads, differentiates, writes.
    pub(crate) fn run(&self, console: &mut Console, line: &Line) -> Result<(), Diagnostics> {
        let options = Options {
            stages: self.args.stages.clone(),
            tangent: self.tangent.clone(),
            ..Options::default()
        }
        .with_validity();
        let runtime = match options.tangent.validity {
            true => vec![(VALIDITY.0.to_owned(), VALIDITY.1.to_owned())],
            false => Vec::new(),
        };
        self.args.run((console, line), options, (&[OF_TANGENT], runtime))
    }
}

impl Adjoint {
    /// Reads, differentiates, writes.
    pub(crate) fn run(&self, console: &mut Console, line: &Line) -> Result<(), Diagnostics> {
        let options = Options {
            stages: self.args.stages.clone(),
            adjoint: self.adjoint.clone(),
            ..Options::default()
        };
        self.args.run((console, line), options, (&[OF_ADJOINT], self.runtime.texts()))
    }
}

impl Both {
    /// Reads, differentiates twice, writes.
    pub(crate) fn run(&self, console: &mut Console, line: &Line) -> Result<(), Diagnostics> {
        if self.tangent.validity {
            let message = "an adjoint has no interval of validity";
            let help = "write the tangent in a run of its own, by `oxad tangent --validity`";
            let error = Diagnostic::error(Code::NO_INTERVAL, None, message).with_help(help);
            return Err(Diagnostics::from(error));
        }
        let options = Options {
            stages: self.args.stages.clone(),
            tangent: self.tangent.clone(),
            adjoint: self.adjoint.clone(),
            ..Options::default()
        };
        self.args.run((console, line), options, (&[OF_TANGENT, OF_ADJOINT], self.runtime.texts()))
    }
}

impl Args {
    /// Reads and prepares the program, writes its derivatives with the files of the `runtime`. Where the run
    /// stops behind a pass, the document is written instead.
    fn run(
        &self,
        (console, line): (&mut Console, &Line),
        options: Options,
        (derivatives, runtime): (&[Derivative], Texts),
    ) -> Result<(), Diagnostics> {
        let rows = rows_of(derivatives);
        if let Some(table) = self.passes.listed(&rows) {
            return cli::write_output(None, &table.into());
        }
        let options = Options { selection: self.passes.selection(&rows)?, ..options };
        let mut run = Run::new(console, &self.keep);
        let Some(doc) = run.read(&self.files, &self.source)? else { return Ok(()) };
        let made = made(&mut run, doc, derivatives, (&options, runtime), self.origin())?;
        self.write(&mut run, made, line)
    }

    /// Where the program comes from, and where its derivatives go.
    pub(crate) fn origin(&self) -> Origin<'_> {
        Origin { files: &self.files, source: &self.source, output: &self.output }
    }

    /// Writes what a run has made.
    pub(crate) fn write(
        &self,
        run: &mut Run<'_>,
        made: Made,
        line: &Line,
    ) -> Result<(), Diagnostics> {
        let texts = match self.no_banner {
            true => made.files,
            false => banner::added(made.files, line.arguments()),
        };
        let mut files = in_folder(&self.output, texts);
        files.extend(made.opened.into_iter().map(|one| (self.output.join(one.name), one.bytes)));
        let sources = self.files.iter().map(PathBuf::as_path);
        cli::spare_sources(sources, &files, "give another folder with -o")?;
        cli::write_files(&files)?;
        if let Some(depfile) = &self.depfile {
            run.console.write_depfile(depfile, &outputs(files))?;
        }
        run.console.report(&made.note);
        if let Some(table) = run.timings() {
            eprint!("{table}");
        }
        Ok(())
    }
}

/// The passes of derivatives.
pub(crate) fn rows_of(derivatives: &[Derivative]) -> Vec<Row> {
    rows(PREPARE.iter().chain(derivatives.iter().flat_map(|(_, stages)| *stages)))
}

/// The files of a rule of make. A build tool knows a rule by its first file: the derivatives come before the tape.
fn outputs(files: Vec<(PathBuf, Vec<u8>)>) -> Vec<PathBuf> {
    let of_tape =
        |path: &PathBuf| path.file_name().is_some_and(|file| is_runtime(&file.to_string_lossy()));
    let mut outputs: Vec<PathBuf> =
        files.iter().map(|(path, _)| plain(path).to_path_buf()).collect();
    outputs.sort_by_key(|path| (of_tape(path), path.clone()));
    outputs
}

/// The path without `./`.
pub(crate) fn plain(path: &Path) -> &Path {
    path.strip_prefix(".").unwrap_or(path)
}

/// The same with their paths in `folder`, as they are written.
pub(crate) fn in_folder(folder: &Path, files: Texts) -> Vec<(PathBuf, Vec<u8>)> {
    files.into_iter().map(|(name, text)| (folder.join(name), text.into_bytes())).collect()
}
