//! Views: where a variable, element or section lies in storage.
//!
//! A view is an address, an element type and, for each dimension, lower bound, extent and stride
//! in bytes. Pointers, dummy arguments and sections are views; nothing is copied to make one.

use smallvec::SmallVec;
use xaif_schema::diag::Code;

use crate::fault::{Run, fault};
use crate::storage::Addr;
use crate::value::{Elem, Shape};

/// One dimension of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    /// First index.
    pub(crate) lower: i64,
    /// Number of indices; [`Extent::UNKNOWN`] for the last dimension of an assumed-size array.
    pub(crate) count: i64,
    /// Distance of neighbours in bytes.
    pub(crate) stride: i64,
}

impl Extent {
    /// The extent of an assumed-size dimension.
    pub(crate) const UNKNOWN: i64 = -1;

    /// Last index.
    pub(crate) fn upper(self) -> i64 {
        self.lower.wrapping_add(self.count).wrapping_sub(1)
    }
}

/// Where something lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct View {
    /// The type of its elements (of a polymorphic object: the dynamic type).
    pub(crate) elem: Elem,
    /// Its first element.
    pub(crate) addr: Addr,
    /// Its dimensions, first one first; none for a scalar.
    pub(crate) dims: SmallVec<[Extent; 2]>,
}

impl View {
    /// A scalar at `addr`.
    pub(crate) fn scalar(elem: Elem, addr: Addr) -> Self {
        View { elem, addr, dims: SmallVec::new() }
    }

    /// A contiguous array at `addr` with these lower bounds and extents.
    pub(crate) fn contiguous(elem: Elem, size: i64, addr: Addr, bounds: &[(i64, i64)]) -> Self {
        let mut stride = size;
        let mut dims = SmallVec::new();
        for &(lower, count) in bounds {
            dims.push(Extent { lower, count, stride });
            stride = stride.wrapping_mul(count.max(0));
        }
        View { elem, addr, dims }
    }

    /// Its extents.
    pub(crate) fn shape(&self) -> Shape {
        self.dims.iter().map(|dim| dim.count.max(0)).collect()
    }

    /// The number of dimensions.
    pub(crate) fn rank(&self) -> usize {
        self.dims.len()
    }

    /// Whether it is an assumed-size array as a whole.
    pub(crate) fn is_assumed_size(&self) -> bool {
        self.dims.last().is_some_and(|dim| dim.count == Extent::UNKNOWN)
    }

    /// Its extents, where all of them are known.
    pub(crate) fn known_shape(&self) -> Run<Shape> {
        if self.is_assumed_size() {
            return fault(Code::RUN_SHAPE, "the shape of an assumed-size array is not known");
        }
        Ok(self.shape())
    }

    /// Whether its elements, `size` bytes each, follow each other without gaps.
    pub(crate) fn is_contiguous(&self, size: i64) -> bool {
        if self.dims.iter().any(|dim| dim.count == 0) {
            return true;
        }
        let mut expected = size;
        for dim in &self.dims {
            if dim.count != 1 && dim.stride != expected {
                return false;
            }
            expected = expected.wrapping_mul(dim.count.max(1));
        }
        true
    }

    /// The same with all lower bounds 1, as a section or expression has them.
    pub(crate) fn rebased(mut self) -> Self {
        for dim in &mut self.dims {
            dim.lower = 1;
        }
        self
    }

    /// The addresses of its elements in array element order.
    pub(crate) fn elements(&self) -> Elements<'_> {
        let empty = self.dims.iter().any(|dim| dim.count <= 0);
        Elements {
            view: self,
            next: (!empty).then_some(self.addr),
            index: SmallVec::from_elem(0, self.dims.len()),
        }
    }
}

/// The addresses of the elements of a view.
pub(crate) struct Elements<'v> {
    view: &'v View,
    next: Option<Addr>,
    index: SmallVec<[i64; 4]>,
}

impl Iterator for Elements<'_> {
    type Item = Addr;

    fn next(&mut self) -> Option<Addr> {
        let current = self.next?;
        let mut addr = current;
        self.next = None;
        for (index, dim) in self.index.iter_mut().zip(&self.view.dims) {
            *index += 1;
            addr.offset = addr.offset.wrapping_add(dim.stride);
            if *index < dim.count {
                self.next = Some(addr);
                break;
            }
            addr.offset = addr.offset.wrapping_sub(dim.stride.wrapping_mul(dim.count));
            *index = 0;
        }
        Some(current)
    }
}
