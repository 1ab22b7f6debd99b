//! How a control flow graph reads as text: which vertices open and close constructs, where arms
//! begin, and which edges a reader takes for granted.
//!
//! Works on every graph. Where the layout does not nest (documents of other tools keep only the
//! edges), less is taken for granted and more edges are told.

use std::collections::HashMap;

use crate::model::{BranchForm, Cfg, Edge, EdgeId, SecondaryMap, VertexId, VertexKind};

/// The structure of one graph.
pub(crate) struct Flow {
    /// All vertices in the order of the text; those that the layout lacks come last.
    pub(crate) order: Vec<VertexId>,
    /// What is known of each vertex.
    pub(crate) nodes: SecondaryMap<VertexId, Node>,
    /// The edges that leave each vertex, in the order of the document.
    pub(crate) out: SecondaryMap<VertexId, Vec<EdgeId>>,
    /// Whether each edge is what a reader expects where it stands.
    pub(crate) plain: SecondaryMap<EdgeId, bool>,
    /// Whether each branch selects by a number instead of deciding by a condition.
    pub(crate) selects: SecondaryMap<VertexId, bool>,
    /// The edges into each arm, by its first vertex.
    pub(crate) arms: HashMap<VertexId, Vec<EdgeId>>,
}

/// What is known of one vertex.
#[derive(Clone, Copy, Default)]
pub(crate) struct Node {
    /// Its index in the order.
    pub(crate) position: usize,
    /// The vertex that opens the innermost construct around it.
    pub(crate) around: Option<VertexId>,
    /// For one that opens a construct, the vertex that closes it, and the other way round.
    pub(crate) mate: Option<VertexId>,
}

/// What a vertex does to the nesting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nesting {
    OpensBranch,
    OpensLoop,
    ClosesBranch,
    ClosesLoop,
    Nothing,
}

fn nesting(kind: &VertexKind) -> Nesting {
    match kind {
        VertexKind::Branch { form, .. } if form.has_end() => Nesting::OpensBranch,
        VertexKind::Branch { .. } => Nesting::Nothing,
        VertexKind::ForLoop { .. }
        | VertexKind::PreLoop { .. }
        | VertexKind::PostLoop { .. }
        | VertexKind::ConcurrentLoop { .. } => Nesting::OpensLoop,
        VertexKind::EndBranch => Nesting::ClosesBranch,
        VertexKind::EndLoop => Nesting::ClosesLoop,
        VertexKind::Entry(_)
        | VertexKind::Exit
        | VertexKind::BasicBlock { .. }
        | VertexKind::Goto(_)
        | VertexKind::Label { .. } => Nesting::Nothing,
    }
}

impl Flow {
    /// The structure of `cfg`, in the order of its layout.
    ///
    /// XAIF 1.0 documents list their vertices in any order. If the text of the layout would jump
    /// about, and that of a walk along the edges would do so less, the order is that of the walk.
    pub(crate) fn new(cfg: &Cfg) -> Self {
        let flow = Self::in_order(cfg, Self::order(cfg));
        let misfits = flow.misfits(cfg);
        if misfits > 0 {
            let walk = Self::in_order(cfg, flow.walk(cfg));
            if walk.misfits(cfg) < misfits {
                return walk;
            }
        }
        flow
    }

    fn in_order(cfg: &Cfg, order: Vec<VertexId>) -> Self {
        let mut flow = Flow {
            order,
            nodes: SecondaryMap::new(),
            out: SecondaryMap::new(),
            plain: SecondaryMap::new(),
            selects: SecondaryMap::new(),
            arms: HashMap::new(),
        };
        flow.nest(cfg);
        for (id, edge) in &cfg.edges {
            flow.out[edge.source].push(id);
            flow.selects[edge.source] |= selects(&cfg.vertices[edge.source].kind, edge);
        }
        flow.find_arms(cfg);
        for (id, edge) in &cfg.edges {
            flow.plain[id] = flow.is_plain(cfg, edge);
        }
        flow
    }

    /// How many edges lead elsewhere although nothing in the text jumps.
    fn misfits(&self, cfg: &Cfg) -> usize {
        let jumps = |edge: &Edge| {
            matches!(cfg.vertices[edge.source].kind, VertexKind::Goto(_))
                || edge.condition.is_some()
        };
        cfg.edges.iter().filter(|(id, edge)| !self.plain[*id] && !jumps(edge)).count()
    }

    /// The vertices in reverse post-order: what follows a construct is visited before its arms, and
    /// the last arm before the first, so that they come out in the order of a text.
    fn walk(&self, cfg: &Cfg) -> Vec<VertexId> {
        let mut seen = SecondaryMap::with_default(false);
        let mut post = Vec::with_capacity(self.order.len());
        let entered: Vec<_> = self
            .order
            .iter()
            .copied()
            .filter(|&vertex| matches!(cfg.vertices[vertex].kind, VertexKind::Entry(_)))
            .collect();
        // The root that is visited last comes first in the text.
        let roots = self.order.iter().rev().filter(|vertex| !entered.contains(vertex));
        let roots: Vec<_> = entered.iter().rev().chain(roots).copied().collect();
        let (first, others) = roots.split_at(entered.len());
        for &root in first {
            self.visit(cfg, root, &mut seen, &mut post);
        }
        post.reverse();
        // What cannot be reached stands last, in the order of the layout.
        let mut rest = Vec::new();
        for &root in others {
            self.visit(cfg, root, &mut seen, &mut rest);
        }
        rest.reverse();
        post.extend(rest);
        let exit = |vertex: &VertexId| matches!(cfg.vertices[*vertex].kind, VertexKind::Exit);
        let (exits, mut order): (Vec<_>, Vec<_>) = post.into_iter().partition(exit);
        order.extend(exits);
        order
    }

    fn visit(
        &self,
        cfg: &Cfg,
        root: VertexId,
        seen: &mut SecondaryMap<VertexId, bool>,
        post: &mut Vec<VertexId>,
    ) {
        if std::mem::replace(&mut seen[root], true) {
            return;
        }
        let mut stack = vec![(root, self.ways(cfg, root))];
        while let Some((vertex, ways)) = stack.last_mut() {
            match ways.pop() {
                Some(next) if !seen[next] => {
                    seen[next] = true;
                    stack.push((next, self.ways(cfg, next)));
                }
                Some(_) => {}
                None => {
                    post.push(*vertex);
                    stack.pop();
                }
            }
        }
    }

    /// Where control can go from `vertex`: the first arm first, the way of no condition last.
    fn ways(&self, cfg: &Cfg, vertex: VertexId) -> Vec<VertexId> {
        let mut edges: Vec<_> = self.out[vertex].iter().map(|&edge| &cfg.edges[edge]).collect();
        edges.sort_by_key(|edge| match edge.condition {
            Some(0) | None => (1, 0),
            Some(value) => (0, value),
        });
        edges.iter().map(|edge| edge.target).collect()
    }

    fn order(cfg: &Cfg) -> Vec<VertexId> {
        let mut seen = SecondaryMap::with_default(false);
        let mut order = Vec::with_capacity(cfg.vertices.len());
        for vertex in cfg.layout.iter().copied().chain(cfg.vertices.keys()) {
            if cfg.vertices.is_valid(vertex) && !seen[vertex] {
                seen[vertex] = true;
                order.push(vertex);
            }
        }
        order
    }

    fn nest(&mut self, cfg: &Cfg) {
        let mut open: Vec<(VertexId, Nesting)> = Vec::new();
        for (position, &vertex) in self.order.iter().enumerate() {
            let nesting = nesting(&cfg.vertices[vertex].kind);
            let wanted = match nesting {
                Nesting::ClosesBranch => Some(Nesting::OpensBranch),
                Nesting::ClosesLoop => Some(Nesting::OpensLoop),
                Nesting::OpensBranch | Nesting::OpensLoop | Nesting::Nothing => None,
            };
            let at = wanted.and_then(|wanted| open.iter().rposition(|&(_, kind)| kind == wanted));
            if let Some(at) = at {
                let opener = open[at].0;
                // Constructs that are open within it have no end.
                open.truncate(at);
                self.nodes[opener].mate = Some(vertex);
                self.nodes[vertex].mate = Some(opener);
            }
            self.nodes[vertex].position = position;
            self.nodes[vertex].around = open.last().map(|&(opener, _)| opener);
            if matches!(nesting, Nesting::OpensBranch | Nesting::OpensLoop) {
                open.push((vertex, nesting));
            }
        }
        // What is opened and never closed encloses nothing.
        for &vertex in &self.order {
            if let Some(around) = self.nodes[vertex].around
                && !self.opens(around)
            {
                self.nodes[vertex].around = self.nodes[around].around;
            }
        }
    }

    /// Whether `vertex` opens a construct that is closed.
    pub(crate) fn opens(&self, vertex: VertexId) -> bool {
        self.nodes[vertex]
            .mate
            .is_some_and(|mate| self.nodes[mate].position > self.nodes[vertex].position)
    }

    fn find_arms(&mut self, cfg: &Cfg) {
        for (id, edge) in &cfg.edges {
            if self.leads_into_arm(cfg, edge) {
                self.arms.entry(edge.target).or_default().push(id);
            }
        }
    }

    fn leads_into_arm(&self, cfg: &Cfg, edge: &Edge) -> bool {
        matches!(cfg.vertices[edge.source].kind, VertexKind::Branch { .. })
            && self.opens(edge.source)
            && self.nodes[edge.target].around == Some(edge.source)
    }

    /// Where control goes after `vertex` by the rules of the text.
    pub(crate) fn expected(&self, cfg: &Cfg, vertex: VertexId) -> Option<VertexId> {
        let around = self.nodes[vertex].around;
        let mut next = self.nodes[vertex].position + 1;
        loop {
            let &candidate = self.order.get(next)?;
            if let Some(around) = around
                && self.arms.contains_key(&candidate)
                && self.nodes[candidate].around == Some(around)
            {
                return self.nodes[around].mate;
            }
            // A further ENTRY stands beside the flow.
            if !matches!(cfg.vertices[candidate].kind, VertexKind::Entry(_)) {
                return Some(candidate);
            }
            next += 1;
        }
    }

    fn is_plain(&self, cfg: &Cfg, edge: &Edge) -> bool {
        let source = edge.source;
        let target = Some(edge.target);
        let otherwise = matches!(edge.condition, None | Some(0));
        let mate = self.nodes[source].mate;
        match &cfg.vertices[source].kind {
            VertexKind::Branch { .. } => {
                self.leads_into_arm(cfg, edge)
                    || (otherwise && self.opens(source) && target == mate)
            }
            VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. } => match mate {
                Some(end) if otherwise => target == self.expected(cfg, end),
                Some(_) => {
                    edge.condition == Some(1)
                        && self.order.get(self.nodes[source].position + 1) == Some(&edge.target)
                }
                None => false,
            },
            VertexKind::EndLoop if mate.is_some() => edge.condition.is_none() && target == mate,
            VertexKind::Goto(_) => false,
            VertexKind::EndLoop
            | VertexKind::EndBranch
            | VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::BasicBlock { .. }
            | VertexKind::Label { .. } => {
                edge.condition.is_none() && target == self.expected(cfg, source)
            }
        }
    }
}

/// Whether `edge` shows that the branch it leaves selects by a number.
fn selects(branch: &VertexKind, edge: &Edge) -> bool {
    let VertexKind::Branch { form, .. } = branch else { return false };
    match form {
        BranchForm::SelectCase | BranchForm::SelectType | BranchForm::SelectRank => true,
        BranchForm::Plain => edge.guard.is_some() || !matches!(edge.condition, None | Some(0 | 1)),
        BranchForm::If
        | BranchForm::InlineIf
        | BranchForm::ElseIf
        | BranchForm::ArithmeticIf
        | BranchForm::ComputedGoto
        | BranchForm::AssignedGoto
        | BranchForm::IndirectGoto => false,
    }
}
