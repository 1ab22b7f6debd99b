//! The nesting of a flow graph: which constructs can be reversed as constructs.
//!
//! Constructs are matched along the layout. A branch is *kept* if control enters it at its head
//! and leaves it at its end alone, a loop if control enters it at its head. A branch that is not is
//! dissolved: its vertices belong to the level around it. A loop cannot be. What is not *live*
//! (no entry reaches it, or nothing but STOP follows) is no part of any level: the backward sweep
//! never comes there.

use xaif_schema::model::{Cfg, EdgeId, Jump, SecondaryMap, VertexId, VertexKind};

use booster_flow::Flow;

/// A kept construct.
#[derive(Debug)]
pub(super) struct Construct {
    /// The vertex that opens it.
    pub(super) head: VertexId,
    /// The vertex that closes it.
    pub(super) end: VertexId,
    /// The level that it stands in.
    pub(super) parent: usize,
    /// Its arms in the order of the text, those without text last; a loop has one, its body.
    pub(super) arms: Vec<Arm>,
    /// Whether it is a loop.
    pub(super) is_loop: bool,
}

/// An arm of a construct.
#[derive(Debug)]
pub(super) struct Arm {
    /// The edges that lead into it from the head.
    pub(super) edges: Vec<EdgeId>,
    /// Where they lead.
    pub(super) first: VertexId,
    /// What stands in it; `None` where the edges lead to the end at once.
    pub(super) level: Option<usize>,
}

/// A sequence of vertices and kept constructs: the whole body, an arm, the body of a loop.
#[derive(Debug)]
pub(super) struct Level {
    /// The construct whose arm it is; `None` is the whole body.
    pub(super) construct: Option<usize>,
    /// What stands in it, in the order of the text; a kept construct is told by its head.
    pub(super) items: Vec<VertexId>,
}

/// The levels of a flow graph. What is inside has a greater number than what is around it.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) constructs: Vec<Construct>,
    pub(super) levels: Vec<Level>,
    /// The level of each live vertex but the ends of kept constructs; a head stands in the level
    /// around it.
    pub(super) level: SecondaryMap<VertexId, Option<usize>>,
    /// The kept construct that a vertex opens.
    pub(super) opened: SecondaryMap<VertexId, Option<usize>>,
    /// The kept construct that a vertex closes.
    pub(super) closed: SecondaryMap<VertexId, Option<usize>>,
    /// The edges along which control passes on its way from an entry to the exit.
    pub(super) live: Vec<EdgeId>,
}

/// An opener and its closer in the layout.
struct Bracket {
    head: VertexId,
    end: VertexId,
    /// The bracket around it.
    around: Option<usize>,
    is_loop: bool,
    kept: bool,
    /// The positions of the first vertices of its arms.
    arms: Vec<usize>,
}

/// The vertex at which a loop begins that control enters from elsewhere.
pub(super) struct EnteredLoop(pub(super) VertexId);

impl Tree {
    /// The nesting of a graph.
    pub(super) fn new(flow: &Flow<'_>) -> Result<Tree, EnteredLoop> {
        let live = live_edges(flow);
        let mut alive: SecondaryMap<VertexId, bool> = SecondaryMap::new();
        for &edge in &live {
            alive[flow.cfg.edges[edge].source] = true;
            alive[flow.cfg.edges[edge].target] = true;
        }
        let mut brackets = Brackets::new(flow.cfg);
        for &edge in &live {
            brackets.note_arm(flow.cfg, edge);
        }
        for bracket in &mut brackets.list {
            bracket.arms.sort_unstable();
            bracket.arms.dedup();
        }
        for &edge in &live {
            brackets.judge(flow.cfg, edge);
        }
        let torn = |bracket: &&Bracket| bracket.is_loop && !bracket.kept && alive[bracket.head];
        if let Some(torn) = brackets.list.iter().find(torn) {
            return Err(EnteredLoop(torn.head));
        }
        Ok(brackets.levels(flow, live, &alive))
    }

    /// Whether control passes along an edge on its way from an entry to the exit.
    pub(super) fn is_live(&self, edge: EdgeId) -> bool {
        self.live.binary_search(&edge).is_ok()
    }

    /// The vertices from the head of a construct to its end.
    pub(super) fn span<'c>(&self, cfg: &'c Cfg, construct: usize) -> &'c [VertexId] {
        let Construct { head, end, .. } = self.constructs[construct];
        let position = |vertex| cfg.layout.iter().position(|&v| v == vertex);
        match (position(head), position(end)) {
            (Some(first), Some(last)) => cfg.layout.get(first..=last).unwrap_or(&[]),
            _ => &[],
        }
    }
}

/// The edges that lie on a way from an entry to the exit. Control does not go on from STOP.
fn live_edges(flow: &Flow<'_>) -> Vec<EdgeId> {
    let cfg = flow.cfg;
    let stops =
        |vertex: VertexId| matches!(cfg.vertices[vertex].kind, VertexKind::Goto(Jump::Stop));
    let spread = |mut stack: Vec<VertexId>, forward: bool| {
        let mut seen: SecondaryMap<VertexId, bool> = SecondaryMap::new();
        while let Some(vertex) = stack.pop() {
            if stops(vertex) || std::mem::replace(&mut seen[vertex], true) {
                continue;
            }
            let edges = if forward { flow.out_edges(vertex) } else { flow.in_edges(vertex) };
            stack.extend(edges.iter().map(|&edge| {
                let edge = &cfg.edges[edge];
                if forward { edge.target } else { edge.source }
            }));
        }
        seen
    };
    let is_exit = |&vertex: &VertexId| matches!(cfg.vertices[vertex].kind, VertexKind::Exit);
    let reached = spread(flow.entries(), true);
    let reaching = spread(cfg.vertices.keys().filter(is_exit).collect(), false);
    let both = |vertex: VertexId| reached[vertex] && reaching[vertex];
    let is_live = |edge: &EdgeId| both(cfg.edges[*edge].source) && both(cfg.edges[*edge].target);
    cfg.edges.keys().filter(is_live).collect()
}

/// What a vertex does to the nesting.
enum Part {
    Opens { is_loop: bool },
    Closes { is_loop: bool },
    Nothing,
}

fn part(kind: &VertexKind) -> Part {
    match kind {
        VertexKind::Branch { form, .. } if form.has_end() => Part::Opens { is_loop: false },
        VertexKind::Branch { .. } => Part::Nothing,
        VertexKind::ForLoop { .. }
        | VertexKind::PreLoop { .. }
        | VertexKind::PostLoop { .. }
        | VertexKind::ConcurrentLoop { .. } => Part::Opens { is_loop: true },
        VertexKind::EndBranch => Part::Closes { is_loop: false },
        VertexKind::EndLoop => Part::Closes { is_loop: true },
        VertexKind::Entry(_)
        | VertexKind::Exit
        | VertexKind::BasicBlock { .. }
        | VertexKind::Goto(_)
        | VertexKind::Label { .. } => Part::Nothing,
    }
}

struct Brackets {
    list: Vec<Bracket>,
    /// The place of each vertex in the layout.
    position: SecondaryMap<VertexId, usize>,
    /// The innermost bracket that a vertex stands in, opens or closes.
    within: SecondaryMap<VertexId, Option<usize>>,
}

impl Brackets {
    fn new(cfg: &Cfg) -> Self {
        let mut brackets = Brackets {
            list: Vec::new(),
            position: SecondaryMap::new(),
            within: SecondaryMap::new(),
        };
        let mut open: Vec<usize> = Vec::new();
        for (position, &vertex) in cfg.layout.iter().enumerate() {
            brackets.position[vertex] = position;
            match part(&cfg.vertices[vertex].kind) {
                Part::Opens { is_loop } => {
                    let (around, arms) = (open.last().copied(), Vec::new());
                    let bracket =
                        Bracket { head: vertex, end: vertex, around, is_loop, kept: true, arms };
                    open.push(brackets.list.len());
                    brackets.list.push(bracket);
                    brackets.within[vertex] = open.last().copied();
                }
                Part::Closes { is_loop } => {
                    brackets.within[vertex] = open.last().copied();
                    let fits =
                        open.last().is_some_and(|&top| brackets.list[top].is_loop == is_loop);
                    if let (true, Some(top)) = (fits, open.pop()) {
                        brackets.list[top].end = vertex;
                    }
                }
                Part::Nothing => brackets.within[vertex] = open.last().copied(),
            }
        }
        for bracket in &mut brackets.list {
            bracket.kept = bracket.head != bracket.end;
        }
        brackets
    }

    fn contains(&self, bracket: usize, vertex: VertexId) -> bool {
        let Bracket { head, end, .. } = self.list[bracket];
        (self.position[head]..=self.position[end]).contains(&self.position[vertex])
    }

    /// Notes where an arm begins.
    fn note_arm(&mut self, cfg: &Cfg, edge: EdgeId) {
        let edge = &cfg.edges[edge];
        let Some(bracket) = self.within[edge.source] else { return };
        let opens = self.list[bracket].head == edge.source;
        let inside = self.contains(bracket, edge.target) && edge.target != self.list[bracket].end;
        if opens && inside {
            let position = self.position[edge.target];
            self.list[bracket].arms.push(position);
        }
    }

    /// Which arm of `bracket` holds `vertex`; `None` is its head or end.
    fn arm(&self, bracket: usize, vertex: VertexId) -> Option<usize> {
        let Bracket { head, end, arms, .. } = &self.list[bracket];
        if vertex == *head || vertex == *end {
            return None;
        }
        Some(arms.partition_point(|&first| first <= self.position[vertex]))
    }

    /// Dissolves the constructs that an edge enters or leaves as no kept construct may be.
    fn judge(&mut self, cfg: &Cfg, edge: EdgeId) {
        let (source, target) = (cfg.edges[edge].source, cfg.edges[edge].target);
        let mut bracket = self.within[source];
        while let Some(left) = bracket.filter(|&bracket| !self.contains(bracket, target)) {
            let Bracket { end, is_loop, .. } = self.list[left];
            self.list[left].kept &= is_loop == (source != end);
            bracket = self.list[left].around;
        }
        let common = bracket;
        let mut bracket = self.within[target];
        while let Some(entered) = bracket.filter(|&bracket| !self.contains(bracket, source)) {
            self.list[entered].kept &= self.list[entered].head == target;
            bracket = self.list[entered].around;
        }
        let Some(common) = common else { return };
        let Bracket { head, end, is_loop, .. } = self.list[common];
        let fine = match (self.arm(common, source), self.arm(common, target)) {
            (Some(from), Some(to)) => from == to,
            // Out of the head: into an arm or to the end.
            (None, Some(_)) => source == head,
            // To the end; a loop is not left from its head to its end.
            (Some(_), None) => target == end,
            (None, None) => {
                if is_loop {
                    source == end && target == head
                } else {
                    source == head && target == end
                }
            }
        };
        self.list[common].kept &= fine;
    }

    /// The levels that the kept constructs make.
    fn levels(
        self,
        flow: &Flow<'_>,
        live: Vec<EdgeId>,
        alive: &SecondaryMap<VertexId, bool>,
    ) -> Tree {
        let cfg = flow.cfg;
        let mut tree = Tree {
            constructs: Vec::new(),
            levels: vec![Level { construct: None, items: Vec::new() }],
            level: SecondaryMap::new(),
            opened: SecondaryMap::new(),
            closed: SecondaryMap::new(),
            live: Vec::new(),
        };
        // The open constructs, with the level that is filled.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (position, &vertex) in cfg.layout.iter().enumerate() {
            let bracket = self.within[vertex].map(|bracket| &self.list[bracket]);
            let kept = bracket.filter(|bracket| bracket.kept && alive[bracket.head]);
            if kept.is_some_and(|bracket| bracket.end == vertex) {
                if let Some((construct, _)) = open.pop() {
                    tree.closed[vertex] = Some(construct);
                }
                continue;
            }
            if let Some((construct, level)) = open.last_mut()
                && let Some(arm) =
                    tree.constructs[*construct].arms.iter_mut().find(|arm| arm.first == vertex)
            {
                *level = tree.levels.len();
                arm.level = Some(*level);
                let inside = Level { construct: Some(*construct), items: Vec::new() };
                tree.levels.push(inside);
            }
            let level = open.last().map_or(0, |&(_, level)| level);
            if alive[vertex] {
                tree.level[vertex] = Some(level);
                tree.levels[level].items.push(vertex);
            }
            if let Some(bracket) = kept.filter(|bracket| bracket.head == vertex) {
                tree.opened[vertex] = Some(tree.constructs.len());
                open.push((tree.constructs.len(), level));
                tree.constructs.push(Construct {
                    head: vertex,
                    end: bracket.end,
                    parent: level,
                    arms: arms(flow, bracket, &self.position, position),
                    is_loop: bracket.is_loop,
                });
            }
        }
        tree.live = live;
        tree
    }
}

/// The arms of a bracket: edges from its head with the same target are one arm.
fn arms(
    flow: &Flow<'_>,
    bracket: &Bracket,
    position: &SecondaryMap<VertexId, usize>,
    head: usize,
) -> Vec<Arm> {
    let mut arms: Vec<Arm> = Vec::new();
    for &edge in flow.out_edges(bracket.head) {
        let first = flow.cfg.edges[edge].target;
        if !(head..=position[bracket.end]).contains(&position[first]) {
            continue;
        }
        match arms.iter_mut().find(|arm| arm.first == first) {
            Some(arm) => arm.edges.push(edge),
            None => arms.push(Arm { edges: vec![edge], first, level: None }),
        }
    }
    arms.sort_by_key(|arm| position[arm.first]);
    arms
}
