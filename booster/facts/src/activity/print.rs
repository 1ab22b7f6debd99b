//! The facts for people: what is active in each procedure.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use xaif_schema::model::{EntityRef, ProcId};

use super::names;
use super::program::Program;
use super::{Activity, Head};
use crate::{Lifetime, LocationId};

impl Activity<'_> {
    /// For each procedure that needs a derivative procedure its active variables, those that are
    /// varied on entry and those that are useful on exit; then the procedures that need none.
    pub fn print(&self) -> String {
        let doc = self.program.doc;
        let mut text = String::new();
        let mut passive = Vec::new();
        for (proc, procedure) in &doc.procs {
            if self.program.body(proc).is_none() {
                continue;
            }
            if !self.marks.procs.contains(&proc) {
                passive.push(names::qualified(doc, proc));
                continue;
            }
            let place = doc.spot(procedure.place);
            let place = place.map(|spot| format!("  ({}:{})", spot.file, spot.line));
            let name = names::qualified(doc, proc);
            let _ = writeln!(text, "{name}{}", place.unwrap_or_default());
            if let Some(head) = self.heads.iter().find(|head| head.proc == proc) {
                self.print_head(head, &mut text);
            }
            let context = &self.solution.contexts[proc.index()];
            self.row(&mut text, "active", self.active_in(proc));
            self.row(&mut text, "varied on entry", self.names(proc, &context.varied));
            self.row(&mut text, "useful on exit", self.names(proc, &context.useful));
        }
        self.row(&mut text, "not active:", passive);
        text
    }

    fn print_head(&self, head: &Head, text: &mut String) {
        for (word, side) in [("independent", &head.independent), ("dependent", &head.dependent)] {
            let names = side.iter().map(|r| names::of_reference(self.program.doc, r));
            self.row(text, word, names.collect());
        }
    }

    fn row(&self, text: &mut String, word: &str, names: Vec<String>) {
        let names = if names.is_empty() { "(none)".to_owned() } else { names.join(", ") };
        let _ = writeln!(text, "  {word:<15} {names}");
    }

    /// The active variables that a procedure declares or touches.
    fn active_in(&self, proc: ProcId) -> Vec<String> {
        let Some(solved) = &self.solution.solved[proc.index()] else { return Vec::new() };
        let touched = solved.frame.all_locations();
        let own = self.marks.locations.iter().copied().filter(|&location| {
            match self.program.storage.locations()[location].lifetime {
                Lifetime::Local(owner) | Lifetime::Dummy(owner) => owner == proc,
                Lifetime::Global => false,
            }
        });
        let touched = touched.filter(|location| self.marks.locations.contains(location));
        let all: BTreeSet<LocationId> = own.chain(touched).collect();
        self.names(proc, &all)
    }

    fn names(&self, proc: ProcId, locations: &BTreeSet<LocationId>) -> Vec<String> {
        locations.iter().map(|&location| location_name(&self.program, proc, location)).collect()
    }
}

/// The name by which a procedure knows a location: see [`names::of_location`].
pub(super) fn location_name(program: &Program<'_>, proc: ProcId, location: LocationId) -> String {
    names::of_location(program.doc, program.storage, proc, location)
}
