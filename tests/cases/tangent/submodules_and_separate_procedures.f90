! Separate module procedures in a submodule, with its own helper.
module solver
  implicit none
  real(8) :: gain = 1d0, last = 0d0
  interface
    module subroutine step(v, h)
      real(8), intent(inout) :: v(:)
      real(8), intent(in) :: h
    end subroutine
    module function energy(v) result(e)
      real(8), intent(in) :: v(:)
      real(8) :: e
    end function
  end interface
end module
submodule (solver) details
  implicit none
contains
  module subroutine step(v, h)
    real(8), intent(inout) :: v(:)
    real(8), intent(in) :: h
    v = v + h*slope(v)
    last = gain*v(1)
  end subroutine
  module procedure energy
    e = sum(v**2) + last
  end procedure
  pure function slope(v) result(s)
    real(8), intent(in) :: v(:)
    real(8) :: s(size(v))
    s = cos(v)
  end function
end submodule
subroutine head(n, x, y)
  use solver
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  integer :: i
  y = x
  gain = x(2)
  do i = 1, 2
    call step(y, x(3))
  end do
  y(2) = energy(y)
end subroutine
