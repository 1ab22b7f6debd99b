! An element of a component stands for the array that begins with it.
module begins
  implicit none
  type work
    real(8), allocatable :: a(:), m(:, :)
    real(8) :: f(2, 3) = 0.5d0
  end type work
contains
  subroutine explicit(n, x, a)
    integer, intent(in) :: n
    real(8), intent(in) :: x
    real(8), intent(out) :: a(n)
    integer :: i
    a = [(x**i, i = 1, n)]
  end subroutine explicit
  subroutine assumed(n, x, a)
    integer, intent(in) :: n
    real(8), intent(in) :: x
    real(8), intent(out) :: a(*)
    a(n) = x*x
  end subroutine assumed
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(work) :: w, v(2)
    allocate (w%a(5), w%m(2, 3), v(2)%a(2:4))
    w%a = x(1)
    w%m = x(2)
    w%f = x(3)
    v(2)%a = x
    call explicit(2, x(1), w%a(3))
    call explicit(3, x(2), w%m(2, 1))
    call explicit(2, x(3), w%f(1, 2))
    call explicit(1, x(1), v(2)%a(3))
    call assumed(2, x(2), w%a)
    call assumed(2, x(3), w%a(4))
    call assumed(3, x(1), w%m(1, 2))
    call assumed(2, x(1), v(1)%f)
    y = sum(w%a**2) + sum(w%m**2) + sum(w%f**2) + sum(v(2)%a**2) + sum(v(1)%f)
  end subroutine p
end module begins
