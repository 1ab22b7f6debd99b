//! What is executed at a vertex and along an edge, in order.
//!
//! A counting loop is one vertex in XAIF, but its parts are not executed together: the first value
//! is assigned on the way in, the next value on the way back from the end of the loop, and the
//! condition is evaluated each time. So the assignments belong to the edges. Whoever walks a graph
//! by these steps need not know that.

use xaif_schema::model::{
    Cfg, EdgeId, EntryPoint, ExprId, ForallHeader, StmtId, VertexId, VertexKind,
};

/// One thing that is executed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step<'a> {
    /// The procedure is entered; `None` is its main entry.
    Enter(Option<&'a EntryPoint>),
    /// A statement is executed.
    Stmt(StmtId),
    /// A condition or selector is evaluated.
    Evaluate(ExprId),
    /// The bounds and mask of a DO CONCURRENT are evaluated, its indices defined.
    Concurrent(&'a ForallHeader),
    /// The procedure is left.
    Leave,
}

/// What is executed when control is at `vertex`.
pub fn steps_of_vertex(cfg: &Cfg, vertex: VertexId) -> Vec<Step<'_>> {
    match &cfg.vertices[vertex].kind {
        VertexKind::Entry(point) => vec![Step::Enter(point.as_deref())],
        VertexKind::Exit => vec![Step::Leave],
        VertexKind::BasicBlock { stmts, .. } => stmts.iter().copied().map(Step::Stmt).collect(),
        VertexKind::Branch { condition, .. }
        | VertexKind::PreLoop { condition, .. }
        | VertexKind::PostLoop { condition } => condition.map(Step::Evaluate).into_iter().collect(),
        VertexKind::ForLoop { condition, .. } => vec![Step::Evaluate(*condition)],
        VertexKind::ConcurrentLoop { header, .. } => vec![Step::Concurrent(header)],
        VertexKind::EndBranch
        | VertexKind::EndLoop
        | VertexKind::Goto(_)
        | VertexKind::Label { .. } => Vec::new(),
    }
}

/// What is executed when control passes along `edge`.
pub fn steps_of_edge(cfg: &Cfg, edge: EdgeId) -> Option<Step<'static>> {
    let edge = &cfg.edges[edge];
    let VertexKind::ForLoop { init, update, .. } = &cfg.vertices[edge.target].kind else {
        return None;
    };
    let back = matches!(cfg.vertices[edge.source].kind, VertexKind::EndLoop);
    Some(Step::Stmt(if back { *update } else { *init }))
}
