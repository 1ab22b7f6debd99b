//! The lines of a body, from its plan.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use xaif_schema::diag::Code as DiagCode;
use xaif_schema::model::{
    BranchForm, CommentKind, EntryPoint, ExprId, ExprKind, Role, ScopeId, ScopeKind, StmtId,
    StmtKind, TypeClass, Verb, VertexId, VertexKind,
};

use super::Entry;
use super::labels::{Numbers, number};
use super::select;
use crate::code::Code;
use crate::context::Context;
use crate::expression::{Printer, Tok, comma, owned, text, whole};
use crate::lines::Lines;
use crate::specification::Specification;
use crate::statement::Labels;
use crate::unit::{dummies, result_clause};
use backend_flow::graph::Graph;
use backend_flow::loops::{Counted, Direction, Step, counted};
use backend_flow::plan::{Construct, Op, Plan, Site, Transfer};

/// Precedence that only names, literals and what stands in parentheses has.
const PRIMARY: u8 = 13;

/// Prints one body.
pub(crate) struct Body<'a, 'd> {
    pub(super) cx: &'a Context<'d>,
    pub(super) graph: &'a Graph<'d>,
    pub(super) plan: &'a Plan,
    numbers: Numbers,
    /// The scope of the procedure.
    scope: ScopeId,
    /// The operation that ends a branch.
    ends: HashMap<VertexId, usize>,
    /// Branches that are printed as ELSE IF.
    else_ifs: HashSet<VertexId>,
    /// Arms that hold nothing but such a branch.
    else_arms: HashSet<usize>,
    /// Where the ENTRY statements stand that have been printed.
    entries: RefCell<Vec<Entry<'d>>>,
}

impl<'a, 'd> Body<'a, 'd> {
    /// Prepares.
    pub(crate) fn new(
        cx: &'a Context<'d>,
        graph: &'a Graph<'d>,
        plan: &'a Plan,
        scope: ScopeId,
    ) -> Self {
        let ends = plan.ops.iter().enumerate().filter_map(|(index, op)| match op {
            Op::EndBranch(_, branch) => Some((*branch, index)),
            _ => None,
        });
        let mut body = Body {
            cx,
            graph,
            plan,
            numbers: number(graph, plan),
            scope,
            ends: ends.collect(),
            else_ifs: HashSet::new(),
            else_arms: HashSet::new(),
            entries: RefCell::new(Vec::new()),
        };
        for index in 0..plan.ops.len() {
            if let Some(inner) = body.else_if(index) {
                body.else_ifs.insert(inner);
                body.else_arms.insert(index);
            }
        }
        body
    }

    /// Prints everything, set off by a blank line where that is wanted and there is anything.
    /// Gives the ENTRY statements and where they stand.
    pub(crate) fn print(self, lines: &mut Lines, apart: bool) -> Vec<Entry<'d>> {
        self.refuse_double_labels();
        if apart && self.begins_with_text() {
            lines.blank();
        }
        let mut index = 0;
        while index < self.plan.ops.len() {
            if let Some((code, end)) = self.inline_if(index) {
                let Op::Vertex(branch) = self.plan.ops[index] else { break };
                self.label(lines, Site::Vertex(branch));
                lines.code(None, &code);
                index = end;
                if let Op::EndBranch(vertex, _) = self.plan.ops[end] {
                    self.label(lines, Site::Vertex(vertex));
                }
            } else {
                self.op(lines, index);
            }
            if let Some(transfer) = self.plan.transfers.get(&index) {
                lines.code(None, &self.transfer(transfer));
            }
            index += 1;
        }
        self.entries.into_inner()
    }

    /// Labels of formats and of ASSIGN are names: one of two must not get another.
    fn refuse_double_labels(&self) {
        for &stmt in &self.numbers.twice {
            let stmt = &self.cx.doc.stmts[stmt];
            self.cx.error_with_help(
                DiagCode::DUPLICATE_LABEL,
                stmt.place,
                format!("label {} stands twice in this procedure", stmt.label.unwrap_or(0)),
                "a stage that copies a statement must not copy its label",
            );
        }
    }

    /// Whether the first thing that is printed stands on a line of its own.
    fn begins_with_text(&self) -> bool {
        let first = self.plan.ops.iter().find_map(|op| match op {
            Op::Vertex(vertex) => match self.graph.kind(*vertex) {
                VertexKind::Entry(None) => None,
                VertexKind::BasicBlock { stmts, .. } => {
                    let first = stmts.first()?;
                    Some(!matches!(&self.cx.doc.stmts[*first].kind,
                        StmtKind::Comment(comment) if comment.trailing))
                }
                _ => Some(true),
            },
            Op::Arm(..) | Op::EndBranch(..) | Op::EndLoop(..) | Op::AfterLoop(_) => Some(true),
            Op::End => None,
        });
        first.unwrap_or(false)
    }

    /// A printer for what operation `index` itself says.
    pub(super) fn printer(&self, index: usize) -> Printer<'a, 'd> {
        let mut region = self.plan.region_in.get(index).copied().unwrap_or(0);
        let mut scope = self.scope;
        while let Some(data) = self.plan.regions.get(region) {
            match data.construct {
                Construct::Block(block) => {
                    scope = block;
                    break;
                }
                Construct::Body => break,
                Construct::Branch(_) | Construct::Loop(_) => region = data.parent,
            }
        }
        Printer { cx: self.cx, scope }
    }

    fn op(&self, lines: &mut Lines, index: usize) {
        match self.plan.ops[index] {
            Op::Vertex(vertex) => self.vertex(lines, index, vertex),
            Op::Arm(branch, arm) => self.arm(lines, index, branch, arm),
            Op::EndBranch(vertex, branch) => {
                if !self.else_ifs.contains(&branch) {
                    lines.dedent();
                    let word = self.word_of(branch);
                    lines.plain(&format!("end {word}{}", self.tag(branch)));
                }
                self.label(lines, Site::Vertex(vertex));
            }
            Op::EndLoop(vertex, head) => {
                self.label(lines, Site::Vertex(vertex));
                self.tail(lines, index, head);
                lines.dedent();
                lines.plain(&format!("end do{}", self.tag(head)));
            }
            Op::AfterLoop(_) => {}
            Op::End => self.label(lines, Site::End),
        }
    }

    fn label(&self, lines: &mut Lines, site: Site) {
        if let Some(&label) = self.numbers.sites.get(&site) {
            lines.code(Some(label), &Code::from("continue"));
        }
    }

    pub(super) fn label_of(&self, site: Site) -> u32 {
        self.numbers.sites.get(&site).copied().unwrap_or(0)
    }

    fn transfer(&self, transfer: &Transfer) -> Code {
        let tag = |name: &Option<Box<str>>| match name {
            Some(name) => format!(" {name}"),
            None => String::new(),
        };
        Code::from(match transfer {
            Transfer::Goto(site) => format!("goto {}", self.label_of(*site)),
            Transfer::Exit(name) => format!("exit{}", tag(name)),
            Transfer::Cycle(name) => format!("cycle{}", tag(name)),
            Transfer::Return => "return".to_owned(),
        })
    }

    fn name_of(&self, vertex: VertexId) -> Option<&'d str> {
        match self.graph.kind(vertex) {
            VertexKind::Branch { name, .. }
            | VertexKind::ForLoop { name, .. }
            | VertexKind::PreLoop { name, .. }
            | VertexKind::ConcurrentLoop { name, .. } => name.as_deref(),
            _ => None,
        }
    }

    /// The name of a construct behind its END, with a blank before it.
    fn tag(&self, vertex: VertexId) -> String {
        self.name_of(vertex).map_or(String::new(), |name| format!(" {name}"))
    }

    /// The name of a construct before its first word.
    pub(super) fn naming(&self, vertex: VertexId) -> Tok<'d> {
        owned(self.name_of(vertex).map_or(String::new(), |name| format!("{name}: ")))
    }

    fn word_of(&self, branch: VertexId) -> &'static str {
        if self.is_if(branch) { "if" } else { "select" }
    }

    fn vertex(&self, lines: &mut Lines, index: usize, vertex: VertexId) {
        if !matches!(self.graph.kind(vertex), VertexKind::Entry(_)) {
            self.label(lines, Site::Vertex(vertex));
        }
        match self.graph.kind(vertex) {
            VertexKind::Entry(None) | VertexKind::Exit => {}
            VertexKind::Entry(Some(point)) => {
                self.entry(lines, index, point);
                self.label(lines, Site::Vertex(vertex));
            }
            VertexKind::BasicBlock { scope, stmts } => self.block(lines, index, *scope, stmts),
            VertexKind::Goto(_) | VertexKind::Label { .. } | VertexKind::EndBranch => {}
            VertexKind::Branch { condition, form, .. } => {
                if self.plan.structure.end.contains_key(&vertex) {
                    self.head(lines, index, vertex);
                } else {
                    select::flat(self, lines, index, vertex, *condition, *form);
                }
            }
            VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. } => self.loop_head(lines, index, vertex),
            VertexKind::EndLoop => {
                if let Some(head) = self.graph.next(vertex) {
                    self.flat_tail(lines, index, head);
                }
            }
        }
    }

    fn entry(&self, lines: &mut Lines, index: usize, point: &'d EntryPoint) {
        let printer = self.printer(index);
        let name = self.cx.names.declared(point.symbol).to_owned();
        let mut tokens = vec![owned(format!("entry {name}"))];
        tokens.extend(dummies(printer, &point.args));
        tokens.extend(result_clause(printer, point.result, &name));
        lines.dedent();
        lines.code(None, &printer.code(tokens));
        lines.indent();
        let joined = match self.plan.ops[index] {
            Op::Vertex(vertex) => self.is_joined(vertex),
            _ => true,
        };
        self.entries.borrow_mut().push(Entry { spot: lines.here(), point, joined });
    }

    /// Whether control also comes from elsewhere to what stands behind an ENTRY statement.
    fn is_joined(&self, entry: VertexId) -> bool {
        let edges = self.graph.cfg.edges.values();
        let next = self.graph.next(entry);
        edges
            .filter(|edge| edge.source != entry)
            .any(|edge| edge.target == entry || Some(edge.target) == next)
    }

    fn labels_at(&self, index: usize) -> Labels {
        let named = self.plan.named.get(&index).map_or(&[][..], Vec::as_slice);
        let by_edge =
            named.iter().filter_map(|&(value, site)| Some((value?, self.label_of(site)))).collect();
        Labels { by_edge, by_number: self.numbers.by_number.clone() }
    }

    fn block(&self, lines: &mut Lines, index: usize, scope: ScopeId, stmts: &[StmtId]) {
        let printer = Printer { cx: self.cx, scope };
        let labels = self.labels_at(index);
        for &id in stmts {
            let label = self.numbers.statements.get(&id).copied();
            let stmt = &self.cx.doc.stmts[id];
            match &stmt.kind {
                StmtKind::OpenScope(open) => {
                    self.open_scope(lines, scope, open.scope, open.name.as_deref());
                }
                StmtKind::CloseScope(scope) => {
                    lines.dedent();
                    let word = scope_word(self.cx, *scope);
                    let tag = self.block_tag(*scope);
                    lines.plain(&format!("end {word}{tag}"));
                }
                StmtKind::Marker(marker) if marker.verb == Verb::Continue && label.is_none() => {}
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
                | StmtKind::Comment(_) => printer.statement(lines, id, label, &labels, 0),
            }
        }
    }

    fn block_tag(&self, scope: ScopeId) -> String {
        let name = self.cx.doc.stmts.values().find_map(|stmt| match &stmt.kind {
            StmtKind::OpenScope(open) if open.scope == scope => open.name.as_deref(),
            _ => None,
        });
        name.map_or(String::new(), |name| format!(" {name}"))
    }

    fn open_scope(&self, lines: &mut Lines, outer: ScopeId, scope: ScopeId, name: Option<&str>) {
        let naming = name.map_or(String::new(), |name| format!("{name}: "));
        let word = scope_word(self.cx, scope);
        if word == "block" {
            lines.plain(&format!("{naming}block"));
            lines.indent();
            Specification::new(self.cx, scope, None, 1).print(lines);
            return;
        }
        let printer = Printer { cx: self.cx, scope: outer };
        let mut tokens = vec![owned(format!("{naming}associate (")), Tok::Down];
        let mut first = true;
        for &symbol in &self.cx.doc.scopes[scope].symbols {
            let Some(Role::Associate { selector: Some(selector) }) = self.cx.doc.role(symbol)
            else {
                continue;
            };
            if !std::mem::take(&mut first) {
                tokens.extend(comma());
            }
            let name = self.cx.names.declared(symbol);
            tokens.extend([owned(format!("{name} => ")), whole(*selector)]);
        }
        tokens.extend([Tok::Up, text(")")]);
        lines.code(None, &printer.code(tokens));
        lines.indent();
    }

    /// The first line of a structured branch.
    fn head(&self, lines: &mut Lines, index: usize, branch: VertexId) {
        if !self.is_if(branch) {
            lines.code(None, &select::head(self, index, branch));
            lines.indent();
            return;
        }
        let mut tokens = Vec::new();
        if self.else_ifs.contains(&branch) {
            lines.dedent();
            tokens.push(text("else "));
        } else {
            tokens.push(self.naming(branch));
        }
        tokens.extend(self.if_clause(branch, true));
        tokens.push(text(" then"));
        lines.code(None, &self.printer(index).code(tokens));
    }

    /// `if (condition)`, turned round where the first arm is the one for false.
    fn if_clause(&self, branch: VertexId, by_arms: bool) -> Vec<Tok<'d>> {
        let VertexKind::Branch { condition: Some(condition), .. } = self.graph.kind(branch) else {
            return vec![text("if (.true.)")];
        };
        let edges = self.plan.arm_edges(branch, 0);
        let holds = edges
            .iter()
            .any(|&edge| self.graph.cfg.edges[edge].condition.is_some_and(|value| value != 0));
        let mut tokens = vec![text("if ("), Tok::Down];
        if by_arms && !holds && !edges.is_empty() {
            tokens.extend([text(".not. "), Tok::Expr(*condition, PRIMARY)]);
        } else {
            tokens.push(whole(*condition));
        }
        tokens.extend([Tok::Up, text(")")]);
        tokens
    }

    fn arm(&self, lines: &mut Lines, index: usize, branch: VertexId, arm: usize) {
        if !self.is_if(branch) {
            lines.dedent();
            lines.code(None, &select::case(self, index, branch, arm));
            lines.indent();
            return;
        }
        match arm {
            0 => lines.indent(),
            _ if self.else_arms.contains(&index) => {}
            1 => {
                lines.dedent();
                lines.plain(&format!("else{}", self.tag(branch)));
                lines.indent();
            }
            // An IF has two arms; a graph with more has some that no condition reaches.
            _ => {
                lines.dedent();
                lines.plain("else if (.false.) then");
                lines.indent();
            }
        }
    }

    /// Whether a branch asks for a truth value.
    pub(super) fn is_if(&self, branch: VertexId) -> bool {
        let VertexKind::Branch { condition, form, .. } = self.graph.kind(branch) else {
            return false;
        };
        match form {
            BranchForm::If | BranchForm::InlineIf | BranchForm::ElseIf => true,
            BranchForm::Plain => condition.is_none_or(|expr| is_logical(self.cx, expr)),
            BranchForm::SelectCase
            | BranchForm::SelectType
            | BranchForm::SelectRank
            | BranchForm::ArithmeticIf
            | BranchForm::ComputedGoto
            | BranchForm::AssignedGoto
            | BranchForm::IndirectGoto => false,
        }
    }

    fn loop_head(&self, lines: &mut Lines, index: usize, head: VertexId) {
        let structured = self.plan.structure.end.contains_key(&head);
        let printer = self.printer(index);
        let counted = counted(self.graph, head);
        let mut tokens = vec![self.naming(head)];
        match (self.graph.kind(head), counted) {
            (VertexKind::ForLoop { .. }, Some(counted)) if structured => {
                tokens.extend(do_clause(counted));
            }
            (VertexKind::ForLoop { init, condition, .. }, _) => {
                printer.statement(lines, *init, None, &Labels::default(), 0);
                if !structured {
                    self.label(lines, Site::Test(head));
                    return self.leave_unless(lines, index, Some(*condition));
                }
                tokens.extend([text("do while ("), whole(*condition), text(")")]);
            }
            (VertexKind::PreLoop { condition, .. }, _) if !structured => {
                return self.leave_unless(lines, index, *condition);
            }
            (VertexKind::PreLoop { condition, .. }, _) => match condition {
                Some(condition) => {
                    tokens.extend([text("do while ("), Tok::Down, whole(*condition)]);
                    tokens.extend([Tok::Up, text(")")]);
                }
                None => tokens.push(text("do")),
            },
            (VertexKind::PostLoop { .. }, _) if !structured => {
                return self.label(lines, Site::Test(head));
            }
            (VertexKind::PostLoop { .. }, _) => tokens.push(text("do")),
            (VertexKind::ConcurrentLoop { header, locality, .. }, _) => {
                tokens.push(text("do concurrent "));
                tokens.extend(printer.forall_header(header));
                if let Some(locality) = locality {
                    tokens.extend([text(" "), text(locality)]);
                }
            }
            _ => {}
        }
        lines.code(None, &printer.code(tokens));
        lines.indent();
    }

    /// `if (.not. condition) goto …` to where the loop of operation `index` goes on.
    fn leave_unless(&self, lines: &mut Lines, index: usize, condition: Option<ExprId>) {
        let site = self.plan.named.get(&index).and_then(|named| named.first());
        let (Some(condition), Some(&(_, site))) = (condition, site) else { return };
        let tokens = vec![
            text("if (.not. "),
            Tok::Expr(condition, PRIMARY),
            owned(format!(") goto {}", self.label_of(site))),
        ];
        lines.code(None, &self.printer(index).code(tokens));
    }

    /// What a loop does between its body and its next iteration.
    fn tail(&self, lines: &mut Lines, index: usize, head: VertexId) {
        let printer = self.printer(index);
        match self.graph.kind(head) {
            VertexKind::ForLoop { update, .. } if counted(self.graph, head).is_none() => {
                printer.statement(lines, *update, None, &Labels::default(), 0);
            }
            VertexKind::PostLoop { condition: Some(condition) } => {
                let tokens = vec![text("if (.not. "), Tok::Expr(*condition, PRIMARY)];
                let mut code = printer.code(tokens);
                code.push(") exit");
                lines.code(None, &code);
            }
            _ => {}
        }
    }

    /// The same for a loop that is written flat.
    fn flat_tail(&self, lines: &mut Lines, index: usize, head: VertexId) {
        match self.graph.kind(head) {
            VertexKind::ForLoop { update, .. } => {
                self.printer(index).statement(lines, *update, None, &Labels::default(), 0);
            }
            VertexKind::PostLoop { condition } => self.leave_unless(lines, index, *condition),
            _ => {}
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
        let VertexKind::Branch { form, name: None, .. } = self.graph.kind(inner) else {
            return None;
        };
        let fits = matches!(form, BranchForm::ElseIf | BranchForm::Plain) && self.is_if(inner);
        if !fits || self.plan.sites.contains(&Site::Vertex(inner)) {
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

    /// Whether an operation is a block that prints nothing but comments, and no label.
    fn is_silent(&self, index: usize) -> bool {
        let Some(Op::Vertex(vertex)) = self.plan.ops.get(index) else { return false };
        let VertexKind::BasicBlock { stmts, .. } = self.graph.kind(*vertex) else { return false };
        !self.plan.sites.contains(&Site::Vertex(*vertex))
            && !self.plan.transfers.contains_key(&index)
            && stmts
                .iter()
                .all(|&stmt| matches!(self.cx.doc.stmts[stmt].kind, StmtKind::Comment(_)))
    }

    /// The branch at operation `index` on one line, and the operation that ends it.
    fn inline_if(&self, index: usize) -> Option<(Code, usize)> {
        let Op::Vertex(branch) = self.plan.ops[index] else { return None };
        let VertexKind::Branch { form, name: None, .. } = self.graph.kind(branch) else {
            return None;
        };
        let allowed = matches!(form, BranchForm::InlineIf | BranchForm::Plain);
        if !allowed || !self.is_if(branch) || self.else_ifs.contains(&branch) {
            return None;
        }
        let end = *self.ends.get(&branch)?;
        // A branch on one line is short: a block and a jump, perhaps with labels nobody needs.
        if end > index + 8 {
            return None;
        }
        let mut action: Option<Code> = None;
        let mut set = |code: Code| match action {
            Some(_) => false,
            None => {
                action = Some(code);
                true
            }
        };
        for at in index + 1..end {
            let vertex = match self.plan.ops[at] {
                Op::Arm(inner, 0) if inner == branch => None,
                Op::Vertex(vertex) => Some(vertex),
                _ => return None,
            };
            if let Some(vertex) = vertex {
                if self.plan.sites.contains(&Site::Vertex(vertex)) {
                    return None;
                }
                for code in self.one_liner(at, vertex, *form)? {
                    if !set(code) {
                        return None;
                    }
                }
            }
            if let Some(transfer) = self.plan.transfers.get(&at)
                && !set(self.transfer(transfer))
            {
                return None;
            }
        }
        let mut code = self.printer(index).code(self.if_clause(branch, true));
        code.allow_break(crate::code::Level(0));
        code.push(" ");
        code.append(&action?);
        Some((code, end))
    }

    /// The statements of a vertex, if they may stand behind an IF on the same line.
    fn one_liner(&self, index: usize, vertex: VertexId, form: BranchForm) -> Option<Vec<Code>> {
        match self.graph.kind(vertex) {
            VertexKind::BasicBlock { scope, stmts } => {
                let printer = Printer { cx: self.cx, scope: *scope };
                let labels = self.labels_at(index);
                let mut codes = Vec::new();
                for &id in stmts {
                    let stmt = &self.cx.doc.stmts[id];
                    let needs_lines = form == BranchForm::Plain
                        || self.numbers.statements.contains_key(&id)
                        || is_spoken_comment(&stmt.kind);
                    if needs_lines {
                        return None;
                    }
                    match &stmt.kind {
                        StmtKind::Comment(_) => {}
                        _ => codes.push(printer.simple(stmt, &labels)?),
                    }
                }
                Some(codes)
            }
            VertexKind::Goto(_) | VertexKind::Label { .. } => Some(Vec::new()),
            _ => None,
        }
    }
}

fn is_spoken_comment(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Comment(comment) if comment.kind != CommentKind::Blank)
}

fn scope_word(cx: &Context<'_>, scope: ScopeId) -> &'static str {
    match cx.doc.scopes[scope].kind {
        ScopeKind::Associate => "associate",
        _ => "block",
    }
}

fn is_logical(cx: &Context<'_>, expr: ExprId) -> bool {
    use xaif_schema::model::{Base, ConstantClass};
    let node = &cx.doc.exprs[expr];
    match &node.kind {
        ExprKind::Boolean { .. } => true,
        ExprKind::Constant(constant) => constant.class == ConstantClass::Bool,
        ExprKind::Ref(reference) => {
            let reference = &cx.doc.refs[*reference];
            matches!(reference.ty.base, Base::Logical(_))
                || cx.doc.symbols[reference.base].class == TypeClass::Bool
        }
        ExprKind::Intrinsic { name, .. } => {
            matches!(node.ty.base, Base::Logical(_))
                || matches!(&**name, "present" | "allocated" | "associated" | "any" | "all")
                || name.starts_with("string_") && &**name != "string_concat"
        }
        ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => matches!(node.ty.base, Base::Logical(_)),
    }
}

/// `do i = lower, upper, step`
fn do_clause<'d>(counted: Counted) -> Vec<Tok<'d>> {
    let mut tokens = vec![
        text("do "),
        Tok::Ref(counted.var),
        text(" = "),
        whole(counted.lower),
        text(","),
        Tok::Break(2),
        text(" "),
    ];
    match counted.strict {
        None => tokens.push(whole(counted.upper)),
        Some(Direction::Up) => tokens.extend([Tok::Expr(counted.upper, 7), text(" - 1")]),
        Some(Direction::Down) => tokens.extend([Tok::Expr(counted.upper, 7), text(" + 1")]),
    }
    match counted.step {
        None => {}
        Some(Step::Plus(step)) => tokens.extend([text(", "), whole(step)]),
        Some(Step::Minus(step)) => tokens.extend([text(", -"), Tok::Expr(step, 9)]),
    }
    tokens
}
