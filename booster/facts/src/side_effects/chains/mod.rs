//! Chains: which definitions reach which uses, and which statements overwrite them.
//!
//! A definition is a step together with a location that it may overwrite; a partial one does not end those before it. The
//! definitions that reach a use are found forwards; the uses that a definition reaches, and the statements that
//! overwrite it, backwards (A. V. Aho et al., Compilers, section 9.2.4). Each question is one of `factored.rs`. The
//! chains name statements of the same procedure, conditions by their vertex, and everything else as outside: the value
//! on entry, and uses after the end.

mod factored;
mod sets;

use std::collections::BTreeMap;

use xaif_schema::model::{EntityRef, RefId, StmtId, StmtKind, VertexId, VertexKind};

use self::factored::{Op, Problem};
pub use self::sets::{IN_FULL, Set};
use super::SideEffects;
use super::actions::{Action, Actions};
use crate::access::Accesses;
use crate::externals::Externals;
use crate::{BodyEvents, StepKey};
use booster_flow::{Direction, Flow, Step, steps_of_edge, steps_of_vertex};

/// One end of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    /// Outside of the procedure.
    Outside,
    /// A statement.
    Stmt(StmtId),
    /// The condition of a vertex.
    Condition(VertexId),
}

/// The answers to one question: for each that asks, the number of a set.
#[derive(Clone, Debug)]
pub struct Answers<K> {
    /// The sets, each behind those that it includes.
    pub sets: Vec<Set>,
    /// The set of each that asks.
    pub of: BTreeMap<K, u32>,
}

/// The chains of one body.
#[derive(Clone, Debug)]
pub struct Chains {
    /// For a reference that is read: where its value may come from.
    pub definitions: Answers<RefId>,
    /// For a reference that is written: where its value may be read.
    pub uses: Answers<RefId>,
    /// For an assignment: which statements may overwrite what it has written.
    pub overwrites: Answers<StmtId>,
}

impl Chains {
    /// The chains of `body`.
    pub fn new(
        accesses: &Accesses<'_>,
        body: &BodyEvents<'_>,
        externals: &Externals,
        effects: &SideEffects,
    ) -> Self {
        let actions = Actions::new(accesses, body, externals, effects);
        let question = Question { accesses, body, actions: &actions, named: named(&actions, body) };
        Chains {
            definitions: question.answers(Direction::Forward, Question::definitions),
            uses: question.answers(Direction::Backward, Question::uses),
            overwrites: question.answers(Direction::Backward, Question::overwrites),
        }
    }
}

/// Whether some reference of the body names a location.
fn named(actions: &Actions, body: &BodyEvents<'_>) -> Vec<bool> {
    let mut named = vec![false; actions.locations.len()];
    for action in body.steps.iter().flat_map(|step| actions.of(StepKey::of(step.step))) {
        let (Action::Use { refs, .. } | Action::Define { refs, .. }) = action;
        for &location in refs.iter().flat_map(|(_, locations)| locations) {
            named[location as usize] = true;
        }
    }
    named
}

/// A step with what stands at its place in chains.
#[derive(Clone, Copy)]
struct At<'s> {
    step: Step<'s>,
    key: StepKey,
    end: End,
}

/// The operations of a question, and the numbers of those that ask.
struct Asked<K> {
    ops: Vec<Op>,
    numbers: BTreeMap<K, u32>,
}

impl<K: Ord> Asked<K> {
    fn answer(&mut self, of: K) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(of).or_insert(next)
    }
}

struct Question<'a, 'd> {
    accesses: &'a Accesses<'d>,
    body: &'a BodyEvents<'a>,
    actions: &'a Actions,
    named: Vec<bool>,
}

impl Question<'_, '_> {
    /// Solves the question whose operations, in the order of execution, `translate` adds for a step.
    fn answers<K: Ord>(
        &self,
        direction: Direction,
        translate: impl Fn(&Self, At<'_>, &mut Asked<K>),
    ) -> Answers<K> {
        let flow = &self.body.flow;
        let mut asked = Asked { ops: Vec::new(), numbers: BTreeMap::new() };
        let mut problem = graph(flow, direction);
        let mut fill = |node: usize, vertex: VertexId, steps: &[Step<'_>]| {
            for &step in steps {
                let key = StepKey::of(step);
                let end = match key {
                    StepKey::Stmt(stmt) => End::Stmt(stmt),
                    StepKey::Evaluate(_) | StepKey::Concurrent(_) => End::Condition(vertex),
                    StepKey::Enter(_) | StepKey::Leave => End::Outside,
                };
                translate(self, At { step, key, end }, &mut asked);
            }
            if direction == Direction::Backward {
                asked.ops.reverse();
            }
            problem.ops[node] = std::mem::take(&mut asked.ops);
        };
        let cfg = flow.cfg;
        for &vertex in &cfg.layout {
            fill(vertex.index(), vertex, &steps_of_vertex(cfg, vertex));
        }
        for (node, (step, vertex)) in (cfg.vertices.len()..).zip(steps_of_edges(flow)) {
            fill(node, vertex, &[step]);
        }
        (problem.locations, problem.answers) = (self.named.len(), asked.numbers.len());
        let (drafts, wanted) = factored::solve(&problem);
        let (sets, numbers) = sets::finish(&drafts, &wanted);
        let of = asked.numbers.into_iter().map(|(key, at)| (key, numbers[at as usize])).collect();
        Answers { sets, of }
    }

    fn named<'u>(&self, locations: &'u [u32]) -> impl Iterator<Item = u32> + use<'u, '_> {
        locations.iter().copied().filter(|&location| self.named[location as usize])
    }

    /// Which definitions reach the references that are read.
    fn definitions(&self, at: At<'_>, asked: &mut Asked<RefId>) {
        if matches!(at.step, Step::Enter(_)) {
            let all =
                (0..self.named.len() as u32).filter(|&location| self.named[location as usize]);
            asked.ops.extend(all.map(|location| Op::Put {
                location,
                end: End::Outside,
                alone: true,
            }));
        }
        for action in self.actions.of(at.key) {
            match action {
                Action::Use { refs, .. } => {
                    for (reference, locations) in refs {
                        let answer = asked.answer(*reference);
                        asked
                            .ops
                            .extend(locations.iter().map(|&location| Op::Get { location, answer }));
                    }
                }
                Action::Define { locations, entirely, .. } => {
                    let end = match at.end {
                        End::Condition(_) => End::Outside,
                        end @ (End::Outside | End::Stmt(_)) => end,
                    };
                    let put = |location| Op::Put { location, end, alone: *entirely };
                    asked.ops.extend(self.named(locations).map(put));
                }
            }
        }
    }

    /// Where the references that are written may be read. What outlives the activation, and the result, may be used
    /// afterwards.
    fn uses(&self, at: At<'_>, asked: &mut Asked<RefId>) {
        for action in self.actions.of(at.key) {
            match action {
                Action::Use { locations, .. } => {
                    let put = |location| Op::Put { location, end: at.end, alone: false };
                    asked.ops.extend(self.named(locations).map(put));
                }
                Action::Define { locations, refs, entirely } => {
                    if *entirely {
                        asked
                            .ops
                            .extend(self.named(locations).map(|location| Op::Clear { location }));
                    }
                    for (reference, written) in refs {
                        let answer = asked.answer(*reference);
                        let defined =
                            written.iter().filter(|location| locations.contains(location));
                        asked.ops.extend(defined.map(|&location| Op::Get { location, answer }));
                    }
                }
            }
        }
        if at.step == Step::Leave {
            let put = |location| Op::Put { location, end: End::Outside, alone: false };
            asked.ops.extend(self.outliving().map(put));
        }
    }

    /// Which statements may overwrite what an assignment has written.
    fn overwrites(&self, at: At<'_>, asked: &mut Asked<StmtId>) {
        for action in self.actions.of(at.key) {
            let Action::Define { locations, entirely, .. } = action else { continue };
            let StepKey::Stmt(stmt) = at.key else {
                if *entirely {
                    asked.ops.extend(self.named(locations).map(|location| Op::Clear { location }));
                }
                continue;
            };
            let put = |location| Op::Put { location, end: at.end, alone: *entirely };
            asked.ops.extend(self.named(locations).map(put));
            if matches!(self.accesses.doc().stmts[stmt].kind, StmtKind::Assign { .. }) {
                let answer = asked.answer(stmt);
                asked
                    .ops
                    .extend(self.named(locations).map(|location| Op::Get { location, answer }));
            }
        }
    }

    /// The locations whose values may be used behind the end.
    fn outliving(&self) -> impl Iterator<Item = u32> {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        let result = doc.procs[self.body.proc].result;
        let result = result.map(|result| storage.locations_of_symbol(result)).unwrap_or_default();
        (0..self.named.len() as u32).filter(move |&number| {
            let location = self.actions.locations[number as usize];
            self.named[number as usize]
                && (self.actions.outlives(self.accesses, location) || result.contains(&location))
        })
    }
}

/// What is executed along edges, with the vertex behind it, in the order of the edges.
fn steps_of_edges<'f>(flow: &'f Flow<'_>) -> impl Iterator<Item = (Step<'static>, VertexId)> + 'f {
    let cfg = flow.cfg;
    flow.edges().filter_map(|(id, edge)| Some((steps_of_edge(cfg, id)?, edge.target)))
}

/// The vertices, and behind them a node for each edge along which something is executed.
fn graph(flow: &Flow<'_>, direction: Direction) -> Problem {
    let cfg = flow.cfg;
    let mut problem = Problem::default();
    let count = cfg.vertices.len() + steps_of_edges(flow).count();
    problem.ops.resize_with(count, Vec::new);
    problem.next.resize_with(count, Default::default);
    let mut link = |from: usize, to: usize| {
        let (from, to) = match direction {
            Direction::Forward => (from, to),
            Direction::Backward => (to, from),
        };
        problem.next[from].push(to as u32);
    };
    let mut node = cfg.vertices.len();
    for (id, edge) in flow.edges() {
        let (source, target) = (edge.source.index(), edge.target.index());
        match steps_of_edge(cfg, id) {
            Some(_) => {
                link(source, node);
                link(node, target);
                node += 1;
            }
            None => link(source, target),
        }
    }
    let is_start = |vertex: VertexId| match direction {
        Direction::Forward => matches!(cfg.vertices[vertex].kind, VertexKind::Entry(_)),
        Direction::Backward => matches!(cfg.vertices[vertex].kind, VertexKind::Exit),
    };
    let mut order: Vec<VertexId> = flow.order().to_vec();
    if direction == Direction::Backward {
        order.reverse();
    }
    // A walk also begins where no other one comes.
    let firsts = order.iter().filter(|&&vertex| is_start(vertex)).chain(&order);
    let firsts: Vec<u32> = firsts.map(|vertex| vertex.index() as u32).collect();
    let mut seen = vec![false; count];
    for first in firsts.into_iter().chain(0..count as u32) {
        if seen[first as usize] {
            continue;
        }
        problem.starts.push(first);
        let mut work = vec![first];
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut seen[node as usize], true) {
                work.extend(&problem.next[node as usize]);
            }
        }
    }
    problem
}
