//! Reductions: sums, extrema, locations, scalar and matrix products.
//!
//! Elements are combined in array element order, one after the other, which is what gfortran's
//! inline code does. (Its library's MATMUL may use other orders and fused operations, so products
//! of larger matrices agree to rounding only.) NORM2 scales as libgfortran does.

use xaif_schema::diag::Code;
use xaif_schema::model::{BoolOp, Ty};

use super::{Builtin, Values, optional, required};
use crate::arith::{Operator, convert};
use crate::fault::{Run, fault, refuse};
use crate::machine::Machine;
use crate::num::{Function, Num};
use crate::value::{Array, Elem, Scalar, Shape, Value, size_of_shape};

/// The indices of the elements that one result of a reduction is made of.
struct Lines {
    shape: Shape,
    lines: Vec<Vec<usize>>,
}

fn lines(shape: &[i64], dim: Option<usize>) -> Run<Lines> {
    let count = size_of_shape(shape)?;
    let Some(dim) = dim else {
        return Ok(Lines { shape: Shape::new(), lines: vec![(0..count).collect()] });
    };
    let Some(&extent) = shape.get(dim) else {
        return fault(
            Code::RUN_SHAPE,
            format!("dimension {} is asked for of an array of rank {}", dim + 1, shape.len()),
        );
    };
    let stride = size_of_shape(&shape[..dim])?;
    let outer = size_of_shape(&shape[dim + 1..])?;
    let extent = extent.max(0) as usize;
    let mut lines = Vec::with_capacity(stride * outer);
    for o in 0..outer {
        for s in 0..stride {
            lines.push((0..extent).map(|i| o * stride * extent + i * stride + s).collect());
        }
    }
    let mut rest = Shape::from_slice(shape);
    rest.remove(dim);
    Ok(Lines { shape: rest, lines })
}

/// DIM and MASK, which may stand in each other's place.
struct Options {
    dim: Option<usize>,
    mask: Option<Value>,
}

fn options(values: &mut Values, first: usize) -> Run<Options> {
    let (mut dim, mut mask) = (optional(values, first), optional(values, first + 1));
    if dim.as_ref().is_some_and(|value| matches!(value.elem(), Elem::Logical(_))) {
        mask = dim.take();
    }
    let dim = match dim {
        Some(dim) => {
            let dim = dim.scalar()?.as_int()?;
            match usize::try_from(dim).ok().and_then(|dim| dim.checked_sub(1)) {
                Some(dim) => Some(dim),
                None => return fault(Code::RUN_SHAPE, format!("there is no dimension {dim}")),
            }
        }
        None => None,
    };
    Ok(Options { dim, mask })
}

fn chosen(mask: &Option<Value>, index: usize) -> Run<bool> {
    match mask {
        None => Ok(true),
        Some(Value::Scalar(mask)) => mask.as_logical(),
        Some(Value::Array(mask)) => match mask.data.get(index) {
            Some(element) => element.as_logical(),
            None => fault(Code::RUN_SHAPE, "the mask of a reduction does not conform"),
        },
        Some(Value::Object(_)) => fault(Code::RUN_TYPE, "a mask is of a derived type"),
    }
}

fn shaped(lines: Lines, elem: Elem, data: Vec<Scalar>) -> Value {
    let whole = lines.shape.is_empty() && data.len() == 1;
    match (whole, data.first()) {
        (true, Some(only)) => Value::Scalar(only.clone()),
        _ => Array { elem, shape: lines.shape, data }.into(),
    }
}

impl Machine<'_> {
    /// A function of whole arrays.
    pub(super) fn transformational(
        &mut self,
        builtin: Builtin,
        mut values: Values,
        ty: Ty,
    ) -> Run<Value> {
        match builtin {
            Builtin::Sum => self.fold(&mut values, Operator::Add, 0),
            Builtin::Product => self.fold(&mut values, Operator::Mul, 1),
            Builtin::Maxval | Builtin::Minval => self.extremum(&mut values, builtin),
            Builtin::All | Builtin::Any | Builtin::Parity | Builtin::Count => {
                self.logicals(&mut values, builtin)
            }
            Builtin::Iall | Builtin::Iany | Builtin::Iparity => {
                self.fold_bits(&mut values, builtin)
            }
            Builtin::Norm2 => self.norm2(&mut values),
            Builtin::DotProduct => self.dot_product(&mut values),
            Builtin::Matmul => self.matmul(&mut values),
            Builtin::Maxloc | Builtin::Minloc | Builtin::Findloc => {
                self.location(&mut values, builtin)
            }
            _ => self.rearrange(builtin, values, ty),
        }
    }

    fn fold(&mut self, values: &mut Values, op: Operator, start: i64) -> Run<Value> {
        let array = required(values, 0)?.array()?;
        let options = options(values, 1)?;
        let all = lines(&array.shape, options.dim)?;
        let mut data = Vec::with_capacity(all.lines.len());
        for line in &all.lines {
            let mut result = convert(Scalar::Int(8, start), array.elem)?;
            for &index in line {
                if chosen(&options.mask, index)? {
                    result = self.arith.binary(op, &result, &array.data[index])?;
                }
            }
            data.push(result);
        }
        Ok(shaped(all, array.elem, data))
    }

    fn fold_bits(&mut self, values: &mut Values, builtin: Builtin) -> Run<Value> {
        let array = required(values, 0)?.array()?;
        let options = options(values, 1)?;
        let all = lines(&array.shape, options.dim)?;
        let Elem::Int(kind) = array.elem else {
            return fault(Code::RUN_TYPE, "bits are combined of what is no integer");
        };
        let mut data = Vec::with_capacity(all.lines.len());
        for line in &all.lines {
            let mut result = if builtin == Builtin::Iall { -1 } else { 0 };
            for &index in line {
                if chosen(&options.mask, index)? {
                    let next = array.data[index].as_int()?;
                    result = match builtin {
                        Builtin::Iall => result & next,
                        Builtin::Iany => result | next,
                        _ => result ^ next,
                    };
                }
            }
            data.push(Scalar::Int(kind, result));
        }
        Ok(shaped(all, array.elem, data))
    }

    fn logicals(&mut self, values: &mut Values, builtin: Builtin) -> Run<Value> {
        let array = required(values, 0)?.array()?;
        let all = lines(&array.shape, options(values, 1)?.dim)?;
        let kind = match (builtin, array.elem) {
            (Builtin::Count, _) => {
                optional(values, 2).map_or(Ok(4), |kind| kind.scalar()?.as_int())? as u8
            }
            (_, Elem::Logical(kind)) => kind,
            _ => 4,
        };
        let mut data = Vec::with_capacity(all.lines.len());
        for line in &all.lines {
            let mut holds = 0i64;
            for &index in line {
                holds += i64::from(array.data[index].as_logical()?);
            }
            data.push(match builtin {
                Builtin::All => Scalar::Logical(kind, holds == line.len() as i64),
                Builtin::Any => Scalar::Logical(kind, holds > 0),
                Builtin::Parity => Scalar::Logical(kind, holds % 2 == 1),
                _ => convert(Scalar::Int(8, holds), Elem::Int(if kind == 8 { 8 } else { 4 }))?,
            });
        }
        let elem = data.first().map_or(Elem::Logical(4), Scalar::elem);
        Ok(shaped(all, elem, data))
    }

    fn extremum(&mut self, values: &mut Values, builtin: Builtin) -> Run<Value> {
        let array = required(values, 0)?.array()?;
        let options = options(values, 1)?;
        let all = lines(&array.shape, options.dim)?;
        let mut data = Vec::with_capacity(all.lines.len());
        for line in &all.lines {
            let best = self.best(&array, line, &options.mask, builtin == Builtin::Maxval, false)?;
            data.push(match best {
                Some(index) => array.data[index].clone(),
                None => nothing(array.elem, builtin == Builtin::Maxval)?,
            });
        }
        Ok(shaped(all, array.elem, data))
    }

    /// The index of the extreme element of a line: the first one, or with `back` the last one.
    fn best(
        &mut self,
        array: &Array,
        line: &[usize],
        mask: &Option<Value>,
        largest: bool,
        back: bool,
    ) -> Run<Option<usize>> {
        let op = match (largest, back) {
            (true, false) => BoolOp::GreaterThan,
            (true, true) => BoolOp::GreaterOrEqual,
            (false, false) => BoolOp::LessThan,
            (false, true) => BoolOp::LessOrEqual,
        };
        let mut best: Option<usize> = None;
        for &index in line {
            if !chosen(mask, index)? {
                continue;
            }
            let next = &array.data[index];
            let better = match best {
                None => match next {
                    Scalar::Undefined(_) => return crate::value::undefined(),
                    _ => true,
                },
                Some(best) => {
                    let best = &array.data[best];
                    let is_nan = matches!(best, Scalar::Real(_, x) if x.v.is_nan());
                    is_nan || self.arith.compare(op, next, best)?.as_logical()?
                }
            };
            if better {
                best = Some(index);
            }
        }
        Ok(best)
    }

    fn location(&mut self, values: &mut Values, builtin: Builtin) -> Run<Value> {
        let array = required(values, 0)?.array()?;
        let wanted =
            if builtin == Builtin::Findloc { Some(required(values, 1)?.scalar()?) } else { None };
        let skip = usize::from(wanted.is_some());
        let options = options(values, 1 + skip)?;
        let kind = optional(values, 3 + skip).map_or(Ok(4), |kind| kind.scalar()?.as_int())?;
        let kind = if kind == 8 { 8 } else { 4 };
        let back =
            optional(values, 4 + skip).map_or(Ok(false), |back| back.scalar()?.as_logical())?;
        let all = lines(&array.shape, options.dim)?;
        let mut found = Vec::with_capacity(all.lines.len());
        for line in &all.lines {
            found.push(match &wanted {
                Some(wanted) => {
                    let mut hit = None;
                    for &index in line {
                        let same = chosen(&options.mask, index)?
                            && self
                                .arith
                                .compare(BoolOp::Equal, &array.data[index], wanted)?
                                .as_logical()?;
                        if same && (back || hit.is_none()) {
                            hit = Some(index);
                        }
                    }
                    hit
                }
                None => {
                    let largest = builtin == Builtin::Maxloc;
                    self.best(&array, line, &options.mask, largest, back)?
                }
            });
        }
        let int = |value: usize| Scalar::Int(kind, value as i64);
        if let Some(dim) = options.dim {
            let stride = size_of_shape(&array.shape[..dim])?.max(1);
            let extent = array.shape[dim].max(1) as usize;
            let data = found
                .into_iter()
                .map(|hit| int(hit.map_or(0, |index| index / stride % extent + 1)))
                .collect();
            return Ok(shaped(all, Elem::Int(kind), data));
        }
        let mut rest = found.first().copied().flatten();
        let mut data = Vec::with_capacity(array.shape.len());
        for &extent in &array.shape {
            let extent = extent.max(1) as usize;
            data.push(int(rest.map_or(0, |index| index % extent + 1)));
            rest = rest.map(|index| index / extent);
        }
        Ok(Array::vector(Elem::Int(kind), data).into())
    }

    fn norm2(&mut self, values: &mut Values) -> Run<Value> {
        let array = required(values, 0)?.array()?;
        let Elem::Real(kind) = array.elem else {
            return fault(Code::RUN_TYPE, "NORM2 takes an array of reals");
        };
        let all = lines(&array.shape, options(values, 1)?.dim)?;
        let mode = self.arith.mode;
        let one = Num::of(1.0);
        let mut data = Vec::with_capacity(all.lines.len());
        for line in &all.lines {
            let (mut scale, mut sum) = (Num::default(), one);
            for &index in line {
                let x = mode.abs(array.data[index].as_real()?.1);
                if x.v == 0.0 {
                    continue;
                }
                if scale.v < x.v {
                    let ratio = mode.div(kind, scale, x);
                    let square = mode.mul(kind, ratio, ratio);
                    sum = mode.add(kind, one, mode.mul(kind, sum, square));
                    scale = x;
                } else {
                    let ratio = mode.div(kind, x, scale);
                    sum = mode.add(kind, sum, mode.mul(kind, ratio, ratio));
                }
            }
            let Some(root) = mode.apply(kind, Function::Sqrt, sum) else {
                return refuse("NORM2 in this mode");
            };
            data.push(Scalar::Real(kind, mode.mul(kind, scale, root)));
        }
        Ok(shaped(all, array.elem, data))
    }

    fn dot_product(&mut self, values: &mut Values) -> Run<Value> {
        let (a, b) = (required(values, 0)?.array()?, required(values, 1)?.array()?);
        if a.data.len() != b.data.len() {
            return fault(Code::RUN_SHAPE, "DOT_PRODUCT takes vectors of the same size");
        }
        let pairs = a.data.iter().zip(&b.data);
        Ok(self.inner(pairs, a.elem, b.elem, true)?.into())
    }

    /// The sum of products, in order.
    fn inner<'s>(
        &mut self,
        pairs: impl Iterator<Item = (&'s Scalar, &'s Scalar)>,
        a: Elem,
        b: Elem,
        conjugate: bool,
    ) -> Run<Scalar> {
        if let (Elem::Logical(kind), Elem::Logical(_)) = (a, b) {
            let mut any = false;
            for (a, b) in pairs {
                any |= a.as_logical()? && b.as_logical()?;
            }
            return Ok(Scalar::Logical(kind, any));
        }
        let zero = self.arith.binary(
            Operator::Mul,
            &convert(Scalar::Int(1, 0), a)?,
            &convert(Scalar::Int(1, 0), b)?,
        )?;
        let mut sum = zero;
        for (a, b) in pairs {
            let product = match a {
                Scalar::Complex(kind, [re, im]) if conjugate => {
                    let a = Scalar::Complex(*kind, [*re, self.arith.mode.neg(*im)]);
                    self.arith.binary(Operator::Mul, &a, b)?
                }
                a => self.arith.binary(Operator::Mul, a, b)?,
            };
            sum = self.arith.binary(Operator::Add, &sum, &product)?;
        }
        Ok(sum)
    }

    fn matmul(&mut self, values: &mut Values) -> Run<Value> {
        let (a, b) = (required(values, 0)?.array()?, required(values, 1)?.array()?);
        let (rows, inner_a) = match a.shape.as_slice() {
            [inner] => (1, *inner),
            [rows, inner] => (*rows, *inner),
            _ => return fault(Code::RUN_SHAPE, "MATMUL takes vectors and matrices"),
        };
        let (inner_b, columns) = match b.shape.as_slice() {
            [inner] => (*inner, 1),
            [inner, columns] => (*inner, *columns),
            _ => return fault(Code::RUN_SHAPE, "MATMUL takes vectors and matrices"),
        };
        if inner_a != inner_b {
            return fault(
                Code::RUN_SHAPE,
                format!(
                    "matrices of shapes {} and {} cannot be multiplied",
                    crate::expr::show(&a.shape),
                    crate::expr::show(&b.shape)
                ),
            );
        }
        let (rows, inner, columns) = (rows as usize, inner_a as usize, columns as usize);
        let mut data = Vec::with_capacity(rows * columns);
        for column in 0..columns {
            for row in 0..rows {
                let pairs =
                    (0..inner).map(|k| (&a.data[k * rows + row], &b.data[column * inner + k]));
                data.push(self.inner(pairs, a.elem, b.elem, false)?);
            }
        }
        let mut shape = Shape::new();
        if a.shape.len() == 2 {
            shape.push(rows as i64);
        }
        if b.shape.len() == 2 {
            shape.push(columns as i64);
        }
        let elem = data.first().map_or(a.elem, Scalar::elem);
        Ok(Array { elem, shape, data }.into())
    }
}

/// The extremum of no elements.
fn nothing(elem: Elem, largest: bool) -> Run<Scalar> {
    let sign = if largest { -1.0 } else { 1.0 };
    Ok(match elem {
        Elem::Int(kind) => {
            let smallest = i64::MIN >> (64 - 8 * u32::from(kind));
            Scalar::Int(kind, if largest { smallest } else { !smallest })
        }
        Elem::Real(4) => Scalar::Real(4, Num::of(sign * f64::from(f32::MAX))),
        Elem::Real(kind) => Scalar::Real(kind, Num::of(sign * f64::MAX)),
        Elem::Char(len) => Scalar::chars(vec![if largest { 0 } else { 255 }; len]),
        other => return refuse(format!("the extremum of no {}", other.name())),
    })
}
