//! The record of a job: its command line, the files that it has read and written, and when it began.
//!
//! The record is a file that is written last. Its time is the beginning of the run: a file that changed during the run is
//! newer.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use xaif_schema::cli;

use super::job::Job;

/// Whether the derivatives are those that the job would write now by the program `driver`.
pub(super) fn is_current(job: &Job, driver: &Path) -> bool {
    let path = job.state("done");
    let Some(made) = time(&path) else { return false };
    let Some(Record { line, outputs, inputs }) = Record::read(&path) else { return false };
    let stale = |input: &Path| time(input).is_none_or(|changed| changed > made);
    line == job.line()
        && outputs.iter().all(|output| output.is_file())
        && !inputs.iter().any(|input| stale(input))
        && !stale(driver)
}

/// Writes the record of a run that began at `start`, with the rule that it has left in `depfile`. The result are files of
/// the run before that this one has not written: they are derivatives of a program that is no more.
pub(super) fn write(job: &Job, start: SystemTime, depfile: &Path) -> std::io::Result<Vec<PathBuf>> {
    let path = job.state("done");
    let before = Record::read(&path).map(|record| record.outputs).unwrap_or_default();
    let rule = fs::read_to_string(depfile)?;
    // The finished record takes the place of the old one at once.
    fs::write(depfile, format!("{}\n{rule}", job.line()))?;
    fs::File::options().write(true).open(depfile)?.set_modified(start)?;
    fs::rename(depfile, &path)?;
    let written = Record::read(&path).map(|record| record.outputs).unwrap_or_default();
    let is_left = |file: &PathBuf| !written.contains(file) && file.is_file();
    Ok(before.into_iter().filter(is_left).collect())
}

/// What a record tells.
struct Record {
    line: String,
    outputs: Vec<PathBuf>,
    inputs: Vec<PathBuf>,
}

impl Record {
    fn read(path: &Path) -> Option<Record> {
        let text = fs::read_to_string(path).ok()?;
        let (line, rule) = text.split_once('\n')?;
        let (outputs, inputs) = cli::read_depfile(rule)?;
        Some(Record { line: line.to_owned(), outputs, inputs })
    }
}

fn time(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|meta| meta.modified()).ok()
}
