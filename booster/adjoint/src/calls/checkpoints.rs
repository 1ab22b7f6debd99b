//! Calls that are the body of a loop with checkpoints (paper 5, section 4.2.2).
//!
//! The forward sweep begins each iteration with the question whether a snapshot is due. The backward sweep does what the runtime
//! asks for: it takes or restores a snapshot, executes the iteration again, or reverses it. A snapshot holds what that of a
//! joint call holds. Where the call may read elements that later iterations overwrite, that are whole variables.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{
    Arg, ArgValue, Base, BoolOp, BranchForm, CaseRange, CheckpointNumber, CheckpointScheme,
    Comment, CommentKind, ConstantClass, Document, ExprId, Guard, InlinableCall, Part, Place,
    Reference, StmtId, StmtKind, Subscript, Ty,
};
use xaif_schema::tape::{ADVANCE, RESTORE, TAKE};

use crate::body::Adjoint;
use booster_build::{
    Copier, Emitter, boolean, constant, constant_integer, integer, value_of, whole,
};

impl Adjoint<'_> {
    /// Whether the adjoint of the loop whose body is `stmt` keeps some states and executes iterations again.
    pub(crate) fn has_checkpoints(&self, doc: &Document, stmt: StmtId) -> bool {
        let data = &doc.stmts[stmt];
        data.checkpoints.is_some() && data.adjoint_live && self.passes(doc, stmt)
    }

    /// Refuses a loop with checkpoints whose iterations cannot be executed twice.
    pub(crate) fn can_be_executed_again(
        &self,
        doc: &Document,
        stmt: StmtId,
    ) -> Result<(), Diagnostic> {
        if !self.split.contains(&stmt) {
            return Ok(());
        }
        let spot = doc.spot(doc.stmts[stmt].place);
        let message = "an iteration of this loop with checkpoints cannot be executed again";
        Err(Diagnostic::error(Code::CHECKPOINT_ONCE, spot, message)
            .with_help("move input, allocation and changes of hidden state out of the loop, or remove the directive"))
    }

    /// Forward sweep: what stands before the loop.
    pub(crate) fn begin_loop_with_checkpoints(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
        trip_count: Option<ExprId>,
    ) -> Result<(), Diagnostic> {
        self.can_be_executed_again(e.doc, stmt)?;
        let place = e.doc.stmts[stmt].place;
        let Some(checkpoints) = e.doc.stmts[stmt].checkpoints.clone() else { return Ok(()) };
        let name = match checkpoints.scheme {
            CheckpointScheme::Binomial => "checkpoints_binomial",
            CheckpointScheme::Periodic => "checkpoints_periodic",
            CheckpointScheme::Disk => "checkpoints_disk",
        };
        let number = match checkpoints.number {
            CheckpointNumber::Number(number) => integer(e.doc, number.into(), place),
            CheckpointNumber::Variable(symbol) => {
                let variable = whole(e.doc, symbol, place);
                value_of(e.doc, variable)
            }
            CheckpointNumber::Environment(name) => {
                let text = format!("'{name}'");
                let ty = Ty::scalar(Base::Character(1));
                constant(e.doc, ConstantClass::String, &text, ty, place)
            }
        };
        let trip_count = trip_count.unwrap_or_else(|| integer(e.doc, -1, place));
        operation(e, name, &[number, trip_count], place);
        Ok(())
    }

    /// Forward sweep: the snapshot, if one is due, and the call.
    pub(crate) fn forward_checkpoint(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        let Some(&(variables, is_counted)) = self.context.checkpointed.get(&stmt) else {
            return Ok(());
        };
        let mut value = |symbol| {
            let variable = whole(e.doc, symbol, place);
            value_of(e.doc, variable)
        };
        let action = value(variables.action);
        let condition = value(variables.action);
        let iteration = match is_counted {
            true => value(variables.variable),
            false => integer(e.doc, 0, place),
        };
        operation(e, "checkpoint_due", &[iteration, action], place);
        let take = integer(e.doc, TAKE, place);
        let is_due = boolean(e.doc, BoolOp::Equal, &[condition, take]);
        e.open_if(is_due, place);
        Adjoint::record(self, e, stmt)?;
        operation(e, "checkpoint_end", &[], place);
        e.close_if();
        e.push(stmt);
        Ok(())
    }

    /// Backward sweep: what the runtime asks for.
    pub(crate) fn backward_checkpoint(
        &mut self,
        e: &mut Emitter<'_>,
        stmt: StmtId,
    ) -> Result<(), Diagnostic> {
        let place = e.doc.stmts[stmt].place;
        let Some(&(variables, _)) = self.context.checkpointed.get(&stmt) else { return Ok(()) };
        let action = whole(e.doc, variables.action, place);
        let action = value_of(e.doc, action);
        e.open_select(action, BranchForm::SelectCase, place);
        open_action(e, TAKE, "keep the state", place);
        Adjoint::record(self, e, stmt)?;
        operation(e, "checkpoint_end", &[], place);
        open_action(e, RESTORE, "restore the last state", place);
        self.restore(e, stmt)?;
        operation(e, "checkpoint_end", &[], place);
        open_action(e, ADVANCE, "execute the iteration again", place);
        let again = Copier::new().stmt(e.doc, stmt);
        let data = &mut e.doc.stmts[again];
        // It is no mirror of the call in the forward sweep, which stands at the same place.
        data.place = Place::default();
        (data.checkpoints, data.recorded, data.joint) = (None, None, false);
        e.push(again);
        e.open_case(Guard::Default);
        comment(e, "reverse the iteration", place);
        if let Some(call) = crate::calls::call::call_of(e.doc, stmt) {
            self.joint_call(e, stmt, &call)?;
        }
        e.close_select();
        Ok(())
    }

    /// What a snapshot of a loop holds, of what a call in it records: other iterations may overwrite other elements.
    pub(crate) fn of_all_iterations(&self, doc: &Document, name: &mut Reference) {
        let varies = |part: &Part| match part {
            Part::Elements(subscripts) => subscripts.iter().any(|subscript| match subscript {
                Subscript::Index(index) => constant_integer(doc, *index).is_none(),
                Subscript::Section { lower, upper, stride } => [lower, upper, stride]
                    .into_iter()
                    .flatten()
                    .any(|&bound| constant_integer(doc, bound).is_none()),
            }),
            Part::Substring { .. } => true,
            Part::Component { .. } | Part::Inquiry(_) | Part::Deref => false,
        };
        let Some(first) = name.parts.iter().position(varies) else { return };
        name.parts.truncate(first);
    }
}

fn open_action(e: &mut Emitter<'_>, action: i64, what: &str, place: Place) {
    let value = integer(e.doc, action, place);
    e.open_case(Guard::Case(vec![CaseRange::Value(value)]));
    comment(e, what, place);
}

fn comment(e: &mut Emitter<'_>, text: &str, place: Place) {
    let (text, kind) = (format!(" {text}").into(), CommentKind::Text);
    e.stmt(StmtKind::Comment(Comment { text, trailing: false, kind, place }), place);
}

fn operation(e: &mut Emitter<'_>, name: &str, args: &[ExprId], place: Place) {
    let args = args.iter().zip(1..).map(|(&value, position)| Arg {
        position,
        keyword: None,
        value: ArgValue::Expr(value),
    });
    let call = InlinableCall { name: name.into(), args: args.collect() };
    e.stmt(StmtKind::InlinableCall(Box::new(call)), place);
}
