//! The two sweeps over the call graph (paper 1, section 4): `Dep` bottom-up, varied and useful
//! variables top-down.
//!
//! Procedures that call each other are solved together (`cycles.rs` for the summaries); the
//! components of one level are independent of each other and are worked on in parallel. All results
//! are sets, so that the order in which they are found cannot be seen.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Index;

use rayon::prelude::*;
use xaif_schema::model::{Cfg, ProcId};

use super::dep::{Effect, VarSet, useful_through, varied_through};
use super::equations::{self, Effects, Points, StepId};
use super::frame::{self, Frame, Summaries, Summary};
use super::program::{Body, Call, Piece, Program};
use super::{cycles, structured};
use crate::LocationId;
use booster_flow::structure::Structure;
use booster_flow::{CallGraph, Flow, Step, steps_of_edge, steps_of_vertex};

/// The call graph of the program, indirect calls included.
pub(super) fn call_graph(program: &Program<'_>) -> CallGraph {
    let procs: Vec<ProcId> = program.doc.procs.keys().collect();
    let calls = procs.iter().filter_map(|&proc| Some((proc, program.body(proc)?)));
    let calls = calls.flat_map(|(proc, body)| body.callees().into_iter().map(move |c| (proc, c)));
    CallGraph::of_calls(program.doc, calls)
}

/// `Dep` of every procedure, bottom-up.
pub(super) fn summaries(program: &Program<'_>, graph: &CallGraph) -> Summaries {
    let mut summaries = vec![Summary::default(); program.doc.procs.len()];
    for level in graph.bottom_up() {
        let found: Vec<Vec<(ProcId, Summary)>> = level
            .par_iter()
            .map(|component| component_summaries(program, component, &summaries))
            .collect();
        for (proc, summary) in found.into_iter().flatten() {
            summaries[number(proc)] = summary;
        }
    }
    summaries
}

fn number(proc: ProcId) -> usize {
    proc.as_u32() as usize
}

/// The summaries of procedures that call each other, or of one procedure.
fn component_summaries(
    program: &Program<'_>,
    component: &[ProcId],
    known: &Summaries,
) -> Vec<(ProcId, Summary)> {
    let calls_itself = |proc: ProcId| {
        program.body(proc).is_some_and(|body| body.callees().into_iter().any(|c| c == proc))
    };
    match component {
        &[proc] if !calls_itself(proc) => {
            let summary = match program.body(proc) {
                Some(body) => {
                    let frame = frame::frame(body, known);
                    summary_in(program, proc, body, &frame, known)
                }
                None => Summary { returns: true, ..Summary::default() },
            };
            vec![(proc, summary)]
        }
        several => cycles::summaries(program, several, known),
    }
}

/// The summary of a procedure whose callees have `summaries`.
pub(super) fn summary_in(
    program: &Program<'_>,
    proc: ProcId,
    body: &Body,
    frame: &Frame,
    summaries: &impl Index<usize, Output = Summary>,
) -> Summary {
    let effects = frame::effects(body, frame, summaries);
    let dep = dep_of(program, proc, &effects);
    Summary::new(program, proc, frame, summaries, dep.as_ref())
}

fn dep_of(program: &Program<'_>, proc: ProcId, effects: &Effects) -> Option<super::dep::Dep> {
    let cfg = program.cfg(proc)?;
    match Structure::new(cfg) {
        Some(structure) => Some(structured::dep(&structure, effects).0),
        None => equations::dep(&Flow::new(cfg), effects),
    }
}

/// In what context a procedure is executed: the union over all calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Context {
    /// Varied on entry.
    pub(super) varied: BTreeSet<LocationId>,
    /// Useful on exit.
    pub(super) useful: BTreeSet<LocationId>,
    /// Whether a head may call it, directly or not, or it is a head.
    pub(super) reached: bool,
}

impl Context {
    /// Adds another call; tells whether that changed anything.
    pub(super) fn add(&mut self, other: &Context) -> bool {
        let before = (self.varied.len(), self.useful.len(), self.reached);
        self.varied.extend(&other.varied);
        self.useful.extend(&other.useful);
        self.reached |= other.reached;
        before != (self.varied.len(), self.useful.len(), self.reached)
    }
}

/// What is known of a piece of a procedure.
#[derive(Clone, Debug)]
pub(super) struct Around {
    /// Varied before it.
    pub(super) varied: VarSet,
    /// Useful after it.
    pub(super) useful: VarSet,
}

/// A procedure in its context.
#[derive(Clone, Debug, Default)]
pub(super) struct Solved {
    pub(super) frame: Frame,
    /// For each piece of each step.
    pub(super) around: HashMap<StepId, Vec<Around>>,
}

/// Contexts and solutions of all procedures that heads reach.
#[derive(Clone, Debug, Default)]
pub(super) struct Solution {
    /// By the number of the procedure.
    pub(super) contexts: Vec<Context>,
    /// By the number of the procedure; `None` where no head reaches it.
    pub(super) solved: Vec<Option<Solved>>,
}

/// Varied and useful variables, top-down, where `contexts` holds those of the heads.
pub(super) fn solution(
    program: &Program<'_>,
    graph: &CallGraph,
    summaries: &Summaries,
    contexts: Vec<Context>,
) -> Solution {
    let mut solution = Solution { solved: vec![None; contexts.len()], contexts };
    for level in graph.top_down() {
        let found: Vec<_> = level
            .par_iter()
            .map(|component| solve_component(program, component, summaries, &solution.contexts))
            .collect();
        for (own, outward) in found {
            for (proc, context, solved) in own {
                solution.contexts[number(proc)] = context;
                solution.solved[number(proc)] = Some(solved);
            }
            for (proc, context) in outward {
                solution.contexts[number(proc)].add(&context);
            }
        }
    }
    solution
}

type Contexts = BTreeMap<ProcId, Context>;

/// The solutions of procedures that call each other, and what they add to the contexts of others.
fn solve_component(
    program: &Program<'_>,
    component: &[ProcId],
    summaries: &Summaries,
    contexts: &[Context],
) -> (Vec<(ProcId, Context, Solved)>, Contexts) {
    let mut own: Contexts =
        component.iter().map(|&proc| (proc, contexts[number(proc)].clone())).collect();
    let mut outward = Contexts::new();
    let mut solved: BTreeMap<ProcId, Solved> = BTreeMap::new();
    let mut work: BTreeSet<ProcId> =
        component.iter().copied().filter(|proc| own[proc].reached).collect();
    while let Some(proc) = work.pop_first() {
        let found = solve(program, proc, summaries, &own[&proc]);
        for (callee, context) in passed_on(program, proc, summaries, &found) {
            match own.get_mut(&callee) {
                Some(known) => {
                    if known.add(&context) {
                        work.insert(callee);
                    }
                }
                None => {
                    outward.entry(callee).or_default().add(&context);
                }
            }
        }
        solved.insert(proc, found);
    }
    let own = solved
        .into_iter()
        .map(|(proc, solved)| (proc, own.remove(&proc).unwrap_or_default(), solved))
        .collect();
    (own, outward)
}

/// What the calls of a procedure add to the contexts of the callees (paper 1, section 4.2).
fn passed_on(
    program: &Program<'_>,
    proc: ProcId,
    summaries: &Summaries,
    solved: &Solved,
) -> Contexts {
    let mut contexts = Contexts::new();
    let Some(body) = program.body(proc) else { return contexts };
    for (step, pieces) in &body.steps {
        let around = solved.around.get(step).into_iter().flatten();
        for (piece, around) in pieces.iter().zip(around) {
            if let Piece::Call(call) = piece {
                pass_on(call, summaries, &solved.frame, around, &mut contexts);
            }
        }
    }
    contexts
}

fn pass_on(
    call: &Call,
    summaries: &Summaries,
    frame: &Frame,
    around: &Around,
    contexts: &mut Contexts,
) {
    for way in &call.ways {
        let context = contexts.entry(way.entry.proc).or_default();
        context.reached = true;
        for &location in &summaries[way.callee()].touched {
            if frame.any_in(&way.reads(location), &around.varied) {
                context.varied.insert(location);
            }
            if frame.any_in(&way.writes(location).0, &around.useful) {
                context.useful.insert(location);
            }
        }
    }
}

/// A procedure in its context.
fn solve(program: &Program<'_>, proc: ProcId, summaries: &Summaries, context: &Context) -> Solved {
    let (Some(body), Some(cfg)) = (program.body(proc), program.cfg(proc)) else {
        return Solved::default();
    };
    let frame = frame::frame(body, summaries);
    let effects = frame::effects(body, &frame, summaries);
    let flow = Flow::new(cfg);
    let structure = Structure::new(cfg);
    let on_entry = frame.set(&context.varied);
    let varied = match &structure {
        Some(structure) => {
            let (_, loops) = structured::dep(structure, &effects);
            structured::varied(structure, &effects, &loops, &on_entry)
        }
        None => equations::varied(&flow, &effects, &on_entry),
    };
    let varied = before_pieces(cfg, &effects, &varied);

    let mut asked = Effects { size: effects.size, ..Effects::default() };
    for (step, pieces) in &body.steps {
        let (Some(effects), Some(varied)) = (effects.steps.get(step), varied.get(step)) else {
            continue;
        };
        let pieces = pieces.iter().zip(effects).zip(varied);
        let restricted = pieces.map(|((piece, effect), varied)| {
            frame::restricted((&frame, &program.shared), piece, effect, varied)
        });
        asked.steps.insert(*step, restricted.collect());
    }
    let at_exit = frame.set(&context.useful);
    let useful = match &structure {
        Some(structure) => {
            let (_, loops) = structured::dep(structure, &asked);
            structured::useful(structure, &asked, &loops, &at_exit)
        }
        None => equations::useful(&flow, &asked, &at_exit),
    };
    let mut useful = after_pieces(cfg, &asked, &useful);

    let mut around = HashMap::new();
    for (step, varied) in varied {
        let useful = useful.remove(&step).unwrap_or_default();
        let pairs = varied.into_iter().zip(useful);
        let pairs = pairs.map(|(varied, useful)| Around { varied, useful });
        around.insert(step, pairs.collect());
    }
    Solved { frame, around }
}

/// A set for each piece of each step.
type AtPieces = HashMap<StepId, Vec<VarSet>>;

/// Adds what is known at one execution of a step; a step may be at several edges.
fn note(found: &mut AtPieces, step: StepId, sets: Vec<VarSet>) {
    match found.get_mut(&step) {
        Some(known) => known.iter_mut().zip(&sets).for_each(|(known, set)| known.union_with(set)),
        None => {
            found.insert(step, sets);
        }
    }
}

/// The varied variables before each piece.
fn before_pieces(cfg: &Cfg, effects: &Effects, points: &Points) -> AtPieces {
    let mut found = AtPieces::new();
    let mut pass = |step: Step<'_>, state: &mut VarSet| {
        let through = |effect: &Effect| {
            let before = state.clone();
            varied_through(effect, state);
            before
        };
        let sets: Vec<VarSet> = effects.of(step).iter().map(through).collect();
        if let (Some(step), false) = (StepId::of(step), sets.is_empty()) {
            note(&mut found, step, sets);
        }
    };
    for vertex in cfg.vertices.keys() {
        let mut state = points.before[vertex].clone();
        steps_of_vertex(cfg, vertex).into_iter().for_each(|step| pass(step, &mut state));
    }
    for (id, edge) in &cfg.edges {
        if let Some(step) = steps_of_edge(cfg, id) {
            pass(step, &mut points.after[edge.source].clone());
        }
    }
    found
}

/// The useful variables after each piece.
fn after_pieces(cfg: &Cfg, effects: &Effects, points: &Points) -> AtPieces {
    let mut found = AtPieces::new();
    let mut pass = |step: Step<'_>, state: &mut VarSet| {
        let through = |effect: &Effect| {
            let after = state.clone();
            useful_through(effect, state);
            after
        };
        let mut sets: Vec<VarSet> = effects.of(step).iter().rev().map(through).collect();
        sets.reverse();
        if let (Some(step), false) = (StepId::of(step), sets.is_empty()) {
            note(&mut found, step, sets);
        }
    };
    for vertex in cfg.vertices.keys() {
        let mut state = points.after[vertex].clone();
        steps_of_vertex(cfg, vertex).into_iter().rev().for_each(|step| pass(step, &mut state));
    }
    for (id, edge) in &cfg.edges {
        if let Some(step) = steps_of_edge(cfg, id) {
            pass(step, &mut points.before[edge.target].clone());
        }
    }
    found
}
