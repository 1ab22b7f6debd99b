! flags: -Wno-uninitialized -Wno-maybe-uninitialized
! An implied DO in an array constructor fills an array in a loop; in an output list a call stays
! that changes nothing.
module implied
  implicit none
contains
  real function f(x)
    real, intent(in) :: x
    f = 1.0/(1.0 + x*x)
  end function f

  subroutine s(n, x, y)
    integer, intent(in) :: n
    real, intent(inout) :: x(n), y
    integer :: i
    y = sum([(f(x(i)), i = 1, n)])
    x = [f(y), (x(i) + f(x(i)), x(i), i = 2, n - 1, 2), y]
    y = sum([(x(i), i = 1, n)]) + f(y)
    print '(4es16.8)', (f(x(i)), i = 1, n)
  end subroutine s
end module implied

program main
  use implied
  implicit none
  real :: x(4) = [1.0, 2.0, 3.0, 4.0], y = 0.0
  call s(4, x, y)
  print '(5es16.8)', x, y
end program main
