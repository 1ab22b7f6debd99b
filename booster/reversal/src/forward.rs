//! The forward sweep: the graph of the procedure with what is put into it.
//!
//! Vertices and edges stay what they are, in the same text. Pushes on an edge go to the end of the
//! block that it leaves, if nothing else leaves it, else into a block of their own.

use xaif_schema::diag::Diagnostic;
use xaif_schema::model::{
    BoolOp, BranchForm, Cfg, CommentKind, Document, EdgeId, ExprId, ExprKind, Guard, Jump, Place,
    ScopeId, SecondaryMap, StmtKind, SymbolId, Vertex, VertexId, VertexKind,
};

use super::plan::{Insert, Inserts, Value};
use super::tree::Tree;
use super::{Sweeps, loops, tape};
use booster_build::{
    Copier, EdgeIndex, Emitter, Site, assign, binary, boolean, constant_integer, integer,
    rewrite_block, scopes_at, value_of, whole, write_block,
};

/// Makes the forward sweep of `cfg`, whose vertices and edges are those of `tree`.
pub(super) fn forward(
    doc: &mut Document,
    cfg: &Cfg,
    tree: &Tree,
    inserts: &Inserts,
    scope: ScopeId,
    sweeps: &mut dyn Sweeps,
) -> Result<Cfg, Diagnostic> {
    let mut cfg = cfg.clone();
    for &(head, first, step) in &inserts.frozen {
        freeze(doc, &mut cfg, head, first, step);
    }
    let mut index = EdgeIndex::new(&cfg);
    for vertex in std::mem::take(&mut cfg.layout) {
        cfg.layout.push(vertex);
        // Where the program ends, or control never comes, no backward sweep follows.
        if tree.level[vertex].is_none() {
            continue;
        }
        rewrite_block(doc, (&mut cfg, &mut index), vertex, &mut |e, site| match site {
            Site::Stmt(stmt) => sweeps.forward(e, stmt),
            Site::Head(_) => Ok(()),
        })?;
    }
    let mut writer = Writer::new(doc, cfg, scope, sweeps);
    let mut before: Vec<_> = inserts.before.iter().collect();
    before.sort_by_key(|(vertex, _)| **vertex);
    for (&vertex, list) in before {
        writer.before(vertex, list)?;
    }
    let mut on: Vec<_> = inserts.on.iter().collect();
    on.sort_by_key(|(edge, _)| **edge);
    for (&edge, list) in on {
        writer.on(tree, edge, list)?;
    }
    Ok(writer.finish())
}

/// The loop at `head` takes its first value and step from variables.
fn freeze(
    doc: &mut Document,
    cfg: &mut Cfg,
    head: VertexId,
    first: Option<SymbolId>,
    step: Option<SymbolId>,
) {
    let Some(parts) = loops::counted(doc, &cfg.vertices[head]) else { return };
    let place = cfg.vertices[head].place;
    let VertexKind::ForLoop { init, condition, update, .. } = &mut cfg.vertices[head].kind else {
        return;
    };
    let value = |doc: &mut Document, symbol| {
        let reference = whole(doc, symbol, place);
        value_of(doc, reference)
    };
    if let Some(first) = first {
        let target = whole(doc, parts.variable, place);
        let first = value(doc, first);
        *init = assign(doc, target, first, place);
    }
    if let Some(step) = step {
        let target = whole(doc, parts.variable, place);
        let (variable, amount) = (value(doc, parts.variable), value(doc, step));
        let next = binary(doc, "add_scal_scal", variable, amount);
        *update = assign(doc, target, next, place);
        if let ExprKind::Boolean { op: BoolOp::LessOrEqual, operands } = &doc.exprs[*condition].kind
            && operands.iter().any(|operand| constant_integer(doc, operand.expr) == Some(0))
        {
            let variable = value(doc, parts.variable);
            let away = binary(doc, "sub_scal_scal", variable, parts.bound);
            let amount = value(doc, step);
            let ahead = binary(doc, "mul_scal_scal", away, amount);
            let zero = integer(doc, 0, place);
            *condition = boolean(doc, BoolOp::LessOrEqual, &[ahead, zero]);
        }
    }
}

/// A graph that grows.
struct Writer<'a> {
    doc: &'a mut Document,
    cfg: Cfg,
    sweeps: &'a mut dyn Sweeps,
    out: SecondaryMap<VertexId, Vec<EdgeId>>,
    into: SecondaryMap<VertexId, Vec<EdgeId>>,
    /// The text as a list.
    next: SecondaryMap<VertexId, Option<VertexId>>,
    previous: SecondaryMap<VertexId, Option<VertexId>>,
    first: Option<VertexId>,
    /// The scope that statements at a vertex stand in.
    scopes: SecondaryMap<VertexId, ScopeId>,
}

impl<'a> Writer<'a> {
    fn new(
        doc: &'a mut Document,
        mut cfg: Cfg,
        scope: ScopeId,
        sweeps: &'a mut dyn Sweeps,
    ) -> Self {
        let scopes = scopes_at(doc, &cfg, scope);
        let layout = std::mem::take(&mut cfg.layout);
        let mut writer = Writer {
            doc,
            cfg,
            sweeps,
            out: SecondaryMap::new(),
            into: SecondaryMap::new(),
            next: SecondaryMap::new(),
            previous: SecondaryMap::new(),
            first: layout.first().copied(),
            scopes,
        };
        for (id, edge) in &writer.cfg.edges {
            writer.out[edge.source].push(id);
            writer.into[edge.target].push(id);
        }
        let mut last = None;
        for vertex in layout {
            writer.previous[vertex] = last;
            if let Some(last) = last {
                writer.next[last] = Some(vertex);
            }
            last = Some(vertex);
        }
        writer
    }

    fn put_behind(&mut self, anchor: VertexId, vertex: VertexId) {
        let behind = self.next[anchor];
        self.next[anchor] = Some(vertex);
        self.previous[vertex] = Some(anchor);
        self.next[vertex] = behind;
        if let Some(behind) = behind {
            self.previous[behind] = Some(vertex);
        }
        self.scopes[vertex] = self.scopes[anchor];
    }

    fn put_before(&mut self, anchor: VertexId, vertex: VertexId) {
        match self.previous[anchor] {
            Some(previous) => self.put_behind(previous, vertex),
            None => {
                self.next[vertex] = Some(anchor);
                self.previous[anchor] = Some(vertex);
                self.first = Some(vertex);
            }
        }
        self.scopes[vertex] = self.scopes[anchor];
    }

    fn connect(&mut self, source: VertexId, target: VertexId) {
        let edge = self.cfg.connect(source, target);
        self.out[source].push(edge);
        self.into[target].push(edge);
    }

    fn lead_to(&mut self, edge: EdgeId, target: VertexId) {
        let old = self.cfg.edges[edge].target;
        self.into[old].retain(|&other| other != edge);
        self.into[target].push(edge);
        self.cfg.edges[edge].target = target;
    }

    /// An empty block, which is not in the text yet.
    fn block(&mut self, scope: ScopeId, place: Place) -> VertexId {
        let kind = VertexKind::BasicBlock { scope, stmts: Vec::new() };
        self.cfg.vertices.push(Vertex { kind, place, id: None, recorded: None })
    }

    /// Writes at the end of a block of the text; what leaves the block leaves the last part.
    fn write(&mut self, block: VertexId, inserts: &[Insert]) -> Result<VertexId, Diagnostic> {
        let place = self.cfg.vertices[block].place;
        let edges = self.cfg.edges.len();
        let sweeps = &mut *self.sweeps;
        let (last, made) = write_block(self.doc, &mut self.cfg, block, |e| {
            inserts.iter().try_for_each(|&insert| insert_one(e, insert, place, sweeps))
        })?;
        let mut anchor = block;
        for vertex in made {
            self.put_behind(anchor, vertex);
            anchor = vertex;
        }
        if last != block {
            for edge in std::mem::take(&mut self.out[block]) {
                self.cfg.edges[edge].source = last;
                self.out[last].push(edge);
            }
        }
        let new: Vec<EdgeId> = self.cfg.edges.keys().skip(edges).collect();
        for edge in new {
            let (source, target) = (self.cfg.edges[edge].source, self.cfg.edges[edge].target);
            self.out[source].push(edge);
            self.into[target].push(edge);
        }
        Ok(last)
    }

    /// Writes what is executed before a vertex: for a loop, before it begins.
    fn before(&mut self, vertex: VertexId, inserts: &[Insert]) -> Result<(), Diagnostic> {
        if inserts.is_empty() {
            return Ok(());
        }
        let opens_loop = is_loop(&self.cfg.vertices[vertex].kind);
        let arriving: Vec<EdgeId> = self.into[vertex]
            .iter()
            .copied()
            .filter(|&edge| {
                let source = self.cfg.edges[edge].source;
                !(opens_loop && matches!(self.cfg.vertices[source].kind, VertexKind::EndLoop))
            })
            .collect();
        if let [only] = arriving.as_slice()
            && let Some(block) = self.open_end(*only)
        {
            self.write(block, inserts)?;
            return Ok(());
        }
        let place = self.cfg.vertices[vertex].place;
        let scope = match self.previous[vertex] {
            Some(previous) => self.scopes[previous],
            None => self.scopes[vertex],
        };
        let block = self.block(scope, place);
        self.put_before(vertex, block);
        self.scopes[block] = scope;
        for edge in arriving {
            self.lead_to(edge, block);
        }
        self.connect(block, vertex);
        self.write(block, inserts)?;
        Ok(())
    }

    /// The block that `edge` leaves, if only this edge does and something can be added to it.
    fn open_end(&self, edge: EdgeId) -> Option<VertexId> {
        let source = self.cfg.edges[edge].source;
        let VertexKind::BasicBlock { stmts, .. } = &self.cfg.vertices[source].kind else {
            return None;
        };
        let plain = self.out[source].len() == 1 && self.cfg.edges[edge].condition.is_none();
        let ends = stmts.last().is_some_and(|&stmt| ends_block(&self.doc.stmts[stmt].kind));
        (plain && !ends).then_some(source)
    }

    /// The way past all arms of SELECT TYPE or SELECT RANK becomes an arm.
    fn by_default(&mut self, edge: EdgeId) {
        let source = self.cfg.edges[edge].source;
        if let VertexKind::Branch {
            form: BranchForm::SelectType | BranchForm::SelectRank, ..
        } = self.cfg.vertices[source].kind
        {
            self.cfg.edges[edge].guard.get_or_insert_with(|| Box::new(Guard::Default));
        }
    }

    /// Writes what is executed as control passes along an edge.
    fn on(&mut self, tree: &Tree, edge: EdgeId, inserts: &[Insert]) -> Result<(), Diagnostic> {
        if let Some(block) = self.open_end(edge) {
            self.write(block, inserts)?;
            return Ok(());
        }
        let (source, target) = (self.cfg.edges[edge].source, self.cfg.edges[edge].target);
        if matches!(self.cfg.vertices[source].kind, VertexKind::Goto(_)) {
            return self.before(source, inserts);
        }
        let place = self.cfg.vertices[source].place;
        let block = self.block(self.scopes[source], place);
        let opens = tree.opened[source].map(|opened| &tree.constructs[opened]);
        let ends_branch = matches!(self.cfg.vertices[target].kind, VertexKind::EndBranch);
        let conditional = self.cfg.edges[edge].condition.is_some();
        match opens.filter(|opened| opened.is_loop) {
            Some(opened) if !conditional => {
                self.put_behind(opened.end, block);
                self.scopes[block] = self.scopes[source];
            }
            _ if ends_branch
                && matches!(self.cfg.vertices[source].kind, VertexKind::Branch { .. }) =>
            {
                self.put_before(target, block);
                self.scopes[block] = self.scopes[source];
                self.by_default(edge);
            }
            _ => self.put_behind(source, block),
        }
        self.lead_to(edge, block);
        let jumps = match &self.cfg.vertices[source].kind {
            VertexKind::Branch { form, .. } => match form {
                BranchForm::ArithmeticIf
                | BranchForm::ComputedGoto
                | BranchForm::AssignedGoto
                | BranchForm::IndirectGoto => conditional,
                BranchForm::Plain
                | BranchForm::If
                | BranchForm::InlineIf
                | BranchForm::ElseIf
                | BranchForm::SelectCase
                | BranchForm::SelectType
                | BranchForm::SelectRank => false,
            },
            VertexKind::BasicBlock { .. } => conditional,
            VertexKind::Entry(_)
            | VertexKind::Exit
            | VertexKind::EndBranch
            | VertexKind::ForLoop { .. }
            | VertexKind::PreLoop { .. }
            | VertexKind::PostLoop { .. }
            | VertexKind::ConcurrentLoop { .. }
            | VertexKind::EndLoop
            | VertexKind::Goto(_)
            | VertexKind::Label { .. } => false,
        };
        if jumps {
            let kind = VertexKind::Goto(Jump::Goto);
            let jump = self.cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
            self.put_behind(block, jump);
            self.connect(block, jump);
            self.connect(jump, target);
        } else {
            self.connect(block, target);
        }
        self.write(block, inserts)?;
        Ok(())
    }

    /// The graph with its layout.
    fn finish(mut self) -> Cfg {
        let mut at = self.first;
        while let Some(vertex) = at {
            self.cfg.layout.push(vertex);
            at = self.next[vertex];
        }
        spell_out(self.doc, &mut self.cfg);
        self.cfg
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

/// Whether nothing may follow a statement in its block, as control may go elsewhere from it.
fn ends_block(kind: &StmtKind) -> bool {
    use xaif_schema::model::Verb;
    match kind {
        StmtKind::Marker(marker) => matches!(marker.verb, Verb::Return | Verb::Stop),
        StmtKind::Assign { .. }
        | StmtKind::PointerAssign { .. }
        | StmtKind::Call(_)
        | StmtKind::InlinableCall(_)
        | StmtKind::Propagate(_)
        | StmtKind::Where(_)
        | StmtKind::Forall(_)
        | StmtKind::Allocate(_)
        | StmtKind::Release(_)
        | StmtKind::OpenScope(_)
        | StmtKind::CloseScope(_)
        | StmtKind::Comment(_) => false,
    }
}

fn insert_one(
    e: &mut Emitter<'_>,
    insert: Insert,
    place: Place,
    sweeps: &mut dyn Sweeps,
) -> Result<(), Diagnostic> {
    match insert {
        Insert::Push(value) => {
            let value = expression(e.doc, value, place);
            tape(e, "push", value, place);
        }
        Insert::Set(symbol, value) => {
            let value = expression(e.doc, value, place);
            let target = whole(e.doc, symbol, place);
            e.assign(target, value, place);
        }
        Insert::Record(stmt) => sweeps.record(e, stmt)?,
        Insert::Checkpoints(stmt, trip_count) => sweeps.begin_checkpoints(e, stmt, trip_count)?,
    }
    Ok(())
}

fn expression(doc: &mut Document, value: Value, place: Place) -> ExprId {
    let of = |doc: &mut Document, symbol| {
        let reference = whole(doc, symbol, place);
        value_of(doc, reference)
    };
    match value {
        Value::Number(number) => integer(doc, number, place),
        Value::Of(symbol) => of(doc, symbol),
        Value::Plus(symbol, number) => {
            let left = of(doc, symbol);
            let right = integer(doc, number.saturating_abs(), place);
            binary(doc, if number < 0 { "sub_scal_scal" } else { "add_scal_scal" }, left, right)
        }
        Value::Less(symbol, other) => {
            let (left, right) = (of(doc, symbol), of(doc, other));
            binary(doc, "sub_scal_scal", left, right)
        }
        Value::LessCopy(symbol, expr) => {
            let (left, right) = (of(doc, symbol), Copier::new().expr(doc, expr));
            binary(doc, "sub_scal_scal", left, right)
        }
        Value::Copy(expr) => Copier::new().expr(doc, expr),
    }
}

/// A one-line IF that has become more than one statement, and an ELSE IF that is no longer alone in
/// its arm, become an IF.
fn spell_out(doc: &Document, cfg: &mut Cfg) {
    let silent = |vertex: VertexId| match &cfg.vertices[vertex].kind {
        VertexKind::BasicBlock { stmts, .. } => stmts.iter().all(|&stmt| {
            matches!(&doc.stmts[stmt].kind,
                StmtKind::Comment(comment) if comment.kind != CommentKind::Directive)
        }),
        _ => false,
    };
    let mut open: Vec<usize> = Vec::new();
    let mut wrong = Vec::new();
    for (at, &vertex) in cfg.layout.iter().enumerate() {
        match &cfg.vertices[vertex].kind {
            VertexKind::Branch { form, .. } => match form {
                BranchForm::Plain
                | BranchForm::If
                | BranchForm::InlineIf
                | BranchForm::ElseIf
                | BranchForm::SelectCase
                | BranchForm::SelectType
                | BranchForm::SelectRank => open.push(at),
                BranchForm::ArithmeticIf
                | BranchForm::ComputedGoto
                | BranchForm::AssignedGoto
                | BranchForm::IndirectGoto => {}
            },
            VertexKind::EndBranch => {
                let Some(head) = open.pop() else { continue };
                let VertexKind::Branch { form, .. } = cfg.vertices[cfg.layout[head]].kind else {
                    continue;
                };
                let inside = &cfg.layout[head + 1..at];
                let right = match form {
                    BranchForm::InlineIf => {
                        let written: usize = inside
                            .iter()
                            .map(|&vertex| match &cfg.vertices[vertex].kind {
                                VertexKind::BasicBlock { stmts, .. } => stmts.len(),
                                _ => 1,
                            })
                            .sum();
                        written <= 1
                    }
                    BranchForm::ElseIf => {
                        let alone = head.checked_sub(1).is_none_or(|p| silent(cfg.layout[p]));
                        let mut behind = cfg.layout[at + 1..].iter().filter(|&&v| !silent(v));
                        let closes = behind.next().is_some_and(|&vertex| {
                            matches!(cfg.vertices[vertex].kind, VertexKind::EndBranch)
                        });
                        alone && closes
                    }
                    _ => true,
                };
                if !right {
                    wrong.push(cfg.layout[head]);
                }
            }
            _ => {}
        }
    }
    for vertex in wrong {
        if let VertexKind::Branch { form, .. } = &mut cfg.vertices[vertex].kind {
            *form = BranchForm::If;
        }
    }
}
