//! Arguments: what actual arguments refer to, and how dummy arguments are associated with them.
//!
//! Which argument belongs to which dummy, and the call itself, is `call.rs`. An explicit-shape or
//! assumed-size dummy argument is associated with a sequence of elements, an assumed-shape one with
//! the array itself, a pointer or allocatable one with the slot.

use xaif_schema::diag::Code;
use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, CharLen, Dim, DummyArg, ExprId, ExprKind, Intent, ProcClass, RefId,
    Role, SymbolId, TypeSpec,
};

use crate::call::Actual;
use crate::callee::target_of;
use crate::fault::{Located as _, Run, fault};
use crate::layout::SLOT_SIZE;
use crate::machine::{Binding, Handle, Machine};
use crate::reference::Located;
use crate::storage::Slot;
use crate::value::{Elem, Scalar, Shape, Value, size_of_shape};
use crate::view::View;

impl Machine<'_> {
    pub(crate) fn actual(&mut self, arg: &Arg, dummy: Option<SymbolId>) -> Run<Actual> {
        let ArgValue::Expr(id) = arg.value else { return Ok(Actual::Label) };
        let expr = &self.doc.exprs[id];
        let attrs = dummy.and_then(|d| self.doc.symbols[d].decl.as_ref()).map(|decl| &decl.attrs);
        let has = |attr| attrs.is_some_and(|attrs| attrs.contains(&attr));
        let wants_slot = has(Attr::Pointer) || has(Attr::Allocatable);
        let actual = match &expr.kind {
            ExprKind::Procedure(symbol) => match self.bound(*symbol) {
                Some(Binding::Absent) => Ok(Actual::Absent),
                Some(Binding::Handle(_)) => Ok(Actual::Procedure(self.procedure_value(*symbol)?)),
                Some(Binding::Procedure(_) | Binding::Data(_) | Binding::Unbound) | None => {
                    self.procedure_argument(*symbol)
                }
            },
            ExprKind::Ref(r) if !expr.parens && !self.doc.refs[*r].deriv => {
                self.variable_argument(*r, wants_slot)
            }
            ExprKind::Constant(_)
            | ExprKind::Ref(_)
            | ExprKind::Intrinsic { .. }
            | ExprKind::Boolean { .. }
            | ExprKind::Call(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo(_)
            | ExprKind::StructureConstructor { .. }
            | ExprKind::Opaque(_) => {
                if wants_slot {
                    self.slot_argument(id)
                } else {
                    self.value_argument(id)
                }
            }
        };
        actual.at(expr.place)
    }

    fn procedure_argument(&mut self, symbol: SymbolId) -> Run<Actual> {
        match self.doc.role(symbol) {
            Some(Role::Procedure(info))
                if matches!(info.class, ProcClass::Dummy | ProcClass::Pointer) =>
            {
                Ok(Actual::Procedure(self.procedure_value(symbol)?))
            }
            Some(_) | None => Ok(Actual::Procedure(target_of(self, symbol)?)),
        }
    }

    fn value_argument(&mut self, id: ExprId) -> Run<Actual> {
        let value = self.under(None, |machine| machine.eval(id))?;
        Ok(Actual::Data { view: self.materialise(value)?, copied: true })
    }

    /// `null()`, or a function that returns a pointer, for a pointer.
    fn slot_argument(&mut self, id: ExprId) -> Run<Actual> {
        match self.slot_of_expr(id)? {
            Some(slot) => Ok(Actual::Handle(self.temporary_handle(slot)?)),
            None => self.value_argument(id),
        }
    }

    fn temporary_handle(&mut self, slot: Slot) -> Run<Handle> {
        let addr = self.temporary(SLOT_SIZE)?;
        self.memory.set_slot(addr, slot)?;
        Ok(Handle { addr, elem: None, rank: 0, allocatable: false })
    }

    fn variable_argument(&mut self, r: RefId, wants_slot: bool) -> Run<Actual> {
        let doc = self.doc;
        let reference = &doc.refs[r];
        match self.binding(reference.base)? {
            Binding::Absent if reference.parts.is_empty() => return Ok(Actual::Absent),
            Binding::Procedure(target) => return Ok(Actual::Procedure(target.clone())),
            Binding::Data(view) if reference.parts.is_empty() && !wants_slot => {
                return Ok(Actual::Data { view: view.clone(), copied: false });
            }
            Binding::Data(_) | Binding::Handle(_) | Binding::Absent | Binding::Unbound => {}
        }
        if let Some(handle) = self.handle(reference.base, &reference.parts)? {
            let procedure = match self.memory.slot(handle.addr)? {
                Some(Slot::Procedure(target)) => Some(target.clone()),
                Some(Slot::Null) | None if !wants_slot => return Ok(Actual::Absent),
                Some(_) | None => None,
            };
            match procedure {
                Some(target) if !wants_slot => return Ok(Actual::Procedure(target)),
                Some(_) | None => {}
            }
            if wants_slot {
                return Ok(Actual::Handle(handle));
            }
        }
        match self.locate(r)? {
            Located::View(view) => Ok(Actual::Data { view, copied: false }),
            scattered @ Located::Scattered { .. } => {
                let value = self.load(&scattered)?;
                Ok(Actual::Data { view: self.materialise(value)?, copied: true })
            }
        }
    }

    /// Puts a value into temporary storage.
    pub(crate) fn materialise(&mut self, value: Value) -> Run<View> {
        let (elem, shape) = match value {
            Value::Object(view) => return Ok(*view),
            Value::Scalar(ref scalar) => (scalar.elem(), Shape::new()),
            Value::Array(ref array) => (array.elem, array.shape.clone()),
        };
        let size = (size_of_shape(&shape)? as i64).saturating_mul(self.size_of(elem));
        let addr = self.temporary(size)?;
        let bounds: Vec<(i64, i64)> = shape.iter().map(|&count| (1, count)).collect();
        let view = View::contiguous(elem, self.size_of(elem), addr, &bounds);
        let scalars = match value {
            Value::Scalar(scalar) => vec![scalar],
            Value::Array(array) => array.data,
            Value::Object(_) => Vec::new(),
        };
        for (addr, scalar) in view.elements().zip(scalars) {
            // What has no value stays without one.
            if !matches!(scalar, Scalar::Undefined(_)) {
                let scalar = crate::arith::convert(scalar, elem)?;
                self.memory.write(addr, &scalar)?;
            }
        }
        Ok(view)
    }

    /// Binds dummy arguments, those last whose extents or length need others. The result lists what is to be copied
    /// back.
    pub(crate) fn bind_dummies(
        &mut self,
        dummies: &[DummyArg],
        actuals: &[Actual],
    ) -> Run<Vec<(View, View)>> {
        let mut copies = Vec::new();
        let stages = dummies.iter().filter_map(|dummy| Some(self.program.stages[dummy.symbol?]));
        for stage in 0..=stages.max().unwrap_or(0) {
            for (index, dummy) in dummies.iter().enumerate() {
                let Some(symbol) = dummy.symbol else { continue };
                if self.program.stages[symbol] != stage {
                    continue;
                }
                let actual = actuals.get(index).unwrap_or(&Actual::Absent);
                let binding = self.bind_dummy(symbol, actual, &mut copies);
                let binding = binding.map_err(|mut halt| {
                    if let crate::fault::Halt::Fault(fault) = &mut *halt {
                        fault.about(self.doc.name(symbol));
                    }
                    halt
                })?;
                self.bind(symbol, binding)?;
            }
        }
        Ok(copies)
    }

    fn bind_dummy(
        &mut self,
        symbol: SymbolId,
        actual: &Actual,
        copies: &mut Vec<(View, View)>,
    ) -> Run<Binding> {
        let doc = self.doc;
        let decl = doc.symbols[symbol].decl.as_deref();
        let attrs = decl.map(|decl| &decl.attrs);
        let has = |attr| attrs.is_some_and(|attrs| attrs.contains(&attr));
        let wants_slot = has(Attr::Pointer) || has(Attr::Allocatable);
        match actual {
            Actual::Absent => Ok(Binding::Absent),
            Actual::Label => fault(Code::RUN_ARGUMENT, "a label is given for a variable"),
            Actual::Procedure(target) => Ok(Binding::Procedure(target.clone())),
            Actual::Handle(handle) => {
                let mut handle = *handle;
                if let Some(decl) = decl {
                    handle.rank = decl.dims.len() as u8;
                    if decl.intent == Some(Intent::Out) && handle.allocatable {
                        if let Some(Slot::Owned(view)) = self.memory.slot(handle.addr)?.cloned() {
                            self.memory.release(view.addr.block);
                        }
                        self.memory.set_slot(handle.addr, Slot::Null)?;
                    }
                    if handle.elem.is_none() && decl.spec.base() != Base::ClassStar {
                        handle.elem = Some(self.elem_of_symbol(symbol)?);
                    }
                }
                Ok(Binding::Handle(handle))
            }
            Actual::Data { view, .. } if wants_slot => {
                let handle = self.temporary_handle(Slot::Data(view.clone()))?;
                let elem = self.elem_of_symbol(symbol).ok();
                Ok(Binding::Handle(Handle { elem, rank: view.rank() as u8, ..handle }))
            }
            Actual::Data { view, copied } => {
                let elem = self.dummy_elem(symbol, view)?;
                let mut view = view.clone();
                if has(Attr::Value) {
                    let value = self.load_view(&view)?;
                    view = match value {
                        Value::Object(view) => match self.copy_object(&view)? {
                            Value::Object(copy) => *copy,
                            _ => *view,
                        },
                        other => self.materialise(other)?,
                    };
                }
                let bound = self.shape_dummy(symbol, elem, view, *copied, copies)?;
                if let (Some(Intent::Out), Elem::Derived(_)) =
                    (decl.and_then(|decl| decl.intent), elem)
                    && !bound.is_assumed_size()
                {
                    self.refuse_final(elem, "an INTENT(OUT) argument")?;
                    self.undefine_components(&bound)?;
                    self.default_initialise(&bound)?;
                }
                Ok(Binding::Data(bound))
            }
        }
    }

    /// The element type that a dummy argument has in this call.
    fn dummy_elem(&mut self, symbol: SymbolId, actual: &View) -> Run<Elem> {
        let Some(decl) = &self.doc.symbols[symbol].decl else {
            let declared = self.elem_of_symbol(symbol);
            return Ok(declared.unwrap_or(actual.elem));
        };
        let length = decl.char_len.or(match decl.spec {
            TypeSpec::Character { len, .. } => Some(len),
            _ => None,
        });
        match (decl.spec.base(), length) {
            (Base::ClassStar | Base::TypeStar | Base::Class(_), _) => Ok(actual.elem),
            (_, Some(CharLen::Assumed | CharLen::Deferred)) => match actual.elem {
                Elem::Char(_) => Ok(actual.elem),
                other => Ok(Elem::Char(self.size_of(other) as usize)),
            },
            _ => self.elem_of_symbol(symbol),
        }
    }

    fn shape_dummy(
        &mut self,
        symbol: SymbolId,
        elem: Elem,
        actual: View,
        copied: bool,
        copies: &mut Vec<(View, View)>,
    ) -> Run<View> {
        let doc = self.doc;
        let data = &doc.symbols[symbol];
        let Some(decl) = &data.decl else {
            let bounds = self.bounds_of_symbol(symbol)?;
            if bounds.is_empty() && data.rank.is_some_and(|rank| rank > 0) {
                return Ok(View { elem, ..actual });
            }
            return self.sequence(elem, actual, copied, &bounds, copies);
        };
        match decl.dims.first() {
            None => Ok(View::scalar(elem, actual.addr)),
            Some(Dim::AssumedRank) => Ok(View { elem, ..actual }.rebased()),
            Some(Dim::AssumedShape { .. } | Dim::Deferred) => {
                if actual.dims.len() != decl.dims.len() {
                    return fault(
                        Code::RUN_ARGUMENT,
                        format!(
                            "an array of rank {} is given for one of rank {}",
                            actual.dims.len(),
                            decl.dims.len()
                        ),
                    );
                }
                let mut view = View { elem, ..actual };
                for (dim, declared) in view.dims.iter_mut().zip(&decl.dims) {
                    let lower = match *declared {
                        Dim::AssumedShape { lower } => lower,
                        Dim::Explicit { .. }
                        | Dim::Deferred
                        | Dim::AssumedSize { .. }
                        | Dim::AssumedRank => None,
                    };
                    dim.lower = self.lower_bound(lower)?;
                }
                Ok(view)
            }
            Some(Dim::Explicit { .. } | Dim::AssumedSize { .. }) => {
                let bounds = self.bounds_of_symbol(symbol)?;
                // What is only read does not come back: it may hold what another argument has overwritten.
                let copied = copied || decl.intent == Some(Intent::In);
                self.sequence(elem, actual, copied, &bounds, copies)
            }
        }
    }

    /// Sequence association: the elements of the actual argument, in order, whatever its shape.
    fn sequence(
        &mut self,
        elem: Elem,
        actual: View,
        copied: bool,
        bounds: &[(i64, i64)],
        copies: &mut Vec<(View, View)>,
    ) -> Run<View> {
        // Of objects of an extension only what the dummy argument's type has is associated.
        let actual = match (elem, actual.elem) {
            (Elem::Derived(_), Elem::Derived(_)) => View { elem, ..actual },
            _ => actual,
        };
        let size = self.size_of(actual.elem);
        let mut start = actual.addr;
        if !actual.is_contiguous(size) && !actual.is_assumed_size() {
            let shape = actual.known_shape()?;
            let total = (size_of_shape(&shape)? as i64).saturating_mul(size);
            let packed: Vec<(i64, i64)> = actual.dims.iter().map(|dim| dim.pair()).collect();
            start = self.temporary(total)?;
            let temporary = View::contiguous(actual.elem, size, start, &packed);
            for (from, to) in actual.elements().zip(temporary.elements()) {
                self.memory.copy(from, to, size)?;
            }
            if !copied {
                copies.push((temporary, actual));
            }
        }
        Ok(View::contiguous(elem, self.size_of(elem), start, bounds))
    }
}
