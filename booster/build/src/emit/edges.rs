//! The edges of each vertex of a graph that is being rewritten.

use smallvec::SmallVec;
use xaif_schema::model::{Cfg, EdgeId, EntityRef, SecondaryMap, VertexId};

type Edges = SmallVec<[EdgeId; 2]>;

/// The edges that lead to each vertex and that leave it, as of the last [`catch_up`](Self::catch_up).
///
/// A rewriter that looked through all edges at each vertex would take time that grows with the square of the graph.
#[derive(Debug)]
pub struct EdgeIndex {
    from: SecondaryMap<VertexId, Edges>,
    to: SecondaryMap<VertexId, Edges>,
    known: usize,
}

impl EdgeIndex {
    /// The edges of `cfg`.
    pub fn new(cfg: &Cfg) -> Self {
        let mut index = EdgeIndex { from: SecondaryMap::new(), to: SecondaryMap::new(), known: 0 };
        index.catch_up(cfg);
        index
    }

    /// Adds the edges that have been made.
    pub fn catch_up(&mut self, cfg: &Cfg) {
        for number in self.known..cfg.edges.len() {
            let edge = EdgeId::new(number);
            self.from[cfg.edges[edge].source].push(edge);
            self.to[cfg.edges[edge].target].push(edge);
        }
        self.known = cfg.edges.len();
    }

    /// The edges that leave `vertex`.
    pub fn from(&self, vertex: VertexId) -> &[EdgeId] {
        &self.from[vertex]
    }

    /// The edges that lead to `vertex`.
    pub fn to(&self, vertex: VertexId) -> &[EdgeId] {
        &self.to[vertex]
    }

    /// Lets the edges that leave `old` leave `new`.
    pub fn move_sources(&mut self, cfg: &mut Cfg, old: VertexId, new: VertexId) {
        for edge in std::mem::take(&mut self.from[old]) {
            self.set_source(cfg, edge, new);
        }
    }

    /// Lets an edge leave another vertex.
    pub fn set_source(&mut self, cfg: &mut Cfg, edge: EdgeId, source: VertexId) {
        let old = std::mem::replace(&mut cfg.edges[edge].source, source);
        self.from[old].retain(|other| *other != edge);
        self.from[source].push(edge);
    }

    /// Lets an edge lead to another vertex.
    pub fn set_target(&mut self, cfg: &mut Cfg, edge: EdgeId, target: VertexId) {
        let old = std::mem::replace(&mut cfg.edges[edge].target, target);
        self.to[old].retain(|other| *other != edge);
        self.to[target].push(edge);
    }
}
