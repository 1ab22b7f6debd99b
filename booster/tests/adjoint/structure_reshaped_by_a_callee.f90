! call p x=[0.7,1.1,0.9] y=0.5
! A callee assigns a structure whose allocatable component gets another shape: the call is split, as giving back
! values alone would leave the shape.
module structure_reshaped_by_a_callee
  implicit none
  type :: cell
    real(8), allocatable :: h(:)
  end type
contains
  subroutine copy(a, b)
    type(cell), intent(inout) :: a
    type(cell), intent(in) :: b
    a = b
  end subroutine copy
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(cell) :: c, d
    integer :: i
    c%h = x*x(1)
    d%h = x(1:2)*x(3)
    y = sum(c%h)
    do i = 1, 2
      call copy(c, d)
    end do
    y = y + c%h(1)*c%h(2)
  end subroutine p
end module structure_reshaped_by_a_callee
