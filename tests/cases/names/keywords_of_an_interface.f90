! Keywords are those of the interface, whose dummy arguments are in another order.
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  interface
    real(8) function ef(v, u)
      real(8), intent(in) :: v, u
    end function
  end interface
  y = x(1)*x(2)*ef(u=x(2), v=x(3))
end subroutine
real(8) function ef(u, v)
  implicit none
  real(8), intent(in) :: u, v
  ef = u*u*v
  ef = ef*sin(u)
end function
