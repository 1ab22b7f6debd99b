subroutine run(nt, u, cost)
  integer, intent(in) :: nt
  real(8), intent(inout) :: u(3)
  real(8), intent(out) :: cost
  integer :: it
  !$oxad binomial(20)
  do it = 1, nt
    u = u + 0.01d0*sin(cshift(u, 1))
  end do
  cost = sum(u**2)
end subroutine run
