! A pointer component is associated in each direction.
module pointing
  implicit none
  type link
    real(8) :: v = 0.5d0
    real(8), pointer :: a(:) => null()
    type(link), pointer :: next => null()
  end type link
contains
  subroutine scale(x, a)
    real(8), intent(in) :: x
    real(8), intent(inout) :: a(:)
    a = a*x
  end subroutine scale
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(link), target :: first, second
    real(8), target :: t(0:2), u(3)
    t = x
    u = x*x
    first%a => t
    second%a => first%a
    first%next => second
    second%next => first
    first%next%v = x(1)
    second%next%v = x(2)*second%v
    y = first%a(0)*second%a(2) + first%v*second%v
    second%a(0:) => u(2:3)
    call scale(x(3), second%a)
    call scale(x(1), first%a(0:1))
    allocate (second%next%a(2))
    second%next%a = second%a*x(1)
    y = y + second%a(1)*t(1) + sum(first%a**2) + sum(u)
    deallocate (first%a)
    first%a => null()
    if (.not. associated(second%next%a)) y = y*x(3)
  end subroutine p
end module pointing
