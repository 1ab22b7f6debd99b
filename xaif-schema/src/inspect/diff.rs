//! `xaif-diff`: what a stage changed, as a unified diff of the text of [`show`](super::show).
//!
//! Two documents that show the same text count as the same, whatever their XML looks like.

use std::fmt::Write as _;

use similar::{ChangeTag, TextDiff};

use super::show::{ShowOptions, show_with};
use crate::model::Document;

/// How a difference is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffOptions {
    /// What of the documents is compared.
    pub show: ShowOptions,
    /// How many equal lines stand around each change.
    pub context: usize,
    /// Whether removed and added lines are coloured for a terminal.
    pub color: bool,
}

impl Default for DiffOptions {
    fn default() -> Self {
        DiffOptions { show: ShowOptions::comparable(), context: 3, color: false }
    }
}

const BOLD: &str = "\x1b[1m";
const CYAN: &str = "\x1b[36m";
const GREEN: &str = "\x1b[32m";
const RED: &str = "\x1b[31m";
const RESET: &str = "\x1b[0m";

/// The unified diff from `old` to `new`, each with its name; `None` if they are the same.
pub fn diff(
    (old_name, old): (&str, &Document),
    (new_name, new): (&str, &Document),
    options: &DiffOptions,
) -> Option<String> {
    let old = show_with(old, &options.show);
    let new = show_with(new, &options.show);
    if old == new {
        return None;
    }
    let diff = TextDiff::from_lines(old.as_str(), new.as_str());
    let mut out = String::new();
    line(&mut out, options.color.then_some(BOLD), &format!("--- {old_name}"));
    line(&mut out, options.color.then_some(BOLD), &format!("+++ {new_name}"));
    for hunk in diff.unified_diff().context_radius(options.context).iter_hunks() {
        line(&mut out, options.color.then_some(CYAN), &hunk.header().to_string());
        for change in hunk.iter_changes() {
            let (sign, color) = match change.tag() {
                ChangeTag::Delete => ('-', Some(RED)),
                ChangeTag::Insert => ('+', Some(GREEN)),
                ChangeTag::Equal => (' ', None),
            };
            let color = color.filter(|_| options.color);
            line(&mut out, color, &format!("{sign}{}", change.value().trim_end_matches('\n')));
        }
    }
    Some(out)
}

fn line(out: &mut String, color: Option<&str>, text: &str) {
    let text = text.trim_end();
    let _ = match color {
        Some(color) => writeln!(out, "{color}{text}{RESET}"),
        None => writeln!(out, "{text}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::show::tests::Build;

    fn with(names: &[&str]) -> Document {
        let mut build = Build::new();
        build.block(names);
        build.finish()
    }

    #[test]
    fn equal_documents_have_no_difference() {
        let doc = with(&["x"]);
        assert_eq!(diff(("a", &doc), ("b", &doc.clone()), &DiffOptions::default()), None);
    }

    #[test]
    fn an_added_statement_is_one_added_line() {
        let (old, new) = (with(&["x", "y"]), with(&["x", "y", "x"]));
        let text = diff(("a", &old), ("b", &new), &DiffOptions::default());
        let expected = "\
--- a
+++ b
@@ -3,4 +3,5 @@
   y: integer
   x = 1
   y = 1
+  x = 1
   -> nothing
";
        assert_eq!(text.as_deref(), Some(expected));
    }

    #[test]
    fn colours_appear_only_on_demand() {
        let (old, new) = (with(&["x", "y"]), with(&["y", "x"]));
        let options = DiffOptions { color: true, ..DiffOptions::default() };
        let plain = diff(("a", &old), ("b", &new), &DiffOptions::default()).expect("differ");
        let colored = diff(("a", &old), ("b", &new), &options).expect("differ");
        assert!(!plain.contains('\x1b'));
        let without: String = colored
            .replace(BOLD, "")
            .replace(CYAN, "")
            .replace(GREEN, "")
            .replace(RED, "")
            .replace(RESET, "");
        assert_eq!(without, plain);
        assert!(colored.contains("\x1b[31m-"));
    }
}
