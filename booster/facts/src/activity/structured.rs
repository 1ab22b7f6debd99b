//! The same equations on structured flow graphs: paper 1, Figures 3 and 5.
//!
//! Where every construct is entered at its beginning and left at its end (`flow::structure`), the
//! equations are explicit: a sequence is a composition, a branch a union, a loop the closure of the
//! relation of its body. Nothing is iterated.

use xaif_schema::model::{EdgeId, SecondaryMap, VertexId};

use super::dep::{Dep, Effect, VarSet, useful_through, varied_through};
use super::equations::{Effects, Points};
use booster_flow::structure::{Item, Structure};
use booster_flow::{steps_of_edge, steps_of_vertex};

/// The closures of the loops of a procedure: for each head, what any number of iterations does, from
/// where the condition has been evaluated to where it has been evaluated the last time.
pub type Loops = SecondaryMap<VertexId, Option<Dep>>;

/// What is executed at `vertex`, in order.
fn pieces<'e>(
    structure: &Structure<'_>,
    effects: &'e Effects,
    vertex: VertexId,
) -> Vec<&'e Effect> {
    let steps = steps_of_vertex(structure.cfg, vertex);
    steps.into_iter().flat_map(|step| effects.of(step)).collect()
}

/// What is executed along `edge`, in order.
fn pieces_of_edge<'e>(
    structure: &Structure<'_>,
    effects: &'e Effects,
    edge: EdgeId,
) -> &'e [Effect] {
    steps_of_edge(structure.cfg, edge).map_or(&[], |step| effects.of(step))
}

/// `Dep` of the whole procedure, and of its loops (Figure 3).
pub fn dep(structure: &Structure<'_>, effects: &Effects) -> (Dep, Loops) {
    struct Before {
        before: Dep,
        arms: Option<Dep>,
    }
    let mut now = Dep::identity(effects.size);
    let mut open: Vec<Before> = Vec::new();
    let mut loops = Loops::new();
    let vertex_follows = |now: &mut Dep, vertex| {
        pieces(structure, effects, vertex).into_iter().for_each(|effect| now.then_effect(effect));
    };
    let edge_follows = |now: &mut Dep, edge| {
        pieces_of_edge(structure, effects, edge).iter().for_each(|effect| now.then_effect(effect));
    };
    // The end of an arm: the ways join.
    let leave_arm = |arms: &mut Option<Dep>, now: &Dep| match arms {
        Some(arms) => {
            arms.join(now);
        }
        None => *arms = Some(now.clone()),
    };
    for (position, &item) in structure.items.iter().enumerate() {
        match item {
            Item::Plain(vertex) => vertex_follows(&mut now, vertex),
            Item::OpenBranch(vertex) => {
                vertex_follows(&mut now, vertex);
                open.push(Before { before: now.clone(), arms: None });
            }
            Item::Arm => {
                let Some(branch) = open.last_mut() else { continue };
                if !matches!(
                    structure.items.get(position.wrapping_sub(1)),
                    Some(Item::OpenBranch(_))
                ) {
                    leave_arm(&mut branch.arms, &now);
                }
                now.clone_from(&branch.before);
            }
            Item::CloseBranch { passed, .. } => {
                let Some(mut branch) = open.pop() else { continue };
                leave_arm(&mut branch.arms, &now);
                if passed {
                    leave_arm(&mut branch.arms, &branch.before);
                }
                now = branch.arms.unwrap_or(now);
            }
            Item::OpenLoop(edges) => {
                edge_follows(&mut now, edges.enter);
                vertex_follows(&mut now, edges.head);
                let body = Dep::identity(effects.size);
                open.push(Before { before: std::mem::replace(&mut now, body), arms: None });
            }
            Item::CloseLoop(edges) => {
                edge_follows(&mut now, edges.back);
                vertex_follows(&mut now, edges.head);
                now.close();
                let Some(outer) = open.pop() else { continue };
                let mut whole = outer.before;
                whole.then(&now);
                loops[edges.head] = Some(std::mem::replace(&mut now, whole));
            }
        }
    }
    (now, loops)
}

/// The varied variables at each vertex (Figure 5), where `varied` are so on entry.
pub fn varied(
    structure: &Structure<'_>,
    effects: &Effects,
    loops: &Loops,
    varied: &VarSet,
) -> Points {
    let mut points = Points::new(effects.size);
    let mut now = varied.clone();
    // For each branch the state before its arms and the union after them; for each loop the state
    // as it is entered, twice.
    let mut open: Vec<(VarSet, VarSet)> = Vec::new();
    let visit = |points: &mut Points, now: &mut VarSet, vertex| {
        points.before[vertex].clone_from(now);
        pieces(structure, effects, vertex).into_iter().for_each(|e| varied_through(e, now));
        points.after[vertex].clone_from(now);
    };
    let edge_follows = |now: &mut VarSet, edge| {
        pieces_of_edge(structure, effects, edge).iter().for_each(|e| varied_through(e, now));
    };
    for &item in &structure.items {
        match item {
            Item::Plain(vertex) => visit(&mut points, &mut now, vertex),
            Item::OpenBranch(vertex) => {
                visit(&mut points, &mut now, vertex);
                // The first arm begins by joining this with nothing.
                open.push((now.clone(), VarSet::with_capacity(effects.size)));
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
                edge_follows(&mut now, edges.enter);
                let entered = now.clone();
                visit(&mut points, &mut now, edges.head);
                if let Some(rounds) = &loops[edges.head] {
                    now = rounds.varied_after(&now);
                }
                points.after[edges.head].clone_from(&now);
                open.push((entered, now.clone()));
            }
            Item::CloseLoop(edges) => {
                visit(&mut points, &mut now, edges.end);
                edge_follows(&mut now, edges.back);
                let Some((mut entered, after)) = open.pop() else { continue };
                entered.union_with(&now);
                points.before[edges.head] = entered;
                now = after;
            }
        }
    }
    points
}

/// The useful variables at each vertex (Figure 5), where `useful` are so at the exit.
pub fn useful(
    structure: &Structure<'_>,
    effects: &Effects,
    loops: &Loops,
    useful: &VarSet,
) -> Points {
    let mut points = Points::new(effects.size);
    let mut now = useful.clone();
    // For each branch the state after its arms and the union before them.
    let mut open: Vec<(VarSet, VarSet)> = Vec::new();
    let visit = |points: &mut Points, now: &mut VarSet, vertex| {
        points.after[vertex].clone_from(now);
        pieces(structure, effects, vertex).into_iter().rev().for_each(|e| useful_through(e, now));
        points.before[vertex].clone_from(now);
    };
    let edge_precedes = |now: &mut VarSet, edge| {
        pieces_of_edge(structure, effects, edge).iter().rev().for_each(|e| useful_through(e, now));
    };
    for &item in structure.items.iter().rev() {
        match item {
            Item::Plain(vertex) => visit(&mut points, &mut now, vertex),
            Item::CloseBranch { end, passed } => {
                visit(&mut points, &mut now, end);
                let arms = if passed { now.clone() } else { VarSet::with_capacity(effects.size) };
                open.push((now.clone(), arms));
            }
            Item::Arm => {
                let Some((after, arms)) = open.last_mut() else { continue };
                arms.union_with(&now);
                now.clone_from(after);
            }
            Item::OpenBranch(vertex) => {
                now = open.pop().map_or(now, |(_, arms)| arms);
                visit(&mut points, &mut now, vertex);
            }
            Item::CloseLoop(edges) => {
                if let Some(rounds) = &loops[edges.head] {
                    now = rounds.useful_before(&now);
                }
                visit(&mut points, &mut now, edges.head);
                edge_precedes(&mut now, edges.back);
                visit(&mut points, &mut now, edges.end);
            }
            Item::OpenLoop(edges) => {
                now.clone_from(&points.before[edges.head]);
                edge_precedes(&mut now, edges.enter);
            }
        }
    }
    points
}
