//! Why the forward sweep executes a statement: who reads its result.
//!
//! From the statement the flow graph is followed as long as the value may be the same. The statements met that are executed
//! and read the value are told, and those whose adjoints read it.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Spot};
use xaif_schema::model::{ExprId, StmtId, VertexId, VertexKind};

use super::Liveness;
use crate::queries::liveness::AdjointReads;
use crate::queries::needs::has_adjoint;
use crate::queries::questions::{is_there, parse};
use booster_facts::activity::names;
use booster_facts::side_effects::{Action, Actions};
use booster_facts::{BodyEvents, StepKey};
use booster_flow::{Step, steps_of_edge, steps_of_vertex};

/// A reader of a value.
type Reader = (Option<Spot>, String);

/// The body that is followed.
struct Trace<'t, 'd> {
    live: &'t Liveness<'t, 'd>,
    body: &'t BodyEvents<'d>,
    actions: Actions,
    reads: AdjointReads,
    name: &'t str,
    /// The locations of the variable.
    numbers: Vec<usize>,
}

impl Liveness<'_, '_> {
    /// Explains to people why a line is executed that gives a variable a value, or why not: `x@12`, or `x@file.f90:12` where
    /// several files have such a line.
    ///
    /// # Errors
    /// `OX4400` where no statement of that line overwrites such a variable.
    pub fn why(&self, question: &str) -> Result<String, Diagnostics> {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        let (name, file, line) = parse(question)?;
        let mut text = String::new();
        for body in self.bodies.iter().filter(|body| has_adjoint(doc, body.proc)) {
            let Ok(found) = names::variable(doc, body.proc, name) else { continue };
            let locations = storage.locations_at(doc, &found.reference);
            let actions = Actions::new(self.accesses, body, self.externals, &self.effects);
            let reads = self.reader().of(body, &actions, &self.adjoint);
            let numbers = reads.locations.iter().enumerate();
            let numbers = numbers.filter(|(_, location)| locations.contains(location));
            let numbers = numbers.map(|(number, _)| number).collect();
            let trace = Trace { live: self, body, actions, reads, name, numbers };
            for at in &body.steps {
                let Step::Stmt(stmt) = at.step else { continue };
                let spot = doc.spot(doc.stmts[stmt].place);
                let there = is_there(spot.as_ref(), file, line);
                if !there || !trace.writes(at.step) {
                    continue;
                }
                let spot = spot.map(|spot| spot.to_string()).unwrap_or_default();
                let shown = names::qualified(doc, body.proc);
                if self.dead.contains(&stmt) {
                    let _ =
                        writeln!(text, "{spot}: the forward sweep of `{shown}` does without it");
                    let _ =
                        writeln!(text, "  no adjoint needs the value that it gives to `{name}`");
                    continue;
                }
                let _ = writeln!(text, "{spot}: the forward sweep of `{shown}` executes it");
                for (spot, what) in trace.readers(at.vertex, stmt) {
                    let spot = spot.map(|spot| format!("{spot}: ")).unwrap_or_default();
                    let _ = writeln!(text, "  {spot}{what}");
                }
            }
        }
        if text.is_empty() {
            let message = format!("no statement in line {line} overwrites `{name}`");
            let help = "give the line of an assignment or call in a procedure that has an adjoint";
            let error = Diagnostic::error(Code::NOT_OVERWRITTEN_THERE, None, message);
            return Err([error.with_help(help)].into_iter().collect());
        }
        Ok(text)
    }
}

impl Trace<'_, '_> {
    fn writes(&self, step: Step<'_>) -> bool {
        self.actions.of(StepKey::of(step)).iter().any(|action| match action {
            Action::Define { locations, .. } => {
                locations.iter().any(|&location| self.numbers.contains(&(location as usize)))
            }
            Action::Use { .. } => false,
        })
    }

    /// The readers of the value that a statement leaves.
    fn readers(&self, vertex: VertexId, stmt: StmtId) -> BTreeSet<Reader> {
        let cfg = self.body.flow.cfg;
        let mut found = BTreeSet::new();
        if self.reads.of_results.contains(&stmt) {
            let spot = self.live.accesses.doc().spot(self.live.accesses.doc().stmts[stmt].place);
            found.insert((
                spot,
                format!("the adjoint of this statement reads the new `{}`", self.name),
            ));
        }
        let mut work: Vec<(VertexId, Option<StmtId>)> = vec![(vertex, Some(stmt))];
        let mut visited: HashSet<VertexId> = HashSet::new();
        while let Some((vertex, behind)) = work.pop() {
            if behind.is_none() && !visited.insert(vertex) {
                continue;
            }
            let mut steps = steps_of_vertex(cfg, vertex);
            if let Some(stmt) = behind {
                let at = steps.iter().position(|step| *step == Step::Stmt(stmt));
                steps.drain(..at.map_or(0, |at| at + 1));
            }
            if !steps.into_iter().all(|step| self.pass(step, &mut found)) {
                continue;
            }
            if matches!(cfg.vertices[vertex].kind, VertexKind::Exit) {
                let live = self.live.exits.live(self.live.accesses, self.body, &self.actions);
                if self.numbers.iter().any(|&number| live.contains(number)) {
                    found.insert((None, format!("`{}` lives at the exit", self.name)));
                }
            }
            for &edge in self.body.flow.out_edges(vertex) {
                let goes_on =
                    steps_of_edge(cfg, edge).is_none_or(|step| self.pass(step, &mut found));
                if goes_on {
                    work.push((cfg.edges[edge].target, None));
                }
            }
        }
        found
    }

    /// Notes who reads the value at a step; whether some of it is left behind.
    fn pass(&self, step: Step<'_>, found: &mut BTreeSet<Reader>) -> bool {
        let doc = self.live.accesses.doc();
        let key = StepKey::of(step);
        let spot = match step {
            Step::Stmt(stmt) => doc.spot(doc.stmts[stmt].place),
            Step::Evaluate(condition) => self.place_of(condition),
            Step::Enter(_) | Step::Concurrent(_) | Step::Leave => None,
        };
        let is_own = |number: &usize| self.numbers.contains(number);
        if self.reads.of.get(&key).is_some_and(|read| read.iter().any(is_own)) {
            let what = format!("the adjoint of this statement reads `{}`", self.name);
            found.insert((spot.clone(), what));
        }
        let dead = matches!(step, Step::Stmt(stmt) if self.live.dead.contains(&stmt));
        if dead {
            return true;
        }
        for action in self.actions.of(key) {
            match action {
                Action::Use { locations, .. } => {
                    if locations.iter().any(|&location| is_own(&(location as usize))) {
                        let what = format!("this line reads `{}` and is executed", self.name);
                        found.insert((spot.clone(), what));
                    }
                }
                Action::Define { locations, entirely, .. } => {
                    let all = self.numbers.iter().all(|&own| locations.contains(&(own as u32)));
                    if *entirely && all {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn place_of(&self, condition: ExprId) -> Option<Spot> {
        let doc = self.live.accesses.doc();
        doc.spot(doc.exprs[condition].place)
    }
}
