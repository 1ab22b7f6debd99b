//! `oxad.toml`: options of runs in a file.
//!
//! A key is the long name of an option, and the parser of the command line checks its value: so the file knows every
//! option, and no option twice. A file becomes words of a command line. What the user types wins.

mod read;
mod setting;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use clap::parser::ValueSource;
use xaif_schema::cli::Console;
use xaif_schema::diag::MessageFormat;

pub(crate) use read::{Config, Unit, read};
pub(crate) use setting::{Setting, effective, words};

/// The file of the working directory that is read without being named.
pub(crate) const FILE: &str = "oxad.toml";

/// The commands that the file configures.
pub(crate) const COMMANDS: [&str; 6] =
    ["adjoint", "tangent", "both", "hessian", "jacobian", "check"];

/// Which file configures a run.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Configuration")]
pub(crate) struct ConfigArgs {
    /// Read options from FILE; the command line wins [default: oxad.toml, where it is there]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Do not read oxad.toml
    #[arg(long, conflicts_with = "config")]
    pub(crate) no_config: bool,
}

/// A command line with the options of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    /// The words, the name of the program first.
    pub(crate) words: Vec<OsString>,
    /// The file.
    pub(crate) config: Option<PathBuf>,
}

impl Line {
    /// The words behind the name of the program, as text.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = String> {
        self.words.iter().skip(1).map(|word| word.to_string_lossy().into_owned())
    }

    /// The command line that `typed` and the file are, for the program `driver`. `None` where the file has faults, which
    /// have been reported then.
    pub(crate) fn new(driver: &clap::Command, typed: Vec<OsString>) -> Option<Line> {
        // Faults of the command line are told when all of it is parsed.
        let loose = driver.clone().ignore_errors(true).try_get_matches_from(&typed).ok();
        let mut driver = driver.clone();
        driver.build();
        let called = loose.as_ref().and_then(ArgMatches::subcommand);
        let Some((name, matches)) = called.filter(|(name, _)| COMMANDS.contains(name)) else {
            return Some(Line { words: typed, config: None });
        };
        let Some(path) = file(matches) else { return Some(Line { words: typed, config: None }) };
        let format = matches.get_one::<MessageFormat>("message_format").copied();
        let mut console = Console::new(format.unwrap_or_default(), false);
        let config = match read(&path, &driver, &mut console) {
            Ok(config) => config,
            Err(found) => {
                console.report(&found);
                return None;
            }
        };
        let mut words = typed;
        if let Some(command) = driver.find_subcommand(name) {
            let given = given(command, matches);
            let chosen = effective(command, &given, &config.defaults);
            let behind = words.iter().skip(1).position(|word| word == name).map_or(1, |at| at + 2);
            words.splice(behind..behind, setting::words(chosen).map(OsString::from));
        }
        Some(Line { words, config: Some(path) })
    }
}

/// The file that configures a run.
fn file(matches: &ArgMatches) -> Option<PathBuf> {
    if matches.get_flag("no_config") {
        return None;
    }
    let named = matches.get_one::<PathBuf>("config").cloned();
    named.or_else(|| Path::new(FILE).is_file().then(|| PathBuf::from(FILE)))
}

/// The options that were typed.
fn given(command: &clap::Command, matches: &ArgMatches) -> BTreeSet<String> {
    let ids = command.get_arguments().map(|argument| argument.get_id().as_str());
    ids.filter(|id| matches.value_source(id) == Some(ValueSource::CommandLine))
        .map(str::to_owned)
        .collect()
}
