! The snapshots of a loop hold the derivatives of the state as well.
module m
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: u(3), s
    integer :: i
    u = x
    s = 1
    !$oxad binomial(2)
    do i = 1, 7
      u = u + 0.1d0*sin(u)*x(1)
      s = s*u(2) + u(1)**2*0.1d0
    end do
    y = s + sum(u**3)
  end subroutine
end module
