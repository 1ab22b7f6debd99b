//! Intrinsic functions that place elements, applied to derived types.
//!
//! MERGE, RESHAPE, PACK and their like look at no element; so they are applied to the numbers of the
//! elements, and the objects are fetched by the numbers that come out.

use xaif_schema::diag::Code;
use xaif_schema::model::{Base, Ty};

use super::{Builtin, Values, is_transformational};
use crate::fault::{Run, fault};
use crate::machine::Machine;
use crate::value::{Array, Elem, Scalar, Value};
use crate::view::View;

/// The type of the numbers.
const NUMBER: Elem = Elem::Int(8);

/// Whether an intrinsic function places elements of any type.
pub(super) fn places(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::Merge
            | Builtin::Reshape
            | Builtin::Pack
            | Builtin::Unpack
            | Builtin::Spread
            | Builtin::Cshift
            | Builtin::Eoshift
            | Builtin::Transpose
    )
}

impl Machine<'_> {
    /// The value of such a function, of whose arguments some are objects.
    pub(super) fn placed_objects(
        &mut self,
        builtin: Builtin,
        mut values: Values,
        ty: Ty,
    ) -> Run<Value> {
        let mut objects: Vec<View> = Vec::new();
        for value in values.iter_mut().flatten() {
            let Value::Object(view) = &*value else { continue };
            let first = objects.len() as i64;
            let one = |addr| View::scalar(view.elem, addr);
            objects.extend(view.elements().map(one));
            let numbers = (first..objects.len() as i64).map(|number| Scalar::Int(8, number));
            let shape = view.shape();
            *value = match shape.is_empty() {
                true => Value::Scalar(Scalar::Int(8, first)),
                false => Array { elem: NUMBER, shape, data: numbers.collect() }.into(),
            };
        }
        let of_numbers = Ty { base: Base::Integer(8), rank: ty.rank };
        let placed = match is_transformational(builtin) {
            true => self.transformational(builtin, values, of_numbers)?,
            false => self.elemental(builtin, values, Some(NUMBER), of_numbers)?,
        };
        let elem = self.elem_of_base(ty.base)?;
        let size = self.size_of(elem);
        let (shape, numbers) = match placed {
            Value::Scalar(number) => (Default::default(), vec![number]),
            Value::Array(array) => (array.shape, array.data),
            Value::Object(_) => return fault(Code::RUN_TYPE, "numbers are needed here"),
        };
        let start = self.temporary(size.saturating_mul(numbers.len() as i64))?;
        let mut to = start;
        for number in numbers {
            let at = usize::try_from(number.as_int()?).unwrap_or(usize::MAX);
            let Some(object) = objects.get(at) else {
                return fault(Code::RUN_TYPE, "an element of a derived type is missing");
            };
            self.memory.copy(object.addr, to, size)?;
            to = to.plus(size);
        }
        let bounds: Vec<(i64, i64)> = shape.iter().map(|&extent| (1, extent)).collect();
        Ok(Value::Object(Box::new(View::contiguous(elem, size, start, &bounds))))
    }
}
