! Adjoint of cholesky by hand: the factor is its own record, and all that is needed. Column by column
! from the last: what the column got from those before it goes back to them.
subroutine cholesky_hand(n, nb, a, ab)
  implicit none
  integer, intent(in) :: n, nb
  double precision, intent(inout) :: a(n, n), ab(n, n)
  double precision :: d
  integer :: i, k, l
  call cholesky(n, nb, a)
  do k = n, 1, -1
    d = 0.0d0
    do i = k + 1, n
      ab(i, k) = ab(i, k)/a(k, k)
      d = d + a(i, k)*ab(i, k)
    end do
    ab(k, k) = (ab(k, k) - d)/(2.0d0*a(k, k))
    do l = 1, k - 1
      d = 0.0d0
      do i = k, n
        d = d + a(i, l)*ab(i, k)
      end do
      do i = k, n
        ab(i, l) = ab(i, l) - a(k, l)*ab(i, k)
      end do
      ab(k, l) = ab(k, l) - d
    end do
  end do
end subroutine cholesky_hand
