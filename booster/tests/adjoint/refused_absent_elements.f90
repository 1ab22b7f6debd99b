! An element of an absent array is no absent argument; where an argument is not optional, or the array
! is there, nothing is refused. A scalar address of C goes onto no tape.
module absent_elements
  use iso_c_binding
  implicit none
contains
  elemental function scaled(y, o) result(r)
    real(8), intent(in) :: y
    real(8), intent(in), optional :: o
    real(8) :: r
    r = y*y
    if (present(o)) r = r*o
  end function scaled

  elemental function product_of(y, o) result(r)
    real(8), intent(in) :: y, o
    real(8) :: r
    r = y*o
  end function product_of

  subroutine may_be_absent(y, o)
    real(8), intent(inout) :: y(:)
    real(8), intent(in), optional :: o(:)
    if (present(o)) y = product_of(y, o)
    y = scaled(y, o)
  end subroutine may_be_absent

  subroutine uses(h, u)
    type(c_ptr), intent(in) :: h
    real(8), intent(inout) :: u
    u = u**2
    if (c_associated(h)) u = u*2
  end subroutine uses

  subroutine address(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(c_ptr) :: h
    real(8), target, save :: t = 0d0
    integer :: i
    h = c_null_ptr
    y = x(1)
    do i = 1, 3
      call uses(h, y)
      if (c_associated(h)) y = y*x(i)
      h = c_loc(t)
    end do
  end subroutine address
end module absent_elements
