//! Runs jobs in parallel. A job that fails does not stop the others.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::SystemTime;

use xaif_schema::cli;
use xaif_schema::diag::Diagnostics;

use super::job::Job;
use super::record;

/// What became of the jobs.
#[derive(Default)]
struct Tally {
    written: usize,
    failed: Vec<String>,
}

/// Runs those of `jobs` that are not up to date, `width` at a time, and prints what became of them. Whether none failed.
pub(super) fn run(jobs: &[&Job], width: usize) -> Result<bool, Diagnostics> {
    let driver =
        std::env::current_exe().map_err(|error| cli::cannot_write("derivatives", &error))?;
    let stale: Vec<&Job> = jobs.iter().copied().filter(|job| !record::is_current(job)).collect();
    let queue = Mutex::new(stale.iter().enumerate());
    let tally = Mutex::new(Tally::default());
    thread::scope(|scope| {
        for _ in 0..width.min(stale.len()) {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().ok().and_then(|mut queue| queue.next());
                    let Some((_, job)) = next else { break };
                    let (good, told) = made(job, &driver);
                    let Ok(mut tally) = tally.lock() else { break };
                    if good {
                        tally.written += 1;
                    } else {
                        tally.failed.push(job.name.clone());
                    }
                    let done = tally.written + tally.failed.len();
                    let word = if good { "written" } else { "failed" };
                    // A reader who has gone is told nothing more; the derivatives are written all the same.
                    let mut out = io::stdout().lock();
                    let _ = writeln!(out, "[{done}/{}] {}: {word}", stale.len(), job.name);
                    let _ = out.flush();
                    let _ = io::stderr().lock().write_all(&told);
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
    cli::write_output(None, text.as_bytes())?;
    Ok(failed.is_empty() && written == stale.len())
}

/// Runs a job; whether it has succeeded, and its messages.
fn made(job: &Job, driver: &Path) -> (bool, Vec<u8>) {
    let depfile = job.state("new");
    let start = SystemTime::now();
    let told = |error: &io::Error| format!("oxad: {}: {error}\n", job.name).into_bytes();
    match called(job, driver, &depfile) {
        Ok(Output { status, stderr, .. }) if status.success() => {
            match record::write(job, start, &depfile) {
                Ok(()) => (true, stderr),
                Err(error) => (false, [stderr, told(&error)].concat()),
            }
        }
        Ok(Output { status, mut stderr, .. }) => {
            if status.code().is_none() {
                stderr.extend(format!("oxad: {}: {status}\n", job.name).into_bytes());
            }
            // A file that was not written cannot be removed.
            let _ = fs::remove_file(&depfile);
            (false, stderr)
        }
        Err(error) => (false, told(&error)),
    }
}

fn called(job: &Job, driver: &Path, depfile: &Path) -> io::Result<Output> {
    let mut command = Command::new(driver);
    command.args(&job.words).arg("--depfile").arg(depfile).stdin(Stdio::null());
    if cli::is_colored(&io::stderr()) {
        command.env("CLICOLOR_FORCE", "1");
    }
    command.output()
}
