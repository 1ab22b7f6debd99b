module shapes
  implicit none
contains
  subroutine shift(a, b)
    real, intent(in) :: a(0:)
    real, dimension(:, :), intent(inout), contiguous :: b
    integer :: i
    do i = 0, ubound(a, 1)
      b(1, i + 1) = a(i)*10.0
    end do
    b(lbound(b, 1) + 1, :) = a(ubound(a, 1):0:-1)
  end subroutine shift
  real function automatic(x)
    real, intent(in) :: x(:)
    real :: work(size(x), 0:1)
    work(:, 0) = x
    work(:, 1) = work(:, 0)**2
    automatic = sum(work)
  end function automatic
  integer function ranks(x)
    real, intent(in) :: x(..)
    select rank (x)
    rank (0)
      ranks = 0
    rank (1)
      ranks = size(x)
    rank default
      ranks = -1
    end select
  end function ranks
end module shapes

program shapes_program
  use shapes
  implicit none
  real :: v(3) = [1.0, 2.0, 3.0], m(2, 3)
  call shift(v, m)
  print *, m, automatic(v), ranks(1.0), ranks(v), ranks(m)
end program shapes_program
