//! Functions that move elements without computing on them: they work on all intrinsic types.

use xaif_schema::diag::Code;
use xaif_schema::model::Ty;

use super::{Builtin, Values, optional, required};
use crate::arith::convert;
use crate::fault::{Run, fault, refuse};
use crate::machine::Machine;
use crate::num::Num;
use crate::storage::{Addr, scalar_size};
use crate::value::{Array, Elem, Scalar, Shape, Value, size_of_shape};

impl Machine<'_> {
    /// A function that rearranges arrays (or strings).
    pub(super) fn rearrange(&mut self, builtin: Builtin, mut values: Values, ty: Ty) -> Run<Value> {
        let values = &mut values;
        match builtin {
            Builtin::Transpose => transpose(required(values, 0)?.array()?),
            Builtin::Reshape => reshape(values),
            Builtin::Spread => spread(values),
            Builtin::Pack => pack(values),
            Builtin::Unpack => unpack(values),
            Builtin::Cshift => shift(values, true),
            Builtin::Eoshift => shift(values, false),
            Builtin::Trim => {
                let text = required(values, 0)?.scalar()?.as_chars()?;
                Ok(Scalar::chars(&text[..super::text::trimmed(&text)]).into())
            }
            Builtin::Repeat => {
                let text = required(values, 0)?.scalar()?.as_chars()?;
                let count = required(values, 1)?.scalar()?.as_int()?.max(0);
                let size = size_of_shape(&[count, text.len() as i64])?;
                if size > 1 << 26 {
                    return fault(Code::RUN_LIMIT, "REPEAT makes too long a string");
                }
                Ok(Scalar::chars(text.repeat(count as usize)).into())
            }
            Builtin::SelectedIntKind => {
                let digits = required(values, 0)?.scalar()?.as_int()?;
                let kinds = [(2, 1), (4, 2), (9, 4), (18, 8), (38, 16)];
                let kind = kinds.iter().find(|(most, _)| digits <= *most);
                Ok(Scalar::int(kind.map_or(-1, |&(_, kind)| kind)).into())
            }
            Builtin::SelectedRealKind => selected_real_kind(values),
            Builtin::Transfer => self.transfer(values, ty),
            other => refuse(format!("the intrinsic {other:?}")),
        }
    }

    /// TRANSFER: through storage, whose bytes both types read.
    fn transfer(&mut self, values: &mut Values, _ty: Ty) -> Run<Value> {
        let source = required(values, 0)?;
        let mold = required(values, 1)?;
        let size = optional(values, 2).map(|size| size.scalar()?.as_int()).transpose()?;
        let view = self.materialise(source)?;
        let elem = mold.elem();
        let each = self.size_of(elem);
        let bytes = self.size_of(view.elem) * size_of_shape(&view.known_shape()?)? as i64;
        let count = match (size, &mold) {
            (Some(size), _) => size.max(0),
            (None, Value::Scalar(_)) => 1,
            (None, _) if each == 0 => 0,
            (None, _) => (bytes + each - 1) / each,
        };
        let start = self.temporary(size_of_shape(&[count, each])? as i64)?;
        let part = self.size_of(view.elem);
        let mut to = start;
        for from in view.elements() {
            let room = (start.offset + count * each - to.offset).min(part);
            if room > 0 {
                self.memory.copy(from, to, room)?;
            }
            to = to.plus(part);
        }
        if let Elem::Derived(_) = elem {
            return refuse("TRANSFER to a derived type");
        }
        let mut data = Vec::with_capacity(count as usize);
        for index in 0..count {
            let addr = Addr { block: start.block, offset: start.offset + index * each };
            data.push(self.memory.read(addr, elem)?);
        }
        match (size, &mold, data.first()) {
            (None, Value::Scalar(_), Some(only)) => Ok(only.clone().into()),
            _ => Ok(Array::vector(elem, data).into()),
        }
    }
}

fn selected_real_kind(values: &mut Values) -> Run<Value> {
    let mut number = |index| -> Run<i64> {
        optional(values, index).map_or(Ok(0), |value| value.scalar()?.as_int())
    };
    let (digits, range) = (number(0)?, number(1)?);
    let kinds = [(6, 37, 4), (15, 307, 8), (18, 4931, 10), (33, 4931, 16)];
    let kind = kinds.iter().find(|(p, r, _)| digits <= *p && range <= *r);
    let kind = kind.map_or(if digits > 33 { -1 } else { -2 }, |&(_, _, kind)| kind);
    Ok(Scalar::int(kind).into())
}

fn transpose(matrix: Array) -> Run<Value> {
    let [rows, columns] = *matrix.shape.as_slice() else {
        return fault(Code::RUN_SHAPE, "TRANSPOSE takes a matrix");
    };
    let (rows_, columns_) = (rows.max(0) as usize, columns.max(0) as usize);
    let mut data = Vec::with_capacity(matrix.data.len());
    for row in 0..rows_ {
        for column in 0..columns_ {
            data.push(matrix.data[column * rows_ + row].clone());
        }
    }
    let shape = Shape::from_slice(&[columns, rows]);
    Ok(Array { elem: matrix.elem, shape, data }.into())
}

fn ints(value: Value) -> Run<Vec<i64>> {
    match value {
        Value::Scalar(scalar) => Ok(vec![scalar.as_int()?]),
        Value::Array(array) => array.data.iter().map(Scalar::as_int).collect(),
        Value::Object(_) => fault(Code::RUN_TYPE, "integers are needed here"),
    }
}

fn reshape(values: &mut Values) -> Run<Value> {
    let source = required(values, 0)?.array()?;
    let shape: Shape = ints(required(values, 1)?)?.into();
    let pad = optional(values, 2).map(Value::array).transpose()?;
    let order = optional(values, 3).map(ints).transpose()?;
    let count = size_of_shape(&shape)?;
    let mut data: Vec<Scalar> = source.data.iter().take(count).cloned().collect();
    if data.len() < count {
        let Some(pad) = pad.filter(|pad| !pad.data.is_empty()) else {
            return fault(Code::RUN_SHAPE, "RESHAPE has too few elements and nothing to pad with");
        };
        let missing = count - data.len();
        data.extend(pad.data.iter().cycle().take(missing).cloned());
    }
    let Some(order) = order else {
        return Ok(Array { elem: source.elem, shape, data }.into());
    };
    let mut strides = vec![1usize; shape.len()];
    for dim in 1..shape.len() {
        strides[dim] = strides[dim - 1] * shape[dim - 1].max(0) as usize;
    }
    let dims: Option<Vec<usize>> = order
        .iter()
        .map(|&d| usize::try_from(d).ok()?.checked_sub(1).filter(|&d| d < shape.len()))
        .collect();
    let Some(dims) = dims.filter(|dims| dims.len() == shape.len()) else {
        return fault(Code::RUN_SHAPE, "ORDER of RESHAPE is no permutation");
    };
    let mut placed = data.clone();
    let mut index = vec![0usize; shape.len()];
    for value in data {
        let at: usize = index.iter().zip(&strides).map(|(i, s)| i * s).sum();
        if let Some(place) = placed.get_mut(at) {
            *place = value;
        }
        for &dim in &dims {
            index[dim] += 1;
            if index[dim] < shape[dim].max(0) as usize {
                break;
            }
            index[dim] = 0;
        }
    }
    Ok(Array { elem: source.elem, shape, data: placed }.into())
}

fn spread(values: &mut Values) -> Run<Value> {
    let source = required(values, 0)?;
    let dim = required(values, 1)?.scalar()?.as_int()?;
    let copies = required(values, 2)?.scalar()?.as_int()?.max(0);
    let (elem, mut shape, data) = match source {
        Value::Scalar(scalar) => (scalar.elem(), Shape::new(), vec![scalar]),
        Value::Array(array) => (array.elem, array.shape, array.data),
        Value::Object(_) => return refuse("SPREAD of a derived type"),
    };
    let at = match usize::try_from(dim).ok().and_then(|dim| dim.checked_sub(1)) {
        Some(at) if at <= shape.len() => at,
        _ => return fault(Code::RUN_SHAPE, format!("SPREAD has no dimension {dim}")),
    };
    let inner = size_of_shape(&shape[..at])?.max(1);
    shape.insert(at, copies);
    let mut spread = Vec::with_capacity(size_of_shape(&shape)?);
    for chunk in data.chunks(inner) {
        for _ in 0..copies {
            spread.extend_from_slice(chunk);
        }
    }
    Ok(Array { elem, shape, data: spread }.into())
}

fn mask_at(mask: &Value, index: usize) -> Run<bool> {
    match mask {
        Value::Scalar(mask) => mask.as_logical(),
        Value::Array(mask) => match mask.data.get(index) {
            Some(element) => element.as_logical(),
            None => fault(Code::RUN_SHAPE, "a mask does not conform"),
        },
        Value::Object(_) => fault(Code::RUN_TYPE, "a mask is of a derived type"),
    }
}

fn pack(values: &mut Values) -> Run<Value> {
    let array = required(values, 0)?.array()?;
    let mask = required(values, 1)?;
    let mut data = Vec::new();
    for (index, element) in array.data.iter().enumerate() {
        if mask_at(&mask, index)? {
            data.push(element.clone());
        }
    }
    if let Some(vector) = optional(values, 2) {
        let vector = vector.array()?;
        data.extend(vector.data.into_iter().skip(data.len()));
    }
    Ok(Array::vector(array.elem, data).into())
}

fn unpack(values: &mut Values) -> Run<Value> {
    let vector = required(values, 0)?.array()?;
    let mask = required(values, 1)?.array()?;
    let field = crate::expr::Operand::of(required(values, 2)?);
    let mut source = vector.data.into_iter();
    let mut data = Vec::with_capacity(mask.data.len());
    for (index, chosen) in mask.data.iter().enumerate() {
        data.push(if chosen.as_logical()? {
            match source.next() {
                Some(element) => element,
                None => return fault(Code::RUN_SHAPE, "UNPACK has too few elements"),
            }
        } else {
            field.at(index).clone()
        });
    }
    Ok(Array { elem: vector.elem, shape: mask.shape, data }.into())
}

/// CSHIFT and EOSHIFT, along one dimension.
fn shift(values: &mut Values, circular: bool) -> Run<Value> {
    let array = required(values, 0)?.array()?;
    let shifts = ints(required(values, 1)?)?;
    let (boundary, dim) = if circular {
        (None, optional(values, 2))
    } else {
        (optional(values, 2), optional(values, 3))
    };
    let dim = dim.map_or(Ok(1), |dim| dim.scalar()?.as_int())?;
    let dim = match usize::try_from(dim).ok().and_then(|dim| dim.checked_sub(1)) {
        Some(dim) if dim < array.shape.len() => dim,
        _ => return fault(Code::RUN_SHAPE, format!("there is no dimension {dim}")),
    };
    let stride = size_of_shape(&array.shape[..dim])?;
    let extent = array.shape[dim].max(0);
    let outer = size_of_shape(&array.shape[dim + 1..])?;
    let blank = match array.elem {
        Elem::Char(len) => Scalar::chars(vec![b' '; len]),
        Elem::Logical(kind) => Scalar::Logical(kind, false),
        Elem::Real(kind) => Scalar::Real(kind, Num::default()),
        other => convert(Scalar::Int(1, 0), other)?,
    };
    let boundary = boundary.map(crate::expr::Operand::of);
    let mut data = array.data.clone();
    for o in 0..outer {
        for s in 0..stride {
            let line = o * stride + s;
            let by =
                if shifts.len() == 1 { shifts[0] } else { shifts.get(line).copied().unwrap_or(0) };
            let at = |i: i64| o * stride * extent as usize + i as usize * stride + s;
            for i in 0..extent {
                let from = i.wrapping_add(by);
                data[at(i)] = if circular {
                    array.data[at(from.rem_euclid(extent))].clone()
                } else if (0..extent).contains(&from) {
                    array.data[at(from)].clone()
                } else {
                    boundary.as_ref().map_or(blank.clone(), |b| b.at(line).clone())
                };
            }
        }
    }
    Ok(Array { elem: array.elem, shape: array.shape, data }.into())
}

/// The bits of an element, for STORAGE_SIZE.
pub(super) fn bits_of(elem: Elem) -> i64 {
    8 * scalar_size(elem) as i64
}
