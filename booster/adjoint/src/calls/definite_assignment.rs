//! Whether a sweep sets a variable before it reads it, as far as one reading of the text tells.
//!
//! What the backward half of a split procedure sets first need not come from the forward half. Both
//! halves ask, each of its own copy of the text, and must find the same; so the text alone is looked at,
//! and no facts that change while procedures are written. A variable is set by an assignment to the
//! whole of it and by a counted loop over it; behind an IF if each arm sets it; behind a loop if that
//! counts over it. What is not understood reads everything.

use std::collections::HashMap;

use xaif_schema::model::{
    Cfg, Document, Edge, ExprId, RefId, StmtId, StmtKind, SymbolId, VertexId, VertexKind,
};

use booster_tangent::reads::{names_in_statement, reads};

/// Whether `cfg` sets a scalar before it reads it.
pub(crate) fn is_set_first(doc: &Document, cfg: &Cfg, symbol: SymbolId) -> bool {
    if doc.symbols[symbol].rank != Some(0) || !flows_down(cfg) {
        return false;
    }
    let mut reader = Reader { doc, cfg, symbol, around: Vec::new(), set: None };
    cfg.layout.iter().all(|&vertex| reader.vertex(vertex))
}

/// Whether control leaves constructs at their ends alone, or the procedure: nothing that stands between
/// two places of the text is jumped over but arms and loops as wholes.
fn flows_down(cfg: &Cfg) -> bool {
    let Some(shape) = Shape::of(cfg) else { return false };
    let next = |vertex: VertexId| shape.next.get(&vertex).copied();
    cfg.edges.values().all(|&Edge { source, target, .. }| {
        let around = shape.around.get(&source).copied().flatten();
        let end_around = around.and_then(|head| shape.ends.get(&head).copied());
        let own_end = shape.ends.get(&source).copied();
        let inside = shape.around.get(&target).copied().flatten() == Some(source);
        matches!(cfg.vertices[target].kind, VertexKind::Exit)
            || match &cfg.vertices[source].kind {
                VertexKind::Branch { .. } => inside || own_end == Some(target),
                VertexKind::ForLoop { .. } => {
                    let behind = own_end.and_then(next);
                    inside || [own_end, behind, end_around].contains(&Some(target))
                }
                VertexKind::EndLoop => shape.ends.get(&target) == Some(&source),
                _ => [next(source), end_around].contains(&Some(target)),
            }
    })
}

/// How the text is nested.
#[derive(Default)]
struct Shape {
    /// The head of the construct around each vertex.
    around: HashMap<VertexId, Option<VertexId>>,
    /// Where each construct ends.
    ends: HashMap<VertexId, VertexId>,
    /// What follows in the text.
    next: HashMap<VertexId, VertexId>,
}

impl Shape {
    /// `None` where there is anything but blocks, counted loops and branches with ends.
    fn of(cfg: &Cfg) -> Option<Shape> {
        let mut shape = Shape::default();
        let mut open: Vec<VertexId> = Vec::new();
        for &vertex in &cfg.layout {
            match &cfg.vertices[vertex].kind {
                VertexKind::ForLoop { .. } | VertexKind::Branch { .. } => {
                    shape.around.insert(vertex, open.last().copied());
                    open.push(vertex);
                }
                VertexKind::EndBranch | VertexKind::EndLoop => {
                    let head = open.pop()?;
                    let loops = matches!(cfg.vertices[head].kind, VertexKind::ForLoop { .. });
                    if loops != matches!(cfg.vertices[vertex].kind, VertexKind::EndLoop) {
                        return None;
                    }
                    shape.ends.insert(head, vertex);
                    shape.around.insert(vertex, open.last().copied());
                }
                VertexKind::BasicBlock { .. } | VertexKind::Entry(None) | VertexKind::Exit => {
                    shape.around.insert(vertex, open.last().copied());
                }
                VertexKind::Entry(Some(_))
                | VertexKind::PreLoop { .. }
                | VertexKind::PostLoop { .. }
                | VertexKind::ConcurrentLoop { .. }
                | VertexKind::Goto(_)
                | VertexKind::Label { .. } => return None,
            }
        }
        shape.next = cfg.layout.windows(2).map(|two| (two[0], two[1])).collect();
        open.is_empty().then_some(shape)
    }
}

/// A construct that is open.
enum Open {
    Loop,
    Branch {
        head: VertexId,
        /// The arms that do not set the variable, as far as they have been read.
        left: usize,
    },
}

struct Reader<'d> {
    doc: &'d Document,
    cfg: &'d Cfg,
    symbol: SymbolId,
    around: Vec<Open>,
    /// How many constructs must be open for the variable to be set.
    set: Option<usize>,
}

impl Reader<'_> {
    /// Reads on; `false` where the variable is read before it is set.
    fn vertex(&mut self, vertex: VertexId) -> bool {
        self.begin_arm(vertex);
        let free = self.set.is_none();
        match &self.cfg.vertices[vertex].kind {
            VertexKind::BasicBlock { stmts, .. } => stmts.iter().all(|&stmt| self.stmt(stmt)),
            VertexKind::ForLoop { init, condition, .. } => {
                let own = self.assigns(*init);
                let named = self.names(*init) || self.reads(*condition);
                if free && (!own && named || self.value_reads(*init)) {
                    return false;
                }
                if free && own {
                    self.set = Some(self.around.len());
                }
                self.around.push(Open::Loop);
                true
            }
            VertexKind::Branch { condition, .. } => {
                if free && condition.is_none_or(|condition| self.reads(condition)) {
                    return false;
                }
                let left = self.cfg.successors(vertex).count();
                self.around.push(Open::Branch { head: vertex, left });
                true
            }
            VertexKind::EndBranch => {
                self.end_arm();
                let open = self.around.pop();
                self.set = self.set.filter(|&set| set <= self.around.len());
                if matches!(open, Some(Open::Branch { left: 0, .. })) && self.set.is_none() {
                    self.set = Some(self.around.len());
                }
                true
            }
            VertexKind::EndLoop => {
                self.around.pop();
                self.set = self.set.filter(|&set| set <= self.around.len());
                true
            }
            VertexKind::Entry(None) | VertexKind::Exit => true,
            VertexKind::Entry(Some(_))
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. }
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => false,
        }
    }

    /// Whether this is where another arm of the innermost branch begins.
    fn begin_arm(&mut self, vertex: VertexId) {
        let Some(&Open::Branch { head, .. }) = self.around.last() else { return };
        let first = self.cfg.successors(head).any(|edge| edge.target == vertex);
        if first && !matches!(self.cfg.vertices[vertex].kind, VertexKind::EndBranch) {
            self.end_arm();
        }
    }

    fn end_arm(&mut self) {
        if self.set == Some(self.around.len())
            && let Some(Open::Branch { left, .. }) = self.around.last_mut()
        {
            *left = left.saturating_sub(1);
            self.set = None;
        }
    }

    fn stmt(&mut self, stmt: StmtId) -> bool {
        if self.set.is_some() {
            return true;
        }
        if self.value_reads(stmt) || !self.assigns(stmt) && self.names(stmt) {
            return false;
        }
        if self.assigns(stmt) {
            self.set = Some(self.around.len());
        }
        true
    }

    /// Whether a statement assigns to all of the variable.
    fn assigns(&self, stmt: StmtId) -> bool {
        let whole = |lhs: RefId| {
            self.doc.refs[lhs].base == self.symbol && self.doc.refs[lhs].parts.is_empty()
        };
        matches!(self.doc.stmts[stmt].kind,
            StmtKind::Assign { lhs, defined: None, .. } if whole(lhs))
    }

    fn value_reads(&self, stmt: StmtId) -> bool {
        match self.doc.stmts[stmt].kind {
            StmtKind::Assign { rhs, .. } => self.reads(rhs),
            _ => false,
        }
    }

    fn reads(&self, value: ExprId) -> bool {
        reads(self.doc, value, self.symbol)
    }

    /// Whether a statement names the variable, or may.
    fn names(&self, stmt: StmtId) -> bool {
        // A call may name what it is not given: an internal procedure has the variables of its host.
        let calls = matches!(
            self.doc.stmts[stmt].kind,
            StmtKind::Call(_) | StmtKind::Assign { defined: Some(_), .. }
        );
        calls || names_in_statement(self.doc, stmt, self.symbol)
    }
}
