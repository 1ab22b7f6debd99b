//! Lists of passes as a table: `--list-passes`, and the table of ARCHITECTURE.md.

use std::fmt::Write as _;

use super::{About, Mode, Step};

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The pass.
    pub about: &'static About,
    /// How far its name is indented: 1 for a pass that works on one procedure after the other.
    pub depth: usize,
}

/// The passes of a list.
pub fn rows<M: Mode>(steps: &[Step<M>]) -> Vec<Row> {
    let row = |step: &Step<M>| match step {
        Step::Once(pass) => vec![Row { about: pass.about(), depth: 0 }],
        Step::Each(passes) => {
            passes.iter().map(|pass| Row { about: pass.about(), depth: 1 }).collect()
        }
    };
    steps.iter().flat_map(row).collect()
}

/// The rows as text, a line each. Passes that work on one procedure after the other are indented.
pub fn table(rows: &[Row]) -> String {
    let shown = |row: &Row| format!("{}{}", "  ".repeat(row.depth), row.about.name);
    let width = rows.iter().map(|row| shown(row).len()).max().unwrap_or_default();
    let mut text = String::new();
    for row in rows {
        let About { need, summary, source, .. } = row.about;
        let source = if source.is_empty() { String::new() } else { format!(" ({source})") };
        let _ = writeln!(text, "{:<width$}  {:<12}  {summary}{source}", shown(row), need.name());
    }
    text
}
