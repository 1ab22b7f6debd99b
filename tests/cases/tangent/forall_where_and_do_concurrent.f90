! DO CONCURRENT with masks, FORALL, nested WHERE with ELSEWHERE.
subroutine head(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: a(3, 3), b(3, 3), v(3), t
  integer :: i, j
  forall (i = 1:3, j = 1:3) a(i, j) = x(i)*x(j) - 0.1d0*real(j, 8)
  b = 0d0
  where (a > 0.5d0)
    b = sqrt(a)
    where (a > 1d0)
      a = a*b
    elsewhere
      a = b
    end where
  elsewhere (a < 0d0)
    a = -a
    b = a*a
  elsewhere
    a = 0d0
  end where
  forall (i = 2:3)
    a(i, 1) = a(i - 1, 1)*2d0
    b(1, i) = a(i, i) + b(1, i - 1)
  end forall
  v = x
  forall (i = 1:3, v(i) > 0d0) v(i) = v(4 - i)**2
  do concurrent (i = 1:3, j = 1:3, i /= j)
    a(i, j) = a(i, j) + v(i)*b(i, j)
  end do
  do concurrent (i = 1:3)
    block
      real(8) :: s
      s = v(i)*x(i)
      v(i) = s*s
    end block
  end do
  where (v > 1d0) v = 1d0/v
  t = maxval(a) + minval(v)
  y(1) = sum(a) + t
  y(2) = sum(b, mask=b > 0.2d0)
  y(3) = sum(v)
end subroutine
