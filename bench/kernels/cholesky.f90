! Cholesky factorisation in blocks of columns, in place, lower triangle: what LAPACK's dpotrf does,
! written for this benchmark. The strict upper triangle is left alone.
subroutine cholesky(n, nb, a)
  implicit none
  integer, intent(in) :: n, nb
  double precision, intent(inout) :: a(n, n)
  integer :: j, m
  do j = 1, n, nb
    m = min(nb, n - j + 1)
    call update(n, j, m, a)
    call factor(n, j, m, a)
    call solve(n, j, m, a)
  end do
end subroutine cholesky

! Subtracts from the block column at j what the columns before it contribute.
subroutine update(n, j, m, a)
  implicit none
  integer, intent(in) :: n, j, m
  double precision, intent(inout) :: a(n, n)
  integer :: i, k, l
  do k = j, j + m - 1
    do l = 1, j - 1
      do i = k, n
        a(i, k) = a(i, k) - a(i, l)*a(k, l)
      end do
    end do
  end do
end subroutine update

! Factors the block on the diagonal, column by column.
subroutine factor(n, j, m, a)
  implicit none
  integer, intent(in) :: n, j, m
  double precision, intent(inout) :: a(n, n)
  integer :: i, k, l
  do k = j, j + m - 1
    do l = j, k - 1
      do i = k, j + m - 1
        a(i, k) = a(i, k) - a(i, l)*a(k, l)
      end do
    end do
    a(k, k) = sqrt(a(k, k))
    do i = k + 1, j + m - 1
      a(i, k) = a(i, k)/a(k, k)
    end do
  end do
end subroutine factor

! The rows below: a triangular system with the block on the diagonal.
subroutine solve(n, j, m, a)
  implicit none
  integer, intent(in) :: n, j, m
  double precision, intent(inout) :: a(n, n)
  integer :: i, k, l
  do k = j, j + m - 1
    do l = j, k - 1
      do i = j + m, n
        a(i, k) = a(i, k) - a(i, l)*a(k, l)
      end do
    end do
    do i = j + m, n
      a(i, k) = a(i, k)/a(k, k)
    end do
  end do
end subroutine solve
