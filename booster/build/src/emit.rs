//! Statements, IF and DO in the middle of a flow graph.
//!
//! [`rewrite_blocks`] walks over the basic blocks of a graph; for each statement the caller says to
//! an [`Emitter`] what stands in its place. As long as that is statements, the block stays one
//! vertex; an IF or DO splits it. Edges that led to the block lead to its first part, those that
//! left it leave its last, so jumps, loops and arms around it stay what they are.
//!
//! [`Emitter::fresh`] writes a whole body instead, with labels, jumps and SELECT.
//!
//! [`rewrite_flow`] stops, besides, at the head of each construct, where what is evaluated there
//! (condition, selector, bounds) may need statements before it: those go into the block before the
//! head, or into a new one. A DO WHILE evaluates its condition in each iteration, so statements before
//! it begin each iteration, and the loop becomes one that is left from within.

mod edges;
mod fresh;

pub use fresh::write_block;

use std::mem;

use xaif_schema::model::{
    Body, BoolOp, BranchForm, Cfg, Document, Edge, ExprId, ForForm, Guard, Jump, Place, ProcId,
    RefId, Release, ScopeId, StmtId, StmtKind, SymbolId, Vertex, VertexId, VertexKind,
};

use super::scopes::scopes_at;
use super::{Copier, assign, binary, boolean, integer, statement, value_of, whole, with_source};
pub use edges::EdgeIndex;

/// Writes statements into a basic block and splits it where control flow is needed.
#[derive(Debug)]
pub struct Emitter<'a> {
    /// The document.
    pub doc: &'a mut Document,
    /// The scope of the statements.
    pub scope: ScopeId,
    cfg: &'a mut Cfg,
    /// The block that is written; one is made where there is none yet.
    current: Option<VertexId>,
    /// The place of such a block.
    place: Place,
    /// The vertices that were made, in order.
    made: Vec<VertexId>,
    open: Vec<Open>,
    /// Whether control never arrives here: the last thing written was a jump.
    jumped: bool,
}

/// A construct that is open.
#[derive(Clone, Debug)]
enum Open {
    /// An IF or SELECT.
    Branch {
        /// Its vertex.
        branch: VertexId,
        /// The ends of the arms before this one, as far as control arrives there.
        ends: Vec<VertexId>,
        /// How many arms have a number.
        arms: i64,
        /// Whether an arm stands for all other values.
        otherwise: bool,
    },
    /// A loop: its head.
    Do { head: VertexId },
}

impl<'a> Emitter<'a> {
    fn new(
        doc: &'a mut Document,
        scope: ScopeId,
        cfg: &'a mut Cfg,
        current: Option<VertexId>,
        place: Place,
    ) -> Self {
        let (made, open) = (Vec::new(), Vec::new());
        Emitter { doc, scope, cfg, current, place, made, open, jumped: false }
    }

    /// Adds a statement of the document.
    pub fn push(&mut self, stmt: StmtId) {
        let here = self.here();
        if let VertexKind::BasicBlock { stmts, .. } = &mut self.cfg.vertices[here].kind {
            stmts.push(stmt);
        }
    }

    /// What the vertex `head` is.
    pub fn head(&self, head: VertexId) -> &Vertex {
        &self.cfg.vertices[head]
    }

    /// The block that is written.
    fn here(&mut self) -> VertexId {
        match self.current {
            Some(current) => current,
            None => {
                let block = self.block(self.place);
                self.current = Some(block);
                self.jumped = false;
                block
            }
        }
    }

    /// Makes a statement and adds it.
    pub fn stmt(&mut self, kind: StmtKind, place: Place) -> StmtId {
        let stmt = statement(self.doc, kind, place);
        self.push(stmt);
        stmt
    }

    /// `lhs = rhs`
    pub fn assign(&mut self, lhs: RefId, rhs: ExprId, place: Place) -> StmtId {
        let stmt = assign(self.doc, lhs, rhs, place);
        self.push(stmt);
        stmt
    }

    /// `allocate(object, source=value)`: an array that has a value's shape. (An assignment would give
    /// it that shape, too; but gfortran 12 takes the shape of `sum(transpose(a(n:1:-1, :)), 2)` for
    /// one of extent 1 there.)
    pub fn allocate_like(&mut self, object: RefId, value: ExprId, place: Place) {
        let allocate = with_source(self.doc, object, value);
        self.stmt(allocate, place);
    }

    /// `deallocate(object)`
    pub fn release(&mut self, object: RefId, place: Place) {
        let release = Release { nullify: false, objects: vec![object], stat: None, errmsg: None };
        self.stmt(StmtKind::Release(Box::new(release)), place);
    }

    /// `if (condition) then`; what follows is the first arm.
    pub fn open_if(&mut self, condition: ExprId, place: Place) {
        self.open_branch(condition, BranchForm::If, place);
        self.open_arm(Some(1), None);
    }

    /// `if (condition) …`: an IF without an ELSE that stands on one line where one statement follows.
    pub fn open_inline_if(&mut self, condition: ExprId, place: Place) {
        self.open_branch(condition, BranchForm::InlineIf, place);
        self.open_arm(Some(1), None);
    }

    /// `else`; what follows is the second arm of the innermost IF.
    pub fn open_else(&mut self) {
        self.open_arm(None, None);
    }

    /// `else if (condition) then`; it needs an `end if` of its own.
    pub fn open_else_if(&mut self, condition: ExprId, place: Place) {
        self.open_else();
        self.open_branch(condition, BranchForm::ElseIf, place);
        self.open_arm(Some(1), None);
    }

    /// `end if`
    pub fn close_if(&mut self) {
        self.close_branch();
    }

    fn open_branch(&mut self, condition: ExprId, form: BranchForm, place: Place) {
        let kind = VertexKind::Branch { condition: Some(condition), form, name: None };
        let branch = self.follow(kind, place);
        self.open.push(Open::Branch { branch, ends: Vec::new(), arms: 0, otherwise: false });
        self.current = None;
        self.jumped = true;
    }

    /// Begins an arm of the innermost branch; `None` is the arm for all other values.
    fn open_arm(&mut self, condition: Option<i64>, guard: Option<Box<Guard>>) {
        let here = self.arrived();
        let Some(Open::Branch { branch, ends, arms, otherwise }) = self.open.last_mut() else {
            return;
        };
        ends.extend(here);
        *arms += i64::from(condition.is_some());
        *otherwise |= condition.is_none();
        let source = *branch;
        let place = self.cfg.vertices[source].place;
        let target = self.block(place);
        self.current = Some(target);
        self.jumped = false;
        self.cfg.edges.push(Edge { source, target, condition, guard });
    }

    fn close_branch(&mut self) {
        let here = self.arrived();
        let Some(Open::Branch { branch, mut ends, otherwise, .. }) = self.open.pop() else {
            return;
        };
        let place = self.cfg.vertices[branch].place;
        let end = self.vertex(VertexKind::EndBranch, place);
        ends.extend(here);
        if !otherwise {
            self.cfg.connect(branch, end);
        }
        for arm in ends {
            self.cfg.connect(arm, end);
        }
        self.go_on_from(end, place);
    }

    /// Control goes from `source` to what is written next.
    fn go_on_from(&mut self, source: VertexId, place: Place) {
        let behind = self.block(place);
        self.current = Some(behind);
        self.jumped = false;
        self.cfg.connect(source, behind);
    }

    /// The block that is written, if control arrives at its end.
    fn arrived(&mut self) -> Option<VertexId> {
        if self.jumped { None } else { Some(self.here()) }
    }

    /// `do variable = lower, upper`, or backwards, `do variable = lower, upper, -1`; what follows is
    /// its body.
    pub fn open_do(
        &mut self,
        variable: SymbolId,
        (lower, upper): (ExprId, ExprId),
        backwards: bool,
        place: Place,
    ) {
        self.open_do_steps(variable, (lower, upper), if backwards { -1 } else { 1 }, place);
    }

    /// `do variable = lower, upper, step` for a constant step; what follows is its body.
    pub fn open_do_steps(
        &mut self,
        variable: SymbolId,
        (lower, upper): (ExprId, ExprId),
        step: i64,
        place: Place,
    ) {
        let op = if step < 0 { BoolOp::GreaterOrEqual } else { BoolOp::LessOrEqual };
        let step = integer(self.doc, step, place);
        let compared = whole(self.doc, variable, place);
        let compared = value_of(self.doc, compared);
        let condition = boolean(self.doc, op, &[compared, upper]);
        self.open_counted(variable, lower, condition, step, place);
    }

    /// `do variable = lower, upper, step` for a step of either sign; what follows is its body.
    pub fn open_do_by(
        &mut self,
        variable: SymbolId,
        (lower, upper): (ExprId, ExprId),
        step: ExprId,
        place: Place,
    ) {
        let compared = whole(self.doc, variable, place);
        let compared = value_of(self.doc, compared);
        let away = binary(self.doc, "sub_scal_scal", compared, upper);
        let again = Copier::new().expr(self.doc, step);
        let ahead = binary(self.doc, "mul_scal_scal", away, again);
        let zero = integer(self.doc, 0, place);
        let condition = boolean(self.doc, BoolOp::LessOrEqual, &[ahead, zero]);
        self.open_counted(variable, lower, condition, step, place);
    }

    fn open_counted(
        &mut self,
        variable: SymbolId,
        lower: ExprId,
        condition: ExprId,
        step: ExprId,
        place: Place,
    ) {
        let target = whole(self.doc, variable, place);
        let init = assign(self.doc, target, lower, place);
        let target = whole(self.doc, variable, place);
        let stepped = Copier::new().reference(self.doc, target);
        let stepped = value_of(self.doc, stepped);
        let next = binary(self.doc, "add_scal_scal", stepped, step);
        let update = assign(self.doc, target, next, place);
        let head = self.follow(
            VertexKind::ForLoop {
                init,
                condition,
                update,
                reversal: None,
                form: ForForm::Counted,
                name: None,
            },
            place,
        );
        self.open.push(Open::Do { head });
        let body = self.block(place);
        self.current = Some(body);
        self.cfg.connect_if(head, body, 1);
    }

    /// `do while (condition)`; what follows is its body.
    pub fn open_while(&mut self, condition: ExprId, place: Place) {
        let kind = VertexKind::PreLoop { condition: Some(condition), name: None, forever: false };
        let head = self.follow(kind, place);
        self.open.push(Open::Do { head });
        let body = self.block(place);
        self.current = Some(body);
        self.cfg.connect_if(head, body, 1);
    }

    /// What assigns the first value of the variable of the DO that was opened last and is open.
    pub fn first_value(&self) -> Option<StmtId> {
        let Some(Open::Do { head }) = self.open.last() else { return None };
        match self.cfg.vertices[*head].kind {
            VertexKind::ForLoop { init, .. } => Some(init),
            _ => None,
        }
    }

    /// `end do`
    pub fn close_do(&mut self) {
        let here = self.arrived();
        let Some(Open::Do { head }) = self.open.pop() else { return };
        let place = self.cfg.vertices[head].place;
        let end = self.vertex(VertexKind::EndLoop, place);
        if let Some(here) = here {
            self.cfg.connect(here, end);
        }
        self.cfg.connect(end, head);
        self.go_on_from(head, place);
    }

    /// A vertex behind the current block, which ends with it.
    fn follow(&mut self, kind: VertexKind, place: Place) -> VertexId {
        let here = self.here();
        let vertex = self.vertex(kind, place);
        self.cfg.connect(here, vertex);
        vertex
    }

    fn block(&mut self, place: Place) -> VertexId {
        let scope = self.scope;
        self.vertex(VertexKind::BasicBlock { scope, stmts: Vec::new() }, place)
    }

    fn vertex(&mut self, kind: VertexKind, place: Place) -> VertexId {
        let vertex = self.cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
        self.made.push(vertex);
        vertex
    }
}

/// Where [`rewrite_flow`] has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// At a statement of a block: the caller adds what stands in its place.
    Stmt(StmtId),
    /// At a branch or loop: what the caller adds is executed before it is evaluated.
    Head(VertexId),
}

/// Rewrites every basic block of `proc`: `rewrite` is given each statement in order and adds what
/// stands in its place (the statement itself, where it stays). An IF or DO that it opens it must
/// close.
///
/// A statement that may jump (I/O with `err=`, a call with alternate returns) must stay the last of
/// its block: nothing may be added after it.
pub fn rewrite_blocks<E>(
    doc: &mut Document,
    proc: ProcId,
    mut rewrite: impl FnMut(&mut Emitter<'_>, StmtId) -> Result<(), E>,
) -> Result<(), E> {
    rewrite_flow(doc, proc, |emitter, site| match site {
        Site::Stmt(stmt) => rewrite(emitter, stmt),
        Site::Head(_) => Ok(()),
    })
}

/// As [`rewrite_blocks`], with a stop at each branch and loop as well. What the caller adds there is
/// executed before the branch, before a counting loop or DO CONCURRENT begins, and in each iteration
/// before the condition of a DO WHILE. It must add nothing at a loop that evaluates its condition
/// after the iteration or that is a general one ([`ForForm::General`]): see [`takes_statements`].
pub fn rewrite_flow<E>(
    doc: &mut Document,
    proc: ProcId,
    mut rewrite: impl FnMut(&mut Emitter<'_>, Site) -> Result<(), E>,
) -> Result<(), E> {
    let outer = doc.procs[proc].scope;
    let Body::Flow(cfg) = &mut doc.procs[proc].body else { return Ok(()) };
    let mut cfg = mem::take(cfg);
    let scopes = scopes_at(doc, &cfg, outer);
    let layout = mem::take(&mut cfg.layout);
    let mut index = EdgeIndex::new(&cfg);
    let mut result = Ok(());
    for vertex in layout {
        if result.is_err() {
            cfg.layout.push(vertex);
            continue;
        }
        if let VertexKind::BasicBlock { .. } = &cfg.vertices[vertex].kind {
            cfg.layout.push(vertex);
            result = rewrite_block(doc, (&mut cfg, &mut index), vertex, &mut rewrite);
        } else if is_head(&cfg.vertices[vertex].kind) {
            let graph = (&mut cfg, &mut index);
            result = rewrite_head(doc, graph, vertex, scopes[vertex], &mut rewrite);
        } else {
            cfg.layout.push(vertex);
        }
    }
    doc.procs[proc].body = Body::Flow(cfg);
    result
}

/// Writes statements that are executed first as `proc` is entered, by whatever name.
pub fn rewrite_entry<E>(
    doc: &mut Document,
    proc: ProcId,
    mut emit: impl FnMut(&mut Emitter<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let scope = doc.procs[proc].scope;
    let Body::Flow(cfg) = &mut doc.procs[proc].body else { return Ok(()) };
    let mut cfg = mem::take(cfg);
    let is_entry = |vertex: &VertexId| matches!(cfg.vertices[*vertex].kind, VertexKind::Entry(_));
    let entries: Vec<VertexId> = cfg.layout.iter().copied().filter(is_entry).collect();
    let mut result = Ok(());
    for entry in entries {
        result = result.and_then(|()| write_behind(doc, &mut cfg, scope, entry, &mut emit));
    }
    doc.procs[proc].body = Body::Flow(cfg);
    result
}

/// Writes statements between an entry and what is executed first.
fn write_behind<E>(
    doc: &mut Document,
    cfg: &mut Cfg,
    scope: ScopeId,
    entry: VertexId,
    emit: &mut impl FnMut(&mut Emitter<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let at = cfg.layout.iter().position(|&vertex| vertex == entry).unwrap_or(0);
    let place = cfg.vertices[entry].place;
    let kind = VertexKind::BasicBlock { scope, stmts: Vec::new() };
    let first = cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
    let rest = cfg.layout.split_off(at + 1);
    cfg.layout.push(first);
    let before: Vec<_> = cfg.edges.keys().filter(|&e| cfg.edges[e].source == entry).collect();
    let mut emitter = Emitter::new(doc, scope, cfg, Some(first), place);
    let result = emit(&mut emitter);
    let Emitter { current, made, .. } = emitter;
    for edge in before {
        cfg.edges[edge].source = current.unwrap_or(first);
    }
    cfg.connect(entry, first);
    cfg.layout.extend(made);
    cfg.layout.extend(rest);
    result
}

fn is_head(kind: &VertexKind) -> bool {
    match kind {
        VertexKind::Branch { .. }
        | VertexKind::ForLoop { .. }
        | VertexKind::PreLoop { .. }
        | VertexKind::PostLoop { .. }
        | VertexKind::ConcurrentLoop { .. } => true,
        VertexKind::Entry(_)
        | VertexKind::Exit
        | VertexKind::BasicBlock { .. }
        | VertexKind::EndBranch
        | VertexKind::EndLoop
        | VertexKind::Goto(_)
        | VertexKind::Label { .. } => false,
    }
}

/// Whether [`rewrite_flow`] can put statements before what is evaluated at such a head. For a
/// counting loop they are executed once, before it begins.
pub fn takes_statements(kind: &VertexKind) -> bool {
    match kind {
        VertexKind::ForLoop { form, .. } => *form == ForForm::Counted,
        VertexKind::PostLoop { .. } => false,
        _ => is_head(kind),
    }
}

/// Lets the caller write before `head`, and puts `head` into the layout.
fn rewrite_head<E>(
    doc: &mut Document,
    (cfg, index): (&mut Cfg, &mut EdgeIndex),
    head: VertexId,
    scope: ScopeId,
    rewrite: &mut impl FnMut(&mut Emitter<'_>, Site) -> Result<(), E>,
) -> Result<(), E> {
    let place = cfg.vertices[head].place;
    let rounds = matches!(cfg.vertices[head].kind, VertexKind::PreLoop { .. });
    let before = if rounds { None } else { block_before(cfg, index, head) };
    let held = before.map_or(0, |block| length(cfg, block));
    let mut emitter = Emitter::new(doc, scope, cfg, before, place);
    let result = rewrite(&mut emitter, Site::Head(head));
    let Emitter { current, made, .. } = emitter;
    let first = made.first().copied();
    let (Some(last), true) =
        (current, first.is_some() || before.is_some_and(|block| length(cfg, block) > held))
    else {
        cfg.layout.push(head);
        index.catch_up(cfg);
        return result;
    };
    if let VertexKind::Branch { form: form @ BranchForm::ElseIf, .. } = &mut cfg.vertices[head].kind
    {
        // It is no longer alone in the arm.
        *form = BranchForm::If;
    }
    if rounds {
        cfg.layout.push(head);
        cfg.layout.extend(made);
        if let Some(first) = first {
            leave_from_within(doc, (&mut *cfg, &mut *index), head, (first, last), scope);
        }
        index.catch_up(cfg);
        return result;
    }
    // The index does not have the edges of the caller yet.
    match (before, first) {
        (Some(before), _) => index.move_sources(cfg, before, last),
        (None, Some(first)) => {
            for edge in index.to(head).to_vec() {
                let source = cfg.edges[edge].source;
                if !matches!(cfg.vertices[source].kind, VertexKind::EndLoop) {
                    index.set_target(cfg, edge, first);
                }
            }
        }
        (None, None) => {}
    }
    if before.is_none() {
        cfg.connect(last, head);
    }
    cfg.layout.extend(made);
    cfg.layout.push(head);
    index.catch_up(cfg);
    result
}

/// The block before `head` in the layout, if control passes from it to `head` and nowhere else, and
/// to `head` (but for the iterations of a loop) from nowhere else.
fn block_before(cfg: &Cfg, index: &EdgeIndex, head: VertexId) -> Option<VertexId> {
    let block = *cfg.layout.last()?;
    if !matches!(cfg.vertices[block].kind, VertexKind::BasicBlock { .. }) {
        return None;
    }
    let mut leaving = index.from(block).iter().map(|&edge| &cfg.edges[edge]);
    let alone = |edge: &Edge| edge.target == head && edge.condition.is_none();
    let mut arriving = index.to(head).iter().map(|&edge| cfg.edges[edge].source);
    let from_here = |source: VertexId| {
        source == block || matches!(cfg.vertices[source].kind, VertexKind::EndLoop)
    };
    let connected = !index.from(block).is_empty();
    (connected && leaving.all(alone) && arriving.all(from_here)).then_some(block)
}

fn length(cfg: &Cfg, block: VertexId) -> usize {
    match &cfg.vertices[block].kind {
        VertexKind::BasicBlock { stmts, .. } => stmts.len(),
        _ => 0,
    }
}

/// A DO WHILE whose iterations begin with the blocks from `first` to `last` becomes a loop without
/// control, in which `if (.not. condition) exit` follows them.
fn leave_from_within(
    doc: &mut Document,
    (cfg, index): (&mut Cfg, &mut EdgeIndex),
    head: VertexId,
    (first, last): (VertexId, VertexId),
    scope: ScopeId,
) {
    let place = cfg.vertices[head].place;
    let VertexKind::PreLoop { condition, forever, .. } = &mut cfg.vertices[head].kind else {
        return;
    };
    let Some(holds) = condition.take() else { return };
    *forever = true;
    let ends = boolean(doc, BoolOp::Not, &[holds]);
    let mut vertex = |kind| {
        let vertex = cfg.vertices.push(Vertex { kind, place, id: None, recorded: None });
        cfg.layout.push(vertex);
        vertex
    };
    let branch = vertex(VertexKind::Branch {
        condition: Some(ends),
        form: BranchForm::InlineIf,
        name: None,
    });
    let arm = vertex(VertexKind::BasicBlock { scope, stmts: Vec::new() });
    let leave = vertex(VertexKind::Goto(Jump::Exit(None)));
    let end = vertex(VertexKind::EndBranch);
    for edge in index.from(head).to_vec() {
        // The body begins behind the test; the other way leads out of the loop.
        let begins = cfg.edges[edge].condition.take() == Some(1);
        index.set_source(cfg, edge, if begins { end } else { leave });
    }
    cfg.connect_if(head, first, 1);
    cfg.connect(last, branch);
    cfg.connect_if(branch, arm, 1);
    cfg.connect(arm, leave);
    cfg.connect(branch, end);
}

/// Rewrites one block; `vertex` must be the last of the layout so far. The index is brought up to date.
pub fn rewrite_block<E>(
    doc: &mut Document,
    (cfg, index): (&mut Cfg, &mut EdgeIndex),
    vertex: VertexId,
    rewrite: &mut impl FnMut(&mut Emitter<'_>, Site) -> Result<(), E>,
) -> Result<(), E> {
    let place = cfg.vertices[vertex].place;
    let VertexKind::BasicBlock { scope, stmts } = &mut cfg.vertices[vertex].kind else {
        return Ok(());
    };
    let (scope, old) = (*scope, mem::take(stmts));
    let held = old.len();
    let mut emitter = Emitter::new(doc, scope, cfg, Some(vertex), place);
    let mut result = Ok(());
    for stmt in old {
        if result.is_ok() {
            result = rewrite(&mut emitter, Site::Stmt(stmt));
        } else {
            emitter.push(stmt);
        }
    }
    let Emitter { current, made, .. } = emitter;
    // The index does not have the edges of the caller yet.
    if let Some(current) = current.filter(|&current| current != vertex) {
        index.move_sources(cfg, vertex, current);
    }
    index.catch_up(cfg);
    let grown = !made.is_empty() || length(cfg, vertex) != held;
    cfg.layout.extend(made);
    if grown {
        let sources = index.to(vertex).iter().map(|&edge| cfg.edges[edge].source);
        let sources: Vec<VertexId> = sources.collect();
        open_inline_ifs(cfg, sources);
    }
    result
}

/// A one-line IF whose arm has become more than one statement becomes IF … END IF: those among the `sources` of the edges
/// that lead to the arm.
pub(super) fn open_inline_ifs(cfg: &mut Cfg, sources: Vec<VertexId>) {
    for source in sources {
        if let VertexKind::Branch { form: form @ BranchForm::InlineIf, .. } =
            &mut cfg.vertices[source].kind
        {
            *form = BranchForm::If;
        }
    }
}
