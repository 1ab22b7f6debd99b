! Sequence association, sections by copy, assumed and adjustable shapes, results of every shape.
module results
  implicit none
contains
  function outer(a, b) result(m)
    real(8), intent(in) :: a(:), b(:)
    real(8) :: m(size(a), size(b))
    integer :: j
    do j = 1, size(b)
      m(:, j) = a*b(j)
    end do
  end function
  function positive(a) result(p)
    real(8), intent(in) :: a(:)
    real(8), allocatable :: p(:)
    p = pack(a, a > 0d0)
  end function
  subroutine largest(a, p)
    real(8), intent(in), target :: a(:)
    real(8), pointer, intent(out) :: p
    p => a(maxloc(a, 1))
  end subroutine
end module
subroutine head(n, x, y)
  use results
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: m(3, 3), v(9)
  real(8), target :: t(3)
  real(8), pointer :: p
  m = outer(x, x + 1d0)
  v(:) = 0d0
  call flat(m, 9, v(2))
  call flat(m(2, 1), 3, v)
  call flat(m(::2, 2), 2, v(8))
  y(1) = sum(v*v) + sum(positive(m(1, :)))
  t = x*x(2)
  call largest(t, p)
  y(2) = p*x(1)
  p = p*p
  y(2) = y(2) + sum(t)
  call scale_it(m(:, 2:), x(1))
  y(3) = sum(matmul(m, x)) + sum(outer(x, x)*x(1)*m) &
    + norm2(m(2, :))
contains
  subroutine scale_it(a, s)
    real(8), intent(inout) :: a(0:, 2:)
    real(8), intent(in) :: s
    a(0, 2) = a(0, 3)*s
    a(1:, :) = a(1:, :)*s
  end subroutine
end subroutine
subroutine flat(a, k, r)
  implicit none
  integer, intent(in) :: k
  real(8), intent(in) :: a(k)
  real(8), intent(out) :: r(*)
  integer :: i
  do i = 1, k - 1
    r(i) = a(i)*a(i + 1)
  end do
end subroutine
