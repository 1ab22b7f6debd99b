program pointers
  implicit none
  type :: cell
    real :: u(4) = [1.0, 2.0, 3.0, 4.0]
  end type cell
  type(cell), target :: c
  real, target :: a(4, 4), flat(12)
  real, pointer :: p(:), q(:, :), r, s(:)
  integer :: i, j
  do j = 1, 4
    do i = 1, 4
      a(i, j) = real(10*i + j)
    end do
  end do
  flat = [(real(i), i=1, 12)]
  p => a(2, :)
  q => a(1:4:2, 2:3)
  p(3) = -p(3)
  q = q + 0.5
  r => a(4, 4)
  r = 99.0
  s => c%u(2:)
  s(1) = 7.5
  print *, a
  print *, c%u, associated(p), associated(r, a(4, 4)), size(q)
  p(0:) => a(:, 1)
  print *, lbound(p), ubound(p), p(0)
  q(1:3, 1:4) => flat
  print *, q(3, 4), q(1, :)
  nullify(p, q)
  print *, associated(p), associated(q)
  allocate(p(2), source=[0.25, 0.5])
  print *, p*2.0
  deallocate(p)
end program pointers
