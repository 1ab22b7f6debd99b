//! Exact search: the cheapest order of vertices, or of edges, by A* over the states of elimination.
//!
//! Two orders of the same eliminations lead to the same state, so this is dynamic programming over
//! sets, of which only those are looked at that the lower bound does not rule out. Where it ends
//! before its limit its result is optimal for its technique; where not, the least bound of what is still open is
//! a lower bound.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::graph::{Graph, Role};
use crate::greedy::{Elimination, eliminate};
use crate::replay::replay;
use crate::search::Replay as _;
use crate::search::bound::is_generic;
use crate::search::dense::{Dense, Frame, members};
use crate::target::{Step, Technique};

/// What an exact search has found out.
#[derive(Clone, Debug)]
pub struct Exact {
    /// No sequence of the technique takes fewer multiplications.
    pub at_least: u64,
    /// A sequence that takes no more than that, if the search has ended.
    pub optimal: Option<Elimination>,
}

/// How a state was reached.
struct Node {
    before: usize,
    step: Option<Step>,
}

/// Searches for the cheapest sequence of vertex or edge eliminations, through at most `limit`
/// states; `None` for a graph that is too large for a table, and for face elimination.
///
/// What it counts are products that are not free; that equal products are computed once is not
/// seen.
pub fn exact(graph: &Graph, technique: Technique, limit: usize) -> Option<Exact> {
    if technique == Technique::Face {
        return None;
    }
    let frame = Frame::new(graph)?;
    let generic = is_generic(graph);
    // Of partials that are not different variables it is no bound for what the listing will say, which
    // computes equal products once, but one for what is counted here.
    let bound = |state: &Dense<'_>| state.bound(&frame);
    let begin = frame.dense(graph);
    let most = known(graph, &frame);
    let mut nodes = vec![Node { before: 0, step: None }];
    let mut cheapest: HashMap<u64, u64> = HashMap::from([(begin.fingerprint(), 0)]);
    // Smallest bound first, of those the one that has come furthest.
    let mut open = BinaryHeap::from([(Reverse(bound(&begin)), 0_u64, 0_usize)]);
    // The states that were looked at: most of those that are open never are, so these are made when
    // their turn comes.
    let mut states: HashMap<usize, Dense<'_>> = HashMap::new();
    while let Some((Reverse(least), cost, at)) = open.pop() {
        let mut state = states.get(&nodes[at].before).unwrap_or(&begin).clone();
        if let Some(step) = nodes[at].step {
            state.apply(step);
        }
        if cheapest.get(&state.fingerprint()).is_some_and(|&known| known < cost) {
            continue;
        }
        let steps = steps(&frame, &state, technique, generic);
        if steps.is_empty() {
            let optimal = Some(replay(graph, technique, &way(&frame, &nodes, at)));
            return Some(Exact { at_least: least, optimal });
        }
        if states.len() == limit {
            return Some(Exact { at_least: least, optimal: None });
        }
        for step in steps {
            let mut next = state.clone();
            let cost = cost + u64::from(next.apply(step));
            // The bound of a successor may be looser than that of the state.
            let total = (cost + bound(&next)).max(least);
            let known = cheapest.entry(next.fingerprint()).or_insert(u64::MAX);
            if *known <= cost || total > most {
                continue;
            }
            *known = cost;
            open.push((Reverse(total), cost, nodes.len()));
            nodes.push(Node { before: at, step: Some(step) });
        }
        states.insert(at, state);
    }
    None
}

/// What some sequence of vertices costs, as the search counts.
fn known(graph: &Graph, frame: &Frame) -> u64 {
    let Ok(chain) = "lm,reverse".parse() else { return u64::MAX };
    let mut state = frame.dense(graph);
    let steps = eliminate(graph, Technique::Vertex, &chain).steps;
    // What cancels for those who know values, a table does not see: it has vertices left then.
    let rest = (0..frame.len() as u32).filter(|&v| frame.role(v) != Role::Input).map(Step::Vertex);
    let steps = steps.into_iter().filter_map(|step| frame.inner(step)).chain(rest);
    steps.map(|step| u64::from(state.apply(step))).sum()
}

/// The steps that lead to a state.
fn way(frame: &Frame, nodes: &[Node], at: usize) -> Vec<Step> {
    let mut way = Vec::new();
    let mut node = &nodes[at];
    while let Some(step) = node.step {
        way.extend(frame.outer(step));
        node = &nodes[node.before];
    }
    way.reverse();
    way
}

/// What can be eliminated; where one elimination is certainly part of an optimal sequence, that.
fn steps(frame: &Frame, state: &Dense<'_>, technique: Technique, generic: bool) -> Vec<Step> {
    let mut steps = Vec::new();
    for v in (0..frame.len() as u32).filter(|&v| frame.role(v) != Role::Input) {
        let (pred, succ) = (state.pred(v), state.succ(v));
        let (p, s) = (members(pred).count(), members(succ).count());
        if p == 0 || s == 0 {
            continue;
        }
        let output = frame.role(v) == Role::Output;
        match technique {
            Technique::Vertex => {
                // It costs 1 whenever it is eliminated, and makes no other vertex dearer.
                if generic && p == 1 && s == 1 && !output {
                    return vec![Step::Vertex(v)];
                }
                steps.push(Step::Vertex(v));
            }
            Technique::Edge | Technique::Face => {
                if !output {
                    steps.extend(members(pred).map(|i| Step::Front(i, v)));
                }
                // With one edge on either side front and back are the same.
                if output || p > 1 || s > 1 {
                    steps.extend(members(succ).map(|k| Step::Back(v, k)));
                }
            }
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_graph;

    fn every_order(state: &Dense<'_>, left: &[u32]) -> u64 {
        let order = left.iter().enumerate().map(|(at, &v)| {
            let mut next = state.clone();
            let cost = u64::from(next.apply(Step::Vertex(v)));
            cost + every_order(&next, &[&left[..at], &left[at + 1..]].concat())
        });
        order.min().unwrap_or(0)
    }

    #[test]
    fn constants_do_not_mislead_the_bound() {
        let mut constants = 0;
        for seed in 0..40 {
            let graph = random_graph(seed, 3, 6, 2);
            let frame = Frame::new(&graph).expect("small");
            let state = frame.dense(&graph);
            constants += usize::from(state.by_variables().is_some());
            let all = 0..frame.len() as u32;
            let inner: Vec<u32> = all.filter(|&v| frame.role(v) != Role::Input).collect();
            let least = every_order(&state, &inner);
            let found = exact(&graph, Technique::Vertex, 200_000).expect("small");
            assert!(found.optimal.is_some());
            assert_eq!(found.at_least, least, "seed {seed}");
            assert!(state.bound(&frame) <= least, "seed {seed}");
        }
        assert!(constants > 10, "{constants} graphs with constants");
    }
}
