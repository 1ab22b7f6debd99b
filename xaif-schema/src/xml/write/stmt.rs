//! Statements.

use std::io;

use super::{Id, Writer};
use crate::model::{
    Allocate, Arg, ArgValue, Cfg, CheckpointNumber, Checkpoints, Document, EntityRef, ExprId,
    ExprKind, Forall, InlinableCall, Key, Marker, Piece, Propagator, RefId, Release, Stmt, StmtId,
    StmtKind, SubroutineCall, Verb, VertexKind, Where,
};
use crate::xml::words::Word;

/// The ids of the statements of `cfg` that have one, in the order in which they are written.
pub(super) fn statements<'a>(doc: &'a Document, cfg: &'a Cfg) -> Vec<Option<&'a str>> {
    let mut ids = Vec::new();
    let mut stack: Vec<StmtId> = Vec::new();
    for &vertex in &cfg.layout {
        match &cfg.vertices[vertex].kind {
            VertexKind::BasicBlock { stmts, .. } => stack.extend(stmts.iter().rev()),
            VertexKind::ForLoop { init, update, .. } => stack.extend([*update, *init]),
            _ => (),
        }
        while let Some(stmt) = stack.pop() {
            let stmt = &doc.stmts[stmt];
            match &stmt.kind {
                StmtKind::Propagate(_) => continue,
                StmtKind::Where(masked) => {
                    for arm in masked.arms.iter().rev() {
                        stack.extend(arm.body.iter().rev());
                    }
                }
                StmtKind::Forall(forall) => stack.extend(forall.body.iter().rev()),
                StmtKind::Assign { .. }
                | StmtKind::PointerAssign { .. }
                | StmtKind::Call(_)
                | StmtKind::InlinableCall(_)
                | StmtKind::Allocate(_)
                | StmtKind::Release(_)
                | StmtKind::OpenScope(_)
                | StmtKind::CloseScope(_)
                | StmtKind::Marker(_)
                | StmtKind::Comment(_) => (),
            }
            ids.push(stmt.id.as_deref());
        }
    }
    ids
}

impl<'a, W: io::Write> Writer<'a, W> {
    /// The id of the next statement of this graph.
    fn next_id(&mut self) -> Id<'a> {
        let id = self.stmts.0.get(self.stmts.1);
        self.stmts.1 += 1;
        id
    }

    pub(super) fn stmt(&mut self, id: StmtId) {
        if self.out.is_full() {
            return;
        }
        let doc = self.doc;
        let stmt = &doc.stmts[id];
        match &stmt.kind {
            StmtKind::Assign { lhs, rhs, defined } => {
                let element =
                    if defined.is_some() { "ox:DefinedAssignment" } else { "xaif:Assignment" };
                self.begin_stmt(element, id, stmt);
                if let Some(callee) = defined {
                    self.callee(callee);
                }
                self.assignment(*lhs, *rhs);
            }
            StmtKind::PointerAssign { lhs, rhs } => {
                self.begin_stmt("ox:PointerAssignment", id, stmt);
                self.assignment(*lhs, *rhs);
            }
            StmtKind::Call(call) => self.call(id, stmt, call),
            StmtKind::InlinableCall(call) => self.inlinable_call(id, stmt, call),
            StmtKind::Propagate(steps) => {
                self.out.start_of("xaif:DerivativePropagator", Key::Stmt(id));
                self.out.own_opt("statement_id", stmt.id.as_deref());
                self.stmt_attributes(stmt, false);
                for step in steps {
                    self.propagator(step);
                }
            }
            StmtKind::Where(masked) => self.masked(id, stmt, masked),
            StmtKind::Forall(forall) => self.forall(id, stmt, forall),
            StmtKind::Allocate(allocate) => self.allocate(id, stmt, allocate),
            StmtKind::Release(release) => self.release(id, stmt, release),
            StmtKind::OpenScope(open) => {
                self.begin_stmt("ox:OpenScope", id, stmt);
                let scope = self.scopes.get(open.scope.index());
                self.out.own_display("scope", format_args!("{scope}"));
                self.out.own_opt("name", open.name.as_deref());
            }
            StmtKind::CloseScope(scope) => {
                self.begin_stmt("ox:CloseScope", id, stmt);
                let scope = self.scopes.get(scope.index());
                self.out.own_display("scope", format_args!("{scope}"));
            }
            StmtKind::Marker(marker) => self.marker(id, stmt, marker),
            StmtKind::Comment(comment) => {
                self.out.start_of("ox:Comment", Key::Stmt(id));
                self.id_of_stmt();
                // The comment's own place is the one that is written; the statement's only if it
                // is another.
                if stmt.place != comment.place {
                    self.out.own_flag("apart", true);
                    self.own_place("stmt-at", stmt.place);
                }
                self.unplaced_attributes(stmt, false);
                self.comment_attributes(comment);
            }
        }
        self.recorded(stmt);
        self.out.end();
    }

    /// What is to be recorded before the statement.
    fn recorded(&mut self, stmt: &Stmt) {
        if let Some(recorded) = &stmt.recorded {
            self.out.start("ox:Recorded");
            self.out.own_flag("joint", stmt.joint);
            for &reference in recorded {
                self.reference("ox:Reference", None, reference);
            }
            self.out.end();
        }
        if !stmt.properties.is_empty() {
            self.out.start("ox:RecordedProperties");
            for &reference in &stmt.properties {
                self.reference("ox:Reference", None, reference);
            }
            self.out.end();
        }
    }

    fn id_of_stmt(&mut self) {
        let id = self.next_id();
        self.id("statement_id", id);
    }

    /// Begins the element of a statement, with what all statements have. In XAIF 1.0 only some
    /// elements have a line number and a chain of overwrites.
    fn begin_stmt(&mut self, name: &'static str, id: StmtId, stmt: &Stmt) {
        self.out.start_of(name, Key::Stmt(id));
        self.id_of_stmt();
        match name {
            "xaif:Assignment" => {
                self.do_chain(stmt);
                self.line_number(stmt.place);
                self.unplaced_attributes(stmt, true);
            }
            "xaif:SubroutineCall" => {
                self.line_number(stmt.place);
                self.unplaced_attributes(stmt, false);
            }
            _ => self.stmt_attributes(stmt, false),
        }
    }

    fn stmt_attributes(&mut self, stmt: &Stmt, chained: bool) {
        self.own_place("at", stmt.place);
        self.unplaced_attributes(stmt, chained);
    }

    fn unplaced_attributes(&mut self, stmt: &Stmt, chained: bool) {
        if let Some(chain) = stmt.do_chain
            && !chained
        {
            self.out.own_display("do_chain", format_args!("{chain}"));
        }
        if let Some(label) = stmt.label {
            self.out.own_display("label", format_args!("{label}"));
        }
        self.out.own_flag("recompute", stmt.recompute);
        // What is recorded says it otherwise.
        self.out.own_flag("joint", stmt.joint && stmt.recorded.is_none());
        self.out.own_opt_flag("adjoint-live", (!stmt.adjoint_live).then_some(false));
        if let Some(checkpoints) = &stmt.checkpoints {
            self.checkpoints(checkpoints);
        }
        self.out.own_word("local-jacobian", stmt.local_jacobian);
    }

    fn checkpoints(&mut self, checkpoints: &Checkpoints) {
        self.out.own_word("checkpoints", Some(checkpoints.scheme));
        match &checkpoints.number {
            CheckpointNumber::Number(number) => {
                self.out.own_display("checkpoint-number", format_args!("{number}"));
            }
            CheckpointNumber::Variable(symbol) => self.own_symbol("checkpoint-variable", *symbol),
            CheckpointNumber::Environment(name) => {
                self.out.own("checkpoint-environment", name);
            }
        }
    }

    fn do_chain(&mut self, stmt: &Stmt) {
        let said = self.chain_key(1, stmt.do_chain);
        self.out.number("do_chain", said);
        self.own_chain("do_chain", said, stmt.do_chain);
    }

    fn assignment(&mut self, lhs: RefId, rhs: ExprId) {
        self.reference("xaif:AssignmentLHS", None, lhs);
        self.boxed_expr("xaif:AssignmentRHS", rhs);
    }

    /// The first or next assignment of a loop.
    pub(super) fn loop_assignment(&mut self, name: &'static str, id: StmtId) {
        let doc = self.doc;
        let stmt = &doc.stmts[id];
        let StmtKind::Assign { lhs, rhs, defined: None } = &stmt.kind else {
            return self.out.fail("a loop counts by something else than an assignment");
        };
        self.out.start_of(name, Key::Stmt(id));
        self.id_of_stmt();
        self.do_chain(stmt);
        self.stmt_attributes(stmt, true);
        self.assignment(*lhs, *rhs);
        self.recorded(stmt);
        self.out.end();
    }

    fn call(&mut self, id: StmtId, stmt: &Stmt, call: &SubroutineCall) {
        self.begin_stmt("xaif:SubroutineCall", id, stmt);
        self.symbol_attributes(call.callee.symbol);
        self.out.number("formalArgCount", call.formal_count.map(i64::from));
        self.out.flag("active", call.active);
        self.own_symbol_opt("generic", call.callee.generic);
        if let Some(object) = call.callee.object {
            self.reference("ox:Object", None, object);
        }
        self.arguments(id, &call.args);
    }

    fn inlinable_call(&mut self, id: StmtId, stmt: &Stmt, call: &InlinableCall) {
        self.begin_stmt("xaif:InlinableSubroutineCall", id, stmt);
        self.out.attribute("subroutine_name", Some(&call.name));
        self.arguments(id, &call.args);
    }

    fn arguments(&mut self, id: StmtId, args: &[Arg]) {
        for (i, arg) in args.iter().enumerate() {
            match arg.value {
                ArgValue::Expr(value) => {
                    let key = Key::Argument(id, i as u32);
                    self.out.start_of("xaif:Argument", key);
                    self.out.number("position", Some(i64::from(arg.position)));
                    self.out.own_opt("keyword", arg.keyword.as_deref());
                    self.argument(key, value);
                }
                ArgValue::AlternateReturn(condition) => {
                    self.out.start("ox:AlternateReturn");
                    self.out.own_display("position", format_args!("{}", arg.position));
                    self.out.own_opt("keyword", arg.keyword.as_deref());
                    self.out.own_display("condition", format_args!("{condition}"));
                }
            }
            self.out.end();
        }
    }

    /// XAIF 1.0 has variables and constants as arguments; all else is an expression of ours.
    fn argument(&mut self, key: Key, value: ExprId) {
        let doc = self.doc;
        let expr = &doc.exprs[value];
        let direct = self.out.as_read().spelling(key).is_some_and(|s| s.form == Some("direct"));
        match &expr.kind {
            ExprKind::Ref(reference) if direct => {
                let id = *reference;
                let reference = &doc.refs[id];
                self.reference_attributes(reference);
                self.reference_content(id, reference);
            }
            ExprKind::Ref(_) | ExprKind::Constant(_) if !expr.parens => self.expr(value),
            ExprKind::Ref(_)
            | ExprKind::Constant(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Procedure(_)
            | ExprKind::Opaque(_) => self.boxed_expr("ox:Expression", value),
        }
    }

    fn propagator(&mut self, step: &Propagator) {
        let (name, target, source) = match step {
            Propagator::Set { target, source } => ("xaif:SetDeriv", target, source),
            Propagator::SetNegative { target, source } => ("xaif:SetNegDeriv", target, source),
            Propagator::Increment { target, source } => ("xaif:IncDeriv", target, source),
            Propagator::Decrement { target, source } => ("xaif:DecDeriv", target, source),
            Propagator::Sax { terms, y } => return self.sum("xaif:Sax", terms, *y),
            Propagator::Saxpy { terms, y } => return self.sum("xaif:Saxpy", terms, *y),
            Propagator::Zero { target } => return self.reference("xaif:ZeroDeriv", None, *target),
        };
        self.out.start(name);
        self.reference("xaif:Tgt", None, *target);
        self.reference("xaif:Src", None, *source);
        self.out.end();
    }

    fn sum(&mut self, name: &'static str, terms: &[(ExprId, RefId)], y: RefId) {
        self.out.start(name);
        for &(partial, source) in terms {
            self.out.start("xaif:AX");
            self.boxed_expr("xaif:A", partial);
            self.reference("xaif:X", None, source);
            self.out.end();
        }
        self.reference("xaif:Y", None, y);
        self.out.end();
    }

    fn masked(&mut self, id: StmtId, stmt: &Stmt, masked: &Where) {
        self.begin_stmt("ox:Where", id, stmt);
        self.out.own_opt("name", masked.name.as_deref());
        self.out.own_flag("inline", masked.inline);
        for arm in &masked.arms {
            self.out.start("ox:Arm");
            self.boxed_expr_opt("ox:Mask", arm.mask);
            for &stmt in &arm.body {
                self.stmt(stmt);
            }
            self.out.end();
        }
    }

    fn forall(&mut self, id: StmtId, stmt: &Stmt, forall: &Forall) {
        self.begin_stmt("ox:Forall", id, stmt);
        self.scope_attribute(&forall.header);
        self.out.own_opt("name", forall.name.as_deref());
        self.out.own_flag("inline", forall.inline);
        self.forall_header(&forall.header);
        self.out.start("ox:Body");
        for &stmt in &forall.body {
            self.stmt(stmt);
        }
        self.out.end();
    }

    fn allocate(&mut self, id: StmtId, stmt: &Stmt, allocate: &Allocate) {
        self.begin_stmt("ox:Allocate", id, stmt);
        if let Some(spec) = &allocate.spec {
            self.type_spec(spec);
        }
        for &object in &allocate.objects {
            self.reference("ox:Object", None, object);
        }
        self.reference_opt("ox:Stat", allocate.stat);
        self.reference_opt("ox:Errmsg", allocate.errmsg);
        self.boxed_expr_opt("ox:Source", allocate.source);
        self.boxed_expr_opt("ox:Mold", allocate.mold);
    }

    fn release(&mut self, id: StmtId, stmt: &Stmt, release: &Release) {
        let name = if release.nullify { "ox:Nullify" } else { "ox:Deallocate" };
        self.begin_stmt(name, id, stmt);
        for &object in &release.objects {
            self.reference("ox:Object", None, object);
        }
        self.reference_opt("ox:Stat", release.stat);
        self.reference_opt("ox:Errmsg", release.errmsg);
    }

    fn reference_opt(&mut self, name: &'static str, reference: Option<RefId>) {
        if let Some(reference) = reference {
            self.reference(name, None, reference);
        }
    }

    fn marker(&mut self, id: StmtId, stmt: &Stmt, marker: &Marker) {
        let form = self.out.as_read().spelling(Key::Stmt(id)).and_then(|spelling| spelling.form);
        let name = if form == Some("Nop") { "xaif:Nop" } else { "xaif:Marker" };
        self.begin_stmt(name, id, stmt);
        self.out.attribute("annotation", marker.annotation.as_deref());
        self.out.own_word("verb", (marker.verb != Verb::Genuine).then_some(marker.verb));
        self.out.own_flag("pessimistic", marker.pessimistic);
        match marker.text.as_slice() {
            [Piece::Text(text)] => self.out.own("text", text),
            pieces => pieces.iter().for_each(|piece| self.piece(piece)),
        }
        for operand in &marker.operands {
            self.out.start("ox:Operand");
            self.out.own("access", operand.access.word());
            self.expr(operand.expr);
            self.out.end();
        }
    }

    fn piece(&mut self, piece: &Piece) {
        self.out.start("ox:Piece");
        match piece {
            Piece::Text(text) => self.out.own("text", text),
            Piece::Operand(index) => self.out.own_display("operand", format_args!("{index}")),
            Piece::Label(condition) => self.out.own_display("label", format_args!("{condition}")),
            Piece::StatementLabel(label) => {
                self.out.own_display("statement-label", format_args!("{label}"));
            }
        }
        self.out.end();
    }
}
