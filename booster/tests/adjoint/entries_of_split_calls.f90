! call top n=3 x=[0.5,1.5,2] y=1
module entries
  implicit none
contains
  ! An adjoint goes from call to call, and the backward sweep ends where the forward sweep began.
  subroutine first(y, a, m)
    real(8), intent(inout) :: a, b, y
    integer, intent(in) :: m
    integer, save :: n = 0
    real(8), save :: last = 1
    real(8) :: local
    n = n + m
    a = a*a*n
    local = y*a
    y = local*sin(local)*last
    last = y
    return
    entry second(a, b, y)
    local = cos(b*y)
    b = b*local
    if (b > 0.1d0) then
      y = y + sin(a*b)*last
      return
    end if
    entry third(b, y)
    n = n + 1
    b = b*b*n
    y = y*cos(b)
  end subroutine first
end module entries
subroutine top(n, x, y)
  use entries
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y
  real(8), external :: power, scaled
  integer :: i
  do i = 1, 2
    !$oxad nocheckpoint
    call first(y, x(1), i)
    !$oxad nocheckpoint
    call second(x(2), x(3), y)
    call third(x(3), y)
    !$oxad nocheckpoint
    x(2) = power(x(2), i)
    !$oxad nocheckpoint
    x(1) = scaled(x(3))
  end do
end subroutine top
real(8) function power(a, k) result(r)
  implicit none
  real(8), intent(in) :: a
  integer, intent(in) :: k
  integer, save :: calls = 0
  real(8) :: scaled
  calls = calls + 1
  r = a**k*calls
  return
  entry scaled(a)
  calls = calls + 2
  scaled = a*a*calls
end function power
