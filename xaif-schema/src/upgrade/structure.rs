//! Control flow as our front-ends write it: vertices in the order of a text, and a block at the
//! beginning of each arm and body, an end to each branch.
//!
//! A XAIF 1.0 document lists its vertices in any order, and an arm may lead straight to another
//! construct. A branch all of whose arms leave has no end there; here its arms are jumps. Edges
//! decide there what follows what; so an empty block in an edge changes nothing.

use std::collections::HashMap;

use crate::inspect::flow::Flow;
use crate::model::{
    Body, Cfg, Document, EdgeId, EntityRef as _, Jump, ProcId, ScopeId, Vertex, VertexId,
    VertexKind,
};

/// Brings the graphs of all procedures into order.
pub(super) fn normalise(doc: &mut Document) {
    let ids: Vec<ProcId> = doc.procs.keys().collect();
    for id in ids {
        let scope = doc.procs[id].scope;
        if let Body::Flow(cfg) = &mut doc.procs[id].body {
            normalise_graph(cfg, scope);
        }
    }
}

/// Where a new block goes.
enum Spot {
    Before(VertexId),
    After(VertexId),
}

/// Lets what begins the next iteration of a loop (CONTINUE) lead to the end of the loop. A XAIF 1.0 document
/// may lead straight to the head, which for ours is a jump into the loop.
fn close_rounds(cfg: &mut Cfg) {
    let flow = Flow::new(cfg);
    let position = |vertex: VertexId| flow.nodes[vertex].position;
    let ends: Vec<(EdgeId, VertexId)> = cfg
        .edges
        .iter()
        .filter_map(|(id, edge)| {
            let head = edge.target;
            let counts = matches!(
                cfg.vertices[head].kind,
                VertexKind::ForLoop { .. } | VertexKind::PreLoop { .. }
            );
            let end = flow.nodes[head].mate.filter(|_| counts)?;
            let inside =
                position(head) < position(edge.source) && position(edge.source) < position(end);
            inside.then_some((id, end))
        })
        .collect();
    ends.into_iter().for_each(|(edge, end)| cfg.edges[edge].target = end);
}

fn normalise_graph(cfg: &mut Cfg, scope: ScopeId) {
    close_rounds(cfg);
    let flow = Flow::new(cfg);
    cfg.layout.clone_from(&flow.order);
    let mut wanted: Vec<(Spot, EdgeId, bool)> = Vec::new();
    let mut unclosed: Vec<VertexId> = Vec::new();
    for &vertex in &flow.order {
        let Some(mate) = flow.nodes[vertex].mate else {
            if opens_branch(&cfg.vertices[vertex].kind) {
                wanted.extend(flow.out[vertex].iter().map(|&e| (Spot::After(vertex), e, true)));
                unclosed.push(vertex);
            }
            continue;
        };
        let position = |vertex: VertexId| flow.nodes[vertex].position;
        match cfg.vertices[vertex].kind {
            VertexKind::Branch { .. } => {
                for &edge in &flow.out[vertex] {
                    let target = cfg.edges[edge].target;
                    let inside =
                        position(vertex) < position(target) && position(target) < position(mate);
                    let spot = if inside { Spot::Before(target) } else { Spot::Before(mate) };
                    if target != mate && !(inside && is_block(cfg, target)) {
                        wanted.push((spot, edge, !inside));
                    }
                }
            }
            VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. } => {
                for &edge in &flow.out[vertex] {
                    let target = cfg.edges[edge].target;
                    let next = position(target) == position(vertex) + 1;
                    if cfg.edges[edge].condition == Some(1) && !(next && is_block(cfg, target)) {
                        wanted.push((Spot::After(vertex), edge, false));
                    }
                }
            }
            VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::BasicBlock { .. }
            | VertexKind::EndBranch
            | VertexKind::EndLoop
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => {}
        }
    }
    insert(cfg, scope, wanted, unclosed);
}

/// Whether a branch is one that a text closes.
fn opens_branch(kind: &VertexKind) -> bool {
    match kind {
        VertexKind::Branch { form, .. } => form.has_end(),
        VertexKind::ForLoop { .. }
        | VertexKind::PreLoop { .. }
        | VertexKind::PostLoop { .. }
        | VertexKind::ConcurrentLoop { .. }
        | VertexKind::Entry(_)
        | VertexKind::Exit
        | VertexKind::BasicBlock { .. }
        | VertexKind::EndBranch
        | VertexKind::EndLoop
        | VertexKind::Goto(_)
        | VertexKind::Label { .. } => false,
    }
}

fn is_block(cfg: &Cfg, vertex: VertexId) -> bool {
    matches!(cfg.vertices[vertex].kind, VertexKind::BasicBlock { .. })
}

/// Puts an empty block (and, where it leads out of the construct, a jump) into each of the edges,
/// and closes the branches `unclosed` behind theirs.
fn insert(
    cfg: &mut Cfg,
    scope: ScopeId,
    wanted: Vec<(Spot, EdgeId, bool)>,
    unclosed: Vec<VertexId>,
) {
    let mut before: HashMap<usize, Vec<VertexId>> = HashMap::new();
    let mut after: HashMap<usize, Vec<VertexId>> = HashMap::new();
    for (spot, edge, jumps) in wanted {
        let (source, target) = (cfg.edges[edge].source, cfg.edges[edge].target);
        let place = cfg.vertices[source].place;
        let kind = VertexKind::BasicBlock { scope, stmts: Vec::new() };
        let block = cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
        let mut made = vec![block];
        cfg.edges[edge].target = block;
        let mut last = block;
        if jumps {
            let kind = VertexKind::Goto(Jump::Goto);
            last = cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
            cfg.connect(block, last);
            made.push(last);
        }
        cfg.connect(last, target);
        match spot {
            Spot::Before(vertex) => before.entry(vertex.index()).or_default().extend(made),
            Spot::After(vertex) => after.entry(vertex.index()).or_default().extend(made),
        }
    }
    for vertex in unclosed {
        let place = cfg.vertices[vertex].place;
        let end = cfg.vertices.push(Vertex {
            kind: VertexKind::EndBranch,
            place,
            id: None,
            recorded: None,
        });
        after.entry(vertex.index()).or_default().push(end);
    }
    let layout = std::mem::take(&mut cfg.layout);
    for vertex in layout {
        cfg.layout.extend(before.remove(&vertex.index()).unwrap_or_default());
        cfg.layout.push(vertex);
        cfg.layout.extend(after.remove(&vertex.index()).unwrap_or_default());
    }
}
