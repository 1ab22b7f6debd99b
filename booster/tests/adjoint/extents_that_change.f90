! call p x=[0.7,1.2,0.9,1.1] y=0
! The extent of `au` is that which `ax` had as `sub2` began, so a backward half could not declare it:
! sub2 is called jointly also where all calls are to be split.
module m
  implicit none
contains
  subroutine sub2(ax, x, y)
    integer, intent(inout) :: ax
    real(8), intent(in) :: x(4)
    real(8), intent(inout) :: y
    real(8) :: au(3 + modulo(ax, 3))
    au = x(2)
    au = au*x(1)
    y = y + sum(sin(au)*au)
    au = au*au
    y = y*sum(au)
    if (y > -1d9) then
      ax = -9
    end if
    y = y*x(3)
  end subroutine
  subroutine p(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    integer :: n
    n = 5
    y = x(4)
    call sub2(n, x, y)
    y = y*n
  end subroutine
end module
