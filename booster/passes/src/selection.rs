//! The passes that a user wants: which are left out, and where a run ends.

use std::collections::BTreeSet;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics};

use super::{About, Need};

/// A choice among the passes of all lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The pass behind which a run stops.
    pub until: Option<String>,
    /// The passes that are left out.
    pub without: BTreeSet<String>,
}

impl Selection {
    /// Everything but these passes.
    pub fn without<'n>(names: impl IntoIterator<Item = &'n str>) -> Selection {
        Selection { until: None, without: names.into_iter().map(str::to_owned).collect() }
    }

    /// Whether a pass is executed.
    pub fn wants(&self, about: &About) -> bool {
        about.need == Need::Required || !self.without.contains(about.name)
    }

    /// Whether a run stops behind a pass.
    pub fn stops_behind(&self, about: &About) -> bool {
        self.until.as_deref() == Some(about.name)
    }

    /// Compares the names with those of all lists.
    ///
    /// # Errors
    /// `OX0302` for a name that no pass has, `OX0303` for a required pass that is to be left out.
    pub fn check(&self, all: &[&About]) -> Result<(), Diagnostics> {
        let mut problems = Diagnostics::new();
        for name in self.without.iter().chain(&self.until) {
            if !all.iter().any(|about| about.name == name) {
                problems.push(unknown(name, all));
            }
        }
        for about in all {
            if about.need == Need::Required && self.without.contains(about.name) {
                let message = format!("the derivative is wrong without the pass `{}`", about.name);
                problems.push(
                    Diagnostic::error(Code::REQUIRED_PASS, None, message)
                        .with_help("leave out passes that --list-passes calls `optimisation`"),
                );
            }
        }
        if problems.has_errors() { Err(problems) } else { Ok(()) }
    }
}

fn unknown(name: &str, all: &[&About]) -> Diagnostic {
    let message = format!("there is no pass `{name}`");
    let nearest = all.iter().max_by_key(|about| alike(name, about.name));
    let help = match nearest {
        Some(about) if alike(name, about.name) > 2 => {
            format!("is `{}` meant? --list-passes prints all names", about.name)
        }
        Some(_) | None => "--list-passes prints the names".to_owned(),
    };
    Diagnostic::error(Code::NO_SUCH_PASS, None, message).with_help(help)
}

/// The number of neighbouring pairs of characters that two names share.
fn alike(one: &str, other: &str) -> usize {
    let pairs =
        |text: &str| -> BTreeSet<(char, char)> { text.chars().zip(text.chars().skip(1)).collect() };
    pairs(one).intersection(&pairs(other)).count()
}
