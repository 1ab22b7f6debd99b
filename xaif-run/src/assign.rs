//! Assignments of every kind: plain, to pointers, under masks, for all indices; ALLOCATE and its
//! opposites.

use std::rc::Rc;

use xaif_schema::diag::Code;
use xaif_schema::model::{
    Allocate, Base, ExprId, ExprKind, Forall, ForallHeader, Part, RefId, Release, StmtId, StmtKind,
    Subscript, SymbolId, Where,
};

use crate::arith::convert;
use crate::expr::show;
use crate::fault::{Halt, Located as _, Run, fault, refuse};
use crate::intrinsics::Builtin;
use crate::layout::extent;
use crate::machine::{Binding, Handle, Machine};
use crate::program::Op;
use crate::reference::Located;
use crate::storage::{Addr, Slot};
use crate::value::{Array, Elem, Scalar, Shape, Value, size_of_shape};
use crate::view::{Extent, View};

/// What `stat=` gets where ALLOCATE or DEALLOCATE fails: gfortran's number.
const ALLOCATION_FAILED: i64 = 5014;

impl Machine<'_> {
    /// `lhs = rhs`
    pub(crate) fn assign(&mut self, lhs: RefId, rhs: ExprId) -> Run<()> {
        self.arith.counts.assignments += 1;
        let doc = self.doc;
        let reference = &doc.refs[lhs];
        if self.copies_undefined(lhs, rhs)? {
            return Ok(());
        }
        let copied = self.copied(rhs)?;
        let value = match &copied {
            Some((_, value)) => value.clone(),
            None => self.eval(rhs)?,
        };
        self.observed.value(self.place, &value);
        self.refuse_final(value.elem(), "assignment to a variable").at(reference.place)?;
        if reference.deriv {
            let view = self.locate(lhs)?.view()?;
            return self.store_derivative(&view, value);
        }
        let subscripted = matches!(reference.parts.last(), Some(Part::Elements(_)));
        if !subscripted
            && let Some(handle) =
                self.handle(reference.base, &reference.parts).at(reference.place)?
            && handle.allocatable
        {
            let bounds = self.lower_bounds(rhs)?;
            let polymorphic = matches!(reference.ty.base, Base::Class(_) | Base::ClassStar);
            self.reallocate(handle, polymorphic, &value, bounds).at(reference.place)?;
        }
        let to = self.locate(lhs)?;
        if let (Some((from, _)), Value::Scalar(Scalar::Undefined(elem))) = (copied, &value) {
            if *elem != to.elem() {
                return self.name_undefined(&value, from);
            }
            for (addr, _) in to.addresses() {
                self.memory.undefine(addr, *elem)?;
            }
            return Ok(());
        }
        let result = self.store_at(&to, value);
        result.map_err(|mut halt| {
            if let Halt::Fault(fault) = &mut *halt {
                fault.about(doc.name(reference.base));
            }
            halt
        })
    }

    /// The scalar that an assignment copies, with its reference, where that may have no value.
    fn copied(&mut self, rhs: ExprId) -> Run<Option<(RefId, Value)>> {
        let doc = self.doc;
        let ExprKind::Ref(from) = doc.exprs[rhs].kind else { return Ok(None) };
        let reference = &doc.refs[from];
        let inquires = matches!(reference.parts.last(), Some(Part::Inquiry(_)));
        let is_scalar = doc.exprs[rhs].ty.rank == 0;
        if !self.limits.copies_undefined || !is_scalar || reference.deriv || inquires {
            return Ok(None);
        }
        let located = self.locate(from)?;
        Ok(Some((from, self.load(&located).at(reference.place)?)))
    }

    /// The lower bounds of a whole array, a variable or a component, which an allocatable takes over.
    fn lower_bounds(&mut self, rhs: ExprId) -> Run<Option<Vec<i64>>> {
        let expr = &self.doc.exprs[rhs];
        let ExprKind::Ref(r) = expr.kind else { return Ok(None) };
        let view = match self.doc.refs[r].parts.is_empty() {
            _ if expr.parens => return Ok(None),
            true => self.base_view(self.doc.refs[r].base)?,
            false if self.is_array_component(r) => self.locate(r)?.view()?,
            false => return Ok(None),
        };
        Ok(Some(view.dims.iter().map(|dim| dim.lower).collect()))
    }

    /// Whether a reference ends with a component that is an array itself.
    fn is_array_component(&self, r: RefId) -> bool {
        let reference = &self.doc.refs[r];
        let Some(Part::Component { symbol: Some(component), .. }) = reference.parts.last() else {
            return false;
        };
        let rank = self.doc.symbols[*component].rank;
        reference.ty.rank > 0 && rank == Some(reference.ty.rank)
    }

    /// Gives an allocatable the shape, and what is deferred in its type, of the value to come.
    fn reallocate(
        &mut self,
        handle: Handle,
        polymorphic: bool,
        value: &Value,
        lower: Option<Vec<i64>>,
    ) -> Run<()> {
        let shape = value.shape();
        let old = match self.memory.slot(handle.addr)? {
            Some(Slot::Owned(view) | Slot::Data(view)) => Some(view.clone()),
            Some(Slot::Null | Slot::Procedure(_)) | None => None,
        };
        let elem = match (handle.elem, value.elem()) {
            (Some(Elem::Char(0)) | None, found) => found,
            (Some(Elem::Derived(_)), found @ Elem::Derived(_)) if polymorphic => found,
            (Some(elem), _) => elem,
        };
        if let Some(old) = &old {
            let fits = old.elem == elem && (shape.is_empty() || old.shape() == shape);
            if fits {
                return Ok(());
            }
        } else if shape.is_empty() && handle.rank > 0 {
            return fault(
                Code::RUN_NOT_ALLOCATED,
                "a scalar is assigned to an array that is not allocated",
            );
        }
        let shape = match &old {
            Some(old) if shape.is_empty() => old.shape(),
            Some(_) | None => shape,
        };
        let mut view = self.allocate_like(elem, &shape)?;
        for (dim, lower) in view.dims.iter_mut().zip(lower.unwrap_or_default()) {
            dim.lower = lower;
        }
        // The value may be the old object itself; it stays alive as a temporary.
        if let Some(old) = old {
            self.temps.push(old.addr.block);
        }
        self.memory.set_slot(handle.addr, Slot::Owned(view))
    }

    /// A new object of its own block.
    pub(crate) fn allocate_like(&mut self, elem: Elem, shape: &[i64]) -> Run<View> {
        let size = (size_of_shape(shape)? as i64).saturating_mul(self.size_of(elem));
        let block = self.memory.allocate(size)?;
        let bounds: Vec<(i64, i64)> = shape.iter().map(|&count| (1, count)).collect();
        let view = View::contiguous(elem, self.size_of(elem), Addr { block, offset: 0 }, &bounds);
        self.default_initialise(&view)?;
        Ok(view)
    }

    /// Stores a value with conversion; a scalar goes to every element.
    pub(crate) fn store(&mut self, view: &View, value: Value) -> Run<()> {
        if let (Value::Scalar(scalar), true) = (&value, view.dims.is_empty()) {
            let scalar = convert(scalar.clone(), view.elem)?;
            return self.memory.write(view.addr, &scalar);
        }
        self.store_at(&Located::View(view.clone()), value)
    }

    /// Stores a value at a place.
    pub(crate) fn store_at(&mut self, to: &Located, value: Value) -> Run<()> {
        let elem = to.elem();
        match value {
            Value::Scalar(scalar) => {
                if let Located::View(view) = to
                    && view.dims.is_empty()
                {
                    return self.memory.write(view.addr, &convert(scalar, elem)?);
                }
                to.shape()?;
                let scalar = convert(scalar, elem)?;
                for (addr, _) in to.addresses() {
                    self.memory.write(addr, &scalar)?;
                }
                Ok(())
            }
            Value::Array(array) => self.store_array(to, *array),
            Value::Object(view) => self.store_object(to, &view, &[]),
        }
    }

    fn store_array(&mut self, to: &Located, array: Array) -> Run<()> {
        let shape = to.shape()?;
        if shape != array.shape {
            return fault(
                Code::RUN_SHAPE,
                format!(
                    "an array of shape {} is assigned to one of shape {}",
                    show(&array.shape),
                    show(&shape)
                ),
            );
        }
        let elem = to.elem();
        let copies_undefined = self.limits.copies_undefined;
        for ((addr, _), value) in to.addresses().into_iter().zip(array.data) {
            match value {
                Scalar::Undefined(own) if copies_undefined && own == elem => {
                    self.memory.undefine(addr, elem)?;
                }
                value => self.memory.write(addr, &convert(value, elem)?)?,
            }
        }
        Ok(())
    }

    /// Stores a structure or an array of structures, but not where `mask` says so.
    fn store_object(&mut self, to: &Located, from: &View, mask: &[bool]) -> Run<()> {
        let (Elem::Derived(target), Elem::Derived(source)) = (to.elem(), from.elem) else {
            return fault(
                Code::RUN_TYPE,
                format!("a derived type cannot become {}", to.elem().name()),
            );
        };
        if !self.extends(source, target) && !self.extends(target, source) {
            return fault(Code::RUN_TYPE, "objects of different derived types are assigned");
        }
        let size = self.size_of(to.elem()).min(self.size_of(from.elem));
        let to_addrs = to.addresses();
        if !from.dims.is_empty() && from.known_shape()? != to.shape()? {
            return fault(Code::RUN_SHAPE, "arrays of different shapes are assigned");
        }
        // Overlapping sections: what is read must be read before it is overwritten.
        let start = self.temporary(size.saturating_mul(to_addrs.len() as i64))?;
        let mut parked = start;
        let mut sources = from.elements();
        let scalar = from.dims.is_empty();
        for _ in &to_addrs {
            let next = if scalar { Some(from.addr) } else { sources.next() };
            if let Some(addr) = next {
                self.memory.copy(addr, parked, size)?;
            }
            parked = parked.plus(size);
        }
        let mut parked = start;
        for (index, (addr, _)) in to_addrs.into_iter().enumerate() {
            if mask.get(index).copied().unwrap_or(true) {
                self.memory.copy(parked, addr, size)?;
            }
            parked = parked.plus(size);
        }
        Ok(())
    }

    /// Stores derivatives that the document itself computes.
    pub(crate) fn store_derivative(&mut self, view: &View, value: Value) -> Run<()> {
        let elements: Vec<Addr> = view.elements().collect();
        for (index, addr) in elements.into_iter().enumerate() {
            let value = match &value {
                Value::Scalar(scalar) => convert(scalar.clone(), Elem::Real(8))?,
                Value::Array(array) => match array.data.get(index) {
                    Some(element) => convert(element.clone(), Elem::Real(8))?,
                    None => return fault(Code::RUN_SHAPE, "derivatives of different shapes"),
                },
                Value::Object(_) => {
                    return fault(Code::RUN_TYPE, "a derived type is taken as a derivative");
                }
            };
            self.memory.set_deriv(addr, value.as_real()?.1.v)?;
        }
        Ok(())
    }

    /// What a pointer that is associated with the value of `expr` refers to.
    pub(crate) fn target(&mut self, expr: ExprId) -> Run<Slot> {
        if let Some(slot) = self.slot_of_expr(expr)? {
            return Ok(slot);
        }
        match &self.doc.exprs[expr].kind {
            ExprKind::Ref(r) => Ok(Slot::Data(self.locate(*r)?.view()?)),
            _ => fault(Code::RUN_TYPE, "a pointer is associated with what is no target"),
        }
        .at(self.doc.exprs[expr].place)
    }

    /// What `null()`, a pointer, a procedure or a function that returns a pointer refers to;
    /// `None` for other expressions.
    pub(crate) fn slot_of_expr(&mut self, expr: ExprId) -> Run<Option<Slot>> {
        use xaif_schema::model::ConstantClass;
        let doc = self.doc;
        match &doc.exprs[expr].kind {
            ExprKind::Constant(c) if c.class == ConstantClass::Null => Ok(Some(Slot::Null)),
            ExprKind::Intrinsic { .. }
                if matches!(self.program.ops[expr], Op::Builtin(Builtin::Null, _)) =>
            {
                Ok(Some(Slot::Null))
            }
            ExprKind::Procedure(symbol) => Ok(Some(Slot::Procedure(self.target_of(*symbol)?))),
            ExprKind::Call(call) => self.call_for_pointer(call, &doc.exprs[expr]),
            ExprKind::Ref(r) => {
                let reference = &doc.refs[*r];
                let Some(handle) = self.handle(reference.base, &reference.parts)? else {
                    return Ok(None);
                };
                match self.memory.slot(handle.addr)? {
                    Some(Slot::Owned(view) | Slot::Data(view)) => {
                        Ok(Some(Slot::Data(view.clone())))
                    }
                    Some(Slot::Null) => Ok(Some(Slot::Null)),
                    Some(Slot::Procedure(target)) => Ok(Some(Slot::Procedure(target.clone()))),
                    None => {
                        let name = doc.name(reference.base);
                        fault(
                            Code::RUN_UNDEFINED,
                            format!("pointer `{name}` is used that was never given a target"),
                        )
                    }
                }
            }
            ExprKind::Constant(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Opaque(_) => Ok(None),
        }
    }

    /// `lhs => rhs`
    pub(crate) fn pointer_assign(&mut self, lhs: RefId, rhs: ExprId) -> Run<()> {
        let doc = self.doc;
        let reference = &doc.refs[lhs];
        let (parts, bounds) = match reference.parts.split_last() {
            Some((Part::Elements(bounds), before))
                if self.handle(reference.base, before)?.is_some() =>
            {
                (before, Some(bounds))
            }
            Some(_) | None => (reference.parts.as_slice(), None),
        };
        let Some(handle) = self.handle(reference.base, parts)? else {
            let name = doc.name(reference.base);
            return fault(Code::RUN_MALFORMED, format!("`{name}` is no pointer"))
                .at(reference.place);
        };
        let mut slot = self.target(rhs)?;
        if let (Some(bounds), Slot::Data(view)) = (bounds, &mut slot) {
            self.remap(view, bounds)?;
        }
        self.memory.set_slot(handle.addr, slot)
    }

    /// `p(lower:) => …` and `p(lower:upper, …) => …`
    fn remap(&mut self, view: &mut View, bounds: &[Subscript]) -> Run<()> {
        let mut given = Vec::new();
        for bound in bounds {
            let Subscript::Section { lower, upper, .. } = *bound else {
                return fault(Code::RUN_MALFORMED, "the bounds of a pointer are no section");
            };
            let lower = self.lower_bound(lower)?;
            given.push((lower, upper.map(|upper| self.int(upper)).transpose()?));
        }
        if given.iter().all(|(_, upper)| upper.is_none()) {
            for (dim, (lower, _)) in view.dims.iter_mut().zip(given) {
                dim.lower = lower;
            }
            return Ok(());
        }
        let size = self.size_of(view.elem);
        let first = match view.dims.as_slice() {
            [one] => one.stride,
            _ if view.is_contiguous(size) => size,
            _ => return refuse("bounds remapping of a section that is not contiguous"),
        };
        let available = size_of_shape(&view.known_shape()?)? as i64;
        let bounds: Vec<(i64, i64)> = given
            .into_iter()
            .map(|(lower, upper)| (lower, extent(lower, upper.unwrap_or(lower))))
            .collect();
        let shape: Shape = bounds.iter().map(|&(_, count)| count).collect();
        if size_of_shape(&shape)? as i64 > available {
            return fault(Code::RUN_SHAPE, "a pointer is remapped to more than its target has");
        }
        *view = View::contiguous(view.elem, first, view.addr, &bounds);
        Ok(())
    }

    /// WHERE.
    pub(crate) fn exec_where(&mut self, construct: &Where, outer: Option<Rc<[bool]>>) -> Run<()> {
        let mut pending = outer;
        for arm in &construct.arms {
            let mask = match arm.mask {
                Some(mask) => {
                    let value = self.under(pending.clone(), |machine| machine.eval(mask))?;
                    self.split(&value, &mut pending).at(self.doc.exprs[mask].place)?
                }
                None => pending.clone(),
            };
            for &stmt in &arm.body {
                self.place = self.doc.stmts[stmt].place;
                self.masked(stmt, mask.clone()).at(self.place)?;
            }
        }
        Ok(())
    }

    /// The mask of an arm; `pending` keeps what is left for the arms behind it.
    pub(crate) fn split(
        &self,
        value: &Value,
        pending: &mut Option<Rc<[bool]>>,
    ) -> Run<Option<Rc<[bool]>>> {
        let Value::Array(array) = value else {
            return fault(Code::RUN_SHAPE, "the mask of a WHERE is no array");
        };
        let before = match pending {
            Some(pending) if pending.len() == array.data.len() => pending.to_vec(),
            Some(_) => return fault(Code::RUN_SHAPE, "masks of a WHERE do not conform"),
            None => vec![true; array.data.len()],
        };
        let mut ours = Vec::with_capacity(before.len());
        let mut left = Vec::with_capacity(before.len());
        for (&open, element) in before.iter().zip(&array.data) {
            let chosen = open && element.as_logical()?;
            ours.push(chosen);
            left.push(open && !chosen);
        }
        *pending = Some(left.into());
        Ok(Some(ours.into()))
    }

    /// Evaluates something under a mask.
    pub(crate) fn under<T>(
        &mut self,
        mask: Option<Rc<[bool]>>,
        f: impl FnOnce(&mut Self) -> Run<T>,
    ) -> Run<T> {
        let outer = std::mem::replace(&mut self.mask, mask);
        let result = f(self);
        self.mask = outer;
        result
    }

    fn masked(&mut self, stmt: StmtId, mask: Option<Rc<[bool]>>) -> Run<()> {
        let doc = self.doc;
        match &doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, rhs, defined: None } => {
                self.arith.counts.assignments += 1;
                let value = self.under(mask.clone(), |machine| machine.eval(*rhs))?;
                let to = self.locate(*lhs)?;
                self.store_masked(&to, value, mask)
            }
            StmtKind::Assign { defined: Some(_), .. } => {
                refuse("a user-defined assignment under WHERE")
            }
            StmtKind::Where(inner) => self.exec_where(inner, mask),
            StmtKind::Comment(_) => Ok(()),
            StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Forall(_)
            | StmtKind::Allocate(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_) => fault(Code::RUN_MALFORMED, "WHERE holds no such statement"),
        }
    }

    /// Stores what a mask allows.
    pub(crate) fn store_masked(
        &mut self,
        to: &Located,
        value: Value,
        mask: Option<Rc<[bool]>>,
    ) -> Run<()> {
        let addresses = to.addresses();
        let mask = mask.unwrap_or_else(|| vec![true; addresses.len()].into());
        let fits = match &value {
            Value::Scalar(_) => true,
            Value::Array(array) => array.data.len() == addresses.len(),
            Value::Object(view) => {
                return self.store_object(to, view, &mask);
            }
        };
        if mask.len() != addresses.len() || !fits {
            return fault(Code::RUN_SHAPE, "an assignment does not conform with its mask");
        }
        let value = crate::expr::Operand::of(value);
        for (index, (addr, elem)) in addresses.into_iter().enumerate() {
            if mask.get(index).copied().unwrap_or(false) {
                let element = convert(value.at(index).clone(), elem)?;
                self.memory.write(addr, &element)?;
            }
        }
        Ok(())
    }

    /// FORALL.
    pub(crate) fn exec_forall(&mut self, forall: &Forall) -> Run<()> {
        self.forall_in(forall, vec![Vec::new()])
    }

    /// FORALL inside of others, whose indices have the values of `contexts`, one after the other.
    fn forall_in(&mut self, forall: &Forall, contexts: Vec<Vec<(SymbolId, i64)>>) -> Run<()> {
        self.check_stack()?;
        let mut all = Vec::new();
        for context in contexts {
            self.set_indices(&context)?;
            for values in self.rounds(&forall.header)? {
                let mut context = context.clone();
                context.extend(forall.header.ranges.iter().map(|range| range.var).zip(values));
                all.push(context);
            }
        }
        let doc = self.doc;
        for &stmt in &forall.body {
            self.place = doc.stmts[stmt].place;
            match &doc.stmts[stmt].kind {
                StmtKind::Assign { lhs, rhs, defined: None } => {
                    self.forall_assign(*lhs, *rhs, &all).at(self.place)?;
                }
                StmtKind::PointerAssign { lhs, rhs } => {
                    for context in &all {
                        self.set_indices(context)?;
                        self.pointer_assign(*lhs, *rhs).at(self.place)?;
                    }
                }
                StmtKind::Forall(inner) => self.forall_in(inner, all.clone())?,
                StmtKind::Comment(_) => {}
                StmtKind::Where(inner) => {
                    self.where_for_all(inner, &all, vec![None; all.len()]).at(self.place)?;
                }
                StmtKind::Assign { defined: Some(_), .. } => {
                    return refuse("a user-defined assignment in FORALL").at(self.place);
                }
                StmtKind::Call(_)
                | StmtKind::InlinableCall(_)
                | StmtKind::Propagate(_)
                | StmtKind::Allocate(_)
                | StmtKind::Release(_)
                | StmtKind::OpenScope(_)
                | StmtKind::CloseScope(_)
                | StmtKind::Marker(_) => {
                    return fault(Code::RUN_MALFORMED, "FORALL holds no such statement")
                        .at(self.place);
                }
            }
        }
        Ok(())
    }

    /// All right-hand sides first, then all assignments.
    fn forall_assign(
        &mut self,
        lhs: RefId,
        rhs: ExprId,
        contexts: &[Vec<(SymbolId, i64)>],
    ) -> Run<()> {
        let mut pending = Vec::with_capacity(contexts.len());
        for context in contexts {
            self.set_indices(context)?;
            self.arith.counts.assignments += 1;
            let value = self.eval(rhs)?;
            self.refuse_final(value.elem(), "assignment to a variable")?;
            let value = match value {
                Value::Object(view) => {
                    let size = self.size_of(view.elem);
                    let addr = self.temporary(size)?;
                    self.memory.copy(view.addr, addr, size)?;
                    Value::Object(Box::new(View::scalar(view.elem, addr)))
                }
                other => other,
            };
            pending.push((self.locate(lhs)?, value));
        }
        for (to, value) in pending {
            self.store_at(&to, value)?;
        }
        Ok(())
    }

    /// The index values for which the mask of a header holds, in order.
    pub(crate) fn rounds(&mut self, header: &ForallHeader) -> Run<Vec<Vec<i64>>> {
        let mut rounds: Vec<Vec<i64>> = vec![Vec::new()];
        let mut lists = Vec::new();
        for range in &header.ranges {
            lists.push(self.index_values(range)?.collect::<Vec<i64>>());
        }
        // The first index runs fastest, as gfortran's loops do.
        for list in lists.iter().rev() {
            size_of_shape(&[rounds.len() as i64, list.len() as i64])?;
            rounds = rounds
                .iter()
                .flat_map(|tail| {
                    list.iter().map(move |&value| {
                        let mut round = vec![value];
                        round.extend(tail);
                        round
                    })
                })
                .collect();
        }
        let Some(mask) = header.mask else { return Ok(rounds) };
        let mut kept = Vec::new();
        for round in rounds {
            let context: Vec<_> = header.ranges.iter().map(|range| range.var).zip(round).collect();
            self.set_indices(&context)?;
            if self.logical(mask)? {
                kept.push(context.into_iter().map(|(_, value)| value).collect());
            }
        }
        Ok(kept)
    }

    /// Gives index variables their values.
    pub(crate) fn set_indices(&mut self, context: &[(SymbolId, i64)]) -> Run<()> {
        for &(var, value) in context {
            self.step()?;
            let Binding::Data(view) = self.binding(var)? else {
                return fault(Code::RUN_MALFORMED, "an index is no variable");
            };
            let (addr, elem) = (view.addr, view.elem);
            self.memory.write(addr, &convert(Scalar::Int(8, value), elem)?)?;
        }
        Ok(())
    }

    /// ALLOCATE.
    pub(crate) fn allocate(&mut self, stmt: &Allocate) -> Run<()> {
        let result = self.allocate_all(stmt);
        self.finish(result, stmt.stat)
    }

    /// Sets `stat=` by the outcome, or lets a failure through where there is none.
    fn finish(&mut self, result: Run<()>, stat: Option<RefId>) -> Run<()> {
        let Some(stat) = stat else { return result };
        let status = match result {
            Ok(()) => 0,
            Err(halt) => match &*halt {
                Halt::Fault(fault)
                    if fault.is(Code::RUN_ALLOCATED) || fault.is(Code::RUN_NOT_ALLOCATED) =>
                {
                    ALLOCATION_FAILED
                }
                Halt::Fault(_) | Halt::Stop(_) => return Err(halt),
            },
        };
        let to = self.locate(stat)?;
        self.store_at(&to, Scalar::int(status).into())
    }

    fn allocate_all(&mut self, stmt: &Allocate) -> Run<()> {
        let doc = self.doc;
        let (source, first) = match stmt.source.or(stmt.mold) {
            Some(source) => (Some(self.eval(source)?), self.lower_bounds(source)?),
            None => (None, None),
        };
        let typed = match &stmt.spec {
            Some(spec) => Some(self.elem_of_spec(spec, None)?),
            None => None,
        };
        for &object in &stmt.objects {
            let reference = &doc.refs[object];
            let (parts, bounds) = match reference.parts.split_last() {
                Some((Part::Elements(bounds), before)) => (before, bounds.as_slice()),
                Some(_) | None => (reference.parts.as_slice(), [].as_slice()),
            };
            let Some(handle) = self.handle(reference.base, parts)? else {
                let name = doc.name(reference.base);
                return fault(Code::RUN_MALFORMED, format!("`{name}` cannot be allocated"))
                    .at(reference.place);
            };
            if handle.allocatable
                && let Some(Slot::Owned(_)) = self.memory.slot(handle.addr)?
            {
                let name = doc.name(reference.base);
                return fault(Code::RUN_ALLOCATED, format!("`{name}` is allocated already"))
                    .at(reference.place);
            }
            let mut extents = self.allocation_bounds(bounds)?;
            if extents.is_empty()
                && handle.rank > 0
                && let Some(source) = &source
            {
                let lower = first.iter().flatten().copied().chain(std::iter::repeat(1));
                extents = lower.zip(source.shape()).collect();
            }
            let elem = match (typed, &source, handle.elem) {
                (Some(elem), _, _) => elem,
                (None, Some(source), Some(Elem::Char(0) | Elem::Derived(_)) | None) => {
                    source.elem()
                }
                (None, _, Some(elem)) => elem,
                (None, None, None) => return refuse("ALLOCATE of an object without a type"),
            };
            let shape: Vec<i64> = extents.iter().map(|&(_, count)| count).collect();
            let mut view = self.allocate_like(elem, &shape)?;
            for (dim, (lower, _)) in view.dims.iter_mut().zip(extents) {
                dim.lower = lower;
            }
            if let (Some(_), Some(source)) = (stmt.source, &source) {
                self.store(&view, source.clone())?;
            }
            let slot = if handle.allocatable { Slot::Owned(view) } else { Slot::Data(view) };
            self.memory.set_slot(handle.addr, slot)?;
        }
        Ok(())
    }

    fn allocation_bounds(&mut self, bounds: &[Subscript]) -> Run<Vec<(i64, i64)>> {
        let mut extents = Vec::with_capacity(bounds.len());
        for bound in bounds {
            let (lower, upper) = match *bound {
                Subscript::Index(upper) => (1, self.int(upper)?),
                Subscript::Section { lower, upper: Some(upper), .. } => {
                    (self.lower_bound(lower)?, self.int(upper)?)
                }
                Subscript::Section { upper: None, .. } => {
                    return fault(Code::RUN_MALFORMED, "ALLOCATE lacks an upper bound");
                }
            };
            extents.push((lower, extent(lower, upper)));
        }
        Ok(extents)
    }

    /// DEALLOCATE and NULLIFY.
    pub(crate) fn release(&mut self, stmt: &Release) -> Run<()> {
        let result = self.release_all(stmt);
        self.finish(result, stmt.stat)
    }

    fn release_all(&mut self, stmt: &Release) -> Run<()> {
        let doc = self.doc;
        for &object in &stmt.objects {
            let reference = &doc.refs[object];
            let name = doc.name(reference.base);
            let Some(handle) = self.handle(reference.base, &reference.parts)? else {
                return fault(Code::RUN_MALFORMED, format!("`{name}` is no pointer"))
                    .at(reference.place);
            };
            if !stmt.nullify {
                match self.memory.slot(handle.addr)?.cloned() {
                    Some(Slot::Owned(view) | Slot::Data(view)) => {
                        if !self.memory.is_live(view.addr.block) {
                            return fault(
                                Code::RUN_DANGLING,
                                format!("`{name}` refers to storage that no longer exists"),
                            )
                            .at(reference.place);
                        }
                        self.finalize(&view)?;
                        self.memory.release(view.addr.block);
                    }
                    Some(Slot::Null | Slot::Procedure(_)) | None => {
                        return fault(
                            Code::RUN_NOT_ALLOCATED,
                            format!("`{name}` is not allocated"),
                        )
                        .at(reference.place);
                    }
                }
            }
            self.memory.set_slot(handle.addr, Slot::Null)?;
        }
        Ok(())
    }
}

impl Extent {
    /// The dimension as `lower` and number of indices.
    pub(crate) fn pair(self) -> (i64, i64) {
        (self.lower, self.count)
    }
}
