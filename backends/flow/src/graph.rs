//! Questions about a control flow graph, answered from adjacency lists.

use xaif_schema::model::{
    Cfg, Document, Edge, EdgeId, SecondaryMap, StmtKind, VertexId, VertexKind,
};

/// A graph with its edges sorted by source and target.
#[derive(Debug)]
pub struct Graph<'d> {
    /// The document.
    pub doc: &'d Document,
    /// The graph itself.
    pub cfg: &'d Cfg,
    out: SecondaryMap<VertexId, Vec<EdgeId>>,
    into: SecondaryMap<VertexId, Vec<EdgeId>>,
}

impl<'d> Graph<'d> {
    /// Sorts the edges.
    pub fn new(doc: &'d Document, cfg: &'d Cfg) -> Self {
        let mut out: SecondaryMap<VertexId, Vec<EdgeId>> = SecondaryMap::new();
        let mut into: SecondaryMap<VertexId, Vec<EdgeId>> = SecondaryMap::new();
        for (id, edge) in cfg.edges.iter() {
            out[edge.source].push(id);
            into[edge.target].push(id);
        }
        Graph { doc, cfg, out, into }
    }

    /// What a vertex is.
    pub fn kind(&self, vertex: VertexId) -> &'d VertexKind {
        &self.cfg.vertices[vertex].kind
    }

    /// The edges that leave a vertex.
    pub fn out(&self, vertex: VertexId) -> impl Iterator<Item = (EdgeId, &'d Edge)> {
        self.out[vertex].iter().map(|&id| (id, &self.cfg.edges[id]))
    }

    /// The edges that lead to a vertex.
    pub fn incoming(&self, vertex: VertexId) -> impl Iterator<Item = &'d Edge> {
        self.into[vertex].iter().map(|&id| &self.cfg.edges[id])
    }

    /// The edge that is taken where no condition value says otherwise.
    pub fn default_edge(&self, vertex: VertexId) -> Option<(EdgeId, &'d Edge)> {
        self.out(vertex).find(|(_, edge)| edge.condition.is_none())
    }

    /// Where control goes from a vertex that has one way only, or by default.
    pub fn next(&self, vertex: VertexId) -> Option<VertexId> {
        self.default_edge(vertex).or_else(|| self.out(vertex).next()).map(|(_, edge)| edge.target)
    }

    /// The edge into the body of a loop.
    pub fn body_of(&self, vertex: VertexId) -> Option<VertexId> {
        self.out(vertex).find(|(_, edge)| edge.condition.is_some()).map(|(_, edge)| edge.target)
    }

    /// Where a loop goes on when it is done.
    pub fn after_loop(&self, vertex: VertexId) -> Option<VertexId> {
        self.default_edge(vertex).map(|(_, edge)| edge.target)
    }

    /// The `EndLoop` vertices that lead back to a loop.
    pub fn loop_ends(&self, vertex: VertexId) -> impl Iterator<Item = VertexId> {
        self.incoming(vertex)
            .map(|edge| edge.source)
            .filter(|&source| matches!(self.kind(source), VertexKind::EndLoop))
    }

    /// Whether a vertex is the head of a loop.
    pub fn is_loop(&self, vertex: VertexId) -> bool {
        match self.kind(vertex) {
            VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. } => true,
            VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::BasicBlock { .. }
            | VertexKind::Branch { .. }
            | VertexKind::EndBranch
            | VertexKind::EndLoop
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => false,
        }
    }

    /// Whether the branch has an end: it does not only jump.
    pub fn has_arms(&self, vertex: VertexId) -> bool {
        match self.kind(vertex) {
            VertexKind::Branch { form, .. } => form.has_end(),
            _ => false,
        }
    }

    /// Whether nothing happens at `vertex`: control only passes through.
    pub fn is_trivial(&self, vertex: VertexId) -> bool {
        match self.kind(vertex) {
            VertexKind::EndBranch | VertexKind::Goto(_) | VertexKind::Label { .. } => true,
            VertexKind::Entry(_) => true,
            VertexKind::BasicBlock { stmts, .. } => {
                self.out[vertex].len() == 1
                    && stmts.iter().all(|&stmt| match &self.doc.stmts[stmt].kind {
                        StmtKind::Comment(_) => true,
                        StmtKind::Marker(marker) => {
                            matches!(
                                marker.verb,
                                xaif_schema::model::Verb::Continue
                                    | xaif_schema::model::Verb::Format
                                    | xaif_schema::model::Verb::Genuine
                            )
                        }
                        StmtKind::Assign { .. }
                        | StmtKind::PointerAssign { .. }
                        | StmtKind::Call(_)
                        | StmtKind::InlinableCall(_)
                        | StmtKind::Propagate(_)
                        | StmtKind::Where(_)
                        | StmtKind::Forall(_)
                        | StmtKind::Allocate(_)
                        | StmtKind::Release(_)
                        | StmtKind::OpenScope(_)
                        | StmtKind::CloseScope(_) => false,
                    })
            }
            VertexKind::Exit
            | VertexKind::Branch { .. }
            | VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. }
            | VertexKind::EndLoop => false,
        }
    }

    /// The vertices from `vertex` through those where nothing happens, to the first where
    /// something does.
    pub fn chain(&self, vertex: VertexId) -> Vec<VertexId> {
        let mut chain = vec![vertex];
        let mut current = vertex;
        while self.is_trivial(current) {
            let Some(next) = self.next(current) else { break };
            if chain.len() > self.cfg.vertices.len() {
                break;
            }
            chain.push(next);
            current = next;
        }
        chain
    }

    /// How many vertices where nothing happens control passes from `vertex` on.
    pub fn distance(&self, vertex: VertexId) -> usize {
        self.chain(vertex).len()
    }

    /// The first vertex from `vertex` on where something happens.
    pub fn resolve(&self, vertex: VertexId) -> VertexId {
        let mut current = vertex;
        for _ in 0..self.cfg.vertices.len() {
            if !self.is_trivial(current) {
                break;
            }
            match self.next(current) {
                Some(next) => current = next,
                None => break,
            }
        }
        current
    }

    /// The exit.
    pub fn exit(&self) -> Option<VertexId> {
        self.cfg
            .vertices
            .iter()
            .find(|(_, vertex)| matches!(vertex.kind, VertexKind::Exit))
            .map(|(id, _)| id)
    }
}
