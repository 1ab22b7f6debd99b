//! `oxad batch`: many derivatives of many files, each made by a process of its own.
//!
//! The units of a configuration become jobs: command lines with a record of what the last run has read and written. A
//! ninja file lists the same jobs for other schedulers. The scheduler here needs no other program.

mod job;
mod ninja;
mod record;
mod schedule;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;

use xaif_schema::cli::{self, Console};
use xaif_schema::diag::{Code, Diagnostic, Diagnostics, MessageFormat};

use crate::config::{self, Unit};
use crate::differentiate::runtime;
use crate::files::{in_folder, plain};
use job::{Job, jobs};

/// The arguments of `oxad batch`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The configuration: options of all runs, and a table for each run
    #[arg(value_name = "FILE", default_value = config::FILE)]
    file: PathBuf,
    /// Run N processes at a time; by default one for each core
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// Run only the units of these names
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Write the jobs as a ninja file instead of running them
    #[arg(long, value_name = "FILE")]
    ninja: Option<PathBuf>,
    /// Format of the diagnostics on standard error
    #[arg(long, value_name = "FORMAT", default_value = "human", value_parser = xaif_cli::message_format(), help_heading = "Diagnostics")]
    pub(crate) message_format: MessageFormat,
}

/// Runs the units that are not up to date, or writes the ninja file; whether all is well.
pub(crate) fn run(
    args: &Args,
    driver: &clap::Command,
    console: &mut Console,
) -> Result<bool, Diagnostics> {
    let mut driver = driver.clone();
    driver.build();
    let config = config::read(&args.file, &driver, console)?;
    let file = args.file.to_string_lossy();
    if config.units.is_empty() {
        let message = format!("{file} has no unit");
        let help = "write `[unit.NAME]` and its options below: docs/batch.md";
        return Err(Diagnostics::from(
            Diagnostic::error(Code::BATCH_UNIT, None, message).with_help(help),
        ));
    }
    let all = jobs(&config, &driver);
    apart(&config.units, &all)?;
    let units = named(&config.units, &args.only)?;
    let chosen: Vec<&Job> = all.iter().filter(|job| units.contains(&job.name.as_str())).collect();
    let tape = chosen.iter().find(|job| job.has_tape).map(|job| job.top.as_path());
    if let Some(path) = &args.ninja {
        let text = ninja::text(&chosen, tape, &args.file, path);
        cli::write_files(&[(path.clone(), text.into_bytes())])?;
        return Ok(true);
    }
    if let Some(folder) = tape {
        cli::write_files(&in_folder(folder, runtime()))?;
    }
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    schedule::run(&chosen, args.jobs.map_or(cores, NonZero::get), args.message_format)
}

/// The names of the units that are run.
fn named<'u>(units: &'u [Unit], only: &[String]) -> Result<Vec<&'u str>, Diagnostics> {
    let names: Vec<&str> = units.iter().map(|unit| unit.name.as_str()).collect();
    let unknown = only.iter().find(|name| !names.contains(&name.as_str()));
    if let Some(name) = unknown {
        let near = names.iter().min_by_key(|known| strsim::damerau_levenshtein(known, name));
        let message = format!("there is no unit `{name}`");
        let help = format!("did you mean `{}`?", near.copied().unwrap_or_default());
        return Err(Diagnostics::from(
            Diagnostic::error(Code::BATCH_UNIT, None, message).with_help(help),
        ));
    }
    let wanted = |name: &&str| only.is_empty() || only.iter().any(|one| one == name);
    Ok(names.into_iter().filter(wanted).collect())
}

/// Two units must not write the same file: the last one would win.
fn apart(units: &[Unit], jobs: &[Job]) -> Result<(), Diagnostics> {
    let mut writers: BTreeMap<PathBuf, &Unit> = BTreeMap::new();
    let mut found = Diagnostics::new();
    for (unit, job) in units.iter().zip(jobs) {
        for path in job.may_write() {
            let Some(other) = writers.insert(plain(&path).to_path_buf(), unit) else { continue };
            if other.name == unit.name {
                continue;
            }
            let message = format!(
                "the units `{}` and `{}` may both write {}",
                other.name,
                unit.name,
                plain(&path).display()
            );
            found.push(
                Diagnostic::error(Code::SAME_OUTPUT, Some(unit.spot.clone()), message)
                    .with_note(Some(other.spot.clone()), "the other unit")
                    .with_help("leave out `output` of one: a unit has a folder of its own then"),
            );
            break;
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}
