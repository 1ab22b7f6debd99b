//! A given sequence of steps, executed: the arithmetic of what a search has found.

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
    let mut done = Vec::new();
    let mut changes = Changes::default();
    let all = steps.iter().copied().chain(rest);
    let accumulation = match technique {
        Technique::Vertex | Technique::Edge => {
            let mut state = Primal::new(graph, Technique::Edge);
            for step in all {
                if let Some(target) = target(graph, &state, step) {
                    state.eliminate(target, &mut changes);
                    changes.clear();
                    done.push(step);
                }
            }
            state.accumulation()
        }
        Technique::Face => {
            let mut state = Dual::new(graph);
            for step in all {
                let faces = match step {
                    Step::Vertex(v) => state.faces_at(None, v, None),
                    Step::Front(i, j) => state.faces_at(Some(i), j, None),
                    Step::Back(j, k) => state.faces_at(None, j, Some(k)),
                    Step::Face(i, j, k) => state.faces_at(Some(i), j, Some(k)),
                    Step::Reroute(..) => Vec::new(),
                };
                if !faces.is_empty() {
                    done.push(step);
                }
                for face in faces {
                    state.eliminate(face, &mut changes);
                    changes.clear();
                }
            }
            state.accumulation()
        }
    };
    Elimination { steps: done, accumulation }
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
