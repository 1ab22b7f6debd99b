! flags: -Wno-uninitialized -Wno-maybe-uninitialized
! maxval, minval and product, with an array that is a variable.
module reductions
  implicit none
contains
  subroutine s(n, a, y, k)
    integer, intent(in) :: n
    real, intent(inout) :: a(n, n), y
    integer, intent(inout) :: k(n)
    y = maxval(a)
    y = y + 2.0*maxval(a*a, mask=a > 0.0) - minval(a(1, :))
    a(:, 1) = product(a, dim=2)
    a(1, :) = 1.0 + maxval(abs(a), dim=1)
    a(1, 1) = product(a(2, :) + y)
    k(1) = maxval(k) + minval(k)
    if (maxval(a) > 1.0) y = -y
  end subroutine s
end module reductions

program main
  use reductions
  implicit none
  real :: a(2, 2) = reshape([1.0, -2.0, 0.5, 3.0], [2, 2]), y = 0.5
  integer :: k(2) = [3, 4]
  call s(2, a, y, k)
  print '(5es16.8, 2i4)', a, y, k
end program main
