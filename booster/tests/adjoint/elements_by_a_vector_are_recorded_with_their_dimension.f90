! call open_end k=[3,1] x=[[0.5,1.5],[0.7,1.1],[0.9,1.3]]
! call p x=[0.5,1.5,-0.5] m=[1.0,2.0,3.0,4.0] n=2
subroutine p(x, m, n)
  implicit none
  real(8), intent(inout) :: x(3), m(2, 2)
  integer, intent(in) :: n
  x([2, 1, 3]) = tanh(x([3, 2, 1]))
  m([n, 1], n) = m(:, n)*x(1)
  x = x*x
end subroutine p

! The last extent is not known: from the smallest index to the greatest.
subroutine open_end(k, x)
  implicit none
  integer, intent(in) :: k(2)
  real(8), intent(inout) :: x(2, *)
  x(1, k) = x(1, k)*x(2, k)
  x(1, [2, 1]) = sin(x(1, k))*x(1, [1, 2])
end subroutine open_end
