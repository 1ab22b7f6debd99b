//! Adjoint liveness: which statements the forward sweep of an adjoint executes.
//!
//! Source: Hascoet and Araya-Polo, "The adjoint data-flow analyses: formalization, properties, and applications"
//! (2006); thesis 5, 4.4.1 and 4.5.2. With D the rest of the procedure behind a statement I, and I' the adjoint of I:
//!
//! ```text
//! Live(I; D) = Use(I') + (Live(D) - Kill(I) + Use(I))   if I writes what is in Live(D)
//! Live(I; D) = Use(I') + Live(D)                        otherwise: I is dead
//! ```
//!
//! A dead statement is left out of the forward sweep; the backward sweep has its adjoint. TBR analysis and the sweeps take
//! it for a statement that overwrites and records nothing. For a joint call, Use(I') is Live(S) of the callee S: the values
//! that its adjoint reads before it overwrites them (`adjoint_effects`). A snapshot holds no other values.
//!
//! At the exit of an adjoint procedure that only joint calls execute, nothing lives. At the exit of the adjoint of a head
//! everything lives that outlives the call but its arguments. A procedure that may be split leaves all values to its callers.
//!
//! Conditions, bounds, and statements that do more than compute (`queries::removable`) are always live.

mod exits;
mod print;
mod reads;
mod why;

use std::collections::{BTreeSet, HashMap, HashSet};

use fixedbitset::FixedBitSet;
use rayon::prelude::*;
use xaif_schema::model::{Document, LocalJacobian, ProcId, StmtId, StmtKind, VertexKind};

use crate::Modes;
use crate::call_modes::choice::CallModes;
use crate::queries::liveness::{AdjointReads, Exposed, Strong};
use crate::queries::needs::has_adjoint;
use crate::queries::needs::{gets_a_statement, is_active_call};
use crate::queries::removable::Removable;
use booster_facts::externals::Externals;
use booster_facts::side_effects::{Actions, SideEffects, Summaries, Summary};
use booster_facts::{Accesses, Bodies, BodyEvents, Event, LocationId, Storage, no_return};
use booster_flow::{Analysis, Step, solve};
use booster_rules::Catalogue;
use booster_shadow::jacobian::executed_again;
use exits::{Exit, Exits};
use reads::Reader;

/// Finds the statements that no forward sweep needs and writes that into `doc`: `Stmt.adjoint_live`, and `Stmt.joint` of
/// the calls on which it relies. `modes` are those with which the adjoint will be made.
pub fn liveness(doc: &mut Document, externals: &Externals, catalogue: &Catalogue, modes: &Modes) {
    no_return::mark(doc, externals);
    forget(doc);
    let (dead, joint) = {
        let storage = Storage::new(doc);
        let accesses = Accesses::new(doc, &storage);
        let found = Liveness::new(&accesses, externals, catalogue, modes);
        (found.dead, found.joint)
    };
    if dead.is_empty() {
        return;
    }
    dead.into_iter().for_each(|stmt| doc.stmts[stmt].adjoint_live = false);
    joint.into_iter().for_each(|stmt| doc.stmts[stmt].joint = true);
}

/// Whether a document has such facts.
pub(crate) fn is_told(doc: &Document) -> bool {
    doc.stmts.values().any(|stmt| !stmt.adjoint_live)
}

/// Takes all facts of this kind out of a document.
pub(crate) fn forget(doc: &mut Document) {
    for stmt in doc.stmts.values_mut() {
        stmt.adjoint_live = true;
    }
}

/// The result of the analysis, to be asked.
pub struct Liveness<'a, 'd> {
    accesses: &'a Accesses<'d>,
    externals: &'a Externals,
    catalogue: &'a Catalogue,
    bodies: Bodies<'d>,
    effects: SideEffects,
    /// The side effects of adjoint procedures, by their originals.
    adjoint: SideEffects,
    again: HashMap<StmtId, Vec<StmtId>>,
    /// The statements that forward sweeps do without.
    dead: BTreeSet<StmtId>,
    /// The calls that are taken not to be split.
    joint: BTreeSet<StmtId>,
    exits: Exits,
}

impl<'a, 'd> Liveness<'a, 'd> {
    /// Analyses a document, whatever facts of this kind it has.
    pub fn new(
        accesses: &'a Accesses<'d>,
        externals: &'a Externals,
        catalogue: &'a Catalogue,
        modes: &Modes,
    ) -> Self {
        let doc = accesses.doc();
        let bodies = Bodies::new(accesses);
        let effects = SideEffects::new(accesses, &bodies, externals);
        let rules = (externals, catalogue);
        let chooser = CallModes::new(accesses, &bodies, rules, None, modes, &effects);
        let with_adjoint = || doc.procs.keys().filter(|&proc| has_adjoint(doc, proc));
        let joint: BTreeSet<StmtId> =
            with_adjoint().flat_map(|proc| chooser.joint_calls(proc)).collect();
        let exits = Exits::new(accesses, &bodies, &joint);
        let removable = Removable::new(accesses, &bodies, None);
        let again = executed_again(doc);
        let mut adjoint = effects.clone();
        let reader = Reader { accesses, externals, catalogue, effects: &effects, again: &again };
        let dead = bottom_up(&reader, &bodies, &mut adjoint, |body, actions, reads| {
            let analysis = Strong {
                actions,
                removable: &removable_here(accesses, body, &removable, (reads, &joint)),
                adjoints: Some(reads),
                at_exit: exits.live(accesses, body, actions),
            };
            faint(body, &analysis)
        });
        let dead = dead.into_iter().collect();
        Liveness {
            accesses,
            externals,
            catalogue,
            bodies,
            effects,
            adjoint,
            again,
            dead,
            joint,
            exits,
        }
    }

    /// The statements that forward sweeps do without.
    pub fn dead(&self) -> &BTreeSet<StmtId> {
        &self.dead
    }

    fn reader(&self) -> Reader<'_, 'd> {
        let Liveness { accesses, externals, catalogue, effects, again, .. } = self;
        Reader { accesses, externals, catalogue, effects, again }
    }
}

/// The side effects of procedures where their adjoints are executed in their place, by the facts of a document: an adjoint
/// reads the values of its arguments and of global variables that its statements need. Without facts, the effects of
/// the procedures.
pub(crate) fn adjoint_effects(
    accesses: &Accesses<'_>,
    bodies: &Bodies<'_>,
    (externals, catalogue): (&Externals, &Catalogue),
    effects: &SideEffects,
) -> SideEffects {
    let doc = accesses.doc();
    let mut adjoint = effects.clone();
    if !is_told(doc) {
        return adjoint;
    }
    let again = executed_again(doc);
    let reader = Reader { accesses, externals, catalogue, effects, again: &again };
    bottom_up(&reader, bodies, &mut adjoint, |body, _, _| {
        let stmts = body.steps.iter().filter_map(|at| match at.step {
            Step::Stmt(stmt) => Some(stmt),
            Step::Enter(_) | Step::Evaluate(_) | Step::Concurrent(_) | Step::Leave => None,
        });
        stmts.filter(|&stmt| !doc.stmts[stmt].adjoint_live).collect()
    });
    adjoint
}

/// What is found of a procedure: the values that its adjoint reads before it overwrites them, and the dead statements.
struct Found {
    proc: ProcId,
    input: BTreeSet<LocationId>,
    dead: HashSet<StmtId>,
}

/// The bodies of loops with checkpoints. The backward sweep also executes them as they are.
fn bodies_with_checkpoints(doc: &Document) -> HashSet<ProcId> {
    let called = doc.stmts.values().filter(|stmt| stmt.checkpoints.is_some());
    let called = called.filter_map(|stmt| match &stmt.kind {
        StmtKind::Call(call) => doc.procedure_of(call.callee.symbol),
        _ => None,
    });
    called.collect()
}

/// Finds that of all procedures with adjoints, callees first; `decide` tells the dead statements of a body.
fn bottom_up(
    reader: &Reader<'_, '_>,
    bodies: &Bodies<'_>,
    adjoint: &mut SideEffects,
    decide: impl Fn(&BodyEvents<'_>, &Actions, &AdjointReads) -> HashSet<StmtId> + Sync,
) -> HashSet<StmtId> {
    let graph = bodies.call_graph(reader.accesses);
    let executed_again = bodies_with_checkpoints(reader.accesses.doc());
    let mut dead = HashSet::new();
    for level in graph.bottom_up() {
        let found: Vec<Vec<Found>> = level
            .par_iter()
            .map(|component| of_component(reader, bodies, (adjoint, component), &decide))
            .collect();
        for Found { proc, mut input, dead: own } in found.into_iter().flatten() {
            if executed_again.contains(&proc) {
                input.extend(reader.effects.of(proc).input.iter().copied());
            }
            adjoint.set_input(proc, input);
            dead.extend(own);
        }
    }
    dead
}

/// The procedures of a component of the call graph. Those that call each other begin with nothing.
fn of_component(
    reader: &Reader<'_, '_>,
    bodies: &Bodies<'_>,
    (outside, component): (&SideEffects, &[ProcId]),
    decide: &(impl Fn(&BodyEvents<'_>, &Actions, &AdjointReads) -> HashSet<StmtId> + Sync),
) -> Vec<Found> {
    let Reader { accesses, externals, effects, .. } = *reader;
    let doc = accesses.doc();
    let own: Vec<&BodyEvents<'_>> = component
        .iter()
        .filter(|&&proc| has_adjoint(doc, proc))
        .filter_map(|&proc| bodies.get(proc))
        .collect();
    let without_input = |body: &&BodyEvents<'_>| {
        let input = BTreeSet::new();
        (body.proc, Summary { input, ..effects.of(body.proc).clone() })
    };
    let mut known = Component { outside, own: own.iter().map(without_input).collect() };
    let is_recursive = component.len() > 1 || own.iter().any(|body| calls_itself(body));
    loop {
        let mut changed = false;
        let mut found = Vec::new();
        for (number, body) in own.iter().enumerate() {
            let actions = Actions::new(accesses, body, externals, effects);
            let reads = reader.of(body, &actions, &known);
            let dead = decide(body, &actions, &reads);
            let input = input(accesses, body, &actions, &reads, &dead);
            changed |= known.own[number].1.input != input;
            known.own[number].1.input.clone_from(&input);
            found.push(Found { proc: body.proc, input, dead });
        }
        if !changed || !is_recursive {
            return found;
        }
    }
}

/// The side effects of adjoint procedures while those of a component are being found.
struct Component<'a> {
    outside: &'a SideEffects,
    own: Vec<(ProcId, Summary)>,
}

impl Summaries for Component<'_> {
    fn of(&self, proc: ProcId) -> &Summary {
        let own = self.own.iter().find(|(other, _)| *other == proc);
        own.map_or_else(|| self.outside.of(proc), |(_, summary)| summary)
    }
}

fn calls_itself(body: &BodyEvents<'_>) -> bool {
    body.steps.iter().flat_map(|at| &at.events).any(|event| match event {
        Event::Call(call) => call.targets.bodies.iter().any(|entry| entry.proc == body.proc),
        _ => false,
    })
}

/// The values that outlive the activation and that the adjoint of a body reads before it overwrites them.
fn input(
    accesses: &Accesses<'_>,
    body: &BodyEvents<'_>,
    actions: &Actions,
    reads: &AdjointReads,
    dead: &HashSet<StmtId>,
) -> BTreeSet<LocationId> {
    let found = solve(&body.flow, &Exposed { actions, adjoints: reads, dead });
    let mut live = FixedBitSet::with_capacity(reads.locations.len());
    for entry in body.flow.entries() {
        live.union_with(found.before(entry));
    }
    let locations = live.ones().filter_map(|number| reads.locations.get(number).copied());
    locations
        .filter(|&location| !accesses.storage().locations()[location].property)
        .filter(|&location| actions.outlives(accesses, location))
        .collect()
}

/// The statements that may be left out if nothing reads their results: in a basic block, without a part in a local
/// Jacobian that both sweeps share, and no call that may be split.
fn removable_here(
    accesses: &Accesses<'_>,
    body: &BodyEvents<'_>,
    removable: &Removable<'_>,
    (reads, joint): (&AdjointReads, &BTreeSet<StmtId>),
) -> HashSet<StmtId> {
    let doc = accesses.doc();
    let is_shared = |stmt: StmtId| match doc.stmts[stmt].local_jacobian {
        Some(LocalJacobian::Again | LocalJacobian::Propagator | LocalJacobian::Memory) => true,
        Some(LocalJacobian::Value | LocalJacobian::Entry) | None => false,
    };
    let may_be_split = |stmt: StmtId, events: &[Event<'_>]| {
        !joint.contains(&stmt)
            && events.iter().any(|event| match event {
                Event::Call(call) => {
                    is_active_call(doc, Some(stmt), call) || gets_a_statement(doc, Some(stmt), call)
                }
                _ => false,
            })
    };
    let in_blocks: HashSet<StmtId> = crate::body::statements(body.flow.cfg).collect();
    let stmts = body.steps.iter().filter_map(|at| match at.step {
        Step::Stmt(stmt) => Some((stmt, &at.events)),
        Step::Enter(_) | Step::Evaluate(_) | Step::Concurrent(_) | Step::Leave => None,
    });
    stmts
        .filter(|(stmt, events)| {
            in_blocks.contains(stmt)
                && !reads.of_results.contains(stmt)
                && !reads.recomputations.contains(stmt)
                && !is_shared(*stmt)
                && !matches!(doc.stmts[*stmt].kind, StmtKind::Forall(_))
                && !may_be_split(*stmt, events)
                && removable.is_removable(doc, *stmt, events, false)
        })
        .map(|(stmt, _)| stmt)
        .collect()
}

/// The removable statements whose results nothing reads.
fn faint(body: &BodyEvents<'_>, analysis: &Strong<'_>) -> HashSet<StmtId> {
    let solution = solve(&body.flow, analysis);
    let mut found = HashSet::new();
    for (vertex, data) in body.flow.cfg.vertices.iter() {
        let VertexKind::BasicBlock { stmts, .. } = &data.kind else { continue };
        let mut state = solution.after(vertex).clone();
        for &stmt in stmts.iter().rev() {
            if analysis.removable.contains(&stmt) && analysis.is_faint(Step::Stmt(stmt), &state) {
                found.insert(stmt);
            }
            analysis.transfer(Step::Stmt(stmt), &mut state);
        }
    }
    found
}
