//! Procedures that programs may call whatever their variables are.

use super::super::program::{Node, Unit};
use super::places::Places;

/// Each with its declarations and statements.
const PROCEDURES: &[(&str, &[&str], &[&str])] = &[
    // Automatic extents.
    (
        "function fold(v) result(r)",
        &["real(8), intent(in) :: v(:)", "real(8) :: r, w(size(v))"],
        &["w = sin(v)", "r = sum(w*v)/size(w)"],
    ),
    (
        "function doubled(v) result(r)",
        &["real(8), intent(in) :: v(:)", "real(8) :: r(size(v))"],
        &["r = sin(2d0*v)"],
    ),
    // An unallocated actual argument is absent.
    (
        "subroutine maybe(u, v)",
        &["real(8), intent(inout) :: u", "real(8), intent(inout), optional :: v(:)"],
        &[
            "u = sin(u)",
            "if (present(v)) u = u*cos(sum(v))",
            "if (present(v)) v = v*u",
            "if (.not. present(v)) u = 0.7d0*u*u",
        ],
    ),
    // Deallocated at entry.
    (
        "subroutine renew(v, u)",
        &["real(8), allocatable, intent(out) :: v(:)", "real(8), intent(in) :: u"],
        &["if (.not. allocated(v)) v = [u, 0.6d0*u, 0.4d0]", "if (size(v) == 3) v = [v, sin(u)]"],
    ),
    (
        "subroutine slide(q)",
        // A pointer that is assigned from itself loses its bounds first in gfortran 12.
        &["real(8), pointer, intent(inout) :: q(:)", "real(8), pointer :: rest(:)"],
        &[
            "if (.not. associated(q)) return",
            "q = 0.9d0*q",
            "rest => q(lbound(q, 1):ubound(q, 1):2)",
            "q => rest",
        ],
    ),
    (
        "subroutine hold(d)",
        &["real(8), target, intent(inout) :: d(:)", "real(8), pointer :: q(:)"],
        &["q => d(1:2)", "q = sin(q)*d(3)", "q => d(3:1:-1)", "q(1) = cos(q(3))*q(1)"],
    ),
];

/// Those that are bound to the types.
const BOUND: &[(&str, &[&str], &[&str])] = &[
    (
        "function base_worth(self, u) result(r)",
        &["class(base), intent(in) :: self", "real(8), intent(in) :: u", "real(8) :: r"],
        &["r = sin(self%a*u)"],
    ),
    (
        "function one_worth(self, u) result(r)",
        &["class(one), intent(in) :: self", "real(8), intent(in) :: u", "real(8) :: r"],
        &["r = cos(self%a) + 0.5d0*sin(self%b*u)"],
    ),
    (
        "function two_worth(self, u) result(r)",
        &["class(two), intent(in) :: self", "real(8), intent(in) :: u", "real(8) :: r"],
        &["r = sin(u)*self%a", "if (allocated(self%c)) r = sin(r + sum(self%c)*u)"],
    ),
];

/// All that the program may need.
pub(super) fn procedures(places: &Places) -> Vec<Unit> {
    let bound = if places.has_types() { BOUND } else { &[] };
    PROCEDURES.iter().chain(bound).map(unit).collect()
}

fn unit((open, spec, body): &(&str, &[&str], &[&str])) -> Unit {
    let mut words = open.split([' ', '(']);
    let kind = words.next().unwrap_or_default();
    let name = words.next().unwrap_or_default();
    Unit {
        name: name.into(),
        open: (*open).into(),
        spec: spec.iter().map(|line| (*line).into()).collect(),
        vars: Vec::new(),
        extra: Vec::new(),
        first: Vec::new(),
        body: body.iter().map(|line| Node::Line((*line).into())).collect(),
        inner: Vec::new(),
        close: format!("end {kind} {name}"),
    }
}
