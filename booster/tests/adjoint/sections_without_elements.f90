! call growing x=[0.3,0.5,0.7,0.9,1.1] y=0.2
! call whole n=1 x=[0.3,0.5,0.7,0.9,1.1] y=0.2
! The bounds of a section without elements may be apart by more than one.
module sections_without_elements
  implicit none
contains
  subroutine growing(x, y)
    real(8), intent(inout) :: x(5), y
    integer :: i
    do i = 1, 5
      x(4:i) = x(4:i)**2*y
    end do
    y = y*sum(x)
  end subroutine growing

  subroutine whole(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(5), y
    call squares(x(2:n - 1), y)
    call squares(x(2:4:n), y)
    y = y*sum(x)
  end subroutine whole

  subroutine squares(a, y)
    real(8), intent(inout) :: a(:), y
    a = a**2*y
    y = y + sum(a)
  end subroutine squares
end module sections_without_elements
