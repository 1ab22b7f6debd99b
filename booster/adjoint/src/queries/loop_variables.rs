//! The variables of counted loops: nothing may change them within (Fortran 2018, 11.1.7.4.3), so they
//! need not be recorded there, nor may a backward sweep set them.

use std::collections::HashMap;

use xaif_schema::model::{
    Body, Document, ForForm, ProcId, RefId, StmtId, StmtKind, SymbolId, VertexId, VertexKind,
};

/// The variables of the counted loops around each statement that stands in one.
pub(crate) fn counting(doc: &Document) -> HashMap<StmtId, Vec<SymbolId>> {
    let mut found = HashMap::new();
    for proc in doc.procs.keys() {
        let Body::Flow(cfg) = &doc.procs[proc].body else { continue };
        for (vertex, counters) in around(doc, proc) {
            let VertexKind::BasicBlock { stmts, .. } = &cfg.vertices[vertex].kind else { continue };
            if !counters.is_empty() {
                found.extend(stmts.iter().map(|&stmt| (stmt, counters.clone())));
            }
        }
    }
    found
}

/// The same for each branch.
pub(crate) fn counters(doc: &Document, proc: ProcId) -> HashMap<VertexId, Vec<SymbolId>> {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return HashMap::new() };
    let is_branch =
        |&vertex: &VertexId| matches!(cfg.vertices[vertex].kind, VertexKind::Branch { .. });
    around(doc, proc).into_iter().filter(|(vertex, _)| is_branch(vertex)).collect()
}

/// The same for each block and branch, in the order of the text.
fn around(doc: &Document, proc: ProcId) -> Vec<(VertexId, Vec<SymbolId>)> {
    let Body::Flow(cfg) = &doc.procs[proc].body else { return Vec::new() };
    let mut found = Vec::new();
    let mut around: Vec<Option<SymbolId>> = Vec::new();
    for &vertex in &cfg.layout {
        match &cfg.vertices[vertex].kind {
            VertexKind::ForLoop { init, form: ForForm::Counted, .. } => {
                let plain =
                    |lhs: RefId| doc.refs[lhs].parts.is_empty().then_some(doc.refs[lhs].base);
                around.push(match doc.stmts[*init].kind {
                    StmtKind::Assign { lhs, .. } => plain(lhs),
                    _ => None,
                });
            }
            VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. } => around.push(None),
            VertexKind::EndLoop => {
                around.pop();
            }
            VertexKind::Branch { .. } | VertexKind::BasicBlock { .. } => {
                found.push((vertex, around.iter().flatten().copied().collect()));
            }
            VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::EndBranch
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => {}
        }
    }
    found
}
