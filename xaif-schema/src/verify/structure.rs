//! The structure that our front-ends keep: constructs along the layout, and the edges that go with
//! them.

use std::collections::HashMap;

use super::{At, Graph, Verifier, graph};
use crate::diag::Code;
use crate::model::{Cfg, Edge, EntityRef, VertexId, VertexKind};

/// What is open at a vertex of the layout.
enum Open {
    Branch(VertexId),
    Loop(VertexId),
}

/// What a vertex is to the structure.
enum Part {
    Opens(Open),
    ClosesBranch,
    ClosesLoop,
    Jumps,
    Plain,
}

fn part(id: VertexId, kind: &VertexKind) -> Part {
    match kind {
        VertexKind::Branch { form, .. } if form.has_end() => Part::Opens(Open::Branch(id)),
        VertexKind::Branch { .. } => Part::Plain,
        VertexKind::ForLoop { .. }
        | VertexKind::PreLoop { .. }
        | VertexKind::PostLoop { .. }
        | VertexKind::ConcurrentLoop { .. } => Part::Opens(Open::Loop(id)),
        VertexKind::EndBranch => Part::ClosesBranch,
        VertexKind::EndLoop => Part::ClosesLoop,
        VertexKind::Goto(_) | VertexKind::Label { .. } => Part::Jumps,
        VertexKind::Entry(_) | VertexKind::Exit | VertexKind::BasicBlock { .. } => Part::Plain,
    }
}

pub(super) fn check(verifier: &mut Verifier<'_>) {
    for (graph, cfg) in graph::all(verifier.doc) {
        let mut edges: HashMap<VertexId, Vec<&Edge>> = HashMap::new();
        cfg.edges.values().for_each(|edge| edges.entry(edge.source).or_default().push(edge));
        let mut position = vec![0usize; cfg.vertices.len()];
        cfg.layout.iter().enumerate().for_each(|(i, vertex)| position[vertex.index()] = i);
        let view = View { graph, cfg, edges, position };
        check_constructs(verifier, &view);
        for &vertex in &cfg.layout {
            if matches!(part(vertex, &cfg.vertices[vertex].kind), Part::Jumps) {
                check_jump(verifier, &view, vertex);
            }
        }
    }
}

struct View<'a> {
    graph: Graph,
    cfg: &'a Cfg,
    edges: HashMap<VertexId, Vec<&'a Edge>>,
    /// The place of each vertex in the layout.
    position: Vec<usize>,
}

impl View<'_> {
    fn out(&self, vertex: VertexId) -> &[&Edge] {
        self.edges.get(&vertex).map_or(&[], Vec::as_slice)
    }

    fn position(&self, vertex: VertexId) -> usize {
        self.position[vertex.index()]
    }

    fn at(&self, vertex: VertexId) -> At {
        At::Vertex(self.graph, vertex)
    }
}

/// OX0220: constructs close in the reverse order in which they open.
fn check_constructs(verifier: &mut Verifier<'_>, view: &View<'_>) {
    let mut open = Vec::new();
    for &vertex in &view.cfg.layout {
        match part(vertex, &view.cfg.vertices[vertex].kind) {
            Part::Opens(construct) => open.push(construct),
            Part::ClosesBranch => match open.pop() {
                Some(Open::Branch(start)) => check_branch(verifier, view, start, vertex),
                Some(Open::Loop(_)) | None => {
                    let message = "the end of a branch closes no branch";
                    return verifier.report(Code::BAD_NESTING, view.at(vertex), message);
                }
            },
            Part::ClosesLoop => match open.pop() {
                Some(Open::Loop(start)) => check_loop(verifier, view, start, vertex),
                Some(Open::Branch(_)) | None => {
                    let message = "the end of a loop closes no loop";
                    return verifier.report(Code::BAD_NESTING, view.at(vertex), message);
                }
            },
            Part::Jumps | Part::Plain => (),
        }
    }
    for construct in open {
        let (Open::Branch(start) | Open::Loop(start)) = construct;
        verifier.report(Code::BAD_NESTING, view.at(start), "the construct is never closed");
    }
}

/// OX0221: an arm begins with a basic block inside the construct, or there is none.
fn check_branch(verifier: &mut Verifier<'_>, view: &View<'_>, start: VertexId, end: VertexId) {
    for edge in view.out(start) {
        if edge.target == end {
            continue;
        }
        let inside = view.position(start) < view.position(edge.target)
            && view.position(edge.target) < view.position(end);
        let block = matches!(view.cfg.vertices[edge.target].kind, VertexKind::BasicBlock { .. });
        if !inside || !block {
            let message = format!("the arm at {} does not begin with a block inside", edge.target);
            verifier.report(Code::BAD_ARM, view.at(start), message);
        }
    }
}

/// OX0222: the edges of a loop.
fn check_loop(verifier: &mut Verifier<'_>, view: &View<'_>, start: VertexId, end: VertexId) {
    // The condition of a `PostLoop` is evaluated at its end.
    if matches!(view.cfg.vertices[start].kind, VertexKind::PostLoop { .. }) {
        return;
    }
    let after = |vertex: VertexId| view.cfg.layout.get(view.position(vertex) + 1).copied();
    let body = after(start);
    let enters = |edge: &&&Edge| edge.condition == Some(1);
    match view.out(start).iter().find(enters) {
        Some(edge) if Some(edge.target) == body => (),
        Some(_) | None => {
            let message = "no edge with condition 1 leads into the body of the loop";
            verifier.report(Code::BAD_LOOP_EDGES, view.at(start), message);
        }
    }
    if let Some(body) = body
        && !matches!(view.cfg.vertices[body].kind, VertexKind::BasicBlock { .. })
    {
        let message = "the body of the loop does not begin with a block";
        verifier.report(Code::BAD_LOOP_EDGES, view.at(start), message);
    }
    let forever =
        matches!(view.cfg.vertices[start].kind, VertexKind::PreLoop { forever: true, .. });
    match view.out(start).iter().find(|edge| edge.condition.is_none()) {
        Some(edge) if view.position(edge.target) > view.position(end) => (),
        None if forever => (),
        Some(_) | None => {
            let message = "no edge without a condition leads behind the end of the loop";
            verifier.report(Code::BAD_LOOP_EDGES, view.at(start), message);
        }
    }
    if !view.out(end).iter().any(|edge| edge.target == start) {
        let message = "the end of the loop does not lead back to its beginning";
        verifier.report(Code::BAD_LOOP_EDGES, view.at(end), message);
    }
}

/// OX0223: a jump and a label have one edge, without a condition.
fn check_jump(verifier: &mut Verifier<'_>, view: &View<'_>, vertex: VertexId) {
    match view.out(vertex) {
        [edge] if edge.condition.is_none() => (),
        _ => {
            let message = "a jump or label has exactly one way on, without a condition";
            verifier.report(Code::BAD_JUMP, view.at(vertex), message);
        }
    }
}
