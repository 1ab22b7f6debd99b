! call p x=[0.5,1.5,2.0]
! along x=[1,-1,0.5]
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  real(8), target :: a(6)
  real(8), pointer :: q(:), m(:, :)
  a(1:3) = x
  a(4:6) = x*x
  q => a(2:4)
  m(1:2, 0:2) => a
  q = q*2
  m(1, :) = m(1, :)*m(2, :)
  nullify(q)
  allocate(q(2))
  q(1) = x(1)
  q(2) = 3
  y = sum(m) + q(1)*q(2)
  deallocate(q)
end subroutine p
