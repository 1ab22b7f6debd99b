//! Writes recomputations into bodies.

use std::collections::HashMap;

use xaif_schema::model::{
    Body, Cfg, Document, Edge, EdgeId, ExprId, Forall, ForallHeader, IndexRange, LocalJacobian,
    Place, ProcId, RefId, ScopeId, ScopeKind, StmtId, StmtKind, Vertex, VertexId, VertexKind,
};

use super::Made;
use super::cost::{cost_of, count_of, elements};
use super::equations::{Equation, Item};
use booster_build::{Copier, integer, nodes_of, statement};
use booster_facts::loops::Loop;

/// A place in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum At {
    /// Before a statement of a block.
    Before(VertexId, StmtId),
    /// On the way along an edge.
    Edge(EdgeId),
}

/// Recomputations that stand at one place, in the order of the text.
#[derive(Clone, Debug)]
pub(super) struct Insertion {
    pub(super) at: At,
    pub(super) equations: Vec<Equation>,
}

/// Writes all recomputations. A place that has no block and can have none is left out.
pub(super) fn write(
    doc: &mut Document,
    insertions: HashMap<ProcId, Vec<Insertion>>,
) -> HashMap<StmtId, Made> {
    let mut made = HashMap::new();
    let mut insertions: Vec<(ProcId, Vec<Insertion>)> = insertions.into_iter().collect();
    insertions.sort_by_key(|(proc, _)| *proc);
    for (proc, list) in insertions {
        let Body::Flow(cfg) = std::mem::replace(&mut doc.procs[proc].body, Body::Interface) else {
            continue;
        };
        let mut writer = Writer { scope: doc.procs[proc].scope, proc, doc, cfg, made: &mut made };
        let mut before: HashMap<VertexId, HashMap<StmtId, Vec<StmtId>>> = HashMap::new();
        for Insertion { at, equations } in list {
            match at {
                At::Before(vertex, stmt) => {
                    if !writer.is_within_jacobian(stmt) {
                        let stmts = writer.statements(&equations);
                        before.entry(vertex).or_default().insert(stmt, stmts);
                    }
                }
                At::Edge(edge) => writer.on_edge(edge, &equations),
            }
        }
        for (vertex, mut before) in before {
            if let VertexKind::BasicBlock { stmts, .. } = &mut writer.cfg.vertices[vertex].kind {
                let old = std::mem::take(stmts);
                for stmt in old {
                    stmts.extend(before.remove(&stmt).unwrap_or_default());
                    stmts.push(stmt);
                }
            }
        }
        let cfg = writer.cfg;
        doc.procs[proc].body = Body::Flow(cfg);
    }
    made
}

/// A copy of an expression with other expressions in the place of some of its nodes.
fn replaced(
    doc: &mut Document,
    copier: &Copier,
    root: ExprId,
    others: &HashMap<ExprId, ExprId>,
) -> ExprId {
    let copy = copier.expr(doc, root);
    let (old, new) = (nodes_of(doc, [root]), nodes_of(doc, [copy]));
    for (old, new) in old.into_iter().zip(new) {
        if let Some(&other) = others.get(&old) {
            let other = replaced(doc, copier, other, others);
            doc.exprs[new] = doc.exprs[other].clone();
        }
    }
    copy
}

/// The cost of executing an assignment with its loops; `None` where an operation has none.
fn work(doc: &Document, item: &Item, lhs: RefId) -> Option<f64> {
    let roots = std::iter::once(item.rhs).chain(item.replaced.values().copied());
    let mut cost = 1;
    for root in roots {
        cost += cost_of(doc, root)?;
    }
    let often: f64 = item.loops.iter().map(|one| count_of(doc, one)).product();
    Some(often * elements(doc, &doc.refs[lhs]) * f64::from(cost))
}

struct Writer<'w> {
    doc: &'w mut Document,
    proc: ProcId,
    scope: ScopeId,
    cfg: Cfg,
    made: &'w mut HashMap<StmtId, Made>,
}

impl Writer<'_> {
    fn statements(&mut self, equations: &[Equation]) -> Vec<StmtId> {
        let mut stmts = Vec::new();
        for one in equations {
            let heads = |item: &Item| item.loops.iter().map(|one| one.head).collect::<Vec<_>>();
            let together = |a: &Item, b: &Item| !a.loops.is_empty() && heads(a) == heads(b);
            let groups: Vec<&[Item]> = one.items.chunk_by(together).collect();
            // Backwards the first assignment is executed first. An equation is written as a whole or not at all.
            let made: Option<Vec<(StmtId, f64)>> =
                groups.into_iter().rev().map(|items| self.statement(items)).collect();
            for (stmt, work) in made.into_iter().flatten() {
                self.doc.stmts[stmt].recompute = true;
                let (value, operands) = (one.value, one.operands.clone());
                self.made.insert(stmt, Made { proc: self.proc, value, operands, work });
                stmts.push(stmt);
            }
        }
        stmts
    }

    /// Assignments of the same loops once more, a FORALL for each of the loops, and the cost of executing them.
    fn statement(&mut self, items: &[Item]) -> Option<(StmtId, f64)> {
        let first = items.first()?;
        let place = self.doc.stmts[first.stmt].place;
        let mut copier = Copier::new();
        let mut headers = Vec::new();
        let mut scope = self.scope;
        for around in &first.loops {
            let (inner, header) = self.header(&mut copier, around, scope, place);
            headers.push(header);
            scope = inner;
        }
        let mut body = Vec::new();
        let mut whole = 0.0;
        for item in items {
            let StmtKind::Assign { lhs, .. } = self.doc.stmts[item.stmt].kind else { return None };
            whole += work(self.doc, item, lhs)?;
            let place = self.doc.stmts[item.stmt].place;
            let lhs = copier.reference(self.doc, lhs);
            let rhs = replaced(self.doc, &copier, item.rhs, &item.replaced);
            let kind = StmtKind::Assign { lhs, rhs, defined: None };
            body.push(statement(self.doc, kind, place));
        }
        for header in headers.into_iter().rev() {
            let forall = Forall { header, body, name: None, inline: false };
            body = vec![statement(self.doc, StmtKind::Forall(Box::new(forall)), place)];
        }
        Some((*body.first()?, whole))
    }

    /// The header of a FORALL for a loop, and the scope of its index, which stands for the variable of the loop.
    fn header(
        &mut self,
        copier: &mut Copier,
        around: &Loop,
        outer: ScopeId,
        place: Place,
    ) -> (ScopeId, ForallHeader) {
        let lower = copier.expr(self.doc, around.lower);
        let upper = copier.expr(self.doc, around.upper);
        let step = (around.step != 1).then(|| integer(self.doc, around.step, place));
        let scope = self.doc.add_scope(outer, ScopeKind::Indices, place);
        let mut index = self.doc.symbols[around.variable].clone();
        index.scope = scope;
        if let Some(decl) = &mut index.decl {
            decl.implicit = true;
            decl.attrs.clear();
            (decl.intent, decl.common, decl.init) = (None, None, None);
        }
        let var = self.doc.add_symbol(index);
        copier.symbols.insert(around.variable, var);
        let ranges = vec![IndexRange { var, lower, upper, step }];
        (scope, ForallHeader { scope, spec: None, ranges, mask: None })
    }

    /// Whether nothing may stand before a statement, as it goes with the one before it.
    fn is_within_jacobian(&self, stmt: StmtId) -> bool {
        matches!(
            self.doc.stmts[stmt].local_jacobian,
            Some(LocalJacobian::Again | LocalJacobian::Propagator)
        )
    }

    fn on_edge(&mut self, edge: EdgeId, equations: &[Equation]) {
        let Edge { source, target, .. } = self.cfg.edges[edge];
        let leaving = self.cfg.edges.values().filter(|other| other.source == source).count();
        match &self.cfg.vertices[source].kind {
            VertexKind::BasicBlock { .. } if leaving == 1 => {
                let new = self.statements(equations);
                if let VertexKind::BasicBlock { stmts, .. } = &mut self.cfg.vertices[source].kind {
                    stmts.extend(new);
                }
            }
            VertexKind::EndBranch | VertexKind::ForLoop { .. } => {
                self.on_new_block(edge, (source, target), equations);
            }
            VertexKind::BasicBlock { .. }
            | VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::Branch { .. }
            | VertexKind::EndLoop
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. }
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => {}
        }
    }

    /// Behind a construct a block is made.
    fn on_new_block(
        &mut self,
        edge: EdgeId,
        (source, target): (VertexId, VertexId),
        equations: &[Equation],
    ) {
        let last = match self.cfg.vertices[source].kind {
            VertexKind::ForLoop { .. } => self.end_of_loop(source),
            _ => Some(source),
        };
        let position = last.and_then(|last| self.cfg.layout.iter().position(|&one| one == last));
        // Only where control falls through from the construct to what follows, or to the end of what is around it.
        let falls = |position: usize| {
            let next = self.cfg.layout.get(position + 1);
            next.is_some_and(|&next| is_end_of_arm(&self.cfg, next, target))
        };
        let Some(position) = position.filter(|&position| falls(position)) else { return };
        let stmts = self.statements(equations);
        let scope = self.scope_beside(position);
        let place = self.cfg.vertices[source].place;
        let kind = VertexKind::BasicBlock { scope, stmts };
        let block = self.cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
        self.cfg.layout.insert(position + 1, block);
        self.cfg.edges[edge].target = block;
        self.cfg.connect(block, target);
    }

    /// The end of a loop, by the edge back to its head.
    fn end_of_loop(&self, head: VertexId) -> Option<VertexId> {
        let mut back = self.cfg.edges.values().filter(|edge| {
            edge.target == head
                && matches!(self.cfg.vertices[edge.source].kind, VertexKind::EndLoop)
        });
        back.next().map(|edge| edge.source)
    }

    /// The scope of the nearest block before the construct that ends at a position, and beside it; else that of the
    /// procedure, as recomputations name nothing that a construct declares.
    fn scope_beside(&self, end: usize) -> ScopeId {
        let mut inside = 0;
        for &vertex in self.cfg.layout[..=end].iter().rev() {
            match self.cfg.vertices[vertex].kind {
                VertexKind::EndBranch | VertexKind::EndLoop => inside += 1,
                VertexKind::Branch { .. }
                | VertexKind::ForLoop { .. }
                | VertexKind::PreLoop { .. }
                | VertexKind::PostLoop { .. }
                | VertexKind::ConcurrentLoop { .. } => {
                    if inside == 0 {
                        break;
                    }
                    inside -= 1;
                }
                VertexKind::BasicBlock { scope, .. } if inside == 0 => return scope,
                VertexKind::BasicBlock { .. }
                | VertexKind::Entry(_)
                | VertexKind::Exit
                | VertexKind::Goto(_)
                | VertexKind::Label { .. } => {}
            }
        }
        self.scope
    }
}

/// Whether the text behind a construct is the end of the arm or loop that `target` closes: `target` itself, or the
/// beginning of another arm, to which control does not fall through.
fn is_end_of_arm(cfg: &Cfg, next: VertexId, target: VertexId) -> bool {
    next == target
        || matches!(cfg.vertices[target].kind, VertexKind::EndBranch)
            && !cfg.edges.values().any(|edge| edge.target == next && edge.source == target)
}
