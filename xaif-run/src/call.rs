//! Calls: which procedure is meant, how arguments are associated, what comes back.
//!
//! Arguments are passed by reference: a dummy argument is a view of the actual one. Copied are
//! expressions (they live in temporaries), VALUE arguments, and sections that are not contiguous
//! where the dummy argument is an explicit-shape or assumed-size array (in, and out again). An
//! element given to such a dummy is the beginning of a sequence, which may go on to the end of the
//! storage that it lies in. Types of actual and dummy argument may differ: bytes are passed.

use smallvec::SmallVec;
use xaif_schema::diag::Code;
use xaif_schema::model::{
    Arg, ArgValue, Attr, Body, Callee, Expr, ExprId, FunctionCall, Place, ProcId, ProcKind, RefId,
    Role, SpecItem, SubroutineCall, SymbolId, VertexId, VertexKind,
};

use crate::callee::Resolved;
use crate::exec::Exit;
use crate::fault::{Located as _, Run, fault, refuse};
use crate::intrinsics::Builtin;
use crate::machine::{Binding, Handle, Machine};
use crate::storage::{Addr, Slot};
use crate::value::{Array, Elem, Scalar, Shape, Value, size_of_shape};
use crate::view::{Extent, View};

/// A procedure as a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A body of the document, from an entry; for an internal procedure, the activation of its
    /// host by its place on the stack and its serial number.
    User { proc: ProcId, entry: Option<VertexId>, host: Option<(usize, u64)> },
    /// An intrinsic function.
    Intrinsic(Builtin),
}

/// An actual argument, evaluated.
#[derive(Clone, Debug)]
pub(crate) enum Actual {
    Absent,
    /// Data; `copied` if it is a value that nobody else sees.
    Data {
        view: View,
        copied: bool,
    },
    Handle(Handle),
    Procedure(Target),
    Label,
}

/// What a function gives back.
pub(crate) enum Returned {
    Nothing,
    Value(Value),
    Pointer(Slot),
}

impl<'d> Machine<'d> {
    /// A function reference.
    pub(crate) fn call_function(&mut self, call: &'d FunctionCall, expr: &Expr) -> Run<Value> {
        let symbol = call.callee.symbol;
        if let Some(Role::StatementFunction) = self.doc.role(symbol) {
            return self.statement_function(symbol, &call.args);
        }
        let resolved = self.resolve(&call.callee)?;
        match resolved.target {
            Target::Intrinsic(builtin) => {
                let exprs = call.args.iter().filter_map(|arg| match arg.value {
                    ArgValue::Expr(expr) => Some(expr),
                    ArgValue::AlternateReturn(_) => None,
                });
                let exprs: Vec<_> = exprs.map(Some).collect();
                if let Some(value) = self.inquiry(builtin, &exprs, expr)? {
                    return Ok(value);
                }
                let mut values = Vec::new();
                for arg in &call.args {
                    if let ArgValue::Expr(expr) = arg.value {
                        values.push(Some(self.under(None, |machine| machine.eval(expr))?));
                    }
                }
                self.elemental(builtin, values, None, expr.ty)
            }
            Target::User { proc, .. } => {
                let actuals = self.actuals(&resolved, &call.callee, &call.args)?;
                if let Some(shape) = self.elemental_shape(proc, &resolved.target, &actuals) {
                    return self.map_function(&resolved.target, &actuals, shape, expr);
                }
                let outer = self.mask.take();
                self.result_length = match self.elem_of_symbol(symbol) {
                    Ok(Elem::Char(length)) => Some(length),
                    Ok(_) | Err(_) => None,
                };
                let returned = self.invoke(&resolved.target, actuals, expr.place);
                self.mask = outer;
                match returned?.1 {
                    Returned::Value(value) => Ok(value),
                    Returned::Pointer(Slot::Data(view) | Slot::Owned(view)) => {
                        self.load_view(&view)
                    }
                    Returned::Pointer(Slot::Null | Slot::Procedure(_)) => fault(
                        Code::RUN_NOT_ALLOCATED,
                        "a function has returned a pointer that is not associated",
                    ),
                    Returned::Nothing => fault(
                        Code::RUN_MALFORMED,
                        format!("`{}` has no value", self.doc.name(symbol)),
                    ),
                }
            }
        }
    }

    /// What the pointer refers to that a function returns; `None` if it returns none.
    pub(crate) fn call_for_pointer(
        &mut self,
        call: &'d FunctionCall,
        expr: &Expr,
    ) -> Run<Option<Slot>> {
        if let Some(Role::StatementFunction) = self.doc.role(call.callee.symbol) {
            return Ok(None);
        }
        let resolved = self.resolve(&call.callee)?;
        if !self.returns_pointer(&resolved.target) {
            return Ok(None);
        }
        let actuals = self.actuals(&resolved, &call.callee, &call.args)?;
        match self.invoke(&resolved.target, actuals, expr.place)?.1 {
            Returned::Pointer(slot) => Ok(Some(slot)),
            Returned::Value(_) | Returned::Nothing => Ok(None),
        }
    }

    fn returns_pointer(&self, target: &Target) -> bool {
        let Target::User { proc, .. } = target else { return false };
        let result = self.doc.procs[*proc].result;
        let decl = result.and_then(|result| self.doc.symbols[result].decl.as_ref());
        decl.is_some_and(|decl| decl.has(Attr::Pointer))
    }

    /// CALL. The result is the condition value of the edge that an alternate return takes.
    pub(crate) fn call_subroutine(
        &mut self,
        call: &'d SubroutineCall,
        place: Place,
    ) -> Run<Option<i64>> {
        let resolved = self.resolve(&call.callee)?;
        match &resolved.target {
            Target::Intrinsic(builtin) => {
                self.intrinsic_subroutine(*builtin, &call.args)?;
                Ok(None)
            }
            Target::User { proc, .. } => {
                let proc = *proc;
                let actuals = self.actuals(&resolved, &call.callee, &call.args)?;
                if let Some(shape) = self.elemental_shape(proc, &resolved.target, &actuals) {
                    for index in 0..size_of_shape(&shape)? {
                        let element = element_actuals(&actuals, index);
                        self.invoke(&resolved.target, element, place)?;
                    }
                    return Ok(None);
                }
                let (alternate, _) = self.invoke(&resolved.target, actuals, place)?;
                let labels = call.args.iter().filter_map(|arg| match arg.value {
                    ArgValue::AlternateReturn(condition) => Some(condition),
                    ArgValue::Expr(_) => None,
                });
                let index = usize::try_from(alternate).ok().and_then(|n| n.checked_sub(1));
                Ok(index.and_then(|index| labels.into_iter().nth(index)))
            }
        }
    }

    /// A call of a procedure with values: user-defined assignment.
    pub(crate) fn call_assignment(
        &mut self,
        callee: &'d Callee,
        lhs: RefId,
        rhs: ExprId,
        place: Place,
    ) -> Run<()> {
        let resolved = self.resolve(callee)?;
        let to = self.locate(lhs)?.view()?;
        // The right-hand side is passed as if in parentheses.
        let value = self.eval(rhs)?;
        let from = self.materialise(value)?;
        let actuals: SmallVec<[Actual; 4]> = SmallVec::from_iter([
            Actual::Data { view: to, copied: false },
            Actual::Data { view: from, copied: true },
        ]);
        let Target::User { proc, .. } = resolved.target else {
            return fault(Code::RUN_MALFORMED, "an assignment is defined by an intrinsic");
        };
        if let Some(shape) = self.elemental_shape(proc, &resolved.target, &actuals) {
            for index in 0..size_of_shape(&shape)? {
                let element = element_actuals(&actuals, index);
                self.invoke(&resolved.target, element, place)?;
            }
            return Ok(());
        }
        self.invoke(&resolved.target, actuals, place)?;
        Ok(())
    }

    /// Evaluates the actual arguments, one for each dummy argument.
    fn actuals(
        &mut self,
        resolved: &Resolved,
        callee: &Callee,
        args: &[Arg],
    ) -> Run<SmallVec<[Actual; 4]>> {
        let Target::User { proc, entry, .. } = resolved.target else {
            return Ok(SmallVec::new());
        };
        let dummies = self.dummies(proc, entry);
        let mut actuals: SmallVec<[Actual; 4]> = SmallVec::from_elem(Actual::Absent, dummies.len());
        let name_at = |symbol: Option<SymbolId>| symbol.map_or("", |s| self.doc.name(s));
        // Keywords are those of the interface by which it is called.
        let described = self.doc.described_by(callee.symbol);
        let called = described.map_or(dummies, |proc| self.doc.procs[proc].args.as_slice());
        let pass = resolved.passed.as_ref().map(|(_, name)| match name {
            Some(name) => dummies
                .iter()
                .position(|d| name_at(d.symbol).eq_ignore_ascii_case(name))
                .unwrap_or(0),
            None => 0,
        });
        // Positions may or may not count the object that is passed.
        let shift = pass.is_some_and(|pass| {
            args.iter().any(|arg| arg.keyword.is_none() && arg.position as usize == pass + 1)
        });
        for arg in args {
            let by_name = arg.keyword.as_ref().and_then(|keyword| {
                called.iter().position(|d| name_at(d.symbol).eq_ignore_ascii_case(keyword))
            });
            let mut index = by_name.unwrap_or((arg.position as usize).saturating_sub(1));
            if by_name.is_none() && shift && pass.is_some_and(|pass| index >= pass) {
                index += 1;
            }
            let Some(dummy) = dummies.get(index) else {
                return fault(
                    Code::RUN_ARGUMENT,
                    format!(
                        "argument {} is given, but the procedure takes {}",
                        index + 1,
                        dummies.len()
                    ),
                );
            };
            actuals[index] = self.actual(arg, dummy.symbol)?;
        }
        if let (Some(index), Some((view, _))) = (pass, &resolved.passed)
            && let Some(actual) = actuals.get_mut(index)
        {
            *actual = Actual::Data { view: view.clone(), copied: false };
        }
        Ok(actuals)
    }

    /// The shape over which an elemental procedure is mapped; `None` where it is just called.
    fn elemental_shape(&self, proc: ProcId, target: &Target, actuals: &[Actual]) -> Option<Shape> {
        let Target::User { entry, .. } = *target else { return None };
        let decl = self.doc.symbols[self.doc.procs[proc].symbol].decl.as_ref()?;
        if !decl.has(Attr::Elemental) {
            return None;
        }
        let ranks = self.dummies(proc, entry).iter().zip(actuals);
        ranks.into_iter().find_map(|(_, actual)| match actual {
            Actual::Data { view, .. } if !view.dims.is_empty() => Some(view.shape()),
            _ => None,
        })
    }

    fn map_function(
        &mut self,
        target: &Target,
        actuals: &[Actual],
        shape: Shape,
        expr: &Expr,
    ) -> Run<Value> {
        let count = size_of_shape(&shape)?;
        let mask = self.mask.take().filter(|mask| mask.len() == count);
        let fallback = self.elem_of_base(expr.ty.base).unwrap_or(Elem::Int(4));
        let mut values = Vec::with_capacity(count);
        let mut failed = None;
        for index in 0..count {
            if mask.as_ref().is_some_and(|mask| !mask[index]) {
                values.push(Value::Scalar(Scalar::Undefined(fallback)));
                continue;
            }
            match self.invoke(target, element_actuals(actuals, index), expr.place) {
                Ok((_, Returned::Value(value))) => values.push(value),
                Ok(_) => failed = Some(fault(Code::RUN_TYPE, "an elemental function has no value")),
                Err(halt) => failed = Some(Err(halt)),
            }
            if failed.is_some() {
                break;
            }
        }
        self.mask = mask;
        if let Some(failed) = failed {
            return failed;
        }
        self.collect_elements(values, fallback, shape)
    }

    fn collect_elements(&mut self, values: Vec<Value>, elem: Elem, shape: Shape) -> Run<Value> {
        if let Some(Value::Object(first)) = values.first() {
            let elem = first.elem;
            let size = self.size_of(elem);
            let start = self.temporary(size.saturating_mul(values.len() as i64))?;
            let mut to = start;
            for value in &values {
                if let Value::Object(view) = value {
                    self.memory.copy(view.addr, to, size)?;
                }
                to = to.plus(size);
            }
            let bounds: Vec<(i64, i64)> = shape.iter().map(|&count| (1, count)).collect();
            return Ok(Value::Object(Box::new(View::contiguous(elem, size, start, &bounds))));
        }
        let mut data = Vec::with_capacity(values.len());
        for value in values {
            data.push(value.scalar()?);
        }
        let mut array = Array { elem, shape, data };
        array.retype();
        Ok(array.into())
    }

    fn statement_function(&mut self, symbol: SymbolId, args: &[Arg]) -> Run<Value> {
        let doc = self.doc;
        let definition =
            doc.scopes.values().flat_map(|scope| &scope.items).find_map(|item| match item {
                SpecItem::StatementFunction { symbol: s, args, body, .. } if *s == symbol => {
                    Some((args, *body))
                }
                _ => None,
            });
        let name = doc.name(symbol);
        let Some((dummies, body)) = definition else {
            return fault(Code::RUN_MALFORMED, format!("statement function `{name}` has no body"));
        };
        let mut bindings = Vec::new();
        for (index, &dummy) in dummies.iter().enumerate() {
            let arg = args.iter().find(|arg| arg.position as usize == index + 1);
            let Some(&Arg { value: ArgValue::Expr(expr), .. }) = arg else {
                return fault(Code::RUN_ARGUMENT, format!("`{name}` lacks argument {}", index + 1));
            };
            let elem = self.elem_of_symbol(dummy)?;
            let value = self.eval(expr)?;
            let addr = self.temporary(self.size_of(elem))?;
            let view = View::scalar(elem, addr);
            self.store(&view, value)?;
            bindings.push((dummy, Binding::Data(view)));
        }
        let mut outer = Vec::new();
        for (dummy, binding) in bindings {
            outer.push((dummy, self.bound(dummy).cloned().unwrap_or_default()));
            self.bind(dummy, binding)?;
        }
        let value = self.eval(body);
        for (dummy, binding) in outer {
            self.bind(dummy, binding)?;
        }
        let elem = self.elem_of_symbol(symbol)?;
        let value = value?;
        self.elementwise(value, |_, a| crate::arith::convert(a.clone(), elem))
    }

    /// Calls a body: activation, arguments, flow, copies back, result.
    pub(crate) fn invoke(
        &mut self,
        target: &Target,
        actuals: SmallVec<[Actual; 4]>,
        place: Place,
    ) -> Run<(i64, Returned)> {
        let Target::User { proc, entry, host } = *target else {
            return self.invoke_intrinsic(target, &actuals);
        };
        self.check_stack()?;
        self.arith.counts.calls += 1;
        let host = match host {
            Some((frame, serial)) => {
                if self.frames.get(frame).is_none_or(|frame| frame.serial != serial) {
                    return fault(
                        Code::RUN_DANGLING,
                        "an internal procedure is called whose host has ended",
                    );
                }
                Some(frame)
            }
            None => None,
        };
        let frame = self.activation(proc, host);
        self.frames.push(frame);
        let mark = self.temps.len();
        let outer = (self.place, self.mask.take());
        let result = self.run_body(proc, entry, &actuals);
        self.place = outer.0;
        self.mask = outer.1;
        // What the result consists of was copied behind the mark and lives on.
        let returned = result.called(place, self.doc.name(self.doc.procs[proc].symbol));
        let kept = match &returned {
            Ok((_, Returned::Value(Value::Object(view)))) => Some(view.addr.block),
            Ok(_) | Err(_) => None,
        };
        let young = self.temps.split_off(mark.min(self.temps.len()));
        for block in young {
            if Some(block) == kept {
                self.temps.push(block);
            } else {
                self.memory.release(block);
            }
        }
        self.leave();
        returned
    }

    fn run_body(
        &mut self,
        proc: ProcId,
        entry: Option<VertexId>,
        actuals: &[Actual],
    ) -> Run<(i64, Returned)> {
        let doc = self.doc;
        let Body::Flow(cfg) = &doc.procs[proc].body else {
            return fault(Code::RUN_EXTERNAL, "a procedure is called whose body is not given");
        };
        let length = self.result_length.take();
        let copies = self.bind_dummies(self.dummies(proc, entry), actuals)?;
        if let Some(result) = doc.procs[proc].result
            && length.is_some()
            && doc.procs[proc].kind != ProcKind::Program
            && matches!(self.elem_of_symbol(result), Ok(Elem::Char(0)))
        {
            self.result_length = length;
            self.binding(result)?;
        }
        for &symbol in &self.program.automatic[proc] {
            self.binding(symbol)?;
        }
        self.share_results(proc)?;
        let exit = self.walk(proc, cfg, entry)?;
        for (temporary, original) in copies {
            let size = self.size_of(original.elem);
            for (from, to) in temporary.elements().zip(original.elements()) {
                self.memory.copy(from, to, size)?;
            }
        }
        let Exit { alternate } = exit;
        Ok((alternate, self.fetch_result(proc, entry)?))
    }

    /// The results of a function and its entries share storage.
    fn share_results(&mut self, proc: ProcId) -> Run<()> {
        let doc = self.doc;
        let Body::Flow(cfg) = &doc.procs[proc].body else { return Ok(()) };
        let points = cfg.vertices.values().filter_map(|vertex| match &vertex.kind {
            VertexKind::Entry(Some(point)) => point.result,
            _ => None,
        });
        let points: Vec<SymbolId> = points.collect();
        let (Some(main), false) = (doc.procs[proc].result, points.is_empty()) else {
            return Ok(());
        };
        let mut size = 0;
        for symbol in points.iter().copied().chain([main]) {
            let elem = self.elem_of_symbol(symbol)?;
            if !self.bounds_of_symbol(symbol)?.is_empty() {
                return refuse("an ENTRY in a function whose result is an array");
            }
            size = self.size_of(elem).max(size);
        }
        let addr = self.local_block(size, main)?;
        for symbol in points.into_iter().chain([main]) {
            let elem = self.elem_of_symbol(symbol)?;
            self.bind(symbol, Binding::Data(View::scalar(elem, addr)))?;
        }
        Ok(())
    }

    fn fetch_result(&mut self, proc: ProcId, entry: Option<VertexId>) -> Run<Returned> {
        let doc = self.doc;
        let procedure = &doc.procs[proc];
        let mut result = procedure.result;
        if let (Some(vertex), Body::Flow(cfg)) = (entry, &procedure.body)
            && let VertexKind::Entry(Some(point)) = &cfg.vertices[vertex].kind
        {
            result = point.result;
        }
        let Some(result) = result else { return Ok(Returned::Nothing) };
        if procedure.kind == ProcKind::Program {
            return Ok(Returned::Nothing);
        }
        let view = match self.binding(result)? {
            Binding::Data(view) => view.clone(),
            Binding::Handle(handle) => {
                let handle = *handle;
                if !handle.allocatable {
                    let slot = self.memory.slot(handle.addr)?.cloned();
                    return Ok(Returned::Pointer(slot.unwrap_or(Slot::Null)));
                }
                self.target_view(handle)?
            }
            Binding::Unbound | Binding::Absent | Binding::Procedure(_) => {
                return Ok(Returned::Nothing);
            }
        };
        let value = match self.load_view(&view)? {
            Value::Object(view) => self.copy_object(&view)?,
            Value::Scalar(Scalar::Undefined(_)) => {
                return fault(
                    Code::RUN_UNDEFINED,
                    format!("`{}` ends without a value", doc.name(result)),
                );
            }
            other => other,
        };
        Ok(Returned::Value(value))
    }

    /// An object of its own with the value of another.
    pub(crate) fn copy_object(&mut self, view: &View) -> Run<Value> {
        let size = self.size_of(view.elem);
        let shape = view.known_shape()?;
        let total = (size_of_shape(&shape)? as i64).saturating_mul(size);
        let start = self.temporary(total)?;
        let mut to = start;
        for from in view.elements() {
            self.memory.copy(from, to, size)?;
            to = to.plus(size);
        }
        let bounds: Vec<(i64, i64)> = shape.iter().map(|&count| (1, count)).collect();
        Ok(Value::Object(Box::new(View::contiguous(view.elem, size, start, &bounds))))
    }

    /// An intrinsic function that is called through a dummy procedure.
    fn invoke_intrinsic(&mut self, target: &Target, actuals: &[Actual]) -> Run<(i64, Returned)> {
        let Target::Intrinsic(builtin) = *target else {
            return fault(Code::RUN_MALFORMED, "no procedure is called");
        };
        let mut values = Vec::new();
        for actual in actuals {
            if let Actual::Data { view, .. } = actual {
                values.push(Some(self.load_view(view)?));
            }
        }
        let ty = xaif_schema::model::Ty::default();
        Ok((0, Returned::Value(self.elemental(builtin, values, None, ty)?)))
    }
}

/// The actual arguments of the call for element `index` of an elemental procedure.
fn element_actuals(actuals: &[Actual], index: usize) -> SmallVec<[Actual; 4]> {
    actuals
        .iter()
        .map(|actual| match actual {
            Actual::Data { view, copied } if !view.dims.is_empty() => {
                Actual::Data { view: element_view(view, index), copied: *copied }
            }
            other => other.clone(),
        })
        .collect()
}

fn element_view(view: &View, index: usize) -> View {
    let mut left = index as i64;
    let mut addr: Addr = view.addr;
    for &Extent { count, stride, .. } in &view.dims {
        let count = count.max(1);
        addr = addr.plus((left % count).wrapping_mul(stride));
        left /= count;
    }
    View::scalar(view.elem, addr)
}
