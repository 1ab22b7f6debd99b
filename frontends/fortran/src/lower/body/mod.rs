//! Execution parts: statements to basic blocks, constructs and jumps to a flow graph.
//!
//! - `mod.rs`: the builder: vertices, blocks, the edges that wait for the next vertex;
//! - `statement.rs`: which statement is lowered where; assignments; comments;
//! - `construct.rs`: IF, SELECT, DO; `scoped.rs`: BLOCK, ASSOCIATE, SELECT TYPE;
//! - `jump.rs`: labels and jumps; `labels.rs`: which labels are jumped to at all;
//! - `call.rs`: CALL; `memory.rs`: ALLOCATE and its like, pointer assignment;
//! - `io.rs`: input and output; `marker.rs`: other statements carried as markers;
//! - `masked.rs`: WHERE, FORALL.
//!
//! The vertices come in the order of the text, by the rules at the top of `cfg.rs` of the model.
//! Code that cannot be reached is kept.

mod call;
mod construct;
mod io;
mod jump;
mod labels;
mod marker;
mod masked;
mod memory;
mod scoped;
mod statement;

use xaif_schema::model::{
    Cfg, Comment, CommentKind, Guard, ProcId, ScopeId, SpecItem, Stmt, StmtId, StmtKind, Vertex,
    VertexId, VertexKind,
};

use self::construct::Construct;
use self::jump::PendingJump;
use self::labels::Labels;
use super::Lowering;
use crate::syntax::ast;

/// An edge whose target is the next vertex.
#[derive(Clone, Debug)]
struct Way {
    source: VertexId,
    condition: Option<i64>,
    guard: Option<Box<Guard>>,
}

impl Way {
    /// The way that is taken unless another one is.
    fn on(source: VertexId) -> Self {
        Way { source, condition: None, guard: None }
    }

    /// The way that is taken for a value of the condition.
    fn when(source: VertexId, condition: i64) -> Self {
        Way { source, condition: Some(condition), guard: None }
    }
}

/// The flow graph of a procedure under construction.
struct Builder<'l, 'a> {
    low: &'l mut Lowering<'a>,
    cfg: Cfg,
    /// The scope of the statements at the moment.
    scope: ScopeId,
    /// What leads to the next vertex; nothing, where that cannot be reached.
    open: Vec<Way>,
    /// The block that takes the next statement.
    block: Option<VertexId>,
    /// The constructs around the statement, outermost first.
    constructs: Vec<Construct>,
    labels: Labels,
    /// Jumps to labels.
    jumps: Vec<PendingJump>,
    /// Jumps to the exit.
    leaving: Vec<VertexId>,
    /// Whether a jump into the open was seen.
    unstructured: bool,
}

impl Lowering<'_> {
    /// Lowers the execution part of a procedure, which ends in the END statement `end`.
    pub(crate) fn body(
        &mut self,
        proc: ProcId,
        scope: ScopeId,
        exec: &[ast::ExecItem],
        end: &ast::Head,
    ) -> Cfg {
        let place = self.doc.procs[proc].place;
        let labels = self.labels(scope, exec, end);
        let mut builder = Builder {
            low: self,
            cfg: Cfg::default(),
            scope,
            open: Vec::new(),
            block: None,
            constructs: Vec::new(),
            labels,
            jumps: Vec::new(),
            leaving: Vec::new(),
            unstructured: false,
        };
        let entry = Vertex { kind: VertexKind::Entry(None), place, id: None, recorded: None };
        let entry = builder.cfg.push(entry);
        builder.open.push(Way::on(entry));
        builder.items(exec);
        builder.finish(end)
    }

    /// The labels of an execution part, and those of FORMAT statements among the declarations.
    fn labels(&self, scope: ScopeId, exec: &[ast::ExecItem], end: &ast::Head) -> Labels {
        let mut labels = Labels::of(exec, end);
        for item in &self.doc.scopes[scope].items {
            if let SpecItem::Opaque { label: Some(label), .. } = item {
                labels.formats.insert(*label);
                labels.places.entry(*label).or_default();
            }
        }
        labels
    }
}

impl Builder<'_, '_> {
    fn finish(mut self, end: &ast::Head) -> Cfg {
        self.define_label(end);
        let exit = self.vertex(VertexKind::Exit, end.place);
        for source in std::mem::take(&mut self.leaving) {
            self.cfg.connect(source, exit);
        }
        self.resolve_jumps();
        self.cfg.structured = Some(!self.unstructured);
        self.cfg
    }

    /// Adds a vertex, to which all that is open leads.
    fn vertex(&mut self, kind: VertexKind, place: ast::Place) -> VertexId {
        let place = self.low.place(place);
        let vertex = self.cfg.push(Vertex { kind, place, id: None, recorded: None });
        for Way { source, condition, guard } in std::mem::take(&mut self.open) {
            let edge = match condition {
                Some(value) => self.cfg.connect_if(source, vertex, value),
                None => self.cfg.connect(source, vertex),
            };
            self.cfg.edges[edge].guard = guard;
        }
        self.open.push(Way::on(vertex));
        self.block = None;
        vertex
    }

    /// Begins an arm of a construct, to which `way` leads, with an empty block.
    fn begin_arm(&mut self, way: Way, place: ast::Place) {
        self.open = vec![way];
        self.new_block(place);
    }

    fn new_block(&mut self, place: ast::Place) -> VertexId {
        let kind = VertexKind::BasicBlock { scope: self.scope, stmts: Vec::new() };
        let block = self.vertex(kind, place);
        self.block = Some(block);
        block
    }

    /// The block that takes a statement which stands at `place`.
    fn block_at(&mut self, place: ast::Place) -> VertexId {
        match self.block {
            Some(block) => block,
            None => self.new_block(place),
        }
    }

    /// Adds a statement without putting it into a block.
    fn loose(&mut self, kind: StmtKind, place: ast::Place) -> StmtId {
        let place = self.low.place(place);
        self.low.doc.stmts.push(Stmt {
            kind,
            place,
            id: None,
            do_chain: None,
            label: None,
            recorded: None,
            properties: Vec::new(),
            joint: false,
            recompute: false,
            adjoint_live: true,
            checkpoints: None,
            local_jacobian: None,
        })
    }

    /// Puts a statement at the end of the current block, which is returned.
    fn put(&mut self, stmt: StmtId, place: ast::Place) -> VertexId {
        let block = self.block_at(place);
        if let VertexKind::BasicBlock { stmts, .. } = &mut self.cfg.vertices[block].kind {
            stmts.push(stmt);
        }
        block
    }

    /// Adds a statement at the end of the current block, which is returned.
    fn push(&mut self, kind: StmtKind, place: ast::Place) -> VertexId {
        let stmt = self.loose(kind, place);
        self.put(stmt, place)
    }

    fn comment(&mut self, comment: Comment, place: ast::Place) {
        self.push(StmtKind::Comment(comment), place);
    }

    /// Comments of a construct's first line, at the beginning of its first block.
    fn comments_inside(&mut self, head: &ast::Head) {
        for comment in &head.comments {
            let mut comment_ = self.low.trailing(comment);
            comment_.trailing = head.comments.len() == 1;
            self.comment(comment_, comment.place);
        }
    }

    /// Comments of a statement that nothing can stand behind, as lines before it.
    fn comments_before(&mut self, head: &ast::Head) {
        for comment in &head.comments {
            let line =
                Comment { trailing: false, kind: CommentKind::Text, ..self.low.trailing(comment) };
            self.comment(line, comment.place);
        }
    }
}
