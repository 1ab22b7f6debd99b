//! The record of a job: its command line, the files that it has read and written, and when it began.
//!
//! The record is a file that is written last. Its time is the beginning of the run: a file that changed during the run is
//! newer.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use xaif_schema::cli;

use super::job::Job;

/// Whether the derivatives are those that the job would write now.
pub(super) fn is_current(job: &Job) -> bool {
    let path = job.state("done");
    let Some(made) = time(&path) else { return false };
    let Ok(text) = fs::read_to_string(&path) else { return false };
    let Some((line, rule)) = text.split_once('\n') else { return false };
    let Some((outputs, inputs)) = cli::read_depfile(rule) else { return false };
    let stale = |input: &PathBuf| time(input).is_none_or(|changed| changed > made);
    line == job.line() && outputs.iter().all(|output| output.is_file()) && !inputs.iter().any(stale)
}

/// Writes the record of a run that began at `start`, with the rule that it has left in `depfile`.
pub(super) fn write(job: &Job, start: SystemTime, depfile: &Path) -> std::io::Result<()> {
    let rule = fs::read_to_string(depfile)?;
    // The finished record takes the place of the old one at once.
    fs::write(depfile, format!("{}\n{rule}", job.line()))?;
    fs::File::options().write(true).open(depfile)?.set_modified(start)?;
    fs::rename(depfile, job.state("done"))
}

fn time(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|meta| meta.modified()).ok()
}
