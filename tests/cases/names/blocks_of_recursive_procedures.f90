! What a procedure that calls itself has in COMMON, or shares storage with, is one for all its calls.
module m
  implicit none
contains
  recursive subroutine down(n, a)
    integer, intent(in) :: n
    real(8), intent(inout) :: a
    real(8) :: t, v(2), first
    integer :: k
    common /blk/ t, v, k
    equivalence (first, v(1))
    k = 3 - k
    t = t*a*v(k)
    first = first + t*a
    if (n > 0) then
      call down(n - 1, a)
      a = a*t*v(3 - k)
    end if
    t = t + sin(a)*first
  end subroutine
  recursive function ping(n, a) result(c)
    integer, intent(in) :: n
    real(8), intent(in) :: a
    real(8) :: b, c, w
    common /other/ w
    w = w*cos(a)
    c = w
    if (n > 0) then
      b = pong(n - 1, a*w)
      c = b*w + c
    end if
  end function
  recursive function pong(n, a) result(c)
    integer, intent(in) :: n
    real(8), intent(in) :: a
    real(8) :: b, c, w
    common /other/ w
    w = w + a*a
    b = w
    c = ping(n - 1, b)*a
  end function
  subroutine p(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    real(8) :: t, v(2), a, w
    integer :: k
    common /blk/ t, v, k
    common /other/ w
    k = 1
    v = x(3:)
    t = x(1)
    a = x(2)
    w = x(4)
    call down(3, a)
    y = ping(4, x(1))
    y = y + a*t + v(1)*v(2) + w
    call down(2, a)
    y = y*a + t
  end subroutine
end module
