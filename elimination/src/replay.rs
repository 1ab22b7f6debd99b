//! A given sequence of steps, executed: the arithmetic of what a search has found.

use crate::accumulation::{Accumulation, Entry};
use crate::dual::Dual;
use crate::graph::{Graph, Role};
use crate::greedy::Elimination;
use crate::primal::Primal;
use crate::state::{Changes, Measure, State};
use crate::target::{Step, Target, Technique};

/// Eliminates by `steps`, then whatever they leave, vertex by vertex in topological order.
///
/// A step eliminates what is there of what it names, and nothing if that is nothing; those that did
/// nothing are not in the result.
pub fn replay(graph: &Graph, technique: Technique, steps: &[Step]) -> Elimination {
    let rest = graph.order().iter().map(|&v| Step::Vertex(v));
    let mut player = Player::new(graph, technique);
    let all = steps.iter().copied().chain(rest);
    let steps = all.filter(|&step| player.play(step)).collect();
    Elimination { steps, accumulation: player.accumulation() }
}

/// A graph on which steps are executed.
pub(crate) enum Player<'g> {
    Primal(&'g Graph, Primal<'g>),
    Dual(Dual<'g>),
}

impl<'g> Player<'g> {
    pub(crate) fn new(graph: &'g Graph, technique: Technique) -> Player<'g> {
        match technique {
            Technique::Vertex | Technique::Edge => {
                Player::Primal(graph, Primal::new(graph, Technique::Edge))
            }
            Technique::Face => Player::Dual(Dual::new(graph)),
        }
    }

    /// Eliminates what is there of what `step` names; whether there was something.
    pub(crate) fn play(&mut self, step: Step) -> bool {
        let mut changes = Changes::default();
        match self {
            Player::Primal(graph, state) => {
                let Some(target) = target(graph, state, step) else { return false };
                state.eliminate(target, &mut changes);
                true
            }
            Player::Dual(state) => {
                let faces = match step {
                    Step::Vertex(v) => state.faces_at(None, v, None),
                    Step::Front(i, j) => state.faces_at(Some(i), j, None),
                    Step::Back(j, k) => state.faces_at(None, j, Some(k)),
                    Step::Face(i, j, k) => state.faces_at(Some(i), j, Some(k)),
                    Step::Reroute(..) => Vec::new(),
                };
                for &face in &faces {
                    state.eliminate(face, &mut changes);
                    changes.clear();
                }
                !faces.is_empty()
            }
        }
    }

    /// The edges that are left.
    pub(crate) fn remaining(&self) -> Vec<Entry> {
        match self {
            Player::Primal(_, state) => state.remaining(),
            Player::Dual(state) => state.remaining(),
        }
    }

    /// How many operations there are so far.
    pub(crate) fn operations(&self) -> usize {
        match self {
            Player::Primal(_, state) => state.operations(),
            Player::Dual(state) => state.operations(),
        }
    }

    pub(crate) fn accumulation(self) -> Accumulation {
        match self {
            Player::Primal(_, state) => state.accumulation(),
            Player::Dual(state) => state.accumulation(),
        }
    }
}

/// What a step eliminates of the graph as it is now.
fn target(graph: &Graph, state: &Primal<'_>, step: Step) -> Option<Target> {
    let between = |j: u32| {
        let (pred, succ) = (state.predecessors(j), state.successors(j));
        graph.role(j) != Role::Input && !pred.is_empty() && succ.len() > 0
    };
    match step {
        Step::Vertex(v) => between(v).then_some(Target::Vertex(v)),
        Step::Front(i, j) => (graph.role(j) != Role::Output && state.edge(i, j).is_some())
            .then_some(Target::Front(i, j)),
        Step::Back(j, k) => {
            (between(j) && state.edge(j, k).is_some()).then_some(Target::Back(j, k))
        }
        Step::Face(..) | Step::Reroute(..) => None,
    }
}

/// Executes steps on a graph that others go on with; returns how many edges more carry a variable.
pub(crate) fn replay_some(graph: &Graph, state: &mut Primal<'_>, steps: &[Step]) -> isize {
    let mut changes = Changes::default();
    let mut growth = 0;
    for &step in steps {
        if let Some(target) = target(graph, state, step) {
            growth += state.measure(target, Measure::Growth) as isize;
            state.eliminate(target, &mut changes);
            changes.clear();
        }
    }
    growth
}
