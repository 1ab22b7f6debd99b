! call head n=3 x=[0.3,0.5,0.7] y=0
! Where a function with an allocatable result stands, its elements count from 1, whatever bounds the
! function has allocated; and a variable that has the right shape keeps its own.
module functions
  implicit none
contains
  function powers(x) result(r)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: r(:)
    integer :: k
    allocate(r(0:size(x)-1))
    do k = 0, size(x) - 1
      r(k) = x(k+1)**(k+2)
      if (k > 0 .and. x(k+1) < 0) return
    end do
    if (r(0) > 1) return
    if (r(0) > 0.5) then
      r(0) = sin(r(0))
      return
    end if
    r(1) = r(1)*r(0)
  end function powers

  function table(x, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), allocatable :: table(:, :), old(:, :)
    allocate(old(-1:n-2, 0:1))
    old(:, 0) = x
    old(:, 1) = x**2
    table = old
    table(0, 1) = table(0, 1)*x(1)
  end function table

  function plain(x) result(r)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: r(:), work(:)
    allocate(work(size(x)))
    work = x*x
    r = work
  end function plain
end module functions

subroutine head(n, x, y)
  use functions
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type holder
    real(8), allocatable :: c(:)
  end type holder
  type(holder) :: h
  real(8), allocatable :: e(:), t(:, :), own(:), same(:)
  real(8) :: p(0:n-1)
  e = powers(x)
  y = e(2)*e(1)
  h%c = powers(e)
  y = y + h%c(2)*lbound(h%c, 1)
  p = powers(x)
  y = y + p(0)*p(1)*p(2)**2
  t = table(x, n)
  y = y + t(1, 1)*t(2, 2)*t(3, 1)
  allocate(own(5:n+4))
  own = powers(x)
  y = y + own(5)*own(6)**2
  own = plain(x)
  y = y + own(5)*own(6)**2
  same = plain(x)
  y = y + same(1)*same(3)*maxval(powers(same))
end subroutine head
