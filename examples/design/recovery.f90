subroutine weighted(n, x, w, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), w(n)
  real(8), intent(inout) :: y(n)
  real(8) :: t
  integer :: i, k
  do k = 1, 10
    do i = 1, n
      t = w(i)*x(i)
      y(i) = y(i)*t
    end do
  end do
end subroutine weighted
