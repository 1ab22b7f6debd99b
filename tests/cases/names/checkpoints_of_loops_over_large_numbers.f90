! The variable of a loop with checkpoints has eight bytes and needs them.
module m
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    integer(8) :: k
    y = x(1)
    !$oxad binomial(2)
    do k = 4000000000_8, 4000000010_8, 2
      y = y*sin(x(2)*(k - 3999999999_8)) + x(3)
    end do
  end subroutine
end module
