! directions OX4201
! COMMON of different names and shapes in each unit, EQUIVALENCE, module and saved state.
module state
  implicit none
  real(8) :: hidden = 0d0
  real(8) :: shared(3) = 1d0
  integer :: count = 0
contains
  subroutine put(v)
    real(8), intent(in) :: v
    hidden = v*v
    count = count + 1
  end subroutine
  function get() result(v)
    real(8) :: v
    v = hidden + shared(2)
  end function
end module
subroutine head(n, x, y)
  use state
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: a, b, c(2), d(4), e(2, 2)
  integer :: k
  common /block/ a, b, c, k
  equivalence (d(1), e(1, 1))
  a = x(1)
  b = x(2)*x(1)
  c = x(2:3)
  k = 2
  call mix(2)
  d = [a, b, c]
  e(1, 2) = e(2, 1)*x(3)
  shared = x
  shared(2) = e(1, 2)*2d0
  call put(d(3))
  y(1) = sum(d) + get()
  call running(x(1), 1, y(2))
  call running(x(2), 0, y(2))
  y(3) = a*c(2) + shared(2)*shared(3)
end subroutine
subroutine mix(m)
  implicit none
  integer, intent(in) :: m
  real(8) :: v(m, 2)
  common /block/ w(2, 2), l
  real(8) :: w
  integer :: l
  v = w
  w(1, l) = v(2, 1)*v(1, 1)
  w(2, 2) = sin(v(1, 2)) + w(2, 1)
end subroutine
subroutine running(v, reset, r)
  implicit none
  real(8), intent(in) :: v
  integer, intent(in) :: reset
  real(8), intent(out) :: r
  real(8), save :: total = 0d0
  if (reset == 1) total = 0d0
  total = total + v*v
  r = total
end subroutine
