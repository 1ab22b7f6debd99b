//! The text of a configuration: TOML into options, each fault with its place.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::builder::ValueParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Command};
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use xaif_schema::cli::Console;
use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Spot};

use xaif_booster::externals::syntax_fault;

use super::COMMANDS;
use super::setting::{Setting, effective, key, options, words};

/// A configuration.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// The options of all runs.
    pub(crate) defaults: Vec<Setting>,
    /// The runs of a batch, in the order of the file.
    pub(crate) units: Vec<Unit>,
}

/// A run of a batch.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// Its name.
    pub(crate) name: String,
    /// The command of the driver.
    pub(crate) command: String,
    /// Its options, with those of all runs.
    pub(crate) settings: Vec<Setting>,
    /// Whether it names its own folder.
    pub(crate) has_output: bool,
    /// Position of its name.
    pub(crate) spot: Spot,
}

/// Reads the file `path` with options of the program `driver`.
///
/// # Errors
/// OX5020 where it is no TOML or not of this form, OX5021 for unknown keys, OX5022 for values that options do not take.
pub(crate) fn read(
    path: &Path,
    driver: &Command,
    console: &mut Console,
) -> Result<Config, Diagnostics> {
    let file = path.to_string_lossy();
    let text = console.read_text(&file)?;
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let mut reader = Reader { file: &file, text: &text, folder, found: Vec::new() };
    let table = match DeTable::parse(&text) {
        Ok(table) => table.into_inner(),
        Err(error) => {
            let (message, span) = syntax_fault(&error);
            reader.error(Code::BAD_CONFIG, &span, message, FORM);
            return Err(reader.diagnostics());
        }
    };
    let config = reader.config(&table, driver);
    if reader.found.is_empty() { Ok(config) } else { Err(reader.diagnostics()) }
}

const FORM: &str = "docs/batch.md shows the form of the file";

struct Reader<'a> {
    file: &'a str,
    text: &'a str,
    /// Relative paths start here.
    folder: PathBuf,
    /// Faults by their position.
    found: Vec<(usize, Diagnostic)>,
}

impl Reader<'_> {
    fn config(&mut self, table: &DeTable<'_>, driver: &Command) -> Config {
        let all: Vec<&Command> =
            COMMANDS.iter().filter_map(|name| driver.find_subcommand(name)).collect();
        let defaults = self.settings(table, &all, &["unit"]);
        let mut units: Vec<(usize, Unit)> = Vec::new();
        let told = table.iter().find(|(key, _)| key.get_ref() == "unit");
        match told.map(|(key, value)| (key, value.get_ref())) {
            Some((_, DeValue::Table(tables))) => {
                for (name, value) in tables {
                    if let Some(unit) = self.unit(name, value, driver, &defaults) {
                        units.push((name.span().start, unit));
                    }
                }
            }
            Some((key, _)) => {
                let message = "`unit` is no table".to_owned();
                let help = "write `[unit.NAME]`, and its options below";
                self.error(Code::BAD_CONFIG, &key.span(), message, help);
            }
            None => (),
        }
        units.sort_by_key(|(at, _)| *at);
        Config { defaults, units: units.into_iter().map(|(_, unit)| unit).collect() }
    }

    fn unit(
        &mut self,
        name: &Spanned<std::borrow::Cow<'_, str>>,
        value: &Spanned<DeValue<'_>>,
        driver: &Command,
        defaults: &[Setting],
    ) -> Option<Unit> {
        let (span, name) = (name.span(), name.get_ref().as_ref());
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
            let message = format!("`{name}` cannot be the name of a unit: it names a folder");
            let help = "use letters, digits, `_`, `-` and `.`";
            self.error(Code::BAD_CONFIG, &span, message, help);
            return None;
        }
        let DeValue::Table(table) = value.get_ref() else {
            let message = format!("the unit `{name}` is no table");
            self.error(
                Code::BAD_CONFIG,
                &span,
                message,
                "write `[unit.NAME]`, and its options below",
            );
            return None;
        };
        let command = self.command(table, driver)?;
        let before = self.found.len();
        let own = self.settings(table, &[command], &["command"]);
        let given: BTreeSet<String> = own.iter().map(|setting| setting.id.clone()).collect();
        let inherited = effective(command, &given, defaults).into_iter().cloned();
        let settings: Vec<Setting> = inherited.chain(own).collect();
        if self.found.len() == before {
            self.check(command, &settings, &span, |_| true);
        }
        Some(Unit {
            name: name.to_owned(),
            command: command.get_name().to_owned(),
            settings,
            has_output: given.contains("output"),
            spot: Spot::within(self.file, self.text, &span),
        })
    }

    /// The command of a unit: `command`, else `adjoint`.
    fn command<'d>(&mut self, table: &DeTable<'_>, driver: &'d Command) -> Option<&'d Command> {
        let of_batch = &COMMANDS[..3];
        let Some((_, value)) = table.iter().find(|(key, _)| key.get_ref() == "command") else {
            return driver.find_subcommand(of_batch[0]);
        };
        let name = value.get_ref().as_str().filter(|name| of_batch.contains(name));
        if name.is_none() {
            let message = format!("`command` is one of `{}`", of_batch.join("`, `"));
            self.error(Code::BAD_OPTION, &value.span(), message, FORM);
        }
        driver.find_subcommand(name?)
    }

    /// The options of a table, as far as one of `commands` has them. Other code reads the keys `others`.
    fn settings(
        &mut self,
        table: &DeTable<'_>,
        commands: &[&Command],
        others: &[&str],
    ) -> Vec<Setting> {
        let mut settings = Vec::new();
        for (name, value) in table.iter().filter(|(name, _)| !others.contains(&&**name.get_ref())) {
            let known = commands.iter().find_map(|&command| {
                let option = options(command).find(|one| key(one) == **name.get_ref())?;
                Some((command, option))
            });
            let Some((command, option)) = known else {
                self.unknown(name, commands, others);
                continue;
            };
            let Some(words) = self.words(option, value) else { continue };
            let setting = Setting {
                id: option.get_id().to_string(),
                words,
                is_positional: option.is_positional(),
            };
            // Options that need or exclude each other are looked at together.
            let of_value = |kind| {
                !matches!(kind, ErrorKind::MissingRequiredArgument | ErrorKind::ArgumentConflict)
            };
            self.check(command, std::slice::from_ref(&setting), &value.span(), of_value);
            settings.push(setting);
        }
        settings
    }

    fn unknown(
        &mut self,
        name: &Spanned<std::borrow::Cow<'_, str>>,
        commands: &[&Command],
        others: &[&str],
    ) {
        let (span, name) = (name.span(), name.get_ref());
        let known = commands.iter().flat_map(|&command| options(command)).map(key);
        let known: BTreeSet<String> =
            known.chain(others.iter().map(|&other| other.to_owned())).collect();
        let distance = |known: &&String| strsim::damerau_levenshtein(known, name);
        let nearest = known.iter().min_by_key(distance);
        let help = match nearest.filter(|near| distance(near) <= 3.max(name.len() / 3)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                "`oxad both --help` lists the options: a key is the long name of one".to_owned()
            }
        };
        let message = match commands {
            [command] => format!("`oxad {}` has no option `{name}`", command.get_name()),
            _ => format!("unknown key `{name}`"),
        };
        self.error(Code::UNKNOWN_KEY, &span, message, &help);
    }

    /// The words of the command line that set an option.
    fn words(&mut self, option: &Arg, value: &Spanned<DeValue<'_>>) -> Option<Vec<String>> {
        let flag = match (option.get_long(), option.get_short()) {
            (Some(long), _) => format!("--{long}"),
            (None, Some(short)) => format!("-{short}"),
            (None, None) => String::new(),
        };
        let takes = option.get_num_args().unwrap_or_default();
        let is_switch = matches!(option.get_action(), ArgAction::SetTrue);
        match value.get_ref() {
            DeValue::Boolean(true) if is_switch || takes.min_values() == 0 => Some(vec![flag]),
            DeValue::Boolean(false) if is_switch || takes.min_values() == 0 => Some(Vec::new()),
            _ if is_switch => {
                self.form(option, value, "true or false");
                None
            }
            one => {
                let takes_many = matches!(option.get_action(), ArgAction::Append);
                let values = match one {
                    DeValue::Array(values) if takes_many => values.iter().collect(),
                    _ => vec![value],
                };
                let mut words = Vec::with_capacity(values.len());
                for one in values {
                    let Some(text) = self.scalar(option, one) else {
                        let wanted = if takes_many {
                            "a text, or a list of texts"
                        } else {
                            "a text or a number"
                        };
                        self.form(option, one, wanted);
                        return None;
                    };
                    words.push(match option.get_long() {
                        Some(long) => format!("--{long}={text}"),
                        None => format!("{flag}{text}"),
                    });
                }
                Some(words)
            }
        }
    }

    /// A text or number as a word; paths start in the folder of the file.
    fn scalar(&self, option: &Arg, value: &Spanned<DeValue<'_>>) -> Option<String> {
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => {
                i128::from_str_radix(number.as_str(), number.radix()).ok()?.to_string()
            }
            DeValue::Float(number) => number.as_str().to_owned(),
            DeValue::Boolean(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => {
                return None;
            }
        };
        let is_path = option.get_value_parser().type_id() == ValueParser::path_buf().type_id();
        Some(if is_path { self.folder.join(text).to_string_lossy().into_owned() } else { text })
    }

    fn form(&mut self, option: &Arg, value: &Spanned<DeValue<'_>>, wanted: &str) {
        let message = format!("`{}` is {wanted}", key(option));
        self.error(Code::BAD_OPTION, &value.span(), message, FORM);
    }

    /// Lets the parser of the command line look at settings; faults of the kinds that are `meant` are told.
    fn check(
        &mut self,
        command: &Command,
        settings: &[Setting],
        span: &Range<usize>,
        meant: impl Fn(ErrorKind) -> bool,
    ) {
        let name = command.get_name().to_owned();
        let words = words(settings.iter().collect()).cloned();
        let parsed = command.clone().try_get_matches_from(std::iter::once(name).chain(words));
        let Err(error) = parsed else { return };
        if meant(error.kind()) {
            let text = error.render().to_string();
            let lines: Vec<&str> =
                text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
            let message = lines.join(" ");
            let message = message.strip_prefix("error: ").unwrap_or(&message).to_owned();
            let help = "`oxad both --help` tells the values of options";
            self.error(Code::BAD_OPTION, span, message, help);
        }
    }

    fn error(&mut self, code: Code, span: &Range<usize>, message: String, help: &str) {
        let spot = Some(Spot::within(self.file, self.text, span));
        self.found.push((span.start, Diagnostic::error(code, spot, message).with_help(help)));
    }

    fn diagnostics(mut self) -> Diagnostics {
        self.found.sort_by_key(|(at, _)| *at);
        self.found.into_iter().map(|(_, one)| one).collect()
    }
}
