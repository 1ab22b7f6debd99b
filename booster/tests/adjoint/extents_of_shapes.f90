! call f x=[0.7,1.3] y=0.5
! Extents that depend on the shape of what the procedure overwrites, not on its values: the procedure can be split
! (it must be, since its argument is polymorphic), and what keeps its shape is recorded without it.
module extents_of_shapes
  implicit none
  type :: solver
    real(8) :: h = 0.1d0
    real(8), allocatable :: u(:)
  end type solver
  type, extends(solver) :: counted
    integer :: rounds = 0
  end type counted
contains
  subroutine advance(self, n)
    class(solver), intent(inout) :: self
    integer, intent(in) :: n
    real(8) :: k1(size(self%u)), k2(size(self%u))
    integer :: i
    do i = 1, n
      k1 = self%u*2
      k2 = k1**2*self%u
      self%u = self%u + 0.5d0*self%h*(k1 + k2)
    end do
  end subroutine advance

  subroutine f(x, y)
    real(8), intent(inout) :: x(2)
    real(8), intent(inout) :: y
    type(counted) :: s
    s%u = x*y
    call advance(s, 2)
    s%u = s%u**2
    call advance(s, 2)
    y = sum(s%u**2)
  end subroutine f
end module extents_of_shapes
