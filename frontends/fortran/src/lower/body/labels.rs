//! Which labels there are, and which of them are jumped to: found before anything is lowered, since
//! jumps forward are common.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::VertexId;

use crate::syntax::ast::{
    Argument, ArgumentValue, Block, DoEnd, ExecItem, Head, Io, IoValue, Label, Place, SpecKind,
    Stmt, StmtKind,
};

/// The labels of a procedure.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// Labels that some statement jumps to.
    pub(super) targets: HashSet<u32>,
    /// Labels of FORMAT statements.
    pub(super) formats: HashSet<u32>,
    /// Labels that a DO statement names as its end; END DO takes their place.
    pub(super) terminals: HashSet<u32>,
    /// Labels that ASSIGN gives to variables.
    pub(super) assigned: Vec<u32>,
    /// Where labels stand; the second place of those that stand twice is in `twice`.
    pub(super) places: HashMap<u32, Place>,
    /// Labels that stand twice, with the later place.
    pub(super) twice: Vec<(u32, Place)>,
    /// Vertices of the labels that are jumped to, as far as they were reached.
    pub(super) vertices: HashMap<u32, VertexId>,
}

impl Labels {
    /// Looks through an execution part.
    pub(super) fn of(exec: &[ExecItem], end: &Head) -> Self {
        let mut labels = Labels::default();
        labels.block(exec);
        labels.head(end);
        labels
    }

    fn head(&mut self, head: &Head) {
        if let Some(Label(label)) = head.label
            && self.places.insert(label, head.place).is_some()
        {
            self.twice.push((label, head.place));
        }
    }

    fn block(&mut self, block: &[ExecItem]) {
        for item in block {
            match item {
                ExecItem::Stmt(stmt) => self.stmt(stmt),
                ExecItem::Trivia(_) => {}
            }
        }
    }

    fn bodies<'x>(&mut self, bodies: impl Iterator<Item = &'x Block>) {
        for body in bodies {
            self.block(body);
        }
    }

    fn to(&mut self, labels: &[Label]) {
        self.targets.extend(labels.iter().map(|label| label.0));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.head(&stmt.head);
        match &stmt.kind {
            StmtKind::Goto(label) => self.to(&[*label]),
            StmtKind::ComputedGoto { labels, .. } | StmtKind::AssignedGoto { labels, .. } => {
                self.to(labels);
            }
            StmtKind::ArithmeticIf { labels, .. } => self.to(labels),
            StmtKind::AssignLabel { label, .. } => {
                self.to(&[*label]);
                if !self.assigned.contains(&label.0) {
                    self.assigned.push(label.0);
                }
            }
            StmtKind::Call { arguments, .. } => self.arguments(arguments.as_deref().unwrap_or(&[])),
            StmtKind::Io(io) => self.io(io),
            StmtKind::LogicalIf { action, .. } => self.stmt(action),
            StmtKind::If(conditional) => {
                self.bodies(conditional.arms.iter().map(|arm| &arm.body));
                self.head(&conditional.end.head);
            }
            StmtKind::Do(construct) => {
                self.terminals.extend(construct.label.map(|label| label.0));
                self.block(&construct.body);
                if let DoEnd::EndDo(end) = &construct.end {
                    self.head(&end.head);
                }
            }
            StmtKind::SelectCase(select) => {
                self.bodies(select.arms.iter().map(|arm| &arm.body));
                self.head(&select.end.head);
            }
            StmtKind::SelectType(select) => {
                self.bodies(select.arms.iter().map(|arm| &arm.body));
                self.head(&select.end.head);
            }
            StmtKind::SelectRank(select) => {
                self.bodies(select.arms.iter().map(|arm| &arm.body));
                self.head(&select.end.head);
            }
            StmtKind::Associate { body, end, .. }
            | StmtKind::Block { body, end, .. }
            | StmtKind::Critical { body, end, .. } => {
                self.block(body);
                self.head(&end.head);
            }
            StmtKind::Spec(kind) => {
                if let (SpecKind::Format(_), Some(Label(label))) = (&**kind, stmt.head.label) {
                    self.formats.insert(label);
                }
            }
            StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Return(_)
            | StmtKind::Stop { .. }
            | StmtKind::Pause(_)
            | StmtKind::Cycle(_)
            | StmtKind::Exit(_)
            | StmtKind::Continue
            | StmtKind::Allocate { .. }
            | StmtKind::Deallocate { .. }
            | StmtKind::Nullify(_)
            | StmtKind::Where(_)
            | StmtKind::WhereStmt { .. }
            | StmtKind::Forall { .. }
            | StmtKind::ForallStmt { .. }
            | StmtKind::Opaque(_) => {}
        }
    }

    fn arguments(&mut self, arguments: &[Argument]) {
        for argument in arguments {
            if let ArgumentValue::Alternate(label) = argument.value {
                self.targets.insert(label.0);
            }
        }
    }

    fn io(&mut self, io: &Io) {
        for control in &io.control {
            let jumps = control
                .keyword
                .as_ref()
                .is_some_and(|name| matches!(name.key(), "err" | "end" | "eor"));
            if let (true, IoValue::Label(label)) = (jumps, &control.value) {
                self.targets.insert(label.0);
            }
        }
    }
}
