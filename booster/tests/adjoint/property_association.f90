! call p x=[0.7,1.3,0.4] y=[0,0]
! A call without an adjoint moves a pointer of the module.
module property_association
  implicit none
  real(8), target :: a(3) = [1d0, 2d0, 3d0], b(2) = [4d0, 5d0]
  real(8), pointer :: g(:) => null()
contains
  subroutine turn(k)
    integer, intent(in) :: k
    if (k == 1) g => a
    if (k == 2) g => b
    if (k == 3) nullify (g)
  end subroutine
  subroutine p(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(2)
    real(8) :: u
    integer :: i
    u = x(1)
    do i = 1, 3
      call turn(i)
      if (associated(g)) then
        u = u*g(2)*size(g)
        u = sin(u)*x(2)
      end if
      if (associated(g, a)) u = u*x(3)
    end do
    y = u
  end subroutine
end module property_association
