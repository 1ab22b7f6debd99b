program host
  implicit none
  integer :: n = 3
  real :: x(3)
  x = [1.0, 2.0, 3.0]
  call scale_all(2.0)
  print *, x, n
  print *, total(), shadow(5)
contains
  subroutine scale_all(factor)
    real, intent(in) :: factor
    integer :: i
    do i = 1, n
      x(i) = x(i)*factor
    end do
    n = n + 1
  end subroutine scale_all

  real function total()
    total = sum(x) + real(n)
  end function total

  integer function shadow(n)
    integer, intent(in) :: n
    shadow = n*100
  end function shadow
end program host
