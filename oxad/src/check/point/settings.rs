//! What the user says about the point: `--set n=1000`, `--set x=[1,2,3]`, `--set x=values.txt`,
//! `--set x:10,20`, `--set x=none`.
//!
//! Names are those of the head's arguments, module variables and members of COMMON, and components
//! of them: `v%x`. Every setting must be used by somebody: one that is not is an error.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use xaif_run::parse_setting;
use xaif_schema::diag::{Code, Diagnostic, Diagnostics};

use super::plan::users_name;

/// What is set for one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    /// `name=value`, `name=[a, b]`: words in array element order, and the extents of the lists.
    Value {
        /// The extents; none for a single value, which fills a whole array.
        shape: Vec<i64>,
        /// The values as written.
        words: Vec<String>,
    },
    /// `name=path`: the values stand in a file that exists.
    File(PathBuf),
    /// `name=none`: not allocated, not associated, not present.
    None,
}

/// All settings.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    name: String,
    text: String,
    setting: Option<Setting>,
    shape: Option<Vec<i64>>,
    used: Cell<bool>,
}

impl Settings {
    /// Reads the texts of all `--set`; a later one wins.
    pub(crate) fn parse(texts: &[String]) -> Result<Self, Diagnostics> {
        let mut entries = Vec::new();
        let mut found = Diagnostics::new();
        for text in texts {
            match parse_entry(text) {
                Ok(entry) => entries.insert(0, entry),
                Err(message) => {
                    found.push(Diagnostic::error(Code::BAD_SETTING, None, message).with_help(
                        "write --set name=value, --set name=[a,b,...], --set name=FILE, \
                         --set name:extent,extent or --set name=none",
                    ))
                }
            }
        }
        if found.is_empty() { Ok(Settings { entries }) } else { Err(found) }
    }

    /// What is set for `name` (in any case).
    pub(crate) fn of(&self, name: &str) -> Option<&Setting> {
        self.find(name, |entry| entry.setting.as_ref())
    }

    /// The shape that is set for `name`, by itself or by a list of values.
    pub(crate) fn shape_of(&self, name: &str) -> Option<Vec<i64>> {
        self.find(name, |entry| entry.shape.clone()).or_else(|| match self.of(name)? {
            Setting::Value { shape, .. } if !shape.is_empty() => Some(shape.clone()),
            Setting::Value { .. } | Setting::File(_) | Setting::None => None,
        })
    }

    /// The single integer that is set for `name`.
    pub(crate) fn integer(&self, name: &str) -> Option<i64> {
        match self.of(name)? {
            Setting::Value { shape, words } if shape.is_empty() => words.first()?.parse().ok(),
            Setting::Value { .. } | Setting::File(_) | Setting::None => None,
        }
    }

    /// The names that are set, as written.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// An error for each setting that nobody has asked for; `known` are the names that there are.
    pub(crate) fn unused(&self, known: &[String]) -> Diagnostics {
        // What is set for components of what is not there does no harm.
        let is_within_none = |entry: &&Entry| {
            let mut around = self
                .entries
                .iter()
                .filter(|other| other.setting == Some(Setting::None) && other.used.get());
            around.any(|other| {
                let rest = entry.name.strip_prefix(&other.name);
                rest.is_some_and(|rest| rest.starts_with('%'))
            })
        };
        let unused = self.entries.iter().rev().filter(|entry| !entry.used.get());
        let unused = unused.filter(|entry| !is_within_none(entry));
        let message = |entry: &Entry| {
            let message = format!("--set {} sets nothing", entry.text);
            let help = match known.iter().min_by_key(|k| strsim::levenshtein(k, &entry.name)) {
                Some(near) if strsim::levenshtein(near, &entry.name) <= 2 => {
                    format!("perhaps {near} is meant")
                }
                Some(_) | None => format!("what can be set: {}", known.join(", ")),
            };
            Diagnostic::error(Code::BAD_SETTING, None, message).with_help(help)
        };
        unused.map(message).collect()
    }

    fn find<'s, T>(&'s self, name: &str, what: impl Fn(&'s Entry) -> Option<T>) -> Option<T> {
        let own = users_name(&name.to_ascii_lowercase());
        let is_it =
            |entry: &&Entry| [name, &own].iter().any(|it| entry.name.eq_ignore_ascii_case(it));
        let mut named = self.entries.iter().filter(is_it);
        named.find_map(|entry| {
            entry.used.set(true);
            what(entry)
        })
    }
}

fn parse_entry(text: &str) -> Result<Entry, String> {
    let entry = |name: &str, setting, shape| Entry {
        name: name.trim().to_ascii_lowercase(),
        text: text.to_string(),
        setting,
        shape,
        used: Cell::new(false),
    };
    let before_value = text.split('=').next().unwrap_or_default();
    if let Some((name, extents)) = before_value.split_once(':') {
        let shape: Result<Vec<i64>, _> =
            extents.split(',').map(|extent| extent.trim().parse::<i64>()).collect();
        return match shape {
            Ok(shape) if !text.contains('=') && shape.iter().all(|&extent| extent >= 0) => {
                Ok(entry(name, None, Some(shape)))
            }
            Ok(_) | Err(_) => Err(format!("`{text}` gives no shape")),
        };
    }
    if let Some((name, value)) = text.split_once('=') {
        let value = value.trim();
        if value.eq_ignore_ascii_case("none") {
            return Ok(entry(name, Some(Setting::None), None));
        }
        if let Ok(path) = Path::new(value).canonicalize()
            && path.is_file()
        {
            return Ok(entry(name, Some(Setting::File(path)), None));
        }
    }
    let (name, given) = parse_setting(text)?;
    let setting = Setting::Value { shape: given.shape, words: given.words };
    Ok(entry(&name, Some(setting), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(texts: &[&str]) -> Settings {
        let texts: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
        Settings::parse(&texts).expect("good settings")
    }

    #[test]
    fn values_shapes_and_absence_are_told_apart() {
        let settings = settings(&["n=3", "X=[1,2]", "y:4,5", "p=none", "n=4"]);
        assert_eq!(settings.integer("N"), Some(4), "the last one wins");
        assert_eq!(settings.shape_of("x"), Some(vec![2]));
        assert_eq!(settings.shape_of("y"), Some(vec![4, 5]));
        assert_eq!(settings.of("p"), Some(&Setting::None));
        assert_eq!(settings.of("q"), None);
    }

    #[test]
    fn a_shape_and_a_value_may_both_be_set() {
        let settings = settings(&["x:3", "x=2.5"]);
        assert_eq!(settings.shape_of("x"), Some(vec![3]));
        assert!(matches!(settings.of("x"), Some(Setting::Value { .. })));
        assert!(settings.unused(&[]).is_empty());
    }

    #[test]
    fn a_setting_that_nobody_uses_is_an_error_that_offers_the_nearest_name() {
        let found = settings(&["alhpa=1"]).unused(&["alpha".into(), "n".into()]);
        let help = found.iter().next().and_then(|diagnostic| diagnostic.help.clone());
        assert_eq!(help.as_deref(), Some("perhaps alpha is meant"));
    }

    #[test]
    fn broken_settings_are_errors() {
        for text in ["x", "x:a", "x:-1", "=3", "x=[1", ""] {
            assert!(Settings::parse(&[text.to_string()]).is_err(), "{text}");
        }
    }
}
