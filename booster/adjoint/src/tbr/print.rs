//! The facts for people: what is required and recorded in each procedure.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use xaif_schema::model::{EntityRef, ProcId};

use super::Tbr;
use booster_facts::LocationId;
use booster_facts::activity::names;

impl Tbr<'_, '_> {
    /// For each procedure what is required where it is entered, and what its adjoint needs where it
    /// is left.
    pub fn print(&self) -> String {
        let doc = self.accesses.doc();
        let mut text = String::new();
        for (proc, procedure) in &doc.procs {
            if self.part(proc).is_none() {
                continue;
            }
            let place = doc.spot(procedure.place);
            let place = place.map(|spot| format!("  ({}:{})", spot.file, spot.line));
            let _ = writeln!(text, "{}{}", names::qualified(doc, proc), place.unwrap_or_default());
            self.row(&mut text, "required on entry", proc, &self.contexts[proc.index()]);
            self.row(&mut text, "needed at exit", proc, &self.summaries[proc.index()]);
        }
        text
    }

    fn row(&self, text: &mut String, word: &str, proc: ProcId, locations: &BTreeSet<LocationId>) {
        let names: Vec<String> =
            locations.iter().map(|&location| self.name(proc, location)).collect();
        let names = if names.is_empty() { "(none)".to_owned() } else { names.join(", ") };
        let _ = writeln!(text, "  {word:<17} {names}");
    }

    /// The name by which a procedure knows a location.
    pub fn name(&self, proc: ProcId, location: LocationId) -> String {
        names::of_location(self.accesses.doc(), self.accesses.storage(), proc, location)
    }
}
