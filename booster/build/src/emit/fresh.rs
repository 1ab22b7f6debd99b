//! A body that is written from its beginning to its end, with labels, jumps and SELECT.

use xaif_schema::model::{
    BranchForm, Cfg, Document, ExprId, Guard, Jump, Place, ScopeId, VertexId, VertexKind,
};

use super::Emitter;

impl<'a> Emitter<'a> {
    /// Begins a body in an empty graph: what follows is executed as it is entered.
    /// [`finish`](Self::finish) ends it.
    pub fn fresh(doc: &'a mut Document, scope: ScopeId, cfg: &'a mut Cfg, place: Place) -> Self {
        let mut emitter = Emitter::new(doc, scope, cfg, None, place);
        let entry = emitter.vertex(VertexKind::Entry(None), place);
        emitter.go_on_from(entry, place);
        emitter
    }

    /// Ends a body that [`fresh`](Self::fresh) has begun.
    pub fn finish(mut self) {
        let here = self.arrived();
        let exit = self.vertex(VertexKind::Exit, self.place);
        if let Some(here) = here {
            self.cfg.connect(here, exit);
        }
        self.cfg.layout = self.made;
    }

    /// Where blocks that are made from now on stand in the source.
    pub fn set_place(&mut self, place: Place) {
        self.place = place;
    }

    /// Where blocks that are made now stand in the source.
    pub fn place(&self) -> Place {
        self.place
    }

    /// What is written from now on stands in `scope`, and in the source at `place`.
    pub fn enter(&mut self, scope: ScopeId, place: Place) {
        self.place = place;
        if self.scope != scope {
            let here = self.arrived();
            self.scope = scope;
            if let Some(here) = here {
                self.go_on_from(here, place);
            }
        }
    }

    /// A place to jump to, which [`put_label`](Self::put_label) must put somewhere.
    pub fn label(&mut self) -> VertexId {
        let kind = VertexKind::Label { label: None };
        self.cfg.vertices.push(xaif_schema::model::Vertex {
            kind,
            place: self.place,
            id: None,
            recorded: None,
        })
    }

    /// Puts a label: control arrives here from its jumps and from what is written before.
    pub fn put_label(&mut self, label: VertexId) {
        if let Some(here) = self.arrived() {
            self.cfg.connect(here, label);
        }
        self.made.push(label);
        self.go_on_from(label, self.place);
    }

    /// `goto label`. The label must be in the same construct or in one around it.
    pub fn goto(&mut self, label: VertexId) {
        let jump = self.follow(VertexKind::Goto(Jump::Goto), self.place);
        self.cfg.connect(jump, label);
        self.current = None;
        self.jumped = true;
    }

    /// `if (condition) goto label`
    pub fn goto_if(&mut self, condition: ExprId, label: VertexId) {
        self.open_inline_if(condition, self.place);
        self.goto(label);
        self.close_branch();
    }

    /// Whether control arrives at what is written next.
    pub fn arrives(&self) -> bool {
        !self.jumped
    }

    /// `select case (selector)` or another SELECT; [`open_case`](Self::open_case) must follow.
    pub fn open_select(&mut self, selector: ExprId, form: BranchForm, place: Place) {
        self.open_branch(selector, form, place);
    }

    /// `case (…)`; what follows is this arm.
    pub fn open_case(&mut self, guard: Guard) {
        let number = match (self.open.last(), &guard) {
            (_, Guard::Default) | (None, _) => None,
            (Some(super::Open::Branch { arms, .. }), _) => Some(arms + 1),
            (Some(super::Open::Do { .. }), _) => None,
        };
        self.open_arm(number, Some(Box::new(guard)));
    }

    /// `end select`
    pub fn close_select(&mut self) {
        self.close_branch();
    }
}

/// Writes at the end of a block, whatever leaves it; the caller lets that leave the block that is
/// returned, and puts the new vertices behind `block` in the layout.
pub fn write_block<E>(
    doc: &mut Document,
    cfg: &mut Cfg,
    block: VertexId,
    write: impl FnOnce(&mut Emitter<'_>) -> Result<(), E>,
) -> Result<(VertexId, Vec<VertexId>), E> {
    let place = cfg.vertices[block].place;
    let VertexKind::BasicBlock { scope, .. } = cfg.vertices[block].kind else {
        return Ok((block, Vec::new()));
    };
    let mut emitter = Emitter::new(doc, scope, cfg, Some(block), place);
    write(&mut emitter)?;
    let Emitter { current, made, .. } = emitter;
    Ok((current.unwrap_or(block), made))
}
