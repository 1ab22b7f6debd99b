//! Statements, a line (or, for WHERE and FORALL constructs, some lines) each.

use super::{Gutter, Line, Show, Text};
use crate::model::{
    Access, Allocate, Callee, CheckpointNumber, CheckpointScheme, Checkpoints, Forall,
    InlinableCall, LocalJacobian, Marker, OpenScope, Piece, Propagator, RefId, Release, ScopeKind,
    Stmt, StmtId, StmtKind, SubroutineCall, Verb, Where,
};

/// WHERE and FORALL constructs that nest deeper are cut off.
const NESTING: usize = 100;

/// Where a statement with several ways out goes: the text for a condition value.
pub(crate) type Way<'w> = &'w dyn Fn(i64) -> Option<String>;

/// The text of a statement, and the facts at its right.
pub(crate) struct StmtText {
    /// Lines with their additional indentation.
    pub(crate) lines: Vec<(usize, String)>,
    pub(crate) facts: Vec<String>,
}

impl<'a> Show<'a> {
    /// Writes a statement whose first line has `gutter` at its left.
    pub(super) fn statement(
        &mut self,
        id: StmtId,
        comment: Option<String>,
        indent: usize,
        gutter: Gutter,
        way: Way<'_>,
    ) {
        let Some(stmt) = self.doc.stmts.get(id) else { return };
        if let StmtKind::Comment(comment) = &stmt.kind {
            return self.comment(comment, indent, gutter);
        }
        let mut text = self.text.stmt_text(id, stmt, way);
        let mut first = Some((comment, std::mem::take(&mut text.facts)));
        for (index, (deeper, line)) in text.lines.into_iter().enumerate() {
            let (comment, facts) = first.take().unwrap_or_default();
            self.line(Line {
                indent: indent + deeper,
                gutter: if index == 0 { gutter } else { Gutter::Blank },
                text: line,
                comment,
                facts,
                place: if index == 0 { stmt.place } else { Default::default() },
            });
        }
    }
}

impl<'a> Text<'a> {
    /// The statement as text, with its facts.
    pub(crate) fn stmt_text(&self, id: StmtId, stmt: &'a Stmt, way: Way<'_>) -> StmtText {
        let mut lines = Vec::new();
        let mut facts = Vec::new();
        facts.extend(self.recorded(stmt));
        facts.extend(stmt.joint.then(|| "joint".to_owned()));
        facts.extend(stmt.recompute.then(|| "recompute".to_owned()));
        facts.extend((!stmt.adjoint_live).then(|| "no adjoint needs it".to_owned()));
        facts.extend(stmt.checkpoints.as_ref().map(|one| self.checkpoints(one)));
        facts.extend(stmt.local_jacobian.map(|part| part_of(part).to_owned()));
        self.stmt_lines(stmt, 0, 0, way, &mut lines, &mut facts);
        if let (Some(label), Some(first)) = (stmt.label, lines.first_mut()) {
            first.1 = format!("{label}: {}", first.1);
        }
        if self.options.ids {
            facts.push(match &stmt.id {
                Some(own) => format!("{id}={own}"),
                None => id.to_string(),
            });
        }
        if self.options.keys {
            facts.extend(stmt.do_chain.map(|key| format!("do {key}")));
        }
        StmtText { lines, facts }
    }

    fn stmt_lines(
        &self,
        stmt: &'a Stmt,
        indent: usize,
        depth: usize,
        way: Way<'_>,
        lines: &mut Vec<(usize, String)>,
        facts: &mut Vec<String>,
    ) {
        let mut line = |text: String| lines.push((indent, text));
        match &stmt.kind {
            StmtKind::Assign { lhs, rhs, defined } => {
                line(format!("{} = {}", self.reference(*lhs), self.expr(*rhs)));
                self.target_facts(*lhs, facts);
                facts.extend(defined.as_ref().map(|callee| self.defined(callee)));
            }
            StmtKind::PointerAssign { lhs, rhs } => {
                line(format!("{} => {}", self.reference(*lhs), self.expr(*rhs)));
            }
            StmtKind::Call(call) => {
                line(format!("call {}", self.call(&call.callee, &call.args, way)));
                self.call_facts(call, facts);
            }
            StmtKind::InlinableCall(call) => line(self.inlinable(call)),
            StmtKind::Propagate(steps) if steps.is_empty() => line("d() = nothing".into()),
            StmtKind::Propagate(steps) => {
                lines.extend(steps.iter().map(|step| (indent, self.propagator(step))));
            }
            StmtKind::Where(masked) => self.masked(masked, indent, depth, way, lines, facts),
            StmtKind::Forall(forall) => self.forall(forall, indent, depth, way, lines, facts),
            StmtKind::Allocate(allocate) => line(self.allocate(allocate)),
            StmtKind::Release(release) => line(self.release(release)),
            StmtKind::OpenScope(open) => line(self.open_scope(open)),
            StmtKind::CloseScope(scope) => {
                let associate =
                    self.doc.scopes.get(*scope).is_some_and(|s| s.kind == ScopeKind::Associate);
                line(if associate { "end associate" } else { "end block" }.to_owned());
            }
            StmtKind::Marker(marker) => {
                line(self.marker(marker, way));
                self.marker_facts(marker, facts);
            }
            StmtKind::Comment(comment) => line(format!("# {}", comment.text.trim())),
        }
    }

    /// What is to be recorded before the statement.
    pub(crate) fn recorded(&self, stmt: &Stmt) -> Option<String> {
        let recorded = stmt.recorded.as_ref()?;
        let mut list: Vec<_> = recorded.iter().map(|&value| self.reference(value)).collect();
        let properties = stmt.properties.iter();
        list.extend(properties.map(|&object| format!("property of {}", self.reference(object))));
        (!list.is_empty()).then(|| format!("records {}", list.join(", ")))
    }

    fn checkpoints(&self, checkpoints: &Checkpoints) -> String {
        let number = match &checkpoints.number {
            CheckpointNumber::Number(number) => number.to_string(),
            CheckpointNumber::Variable(symbol) => self.name(*symbol).to_string(),
            CheckpointNumber::Environment(name) => format!("\"{name}\""),
        };
        format!("checkpoints: {} {number}", scheme(checkpoints.scheme))
    }

    fn defined(&self, callee: &Callee) -> String {
        format!("by {}", self.name(callee.symbol))
    }

    fn target_facts(&self, lhs: RefId, facts: &mut Vec<String>) {
        if let Some(false) = self.doc.refs.get(lhs).and_then(|lhs| lhs.live) {
            facts.push("not used later".into());
        }
    }

    fn call_facts(&self, call: &SubroutineCall, facts: &mut Vec<String>) {
        facts
            .extend(call.active.map(|active| if active { "active" } else { "passive" }.to_owned()));
        if let Some(count) = call.formal_count
            && count as usize != call.args.len()
        {
            facts.push(format!("{count} formal arguments"));
        }
    }

    fn inlinable(&self, call: &'a InlinableCall) -> String {
        format!("inline {}{}", call.name, self.arguments(&call.args))
    }

    fn propagator(&self, step: &Propagator) -> String {
        let d = |reference: RefId| self.derivative(reference);
        let sum = |terms: &[(crate::model::ExprId, RefId)]| {
            let terms: Vec<_> = terms
                .iter()
                .map(|&(factor, source)| format!("{}*{}", self.factor(factor), d(source)))
                .collect();
            if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") }
        };
        match step {
            Propagator::Set { target, source } => format!("{} = {}", d(*target), d(*source)),
            Propagator::SetNegative { target, source } => {
                format!("{} = -{}", d(*target), d(*source))
            }
            Propagator::Increment { target, source } => format!("{} += {}", d(*target), d(*source)),
            Propagator::Decrement { target, source } => format!("{} -= {}", d(*target), d(*source)),
            Propagator::Sax { terms, y } => format!("{} = {}", d(*y), sum(terms)),
            Propagator::Saxpy { terms, y } => format!("{} += {}", d(*y), sum(terms)),
            Propagator::Zero { target } => format!("{} = 0", d(*target)),
        }
    }

    fn masked(
        &self,
        masked: &'a Where,
        indent: usize,
        depth: usize,
        way: Way<'_>,
        lines: &mut Vec<(usize, String)>,
        facts: &mut Vec<String>,
    ) {
        let start = lines.len();
        for (index, arm) in masked.arms.iter().enumerate() {
            let word = match (index, arm.mask.is_some()) {
                (0, _) => "where",
                (_, true) => "else where",
                (_, false) => "else",
            };
            let mask = arm.mask.map_or(String::new(), |mask| format!(" ({})", self.expr(mask)));
            lines.push((indent, format!("{word}{mask}")));
            self.inner_stmts(&arm.body, indent + 1, depth, way, lines, facts);
        }
        self.close_construct(masked.inline, &masked.name, "end where", start, indent, lines);
    }

    fn forall(
        &self,
        forall: &'a Forall,
        indent: usize,
        depth: usize,
        way: Way<'_>,
        lines: &mut Vec<(usize, String)>,
        facts: &mut Vec<String>,
    ) {
        let start = lines.len();
        lines.push((indent, format!("forall {}", self.header(&forall.header))));
        self.inner_stmts(&forall.body, indent + 1, depth, way, lines, facts);
        self.close_construct(forall.inline, &forall.name, "end forall", start, indent, lines);
    }

    /// Joins a one-line form to one line, and ends the others.
    fn close_construct(
        &self,
        inline: bool,
        name: &Option<Box<str>>,
        end: &str,
        start: usize,
        indent: usize,
        lines: &mut Vec<(usize, String)>,
    ) {
        if inline && lines.len() == start + 2 {
            if let Some((_, body)) = lines.pop()
                && let Some((_, head)) = lines.last_mut()
            {
                head.push(' ');
                head.push_str(&body);
            }
            return;
        }
        if let (Some(name), Some((_, head))) = (name, lines.get_mut(start)) {
            *head = format!("{name}: {head}");
        }
        lines.push((indent, end.to_owned()));
    }

    fn inner_stmts(
        &self,
        body: &[StmtId],
        indent: usize,
        depth: usize,
        way: Way<'_>,
        lines: &mut Vec<(usize, String)>,
        facts: &mut Vec<String>,
    ) {
        if depth > NESTING {
            lines.push((indent, "…".to_owned()));
            return;
        }
        for stmt in body.iter().filter_map(|&id| self.doc.stmts.get(id)) {
            let comment = matches!(&stmt.kind, StmtKind::Comment(_));
            if !comment || self.options.comments {
                self.stmt_lines(stmt, indent, depth + 1, way, lines, facts);
            }
        }
    }

    fn allocate(&self, allocate: &'a Allocate) -> String {
        let mut parts: Vec<_> = allocate.objects.iter().map(|&r| self.reference(r)).collect();
        parts.extend(allocate.stat.map(|r| format!("stat={}", self.reference(r))));
        parts.extend(allocate.errmsg.map(|r| format!("errmsg={}", self.reference(r))));
        parts.extend(allocate.source.map(|e| format!("source={}", self.expr(e))));
        parts.extend(allocate.mold.map(|e| format!("mold={}", self.expr(e))));
        let spec =
            allocate.spec.as_ref().map_or(String::new(), |spec| format!("{} :: ", self.spec(spec)));
        format!("allocate ({spec}{})", parts.join(", "))
    }

    fn release(&self, release: &Release) -> String {
        let mut parts: Vec<_> = release.objects.iter().map(|&r| self.reference(r)).collect();
        parts.extend(release.stat.map(|r| format!("stat={}", self.reference(r))));
        parts.extend(release.errmsg.map(|r| format!("errmsg={}", self.reference(r))));
        let word = if release.nullify { "nullify" } else { "deallocate" };
        format!("{word} ({})", parts.join(", "))
    }

    fn open_scope(&self, open: &OpenScope) -> String {
        let associate =
            self.doc.scopes.get(open.scope).is_some_and(|s| s.kind == ScopeKind::Associate);
        let name = open.name.as_ref().map_or(String::new(), |name| format!("{name}: "));
        format!("{name}{}", if associate { "associate" } else { "block" })
    }

    fn marker(&self, marker: &Marker, way: Way<'_>) -> String {
        let mut text = String::new();
        for piece in &marker.text {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Operand(index) => match marker.operands.get(*index) {
                    Some(operand) => text.push_str(&self.expr(operand.expr)),
                    None => text.push('?'),
                },
                Piece::Label(value) => {
                    text.push_str(&way(*value).unwrap_or_else(|| format!("?{value}")));
                }
                Piece::StatementLabel(label) => text.push_str(&label.to_string()),
            }
        }
        match marker.verb {
            Verb::Opaque => text = format!("carried {text}"),
            Verb::Genuine => text = format!("marker {text}"),
            Verb::Io
            | Verb::Format
            | Verb::Stop
            | Verb::Pause
            | Verb::Continue
            | Verb::AssignLabel
            | Verb::Return => {}
        }
        if let Some(annotation) = &marker.annotation {
            text = format!("{} {annotation}", text.trim_end());
        }
        text
    }

    fn marker_facts(&self, marker: &Marker, facts: &mut Vec<String>) {
        let of = |wanted: &[Access]| {
            let list: Vec<_> = marker
                .operands
                .iter()
                .filter(|operand| wanted.contains(&operand.access))
                .map(|operand| self.expr(operand.expr))
                .collect();
            list.join(", ")
        };
        let opaque = marker.verb == Verb::Opaque;
        let reads = of(&[Access::Read, Access::ReadWrite]);
        if opaque && !reads.is_empty() {
            facts.push(format!("reads {reads}"));
        }
        let writes = of(&[Access::Write, Access::ReadWrite]);
        if !writes.is_empty() {
            facts.push(format!("writes {writes}"));
        }
        if marker.pessimistic {
            facts.push("may read and write everything".into());
        }
    }
}

/// The part of a statement in a local Jacobian, as a fact at its right.
/// The words for a scheme.
fn scheme(scheme: CheckpointScheme) -> &'static str {
    match scheme {
        CheckpointScheme::Binomial => "binomial",
        CheckpointScheme::Periodic => "periodic",
        CheckpointScheme::Disk => "disk",
    }
}

fn part_of(part: LocalJacobian) -> &'static str {
    match part {
        LocalJacobian::Value => "value alone",
        LocalJacobian::Entry => "entry",
        LocalJacobian::Again => "entry, executed again",
        LocalJacobian::Propagator => "local Jacobian",
        LocalJacobian::Memory => "for a local Jacobian",
    }
}
