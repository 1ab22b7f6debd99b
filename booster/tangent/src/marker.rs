//! Input and output, statements that are not understood, comments and directives.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Access, Comment, CommentKind, Document, ExprId, ExprKind, Marker, Piece, Place, RefId, StmtId,
    Verb,
};

use super::body::Tangent;
use super::reads::{references, subscripts};
use booster_build::{Copier, Emitter, new_variable};

impl Tangent<'_> {
    /// Output is carried on. What input writes is passive from there: its derivative is zero, and
    /// the user is told.
    pub(super) fn marker(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        marker: &Marker,
    ) -> Result<(), Diagnostic> {
        match marker.verb {
            Verb::Format
            | Verb::Stop
            | Verb::Pause
            | Verb::Continue
            | Verb::AssignLabel
            | Verb::Return => {
                e.push(stmt);
                Ok(())
            }
            Verb::Io => self.input(e, stmt, marker),
            Verb::Genuine | Verb::Opaque => self.opaque(e, stmt, marker),
        }
    }

    fn input(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        marker: &Marker,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        if marker.pessimistic {
            return self.opaque(e, stmt, marker);
        }
        let written: Vec<ExprId> = marker
            .operands
            .iter()
            .filter(|operand| matches!(operand.access, Access::Write | Access::ReadWrite))
            .map(|operand| operand.expr)
            .filter(|&operand| self.names_active(e.doc, operand))
            .collect();
        for &operand in &written {
            let name = self.first_active(e.doc, operand);
            let message = format!("`{name}` is read here, so it is passive from here on");
            self.problems.push(
                Diagnostic::warning(Code::READ_IS_PASSIVE, e.doc.spot(place), message)
                    .with_help("its derivative is zero behind this statement, also where the input leaves it as it is"),
            );
        }
        let jumps = marker.text.iter().any(|piece| matches!(piece, Piece::Label(_)));
        if written.is_empty() || !jumps {
            e.push(stmt);
            return written.into_iter().try_for_each(|operand| self.zero_item(e, operand, place));
        }
        // Nothing may follow in this block: where the subscripts are not read themselves, it does
        // not matter that the derivatives are zero already.
        if written.iter().any(|&operand| depends_on_input(e.doc, operand, marker)) {
            return Err(self.error(
                e.doc,
                Code::DERIVATIVE_REFUSED,
                place,
                "this statement may jump, and what it reads decides which variables it reads",
                "use iostat= instead of err= and end=",
            ));
        }
        for operand in written {
            self.zero_item(e, operand, place)?;
        }
        e.push(stmt);
        Ok(())
    }

    /// Sets the derivative of an item of an input list to zero.
    pub fn zero_item(
        &mut self,
        e: &mut Emitter<'_>,
        item: ExprId,
        place: Place,
    ) -> Result<(), Diagnostic> {
        match e.doc.exprs[item].kind.clone() {
            ExprKind::Ref(reference) => self.zero_variable(e, reference),
            ExprKind::ImpliedDo(implied) => {
                let scope = self.scope(e.doc);
                let base = e.doc.symbols[implied.control.var]
                    .decl
                    .as_ref()
                    .map_or(xaif_schema::model::Base::Integer(4), |decl| decl.spec.base());
                let counter = new_variable(e.doc, scope, "i", base, place);
                let copier = Copier {
                    symbols: [(implied.control.var, counter)].into_iter().collect(),
                    ..Copier::new()
                };
                let bounds = [implied.control.lower, implied.control.upper]
                    .map(|bound| copier.expr(e.doc, bound));
                if implied.control.step.is_some() {
                    return Err(self.error(
                        e.doc,
                        Code::DERIVATIVE_REFUSED,
                        place,
                        "an active variable is read by an implied DO with a step",
                        "read into a variable that is not active, and copy",
                    ));
                }
                e.open_do(counter, (bounds[0], bounds[1]), false, place);
                for item in implied.items {
                    let item = copier.expr(e.doc, item);
                    self.zero_item(e, item, place)?;
                }
                e.close_do();
                Ok(())
            }
            ExprKind::Constant(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => Ok(()),
        }
    }

    /// Sets the derivative of a variable, element, section or component to zero, if there is one.
    pub fn zero_variable(
        &mut self,
        e: &mut Emitter<'_>,
        reference: RefId,
    ) -> Result<(), Diagnostic> {
        if !self.parts.is_active(e.doc, reference) {
            return Ok(());
        }
        let place = e.doc.refs[reference].place;
        let looped = !self.parts.takes_all(e.doc, reference);
        self.each_direction(e, looped, place, |this, e, direction| {
            match this.parts.reference(e.doc, reference, direction) {
                Some(object) => this.zero_if_there(e, object),
                None => Ok(()),
            }
        })
    }

    /// A statement that is not understood: it may do anything to what it names, and perhaps to
    /// everything that can be seen here.
    pub fn opaque(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        marker: &Marker,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        let named = marker
            .operands
            .iter()
            .filter(|operand| matches!(operand.access, Access::Write | Access::ReadWrite))
            .find(|operand| self.names_active(e.doc, operand.expr))
            .map(|operand| self.first_active(e.doc, operand.expr));
        let any = marker.pessimistic && self.sees_active(e.doc, e.scope);
        let what = match (named, any) {
            (Some(name), _) => format!("may change `{name}`, which is active"),
            (None, true) => "may change active variables".to_owned(),
            (None, false) => {
                e.push(stmt);
                return Ok(());
            }
        };
        Err(self.error(
            e.doc,
            Code::OPAQUE_IS_ACTIVE,
            place,
            format!("this statement is not understood and {what}"),
            "move it into a procedure of its own whose effects a specification of externals tells",
        ))
    }

    /// Whether some variable that can be seen in `scope` has a derivative.
    fn sees_active(&self, doc: &Document, scope: xaif_schema::model::ScopeId) -> bool {
        std::iter::successors(Some(scope), |&scope| doc.scopes[scope].parent).any(|scope| {
            let symbols = &doc.scopes[scope].symbols;
            symbols.iter().any(|&symbol| self.parts.variable(symbol).is_some())
        })
    }

    /// Whether an expression names a variable that has a derivative.
    pub fn names_active(&self, doc: &Document, expr: ExprId) -> bool {
        let active = |reference: &RefId| self.parts.is_active(doc, *reference);
        targets(doc, expr).iter().any(active)
    }

    /// The name of the first variable in an expression that has a derivative.
    pub fn first_active(&self, doc: &Document, expr: ExprId) -> String {
        let all = targets(doc, expr);
        let found = all.into_iter().find(|&reference| self.parts.is_active(doc, reference));
        found.map_or_else(String::new, |reference| doc.name(doc.refs[reference].base).to_owned())
    }

    /// Comments stay. A directive for parallel execution does not: it lists what is private to a
    /// thread without the derivatives. One for differentiation has done its work.
    pub fn comment(&mut self, e: &mut Emitter<'_>, stmt: StmtId, comment: &Comment) {
        if comment.kind != CommentKind::Directive {
            e.push(stmt);
            return;
        }
        let word: String = comment.text.trim_start_matches('$').to_ascii_lowercase();
        if ["openad", "ad", "oxad", "adj", "taf"]
            .iter()
            .any(|tool| word.split(' ').next() == Some(tool))
        {
            return;
        }
        let message = format!("the directive `!{}` is not carried over", comment.text);
        self.problems.push(
            Diagnostic::warning(Code::DIRECTIVE_DROPPED, e.doc.spot(comment.place), message)
                .with_help(
                    "what it says of the original need not hold of the derivative; add directives to it by hand",
                ),
        );
    }
}

/// The variables that an item of an input list names, without those in subscripts.
fn targets(doc: &Document, root: ExprId) -> Vec<RefId> {
    let mut found = Vec::new();
    let mut stack = vec![root];
    while let Some(expr) = stack.pop() {
        match &doc.exprs[expr].kind {
            ExprKind::Ref(reference) => found.push(*reference),
            ExprKind::ImpliedDo(implied) => stack.extend(&implied.items),
            ExprKind::Constant(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => {}
        }
    }
    found
}

/// Whether a subscript or bound in `item` names a variable that the statement itself writes.
fn depends_on_input(doc: &Document, item: ExprId, marker: &Marker) -> bool {
    let written: Vec<_> = marker
        .operands
        .iter()
        .filter(|operand| matches!(operand.access, Access::Write | Access::ReadWrite))
        .flat_map(|operand| targets(doc, operand.expr))
        .map(|reference| doc.refs[reference].base)
        .collect();
    let mut inside: Vec<RefId> = Vec::new();
    for reference in targets(doc, item) {
        for subscript in subscripts(doc, reference) {
            inside.extend(references(doc, subscript));
        }
    }
    if let ExprKind::ImpliedDo(implied) = &doc.exprs[item].kind {
        inside.extend(references(doc, implied.control.lower));
        inside.extend(references(doc, implied.control.upper));
    }
    inside.iter().any(|&reference| written.contains(&doc.refs[reference].base))
}
