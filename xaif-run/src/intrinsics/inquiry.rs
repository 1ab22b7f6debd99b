//! Inquiry functions: they look at shapes, types and association and do not need values.

use xaif_schema::diag::Code;
use xaif_schema::model::{Expr, ExprId, ExprKind};

use super::{Builtin, rearrange::bits_of};
use crate::fault::{Run, fault, refuse};
use crate::machine::{Binding, Machine};
use crate::num::Num;
use crate::reference::Located;
use crate::storage::Slot;
use crate::value::{Array, Elem, Scalar, Value};
use crate::view::{Extent, View};

impl Machine<'_> {
    /// The value of an inquiry function; `None` if `builtin` is none.
    pub(crate) fn inquiry(
        &mut self,
        builtin: Builtin,
        args: &[Option<ExprId>],
        expr: &Expr,
    ) -> Run<Option<Value>> {
        let first = args.first().copied().flatten();
        let value = match builtin {
            Builtin::Null => return refuse("NULL() where a value is needed"),
            Builtin::Present => {
                let Some(first) = first else { return missing() };
                self.bind_argument(first)?;
                Scalar::logical(!self.is_absent(first))
            }
            Builtin::Allocated => {
                let Some(first) = first else { return missing() };
                Scalar::logical(matches!(self.slot_at(first)?, Some(Slot::Owned(_))))
            }
            Builtin::Associated => {
                let Some(first) = first else { return missing() };
                return self.associated_with(first, args.get(1).copied().flatten()).map(Some);
            }
            Builtin::Size | Builtin::Lbound | Builtin::Ubound | Builtin::Shape => {
                let Some(first) = first else { return missing() };
                return self.bounds(builtin, first, args).map(Some);
            }
            Builtin::Rank => {
                let Some(first) = first else { return missing() };
                let view = self.view_of(first)?;
                Scalar::int(view.rank() as i64)
            }
            Builtin::IsContiguous => {
                let Some(first) = first else { return missing() };
                let view = self.view_of(first)?;
                Scalar::logical(view.is_contiguous(self.size_of(view.elem)))
            }
            Builtin::Kind
            | Builtin::Len
            | Builtin::Huge
            | Builtin::Tiny
            | Builtin::Epsilon
            | Builtin::Digits
            | Builtin::Precision
            | Builtin::Range
            | Builtin::Radix
            | Builtin::Maxexponent
            | Builtin::Minexponent
            | Builtin::BitSize
            | Builtin::StorageSize
            | Builtin::Sizeof
            | Builtin::CSizeof
            | Builtin::NewLine => {
                let Some(first) = first else { return missing() };
                let kind = match expr.ty.base {
                    xaif_schema::model::Base::Integer(kind @ (1 | 2 | 4 | 8)) => kind,
                    _ => 4,
                };
                let elem = self.elem_of_expr(first)?;
                match builtin {
                    Builtin::StorageSize => {
                        let bits = match elem {
                            Elem::Derived(_) => 8 * self.size_of(elem),
                            other => bits_of(other),
                        };
                        Scalar::Int(kind, bits)
                    }
                    Builtin::Sizeof | Builtin::CSizeof => {
                        let view = self.view_of(first)?;
                        let shape = view.known_shape()?;
                        let count = crate::value::size_of_shape(&shape)? as i64;
                        Scalar::Int(8, count * self.size_of(elem))
                    }
                    _ => numeric(builtin, elem, kind)?,
                }
            }
            Builtin::SameTypeAs | Builtin::ExtendsTypeOf => {
                let (Some(a), Some(&Some(b))) = (first, args.get(1)) else { return missing() };
                let (a, b) = (self.view_of(a)?, self.view_of(b)?);
                Scalar::logical(match (builtin, a.elem, b.elem) {
                    (Builtin::ExtendsTypeOf, Elem::Derived(a), Elem::Derived(b)) => {
                        self.extends(a, b)
                    }
                    (_, a, b) => a.same_type(b),
                })
            }
            _ => return Ok(None),
        };
        Ok(Some(value.into()))
    }

    fn bind_argument(&mut self, expr: ExprId) -> Run<()> {
        match &self.doc.exprs[expr].kind {
            ExprKind::Ref(r) => {
                let base = self.doc.refs[*r].base;
                self.binding(base).map(|_| ())
            }
            _ => Ok(()),
        }
    }

    /// What the slot of a pointer or allocatable says.
    fn slot_at(&mut self, expr: ExprId) -> Run<Option<Slot>> {
        let ExprKind::Ref(r) = self.doc.exprs[expr].kind else {
            return self.slot_of_expr(expr);
        };
        let reference = &self.doc.refs[r];
        match self.handle(reference.base, &reference.parts)? {
            Some(handle) => Ok(self.memory.slot(handle.addr)?.cloned()),
            None => {
                let name = self.doc.name(reference.base);
                fault(Code::RUN_TYPE, format!("`{name}` is neither pointer nor allocatable"))
            }
        }
    }

    fn associated_with(&mut self, pointer: ExprId, target: Option<ExprId>) -> Run<Value> {
        let slot = self.slot_at(pointer)?;
        let Some(target) = target else {
            let found = matches!(slot, Some(Slot::Data(_) | Slot::Owned(_) | Slot::Procedure(_)));
            if slot.is_none() {
                return fault(
                    Code::RUN_UNDEFINED,
                    "the association of a pointer is asked for that was never given a target",
                );
            }
            return Ok(Scalar::logical(found).into());
        };
        let target = self.target(target)?;
        let same = match (slot, target) {
            (Some(Slot::Data(a) | Slot::Owned(a)), Slot::Data(b) | Slot::Owned(b)) => {
                let strides = |v: &View| -> Vec<(i64, i64)> {
                    v.dims
                        .iter()
                        .map(|d| (d.count, if d.count > 1 { d.stride } else { 0 }))
                        .collect()
                };
                let empty = a.dims.iter().any(|dim| dim.count == 0);
                a.addr == b.addr && strides(&a) == strides(&b) && !empty
            }
            (Some(Slot::Procedure(a)), Slot::Procedure(b)) => a == b,
            _ => false,
        };
        Ok(Scalar::logical(same).into())
    }

    /// Where the argument of an inquiry lies; a value is put into temporary storage.
    fn view_of(&mut self, expr: ExprId) -> Run<View> {
        let data = &self.doc.exprs[expr];
        if let (ExprKind::Ref(r), false) = (&data.kind, data.parens) {
            return match self.locate(*r)? {
                Located::View(view) => {
                    let whole = !matches!(
                        self.doc.refs[*r].parts.last(),
                        Some(xaif_schema::model::Part::Elements(_))
                    );
                    Ok(if whole { view } else { view.rebased() })
                }
                scattered @ Located::Scattered { .. } => {
                    let shape = scattered.shape()?;
                    let bounds: Vec<(i64, i64)> = shape.iter().map(|&count| (1, count)).collect();
                    let addr = scattered.addresses().first().map(|&(addr, _)| addr);
                    let nowhere =
                        crate::storage::Addr { block: crate::storage::BlockId::NONE, offset: 0 };
                    let elem = scattered.elem();
                    Ok(View::contiguous(elem, self.size_of(elem), addr.unwrap_or(nowhere), &bounds))
                }
            };
        }
        let value = self.eval(expr)?;
        self.materialise(value)
    }

    /// The type of an argument; of an unallocated variable, the declared one.
    fn elem_of_expr(&mut self, expr: ExprId) -> Run<Elem> {
        use xaif_schema::model::Base;
        let data = &self.doc.exprs[expr];
        match data.ty.base {
            Base::Integer(_) | Base::Real(_) | Base::Complex(_) | Base::Logical(_) => {
                self.elem_of_base(data.ty.base)
            }
            _ => {
                if let ExprKind::Ref(r) = data.kind
                    && self.doc.refs[r].parts.is_empty()
                {
                    let base = self.doc.refs[r].base;
                    if let Binding::Handle(handle) = self.binding(base)?
                        && let (Some(elem), addr) = (handle.elem, handle.addr)
                        && matches!(self.memory.slot(addr)?, Some(Slot::Null) | None)
                    {
                        return Ok(elem);
                    }
                }
                if let ExprKind::Ref(_) = data.kind {
                    return Ok(self.view_of(expr)?.elem);
                }
                Ok(self.eval(expr)?.elem())
            }
        }
    }

    fn bounds(&mut self, builtin: Builtin, array: ExprId, args: &[Option<ExprId>]) -> Run<Value> {
        let view = self.view_of(array)?;
        let (dim, kind) = if builtin == Builtin::Shape {
            (None, args.get(1).copied().flatten())
        } else {
            (args.get(1).copied().flatten(), args.get(2).copied().flatten())
        };
        let dim = match dim {
            Some(dim) if self.is_absent(dim) => None,
            Some(dim) => Some(self.int(dim)?),
            None => None,
        };
        let kind = match kind {
            Some(kind) => self.int(kind)?,
            None => 4,
        };
        let kind = if matches!(kind, 1 | 2 | 8) { kind as u8 } else { 4 };
        let of = |extent: &Extent| -> Run<i64> {
            let unknown = extent.count == Extent::UNKNOWN;
            match builtin {
                Builtin::Lbound if extent.count == 0 => Ok(1),
                Builtin::Lbound => Ok(extent.lower),
                _ if unknown => {
                    fault(Code::RUN_SHAPE, "the last extent of an assumed-size array is not known")
                }
                Builtin::Ubound if extent.count == 0 => Ok(0),
                Builtin::Ubound => Ok(extent.upper()),
                _ => Ok(extent.count),
            }
        };
        if let Some(dim) = dim {
            let index = usize::try_from(dim).ok().and_then(|dim| dim.checked_sub(1));
            return match index.and_then(|index| view.dims.get(index)) {
                Some(extent) => Ok(Scalar::Int(kind, of(extent)?).into()),
                None => fault(Code::RUN_SHAPE, format!("the array has no dimension {dim}")),
            };
        }
        if builtin == Builtin::Size {
            let size = crate::value::size_of_shape(&view.known_shape()?)?;
            return Ok(Scalar::Int(kind, size as i64).into());
        }
        let mut data = Vec::with_capacity(view.dims.len());
        for extent in &view.dims {
            data.push(Scalar::Int(kind, of(extent)?));
        }
        Ok(Array::vector(Elem::Int(kind), data).into())
    }
}

fn missing<T>() -> Run<T> {
    fault(Code::RUN_ARGUMENT, "an inquiry function lacks its argument")
}

/// What a type's model of numbers says.
fn numeric(builtin: Builtin, elem: Elem, kind: u8) -> Run<Scalar> {
    let real = |value: f64, of: u8| Scalar::Real(of, Num::of(value));
    let int = |value: i64| Scalar::Int(kind, value);
    Ok(match (builtin, elem) {
        (Builtin::Kind, Elem::Int(k) | Elem::Real(k) | Elem::Complex(k) | Elem::Logical(k)) => {
            int(k.into())
        }
        (Builtin::Kind, Elem::Char(_)) => int(1),
        (Builtin::Len, Elem::Char(len)) => int(len as i64),
        (Builtin::NewLine, _) => Scalar::chars(b"\n".as_slice()),
        (Builtin::Huge, Elem::Int(k)) => Scalar::Int(k, i64::MAX >> (64 - 8 * u32::from(k))),
        (Builtin::Huge, Elem::Real(4)) => real(f32::MAX.into(), 4),
        (Builtin::Huge, Elem::Real(8)) => real(f64::MAX, 8),
        (Builtin::Tiny, Elem::Real(4)) => real(f32::MIN_POSITIVE.into(), 4),
        (Builtin::Tiny, Elem::Real(8)) => real(f64::MIN_POSITIVE, 8),
        (Builtin::Epsilon, Elem::Real(4)) => real(f32::EPSILON.into(), 4),
        (Builtin::Epsilon, Elem::Real(8)) => real(f64::EPSILON, 8),
        (Builtin::Digits, Elem::Int(k)) => int(8 * i64::from(k) - 1),
        (Builtin::Digits, Elem::Real(k)) => int(if k == 4 { 24 } else { 53 }),
        (Builtin::Precision, Elem::Real(k) | Elem::Complex(k)) => int(if k == 4 { 6 } else { 15 }),
        (Builtin::Range, Elem::Int(k)) => int(match k {
            1 => 2,
            2 => 4,
            4 => 9,
            _ => 18,
        }),
        (Builtin::Range, Elem::Real(k) | Elem::Complex(k)) => int(if k == 4 { 37 } else { 307 }),
        (Builtin::Radix, _) => int(2),
        (Builtin::Maxexponent, Elem::Real(k)) => int(if k == 4 { 128 } else { 1024 }),
        (Builtin::Minexponent, Elem::Real(k)) => int(if k == 4 { -125 } else { -1021 }),
        (Builtin::BitSize, Elem::Int(k)) => Scalar::Int(k, 8 * i64::from(k)),
        (_, other) => {
            return fault(Code::RUN_TYPE, format!("an inquiry function takes no {}", other.name()));
        }
    })
}
