//! Statements that are carried as markers: their text with holes, and what they read and write.

use xaif_schema::diag::Code;
use xaif_schema::model::{Access, ExprId, Marker, MarkerOperand, Piece, StmtKind, Verb};

use super::Builder;
use super::construct::spelt;
use crate::syntax::ast;

/// The text of a marker under construction.
#[derive(Debug, Default)]
pub(super) struct Text {
    pieces: Vec<Piece>,
    operands: Vec<MarkerOperand>,
    pub(super) pessimistic: bool,
}

impl Text {
    /// Text that begins so.
    pub(super) fn new(text: &str) -> Self {
        let mut new = Text::default();
        new.text(text);
        new
    }

    /// Adds literal text.
    pub(super) fn text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Text(last)) => {
                let mut joined = last.to_string();
                joined.push_str(text);
                *last = joined.into();
            }
            Some(_) | None => self.pieces.push(Piece::Text(text.into())),
        }
    }

    /// Adds an operand.
    pub(super) fn operand(&mut self, expr: ExprId, access: Access) {
        self.pieces.push(Piece::Operand(self.operands.len()));
        self.operands.push(MarkerOperand { expr, access });
    }

    /// Adds an operand that the text does not show.
    pub(super) fn hidden(&mut self, expr: ExprId, access: Access) {
        self.operands.push(MarkerOperand { expr, access });
    }

    /// Adds another piece.
    pub(super) fn piece(&mut self, piece: Piece) {
        self.pieces.push(piece);
    }

    /// The marker.
    pub(super) fn marker(self, verb: Verb) -> Marker {
        let Text { pieces, operands, pessimistic } = self;
        Marker { verb, text: pieces, operands, pessimistic, annotation: None }
    }
}

impl Builder<'_, '_> {
    fn push_marker(&mut self, verb: Verb, text: Text, head: &ast::Head) {
        let marker = text.marker(verb);
        self.push(StmtKind::Marker(Box::new(marker)), head.place);
        self.trailing_comments(head);
    }

    /// CONTINUE; where its label is jumped to, the label vertex is all there is.
    pub(super) fn continue_(&mut self, is_target: bool, head: &ast::Head) {
        if is_target {
            self.trailing_comments(head);
        } else {
            self.push_marker(Verb::Continue, Text::new("continue"), head);
        }
    }

    pub(super) fn pause(&mut self, code: Option<&ast::Expr>, head: &ast::Head) {
        let mut text = Text::new("pause");
        self.add_code(&mut text, " ", code);
        self.push_marker(Verb::Pause, text, head);
    }

    fn add_code(&mut self, text: &mut Text, before: &str, code: Option<&ast::Expr>) {
        if let Some(code) = code {
            let code = self.low.expr(self.scope, code);
            text.text(before);
            text.operand(code, Access::Read);
        }
    }

    /// `stop` or `error stop`
    pub(super) fn stop_marker(
        &mut self,
        error: bool,
        code: Option<&ast::Expr>,
        quiet: Option<&ast::Expr>,
    ) -> Marker {
        let mut text = Text::new(if error { "error stop" } else { "stop" });
        self.add_code(&mut text, " ", code);
        self.add_code(&mut text, ", quiet=", quiet);
        text.marker(Verb::Stop)
    }

    /// `return n`: the marker before the jump.
    pub(super) fn return_marker(&mut self, value: &ast::Expr, place: ast::Place) {
        let mut text = Text::new("return");
        self.add_code(&mut text, " ", Some(value));
        let marker = text.marker(Verb::Return);
        self.push(StmtKind::Marker(Box::new(marker)), place);
        self.unstructured = true;
    }

    /// `assign 10 to i`
    pub(super) fn assign_label(
        &mut self,
        label: ast::Label,
        variable: &ast::Name,
        head: &ast::Head,
    ) {
        if !self.labels.places.contains_key(&label.0) {
            self.low.error(
                Code::UNDEFINED_LABEL,
                head.place,
                format!("no statement of this procedure has the label {label}"),
                "look for a misspelt label, or add `continue` with this label",
            );
        }
        let mut text = Text::new("assign ");
        text.piece(Piece::StatementLabel(label.0));
        text.text(" to ");
        let variable = self.variable_node(variable);
        text.operand(variable, Access::Write);
        self.push_marker(Verb::AssignLabel, text, head);
    }

    /// What the parser did not understand; it has said so.
    pub(super) fn opaque(&mut self, statement: &str, head: &ast::Head) {
        let mut text = Text::new(statement);
        text.pessimistic = true;
        self.push_marker(Verb::Opaque, text, head);
    }

    /// Carries a statement that the parser understood, but this part does not.
    pub(super) fn carry(&mut self, statement: &str, why: &str, head: &ast::Head) {
        self.low.warn(
            Code::CARRIED_STATEMENT,
            head.place,
            format!("`{statement}` is carried without being understood: {why}"),
            "it is taken to read and write everything that is visible here",
        );
        self.opaque(statement, head);
    }

    /// CRITICAL: its beginning and end are carried, its body is lowered.
    pub(super) fn critical(
        &mut self,
        name: Option<&ast::Name>,
        body: &[ast::ExecItem],
        end: &ast::End,
        head: &ast::Head,
    ) {
        let prefix = spelt(name).map_or(String::new(), |name| format!("{name}: "));
        let suffix = spelt(name).map_or(String::new(), |name| format!(" {name}"));
        self.enter(name, false);
        self.carry(&format!("{prefix}critical"), "images are not modelled", head);
        self.items(body);
        self.opaque(&format!("end critical{suffix}"), &end.head);
        let (exits, _) = self.leave_construct();
        if !exits.is_empty() {
            self.block = None;
            self.open.extend(exits);
        }
        self.define_label(&end.head);
    }

    /// A specification statement among executable ones.
    pub(super) fn specification(&mut self, kind: &ast::SpecKind, head: &ast::Head) {
        match kind {
            ast::SpecKind::Format(format) => {
                let format = if format.starts_with('(') {
                    format!("format {format}")
                } else {
                    format!("format ({format})")
                };
                self.push_marker(Verb::Format, Text::new(&format), head);
            }
            ast::SpecKind::Entry(entry) => self.entry(entry, head),
            ast::SpecKind::Opaque(text) => self.opaque(text, head),
            ast::SpecKind::Use(_)
            | ast::SpecKind::Import(_)
            | ast::SpecKind::Implicit(_)
            | ast::SpecKind::Declaration(_)
            | ast::SpecKind::Procedure(_)
            | ast::SpecKind::Parameter { .. }
            | ast::SpecKind::Data(_)
            | ast::SpecKind::Save(_)
            | ast::SpecKind::Dimension(_)
            | ast::SpecKind::Common(_)
            | ast::SpecKind::Equivalence(_)
            | ast::SpecKind::External(_)
            | ast::SpecKind::Intrinsic(_)
            | ast::SpecKind::Namelist(_)
            | ast::SpecKind::Attribute(..)
            | ast::SpecKind::Bind(..)
            | ast::SpecKind::Access(..)
            | ast::SpecKind::Generic(_)
            | ast::SpecKind::TypeDef(_)
            | ast::SpecKind::Enum(_)
            | ast::SpecKind::Interface(_) => {
                self.low.late_spec(self.scope, head, kind);
                self.comments_before(head);
            }
        }
    }
}
