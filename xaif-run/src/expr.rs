//! Expressions: evaluation by the types of the operands, element by element for arrays.
//!
//! `.and.` and `.or.` of scalars stop at the first operand that decides, as gfortran's do. Under
//! the mask of a WHERE, elements that it excludes are not computed.

use smallvec::SmallVec;
use xaif_schema::diag::Code;
use xaif_schema::model::{
    Arg, ArgValue, BoolOp, Expr, ExprId, ExprKind, ImpliedDo, IndexRange, Operands, Part, RefId,
    Subscript, TypeSpec,
};

use crate::arith::{Arith, Operator, convert};
use crate::fault::{Located as _, Run, fault, refuse};
use crate::layout::SlotKind;
use crate::machine::{Binding, Machine};
use crate::num::Num;
use crate::program::Op;
use crate::reference::{check_index, count_steps};
use crate::storage::Slot;
use crate::value::{Array, Elem, Scalar, Shape, Value};
use crate::view::View;

impl<'d> Machine<'d> {
    /// The value of an expression.
    pub(crate) fn eval(&mut self, id: ExprId) -> Run<Value> {
        let doc = self.doc;
        let expr = &doc.exprs[id];
        self.check_stack().and_then(|()| self.eval_kind(id, expr)).at(expr.place)
    }

    /// The value of a scalar expression.
    pub(crate) fn eval_scalar(&mut self, id: ExprId) -> Run<Scalar> {
        self.eval(id)?.scalar().at(self.doc.exprs[id].place)
    }

    /// The value of a scalar integer expression.
    pub(crate) fn int(&mut self, id: ExprId) -> Run<i64> {
        self.eval_scalar(id)?.as_int().at(self.doc.exprs[id].place)
    }

    /// The value of a scalar logical expression.
    pub(crate) fn logical(&mut self, id: ExprId) -> Run<bool> {
        self.eval_scalar(id)?.as_logical().at(self.doc.exprs[id].place)
    }

    fn eval_kind(&mut self, id: ExprId, expr: &'d Expr) -> Run<Value> {
        match &expr.kind {
            ExprKind::Constant(constant) => match &self.program.constants[id] {
                Some(value) => Ok(Value::Scalar(value.clone())),
                None => refuse(format!("the constant `{}`", constant.text)),
            },
            ExprKind::Ref(r) => self.eval_ref(*r),
            ExprKind::Intrinsic { name, operands, .. } => match self.program.ops[id] {
                Op::Operator(op) => self.operation(op, operands),
                Op::Builtin(builtin, result) => {
                    let value = self.intrinsic(builtin, operands, result, expr)?;
                    self.specific(value, result)
                }
                Op::Unknown => refuse(format!("the intrinsic `{name}`")),
            },
            ExprKind::Boolean { op, operands } => self.boolean(*op, operands),
            ExprKind::Call(call) => self.call_function(call, expr),
            ExprKind::ArrayConstructor { spec, items } => {
                self.array_constructor(spec.as_deref(), items, expr)
            }
            ExprKind::ImpliedDo(_) => {
                fault(Code::RUN_MALFORMED, "an implied DO stands outside of a list")
            }
            ExprKind::StructureConstructor { spec, args } => self.structure(spec, args),
            ExprKind::Procedure(_) => {
                fault(Code::RUN_TYPE, "a procedure stands where a value is needed")
            }
            ExprKind::Opaque(text) => refuse(format!("`{text}`, which was carried as text")),
        }
    }

    fn eval_ref(&mut self, r: RefId) -> Run<Value> {
        let doc = self.doc;
        let reference = &doc.refs[r];
        if reference.deriv {
            let view = self.locate(r)?.view()?;
            return self.derivative(&view);
        }
        if let Some(scalar) = self.quick_element(r)? {
            return Ok(Value::Scalar(scalar));
        }
        if let Some(Part::Inquiry(name)) = reference.parts.last()
            && let Some(value) = self.inquiry_part(r, name)?
        {
            return Ok(value);
        }
        let located = self.locate(r)?;
        let value = self.load(&located).at(reference.place)?;
        self.name_undefined(&value, r)?;
        Ok(value)
    }

    /// Says the name of a scalar that has no value, which its user could not.
    pub(crate) fn name_undefined(&self, value: &Value, r: RefId) -> Run<()> {
        if let Value::Scalar(Scalar::Undefined(_)) = value {
            let reference = &self.doc.refs[r];
            let name = self.doc.name(reference.base);
            return fault(
                Code::RUN_UNDEFINED,
                format!("`{name}` is used before it has got a value"),
            )
            .at(reference.place);
        }
        Ok(())
    }

    /// A scalar variable or an array element with scalar subscripts, without making a view.
    fn quick_element(&mut self, r: RefId) -> Run<Option<Scalar>> {
        let doc = self.doc;
        let reference = &doc.refs[r];
        let mut indices: SmallVec<[(i64, ExprId); 4]> = SmallVec::new();
        match reference.parts.as_slice() {
            [] => {}
            [Part::Elements(subscripts)] => {
                let one = |s: &Subscript| match s {
                    Subscript::Index(e) => doc.exprs[*e].ty.rank == 0,
                    Subscript::Section { .. } => false,
                };
                if !subscripts.iter().all(one) {
                    return Ok(None);
                }
                for subscript in subscripts {
                    let Subscript::Index(expr) = *subscript else { return Ok(None) };
                    match self.eval(expr)? {
                        Value::Scalar(index) => indices.push((index.as_int()?, expr)),
                        // A document that does not know ranks: the general way evaluates again.
                        Value::Array(_) | Value::Object(_) => return Ok(None),
                    }
                }
            }
            _ => return Ok(None),
        }
        self.binding(reference.base).at(reference.place)?;
        let view = match self.bound(reference.base) {
            Some(Binding::Data(view)) => view,
            Some(Binding::Handle(handle)) => match self.memory.slot(handle.addr)? {
                Some(Slot::Data(view) | Slot::Owned(view)) => view,
                Some(Slot::Null | Slot::Procedure(_)) | None => return Ok(None),
            },
            Some(Binding::Procedure(_) | Binding::Absent | Binding::Unbound) | None => {
                return Ok(None);
            }
        };
        if view.dims.len() != indices.len() || matches!(view.elem, Elem::Derived(_)) {
            return Ok(None);
        }
        let (mut addr, elem) = (view.addr, view.elem);
        for (dim, (&(index, expr), extent)) in indices.iter().zip(&view.dims).enumerate() {
            let checked = check_index(index, *extent, dim);
            if checked.is_err() {
                let name = doc.name(reference.base);
                return checked.map(|()| None).at(doc.exprs[expr].place).map_err(|mut halt| {
                    if let crate::fault::Halt::Fault(fault) = &mut *halt {
                        fault.about(name);
                    }
                    halt
                });
            }
            addr = addr.plus(index.wrapping_sub(extent.lower).wrapping_mul(extent.stride));
        }
        let value = Value::Scalar(self.memory.read(addr, elem).at(reference.place)?);
        self.name_undefined(&value, r)?;
        value.scalar().map(Some)
    }

    /// `x%kind` and `x%len`.
    fn inquiry_part(&mut self, r: RefId, name: &str) -> Run<Option<Value>> {
        let reference = &self.doc.refs[r];
        let is_kind = name.eq_ignore_ascii_case("kind");
        if !is_kind && !name.eq_ignore_ascii_case("len") {
            return Ok(None);
        }
        let before = &reference.parts[..reference.parts.len() - 1];
        let view = self.base_view(reference.base)?;
        let elem = self.select(view, before)?.elem();
        let value = match elem {
            Elem::Char(len) if !is_kind => len as i64,
            Elem::Int(kind) | Elem::Real(kind) | Elem::Complex(kind) | Elem::Logical(kind)
                if is_kind =>
            {
                i64::from(kind)
            }
            _ => return Ok(None),
        };
        Ok(Some(Scalar::int(value).into()))
    }

    /// The derivatives that the document itself has computed for a place.
    pub(crate) fn derivative(&mut self, view: &View) -> Run<Value> {
        let kind = match view.elem {
            Elem::Real(kind) => kind,
            other => {
                return fault(Code::RUN_TYPE, format!("{} has no derivative", other.name()));
            }
        };
        if view.dims.is_empty() {
            let value = Num::of(self.memory.deriv(view.addr)?);
            return Ok(Scalar::Real(kind, value).into());
        }
        let shape = view.known_shape()?;
        let mut data = Vec::new();
        for addr in view.elements() {
            data.push(Scalar::Real(kind, Num::of(self.memory.deriv(addr)?)));
        }
        Ok(Array { elem: view.elem, shape, data }.into())
    }

    fn operation(&mut self, op: Operator, operands: &Operands) -> Run<Value> {
        match operands.as_slice() {
            [one] => {
                let value = self.eval(one.expr)?;
                self.elementwise(value, |arith, a| arith.unary(op, a))
            }
            [a, b] => {
                let (left, right) = (self.eval(a.expr)?, self.eval(b.expr)?);
                let swapped = a.position > b.position;
                let (left, right) = if swapped { (right, left) } else { (left, right) };
                self.elementwise2(left, right, |arith, a, b| arith.binary(op, a, b))
            }
            _ => fault(Code::RUN_MALFORMED, "an operator has neither one nor two operands"),
        }
    }

    fn boolean(&mut self, op: BoolOp, operands: &Operands) -> Run<Value> {
        match (op, operands.as_slice()) {
            (BoolOp::Not, [one]) => {
                let value = self.eval(one.expr)?;
                self.elementwise(value, |_, a| match a {
                    Scalar::Logical(kind, value) => Ok(Scalar::Logical(*kind, !value)),
                    other => Ok(Scalar::logical(!other.as_logical()?)),
                })
            }
            (_, [a, b]) => {
                let left = self.eval(a.expr)?;
                if let (BoolOp::And | BoolOp::Or, Value::Scalar(value)) = (op, &left)
                    && value.as_logical()? == (op == BoolOp::Or)
                    && self.doc.exprs[b.expr].ty.rank == 0
                {
                    return Ok(left);
                }
                let right = self.eval(b.expr)?;
                let swapped = a.position > b.position;
                let (left, right) = if swapped { (right, left) } else { (left, right) };
                self.elementwise2(left, right, |arith, a, b| arith.compare(op, a, b))
            }
            _ => fault(Code::RUN_MALFORMED, "a comparison does not have two operands"),
        }
    }

    /// Whether the mask of a WHERE excludes element `index` of an array of `count` elements.
    fn excluded(&self, index: usize, count: usize) -> bool {
        match &self.mask {
            Some(mask) => mask.len() == count && !mask.get(index).copied().unwrap_or(true),
            None => false,
        }
    }

    /// Applies `f` to each element.
    pub(crate) fn elementwise(
        &mut self,
        value: Value,
        mut f: impl FnMut(&mut Arith, &Scalar) -> Run<Scalar>,
    ) -> Run<Value> {
        match value {
            Value::Scalar(a) => f(&mut self.arith, &a).map(Value::Scalar),
            Value::Array(mut array) => {
                let count = array.data.len();
                for index in 0..count {
                    let a = &array.data[index];
                    let elem = a.elem();
                    array.data[index] = if self.excluded(index, count) {
                        Scalar::Undefined(elem)
                    } else {
                        f(&mut self.arith, a)?
                    };
                }
                array.retype();
                Ok(Value::Array(array))
            }
            Value::Object(_) => derived(),
        }
    }

    /// Applies `f` to corresponding elements; a scalar goes with every element.
    pub(crate) fn elementwise2(
        &mut self,
        a: Value,
        b: Value,
        mut f: impl FnMut(&mut Arith, &Scalar, &Scalar) -> Run<Scalar>,
    ) -> Run<Value> {
        let (a, b) = match (a, b) {
            (Value::Scalar(a), Value::Scalar(b)) => {
                return f(&mut self.arith, &a, &b).map(Value::Scalar);
            }
            (Value::Object(_), _) | (_, Value::Object(_)) => return derived(),
            (a, b) => (a, b),
        };
        let shape = conform(&a, &b)?;
        let (left, right) = (Operand::of(a), Operand::of(b));
        let count = left.len().max(right.len());
        let mut data = Vec::with_capacity(count);
        for index in 0..count {
            let (a, b) = (left.at(index), right.at(index));
            data.push(if self.excluded(index, count) {
                Scalar::Undefined(larger(a.elem(), b.elem()))
            } else {
                f(&mut self.arith, a, b)?
            });
        }
        let mut array = Array { elem: larger(left.elem(), right.elem()), shape, data };
        array.retype();
        Ok(array.into())
    }

    /// A call by a specific name (`amax0`, `dble`) has the result type of that name.
    fn specific(&mut self, value: Value, base: Option<xaif_schema::model::Base>) -> Run<Value> {
        match base {
            Some(base) => {
                let elem = self.elem_of_base(base)?;
                if value.elem() == elem || matches!(elem, Elem::Char(_)) {
                    return Ok(value);
                }
                self.elementwise(value, |_, a| convert(a.clone(), elem))
            }
            None => Ok(value),
        }
    }

    fn array_constructor(
        &mut self,
        spec: Option<&TypeSpec>,
        items: &[ExprId],
        expr: &Expr,
    ) -> Run<Value> {
        let mut values = Vec::new();
        for &item in items {
            self.constructor_item(item, &mut values)?;
        }
        let elem = match (spec, values.first()) {
            (Some(spec), _) => self.elem_of_spec(spec, None)?,
            (None, Some(Value::Scalar(first))) => first.elem(),
            (None, Some(Value::Object(view))) => view.elem,
            (None, Some(Value::Array(_)) | None) => self.elem_of_base(expr.ty.base)?,
        };
        if let Elem::Derived(_) = elem {
            return self.objects(elem, &values);
        }
        let mut data = Vec::with_capacity(values.len());
        for value in values {
            let value = value.scalar()?;
            data.push(if spec.is_some() { convert(value, elem)? } else { value });
        }
        Ok(Array::vector(elem, data).into())
    }

    /// Appends the scalars (or objects) of one item of an array constructor.
    fn constructor_item(&mut self, item: ExprId, values: &mut Vec<Value>) -> Run<()> {
        if let ExprKind::ImpliedDo(implied) = &self.doc.exprs[item].kind {
            return self
                .implied_do(implied, &mut |machine, item| machine.constructor_item(item, values));
        }
        match self.eval(item)? {
            Value::Scalar(scalar) => values.push(Value::Scalar(scalar)),
            Value::Array(array) => values.extend(array.data.into_iter().map(Value::Scalar)),
            Value::Object(view) => {
                for addr in view.elements() {
                    values.push(Value::Object(Box::new(View::scalar(view.elem, addr))));
                }
            }
        }
        Ok(())
    }

    /// An array of derived-type objects, copied into temporary storage.
    fn objects(&mut self, elem: Elem, values: &[Value]) -> Run<Value> {
        let size = self.size_of(elem);
        let start = self.temporary(size.saturating_mul(values.len() as i64))?;
        let mut to = start;
        for value in values {
            if let Value::Object(view) = value {
                self.memory.copy(view.addr, to, size)?;
            }
            to = to.plus(size);
        }
        let bounds = [(1, values.len() as i64)];
        Ok(Value::Object(Box::new(View::contiguous(elem, size, start, &bounds))))
    }

    /// Calls `f` for each item in each iteration of an implied DO. The variable is the construct's own.
    pub(crate) fn implied_do(
        &mut self,
        implied: &ImpliedDo,
        f: &mut dyn FnMut(&mut Self, ExprId) -> Run<()>,
    ) -> Run<()> {
        let rounds = self.index_values(&implied.control)?;
        let var = implied.control.var;
        let elem = self.elem_of_symbol(var)?;
        let addr = {
            let block = self.memory.allocate(self.size_of(elem))?;
            crate::storage::Addr { block, offset: 0 }
        };
        let outer = self.bound(var).cloned().unwrap_or_default();
        self.bind(var, Binding::Data(View::scalar(elem, addr)))?;
        let mut result = Ok(());
        'rounds: for value in rounds {
            self.step()?;
            self.memory.write(addr, &convert(Scalar::Int(8, value), elem)?)?;
            for &item in &implied.items {
                result = f(self, item);
                if result.is_err() {
                    break 'rounds;
                }
            }
        }
        self.bind(var, outer)?;
        self.memory.release(addr.block);
        result
    }

    /// The values that an index runs through.
    pub(crate) fn index_values(
        &mut self,
        range: &IndexRange,
    ) -> Run<impl Iterator<Item = i64> + use<'d>> {
        let lower = self.int(range.lower)?;
        let upper = self.int(range.upper)?;
        let step = range.step.map_or(Ok(1), |step| self.int(step))?;
        if step == 0 {
            return fault(Code::RUN_ZERO_STEP, "the step of an index is zero");
        }
        let count = count_steps(lower, upper, step);
        Ok((0..count).map(move |round| lower.wrapping_add(round.wrapping_mul(step))))
    }

    fn structure(&mut self, spec: &TypeSpec, args: &[Arg]) -> Run<Value> {
        let elem = self.elem_of_spec(spec, None)?;
        let Elem::Derived(layout) = elem else {
            return fault(Code::RUN_MALFORMED, "a structure constructor of an intrinsic type");
        };
        let addr = self.temporary(self.size_of(elem))?;
        let view = View::scalar(elem, addr);
        self.default_initialise(&view)?;
        let components = self.layouts[layout as usize].components.clone();
        for (index, arg) in args.iter().enumerate() {
            let ArgValue::Expr(value) = arg.value else {
                return fault(Code::RUN_MALFORMED, "a label stands in a structure constructor");
            };
            let component = match &arg.keyword {
                Some(keyword) => components
                    .iter()
                    .find(|c| self.doc.name(c.symbol).eq_ignore_ascii_case(keyword)),
                None => components.get(index),
            };
            let Some(component) = component else {
                // What is no component is the part that the type has from its parent.
                let name = arg.keyword.as_deref().unwrap_or_default();
                let part = self.parent_of(crate::reference::Located::View(view.clone()), name)?;
                let value = self.eval(value)?;
                self.store_at(&part, value)?;
                continue;
            };
            let addr = addr.plus(component.offset);
            match component.slot {
                Some(SlotKind::Allocatable) => {
                    let slot = self.owned_value(value, component.elem)?;
                    self.memory.set_slot(addr, slot)?;
                }
                Some(SlotKind::Pointer | SlotKind::Procedure) => {
                    let slot = self.target(value)?;
                    self.memory.set_slot(addr, slot)?;
                }
                None => {
                    let elem = component.elem.unwrap_or(Elem::Int(4));
                    let size = self.size_of(elem);
                    let part = View::contiguous(elem, size, addr, &component.bounds);
                    let value = self.eval(value)?;
                    self.store(&part, value)?;
                }
            }
        }
        Ok(Value::Object(Box::new(view)))
    }

    /// The value of an allocatable component in a structure constructor: a copy of its own.
    fn owned_value(&mut self, expr: ExprId, elem: Option<Elem>) -> Run<Slot> {
        if let Some(slot) = self.slot_of_expr(expr)?
            && matches!(slot, Slot::Null)
        {
            return Ok(Slot::Null);
        }
        let value = self.eval(expr)?;
        let elem = match (elem, value.elem()) {
            (Some(Elem::Char(0)) | None, found) => found,
            (Some(Elem::Derived(_)), found) => found,
            (Some(elem), _) => elem,
        };
        let view = self.allocate_like(elem, &value.shape())?;
        self.store(&view, value)?;
        Ok(Slot::Owned(view))
    }
}

fn derived<T>() -> Run<T> {
    fault(Code::RUN_TYPE, "an intrinsic operation is applied to a derived type")
}

/// The common shape of two values, of which one may be a scalar.
pub(crate) fn conform(a: &Value, b: &Value) -> Run<Shape> {
    let (left, right) = (a.shape(), b.shape());
    if left.is_empty() {
        return Ok(right);
    }
    if right.is_empty() || left == right {
        return Ok(left);
    }
    fault(
        Code::RUN_SHAPE,
        format!("arrays of shapes {} and {} do not conform", show(&left), show(&right)),
    )
}

/// A shape as messages give it.
pub(crate) fn show(shape: &[i64]) -> String {
    let extents: Vec<String> = shape.iter().map(i64::to_string).collect();
    format!("({})", extents.join(","))
}

/// The type that has more room: for elements that are never looked at.
fn larger(a: Elem, b: Elem) -> Elem {
    match (a, b) {
        (Elem::Int(k), Elem::Int(l)) => Elem::Int(k.max(l)),
        (Elem::Real(k), Elem::Real(l)) => Elem::Real(k.max(l)),
        (Elem::Complex(k), Elem::Complex(l)) => Elem::Complex(k.max(l)),
        (Elem::Int(_), other) | (Elem::Real(_), other @ Elem::Complex(_)) => other,
        (other, _) => other,
    }
}

/// An operand of an elementwise operation.
pub(crate) enum Operand {
    One(Scalar),
    Many(Box<Array>),
}

impl Operand {
    /// The operand that `value` is; the caller has excluded objects.
    pub(crate) fn of(value: Value) -> Self {
        match value {
            Value::Scalar(scalar) => Operand::One(scalar),
            Value::Array(array) => Operand::Many(array),
            Value::Object(view) => Operand::One(Scalar::Undefined(view.elem)),
        }
    }

    /// The element that takes part in the operation on element `index`.
    pub(crate) fn at(&self, index: usize) -> &Scalar {
        const NOTHING: &Scalar = &Scalar::Undefined(Elem::Int(4));
        match self {
            Operand::One(scalar) => scalar,
            Operand::Many(array) => array.data.get(index).unwrap_or(NOTHING),
        }
    }

    fn len(&self) -> usize {
        match self {
            Operand::One(_) => 0,
            Operand::Many(array) => array.data.len(),
        }
    }

    fn elem(&self) -> Elem {
        match self {
            Operand::One(scalar) => scalar.elem(),
            Operand::Many(array) => array.elem,
        }
    }
}

impl Array {
    /// Takes the element type from the elements, where there are any that have a value.
    pub(crate) fn retype(&mut self) {
        let known = self.data.iter().find(|e| !matches!(e, Scalar::Undefined(_)));
        if let Some(element) = known.or(self.data.first()) {
            self.elem = element.elem();
        }
    }
}
