//! What is recorded where, and what the backward sweep does with it: decided level by level, from
//! the inside out.

use std::collections::{HashMap, HashSet};

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Base, BranchForm, Document, EdgeId, ExprId, StmtId, StmtKind, SymbolId, Vertex, VertexId,
    VertexKind,
};

use super::graph::{Entering, Graph, Node, Routes};
use super::loops::{
    Known, Last, Pool, Rounds, asks_for_procedure, counted, rounds, survives, trip_count,
};
use super::tree::Tree;
use super::{Checkpointed, Sweeps, arms};
use booster_flow::Flow;

/// A value that the forward sweep pushes or assigns.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    /// A number.
    Number(i64),
    /// The value of a variable.
    Of(SymbolId),
    /// That of a variable and a number.
    Plus(SymbolId, i64),
    /// That of a variable less that of another.
    Less(SymbolId, SymbolId),
    /// That of a variable less a copy of an expression.
    LessCopy(SymbolId, ExprId),
    /// A copy of an expression.
    Copy(ExprId),
}

/// What is put into the forward sweep.
#[derive(Clone, Copy, Debug)]
pub(super) enum Insert {
    /// Pushes a value.
    Push(Value),
    /// Assigns a variable.
    Set(SymbolId, Value),
    /// Pushes what this statement overwrites.
    Record(StmtId),
    /// Begins a loop with checkpoints: its body and, where it is known, the trip count.
    Checkpoints(StmtId, Option<ExprId>),
}

/// All that is put into the forward sweep.
#[derive(Debug, Default)]
pub(super) struct Inserts {
    /// What is executed as control passes along an edge.
    pub(super) on: HashMap<EdgeId, Vec<Insert>>,
    /// What is executed before a vertex: before a loop begins, before an `EndLoop`, a branch.
    pub(super) before: HashMap<VertexId, Vec<Insert>>,
    /// Loops whose first value or step is evaluated before them, into these variables.
    pub(super) frozen: Vec<(VertexId, Option<SymbolId>, Option<SymbolId>)>,
}

/// How the backward sweep finds out which way control came.
#[derive(Clone, Debug, Default)]
pub(super) struct Meeting {
    /// The nodes that control may have come from, each with the identifiers pushed on its ways.
    pub(super) origins: Vec<(usize, Vec<i64>)>,
    /// Whether an identifier is on the tape.
    pub(super) popped: bool,
    /// The loop that all ways come from: the identifier is the number of the way it was left.
    pub(super) left: Option<usize>,
}

/// How the backward sweep chooses an arm of a branch.
#[derive(Clone, Debug)]
pub(super) enum Choice {
    /// There is only one that it can come to.
    Only(usize),
    /// The condition is evaluated again.
    Again,
    /// The number of the arm is on the tape; all that are not listed have nothing to do.
    Popped(Vec<usize>),
}

/// How a loop is reversed.
#[derive(Clone, Debug)]
pub(super) struct LoopPlan {
    pub(super) rounds: Rounds,
    /// Which way the loop was left, if that matters.
    pub(super) way: Option<SymbolId>,
    /// The number of the way that each edge out of it is; 0 is the end of an iteration.
    pub(super) ways: HashMap<EdgeId, i64>,
    /// For each way from 1 on, where in the body it begins.
    pub(super) origins: Vec<usize>,
    /// The assignment of the next value, if it is part of the backward sweep.
    pub(super) update: Option<StmtId>,
}

/// What is decided.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Each level as a graph; `None` where nothing in it is part of the backward sweep.
    pub(super) graphs: Vec<Option<Graph>>,
    /// Where ways meet, by level and node.
    pub(super) meetings: HashMap<(usize, usize), Meeting>,
    /// How arms are chosen, by construct.
    pub(super) choices: HashMap<usize, Choice>,
    /// How loops are reversed, by construct. A loop of which only the first value is restored has
    /// none.
    pub(super) loops: HashMap<usize, LoopPlan>,
    /// The assignment of the first value of a loop, if it is part of the backward sweep.
    pub(super) inits: HashMap<usize, StmtId>,
    pub(super) inserts: Inserts,
    /// Into which identifiers are popped.
    pub(super) branch: Option<SymbolId>,
}

/// Decides everything.
pub(super) fn plan(
    doc: &mut Document,
    flow: &Flow<'_>,
    tree: &Tree,
    sweeps: &mut dyn Sweeps,
) -> Result<Plan, Diagnostic> {
    let routes = Routes::new(flow, tree);
    let mut plan = Plan::default();
    plan.graphs.resize_with(tree.levels.len(), || None);
    let mut planner = Planner {
        doc,
        flow,
        tree,
        sweeps,
        routes,
        pool: Pool::default(),
        plan,
        depths: Vec::new(),
    };
    planner.depths();
    planner.jumps()?;
    for level in (0..tree.levels.len()).rev() {
        planner.level(level)?;
    }
    Ok(planner.plan)
}

struct Planner<'a> {
    doc: &'a mut Document,
    flow: &'a Flow<'a>,
    tree: &'a Tree,
    sweeps: &'a mut dyn Sweeps,
    routes: Routes,
    pool: Pool,
    plan: Plan,
    /// How many loops are around each construct.
    depths: Vec<usize>,
}

impl<'a> Planner<'a> {
    fn depths(&mut self) {
        for construct in &self.tree.constructs {
            let around = self.tree.levels[construct.parent].construct;
            let depth = around.map_or(0, |around| {
                self.depths[around] + usize::from(self.tree.constructs[around].is_loop)
            });
            self.depths.push(depth);
        }
    }

    fn vertex(&self, vertex: VertexId) -> &'a Vertex {
        &self.flow.cfg.vertices[vertex]
    }

    /// An error about a vertex.
    fn refuse(&self, vertex: VertexId, code: Code, message: &str, help: &str) -> Diagnostic {
        let spot = self.doc.spot(self.vertex(vertex).place);
        Diagnostic::error(code, spot, message).with_help(help)
    }

    fn push_on(&mut self, edge: EdgeId, value: Value) {
        self.plan.inserts.on.entry(edge).or_default().push(Insert::Push(value));
    }

    /// Refuses jumps that no record can be made of.
    fn jumps(&self) -> Result<(), Diagnostic> {
        for &id in &self.tree.live {
            let edge = &self.flow.cfg.edges[id];
            let VertexKind::Branch { form, .. } = self.vertex(edge.source).kind else { continue };
            if self.tree.opened[edge.source].is_none() {
                // What stands in the arms is written in arms of their own.
                arms::refuse(self.doc, self.flow.cfg, edge.source)?;
            }
            let leaves = self.tree.level[edge.source] != self.tree.level[edge.target];
            match form {
                BranchForm::AssignedGoto if leaves => {
                    return Err(self.refuse(
                        edge.source,
                        Code::REVERSED_JUMP,
                        "an assigned GOTO out of a loop cannot be reversed",
                        "use a computed GOTO or IF with GOTO",
                    ));
                }
                BranchForm::IndirectGoto => {
                    return Err(self.refuse(
                        edge.source,
                        Code::REVERSED_JUMP,
                        "a jump through a pointer cannot be reversed",
                        "use a switch",
                    ));
                }
                BranchForm::Plain
                | BranchForm::If
                | BranchForm::InlineIf
                | BranchForm::ElseIf
                | BranchForm::SelectCase
                | BranchForm::SelectType
                | BranchForm::SelectRank
                | BranchForm::ArithmeticIf
                | BranchForm::ComputedGoto
                | BranchForm::AssignedGoto => {}
            }
        }
        Ok(())
    }

    /// The statements within a construct, those that loops execute included.
    fn statements(&self, construct: usize) -> Vec<StmtId> {
        let mut stmts = Vec::new();
        for &vertex in self.tree.span(self.flow.cfg, construct) {
            match &self.vertex(vertex).kind {
                VertexKind::BasicBlock { stmts: block, .. } => stmts.extend(block),
                VertexKind::ForLoop { init, update, .. } => stmts.extend([*init, *update]),
                VertexKind::Entry(_)
                | VertexKind::Exit
                | VertexKind::Branch { .. }
                | VertexKind::EndBranch
                | VertexKind::PreLoop { .. }
                | VertexKind::PostLoop { .. }
                | VertexKind::ConcurrentLoop { .. }
                | VertexKind::EndLoop
                | VertexKind::Goto(_)
                | VertexKind::Label { .. } => {}
            }
        }
        stmts
    }

    /// Plans a level whose inner levels are planned.
    fn level(&mut self, level: usize) -> Result<(), Diagnostic> {
        let constructs: Vec<usize> =
            self.tree.levels[level].items.iter().filter_map(|&v| self.tree.opened[v]).collect();
        for construct in constructs {
            if self.tree.constructs[construct].is_loop {
                self.loop_of(construct)?;
            } else {
                self.branch_of(construct)?;
            }
        }
        let plan = &self.plan;
        let forks = |left: usize| plan.loops.get(&left).is_some_and(|plan| plan.way.is_some());
        let mut graph = Graph::new(self.tree, level, &self.routes.of_level[level], forks);
        let mut matters = Vec::new();
        for &node in &graph.nodes {
            matters.push(self.matters(node)?);
        }
        if !matters.contains(&true) {
            return Ok(());
        }
        let told = self.told(&graph);
        for &(node, _) in told.keys() {
            matters[node] = true;
        }
        graph.solve(matters);
        for node in 0..graph.nodes.len() {
            if graph.needed[node] || node == graph.end() {
                self.meet(level, node, &graph, &told);
            }
        }
        self.plan.graphs[level] = Some(graph);
        Ok(())
    }

    /// Whether the backward sweep writes something at a node.
    fn matters(&mut self, node: Node) -> Result<bool, Diagnostic> {
        let vertex = match node {
            Node::Start | Node::End | Node::Sink(_) => return Ok(false),
            Node::Way { .. } => return Ok(true),
            Node::Construct(construct) => {
                return Ok(self.plan.choices.contains_key(&construct)
                    || self.plan.loops.contains_key(&construct)
                    || self.plan.inits.contains_key(&construct));
            }
            Node::Vertex(vertex) => vertex,
        };
        let VertexKind::BasicBlock { stmts, .. } = &self.vertex(vertex).kind else {
            return Ok(false);
        };
        let mut matters = false;
        for &stmt in stmts {
            if let StmtKind::OpenScope(_) = self.doc.stmts[stmt].kind {
                return Err(self.refuse(
                    vertex,
                    Code::REVERSED_SCOPE,
                    "a BLOCK or ASSOCIATE construct cannot be reversed",
                    "name its variables in the procedure, and write selectors out",
                ));
            }
            matters |= self.sweeps.has_backward(self.doc, stmt);
        }
        Ok(matters)
    }

    /// Ways along which nothing can be pushed, as an assigned GOTO leads to all its labels: what
    /// identifies the vertex they come from is pushed before it. By target and edge.
    fn told(&mut self, graph: &Graph) -> HashMap<(usize, EdgeId), i64> {
        let mut told = HashMap::new();
        for (node, ways) in graph.into.iter().enumerate() {
            for way in ways {
                let Some(edge) = way.edge else { continue };
                let source = self.flow.cfg.edges[edge].source;
                if let VertexKind::Branch { form: BranchForm::AssignedGoto, .. } =
                    self.vertex(source).kind
                {
                    let id = -1 - i64::from(source.as_u32());
                    told.insert((node, edge), id);
                    let before = self.plan.inserts.before.entry(source).or_default();
                    if before.is_empty() {
                        before.push(Insert::Push(Value::Number(id)));
                    }
                }
            }
        }
        told
    }

    /// Where ways meet that have different origins, they push which it is.
    fn meet(
        &mut self,
        level: usize,
        node: usize,
        graph: &Graph,
        told: &HashMap<(usize, EdgeId), i64>,
    ) {
        let mut meeting = Meeting::default();
        let always = graph.into[node].iter().filter_map(|way| way.edge);
        meeting.popped = always.clone().any(|edge| told.contains_key(&(node, edge)));
        let mut place: HashMap<usize, usize> = HashMap::new();
        let slots: Vec<usize> = graph.into[node]
            .iter()
            .map(|way| {
                let origin = graph.origin[way.from];
                *place.entry(origin).or_insert_with(|| {
                    meeting.origins.push((origin, Vec::new()));
                    meeting.origins.len() - 1
                })
            })
            .collect();
        let told_any = meeting.popped;
        meeting.popped |= meeting.origins.len() > 1;
        if !told_any && meeting.popped {
            meeting.left = self.only_loop(graph, &meeting.origins);
        }
        if meeting.popped {
            for (&Entering { edge, .. }, &slot) in graph.into[node].iter().zip(&slots) {
                let own = match (meeting.left, graph.nodes[meeting.origins[slot].0]) {
                    (Some(_), Node::Way { construct, edge }) => self.way(construct, edge),
                    _ => i64::try_from(slot).unwrap_or(i64::MAX),
                };
                let already = edge.and_then(|edge| told.get(&(node, edge)).copied());
                let id = already.unwrap_or(own);
                let ids = &mut meeting.origins[slot].1;
                if !ids.contains(&id) {
                    ids.push(id);
                }
                if let (None, Some(edge)) = (already, edge) {
                    self.push_on(edge, Value::Number(id));
                }
            }
            if meeting.left.is_none() {
                self.needs_branch();
            }
        }
        self.plan.meetings.insert((level, node), meeting);
    }

    /// The loop, if ways out of one loop alone meet.
    fn only_loop(&self, graph: &Graph, origins: &[(usize, Vec<i64>)]) -> Option<usize> {
        let mut left = origins.iter().map(|(origin, _)| match graph.nodes[*origin] {
            Node::Way { construct, .. } => Some(construct),
            Node::Start | Node::End | Node::Sink(_) | Node::Vertex(_) | Node::Construct(_) => None,
        });
        let first = left.next()??;
        left.all(|other| other == Some(first)).then_some(first)
    }

    /// The number of the way by which an edge leaves a loop.
    fn way(&self, construct: usize, edge: EdgeId) -> i64 {
        let plan = self.plan.loops.get(&construct);
        plan.and_then(|plan| plan.ways.get(&edge)).copied().unwrap_or(0)
    }

    fn needs_branch(&mut self) {
        let branch = self.pool.variable(self.doc, self.sweeps, ("branch", 0), Base::Integer(4));
        self.plan.branch = Some(branch);
    }

    /// Decides how the arm of a branch is chosen.
    fn branch_of(&mut self, construct: usize) -> Result<(), Diagnostic> {
        let this = &self.tree.constructs[construct];
        let head = this.head;
        let busy: Vec<usize> = (0..this.arms.len())
            .filter(|&arm| this.arms[arm].level.is_some_and(|l| self.plan.graphs[l].is_some()))
            .collect();
        if busy.is_empty() {
            return Ok(());
        }
        let VertexKind::Branch { condition, form, .. } = self.vertex(head).kind else {
            return Ok(());
        };
        if matches!(form, BranchForm::SelectType | BranchForm::SelectRank) {
            arms::refuse(self.doc, self.flow.cfg, head)?;
            self.plan.choices.insert(construct, Choice::Again);
            return Ok(());
        }
        // The ways to the end, by arm.
        let ends: Vec<Vec<EdgeId>> =
            (0..this.arms.len()).map(|arm| self.ends(construct, arm)).collect();
        let idle =
            ends.iter().enumerate().any(|(arm, ends)| !ends.is_empty() && !busy.contains(&arm));
        let choice = match busy.as_slice() {
            [only] if !idle => Choice::Only(*only),
            _ => {
                let again = match (self.vertex(head).recorded, condition) {
                    (_, None) => false,
                    _ if !self.is_written_again(construct) => false,
                    (_, Some(condition)) if asks_for_procedure(self.doc, condition) => false,
                    (Some(recorded), Some(_)) => !recorded,
                    (None, Some(condition)) => {
                        let stmts = self.statements(construct);
                        survives(self.doc, self.sweeps, &stmts, condition)
                    }
                };
                if again { Choice::Again } else { Choice::Popped(busy) }
            }
        };
        if let Choice::Popped(busy) = &choice {
            self.needs_branch();
            for (arm, ends) in ends.into_iter().enumerate() {
                let number = busy.iter().position(|&b| b == arm).map_or(0, |position| position + 1);
                let number = i64::try_from(number).unwrap_or(i64::MAX);
                for edge in ends {
                    self.push_on(edge, Value::Number(number));
                }
            }
        }
        self.plan.choices.insert(construct, choice);
        Ok(())
    }

    /// The edges on which control passes from an arm to the end of its construct.
    fn ends(&self, construct: usize, arm: usize) -> Vec<EdgeId> {
        let arm = &self.tree.constructs[construct].arms[arm];
        match arm.level {
            Some(level) => {
                let to_end = self.routes.of_level[level].iter().filter(|r| r.to == Node::End);
                to_end.filter_map(|route| route.edge).collect()
            }
            None => arm.edges.iter().copied().filter(|edge| self.tree.is_live(*edge)).collect(),
        }
    }

    /// Whether the branch can be written once more: an IF, or a SELECT CASE whose arms tell their
    /// values.
    fn is_written_again(&self, construct: usize) -> bool {
        let this = &self.tree.constructs[construct];
        let VertexKind::Branch { form, .. } = self.vertex(this.head).kind else { return false };
        let edges = this.arms.iter().flat_map(|arm| &arm.edges);
        let mut edges = edges.map(|&edge| &self.flow.cfg.edges[edge]);
        match form {
            BranchForm::If | BranchForm::InlineIf | BranchForm::ElseIf => {
                this.arms.len() <= 2
                    && edges.all(|edge| matches!(edge.condition, None | Some(0 | 1)))
            }
            BranchForm::SelectCase => {
                let guarded = |arm: &super::tree::Arm| match arm.edges.as_slice() {
                    [edge] => arm.level.is_none() || self.flow.cfg.edges[*edge].guard.is_some(),
                    _ => false,
                };
                this.arms.iter().all(guarded)
            }
            BranchForm::Plain
            | BranchForm::SelectType
            | BranchForm::SelectRank
            | BranchForm::ArithmeticIf
            | BranchForm::ComputedGoto
            | BranchForm::AssignedGoto
            | BranchForm::IndirectGoto => false,
        }
    }

    /// Decides how a loop is reversed.
    fn loop_of(&mut self, construct: usize) -> Result<(), Diagnostic> {
        let this = &self.tree.constructs[construct];
        let (head, end) = (this.head, this.end);
        if let VertexKind::ForLoop { init, .. } = self.vertex(head).kind
            && self.sweeps.has_backward(self.doc, init)
        {
            self.plan.inits.insert(construct, init);
            self.plan.inserts.before.entry(head).or_default().push(Insert::Record(init));
        }
        let body = this.arms.first().and_then(|arm| arm.level);
        let update = match self.vertex(head).kind {
            VertexKind::ForLoop { update, .. }
                if counted(self.doc, self.vertex(head)).is_none() =>
            {
                Some(update).filter(|&update| self.sweeps.has_backward(self.doc, update))
            }
            _ => None,
        };
        let (Some(body), true) =
            (body, update.is_some() || body.is_some_and(|body| self.plan.graphs[body].is_some()))
        else {
            return Ok(());
        };
        if let VertexKind::ConcurrentLoop { .. } = self.vertex(head).kind {
            return Err(self.refuse(
                head,
                Code::REVERSED_CONCURRENT,
                "a DO CONCURRENT loop cannot be reversed",
                "write it as an ordinary DO loop",
            ));
        }
        if self.plan.graphs[body].is_none() {
            // Only the next value matters.
            let routes = &self.routes.of_level[body];
            let mut graph = Graph::new(self.tree, body, routes, |_| false);
            graph.solve(vec![false; graph.nodes.len()]);
            self.meet(body, graph.end(), &graph, &HashMap::new());
            self.plan.graphs[body] = Some(graph);
        }
        let counter = counted(self.doc, self.vertex(head));
        let counter = counter.filter(|parts| matches!(parts.base, Base::Integer(4 | 8)));
        let counter = counter.map(|parts| parts.variable);
        let kept = self.statements(construct).into_iter().find_map(|stmt| {
            let variables = self.sweeps.checkpoints(self.doc, stmt, counter)?;
            Some((stmt, variables))
        });
        if let Some((stmt, variables)) = kept {
            return self.checkpointed(construct, stmt, variables);
        }
        let (ways, early, origins) = self.ways(construct, body, update.is_some());
        let (within, partial) = (!ways.is_empty() || !early.is_empty(), !origins.is_empty());
        let stmts = self.statements(construct);
        let depth = self.depths[construct];
        let vertex = self.vertex(head).clone();
        let rounds =
            rounds(self.doc, self.sweeps, &mut self.pool, &vertex, &stmts, (within, depth));
        if let Some(update) = update {
            self.plan.inserts.before.entry(end).or_default().push(Insert::Record(update));
        }
        self.record_rounds(construct, rounds, partial, &ways, &early);
        let way = partial.then(|| {
            self.pool.variable(self.doc, self.sweeps, ("exit_id", depth), Base::Integer(4))
        });
        let plan = LoopPlan { rounds, way, ways, origins, update };
        self.plan.loops.insert(construct, plan);
        Ok(())
    }

    /// Decides how a loop with checkpoints is reversed, whose body is the call `stmt`.
    fn checkpointed(
        &mut self,
        construct: usize,
        stmt: StmtId,
        variables: Checkpointed,
    ) -> Result<(), Diagnostic> {
        let head = self.tree.constructs[construct].head;
        // The actions repeat the call alone.
        let others = self.statements(construct).into_iter().filter(|&other| other != stmt);
        let is_counted = counted(self.doc, self.vertex(head)).is_some();
        let own = match self.vertex(head).kind {
            VertexKind::ForLoop { init, update, .. } if is_counted => vec![init, update],
            VertexKind::ForLoop { init, .. } => vec![init],
            _ => Vec::new(),
        };
        for other in others.filter(|other| !own.contains(other)) {
            if self.sweeps.has_backward(self.doc, other) {
                return Err(self.refuse(
                    head,
                    Code::CHECKPOINT_LOOP,
                    "the body of this loop with checkpoints is more than a call",
                    "put `xaif-checkpoint` before the other stages",
                ));
            }
        }
        let trip_count = trip_count(self.doc, self.vertex(head));
        let before = self.plan.inserts.before.entry(head).or_default();
        before.push(Insert::Checkpoints(stmt, trip_count));
        let (rounds, ways, origins) = (Rounds::Checkpointed(variables), HashMap::new(), Vec::new());
        let plan = LoopPlan { rounds, way: None, ways, origins, update: None };
        self.plan.loops.insert(construct, plan);
        Ok(())
    }

    /// By which ways a loop is left from within: those on which an iteration has been executed in part
    /// (with the number of the way and, by number, where the rest of the iteration begins), and those on
    /// which it has done nothing that matters.
    fn ways(
        &self,
        construct: usize,
        body: usize,
        update: bool,
    ) -> (HashMap<EdgeId, i64>, HashSet<EdgeId>, Vec<usize>) {
        let (mut ways, mut early, mut origins) = (HashMap::new(), HashSet::new(), Vec::new());
        let Some(graph) = &self.plan.graphs[body] else { return (ways, early, origins) };
        let end = graph.end();
        let whole = (!graph.into[end].is_empty() && !update).then(|| graph.origin[end]);
        for &edge in &self.routes.exits[construct] {
            let Some(sink) = graph.nodes.iter().position(|&node| node == Node::Sink(edge)) else {
                continue;
            };
            let origin = graph.origin[sink];
            if graph.nodes[origin] == Node::Start {
                early.insert(edge);
            } else if whole == Some(origin) {
                ways.insert(edge, 0);
            } else {
                let known = origins.iter().position(|&known| known == origin);
                let slot = known.unwrap_or_else(|| {
                    origins.push(origin);
                    origins.len() - 1
                });
                ways.insert(edge, i64::try_from(slot + 1).unwrap_or(i64::MAX));
            }
        }
        (ways, early, origins)
    }

    /// Puts into the forward sweep what the backward sweep needs to repeat the iterations.
    fn record_rounds(
        &mut self,
        construct: usize,
        rounds: Rounds,
        partial: bool,
        ways: &HashMap<EdgeId, i64>,
        early: &HashSet<EdgeId>,
    ) {
        let this = &self.tree.constructs[construct];
        let (head, end) = (this.head, this.end);
        let exits: Vec<(EdgeId, bool)> = {
            let ordinary = self.routes.leaving[construct].iter().map(|&edge| (edge, false));
            let within = self.routes.exits[construct].iter();
            // Whether the last iteration counts.
            let within = within.map(|&edge| (edge, ways.contains_key(&edge)));
            ordinary
                .chain(within.filter(|(e, _)| ways.contains_key(e) || early.contains(e)))
                .collect()
        };
        match rounds {
            Rounds::Checkpointed(_) => {}
            Rounds::Counted { count, .. } => {
                let before = self.plan.inserts.before.entry(head).or_default();
                before.push(Insert::Set(count, Value::Number(0)));
                let next = Insert::Set(count, Value::Plus(count, 1));
                let counts_first = partial || !ways.is_empty();
                if counts_first {
                    let into = this.arms.iter().flat_map(|arm| arm.edges.iter().copied());
                    for edge in into {
                        self.plan.inserts.on.entry(edge).or_default().insert(0, next);
                    }
                } else {
                    self.plan.inserts.before.entry(end).or_default().push(next);
                }
                for (edge, _) in exits {
                    let begun = counts_first && early.contains(&edge);
                    let value = if begun { Value::Plus(count, -1) } else { Value::Of(count) };
                    self.push_on(edge, value);
                }
            }
            Rounds::Over { variable, first, last, step } => {
                let frozen = |known| match known {
                    Known::Kept(symbol) => Some(symbol),
                    Known::Number(_) | Known::Again(_) => None,
                };
                let (kept_first, kept_step) = (frozen(first), frozen(step));
                if kept_first.is_some() || kept_step.is_some() {
                    self.freeze(head, kept_first, kept_step);
                }
                for (edge, executed) in exits {
                    for kept in [kept_first, kept_step].into_iter().flatten() {
                        self.push_on(edge, Value::Of(kept));
                    }
                    if let Last::Popped(_) = last {
                        let value = match step {
                            _ if executed => Value::Of(variable),
                            Known::Number(step) => Value::Plus(variable, step.saturating_neg()),
                            Known::Again(step) => Value::LessCopy(variable, step),
                            Known::Kept(step) => Value::Less(variable, step),
                        };
                        self.push_on(edge, value);
                    }
                }
            }
        }
    }

    /// First value and step are evaluated before the loop into variables.
    fn freeze(&mut self, head: VertexId, first: Option<SymbolId>, step: Option<SymbolId>) {
        let Some(parts) = counted(self.doc, self.vertex(head)) else { return };
        let before = self.plan.inserts.before.entry(head).or_default();
        for (symbol, expr) in [(first, parts.first), (step, parts.step)] {
            if let Some(symbol) = symbol {
                before.push(Insert::Set(symbol, Value::Copy(expr)));
            }
        }
        self.plan.inserts.frozen.push((head, first, step));
    }
}
