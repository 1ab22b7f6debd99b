//! Why a value is recorded: which adjoint statement needs it.
//!
//! From the statement that overwrites the value the flow graph is followed backwards as long as the
//! value is the same; the statements met whose adjoints read it are told. At the entry of a
//! procedure it goes on before the calls of it.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Spot};
use xaif_schema::model::{EntityRef, Place, ProcId, RefId, VertexId, VertexKind};

use super::Tbr;
use super::frame::Acts;
use super::solve::is_recorded;
use crate::queries::questions::{is_there, parse};
use booster_facts::activity::names;
use booster_facts::{LocationId, StepKey};
use booster_flow::{Step, steps_of_edge, steps_of_vertex};

/// Calls inside calls are followed to this depth.
const DEEPEST: usize = 8;

/// What needs a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Reader {
    spot: Option<Spot>,
    text: String,
}

impl Tbr<'_, '_> {
    /// Explains to people why the value of a variable is recorded in a line, or why not: `x@12`, or
    /// `x@file.f90:12` where several files have such a line.
    ///
    /// # Errors
    /// `OX4400` where no statement of that line overwrites such a variable.
    pub fn why(&self, question: &str) -> Result<String, Diagnostics> {
        let doc = self.accesses.doc();
        let (name, file, line) = parse(question)?;
        let mut text = String::new();
        for proc in doc.procs.keys() {
            let Some((body, part)) = self.part(proc) else { continue };
            let Ok(found) = names::variable(doc, proc, name) else { continue };
            let locations = self.accesses.storage().locations_at(doc, &found.reference);
            let numbers = part.frame.known(&locations);
            let settled = &self.solved[proc.index()];
            for at in &body.steps {
                let Step::Stmt(stmt) = at.step else { continue };
                let spot = doc.spot(doc.stmts[stmt].place);
                let there = is_there(spot.as_ref(), file, line);
                let key = StepKey::of(at.step);
                let Some(acts) = part.frame.of(key).filter(|_| there) else { continue };
                let writes = acts.writes.iter().flat_map(|write| &write.locations);
                let touched: BTreeSet<u32> =
                    writes.filter(|location| numbers.contains(location)).copied().collect();
                if touched.is_empty() {
                    continue;
                }
                let required = self.required(settled, key, acts);
                let needed = touched.iter().any(|&location| required.contains(location as usize));
                let recorded = acts.writes.iter().any(|write| is_recorded(write, &required));
                let spot = spot.map(|spot| spot.to_string()).unwrap_or_default();
                let shown = names::qualified(doc, proc);
                if !(needed && recorded && acts.recordable) {
                    let _ = writeln!(text, "{spot}: `{name}` of `{shown}` is not recorded");
                    let _ = writeln!(text, "  no adjoint statement needs the value it has before");
                    continue;
                }
                let _ = writeln!(text, "{spot}: `{name}` of `{shown}` is recorded");
                let mut readers = BTreeSet::new();
                let mut seen = HashSet::new();
                for number in touched {
                    let from = Some((key, at.vertex));
                    let what = (part.frame.locations[number as usize], &[number][..]);
                    self.readers(proc, from, what, 0, &mut seen, &mut readers);
                }
                for reader in readers {
                    let spot = reader.spot.map(|spot| format!("{spot}: ")).unwrap_or_default();
                    let _ = writeln!(text, "  {spot}{}", reader.text);
                }
            }
        }
        if text.is_empty() {
            let message = format!("no statement in line {line} overwrites `{name}`");
            let help = "give the line of an assignment, call or loop in a procedure that has an \
                        adjoint";
            let error = Diagnostic::error(Code::NOT_OVERWRITTEN_THERE, None, message);
            return Err([error.with_help(help)].into_iter().collect());
        }
        Ok(text)
    }

    /// The statement that needs the value of a location, or of some `numbers` of it in the frame, before the step `from`, or at
    /// the exit of `proc`.
    fn readers(
        &self,
        proc: ProcId,
        from: Option<(StepKey, VertexId)>,
        (location, numbers): (LocationId, &[u32]),
        depth: usize,
        seen: &mut HashSet<(ProcId, LocationId)>,
        found: &mut BTreeSet<Reader>,
    ) {
        let Some((body, part)) = self.part(proc) else { return };
        let cfg = body.flow.cfg;
        // Whether the way back ends at a step: what it leaves of the value comes from there.
        let mut pass = |key: StepKey, itself: bool| {
            let Some(acts) = part.frame.of(key) else { return true };
            if !itself {
                self.note_result(key, acts, numbers, found);
            }
            if !itself && numbers.iter().all(|number| acts.kill.contains(number)) {
                return false;
            }
            self.note(proc, key, acts, numbers, found);
            true
        };
        let mut work: Vec<VertexId> = Vec::new();
        let mut visited: HashSet<VertexId> = HashSet::new();
        match from {
            Some((key, vertex)) => {
                pass(key, true);
                let steps: Vec<StepKey> =
                    steps_of_vertex(cfg, vertex).into_iter().map(StepKey::of).collect();
                // A step on an edge: what leads to the edge.
                let before = steps.iter().position(|&step| step == key).unwrap_or(0);
                if steps[..before].iter().rev().all(|&step| pass(step, false)) {
                    work.push(vertex);
                }
            }
            None => work.extend(
                cfg.vertices
                    .keys()
                    .filter(|&vertex| matches!(cfg.vertices[vertex].kind, VertexKind::Exit)),
            ),
        }
        let mut at_entry = false;
        while let Some(vertex) = work.pop() {
            at_entry |= matches!(cfg.vertices[vertex].kind, VertexKind::Entry(_));
            for &edge in body.flow.in_edges(vertex) {
                let source = cfg.edges[edge].source;
                let on_edge = steps_of_edge(cfg, edge).map(StepKey::of);
                let own = from.is_some_and(|(key, _)| Some(key) == on_edge);
                if on_edge.is_some_and(|key| !own && !pass(key, false)) || !visited.insert(source) {
                    continue;
                }
                let steps = steps_of_vertex(cfg, source);
                if steps.into_iter().rev().all(|step| pass(StepKey::of(step), false)) {
                    work.push(source);
                }
            }
        }
        if at_entry && depth < DEEPEST && seen.insert((proc, location)) {
            self.callers(proc, location, depth, seen, found);
        }
    }

    /// Goes on before the calls of `proc`.
    fn callers(
        &self,
        proc: ProcId,
        location: LocationId,
        depth: usize,
        seen: &mut HashSet<(ProcId, LocationId)>,
        found: &mut BTreeSet<Reader>,
    ) {
        for body in self.bodies.iter() {
            let Some((_, part)) = self.part(body.proc) else { continue };
            for at in &body.steps {
                let key = StepKey::of(at.step);
                let calls = part.frame.of(key).into_iter().flat_map(|acts| &acts.calls);
                for (callee, map) in calls.flat_map(|call| &call.ways) {
                    let passed = map.of(self.accesses.storage(), location);
                    let Some(passed) = passed.filter(|_| *callee == proc) else { continue };
                    for outer in passed.locations {
                        let from = Some((key, at.vertex));
                        let what = (outer, &part.frame.known(&[outer])[..]);
                        self.readers(body.proc, from, what, depth + 1, seen, found);
                    }
                }
            }
        }
    }

    /// Notes that the adjoint of a step needs what the step leaves in a location, if it does.
    fn note_result(
        &self,
        key: StepKey,
        acts: &Acts,
        numbers: &[u32],
        found: &mut BTreeSet<Reader>,
    ) {
        let doc = self.accesses.doc();
        let read = acts.results.iter().filter(|need| numbers.contains(&need.location));
        for reference in read.filter_map(|need| need.reference) {
            let name = names::of_reference(doc, &doc.refs[reference]);
            let text = format!("the adjoint of this statement reads `{name}` as it leaves it");
            found.insert(Reader { spot: doc.spot(self.place(key)), text });
        }
    }

    /// Notes that the adjoint of a step needs a location, if it does.
    fn note(
        &self,
        proc: ProcId,
        key: StepKey,
        acts: &Acts,
        numbers: &[u32],
        found: &mut BTreeSet<Reader>,
    ) {
        let doc = self.accesses.doc();
        let settled = &self.solved[proc.index()];
        for need in acts.needs.iter().filter(|need| numbers.contains(&need.location)) {
            let (place, what) = match (need.reference, key) {
                (Some(reference), _) => self.read(reference, key),
                (None, _) => (self.place(key), "the call is executed again".to_owned()),
            };
            found.insert(Reader { spot: doc.spot(place), text: what });
        }
        let extra = settled.extra.get(&key).into_iter().flatten();
        if extra.into_iter().any(|needed| numbers.contains(needed)) {
            let text = "the condition or the bounds are evaluated again".to_owned();
            found.insert(Reader { spot: doc.spot(self.place(key)), text });
        }
        let required = self.required(settled, key, acts);
        let taken_back = acts.recordable
            && acts.writes.iter().any(|write| {
                write.subscripts.iter().any(|read| numbers.contains(read))
                    && is_recorded(write, &required)
            });
        if taken_back {
            let text = "a subscript of what is taken back here".to_owned();
            found.insert(Reader { spot: doc.spot(self.place(key)), text });
        }
    }

    fn read(&self, reference: RefId, key: StepKey) -> (Place, String) {
        let doc = self.accesses.doc();
        let name = names::of_reference(doc, &doc.refs[reference]);
        let place = doc.refs[reference].place;
        let what = match key {
            StepKey::Enter(_) => "the declarations read",
            StepKey::Stmt(_) | StepKey::Evaluate(_) | StepKey::Concurrent(_) | StepKey::Leave => {
                "the adjoint of this statement reads"
            }
        };
        (
            if place == Place::default() { self.place(key) } else { place },
            format!("{what} `{name}`"),
        )
    }

    fn place(&self, key: StepKey) -> Place {
        let doc = self.accesses.doc();
        match key {
            StepKey::Stmt(stmt) => doc.stmts[stmt].place,
            StepKey::Evaluate(expr) => doc.exprs[expr].place,
            StepKey::Enter(_) | StepKey::Concurrent(_) | StepKey::Leave => Place::default(),
        }
    }
}
