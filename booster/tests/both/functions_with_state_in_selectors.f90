! call head x=[0.7,1.3,0.9,0.4,1.1] y=[0.5,0.2,0.3]
! A function that counts stands in the selector of SELECT TYPE: it counts once. (Several directions are refused.)
module selectors_with_state
  implicit none
  type :: base
    real(8) :: v = 1d0
  end type
  type :: box
    class(base), allocatable :: b
  end type
contains
  integer function nxt(n)
    integer, intent(inout) :: n
    n = mod(n, 3) + 1
    nxt = n
  end function
  subroutine head(x, y)
    real(8), intent(in) :: x(5)
    real(8), intent(out) :: y(3)
    type(box) :: bx(3)
    integer :: i, k
    do i = 1, 3
      allocate (bx(i)%b)
      bx(i)%b%v = x(i)
    end do
    k = 1
    select type (one => bx(nxt(k))%b)
    type is (base)
      one%v = one%v*x(5)
    end select
    y = [bx(1)%b%v, bx(2)%b%v, bx(3)%b%v*k]
  end subroutine
end module
