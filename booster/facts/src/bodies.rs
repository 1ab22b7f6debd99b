//! The events of all bodies of a document, found once: what interprocedural analyses begin with.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::FixedState;
use rayon::prelude::*;
use xaif_schema::model::{
    Body, Cfg, EdgeId, ExprId, ProcId, ScopeId, SecondaryMap, StmtId, SymbolId, VertexId,
};

use super::access::{Accesses, ActualValue, CallSite, Event, Events};
use booster_flow::{CallGraph, Flow, Step, steps_of_edge, steps_of_vertex};

/// Names a step within its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StepKey {
    /// The entry with this name; `None` is the main one.
    Enter(Option<SymbolId>),
    /// A statement.
    Stmt(StmtId),
    /// A condition.
    Evaluate(ExprId),
    /// The header of a DO CONCURRENT, by the scope of its indices.
    Concurrent(ScopeId),
    /// The end.
    Leave,
}

impl StepKey {
    /// The name of `step`.
    pub fn of(step: Step<'_>) -> Self {
        match step {
            Step::Enter(point) => StepKey::Enter(point.map(|point| point.symbol)),
            Step::Stmt(stmt) => StepKey::Stmt(stmt),
            Step::Evaluate(expr) => StepKey::Evaluate(expr),
            Step::Concurrent(header) => StepKey::Concurrent(header.scope),
            Step::Leave => StepKey::Leave,
        }
    }
}

/// A table by steps.
pub type StepMap<V> = HashMap<StepKey, V, FixedState>;

/// One body with its events.
#[derive(Debug)]
pub struct BodyEvents<'d> {
    /// The procedure.
    pub proc: ProcId,
    /// Its flow graph.
    pub flow: Flow<'d>,
    /// The steps in the order of the text: those at vertices, each preceded by those on the edges
    /// that lead there. A step on several edges is listed once.
    pub steps: Vec<StepAt<'d>>,
    index: StepMap<usize>,
}

/// A step with its events.
#[derive(Debug)]
pub struct StepAt<'d> {
    /// The step.
    pub step: Step<'d>,
    /// The vertex at which (or on the way to which) it is executed.
    pub vertex: VertexId,
    /// Whether control never comes from it to the exit: the program ends.
    pub ends: bool,
    /// What it does.
    pub events: Events<'d>,
}

impl<'d> BodyEvents<'d> {
    fn new(accesses: &Accesses<'d>, proc: ProcId, cfg: &'d Cfg) -> Self {
        let flow = Flow::new(cfg);
        let returning = flow.reaching_exit();
        let mut body = BodyEvents { proc, flow, steps: Vec::new(), index: StepMap::default() };
        let mut ways: SecondaryMap<VertexId, Vec<EdgeId>> = SecondaryMap::new();
        for (edge, data) in &cfg.edges {
            ways[data.target].push(edge);
        }
        for &vertex in &cfg.layout {
            let on_the_way = ways[vertex].iter().filter_map(|&edge| steps_of_edge(cfg, edge));
            for step in on_the_way.chain(steps_of_vertex(cfg, vertex)) {
                let next = body.steps.len();
                if *body.index.entry(StepKey::of(step)).or_insert(next) == next {
                    let events = accesses.of(proc, step);
                    let ends = !returning[vertex];
                    body.steps.push(StepAt { step, vertex, ends, events });
                }
            }
        }
        body
    }

    /// The events of a step.
    pub fn events(&self, step: Step<'_>) -> &[Event<'d>] {
        let index = self.index.get(&StepKey::of(step));
        index.map_or(&[], |&index| self.steps[index].events.as_slice())
    }
}

/// The bodies of a document, by procedure; `None` where there is none.
#[derive(Debug)]
pub struct Bodies<'d> {
    bodies: Vec<Option<BodyEvents<'d>>>,
}

impl<'d> Bodies<'d> {
    /// Finds the events of all bodies, in parallel.
    pub fn new(accesses: &Accesses<'d>) -> Self {
        let procs: Vec<_> = accesses.doc().procs.iter().collect();
        let bodies = procs
            .into_par_iter()
            .map(|(id, proc)| match &proc.body {
                Body::Flow(cfg) => Some(BodyEvents::new(accesses, id, cfg)),
                Body::Interface | Body::Replacements { .. } => None,
            })
            .collect();
        Bodies { bodies }
    }

    /// The body of a procedure.
    pub fn get(&self, proc: ProcId) -> Option<&BodyEvents<'d>> {
        self.bodies.get(proc.as_u32() as usize)?.as_ref()
    }

    /// All bodies, in the order of the document.
    pub fn iter(&self) -> impl Iterator<Item = &BodyEvents<'d>> {
        self.bodies.iter().flatten()
    }

    /// The call graph, with everything that indirect calls may mean.
    pub fn call_graph(&self, accesses: &Accesses<'d>) -> CallGraph {
        CallGraph::of_calls(accesses.doc(), self.calls(accesses))
    }

    /// Who calls whom, with everything that indirect calls may mean. What is passed to a procedure without
    /// a body is called there.
    pub fn calls(&self, accesses: &Accesses<'d>) -> BTreeSet<(ProcId, ProcId)> {
        let calls = self.iter().flat_map(|body| {
            let events = body.steps.iter().flat_map(|step| &step.events);
            events.flat_map(move |event| match event {
                Event::Call(call) => callees(accesses, call)
                    .into_iter()
                    .map(|callee| (body.proc, callee))
                    .collect::<Vec<_>>(),
                Event::Read(..)
                | Event::Write(_)
                | Event::Allocate(_)
                | Event::Release { .. }
                | Event::Associate(_)
                | Event::Ask(..)
                | Event::Reshape(_)
                | Event::Anything => Vec::new(),
            })
        });
        calls.collect()
    }
}

/// The bodies that a call may execute, itself or by a stranger that is given them.
fn callees(accesses: &Accesses<'_>, call: &CallSite<'_>) -> Vec<ProcId> {
    let mut callees: Vec<ProcId> = call.targets.bodies.iter().map(|entry| entry.proc).collect();
    if call.targets.unknown || !call.targets.outside.is_empty() {
        for actual in &call.actuals {
            if let ActualValue::Procedure(symbol) = actual.value {
                let passed = accesses.storage().meaning(accesses.doc(), symbol);
                callees.extend(passed.bodies.iter().map(|entry| entry.proc));
            }
        }
    }
    callees
}

/// The call graph of a document, with everything that indirect calls may mean.
pub fn call_graph(accesses: &Accesses<'_>) -> CallGraph {
    Bodies::new(accesses).call_graph(accesses)
}
