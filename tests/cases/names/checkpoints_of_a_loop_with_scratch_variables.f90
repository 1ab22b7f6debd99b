! The body records what its scratch variables held before, which no adjoint needs.
module m
contains
  subroutine flux(l, r, f)
    real(8), intent(in) :: l(2), r(2)
    real(8), intent(out) :: f(2)
    f = l*r
    if (f(1) > f(2)) f = f + sin(l - r)
  end subroutine
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: q(2, 5), w(2, 5), f(2, 5), l(2), r(2)
    integer :: it, i
    q = spread([x(1), x(2)], 2, 5)*x(3)
    !$oxad checkpoint
    do it = 1, 4
      do i = 1, 5
        w(:, i) = q(:, i)*cos(q(1, i))
      end do
      do i = 1, 4
        l = w(:, i) + 0.1d0
        r = w(:, i+1)
        call flux(l, r, f(:, i))
      end do
      do i = 2, 4
        q(:, i) = q(:, i) - 0.1d0*(f(:, i) - f(:, i-1))
      end do
    end do
    y = sum(q**2)
  end subroutine
end module
