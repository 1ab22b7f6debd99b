! call squares x=[0.5,1.5] y=0.0
! call doubled x=[0.5,1.5] y=0.0
! call of_arrays x=[0.5,1.5] y=0.0
! call by_value x=[0.5,1.5] y=0.0
! Structures that are passed twice, where both are read: the second adjoint is one of its own.
module fields
  implicit none
  type field
    real(8) :: mean = 0
    real(8), allocatable :: values(:)
  end type field
  type pair
    real(8) :: a = 1, b = 2
  end type pair
  interface operator(+)
    module procedure add
  end interface
contains
  function add(one, other) result(both)
    type(field), intent(in) :: one, other
    type(field) :: both
    both%mean = one%mean + 2*other%mean
    both%values = one%values*other%values
  end function add
  subroutine product_of(one, other, y)
    type(field), intent(in) :: one, other
    real(8), intent(inout) :: y
    y = y + sum(one%values*other%values)*one%mean*other%mean
  end subroutine product_of
  subroutine of_lists(one, other, y)
    type(field), intent(in) :: one(:), other(:)
    real(8), intent(inout) :: y
    integer :: i
    do i = 1, size(one)
      call product_of(one(i), other(i), y)
    end do
  end subroutine of_lists
  subroutine scaled(p, q, y)
    type(pair), value :: p
    type(pair), intent(in) :: q
    real(8), intent(inout) :: y
    p%a = p%a*q%b
    y = y + p%a*p%b
  end subroutine scaled
end module fields

subroutine squares(x, y)
  use fields
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(inout) :: y
  type(field) :: d
  d%mean = x(1)
  d%values = sin(x)
  call product_of(d, d, y)
end subroutine squares

subroutine doubled(x, y)
  use fields
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(inout) :: y
  type(field) :: d
  integer :: i
  d%mean = x(1)
  d%values = sin(x)
  do i = 1, 2
    d = d + d
  end do
  y = y + d%mean*sum(d%values)
end subroutine doubled

subroutine of_arrays(x, y)
  use fields
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(inout) :: y
  type(field) :: d(3)
  integer :: i
  do i = 1, 2
    d(i)%mean = x(i)
    d(i)%values = cos(x*i)
  end do
  call of_lists(d(:2), d(:2), y)
end subroutine of_arrays

subroutine by_value(x, y)
  use fields
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(inout) :: y
  type(pair) :: p
  p%a = x(1)*x(2)
  p%b = x(2)
  call scaled(p, p, y)
end subroutine by_value
