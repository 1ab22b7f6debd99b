//! The data-flow equations (paper 1, Figures 6 and 8), and what follows for branches and loops.
//!
//! Before an instruction a set of locations is *required*: adjoint statements of what was executed
//! before need the values that they have now. Behind it
//!
//! ```text
//! Req' = ((Req + AdjU) - Kill) + After
//! ```
//!
//! with After what calls need in split mode, what a required array is moved to (MOVE_ALLOC, from where the
//! backward sweep moves it back), and the result of an assignment whose adjoint reads
//! that in the place of what was there before (`in_place`). AdjU of a procedure is Req at its exit where it is
//! empty at its entry; so one system of equations serves both directions on the call graph. Structured
//! graphs have explicit equations (`structured`); the general ones here are for all others.
//!
//! Beyond the paper: what is recorded by a name with subscripts needs their values, too; and the
//! backward sweep evaluates a condition or the bounds of a loop again, instead of recording, where
//! they still have their values or are given them back for other reasons. This makes operands
//! required, so the equations are solved again until no construct changes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use fixedbitset::FixedBitSet;
use xaif_schema::model::{Cfg, Part, RefId, Reversal, SecondaryMap, VertexId, VertexKind};

use super::control::{Construct, ConstructKind, Constructs};
use super::frame::{Acts, Frame, Numbers, Overwriting, Recomputation, reads};
use super::structured::{Equations, Points};
use crate::queries::selectors::read_by_selectors;
use booster_facts::access::Event;
use booster_facts::{Accesses, BodyEvents, StepKey};
use booster_flow::structure::Structure;
use booster_flow::{Analysis, Direction, Flow, Step, solve, steps_of_edge, steps_of_vertex, union};

/// A set of locations, by their numbers in a frame.
pub type Set = FixedBitSet;

/// What is added to the equations of a frame.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Required on entry.
    pub entry: Set,
    /// What calls need behind them.
    pub after: HashMap<StepKey, Numbers>,
    /// Whether every construct and every name counts, whatever the entry: for summaries.
    pub all: bool,
}

/// The solution for one procedure.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settled {
    /// Required before each step.
    pub(crate) before: HashMap<StepKey, Set>,
    /// Required before each vertex.
    at: SecondaryMap<VertexId, Set>,
    /// Required at the exit.
    pub(crate) exit: Set,
    /// Additional needs of conditions and bounds that the backward sweep evaluates again.
    pub(crate) extra: HashMap<StepKey, Numbers>,
    /// Whether the way of a branch is recorded.
    pub(crate) branches: BTreeMap<VertexId, bool>,
    /// How counting loops are reversed.
    pub(crate) loops: BTreeMap<VertexId, Reversal>,
}

/// A procedure to be solved.
pub(crate) struct Problem<'p, 'd> {
    pub(crate) accesses: &'p Accesses<'d>,
    pub(crate) body: &'p BodyEvents<'d>,
    pub(crate) constructs: &'p Constructs,
    pub(crate) frame: &'p Frame,
    /// What may still be overwritten between a vertex and the exit.
    pub(crate) later: &'p Later,
    /// Which steps may overwrite what.
    pub(crate) writers: &'p Writers,
}

/// For each location the numbers of the steps that may overwrite it, ascending.
#[derive(Debug, Default)]
pub(crate) struct Writers(Vec<Vec<usize>>);

impl Writers {
    pub(crate) fn new(body: &BodyEvents<'_>, frame: &Frame) -> Self {
        let mut writers = vec![Vec::new(); frame.locations.len()];
        for (number, at) in body.steps.iter().enumerate() {
            for location in frame.of(StepKey::of(at.step)).into_iter().flat_map(overwritten) {
                let steps: &mut Vec<usize> = &mut writers[location];
                if steps.last() != Some(&number) {
                    steps.push(number);
                }
            }
        }
        Writers(writers)
    }

    /// Whether one of `steps` may overwrite the location.
    fn has(&self, location: u32, steps: &Range<usize>) -> bool {
        self.0.get(location as usize).is_some_and(|writers| {
            let first = writers.partition_point(|&number| number < steps.start);
            writers.get(first).is_some_and(|&number| number < steps.end)
        })
    }
}

/// What may be overwritten from behind a vertex to the exit.
pub(crate) type Later = SecondaryMap<VertexId, Set>;

/// What an instruction requires and overwrites, where `state` is required before it: what is
/// required while its adjoint is executed.
pub(crate) fn required(acts: &Acts, extra: &[u32], state: &Set, all: bool) -> Set {
    let mut required = state.clone();
    required.extend(acts.needs.iter().map(|need| need.location as usize));
    required.extend(extra.iter().map(|&location| location as usize));
    if !acts.recordable {
        return required;
    }
    loop {
        let size = required.count_ones(..);
        for write in &acts.writes {
            if all || is_recorded(write, &required) {
                required.extend(write.subscripts.iter().map(|&location| location as usize));
            }
        }
        if required.count_ones(..) == size {
            return required;
        }
    }
}

impl Recomputation {
    /// Whether the value is required.
    pub(crate) fn is_needed(&self, required: &Set) -> bool {
        self.value.iter().any(|&location| required.contains(location as usize))
    }

    /// Behind a recomputation its operands are required in the place of the value. A value of several locations is
    /// replaced as a whole.
    pub(crate) fn apply(&self, state: &mut Set) {
        if self.is_needed(state) {
            self.value.iter().for_each(|&location| state.set(location as usize, false));
            state.extend(self.operands.iter().map(|need| need.location as usize));
        }
    }
}

/// What is required behind MOVE_ALLOC, since what it has moved there was required before.
pub(crate) fn moved<'a>(acts: &'a Acts, required: &Set, all: bool) -> &'a [u32] {
    let Some((from, to)) = &acts.moved else { return &[] };
    let is_required = all || from.iter().any(|&location| required.contains(location as usize));
    if is_required { to } else { &[] }
}

/// Whether what is overwritten is (partly) required.
pub(crate) fn is_recorded(write: &Overwriting, required: &Set) -> bool {
    write.locations.iter().any(|&location| required.contains(location as usize))
}

/// The equations of paper 1, Figure 8: forward, union.
pub struct Req<'a> {
    /// The needs, writes and kills of each step.
    pub frame: &'a Frame,
    /// The context of the calls of the procedure.
    pub given: &'a Given,
    /// What conditions and bounds that are evaluated again need at a step.
    pub extra: &'a HashMap<StepKey, Numbers>,
}

impl Req<'_> {
    fn through(&self, key: StepKey, state: &mut Set) {
        let Some(acts) = self.frame.of(key) else { return };
        if let Some(recompute) = &acts.recompute {
            recompute.apply(state);
            return;
        }
        let extra = self.extra.get(&key).map_or(&[][..], |extra| extra);
        *state = required(acts, extra, state, self.given.all);
        let moved = moved(acts, state, self.given.all);
        acts.kill.iter().for_each(|&location| state.set(location as usize, false));
        state.extend(acts.results.iter().map(|need| need.location as usize));
        state.extend(moved.iter().map(|&location| location as usize));
        let after = self.given.after.get(&key).into_iter().flatten();
        state.extend(after.map(|&location| location as usize));
        age(acts, state);
    }
}

/// The numbers of needs as an iteration begins.
pub(crate) fn age(acts: &Acts, state: &mut Set) {
    let present = acts.ages.iter().filter(|(from, _)| state.contains(*from as usize));
    let present: Vec<(u32, u32)> = present.copied().collect();
    present.iter().for_each(|&(from, _)| state.set(from as usize, false));
    state.extend(present.iter().map(|&(_, to)| to as usize));
}

/// The general equations, for any graph.
pub fn general(flow: &Flow<'_>, req: &Req<'_>) -> Points {
    let found = solve(flow, req);
    let mut points = Points::default();
    for vertex in flow.cfg.vertices.keys() {
        points.before[vertex].clone_from(found.before(vertex));
        points.after[vertex].clone_from(found.after(vertex));
    }
    points
}

impl Analysis for Req<'_> {
    type Domain = Set;
    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self) -> Set {
        Set::with_capacity(self.frame.locations.len())
    }

    fn boundary(&self) -> Set {
        let mut entry = self.bottom();
        entry.union_with(&self.given.entry);
        entry
    }

    fn join(&self, state: &mut Set, other: &Set) -> bool {
        union(state, other)
    }

    fn transfer(&self, step: Step<'_>, state: &mut Set) {
        self.through(StepKey::of(step), state);
    }
}

/// What may be overwritten from here to the exit: backward, union.
struct Ahead<'a> {
    frame: &'a Frame,
}

impl Analysis for Ahead<'_> {
    type Domain = Set;
    const DIRECTION: Direction = Direction::Backward;

    fn bottom(&self) -> Set {
        Set::with_capacity(self.frame.locations.len())
    }

    fn boundary(&self) -> Set {
        self.bottom()
    }

    fn join(&self, state: &mut Set, other: &Set) -> bool {
        union(state, other)
    }

    fn transfer(&self, step: Step<'_>, state: &mut Set) {
        if let Some(acts) = self.frame.of(StepKey::of(step)) {
            state.extend(overwritten(acts));
        }
    }
}

fn overwritten(acts: &Acts) -> impl Iterator<Item = usize> {
    acts.writes.iter().flat_map(|write| write.locations.iter().map(|&location| location as usize))
}

/// What may still be overwritten behind each vertex.
pub(crate) fn later(body: &BodyEvents<'_>, frame: &Frame) -> Later {
    let found = solve(&body.flow, &Ahead { frame });
    let mut later = Later::new();
    for vertex in body.flow.cfg.vertices.keys() {
        later[vertex] = found.after(vertex).clone();
    }
    later
}

impl Problem<'_, '_> {
    /// Solves the equations and decides about the constructs.
    pub(crate) fn settle(&self, given: &Given) -> Settled {
        let mut settled = Settled::default();
        loop {
            self.solve(given, &mut settled);
            let extra = self.control(given, &settled);
            let grown = extra.iter().any(|(key, locations)| {
                let known = settled.extra.get(key);
                locations
                    .iter()
                    .any(|location| !known.is_some_and(|known| known.contains(location)))
            });
            if !grown {
                self.decide(given, &mut settled);
                return settled;
            }
            for (key, locations) in extra {
                let known = settled.extra.entry(key).or_default();
                for location in locations {
                    if !known.contains(&location) {
                        known.push(location);
                    }
                }
            }
        }
    }

    fn solve(&self, given: &Given, settled: &mut Settled) {
        let req = Req { frame: self.frame, given, extra: &settled.extra };
        let cfg = self.body.flow.cfg;
        let found = match Structure::new(cfg) {
            Some(structure) => {
                let (frame, extra) = (self.frame, &settled.extra);
                Equations { structure: &structure, frame, given, extra }.req()
            }
            None => general(&self.body.flow, &req),
        };
        let mut before: HashMap<StepKey, Set> = HashMap::new();
        let mut note = |step: Step<'_>, state: &Set| {
            let known = before.entry(StepKey::of(step)).or_insert_with(|| req.bottom());
            known.union_with(state);
        };
        for vertex in cfg.vertices.keys() {
            let mut state = found.before[vertex].clone();
            for step in steps_of_vertex(cfg, vertex) {
                note(step, &state);
                req.through(StepKey::of(step), &mut state);
            }
        }
        for (edge, data) in &cfg.edges {
            if let Some(step) = steps_of_edge(cfg, edge) {
                note(step, &found.after[data.source]);
            }
        }
        let mut exit = req.bottom();
        for (vertex, data) in &cfg.vertices {
            settled.at[vertex] = found.before[vertex].clone();
            if matches!(data.kind, VertexKind::Exit) {
                exit.union_with(&found.before[vertex]);
            }
        }
        (settled.before, settled.exit) = (before, exit);
    }

    /// How many of the steps before each do something in a backward sweep, or record something.
    fn lively(&self, settled: &Settled) -> Vec<usize> {
        let mut count = 0;
        let mut counts = vec![0];
        for at in &self.body.steps {
            let key = StepKey::of(at.step);
            let acts = self.frame.of(key);
            let is_lively = |acts: &Acts| {
                acts.live || self.records(key, acts, settled) || self.recomputes(key, acts, settled)
            };
            count += usize::from(acts.is_some_and(is_lively));
            counts.push(count);
        }
        counts
    }

    /// What the conditions and bounds need that are to be evaluated again.
    fn control(&self, given: &Given, settled: &Settled) -> HashMap<StepKey, Numbers> {
        let mut extra = HashMap::new();
        let lively = self.lively(settled);
        for construct in &self.constructs.all {
            let Some(key) = head_step(self.body.flow.cfg, construct) else { continue };
            if !given.all && !self.is_live(construct, &lively) {
                continue;
            }
            if let Some(locations) = self.again(construct, settled) {
                extra.insert(key, locations);
            }
        }
        extra
    }

    fn decide(&self, given: &Given, settled: &mut Settled) {
        let cfg = self.body.flow.cfg;
        let (mut branches, mut loops) = (BTreeMap::new(), BTreeMap::new());
        for (vertex, data) in &cfg.vertices {
            if matches!(data.kind, VertexKind::Branch { .. }) {
                branches.insert(vertex, true);
            }
        }
        let lively = self.lively(settled);
        for construct in &self.constructs.all {
            let live = given.all || self.is_live(construct, &lively);
            // What nothing needs is not made required: it may be evaluated again only where it is
            // not overwritten at all.
            let again = match live {
                true => self.again(construct, settled).is_some(),
                false => self.stays(construct).is_some(),
            };
            match construct.kind {
                ConstructKind::Branch => {
                    branches.insert(construct.open, !again);
                }
                ConstructKind::Counted { .. } => {
                    let reversal = if again { Reversal::Explicit } else { Reversal::Anonymous };
                    loops.insert(construct.open, reversal);
                }
                ConstructKind::Loop => {}
            }
        }
        (settled.branches, settled.loops) = (branches, loops);
    }

    /// Whether a backward sweep does anything in the construct.
    fn is_live(&self, construct: &Construct, lively: &[usize]) -> bool {
        let steps = &self.body.steps;
        let inside = self.constructs.steps_in(construct, steps);
        let mut count = lively[inside.end] - lively[inside.start];
        // The first value of a loop is assigned before it.
        for number in self.constructs.steps_at(construct.open, steps) {
            if !is_update(construct, steps[number].step) {
                count -= lively[number + 1] - lively[number];
            }
        }
        count > 0
    }

    fn recomputes(&self, key: StepKey, acts: &Acts, settled: &Settled) -> bool {
        let state = settled.before.get(&key);
        acts.recompute.as_ref().zip(state).is_some_and(|(own, state)| own.is_needed(state))
    }

    fn records(&self, key: StepKey, acts: &Acts, settled: &Settled) -> bool {
        let Some(state) = settled.before.get(&key) else { return false };
        let extra = settled.extra.get(&key).map_or(&[][..], |extra| extra);
        let required = required(acts, extra, state, false);
        acts.recordable && acts.writes.iter().any(|write| is_recorded(write, &required))
    }

    /// What must be required for the condition or the bounds of a construct to be evaluated again
    /// behind it; `None` where they are recorded instead.
    fn again(&self, construct: &Construct, settled: &Settled) -> Option<Numbers> {
        let operands = self.operands(construct)?;
        let later = &self.later[construct.open];
        let counted = matches!(construct.kind, ConstructKind::Counted { .. });
        let behind = match construct.kind {
            // A loop is left at its head.
            ConstructKind::Counted { .. } | ConstructKind::Loop => &settled.at[construct.open],
            ConstructKind::Branch => &settled.at[construct.close],
        };
        let survives = |(location, scalar): &(u32, bool)| {
            !later.contains(*location as usize)
                || self.frame.with_classes(*location).any(|own| behind.contains(own as usize))
                // One value that is recorded once more is little for a loop that counts.
                || counted && *scalar
        };
        operands
            .iter()
            .all(survives)
            .then(|| operands.iter().map(|(location, _)| *location).collect())
    }

    /// As [`again`](Self::again), where nothing may be required for it.
    fn stays(&self, construct: &Construct) -> Option<()> {
        let later = &self.later[construct.open];
        let operands = self.operands(construct)?;
        operands.iter().all(|(location, _)| !later.contains(*location as usize)).then_some(())
    }

    /// The locations that the condition or the bounds of a construct read, and whether by the name of a
    /// scalar variable; `None` where they cannot be evaluated again: the construct overwrites them,
    /// it is left elsewhere, a function that is called does more than compute a value.
    fn operands(&self, construct: &Construct) -> Option<Vec<(u32, bool)>> {
        let closed = match construct.kind {
            ConstructKind::Branch => !construct.entered && !construct.left,
            // Wherever it is left, what its head needs is required there.
            ConstructKind::Counted { .. } => !construct.entered,
            ConstructKind::Loop => false,
        };
        if !closed {
            return None;
        }
        let doc = self.accesses.doc();
        let mut references: Vec<RefId> = Vec::new();
        let steps = &self.body.steps;
        let at_head = &steps[self.constructs.steps_at(construct.open, steps)];
        for at in at_head {
            if at.events.iter().any(|event| matches!(event, Event::Call(_) | Event::Anything)) {
                return None;
            }
            let mut read = reads(&at.events, |_| true);
            read.extend(read_by_selectors(doc, &at.events));
            match construct.kind {
                ConstructKind::Counted { variable, init, .. } => {
                    // Its condition and its next value read the variable once; what reads it
                    // besides are the bounds, which meant the value before the loop.
                    let expected = usize::from(at.step != Step::Stmt(init));
                    let own = |&reference: &RefId| {
                        let reference = &doc.refs[reference];
                        reference.base == variable && reference.parts.is_empty()
                    };
                    if read.iter().filter(|reference| own(reference)).count() > expected {
                        return None;
                    }
                    references.extend(read.into_iter().filter(|reference| !own(reference)));
                }
                ConstructKind::Branch | ConstructKind::Loop => references.extend(read),
            }
        }
        let provided = self.constructs.provided(construct.open);
        references.retain(|&reference| {
            let reference = &doc.refs[reference];
            !(reference.parts.is_empty() && provided.contains(&reference.base))
        });
        let mut operands = BTreeSet::new();
        for reference in references {
            let data = &doc.refs[reference];
            let scalar = data.ty.rank == 0
                && data.parts.iter().all(|part| matches!(part, Part::Component { .. }));
            for location in self.accesses.storage().locations_of(doc, reference) {
                operands.insert((self.frame.number(location)?, scalar));
            }
        }
        for at in at_head {
            for event in &at.events {
                if let Event::Ask(_, asked) = event {
                    for &location in asked {
                        operands.insert((self.frame.number(location)?, false));
                    }
                }
            }
        }
        let inside = self.constructs.steps_in(construct, steps);
        let lost = |(location, _): &(u32, bool)| self.writers.has(*location, &inside);
        if operands.iter().any(lost) {
            return None;
        }
        Some(operands.into_iter().collect())
    }
}

fn is_update(construct: &Construct, step: Step<'_>) -> bool {
    match construct.kind {
        ConstructKind::Counted { update, .. } => step == Step::Stmt(update),
        ConstructKind::Branch | ConstructKind::Loop => false,
    }
}

/// The step at which the operands of a construct are read.
fn head_step(cfg: &Cfg, construct: &Construct) -> Option<StepKey> {
    match construct.kind {
        ConstructKind::Loop => None,
        ConstructKind::Branch | ConstructKind::Counted { .. } => {
            steps_of_vertex(cfg, construct.open).into_iter().next().map(StepKey::of)
        }
    }
}
