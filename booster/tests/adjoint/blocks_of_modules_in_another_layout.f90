! call p x=[1.5,0.5,0.75] y=0
! The variables of a block that a module declares, and another procedure in another layout, are all of one unit of
! storage: all of them are recorded and given back.
module block_of_a_module
  implicit none
  real(8) :: u = 0.5d0, v = 0.75d0
  integer :: k = 1
  common /zz/ u, v, k
end module block_of_a_module

subroutine q(a)
  use block_of_a_module
  implicit none
  real(8), intent(in) :: a
  k = k + 1
  u = u*a + k
  v = v + u*v
end subroutine q

subroutine g(a, y)
  implicit none
  real(8), intent(in) :: a
  real(8), intent(out) :: y
  real(8) :: w(2)
  integer :: k
  common /zz/ w, k
  y = w(1)*w(2)*a*k
  w(2) = w(2)*w(1)*a
  w(1) = 0.5d0*w(1)
end subroutine g

subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  real(8) :: z
  call q(x(1))
  call g(x(2), z)
  call g(x(3), y)
  y = y*x(3) + z
end subroutine p
