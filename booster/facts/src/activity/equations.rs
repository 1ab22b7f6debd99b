//! The data-flow equations of activity analysis on any flow graph: paper 1, Figures 2 and 4.
//!
//! They are solved iteratively by the one solver of [`booster_flow`]. Their specialisation to
//! structured graphs, which needs no iteration, is in [`super::structured`]; both find the same.

use std::collections::HashMap;

use xaif_schema::model::{ExprId, ScopeId, SecondaryMap, StmtId, SymbolId, VertexId, VertexKind};

use super::dep::{Dep, Effect, VarSet, useful_through, varied_through};
use booster_flow::{Analysis, Direction, Flow, Solution, Step, solve, union};

/// What names a step of a procedure's flow graph that may have an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StepId {
    /// The procedure is entered, by its main entry or by the ENTRY of that name.
    Enter(Option<SymbolId>),
    /// A statement is executed.
    Stmt(StmtId),
    /// A condition is evaluated.
    Evaluate(ExprId),
    /// The header of the DO CONCURRENT with this scope is evaluated.
    Concurrent(ScopeId),
}

impl StepId {
    /// The name of `step`; leaving a procedure has none.
    pub fn of(step: Step<'_>) -> Option<Self> {
        match step {
            Step::Stmt(stmt) => Some(StepId::Stmt(stmt)),
            Step::Evaluate(expr) => Some(StepId::Evaluate(expr)),
            Step::Concurrent(header) => Some(StepId::Concurrent(header.scope)),
            Step::Enter(point) => Some(StepId::Enter(point.map(|point| point.symbol))),
            Step::Leave => None,
        }
    }
}

/// What the steps of one procedure do to the variables of its frame.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// How many variables the frame has.
    pub size: usize,
    /// The elementary pieces of each step, in the order of execution.
    pub steps: HashMap<StepId, Vec<Effect>>,
}

impl Effects {
    /// The elementary pieces of `step`, in the order of execution.
    pub fn of(&self, step: Step<'_>) -> &[Effect] {
        StepId::of(step).and_then(|id| self.steps.get(&id)).map_or(&[], Vec::as_slice)
    }
}

/// A set of variables before and after each vertex, in the order of execution.
#[derive(Clone, Debug)]
pub struct Points {
    /// As control arrives at the vertex.
    pub before: SecondaryMap<VertexId, VarSet>,
    /// As control leaves the vertex.
    pub after: SecondaryMap<VertexId, VarSet>,
}

impl Points {
    /// Empty sets of `size` variables.
    pub fn new(size: usize) -> Self {
        let none = SecondaryMap::with_default(VarSet::with_capacity(size));
        Points { before: none.clone(), after: none }
    }

    fn from_solution(flow: &Flow<'_>, size: usize, solution: &Solution<VarSet>) -> Self {
        let mut points = Points::new(size);
        for vertex in flow.cfg.vertices.keys() {
            points.before[vertex].clone_from(solution.before(vertex));
            points.after[vertex].clone_from(solution.after(vertex));
        }
        points
    }
}

/// `Dep` of the whole procedure (Figure 2): `InDep` of its exit. `None` where no way leads from an
/// entry to the exit.
pub fn dep(flow: &Flow<'_>, effects: &Effects) -> Option<Dep> {
    let solution = solve(flow, &Dependence { effects });
    let is_exit = |id: &VertexId| matches!(flow.cfg.vertices[*id].kind, VertexKind::Exit);
    let mut whole: Option<Dep> = None;
    for exit in flow.cfg.vertices.keys().filter(is_exit) {
        join_ways(&mut whole, solution.before(exit));
    }
    whole
}

/// The varied variables at each vertex (Figure 4), where `varied` are so on entry.
pub fn varied(flow: &Flow<'_>, effects: &Effects, varied: &VarSet) -> Points {
    let solution = solve(flow, &Varied { effects, boundary: varied });
    Points::from_solution(flow, effects.size, &solution)
}

/// The useful variables at each vertex (Figure 4), where `useful` are so at the exit.
pub fn useful(flow: &Flow<'_>, effects: &Effects, useful: &VarSet) -> Points {
    let solution = solve(flow, &Useful { effects, boundary: useful });
    Points::from_solution(flow, effects.size, &solution)
}

/// `state` where either way may have been taken; `None` is no way. Tells whether that changed it.
fn join_ways(state: &mut Option<Dep>, other: &Option<Dep>) -> bool {
    match (state.as_mut(), other) {
        (_, None) => false,
        (Some(state), Some(other)) => state.join(other),
        (None, Some(other)) => {
            *state = Some(other.clone());
            true
        }
    }
}

struct Dependence<'e> {
    effects: &'e Effects,
}

impl Analysis for Dependence<'_> {
    /// From the entry to here; `None` where no way leads here.
    type Domain = Option<Dep>;
    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self) -> Self::Domain {
        None
    }

    fn boundary(&self) -> Self::Domain {
        Some(Dep::identity(self.effects.size))
    }

    fn join(&self, state: &mut Self::Domain, other: &Self::Domain) -> bool {
        join_ways(state, other)
    }

    fn transfer(&self, step: Step<'_>, state: &mut Self::Domain) {
        if let Some(dep) = state {
            for effect in self.effects.of(step) {
                dep.then_effect(effect);
            }
        }
    }
}

struct Varied<'e> {
    effects: &'e Effects,
    boundary: &'e VarSet,
}

impl Analysis for Varied<'_> {
    type Domain = VarSet;
    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self) -> VarSet {
        VarSet::with_capacity(self.effects.size)
    }

    fn boundary(&self) -> VarSet {
        self.boundary.clone()
    }

    fn join(&self, state: &mut VarSet, other: &VarSet) -> bool {
        union(state, other)
    }

    fn transfer(&self, step: Step<'_>, state: &mut VarSet) {
        for effect in self.effects.of(step) {
            varied_through(effect, state);
        }
    }
}

struct Useful<'e> {
    effects: &'e Effects,
    boundary: &'e VarSet,
}

impl Analysis for Useful<'_> {
    type Domain = VarSet;
    const DIRECTION: Direction = Direction::Backward;

    fn bottom(&self) -> VarSet {
        VarSet::with_capacity(self.effects.size)
    }

    fn boundary(&self) -> VarSet {
        self.boundary.clone()
    }

    fn join(&self, state: &mut VarSet, other: &VarSet) -> bool {
        union(state, other)
    }

    fn transfer(&self, step: Step<'_>, state: &mut VarSet) {
        for effect in self.effects.of(step).iter().rev() {
            useful_through(effect, state);
        }
    }
}
