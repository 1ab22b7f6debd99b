//! References: from a name with selectors to the place in storage that it means.

use smallvec::SmallVec;
use xaif_schema::diag::Code;
use xaif_schema::model::{ExprId, Part, RefId, Role, Subscript, SymbolId};

use crate::fault::{Located as _, Run, fault, refuse};
use crate::layout::{Component, SlotKind};
use crate::machine::{Binding, Handle, Machine};
use crate::storage::{Addr, Slot};
use crate::value::{Array, Elem, Scalar, Shape, Value, size_of_shape};
use crate::view::{Extent, View};

/// What a reference means.
#[derive(Clone, Debug)]
pub(crate) enum Located {
    /// Elements at regular distances.
    View(View),
    /// Elements that a vector subscript has picked.
    Scattered { elem: Elem, shape: Shape, addrs: Vec<Addr> },
}

impl Located {
    /// The view that it is.
    pub(crate) fn view(self) -> Run<View> {
        match self {
            Located::View(view) => Ok(view),
            Located::Scattered { .. } => {
                fault(Code::RUN_ARGUMENT, "a section with a vector subscript cannot stand here")
            }
        }
    }

    /// Its elements in array element order.
    pub(crate) fn addresses(&self) -> Vec<(Addr, Elem)> {
        match self {
            Located::View(view) => view.elements().map(|addr| (addr, view.elem)).collect(),
            Located::Scattered { elem, addrs, .. } => {
                addrs.iter().map(|&addr| (addr, *elem)).collect()
            }
        }
    }

    pub(crate) fn elem(&self) -> Elem {
        match self {
            Located::View(view) => view.elem,
            Located::Scattered { elem, .. } => *elem,
        }
    }

    pub(crate) fn shape(&self) -> Run<Shape> {
        match self {
            Located::View(view) => view.known_shape(),
            Located::Scattered { shape, .. } => Ok(shape.clone()),
        }
    }
}

/// One subscript, evaluated.
enum Index {
    One(i64),
    Range(Extent, i64),
    Many(Vec<i64>),
}

impl Machine<'_> {
    /// The place that a reference means.
    pub(crate) fn locate(&mut self, r: RefId) -> Run<Located> {
        let reference = &self.doc.refs[r];
        let view = self.base_view(reference.base).at(reference.place)?;
        if reference.parts.is_empty() {
            return Ok(Located::View(view));
        }
        let located = self.select(view, &reference.parts);
        self.name_fault(located, reference.base).at(reference.place)
    }

    /// Puts the variable's name into a message about its subscripts.
    fn name_fault<T>(&self, result: Run<T>, base: SymbolId) -> Run<T> {
        result.map_err(|mut halt| {
            if let crate::fault::Halt::Fault(fault) = &mut *halt {
                fault.about(self.doc.name(base));
            }
            halt
        })
    }

    /// The whole variable; of a pointer or allocatable, its target.
    pub(crate) fn base_view(&mut self, symbol: SymbolId) -> Run<View> {
        match self.binding(symbol)? {
            Binding::Data(view) => Ok(view.clone()),
            Binding::Handle(handle) => {
                let handle = *handle;
                let target = self.target_view(handle);
                self.name_fault(target, symbol)
            }
            Binding::Absent => {
                let name = self.doc.name(symbol);
                fault(Code::RUN_UNDEFINED, format!("optional argument `{name}` is not present"))
            }
            Binding::Procedure(_) | Binding::Unbound => {
                let name = self.doc.name(symbol);
                fault(Code::RUN_MALFORMED, format!("`{name}` is no variable"))
            }
        }
    }

    /// What a pointer or allocatable refers to.
    pub(crate) fn target_view(&self, handle: Handle) -> Run<View> {
        match self.memory.slot(handle.addr)? {
            Some(Slot::Data(view) | Slot::Owned(view)) => Ok(view.clone()),
            Some(Slot::Null) if handle.allocatable => {
                fault(Code::RUN_NOT_ALLOCATED, "an allocatable is used that is not allocated")
            }
            Some(Slot::Null) => {
                fault(Code::RUN_NOT_ALLOCATED, "a pointer is used that is not associated")
            }
            Some(Slot::Procedure(_)) => {
                fault(Code::RUN_MALFORMED, "a procedure pointer is used as a variable")
            }
            None if handle.allocatable => {
                fault(Code::RUN_NOT_ALLOCATED, "an allocatable is used that is not allocated")
            }
            None => fault(Code::RUN_UNDEFINED, "a pointer is used that was never given a target"),
        }
    }

    /// The pointer or allocatable that a name with `parts` means; `None` if it means none.
    pub(crate) fn handle(&mut self, base: SymbolId, parts: &[Part]) -> Run<Option<Handle>> {
        let Some((Part::Component { symbol, name }, before)) = parts.split_last() else {
            if !parts.is_empty() {
                return Ok(None);
            }
            return Ok(match self.binding(base)? {
                Binding::Handle(handle) => Some(*handle),
                Binding::Data(_) | Binding::Procedure(_) | Binding::Absent | Binding::Unbound => {
                    None
                }
            });
        };
        let view = self.base_view(base)?;
        let view = self.select(view, before)?.view()?;
        let Some(component) = self.component(view.elem, *symbol, name)? else { return Ok(None) };
        Ok(slot_of(&view, &component))
    }

    /// The component of a type, looked up in the object's dynamic type; `None` for the part of an
    /// extended type that its parent is.
    fn component(
        &self,
        elem: Elem,
        symbol: Option<SymbolId>,
        name: &str,
    ) -> Run<Option<Component>> {
        let Elem::Derived(layout) = elem else {
            return fault(Code::RUN_TYPE, format!("{} has no component `{name}`", elem.name()));
        };
        let components = &self.layouts[layout as usize].components;
        let found = components.iter().find(|c| Some(c.symbol) == symbol).or_else(|| {
            components.iter().rev().find(|c| self.doc.name(c.symbol).eq_ignore_ascii_case(name))
        });
        Ok(found.cloned())
    }

    /// Applies selectors to a view.
    pub(crate) fn select(&mut self, view: View, parts: &[Part]) -> Run<Located> {
        let mut at = Located::View(view);
        // Dimensions that an array component has from the array of objects it is a part of: they
        // stand last, and subscripts of the component do not count them.
        let mut inherited = 0;
        // The array component of the objects that a vector subscript has picked.
        let mut of_scattered = None;
        for part in parts {
            at = match part {
                Part::Elements(subscripts) => {
                    if let Some(component) = of_scattered.take() {
                        at = self.element_of_each(at, &component, subscripts)?;
                        continue;
                    }
                    let mut view = at.view()?;
                    let own = view.dims.len().saturating_sub(inherited);
                    let rest: SmallVec<[Extent; 2]> = if subscripts.len() == own {
                        view.dims.drain(own..).collect()
                    } else {
                        SmallVec::new()
                    };
                    inherited = 0;
                    match self.subscript(&view, subscripts)? {
                        Located::View(mut view) => {
                            view.dims.extend(rest);
                            Located::View(view)
                        }
                        scattered if rest.is_empty() => scattered,
                        Located::Scattered { .. } => {
                            return refuse("a vector subscript in a part of an array of objects");
                        }
                    }
                }
                Part::Component { symbol, name } => {
                    inherited = match &at {
                        Located::View(view) => view.dims.len(),
                        Located::Scattered { .. } => 0,
                    };
                    if let Located::Scattered { .. } = at
                        && let Some(found) = self.component(at.elem(), *symbol, name)?
                        && !found.bounds.is_empty()
                    {
                        of_scattered = Some(found);
                        continue;
                    }
                    self.component_of(at, *symbol, name)?
                }
                Part::Substring { lower, upper } => self.substring(at, *lower, *upper)?,
                Part::Inquiry(name) => inquire(at, name)?,
                Part::Deref => return refuse("pointers of C"),
            };
        }
        Ok(at)
    }

    /// The element of an array component in each of some objects.
    fn element_of_each(
        &mut self,
        objects: Located,
        component: &Component,
        subscripts: &[Subscript],
    ) -> Run<Located> {
        let (Located::Scattered { shape, addrs, .. }, Some(elem), None) =
            (objects, component.elem, &component.slot)
        else {
            return refuse("an array of pointers or allocatables as an array");
        };
        let mut picked = Vec::with_capacity(addrs.len());
        for addr in addrs {
            let from = addr.plus(component.offset);
            let array = View::contiguous(elem, self.size_of(elem), from, &component.bounds);
            picked.push(self.subscript(&array, subscripts)?.view()?.addr);
        }
        Ok(Located::Scattered { elem, shape, addrs: picked })
    }

    fn component_of(&mut self, at: Located, symbol: Option<SymbolId>, name: &str) -> Run<Located> {
        let Some(component) = self.component(at.elem(), symbol, name)? else {
            return self.parent_of(at, name);
        };
        match at {
            Located::View(view) => {
                if let Some(handle) = slot_of(&view, &component) {
                    if !view.dims.is_empty() {
                        return refuse("an array of pointers or allocatables as an array");
                    }
                    return Ok(Located::View(self.target_view(handle)?));
                }
                let elem = component.elem.unwrap_or(Elem::Int(4));
                let addr = view.addr.plus(component.offset);
                let size = self.size_of(elem);
                let mut part = View::contiguous(elem, size, addr, &component.bounds);
                part.dims.extend(view.dims.iter().copied());
                Ok(Located::View(if view.dims.is_empty() { part } else { part.rebased() }))
            }
            Located::Scattered { shape, addrs, .. } => {
                let Some(elem) = component.elem.filter(|_| component.slot.is_none()) else {
                    return refuse("an array of pointers or allocatables as an array");
                };
                let addrs = addrs.into_iter().map(|a| a.plus(component.offset)).collect();
                Ok(Located::Scattered { elem, shape, addrs })
            }
        }
    }

    /// `object%parent`: the same place seen as the type that its type extends.
    pub(crate) fn parent_of(&mut self, at: Located, name: &str) -> Run<Located> {
        let mut layout = match at.elem() {
            Elem::Derived(layout) => self.layouts[layout as usize].parent,
            _ => None,
        };
        while let Some(id) = layout {
            let parent = &self.layouts[id as usize];
            if self.doc.name(parent.symbol).eq_ignore_ascii_case(name) {
                let mut view = at.view()?;
                view.elem = Elem::Derived(id);
                return Ok(Located::View(view));
            }
            layout = parent.parent;
        }
        fault(Code::RUN_MALFORMED, format!("the object has no component `{name}`"))
    }

    fn subscript(&mut self, view: &View, subscripts: &[Subscript]) -> Run<Located> {
        if subscripts.len() != view.dims.len() {
            return fault(
                Code::RUN_SHAPE,
                format!(
                    "{} subscripts are given for {} dimensions",
                    subscripts.len(),
                    view.dims.len()
                ),
            );
        }
        let mut indices: SmallVec<[Index; 2]> = SmallVec::new();
        for (dim, (subscript, extent)) in subscripts.iter().zip(&view.dims).enumerate() {
            indices.push(self.index(*subscript, *extent, dim)?);
        }
        if indices.iter().any(|index| matches!(index, Index::Many(_))) {
            return scatter(view, indices);
        }
        let mut selected = View::scalar(view.elem, view.addr);
        for (index, extent) in indices.into_iter().zip(&view.dims) {
            match index {
                Index::One(distance) => selected.addr = selected.addr.plus(distance),
                Index::Range(range, distance) => {
                    selected.addr = selected.addr.plus(distance);
                    selected.dims.push(Extent {
                        lower: 1,
                        count: range.count,
                        stride: range.stride.wrapping_mul(extent.stride),
                    });
                }
                Index::Many(_) => {}
            }
        }
        Ok(Located::View(selected))
    }

    fn index(&mut self, subscript: Subscript, extent: Extent, dim: usize) -> Run<Index> {
        match subscript {
            Subscript::Index(expr) => match self.eval(expr)? {
                Value::Scalar(index) => {
                    let index = index.as_int()?;
                    check_index(index, extent, dim).at(self.doc.exprs[expr].place)?;
                    Ok(Index::One(distance(index, extent)))
                }
                Value::Array(indices) => {
                    let mut distances = Vec::with_capacity(indices.data.len());
                    for index in &indices.data {
                        let index = index.as_int()?;
                        check_index(index, extent, dim).at(self.doc.exprs[expr].place)?;
                        distances.push(distance(index, extent));
                    }
                    Ok(Index::Many(distances))
                }
                Value::Object(_) => fault(Code::RUN_TYPE, "a subscript is of a derived type"),
            },
            Subscript::Section { lower, upper, stride } => {
                self.section(lower, upper, stride, extent, dim)
            }
        }
    }

    fn section(
        &mut self,
        lower: Option<ExprId>,
        upper: Option<ExprId>,
        stride: Option<ExprId>,
        extent: Extent,
        dim: usize,
    ) -> Run<Index> {
        let stride = stride.map_or(Ok(1), |stride| self.int(stride))?;
        if stride == 0 {
            return fault(Code::RUN_ZERO_STEP, "the stride of a section is zero");
        }
        let unbounded = extent.count == Extent::UNKNOWN;
        let (first, last) = if stride > 0 {
            (extent.lower, extent.upper())
        } else {
            (extent.upper(), extent.lower)
        };
        if unbounded && (if stride > 0 { upper } else { lower }).is_none() {
            return fault(Code::RUN_SHAPE, "the last index of an assumed-size array is not known");
        }
        let first = lower.map_or(Ok(first), |lower| self.int(lower))?;
        let last = upper.map_or(Ok(last), |upper| self.int(upper))?;
        let count = count_steps(first, last, stride);
        if count > 0 {
            let last = first.wrapping_add((count - 1).wrapping_mul(stride));
            check_index(first, extent, dim)?;
            check_index(last, extent, dim)?;
        }
        let range = Extent { lower: 1, count, stride };
        Ok(Index::Range(range, if count > 0 { distance(first, extent) } else { 0 }))
    }

    fn substring(
        &mut self,
        at: Located,
        lower: Option<ExprId>,
        upper: Option<ExprId>,
    ) -> Run<Located> {
        let Elem::Char(len) = at.elem() else {
            return fault(Code::RUN_TYPE, "a substring is taken of what is no character");
        };
        let len = len as i64;
        let lower = lower.map_or(Ok(1), |lower| self.int(lower))?;
        let upper = upper.map_or(Ok(len), |upper| self.int(upper))?;
        if lower <= upper && (lower < 1 || upper > len) {
            return fault(
                Code::RUN_OUT_OF_BOUNDS,
                format!("substring ({lower}:{upper}) of a character of length {len}"),
            );
        }
        let elem = Elem::Char((upper.saturating_sub(lower).saturating_add(1)).max(0) as usize);
        let skip = if lower <= upper { lower - 1 } else { 0 };
        Ok(match at {
            Located::View(mut view) => {
                view.elem = elem;
                view.addr = view.addr.plus(skip);
                Located::View(view)
            }
            Located::Scattered { shape, addrs, .. } => Located::Scattered {
                elem,
                shape,
                addrs: addrs.into_iter().map(|addr| addr.plus(skip)).collect(),
            },
        })
    }

    /// The value at a place.
    pub(crate) fn load(&mut self, at: &Located) -> Run<Value> {
        match at {
            Located::View(view) => self.load_view(view),
            Located::Scattered { elem, shape, addrs } => {
                if let Elem::Derived(_) = elem {
                    return self.gather_objects(*elem, shape, addrs);
                }
                let mut data = Vec::with_capacity(addrs.len());
                for &addr in addrs {
                    data.push(self.memory.read(addr, *elem)?);
                }
                Ok(Array { elem: *elem, shape: shape.clone(), data }.into())
            }
        }
    }

    /// The value of a view.
    pub(crate) fn load_view(&mut self, view: &View) -> Run<Value> {
        if let Elem::Derived(_) = view.elem {
            return Ok(Value::Object(Box::new(view.clone())));
        }
        if view.dims.is_empty() {
            return Ok(Value::Scalar(self.memory.read(view.addr, view.elem)?));
        }
        let shape = view.known_shape()?;
        let mut data: Vec<Scalar> = Vec::with_capacity(size_of_shape(&shape)?.min(1 << 20));
        for addr in view.elements() {
            data.push(self.memory.read(addr, view.elem)?);
        }
        Ok(Array { elem: view.elem, shape, data }.into())
    }

    fn gather_objects(&mut self, elem: Elem, shape: &Shape, addrs: &[Addr]) -> Run<Value> {
        let size = self.size_of(elem);
        let start = self.temporary(size.saturating_mul(addrs.len() as i64))?;
        let mut to = start;
        for &addr in addrs {
            self.memory.copy(addr, to, size)?;
            to = to.plus(size);
        }
        let bounds: Vec<(i64, i64)> = shape.iter().map(|&count| (1, count)).collect();
        Ok(Value::Object(Box::new(View::contiguous(elem, size, start, &bounds))))
    }

    /// What `object%component` without data means: the symbol of a type-bound procedure.
    pub(crate) fn is_binding(&self, symbol: Option<SymbolId>) -> bool {
        symbol.is_some_and(|s| matches!(self.doc.role(s), Some(Role::Binding { .. })))
    }
}

fn slot_of(view: &View, component: &Component) -> Option<Handle> {
    component.slot.map(|kind| Handle {
        addr: view.addr.plus(component.offset),
        elem: component.elem,
        rank: component.rank,
        allocatable: kind == SlotKind::Allocatable,
    })
}

fn distance(index: i64, extent: Extent) -> i64 {
    index.wrapping_sub(extent.lower).wrapping_mul(extent.stride)
}

/// A fault if an index lies outside of its dimension (counted from 0).
pub(crate) fn check_index(index: i64, extent: Extent, dim: usize) -> Run<()> {
    let above = extent.count != Extent::UNKNOWN && index > extent.upper();
    if index >= extent.lower && !above {
        return Ok(());
    }
    let (lower, dim) = (extent.lower, dim + 1);
    let bounds = if extent.count == Extent::UNKNOWN {
        format!("{lower}:*")
    } else {
        format!("{lower}:{}", extent.upper())
    };
    fault(
        Code::RUN_OUT_OF_BOUNDS,
        format!("index {index} is outside of {bounds} in dimension {dim}"),
    )
}

/// How many steps of `stride` lead from `first` to `last`, both included.
pub(crate) fn count_steps(first: i64, last: i64, stride: i64) -> i64 {
    let span = i128::from(last) - i128::from(first);
    let count = span / i128::from(stride) + 1;
    if (span < 0) != (stride < 0) && span != 0 {
        return 0;
    }
    i64::try_from(count).unwrap_or(i64::MAX).max(0)
}

fn scatter(view: &View, indices: SmallVec<[Index; 2]>) -> Run<Located> {
    let mut base = view.addr;
    let mut shape = Shape::new();
    let mut lists: Vec<Vec<i64>> = Vec::new();
    for (index, extent) in indices.into_iter().zip(&view.dims) {
        match index {
            Index::One(distance) => base = base.plus(distance),
            Index::Range(range, distance) => {
                base = base.plus(distance);
                size_of_shape(&[range.count])?;
                let step = range.stride.wrapping_mul(extent.stride);
                lists.push((0..range.count).map(|i| i.wrapping_mul(step)).collect());
                shape.push(range.count);
            }
            Index::Many(distances) => {
                shape.push(distances.len() as i64);
                lists.push(distances);
            }
        }
    }
    size_of_shape(&shape)?;
    let mut addrs = vec![base];
    // The first dimension runs fastest, so the last list is the outermost.
    for list in lists.iter().rev() {
        addrs = addrs.iter().flat_map(|addr| list.iter().map(|&step| addr.plus(step))).collect();
    }
    Ok(Located::Scattered { elem: view.elem, shape, addrs })
}

fn inquire(at: Located, name: &str) -> Run<Located> {
    let Elem::Complex(kind) = at.elem() else {
        return refuse(format!("`%{name}` of {}", at.elem().name()));
    };
    let skip = match name.to_ascii_lowercase().as_str() {
        "re" => 0,
        "im" => i64::from(kind),
        _ => return refuse(format!("`%{name}`")),
    };
    let mut view = at.view()?;
    view.elem = Elem::Real(kind);
    view.addr = view.addr.plus(skip);
    Ok(Located::View(view))
}
