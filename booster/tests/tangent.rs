//! Tangents in several directions: support and refusals. `files/tangent.rs` checks all sources.

use booster_tests::{document, folder, printed, read, tangent_by, told};
use xaif_booster::transform::tangent::{Options, tangent};

#[test]
fn elemental_calls_array_components_and_growing_arrays_have_several_directions() {
    for name in [
        "elemental_calls_for_arrays",
        "array_components_as_arguments",
        "an_array_that_grows_by_what_it_holds",
        "polymorphic_object_from_a_source",
    ] {
        let path = folder().join(format!("tangent/{name}.f90"));
        let messages = tangent_by(&read(&path), Some(3)).err();
        assert!(messages.is_none(), "{}", told(&messages.unwrap_or_default()));
    }
}

/// The message with which a tangent in two directions is refused.
fn refused_in_two(source: &str) -> String {
    match tangent_by(source, Some(2)) {
        Ok(_) => panic!("it is not refused:\n{source}"),
        Err(messages) => told(&messages),
    }
}

#[test]
fn an_elemental_call_that_reads_what_it_overwrites_elsewhere_is_refused_in_several_directions() {
    let source = "module m
  implicit none
contains
  elemental subroutine put(k, j, a)
    integer, intent(inout) :: k
    integer, intent(in) :: j
    real(8), intent(inout) :: a
    k = j
    a = a*j
  end subroutine put
  subroutine p(k, x)
    integer, intent(inout) :: k(5)
    real(8), intent(inout) :: x(4)
    call put(k(2:5), (k(1:4)), x)
  end subroutine p
end module m
";
    let message = refused_in_two(source);
    assert!(message.contains("OX4255") && message.contains("test.f90:14:5"), "{message}");
    assert!(message.contains("may overlap"), "{message}");
    assert!(tangent_by(&source.replace("(k(1:4))", "3"), Some(2)).is_ok());
}

#[test]
fn a_polymorphic_array_component_is_no_argument_in_several_directions() {
    let source = "module m
  implicit none
  type base
    real(8) :: a
  end type base
  type rack
    class(base), allocatable :: all(:)
  end type rack
contains
  subroutine q(o)
    class(base), intent(inout) :: o
    o%a = 2*o%a
  end subroutine q
  subroutine p(v)
    type(rack), intent(inout) :: v
    call q(v%all(2))
  end subroutine p
end module m
";
    let message = refused_in_two(source);
    assert!(message.contains("OX4255") && message.contains("test.f90:16:5"), "{message}");
    assert!(tangent_by(&source.replace("class(base), a", "type(base), a"), Some(2)).is_ok());
}

#[test]
fn an_array_component_is_no_pointer_argument_in_several_directions() {
    let source = "module m
  implicit none
  type t
    real(8), pointer :: a(:)
  end type t
contains
  subroutine q(a)
    real(8), pointer, intent(in) :: a(:)
    a = 2*a
  end subroutine q
  subroutine p(v)
    type(t), intent(inout) :: v
    call q(v%a)
  end subroutine p
end module m
";
    let message = refused_in_two(source);
    assert!(message.contains("OX4255") && message.contains("test.f90:13:5"), "{message}");
}

#[test]
fn indices_of_implied_dos_keep_a_type_of_their_own() {
    let mut doc = document(
        "
subroutine p(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: d(2)
  integer :: k
  real(8) :: j
  data (d(k), k = 1, 2) /2*1d0/
  j = d(2)
  y = sum([(x(i)*j, integer :: i = 1, n)]) + sum([real(8) :: (x(j), integer(8) :: j = 1, n)])
  y = y*sum([((x(k)*x(i), k = 1, i), integer :: i = 1, n)])
end subroutine p
",
    );
    tangent(&mut doc, &Options::default()).expect("a tangent");
    let text = printed(&doc);
    let count = |part: &str| text.matches(part).count();
    let typed = [", integer :: i = 1, n)", ", integer(8) :: j = 1, n)"].map(count);
    let plain = [", k = 1, i)", ", i = 1, n)", ", j = 1, n)"].map(count);
    assert_eq!((typed, plain), ([5, 2], [3, 0, 0]), "{text}");
    assert!(text.contains("data (d(k), k = 1, 2)"), "{text}");
}
