//! The text of a body as a list of operations, and the jumps it needs.
//!
//! Control falls from each operation to the next, as in text. Where the graph says otherwise a
//! jump is added: so the plan has the edges of the graph by construction, whatever the order is.
//! A jump into a construct is not possible in Fortran; then the construct is made flat and the
//! plan is made anew.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    BranchForm, EdgeId, Jump, ScopeId, StmtId, StmtKind, Verb, VertexId, VertexKind,
};

use crate::graph::Graph;
use crate::structure::{Arm, Structure, structure};

/// One operation of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// The vertex itself: statements of a block, the head of a construct, a flat branch.
    Vertex(VertexId),
    /// The beginning of an arm of a branch.
    Arm(VertexId, usize),
    /// The end of a branch: closer and opener.
    EndBranch(VertexId, VertexId),
    /// The end of a loop: closer and opener.
    EndLoop(VertexId, VertexId),
    /// Where control is when a loop is done.
    AfterLoop(VertexId),
    /// The end of the body.
    End,
}

/// A place that can have a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Site {
    /// Before the vertex (before the update of the loop that an `EndLoop` closes).
    Vertex(VertexId),
    /// Before the test of a loop that is written flat.
    Test(VertexId),
    /// At the end of the body.
    End,
}

/// How control leaves an operation when it does not fall to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// `goto label`
    Goto(Site),
    /// `exit [name]`
    Exit(Option<Box<str>>),
    /// `cycle [name]`
    Cycle(Option<Box<str>>),
    /// `return`
    Return,
}

/// What opens a region.
#[derive(Clone, Debug, PartialEq)]
pub enum Construct {
    /// The body of the procedure.
    Body,
    /// An arm of a branch.
    Branch(VertexId),
    /// The body of a loop.
    Loop(VertexId),
    /// BLOCK or ASSOCIATE.
    Block(ScopeId),
}

/// A stretch of text that can be jumped within, but not into.
#[derive(Clone, Debug)]
pub struct Region {
    /// The region around it.
    pub parent: usize,
    /// The construct that it belongs to.
    pub construct: Construct,
}

/// What the constructs and jumps of a language mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Constructs have names; an arm of a SELECT ends where the next one begins; EXIT leaves the innermost loop.
    #[default]
    Fortran,
    /// An arm of a switch falls into the next one; `break` leaves the innermost loop or switch, and `continue` goes
    /// on behind the body of the innermost loop.
    C,
}

/// The plan of a body.
#[derive(Debug, Default)]
pub struct Plan {
    /// The language of the text.
    pub dialect: Dialect,
    /// Which constructs are written as such.
    pub structure: Structure,
    /// The text.
    pub ops: Vec<Op>,
    /// Stretches of text.
    pub regions: Vec<Region>,
    /// The region in which each operation begins.
    pub region_in: Vec<usize>,
    /// The region in which each operation ends.
    pub region_out: Vec<usize>,
    /// Where control goes after an operation, if not to the next.
    pub transfers: HashMap<usize, Transfer>,
    /// Labels that the statement or head of an operation names, by condition value.
    pub named: HashMap<usize, Vec<(Option<i64>, Site)>>,
    /// Every place that is named.
    pub sites: HashSet<Site>,
    /// How many constructs are written with labels.
    pub unmatched: usize,
    /// Whether a place cannot be reached by any jump.
    pub stuck: Option<VertexId>,
}

/// Makes the plan for an order.
pub fn plan(graph: &Graph<'_>, order: &[VertexId], program: bool, dialect: Dialect) -> Plan {
    let mut flat: HashSet<VertexId> = HashSet::new();
    loop {
        let mut planner = Planner::new(graph, order, &flat, (program, dialect));
        planner.operations(order);
        planner.regions();
        planner.transfers();
        let Planner { mut plan, demoted, .. } = planner;
        let before = flat.len();
        flat.extend(demoted);
        if flat.len() == before {
            let constructs = graph.cfg.vertices.keys();
            let constructs = constructs.filter(|&v| graph.is_loop(v) || graph.has_arms(v));
            plan.unmatched = constructs.filter(|v| !plan.structure.end.contains_key(v)).count();
            return plan;
        }
    }
}

struct Planner<'g, 'd> {
    graph: &'g Graph<'d>,
    program: bool,
    plan: Plan,
    demoted: HashSet<VertexId>,
    /// The operation of each vertex.
    at: HashMap<VertexId, usize>,
}

impl<'g, 'd> Planner<'g, 'd> {
    fn new(
        graph: &'g Graph<'d>,
        order: &[VertexId],
        flat: &HashSet<VertexId>,
        (program, dialect): (bool, Dialect),
    ) -> Self {
        let plan = Plan { dialect, structure: structure(graph, order, flat), ..Plan::default() };
        Planner { graph, program, plan, demoted: HashSet::new(), at: HashMap::new() }
    }

    fn operations(&mut self, order: &[VertexId]) {
        for &vertex in order {
            if matches!(self.graph.kind(vertex), VertexKind::Exit) {
                continue;
            }
            if let Some(&(branch, arm)) = self.plan.structure.arm_at.get(&vertex)
                && self.plan.structure.end.contains_key(&branch)
            {
                self.plan.ops.push(Op::Arm(branch, arm));
            }
            match self.plan.structure.open.get(&vertex).copied() {
                Some(opener) if self.graph.is_loop(opener) => {
                    self.place(vertex, Op::EndLoop(vertex, opener));
                    self.plan.ops.push(Op::AfterLoop(opener));
                }
                Some(opener) => {
                    self.textless_arms(vertex, opener);
                    self.place(vertex, Op::EndBranch(vertex, opener));
                }
                None => self.place(vertex, Op::Vertex(vertex)),
            }
        }
        if let Some(exit) = self.graph.exit() {
            self.at.insert(exit, self.plan.ops.len());
        }
        self.plan.ops.push(Op::End);
    }

    fn place(&mut self, vertex: VertexId, op: Op) {
        self.at.insert(vertex, self.plan.ops.len());
        self.plan.ops.push(op);
    }

    /// Arms that consist of a jump, or of nothing, behind those that have text.
    fn textless_arms(&mut self, end: VertexId, branch: VertexId) {
        let Some(arms) = self.plan.structure.arms.get(&branch) else { return };
        for (index, arm) in arms.iter().enumerate() {
            if self.plan.structure.arm_at.get(&arm.target) == Some(&(branch, index)) {
                continue;
            }
            let nothing = self.graph.resolve(arm.target) == self.graph.resolve(end);
            let default = arm.edges.iter().all(|&edge| {
                let edge = &self.graph.cfg.edges[edge];
                edge.condition.is_none() && edge.guard.is_none()
            });
            // Without an arm of its own the default goes to the end by itself; the only arm of an
            // IF must be there, if empty.
            if !(nothing && default && index > 0) {
                self.plan.ops.push(Op::Arm(branch, index));
            }
        }
    }

    fn regions(&mut self) {
        let mut regions = vec![Region { parent: 0, construct: Construct::Body }];
        let mut current = 0;
        for index in 0..self.plan.ops.len() {
            let op = self.plan.ops[index];
            let parent = regions[current].parent;
            match op {
                Op::Arm(branch, index) => {
                    let parent = if index == 0 || !is_arm_of(&regions, current, branch) {
                        current
                    } else {
                        parent
                    };
                    self.plan.region_in.push(parent);
                    regions.push(Region { parent, construct: Construct::Branch(branch) });
                    current = regions.len() - 1;
                }
                Op::EndBranch(_, branch) => {
                    if is_arm_of(&regions, current, branch) {
                        current = parent;
                    }
                    self.plan.region_in.push(current);
                }
                Op::EndLoop(..) => {
                    self.plan.region_in.push(current);
                    current = parent;
                }
                Op::Vertex(vertex) => {
                    self.plan.region_in.push(current);
                    if self.graph.is_loop(vertex) && self.plan.structure.end.contains_key(&vertex) {
                        let construct = Construct::Loop(vertex);
                        regions.push(Region { parent: current, construct });
                        current = regions.len() - 1;
                    } else {
                        current = self.blocks(vertex, current, &mut regions);
                    }
                }
                Op::AfterLoop(_) | Op::End => self.plan.region_in.push(current),
            }
            self.plan.region_out.push(current);
        }
        self.plan.regions = regions;
    }

    /// Follows BLOCK and ASSOCIATE through the statements of a block.
    fn blocks(&mut self, vertex: VertexId, current: usize, regions: &mut Vec<Region>) -> usize {
        let VertexKind::BasicBlock { stmts, .. } = self.graph.kind(vertex) else { return current };
        let mut current = current;
        for &stmt in stmts {
            match &self.graph.doc.stmts[stmt].kind {
                StmtKind::OpenScope(open) => {
                    let construct = Construct::Block(open.scope);
                    regions.push(Region { parent: current, construct });
                    current = regions.len() - 1;
                }
                StmtKind::CloseScope(scope) => {
                    if regions[current].construct == Construct::Block(*scope) {
                        current = regions[current].parent;
                    } else {
                        self.plan.stuck = Some(vertex);
                    }
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
                | StmtKind::Marker(_)
                | StmtKind::Comment(_) => {}
            }
        }
        current
    }

    fn transfers(&mut self) {
        for index in 0..self.plan.ops.len() {
            match self.plan.ops[index] {
                Op::Arm(branch, arm) => {
                    let target = self.plan.structure.arms[&branch].get(arm).map(|arm| arm.target);
                    self.leave(index, target, None);
                }
                Op::EndBranch(end, _) => self.leave(index, self.graph.next(end), None),
                Op::AfterLoop(head) => self.leave(index, self.graph.after_loop(head), None),
                Op::EndLoop(end, head) => {
                    if self.graph.next(end) != Some(head) {
                        self.demoted.insert(head);
                    }
                }
                Op::Vertex(vertex) => self.vertex_transfers(index, vertex),
                Op::End => {}
            }
        }
    }

    fn vertex_transfers(&mut self, index: usize, vertex: VertexId) {
        let graph = self.graph;
        match graph.kind(vertex) {
            VertexKind::BasicBlock { stmts, .. } => {
                for (_, edge) in graph.out(vertex) {
                    if edge.condition.is_some() {
                        self.name(index, edge.condition, edge.target);
                    }
                }
                if !never_goes_on(self.graph, vertex, stmts) {
                    let next = graph.default_edge(vertex).map(|(_, edge)| edge.target);
                    self.leave(index, next, None);
                }
            }
            VertexKind::Goto(_) if is_dead(self.graph, vertex) => {}
            VertexKind::Goto(jump) => self.leave(index, graph.next(vertex), Some(jump)),
            VertexKind::Entry(point) => {
                if point.is_some() {
                    self.open_around(index);
                }
                self.leave(index, graph.next(vertex), None);
            }
            VertexKind::Label { .. } | VertexKind::EndBranch => {
                self.leave(index, graph.next(vertex), None);
            }
            VertexKind::EndLoop => {
                // The end of a loop that is written flat.
                if let Some(head) = graph.next(vertex) {
                    let site = match graph.kind(head) {
                        VertexKind::PreLoop { .. } => Site::Vertex(head),
                        _ if graph.is_loop(head) => Site::Test(head),
                        _ => return self.leave(index, Some(head), None),
                    };
                    self.jump_to(index, site, head);
                    if matches!(graph.kind(head), VertexKind::PostLoop { .. })
                        && let Some(after) = graph.after_loop(head)
                    {
                        self.name(index, None, after);
                    }
                }
            }
            VertexKind::Branch { .. } => self.branch_transfers(index, vertex),
            VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. } => {
                let structured = self.plan.structure.end.contains_key(&vertex);
                if !structured {
                    let tested = !matches!(graph.kind(vertex), VertexKind::PostLoop { .. });
                    if let Some(after) = graph.after_loop(vertex).filter(|_| tested) {
                        self.name(index, None, after);
                    }
                    if matches!(graph.kind(vertex), VertexKind::ConcurrentLoop { .. }) {
                        self.plan.stuck = Some(vertex);
                    }
                }
                self.leave(index, graph.body_of(vertex), None);
            }
            VertexKind::Exit => {}
        }
    }

    fn branch_transfers(&mut self, index: usize, vertex: VertexId) {
        if self.plan.structure.end.contains_key(&vertex) {
            return;
        }
        let graph = self.graph;
        let VertexKind::Branch { form, .. } = graph.kind(vertex) else { return };
        if matches!(
            form,
            BranchForm::SelectType | BranchForm::SelectRank | BranchForm::IndirectGoto
        ) {
            self.plan.stuck = Some(vertex);
        }
        for (_, edge) in graph.out(vertex) {
            if edge.condition.is_some() {
                self.name(index, edge.condition, edge.target);
            }
        }
        let next = graph.default_edge(vertex).map(|(_, edge)| edge.target);
        self.leave(index, next, None);
    }

    /// The vertex that control reaches when it falls from operation `index`.
    fn arrives(&self, index: usize) -> Option<VertexId> {
        match self.plan.ops.get(index + 1)? {
            Op::Vertex(vertex) | Op::EndBranch(vertex, _) | Op::EndLoop(vertex, _) => Some(*vertex),
            Op::Arm(branch, arm) => match self.plan.ops[index] {
                // From the head of a branch its first arm is entered by its own edge.
                Op::Vertex(vertex) if vertex == *branch && *arm == 0 => None,
                _ if self.plan.falls_through(self.graph, *branch) => {
                    self.plan.arm(*branch, *arm).map(|arm| arm.target)
                }
                _ => self.plan.structure.end.get(branch).copied(),
            },
            Op::AfterLoop(_) => None,
            Op::End => self.graph.exit(),
        }
    }

    /// Whether control that falls from operation `index` does what it does at `target`.
    fn is_natural(&self, index: usize, target: VertexId) -> bool {
        self.arrives(index).is_some_and(|next| self.is_same(index, next, target))
    }

    /// Whether control that goes from operation `index` to `next` does what it does at `target`:
    /// nothing happens on the way from either to the same vertex. Where nothing happens at the
    /// operation itself, the way through `next` must not be the longer one: otherwise two
    /// operations might each rely on the other to go on.
    fn is_same(&self, index: usize, next: VertexId, target: VertexId) -> bool {
        if next == target {
            return true;
        }
        let passes = match self.plan.ops[index] {
            Op::Vertex(vertex) => self.graph.is_trivial(vertex),
            Op::EndBranch(..) => true,
            Op::Arm(..) | Op::EndLoop(..) | Op::AfterLoop(_) | Op::End => false,
        };
        self.graph.resolve(next) == self.graph.resolve(target)
            && (!passes || self.graph.distance(next) <= self.graph.distance(target))
    }

    /// Sees to it that control goes from operation `index` to `target`.
    fn leave(&mut self, index: usize, target: Option<VertexId>, jump: Option<&Jump>) {
        let Some(target) = target else { return };
        let natural = self.is_natural(index, target);
        if let Some(transfer) = self.spoken(index, target, jump) {
            if transfer != Transfer::Return || !natural || matches!(jump, Some(Jump::Return)) {
                self.plan.transfers.insert(index, transfer);
            }
            return;
        }
        if natural || matches!(jump, Some(Jump::Stop)) {
            return;
        }
        self.jump(index, target);
    }

    /// EXIT, CYCLE or RETURN, where one of them does what the edge says.
    fn spoken(&self, index: usize, target: VertexId, jump: Option<&Jump>) -> Option<Transfer> {
        match jump {
            Some(Jump::Exit(name)) => self.exit(index, target, name.as_deref()),
            Some(Jump::Cycle(name)) => self.cycle(index, target, name.as_deref()),
            Some(Jump::Return) => self.returns(target),
            Some(Jump::Break | Jump::Continue) | None => {
                if self.is_natural(index, target) {
                    return None;
                }
                self.exit(index, target, None)
                    .or_else(|| self.cycle(index, target, None))
                    .or_else(|| self.returns(target))
            }
            Some(Jump::Goto | Jump::Stop) => None,
        }
    }

    fn returns(&self, target: VertexId) -> Option<Transfer> {
        let at_exit = matches!(self.graph.kind(self.graph.resolve(target)), VertexKind::Exit);
        (at_exit && !self.program).then_some(Transfer::Return)
    }

    /// The constructs around an operation, the innermost first.
    fn around(&self, index: usize) -> impl Iterator<Item = &Construct> {
        let mut current = self.plan.region_out.get(index).copied();
        std::iter::from_fn(move || {
            let region = &self.plan.regions[current?];
            current = match region.construct {
                Construct::Body => None,
                _ => Some(region.parent),
            };
            Some(&region.construct)
        })
    }

    fn exit(&self, index: usize, target: VertexId, name: Option<&str>) -> Option<Transfer> {
        if self.plan.dialect == Dialect::C {
            return self.break_(index, target);
        }
        for construct in self.around(index) {
            let (own, after) = match construct {
                Construct::Loop(head) => (self.name_of(*head), self.done(*head)),
                Construct::Branch(branch) => {
                    let end = self.plan.structure.end.get(branch).copied();
                    (self.name_of(*branch), end)
                }
                Construct::Block(scope) => (self.block_name(*scope), self.after_block(*scope)),
                Construct::Body => return None,
            };
            let meant = match name {
                Some(name) => own.is_some_and(|own| own.eq_ignore_ascii_case(name)),
                None => matches!(construct, Construct::Loop(_)),
            };
            if meant {
                let same = after.is_some_and(|after| self.is_same(index, after, target));
                return same.then(|| Transfer::Exit(name.map(Into::into)));
            }
        }
        None
    }

    /// C's `break`, where it leads to `target`.
    fn break_(&self, index: usize, target: VertexId) -> Option<Transfer> {
        let after = self.around(index).find_map(|construct| match construct {
            Construct::Loop(head) => Some(self.done(*head)),
            Construct::Branch(branch) if self.plan.falls_through(self.graph, *branch) => {
                Some(self.plan.structure.end.get(branch).copied())
            }
            Construct::Branch(_) | Construct::Block(_) | Construct::Body => None,
        })??;
        self.is_same(index, after, target).then_some(Transfer::Exit(None))
    }

    fn cycle(&self, index: usize, target: VertexId, name: Option<&str>) -> Option<Transfer> {
        for construct in self.around(index) {
            let Construct::Loop(head) = construct else { continue };
            let own = self.name_of(*head);
            let meant =
                name.is_none_or(|name| own.is_some_and(|own| own.eq_ignore_ascii_case(name)));
            if !meant {
                continue;
            }
            let target = self.graph.resolve(target);
            let end = self.plan.structure.end.get(head).copied();
            let while_loop = matches!(self.graph.kind(*head), VertexKind::PreLoop { .. });
            let same = end == Some(target) || while_loop && target == *head;
            let tail = self.plan.dialect == Dialect::Fortran;
            return (same && !(tail && crate::loops::has_tail(self.graph, *head)))
                .then(|| Transfer::Cycle(name.map(Into::into)));
        }
        None
    }

    fn name_of(&self, vertex: VertexId) -> Option<&'d str> {
        match self.graph.kind(vertex) {
            VertexKind::Branch { name, .. }
            | VertexKind::ForLoop { name, .. }
            | VertexKind::PreLoop { name, .. }
            | VertexKind::ConcurrentLoop { name, .. } => name.as_deref(),
            VertexKind::PostLoop { .. }
            | VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::BasicBlock { .. }
            | VertexKind::EndBranch
            | VertexKind::EndLoop
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => None,
        }
    }

    /// Where control is when a loop is done.
    fn done(&self, head: VertexId) -> Option<VertexId> {
        self.graph.after_loop(head).or_else(|| {
            let at = self.plan.ops.iter().position(|&op| op == Op::AfterLoop(head))?;
            self.arrives(at)
        })
    }

    fn block_name(&self, scope: ScopeId) -> Option<&'d str> {
        self.graph.doc.stmts.values().find_map(|stmt| match &stmt.kind {
            StmtKind::OpenScope(open) if open.scope == scope => open.name.as_deref(),
            _ => None,
        })
    }

    /// Where control is behind a BLOCK that ends with its basic block.
    fn after_block(&self, scope: ScopeId) -> Option<VertexId> {
        let ends_with = |vertex: VertexId| {
            match self.graph.kind(vertex) {
            VertexKind::BasicBlock { stmts, .. } => stmts.last().is_some_and(|&stmt| {
                matches!(self.graph.doc.stmts[stmt].kind, StmtKind::CloseScope(s) if s == scope)
            }),
            _ => false,
        }
        };
        let at = self.plan.ops.iter().position(|op| match op {
            Op::Vertex(vertex) => ends_with(*vertex),
            _ => false,
        })?;
        self.arrives(at)
    }

    /// Makes operation `index` jump to where `target` leads.
    fn jump(&mut self, index: usize, target: VertexId) {
        if let Some(site) = self.visible(index, target) {
            self.plan.sites.insert(site);
            self.plan.transfers.insert(index, Transfer::Goto(site));
        }
    }

    fn jump_to(&mut self, index: usize, site: Site, vertex: VertexId) {
        if self.can_see(index, vertex) {
            self.plan.sites.insert(site);
            self.plan.transfers.insert(index, Transfer::Goto(site));
        } else {
            self.open_towards(index, vertex);
        }
    }

    /// Lets the statement of operation `index` name the place where `target` leads.
    fn name(&mut self, index: usize, value: Option<i64>, target: VertexId) {
        if let Some(site) = self.visible(index, target) {
            self.plan.sites.insert(site);
            self.plan.named.entry(index).or_default().push((value, site));
        }
    }

    /// A place from `target` on, before anything happens, that `index` can jump to: one with a
    /// label of the source where there is one. If there is none, constructs are taken apart.
    fn visible(&mut self, index: usize, target: VertexId) -> Option<Site> {
        let chain = self.graph.chain(target);
        let seen: Vec<VertexId> =
            chain.iter().copied().filter(|&vertex| self.can_see(index, vertex)).collect();
        let labelled = |vertex: &&VertexId| {
            matches!(self.graph.kind(**vertex), VertexKind::Label { label: Some(_) })
        };
        let Some(&chosen) = seen.iter().find(labelled).or(seen.first()) else {
            self.open_towards(index, target);
            return None;
        };
        Some(match self.graph.kind(chosen) {
            VertexKind::Exit => Site::End,
            _ => Site::Vertex(chosen),
        })
    }

    /// Whether `index` stands in the region of `vertex` or within it.
    fn can_see(&self, index: usize, vertex: VertexId) -> bool {
        let Some(wanted) = self.region_of(vertex) else { return false };
        let mut current = self.plan.region_out[index];
        loop {
            if current == wanted {
                return true;
            }
            if current == 0 {
                return false;
            }
            current = self.plan.regions[current].parent;
        }
    }

    fn region_of(&self, vertex: VertexId) -> Option<usize> {
        self.plan.region_in.get(*self.at.get(&vertex)?).copied()
    }

    /// Takes apart what stands around `vertex` and not around `index`.
    fn open_towards(&mut self, index: usize, vertex: VertexId) {
        let mut mine = HashSet::new();
        let mut current = self.plan.region_out[index];
        while mine.insert(current) && current != 0 {
            current = self.plan.regions[current].parent;
        }
        let Some(mut current) = self.region_of(vertex) else {
            self.plan.stuck = Some(vertex);
            return;
        };
        while !mine.contains(&current) {
            match self.plan.regions[current].construct {
                Construct::Branch(opener) | Construct::Loop(opener) => {
                    self.demoted.insert(opener);
                }
                Construct::Block(_) => self.plan.stuck = Some(vertex),
                Construct::Body => {}
            }
            current = self.plan.regions[current].parent;
        }
    }

    /// Takes apart everything around `index`.
    fn open_around(&mut self, index: usize) {
        let mut current = self.plan.region_in[index];
        while current != 0 {
            match self.plan.regions[current].construct {
                Construct::Branch(opener) | Construct::Loop(opener) => {
                    self.demoted.insert(opener);
                }
                Construct::Block(_) | Construct::Body => {}
            }
            current = self.plan.regions[current].parent;
        }
    }
}

/// Whether a jump is only there because the graph needs an edge: the statement before it
/// (STOP, RETURN with a value, a call that does not return) never goes on.
pub fn is_dead(graph: &Graph<'_>, jump: VertexId) -> bool {
    let mut sources = graph.incoming(jump).map(|edge| edge.source).peekable();
    sources.peek().is_some()
        && sources.all(|source| match graph.kind(source) {
            VertexKind::BasicBlock { stmts, .. } => never_goes_on(graph, source, stmts),
            _ => false,
        })
}

/// Whether the statements of a block end in one that never goes on. Behind a call that does not return the graph ends
/// as behind STOP.
pub fn never_goes_on(graph: &Graph<'_>, block: VertexId, stmts: &[StmtId]) -> bool {
    let stops = |target: VertexId| matches!(graph.kind(target), VertexKind::Goto(Jump::Stop));
    if graph.next(block).is_some_and(stops) {
        return true;
    }
    let last = stmts.iter().rev().map(|&stmt| &graph.doc.stmts[stmt].kind);
    last.into_iter().find(|kind| !matches!(kind, StmtKind::Comment(_))).is_some_and(|kind| {
        match kind {
            StmtKind::Marker(marker) => matches!(marker.verb, Verb::Stop | Verb::Return),
            _ => false,
        }
    })
}

fn is_arm_of(regions: &[Region], region: usize, branch: VertexId) -> bool {
    regions[region].construct == Construct::Branch(branch)
}

impl Plan {
    /// Whether an arm of the branch falls into the next one in the text.
    pub fn falls_through(&self, graph: &Graph<'_>, branch: VertexId) -> bool {
        let select = match graph.kind(branch) {
            VertexKind::Branch { form, .. } => *form == BranchForm::SelectCase,
            _ => false,
        };
        self.dialect == Dialect::C && select
    }

    /// The name of the BLOCK or ASSOCIATE that opens a region.
    pub fn block_name<'d>(&self, graph: &Graph<'d>, region: usize) -> Option<&'d str> {
        let Construct::Block(scope) = self.regions.get(region)?.construct else { return None };
        graph.doc.stmts.values().find_map(|stmt| match &stmt.kind {
            StmtKind::OpenScope(open) if open.scope == scope => open.name.as_deref(),
            _ => None,
        })
    }

    /// The edges of an arm.
    pub fn arm(&self, branch: VertexId, index: usize) -> Option<&Arm> {
        self.structure.arms.get(&branch)?.get(index)
    }

    /// The edges that lead into an arm.
    pub fn arm_edges(&self, branch: VertexId, index: usize) -> &[EdgeId] {
        self.arm(branch, index).map_or(&[], |arm| &arm.edges)
    }
}

impl Plan {
    /// Whether every construct of the graph is written as one, and every jump of the text is one
    /// of the graph.
    pub fn is_clean(&self, graph: &Graph<'_>) -> bool {
        let made = |(index, transfer): (&usize, &Transfer)| {
            let jump = match self.ops.get(*index) {
                Some(Op::Vertex(vertex)) => matches!(graph.kind(*vertex), VertexKind::Goto(_)),
                _ => false,
            };
            !jump && matches!(transfer, Transfer::Goto(_))
        };
        let made = self.transfers.iter().any(made);
        self.stuck.is_none() && self.unmatched == 0 && !made
    }

    /// How far the text is from structured code, to compare two orders of one graph.
    pub fn cost(&self) -> (bool, usize, usize) {
        let jumps = self.transfers.values().filter(|t| matches!(t, Transfer::Goto(_))).count();
        (self.stuck.is_some(), self.unmatched, jumps)
    }
}
