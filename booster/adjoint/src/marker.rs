//! Input, output and statements that are not understood.
//!
//! The forward sweep executes them; the backward sweep does not. What input writes does not depend on
//! what was there, so its adjoint is zero before the statement.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Access, Document, ExprId, ExprKind, Marker, Part, Reference, StmtId, Subscript, Verb,
};

use super::body::Adjoint;
use booster_build::Emitter;

impl Adjoint<'_> {
    /// What input writes and what has an adjoint.
    pub(super) fn read_items(&self, doc: &Document, marker: &Marker) -> Vec<ExprId> {
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
    pub(super) fn forward_marker(
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
    pub(super) fn backward_marker(
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

/// What is recorded for an item of input: which elements it names may be decided by the statement
/// itself, so the whole array stands for them.
pub(super) fn known_before(doc: &Document, mut name: Reference) -> Reference {
    let constant = |index: Option<ExprId>| {
        index.is_none_or(|index| matches!(doc.exprs[index].kind, ExprKind::Constant(_)))
    };
    let varies = |part: &Part| match part {
        Part::Elements(list) => !list.iter().all(|one| match *one {
            Subscript::Index(index) => constant(Some(index)),
            Subscript::Section { lower, upper, stride } => {
                constant(lower) && constant(upper) && constant(stride)
            }
        }),
        Part::Substring { lower, upper } => !constant(*lower) || !constant(*upper),
        Part::Component { .. } | Part::Inquiry(_) | Part::Deref => false,
    };
    let Some(at) = name.parts.iter().position(varies) else { return name };
    name.parts.truncate(at);
    let symbol = match name.parts.last() {
        None => Some(name.base),
        Some(Part::Component { symbol, .. }) => *symbol,
        Some(_) => None,
    };
    if let Some(symbol) = symbol {
        let rank = doc.symbols[symbol].rank.unwrap_or(0);
        let base = doc.symbols[symbol].decl.as_deref().map(|decl| decl.spec.base());
        name.ty.rank = rank.max(if name.parts.is_empty() { 0 } else { outer_rank(doc, &name) });
        name.ty.base = base.unwrap_or(name.ty.base);
    }
    name
}

/// The rank that the parts before the last component have.
fn outer_rank(doc: &Document, name: &Reference) -> u8 {
    let sections = name.parts.iter().flat_map(|part| match part {
        Part::Elements(list) => &list[..],
        _ => &[],
    });
    let ranked = sections.filter(|one| match one {
        Subscript::Index(index) => doc.exprs[*index].ty.rank > 0,
        Subscript::Section { .. } => true,
    });
    u8::try_from(ranked.count()).unwrap_or(u8::MAX)
}
