//! Input, output and statements that are not understood.
//!
//! The forward sweep executes them; the backward sweep does not. What input writes does not depend on
//! what was there, so its adjoint is zero before the statement.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{Access, Document, ExprId, Marker, StmtId, Verb};

use crate::body::Adjoint;
use booster_build::Emitter;

impl Adjoint<'_> {
    /// What input writes and what has an adjoint.
    pub(crate) fn read_items(&self, doc: &Document, marker: &Marker) -> Vec<ExprId> {
        let written = marker
            .operands
            .iter()
            .filter(|operand| matches!(operand.access, Access::Write | Access::ReadWrite))
            .map(|operand| operand.expr);
        match marker.verb {
            Verb::Io => written.filter(|&item| self.tools.names_active(doc, item)).collect(),
            _ => Vec::new(),
        }
    }

    /// The statement in the forward sweep; what may change active variables unseen is refused.
    pub(crate) fn forward_marker(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        marker: &Marker,
    ) -> Result<(), Diagnostic> {
        self.record(e, stmt)?;
        let opaque = match marker.verb {
            Verb::Genuine | Verb::Opaque => true,
            Verb::Io => marker.pessimistic,
            Verb::Format
            | Verb::Stop
            | Verb::Pause
            | Verb::Continue
            | Verb::AssignLabel
            | Verb::Return => false,
        };
        if opaque {
            return self.tools.opaque(e, stmt, marker);
        }
        for item in self.read_items(e.doc, marker) {
            let place = e.doc.stmts[stmt].place;
            let name = self.tools.first_active(e.doc, item);
            let message = format!("`{name}` is read here, so it is passive from here on");
            self.tools.problems.push(
                Diagnostic::warning(Code::READ_IS_PASSIVE, e.doc.spot(place), message)
                    .with_help("what it was before has no derivative behind this statement, also where the input leaves it as it is"),
            );
        }
        e.push(stmt);
        Ok(())
    }

    /// The backward sweep: subscripts have the values that they have behind the statement; then what
    /// it has overwritten is taken back.
    pub(crate) fn backward_marker(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        marker: &Marker,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        for item in self.read_items(e.doc, marker) {
            self.tools.zero_item(e, item, place)?;
        }
        self.restore(e, stmt)
    }
}
