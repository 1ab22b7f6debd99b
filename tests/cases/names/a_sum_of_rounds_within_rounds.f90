! refused OX4153: the sum of a constructor with an implied DO within another, which the adjoint cannot write down.
subroutine p(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  real(8) :: b(3)
  integer :: i, j
  i = 2
  b = [(sum([(x(i)*x(j), i=1,3)]), j=1,3)]
  y = sum(b*b*b)
end subroutine
