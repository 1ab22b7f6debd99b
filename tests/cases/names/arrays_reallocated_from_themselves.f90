! The right-hand side reads the array that it gives another shape, or the same one.
module growing
  implicit none
  type pair
    real(8), allocatable :: a(:), b(:)
  end type pair
contains
  function doubled(c) result(r)
    real(8), intent(in) :: c(:)
    real(8) :: r(2*size(c))
    r(:size(c)) = c
    r(size(c) + 1:) = c**2
  end function doubled
  function start(c) result(r)
    real(8), intent(in) :: c(:)
    real(8), allocatable :: r(:)
    r = c(:size(c) - 1)*c(1)
  end function start
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8), allocatable :: c(:), m(:, :), s
    complex(8), allocatable :: z(:)
    type(pair) :: t, u(2)
    integer, allocatable :: at(:)
    integer :: i, j
    c = x
    c = [(c(i)**2, i = 1, 2)]
    c = [(c(i)*x(i), i = 1, size(c))]
    c = [c, (sum(c(1:i)), i = 1, 2)]
    do j = 1, 2
      c = [c(1), (c(i + 1) - c(i), i = 1, size(c) - 1), x(j)]
      c = start(c)
    end do
    c = doubled(c(2:))
    c = [((c(i)*c(j), i = 1, j), j = 1, 3)]
    at = [(size(c) - i, i = 1, size(c) - 1)]
    c = [(c(at(i)), i = 1, size(at))]
    t%a = c
    t%b = x
    t%a = [(t%a(i)*t%b(1), i = 1, 2)]
    t = pair([(t%b(i)*t%a(2), i = 1, 2)], [t%a, t%b(3)])
    do i = 1, 2
      u(i)%a = x*i
    end do
    u(1)%a = [(u(2)%a(i)*u(1)%a(i), i = 1, 2), u(1)%a]
    z = cmplx(c, c(size(c):1:-1), 8)
    z = [(z(i)*conjg(z(i + 1)), i = 1, 2)]
    z = [z%re, z(1)%im]
    m = reshape([x, c(1:3)], [3, 2])
    m = reshape([(m(i, 1)*m(i, 2), i = 1, 3), m(1, :)], [1, 5])
    m = m(:, [2, 4, 2])*m(1, 1)
    s = x(1)
    s = sum([(s*x(i), i = 1, 2)])
    y = sum(c) + s*sum(t%a*t%b(:2)) + sum(abs(z)) + sum(m**2) + sum(u(1)%a) + sum(u(2)%a)
  end subroutine p
end module growing
