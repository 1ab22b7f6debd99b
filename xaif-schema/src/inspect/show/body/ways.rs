//! Ways on: the edges that the text tells, and those that go without saying.

use super::BodyText;
use crate::inspect::header::jump_word;
use crate::inspect::show::Gutter;
use crate::model::{
    ArgValue, BranchForm, Edge, EdgeId, Jump, Piece, Place, StmtId, StmtKind, VertexId, VertexKind,
};

impl BodyText<'_, '_> {
    /// Whether an edge of a jumping branch only goes on.
    pub(super) fn fall_through(&self, id: EdgeId) -> bool {
        let edge = &self.cfg.edges[id];
        edge.condition.is_none() && self.next(edge.source) == Some(edge.target)
    }

    /// The condition values that the text of a statement has told already.
    pub(super) fn told_ways(&self, stmt: StmtId) -> Vec<i64> {
        match self.stmt_kind(stmt) {
            Some(StmtKind::Call(call)) => call
                .args
                .iter()
                .filter_map(|arg| match arg.value {
                    ArgValue::AlternateReturn(value) => Some(value),
                    ArgValue::Expr(_) => None,
                })
                .collect(),
            Some(StmtKind::Marker(marker)) => marker
                .text
                .iter()
                .filter_map(|piece| match piece {
                    Piece::Label(value) => Some(*value),
                    Piece::Text(_) | Piece::Operand(_) | Piece::StatementLabel(_) => None,
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The edges that leave `vertex` and are not obvious, but for those that `told` lists.
    pub(super) fn arrows(&mut self, vertex: VertexId, told: &[i64]) {
        let mut lines = Vec::new();
        for &id in &self.flow.out[vertex] {
            let edge = &self.cfg.edges[id];
            if self.flow.plain[id] || edge.condition.is_some_and(|value| told.contains(&value)) {
                continue;
            }
            let on = match edge.condition {
                Some(value) => format!(" on {value}"),
                None if decides(self.kind(vertex)) => " otherwise".to_owned(),
                None => String::new(),
            };
            lines.push(format!("-> {}{on}", self.target(edge.target)));
        }
        let ends = matches!(self.kind(vertex), VertexKind::Exit);
        if self.flow.out[vertex].is_empty() && !ends {
            lines.push("-> nothing".into());
        }
        for line in lines {
            self.line(Gutter::Blank, line, Vec::new(), Place::default());
        }
    }

    pub(super) fn jump_text(&self, vertex: VertexId, jump: &Jump) -> String {
        let word = jump_word(jump);
        let targets: Vec<_> = self
            .edges(vertex)
            .filter(|edge| !self.obvious_jump(edge) || self.show.options.ids)
            .map(|edge| match edge.condition {
                None => self.target(edge.target),
                Some(value) => format!("{} on {value}", self.target(edge.target)),
            })
            .collect();
        let targets = targets.join(", ");
        match (jump, self.flow.out[vertex].is_empty(), targets.is_empty()) {
            (_, true, _) => format!("{word} -> nothing"),
            (_, false, true) => word,
            (Jump::Goto, false, false) => format!("goto {targets}"),
            (_, false, false) => format!("{word} -> {targets}"),
        }
    }

    /// Where the end of the BLOCK or ASSOCIATE called `name` around `vertex` stands.
    fn end_of_scope(&self, vertex: VertexId, name: &str) -> Option<VertexId> {
        let position = self.flow.nodes[vertex].position;
        let before = self.flow.order[..position].iter().rev();
        let scope =
            before.flat_map(|&v| self.stmts(v).iter().rev()).find_map(|&stmt| {
                match self.stmt_kind(stmt)? {
                    StmtKind::OpenScope(open) => {
                        let fits = open.name.as_ref().is_some_and(|n| n.eq_ignore_ascii_case(name));
                        fits.then_some(open.scope)
                    }
                    _ => None,
                }
            })?;
        let closes = |stmt: &StmtId| matches!(self.stmt_kind(*stmt), Some(StmtKind::CloseScope(closed)) if *closed == scope);
        let mut after = self.flow.order[position..].iter();
        after.find(|&&v| self.stmts(v).last().is_some_and(closes)).copied()
    }

    /// Whether the word of a jump says where it goes.
    pub(super) fn obvious_jump(&self, edge: &Edge) -> bool {
        let VertexKind::Goto(jump) = self.kind(edge.source) else { return false };
        if edge.condition.is_some() {
            return false;
        }
        let end_of = |wanted: &dyn Fn(&VertexKind) -> bool| {
            let mut around = self.flow.nodes[edge.source].around;
            while let Some(opener) = around {
                if wanted(self.kind(opener)) {
                    return self.flow.nodes[opener].mate;
                }
                around = self.flow.nodes[opener].around;
            }
            None
        };
        let end = match jump {
            Jump::Goto => return false,
            Jump::Return | Jump::Stop => return *self.kind(edge.target) == VertexKind::Exit,
            Jump::Exit(None) | Jump::Cycle(None) | Jump::Continue => end_of(&is_loop),
            Jump::Exit(Some(name)) | Jump::Cycle(Some(name)) => {
                end_of(&|kind| construct_name(kind).is_some_and(|n| n.eq_ignore_ascii_case(name)))
            }
            Jump::Break => end_of(&|kind| {
                is_loop(kind)
                    || matches!(kind, VertexKind::Branch { form: BranchForm::SelectCase, .. })
            }),
        };
        let end = end.or_else(|| match jump {
            Jump::Exit(Some(name)) => self.end_of_scope(edge.source, name),
            _ => None,
        });
        let leaves = matches!(jump, Jump::Exit(_) | Jump::Break);
        end.is_some_and(|end| match leaves {
            true => self.flow.expected(self.cfg, end) == Some(edge.target),
            false => end == edge.target,
        })
    }
}

fn is_loop(kind: &VertexKind) -> bool {
    matches!(
        kind,
        VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. }
    )
}

fn decides(kind: &VertexKind) -> bool {
    is_loop(kind) || matches!(kind, VertexKind::Branch { .. })
}

fn construct_name(kind: &VertexKind) -> Option<&str> {
    match kind {
        VertexKind::Branch { name, .. }
        | VertexKind::ForLoop { name, .. }
        | VertexKind::PreLoop { name, .. }
        | VertexKind::ConcurrentLoop { name, .. } => name.as_deref(),
        VertexKind::Entry(_)
        | VertexKind::Exit
        | VertexKind::BasicBlock { .. }
        | VertexKind::EndBranch
        | VertexKind::PostLoop { .. }
        | VertexKind::EndLoop
        | VertexKind::Goto(_)
        | VertexKind::Label { .. } => None,
    }
}
