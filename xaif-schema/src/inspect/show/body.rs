//! Bodies of procedures: a flow graph as indented text.

mod folding;
mod ways;

use std::collections::{HashMap, HashSet};

use super::spec::is_blank;
use super::stmt::StmtText;
use super::{Gutter, Line, Show};
use crate::inspect::flow::Flow;
use crate::inspect::header::{Headers, arm_text};
use crate::model::{
    Body, BranchForm, Cfg, Comment, CommentKind, Edge, Place, ProcId, SecondaryMap, StmtId,
    StmtKind, VertexId, VertexKind,
};

impl<'a> Show<'a> {
    /// The body of a procedure.
    pub(super) fn body(&mut self, id: ProcId, indent: usize) {
        match &self.doc.procs[id].body {
            Body::Interface => {}
            Body::Flow(cfg) => BodyText::new(self, cfg, indent).write(),
            Body::Replacements { template, list } => {
                self.plain(indent + 1, format!("template {template}"));
                for replacement in list {
                    self.plain(indent + 1, format!("replacement {}", replacement.placeholder));
                    BodyText::new(self, &replacement.cfg, indent + 1).write();
                }
            }
        }
    }
}

/// A body under way.
struct BodyText<'s, 'a> {
    show: &'s mut Show<'a>,
    cfg: &'a Cfg,
    flow: Flow,
    indent: usize,
    depth: usize,
    /// The depth at which each construct was opened.
    opened: SecondaryMap<VertexId, usize>,
    /// Labels of the source that only one vertex has.
    labels: HashMap<u32, bool>,
    /// Vertices that an edge in the text names.
    named: SecondaryMap<VertexId, bool>,
    /// Vertices that say nothing, or that a line before has said.
    hidden: SecondaryMap<VertexId, bool>,
    /// Branches that are written as `else if`, and the first vertices of their arms.
    else_ifs: HashSet<VertexId>,
    /// Branches that are written in one line.
    one_line: HashSet<VertexId>,
    /// Comments that stand at the right of a line already.
    written: HashSet<StmtId>,
}

impl<'s, 'a> BodyText<'s, 'a> {
    fn new(show: &'s mut Show<'a>, cfg: &'a Cfg, indent: usize) -> Self {
        let mut labels = HashMap::new();
        for vertex in cfg.vertices.values() {
            if let VertexKind::Label { label: Some(label) } = vertex.kind {
                labels.entry(label).and_modify(|unique| *unique = false).or_insert(true);
            }
        }
        let mut text = BodyText {
            flow: Flow::new(cfg),
            show,
            cfg,
            indent,
            depth: 1,
            opened: SecondaryMap::new(),
            labels,
            named: SecondaryMap::new(),
            hidden: SecondaryMap::new(),
            else_ifs: HashSet::new(),
            one_line: HashSet::new(),
            written: HashSet::new(),
        };
        for (id, edge) in &cfg.edges {
            if !text.flow.plain[id] && !text.obvious_jump(edge) {
                text.named[edge.target] = true;
            }
        }
        if !text.show.options.ids {
            text.find_hidden();
            text.find_else_ifs();
            text.find_one_liners();
        }
        text
    }

    fn kind(&self, vertex: VertexId) -> &'a VertexKind {
        &self.cfg.vertices[vertex].kind
    }

    fn edges(&self, vertex: VertexId) -> impl Iterator<Item = &'a Edge> + '_ {
        self.flow.out[vertex].iter().map(|&edge| &self.cfg.edges[edge])
    }

    /// Whether `vertex` has one way on, and that is the obvious one.
    fn falls_through(&self, vertex: VertexId) -> bool {
        matches!(self.flow.out[vertex].as_slice(), [only] if self.flow.plain[*only])
    }

    fn next(&self, vertex: VertexId) -> Option<VertexId> {
        self.flow.order.get(self.flow.nodes[vertex].position + 1).copied()
    }

    fn previous(&self, vertex: VertexId) -> Option<VertexId> {
        let position = self.flow.nodes[vertex].position.checked_sub(1)?;
        self.flow.order.get(position).copied()
    }

    fn stmts(&self, vertex: VertexId) -> &'a [StmtId] {
        match self.kind(vertex) {
            VertexKind::BasicBlock { stmts, .. } => stmts,
            _ => &[],
        }
    }

    fn stmt_kind(&self, stmt: StmtId) -> Option<&'a StmtKind> {
        self.show.doc.stmts.get(stmt).map(|stmt| &stmt.kind)
    }

    fn comment_of(&self, stmt: StmtId) -> Option<&'a Comment> {
        match self.stmt_kind(stmt)? {
            StmtKind::Comment(comment) => Some(comment),
            _ => None,
        }
    }

    /// Whether a statement leaves no line.
    fn silent(&self, stmt: StmtId) -> bool {
        let options = self.show.options;
        self.written.contains(&stmt)
            || self.comment_of(stmt).is_some_and(|comment| {
                !options.comments || (is_blank(comment) && !options.spellings)
            })
    }

    fn write(&mut self) {
        for position in 0..self.flow.order.len() {
            let vertex = self.flow.order[position];
            self.arm_header(vertex);
            if !self.hidden[vertex] {
                self.vertex(vertex);
            }
        }
    }

    /// A line of the body at the present depth.
    fn line(&mut self, gutter: Gutter, text: String, facts: Vec<String>, place: Place) {
        self.commented(gutter, text, None, facts, place);
    }

    fn commented(
        &mut self,
        gutter: Gutter,
        text: String,
        comment: Option<String>,
        facts: Vec<String>,
        place: Place,
    ) {
        let indent = self.indent + self.depth;
        self.show.line(Line { indent, gutter, text, comment, facts, place });
    }

    /// What stands at the left of the first line of `vertex`.
    fn first(&mut self, vertex: VertexId) -> Gutter {
        if self.show.options.vertices {
            return Gutter::Vertex(vertex);
        }
        if self.named[vertex] && self.label(vertex).is_none() {
            self.line(Gutter::Blank, format!("{vertex}:"), Vec::new(), Place::default());
        }
        Gutter::Blank
    }

    /// The label of the source by which `vertex` can be named.
    fn label(&self, vertex: VertexId) -> Option<u32> {
        match self.kind(vertex) {
            VertexKind::Label { label: Some(label) } if !self.show.options.ids => {
                Some(*label).filter(|label| self.labels.get(label) == Some(&true))
            }
            _ => None,
        }
    }

    fn target(&self, vertex: VertexId) -> String {
        self.label(vertex).map_or_else(|| vertex.to_string(), |label| label.to_string())
    }

    /// `else`, `case (…)`: the first line of an arm.
    fn arm_header(&mut self, vertex: VertexId) {
        let Some(edges) = self.flow.arms.get(&vertex) else { return };
        let edges: Vec<_> = edges.iter().map(|&edge| &self.cfg.edges[edge]).collect();
        let Some(first) = edges.first() else { return };
        let branch = first.source;
        if self.one_line.contains(&branch) {
            return;
        }
        self.depth = self.opened[branch];
        let is_first = self.next(branch) == Some(vertex);
        let header = arm_text(self.show.text, self.flow.selects[branch], &edges, is_first);
        if let Some(header) = header
            && !self.else_ifs.contains(&vertex)
            && !self.says_nothing(vertex, branch)
        {
            let comment = self.take_trailing(Some(vertex));
            self.commented(Gutter::Blank, header, comment, Vec::new(), Place::default());
        }
        self.depth = self.opened[branch] + 1;
    }

    /// Whether an arm is the empty block that other tools write where there is no ELSE.
    fn says_nothing(&self, arm: VertexId, branch: VertexId) -> bool {
        let genuine =
            matches!(self.kind(branch), VertexKind::Branch { form: BranchForm::Plain, .. });
        genuine
            && !self.flow.selects[branch]
            && self.hidden[arm]
            && self.next(arm) == self.flow.nodes[branch].mate
    }

    /// The comment that stands at the right of the line before `block`, if that begins with one.
    fn take_trailing(&mut self, block: Option<VertexId>) -> Option<String> {
        let first = *self.stmts(block?).first()?;
        let comment = self.comment_of(first)?;
        if !comment.trailing || self.silent(first) {
            return None;
        }
        self.written.insert(first);
        if let Some(block) = block
            && !self.show.options.ids
            && !self.named[block]
            && self.stmts(block).iter().all(|&stmt| self.silent(stmt))
            && self.falls_through(block)
        {
            self.hidden[block] = true;
        }
        Some(comment.text.to_string())
    }

    fn vertex(&mut self, vertex: VertexId) {
        let place = self.cfg.vertices[vertex].place;
        match self.kind(vertex) {
            VertexKind::Entry(None) => self.simple(vertex, "entry".into()),
            VertexKind::Entry(Some(entry)) => {
                let result = entry.result.map_or(String::new(), |result| {
                    format!(" result {}", self.show.text.name(result))
                });
                let name = self.show.text.name(entry.symbol);
                let dummies = self.show.dummies(&entry.args);
                self.simple(vertex, format!("entry {name}{dummies}{result}"));
            }
            VertexKind::Exit => self.simple(vertex, "exit".into()),
            VertexKind::BasicBlock { stmts, .. } => self.block(vertex, stmts),
            VertexKind::Branch { .. } => self.branch(vertex),
            VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. } => {
                let (text, facts) = self.headers().loop_header(vertex);
                self.open(vertex, text, facts);
            }
            VertexKind::EndBranch | VertexKind::EndLoop => {
                if let Some(opener) = self.flow.nodes[vertex].mate {
                    self.depth = self.opened[opener];
                }
                let word = self.headers().end_word(vertex);
                self.simple(vertex, word.to_owned());
            }
            VertexKind::Goto(jump) => {
                let text = self.jump_text(vertex, jump);
                let gutter = self.first(vertex);
                let comment = self.take_trailing(self.next(vertex));
                self.commented(gutter, text, comment, Vec::new(), place);
            }
            VertexKind::Label { label } => {
                let text = label.map_or("label".to_owned(), |label| format!("{label}:"));
                self.simple(vertex, text);
            }
        }
    }

    /// A vertex of one line.
    fn simple(&mut self, vertex: VertexId, text: String) {
        let gutter = self.first(vertex);
        let mut facts = Vec::new();
        if self.show.options.ids {
            facts.extend(self.cfg.vertices[vertex].id.as_ref().map(|id| format!("id {id}")));
        }
        let comment = self.take_trailing(self.next(vertex));
        self.commented(gutter, text, comment, facts, self.cfg.vertices[vertex].place);
        self.arrows(vertex, &[]);
    }

    /// The first line of a construct.
    fn open(&mut self, vertex: VertexId, text: String, facts: Vec<String>) {
        let gutter = self.first(vertex);
        let comment = self.take_trailing(self.next(vertex));
        self.commented(gutter, text, comment, facts, self.cfg.vertices[vertex].place);
        self.arrows(vertex, &[]);
        self.opened[vertex] = self.depth;
        if self.flow.opens(vertex) {
            self.depth += 1;
        }
    }

    fn headers(&self) -> Headers<'_> {
        Headers { text: self.show.text, cfg: self.cfg, flow: &self.flow }
    }

    fn branch(&mut self, vertex: VertexId) {
        let header = self.headers().branch_header(vertex);
        let facts = self.headers().branch_facts(vertex);
        if self.else_ifs.contains(&vertex)
            && let Some(around) = self.flow.nodes[vertex].around
        {
            self.depth = self.opened[around];
            return self.open(vertex, format!("else {}", header), facts);
        }
        if self.one_line.contains(&vertex) {
            return self.one_line_if(vertex, header, facts);
        }
        let jumps = match self.kind(vertex) {
            VertexKind::Branch { form, .. } => !form.has_end(),
            _ => false,
        };
        if !jumps {
            return self.open(vertex, header, facts);
        }
        let ways: Vec<_> = self.flow.out[vertex]
            .iter()
            .map(|&id| (&self.cfg.edges[id], self.fall_through(id)))
            .filter(|(_, falls)| !falls)
            .map(|(edge, _)| match edge.condition {
                Some(value) => format!("{value} -> {}", self.target(edge.target)),
                None => format!("else -> {}", self.target(edge.target)),
            })
            .collect();
        let gutter = self.first(vertex);
        let comment = self.take_trailing(self.next(vertex));
        let place = self.cfg.vertices[vertex].place;
        self.commented(gutter, format!("{header}: {}", ways.join(", ")), comment, facts, place);
    }

    fn one_line_if(&mut self, branch: VertexId, header: String, mut facts: Vec<String>) {
        let (block, jump) = {
            let first = self.next(branch);
            (first, first.and_then(|first| self.next(first)))
        };
        let statement = block.and_then(|block| self.stmts(block).first().copied());
        let place = self.cfg.vertices[branch].place;
        let action = match (statement, jump.map(|jump| (jump, self.kind(jump)))) {
            (Some(id), _) if !self.silent(id) => match self.show.doc.stmts.get(id) {
                Some(stmt) => {
                    let StmtText { lines, facts: more } =
                        self.show.text.stmt_text(id, stmt, &|_| None);
                    facts.extend(more);
                    lines.into_iter().map(|(_, line)| line).collect::<Vec<_>>().join("; ")
                }
                None => String::new(),
            },
            (_, Some((jump, VertexKind::Goto(kind)))) => self.jump_text(jump, kind),
            _ => String::new(),
        };
        let gutter = self.first(branch);
        let after = self.flow.nodes[branch].mate.and_then(|end| self.next(end));
        let comment = self.take_trailing(after);
        self.commented(gutter, format!("{header} {action}"), comment, facts, place);
    }

    fn block(&mut self, vertex: VertexId, stmts: &'a [StmtId]) {
        let mut gutter = self.first(vertex);
        let last = stmts.iter().rev().find(|&&stmt| self.comment_of(stmt).is_none()).copied();
        let ways: HashMap<i64, String> = self
            .edges(vertex)
            .filter_map(|edge| Some((edge.condition?, self.target(edge.target))))
            .collect();
        let mut silent = true;
        for (index, &stmt) in stmts.iter().enumerate() {
            if self.silent(stmt) {
                continue;
            }
            let comment = stmts.get(index + 1).and_then(|&next| {
                let comment = self.comment_of(next)?;
                let joins = comment.trailing
                    && comment.kind == CommentKind::Text
                    && self.comment_of(stmt).is_none();
                (joins && self.show.options.comments).then(|| (next, comment.text.to_string()))
            });
            if let Some((next, _)) = comment {
                self.written.insert(next);
            }
            if let Some(StmtKind::CloseScope(_)) = self.stmt_kind(stmt) {
                self.depth = self.depth.saturating_sub(1);
            }
            let way = |value: i64| ways.get(&value).cloned().filter(|_| Some(stmt) == last);
            let indent = self.indent + self.depth;
            self.show.statement(stmt, comment.map(|(_, text)| text), indent, gutter, &way);
            gutter = Gutter::Blank;
            silent = false;
            if let Some(StmtKind::OpenScope(open)) = self.stmt_kind(stmt) {
                self.depth += 1;
                self.show.opened_scope(open.scope, self.indent + self.depth);
            }
        }
        if silent {
            self.line(gutter, "(empty)".into(), Vec::new(), self.cfg.vertices[vertex].place);
        }
        let told = last.map(|last| self.told_ways(last)).unwrap_or_default();
        self.arrows(vertex, &told);
    }
}
