! call p n=3 x=0.5 y=0
! along x=1 y=0
! call twice x=0.5 y=0
! along x=1 y=0
! Intermediates that nobody reads behind the run have no derivative any more.
module state
  implicit none
  real(8) :: kept = 1
contains
  subroutine inner(y)
    real(8), intent(inout) :: y
    y = y*kept
  end subroutine inner
  function f(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r
    real(8) :: t
    t = x*x
    r = t*t
    t = r
  end function f
  subroutine twice(x, y)
    real(8), intent(inout) :: x, y
    real(8) :: t, s
    real(8), save :: total = 0
    s = f(x)
    t = x*s
    kept = t*x
    total = total + t*kept
    y = t*t
    call inner(y)
    call host()
    y = y + total
  contains
    subroutine host()
      y = y*t
    end subroutine host
  end subroutine twice
end module state
subroutine p(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x, y
  real(8) :: s, t, u, before
  integer :: i
  before = 1
  do i = 1, n
    s = x*before
    t = s*s
    u = t*x
    before = u*t
    if (u > 0.1d0) then
      y = y + u*u
    else
      t = t*s
      y = y + t
    end if
  end do
  s = y*y
  y = s*x
end subroutine p
