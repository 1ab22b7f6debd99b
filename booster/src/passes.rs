//! The options of a command line that choose among passes.

use std::time::Duration;

use booster_passes::table;
pub use booster_passes::{About, End, Need, Observer, Row, Selection};
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;
use xaif_schema::verify;

/// Which passes a stage executes.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "cli", command(next_help_heading = "Passes"))]
pub struct PassArgs {
    /// Print the passes in the order of their execution, and exit
    #[cfg_attr(feature = "cli", arg(long))]
    pub list_passes: bool,
    /// Stop behind a pass of the list, and write the document that it leaves
    #[cfg_attr(feature = "cli", arg(long, value_name = "PASS"))]
    pub until: Option<String>,
    /// The optimisations that are left out.
    #[cfg_attr(feature = "cli", command(flatten))]
    pub without: WithoutArgs,
}

/// Which optimisations are left out.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[cfg_attr(feature = "cli", command(next_help_heading = "Passes"))]
pub struct WithoutArgs {
    /// Leave out optimisations of the list of passes: the derivatives stay the same
    #[cfg_attr(feature = "cli", arg(long, value_name = "P,Q", value_delimiter = ','))]
    pub without: Vec<String>,
}

impl WithoutArgs {
    /// The choice among passes.
    ///
    /// # Errors
    /// Names that are in none of the rows, and required passes.
    pub fn selection(&self, rows: &[Row]) -> Result<Selection, Diagnostics> {
        self.selection_until(None, rows)
    }

    fn selection_until(
        &self,
        until: Option<String>,
        rows: &[Row],
    ) -> Result<Selection, Diagnostics> {
        let without = self.without.iter().map(|name| name.trim().to_owned()).collect();
        let selection = Selection { until, without };
        let all: Vec<&About> = rows.iter().map(|row| row.about).collect();
        selection.check(&all)?;
        Ok(selection)
    }
}

impl PassArgs {
    /// The choice among passes.
    ///
    /// # Errors
    /// Names that are in none of the rows, and required passes that are to be left out.
    pub fn selection(&self, rows: &[Row]) -> Result<Selection, Diagnostics> {
        self.without.selection_until(self.until.clone(), rows)
    }

    /// The list as text, where it is asked for.
    pub fn listed(&self, rows: &[Row]) -> Option<Vec<u8>> {
        self.list_passes.then(|| table(rows).into_bytes())
    }
}

/// Verifies the document behind each pass.
#[derive(Clone, Copy, Debug)]
pub struct Verifier {
    /// Whether it does so.
    pub on: bool,
}

impl Observer for Verifier {
    fn after(
        &mut self,
        about: &'static About,
        _: Duration,
        doc: Option<&Document>,
    ) -> Result<(), Diagnostics> {
        match doc {
            Some(doc) if self.on => verified(about.name, doc),
            Some(_) | None => Ok(()),
        }
    }
}

/// The faults of a document, with the pass behind which they were found.
///
/// # Errors
/// The faults.
pub fn verified(pass: &str, doc: &Document) -> Result<(), Diagnostics> {
    let found = verify::verify(doc);
    if !found.has_errors() {
        return Ok(());
    }
    let named = found.into_iter().map(|mut one| {
        one.message = format!("behind the pass `{pass}`: {}", one.message);
        one
    });
    Err(named.collect())
}
