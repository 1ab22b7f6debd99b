//! To-be-recorded analysis: which values an adjoint must put on the tape before they are
//! overwritten.
//!
//! Paper 1 (Hascoët, Naumann, Pascual, "To Be Recorded" analysis), section 5: a value is *required*
//! where the adjoint of a statement that was executed before reads it; where a statement overwrites
//! what is required, it is recorded. The sets AdjU are made bottom-up on the call graph (Kill is that
//! of `side_effects`), the sets Req top-down, the contexts of all calls of a procedure united.
//!
//! Calls (paper 3, section 3.5; thesis 5, chapter 4): the adjoint of a call executes the procedure
//! once more (joint mode), so it reads again what the procedure reads; what it overwrites itself is
//! in a snapshot, which is not the matter of this analysis, and nothing is needed behind the call. In
//! split mode it is AdjU of the callee that is needed behind it. Which calls are surely joint is asked
//! of who will decide (`modes`) and written beside the facts; all others are
//! taken for either. What is required before a call is required at the entry of the callee, whose
//! adjoint leaves it as it was there, in either mode.
//!
//! What is recorded is told by references: the left-hand side of an assignment, the actual arguments
//! of a call and the variables that it reaches otherwise. Of a loop that is entered at its head and
//! left by it, the backward sweep provides the variable; of a branch, and of the bounds of a loop,
//! the facts say whether they can be evaluated again (`solve`).
//!
//! Properties (allocation, bounds, association, dynamic type, length) are locations of their own: one that is required and may
//! change is recorded without the value. ALLOCATE, DEALLOCATE, NULLIFY, MOVE_ALLOC and pointer assignments record none,
//! as the adjoint undoes them whatever is required. A deallocated value that is required is recorded.

mod control;
mod elements;
pub mod frame;
pub mod names;
mod open_pointers;
mod print;
mod record;
pub mod solve;
pub mod structured;
mod why;

use std::collections::{BTreeSet, HashMap, HashSet};

use rayon::prelude::*;
use xaif_schema::model::{Document, EntityRef, ProcId, StmtId};

use crate::Modes;
use crate::call_modes::callee_restores::take_as_active;
use crate::call_modes::choice::CallModes;
use crate::call_modes::passive_copies::PassiveCopies;
use crate::liveness::{self, adjoint_effects};
use crate::queries::needs::has_adjoint;
use booster_facts::externals::Externals;
use booster_facts::side_effects::SideEffects;
use booster_facts::{
    Accesses, Bodies, BodyEvents, Lifetime, LocationId, StepKey, Storage, no_return,
};
use booster_flow::Step;
use booster_rules::Catalogue;
use booster_shadow::jacobian::{executed_again, recomputations};
use control::Constructs;
use frame::{Acts, Frame, Maker, Numbers};
pub use open_pointers::open_pointers;
pub use record::{Facts, forget};
use solve::{Given, Later, Problem, Set, Settled, Writers};

/// Finds out what is to be recorded and writes it into `doc`: `Stmt.recorded`, `Vertex.recorded` of
/// branches, `ForLoop.reversal`, `Stmt.joint`. Facts of activity are used where there are any, and added
/// to where what is required can only be recorded by a procedure that was passive. `modes` are those
/// with which the adjoint will be made.
pub fn tbr(doc: &mut Document, externals: &Externals, catalogue: &Catalogue, modes: &Modes) {
    no_return::mark(doc, externals);
    let mut copies = PassiveCopies::default();
    loop {
        let storage = Storage::new(doc);
        let accesses = Accesses::new(doc, &storage);
        let facts = Tbr::new(&accesses, externals, catalogue, modes).facts();
        facts.record(doc);
        if !take_as_active(doc, externals, &mut copies) {
            return;
        }
        // The choice between joint and split calls looks at facts, which are no longer right.
        let is_told = liveness::is_told(doc);
        forget(doc);
        if is_told {
            liveness::liveness(doc, externals, catalogue, modes);
        }
    }
}

/// The result of the analysis, to be asked.
#[derive(Debug)]
pub struct Tbr<'a, 'd> {
    accesses: &'a Accesses<'d>,
    externals: &'a Externals,
    catalogue: &'a Catalogue,
    effects: SideEffects,
    /// The same, with what the adjoints of procedures read in the place of what the procedures read.
    adjoint: SideEffects,
    /// What the backward sweep executes again before what mirrors a propagator.
    again: HashMap<StmtId, Vec<StmtId>>,
    bodies: Bodies<'d>,
    parts: Vec<Option<Part>>,
    /// AdjU of each procedure: what its adjoint needs with the values at its exit.
    summaries: Vec<BTreeSet<LocationId>>,
    /// What is required at its entry, over all calls.
    contexts: Vec<BTreeSet<LocationId>>,
    solved: Vec<Settled>,
}

/// What is found of a body before anything is solved.
#[derive(Debug)]
struct Part {
    constructs: Constructs,
    frame: Frame,
    later: Later,
    writers: Writers,
    /// The calls that are not split: nothing is needed behind them for their adjoints.
    joint: HashSet<StmtId>,
    /// The recomputations, by the first of each group.
    recomputed: HashMap<StmtId, Vec<StmtId>>,
}

impl<'a, 'd> Tbr<'a, 'd> {
    /// Analyses a document.
    pub fn new(
        accesses: &'a Accesses<'d>,
        externals: &'a Externals,
        catalogue: &'a Catalogue,
        modes: &Modes,
    ) -> Self {
        let bodies = Bodies::new(accesses);
        let effects = SideEffects::new(accesses, &bodies, externals);
        let doc = accesses.doc();
        let procs: Vec<ProcId> = doc.procs.keys().collect();
        let rules = (externals, catalogue);
        let chooser = CallModes::new(accesses, &bodies, rules, None, modes, &effects);
        let again = executed_again(doc);
        let adjoint = adjoint_effects(accesses, &bodies, rules, &effects);
        let parts = procs
            .par_iter()
            .map(|&proc| {
                let body = bodies.get(proc).filter(|_| has_adjoint(doc, proc))?;
                let joint = chooser.joint_calls(proc);
                let constructs = Constructs::new(doc, body.flow.cfg);
                let (effects, adjoint, again) = (&effects, &adjoint, &again);
                let recomputed = recomputations(doc, body.flow.cfg);
                let maker = Maker {
                    accesses,
                    externals,
                    catalogue,
                    effects,
                    adjoint,
                    again,
                    constructs: &constructs,
                    body,
                    recomputed: &recomputed,
                };
                let frame = Frame::new(&maker);
                let later = solve::later(body, &frame);
                let writers = Writers::new(body, &frame);
                Some(Part { constructs, frame, later, writers, joint, recomputed })
            })
            .collect();
        let none = vec![BTreeSet::new(); procs.len()];
        let mut tbr = Tbr {
            accesses,
            externals,
            catalogue,
            effects,
            adjoint,
            again,
            bodies,
            parts,
            summaries: none.clone(),
            contexts: none,
            solved: vec![Settled::default(); procs.len()],
        };
        tbr.bottom_up();
        tbr.top_down();
        tbr
    }

    /// What is to be recorded in the document.
    pub fn facts(&self) -> Facts {
        Facts::new(self)
    }

    /// The bodies of the document.
    pub(crate) fn bodies(&self) -> &Bodies<'d> {
        &self.bodies
    }

    /// The side effects of procedures.
    pub(crate) fn effects(&self) -> &SideEffects {
        &self.effects
    }

    fn part(&self, proc: ProcId) -> Option<(&BodyEvents<'d>, &Part)> {
        Some((self.bodies.get(proc)?, self.parts.get(proc.index())?.as_ref()?))
    }

    fn problem<'p>(&'p self, proc: ProcId) -> Option<Problem<'p, 'd>> {
        let (body, Part { constructs, frame, later, writers, .. }) = self.part(proc)?;
        Some(Problem { accesses: self.accesses, body, constructs, frame, later, writers })
    }

    /// AdjU of all procedures (paper 1, Figure 6).
    fn bottom_up(&mut self) {
        let graph = self.bodies.call_graph(self.accesses);
        for level in graph.bottom_up() {
            let found: Vec<Vec<(ProcId, BTreeSet<LocationId>)>> =
                level.par_iter().map(|component| self.summaries_of(component)).collect();
            for (proc, summary) in found.into_iter().flatten() {
                self.summaries[proc.index()] = summary;
            }
        }
    }

    /// AdjU of a procedure: the locations whose values at entry the adjoint of the body reads (paper 1, section 5).
    pub fn summary(&self, proc: ProcId) -> &BTreeSet<LocationId> {
        &self.summaries[proc.index()]
    }

    /// Whether a procedure has calls of procedures of `component`.
    fn calls_any(&self, proc: ProcId, component: &[ProcId]) -> bool {
        let Some((body, part)) = self.part(proc) else { return false };
        let acts = body.steps.iter().filter_map(|at| part.frame.of(StepKey::of(at.step)));
        let mut ways = acts.flat_map(|acts| &acts.calls).flat_map(|call| &call.ways);
        ways.any(|(callee, _)| component.contains(callee))
    }

    /// The summaries of procedures that call each other: the least ones that agree.
    fn summaries_of(&self, component: &[ProcId]) -> Vec<(ProcId, BTreeSet<LocationId>)> {
        let is_recursive = component.iter().any(|&proc| self.calls_any(proc, component));
        let mut known: HashMap<ProcId, BTreeSet<LocationId>> = HashMap::new();
        loop {
            let mut changed = false;
            for &proc in component {
                let Some(problem) = self.problem(proc) else { continue };
                let after = self.after(proc, &problem, &known);
                let given = Given { entry: Set::new(), after, all: true };
                let exit = problem.settle(&given).exit;
                let locations = exit
                    .ones()
                    .filter_map(|location| problem.frame.locations.get(location).copied());
                let summary: BTreeSet<LocationId> =
                    locations.filter(|&location| self.is_seen_behind(proc, location)).collect();
                changed |= known.insert(proc, summary.clone()) != Some(summary);
            }
            if !changed || !is_recursive {
                return known.into_iter().collect();
            }
        }
    }

    /// What calls that may be split need behind them: AdjU of the callees.
    fn after(
        &self,
        proc: ProcId,
        problem: &Problem<'_, '_>,
        known: &HashMap<ProcId, BTreeSet<LocationId>>,
    ) -> HashMap<StepKey, Numbers> {
        let storage = self.accesses.storage();
        let frame = problem.frame;
        let joint = |step| match (step, self.part(proc)) {
            (Step::Stmt(stmt), Some((_, part))) => part.joint.contains(&stmt),
            _ => false,
        };
        let mut all = HashMap::new();
        for at in problem.body.steps.iter().filter(|at| !joint(at.step)) {
            let key = StepKey::of(at.step);
            let Some(acts) = frame.of(key) else { continue };
            let mut locations = Numbers::new();
            for call in &acts.calls {
                for (callee, map) in &call.ways {
                    let summary = known.get(callee).or(self.summaries.get(callee.index()));
                    for &location in summary.into_iter().flatten() {
                        if let Some(passed) = map.of(storage, location) {
                            let known = frame.numbers(&passed.locations);
                            locations.extend(known.map(|number| acts.behind(number)));
                        }
                        let taken = call.results.iter().filter(|(result, _)| *result == location);
                        locations.extend(taken.filter_map(|(_, taker)| frame.number(*taker)));
                    }
                }
            }
            if !locations.is_empty() {
                all.insert(key, locations);
            }
        }
        all
    }

    /// Req of all procedures (paper 1, Figure 8).
    fn top_down(&mut self) {
        let graph = self.bodies.call_graph(self.accesses);
        for level in graph.top_down() {
            let found: Vec<Solved> =
                level.par_iter().map(|component| self.solve_component(component)).collect();
            for Solved { own, outward } in found {
                for (proc, context, settled) in own {
                    self.contexts[proc.index()] = context;
                    self.solved[proc.index()] = settled;
                }
                for (proc, context) in outward {
                    self.contexts[proc.index()].extend(context);
                }
            }
        }
    }

    fn solve_component(&self, component: &[ProcId]) -> Solved {
        let mut contexts: HashMap<ProcId, BTreeSet<LocationId>> =
            component.iter().map(|&proc| (proc, self.contexts[proc.index()].clone())).collect();
        let mut work: BTreeSet<ProcId> = component.iter().copied().collect();
        let mut solved = Solved::default();
        let mut settled: HashMap<ProcId, Settled> = HashMap::new();
        while let Some(proc) = work.pop_first() {
            let Some(problem) = self.problem(proc) else { continue };
            let mut entry = Set::with_capacity(problem.frame.locations.len());
            let context = contexts.get(&proc).cloned().unwrap_or_default();
            entry.extend(problem.frame.known(&context).iter().map(|&location| location as usize));
            let after = self.after(proc, &problem, &HashMap::new());
            let found = problem.settle(&Given { entry, after, all: false });
            for (callee, locations) in self.passed_on(&problem, &found) {
                match contexts.get_mut(&callee) {
                    Some(known) => {
                        let size = known.len();
                        known.extend(locations);
                        if known.len() > size {
                            work.insert(callee);
                        }
                    }
                    None => solved.outward.push((callee, locations)),
                }
            }
            settled.insert(proc, found);
        }
        for &proc in component {
            if let Some(found) = settled.remove(&proc) {
                solved.own.push((proc, contexts.remove(&proc).unwrap_or_default(), found));
            }
        }
        solved
    }

    /// What is required where a procedure calls others, in the terms of the callees (paper 1, the
    /// last equation of section 5): also what the arguments are computed from, which the canonical form
    /// does before the call.
    fn passed_on(
        &self,
        problem: &Problem<'_, '_>,
        settled: &Settled,
    ) -> Vec<(ProcId, BTreeSet<LocationId>)> {
        let storage = self.accesses.storage();
        let frame = problem.frame;
        let mut found = Vec::new();
        for at in &problem.body.steps {
            let key = StepKey::of(at.step);
            let Some(acts) = frame.of(key).filter(|acts| !acts.calls.is_empty()) else { continue };
            let state = self.required(settled, key, acts);
            for (callee, map) in acts.calls.iter().flat_map(|call| &call.ways) {
                let summary = self.effects.of(*callee);
                let is_required = |&&location: &&LocationId| {
                    let passed = map.of(storage, location);
                    passed.is_some_and(|passed| {
                        let known = frame.numbers(&passed.locations);
                        let mut known = known.flat_map(|number| acts.overwritten(frame, number));
                        known.any(|number| state.contains(number as usize))
                    })
                };
                let mut locations: BTreeSet<LocationId> = summary
                    .out
                    .iter()
                    .chain(&summary.properties.out)
                    .filter(is_required)
                    .copied()
                    .collect();
                if summary.world {
                    let all =
                        state.ones().filter_map(|location| frame.locations.get(location).copied());
                    locations.extend(all.filter(|&location| {
                        storage.locations()[location].lifetime == Lifetime::Global
                    }));
                }
                found.push((*callee, locations));
            }
        }
        found
    }

    /// Whether a location of a procedure is there for its caller: also what it returns.
    fn is_seen_behind(&self, proc: ProcId, location: LocationId) -> bool {
        let (doc, storage) = (self.accesses.doc(), self.accesses.storage());
        match storage.locations()[location].lifetime {
            Lifetime::Local(owner) if owner == proc => {
                let result = doc.procs[proc].result;
                result.is_some_and(|result| storage.value_of_symbol(result).contains(&location))
            }
            Lifetime::Local(_) | Lifetime::Global | Lifetime::Dummy(_) => true,
        }
    }

    /// What is required while the adjoint of a step is executed.
    fn required(&self, settled: &Settled, key: StepKey, acts: &Acts) -> Set {
        let Some(state) = settled.before.get(&key) else { return Set::new() };
        let extra = settled.extra.get(&key).map_or(&[][..], |extra| extra);
        solve::required(acts, extra, state, false)
    }
}

/// The solutions of procedures that call each other.
#[derive(Default)]
struct Solved {
    own: Vec<(ProcId, BTreeSet<LocationId>, Settled)>,
    /// What they add to the contexts of others.
    outward: Vec<(ProcId, BTreeSet<LocationId>)>,
}
