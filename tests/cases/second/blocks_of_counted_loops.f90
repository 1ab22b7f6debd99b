! Counted loops record blocks: nested ones, one with a branch and one that records integers beside reals.
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(6)
  real(8), intent(out) :: y
  real(8) :: s, t
  integer :: i, j, k
  y = 1
  k = 1
  do i = 1, 6
    s = x(i)
    do j = 1, 3
      s = s*sin(s + y) + 0.1d0*j
      if (s > 0.4d0) then
        y = y + s*x(k)
        k = mod(2*k + j, 6) + 1
      else
        t = exp(s*x(i))
        y = y*(1 + 0.1d0*t)
      end if
    end do
  end do
end subroutine p
