//! Which variables may be read behind a statement: liveness, with the side effects of calls. And which may
//! be overwritten there: what those were an adjoint has to record.
//!
//! A value that nobody reads behind its run is an intermediate of the run, and its derivative is not
//! needed: a derivative is read where its value is. At the end of a procedure lives what outlives the
//! activation, and results. Where nothing is known of a procedure that is called, it may read
//! everything that it can reach.

use std::collections::{BTreeSet, HashMap, HashSet};

use fixedbitset::FixedBitSet;
use xaif_schema::model::{StmtId, VertexKind};

use booster_facts::access::ActualValue;
use booster_facts::externals::Externals;
use booster_facts::side_effects::{Action, Actions, SideEffects};
use booster_facts::{Accesses, BodyEvents, EntryOf, Event, LocationId, Locations, StepKey};
use booster_flow::{Analysis, Direction, Step, solve, union};

/// What happens behind a statement.
#[derive(Clone, Debug, Default)]
pub(super) struct Behind {
    /// The locations that live.
    pub(super) live: BTreeSet<LocationId>,
    /// Those that may be overwritten before the procedure ends.
    pub(super) overwritten: BTreeSet<LocationId>,
}

/// What happens behind each statement of `wanted`.
pub(super) fn behind(
    accesses: &Accesses<'_>,
    body: &BodyEvents<'_>,
    externals: &Externals,
    effects: &SideEffects,
    wanted: &HashSet<StmtId>,
) -> HashMap<StmtId, Behind> {
    let actions = Actions::new(accesses, body, externals, effects);
    let results = results(accesses, body);
    let mut at_exit = FixedBitSet::with_capacity(actions.locations.len());
    for (number, &location) in actions.locations.iter().enumerate() {
        at_exit.set(number, actions.outlives(accesses, location) || results.contains(&location));
    }
    let given = given(accesses, body, &actions);
    let analysis = Live { actions: &actions, given, at_exit };
    let mut found: HashMap<StmtId, Behind> = HashMap::new();
    for (stmt, live) in sets_behind(body, &actions, &analysis, wanted) {
        found.entry(stmt).or_default().live = live;
    }
    for (stmt, overwritten) in sets_behind(body, &actions, &Overwritten(&actions), wanted) {
        found.entry(stmt).or_default().overwritten = overwritten;
    }
    found
}

/// The solution of a backward analysis behind each statement of `wanted`.
fn sets_behind<A: Analysis<Domain = FixedBitSet>>(
    body: &BodyEvents<'_>,
    actions: &Actions,
    analysis: &A,
    wanted: &HashSet<StmtId>,
) -> Vec<(StmtId, BTreeSet<LocationId>)> {
    let solution = solve(&body.flow, analysis);
    let mut found = Vec::new();
    for (vertex, data) in body.flow.cfg.vertices.iter() {
        let VertexKind::BasicBlock { stmts, .. } = &data.kind else { continue };
        let mut state = solution.after(vertex).clone();
        for &stmt in stmts.iter().rev() {
            if wanted.contains(&stmt) {
                found.push((stmt, state.ones().map(|number| actions.locations[number]).collect()));
            }
            analysis.transfer(Step::Stmt(stmt), &mut state);
        }
    }
    found
}

/// The locations that the results of a procedure are in.
fn results(accesses: &Accesses<'_>, body: &BodyEvents<'_>) -> BTreeSet<LocationId> {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let entries = body.flow.entries().into_iter().map(Some).chain([None]);
    entries
        .filter_map(|point| storage.procedures().result(doc, EntryOf { proc: body.proc, point }))
        .flat_map(|symbol| storage.locations_of_symbol(symbol))
        .collect()
}

/// What each call may read of what it is given, whatever is known of the callee: a value whose
/// derivative is not computed is one that nobody can have read.
fn given(
    accesses: &Accesses<'_>,
    body: &BodyEvents<'_>,
    actions: &Actions,
) -> HashMap<StepKey, FixedBitSet> {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let numbers: HashMap<LocationId, usize> = actions
        .locations
        .iter()
        .enumerate()
        .map(|(number, &location)| (location, number))
        .collect();
    let mut found: HashMap<StepKey, FixedBitSet> = HashMap::new();
    for at in &body.steps {
        for event in &at.events {
            let Event::Call(call) = event else { continue };
            let mut locations: Locations = call
                .actuals
                .iter()
                .flat_map(|actual| match &actual.value {
                    ActualValue::Variable(reference) => storage.reach(doc, *reference),
                    ActualValue::Object(object) => storage.reach_of_object(doc, *object),
                    ActualValue::Target(results, _) => {
                        results.iter().flat_map(|&r| storage.locations_of_symbol(r)).collect()
                    }
                    ActualValue::Value(..) | ActualValue::Procedure(_) => Locations::new(),
                })
                .collect();
            let object = call.callee.object.into_iter();
            locations.extend(object.flat_map(|object| storage.reach_of_object(doc, object)));
            let set = found
                .entry(StepKey::of(at.step))
                .or_insert_with(|| FixedBitSet::with_capacity(actions.locations.len()));
            let known = locations.iter().filter_map(|location| numbers.get(location));
            known.for_each(|&number| set.insert(number));
        }
    }
    found
}

/// Which locations may be overwritten, wholly or partly: backward, union.
struct Overwritten<'a>(&'a Actions);

impl Analysis for Overwritten<'_> {
    type Domain = FixedBitSet;
    const DIRECTION: Direction = Direction::Backward;

    fn bottom(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.0.locations.len())
    }

    fn boundary(&self) -> FixedBitSet {
        self.bottom()
    }

    fn join(&self, state: &mut FixedBitSet, other: &FixedBitSet) -> bool {
        union(state, other)
    }

    fn transfer(&self, step: Step<'_>, state: &mut FixedBitSet) {
        for action in self.0.of(StepKey::of(step)) {
            match action {
                Action::Use { .. } => {}
                Action::Define { locations, .. } => {
                    locations.iter().for_each(|&location| state.insert(location as usize));
                }
            }
        }
    }
}

/// Which locations may be read before they are overwritten entirely: backward, union.
struct Live<'a> {
    actions: &'a Actions,
    given: HashMap<StepKey, FixedBitSet>,
    at_exit: FixedBitSet,
}

impl Analysis for Live<'_> {
    type Domain = FixedBitSet;
    const DIRECTION: Direction = Direction::Backward;

    fn bottom(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.actions.locations.len())
    }

    fn boundary(&self) -> FixedBitSet {
        self.at_exit.clone()
    }

    fn join(&self, state: &mut FixedBitSet, other: &FixedBitSet) -> bool {
        union(state, other)
    }

    fn transfer(&self, step: Step<'_>, state: &mut FixedBitSet) {
        self.actions.expose(StepKey::of(step), state);
        if let Some(given) = self.given.get(&StepKey::of(step)) {
            state.union_with(given);
        }
    }
}
