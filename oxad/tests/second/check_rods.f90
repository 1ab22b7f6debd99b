! Jacobians by columns, by rows and from patterns agree with differences and with each other.
program check_rods
  use jacobian_of_residual, only: residual_j, residual_sparse
  use jacobian_of_summary, only: summary_j
  use oxad_jacobian, only: pattern, pattern_of, union_of, dense_of
  use rods, only: residual, summary
  implicit none
  integer, parameter :: n = 9, m = 4
  real(8), parameter :: h = 1d-6
  real(8) :: x(n), r(n), k, columns(n, n + 1), rows(n, n + 1), above(n), below(n), y(n)
  real(8) :: grid(m, 3), total, g(m, 3), t, few(3*m + 1, 3*m + 1), other(3*m + 1, 3*m + 1)
  real(8), allocatable :: values(:)
  type(pattern) :: found
  integer :: i

  x = [(0.1d0*i, i = 1, n)]
  k = 0.5d0
  call residual_j(n, x, k, r, columns, by_rows=.false.)
  call residual_j(n, x, k, r, rows, by_rows=.true.)
  if (any(abs(columns - rows) > 1d-14)) error stop 'rows and columns differ'
  call residual_j(n, x, k, r, rows)
  if (any(abs(columns - rows) > 1d-14)) error stop 'the default differs'
  do i = 1, n
    y = x
    y(i) = x(i) + h
    call residual(n, y, k, above)
    y(i) = x(i) - h
    call residual(n, y, k, below)
    if (any(abs(columns(:, i) - (above - below)/(2*h)) > 1d-8)) error stop 'a column is wrong'
  end do
  call residual(n, x, k + h, above)
  call residual(n, x, k - h, below)
  if (any(abs(columns(:, n + 1) - (above - below)/(2*h)) > 1d-8)) error stop 'the last column is wrong'

  found = union_of(pattern_of(columns), pattern_of(rows))
  if (size(found%column) /= 4*n - 2) error stop 'the pattern is wrong'
  call residual_sparse(n, x, k, r, found, values)
  if (found%by_rows .or. found%colours /= 4) error stop 'too many colours'
  if (any(abs(dense_of(found, values) - columns) > 1d-14)) error stop 'the sparse one differs'
  x = x + 0.3d0
  call residual_j(n, x, k, r, columns)
  call residual_sparse(n, x, k, r, found, values)
  if (any(abs(dense_of(found, values) - columns) > 1d-14)) error stop 'it differs elsewhere'

  grid = reshape([(0.5d0 + 0.01d0*i, i = 1, 3*m)], [m, 3])
  total = 0.3d0
  call summary_j(m, grid, total, few, by_rows=.false.)
  call summary_j(m, grid, total, other, by_rows=.true.)
  if (abs(total - 0.3d0) > 0) error stop 'an argument has changed'
  if (any(abs(few - other) > 1d-13)) error stop 'rows and columns of a grid differ'
  g = grid
  g(2, 1) = g(2, 1) + h
  t = total
  call summary(m, g, t)
  above(1) = t
  g = grid
  g(2, 1) = g(2, 1) - h
  t = total
  call summary(m, g, t)
  if (abs(few(3*m + 1, 2) - (above(1) - t)/(2*h)) > 1d-8) error stop 'the total is wrong'

  found = pattern_of(abs(columns) > 1)
  call residual_sparse(n, x, k, r, found, values)
  print '(a)', 'not stopped'
end program check_rods
