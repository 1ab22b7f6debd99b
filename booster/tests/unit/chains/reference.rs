//! Chains by one analysis of reaching definitions, written in full: slow, and easy to read.

use std::collections::{BTreeMap, BTreeSet};

use booster_facts::externals::Externals;
use booster_facts::side_effects::chains::End;
use booster_facts::side_effects::{Action, Actions, SideEffects};
use booster_facts::{Accesses, BodyEvents, StepKey};
use booster_flow::{Analysis, Direction, Step, solve, steps_of_edge, steps_of_vertex};
use fixedbitset::FixedBitSet;
use xaif_schema::model::{ProcId, RefId, StmtId, StmtKind, VertexId};

/// The chains of one body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reference {
    /// For a reference that is read: where its value may come from.
    pub(super) definitions: BTreeMap<RefId, BTreeSet<End>>,
    /// For a reference that is written: where its value may be read.
    pub(super) uses: BTreeMap<RefId, BTreeSet<End>>,
    /// For an assignment: which statements may overwrite what it has written.
    pub(super) overwrites: BTreeMap<StmtId, BTreeSet<End>>,
}

impl Reference {
    /// The chains of `body`.
    pub(super) fn new(
        accesses: &Accesses<'_>,
        body: &BodyEvents<'_>,
        externals: &Externals,
        effects: &SideEffects,
    ) -> Self {
        let actions = Actions::new(accesses, body, externals, effects);
        let reaching = Reaching::new(&actions, body);
        let solution = solve(&body.flow, &reaching);
        let mut chains = Links { reaching: &reaching, chains: Reference::default() };
        let cfg = body.flow.cfg;
        for &vertex in &cfg.layout {
            for &edge in body.flow.in_edges(vertex) {
                if let Some(step) = steps_of_edge(cfg, edge) {
                    let mut state = solution.after(cfg.edges[edge].source).clone();
                    chains.step(step, vertex, &mut state);
                }
            }
            let mut state = solution.before(vertex).clone();
            for step in steps_of_vertex(cfg, vertex) {
                chains.step(step, vertex, &mut state);
                if step == Step::Leave {
                    chains.leave(accesses, body.proc, &state);
                }
            }
        }
        let mut chains = chains.chains;
        chains
            .overwrites
            .retain(|&stmt, _| matches!(accesses.doc().stmts[stmt].kind, StmtKind::Assign { .. }));
        chains
    }
}

/// A definition: a location that an action may overwrite; with no action, the value on entry.
struct Definition {
    location: u32,
    at: Option<(StepKey, usize)>,
}

/// Reaching definitions.
struct Reaching<'a> {
    actions: &'a Actions,
    definitions: Vec<Definition>,
    /// The definitions of each location that some reference of the body names; empty for others.
    of_location: Vec<Vec<u32>>,
    numbers: BTreeMap<(StepKey, usize), Vec<(u32, u32)>>,
}

impl<'a> Reaching<'a> {
    fn new(actions: &'a Actions, body: &BodyEvents<'_>) -> Self {
        let mut named = vec![false; actions.locations.len()];
        let keys: Vec<StepKey> = body.steps.iter().map(|step| StepKey::of(step.step)).collect();
        for action in keys.iter().flat_map(|&key| actions.of(key)) {
            let (Action::Use { refs, .. } | Action::Define { refs, .. }) = action;
            for &location in refs.iter().flat_map(|(_, locations)| locations) {
                named[location as usize] = true;
            }
        }
        let mut this = Reaching {
            actions,
            definitions: Vec::new(),
            of_location: vec![Vec::new(); actions.locations.len()],
            numbers: BTreeMap::new(),
        };
        for location in (0..named.len() as u32).filter(|&location| named[location as usize]) {
            this.define(location, None);
        }
        for &key in &keys {
            for (position, action) in actions.of(key).iter().enumerate() {
                let Action::Define { locations, .. } = action else { continue };
                for &location in locations.iter().filter(|&&location| named[location as usize]) {
                    this.define(location, Some((key, position)));
                }
            }
        }
        this
    }

    fn define(&mut self, location: u32, at: Option<(StepKey, usize)>) {
        let number = self.definitions.len() as u32;
        self.definitions.push(Definition { location, at });
        self.of_location[location as usize].push(number);
        if let Some(at) = at {
            self.numbers.entry(at).or_default().push((location, number));
        }
    }

    fn define_all(&self, key: StepKey, position: usize, state: &mut FixedBitSet) {
        let Some(Action::Define { entirely, .. }) = self.actions.of(key).get(position) else {
            return;
        };
        for &(location, number) in self.numbers.get(&(key, position)).into_iter().flatten() {
            if *entirely {
                for &other in &self.of_location[location as usize] {
                    state.set(other as usize, false);
                }
            }
            state.insert(number as usize);
        }
    }

    /// The definitions of `locations` that are in `state`.
    fn among<'s>(
        &'s self,
        locations: &'s [u32],
        state: &'s FixedBitSet,
    ) -> impl Iterator<Item = &'s Definition> {
        let all = locations.iter().flat_map(|&location| &self.of_location[location as usize]);
        let reaching = all.filter(|&&number| state.contains(number as usize));
        reaching.map(|&number| &self.definitions[number as usize])
    }
}

impl Analysis for Reaching<'_> {
    type Domain = FixedBitSet;
    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.definitions.len())
    }

    fn boundary(&self) -> FixedBitSet {
        let mut state = self.bottom();
        for (number, definition) in self.definitions.iter().enumerate() {
            state.set(number, definition.at.is_none());
        }
        state
    }

    fn join(&self, state: &mut FixedBitSet, other: &FixedBitSet) -> bool {
        let grows = !other.is_subset(state);
        state.union_with(other);
        grows
    }

    fn transfer(&self, step: Step<'_>, state: &mut FixedBitSet) {
        let key = StepKey::of(step);
        for position in 0..self.actions.of(key).len() {
            self.define_all(key, position, state);
        }
    }
}

/// The chains as they are linked.
struct Links<'a> {
    reaching: &'a Reaching<'a>,
    chains: Reference,
}

impl Links<'_> {
    fn step(&mut self, step: Step<'_>, vertex: VertexId, state: &mut FixedBitSet) {
        let reaching = self.reaching;
        let key = StepKey::of(step);
        let here = match key {
            StepKey::Stmt(stmt) => End::Stmt(stmt),
            StepKey::Evaluate(_) | StepKey::Concurrent(_) => End::Condition(vertex),
            StepKey::Enter(_) | StepKey::Leave => End::Outside,
        };
        for (position, action) in reaching.actions.of(key).iter().enumerate() {
            match action {
                Action::Use { locations, refs } => {
                    for (reference, locations) in refs {
                        let chain = self.chains.definitions.entry(*reference).or_default();
                        chain.extend(reaching.among(locations, state).map(|d| end_of(d.at)));
                    }
                    self.used(locations, state, here);
                }
                Action::Define { locations, refs, .. } => {
                    for (reference, _) in refs {
                        self.chains.uses.entry(*reference).or_default();
                    }
                    if let StepKey::Stmt(stmt) = key {
                        self.chains.overwrites.entry(stmt).or_default();
                        for definition in reaching.among(locations, state) {
                            if let Some((StepKey::Stmt(before), _)) = definition.at {
                                self.chains.overwrites.entry(before).or_default().insert(here);
                            }
                        }
                    }
                    reaching.define_all(key, position, state);
                }
            }
        }
    }

    /// The definitions of `locations` that reach this point are used at `place`.
    fn used(&mut self, locations: &[u32], state: &FixedBitSet, place: End) {
        for definition in self.reaching.among(locations, state) {
            let Some((key, position)) = definition.at else { continue };
            let Some(Action::Define { refs, .. }) = self.reaching.actions.of(key).get(position)
            else {
                continue;
            };
            for (reference, locations) in refs {
                if locations.contains(&definition.location) {
                    self.chains.uses.entry(*reference).or_default().insert(place);
                }
            }
        }
    }

    /// What outlives the activation, and the result, may be used afterwards.
    fn leave(&mut self, accesses: &Accesses<'_>, proc: ProcId, state: &FixedBitSet) {
        let (doc, storage) = (accesses.doc(), accesses.storage());
        let result = doc.procs[proc].result.map(|result| storage.locations_of_symbol(result));
        let result = result.unwrap_or_default();
        let actions = self.reaching.actions;
        let outside: Vec<u32> = (0..actions.locations.len() as u32)
            .filter(|&number| {
                let location = actions.locations[number as usize];
                actions.outlives(accesses, location) || result.contains(&location)
            })
            .collect();
        self.used(&outside, state, End::Outside);
    }
}

fn end_of(at: Option<(StepKey, usize)>) -> End {
    match at {
        Some((StepKey::Stmt(stmt), _)) => End::Stmt(stmt),
        Some(_) | None => End::Outside,
    }
}
