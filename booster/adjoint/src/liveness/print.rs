//! The facts for people: what lives at the entry of each adjoint, and which statements no forward sweep needs.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use xaif_schema::model::ProcId;

use super::{Exit, Liveness};
use booster_facts::LocationId;
use booster_facts::activity::names;
use booster_flow::Step;

impl Liveness<'_, '_> {
    /// For each procedure with an adjoint: the values that the adjoint reads before it overwrites them, what lives at its
    /// exit, and the lines that its forward sweep does without.
    pub fn print(&self) -> String {
        let doc = self.accesses.doc();
        let mut text = String::new();
        for body in
            self.bodies.iter().filter(|body| crate::queries::needs::has_adjoint(doc, body.proc))
        {
            let procedure = &doc.procs[body.proc];
            let place = doc.spot(procedure.place);
            let place = place.map(|spot| format!("  ({}:{})", spot.file, spot.line));
            let _ =
                writeln!(text, "{}{}", names::qualified(doc, body.proc), place.unwrap_or_default());
            self.row(&mut text, "live at entry", body.proc, &self.adjoint.of(body.proc).input);
            let exit = match self.exits.of(body.proc) {
                Exit::Joint => "(none)",
                Exit::Head => "what outlives it but its arguments",
                Exit::Any => "what outlives it",
            };
            let _ = writeln!(text, "  {:<13} {exit}", "live at exit");
            let stmts = body.steps.iter().filter_map(|at| match at.step {
                Step::Stmt(stmt) if self.dead.contains(&stmt) => Some(stmt),
                _ => None,
            });
            let lines: BTreeSet<u32> =
                stmts.map(|stmt| doc.stmts[stmt].place.line).filter(|&line| line > 0).collect();
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            let lines = if lines.is_empty() { "(none)".to_owned() } else { lines.join(", ") };
            let _ = writeln!(text, "  {:<13} {lines}", "dead in lines");
        }
        text
    }

    fn row(&self, text: &mut String, word: &str, proc: ProcId, locations: &BTreeSet<LocationId>) {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        let name = |&location: &LocationId| names::of_location(doc, storage, proc, location);
        let names: Vec<String> = locations.iter().map(name).collect();
        let names = if names.is_empty() { "(none)".to_owned() } else { names.join(", ") };
        let _ = writeln!(text, "  {word:<13} {names}");
    }
}
