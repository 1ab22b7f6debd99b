//! Why a variable is active: a chain of statements from an independent to it, and from it to a
//! dependent.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use xaif_schema::diag::{Code, Diagnostic, Diagnostics, Spot};
use xaif_schema::model::{Document, EntityRef, Place, ProcId, SymbolId};

use super::dep::Var;
use super::equations::StepId;
use super::print::location_name;
use super::program::Carrier;
use super::trace::{At, Calls, Found, How, Link, Search, State};
use super::{Activity, Options, names};
use crate::externals::Externals;
use crate::{Accesses, LocationId};

/// Calls inside calls are explained to this depth.
const DEEPEST: usize = 6;

/// One line of an explanation: how far it is indented, where, and what.
type Line = (usize, Option<Spot>, String);

/// Why `symbol` is active, as notes for a diagnostic, in a document that holds the facts of
/// activity: the heads are those that it records. Empty where the symbol is not active.
pub fn explain(
    doc: &Document,
    externals: &Externals,
    symbol: SymbolId,
) -> Vec<(Option<Spot>, String)> {
    let options = Options::default();
    let storage = super::storage(doc, &options);
    let accesses = Accesses::new(doc, &storage);
    let Ok(activity) = Activity::new(&accesses, &options, externals) else {
        return Vec::new();
    };
    let locations = storage.locations_of_symbol(symbol).into_iter().collect();
    let Some(found) = activity.active_chain(None, &locations) else { return Vec::new() };
    found.into_iter().map(|(_, spot, text)| (spot, text)).collect()
}

impl Activity<'_> {
    /// Explains to people why a variable is active or why it is not: `x` of any procedure that the
    /// heads reach, `p:x` of the procedure p.
    ///
    /// # Errors
    /// `OX4057` where the name means nothing.
    pub fn why(&self, name: &str) -> Result<String, Diagnostics> {
        let doc = self.program.doc;
        let (proc, locations) =
            self.named(name).map_err(|error| -> Diagnostics { [error].into_iter().collect() })?;
        let shown = name.rsplit(':').next().unwrap_or(name).trim();
        let title = format!("`{shown}` in `{}`", names::qualified(doc, proc));
        let mut text = String::new();
        let is_active = locations.iter().any(|location| self.marks.locations.contains(location));
        let lines = match self.active_chain(Some(proc), &locations) {
            Some(lines) => {
                let _ = writeln!(text, "{title} is active");
                lines
            }
            None if is_active => {
                let _ = writeln!(text, "{title} has a derivative, although none flows through it");
                self.reason(&locations)
            }
            None => {
                let _ = writeln!(text, "{title} is not active");
                self.missing(proc, &locations)
            }
        };
        for (depth, spot, line) in lines {
            let indent = "  ".repeat(depth + 1);
            let spot = spot.map(|spot| format!("{spot}: ")).unwrap_or_default();
            let _ = writeln!(text, "{indent}{spot}{line}");
        }
        Ok(text)
    }

    /// The procedure and the locations that a user means.
    fn named(&self, name: &str) -> Result<(ProcId, BTreeSet<LocationId>), Diagnostic> {
        let doc = self.program.doc;
        let (of, variable) = match name.split_once(':') {
            Some((proc, variable)) => (Some(proc), variable),
            None => (None, name),
        };
        let heads = self.heads.iter().map(|head| head.proc);
        let reached = doc.procs.keys().filter(|p| self.solution.solved[p.index()].is_some());
        let procs = heads.chain(reached);
        let procs = procs.filter(|&proc| of.is_none_or(|of| names::is_called(doc, proc, of)));
        let mut first = None;
        let mut failure = None;
        for proc in procs {
            match names::variable(doc, proc, variable) {
                Ok(found) => {
                    let locations = self.program.storage.locations_at(doc, &found.reference);
                    let all = self.program.storage.locations();
                    let locations: BTreeSet<LocationId> = locations
                        .into_iter()
                        .filter(|&location| all[location].continuous)
                        .collect();
                    if locations.iter().any(|location| self.marks.locations.contains(location)) {
                        return Ok((proc, locations));
                    }
                    first = first.or(Some((proc, locations)));
                }
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        first.ok_or_else(|| {
            let message = match of {
                Some(of) => format!("`{of}` has no variable `{variable}`, or no head reaches it"),
                None => format!("no procedure that the heads reach has a variable `{variable}`"),
            };
            let error = Diagnostic::error(Code::WHY_NOT_FOUND, None, message);
            match failure.and_then(|failure| failure.help) {
                Some(help) => error.with_help(help),
                None => error,
            }
        })
    }

    /// From an independent to one of `locations` and on to a dependent; `None` if there is no such
    /// chain.
    fn active_chain(
        &self,
        proc: Option<ProcId>,
        locations: &BTreeSet<LocationId>,
    ) -> Option<Vec<Line>> {
        let mut search = Search::new(self, Calls::Down);
        let starts = self.starts(&mut search);
        let goal = |state: State, at: At| {
            if proc.is_some_and(|proc| proc != state.proc) || !self.is_one_of(state, locations) {
                return false;
            }
            match at {
                At::Link(link, target) => self.is_useful(state.proc, link, target),
                At::Point { exit } => exit && self.is_useful_result(state),
            }
        };
        let to = search.run(starts, goal)?;
        let there = to.last()?.state;
        let mut onward = Search::new(self, Calls::Up);
        let from = onward.run(vec![there], |state, at| {
            matches!(at, At::Point { exit: true }) && self.is_dependent(state)
        });
        let mut lines = Vec::new();
        let first = to.first()?.state;
        lines.push((0, None, format!("from the independent {}", self.name_of(first))));
        self.lines(&to, 1, &mut lines);
        let Some(from) = from else { return Some(lines) };
        let last = from.last()?.state;
        lines.push((0, None, format!("to the dependent {}", self.name_of(last))));
        self.lines(&from, 1, &mut lines);
        Some(lines)
    }

    /// What is missing for a variable to be active.
    fn missing(&self, proc: ProcId, locations: &BTreeSet<LocationId>) -> Vec<Line> {
        if locations.is_empty() {
            return vec![(0, None, "it has no real or complex value".to_owned())];
        }
        let mut search = Search::new(self, Calls::Down);
        let starts = self.starts(&mut search);
        let chain =
            search.run(starts, |state, _| state.proc == proc && self.is_one_of(state, locations));
        let mut lines = Vec::new();
        match chain {
            Some(chain) => {
                lines.push((0, None, "it is varied:".to_owned()));
                self.lines(&chain, 1, &mut lines);
                let text = "but no dependent variable depends on that value";
                lines.push((0, None, text.to_owned()));
            }
            None => {
                let text = "it is not varied: its value depends on no independent variable";
                lines.push((0, None, text.to_owned()));
            }
        }
        lines
    }

    /// Why a variable has a derivative through which nothing flows.
    fn reason(&self, locations: &BTreeSet<LocationId>) -> Vec<Line> {
        let doc = self.program.doc;
        let text = match locations.iter().find_map(|location| self.marks.reasons.get(location)) {
            Some(reason) => {
                let callee = names::qualified(doc, reason.callee);
                let spot = self.spot(reason.step);
                let text = if reason.zero {
                    format!("the call of `{callee}` must set its derivative to zero")
                } else {
                    format!(
                        "it is passed to `{callee}` for an argument that has a derivative there"
                    )
                };
                return vec![(0, spot, text)];
            }
            None if self.heads.iter().any(|head| self.is_chosen(head, locations)) => {
                "it is an independent or dependent variable"
            }
            None => "a procedure that is called in the same way has a derivative in its place",
        };
        vec![(0, None, text.to_owned())]
    }

    fn is_chosen(&self, head: &super::Head, locations: &BTreeSet<LocationId>) -> bool {
        let chosen = head.independent.iter().chain(&head.dependent);
        let mut all = chosen.flat_map(|r| self.program.storage.locations_at(self.program.doc, r));
        all.any(|location| locations.contains(&location))
    }

    /// The independents at the entries of the heads.
    fn starts(&self, search: &mut Search<'_, '_>) -> Vec<State> {
        let mut starts = Vec::new();
        for head in &self.heads {
            let Some(points) = search.points(head.proc) else { continue };
            let references = head.independent.iter();
            let locations =
                references.flat_map(|r| self.program.storage.locations_at(self.program.doc, r));
            for var in
                locations.filter_map(|location| points.frame.number(Carrier::Location(location)))
            {
                let proc = head.proc;
                starts.extend(points.entries.iter().map(|&point| State { proc, point, var }));
            }
        }
        starts
    }

    fn carrier(&self, state: State) -> Option<Carrier> {
        let solved = self.solution.solved[state.proc.index()].as_ref()?;
        solved.frame.carriers().get(state.var as usize).copied()
    }

    fn is_one_of(&self, state: State, locations: &BTreeSet<LocationId>) -> bool {
        matches!(self.carrier(state), Some(Carrier::Location(location)) if locations.contains(&location))
    }

    fn is_useful(&self, proc: ProcId, link: Link, target: Var) -> bool {
        let solved = self.solution.solved[proc.index()].as_ref();
        let around = solved.and_then(|solved| solved.around.get(&link.step)?.get(link.piece));
        around.is_some_and(|around| around.useful.contains(target as usize))
    }

    /// Whether a variable is useful at the exit of its procedure.
    fn is_useful_result(&self, state: State) -> bool {
        let Some(Carrier::Location(location)) = self.carrier(state) else { return false };
        self.solution.contexts[state.proc.index()].useful.contains(&location)
    }

    /// Whether a variable is a dependent of a head.
    fn is_dependent(&self, state: State) -> bool {
        let Some(Carrier::Location(location)) = self.carrier(state) else { return false };
        let chosen = self.heads.iter().filter(|head| head.proc == state.proc);
        let mut locations = chosen
            .flat_map(|head| &head.dependent)
            .flat_map(|r| self.program.storage.locations_at(self.program.doc, r));
        locations.any(|dependent| dependent == location)
    }

    fn name_of(&self, state: State) -> String {
        match self.carrier(state) {
            Some(Carrier::Location(location)) => {
                let name = location_name(&self.program, state.proc, location);
                format!("`{name}` of `{}`", names::qualified(self.program.doc, state.proc))
            }
            Some(Carrier::Value(..)) | None => "a value".to_owned(),
        }
    }

    fn short(&self, state: State) -> String {
        match self.carrier(state) {
            Some(Carrier::Location(location)) => {
                format!("`{}`", location_name(&self.program, state.proc, location))
            }
            Some(Carrier::Value(..)) | None => "its value".to_owned(),
        }
    }

    fn spot(&self, step: StepId) -> Option<Spot> {
        let doc = self.program.doc;
        let place = match step {
            StepId::Stmt(stmt) => doc.stmts[stmt].place,
            StepId::Evaluate(expr) => doc.exprs[expr].place,
            StepId::Enter(_) | StepId::Concurrent(_) => Place::default(),
        };
        doc.spot(place)
    }

    /// The links of a chain, a line each; what happens inside a call is indented below it.
    fn lines(&self, chain: &[Found], depth: usize, lines: &mut Vec<Line>) {
        for pair in chain.windows(2) {
            let (before, after) = (pair[0].state, pair[1].state);
            let (from, to) = (self.short(before), self.short(after));
            match pair[1].how {
                How::Start => {}
                How::Statement(link) => {
                    lines.push((depth, self.spot(link.step), format!("{from} flows into {to}")));
                }
                How::Through(link) => {
                    let callees = self.callees(before.proc, link);
                    let text = format!("{from} flows into {to} through {callees}");
                    lines.push((depth, self.spot(link.step), text));
                    if depth < DEEPEST {
                        self.inside(before, link, after.var, depth + 1, lines);
                    }
                }
                How::Into(link) => {
                    let callee = names::qualified(self.program.doc, after.proc);
                    let text = format!("{from} is {to} in `{callee}`, which is called here");
                    lines.push((depth, self.spot(link.step), text));
                }
                How::Back(link) => {
                    let caller = names::qualified(self.program.doc, after.proc);
                    let text = format!("{from} is {to} in `{caller}`, which calls here");
                    lines.push((depth, self.spot(link.step), text));
                }
            }
        }
    }

    fn callees(&self, proc: ProcId, link: Link) -> String {
        let ways = self.call_at(proc, link).unwrap_or_default().iter();
        names::some_of(ways.map(|way| names::qualified(self.program.doc, way.entry.proc)))
    }

    /// What happens inside a call between what is passed and what comes back.
    fn inside(&self, before: State, link: Link, target: Var, depth: usize, lines: &mut Vec<Line>) {
        let Some(solved) = &self.solution.solved[before.proc.index()] else { return };
        let carriers = solved.frame.carriers();
        let (from, to) = (carriers[before.var as usize], carriers[target as usize]);
        for way in self.call_at(before.proc, link).unwrap_or_default() {
            let proc = way.entry.proc;
            let mut search = Search::new(self, Calls::Stay);
            let Some(points) = search.points(proc) else { continue };
            let number = |location: &LocationId| points.frame.number(Carrier::Location(*location));
            let starts = self.inner(way, |way, location| way.reads(location).contains(&from));
            let goals = self.inner(way, |way, location| way.writes(location).0.contains(&to));
            let goals: BTreeSet<Var> = goals.iter().filter_map(number).collect();
            let entries = points.entries.clone();
            let starts = starts.iter().filter_map(number);
            let starts =
                starts.flat_map(|var| entries.iter().map(move |&point| State { proc, point, var }));
            let is_goal = |state: State, at: At| {
                matches!(at, At::Point { exit: true }) && goals.contains(&state.var)
            };
            if let Some(chain) = search.run(starts.collect(), is_goal) {
                self.lines(&chain, depth, lines);
                return;
            }
        }
    }
}
