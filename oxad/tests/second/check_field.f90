! The Hessian is symmetric, and equal to differences of the gradient.
program check_field
  use hessian_of_cost, only: cost_h
  use fields_b, only: cost_b
  use fields, only: width
  implicit none
  integer, parameter :: m = 4, n = width*m + 1
  real(8), parameter :: h = 1d-5
  real(8) :: f(width, m), fb(width, m), c, cb, total(2), weights(2), hessian(n, n)
  real(8) :: above(n), below(n), gradient(n), worst
  integer :: i, turn

  do turn = 1, 2
    f = reshape([(0.3d0 + 0.1d0*mod(7*i, 10), i = 1, width*m)], [width, m])
    c = 0.7d0
    weights = [1d0, 0.5d0*turn]
    call cost_h(m, f, fb, c, cb, total, weights, hessian)
    if (any(weights /= [1d0, 0.5d0*turn])) error stop 'the weights have changed'
    call gradient_at(0, 0d0, gradient)
    if (any(abs([fb, cb] - gradient) > 1d-14)) error stop 'the gradient is wrong'
    if (any(abs(hessian - transpose(hessian)) > 1d-13)) error stop 'not symmetric'
    do i = 1, n
      call gradient_at(i, h, above)
      call gradient_at(i, -h, below)
      worst = maxval(abs(hessian(:, i) - (above - below)/(2*h)))
      if (worst > 1d-8*maxval(abs(hessian))) then
        print '(a, i0, a, es9.1)', 'column ', i, ' is wrong by ', worst
        error stop 1
      end if
    end do
  end do
  print '(a)', 'good'

contains

  subroutine gradient_at(at, step, gradient)
    integer, intent(in) :: at
    real(8), intent(in) :: step
    real(8), intent(out) :: gradient(n)
    real(8) :: point(n), fs(width, m), fsb(width, m), csb, w(2)

    point = [f, c]
    if (at > 0) point(at) = point(at) + step
    fs = reshape(point(:n - 1), [width, m])
    fsb = 0
    csb = 0
    w = weights
    call cost_b(m, fs, fsb, point(n), csb, total, w)
    gradient = [fsb, csb]
  end subroutine gradient_at
end program check_field
