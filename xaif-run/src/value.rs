//! Values: scalars that know their type, and arrays of them.
//!
//! Every scalar carries its kind, so that an expression is evaluated by the types of its operands
//! and not by what the document says of them. Derived-type values live in storage: see
//! [`Value::Object`].

use std::rc::Rc;

use smallvec::SmallVec;
use xaif_schema::diag::Code;

use crate::fault::{Run, fault};
use crate::num::Num;
use crate::view::View;

/// The extents of an array, first dimension first.
pub(crate) type Shape = SmallVec<[i64; 4]>;

/// The number of elements of `shape`.
pub(crate) fn size_of_shape(shape: &[i64]) -> Run<usize> {
    let mut size: i64 = 1;
    for &extent in shape {
        size = size.checked_mul(extent.max(0)).filter(|&size| size <= MOST_ELEMENTS).map_or_else(
            || fault(Code::RUN_LIMIT, "an array has more elements than can be held"),
            Ok,
        )?;
    }
    Ok(size as usize)
}

/// No array has more elements than this.
const MOST_ELEMENTS: i64 = 1 << 27;

/// The type of one element of storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elem {
    /// Integer of so many bytes.
    Int(u8),
    /// Real of so many bytes.
    Real(u8),
    /// Complex, each part of so many bytes.
    Complex(u8),
    /// Logical of so many bytes.
    Logical(u8),
    /// Character of this length.
    Char(usize),
    /// A derived type: index of its layout.
    Derived(u32),
}

impl Elem {
    /// The name of the type, as messages give it.
    pub(crate) fn name(self) -> String {
        match self {
            Elem::Int(kind) => format!("integer({kind})"),
            Elem::Real(kind) => format!("real({kind})"),
            Elem::Complex(kind) => format!("complex({kind})"),
            Elem::Logical(kind) => format!("logical({kind})"),
            Elem::Char(len) => format!("character({len})"),
            Elem::Derived(_) => "a derived type".to_string(),
        }
    }

    /// Whether the two agree in type and kind; the length of characters may differ.
    pub(crate) fn same_type(self, other: Elem) -> bool {
        matches!((self, other), (Elem::Char(_), Elem::Char(_))) || self == other
    }
}

/// One scalar of an intrinsic type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scalar {
    /// Integer: kind and value.
    Int(u8, i64),
    /// Real: kind and value.
    Real(u8, Num),
    /// Complex: kind of the parts, real and imaginary part.
    Complex(u8, [Num; 2]),
    /// Logical: kind and value.
    Logical(u8, bool),
    /// Character.
    Char(Rc<[u8]>),
    /// An element whose storage was not defined. Reading it is no fault (a masked assignment reads
    /// more than it uses); using it is.
    Undefined(Elem),
}

impl Scalar {
    /// A default integer.
    pub(crate) fn int(value: i64) -> Self {
        Scalar::Int(4, wrap(4, value))
    }

    /// A default logical.
    pub(crate) fn logical(value: bool) -> Self {
        Scalar::Logical(4, value)
    }

    /// A character value.
    pub(crate) fn chars(bytes: impl Into<Rc<[u8]>>) -> Self {
        Scalar::Char(bytes.into())
    }

    /// Its type.
    pub(crate) fn elem(&self) -> Elem {
        match self {
            Scalar::Int(kind, _) => Elem::Int(*kind),
            Scalar::Real(kind, _) => Elem::Real(*kind),
            Scalar::Complex(kind, _) => Elem::Complex(*kind),
            Scalar::Logical(kind, _) => Elem::Logical(*kind),
            Scalar::Char(bytes) => Elem::Char(bytes.len()),
            Scalar::Undefined(elem) => *elem,
        }
    }

    /// The value as an integer.
    pub(crate) fn as_int(&self) -> Run<i64> {
        match self {
            Scalar::Int(_, value) => Ok(*value),
            Scalar::Undefined(_) => undefined(),
            other => self.unfit(other, "an integer"),
        }
    }

    /// The value as a truth value. XAIF 1.0 documents (C) test integers.
    pub(crate) fn as_logical(&self) -> Run<bool> {
        match self {
            Scalar::Logical(_, value) => Ok(*value),
            Scalar::Int(_, value) => Ok(*value != 0),
            Scalar::Undefined(_) => undefined(),
            other => self.unfit(other, "a logical"),
        }
    }

    /// The value as a string of bytes.
    pub(crate) fn as_chars(&self) -> Run<Rc<[u8]>> {
        match self {
            Scalar::Char(bytes) => Ok(bytes.clone()),
            Scalar::Undefined(_) => undefined(),
            other => self.unfit(other, "a character"),
        }
    }

    /// The value as a real number with its kind.
    pub(crate) fn as_real(&self) -> Run<(u8, Num)> {
        match self {
            Scalar::Real(kind, value) => Ok((*kind, *value)),
            Scalar::Undefined(_) => undefined(),
            other => self.unfit(other, "a real"),
        }
    }

    fn unfit<T>(&self, found: &Scalar, wanted: &str) -> Run<T> {
        fault(
            Code::RUN_TYPE,
            format!("{wanted} value is needed here, but this is {}", found.elem().name()),
        )
    }
}

/// The fault of using what has no value.
pub(crate) fn undefined<T>() -> Run<T> {
    fault(Code::RUN_UNDEFINED, "a variable is used before it has got a value")
}

/// `value` as an integer of `kind` bytes holds it: two's complement, overflow wraps around.
pub(crate) fn wrap(kind: u8, value: i64) -> i64 {
    match kind {
        1 => i64::from(value as i8),
        2 => i64::from(value as i16),
        4 => i64::from(value as i32),
        _ => value,
    }
}

/// An array value.
#[derive(Clone, Debug)]
pub(crate) struct Array {
    /// The type of its elements, which an empty array has too.
    pub(crate) elem: Elem,
    /// Its extents.
    pub(crate) shape: Shape,
    /// Its elements in array element order.
    pub(crate) data: Vec<Scalar>,
}

impl Array {
    /// A vector.
    pub(crate) fn vector(elem: Elem, data: Vec<Scalar>) -> Self {
        Array { elem, shape: Shape::from_slice(&[data.len() as i64]), data }
    }
}

/// What an expression gives.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// A scalar of an intrinsic type.
    Scalar(Scalar),
    /// An array of an intrinsic type.
    Array(Box<Array>),
    /// A scalar or array of a derived type, in storage.
    Object(Box<View>),
}

impl Value {
    /// The scalar that it is.
    pub(crate) fn scalar(self) -> Run<Scalar> {
        match self {
            Value::Scalar(scalar) => Ok(scalar),
            Value::Array(_) => {
                fault(Code::RUN_SHAPE, "an array stands where a scalar value is needed")
            }
            Value::Object(_) => {
                fault(Code::RUN_TYPE, "a derived type stands where an intrinsic one is needed")
            }
        }
    }

    /// The array that it is.
    pub(crate) fn array(self) -> Run<Array> {
        match self {
            Value::Array(array) => Ok(*array),
            Value::Scalar(_) => fault(Code::RUN_SHAPE, "a scalar stands where an array is needed"),
            Value::Object(_) => {
                fault(Code::RUN_TYPE, "a derived type stands where an intrinsic one is needed")
            }
        }
    }

    /// Its extents; none for a scalar.
    pub(crate) fn shape(&self) -> Shape {
        match self {
            Value::Scalar(_) => Shape::new(),
            Value::Array(array) => array.shape.clone(),
            Value::Object(view) => view.shape(),
        }
    }

    /// The type of an element.
    pub(crate) fn elem(&self) -> Elem {
        match self {
            Value::Scalar(scalar) => scalar.elem(),
            Value::Array(array) => array.elem,
            Value::Object(view) => view.elem,
        }
    }
}

impl From<Scalar> for Value {
    fn from(scalar: Scalar) -> Self {
        Value::Scalar(scalar)
    }
}

impl From<Array> for Value {
    fn from(array: Array) -> Self {
        Value::Array(Box::new(array))
    }
}
