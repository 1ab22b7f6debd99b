//! The scopes in which the vertices of a body stand in the text.
//!
//! Only a basic block says its scope. What else stands in the text, and the blocks that rewriters put
//! before and behind it, stand in the scope around.

use xaif_schema::model::{
    Cfg, Document, ScopeId, SecondaryMap, StmtId, StmtKind, VertexId, VertexKind,
};

/// The scope that each vertex stands in; `outer`: that of the procedure. A construct is selected by
/// what stands before it, and its end stands where its head does, not in its last arm.
pub fn scopes_at(doc: &Document, cfg: &Cfg, outer: ScopeId) -> SecondaryMap<VertexId, ScopeId> {
    let mut found = SecondaryMap::with_default(outer);
    let mut current = outer;
    let mut around = Vec::new();
    for &vertex in &cfg.layout {
        match &cfg.vertices[vertex].kind {
            VertexKind::BasicBlock { scope, stmts } => {
                found[vertex] = *scope;
                current = behind(doc, *scope, stmts);
                continue;
            }
            VertexKind::Branch { form, .. } if form.has_end() => around.push(current),
            VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. } => around.push(current),
            VertexKind::EndBranch | VertexKind::EndLoop => {
                current = around.pop().unwrap_or(current);
            }
            VertexKind::Branch { .. }
            | VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => {}
        }
        found[vertex] = current;
    }
    found
}

/// The scope behind the statements of a block that stands in `scope`.
fn behind(doc: &Document, scope: ScopeId, stmts: &[StmtId]) -> ScopeId {
    let mut closed = stmts.iter().filter_map(|&stmt| match doc.stmts[stmt].kind {
        StmtKind::CloseScope(closed) => doc.scopes[closed].parent,
        _ => None,
    });
    closed.next_back().unwrap_or(scope)
}
