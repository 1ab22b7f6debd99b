//! A key with its value: an option of a command line.

use std::collections::BTreeSet;

use clap::{Arg, Command};

/// An option that a file sets.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    /// The option by its name in the parser.
    pub(crate) id: String,
    /// Words of the command line; none for a flag that is off.
    pub(crate) words: Vec<String>,
    /// Whether the words have no option before them.
    pub(crate) is_positional: bool,
}

/// Options that say nothing about a derivative.
const LEFT_OUT: [&str; 6] = ["help", "version", "config", "no_config", "list_passes", "depfile"];

/// The key of an option.
pub(super) fn key(argument: &Arg) -> String {
    argument.get_long().map_or_else(|| argument.get_id().to_string(), str::to_owned)
}

/// The options of `command` that a file can set.
pub(super) fn options(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|argument| !LEFT_OUT.contains(&argument.get_id().as_str()))
}

/// Those of `settings` that hold for `command`, where the options `given` are set elsewhere: these win.
pub(crate) fn effective<'s>(
    command: &Command,
    given: &BTreeSet<String>,
    settings: &'s [Setting],
) -> Vec<&'s Setting> {
    let find = |id: &str| options(command).find(|argument| argument.get_id() == id);
    let others: Vec<&Arg> = given.iter().filter_map(|id| find(id)).collect();
    let holds = |setting: &&Setting| {
        let Some(own) = find(&setting.id) else { return false };
        let excludes = |a: &Arg, b: &Arg| {
            command.get_arg_conflicts_with(a).iter().any(|one| one.get_id() == b.get_id())
        };
        let loses = |other: &&Arg| excludes(own, other) || excludes(other, own);
        !given.contains(&setting.id) && !others.iter().any(loses)
    };
    settings.iter().filter(holds).collect()
}

/// The words of settings: options first.
pub(crate) fn words(settings: Vec<&Setting>) -> impl Iterator<Item = &String> {
    let (last, first): (Vec<&Setting>, Vec<&Setting>) =
        settings.into_iter().partition(|setting| setting.is_positional);
    first.into_iter().chain(last).flat_map(|setting| &setting.words)
}
