//! Statements, IF and DO in the middle of a flow graph.
//!
//! [`rewrite_blocks`] walks over the basic blocks of a graph; for each statement the caller says to
//! an [`Emitter`] what stands in its place. As long as that is statements, the block stays one
//! vertex; an IF or DO splits it. Edges that led to the block lead to its first part, those that
//! left it leave its last, so jumps, loops and arms around it stay what they are.

use std::mem;

use xaif_schema::model::{
    Body, BoolOp, BranchForm, Cfg, Document, ExprId, ForForm, Place, ProcId, ScopeId, Stmt, StmtId,
    StmtKind, SymbolId, Vertex, VertexId, VertexKind,
};

use super::{Copier, assign, binary, boolean, integer, value_of, whole};

/// Writes statements into a basic block and splits it where control flow is needed.
#[derive(Debug)]
pub struct Emitter<'a> {
    /// The document.
    pub doc: &'a mut Document,
    /// The scope of the statements.
    pub scope: ScopeId,
    cfg: &'a mut Cfg,
    /// The block that is written.
    current: VertexId,
    /// The vertices that were made, in order.
    made: Vec<VertexId>,
    open: Vec<Open>,
}

/// A construct that is open.
#[derive(Clone, Copy, Debug)]
enum Open {
    /// An IF: its branch, and the end of the first arm once ELSE was met.
    If { branch: VertexId, first: Option<VertexId> },
    /// A loop: its head.
    Do { head: VertexId },
}

impl Emitter<'_> {
    /// Adds a statement of the document.
    pub fn push(&mut self, stmt: StmtId) {
        if let VertexKind::BasicBlock { stmts, .. } = &mut self.cfg.vertices[self.current].kind {
            stmts.push(stmt);
        }
    }

    /// Makes a statement and adds it.
    pub fn stmt(&mut self, kind: StmtKind, place: Place) -> StmtId {
        let stmt = self.doc.stmts.push(Stmt { kind, place, id: None, do_chain: None, label: None });
        self.push(stmt);
        stmt
    }

    /// `lhs = rhs`
    pub fn assign(&mut self, lhs: xaif_schema::model::RefId, rhs: ExprId, place: Place) -> StmtId {
        let stmt = assign(self.doc, lhs, rhs, place);
        self.push(stmt);
        stmt
    }

    /// `if (condition) then`; what follows is the first arm.
    pub fn open_if(&mut self, condition: ExprId, place: Place) {
        let kind =
            VertexKind::Branch { condition: Some(condition), form: BranchForm::If, name: None };
        let branch = self.follow(kind, place);
        self.open.push(Open::If { branch, first: None });
        self.current = self.block(place);
        self.cfg.connect_if(branch, self.current, 1);
    }

    /// `else`; what follows is the second arm of the innermost IF.
    pub fn open_else(&mut self) {
        let place = self.cfg.vertices[self.current].place;
        if let Some(Open::If { branch, first }) = self.open.last_mut() {
            let branch = *branch;
            *first = Some(self.current);
            self.current = self.block(place);
            self.cfg.connect(branch, self.current);
        }
    }

    /// `end if`
    pub fn close_if(&mut self) {
        let Some(Open::If { branch, first }) = self.open.pop() else { return };
        let place = self.cfg.vertices[branch].place;
        let end = self.vertex(VertexKind::EndBranch, place);
        match first {
            Some(first) => self.cfg.connect(first, end),
            None => self.cfg.connect(branch, end),
        };
        self.cfg.connect(self.current, end);
        self.current = self.block(place);
        self.cfg.connect(end, self.current);
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
        let target = whole(self.doc, variable, place);
        let init = assign(self.doc, target, lower, place);
        let compared = whole(self.doc, variable, place);
        let compared = value_of(self.doc, compared);
        let op = if backwards { BoolOp::GreaterOrEqual } else { BoolOp::LessOrEqual };
        let condition = boolean(self.doc, op, &[compared, upper]);
        let target = whole(self.doc, variable, place);
        let stepped = Copier::new().reference(self.doc, target);
        let stepped = value_of(self.doc, stepped);
        let step = integer(self.doc, if backwards { -1 } else { 1 }, place);
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
        self.current = self.block(place);
        self.cfg.connect_if(head, self.current, 1);
    }

    /// `end do`
    pub fn close_do(&mut self) {
        let Some(Open::Do { head }) = self.open.pop() else { return };
        let place = self.cfg.vertices[head].place;
        let end = self.vertex(VertexKind::EndLoop, place);
        self.cfg.connect(self.current, end);
        self.cfg.connect(end, head);
        self.current = self.block(place);
        self.cfg.connect(head, self.current);
    }

    /// A vertex behind the current block, which ends with it.
    fn follow(&mut self, kind: VertexKind, place: Place) -> VertexId {
        let vertex = self.vertex(kind, place);
        self.cfg.connect(self.current, vertex);
        vertex
    }

    fn block(&mut self, place: Place) -> VertexId {
        let scope = self.scope;
        self.vertex(VertexKind::BasicBlock { scope, stmts: Vec::new() }, place)
    }

    fn vertex(&mut self, kind: VertexKind, place: Place) -> VertexId {
        let vertex = self.cfg.vertices.push(Vertex { kind, place, id: None });
        self.made.push(vertex);
        vertex
    }
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
    let Body::Flow(cfg) = &mut doc.procs[proc].body else { return Ok(()) };
    let mut cfg = mem::take(cfg);
    let layout = mem::take(&mut cfg.layout);
    let mut result = Ok(());
    for vertex in layout {
        cfg.layout.push(vertex);
        if result.is_ok() {
            result = rewrite_block(doc, &mut cfg, vertex, &mut rewrite);
        }
    }
    doc.procs[proc].body = Body::Flow(cfg);
    result
}

/// Writes statements that are executed first as `proc` is entered by its own name.
pub fn rewrite_entry<E>(
    doc: &mut Document,
    proc: ProcId,
    emit: impl FnOnce(&mut Emitter<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let scope = doc.procs[proc].scope;
    let Body::Flow(cfg) = &mut doc.procs[proc].body else { return Ok(()) };
    let mut cfg = mem::take(cfg);
    let is_entry =
        |vertex: &VertexId| matches!(cfg.vertices[*vertex].kind, VertexKind::Entry(None));
    let Some(at) = cfg.layout.iter().position(is_entry) else {
        doc.procs[proc].body = Body::Flow(cfg);
        return Ok(());
    };
    let entry = cfg.layout[at];
    let place = cfg.vertices[entry].place;
    let kind = VertexKind::BasicBlock { scope, stmts: Vec::new() };
    let first = cfg.vertices.push(Vertex { kind, place, id: None });
    let rest = cfg.layout.split_off(at + 1);
    cfg.layout.push(first);
    let before: Vec<_> = cfg.edges.keys().filter(|&e| cfg.edges[e].source == entry).collect();
    let mut emitter =
        Emitter { doc, scope, cfg: &mut cfg, current: first, made: Vec::new(), open: Vec::new() };
    let result = emit(&mut emitter);
    let Emitter { current, made, .. } = emitter;
    for edge in before {
        cfg.edges[edge].source = current;
    }
    cfg.connect(entry, first);
    cfg.layout.extend(made);
    cfg.layout.extend(rest);
    doc.procs[proc].body = Body::Flow(cfg);
    result
}

fn rewrite_block<E>(
    doc: &mut Document,
    cfg: &mut Cfg,
    vertex: VertexId,
    rewrite: &mut impl FnMut(&mut Emitter<'_>, StmtId) -> Result<(), E>,
) -> Result<(), E> {
    let VertexKind::BasicBlock { scope, stmts } = &mut cfg.vertices[vertex].kind else {
        return Ok(());
    };
    let (scope, old) = (*scope, mem::take(stmts));
    let edges_before = cfg.edges.len();
    let mut emitter =
        Emitter { doc, scope, cfg, current: vertex, made: Vec::new(), open: Vec::new() };
    let mut result = Ok(());
    for stmt in old {
        if result.is_ok() {
            result = rewrite(&mut emitter, stmt);
        } else {
            emitter.push(stmt);
        }
    }
    let Emitter { current, made, .. } = emitter;
    if current != vertex {
        for edge in cfg.edges.values_mut().take(edges_before) {
            if edge.source == vertex {
                edge.source = current;
            }
        }
    }
    let whole = made.is_empty() && is_one_statement(cfg, vertex);
    cfg.layout.extend(made);
    if !whole {
        open_inline_ifs(cfg, vertex);
    }
    result
}

fn is_one_statement(cfg: &Cfg, vertex: VertexId) -> bool {
    matches!(&cfg.vertices[vertex].kind, VertexKind::BasicBlock { stmts, .. } if stmts.len() == 1)
}

/// A one-line IF whose arm has become more than one statement becomes IF … END IF.
fn open_inline_ifs(cfg: &mut Cfg, arm: VertexId) {
    let sources = cfg.edges.values().filter(|edge| edge.target == arm).map(|edge| edge.source);
    for source in sources.collect::<Vec<_>>() {
        if let VertexKind::Branch { form: form @ BranchForm::InlineIf, .. } =
            &mut cfg.vertices[source].kind
        {
            *form = BranchForm::If;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use xaif_schema::lens::show;
    use xaif_schema::model::{Base, ProcId, StmtKind};
    use xaif_schema::verify;

    use super::*;
    use crate::build::{new_variable, value_of};

    const SOURCE: &str = "subroutine p(n, x)\n  implicit none\n  integer, intent(in) :: n\n  \
        real, intent(inout) :: x\n  if (n > 1) x = x*2\nend subroutine p\n";

    /// Each assignment stands in `if (n > 0)` in a loop.
    #[test]
    fn a_statement_becomes_a_loop_around_an_if_and_the_one_line_if_opens() {
        let mut doc = crate::testing::document(SOURCE);
        let proc = ProcId::from_u32(0);
        let scope = doc.procs[proc].scope;
        let i = new_variable(&mut doc, scope, "i", Base::Integer(4), Place::default());
        let n = doc.procs[proc].args[0].symbol.expect("a dummy argument");
        let done: Result<(), Infallible> = rewrite_blocks(&mut doc, proc, |emitter, stmt| {
            if !matches!(emitter.doc.stmts[stmt].kind, StmtKind::Assign { .. }) {
                emitter.push(stmt);
                return Ok(());
            }
            let place = emitter.doc.stmts[stmt].place;
            let one = integer(emitter.doc, 1, place);
            let upper = whole(emitter.doc, n, place);
            let upper = value_of(emitter.doc, upper);
            emitter.open_do(i, (one, upper), false, place);
            let counter = whole(emitter.doc, i, place);
            let counter = value_of(emitter.doc, counter);
            let two = integer(emitter.doc, 2, place);
            let condition = boolean(emitter.doc, BoolOp::GreaterThan, &[counter, two]);
            emitter.open_if(condition, place);
            emitter.push(stmt);
            emitter.close_if();
            emitter.close_do();
            Ok(())
        });
        done.expect("infallible");
        assert!(verify::verify(&doc).is_empty(), "{:?}", verify::verify(&doc));
        let text = show::show(&doc);
        for line in ["v1       if (n > 1)\n", "do i = 1, n", "if (i > 2)\n", "x = x*2"] {
            assert!(text.contains(line), "no `{line}` in\n{text}");
        }
    }
}
