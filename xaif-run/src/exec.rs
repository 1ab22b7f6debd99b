//! Statements and the flow between them: a walk along the edges of the control flow graph.
//!
//! Structure is not needed: every jump, however wild, is an edge. A loop vertex that is reached
//! from an `EndLoop` goes on, reached from anywhere else it begins.

use xaif_schema::diag::Code;
use xaif_schema::model::{
    ArgValue, BranchForm, CaseRange, Cfg, Edge, EdgeId, ExprId, Guard, InlinableCall,
    LocalJacobian, Place, ProcId, Propagator, RefId, Role, ScopeId, StmtId, StmtKind, SymbolId,
    TypeSpec, VertexId, VertexKind,
};
use xaif_schema::tape::operation;

use crate::arith::{Operator, compare_chars, convert};
use crate::fault::{Located as _, Run, fault, refuse};
use crate::machine::{Binding, Local, LoopState, Machine};
use crate::program::{Counted, Flow, Step};
use crate::storage::Slot;
use crate::value::{Elem, Scalar, Value};
use crate::view::View;

/// How an activation has ended.
pub(crate) struct Exit {
    /// The number that RETURN has given; 0 is the ordinary return.
    pub(crate) alternate: i64,
}

impl<'d> Machine<'d> {
    /// Walks a flow graph from an entry to its exit.
    pub(crate) fn walk(
        &mut self,
        proc: ProcId,
        cfg: &'d Cfg,
        entry: Option<VertexId>,
    ) -> Run<Exit> {
        let program = self.program;
        let flow = &program.flows[proc];
        let Some(mut at) = entry.or(flow.entry) else {
            return fault(Code::RUN_MALFORMED, "a procedure has no entry");
        };
        let mut from_end_loop = false;
        loop {
            self.step()?;
            let vertex = &cfg.vertices[at];
            if !vertex.place.is_unknown() {
                self.place = vertex.place;
            }
            let edge = match &vertex.kind {
                VertexKind::Exit => {
                    let alternate = self.frames.last().map_or(0, |frame| frame.alternate);
                    return Ok(Exit { alternate });
                }
                VertexKind::Entry(_)
                | VertexKind::EndBranch
                | VertexKind::EndLoop
                | VertexKind::Goto(_)
                | VertexKind::Label { .. } => plain(cfg, flow, at),
                VertexKind::BasicBlock { stmts, .. } => match self.block(stmts)? {
                    Some(condition) => conditional(cfg, flow, at, condition),
                    None => plain(cfg, flow, at),
                },
                VertexKind::Branch { condition, form, .. } => {
                    self.branch(cfg, flow, at, *condition, *form).at(vertex.place)?
                }
                VertexKind::ForLoop { init, condition, update, .. } => {
                    let on = match flow.counted.get(&at) {
                        Some(counted) => {
                            self.count_loop(at, *init, *counted, from_end_loop).at(vertex.place)?
                        }
                        None => {
                            self.stmt(if from_end_loop { *update } else { *init })?;
                            let on = self.logical(*condition)?;
                            self.begin_round(at, vertex.place, from_end_loop, on);
                            on
                        }
                    };
                    round(cfg, flow, at, on)
                }
                VertexKind::PreLoop { condition, .. } => {
                    let on = condition.map_or(Ok(true), |condition| self.logical(condition))?;
                    self.begin_round(at, vertex.place, from_end_loop, on);
                    round(cfg, flow, at, on)
                }
                VertexKind::PostLoop { condition } => {
                    let on = match condition {
                        Some(condition) if from_end_loop => self.logical(*condition)?,
                        Some(_) | None => true,
                    };
                    self.begin_round(at, vertex.place, from_end_loop, on);
                    round(cfg, flow, at, on)
                }
                VertexKind::ConcurrentLoop { header, locality, .. } => {
                    let loops = |machine: &mut Self| {
                        machine.frames.last_mut().and_then(|frame| frame.loops.remove(&at))
                    };
                    let (mut rounds, locals) = match loops(self) {
                        Some(LoopState::Concurrent { rounds, locals }) if from_end_loop => {
                            (rounds, locals)
                        }
                        Some(_) | None => {
                            let mut rounds = self.rounds(header)?;
                            self.observed.rounds(vertex.place, rounds.len() as u64);
                            rounds.reverse();
                            (rounds, self.locals(header.scope, locality.as_deref())?)
                        }
                    };
                    let next = rounds.pop();
                    for local in locals.iter().filter(|local| local.copied || next.is_none()) {
                        self.store(&local.view, local.value.clone())?;
                    }
                    if let Some(values) = &next {
                        let vars = header.ranges.iter().map(|range| range.var);
                        let context: Vec<_> = vars.zip(values.iter().copied()).collect();
                        self.set_indices(&context)?;
                        self.set_loop(at, LoopState::Concurrent { rounds, locals });
                    }
                    round(cfg, flow, at, next.is_some())
                }
            };
            from_end_loop = matches!(vertex.kind, VertexKind::EndLoop);
            at = match edge {
                Some(edge) => edge.target,
                None => {
                    return fault(Code::RUN_MALFORMED, "no edge leads on from here").at(self.place);
                }
            };
        }
    }

    fn set_loop(&mut self, vertex: VertexId, state: LoopState) {
        if let Some(frame) = self.frames.last_mut() {
            frame.loops.insert(vertex, state);
        }
    }

    /// Counts the iterations of a loop that ends by a condition.
    fn begin_round(&mut self, vertex: VertexId, place: Place, goes_on: bool, on: bool) {
        let Some(frame) = self.frames.last_mut() else { return };
        let before = match frame.loops.get(&vertex) {
            Some(LoopState::Conditional { rounds }) if goes_on => *rounds,
            Some(_) | None => 0,
        };
        let rounds = before + u64::from(on);
        frame.loops.insert(vertex, LoopState::Conditional { rounds });
        self.observed.rounds(place, rounds);
    }

    /// Begins or goes on with a DO whose number of iterations is fixed as it begins.
    fn count_loop(
        &mut self,
        vertex: VertexId,
        init: StmtId,
        counted: Counted,
        goes_on: bool,
    ) -> Run<bool> {
        let StmtKind::Assign { lhs, .. } = self.doc.stmts[init].kind else {
            return fault(Code::RUN_MALFORMED, "a loop does not assign its variable");
        };
        let state = self.frames.last_mut().and_then(|frame| frame.loops.remove(&vertex));
        let (left, step) = match state {
            Some(LoopState::Counted { left, step }) if goes_on => {
                let to = self.locate(lhs)?.view()?;
                let value = self.memory.read(to.addr, to.elem)?;
                let counts = self.arith.counts;
                let next = self.arith.binary(Operator::Add, &value, &step)?;
                // The loop's own arithmetic is not the program's.
                self.arith.counts = counts;
                self.store(&to, next.into())?;
                (left.saturating_sub(1), step)
            }
            Some(_) | None => {
                let begun = self.begin_loop(lhs, counted)?;
                self.observed.rounds(self.place, begun.0);
                begun
            }
        };
        let on = left > 0;
        if on {
            self.set_loop(vertex, LoopState::Counted { left, step });
        }
        Ok(on)
    }

    fn begin_loop(&mut self, var: RefId, counted: Counted) -> Run<(u64, Scalar)> {
        let to = self.locate(var)?.view()?;
        let lower = convert(self.eval_scalar(counted.lower)?, to.elem)?;
        let upper = convert(self.eval_scalar(counted.upper)?, to.elem)?;
        let step = match counted.step {
            Step::Plus(step) => self.eval_scalar(step)?,
            Step::Minus(step) => {
                let step = self.eval_scalar(step)?;
                self.arith.unary(Operator::Minus, &step)?
            }
        };
        let step = convert(step, to.elem)?;
        let rounds = match (&lower, &upper, &step) {
            (Scalar::Int(_, lower), Scalar::Int(_, upper), Scalar::Int(_, step)) => {
                if *step == 0 {
                    return zero_step();
                }
                crate::reference::count_steps(*lower, *upper, *step) as u64
            }
            (Scalar::Real(_, lower), Scalar::Real(_, upper), Scalar::Real(kind, step)) => {
                if step.v == 0.0 {
                    return zero_step();
                }
                if (upper.v - lower.v) * step.v.signum() < 0.0 {
                    return self
                        .store(&to, Scalar::Real(*kind, *lower).into())
                        .map(|()| (0, Scalar::Real(*kind, *step)));
                }
                // In this order, as gfortran computes it.
                let span = crate::num::round(*kind, upper.v - lower.v);
                let rounds = crate::num::round(*kind, span / step.v).trunc() + 1.0;
                // A cast to an unsigned number saturates, so a negative one means no iteration.
                rounds as u64
            }
            _ => return fault(Code::RUN_TYPE, "a loop variable is neither integer nor real"),
        };
        self.store(&to, lower.into())?;
        Ok((rounds, step))
    }

    /// Which edge a branch takes.
    fn branch<'c>(
        &mut self,
        cfg: &'c Cfg,
        flow: &Flow,
        at: VertexId,
        condition: Option<ExprId>,
        form: BranchForm,
    ) -> Run<Option<&'c Edge>> {
        let mark = self.temps.len();
        let taken = match form {
            BranchForm::Plain
            | BranchForm::If
            | BranchForm::InlineIf
            | BranchForm::ElseIf
            | BranchForm::ComputedGoto
            | BranchForm::AssignedGoto => {
                let value = match needed(condition).and_then(|c| self.eval_scalar(c))? {
                    Scalar::Logical(_, value) => i64::from(value),
                    other => other.as_int()?,
                };
                conditional(cfg, flow, at, value)
            }
            BranchForm::ArithmeticIf => {
                let sign = match needed(condition).and_then(|c| self.eval_scalar(c))? {
                    Scalar::Int(_, value) => value.signum(),
                    Scalar::Real(_, value) if value.v < 0.0 => -1,
                    Scalar::Real(_, value) => i64::from(value.v > 0.0),
                    other => other.as_int()?,
                };
                conditional(cfg, flow, at, sign)
            }
            BranchForm::SelectCase => self.select_case(cfg, flow, at, condition)?,
            BranchForm::SelectType => self.select_type(cfg, flow, at, condition)?,
            BranchForm::SelectRank => self.select_rank(cfg, flow, at, condition)?,
            BranchForm::IndirectGoto => return refuse("a jump through a pointer"),
        };
        self.drop_temps(mark);
        Ok(taken)
    }

    fn select_case<'c>(
        &mut self,
        cfg: &'c Cfg,
        flow: &Flow,
        at: VertexId,
        condition: Option<ExprId>,
    ) -> Run<Option<&'c Edge>> {
        let selector = needed(condition).and_then(|c| self.eval_scalar(c))?;
        let mut default = None;
        let mut guarded = false;
        for edge in edges(cfg, flow, at) {
            match edge.guard.as_deref() {
                Some(Guard::Case(ranges)) => {
                    guarded = true;
                    for &range in ranges {
                        if self.in_range(&selector, range)? {
                            return Ok(Some(edge));
                        }
                    }
                }
                Some(Guard::Default) => default = Some(edge),
                Some(Guard::TypeIs(_) | Guard::ClassIs(_) | Guard::Rank(_) | Guard::RankStar) => {
                    return fault(Code::RUN_MALFORMED, "a CASE is guarded by a type or rank");
                }
                None => {}
            }
        }
        if default.is_some() {
            return Ok(default);
        }
        if guarded {
            return Ok(plain(cfg, flow, at));
        }
        Ok(conditional(cfg, flow, at, selector.as_int()?))
    }

    fn in_range(&mut self, selector: &Scalar, range: CaseRange) -> Run<bool> {
        let (lower, upper) = match range {
            CaseRange::Value(value) => (Some(value), Some(value)),
            CaseRange::Range(lower, upper) => (lower, upper),
        };
        if let Some(lower) = lower {
            let lower = self.eval_scalar(lower)?;
            if order(selector, &lower)?.is_lt() {
                return Ok(false);
            }
        }
        if let Some(upper) = upper {
            let upper = self.eval_scalar(upper)?;
            return Ok(order(selector, &upper)?.is_le());
        }
        Ok(true)
    }

    fn select_type<'c>(
        &mut self,
        cfg: &'c Cfg,
        flow: &Flow,
        at: VertexId,
        condition: Option<ExprId>,
    ) -> Run<Option<&'c Edge>> {
        let view = needed(condition).and_then(|c| self.selector(c))?;
        let (mut class, mut default) = (None, None);
        let mut exact = None;
        for edge in edges(cfg, flow, at) {
            match edge.guard.as_deref() {
                Some(Guard::TypeIs(spec)) => {
                    if self.type_of_guard(spec)?.same_type(view.elem) {
                        exact = Some(edge);
                    }
                }
                Some(Guard::ClassIs(spec)) => {
                    if let (Elem::Derived(object), Elem::Derived(guard)) =
                        (view.elem, self.type_of_guard(spec)?)
                        && self.extends(object, guard)
                    {
                        // The nearest ancestor is the one whose layout was made of the most.
                        class = match class {
                            Some((old, _)) if self.extends(old, guard) => class,
                            Some(_) | None => Some((guard, edge)),
                        };
                    }
                }
                Some(Guard::Default) => default = Some(edge),
                Some(Guard::Case(_) | Guard::Rank(_) | Guard::RankStar) | None => {}
            }
        }
        let taken = exact.or(class.map(|(_, edge)| edge)).or(default);
        if let Some(edge) = taken {
            self.bind_arm(cfg, edge, &view)?;
            return Ok(Some(edge));
        }
        Ok(plain(cfg, flow, at))
    }

    fn type_of_guard(&mut self, spec: &TypeSpec) -> Run<Elem> {
        self.elem_of_spec(spec, None)
    }

    fn select_rank<'c>(
        &mut self,
        cfg: &'c Cfg,
        flow: &Flow,
        at: VertexId,
        condition: Option<ExprId>,
    ) -> Run<Option<&'c Edge>> {
        let view = needed(condition).and_then(|c| self.selector(c))?;
        let mut default = None;
        for edge in edges(cfg, flow, at) {
            match edge.guard.as_deref() {
                Some(Guard::Rank(rank)) => {
                    if self.int(*rank)? == view.rank() as i64 {
                        self.bind_arm(cfg, edge, &view)?;
                        return Ok(Some(edge));
                    }
                }
                Some(Guard::Default) => default = Some(edge),
                Some(Guard::RankStar | Guard::Case(_) | Guard::TypeIs(_) | Guard::ClassIs(_))
                | None => {}
            }
        }
        match default {
            Some(edge) => {
                self.bind_arm(cfg, edge, &view)?;
                Ok(Some(edge))
            }
            None => Ok(plain(cfg, flow, at)),
        }
    }

    /// The object that a SELECT TYPE or ASSOCIATE names.
    fn selector(&mut self, expr: ExprId) -> Run<View> {
        let value = &self.doc.exprs[expr];
        if let xaif_schema::model::ExprKind::Ref(r) = &value.kind
            && !value.parens
        {
            return self.locate(*r)?.view();
        }
        match self.slot_of_expr(expr)? {
            Some(Slot::Data(view) | Slot::Owned(view)) => Ok(view),
            Some(Slot::Null | Slot::Procedure(_)) => {
                fault(Code::RUN_NOT_ALLOCATED, "a selector is not associated")
            }
            None => {
                let value = self.eval(expr)?;
                self.materialise(value)
            }
        }
    }

    /// Binds the associate name of an arm to the selector.
    fn bind_arm(&mut self, cfg: &Cfg, edge: &Edge, view: &View) -> Run<()> {
        let VertexKind::BasicBlock { scope, .. } = cfg.vertices[edge.target].kind else {
            return Ok(());
        };
        let doc = self.doc;
        for &symbol in &doc.scopes[scope].symbols {
            if let Some(Role::Associate { .. }) = doc.role(symbol) {
                self.bind(symbol, Binding::Data(view.clone()))?;
            }
        }
        Ok(())
    }

    /// The variables that `local(…)` and `local_init(…)` name, with their values outside.
    fn locals(&mut self, scope: ScopeId, text: Option<&str>) -> Run<Vec<Local>> {
        let doc = self.doc;
        let mut found = Vec::new();
        let mut rest = text.unwrap_or_default();
        while let Some((word, behind)) = rest.split_once('(') {
            let Some((names, behind)) = behind.split_once(')') else { break };
            rest = behind;
            let word = word.trim_matches([' ', ',', '\t']);
            let copied = word.eq_ignore_ascii_case("local_init");
            if !copied && !word.eq_ignore_ascii_case("local") {
                continue;
            }
            for name in names.split(',') {
                let id = name.trim().to_ascii_lowercase();
                let parents = |&scope: &ScopeId| doc.scopes[scope].parent;
                let mut around = std::iter::successors(Some(scope), parents);
                let Some(symbol) = around.find_map(|scope| doc.symbol_in(scope, &id)) else {
                    return fault(Code::RUN_MALFORMED, "a local name is not declared");
                };
                let view = self.base_view(symbol)?;
                match self.load_view(&view) {
                    Ok(value) => found.push(Local { view, value, copied }),
                    // What is not defined outside need not be given back.
                    Err(_) if !copied => {}
                    Err(halt) => return Err(halt),
                }
            }
        }
        Ok(found)
    }

    /// Executes a basic block; the result is the condition value of the edge that it chooses.
    fn block(&mut self, stmts: &[StmtId]) -> Run<Option<i64>> {
        for &stmt in stmts {
            if let Some(condition) = self.stmt(stmt)? {
                return Ok(Some(condition));
            }
        }
        Ok(None)
    }

    fn stmt(&mut self, id: StmtId) -> Run<Option<i64>> {
        let doc = self.doc;
        let stmt = &doc.stmts[id];
        if !stmt.place.is_unknown() {
            self.place = stmt.place;
        }
        let mark = self.temps.len();
        let result = match (stmt.local_jacobian, &stmt.kind) {
            (_, StmtKind::Assign { lhs, rhs, .. }) if stmt.recompute => {
                self.recompute(*lhs, *rhs).map(|()| None)
            }
            (_, kind @ StmtKind::Forall(_)) if stmt.recompute => {
                self.recompute_elements(id, kind, stmt.place).map(|()| None)
            }
            (Some(LocalJacobian::Value), StmtKind::Assign { lhs, rhs, .. }) => {
                self.assign_value(*lhs, *rhs).map(|()| None)
            }
            (Some(LocalJacobian::Propagator), StmtKind::Propagate(steps)) => {
                self.propagate_tangents(steps).map(|()| None)
            }
            (_, kind) => self.stmt_kind(kind, stmt.place),
        };
        let result = result.at(stmt.place);
        self.drop_temps(mark);
        result
    }

    pub(crate) fn stmt_kind(&mut self, kind: &'d StmtKind, place: Place) -> Run<Option<i64>> {
        match kind {
            StmtKind::Assign { lhs, rhs, defined: None } => self.assign(*lhs, *rhs)?,
            StmtKind::Assign { lhs, rhs, defined: Some(callee) } => {
                self.call_assignment(callee, *lhs, *rhs, place)?;
            }
            StmtKind::PointerAssign { lhs, rhs } => self.pointer_assign(*lhs, *rhs)?,
            StmtKind::Call(call) => return self.call_subroutine(call, place),
            StmtKind::InlinableCall(call) => self.inlinable(call)?,
            StmtKind::Propagate(steps) => {
                for step in steps {
                    self.propagate(step)?;
                }
            }
            StmtKind::Where(construct) => self.exec_where(construct, None)?,
            StmtKind::Forall(forall) => self.exec_forall(forall)?,
            StmtKind::Allocate(stmt) => self.allocate(stmt)?,
            StmtKind::Release(stmt) => self.release(stmt)?,
            StmtKind::OpenScope(open) => self.open_scope(open.scope)?,
            StmtKind::CloseScope(scope) => self.close_scope(*scope),
            StmtKind::Marker(marker) => return self.marker(marker),
            StmtKind::Comment(_) => {}
        }
        Ok(None)
    }

    /// BLOCK: forgets the storage of the last iteration; ASSOCIATE: binds the names.
    fn open_scope(&mut self, scope: ScopeId) -> Run<()> {
        let doc = self.doc;
        let mut bindings: Vec<(SymbolId, Binding)> = Vec::new();
        for &symbol in &doc.scopes[scope].symbols {
            match doc.role(symbol) {
                Some(Role::Associate { selector: Some(selector) }) => {
                    let mark = self.temps.len();
                    let view = self.selector(*selector)?;
                    // A value that an associate name stands for lives as long as the construct.
                    let made = self.temps.split_off(mark.min(self.temps.len()));
                    if let Some(frame) = self.frames.last_mut() {
                        frame.owned.extend(made);
                    }
                    bindings.push((symbol, Binding::Data(view)));
                }
                Some(Role::Variable) if !self.program.statics.contains(&symbol) => {
                    bindings.push((symbol, Binding::Unbound));
                }
                Some(_) | None => {}
            }
        }
        for (symbol, binding) in bindings {
            // An associate name owns nothing: what it stood for is not its to release.
            if !matches!(doc.role(symbol), Some(Role::Associate { .. })) {
                self.forget(symbol);
            }
            self.bind(symbol, binding)?;
        }
        Ok(())
    }

    fn close_scope(&mut self, scope: ScopeId) {
        let doc = self.doc;
        for &symbol in &doc.scopes[scope].symbols {
            if let Some(Role::Variable) = doc.role(symbol)
                && !self.program.statics.contains(&symbol)
            {
                self.forget(symbol);
            }
        }
    }

    /// Ends the life of a local variable of a BLOCK.
    fn forget(&mut self, symbol: SymbolId) {
        let block = match self.bound(symbol) {
            Some(Binding::Data(view)) => view.addr.block,
            Some(Binding::Handle(handle)) => handle.addr.block,
            Some(Binding::Procedure(_) | Binding::Absent | Binding::Unbound) | None => return,
        };
        // Only what the activation owns is its to release: an associate name owns nothing.
        let owned = self.frames.last_mut().and_then(|frame| {
            let index = frame.owned.iter().position(|&own| own == block)?;
            Some(frame.owned.swap_remove(index))
        });
        if let Some(block) = owned {
            self.memory.release(block);
            // The symbol was bound, so it can be bound again.
            let _ = self.bind(symbol, Binding::Unbound);
        }
    }

    /// An operation of our tape, or a template of another tool: its tape, and derivative propagation
    /// by name.
    fn inlinable(&mut self, call: &InlinableCall) -> Run<()> {
        let name = call.name.to_ascii_lowercase();
        let mut args = Vec::new();
        let mut ordered: Vec<_> = call.args.iter().collect();
        ordered.sort_by_key(|arg| arg.position);
        for arg in ordered {
            if let ArgValue::Expr(expr) = arg.value {
                args.push(expr);
            }
        }
        if !self.program.xaif_1
            && let Some(operation) = operation(&call.name)
        {
            return self.tape_operation(operation, &args);
        }
        let integers = name.contains("_i");
        match (name.as_str(), args.as_slice()) {
            (push, [value]) if push.starts_with("push") => {
                let scalars = match self.eval(*value)? {
                    Value::Scalar(scalar) => vec![scalar],
                    Value::Array(array) => array.data,
                    Value::Object(_) => return refuse("a derived type on the tape"),
                };
                for scalar in scalars {
                    if let Scalar::Undefined(_) = scalar {
                        return crate::value::undefined();
                    }
                    self.tape.push(integers, scalar, &mut self.arith.counts);
                }
                Ok(())
            }
            (pop, [to]) if pop.starts_with("pop") => {
                let view = self.argument_view(*to)?;
                let addresses: Vec<_> = view.elements().collect();
                // What was pushed first is popped last.
                for addr in addresses.into_iter().rev() {
                    let value = self.tape.pop(integers, &mut self.arith.counts)?;
                    self.memory.write(addr, &convert(value, view.elem)?)?;
                }
                Ok(())
            }
            ("saxpy", [a, x, y]) => {
                let (x, y) = (self.argument_view(*x)?, self.argument_view(*y)?);
                let a = self.eval(*a)?;
                self.accumulate(&y, &x, Some(a), 1.0)
            }
            ("sax", [a, x, y]) => {
                let (x, y) = (self.argument_view(*x)?, self.argument_view(*y)?);
                let a = self.eval(*a)?;
                self.store_derivative(&y, Scalar::Real(8, Default::default()).into())?;
                self.accumulate(&y, &x, Some(a), 1.0)
            }
            ("zeroderiv", [x]) => {
                let x = self.argument_view(*x)?;
                self.store_derivative(&x, Scalar::Real(8, Default::default()).into())
            }
            ("incderiv" | "decderiv", [x, y]) => {
                let (x, y) = (self.argument_view(*x)?, self.argument_view(*y)?);
                let factor = if name == "incderiv" { 1.0 } else { -1.0 };
                self.accumulate(&y, &x, None, factor)
            }
            ("setderiv" | "setnegderiv", [x, y]) => {
                let (x, y) = (self.argument_view(*x)?, self.argument_view(*y)?);
                let value = self.derivative(&x)?;
                let value = if name == "setderiv" { value } else { self.negated(value)? };
                self.store_derivative(&y, value)
            }
            _ => refuse(format!("the template `{}`", call.name)),
        }
    }

    fn negated(&mut self, value: Value) -> Run<Value> {
        self.elementwise(value, |arith, a| arith.unary(Operator::Minus, a))
    }

    pub(crate) fn argument_view(&mut self, expr: ExprId) -> Run<View> {
        match &self.doc.exprs[expr].kind {
            xaif_schema::model::ExprKind::Ref(r) => self.locate(*r)?.view(),
            _ => fault(Code::RUN_ARGUMENT, "a variable is needed here")
                .at(self.doc.exprs[expr].place),
        }
    }

    /// deriv(y) += factor * a * deriv(x)
    fn accumulate(&mut self, y: &View, x: &View, a: Option<Value>, factor: f64) -> Run<()> {
        let mut sum = self.derivative(x)?;
        if let Some(a) = a {
            sum = self.elementwise2(a, sum, |arith, a, x| arith.binary(Operator::Mul, a, x))?;
        }
        let before = self.derivative(y)?;
        let op = if factor < 0.0 { Operator::Sub } else { Operator::Add };
        let after = self.elementwise2(before, sum, |arith, a, b| arith.binary(op, a, b))?;
        self.store_derivative(y, after)
    }

    /// One step of a derivative propagator.
    fn propagate(&mut self, step: &Propagator) -> Run<()> {
        let zero = || Value::Scalar(Scalar::Real(8, Default::default()));
        match step {
            Propagator::Set { target, source } | Propagator::SetNegative { target, source } => {
                let source = self.locate(*source)?.view()?;
                let mut value = self.derivative(&source)?;
                if matches!(step, Propagator::SetNegative { .. }) {
                    value = self.negated(value)?;
                }
                let target = self.locate(*target)?.view()?;
                self.store_derivative(&target, value)
            }
            Propagator::Increment { target, source } => self.add_derivative(*target, *source, 1.0),
            Propagator::Decrement { target, source } => self.add_derivative(*target, *source, -1.0),
            Propagator::Zero { target } => {
                let target = self.locate(*target)?.view()?;
                self.store_derivative(&target, zero())
            }
            Propagator::Sax { terms, y } | Propagator::Saxpy { terms, y } => {
                let y = self.locate(*y)?.view()?;
                let mut sum = match step {
                    Propagator::Saxpy { .. } => self.derivative(&y)?,
                    _ => zero(),
                };
                for &(partial, x) in terms {
                    let x = self.locate(x)?.view()?;
                    let x = self.derivative(&x)?;
                    let partial = self.eval(partial)?;
                    let term = self.elementwise2(partial, x, |arith, a, x| {
                        arith.binary(Operator::Mul, a, x)
                    })?;
                    sum = self
                        .elementwise2(sum, term, |arith, a, b| arith.binary(Operator::Add, a, b))?;
                }
                self.store_derivative(&y, sum)
            }
        }
    }

    fn add_derivative(&mut self, target: RefId, source: RefId, factor: f64) -> Run<()> {
        let source = self.locate(source)?.view()?;
        let target = self.locate(target)?.view()?;
        self.accumulate(&target, &source, None, factor)
    }
}

fn needed(condition: Option<ExprId>) -> Run<ExprId> {
    match condition {
        Some(condition) => Ok(condition),
        None => fault(Code::RUN_MALFORMED, "a branch has no condition"),
    }
}

fn zero_step<T>() -> Run<T> {
    fault(Code::RUN_ZERO_STEP, "the step of a loop is zero")
}

fn order(a: &Scalar, b: &Scalar) -> Run<std::cmp::Ordering> {
    match (a, b) {
        (Scalar::Char(a), Scalar::Char(b)) => Ok(compare_chars(a, b)),
        (Scalar::Logical(_, a), Scalar::Logical(_, b)) => Ok(a.cmp(b)),
        (a, b) => Ok(a.as_int()?.cmp(&b.as_int()?)),
    }
}

fn edges<'c>(cfg: &'c Cfg, flow: &Flow, at: VertexId) -> impl Iterator<Item = &'c Edge> {
    let successors: Vec<EdgeId> = flow.successors[at].to_vec();
    successors.into_iter().map(|edge| &cfg.edges[edge])
}

fn find<'c>(
    cfg: &'c Cfg,
    flow: &Flow,
    at: VertexId,
    wanted: impl Fn(&Edge) -> bool,
) -> Option<&'c Edge> {
    flow.successors[at].iter().map(|&edge| &cfg.edges[edge]).find(|edge| wanted(edge))
}

/// The edge without a condition; where a XAIF 1.0 document has but one edge, that one.
fn plain<'c>(cfg: &'c Cfg, flow: &Flow, at: VertexId) -> Option<&'c Edge> {
    find(cfg, flow, at, |edge| edge.condition.is_none() && edge.guard.is_none())
        .or_else(|| find(cfg, flow, at, |_| flow.successors[at].len() == 1))
}

/// The edge for a condition value, else the one without a condition.
fn conditional<'c>(cfg: &'c Cfg, flow: &Flow, at: VertexId, value: i64) -> Option<&'c Edge> {
    find(cfg, flow, at, |edge| edge.condition == Some(value))
        .or_else(|| find(cfg, flow, at, |edge| edge.condition.is_none()))
}

/// The edge into a loop's body, or the one that leaves it.
fn round<'c>(cfg: &'c Cfg, flow: &Flow, at: VertexId, on: bool) -> Option<&'c Edge> {
    if on {
        find(cfg, flow, at, |edge| edge.condition == Some(1))
    } else {
        find(cfg, flow, at, |edge| edge.condition != Some(1))
    }
}
