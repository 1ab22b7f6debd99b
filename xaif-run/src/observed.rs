//! What an execution lets be seen besides its results: how many iterations loops have gone, where a number was no
//! finite one for the first time, and how large numbers have become.

use std::collections::BTreeMap;

use xaif_schema::diag::Spot;
use xaif_schema::model::{Document, Place};

use crate::value::{Scalar, Value};

/// What has been seen.
#[derive(Debug, Default)]
pub(crate) struct Observed {
    /// The most iterations that the loop at each place has gone, of those that were reached.
    rounds: BTreeMap<Place, u64>,
    /// The first statement that has computed what is no finite number.
    infinite: Option<Place>,
    /// The largest absolute value of a finite number that a statement has assigned, or of its tangent.
    largest: f64,
}

impl Observed {
    /// A loop has gone this many iterations.
    pub(crate) fn rounds(&mut self, place: Place, rounds: u64) {
        let most = self.rounds.entry(place).or_default();
        *most = rounds.max(*most);
    }

    /// A statement has computed a value.
    pub(crate) fn value(&mut self, place: Place, value: &Value) {
        let scalars = match value {
            Value::Scalar(scalar) => std::slice::from_ref(scalar),
            Value::Array(array) => array.data.as_slice(),
            Value::Object(_) => &[],
        };
        scalars.iter().for_each(|scalar| self.magnitude(scalar));
        if self.infinite.is_some() || place.is_unknown() {
            return;
        }
        let is_finite = |scalar: &Scalar| match scalar {
            Scalar::Real(_, x) => x.v.is_finite(),
            Scalar::Complex(_, parts) => parts.iter().all(|part| part.v.is_finite()),
            Scalar::Int(..) | Scalar::Logical(..) | Scalar::Char(_) | Scalar::Undefined(_) => true,
        };
        let all = match value {
            Value::Scalar(scalar) => is_finite(scalar),
            Value::Array(array) => array.data.iter().all(is_finite),
            Value::Object(_) => true,
        };
        if !all {
            self.infinite = Some(place);
        }
    }

    fn magnitude(&mut self, scalar: &Scalar) {
        let numbers = match scalar {
            Scalar::Real(_, x) => [x.v, x.t, 0.0, 0.0],
            Scalar::Complex(_, [re, im]) => [re.v, re.t, im.v, im.t],
            Scalar::Int(..) | Scalar::Logical(..) | Scalar::Char(_) | Scalar::Undefined(_) => {
                return;
            }
        };
        let finite = numbers.into_iter().map(f64::abs).filter(|number| number.is_finite());
        self.largest = finite.fold(self.largest, f64::max);
    }

    /// The largest absolute value of a finite number or tangent.
    pub(crate) fn largest(&self) -> f64 {
        self.largest
    }

    /// Places of loops with the most iterations, in the order of the text.
    pub(crate) fn loops(&self, doc: &Document) -> Vec<(Spot, u64)> {
        let spots = self.rounds.iter().map(|(&place, &rounds)| Some((doc.spot(place)?, rounds)));
        spots.flatten().collect()
    }

    /// The place of the first value that is no finite number.
    pub(crate) fn first_infinite(&self, doc: &Document) -> Option<Spot> {
        doc.spot(self.infinite?)
    }
}
