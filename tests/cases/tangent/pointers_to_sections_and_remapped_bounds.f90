! directions OX4255
! Pointers to sections, components and other pointers; bounds and their remapping.
subroutine head(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  type :: cell
    real(8) :: v
    type(cell), pointer :: next => null()
  end type
  real(8), target :: work(6), matrix(2, 3)
  real(8), pointer :: p(:), q(:, :), r
  type(cell), target :: cells(3)
  type(cell), pointer :: c
  integer :: i
  work(:3) = x
  work(4:) = x**2
  p(0:) => work
  p(0) = p(0)*p(5)
  p(0:n - 1) => work(2:4)
  p(1) = p(0)*x(3)
  q(1:2, 1:3) => work
  q(2, :) = q(2, :)*q(1, :)
  matrix = transpose(reshape(q, [3, 2]))
  p => matrix(2, ::2)
  p = p + x(1)
  r => matrix(2, 1)
  r = r*r
  do i = 1, 3
    cells(i)%v = x(i)*work(i)
  end do
  do i = 2, 3
    cells(i - 1)%next => cells(i)
  end do
  y = 0d0
  c => cells(1)
  do while (associated(c))
    y(1) = y(1) + c%v*x(2)
    c%v = 3d0*c%v
    c => c%next
  end do
  y(2) = sum(matrix(2, :)) + cells(2)%v
  p => cells%v
  p(2) = p(2)*p(3)
  y(3) = work(2) + work(4) + cells(2)%v
  nullify(p)
  allocate(p(2))
  p = x(1:2)
  y(3) = y(3) + p(1)*p(2)
  deallocate(p)
end subroutine
