! call p x=[1.2,0.6,0.4] y=0.5
! What the program leaves in a block, and what FORALL keeps, is copied as a whole: some elements have no values.
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y
  real(8), target :: t(4, 2)
  real(8), pointer :: q(:)
  real(8), allocatable :: a(:, :)
  integer :: i, k
  common /partly/ t, k

  q => t(2:4, 1)
  q = x*y
  allocate(a(3, 3))
  call first
  y = sum(q*t(2, 1)) + a(2, 2)
contains
  subroutine first
    forall (i=1:3) a(i, i) = x(i)*y
  end subroutine first
end subroutine p
