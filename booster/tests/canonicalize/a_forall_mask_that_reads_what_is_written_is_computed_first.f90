! flags: -std=f2008
! The mask of a FORALL is evaluated for all indices before anything is assigned: here each element
! that is written decides about its neighbour.
module masks
  implicit none
contains
  pure function g(x) result(r)
    real, intent(in) :: x
    real :: r
    r = 2.0*x - 3.0
  end function g
  subroutine s(x)
    real, intent(inout) :: x(5)
    integer :: i
    forall (i = 2:5, x(i - 1) > 0.0)
      x(i) = g(x(i))
    end forall
  end subroutine s
end module masks

program main
  use masks
  implicit none
  real :: x(5)
  x = [1.0, 1.0, 2.0, -1.0, 4.0]
  call s(x)
  print '(5f8.3)', x
end program main
