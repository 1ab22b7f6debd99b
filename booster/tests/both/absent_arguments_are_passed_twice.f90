! call head x=[0.7,1.3,0.9] y=[0.5,0.2]
! An argument that may be absent is passed for two dummy arguments, and to one with VALUE, present and absent.
module absent_arguments_twice
  implicit none
  type :: pair
    real(8) :: a = 1d0, b = 2d0
  end type
contains
  subroutine twice(r, a, b)
    real(8), intent(inout) :: r
    real(8), intent(in), optional :: a, b
    if (present(a)) r = r*a
    if (present(b)) r = r + b
  end subroutine
  subroutine arrays(r, a, b)
    real(8), intent(inout) :: r
    real(8), intent(in), optional :: a(:), b(2)
    if (present(a)) r = r*sum(a)
    if (present(b)) r = r + b(1)*b(2)
  end subroutine
  subroutine structures(r, a, b)
    real(8), intent(inout) :: r
    type(pair), intent(in), optional :: a, b
    if (present(a)) r = r*a%a
    if (present(b)) r = r + b%b
  end subroutine
  subroutine by_value(r, a)
    real(8), intent(inout) :: r
    real(8), value, optional :: a
    if (present(a)) then
      a = a*r
      r = a + r
    end if
  end subroutine
  subroutine hand_on(r, s, v, p)
    real(8), intent(inout) :: r
    real(8), intent(in), optional :: s, v(:)
    type(pair), intent(in), optional :: p
    integer :: i
    do i = 1, 2
      call twice(r, s, s)
      call arrays(r, v, v)
      call structures(r, p, p)
    end do
    call by_value(r, s)
  end subroutine
  subroutine head(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(inout) :: y(2)
    real(8), allocatable :: v(:)
    type(pair) :: p
    call hand_on(y(1))
    call hand_on(y(1), s=x(1))
    call arrays(y(1), v, v)
    p%a = x(3)
    p%b = x(2)*x(1)
    call hand_on(y(2), x(2), x(2:3), p)
    allocate(v(2))
    v = x(1:2)
    call arrays(y(2), v, v)
    call hand_on(y(1), p=p)
  end subroutine
end module
