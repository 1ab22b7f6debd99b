//! Labels and jumps.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{BranchForm, Jump, StmtKind, VertexId, VertexKind};

use super::{Builder, Way};
use crate::syntax::ast::{self, Label};

/// A jump to a label that may stand further down.
pub(super) struct PendingJump {
    source: VertexId,
    condition: Option<i64>,
    label: u32,
    place: ast::Place,
}

impl Builder<'_, '_> {
    /// Puts a label vertex where the statement's label is jumped to; else the statement keeps it.
    pub(super) fn define_label(&mut self, head: &ast::Head) -> Option<u32> {
        let Label(label) = head.label?;
        let formats = self.labels.formats.contains(&label);
        if !self.labels.targets.contains(&label) || formats {
            return Some(label);
        }
        if self.labels.vertices.contains_key(&label) {
            return None;
        }
        let vertex = self.vertex(VertexKind::Label { label: Some(label) }, head.place);
        self.labels.vertices.insert(label, vertex);
        None
    }

    /// Adds an edge to a label.
    pub(super) fn jump_to(
        &mut self,
        source: VertexId,
        label: Label,
        condition: Option<i64>,
        place: ast::Place,
    ) {
        self.unstructured = true;
        self.jumps.push(PendingJump { source, condition, label: label.0, place });
    }

    /// Adds the edges of all jumps to labels.
    pub(super) fn resolve_jumps(&mut self) {
        for jump in std::mem::take(&mut self.jumps) {
            match (self.labels.vertices.get(&jump.label).copied(), jump.condition) {
                (Some(target), Some(value)) => {
                    self.cfg.connect_if(jump.source, target, value);
                }
                (Some(target), None) => {
                    self.cfg.connect(jump.source, target);
                }
                (None, _) => self.undefined_label(&jump),
            }
        }
        for (label, place) in std::mem::take(&mut self.labels.twice) {
            let first = self.labels.places.get(&label).and_then(|&first| self.low.spot(first));
            let spot = self.low.spot(place);
            self.low.diagnostics.push(
                Diagnostic::error(
                    Code::DUPLICATE_LABEL,
                    spot,
                    format!("label {label} stands twice in this procedure"),
                )
                .with_note(first, "one of its places")
                .with_help("give one of the statements another label"),
            );
        }
    }

    fn undefined_label(&mut self, jump: &PendingJump) {
        let label = jump.label;
        match self.labels.places.get(&label) {
            Some(_) => self.low.error(
                Code::NOT_A_TARGET,
                jump.place,
                format!("the statement with label {label} cannot be jumped to"),
                "jump to an executable statement",
            ),
            None => self.low.error(
                Code::UNDEFINED_LABEL,
                jump.place,
                format!("no statement of this procedure has the label {label}"),
                "look for a misspelt label, or add `continue` with this label",
            ),
        }
    }

    /// Adds a jump vertex; what follows is not reached from here.
    pub(super) fn jump(&mut self, jump: Jump, place: ast::Place) -> VertexId {
        let vertex = self.vertex(VertexKind::Goto(jump), place);
        self.open.clear();
        vertex
    }

    pub(super) fn goto(&mut self, label: Label, head: &ast::Head) {
        self.comments_before(head);
        let vertex = self.jump(Jump::Goto, head.place);
        self.jump_to(vertex, label, None, head.place);
    }

    /// RETURN and STOP: to the exit.
    pub(super) fn leave(&mut self, jump: Jump, place: ast::Place) {
        let vertex = self.jump(jump, place);
        self.leaving.push(vertex);
        if !self.constructs.is_empty() {
            self.unstructured = true;
        }
    }

    pub(super) fn return_(&mut self, value: Option<&ast::Expr>, head: &ast::Head) {
        self.comments_before(head);
        if let Some(value) = value {
            self.return_marker(value, head.place);
        }
        self.leave(Jump::Return, head.place);
    }

    /// `goto (10, 20), i`
    pub(super) fn computed_goto(
        &mut self,
        labels: &[Label],
        selector: &ast::Expr,
        head: &ast::Head,
    ) {
        self.comments_before(head);
        let selector = self.low.expr(self.scope, selector);
        let branch = self.branch(Some(selector), BranchForm::ComputedGoto, None, head.place);
        for (value, &label) in (1..).zip(labels) {
            self.jump_to(branch, label, Some(value), head.place);
        }
    }

    /// `goto i, (10, 20)`: without a list, to any label that ASSIGN has given to a variable.
    pub(super) fn assigned_goto(
        &mut self,
        variable: &ast::Name,
        labels: &[Label],
        head: &ast::Head,
    ) {
        self.comments_before(head);
        let variable = self.variable_node(variable);
        let branch = self.branch(Some(variable), BranchForm::AssignedGoto, None, head.place);
        self.open.clear();
        let listed: Vec<u32> = if labels.is_empty() {
            let formats = &self.labels.formats;
            self.labels.assigned.iter().copied().filter(|label| !formats.contains(label)).collect()
        } else {
            labels.iter().map(|label| label.0).collect()
        };
        for label in listed {
            self.jump_to(branch, Label(label), Some(i64::from(label)), head.place);
        }
    }

    /// `if (e) 10, 20, 30`
    pub(super) fn arithmetic_if(
        &mut self,
        value: &ast::Expr,
        labels: &[Label; 3],
        head: &ast::Head,
    ) {
        self.comments_before(head);
        let value = self.low.expr(self.scope, value);
        let branch = self.branch(Some(value), BranchForm::ArithmeticIf, None, head.place);
        self.open.clear();
        for (sign, &label) in (-1..).zip(labels) {
            self.jump_to(branch, label, Some(sign), head.place);
        }
    }

    /// `exit [name]`
    pub(super) fn exit(&mut self, name: Option<&ast::Name>, head: &ast::Head) {
        self.comments_before(head);
        self.unstructured = true;
        let jump = Jump::Exit(name.map(|name| name.spelling().into()));
        let vertex = self.jump(jump, head.place);
        let found = self.constructs.iter_mut().rev().find(|construct| match name {
            Some(name) => construct.is_called(name),
            None => construct.is_loop,
        });
        match found {
            Some(construct) => construct.exits.push(Way::on(vertex)),
            None => self.no_construct("exit", name, head.place),
        }
    }

    /// `cycle [name]`
    pub(super) fn cycle(&mut self, name: Option<&ast::Name>, head: &ast::Head) {
        self.comments_before(head);
        self.unstructured = true;
        let jump = Jump::Cycle(name.map(|name| name.spelling().into()));
        let vertex = self.jump(jump, head.place);
        let found = self.constructs.iter_mut().rev().find(|construct| {
            construct.is_loop && name.is_none_or(|name| construct.is_called(name))
        });
        match found {
            Some(construct) => construct.cycles.push(Way::on(vertex)),
            None => self.no_construct("cycle", name, head.place),
        }
    }

    fn no_construct(&mut self, statement: &str, name: Option<&ast::Name>, place: ast::Place) {
        let message = match name {
            Some(name) => format!("no construct `{name}` is around this {statement}"),
            None => format!("no loop is around this {statement}"),
        };
        self.low.error(
            Code::NO_CONSTRUCT,
            place,
            message,
            "look at the construct names, and at where the construct ends",
        );
    }

    /// `stop`: a marker, and then to the exit.
    pub(super) fn stop(
        &mut self,
        error: bool,
        code: Option<&ast::Expr>,
        quiet: Option<&ast::Expr>,
        head: &ast::Head,
    ) {
        let marker = self.stop_marker(error, code, quiet);
        self.push(StmtKind::Marker(Box::new(marker)), head.place);
        self.trailing_comments(head);
        self.leave(Jump::Stop, head.place);
    }

    /// `entry e(…)`: execution may begin here, or come along from above.
    pub(super) fn entry(&mut self, entry: &ast::Entry, head: &ast::Head) {
        self.comments_before(head);
        let Some(point) = self.low.entry_point(self.scope, &entry.name) else { return };
        let above = std::mem::take(&mut self.open);
        self.vertex(VertexKind::Entry(Some(Box::new(point))), head.place);
        self.open.splice(0..0, above);
        self.unstructured = true;
    }
}
