! call targets n=3 x=[1,2,0.5] y=0
! call rounds n=3 a=[1,2,3,4,5,6,7,8,9] y=0
! call memory n=3 x=[1,2,0.5] y=0
! call list n=3 x=[1,2,0.5] y=0
! A pointer and its adjoint point to the same places of originals and adjoints in both sweeps.
subroutine targets(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout), target :: x(n)
  real(8), intent(out) :: y
  real(8), target :: t(n)
  real(8), pointer :: p(:), q
  t = x*x
  p => t(2:n)
  p = p*x(1)
  q => t(1)
  y = sum(p)*q
  p => x
  p = p*q
  q => p(2)
  y = y*q + p(1)
  nullify(p)
  t(1) = y
  p => t
  y = y*p(1)
end subroutine targets

subroutine rounds(n, a, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout), target :: a(n, n)
  real(8), intent(out) :: y
  real(8), pointer :: column(:)
  integer :: i
  y = 0.0d0
  do i = 1, n
    column => a(:, i)
    column = column*column(1)
    if (i > 1) column => a(:, i - 1)
    y = y + sin(column(2))
  end do
end subroutine rounds

subroutine memory(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), pointer :: p(:), q(:)
  allocate(p(0:n))
  p(0) = x(1)
  p(1:n) = x*x
  q => p
  allocate(p(2))
  p = q(1:2)*q(0)
  y = sum(p*q(2:3))
  deallocate(p)
  deallocate(q)
  allocate(q(1))
  q(1) = y*x(2)
  y = q(1)*q(1)
  deallocate(q)
end subroutine memory

subroutine list(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in), target :: x(n)
  real(8), intent(out) :: y
  type view
    real(8), pointer :: v(:)
  end type view
  type(view) :: a, b
  a%v => x(1:2)
  b%v => x(2:3)
  y = sum(a%v*b%v)
  a%v => b%v
  y = y*a%v(2)
end subroutine list
