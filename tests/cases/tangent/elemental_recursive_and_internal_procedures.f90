! Elemental procedures on arrays, recursion, internal procedures that see their host.
module rec
  implicit none
contains
  elemental function soft(x, k) result(f)
    real(8), intent(in) :: x
    integer, intent(in) :: k
    real(8) :: f
    f = log(1d0 + exp(real(k, 8)*x))/real(k, 8)
  end function
  elemental subroutine swap(a, b)
    real(8), intent(inout) :: a, b
    real(8) :: t
    t = a
    a = b
    b = t*t
  end subroutine
  recursive function power(x, k) result(p)
    real(8), intent(in) :: x
    integer, intent(in) :: k
    real(8) :: p
    if (k == 0) then
      p = 1d0
    else if (mod(k, 2) == 0) then
      p = power(x, k/2)**2
    else
      p = x*power(x, k - 1)
    end if
  end function
  recursive subroutine tree_sum(v, total)
    real(8), intent(in) :: v(:)
    real(8), intent(out) :: total
    real(8) :: left, right
    integer :: h
    if (size(v) == 1) then
      total = v(1)**2
      return
    end if
    h = size(v)/2
    call tree_sum(v(:h), left)
    call tree_sum(v(h + 1:), right)
    total = left*right + left
  end subroutine
end module
subroutine head(n, x, y)
  use rec
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: a(3), b(3), total
  integer :: calls
  calls = 0
  a = soft(x, 2)
  b = soft(x(1), [1, 2, 3])*x
  call swap(a(:2), b(2:))
  total = 0d0
  call add(a)
  call add(b*x(1))
  y(1) = total
  y(2) = scaled(power(x(2), 5)) + real(calls, 8)
  call tree_sum([a, b], y(3))
contains
  subroutine add(v)
    real(8), intent(in) :: v(:)
    real(8) :: total_here
    total_here = sum(v*x)
    total = total + total_here
    calls = calls + 1
  end subroutine
  function scaled(v) result(s)
    real(8), intent(in) :: v
    real(8) :: s
    call add([v, 1d0, v])
    s = total*v
    total = x(3)*s
    y(1) = y(1) + total
  end function
end subroutine
