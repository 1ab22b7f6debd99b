//! The flow of derivatives through a program, point by point: what chains are searched in.
//!
//! A state is a variable at a point of a procedure. Without cost it moves to the next point as long
//! as it is not overwritten; each statement or call through which it flows into another variable is
//! a link of the chain. A breadth-first search finds a shortest one.

use std::collections::HashMap;

use xaif_schema::model::{Cfg, EntityRef, ProcId, VertexId, VertexKind};

use super::dep::{Effect, Var, VarSet};
use super::equations::StepId;
use super::frame::{self, Frame};
use super::program::{Carrier, Piece, Program, Way};
use super::{Activity, Solution};
use crate::LocationId;
use booster_flow::{steps_of_edge, steps_of_vertex};

/// A point of a procedure: its number.
pub(super) type Point = u32;

/// A piece of program between two points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) step: StepId,
    /// The number of the piece within the step.
    pub(super) piece: usize,
}

/// The points of one procedure.
pub(super) struct Points<'a> {
    pub(super) frame: &'a Frame,
    /// Where control goes on from a point, through a piece or not.
    next: Vec<Vec<(Point, Option<Link>)>>,
    effects: super::equations::Effects,
    /// The entries.
    pub(super) entries: Vec<Point>,
    /// The exits.
    pub(super) exits: Vec<Point>,
}

impl<'a> Points<'a> {
    fn new(activity: &'a Activity<'_>, proc: ProcId) -> Option<Self> {
        let (program, solution): (&Program<'_>, &Solution) =
            (&activity.program, &activity.solution);
        let solved = solution.solved.get(proc.index())?.as_ref()?;
        let (body, cfg) = (program.body(proc)?, program.cfg(proc)?);
        let effects = frame::effects(body, &solved.frame, &activity.summaries);
        let mut points = Points {
            frame: &solved.frame,
            next: Vec::new(),
            effects,
            entries: Vec::new(),
            exits: Vec::new(),
        };
        points.connect(cfg);
        Some(points)
    }

    fn add(&mut self) -> Point {
        self.next.push(Vec::new());
        self.next.len() as Point - 1
    }

    /// Adds the pieces of `steps` behind `from`; returns the point after them.
    fn append(&mut self, mut from: Point, steps: impl Iterator<Item = StepId>) -> Point {
        for step in steps {
            let count = self.effects.steps.get(&step).map_or(0, Vec::len);
            for piece in 0..count {
                let to = self.add();
                self.next[from as usize].push((to, Some(Link { step, piece })));
                from = to;
            }
        }
        from
    }

    fn connect(&mut self, cfg: &Cfg) {
        let mut ends: HashMap<VertexId, (Point, Point)> = HashMap::new();
        for (vertex, data) in &cfg.vertices {
            let first = self.add();
            let steps = steps_of_vertex(cfg, vertex);
            let last = self.append(first, steps.into_iter().filter_map(StepId::of));
            ends.insert(vertex, (first, last));
            match data.kind {
                VertexKind::Entry(_) => self.entries.push(first),
                VertexKind::Exit => self.exits.push(last),
                _ => {}
            }
        }
        for (id, edge) in &cfg.edges {
            let (Some(&(_, from)), Some(&(to, _))) =
                (ends.get(&edge.source), ends.get(&edge.target))
            else {
                continue;
            };
            let on_edge = steps_of_edge(cfg, id).into_iter().filter_map(StepId::of);
            let last = self.append(from, on_edge);
            self.next[last as usize].push((to, None));
        }
    }

    /// The effect of a link.
    fn effect(&self, link: Link) -> Option<&Effect> {
        self.effects.steps.get(&link.step)?.get(link.piece)
    }
}

/// Where a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) proc: ProcId,
    pub(super) point: Point,
    pub(super) var: Var,
}

/// What a search asks of: a state at a point, or the way that leads on from it.
#[derive(Clone, Copy, Debug)]
pub(super) enum At {
    /// The state itself; whether it is at the exit of its procedure.
    Point {
        /// Whether it is.
        exit: bool,
    },
    /// It flows into this variable by this link.
    Link(Link, Var),
}

/// How a link of a chain was made.
#[derive(Clone, Copy, Debug)]
pub(super) enum How {
    /// The search began here.
    Start,
    /// By a statement.
    Statement(Link),
    /// By the whole of a call.
    Through(Link),
    /// Into a callee.
    Into(Link),
    /// Out of a callee, to the call with this link in the procedure of the state.
    Back(Link),
}

/// A link of a chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// What it leads to.
    pub(super) state: State,
    pub(super) how: How,
    /// The link before it.
    before: Option<usize>,
}

/// Which calls a search enters or leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Calls {
    /// Into callees, and never back.
    Down,
    /// Back to callers.
    Up,
    /// Neither.
    Stay,
}

/// A search.
pub(super) struct Search<'a, 'd> {
    activity: &'a Activity<'d>,
    points: HashMap<ProcId, Option<Points<'a>>>,
    visited: HashMap<(ProcId, Point), VarSet>,
    found: Vec<Found>,
    calls: Calls,
}

impl<'a, 'd> Search<'a, 'd> {
    pub(super) fn new(activity: &'a Activity<'d>, calls: Calls) -> Self {
        let (points, visited) = (HashMap::new(), HashMap::new());
        Search { activity, points, visited, found: Vec::new(), calls }
    }

    /// The points of a procedure that heads reach.
    pub(super) fn points(&mut self, proc: ProcId) -> Option<&Points<'a>> {
        let activity = self.activity;
        self.points.entry(proc).or_insert_with(|| Points::new(activity, proc)).as_ref()
    }

    fn visit(&mut self, state: State) -> bool {
        let set = self.visited.entry((state.proc, state.point)).or_default();
        set.grow(state.var as usize + 1);
        !set.put(state.var as usize)
    }

    /// A shortest chain from one of `starts` to a state for which `is_goal` holds; it is asked of
    /// each state and of each way that leads on from it.
    pub(super) fn run(
        &mut self,
        starts: Vec<State>,
        is_goal: impl Fn(State, At) -> bool,
    ) -> Option<Vec<Found>> {
        let mut level: Vec<usize> = Vec::new();
        for state in starts {
            if self.visit(state) {
                self.found.push(Found { state, how: How::Start, before: None });
                level.push(self.found.len() - 1);
            }
        }
        while !level.is_empty() {
            let mut next = Vec::new();
            for link in std::mem::take(&mut level) {
                if let Some(end) = self.spread(link, &is_goal, &mut next) {
                    return Some(self.chain(end));
                }
            }
            level = next;
        }
        None
    }

    /// Follows a variable as long as it is not overwritten.
    fn spread(
        &mut self,
        from: usize,
        is_goal: &impl Fn(State, At) -> bool,
        level: &mut Vec<usize>,
    ) -> Option<usize> {
        let mut work = vec![self.found[from].state];
        while let Some(state) = work.pop() {
            self.points(state.proc)?;
            let mut links: Vec<(State, How)> = Vec::new();
            let Some(Some(points)) = self.points.get(&state.proc) else { return None };
            let at = At::Point { exit: points.exits.contains(&state.point) };
            if is_goal(state, at) {
                return Some(from);
            }
            let mut goes_on = Vec::new();
            for &(to, link) in points.next.get(state.point as usize)? {
                let there = State { point: to, ..state };
                let Some(link) = link else {
                    goes_on.push(there);
                    continue;
                };
                let Some(effect) = points.effect(link) else { continue };
                let call = self.activity.call_at(state.proc, link);
                let own = effect.iter().find(|update| update.target == state.var);
                if own.is_none_or(|update| !update.kills) {
                    goes_on.push(there);
                }
                for update in effect.iter().filter(|update| update.sources.contains(&state.var)) {
                    if is_goal(state, At::Link(link, update.target)) {
                        return Some(from);
                    }
                    let target = State { var: update.target, ..there };
                    let how =
                        if call.is_some() { How::Through(link) } else { How::Statement(link) };
                    links.push((target, how));
                }
            }
            if points.exits.contains(&state.point) && self.calls == Calls::Up {
                links.extend(self.back(state));
            }
            if self.calls == Calls::Down {
                links.extend(self.enter_callees(state));
            }
            for (target, how) in links {
                if self.visit(target) {
                    self.found.push(Found { state: target, how, before: Some(from) });
                    level.push(self.found.len() - 1);
                }
            }
            for there in goes_on {
                if self.visit(there) {
                    work.push(there);
                }
            }
        }
        None
    }

    /// Into the procedures that are called at a point.
    fn enter_callees(&mut self, state: State) -> Vec<(State, How)> {
        let activity = self.activity;
        let mut found = Vec::new();
        let Some(Some(points)) = self.points.get(&state.proc) else { return found };
        let carrier = points.frame.carriers()[state.var as usize];
        let next = points.next.get(state.point as usize).into_iter().flatten();
        let links: Vec<Link> = next.filter_map(|(_, link)| *link).collect();
        for link in links {
            for way in activity.call_at(state.proc, link).into_iter().flatten() {
                let callee = way.entry.proc;
                let passed =
                    activity.inner(way, |way, location| way.reads(location).contains(&carrier));
                let Some(points) = self.points(callee) else { continue };
                for location in passed {
                    let Some(var) = points.frame.number(Carrier::Location(location)) else {
                        continue;
                    };
                    let states =
                        points.entries.iter().map(|&point| State { proc: callee, point, var });
                    found.extend(states.map(|state| (state, How::Into(link))));
                }
            }
        }
        found
    }

    /// Back to the procedures that call this one.
    fn back(&self, state: State) -> Vec<(State, How)> {
        let activity = self.activity;
        let mut found = Vec::new();
        let Some(Some(own)) = self.points.get(&state.proc) else { return found };
        let Carrier::Location(location) = own.frame.carriers()[state.var as usize] else {
            return found;
        };
        if !activity.program.is_visible(state.proc, location) {
            return found;
        }
        for caller in activity.program.doc.procs.keys() {
            let Some(body) = activity.program.body(caller) else { continue };
            if !body.callees().contains(&state.proc) {
                continue;
            }
            let Some(points) = Points::new(activity, caller) else { continue };
            for (to, link) in points.next.iter().flatten() {
                let Some(link) = link else { continue };
                for way in activity.call_at(caller, *link).into_iter().flatten() {
                    if way.entry.proc != state.proc {
                        continue;
                    }
                    for carrier in way.writes(location).0 {
                        let Some(var) = points.frame.number(carrier) else { continue };
                        let state = State { proc: caller, point: *to, var };
                        found.push((state, How::Back(*link)));
                    }
                }
            }
        }
        found
    }

    fn chain(&self, end: usize) -> Vec<Found> {
        let mut chain = Vec::new();
        let mut at = Some(end);
        while let Some(index) = at {
            chain.push(self.found[index]);
            at = self.found[index].before;
        }
        chain.reverse();
        chain
    }
}

impl Activity<'_> {
    /// What the call at a link may execute; `None` if it is no call.
    pub(super) fn call_at(&self, proc: ProcId, link: Link) -> Option<&[Way]> {
        match self.program.body(proc)?.steps.get(&link.step)?.get(link.piece)? {
            Piece::Call(call) => Some(&call.ways),
            Piece::Plain(_) => None,
        }
    }

    /// The locations of a callee for which `test` holds.
    pub(super) fn inner(
        &self,
        way: &Way,
        test: impl Fn(&Way, LocationId) -> bool,
    ) -> Vec<LocationId> {
        let touched = self.summaries[way.callee()].touched.iter().copied();
        touched.filter(|&location| test(way, location)).collect()
    }
}
