//! Scarcity: as few values as possible that stand for the Jacobian.
//!
//! A Jacobian may have far more entries than its graph has edges (Griewank 2003; Lyons and Utke
//! 2008). Where it is only multiplied with vectors, the graph that needs the fewest values is the best
//! form of it: a product with it takes a multiplication for each edge that carries a variable. So eliminations
//! are done as long as the number of these edges gets smaller in the end: a complete elimination is done by
//! heuristics that let it grow least, and cut back to where the number was smallest. The result never
//! has more than the graph.
//!
//! Then edges are *rerouted* where that saves one: with a pivot (j, k), the edge (i, k) is taken
//! away, c_ki / c_kj is added to (i, j), and what the other successors l of j get too much, c_lj · c_ki /
//! c_kj, is taken off (i, l); likewise with a pivot (i, j) on the other side. That divides by the
//! pivot, so pivots are constants with an exact reciprocal, 1 and -1 above all: a division by a
//! variable could be one by 0 when the program runs.

use crate::accumulation::Value;
use crate::graph::{Graph, Role};
use crate::greedy::Elimination;
use crate::heuristics::Chain;
use crate::primal::Primal;
use crate::replay::replay_some;
use crate::state::{Changes, State as _};
use crate::target::{Step, Technique};

/// How the order of eliminations is chosen.
const CHAINS: [(Technique, &str); 5] = [
    (Technique::Vertex, "ls,lm,reverse"),
    (Technique::Edge, "ls,lm,reverse"),
    (Technique::Edge, "ls,lm,forward"),
    (Technique::Vertex, "lm,reverse"),
    (Technique::Vertex, "lm,forward"),
];

/// A graph with the same Jacobian and few values: its edges are the entries of the accumulation,
/// and may lead to or from intermediate vertices.
pub fn scarce(graph: &Graph) -> Elimination {
    let mut best: Option<((usize, usize), Elimination)> = None;
    for (technique, chain) in CHAINS {
        let Ok(chain) = chain.parse::<Chain>() else { continue };
        let all = crate::greedy::eliminate(graph, technique, &chain).steps;
        let (steps, mut state) = shortest(graph, &all);
        let steps = reroute_all(graph, &mut state, steps);
        let elimination = Elimination { steps, accumulation: state.accumulation() };
        let cost = elimination.accumulation.cost();
        let key = (values(&elimination), cost.multiplications);
        if best.as_ref().is_none_or(|(known, _)| key < *known) {
            best = Some((key, elimination));
        }
    }
    match best {
        Some((_, elimination)) => elimination,
        None => Elimination {
            steps: Vec::new(),
            accumulation: Primal::new(graph, Technique::Vertex).accumulation(),
        },
    }
}

/// How many values the entries are that are not known before the program runs.
pub fn values(elimination: &Elimination) -> usize {
    let entries = elimination.accumulation.entries();
    entries.iter().filter(|entry| entry.value.known().is_none()).count()
}

fn count(state: &Primal<'_>) -> usize {
    state.remaining().iter().filter(|edge| edge.value.known().is_none()).count()
}

/// The steps up to where the fewest edges carry variables, and the state there.
fn shortest<'g>(graph: &'g Graph, all: &[Step]) -> (Vec<Step>, Primal<'g>) {
    let mut state = Primal::new(graph, Technique::Edge);
    let begin = count(&state);
    let (mut least, mut length) = (begin, 0);
    let mut known = least as isize;
    for (at, &step) in all.iter().enumerate() {
        known += replay_some(graph, &mut state, &[step]);
        if (known as usize) < least {
            (least, length) = (known as usize, at + 1);
        }
    }
    let steps = all[..length].to_vec();
    let mut state = Primal::new(graph, Technique::Edge);
    replay_some(graph, &mut state, &steps);
    // What cancels is not in the measure; where that misleads, the graph stays as it was.
    if count(&state) > begin {
        return (Vec::new(), Primal::new(graph, Technique::Edge));
    }
    (steps, state)
}

/// A rerouting: the edge (`source`, `target`) over the vertex `over`.
#[derive(Clone, Copy)]
struct Rerouting {
    source: u32,
    target: u32,
    over: u32,
    /// Whether the pivot leads to the target; else it leads from the source.
    front: bool,
}

/// Reroutes as long as that saves an edge.
fn reroute_all(graph: &Graph, state: &mut Primal<'_>, mut steps: Vec<Step>) -> Vec<Step> {
    // A rerouting takes an edge away, so there are no more than edges.
    for _ in 0..graph.edge_count() {
        let Some(found) = find(graph, state) else { break };
        reroute(state, found);
        steps.push(Step::Reroute(found.source, found.target, found.over));
    }
    steps
}

/// 1 / `value`, where that is exact.
fn reciprocal(value: Value) -> Option<Value> {
    let known = value.known().filter(|known| known.is_normal())?;
    // A power of two has no bits in its mantissa.
    let power = known.to_bits() << 12 == 0;
    (power && known.recip().is_normal()).then(|| Value::constant(known.recip()))
}

/// A rerouting after which fewer edges carry variables.
fn find(graph: &Graph, state: &Primal<'_>) -> Option<Rerouting> {
    let variable = |a: u32, b: u32| state.edge(a, b).is_some_and(|v| v.known().is_none());
    for over in 0..graph.len() as u32 {
        if graph.role(over) != Role::Intermediate {
            continue;
        }
        let succ: Vec<(u32, Value)> = state.successors(over).collect();
        let pred: Vec<u32> = state.predecessors(over).to_vec();
        for &(target, _) in succ.iter().filter(|(_, v)| reciprocal(*v).is_some()) {
            for &source in &pred {
                // Everything that gets a product carries a variable already.
                let others = succ.iter().filter(|&&(l, _)| l != target);
                if variable(source, target)
                    && variable(source, over)
                    && others.into_iter().all(|&(l, _)| variable(source, l))
                {
                    return Some(Rerouting { source, target, over, front: true });
                }
            }
        }
        for &source in pred.iter().filter(|&&p| state.edge(p, over).and_then(reciprocal).is_some())
        {
            for &(target, _) in &succ {
                let others = pred.iter().filter(|&&p| p != source);
                if variable(source, target)
                    && variable(over, target)
                    && others.into_iter().all(|&p| variable(p, target))
                {
                    return Some(Rerouting { source, target, over, front: false });
                }
            }
        }
    }
    None
}

fn reroute(state: &mut Primal<'_>, rerouting: Rerouting) {
    let Rerouting { source, target, over, front } = rerouting;
    let mut changes = Changes::default();
    let pivot = if front { state.edge(over, target) } else { state.edge(source, over) };
    let inverse = pivot.and_then(reciprocal);
    let (Some(value), Some(inverse)) = (state.edge(source, target), inverse) else { return };
    let quotient = state.product(value, inverse, (source, target));
    state.remove(source, target, &mut changes);
    if front {
        let others: Vec<(u32, Value)> =
            state.successors(over).filter(|&(l, _)| l != target).collect();
        state.add(source, (over, quotient, 0.0), &mut changes);
        for (l, partial) in others {
            let excess = state.product(partial, quotient, (source, l));
            state.add(source, (l, -excess, 0.0), &mut changes);
        }
    } else {
        let others: Vec<u32> =
            state.predecessors(over).iter().copied().filter(|&p| p != source).collect();
        state.add(over, (target, quotient, 0.0), &mut changes);
        for p in others {
            let Some(partial) = state.edge(p, over) else { continue };
            let excess = state.product(partial, quotient, (p, target));
            state.add(p, (target, -excess, 0.0), &mut changes);
        }
    }
    state.clean(vec![source, over, target], &mut changes);
}
