! The subscript of what is assigned is read through a pointer to it: it cannot be taken apart.
module items
  implicit none
  type item
    integer :: k = 1
    real(8), pointer :: p => null()
    real(8) :: v = 0
  end type item
  real(8), target :: store(3) = 1
end module items

subroutine drive(x, y)
  use items
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y
  type(item), target :: l(3)
  type(item), pointer :: p
  type(item) :: a
  integer :: i
  store = x(1)
  do i = 1, 3
    l(i)%k = i
    l(i)%v = x(1)*i
    l(i)%p => store(i)
  end do
  p => l(2)
  a%k = 3
  a%v = x(2)*x(1)
  a%p => store(1)
  l(p%k) = a
  y = l(1)%v + 2*l(2)%v*l(2)%p + 3*l(3)%v**2
  l(2)%v = y
end subroutine drive
