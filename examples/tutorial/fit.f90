! Fits the parameters by the method of Broyden, Fletcher, Goldfarb and Shanno (BFGS).
program fit
  use cooling, only: misfit
  use cooling_b, only: misfit_b
  implicit none
  real(8) :: p(2), g(2), h(2, 2), d(2), s(2), y(2), cost, next, length
  integer :: iteration

  p = [0.02d0, 15d0]
  h = reshape([1d-6, 0d0, 0d0, 1d-1], [2, 2])  ! estimate of the inverse Hessian
  call gradient(p, cost, g)
  do iteration = 1, 50
    if (norm2(g) < 1d-6) exit
    d = -matmul(h, g)
    length = 1
    do
      call misfit(p + length*d, next)
      if (next <= cost + 1d-4*length*dot_product(g, d)) exit
      length = length/2
    end do
    s = length*d
    p = p + s
    y = -g
    call gradient(p, cost, g)
    y = y + g
    call update(h, s, y)
  end do
  print '(a, f8.4, a, f8.4, a, f8.4)', 'rate', p(1), '  room', p(2), '  misfit', cost
  print '(a, l2)', 'converged', norm2(g) < 1d-6

contains

  ! misfit_b computes the gradient, misfit the value.
  subroutine gradient(p, cost, g)
    real(8), intent(in) :: p(2)
    real(8), intent(out) :: cost, g(2)
    real(8) :: value, weight

    call misfit(p, cost)
    g = 0       ! the gradient is added to it
    weight = 1
    call misfit_b(p, g, value, weight)
  end subroutine gradient

  subroutine update(h, s, y)
    real(8), intent(inout) :: h(2, 2)
    real(8), intent(in) :: s(2), y(2)
    real(8) :: a(2, 2), r

    r = 1/dot_product(s, y)
    if (r <= 0) return
    a = -r*spread(s, 2, 2)*spread(y, 1, 2)
    a(1, 1) = a(1, 1) + 1
    a(2, 2) = a(2, 2) + 1
    h = matmul(matmul(a, h), transpose(a)) + r*spread(s, 2, 2)*spread(s, 1, 2)
  end subroutine update
end program fit
