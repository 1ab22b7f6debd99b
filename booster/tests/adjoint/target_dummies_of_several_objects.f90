! call p x=[0.7,1.3,0.4] y=[0,0]
! A dummy argument with TARGET is two objects. The caller records the one that changes.
module target_dummies_of_several_objects
  implicit none
  real(8) :: g = 0.5d0
contains
  subroutine sb(u)
    real(8), intent(in), target :: u
  end subroutine
  subroutine st(w)
    real(8), intent(inout) :: w
    g = g + 1
    w = w
  end subroutine
  subroutine p(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(2)
    real(8) :: v, u
    integer :: i
    v = 2
    g = 3
    u = x(1)
    call sb(v)
    call sb(g)
    do i = 1, 3
      u = sin(u)*g
      call st(v)
    end do
    y = u
  end subroutine
end module target_dummies_of_several_objects
