//! Runs jobs in parallel. A job that fails does not stop the others.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::SystemTime;

use xaif_schema::cli::{self, Console};
use xaif_schema::diag::{Code, Diagnostic, Diagnostics, MessageFormat, Spot};

use super::job::Job;
use super::record;

/// What became of the jobs.
#[derive(Default)]
struct Tally {
    written: usize,
    failed: Vec<String>,
}

impl Tally {
    /// Counts a job, one of `all`, and prints what became of it.
    fn add(&mut self, job: &Job, made: Made, all: usize, format: MessageFormat) {
        let Made { is_good, told, found } = made;
        if is_good {
            self.written += 1;
        } else {
            self.failed.push(job.name.clone());
        }
        let done = self.written + self.failed.len();
        let word = if is_good { "written" } else { "failed" };
        // A reader who has gone is told nothing more; the derivatives are written all the same.
        let mut out = io::stdout().lock();
        let _ = writeln!(out, "[{done}/{all}] {}: {word}", job.name);
        let _ = out.flush();
        let _ = io::stderr().lock().write_all(&told);
        Console::new(format, false).report(&found);
    }
}

/// Runs those of `jobs` that are not up to date, `width` at a time, and prints what became of them. Whether none failed.
pub(super) fn run(jobs: &[&Job], width: usize, format: MessageFormat) -> Result<bool, Diagnostics> {
    let driver =
        std::env::current_exe().map_err(|error| cli::cannot_write("derivatives", &error))?;
    let stale: Vec<&Job> =
        jobs.iter().copied().filter(|job| !record::is_current(job, &driver)).collect();
    let queue = Mutex::new(stale.iter());
    let tally = Mutex::new(Tally::default());
    thread::scope(|scope| {
        for _ in 0..width.min(stale.len()) {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().ok().and_then(|mut queue| queue.next());
                    let Some(job) = next else { break };
                    let made = made(job, &driver);
                    let Ok(mut tally) = tally.lock() else { break };
                    tally.add(job, made, stale.len(), format);
                }
            });
        }
    });
    let Tally { written, mut failed } = tally.into_inner().unwrap_or_default();
    failed.sort();
    let current = jobs.len() - stale.len();
    let mut text = format!(
        "{} unit{}: {written} written, {current} up to date, {} failed\n",
        jobs.len(),
        if jobs.len() == 1 { "" } else { "s" },
        failed.len()
    );
    if !failed.is_empty() {
        text.push_str(&format!("failed: {}\n", failed.join(", ")));
    }
    cli::write_output(None, &text.into())?;
    Ok(failed.is_empty() && written == stale.len())
}

/// What became of a job.
struct Made {
    is_good: bool,
    /// The messages of its process.
    told: Vec<u8>,
    /// Messages about its process.
    found: Diagnostics,
}

/// Runs a job.
fn made(job: &Job, driver: &Path) -> Made {
    // Another batch of the same units may be under way.
    let depfile = job.state(&format!("{}.new", std::process::id()));
    let start = SystemTime::now();
    let ended = |why: String| {
        let message = format!("the process of the unit `{}` has ended: {why}", job.name);
        let error = Diagnostic::error(Code::UNIT_ENDED, None, message);
        [error.with_help("oxad batch tries it again when it is called again")].into_iter().collect()
    };
    match called(job, driver, &depfile) {
        Ok(Output { status, stderr: told, .. }) if status.success() => {
            let (is_good, found) = match record::write(job, start, &depfile) {
                Ok(left) => (true, left.iter().map(|path| left_behind(job, path)).collect()),
                Err(error) => (false, cli::cannot_write("the record of a unit", &error)),
            };
            Made { is_good, told, found }
        }
        Ok(Output { status, stderr: told, .. }) => {
            // A file that was not written cannot be removed.
            let _ = fs::remove_file(&depfile);
            let found = match status.code() {
                Some(_) => Diagnostics::new(),
                None => ended(status.to_string()),
            };
            Made { is_good: false, told, found }
        }
        Err(error) => Made { is_good: false, told: Vec::new(), found: ended(error.to_string()) },
    }
}

/// The warning about a derivative that an earlier run has left.
fn left_behind(job: &Job, path: &Path) -> Diagnostic {
    let spot = Some(Spot::new(path.to_string_lossy(), 0, 0));
    let message = format!("the unit `{}` does not write this file any more", job.name);
    Diagnostic::warning(Code::LEFT_BEHIND, spot, message).with_help("remove it")
}

fn called(job: &Job, driver: &Path, depfile: &Path) -> io::Result<Output> {
    let mut command = Command::new(driver);
    command.args(&job.words).arg("--depfile").arg(depfile).stdin(Stdio::null());
    if cli::is_colored(&io::stderr()) {
        command.env("CLICOLOR_FORCE", "1");
    }
    command.output()
}
