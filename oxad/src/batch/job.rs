//! A job: the command line of a unit, and where its files are.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::VERSION;
use crate::banner;
use crate::config::{Config, Setting, Unit, effective, words};

/// The run of a unit.
#[derive(Clone, Debug)]
pub(super) struct Job {
    /// The name of the unit.
    pub(super) name: String,
    /// The words of its command line behind the name of the driver.
    pub(super) words: Vec<String>,
    /// Its sources.
    pub(super) sources: Vec<PathBuf>,
    /// The folder of its derivatives.
    pub(super) output: PathBuf,
    /// The folder of all units, with the tape and the records.
    pub(super) top: PathBuf,
    /// Whether its adjoints link with the tape.
    pub(super) has_tape: bool,
    /// The suffixes of the files that it writes.
    endings: &'static [&'static str],
}

/// The folder of the records, in that of all units.
pub(super) const STATE: &str = ".oxad";

/// The jobs of a configuration.
pub(super) fn jobs(config: &Config, driver: &clap::Command) -> Vec<Job> {
    let top = folder(&config.defaults).unwrap_or_else(|| PathBuf::from("."));
    let known = |unit: &Unit| driver.find_subcommand(&unit.command);
    let job = |unit: &Unit| known(unit).map(|command| job(unit, command, &top));
    config.units.iter().filter_map(job).collect()
}

fn job(unit: &Unit, command: &clap::Command, top: &Path) -> Job {
    let has_tape = unit.command != "tangent" && !sets(&unit.settings, "no_runtime");
    let output = match folder(&unit.settings) {
        Some(output) if unit.has_output => output,
        Some(_) | None => top.join(&unit.name),
    };
    // The jobs get these words in any case.
    let own = ["output", "depfile", "no_runtime", "config", "no_config"];
    let own: BTreeSet<String> = own.iter().map(|&id| id.to_owned()).collect();
    let mut all = vec![unit.command.clone()];
    all.extend(words(effective(command, &own, &unit.settings)).cloned());
    all.extend(["-o".to_owned(), output.to_string_lossy().into_owned(), "--no-config".to_owned()]);
    if unit.command != "tangent" {
        all.push("--no-runtime".to_owned());
    }
    let sources = unit.settings.iter().filter(|setting| setting.is_positional);
    Job {
        name: unit.name.clone(),
        words: all,
        sources: sources.flat_map(|setting| &setting.words).map(PathBuf::from).collect(),
        output,
        top: top.to_path_buf(),
        has_tape,
        endings: match unit.command.as_str() {
            "tangent" => &["d"],
            "adjoint" => &["b"],
            _ => &["b", "d"],
        },
    }
}

/// The folder that `output` names.
fn folder(settings: &[Setting]) -> Option<PathBuf> {
    let output = settings.iter().rev().find(|setting| setting.id == "output")?;
    let word = output.words.first()?;
    Some(PathBuf::from(word.split_once('=')?.1))
}

/// Whether a flag is on.
fn sets(settings: &[Setting], id: &str) -> bool {
    settings.iter().rev().find(|one| one.id == id).is_some_and(|one| !one.words.is_empty())
}

impl Job {
    /// The command line with the version, as one line: a change of either makes the derivative again.
    pub(super) fn line(&self) -> String {
        format!("oxad {VERSION}: {}", self.shell())
    }

    /// The words as a shell takes them.
    pub(super) fn shell(&self) -> String {
        let words: Vec<String> = self.words.iter().map(|word| banner::quoted(word)).collect();
        words.join(" ")
    }

    /// A file of the job among the records.
    pub(super) fn state(&self, extension: &str) -> PathBuf {
        self.top.join(STATE).join(format!("{}.{extension}", self.name))
    }

    /// The files that it writes where all of its sources have derivatives.
    pub(super) fn may_write(&self) -> impl Iterator<Item = PathBuf> {
        let stems = self.sources.iter().filter_map(|source| source.file_stem());
        stems.flat_map(move |stem| {
            let name = |ending: &str| format!("{}_{ending}.f90", stem.to_string_lossy());
            self.endings.iter().map(move |ending| self.output.join(name(ending)))
        })
    }
}
