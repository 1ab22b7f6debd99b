//! A given sequence of steps, executed: the arithmetic of what a search has found.

use crate::dual::Dual;
use crate::graph::{Graph, Role};
use crate::greedy::Elimination;
use crate::primal::Primal;
use crate::state::{Changes, State};
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
                let target = match step {
                    Step::Vertex(v) => Some(Target::Vertex(v)).filter(|_| {
                        graph.role(v) != Role::Input
                            && !state.predecessors(v).is_empty()
                            && state.successors(v).len() > 0
                    }),
                    Step::Front(i, j) => Some(Target::Front(i, j))
                        .filter(|_| graph.role(j) != Role::Output && state.edge(i, j).is_some()),
                    Step::Back(j, k) => Some(Target::Back(j, k))
                        .filter(|_| graph.role(j) != Role::Input && state.edge(j, k).is_some()),
                    Step::Face(..) => None,
                };
                if let Some(target) = target {
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
