//! Structured flow graphs: constructs that are entered at their beginning and left at their end.
//!
//! On such a graph data-flow equations are explicit (paper 1, Figures 3, 5, 7, 9): a sequence is a
//! composition, a branch a union, a loop the closure of its body. Constructs may nest as deep as they
//! like: the graph is read as a list of items, for which an explicit stack is enough. What is not
//! structured is for [`solve`](super::solve()).

use std::collections::{BTreeMap, BTreeSet};

use xaif_schema::model::{Cfg, EdgeId, Jump, VertexId, VertexKind};

/// A flow graph as nested constructs, in the order of the text.
#[derive(Clone, Debug)]
pub struct Structure<'c> {
    /// The graph.
    pub cfg: &'c Cfg,
    /// Its constructs.
    pub items: Vec<Item>,
}

/// A piece of a structured graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A vertex that is no construct.
    Plain(VertexId),
    /// A branch begins.
    OpenBranch(VertexId),
    /// An arm of the innermost branch begins.
    Arm,
    /// A branch ends; `passed` where control may come here without passing an arm.
    CloseBranch {
        /// Where the arms meet.
        end: VertexId,
        /// Whether it is passed by.
        passed: bool,
    },
    /// A loop begins.
    OpenLoop(LoopEdges),
    /// A loop ends.
    CloseLoop(LoopEdges),
}

/// The edges of a loop on which something may be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopEdges {
    /// The vertex at which it is entered and left.
    pub head: VertexId,
    /// The way into the loop.
    pub enter: EdgeId,
    /// The `EndLoop` vertex.
    pub end: VertexId,
    /// The way back from it.
    pub back: EdgeId,
}

/// What is open while the graph is read.
enum Open {
    Branch { vertex: VertexId, ends: Vec<VertexId>, arms: usize },
    Loop { head: VertexId, enter: EdgeId, item: usize },
}

impl<'c> Structure<'c> {
    /// The structure of `cfg`; `None` where it is not structured: a jump, several entries, a loop
    /// that is left from the inside, an end of the program. Whatever its vertices pretend, the edges decide.
    pub fn new(cfg: &'c Cfg) -> Option<Self> {
        let edges = cfg.edges.iter().map(|(id, edge)| ((edge.source, edge.target), id)).collect();
        let mut reader =
            Reader { cfg, edges, items: Vec::new(), open: Vec::new(), expected: BTreeSet::new() };
        let mut last: Option<VertexId> = None;
        for &vertex in &cfg.layout {
            last = Some(reader.read(vertex, last)?);
        }
        let whole = reader.open.is_empty() && reader.expected.iter().eq(reader.edges.keys());
        whole.then_some(Structure { cfg, items: reader.items })
    }
}

struct Reader<'c> {
    cfg: &'c Cfg,
    edges: BTreeMap<(VertexId, VertexId), EdgeId>,
    items: Vec<Item>,
    open: Vec<Open>,
    /// The edges that the constructs imply.
    expected: BTreeSet<(VertexId, VertexId)>,
}

impl Reader<'_> {
    /// Reads the next vertex of the layout; `last` is where control comes from. Returns where it
    /// goes on from.
    fn read(&mut self, vertex: VertexId, last: Option<VertexId>) -> Option<VertexId> {
        let kind = &self.cfg.vertices[vertex].kind;
        let Some(last) = last else {
            self.items.push(Item::Plain(vertex));
            return matches!(kind, VertexKind::Entry(_)).then_some(vertex);
        };
        let from = self.begin_arm(vertex, last);
        self.expected.insert((from, vertex));
        match kind {
            // The program ends within.
            VertexKind::Goto(Jump::Stop) => return None,
            VertexKind::Entry(_) | VertexKind::PostLoop { .. } => return None,
            VertexKind::BasicBlock { .. }
            | VertexKind::Exit
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => self.items.push(Item::Plain(vertex)),
            VertexKind::Branch { .. } => {
                self.open.push(Open::Branch { vertex, ends: Vec::new(), arms: 0 });
                self.items.push(Item::OpenBranch(vertex));
            }
            VertexKind::EndBranch => self.close_branch(vertex)?,
            VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::ConcurrentLoop { .. } => {
                let enter = self.edge(from, vertex)?;
                self.open.push(Open::Loop { head: vertex, enter, item: self.items.len() });
                // Replaced when the end of the loop is known.
                self.items.push(Item::Plain(vertex));
            }
            VertexKind::EndLoop => return self.close_loop(vertex),
        }
        Some(vertex)
    }

    /// If `vertex` begins an arm of the innermost branch, notes that. Returns where control comes
    /// from.
    fn begin_arm(&mut self, vertex: VertexId, last: VertexId) -> VertexId {
        let cfg = self.cfg;
        let Some(Open::Branch { vertex: branch, ends, arms }) = self.open.last_mut() else {
            return last;
        };
        let is_end = matches!(cfg.vertices[vertex].kind, VertexKind::EndBranch);
        if is_end || !self.edges.contains_key(&(*branch, vertex)) {
            return last;
        }
        if *arms > 0 {
            ends.push(last);
        }
        *arms += 1;
        self.items.push(Item::Arm);
        *branch
    }

    fn close_branch(&mut self, end: VertexId) -> Option<()> {
        let Some(Open::Branch { vertex, ends, .. }) = self.open.pop() else { return None };
        self.expected.extend(ends.into_iter().map(|last| (last, end)));
        let passed = self.edge(vertex, end).is_some();
        if passed {
            self.expected.insert((vertex, end));
        }
        self.items.push(Item::CloseBranch { end, passed });
        Some(())
    }

    fn close_loop(&mut self, end: VertexId) -> Option<VertexId> {
        let Some(Open::Loop { head, enter, item }) = self.open.pop() else { return None };
        let back = self.edge(end, head)?;
        self.expected.insert((end, head));
        let edges = LoopEdges { head, enter, end, back };
        *self.items.get_mut(item)? = Item::OpenLoop(edges);
        self.items.push(Item::CloseLoop(edges));
        Some(head)
    }

    fn edge(&self, source: VertexId, target: VertexId) -> Option<EdgeId> {
        self.edges.get(&(source, target)).copied()
    }
}
