//! The edges of each vertex: what a pass asks that looks at one vertex after the other.

use std::collections::HashSet;

use smallvec::SmallVec;
use xaif_schema::model::{Cfg, Edge, EdgeId, Jump, SecondaryMap, VertexId, VertexKind};

/// The edges that lead to each vertex and that leave it. Goes stale when the graph is changed.
#[derive(Debug)]
pub struct Ways<'a> {
    cfg: &'a Cfg,
    from: SecondaryMap<VertexId, Edges>,
    into: SecondaryMap<VertexId, Edges>,
}

type Edges = SmallVec<[EdgeId; 2]>;

impl<'a> Ways<'a> {
    /// Finds them in time linear in the size of the graph.
    pub fn new(cfg: &'a Cfg) -> Self {
        Self::of(cfg, |_| true)
    }

    /// The edges along which control passes: none leads on from where the program ends. Takes linear time, too.
    pub fn of_control(cfg: &'a Cfg) -> Self {
        let stops =
            |edge: &Edge| matches!(cfg.vertices[edge.source].kind, VertexKind::Goto(Jump::Stop));
        Self::of(cfg, |edge| !stops(edge))
    }

    fn of(cfg: &'a Cfg, wanted: impl Fn(&Edge) -> bool) -> Self {
        let (mut from, mut into) = <(SecondaryMap<_, Edges>, SecondaryMap<_, Edges>)>::default();
        for (id, edge) in cfg.edges.iter().filter(|(_, edge)| wanted(edge)) {
            from[edge.source].push(id);
            into[edge.target].push(id);
        }
        Ways { cfg, from, into }
    }

    /// The edges that leave `vertex`, in the order of the document.
    pub fn out_edges(&self, vertex: VertexId) -> &[EdgeId] {
        &self.from[vertex]
    }

    /// The edges that lead to `vertex`, in the order of the document.
    pub fn in_edges(&self, vertex: VertexId) -> &[EdgeId] {
        &self.into[vertex]
    }

    /// The edges that leave `vertex`, in the order of the document.
    pub fn leaving(&self, vertex: VertexId) -> impl Iterator<Item = &'a Edge> + Clone + '_ {
        self.from[vertex].iter().map(|&edge| &self.cfg.edges[edge])
    }

    /// The edges that lead to `vertex`, in the order of the document.
    pub fn leading_to(&self, vertex: VertexId) -> impl Iterator<Item = &'a Edge> + Clone + '_ {
        self.into[vertex].iter().map(|&edge| &self.cfg.edges[edge])
    }

    /// Whether control comes to the vertices of `region` and leaves them at `head` alone. Takes time linear in the size
    /// of the region.
    pub fn is_closed(&self, head: VertexId, region: &[VertexId]) -> bool {
        let inside: HashSet<VertexId> = region.iter().copied().collect();
        region.iter().filter(|&&vertex| vertex != head).all(|&vertex| {
            self.leaving(vertex).all(|edge| inside.contains(&edge.target))
                && self.leading_to(vertex).all(|edge| inside.contains(&edge.source))
        })
    }
}
