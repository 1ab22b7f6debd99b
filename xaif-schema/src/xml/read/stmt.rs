//! Statements.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Ns, Read, Reader, Tag, fault, is_number};
use crate::diag::Code;
use crate::model::{
    Allocate, Arg, ArgValue, Callee, CheckpointNumber, Checkpoints, Expr, ExprId, ExprKind, Forall,
    ForallHeader, InlinableCall, Key, Marker, MarkerOperand, OpenScope, Piece, Place, Propagator,
    RefId, Reference, Release, Stmt, StmtId, StmtKind, SubroutineCall, Verb, Where, WhereArm,
};
use crate::texts;
use crate::xml::value::shown;

/// The ids of the statements of one graph.
type StmtIds<'a> = HashMap<Cow<'a, str>, ()>;

impl<'a> Reader<'a> {
    /// How states of a loop are kept whose body the statement is.
    fn checkpoints(&mut self, tag: &mut Tag<'a>) -> Read<Option<Checkpoints>> {
        let Some(scheme) = tag.own_word("checkpoints")? else { return Ok(None) };
        let number = if let Some(number) = tag.own_number("checkpoint-number")? {
            CheckpointNumber::Number(number)
        } else if let Some(symbol) = self.own_symbol_opt(tag, "checkpoint-variable")? {
            CheckpointNumber::Variable(symbol)
        } else {
            // The name becomes a literal of the generated text.
            let (name, offset) = tag.own_required("checkpoint-environment")?;
            if !CheckpointNumber::may_be_environment(&name) {
                let message = format!("`{}` is no name of an environment variable", shown(&name));
                return fault(Code::BAD_VALUE, offset, message);
            }
            CheckpointNumber::Environment(name.into())
        };
        Ok(Some(Checkpoints { scheme, number }))
    }

    /// A statement, to the end of its element.
    pub(super) fn stmt(
        &mut self,
        mut tag: Tag<'a>,
        ids: &mut StmtIds<'a>,
        parent: &str,
    ) -> Read<StmtId> {
        let offset = tag.offset;
        let id = self.stmt_id(&mut tag, ids)?;
        let name = tag.name;
        let own = tag.ns == Ns::Ox;
        let do_chain = match (tag.ns, name) {
            (Ns::Xaif, "Assignment" | "Initialization" | "Update") => {
                let said = tag.number("do_chain")?;
                tag.own_number("do_chain")?.or(said)
            }
            _ => tag.own_number("do_chain")?,
        };
        let place = match (tag.ns, name) {
            (Ns::Xaif, "Assignment" | "SubroutineCall") => self.line_number(&mut tag)?,
            (Ns::Ox, "Comment") => Place::default(),
            _ => self.at(&mut tag)?,
        };
        let label = tag.own_number("label")?;
        let recompute = tag.own_flag("recompute")?;
        let adjoint_live = tag.own_opt_flag("adjoint-live")?.unwrap_or(true);
        let checkpoints = self.checkpoints(&mut tag)?;
        let local_jacobian = tag.own_word("local-jacobian")?;
        let joint = tag.own_flag("joint")?;
        let (kind, recorded) = (StmtKind::Propagate(Vec::new()), None);
        let properties = Vec::new();
        let mut stmt = Stmt {
            kind,
            place,
            id,
            do_chain,
            label,
            recorded,
            properties,
            joint,
            recompute,
            adjoint_live,
            checkpoints,
            local_jacobian,
        };
        // What is recorded for a statement within which this one stands.
        let outer = (self.recorded.take(), std::mem::take(&mut self.recorded_properties));
        stmt.kind = match (own, name) {
            (false, "Assignment" | "Initialization" | "Update") => {
                tag.keep("active")?;
                tag.finish()?;
                let (lhs, rhs, _) = self.assignment(&tag, false)?;
                StmtKind::Assign { lhs, rhs, defined: None }
            }
            (true, "DefinedAssignment") => {
                tag.finish()?;
                let (lhs, rhs, defined) = self.assignment(&tag, true)?;
                StmtKind::Assign { lhs, rhs, defined }
            }
            (true, "PointerAssignment") => {
                tag.finish()?;
                let (lhs, rhs, _) = self.assignment(&tag, false)?;
                StmtKind::PointerAssign { lhs, rhs }
            }
            (false, "SubroutineCall") => self.call(&mut tag)?,
            (false, "InlinableSubroutineCall") => self.inlinable_call(&mut tag)?,
            (false, "DerivativePropagator") => {
                self.keep_annotation(&mut tag)?;
                tag.finish()?;
                StmtKind::Propagate(self.propagators()?)
            }
            (false, "Marker" | "Nop") => self.marker(&mut tag)?,
            (true, "Where") => self.masked(&mut tag, ids)?,
            (true, "Forall") => self.forall(&mut tag, ids)?,
            (true, "Allocate") => self.allocate(&tag)?,
            (true, "Deallocate" | "Nullify") => self.release(&tag)?,
            (true, "OpenScope") => {
                let scope = self.own_scope(&mut tag, "scope")?;
                let name = tag.own_name("name")?.map(Into::into);
                tag.finish()?;
                self.stmt_leaf("OpenScope")?;
                StmtKind::OpenScope(Box::new(OpenScope { scope, name }))
            }
            (true, "CloseScope") => {
                let scope = self.own_scope(&mut tag, "scope")?;
                tag.finish()?;
                self.stmt_leaf("CloseScope")?;
                StmtKind::CloseScope(scope)
            }
            (true, "Comment") => {
                let apart = tag.own_flag("apart")?;
                let place = self.place(&mut tag, "stmt-at")?.unwrap_or_default();
                let comment = self.comment(&mut tag)?;
                stmt.place = if apart { place } else { comment.place };
                tag.finish()?;
                self.stmt_leaf("Comment")?;
                StmtKind::Comment(comment)
            }
            _ => return tag.unexpected(parent),
        };
        if let Some((list, joint)) = std::mem::replace(&mut self.recorded, outer.0) {
            (stmt.recorded, stmt.joint) = (Some(list), joint);
        }
        stmt.properties = std::mem::replace(&mut self.recorded_properties, outer.1);
        let stmt = self.doc.stmts.push(stmt);
        self.positions.stmts.push(offset as u32);
        self.note_arguments(stmt);
        self.note(tag, Key::Stmt(stmt));
        Ok(stmt)
    }

    /// The next child of a statement's element. What is to be recorded, which each may have, is kept
    /// aside.
    fn stmt_child(&mut self) -> Read<Option<Tag<'a>>> {
        loop {
            match self.input.child()? {
                Some(mut tag) if tag.ns == Ns::Ox && tag.name == "Recorded" => {
                    let joint = tag.own_flag("joint")?;
                    tag.finish()?;
                    let list = self.reference_list("Reference", "Recorded")?;
                    if self.recorded.replace((list, joint)).is_some() {
                        return tag.bad("two lists of what is recorded");
                    }
                }
                Some(tag) if tag.ns == Ns::Ox && tag.name == "RecordedProperties" => {
                    tag.finish()?;
                    let list = self.reference_list("Reference", "RecordedProperties")?;
                    if !self.recorded_properties.is_empty() {
                        return tag.bad("two lists of recorded properties");
                    }
                    self.recorded_properties = list;
                }
                other => return Ok(other),
            }
        }
    }

    /// Reads to the end of a statement's element, which has no children of its own.
    fn stmt_leaf(&mut self, parent: &str) -> Read<()> {
        match self.stmt_child()? {
            Some(tag) => tag.unexpected(parent),
            None => Ok(()),
        }
    }

    /// The id of a statement, where it is not its number. It is unique, but in what xaifBooster
    /// writes for its templates.
    fn stmt_id(&mut self, tag: &mut Tag<'a>, ids: &mut StmtIds<'a>) -> Read<Option<Box<str>>> {
        let known = match tag.ns {
            Ns::Xaif => matches!(
                tag.name,
                "Assignment"
                    | "Initialization"
                    | "Update"
                    | "SubroutineCall"
                    | "Marker"
                    | "Nop"
                    | "InlinableSubroutineCall"
            ),
            Ns::Ox => true,
            Ns::None | Ns::Xsi | Ns::Inlinable | Ns::NonInlinable | Ns::Other => false,
        };
        if tag.ns == Ns::Xaif && tag.name == "DerivativePropagator" {
            return Ok(tag.own_text("statement_id")?.map(Into::into));
        }
        if !known {
            return tag.unexpected("BasicBlock");
        }
        let id = tag.text("statement_id")?;
        self.stmts += 1;
        let counted = is_number(&id, self.stmts as usize);
        let own_id = (!counted).then(|| (*id).into());
        // What xaifBooster generates from its templates repeats ids.
        let template = tag.ns == Ns::Xaif && tag.name == "InlinableSubroutineCall";
        if !template && !self.in_template && ids.insert(id, ()).is_some() {
            let message = "another statement of this graph has the same statement_id";
            return fault(Code::DUPLICATE_ID, tag.offset, message);
        }
        Ok(own_id)
    }

    fn assignment(
        &mut self,
        tag: &Tag<'a>,
        defined: bool,
    ) -> Read<(RefId, ExprId, Option<Box<Callee>>)> {
        let (mut lhs, mut rhs, mut callee) = (None, None, None);
        while let Some(child) = self.stmt_child()? {
            match (child.ns, child.name) {
                (Ns::Xaif, "AssignmentLHS") if lhs.is_none() => {
                    lhs = Some(self.reference(child, None)?);
                }
                (Ns::Xaif, "AssignmentRHS") if rhs.is_none() => {
                    rhs = Some(self.boxed_expr(child)?);
                }
                (Ns::Ox, "Callee") if defined => callee = Some(Box::new(self.callee(child)?)),
                _ => return child.unexpected(tag.name),
            }
        }
        match (lhs, rhs) {
            (Some(lhs), Some(rhs)) if callee.is_some() == defined => Ok((lhs, rhs, callee)),
            _ => fault(
                Code::MISSING_ELEMENT,
                tag.offset,
                "an assignment has an `AssignmentLHS` and an `AssignmentRHS`",
            ),
        }
    }

    fn callee(&mut self, mut tag: Tag<'a>) -> Read<Callee> {
        let symbol = self.own_symbol(&mut tag, "symbol")?;
        let generic = self.own_symbol_opt(&mut tag, "generic")?;
        tag.finish()?;
        let mut object = None;
        while let Some(child) = self.input.child()? {
            self.expect(&child, Ns::Ox, "Object", "Callee")?;
            object = Some(self.reference(child, None)?);
        }
        Ok(Callee { symbol, generic, object })
    }

    fn call(&mut self, tag: &mut Tag<'a>) -> Read<StmtKind> {
        let symbol = self.symbol_attributes(tag)?;
        let formal_count = tag.number("formalArgCount")?;
        let active = tag.active_use("active")?;
        let generic = self.own_symbol_opt(tag, "generic")?;
        tag.finish()?;
        let mut object = None;
        let mut args = Vec::new();
        while let Some(child) = self.stmt_child()? {
            match (child.ns, child.name) {
                (Ns::Ox, "Object") => object = Some(self.reference(child, None)?),
                _ => args.push(self.argument(child, tag.name)?),
            }
        }
        let callee = Callee { symbol, generic, object };
        Ok(StmtKind::Call(Box::new(SubroutineCall { callee, args, formal_count, active })))
    }

    fn inlinable_call(&mut self, tag: &mut Tag<'a>) -> Read<StmtKind> {
        let name = tag.text("subroutine_name")?.into();
        tag.finish()?;
        let mut args = Vec::new();
        while let Some(child) = self.stmt_child()? {
            args.push(self.argument(child, tag.name)?);
        }
        Ok(StmtKind::InlinableCall(Box::new(InlinableCall { name, args })))
    }

    /// An actual argument. How it is spelt is remembered until the statement has an id.
    fn argument(&mut self, mut tag: Tag<'a>, parent: &str) -> Read<Arg> {
        match (tag.ns, tag.name) {
            (Ns::Xaif, "Argument") => {
                let position = tag.number_required("position")?;
                let keyword = tag.own_name("keyword")?.map(Into::into);
                let value = self.argument_value(&mut tag)?;
                self.arguments.push(Some(tag));
                Ok(Arg { position, keyword, value: ArgValue::Expr(value) })
            }
            (Ns::Ox, "AlternateReturn") => {
                let Some(position) = tag.own_number("position")? else {
                    return tag.missing("position");
                };
                let keyword = tag.own_name("keyword")?.map(Into::into);
                let Some(condition) = tag.own_number("condition")? else {
                    return tag.missing("condition");
                };
                tag.finish()?;
                self.input.leaf("AlternateReturn")?;
                self.arguments.push(None);
                Ok(Arg { position, keyword, value: ArgValue::AlternateReturn(condition) })
            }
            _ => tag.unexpected(parent),
        }
    }

    fn note_arguments(&mut self, stmt: StmtId) {
        for (i, tag) in std::mem::take(&mut self.arguments).into_iter().enumerate() {
            if let Some(tag) = tag {
                self.note(tag, Key::Argument(stmt, i as u32));
            }
        }
    }

    fn argument_value(&mut self, tag: &mut Tag<'a>) -> Read<ExprId> {
        let first = self.input.child()?;
        let Some(first) = first else {
            return fault(Code::MISSING_ELEMENT, tag.offset, "an argument without a value");
        };
        if first.ns == Ns::Xaif && first.name == "SymbolReference" {
            return self.direct_argument(tag, first);
        }
        self.keep_annotation(tag)?;
        tag.finish()?;
        if first.ns == Ns::Ox && first.name == "Expression" {
            let value = self.boxed_expr(first)?;
            self.input.leaf("Argument")?;
            return Ok(value);
        }
        match self.expr_from(Some(first), tag)? {
            Some(value) => Ok(value),
            None => fault(Code::MISSING_ELEMENT, tag.offset, "an argument without a value"),
        }
    }

    /// Old documents have the reference directly in `Argument`.
    fn direct_argument(&mut self, tag: &mut Tag<'a>, first: Tag<'a>) -> Read<ExprId> {
        tag.form = Some("direct");
        tag.keep("vertex_id")?;
        let mut reference = Reference::whole(
            crate::model::SymbolId::from_u32(0),
            crate::model::Ty::default(),
            Place::default(),
        );
        self.reference_values(tag, &mut reference)?;
        tag.finish()?;
        let id = self.reference_content(reference, tag.offset, Some(first), "Argument")?;
        let Reference { ty, place, .. } = self.doc.refs[id];
        self.positions.exprs.push(tag.offset as u32);
        Ok(self.doc.exprs.push(Expr { kind: ExprKind::Ref(id), ty, place, parens: false }))
    }

    fn propagators(&mut self) -> Read<Vec<Propagator>> {
        let mut steps = Vec::new();
        while let Some(tag) = self.stmt_child()? {
            if tag.ns != Ns::Xaif {
                return tag.unexpected("DerivativePropagator");
            }
            if tag.name == "ZeroDeriv" {
                steps.push(Propagator::Zero { target: self.reference(tag, None)? });
                continue;
            }
            tag.finish()?;
            steps.push(match tag.name {
                "Sax" | "Saxpy" => self.sum(&tag)?,
                "SetDeriv" | "SetNegDeriv" | "IncDeriv" | "DecDeriv" => self.step(&tag)?,
                _ => return tag.unexpected("DerivativePropagator"),
            });
        }
        Ok(steps)
    }

    fn step(&mut self, tag: &Tag<'a>) -> Read<Propagator> {
        let (mut target, mut source) = (None, None);
        while let Some(child) = self.input.child()? {
            match (child.ns, child.name) {
                (Ns::Xaif, "Tgt") if target.is_none() => {
                    target = Some(self.reference(child, None)?)
                }
                (Ns::Xaif, "Src") if source.is_none() => {
                    source = Some(self.reference(child, None)?)
                }
                _ => return child.unexpected(tag.name),
            }
        }
        let (Some(target), Some(source)) = (target, source) else {
            return fault(Code::MISSING_ELEMENT, tag.offset, "a propagator has `Tgt` and `Src`");
        };
        Ok(match tag.name {
            "SetDeriv" => Propagator::Set { target, source },
            "SetNegDeriv" => Propagator::SetNegative { target, source },
            "IncDeriv" => Propagator::Increment { target, source },
            _ => Propagator::Decrement { target, source },
        })
    }

    fn sum(&mut self, tag: &Tag<'a>) -> Read<Propagator> {
        let (mut terms, mut y) = (Vec::new(), None);
        while let Some(child) = self.input.child()? {
            match (child.ns, child.name) {
                (Ns::Xaif, "AX") => terms.push(self.term(&child)?),
                (Ns::Xaif, "Y") if y.is_none() => y = Some(self.reference(child, None)?),
                _ => return child.unexpected(tag.name),
            }
        }
        match y {
            Some(y) if tag.name == "Sax" => Ok(Propagator::Sax { terms, y }),
            Some(y) => Ok(Propagator::Saxpy { terms, y }),
            None => fault(Code::MISSING_ELEMENT, tag.offset, "a sum of products has a `Y`"),
        }
    }

    fn term(&mut self, tag: &Tag<'a>) -> Read<(ExprId, RefId)> {
        tag.finish()?;
        let (mut partial, mut source) = (None, None);
        while let Some(child) = self.input.child()? {
            match (child.ns, child.name) {
                (Ns::Xaif, "A") if partial.is_none() => partial = Some(self.boxed_expr(child)?),
                (Ns::Xaif, "X") if source.is_none() => source = Some(self.reference(child, None)?),
                _ => return child.unexpected("AX"),
            }
        }
        match (partial, source) {
            (Some(partial), Some(source)) => Ok((partial, source)),
            _ => fault(Code::MISSING_ELEMENT, tag.offset, "a product has `A` and `X`"),
        }
    }

    fn masked(&mut self, tag: &mut Tag<'a>, ids: &mut StmtIds<'a>) -> Read<StmtKind> {
        let name = tag.own_name("name")?.map(Into::into);
        let inline = tag.own_flag("inline")?;
        tag.finish()?;
        let mut arms = Vec::new();
        while let Some(child) = self.stmt_child()? {
            self.expect(&child, Ns::Ox, "Arm", "Where")?;
            child.finish()?;
            let mut arm = WhereArm { mask: None, body: Vec::new() };
            while let Some(inner) = self.input.child()? {
                match (inner.ns, inner.name) {
                    (Ns::Ox, "Mask") => arm.mask = Some(self.boxed_expr(inner)?),
                    _ => arm.body.push(self.stmt(inner, ids, "Arm")?),
                }
            }
            arms.push(arm);
        }
        Ok(StmtKind::Where(Box::new(Where { arms, name, inline })))
    }

    fn forall(&mut self, tag: &mut Tag<'a>, ids: &mut StmtIds<'a>) -> Read<StmtKind> {
        let scope = self.own_scope(tag, "scope")?;
        let name = tag.own_name("name")?.map(Into::into);
        let inline = tag.own_flag("inline")?;
        tag.finish()?;
        let mut header = ForallHeader { scope, spec: None, ranges: Vec::new(), mask: None };
        let mut body = Vec::new();
        while let Some(child) = self.stmt_child()? {
            match (child.ns, child.name) {
                (Ns::Ox, "Body") => {
                    child.finish()?;
                    while let Some(inner) = self.input.child()? {
                        body.push(self.stmt(inner, ids, "Body")?);
                    }
                }
                _ => self.header_child(child, &mut header, "Forall")?,
            }
        }
        Ok(StmtKind::Forall(Box::new(Forall { header, body, name, inline })))
    }

    fn allocate(&mut self, tag: &Tag<'a>) -> Read<StmtKind> {
        tag.finish()?;
        let mut allocate = Allocate {
            spec: None,
            objects: Vec::new(),
            stat: None,
            errmsg: None,
            source: None,
            mold: None,
        };
        while let Some(child) = self.stmt_child()? {
            match (child.ns, child.name) {
                (Ns::Ox, "Type") => allocate.spec = Some(self.type_spec(child)?),
                (Ns::Ox, "Object") => allocate.objects.push(self.reference(child, None)?),
                (Ns::Ox, "Stat") => allocate.stat = Some(self.reference(child, None)?),
                (Ns::Ox, "Errmsg") => allocate.errmsg = Some(self.reference(child, None)?),
                (Ns::Ox, "Source") => allocate.source = Some(self.boxed_expr(child)?),
                (Ns::Ox, "Mold") => allocate.mold = Some(self.boxed_expr(child)?),
                _ => return child.unexpected("Allocate"),
            }
        }
        Ok(StmtKind::Allocate(Box::new(allocate)))
    }

    fn release(&mut self, tag: &Tag<'a>) -> Read<StmtKind> {
        tag.finish()?;
        let nullify = tag.name == "Nullify";
        let mut release = Release { nullify, objects: Vec::new(), stat: None, errmsg: None };
        while let Some(child) = self.stmt_child()? {
            match (child.ns, child.name) {
                (Ns::Ox, "Object") => release.objects.push(self.reference(child, None)?),
                (Ns::Ox, "Stat") => release.stat = Some(self.reference(child, None)?),
                (Ns::Ox, "Errmsg") => release.errmsg = Some(self.reference(child, None)?),
                _ => return child.unexpected(tag.name),
            }
        }
        Ok(StmtKind::Release(Box::new(release)))
    }

    fn marker(&mut self, tag: &mut Tag<'a>) -> Read<StmtKind> {
        if tag.name == "Nop" {
            tag.form = Some("Nop");
        }
        let mut marker = Marker {
            verb: tag.own_word("verb")?.unwrap_or(Verb::Genuine),
            text: Vec::new(),
            operands: Vec::new(),
            pessimistic: tag.own_flag("pessimistic")?,
            annotation: tag.text_opt("annotation")?.map(Into::into),
        };
        // A back-end writes it as a comment.
        if marker.annotation.as_deref().is_some_and(|text| !texts::is_line(text)) {
            return tag.bad("the annotation of a marker must be one line");
        }
        if let Some(text) = tag.own_text("text")? {
            marker.text.push(Piece::Text(text.into()));
        }
        tag.finish()?;
        while let Some(mut child) = self.stmt_child()? {
            match (child.ns, child.name) {
                (Ns::Ox, "Piece") => marker.text.push(self.piece(child)?),
                (Ns::Ox, "Operand") => {
                    let Some(access) = child.own_word("access")? else {
                        return child.missing("access");
                    };
                    let expr = self.boxed_expr(child)?;
                    marker.operands.push(MarkerOperand { expr, access });
                }
                _ => return child.unexpected("Marker"),
            }
        }
        let text: String = marker.text.iter().map(stand_in).collect();
        if let Err(wrong) = texts::is_one_piece(&text) {
            return tag.bad(format!("the statement `{}` has {wrong}", shown(&text)));
        }
        Ok(StmtKind::Marker(Box::new(marker)))
    }

    fn piece(&mut self, mut tag: Tag<'a>) -> Read<Piece> {
        let text = tag.own_text("text")?;
        let operand = tag.own_number("operand")?;
        let label = tag.own_number("label")?;
        let statement = tag.own_number("statement-label")?;
        tag.finish()?;
        self.input.leaf("Piece")?;
        match (text, operand, label, statement) {
            (Some(text), None, None, None) => Ok(Piece::Text(text.into())),
            (None, Some(operand), None, None) => Ok(Piece::Operand(operand)),
            (None, None, Some(label), None) => Ok(Piece::Label(label)),
            (None, None, None, Some(label)) => Ok(Piece::StatementLabel(label)),
            _ => tag.bad("a piece is a text, an operand, a label or the label of a statement"),
        }
    }
}

/// The text of a piece, with a word for what is no text.
fn stand_in(piece: &Piece) -> &str {
    match piece {
        Piece::Text(text) => text,
        Piece::Operand(_) | Piece::Label(_) | Piece::StatementLabel(_) => " x ",
    }
}
