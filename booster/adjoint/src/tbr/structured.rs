//! The same equations on structured flow graphs: paper 1, Figures 7 and 9.
//!
//! What a piece of a program does to the set of what is required is told by three things: AdjU, what
//! is required behind it although nothing is before it; Kill; and, beyond the paper, what else is
//! required behind it because something was before it, and is recorded by a name with subscripts or
//! moved (MOVE_ALLOC). A sequence is a composition, a branch a union, a loop the closure of its body:
//! without these its first iteration tells all. The sets at each vertex then follow in one pass.

use std::collections::BTreeMap;

use xaif_schema::model::{SecondaryMap, VertexId};

use super::frame::{Acts, Frame};
use super::solve::{Given, Set, age, moved, required};
use booster_facts::StepKey;
use booster_flow::structure::{Item, Structure};
use booster_flow::{Step, steps_of_edge, steps_of_vertex};

/// What a piece of a program makes of the set of what is required before it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Through {
    /// Required behind it in any case.
    adju: Set,
    /// What was required before it is so no more.
    kill: Set,
    /// The locations that are required besides, by each location that was required before it.
    entails: BTreeMap<u32, Set>,
}

impl Through {
    /// What nothing does.
    pub(crate) fn identity(size: usize) -> Self {
        let none = Set::with_capacity(size);
        Through { adju: none.clone(), kill: none, entails: BTreeMap::new() }
    }

    /// What a step does.
    fn of(acts: &Acts, extra: &[u32], after: &[u32], all: bool, size: usize) -> Self {
        let mut through = Through::identity(size);
        if let Some(recompute) = &acts.recompute {
            through.kill.extend(recompute.value.iter().map(|&location| location as usize));
            let operands: Set =
                recompute.operands.iter().map(|need| need.location as usize).collect();
            let entailed = recompute.value.iter().map(|&location| (location, operands.clone()));
            through.entails.extend(entailed);
            return through;
        }
        through.kill.extend(acts.kill.iter().map(|&location| location as usize));
        let none = Set::with_capacity(size);
        let own = required(acts, extra, &none, all);
        through.adju = own.clone();
        through.adju.difference_with(&through.kill);
        through.adju.extend(moved(acts, &own, all).iter().map(|&location| location as usize));
        through.adju.extend(acts.results.iter().map(|need| need.location as usize));
        through.adju.extend(after.iter().map(|&location| location as usize));
        let named =
            acts.writes.iter().filter(|write| acts.recordable && !write.subscripts.is_empty());
        let named = named.flat_map(|write| &write.locations);
        for &location in named.chain(acts.moved.iter().flat_map(|(from, _)| from)) {
            let mut alone = none.clone();
            alone.insert(location as usize);
            let before = required(acts, extra, &alone, all);
            let mut entailed = before.clone();
            entailed.difference_with(&through.kill);
            entailed.extend(moved(acts, &before, all).iter().map(|&location| location as usize));
            through.entails.insert(location, entailed);
        }
        age(acts, &mut through.adju);
        for &(from, to) in &acts.ages {
            through.kill.insert(from as usize);
            let none = || none.clone();
            through.entails.entry(from).or_insert_with(none).insert(to as usize);
        }
        through
    }

    /// What is required behind the piece, where `state` is before it.
    pub(crate) fn apply(&self, state: &Set) -> Set {
        let mut result = self.adju.clone();
        result.union_with(&self.pass(state));
        result
    }

    /// What of `state` is still required, and what it entails.
    fn pass(&self, state: &Set) -> Set {
        let mut result = state.clone();
        result.difference_with(&self.kill);
        for (&location, entailed) in &self.entails {
            if state.contains(location as usize) {
                result.union_with(entailed);
            }
        }
        result
    }

    /// First `self`, then `next`.
    pub(crate) fn then(&mut self, next: &Through) {
        let mut entails: BTreeMap<u32, Set> = self
            .entails
            .iter()
            .map(|(&location, entailed)| (location, next.pass(entailed)))
            .collect();
        for (&location, entailed) in &next.entails {
            if !self.kill.contains(location as usize) {
                match entails.get_mut(&location) {
                    Some(known) => known.union_with(entailed),
                    None => {
                        entails.insert(location, entailed.clone());
                    }
                }
            }
        }
        self.adju = next.apply(&self.adju);
        self.kill.union_with(&next.kill);
        self.entails = entails;
    }

    /// Either `self` or `other`.
    pub(crate) fn join(&mut self, other: &Through) {
        self.adju.union_with(&other.adju);
        self.kill.intersect_with(&other.kill);
        for (&location, entailed) in &other.entails {
            match self.entails.get_mut(&location) {
                Some(known) => known.union_with(entailed),
                None => {
                    self.entails.insert(location, entailed.clone());
                }
            }
        }
    }

    /// Any number of times, none included.
    pub(crate) fn close(&mut self) {
        let round = self.clone();
        let size = self.adju.len();
        let mut closed = Through::identity(size);
        loop {
            let mut more = closed.clone();
            more.then(&round);
            more.join(&Through::identity(size));
            if more == closed {
                break;
            }
            closed = more;
        }
        *self = closed;
    }
}

/// What is required at each vertex, before and behind what it executes.
#[derive(Clone, Debug, Default)]
pub struct Points {
    /// Before the vertex.
    pub before: SecondaryMap<VertexId, Set>,
    /// Behind it.
    pub after: SecondaryMap<VertexId, Set>,
}

/// The equations of one procedure.
pub struct Equations<'e> {
    /// The body as nested constructs.
    pub structure: &'e Structure<'e>,
    /// The needs, writes and kills of each step.
    pub frame: &'e Frame,
    /// The context of the calls of the procedure.
    pub given: &'e Given,
    /// Additional needs of conditions and bounds that the backward sweep evaluates again.
    pub extra: &'e std::collections::HashMap<StepKey, super::frame::Numbers>,
}

impl Equations<'_> {
    fn size(&self) -> usize {
        self.frame.locations.len()
    }

    fn step(&self, step: Step<'_>) -> Option<Through> {
        let key = StepKey::of(step);
        let acts = self.frame.of(key)?;
        let extra = self.extra.get(&key).map_or(&[][..], |extra| extra);
        let after = self.given.after.get(&key).map_or(&[][..], |after| after);
        Some(Through::of(acts, extra, after, self.given.all, self.size()))
    }

    fn vertex(&self, vertex: VertexId) -> Through {
        let mut whole = Through::identity(self.size());
        let steps = steps_of_vertex(self.structure.cfg, vertex);
        steps.into_iter().filter_map(|step| self.step(step)).for_each(|step| whole.then(&step));
        whole
    }

    fn edge(&self, edge: xaif_schema::model::EdgeId) -> Through {
        let step = steps_of_edge(self.structure.cfg, edge).and_then(|step| self.step(step));
        step.unwrap_or_else(|| Through::identity(self.size()))
    }

    /// What any number of iterations of each loop does, from where its condition has been evaluated to
    /// where it has been evaluated the last time (Figure 7).
    fn loops(&self) -> SecondaryMap<VertexId, Option<Through>> {
        struct Before {
            before: Through,
            arms: Option<Through>,
        }
        let leave_arm = |arms: &mut Option<Through>, now: &Through| match arms {
            Some(arms) => arms.join(now),
            None => *arms = Some(now.clone()),
        };
        let mut loops = SecondaryMap::new();
        let mut now = Through::identity(self.size());
        let mut open: Vec<Before> = Vec::new();
        for (position, &item) in self.structure.items.iter().enumerate() {
            match item {
                Item::Plain(vertex) => now.then(&self.vertex(vertex)),
                Item::OpenBranch(vertex) => {
                    now.then(&self.vertex(vertex));
                    open.push(Before { before: now.clone(), arms: None });
                }
                Item::Arm => {
                    let Some(branch) = open.last_mut() else { continue };
                    let first = position.checked_sub(1).and_then(|at| self.structure.items.get(at));
                    if !matches!(first, Some(Item::OpenBranch(_))) {
                        leave_arm(&mut branch.arms, &now);
                    }
                    now = branch.before.clone();
                }
                Item::CloseBranch { end, passed } => {
                    let Some(Before { before, mut arms }) = open.pop() else { continue };
                    leave_arm(&mut arms, &now);
                    if passed {
                        leave_arm(&mut arms, &before);
                    }
                    now = arms.unwrap_or(now);
                    now.then(&self.vertex(end));
                }
                Item::OpenLoop(edges) => {
                    now.then(&self.edge(edges.enter));
                    now.then(&self.vertex(edges.head));
                    let body = Through::identity(self.size());
                    let before = std::mem::replace(&mut now, body);
                    open.push(Before { before, arms: None });
                }
                Item::CloseLoop(edges) => {
                    now.then(&self.vertex(edges.end));
                    now.then(&self.edge(edges.back));
                    now.then(&self.vertex(edges.head));
                    now.close();
                    let Some(outer) = open.pop() else { continue };
                    let mut whole = outer.before;
                    whole.then(&now);
                    loops[edges.head] = Some(std::mem::replace(&mut now, whole));
                }
            }
        }
        loops
    }

    /// What is required at each vertex (Figure 9).
    pub fn req(&self) -> Points {
        let loops = self.loops();
        let mut points = Points::default();
        let mut now = Set::with_capacity(self.size());
        now.union_with(&self.given.entry);
        // For each branch the state before its arms and the union after them; for each loop the
        // state as it is entered, and as it is left.
        let mut open: Vec<(Set, Set)> = Vec::new();
        let visit = |points: &mut Points, now: &mut Set, vertex| {
            points.before[vertex].clone_from(now);
            *now = self.vertex(vertex).apply(now);
            points.after[vertex].clone_from(now);
        };
        for &item in &self.structure.items {
            match item {
                Item::Plain(vertex) => visit(&mut points, &mut now, vertex),
                Item::OpenBranch(vertex) => {
                    visit(&mut points, &mut now, vertex);
                    // The first arm begins by joining this with nothing.
                    open.push((now.clone(), Set::with_capacity(self.size())));
                    now.clear();
                }
                Item::Arm => {
                    let Some((before, arms)) = open.last_mut() else { continue };
                    arms.union_with(&now);
                    now.clone_from(before);
                }
                Item::CloseBranch { end, passed } => {
                    let Some((before, arms)) = open.pop() else { continue };
                    now.union_with(&arms);
                    if passed {
                        now.union_with(&before);
                    }
                    visit(&mut points, &mut now, end);
                }
                Item::OpenLoop(edges) => {
                    now = self.edge(edges.enter).apply(&now);
                    let entered = now.clone();
                    visit(&mut points, &mut now, edges.head);
                    if let Some(rounds) = &loops[edges.head] {
                        now = rounds.apply(&now);
                    }
                    points.after[edges.head].clone_from(&now);
                    open.push((entered, now.clone()));
                }
                Item::CloseLoop(edges) => {
                    visit(&mut points, &mut now, edges.end);
                    now = self.edge(edges.back).apply(&now);
                    let Some((mut entered, after)) = open.pop() else { continue };
                    entered.union_with(&now);
                    points.before[edges.head] = entered;
                    now = after;
                }
            }
        }
        points
    }
}
