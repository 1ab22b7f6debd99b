//! `else if` in the backward sweep.
//!
//! Each branch is mirrored by itself, so that the mirror of `else if` is an IF in an ELSE. Where such
//! an IF is all that the ELSE holds it is written as the chain that it was.

use std::collections::HashMap;

use xaif_schema::model::{BranchForm, Cfg, EdgeId, VertexId, VertexKind};

/// Makes `else if` of IF constructs that are all that an ELSE holds.
pub(super) fn chain(cfg: &mut Cfg) {
    let ends = ends(cfg);
    let (mut into, mut out): (HashMap<VertexId, Vec<EdgeId>>, HashMap<VertexId, Vec<EdgeId>>) =
        (HashMap::new(), HashMap::new());
    for (id, edge) in cfg.edges.iter() {
        into.entry(edge.target).or_default().push(id);
        out.entry(edge.source).or_default().push(id);
    }
    let only = |map: &HashMap<VertexId, Vec<EdgeId>>, vertex: VertexId| match map.get(&vertex) {
        Some(list) => match list[..] {
            [edge] => Some(edge),
            _ => None,
        },
        None => None,
    };
    let is_empty = |cfg: &Cfg, vertex: VertexId| match &cfg.vertices[vertex].kind {
        VertexKind::BasicBlock { stmts, .. } => stmts.is_empty(),
        _ => false,
    };
    let is_if = |cfg: &Cfg, vertex: VertexId| {
        matches!(
            cfg.vertices[vertex].kind,
            VertexKind::Branch { form: BranchForm::If | BranchForm::ElseIf, name: None, .. }
        )
    };
    let alone = |inner: VertexId| -> Option<()> {
        let block = cfg.edges[only(&into, inner)?].source;
        let arm = &cfg.edges[only(&into, block)?];
        let outer = arm.source;
        let otherwise = arm.condition.is_none() && arm.guard.is_none();
        let mut behind = cfg.edges[only(&out, *ends.get(&inner)?)?].target;
        if is_empty(cfg, behind) {
            only(&into, behind)?;
            behind = cfg.edges[only(&out, behind)?].target;
        }
        let closes = ends.get(&outer) == Some(&behind);
        (is_empty(cfg, block) && otherwise && is_if(cfg, outer) && closes).then_some(())
    };
    let chained: Vec<VertexId> = cfg
        .layout
        .iter()
        .copied()
        .filter(|&vertex| {
            let plain = matches!(
                cfg.vertices[vertex].kind,
                VertexKind::Branch { form: BranchForm::If, name: None, .. }
            );
            plain && alone(vertex).is_some()
        })
        .collect();
    for vertex in chained {
        if let VertexKind::Branch { form, .. } = &mut cfg.vertices[vertex].kind {
            *form = BranchForm::ElseIf;
        }
    }
}

/// The end of each IF construct.
fn ends(cfg: &Cfg) -> HashMap<VertexId, VertexId> {
    let mut ends = HashMap::new();
    let mut open: Vec<Option<VertexId>> = Vec::new();
    for &vertex in &cfg.layout {
        match &cfg.vertices[vertex].kind {
            VertexKind::Branch { form, .. } if !form.has_end() => {}
            VertexKind::Branch { .. } => open.push(Some(vertex)),
            VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. } => open.push(None),
            VertexKind::EndBranch | VertexKind::EndLoop => {
                if let Some(Some(branch)) = open.pop() {
                    ends.insert(branch, vertex);
                }
            }
            VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::BasicBlock { .. }
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => {}
        }
    }
    ends
}
