! Loops with checkpoints in one another, without a trip count, and left in the middle.
module m
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: a, r
    integer :: k, j
    a = 1 + x(1)**2
    y = x(3)
    k = 0
    !$oxad binomial(2)
    do
      k = k + 1
      r = a
      !$oxad periodic(2)
      do j = 1, 5
        r = r - 0.3d0*(r*r - a - 1)/(2*r)
        if (j > k) exit
      end do
      y = y + r*x(2)*0.1d0
      if (k > 6) exit
      if (mod(k, 2) == 0) cycle
      a = a + 0.05d0*y*r
    end do
    y = y*a
  end subroutine
end module
