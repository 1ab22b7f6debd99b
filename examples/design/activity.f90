subroutine outer(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, b
  a = 2*x
  b = 3
  call inner(a, b, y)
end subroutine outer

subroutine inner(p, q, r)
  real(8), intent(in) :: p, q
  real(8), intent(out) :: r
  r = p*q
end subroutine inner
