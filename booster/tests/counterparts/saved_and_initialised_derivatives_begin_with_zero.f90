module m
  implicit none
  type inner
    real :: v(2) = 1.0
    integer :: n = 3
  end type inner
  type t
    type(inner) :: i
    real, allocatable :: a(:)
    real, pointer :: p => null()
    complex :: z
    character(len=4) :: name
    logical :: flag
  end type t
  type(t) :: state
  type(inner), save :: two(2)
contains
  subroutine p(x, y)
    real, intent(in) :: x
    type(inner), intent(out) :: y
    type(inner) :: local
    real, save :: s, w(2)
    complex :: c = (1.0, 2.0)
    real :: d(3)
    data s /1.0/, (d(i), i=1, 3) /3*2.0/
    integer :: i
    s = s + x*d(2) + real(c) + local%v(1)
    w = s
    y%v = w + state%i%v + two(1)%v
  end subroutine p
end module m
