//! The flow graph of a function under construction.

use std::collections::HashMap;

use lang_c::span::Span;
use xaif_schema::model::{
    BranchForm, Cfg, CommentKind, ExprId, Guard, Jump, Place, ScopeId, Stmt, StmtId, StmtKind,
    SymbolId, Vertex, VertexId, VertexKind,
};

use super::pointers::Usage;
use super::types::CType;
use super::{Lowered, Lowering};
use crate::source::Comment;

/// An edge whose target is the next vertex.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) source: VertexId,
    pub(crate) condition: Option<i64>,
    pub(crate) guard: Option<Box<Guard>>,
}

impl Way {
    pub(crate) fn on(source: VertexId) -> Self {
        Way { source, condition: None, guard: None }
    }

    pub(crate) fn when(source: VertexId, condition: i64) -> Self {
        Way { source, condition: Some(condition), guard: None }
    }
}

/// A loop or switch around a statement.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    pub(crate) is_loop: bool,
    pub(crate) breaks: Vec<Way>,
    pub(crate) continues: Vec<Way>,
}

/// The function whose body is lowered.
#[derive(Debug)]
pub(crate) struct Flow {
    pub(crate) cfg: Cfg,
    pub(crate) scope: ScopeId,
    pub(crate) usage: Usage,
    pub(crate) result: Option<(SymbolId, CType)>,
    /// Whether it is the main program.
    pub(crate) main: bool,
    /// What leads to the next vertex; nothing, where that cannot be reached.
    pub(crate) open: Vec<Way>,
    /// The block that takes the next statement.
    pub(crate) block: Option<VertexId>,
    pub(crate) frames: Vec<Frame>,
    /// Statements for the next sequence point.
    pub(crate) later: Vec<(StmtKind, Place)>,
    pub(crate) labels: HashMap<String, VertexId>,
    pub(crate) jumps: Vec<(VertexId, String, Span)>,
    pub(crate) leaving: Vec<VertexId>,
    pub(crate) unstructured: bool,
    /// Comments that stand further down, the last first.
    pub(crate) comments: Vec<Comment>,
}

impl Flow {
    /// Nothing yet.
    pub(crate) fn new(scope: ScopeId) -> Self {
        Flow {
            cfg: Cfg::default(),
            scope,
            usage: Usage::default(),
            result: None,
            main: false,
            open: Vec::new(),
            block: None,
            frames: Vec::new(),
            later: Vec::new(),
            labels: HashMap::new(),
            jumps: Vec::new(),
            leaving: Vec::new(),
            unstructured: false,
            comments: Vec::new(),
        }
    }
}

/// A branch whose arms are being made.
pub(crate) struct Branch {
    vertex: VertexId,
    ends: Vec<Way>,
    has_else: bool,
}

impl Lowering<'_> {
    /// Adds a vertex, to which all that is open leads.
    pub(crate) fn vertex(&mut self, kind: VertexKind, place: Place) -> VertexId {
        let flow = &mut self.flow;
        let vertex = flow.cfg.push(Vertex { kind, place, id: None, recorded: None });
        for Way { source, condition, guard } in std::mem::take(&mut flow.open) {
            let edge = match condition {
                Some(value) => flow.cfg.connect_if(source, vertex, value),
                None => flow.cfg.connect(source, vertex),
            };
            flow.cfg.edges[edge].guard = guard;
        }
        flow.open.push(Way::on(vertex));
        flow.block = None;
        vertex
    }

    /// An empty block.
    pub(crate) fn new_block(&mut self, place: Place) -> VertexId {
        let kind = VertexKind::BasicBlock { scope: self.flow.scope, stmts: Vec::new() };
        let block = self.vertex(kind, place);
        self.flow.block = Some(block);
        block
    }

    /// Begins an arm, to which `ways` lead, with an empty block.
    pub(crate) fn begin_arm(&mut self, ways: Vec<Way>, place: Place) -> VertexId {
        self.flow.open = ways;
        self.new_block(place)
    }

    /// Adds a statement without putting it into a block.
    pub(crate) fn loose(&mut self, kind: StmtKind, place: Place) -> StmtId {
        self.doc.stmts.push(Stmt {
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
            local_jacobian: None,
            checkpoints: None,
        })
    }

    /// Adds a statement at the end of the current block.
    pub(crate) fn push(&mut self, kind: StmtKind, place: Place) -> StmtId {
        let stmt = self.loose(kind, place);
        let block = match self.flow.block {
            Some(block) => block,
            None => self.new_block(place),
        };
        if let VertexKind::BasicBlock { stmts, .. } = &mut self.flow.cfg.vertices[block].kind {
            stmts.push(stmt);
        }
        stmt
    }

    /// A jump; what follows is not reached from here.
    pub(crate) fn jump(&mut self, jump: Jump, place: Place) -> VertexId {
        let vertex = self.vertex(VertexKind::Goto(jump), place);
        self.flow.open.clear();
        vertex
    }

    /// A jump to the exit.
    pub(crate) fn leave(&mut self, jump: Jump, place: Place) {
        let vertex = self.jump(jump, place);
        self.flow.leaving.push(vertex);
    }

    /// `if (condition) {`
    pub(crate) fn begin_if(&mut self, condition: ExprId, place: Place) -> Box<Branch> {
        let kind =
            VertexKind::Branch { condition: Some(condition), form: BranchForm::If, name: None };
        let vertex = self.vertex(kind, place);
        self.begin_arm(vec![Way::when(vertex, 1)], place);
        Box::new(Branch { vertex, ends: Vec::new(), has_else: false })
    }

    /// `} else {`
    pub(crate) fn begin_else(&mut self, branch: Box<Branch>, place: Place) -> Box<Branch> {
        let mut branch = branch;
        branch.ends.append(&mut self.flow.open);
        branch.has_else = true;
        self.begin_arm(vec![Way::on(branch.vertex)], place);
        branch
    }

    /// `}`
    pub(crate) fn end_if(&mut self, branch: Box<Branch>, place: Place) {
        let mut branch = branch;
        branch.ends.append(&mut self.flow.open);
        if !branch.has_else {
            branch.ends.push(Way::on(branch.vertex));
        }
        self.flow.open = branch.ends;
        self.vertex(VertexKind::EndBranch, place);
    }

    /// Ends the graph.
    pub(crate) fn finish(&mut self, place: Place) -> Lowered<Cfg> {
        let exit = self.vertex(VertexKind::Exit, place);
        for source in std::mem::take(&mut self.flow.leaving) {
            self.flow.cfg.connect(source, exit);
        }
        for (source, label, span) in std::mem::take(&mut self.flow.jumps) {
            match self.flow.labels.get(&label) {
                Some(&target) => {
                    self.flow.cfg.connect(source, target);
                }
                None => {
                    let message = format!("this function has no label `{label}`");
                    return self.refuse(span, &message, "look for a misspelt label");
                }
            }
        }
        self.flow.cfg.structured = Some(!self.flow.unstructured);
        Ok(std::mem::take(&mut self.flow.cfg))
    }

    /// Puts the comments before `line` into the current block.
    pub(crate) fn comments_before(&mut self, line: u32, place: Place) {
        while let Some(comment) = self.flow.comments.pop_if(|comment| comment.line < line) {
            self.comment(&comment, place);
        }
    }

    /// Puts the comments of the lines up to `line` behind the statement before.
    pub(crate) fn comments_behind(&mut self, line: u32, place: Place) {
        while let Some(comment) =
            self.flow.comments.pop_if(|comment| comment.line <= line && comment.trailing)
        {
            self.comment(&comment, place);
        }
    }

    fn comment(&mut self, comment: &Comment, place: Place) {
        let place = Place { line: comment.line, column: comment.column, ..place };
        let comment = xaif_schema::model::Comment {
            text: comment.text.as_str().into(),
            trailing: comment.trailing,
            kind: CommentKind::Text,
            place,
        };
        self.push(StmtKind::Comment(comment), place);
    }
}
