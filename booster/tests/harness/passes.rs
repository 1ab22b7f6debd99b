//! Passes in tests: which are left out, and what stands behind each.

use std::path::Path;
use std::time::Duration;

use xaif_booster::passes::{About, Need, Observer, Row};
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;
use xaif_schema::verify::verify;

use crate::told;

/// For the rows of a cover, the optimisation that each leaves out. The first row leaves nothing out; the
/// others begin with another optimisation for each source.
pub fn left_out(path: &Path, list: &[Row]) -> impl Iterator<Item = Option<&'static str>> + use<> {
    let optimisations = list.iter().map(|row| row.about);
    let names: Vec<&'static str> = optimisations
        .filter(|about| about.need == Need::Optimisation)
        .map(|about| about.name)
        .collect();
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let first: usize = name.unwrap_or_default().bytes().map(usize::from).sum();
    std::iter::once(None).chain((first..).map(move |at| names.get(at % names.len()).copied()))
}

/// Verifies the document behind each pass, and remembers the names.
#[derive(Debug, Default)]
pub struct Seen {
    /// The names of the passes, in the order of their execution.
    pub names: Vec<&'static str>,
    /// The faults, and the pass behind which they were found.
    pub faults: String,
}

impl Observer for Seen {
    fn after(
        &mut self,
        about: &'static About,
        _: Duration,
        doc: Option<&Document>,
    ) -> Result<(), Diagnostics> {
        self.names.push(about.name);
        let found = doc.map(verify).unwrap_or_default();
        if !found.is_empty() && self.faults.is_empty() {
            self.faults = format!("behind {}: {}", about.name, told(&found));
        }
        Ok(())
    }
}
