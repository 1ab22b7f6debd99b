! call p x=[0.7,1.3,0.4] y=[0,0]
! Allocation and association of components: INTENT(OUT), structure assignment and pointers that calls move.
module property_of_components
  implicit none
  type :: node
    real(8), allocatable :: v(:)
    integer :: k = 0
  end type
  type :: link
    real(8), pointer :: q => null()
  end type
contains
  subroutine reset(n)
    type(node), intent(out) :: n
    n%k = 3
  end subroutine
  subroutine q0(n, t, on)
    type(link), intent(inout) :: n
    real(8), target :: t
    logical, intent(in) :: on
    if (on) then
      n%q => t
    else
      n%q => null()
    end if
  end subroutine
  subroutine p(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(2)
    type(node) :: n(2)
    type(link) :: l
    real(8), target :: t
    real(8) :: u
    integer :: i
    u = x(1)
    t = 2
    do i = 1, 3
      call reset(n(1))
      if (i == 2) n(1)%v = [1d0, 2d0]
      if (allocated(n(1)%v)) u = u*u*size(n(1)%v)
      call q0(l, t, mod(i, 2) == 1)
      if (associated(l%q)) u = sin(u)*x(2)
      n(2) = n(1)
      if (allocated(n(2)%v)) u = u*u
    end do
    y = u*x(3)
  end subroutine
end module property_of_components
