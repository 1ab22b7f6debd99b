//! Bodies: from the plan of a control flow graph to lines.

use std::collections::{HashMap, HashSet};

use backend_flow::graph::Graph;
use backend_flow::loops::{self, Rounds};
use backend_flow::plan::{Dialect, Op, Plan, Site, Transfer, plan};
use backend_flow::{check, order};
use xaif_schema::model::{
    BranchForm, CaseRange, Cfg, CommentKind, ExprId, ExprKind, ForForm, Guard, ProcKind, Procedure,
    StmtKind, SymbolId, VertexId, VertexKind,
};

use crate::context::Context;
use crate::expression::Level;
use crate::statement::Lines;

/// What printing a body tells about the function around it.
#[derive(Debug, Default)]
pub(crate) struct Printed {
    /// Variables of the text itself, with their types.
    pub(crate) locals: Vec<(String, &'static str)>,
}

struct Body<'c, 'd, 'g> {
    cx: &'c Context<'d>,
    graph: &'g Graph<'d>,
    plan: &'g Plan,
    proc: &'d Procedure,
    labels: HashMap<Site, usize>,
    ends: HashMap<VertexId, usize>,
    else_ifs: HashSet<VertexId>,
    else_arms: HashSet<usize>,
    /// Operations whose `return` stands in the statement before.
    returned: HashSet<usize>,
    /// What a `return` frees.
    freed: Vec<SymbolId>,
    printed: Printed,
}

/// Prints the body of a function.
pub(crate) fn print(
    cx: &Context<'_>,
    lines: &mut Lines,
    proc: &Procedure,
    cfg: &Cfg,
    freed: Vec<SymbolId>,
) -> Printed {
    let graph = Graph::new(cx.doc, cfg);
    let mut seen = HashSet::new();
    let all = cfg.layout.iter().copied().chain(cfg.vertices.keys());
    let layout: Vec<VertexId> = all.filter(|&vertex| seen.insert(vertex)).collect();
    let mut best = plan(&graph, &layout, false, Dialect::C);
    if !best.is_clean(&graph) {
        let walked = plan(&graph, &order::walk(&graph), false, Dialect::C);
        if walked.cost() < best.cost() {
            best = walked;
        }
    }
    let wrong = best.stuck.or_else(|| check::difference(&graph, &best));
    if let Some(vertex) = wrong {
        cx.refuse(cfg.vertices[vertex].place, "control flow that C cannot write");
        return Printed::default();
    }
    let ends = best.ops.iter().enumerate().filter_map(|(index, op)| match op {
        Op::EndBranch(_, branch) => Some((*branch, index)),
        _ => None,
    });
    let mut body = Body {
        cx,
        graph: &graph,
        plan: &best,
        proc,
        labels: labels(&best),
        ends: ends.collect(),
        else_ifs: HashSet::new(),
        else_arms: HashSet::new(),
        returned: HashSet::new(),
        freed,
        printed: Printed::default(),
    };
    for index in 0..best.ops.len() {
        if let Some(inner) = body.else_if(index) {
            body.else_ifs.insert(inner);
            body.else_arms.insert(index);
        }
    }
    for index in 0..best.ops.len() {
        body.op(lines, index);
    }
    body.printed
}

/// Numbers of the places that are jumped to, in the order of the text.
fn labels(plan: &Plan) -> HashMap<Site, usize> {
    let mut found = HashMap::new();
    for &op in &plan.ops {
        let sites = match op {
            Op::Vertex(vertex) => vec![Site::Vertex(vertex), Site::Test(vertex)],
            Op::EndBranch(vertex, _) | Op::EndLoop(vertex, _) => vec![Site::Vertex(vertex)],
            Op::End => vec![Site::End],
            Op::Arm(..) | Op::AfterLoop(_) => Vec::new(),
        };
        for site in sites {
            if plan.sites.contains(&site) {
                let number = found.len() + 1;
                found.insert(site, number);
            }
        }
    }
    found
}

impl Body<'_, '_, '_> {
    fn op(&mut self, lines: &mut Lines, index: usize) {
        match self.plan.ops[index] {
            Op::Vertex(vertex) => self.vertex(lines, index, vertex),
            Op::Arm(branch, arm) => self.arm(lines, index, branch, arm),
            Op::EndBranch(vertex, branch) => {
                self.label(lines, Site::Vertex(vertex));
                if !self.else_ifs.contains(&branch) {
                    if !self.is_if(branch) {
                        lines.depth = lines.depth.saturating_sub(1);
                    }
                    lines.depth = lines.depth.saturating_sub(1);
                    lines.line("}");
                }
            }
            Op::EndLoop(vertex, head) => {
                self.label(lines, Site::Vertex(vertex));
                lines.depth = lines.depth.saturating_sub(1);
                match self.graph.kind(head) {
                    VertexKind::PostLoop { condition } => {
                        let condition =
                            condition.map_or_else(|| "1".to_owned(), |one| self.cx.expr(one));
                        lines.line(&format!("}} while ({condition});"));
                    }
                    _ => lines.line("}"),
                }
            }
            Op::AfterLoop(_) => {}
            Op::End => self.end(lines, index),
        }
        if self.returned.contains(&index) {
            return;
        }
        if let Some(transfer) = self.plan.transfers.get(&index) {
            match transfer {
                Transfer::Goto(site) => {
                    lines.line(&format!("goto label_{};", self.label_of(*site)))
                }
                Transfer::Exit(_) => lines.line("break;"),
                Transfer::Cycle(_) => lines.line("continue;"),
                Transfer::Return => self.give_back(lines, None),
            }
        }
    }

    /// `return value;`
    fn give_back(&mut self, lines: &mut Lines, value: Option<String>) {
        let value = value.or_else(|| match (self.proc.kind, self.proc.result) {
            (ProcKind::Program, _) => Some("0".to_owned()),
            (_, Some(result)) => Some(self.cx.refer(result)),
            (_, None) => None,
        });
        self.free(lines);
        match value {
            Some(value) => lines.line(&format!("return {value};")),
            None => lines.line("return;"),
        }
    }

    fn free(&self, lines: &mut Lines) {
        for &symbol in &self.freed {
            self.cx.needs("stdlib.h");
            lines.line(&format!("free({});", self.cx.refer(symbol)));
        }
    }

    fn end(&mut self, lines: &mut Lines, index: usize) {
        self.label(lines, Site::End);
        let labelled = self.labels.contains_key(&Site::End);
        let left = index.checked_sub(1).is_some_and(|before| {
            self.returned.contains(&before)
                || matches!(
                    self.plan.transfers.get(&before),
                    Some(Transfer::Return | Transfer::Goto(_))
                )
                || self.never_ends(before)
        });
        if left && !labelled {
            return;
        }
        if self.proc.result.is_some() || self.proc.kind == ProcKind::Program {
            self.give_back(lines, None);
        } else {
            self.free(lines);
        }
    }

    /// Whether control does not come behind an operation: all arms of a branch return, or a loop goes on for ever.
    fn never_ends(&self, index: usize) -> bool {
        match self.plan.ops[index] {
            Op::EndBranch(vertex, _) => self.graph.incoming(vertex).next().is_none(),
            Op::AfterLoop(head) => self.graph.after_loop(head).is_none() && !self.is_left(head),
            Op::Vertex(vertex) => match self.graph.kind(vertex) {
                VertexKind::Goto(_) => {
                    backend_flow::plan::is_dead(self.graph, vertex)
                        || self.plan.transfers.contains_key(&index)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a `break` leaves a loop.
    fn is_left(&self, head: VertexId) -> bool {
        let Some(at) = self.plan.ops.iter().position(|&op| op == Op::AfterLoop(head)) else {
            return true;
        };
        match self.plan.ops.get(at + 1) {
            Some(Op::End) => self.graph.exit().is_some_and(|exit| {
                self.graph.incoming(exit).any(|edge| match self.graph.kind(edge.source) {
                    VertexKind::Goto(jump) => *jump == xaif_schema::model::Jump::Break,
                    _ => false,
                })
            }),
            _ => true,
        }
    }

    fn label(&self, lines: &mut Lines, site: Site) {
        if let Some(label) = self.labels.get(&site) {
            let depth = std::mem::replace(&mut lines.depth, 0);
            lines.line(&format!("label_{label}:;"));
            lines.depth = depth;
        }
    }

    fn label_of(&self, site: Site) -> usize {
        self.labels.get(&site).copied().unwrap_or(0)
    }

    fn vertex(&mut self, lines: &mut Lines, index: usize, vertex: VertexId) {
        self.label(lines, Site::Vertex(vertex));
        match self.graph.kind(vertex) {
            VertexKind::Entry(Some(_)) => {
                self.cx
                    .refuse(self.graph.cfg.vertices[vertex].place, "a second entry of a procedure");
            }
            VertexKind::Entry(None)
            | VertexKind::Exit
            | VertexKind::Goto(_)
            | VertexKind::Label { .. }
            | VertexKind::EndBranch => {}
            VertexKind::BasicBlock { stmts, .. } => self.block(lines, index, stmts),
            VertexKind::Branch { condition, .. } => {
                if self.plan.structure.end.contains_key(&vertex) {
                    self.head(lines, index, vertex);
                } else {
                    self.flat_branch(lines, index, vertex, *condition);
                }
            }
            VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. } => self.loop_head(lines, index, vertex),
            VertexKind::EndLoop => self.flat_tail(lines, index, vertex),
        }
    }

    fn block(&mut self, lines: &mut Lines, index: usize, stmts: &[xaif_schema::model::StmtId]) {
        let last = self.returning(index, stmts);
        for (place, &stmt) in stmts.iter().enumerate() {
            let data = &self.cx.doc.stmts[stmt];
            if Some(place) == last
                && let StmtKind::Assign { rhs, .. } = &data.kind
            {
                let value = self.cx.at(*rhs, Level::Conditional, None);
                if self.freed.is_empty() {
                    self.give_back(lines, Some(value));
                    continue;
                }
            }
            self.cx.statement(lines, data);
        }
    }

    /// The assignment of the result that a `return` follows at once.
    fn returning(&mut self, index: usize, stmts: &[xaif_schema::model::StmtId]) -> Option<usize> {
        let result = self.proc.result?;
        if !self.freed.is_empty() {
            return None;
        }
        let last = stmts.iter().rposition(|&stmt| {
            !matches!(&self.cx.doc.stmts[stmt].kind, StmtKind::Comment(comment) if comment.kind != CommentKind::Directive)
        })?;
        let StmtKind::Assign { lhs, .. } = &self.cx.doc.stmts[stmts[last]].kind else {
            return None;
        };
        let lhs = &self.cx.doc.refs[*lhs];
        if lhs.base != result || !lhs.parts.is_empty() {
            return None;
        }
        if self.plan.transfers.get(&index) == Some(&Transfer::Return) {
            self.returned.insert(index);
            return Some(last);
        }
        if self.plan.transfers.contains_key(&index) {
            return None;
        }
        let next = index + 1;
        match self.plan.ops.get(next) {
            Some(Op::Vertex(vertex)) if matches!(self.graph.kind(*vertex), VertexKind::Goto(_)) => {
                let silent = !self.labels.contains_key(&Site::Vertex(*vertex));
                let leaves = self.plan.transfers.get(&next) == Some(&Transfer::Return);
                (silent && leaves).then(|| {
                    self.returned.insert(next);
                    last
                })
            }
            Some(Op::End) if !self.labels.contains_key(&Site::End) => {
                self.returned.insert(index);
                Some(last)
            }
            _ => None,
        }
    }

    /// Whether a branch asks for a truth value.
    fn is_if(&self, branch: VertexId) -> bool {
        let VertexKind::Branch { condition, form, .. } = self.graph.kind(branch) else {
            return false;
        };
        match form {
            BranchForm::If | BranchForm::InlineIf | BranchForm::ElseIf => true,
            BranchForm::Plain => condition.is_none_or(|expr| {
                matches!(self.cx.doc.exprs[expr].ty.base, xaif_schema::model::Base::Logical(_))
                    || matches!(self.cx.doc.exprs[expr].kind, ExprKind::Boolean { .. })
            }),
            _ => false,
        }
    }

    fn head(&mut self, lines: &mut Lines, _index: usize, branch: VertexId) {
        let VertexKind::Branch { condition, form, .. } = self.graph.kind(branch) else { return };
        let text = condition.map_or_else(|| "1".to_owned(), |one| self.cx.expr(one));
        if !self.is_if(branch) {
            if *form != BranchForm::SelectCase && *form != BranchForm::Plain {
                self.cx.refuse(
                    self.graph.cfg.vertices[branch].place,
                    "a construct that C does not have",
                );
            }
            lines.line(&format!("switch ({text}) {{"));
            lines.depth += 2;
            return;
        }
        let edges = self.plan.arm_edges(branch, 0);
        let holds = edges
            .iter()
            .any(|&edge| self.graph.cfg.edges[edge].condition.is_some_and(|value| value != 0));
        let text = match (holds || edges.is_empty(), condition) {
            (false, Some(condition)) => format!("!{}", self.cx.at(*condition, Level::Prefix, None)),
            _ => text,
        };
        if self.else_ifs.contains(&branch) {
            lines.depth = lines.depth.saturating_sub(1);
            lines.line(&format!("}} else if ({text}) {{"));
        } else {
            lines.line(&format!("if ({text}) {{"));
        }
        lines.depth += 1;
    }

    fn arm(&mut self, lines: &mut Lines, index: usize, branch: VertexId, arm: usize) {
        if self.is_if(branch) {
            if arm > 0 && !self.else_arms.contains(&index) {
                lines.depth = lines.depth.saturating_sub(1);
                lines.line("} else {");
                lines.depth += 1;
            }
            return;
        }
        lines.depth = lines.depth.saturating_sub(1);
        let before = index.checked_sub(1);
        let falls = before.is_some_and(|before| {
            arm > 0 && !self.plan.transfers.contains_key(&before) && !self.never_ends(before)
        });
        if falls {
            lines.line("/* fall through */");
        }
        for &edge in self.plan.arm_edges(branch, arm) {
            let edge = &self.graph.cfg.edges[edge];
            match edge.guard.as_deref() {
                Some(Guard::Case(ranges)) => {
                    for range in ranges {
                        self.case(lines, range, branch);
                    }
                }
                Some(Guard::Default) => lines.line("default:"),
                _ => match edge.condition {
                    Some(value) => lines.line(&format!("case {value}:")),
                    None => lines.line("default:"),
                },
            }
        }
        lines.depth += 1;
        // A label needs a statement.
        let empty = match self.plan.ops.get(index + 1) {
            Some(Op::Vertex(vertex)) => match self.graph.kind(*vertex) {
                VertexKind::BasicBlock { stmts, .. } => {
                    let silent = stmts
                        .iter()
                        .all(|&stmt| matches!(self.cx.doc.stmts[stmt].kind, StmtKind::Comment(_)));
                    silent
                        && !self.plan.transfers.contains_key(&(index + 1))
                        && matches!(self.plan.ops.get(index + 2), Some(Op::EndBranch(..)))
                }
                _ => false,
            },
            Some(Op::EndBranch(..)) => !self.plan.transfers.contains_key(&index),
            _ => false,
        };
        if empty {
            lines.line("break;");
        }
    }

    fn case(&mut self, lines: &mut Lines, range: &CaseRange, branch: VertexId) {
        match range {
            CaseRange::Value(value) => lines.line(&format!("case {}:", self.cx.expr(*value))),
            CaseRange::Range(Some(low), Some(high)) => {
                let (low, high) = (self.cx.integer(*low), self.cx.integer(*high));
                match (low, high) {
                    (Some(low), Some(high)) if high - low < 256 => {
                        for value in low..=high {
                            lines.line(&format!("case {value}:"));
                        }
                    }
                    _ => {
                        self.cx.refuse(
                            self.graph.cfg.vertices[branch].place,
                            "a case with a large range",
                        );
                    }
                }
            }
            CaseRange::Range(..) => {
                self.cx.refuse(self.graph.cfg.vertices[branch].place, "a case with an open range");
            }
        }
    }

    fn loop_head(&mut self, lines: &mut Lines, index: usize, head: VertexId) {
        let structured = self.plan.structure.end.contains_key(&head);
        let place = self.graph.cfg.vertices[head].place;
        match self.graph.kind(head) {
            VertexKind::ForLoop { init, condition, update, form, .. } => {
                let parts = (*init, *condition, *update);
                // A loop of C tests its bound in each iteration anyway.
                let steady = *form == ForForm::General
                    || structured && self.cx.is_from_c()
                    || (if structured {
                        loops::is_steady(self.graph, head)
                    } else {
                        matches!(loops::rounds(self.graph, head), Rounds::Steady)
                    });
                let bound = match (steady, loops::counted(self.graph, head)) {
                    (true, _) => None,
                    (false, Some(counted)) => {
                        let name = format!("last_{}", self.printed.locals.len() + 1);
                        let value = self.cx.expr(counted.upper);
                        self.printed.locals.push((name.clone(), "long"));
                        lines.line(&format!("{name} = {value};"));
                        Some((name, counted.upper))
                    }
                    (false, None) => {
                        self.cx.refuse(place, "a loop whose number of iterations is not known");
                        None
                    }
                };
                let init = self.plain_assignment(parts.0);
                let update = self.plain_assignment(parts.2);
                let condition = self.condition(parts.1, bound);
                if structured {
                    lines.line(&format!("for ({init}; {condition}; {update}) {{"));
                } else {
                    lines.line(&format!("{init};"));
                    self.label(lines, Site::Test(head));
                    return self.leave_unless(lines, index, &format!("!({condition})"));
                }
            }
            VertexKind::PreLoop { condition, .. } => {
                let text = condition.map(|one| self.cx.expr(one));
                match (structured, text) {
                    (true, Some(text)) => lines.line(&format!("while ({text}) {{")),
                    (true, None) => lines.line("for (;;) {"),
                    (false, Some(text)) => {
                        return self.leave_unless(lines, index, &format!("!({text})"));
                    }
                    (false, None) => return,
                }
            }
            VertexKind::PostLoop { .. } if structured => lines.line("do {"),
            VertexKind::PostLoop { .. } => return self.label(lines, Site::Test(head)),
            _ => {
                self.cx.refuse(place, "a loop whose iterations have no order");
            }
        }
        lines.depth += 1;
    }

    fn plain_assignment(&self, stmt: xaif_schema::model::StmtId) -> String {
        match &self.cx.doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, rhs, .. } => self.step(*lhs, *rhs),
            _ => self.cx.refuse(self.cx.doc.stmts[stmt].place, "a loop that counts in another way"),
        }
    }

    /// `i++`, `i -= 2` or an assignment.
    fn step(&self, lhs: xaif_schema::model::RefId, rhs: ExprId) -> String {
        if let ExprKind::Intrinsic { name, operands, .. } = &self.cx.doc.exprs[rhs].kind
            && &**name == "add_scal_scal"
            && let [a, b] = operands.as_slice()
            && let Some(own) = self.cx.doc.exprs[a.expr].reference()
            && self.cx.reference(own, None) == self.cx.reference(lhs, None)
            && let Some(step) = self.cx.integer(b.expr)
            && step < 0
        {
            let target = self.cx.reference(lhs, None);
            return if step == -1 {
                format!("{target}--")
            } else {
                format!("{target} -= {}", -step)
            };
        }
        self.cx.assignment(lhs, rhs)
    }

    /// The condition of a loop: `i < n` for `i <= n - 1`.
    fn condition(&self, condition: ExprId, bound: Option<(String, ExprId)>) -> String {
        use xaif_schema::model::BoolOp;
        if let ExprKind::Boolean { op, operands } = &self.cx.doc.exprs[condition].kind
            && let [a, b] = operands.as_slice()
        {
            let left = self.cx.at(a.expr, Level::Shift, None);
            if let Some((name, upper)) = bound {
                let symbol = match op {
                    BoolOp::LessOrEqual => "<=",
                    BoolOp::GreaterOrEqual => ">=",
                    BoolOp::LessThan => "<",
                    BoolOp::GreaterThan => ">",
                    _ => "",
                };
                if upper == b.expr && !symbol.is_empty() {
                    return format!("{left} {symbol} {name}");
                }
                return self.cx.refuse(
                    self.cx.doc.exprs[condition].place,
                    "a loop whose step has no known sign",
                );
            }
            match op {
                BoolOp::LessOrEqual => {
                    if let Some(text) = self.cx.neighbour(b.expr, "sub_scal_scal") {
                        return format!("{left} < {text}");
                    }
                }
                BoolOp::GreaterOrEqual => {
                    if let Some(text) = self.cx.neighbour(b.expr, "add_scal_scal") {
                        return format!("{left} > {text}");
                    }
                }
                _ => {}
            }
        }
        self.cx.expr(condition)
    }

    /// `if (condition) goto …` to where the loop of operation `index` goes on.
    fn leave_unless(&self, lines: &mut Lines, index: usize, condition: &str) {
        if let Some(&(_, site)) = self.plan.named.get(&index).and_then(|named| named.first()) {
            lines.line(&format!("if ({condition}) goto label_{};", self.label_of(site)));
        }
    }

    /// The end of a loop that is written flat.
    fn flat_tail(&self, lines: &mut Lines, index: usize, vertex: VertexId) {
        let Some(head) = self.graph.next(vertex) else { return };
        match self.graph.kind(head) {
            VertexKind::ForLoop { update, .. } => {
                lines.line(&format!("{};", self.plain_assignment(*update)))
            }
            VertexKind::PostLoop { condition: Some(condition) } => {
                self.leave_unless(lines, index, &format!("!({})", self.cx.expr(*condition)));
            }
            _ => {}
        }
    }

    /// A branch that is written with jumps.
    fn flat_branch(
        &self,
        lines: &mut Lines,
        index: usize,
        branch: VertexId,
        condition: Option<ExprId>,
    ) {
        let Some(condition) = condition else { return };
        let named = self.plan.named.get(&index).map_or(&[][..], Vec::as_slice);
        let truth = self.is_if(branch);
        for &(value, site) in named {
            let Some(value) = value else { continue };
            let label = self.label_of(site);
            if truth {
                let text = self.cx.expr(condition);
                let text = if value == 0 { format!("!({text})") } else { text };
                lines.line(&format!("if ({text}) goto label_{label};"));
                continue;
            }
            let guard = self
                .graph
                .out(branch)
                .find(|(_, edge)| edge.condition == Some(value))
                .and_then(|(_, edge)| edge.guard.as_deref());
            let text = self.cx.at(condition, Level::Shift, None);
            match guard {
                Some(Guard::Case(ranges)) => {
                    let tests: Vec<String> = ranges
                        .iter()
                        .map(|range| match range {
                            CaseRange::Value(one) => {
                                format!("{text} == {}", self.cx.at(*one, Level::Shift, None))
                            }
                            CaseRange::Range(low, high) => {
                                let low = low.map(|low| {
                                    format!("{text} >= {}", self.cx.at(low, Level::Shift, None))
                                });
                                let high = high.map(|high| {
                                    format!("{text} <= {}", self.cx.at(high, Level::Shift, None))
                                });
                                let both: Vec<String> = [low, high].into_iter().flatten().collect();
                                format!("({})", both.join(" && "))
                            }
                        })
                        .collect();
                    lines.line(&format!("if ({}) goto label_{label};", tests.join(" || ")));
                }
                _ => lines.line(&format!("if ({text} == {value}) goto label_{label};")),
            }
        }
    }

    /// The branch that alone is the ELSE arm which begins at operation `index`.
    fn else_if(&self, index: usize) -> Option<VertexId> {
        let Op::Arm(outer, arm) = *self.plan.ops.get(index)? else { return None };
        if arm == 0 || !self.is_if(outer) || self.plan.transfers.contains_key(&index) {
            return None;
        }
        let mut at = index + 1;
        while self.is_silent(at) {
            at += 1;
        }
        let Op::Vertex(inner) = *self.plan.ops.get(at)? else { return None };
        let fits = matches!(self.graph.kind(inner), VertexKind::Branch { .. }) && self.is_if(inner);
        if !fits
            || self.plan.sites.contains(&Site::Vertex(inner))
            || !self.plan.structure.end.contains_key(&inner)
        {
            return None;
        }
        let mut at = *self.ends.get(&inner)?;
        let Op::EndBranch(end, _) = self.plan.ops[at] else { return None };
        if self.plan.transfers.contains_key(&at) || self.plan.sites.contains(&Site::Vertex(end)) {
            return None;
        }
        at += 1;
        while self.is_silent(at) {
            at += 1;
        }
        (self.ends.get(&outer) == Some(&at)).then_some(inner)
    }

    /// Whether an operation is a block that prints nothing.
    fn is_silent(&self, index: usize) -> bool {
        let Some(Op::Vertex(vertex)) = self.plan.ops.get(index) else { return false };
        let VertexKind::BasicBlock { stmts, .. } = self.graph.kind(*vertex) else { return false };
        stmts.is_empty()
            && !self.plan.sites.contains(&Site::Vertex(*vertex))
            && !self.plan.transfers.contains_key(&index)
    }
}
