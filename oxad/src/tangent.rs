//! `oxad tangent`: sources in, their tangents out, ready to be compiled beside them.
//!
//! For each source `NAME.*` whose units have derivatives it writes `NAME_d.f90`: all files or none.

use std::path::{Path, PathBuf};

use fortran_backend::{Layout, unparse};
use fortran_frontend::args::SourceArgs;
use xaif_schema::cli::{self, Console};
use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Spot};
use xaif_schema::model::Document;

use crate::Common;
use crate::pipeline::{KeepArgs, Run, StageArgs, TANGENT};

/// The arguments of `oxad tangent`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Fortran sources of a program, in any order, or one XAIF document
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write into DIR, which is made where it does not exist
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(flatten)]
    stages: StageArgs,
    #[command(flatten)]
    keep: KeepArgs,
    #[command(flatten)]
    source: SourceArgs,
}

/// Reads, differentiates, writes.
pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Diagnostics> {
    let mut run = Run::new(console, &args.keep);
    let Some(mut doc) = run.read(&args.files, &args.source)? else { return Ok(()) };
    run.apply(TANGENT, &mut doc, &args.stages)?;
    let files = run.timed("xaif2f", || texts(&doc))?;
    let files = in_folder(&args.output, files);
    spare_sources(&args.files, &files)?;
    cli::write_files(&files)?;
    if let Some(table) = run.timings() {
        eprint!("{table}");
    }
    Ok(())
}

/// The generated files: names and texts.
pub(crate) fn texts(doc: &Document) -> Result<Vec<(String, String)>, Diagnostics> {
    unparse(doc, Layout::PerFile)
}

/// The same with their paths in `folder`, as they are written.
pub(crate) fn in_folder(folder: &Path, files: Vec<(String, String)>) -> Vec<(PathBuf, Vec<u8>)> {
    files.into_iter().map(|(name, text)| (folder.join(name), text.into_bytes())).collect()
}

/// An error where one of the files that are to be written is one of the sources.
fn spare_sources(sources: &[PathBuf], files: &[(PathBuf, Vec<u8>)]) -> Result<(), Diagnostics> {
    let sources: Vec<PathBuf> =
        sources.iter().filter_map(|path| path.canonicalize().ok()).collect();
    for (path, _) in files {
        if path.canonicalize().is_ok_and(|path| sources.contains(&path)) {
            let spot = Spot::new(path.to_string_lossy(), 0, 0);
            let message = "this source would be replaced by what is generated";
            let diagnostic = Diagnostic::error(Code::WOULD_REPLACE_SOURCE, Some(spot), message);
            return Err([diagnostic.with_help("give another folder with -o")]
                .into_iter()
                .collect());
        }
    }
    Ok(())
}
