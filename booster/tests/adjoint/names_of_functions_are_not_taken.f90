! call p x=[1,2,3] s=0.5
! The rounds of a loop are counted beside a sum under a mask, whose adjoint calls COUNT.
subroutine p(x, s)
  implicit none
  real(8), intent(inout) :: x(3), s
  integer :: k
  k = 0
  do while (k < 3 .and. s < 20d0)
    k = k + 1
    x(k) = sum(s + x, mask=x < 2.5d0)
    s = 0.5d0*s*x(k)
  end do
end subroutine p
