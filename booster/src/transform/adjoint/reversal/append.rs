//! Both sweeps as one body.

use xaif_schema::model::{
    Cfg, Document, Edge, Jump, SecondaryMap, StmtKind, Verb, VertexId, VertexKind,
};

/// The forward sweep and then the backward sweep as one body: whatever leads to the end of the
/// forward sweep (but STOP) goes on to the beginning of the backward sweep. The number of an
/// alternate return is dropped: who calls this procedure knows where control goes on.
pub fn append(doc: &Document, forward: Cfg, backward: Cfg) -> Cfg {
    let mut cfg = forward;
    let Some(old_exit) = find(&cfg, true) else { return backward };
    // The two sweeps meet in a label, to which RETURN jumps.
    cfg.vertices[old_exit].kind = VertexKind::Label { label: None };
    cfg.layout.retain(|&vertex| vertex != old_exit);
    cfg.layout.push(old_exit);
    let mut map: SecondaryMap<VertexId, VertexId> = SecondaryMap::with_default(old_exit);
    let (entry, mut exit) = (find(&backward, false), old_exit);
    for &vertex in backward.layout.iter().filter(|&&vertex| Some(vertex) != entry) {
        map[vertex] = cfg.push(backward.vertices[vertex].clone());
        if matches!(backward.vertices[vertex].kind, VertexKind::Exit) {
            exit = map[vertex];
        }
    }
    for edge in cfg.edges.values_mut().filter(|edge| edge.target == old_exit) {
        match &mut cfg.vertices[edge.source].kind {
            VertexKind::Goto(Jump::Stop) => edge.target = exit,
            VertexKind::Goto(jump) => *jump = Jump::Goto,
            _ => {}
        }
    }
    for vertex in cfg.vertices.values_mut() {
        if let VertexKind::BasicBlock { stmts, .. } = &mut vertex.kind {
            stmts.retain(|&stmt| {
                !matches!(&doc.stmts[stmt].kind,
                    StmtKind::Marker(marker) if marker.verb == Verb::Return)
            });
        }
    }
    for edge in backward.edges.values() {
        let (source, target) = (map[edge.source], map[edge.target]);
        cfg.edges.push(Edge { source, target, ..edge.clone() });
    }
    cfg.structured = None;
    cfg
}

/// The exit or the entry of a graph.
fn find(cfg: &Cfg, exit: bool) -> Option<VertexId> {
    cfg.layout.iter().copied().find(|&vertex| match cfg.vertices[vertex].kind {
        VertexKind::Exit => exit,
        VertexKind::Entry(None) => !exit,
        _ => false,
    })
}
