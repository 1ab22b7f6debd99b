//! An order of the vertices that is good for text, for graphs whose layout is not.
//!
//! From the entry on: the arms of a branch one after the other, then its end; the body of a loop,
//! its end, then what follows it. What a jump leads to is placed last, unless something else leads
//! to it before. Nothing is left out, not even what cannot be reached. The order has no influence
//! on what the program does: every edge that it does not make natural becomes a jump.

use std::collections::{HashMap, VecDeque};

use xaif_schema::model::{VertexId, VertexKind};

use crate::graph::Graph;

enum Task {
    /// Place it if it is neither placed nor reserved.
    Visit(VertexId),
    /// Its reservation ends here: place it.
    Release(VertexId),
}

/// All vertices in an order that follows the flow; the exit is the last.
pub fn walk(graph: &Graph<'_>) -> Vec<VertexId> {
    let mut walk = Walk {
        graph,
        placed: HashMap::new(),
        order: Vec::new(),
        reserved: HashMap::new(),
        later: VecDeque::new(),
    };
    let exit = graph.exit();
    if let Some(exit) = exit {
        walk.reserved.insert(exit, 1);
    }
    let is_entry = |vertex: &VertexId| matches!(graph.kind(*vertex), VertexKind::Entry(None));
    let entries = graph.cfg.layout.iter().copied().filter(is_entry);
    let all = graph.cfg.vertices.keys();
    for start in entries.chain(graph.cfg.layout.iter().copied()).chain(all) {
        walk.run(start);
    }
    if let Some(exit) = exit {
        walk.order.push(exit);
    }
    walk.order
}

struct Walk<'g, 'd> {
    graph: &'g Graph<'d>,
    placed: HashMap<VertexId, ()>,
    order: Vec<VertexId>,
    /// Vertices that a construct around will place at its end.
    reserved: HashMap<VertexId, u32>,
    /// Targets of jumps.
    later: VecDeque<VertexId>,
}

impl Walk<'_, '_> {
    fn run(&mut self, start: VertexId) {
        let mut tasks = vec![Task::Visit(start)];
        loop {
            let vertex = match tasks.pop() {
                Some(Task::Visit(vertex)) => vertex,
                Some(Task::Release(vertex)) => {
                    if let Some(count) = self.reserved.get_mut(&vertex) {
                        *count = count.saturating_sub(1);
                    }
                    vertex
                }
                None => match self.later.pop_front() {
                    Some(vertex) => vertex,
                    None => return,
                },
            };
            let reserved = self.reserved.get(&vertex).is_some_and(|&count| count > 0);
            if reserved || self.placed.insert(vertex, ()).is_some() {
                continue;
            }
            self.order.push(vertex);
            self.follow(vertex, &mut tasks);
        }
    }

    fn reserve(&mut self, vertex: VertexId) {
        *self.reserved.entry(vertex).or_default() += 1;
    }

    fn follow(&mut self, vertex: VertexId, tasks: &mut Vec<Task>) {
        let graph = self.graph;
        if graph.is_loop(vertex) {
            // What follows is placed last, so it is pushed first.
            if let Some(after) = graph.after_loop(vertex) {
                self.reserve(after);
                tasks.push(Task::Release(after));
            }
            if let Some(end) = graph.loop_ends(vertex).next() {
                self.reserve(end);
                tasks.push(Task::Release(end));
            }
            tasks.extend(graph.body_of(vertex).map(Task::Visit));
            return;
        }
        if graph.has_arms(vertex) {
            if let Some(end) = end_of_branch(graph, vertex) {
                self.reserve(end);
                tasks.push(Task::Release(end));
            }
            let (conditional, default): (Vec<_>, Vec<_>) =
                graph.out(vertex).map(|(_, edge)| edge).partition(|edge| edge.condition.is_some());
            let arms = conditional.into_iter().chain(default).map(|edge| edge.target);
            let mut arms: Vec<Task> = arms.map(Task::Visit).collect();
            arms.reverse();
            tasks.extend(arms);
            return;
        }
        let targets: Vec<VertexId> = graph.out(vertex).map(|(_, edge)| edge.target).collect();
        // What nothing else leads to may follow at once.
        let only = |target: &VertexId| graph.incoming(*target).count() == 1;
        if matches!(graph.kind(vertex), VertexKind::Goto(_)) && !targets.iter().all(only) {
            self.later.extend(targets);
        } else {
            tasks.extend(targets.into_iter().rev().map(Task::Visit));
        }
    }
}

/// The `EndBranch` of a branch: the first that closes it on a way through one of its arms; one
/// without jumps where there is one, as a jump may lead out of the branch and into another.
fn end_of_branch(graph: &Graph<'_>, branch: VertexId) -> Option<VertexId> {
    let starts: Vec<VertexId> = graph.out(branch).map(|(_, edge)| edge.target).collect();
    let close = |jumps| starts.iter().find_map(|&start| close(graph, start, jumps));
    close(false).or_else(|| close(true))
}

fn close(graph: &Graph<'_>, start: VertexId, jumps: bool) -> Option<VertexId> {
    let mut depth = 0_u32;
    let mut current = start;
    for _ in 0..graph.cfg.vertices.len() {
        match graph.kind(current) {
            VertexKind::EndBranch if depth == 0 => return Some(current),
            VertexKind::EndBranch => depth -= 1,
            VertexKind::Branch { .. } if graph.has_arms(current) => depth += 1,
            VertexKind::Goto(_) if !jumps => return None,
            // A construct ends before the loop around it does.
            VertexKind::EndLoop => return None,
            VertexKind::Goto(_)
            | VertexKind::Branch { .. }
            | VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::BasicBlock { .. }
            | VertexKind::Label { .. }
            | VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. } => {}
        }
        current = graph.next(current)?;
    }
    None
}
