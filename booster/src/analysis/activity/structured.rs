//! The same equations on structured flow graphs: paper 1, Figures 3 and 5.
//!
//! Where every construct is entered at its beginning and left at its end, the equations are
//! explicit: a sequence is a composition, a branch a union, a loop the closure of the relation of
//! its body. Nothing is iterated. Constructs may nest as deep as they like: the graph is read as a
//! list of items with an explicit stack.

use std::collections::{BTreeMap, BTreeSet};

use xaif_schema::model::{Cfg, EdgeId, SecondaryMap, VertexId, VertexKind};

use super::dep::{Dep, Effect, VarSet, useful_through, varied_through};
use super::equations::{Effects, Points};
use crate::flow::{steps_of_edge, steps_of_vertex};

/// A flow graph as nested constructs, in the order of the text.
#[derive(Clone, Debug)]
pub(super) struct Structure<'c> {
    cfg: &'c Cfg,
    items: Vec<Item>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    /// A vertex that is no construct.
    Plain(VertexId),
    /// A branch begins.
    OpenBranch(VertexId),
    /// An arm of the innermost branch begins.
    Arm,
    /// A branch ends; `passed` where control may come here without passing an arm.
    CloseBranch { end: VertexId, passed: bool },
    /// A loop begins.
    OpenLoop(LoopEdges),
    /// A loop ends.
    CloseLoop(LoopEdges),
}

/// The edges of a loop on which something may be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LoopEdges {
    head: VertexId,
    /// The way into the loop.
    enter: EdgeId,
    /// The `EndLoop` vertex.
    end: VertexId,
    /// The way back from it.
    back: EdgeId,
}

/// What is open while the graph is read.
enum Open {
    Branch { vertex: VertexId, ends: Vec<VertexId>, arms: usize },
    Loop { head: VertexId, enter: EdgeId, item: usize },
}

impl<'c> Structure<'c> {
    /// The structure of `cfg`; `None` where it is not structured: a jump, several entries, a loop
    /// that is left from the inside. Whatever its vertices pretend, the edges decide.
    pub(super) fn new(cfg: &'c Cfg) -> Option<Self> {
        let edges = cfg.edges.iter().map(|(id, edge)| ((edge.source, edge.target), id)).collect();
        let mut reader =
            Reader { cfg, edges, items: Vec::new(), open: Vec::new(), expected: BTreeSet::new() };
        let mut last: Option<VertexId> = None;
        for &vertex in &cfg.layout {
            last = Some(reader.read(vertex, last)?);
        }
        let whole = reader.open.is_empty() && reader.expected.iter().eq(reader.edges.keys());
        whole.then_some(Structure { cfg, items: reader.items })
    }
}

struct Reader<'c> {
    cfg: &'c Cfg,
    edges: BTreeMap<(VertexId, VertexId), EdgeId>,
    items: Vec<Item>,
    open: Vec<Open>,
    /// The edges that the constructs imply.
    expected: BTreeSet<(VertexId, VertexId)>,
}

impl Reader<'_> {
    /// Reads the next vertex of the layout; `last` is where control comes from. Returns where it
    /// goes on from.
    fn read(&mut self, vertex: VertexId, last: Option<VertexId>) -> Option<VertexId> {
        let kind = &self.cfg.vertices[vertex].kind;
        let Some(last) = last else {
            self.items.push(Item::Plain(vertex));
            return matches!(kind, VertexKind::Entry(_)).then_some(vertex);
        };
        let from = self.begin_arm(vertex, last);
        self.expected.insert((from, vertex));
        match kind {
            VertexKind::Entry(_) | VertexKind::PostLoop { .. } => return None,
            VertexKind::BasicBlock { .. }
            | VertexKind::Exit
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => self.items.push(Item::Plain(vertex)),
            VertexKind::Branch { .. } => {
                self.open.push(Open::Branch { vertex, ends: Vec::new(), arms: 0 });
                self.items.push(Item::OpenBranch(vertex));
            }
            VertexKind::EndBranch => self.close_branch(vertex)?,
            VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::ConcurrentLoop { .. } => {
                let enter = self.edge(from, vertex)?;
                self.open.push(Open::Loop { head: vertex, enter, item: self.items.len() });
                // Replaced when the end of the loop is known.
                self.items.push(Item::Plain(vertex));
            }
            VertexKind::EndLoop => return self.close_loop(vertex),
        }
        Some(vertex)
    }

    /// If `vertex` begins an arm of the innermost branch, notes that. Returns where control comes
    /// from.
    fn begin_arm(&mut self, vertex: VertexId, last: VertexId) -> VertexId {
        let cfg = self.cfg;
        let Some(Open::Branch { vertex: branch, ends, arms }) = self.open.last_mut() else {
            return last;
        };
        let is_end = matches!(cfg.vertices[vertex].kind, VertexKind::EndBranch);
        if is_end || !self.edges.contains_key(&(*branch, vertex)) {
            return last;
        }
        if *arms > 0 {
            ends.push(last);
        }
        *arms += 1;
        self.items.push(Item::Arm);
        *branch
    }

    fn close_branch(&mut self, end: VertexId) -> Option<()> {
        let Some(Open::Branch { vertex, ends, .. }) = self.open.pop() else { return None };
        self.expected.extend(ends.into_iter().map(|last| (last, end)));
        let passed = self.edge(vertex, end).is_some();
        if passed {
            self.expected.insert((vertex, end));
        }
        self.items.push(Item::CloseBranch { end, passed });
        Some(())
    }

    fn close_loop(&mut self, end: VertexId) -> Option<VertexId> {
        let Some(Open::Loop { head, enter, item }) = self.open.pop() else { return None };
        let back = self.edge(end, head)?;
        self.expected.insert((end, head));
        let edges = LoopEdges { head, enter, end, back };
        *self.items.get_mut(item)? = Item::OpenLoop(edges);
        self.items.push(Item::CloseLoop(edges));
        Some(head)
    }

    fn edge(&self, source: VertexId, target: VertexId) -> Option<EdgeId> {
        self.edges.get(&(source, target)).copied()
    }
}

/// The closures of the loops of a procedure: for each head, what any number of rounds does, from
/// where the condition has been evaluated to where it has been evaluated the last time.
pub(super) type Loops = SecondaryMap<VertexId, Option<Dep>>;

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
pub(super) fn dep(structure: &Structure<'_>, effects: &Effects) -> (Dep, Loops) {
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
pub(super) fn varied(
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
pub(super) fn useful(
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
