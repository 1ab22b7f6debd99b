//! Which constructs of a graph can be written as constructs, given an order of its vertices.
//!
//! Openers and closers are matched like brackets. What does not match, and what the caller has
//! found to be entered from elsewhere, is flat: it is written with labels and GOTO.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{EdgeId, VertexId, VertexKind};

use crate::graph::Graph;

/// One arm of a branch.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The edges that lead into it.
    pub edges: Vec<EdgeId>,
    /// Where they lead.
    pub target: VertexId,
}

/// The constructs that can be written as such.
#[derive(Clone, Debug, Default)]
pub struct Structure {
    /// The closer of an opener.
    pub end: HashMap<VertexId, VertexId>,
    /// The opener of a closer.
    pub open: HashMap<VertexId, VertexId>,
    /// The arms of branches: those with text in the order of the text, then the others.
    pub arms: HashMap<VertexId, Vec<Arm>>,
    /// The branch and arm that begins at a vertex.
    pub arm_at: HashMap<VertexId, (VertexId, usize)>,
}

/// Where vertices stand in the text.
struct Nesting {
    place: HashMap<VertexId, usize>,
    /// For each vertex the opener of the innermost construct around it.
    around: HashMap<VertexId, Option<VertexId>>,
    /// What closes a construct.
    closers: HashSet<VertexId>,
}

/// Matches constructs in `order`, leaving out those in `flat`.
pub fn structure(graph: &Graph<'_>, order: &[VertexId], flat: &HashSet<VertexId>) -> Structure {
    let place: HashMap<VertexId, usize> = order.iter().enumerate().map(|(i, &v)| (v, i)).collect();
    let mut result = Structure::default();
    let mut around: HashMap<VertexId, Option<VertexId>> = HashMap::new();
    match_brackets(graph, order, &mut result, &mut around);
    let closers: HashSet<VertexId> = result.open.keys().copied().collect();
    let nesting = Nesting { place, around, closers };
    let openers: Vec<VertexId> = result.end.keys().copied().collect();
    for opener in openers {
        let fine = !flat.contains(&opener)
            && if graph.is_loop(opener) {
                graph.loop_ends(opener).count() == 1
            } else {
                arms(graph, order, &nesting, opener, &mut result)
            };
        if !fine && let Some(end) = result.end.remove(&opener) {
            result.open.remove(&end);
        }
    }
    result
}

fn match_brackets(
    graph: &Graph<'_>,
    order: &[VertexId],
    result: &mut Structure,
    around: &mut HashMap<VertexId, Option<VertexId>>,
) {
    let mut stack: Vec<VertexId> = Vec::new();
    for &vertex in order {
        let opener = match graph.kind(vertex) {
            VertexKind::EndBranch => stack.pop_if(|top| graph.has_arms(*top)),
            VertexKind::EndLoop => {
                let head = graph.next(vertex).filter(|&head| graph.is_loop(head));
                match head.and_then(|head| stack.iter().rposition(|&open| open == head)) {
                    Some(at) => {
                        stack.truncate(at + 1);
                        stack.pop()
                    }
                    None => None,
                }
            }
            _ => None,
        };
        around.insert(vertex, stack.last().copied());
        if let Some(opener) = opener {
            result.end.insert(opener, vertex);
            result.open.insert(vertex, opener);
        }
        if graph.is_loop(vertex) || graph.has_arms(vertex) {
            stack.push(vertex);
        }
    }
}

/// Finds the arms of a matched branch; false if its text does not begin with one of them.
fn arms(
    graph: &Graph<'_>,
    order: &[VertexId],
    Nesting { place, around, closers }: &Nesting,
    branch: VertexId,
    result: &mut Structure,
) -> bool {
    let Some(&end) = result.end.get(&branch) else { return false };
    let (Some(&from), Some(&to)) = (place.get(&branch), place.get(&end)) else { return false };
    let mut arms: Vec<Arm> = Vec::new();
    for (id, edge) in graph.out(branch) {
        match arms.iter_mut().find(|arm| arm.target == edge.target) {
            Some(arm) => arm.edges.push(id),
            None => arms.push(Arm { edges: vec![id], target: edge.target }),
        }
    }
    // What closes a construct belongs to the text before it: no arm begins there.
    let inside = |target: VertexId| {
        around.get(&target) == Some(&Some(branch))
            && !closers.contains(&target)
            && place.get(&target).is_some_and(|&at| from < at && at < to)
    };
    let key = |arm: &Arm| match inside(arm.target) {
        true => place.get(&arm.target).copied().unwrap_or(usize::MAX),
        false => usize::MAX,
    };
    arms.sort_by_key(key);
    let first = order.get(from + 1).copied();
    let begins_with_arm = first == Some(end)
        || arms.first().is_some_and(|arm| inside(arm.target) && Some(arm.target) == first);
    if !begins_with_arm {
        return false;
    }
    for (index, arm) in arms.iter().enumerate() {
        if inside(arm.target) {
            result.arm_at.insert(arm.target, (branch, index));
        }
    }
    result.arms.insert(branch, arms);
    true
}
