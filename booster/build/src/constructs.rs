//! Constructs in a flow graph: where one ends, and graphs without some of their vertices.

use std::collections::HashMap;

use xaif_schema::model::{Cfg, Edge, VertexId, VertexKind};

/// The end of the construct that begins at this position of the layout, and what stands behind its head, the end
/// included.
pub fn construct_at(cfg: &Cfg, start: usize) -> Option<(VertexId, &[VertexId])> {
    let head = *cfg.layout.get(start)?;
    let opens = |vertex: VertexId| match &cfg.vertices[vertex].kind {
        VertexKind::Branch { form, .. } => form.has_end(),
        VertexKind::ForLoop { .. }
        | VertexKind::PreLoop { .. }
        | VertexKind::PostLoop { .. }
        | VertexKind::ConcurrentLoop { .. } => true,
        _ => false,
    };
    if !opens(head) {
        return None;
    }
    let mut depth = 0_usize;
    for (number, &vertex) in cfg.layout.iter().enumerate().skip(start) {
        if opens(vertex) {
            depth += 1;
        }
        if matches!(cfg.vertices[vertex].kind, VertexKind::EndBranch | VertexKind::EndLoop) {
            depth -= 1;
            if depth == 0 {
                return Some((vertex, &cfg.layout[start + 1..=number]));
            }
        }
    }
    None
}

/// Numbers the vertices that stay anew, in the order of the text; what led from or to others goes.
pub fn keep_vertices(cfg: &mut Cfg, stays: impl Fn(VertexId) -> bool) {
    let old = std::mem::take(cfg);
    let mut numbers: HashMap<VertexId, VertexId> = HashMap::new();
    for vertex in old.layout.into_iter().filter(|&vertex| stays(vertex)) {
        numbers.insert(vertex, cfg.push(old.vertices[vertex].clone()));
    }
    for edge in old.edges.values() {
        if let (Some(&source), Some(&target)) =
            (numbers.get(&edge.source), numbers.get(&edge.target))
        {
            cfg.edges.push(Edge { source, target, ..edge.clone() });
        }
    }
    cfg.structured = old.structured;
}
